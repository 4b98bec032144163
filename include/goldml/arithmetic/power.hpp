// x^y, rounded once. Each of x and y is a FLOAT32, a FLOAT16 or an integer of at most 32 bits: a double holds it.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/arithmetic/branchless.hpp>
#include <goldml/arithmetic/elementary.hpp>
#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/arithmetic/scale_bias.hpp>

namespace goldml::arithmetic {

// x^y as e^w of w = y ln(x), x greater than 0, both finite; without branches. Beyond 200 in magnitude w is that: no
// result of T tells these apart. ln(x) has a relative error below 2^-45 by the proof of functions.hpp: 40 operations,
// and a sum that may be a third of its terms; e^w itself one below 2^-46. A double does not overflow.
GOLDML_INLINE approximation power_value(double x, double y) {
  using goldml::detail::choose;
  const double product = y * goldml::detail::fast_log(x);
  const double w = choose(product > 200, 200, choose(product < -200, -200, product));
  const double value = goldml::detail::fast_exp(w);
  return {value, value * ((goldml::detail::magnitude_of(w) + 1) * 0x1p-44)};
}

// x^y, x greater than 0 and not 1, y not 0, both finite. Exact if it is a binary fraction of at most 128 bits: where
// x = m 2^e, m odd, y is an integer, or becomes one as often as it is doubled and x has a root of that kind. No other
// x^y is one, but for negative y powers of 2: so a result is between two numbers, or between the middles of two. The
// relative error is below 2^-92 otherwise, 2^-105 in tests; among all 2^64 pairs of FLOAT32 the nearest to a middle is
// expected at about 2^-88 of it.
inline wide power_exactly(double x, double y) {
  const goldml::detail::odd_double part = goldml::detail::odd_part(x);
  std::uint64_t m = part.significand;
  int e = part.exponent;
  double n = y;
  while (std::trunc(n) != n) {
    const auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(m)));
    if (e % 2 != 0 || root * root != m) return exp(wide(y) * log(wide(x)));
    m = root;
    e /= 2;
    n *= 2;
  }
  const auto shift = static_cast<std::int32_t>((std::clamp)(e * n, -4096.0, 4096.0));
  if (m == 1) return times_power_of_two(wide(1), shift);
  if (n < 0 || n * static_cast<int>(std::bit_width(m)) > 128) return exp(wide(y) * log(wide(x)));
  wide power(1);
  for (double i = 0; i < n; ++i) power = power * wide(static_cast<double>(m));
  return times_power_of_two(power, shift);
}

// Of a negative number: 1, -1, or 0 if it has no such power. y is finite.
inline int sign_of_power(double y) {
  if (std::trunc(y) != y) return 0;
  return is_zero(std::fmod(y, 2)) ? 1 : -1;
}

// Whether x or y is 0, infinite or NaN, or |x| is 1, which needs no computation.
inline bool is_special_power(double x, double y) {
  using goldml::detail::is_finite_double;
  return !is_finite_double(x) || !is_finite_double(y) || is_zero(x) || is_zero(y) || std::abs(x) == 1;
}
// x^y then: C's, but NaN of -infinity and a y that is no integer (ledger FN-R7).
inline double special_power(double x, double y) {
  constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  if (is_zero(y) || x == 1) return 1;
  if (is_nan(x) || is_nan(y)) return nan;
  const double a = std::abs(x);
  if (a == 1 && !goldml::detail::is_finite_double(y)) return 1;
  const int sign = std::signbit(x) && goldml::detail::is_finite_double(y) ? sign_of_power(y) : 1;
  if (sign == 0 && !is_zero(x)) return nan;
  const double magnitude = a == 1 ? 1 : (a > 1) == (y > 0) ? infinity : 0;
  return sign < 0 ? -magnitude : magnitude;
}

namespace detail {

template <class T>
T float_power(double x, double y) {
  if (is_special_power(x, y)) return goldml::rounded<T>(special_power(x, y));
  const int sign = x < 0 ? sign_of_power(y) : 1;
  if (sign == 0) return std::numeric_limits<T>::quiet_NaN();
  const double a = std::abs(x);
  const approximation s = power_value(a, y);
  const T magnitude = rounded_once<T>(s.value, s.error, [&] { return power_exactly(a, y); });
  return sign < 0 ? -magnitude : magnitude;
}

// Of integers: modulo 2^bits; of a negative y truncated, and all bits set of 0, as DIVIDE (ledger AR-R2).
template <class T>
T integer_power(T x, std::int64_t y) {
  if (y < 0) {
    if constexpr (std::is_signed_v<T>)
      if (x == T(-1)) return y % 2 == 0 ? T(1) : x;
    return x == T(0) ? static_cast<T>(~T(0)) : static_cast<T>(x == T(1));
  }
  std::uint64_t power = 1, square = static_cast<std::uint64_t>(x);
  for (; y != 0; y >>= 1) {
    if ((y & 1) != 0) power *= square;
    square *= square;
  }
  return static_cast<T>(power);
}

// Of an integer and a float: the exact power converted as CAST does.
template <class T>
T truncated_power(double x, double y) {
  double power = 0;
  if (is_special_power(x, y)) {
    power = special_power(x, y);
    if (is_nan(power)) return 0;
  } else {
    const int sign = x < 0 ? sign_of_power(y) : 1;
    if (y < 0 || sign == 0) return 0;
    const double a = std::abs(x);  // 2 or more, so that the power is above 1
    const approximation s = power_value(a, y);
    const double low = (std::max)(std::trunc(s.value - s.error), 1.0);
    power = low == std::trunc(s.value + s.error) || low > 0x1p33 ? low : std::trunc(to_double(power_exactly(a, y)));
    power *= sign;
  }
  using limits = std::numeric_limits<T>;
  return static_cast<T>(
      (std::clamp)(power, static_cast<double>((limits::min)()), static_cast<double>((limits::max)())));
}

}  // namespace detail

// x is an element of type T, y one of an integer type or of a floating-point type.
template <class T>
T power_of(double x, double y, bool is_of_integers) {
  if constexpr (!std::integral<T>)
    return detail::float_power<T>(x, y);
  else if (is_of_integers)
    return detail::integer_power(static_cast<T>(x), static_cast<std::int64_t>(y));
  else
    return detail::truncated_power<T>(x, y);
}

}  // namespace goldml::arithmetic
