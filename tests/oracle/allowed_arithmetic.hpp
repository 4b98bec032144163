// The rules of ADD, SUBTRACT, MULTIPLY and DIVIDE, written from their pages, the Direct3D functional specification and
// the rulings AR-R2, AR-R5 to AR-R7: FLOAT32 with the arithmetic of the compiler, FLOAT16 by search.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "allowed_values.hpp"

namespace judged {

enum class arithmetic_op { add, subtract, multiply, divide };

template <class T>
T computed(arithmetic_op op, T x, T y) {
  return op == arithmetic_op::add        ? x + y
         : op == arithmetic_op::subtract ? x - y
         : op == arithmetic_op::multiply ? x * y
                                         : x / y;
}

inline void allow(values& allowed, bits b) {
  if (std::find(allowed.begin(), allowed.end(), b) == allowed.end()) allowed.push_back(b);
}
// A NaN is the quiet one; of zeros both signs are allowed.
template <class T>
void allow_number(values& allowed, bits b) {
  const T x = value_of<T>(b);
  if (x != x) return allow(allowed, quiet_nan_of<T>());
  allow(allowed, b);
  if (x == T(0)) {
    allow(allowed, 0);
    allow(allowed, sign_bit_of<T>);
  }
}

// A quotient of finite numbers, y not 0, may be off by nine roundings, before the last one.
inline double quotient_error(float x, float y, bool is_float32) {
  if (y == 1) return 0;
  const double q = std::abs(double{x} / double{y});
  double error = 9 * 0x1p-24 * q;
  if (is_float32) {
    error = error * (1 + 0x1p-20) + (x == 0 ? 0 : 0x1p-150);  // the result may be subnormal
    if (std::abs(double{y}) >= 0x1p126 * (1 - 0x1p-21)) error += std::abs(double{x}) * 0x1p-149;  // 1/y is subnormal
  }
  return error * (1 + 0x1p-40);  // a sum that is a tie only as a double is rounded outward
}

// The order of floats, both zeros at 0.
inline std::int64_t place_of_bits(bits b, bits sign) {
  const auto magnitude = static_cast<std::int64_t>(b & (sign - 1));
  return (b & sign) != 0 ? -magnitude : magnitude;
}
// All floats between two.
template <class T>
void allow_between(values& allowed, bits low, bits high) {
  const bits sign = sign_bit_of<T>;
  for (std::int64_t p = place_of_bits(low, sign); p <= place_of_bits(high, sign); ++p)
    allow_number<T>(allowed, p < 0 ? sign | static_cast<bits>(-p) : static_cast<bits>(p));
}

inline void allow_results(values& allowed, arithmetic_op op, float x, float y) {
  const float nearest = computed(op, x, y);
  allow_number<float>(allowed, bits_of(nearest));
  if (op != arithmetic_op::divide || !std::isfinite(x) || !std::isfinite(y) || y == 0) return;
  const double q = double{x} / double{y};
  const double error = quotient_error(x, y, true);
  allow_between<float>(allowed, bits_of(static_cast<float>(q - error)), bits_of(static_cast<float>(q + error)));
  // 1/y overflows where y is subnormal: the same infinity as that of a flushed y, which a strict judgement refuses.
}

inline void allow_results(values& allowed, arithmetic_op op, float16 a, float16 b) {
  const auto x = static_cast<float>(a);
  const auto y = static_cast<float>(b);
  const double exact = computed(op, double{x}, double{y});
  if (exact != exact) return allow(allowed, quiet_nan_of<float16>());
  const neighbours near = neighbours_of<float16>(exact_number(exact));
  allow_number<float16>(allowed, near.nearest);
  allow_number<float16>(allowed, near.toward_zero);
  if (op != arithmetic_op::divide || !std::isfinite(x) || !std::isfinite(y) || y == 0) return;
  const double error = quotient_error(x, y, false);
  for (const double end : {exact - error, exact + error}) {
    const neighbours of_end = neighbours_of<float16>(exact_number(end));
    allow_number<float16>(allowed, of_end.nearest);
    allow_number<float16>(allowed, of_end.toward_zero);
  }
}

// What flushing adds: each operand as it is or flushed, and a result that is below the least normal number is a zero.
inline void allow_flushed(values& allowed, arithmetic_op op, bits a, bits b) {
  for (const bits x_bits : {a, flushed<float>(a)})
    for (const bits y_bits : {b, flushed<float>(b)}) {
      const auto x = value_of<float>(x_bits);
      const auto y = value_of<float>(y_bits);
      allow_results(allowed, op, x, y);
      const double exact = computed(op, double{x}, double{y});
      double least = std::abs(exact);
      if (op == arithmetic_op::divide && std::isfinite(x) && std::isfinite(y) && y != 0)
        least = static_cast<double>(static_cast<float>(least - quotient_error(x, y, true)));
      if (least < 0x1p-126) allow_number<float>(allowed, 0);
      if (op == arithmetic_op::divide && std::isfinite(y) && std::abs(double{y}) >= 0x1p126 * (1 - 0x1p-21))
        allow_number<float>(allowed, std::isfinite(x) ? 0 : quiet_nan_of<float>());
    }
}

template <class T>
element_rule arithmetic_rule(arithmetic_op op, bits a, bits b, bool flushing) {
  element_rule rule;
  if constexpr (std::is_same_v<T, double>) {
    return {false};  // no operator of these takes it
  } else if constexpr (std::is_integral_v<T>) {
    const bits mask = ~bits{0} >> (64 - 8 * sizeof(T));
    if (op != arithmetic_op::divide) return {true, {computed(op, a, b) & mask}};
    if (b == 0 || (std::is_signed_v<T> && a == sign_bit_of<T> && b == mask)) return {false};
    return {true, {bits_of(static_cast<T>(value_of<T>(a) / value_of<T>(b)))}};
  } else {
    allow_results(rule.allowed, op, value_of<T>(a), value_of<T>(b));
    if constexpr (std::is_same_v<T, float>)
      if (flushing) allow_flushed(rule.allowed, op, a, b);
    return rule;
  }
}

}  // namespace judged
