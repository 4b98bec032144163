// ARGMIN and ARGMAX, following their pages and the ledger (7.1, 7.3, 7.4).
#pragma once

#include <cstdint>
#include <optional>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/number.hpp>
#include <goldml/operators/argmax.hpp>
#include <goldml/operators/argmin.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

namespace detail {

// Whether a wins if a or b is NaN: numbers win over NaN or, with `propagate`, NaN over numbers.
template <class T>
bool nan_is_better(T a, T b, nan_policy policy) {
  return policy == nan_policy::skip ? !is_nan(a) : !is_nan(b);
}

// ARGMIN: the least number wins.
struct least_wins {
  template <class T>
  static bool better(T a, T b, nan_policy policy) {
    if (is_nan(a) || is_nan(b)) return nan_is_better(a, b, policy);
    return order_key(a) < order_key(b);
  }
};

// ARGMAX: the greatest number wins.
struct greatest_wins {
  template <class T>
  static bool better(T a, T b, nan_policy policy) {
    if (is_nan(a) || is_nan(b)) return nan_is_better(a, b, policy);
    return order_key(a) > order_key(b);
  }
};

template <class Desc, class Wins>
struct reference_arg_reduce {
  template <class T, class Index>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<Index>& output,
                  const Desc& desc) {
    const dimensions reduced_sizes = candidate_box(input.sizes(), desc.axes);
    const bool last_of_equals = desc.axis_direction == axis_direction::decreasing;

    for (const coordinate_tuple& o : coordinates_of(output.sizes())) {
      std::optional<T> best;
      std::uint64_t best_flat = 0;
      std::uint64_t flat = 0;  // row-major index over the reduced axes, in ascending dimension order
      for (const coordinate_tuple& r : coordinates_of(reduced_sizes)) {
        const T x = input[reduction_candidate(o, r)];
        if (!best || Wins::better(x, *best, desc.nan_policy) || (last_of_equals && equal(x, *best))) {
          best = x;
          best_flat = flat;
        }
        ++flat;
      }
      output[o] = static_cast<Index>(best_flat);
    }
  }

 private:
  // NaNs are equal to each other, and -0.0 is equal to +0.0.
  template <class T>
  static bool equal(T a, T b) {
    if (is_nan(a) || is_nan(b)) return is_nan(a) && is_nan(b);
    return order_key(a) == order_key(b);
  }
};

}  // namespace detail

template <>
struct kernel<argmin_desc, reference_backend> : detail::reference_arg_reduce<argmin_desc, detail::least_wins> {};

template <>
struct kernel<argmax_desc, reference_backend> : detail::reference_arg_reduce<argmax_desc, detail::greatest_wins> {};

}  // namespace goldml
