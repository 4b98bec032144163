// A floating-point number of 128 bits in integer arithmetic: what a function is computed in where a double does not
// decide how it rounds. No mode of the processor and no option of the compiler changes a result.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include <goldml/core/inline.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/rounding.hpp>

namespace goldml::arithmetic {

// (high * 2^64 + low) * 2^(exponent - 127), with the sign. The top bit of `high` is set, except that of zero, which is
// all zero and has no sign.
//
// Every operation cuts its result to 128 bits and, if anything was lost, sets the last bit. So the relative error of
// one is below 2^-126 (of an addition: relative to the greater operand), and a result of exact operands that is rounded
// to 24 bits afterwards is rounded as if it were exact.
struct wide {
  bool negative = false;
  std::int32_t exponent = 0;
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  constexpr wide() = default;
  // Exact. x is finite.
  constexpr explicit wide(double x) : negative(std::bit_cast<std::uint64_t>(x) >> 63 != 0) {
    const std::uint64_t magnitude = goldml::detail::magnitude_bits(x);
    std::uint64_t significand = magnitude & ((std::uint64_t{1} << 52) - 1);
    const bool normal = magnitude >> 52 != 0;
    if (normal) significand |= std::uint64_t{1} << 52;
    if (significand == 0) {
      negative = false;
      return;
    }
    const int zeros = std::countl_zero(significand);
    high = significand << zeros;
    exponent = (normal ? static_cast<std::int32_t>(magnitude >> 52) - 1023 : -1022) + 11 - zeros;
  }

  constexpr bool is_zero() const { return high == 0; }

  constexpr wide operator-() const {
    wide result = *this;
    if (!is_zero()) result.negative = !negative;
    return result;
  }
};

namespace detail {

struct product {
  std::uint64_t high, low;
};

inline product multiply(std::uint64_t a, std::uint64_t b) {
#if GOLDML_X86_64
  __extension__ using double_word = unsigned __int128;
  const double_word both = static_cast<double_word>(a) * b;
  return {static_cast<std::uint64_t>(both >> 64), static_cast<std::uint64_t>(both)};
#else
  constexpr std::uint64_t half = 0xFFFF'FFFF;
  const std::uint64_t low = (a & half) * (b & half);
  const std::uint64_t first = (a >> 32) * (b & half) + (low >> 32);  // below 2^64
  const std::uint64_t second = (a & half) * (b >> 32) + (first & half);
  return {(a >> 32) * (b >> 32) + (first >> 32) + (second >> 32), second << 32 | (low & half)};
#endif
}

// Adds, and returns what is carried.
inline std::uint64_t add_to(std::uint64_t& a, std::uint64_t b) {
  a += b;
  return a < b ? 1 : 0;
}

inline bool less(std::uint64_t a_high, std::uint64_t a_low, std::uint64_t b_high, std::uint64_t b_low) {
  return a_high != b_high ? a_high < b_high : a_low < b_low;
}

// Shifts right; the last bit is set if a bit was lost.
inline void shift_right(std::uint64_t& high, std::uint64_t& low, int by) {
  if (by == 0) return;
  bool lost;
  if (by >= 128) {
    lost = (high | low) != 0;
    high = low = 0;
  } else if (by >= 64) {
    lost = low != 0 || (by > 64 && high << (128 - by) != 0);
    low = high >> (by - 64);
    high = 0;
  } else {
    lost = low << (64 - by) != 0;
    low = low >> by | high << (64 - by);
    high >>= by;
  }
  if (lost) low |= 1;
}

inline wide normalized(bool negative, std::int32_t exponent, std::uint64_t high, std::uint64_t low) {
  wide result;
  if ((high | low) == 0) return result;
  int zeros = high != 0 ? std::countl_zero(high) : 64 + std::countl_zero(low);
  result.negative = negative;
  result.exponent = exponent - zeros;
  if (zeros >= 64) {
    high = low;
    low = 0;
    zeros -= 64;
  }
  result.high = zeros == 0 ? high : high << zeros | low >> (64 - zeros);
  result.low = low << zeros;
  return result;
}

}  // namespace detail

inline wide operator+(wide a, wide b) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  if (a.exponent < b.exponent || (a.exponent == b.exponent && detail::less(a.high, a.low, b.high, b.low)))
    std::swap(a, b);
  detail::shift_right(b.high, b.low, (std::min)(128, a.exponent - b.exponent));
  if (a.negative != b.negative) {
    const std::uint64_t borrow = a.low < b.low ? 1 : 0;
    return detail::normalized(a.negative, a.exponent, a.high - b.high - borrow, a.low - b.low);
  }
  std::uint64_t low = a.low + b.low;
  const std::uint64_t carry = low < a.low ? 1 : 0;
  std::uint64_t high = a.high + b.high;
  bool overflow = high < a.high;
  high += carry;
  overflow = overflow || (carry != 0 && high == 0);
  if (!overflow) return detail::normalized(a.negative, a.exponent, high, low);
  detail::shift_right(high, low, 1);
  return detail::normalized(a.negative, a.exponent + 1, high | std::uint64_t{1} << 63, low);
}
inline wide operator-(const wide& a, const wide& b) { return a + -b; }

inline wide operator*(const wide& a, const wide& b) {
  if (a.is_zero() || b.is_zero()) return {};
  const auto top = detail::multiply(a.high, b.high);
  const auto cross = detail::multiply(a.high, b.low);
  const auto other = detail::multiply(a.low, b.high);
  const auto bottom = detail::multiply(a.low, b.low);
  std::uint64_t second = bottom.high, third = top.low;
  const std::uint64_t carry = detail::add_to(second, cross.low) + detail::add_to(second, other.low);
  const std::uint64_t high =
      top.high + detail::add_to(third, cross.high) + detail::add_to(third, other.high) + detail::add_to(third, carry);
  wide result;
  result.negative = a.negative != b.negative;
  // The product of two significands of 1 or more is 1 or more.
  const bool is_short = high >> 63 == 0;
  result.exponent = a.exponent + b.exponent + (is_short ? 0 : 1);
  result.high = is_short ? high << 1 | third >> 63 : high;
  result.low = is_short ? third << 1 | second >> 63 : third;
  if (((is_short ? second << 1 : second) | bottom.low) != 0) result.low |= 1;
  return result;
}

namespace detail {

// (2^128 - 1) / d, less 2^64; the top bit of d is set.
inline std::uint64_t reciprocal(std::uint64_t d) {
#if GOLDML_X86_64
  __extension__ using double_word = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<double_word>(~d) << 64 | ~std::uint64_t{0}) / d);
#else
  // (~d, 2^64 - 1) by d: two digits of 32 bits. Each is first that of the rest by the first digit of d, and at most 2
  // more than it is (Knuth, TAOCP 4.3.1, D).
  constexpr std::uint64_t base = std::uint64_t{1} << 32, mask = base - 1;
  const std::uint64_t first = d >> 32, second = d & mask;
  std::uint64_t rest = ~d, quotient = 0;
  for (int i = 0; i < 2; ++i) {
    std::uint64_t digit = rest / first, left = rest % first;
    while (digit >= base || (left < base && digit * second > (left << 32 | mask))) {
      --digit;
      left += first;
      if (left >= base) break;
    }
    rest = (rest << 32 | mask) - digit * d;
    quotient = quotient << 32 | digit;
  }
  return quotient;
#endif
}

// The same of a divisor of two words: (2^192 - 1) / d, less 2^64; and a digit of a quotient by it of u and `next`, u
// below d, whose rest replaces u (Moeller and Granlund, Improved division by invariant integers, algorithms 6 and 4).
inline std::uint64_t reciprocal(const product& d) {
  std::uint64_t v = reciprocal(d.high), p = d.high * v + d.low;
  if (p < d.low) {
    --v;
    if (p >= d.high) --v, p -= d.high;
    p -= d.high;
  }
  const product t = multiply(v, d.low);
  p += t.high;
  if (p < t.high) {
    --v;
    if (!less(p, t.low, d.high, d.low)) --v;
  }
  return v;
}
inline std::uint64_t quotient_digit(product& u, std::uint64_t next, const product& d, std::uint64_t v) {
  const auto subtract = [](product x, const product& y) {
    return product{x.high - y.high - (x.low < y.low ? 1 : 0), x.low - y.low};
  };
  product q = multiply(v, u.high);
  q.high += u.high + add_to(q.low, u.low);
  u = subtract(subtract({u.low - q.high * d.high, next}, multiply(d.low, q.high)), d);
  ++q.high;
  if (u.high >= q.low) {
    --q.high;
    u.high += d.high + add_to(u.low, d.low);
  }
  if (!less(u.high, u.low, d.high, d.low)) {
    ++q.high;
    u = subtract(u, d);
  }
  return q.high;
}

}  // namespace detail

// b is not zero. The quotient of a * 2^127, or a * 2^128 if a is less than b, and b, whose 128 bits start with a 1: two
// digits of 64 bits.
inline wide operator/(const wide& a, const wide& b) {
  if (a.is_zero()) return {};
  const bool is_less = detail::less(a.high, a.low, b.high, b.low);
  const detail::product divisor{b.high, b.low};
  detail::product rest{is_less ? a.high : a.high >> 1, is_less ? a.low : a.high << 63 | a.low >> 1};
  const std::uint64_t v = detail::reciprocal(divisor);
  const std::uint64_t high = detail::quotient_digit(rest, is_less ? 0 : a.low << 63, divisor, v);
  const std::uint64_t low = detail::quotient_digit(rest, 0, divisor, v);
  return detail::normalized(a.negative != b.negative, a.exponent - b.exponent - (is_less ? 1 : 0), high,
                            low | ((rest.high | rest.low) == 0 ? 0 : 1));
}

inline wide times_power_of_two(wide x, std::int32_t exponent) {
  if (!x.is_zero()) x.exponent += exponent;
  return x;
}

inline bool less(const wide& a, const wide& b) { return (a - b).negative; }
inline wide abs(wide x) {
  x.negative = false;
  return x;
}

// Cut to 53 bits, the last one set if anything was lost. Beyond 2^-1000 and 2^1000 these. Rounding the result to
// FLOAT32 or FLOAT16 rounds x.
inline double to_double(const wide& x) {
  if (x.is_zero()) return 0;
  const std::uint64_t sign = x.negative ? std::uint64_t{1} << 63 : 0;
  const std::int32_t exponent = (std::clamp)(x.exponent, std::int32_t{-1000}, std::int32_t{1000});
  std::uint64_t significand = x.high >> 11;
  if ((x.high & 0x7FF) != 0 || x.low != 0 || exponent != x.exponent) significand |= 1;
  return std::bit_cast<double>(sign | static_cast<std::uint64_t>(exponent + 1023) << 52 |
                               (significand & ((std::uint64_t{1} << 52) - 1)));
}

// The number rounded once, to nearest even.
template <class T>
T rounded(const wide& x) {
  return goldml::rounded<T>(to_double(x));
}

}  // namespace goldml::arithmetic
