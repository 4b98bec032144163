// What the fit of a call's output holds while it is measured.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include <goldml/core/dimensions.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/oracle/fit/sample.hpp>
#include <goldml/oracle/golden_calls.hpp>

namespace goldml::oracle::detail {

// The maximum number of bytes that the fit of the only output of a call needs; 0 if there is none. It reads no elements
// but those that are added to sums.
inline std::uint64_t memory_of_fit(const golden_calls& calls, const void* desc,
                                   std::span<const const_tensor_ref> inputs, const tensor_desc& output) {
  fit_sums sums;
  if (calls.sums == nullptr || !calls.sums(desc, inputs, output, sums)) return 0;
  std::vector<std::uint64_t> numbers = fit_elements_of(sums);
  if (numbers.empty()) return 0;
  std::uint64_t longest = 0, terms = 0;
  for (const std::uint64_t e : numbers) longest = (std::max)(longest, sums.place_of(e).count);
  const std::vector<std::uint64_t> more = fit_grid_of(sums, longest);
  numbers.insert(numbers.end(), more.begin(), more.end());
  std::unordered_set<std::uint64_t> left, right;
  for (const std::uint64_t e : numbers) {
    const fit_place place = sums.place_of(e);
    if (left.insert(place.left).second) terms += place.count;
    if (sums.has_right && right.insert(place.right).second) terms += place.count;
  }
  // Lines, and two copies that are rounded; elements, twice, and what twelve hypotheses make of them; the terms of as
  // many elements as are replayed together, and of outliers.
  const std::uint64_t of_replay = longest * (longest > fit_together ? 4 : 16) * sizeof(float);
  return 3 * sizeof(float) * terms + numbers.size() * (2 * sizeof(fit_element) + 12 * sizeof(double)) + 3 * of_replay;
}

}  // namespace goldml::oracle::detail
