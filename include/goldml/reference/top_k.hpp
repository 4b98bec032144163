// TOP_K and TOP_K1, following their pages and the ledger (7.4, L47, L48).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/number.hpp>
#include <goldml/operators/top_k.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <detail::top_k_operator Desc>
struct kernel<Desc, reference_backend> {
  // Whether a comes before b because of its value. NaN comes after every number or, with `propagate`, is greater than
  // every number. NaNs are equal to each other, and -0.0 is equal to +0.0.
  template <class T>
  static bool comes_before(T a, T b, const Desc& desc) {
    const bool greatest_first = detail::direction_of(desc) == axis_direction::decreasing;
    const bool nan_first = greatest_first && desc.nan_policy == nan_policy::propagate;
    if (is_nan(a) || is_nan(b)) return nan_first ? !is_nan(b) : !is_nan(a);
    return greatest_first ? order_key(a) > order_key(b) : order_key(a) < order_key(b);
  }

  template <class T, class Index>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<T>& values,
                  const tensor_view<Index>& indices, const Desc& desc) {
    dimensions sequences = input.sizes();
    sequences[desc.axis] = 1;
    for (const coordinate_tuple& sequence : coordinates_of(sequences)) {
      const auto at = [&](std::uint32_t position) {
        coordinate_tuple c = sequence;
        c[desc.axis] = position;
        return c;
      };
      std::vector<std::uint32_t> positions(input.sizes()[desc.axis]);
      std::iota(positions.begin(), positions.end(), 0u);
      // Stable: equal elements stay in the order of their positions, in both directions.
      std::stable_sort(positions.begin(), positions.end(), [&](std::uint32_t a, std::uint32_t b) {
        return comes_before(input[at(a)], input[at(b)], desc);
      });
      for (std::uint32_t i = 0; i < desc.k; ++i) {
        values[at(i)] = input[at(positions[i])];
        indices[at(i)] = static_cast<Index>(positions[i]);
      }
    }
  }
};

}  // namespace goldml
