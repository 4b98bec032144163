// The activations as defined by their pages: the exact result rounded once. IDENTITY moves bits.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/core/value_conversion.hpp>
#include <goldml/operators/activations.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

namespace detail {

// RELU and SHRINK on integers: Bias and Threshold are converted as CAST does, -Threshold is that mathematical integer,
// and sums wrap.
template <arithmetic::activation_type F, class T>
T activation_of_integer(T x, const activation_desc<F>& desc) {
  if constexpr (F == arithmetic::activation_type::relu) {
    return x > 0 ? x : T(0);
  } else {
    const auto whole = [](float value) { return convert_value(value, data_type_of<T>, value_conversion::saturate); };
    const T bias = whole(desc.bias)->template as<T>(), threshold = whole(desc.threshold)->template as<T>();
    if (x > threshold) return static_cast<T>(static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(bias));
    if (std::int64_t{x} < -std::int64_t{threshold})
      return static_cast<T>(static_cast<std::uint64_t>(x) + static_cast<std::uint64_t>(bias));
    return T(0);
  }
}

}  // namespace detail

template <arithmetic::activation_type F>
struct kernel<activation_desc<F>, reference_backend> {
  template <class T>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<T>& output,
                  const activation_desc<F>& desc) {
    for (const coordinate_tuple& c : coordinates_of(output.sizes()))
      if constexpr (F == arithmetic::activation_type::identity)
        output[c] = input[c];
      else if constexpr (std::is_integral_v<T>)
        output[c] = detail::activation_of_integer(T(input[c]), desc);
      else if (is_nan(input[c]) && detail::propagates_nan(desc))
        output[c] = rounded<T>(std::numeric_limits<double>::quiet_NaN());
      else
        output[c] = arithmetic::activation_rounded<T>(detail::function_of(desc), detail::widened(input[c]));
  }
};

}  // namespace goldml
