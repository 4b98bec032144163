// p / sqrt(d) + b of numbers of any length, rounded once: on which side of the middle between two FLOAT32 it lies is
// decided exactly.
#pragma once

#include <bit>
#include <type_traits>

#include <goldml/arithmetic/big_number.hpp>
#include <goldml/arithmetic/wide.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/core/value_conversion.hpp>

namespace goldml::arithmetic {

// The sign of p / sqrt(d) - q. d is above 0.
inline int compare_with_root(const big_number& p, const big_number& d, const big_number& q) {
  if (p.sign() != q.sign() || q.sign() == 0) return p.sign() - q.sign() > 0 ? 1 : p.sign() == q.sign() ? 0 : -1;
  return p.sign() * (p * p - q * q * d).sign();
}

// p / sqrt(d) + b with a relative error below 2^-118. `root` is that of d. Where p and b have other signs it is
// (p^2 - b^2 d) / (d (p / sqrt(d) - b)), in which nothing cancels.
inline wide quotient_by_root(const big_number& p, const big_number& d, const wide& root, const big_number& b) {
  const wide quotient = p.rounded_to_odd() / root;
  if (p.sign() * b.sign() >= 0) return quotient + b.rounded_to_odd();
  return (p * p - b * b * d).rounded_to_odd() / (d.rounded_to_odd() * (quotient - b.rounded_to_odd()));
}

// That, rounded once. Where 128 bits do not decide it, the middle between two numbers of T is compared exactly. Zero
// has no sign.
template <class T>
T rounded_quotient_by_root(const big_number& p, const big_number& d, const wide& root, const big_number& b) {
  const wide y = quotient_by_root(p, d, root, b);
  if (y.is_zero()) return rounded<T>(wide());
  const wide error = times_power_of_two(abs(y), -118);
  const T one = rounded<T>(y - error), other = rounded<T>(y + error);
  using bits = typename goldml::detail::float_bits<T>::type;
  if (std::bit_cast<bits>(one) == std::bit_cast<bits>(other)) return one;
  const auto widened = [](T x) { return goldml::detail::widened(x); };
  // Beyond the greatest number, the middle to what would follow it.
  constexpr bool is_single = std::is_same_v<T, float>;
  const double low = widened(one), high = widened(other), end = is_single ? 0x1.ffffffp127 : 65520.0;
  const double middle = goldml::detail::is_infinite_double(high)  ? end
                        : goldml::detail::is_infinite_double(low) ? -end
                                                                  : low + (high - low) / 2;
  const int side = compare_with_root(p, d, big_number(middle) - b);
  return side < 0 ? one : side > 0 ? other : goldml::rounded<T>(middle);
}

}  // namespace goldml::arithmetic
