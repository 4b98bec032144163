// Which parts of a tensor have elements that a device may hold otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/dimensions.hpp>
#include <goldml/oracle/element_part_quantised.hpp>
#include <goldml/oracle/legal_values.hpp>

namespace goldml::oracle::detail {

// Counts such elements in any part at the cost of 2^n look-ups, n being the number of axes of more than one element.
class uncertain_elements {
 public:
  // `states` of all elements of a tensor of these sizes in row-major order; none: all are exact.
  uncertain_elements(const dimensions& sizes, const std::vector<certainty>& states) {
    if (states.empty()) return;
    std::size_t total = 1;
    for (std::size_t axis = 0; axis < sizes.size(); ++axis)
      if (sizes[axis] > 1) {
        axes_.push_back({axis, std::size_t{sizes[axis]} + 1});
        total *= axes_.back().padded;
      }
    // counts_[c]: those below c on every axis; first those that are at c - 1, then summed along one axis after another.
    counts_.resize(total);
    std::size_t element = 0;
    for (const coordinate_tuple& c : coordinates_of(sizes)) {
      const certainty state = states[element++];
      const std::size_t at = place([&](std::size_t axis) { return static_cast<std::size_t>(c[axis]) + 1; });
      counts_[at] = state == certainty::between || state == certainty::unknown ? 1 : 0;
    }
    std::size_t stride = 1;
    for (std::size_t n = axes_.size(); n-- > 0; stride *= axes_[n].padded)
      for (std::size_t i = stride; i < total; ++i)
        if (i / stride % axes_[n].padded != 0) counts_[i] += counts_[i - stride];
  }

  bool are_in(const tensor_part& part) const {
    if (counts_.empty()) return false;
    std::uint64_t count = 0;  // modulo 2^64: terms are subtracted before others are added
    for (std::size_t corner = 0; corner < std::size_t{1} << axes_.size(); ++corner) {
      bool negative = false;
      std::size_t bit = corner;
      const std::size_t at = place([&](std::size_t axis) {
        const bool begins = bit % 2 == 1;
        bit /= 2;
        negative = negative != begins;
        return static_cast<std::size_t>(part.first[axis]) + (begins ? 0 : std::size_t{part.desc.sizes[axis]});
      });
      count += negative ? std::uint64_t{0} - counts_[at] : std::uint64_t{counts_[at]};
    }
    return count != 0;
  }

 private:
  struct padded_axis {
    std::size_t axis, padded;  // the axis, and its size plus 1
  };
  template <class F>
  std::size_t place(const F& coordinate) const {
    std::size_t at = 0;
    for (const padded_axis& each : axes_) at = at * each.padded + coordinate(each.axis);
    return at;
  }

  std::vector<padded_axis> axes_;
  std::vector<std::uint32_t> counts_;
};

}  // namespace goldml::oracle::detail
