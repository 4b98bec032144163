// The updates that compete for an element of the output of SCATTER_ND, SCATTER_ELEMENTS or MAX_UNPOOLING if indices
// point to the same place (ledger 7.6, L63, L67).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/float16.hpp>
#include <goldml/core/host_tensor.hpp>
#include <goldml/core/scalar.hpp>
#include <goldml/core/verdict.hpp>

namespace goldml::detail {

// The numbers of the updates that are aimed at each place, and a copy of the updates. An update is a slice of
// `slice_size` elements; update n begins at the element n * slice_size of the updates in row-major order, and place p
// at that element of the output. Besides the copy it takes 4 bytes per update and per place, for slices of any size.
class update_candidates {
 public:
  // for_each_update(f) calls f(place, number) for each update that is aimed at a place, in ascending order. It is
  // called twice.
  template <class ForEach>
  update_candidates(const const_tensor_ref& updates, std::uint64_t slice_size, std::uint64_t place_count,
                    const ForEach& for_each_update)
      : updates_(updates), slice_size_(slice_size) {
    // A counting sort: first_[p + 2] counts the updates of place p; then first_[p + 1] is the position of its next
    // update, and finally the end of its updates.
    first_.resize(static_cast<std::size_t>(place_count) + 2);
    for_each_update([&](std::uint64_t place, std::uint32_t) { ++first_[static_cast<std::size_t>(place) + 2]; });
    for (std::size_t i = 2; i < first_.size(); ++i) first_[i] += first_[i - 1];
    numbers_.resize(first_.back());
    for_each_update([&](std::uint64_t place, std::uint32_t number) {
      numbers_[first_[static_cast<std::size_t>(place) + 1]++] = number;
    });
  }

  // An upper bound of the bytes that an object takes. Saturates at 2^64 - 1.
  static std::uint64_t memory(const tensor_desc& updates, std::uint64_t update_count, std::uint64_t place_count) {
    const std::uint64_t numbers = saturating_add(saturating_add(place_count, 2), update_count);
    return saturating_add(saturating_multiply(numbers, sizeof(std::uint32_t)), total_tensor_size_in_bytes(updates));
  }

  // Calls f(scalar) with each update for an element of the output, in ascending order, until f returns true. T is the
  // type of the updates.
  template <class T, class F>
  void visit(std::size_t element, F&& f) const {
    const auto updates = updates_.ref().as<T>();
    const std::uint64_t place = element / slice_size_;
    const std::uint64_t in_slice = element % slice_size_;
    for (std::size_t i = first_[place]; i < first_[place + 1]; ++i)
      if (f(scalar(updates[coordinate_at(updates.sizes(), numbers_[i] * slice_size_ + in_slice)]))) return;
  }

 private:
  host_tensor updates_;
  std::uint64_t slice_size_;
  std::vector<std::uint32_t> first_;    // the updates of place p are numbers_[first_[p] .. first_[p + 1])
  std::vector<std::uint32_t> numbers_;  // grouped by place, ascending in each group
};

// Lets the result read the updates of an element as its alternatives. T is the type of the updates; the other
// parameters are as in update_candidates.
template <class T, class ForEach>
void read_updates(const const_tensor_ref& updates, std::uint64_t slice_size, std::uint64_t place_count,
                  const ForEach& for_each_update, output_verdicts& result) {
  const auto candidates = std::make_shared<const update_candidates>(updates, slice_size, place_count, for_each_update);
  result.read_alternatives_with([candidates](std::size_t element, const std::function<bool(const scalar&)>& f) {
    candidates->template visit<T>(element, f);
  });
}

}  // namespace goldml::detail
