// A number of a formula as golden answers have it: 128 bits, infinite or NaN. A formula that is written over a number
// type gives, with this one, the golden value.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <utility>

#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/arithmetic/fused.hpp>
#include <goldml/arithmetic/values.hpp>
#include <goldml/arithmetic/wide_functions.hpp>
#include <goldml/core/rounding.hpp>

namespace goldml::detail {

// From 2^256 on infinite.
struct golden_number {
  arithmetic::wide finite;
  double special = 0;  // if not 0: an infinity or NaN, which it is

  golden_number() = default;
  explicit golden_number(double x) {
    if (is_finite_double(x))
      finite = arithmetic::wide(x);
    else
      special = x;
  }
  explicit golden_number(const arithmetic::wide& x) {
    if (x.is_zero() || x.exponent < 256)
      finite = x;
    else
      special = x.negative ? -infinite_double : infinite_double;
  }
  bool is_finite() const { return goldml::is_zero(special); }
  // As a factor of what is not finite.
  double sign() const {
    if (!is_finite()) return special;
    return finite.is_zero() ? 0 : finite.negative ? -1 : 1;
  }
};

// Results of infinities and NaN are those of IEEE 754.
inline golden_number operator*(const golden_number& a, const golden_number& b) {
  if (!a.is_finite() || !b.is_finite()) return golden_number(a.sign() * b.sign());
  return golden_number(a.finite * b.finite);
}
inline golden_number operator/(const golden_number& a, const golden_number& b) {
  if (!a.is_finite() || !b.is_finite() || b.finite.is_zero()) return golden_number(a.sign() / b.sign());
  return golden_number(a.finite / b.finite);
}
inline golden_number operator+(const golden_number& a, const golden_number& b) {
  if (!a.is_finite() || !b.is_finite()) return golden_number(a.special + b.special);
  return golden_number(a.finite + b.finite);
}
inline golden_number operator-(golden_number x) {
  x.special = -x.special;
  x.finite = -x.finite;
  return x;
}
inline golden_number operator-(const golden_number& a, const golden_number& b) { return a + -b; }
inline golden_number one_minus(const golden_number& x) { return golden_number(1.0) - x; }
// (1 - z) * a + z * b
inline golden_number mix(const golden_number& z, const golden_number& a, const golden_number& b) {
  return one_minus(z) * a + z * b;
}
inline golden_number may_store(const golden_number& x) { return x; }
inline golden_number sqrt(const golden_number& x) {
  if (!x.is_finite() || x.finite.negative) return golden_number(std::sqrt(x.sign()));
  return golden_number(arithmetic::sqrt(x.finite));
}
// x^n, n of 32 bits. From 2^(2^20) on, and below its inverse, that: then 1 - x^n is the same of it.
inline golden_number whole_power(const golden_number& x, std::uint32_t n) {
  if (!x.is_finite()) return golden_number(std::pow(x.special, static_cast<double>(n)));
  arithmetic::wide result(1.0), square = x.finite;
  const auto times = [](arithmetic::wide& a, const arithmetic::wide& b) {
    constexpr std::int32_t most = 1 << 20;
    a = a * b;
    if (!a.is_zero()) a.exponent = (std::clamp)(a.exponent, -most, most);
  };
  for (; n != 0; n >>= 1) {
    if ((n & 1) != 0) times(result, square);
    times(square, square);
  }
  return golden_number(result);
}

// Sums of finite numbers that lose nothing: of numbers that are multiples of 2^-448, and below 2^512.
inline golden_number exact_total(std::initializer_list<arithmetic::wide> numbers) {
  exact_sum sum;
  for (const arithmetic::wide& x : numbers)
    for (const auto& [bits, exponent] : {std::pair(x.low, x.exponent - 127), std::pair(x.high, x.exponent - 63)})
      if (bits != 0) {
        const int zeros = std::countr_zero(bits);
        sum.add_bits(bits >> zeros, exponent + zeros, x.negative);
      }
  return golden_number(arithmetic::detail::wide_of(sum));
}

// Rounded once; a zero has no sign.
template <class T>
T rounded_number(const golden_number& x) {
  return x.is_finite() ? arithmetic::rounded<T>(x.finite) : goldml::rounded<T>(x.special);
}

}  // namespace goldml::detail
