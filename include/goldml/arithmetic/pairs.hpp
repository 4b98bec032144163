// Functions of two numbers that are more than one operation, rounded once: the mean, the square of a difference, the
// rest of a division, and the angle of a point. T is the type of an element.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/arithmetic/elementary.hpp>
#include <goldml/arithmetic/scale_bias.hpp>
#include <goldml/core/data_type.hpp>
#include <goldml/core/value_conversion.hpp>

namespace goldml::arithmetic {

// (a + b) / 2. The double sum rounds as ADD's does (reference/element_wise.hpp), and a half of it is exact. Integers
// are truncated toward zero; the sum has 64 bits.
template <class T>
T mean_of(T a, T b) {
  if constexpr (std::integral<T>)
    return static_cast<T>((static_cast<std::int64_t>(a) + static_cast<std::int64_t>(b)) / 2);
  else
    return goldml::rounded<T>((goldml::detail::widened(a) + goldml::detail::widened(b)) / 2);
}

// (a - b)^2; integers wrap.
template <class T>
T difference_square_of(T a, T b) {
  if constexpr (std::integral<T>) {
    const auto d = static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b);
    return static_cast<T>(d * d);
  } else {
    const double x = goldml::detail::widened(a), y = goldml::detail::widened(b), d = x - y;
    return rounded_once<T>(d * d, d * d * 0x1p-50, [&] {
      const wide exact = wide(x) - wide(y);
      return exact * exact;
    });
  }
}

// a - b trunc(a / b), or with floor: of the sign of a, or of b. Exact, but for the sum that the sign of b asks for,
// which is rounded once. Of integers and b = 0 all bits are set.
template <class T>
T modulus_of(T a, T b, bool floor) {
  if constexpr (std::integral<T>) {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (std::is_signed_v<T>)
      if (b == T(-1)) return 0;  // also of the least number, whose quotient overflows
    const T rest = static_cast<T>(a % b);
    return floor && rest != 0 && (rest < 0) != (b < 0) ? static_cast<T>(rest + b) : rest;
  } else {
    const double divisor = goldml::detail::widened(b), rest = std::fmod(goldml::detail::widened(a), divisor);
    const bool moves = floor && rest != 0 && (rest < 0) != (divisor < 0);
    return goldml::rounded<T>(moves ? rest + divisor : rest);
  }
}

// The angle of (x, y), from -pi to pi: as C's atan2.
inline double angle_double(double y, double x) {
  constexpr double pi = 0x1.921fb54442d18p+1;
  if (goldml::is_nan(y) || goldml::is_nan(x)) return std::numeric_limits<double>::quiet_NaN();
  const double p = std::abs(y), q = std::abs(x);
  const bool both = goldml::detail::is_infinite_double(p) && goldml::detail::is_infinite_double(q);
  const double angle = both ? pi / 4 : is_zero(p) ? 0 : goldml::detail::fast_atan(p / q);
  return std::copysign(std::signbit(x) ? pi - angle : angle, y);
}
template <class T>
T angle_of(T y_element, T x_element) {
  const double y = goldml::detail::widened(y_element), x = goldml::detail::widened(x_element);
  const double angle = angle_double(y, x);
  if (!(is_zero(angle) || goldml::is_nan(angle)) && goldml::detail::is_finite_double(y / x) && !is_zero(y))
    return rounded_once<T>(angle, std::abs(angle) * function_error, [&] {
      const wide first = atan(abs(wide(y) / wide(x)));
      const wide result = std::signbit(x) ? times_power_of_two(detail::half_pi(), 1) - first : first;
      return y < 0 ? -result : result;
    });
  return goldml::rounded<T>(angle);
}

}  // namespace goldml::arithmetic
