// ARGMIN, as its page and the ledger (7.1, 7.3, 7.4) say.
#pragma once

#include <cstdint>
#include <optional>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/number.hpp>
#include <goldml/operators/argmin.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<argmin_desc, reference_backend> {
  template <class T, class Index>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<Index>& output,
                  const argmin_desc& desc) {
    const dimensions reduced_sizes = argmin_reduced_sizes(input.sizes(), desc.axes);
    const bool last_of_equals = desc.axis_direction == axis_direction::decreasing;

    for (const coordinate_tuple& o : coordinates_of(output.sizes())) {
      std::optional<T> least;  // nothing yet
      std::uint64_t least_flat = 0;
      std::uint64_t flat = 0;  // row-major rank over the reduced axes, in ascending dimension order
      for (const coordinate_tuple& r : coordinates_of(reduced_sizes)) {
        const T x = input[argmin_candidate(o, r)];
        if (!least || less(x, *least, desc.nan_policy) || (last_of_equals && equal(x, *least))) {
          least = x;
          least_flat = flat;
        }
        ++flat;
      }
      output[o] = static_cast<Index>(least_flat);
    }
  }

 private:
  // NaN comes after every number, or under `propagate` before; otherwise as numbers order.
  template <class T>
  static bool less(T a, T b, nan_policy policy) {
    if (is_nan(a) || is_nan(b)) return policy == nan_policy::skip ? !is_nan(a) && is_nan(b) : is_nan(a) && !is_nan(b);
    return order_key(a) < order_key(b);
  }

  // NaNs tie with each other, and -0.0 with +0.0.
  template <class T>
  static bool equal(T a, T b) {
    if (is_nan(a) || is_nan(b)) return is_nan(a) && is_nan(b);
    return order_key(a) == order_key(b);
  }
};

}  // namespace goldml
