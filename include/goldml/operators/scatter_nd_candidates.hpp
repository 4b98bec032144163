// The updates that compete for an element of SCATTER_ND's output if index tuples point to the same place (ledger 7.6).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/host_tensor.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/scatter_nd_places.hpp>

namespace goldml {

// The numbers of the tuples that point to each place, and a copy of the updates. Besides the copy it takes 4 bytes per
// tuple and per place, for slices of any size.
class scatter_nd_candidates {
 public:
  template <class Index>
  scatter_nd_candidates(const scatter_nd_desc& desc, const scatter_nd_shape& shape,
                        const tensor_view<const Index>& index_tuples, const const_tensor_ref& updates)
      : updates_(updates), slice_size_(element_count(shape.slice)) {
    const dimensions strides = packed_strides(shape.places);
    const auto for_each_tuple = [&](auto&& f) {
      std::uint32_t number = 0;
      for (const coordinate_tuple& t : coordinates_of(shape.tuples)) {
        if (const auto place = place_of(index_tuples, shape, t, desc.range_policy))
          f(static_cast<std::size_t>(offset_of(*place, strides)), number);
        ++number;
      }
    };
    // A counting sort: first_[p + 2] counts the tuples of place p; then first_[p + 1] is the position of its next
    // tuple, and finally the end of its tuples.
    first_.resize(static_cast<std::size_t>(element_count(shape.places)) + 2);
    for_each_tuple([&](std::size_t place, std::uint32_t) { ++first_[place + 2]; });
    for (std::size_t i = 2; i < first_.size(); ++i) first_[i] += first_[i - 1];
    tuples_.resize(first_.back());
    for_each_tuple([&](std::size_t place, std::uint32_t number) { tuples_[first_[place + 1]++] = number; });
  }

  // An upper bound of the bytes that an object takes. Saturates at 2^64 - 1.
  static std::uint64_t memory(const scatter_nd_shape& shape, const tensor_desc& updates) {
    const std::uint64_t numbers =
        saturating_add(saturating_add(element_count(shape.places), 2), element_count(shape.tuples));
    return saturating_add(saturating_multiply(numbers, sizeof(std::uint32_t)), total_tensor_size_in_bytes(updates));
  }

  // Calls f(scalar) with each update for an element of the output, in the order of the tuples, until f returns true. T
  // is the type of the updates.
  template <class T, class F>
  void visit(std::size_t element, F&& f) const {
    const auto updates = updates_.ref().as<T>();
    const std::uint64_t place = element / slice_size_;
    const std::uint64_t in_slice = element % slice_size_;
    for (std::size_t i = first_[place]; i < first_[place + 1]; ++i)
      if (f(scalar(updates[coordinate_at(updates.sizes(), tuples_[i] * slice_size_ + in_slice)]))) return;
  }

 private:
  host_tensor updates_;
  std::uint64_t slice_size_;
  std::vector<std::uint32_t> first_;   // the tuples of place p are tuples_[first_[p] .. first_[p + 1])
  std::vector<std::uint32_t> tuples_;  // tuple numbers, grouped by place, ascending in each group
};

}  // namespace goldml
