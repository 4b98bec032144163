// The activations as defined by their pages: the exact result rounded once. IDENTITY moves bits.
#pragma once

#include <limits>
#include <type_traits>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/core/value_conversion.hpp>
#include <goldml/operators/activations.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <arithmetic::activation_type F>
struct kernel<activation_desc<F>, reference_backend> {
  template <class T>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<T>& output,
                  const activation_desc<F>& desc) {
    for (const coordinate_tuple& c : coordinates_of(output.sizes()))
      if constexpr (F == arithmetic::activation_type::identity)
        output[c] = input[c];
      else if constexpr (std::is_integral_v<T>)  // RELU
        output[c] = input[c] > 0 ? input[c] : T(0);
      else if (is_nan(input[c]) && detail::propagates_nan(desc))
        output[c] = rounded<T>(std::numeric_limits<double>::quiet_NaN());
      else
        output[c] = arithmetic::activation_rounded<T>(detail::function_of(desc), detail::widened(input[c]));
  }
};

}  // namespace goldml
