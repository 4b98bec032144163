// Activations without branches, so that compilers vectorise loops over them. Those that round once are computed
// exactly. The others are computed as doubles, with the series of arithmetic/functions.hpp, whose errors hold here too;
// where that does not decide how the result rounds, the caller computes it again.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include <goldml/arithmetic/activations.hpp>
#include <goldml/core/number.hpp>
#include <goldml/cpu/engine/base/simd.hpp>
#include <goldml/cpu/engine/element_wise/arithmetic.hpp>
#include <goldml/cpu/engine/element_wise/bits.hpp>
#include <goldml/cpu/engine/element_wise/doubles.hpp>

namespace goldml::detail {

// Whether rounded_activation() gives the result, for all numbers.
constexpr bool rounds_once(arithmetic::activation_type f) {
  using enum arithmetic::activation_type;
  return f == relu || f == leaky_relu || f == linear || f == hard_sigmoid || f == thresholded_relu || f == shrink;
}

template <arithmetic::activation_type F, class T>
GOLDML_INLINE number_bits_of<T> rounded_activation(float alpha, float beta, number_bits_of<T> bits) {
  using enum arithmetic::activation_type;
  using n = number_bits<T>;
  if constexpr (F == relu) {  // of NaN 0, of -0 itself
    return static_cast<number_bits_of<T>>(
        bits & mask_of<number_bits_of<T>>((int{n::key(bits) >= 0} & int{!n::is_nan(bits)}) != 0));
  } else if constexpr (F == leaky_relu && std::is_same_v<T, float>) {
    const float x = std::bit_cast<float>(bits);
    const auto result = select(mask_of<std::uint32_t>(x < 0), std::bit_cast<std::uint32_t>(alpha * x), bits);
    return select(mask_of<std::uint32_t>(n::is_nan(result)), std::uint32_t{0x7FC0'0000}, result);
  } else {
    const double x = double_of_bits<T>(bits);
    const double product = double{alpha} * x;  // exact
    if constexpr (F == thresholded_relu) {
      return static_cast<number_bits_of<T>>(bits & mask_of<number_bits_of<T>>(x > double{alpha}));
    } else if constexpr (F == shrink) {  // Alpha is Bias, Beta the Threshold
      const bool above = x > double{beta}, below = x < -double{beta};
      const double sum = sum_to_odd(x, choose(above, -double{alpha}, double{alpha}));
      return rounded_bits<T>(choose((int{above} | int{below}) != 0, sum, 0));
    } else if constexpr (F == leaky_relu) {
      return rounded_bits<T>(choose(x < 0, product, x));
    } else {
      const double sum = sum_to_odd(product, double{beta});
      if constexpr (F == linear) return rounded_bits<T>(sum);
      // Of NaN 1, of -0 itself.
      return rounded_bits<T>(choose((int{sum >= 0} & int{sum <= 1}) != 0, sum, choose(sum < 0, 0, 1)));
    }
  }
}

// f(x) for finite x.
template <arithmetic::activation_type F>
GOLDML_INLINE double fast_activation(double a, double b, double x) {
  using enum arithmetic::activation_type;
  if constexpr (F == elu)
    return choose(x < 0, a * fast_expm1(x), x);
  else if constexpr (F == scaled_elu)
    return choose(x < 0, b * a * fast_expm1(x), b * std::abs(x));
  else if constexpr (F == celu)
    return choose(x < 0, a * fast_expm1(x / a), std::abs(x));
  else if constexpr (F == sigmoid)
    return 1 / (1 + fast_exp(-x));
  else if constexpr (F == arithmetic::activation_type::tanh)
    return fast_tanh(x);
  else if constexpr (F == scaled_tanh)
    return a * fast_tanh(b * x);
  else if constexpr (F == gelu)
    return fast_gelu(x);
  else if constexpr (F == swish)
    return x / (1 + fast_exp(-a * x));
  else if constexpr (F == softsign)
    return x / (1 + choose(x < 0, -x, x));
  else if constexpr (F == hard_swish) {  // the product a x is exact
    const double share = a * x + b;
    return x * choose(share < 0, 0, choose(share > 1, 1, share));
  } else if constexpr (F == softplus)
    return fast_softplus(a * x) / a;
  else {
    static_assert(F == parametric_softplus);
    return a * fast_softplus(b * x);
  }
}

}  // namespace goldml::detail
