// The elementary functions of numbers of 128 bits, beside exp(), log(), tanh() and sqrt() of wide_functions.hpp.
// Relative errors are below 2^-90: no formula cancels, but for the reduction of an angle, and for 1 - erf(x), below 2,
// which loses 8 bits.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <goldml/arithmetic/wide_functions.hpp>

namespace goldml::arithmetic {

namespace detail {

inline wide of_words(std::int32_t exponent, std::uint64_t high, std::uint64_t low) {
  wide result;
  result.exponent = exponent;
  result.high = high;
  result.low = low;
  return result;
}
inline wide half_pi() { return of_words(0, 0xC90F'DAA2'2168'C234, 0xC4C6'628B'80DC'1CD1); }
inline wide root_of_pi() { return of_words(0, 0xE2DF'C48D'A77B'553C, 0xE1D8'2906'AEDC'9C1F); }
inline wide root_of_2() { return of_words(0, 0xB504'F333'F9DE'6484, 0x597D'89B3'754A'BE9F); }

// x = k * pi/2 + rest, |rest| at most pi/4; k modulo 4.
struct wide_quadrant {
  unsigned k = 0;
  wide rest;
};
// x is a FLOAT32: m * 2^e, m of 24 bits. The product of m and 256 bits of 2/pi, shifted to 320 bits below the point:
// its fraction is wrong by less than 2^-128, and not nearer than 2^-30 to an integer (SPEC-functions 2.5).
inline wide_quadrant quadrant_of(const wide& x) {
  if (x.is_zero() || x.exponent < -1) return {0, x};
  constexpr std::array<std::uint64_t, 4> two_over_pi{0xFE51'63AB'DEBB'C561, 0xDB62'9599'3C43'9041,
                                                     0xFC27'57D1'F534'DDC0, 0xA2F9'836E'4E44'1529};
  std::array<std::uint64_t, 8> words{};  // the lowest first; words[5] is the integer
  const std::uint64_t m = x.high >> 40;
  const auto shift = static_cast<unsigned>(x.exponent - 23 + 64);
  std::uint64_t carry = 0;
  const auto put = [&](std::size_t i, std::uint64_t word) {  // the word i of the product
    const std::size_t at = i + shift / 64;
    const unsigned by = shift % 64;
    if (at < words.size()) words[at] |= word << by;
    if (by != 0 && at + 1 < words.size()) words[at + 1] |= word >> (64 - by);
  };
  for (std::size_t i = 0; i < 4; ++i) {
    const product p = multiply(m, two_over_pi[i]);
    const std::uint64_t low = p.low + carry;
    carry = p.high + (low < p.low ? 1 : 0);
    put(i, low);
  }
  put(4, carry);
  wide_quadrant result{static_cast<unsigned>(words[5] & 3), {}};
  const bool is_above = words[4] >> 63 != 0;  // half: counted from the next multiple
  if (is_above) {
    result.k = (result.k + 1) & 3;
    for (std::size_t i = 0; i < 5; ++i) words[i] = ~words[i];  // but for 2^-320
  }
  const wide fraction = normalized(false, -1, words[4], words[3]) + normalized(false, -129, words[2], words[1]);
  result.rest = fraction * half_pi();
  if (is_above != x.negative) result.rest = -result.rest;
  if (x.negative) result.k = (4 - result.k) & 3;
  return result;
}

// term / first! - term r^2 / (first + 2)! + ..., of |r| up to pi/4.
inline wide alternating_series(wide term, const wide& r, std::size_t first) {
  const wide square = -(r * r);
  wide sum;
  for (std::size_t n = first;; n += 2) {
    const wide next = term * inverse_factorial(n);
    if (next.is_zero() || (!sum.is_zero() && next.exponent < sum.exponent - 130)) return sum;
    sum = sum + next;
    term = term * square;
  }
}
inline wide sine_of(const wide_quadrant& q) {
  const wide y = (q.k & 1) != 0 ? alternating_series(wide(1), q.rest, 0) : alternating_series(q.rest, q.rest, 1);
  return (q.k & 2) != 0 ? -y : y;
}

// x is at least 0: the sum of 2^n x^(2n+1) / (1 * 3 * .. (2n+1)), times 2 / sqrt(pi) e^(-x^2), which do not cancel.
inline wide erf_of(const wide& x) {
  const wide twice = times_power_of_two(x * x, 1);
  wide term = x, sum = x;
  for (double n = 3; !term.is_zero() && term.exponent > sum.exponent - 130; n += 2) {
    term = term * twice / wide(n);
    sum = sum + term;
  }
  return times_power_of_two(sum * exp(-(x * x)) / root_of_pi(), 1);
}

}  // namespace detail

inline wide sin(const wide& x) { return detail::sine_of(detail::quadrant_of(x)); }
inline wide cos(const wide& x) {
  const auto q = detail::quadrant_of(x);
  return detail::sine_of({(q.k + 1) & 3, q.rest});
}
inline wide tan(const wide& x) {
  const auto q = detail::quadrant_of(x);
  return detail::sine_of(q) / detail::sine_of({(q.k + 1) & 3, q.rest});
}

// Beyond 1 from 1/x; halved three times, then a series, of at most tan(pi/32).
inline wide atan(const wide& x) {
  if (x.is_zero()) return x;
  const wide a = abs(x), one(1);
  if (less(one, a)) {
    const wide y = detail::half_pi() - atan(one / a);
    return x.negative ? -y : y;
  }
  wide z = x;
  int halvings = 0;
  for (; halvings < 3 && z.exponent > -5; ++halvings) z = z / (one + sqrt(one + z * z));
  const wide square = -(z * z);
  wide sum = z, power = z;
  for (double n = 3; !power.is_zero() && power.exponent > sum.exponent - 130; n += 2) {
    power = power * square;
    sum = sum + power / wide(n);
  }
  return times_power_of_two(sum, halvings);
}
// |x| is at most 1.
inline wide asin(const wide& x) {
  const wide rest = (wide(1) - x) * (wide(1) + x);
  if (rest.is_zero()) return x.negative ? -detail::half_pi() : detail::half_pi();
  return atan(x / sqrt(rest));
}
inline wide acos(const wide& x) {
  const wide below = wide(1) - x, above = wide(1) + x;
  if (above.is_zero()) return times_power_of_two(detail::half_pi(), 1);
  return times_power_of_two(atan(sqrt(below / above)), 1);
}

inline wide sinh(const wide& x) {
  const wide e = expm1(abs(x));
  const wide y = times_power_of_two(e + e / (e + wide(1)), -1);
  return x.negative ? -y : y;
}
inline wide cosh(const wide& x) {
  const wide e = exp(abs(x));
  return times_power_of_two(e + wide(1) / e, -1);
}
inline wide asinh(const wide& x) {
  const wide a = abs(x), square = a * a;
  const wide y = log1p(a + square / (wide(1) + sqrt(wide(1) + square)));
  return x.negative ? -y : y;
}
// x is at least 1.
inline wide acosh(const wide& x) {
  const wide t = x - wide(1);
  return log1p(t + sqrt(t * (t + wide(2))));
}
// |x| is below 1.
inline wide atanh(const wide& x) {
  const wide a = abs(x);
  const wide y = times_power_of_two(log1p(times_power_of_two(a, 1) / (wide(1) - a)), -1);
  return x.negative ? -y : y;
}

// 1 - erf(x), x at least 0: beyond 2 by its continued fraction, e^(-x^2) / sqrt(pi) / (x + (1/2)/(x + (2/2)/(x +
// ...))).
inline wide erfc(const wide& x) {
  if (x.exponent < 1) return wide(1) - detail::erf_of(x);
  wide fraction = x;
  for (double n = x.exponent < 3 ? 240 : 60; n > 0; --n) fraction = x + wide(n / 2) / fraction;
  return exp(-(x * x)) / (fraction * detail::root_of_pi());
}
// From 8 on 1 is not decided otherwise.
inline wide erf(const wide& x) {
  const wide a = abs(x);
  const wide y = x.exponent < 1 ? detail::erf_of(a) : wide(1) - erfc(a);
  return x.negative ? -y : y;
}
// x (1 + erf(x / sqrt(2))) / 2
inline wide gelu(const wide& x) {
  const wide complement = erfc(abs(x) / detail::root_of_2());
  return times_power_of_two(x * (x.negative ? complement : wide(2) - complement), -1);
}

}  // namespace goldml::arithmetic
