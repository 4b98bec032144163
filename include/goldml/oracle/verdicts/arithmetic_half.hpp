// The intervals of ADD, SUBTRACT, MULTIPLY and DIVIDE in half precision, and with half products.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/arithmetic/fused_interval.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/value_conversion.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/element_wise_traits.hpp>

namespace goldml::detail {

inline constexpr double unit_of_float32 = 0x1p-24;  // the greatest relative error of a rounding
inline constexpr double unit_of_float16 = 0x1p-11;
inline constexpr double least_normal_float32 = 0x1p-126;
inline constexpr double least_normal_float16 = 0x1p-14;

// The greatest relative error of `count` roundings.
inline double relative_error(double count, double unit) { return std::expm1(count * std::log1p(unit)); }

inline bool is_finite(double x) { return magnitude_bits(x) < float_bits<double>::infinity; }

// How far off an element is that is rounded to FLOAT16, to nearest or toward zero.
inline double float16_rounding(float x) {
  const double number = widened(x);
  if (!is_finite(number) || widened(static_cast<float16>(x)) == number) return 0;
  return 0x1p-10 * std::abs(number) + 0x1p-24;
}

template <element_wise_op Op>
double arithmetic_result(double a, double b) {
  if constexpr (Op == element_wise_op::add || Op == element_wise_op::add1)
    return a + b;
  else if constexpr (Op == element_wise_op::subtract)
    return a - b;
  else if constexpr (Op == element_wise_op::multiply)
    return a * b;
  else if constexpr (Op == element_wise_op::parameterized_relu)
    return a >= 0 ? a : a * b;
  else
    return a / b;
}

inline std::uint8_t infinity_of_sign(double x) {
  return std::signbit(x) ? interval_also::negative_infinity : interval_also::positive_infinity;
}

// A quotient q = a/b of finite numbers, b not 0 (ledger AR-R8): a * (1/b) with Direct3D's `rcp`, or, if the comparer
// refuses that, with a reciprocal within one unit in the last place.
template <class T>
graded_interval quotient_interval(double a, double b) {
  const double q = a / b;
  if (b == 1) return {interval_of<T>(q, 0, 0), interval_of<T>(q, 0, 0)};
  double lost = 0;
  std::uint8_t also = 0;
  if constexpr (std::is_same_v<T, float>) {
    // 1/b is subnormal, or the result is.
    if (std::abs(b) >= arithmetic::least_divisor_of_subnormal) lost = std::abs(a) * 0x1p-149;
    if (a != 0) lost += 0x1p-150;
    if (a != 0 && std::abs(b) < least_normal_float32) also = infinity_of_sign(q);  // 1/b overflows
  }
  const double usual = arithmetic::two_step_quotient_error * std::abs(q) + lost;
  graded_interval result{interval_of<T>(q, arithmetic::quotient_error * std::abs(q) + lost, usual),
                         interval_of<T>(q, usual, usual)};
  result.allowed.also |= also;
  result.close.also |= also;
  return result;
}

// FLOAT32 tensors in half precision: the operands are rounded to FLOAT16, and so are the steps and the result. Operands
// beyond FLOAT16 may be read as infinities.
template <element_wise_op Op>
interval half_interval(double a, double b) {
  const double y = arithmetic_result<Op>(a, b);
  double error = 0;
  std::uint8_t also = 0;
  const double g = relative_error(3, unit_of_float16);
  if constexpr (Op == element_wise_op::add || Op == element_wise_op::add1 || Op == element_wise_op::subtract) {
    error = g * (std::abs(a) + std::abs(b)) + 2 * 0x1p-25;
  } else if constexpr (Op == element_wise_op::multiply) {
    // Operands and product may be cut toward zero, as where sums are not rounded.
    const double cut = relative_error(3, 2 * unit_of_float16);
    error = cut * std::abs(y) + (1 + cut) * 0x1p-24 * (std::abs(a) + std::abs(b) + 2);
  } else {
    // The roundings of both operands, and three of a * (1/b); and what each loses where it is subnormal (AR-R8).
    error = 5 * unit_of_float16 * std::abs(y) + 0x1p-24 * ((1 + std::abs(y)) / std::abs(b) + 1);
    if (std::abs(b) >= 0x1p14) error += std::abs(a) * 0x1p-24;
    if (std::abs(b) <= 0x1p-16) also = interval_also::specials;  // 1/b may overflow
  }
  interval result = interval_of<float>(y, error, error);
  result.also = also;
  if ((std::abs(y) + error) * (1 + g) >= half_precision.greatest)
    result.also = static_cast<std::uint8_t>(result.also | infinity_of_sign(y));
  if (std::abs(a) > half_precision.greatest || std::abs(b) > half_precision.greatest)
    result.also = interval_also::specials;
  return result;
}

// The same where sums are not rounded to FLOAT16. A quotient is made of products.
template <element_wise_op Op>
interval half_products_interval(double a, double b) {
  constexpr arithmetic_mode mode{.accumulation = accumulation::half_products};
  sum_terms terms;
  if constexpr (Op == element_wise_op::divide) {
    return half_interval<Op>(a, b);
  } else if constexpr (Op == element_wise_op::multiply) {
    terms.add_product(a, b);
    return interval_of<float>(terms.bound_with(0, mode));
  } else {
    terms.add(a);
    terms.add(Op == element_wise_op::subtract ? -b : b);
    return interval_of<float>(terms.bound_with(1, mode));
  }
}

// FLOAT32 tensors in half precision where an operand is not finite, or a divisor is 0: the other may become an infinity
// or a zero.
template <element_wise_op Op>
interval special_half_interval(double a, double b) {
  const double y = arithmetic_result<Op>(a, b);
  interval result = interval_of<float>(y, 0, 0);
  const auto read = [](double x, bool changes) {
    if (!changes || !is_finite(x)) return x;
    if (std::abs(x) > half_precision.greatest) return std::copysign(std::numeric_limits<double>::infinity(), x);
    return std::abs(x) < half_cut_least ? std::copysign(0.0, x) : x;
  };
  for (const bool change_a : {false, true})
    for (const bool change_b : {false, true}) {
      const double z = arithmetic_result<Op>(read(a, change_a), read(b, change_b));
      if (is_nan(z) && !is_nan(y)) result.also = static_cast<std::uint8_t>(result.also | interval_also::nan);
      if (std::isinf(z) && !(z == y)) result.also = static_cast<std::uint8_t>(result.also | infinity_of_sign(z));
    }
  return result;
}

}  // namespace goldml::detail
