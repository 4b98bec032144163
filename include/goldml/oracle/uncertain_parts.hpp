// Which parts of a tensor have elements that a device may hold otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/dimensions.hpp>
#include <goldml/oracle/element_part.hpp>
#include <goldml/oracle/legal_values.hpp>

namespace goldml::oracle::detail {

// Counts such elements in any part at the cost of 2^DimensionCount look-ups.
class uncertain_elements {
 public:
  // `states` of all elements of a tensor of these sizes in row-major order; none: all are exact.
  uncertain_elements(const dimensions& sizes, const std::vector<certainty>& states) {
    if (states.empty()) return;
    for (const std::uint32_t size : sizes) padded_.push_back(size + std::uint64_t{1});
    std::size_t total = 1;
    for (const std::uint64_t size : padded_) total *= static_cast<std::size_t>(size);
    // counts_[c]: those below c on every axis; first those that are at c - 1, then summed along one axis after another.
    counts_.resize(total);
    std::size_t element = 0;
    for (const coordinate_tuple& c : coordinates_of(sizes)) {
      const certainty state = states[element++];
      std::size_t at = 0;
      for (std::size_t axis = 0; axis < padded_.size(); ++axis)
        at = at * static_cast<std::size_t>(padded_[axis]) + static_cast<std::size_t>(c[axis]) + 1;
      counts_[at] = state == certainty::between || state == certainty::unknown ? 1 : 0;
    }
    std::size_t stride = 1;
    for (std::size_t axis = padded_.size(); axis-- > 0; stride *= static_cast<std::size_t>(padded_[axis]))
      for (std::size_t i = stride; i < total; ++i)
        if (i / stride % static_cast<std::size_t>(padded_[axis]) != 0) counts_[i] += counts_[i - stride];
  }

  bool are_in(const tensor_part& part) const {
    if (counts_.empty()) return false;
    std::uint64_t count = 0;  // modulo 2^64: terms are subtracted before others are added
    for (std::size_t corner = 0; corner < std::size_t{1} << padded_.size(); ++corner) {
      std::size_t at = 0;
      bool negative = false;
      for (std::size_t axis = 0; axis < padded_.size(); ++axis) {
        const bool begins = (corner >> axis & 1) != 0;
        const std::uint64_t end = part.first[axis] + (begins ? std::uint64_t{0} : part.desc.sizes[axis]);
        at = at * static_cast<std::size_t>(padded_[axis]) + static_cast<std::size_t>(end);
        negative = negative != begins;
      }
      count += negative ? std::uint64_t{0} - counts_[at] : std::uint64_t{counts_[at]};
    }
    return count != 0;
  }

 private:
  std::vector<std::uint64_t> padded_;  // sizes, each plus 1
  std::vector<std::uint32_t> counts_;
};

}  // namespace goldml::oracle::detail
