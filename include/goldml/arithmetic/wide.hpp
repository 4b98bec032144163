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

// b is not zero. The quotient of a * 2^127, or a * 2^128 if a is less than b, and b, whose 128 bits start with a 1: by
// long division with digits of 32 bits. The first two digits of the rest and the first of b tell a digit of the
// quotient but for at most 2 more; with the next digits of both, but for at most 1 (Knuth, TAOCP 4.3.1, D).
inline wide operator/(const wide& a, const wide& b) {
  if (a.is_zero()) return {};
  constexpr std::uint64_t base = std::uint64_t{1} << 32, mask = base - 1;
  const bool is_less = detail::less(a.high, a.low, b.high, b.low);
  const std::uint64_t high = is_less ? a.high : a.high >> 1;
  const std::uint64_t low = is_less ? a.low : a.high << 63 | a.low >> 1;
  const std::uint64_t divisor[4] = {b.high >> 32, b.high & mask, b.low >> 32, b.low & mask};
  std::uint64_t rest[8] = {high >> 32, high & mask, low >> 32, low & mask, is_less ? 0 : (a.low & 1) << 31, 0, 0, 0};
  std::uint64_t quotient[4];
  for (int at = 0; at < 4; ++at) {
    std::uint64_t* const part = rest + at;  // five digits, less than divisor * 2^32
    const std::uint64_t first = part[0] << 32 | part[1];
    std::uint64_t digit = (std::min)(first / divisor[0], mask), left = first - digit * divisor[0];
    while (left < base && digit * divisor[1] > (left << 32 | part[2])) {
      --digit;
      left += divisor[0];
    }
    std::uint64_t borrow = 0;
    for (int i = 4; i > 0; --i) {
      const std::uint64_t subtracted = digit * divisor[i - 1] + borrow;  // below 2^64
      borrow = (subtracted >> 32) + ((subtracted & mask) > part[i] ? 1 : 0);
      part[i] = (part[i] - subtracted) & mask;
    }
    if (borrow > part[0]) {  // one too many
      --digit;
      std::uint64_t carry = 0;
      for (int i = 4; i > 0; --i) {
        carry += part[i] + divisor[i - 1];
        part[i] = carry & mask;
        carry >>= 32;
      }
    }
    part[0] = 0;
    quotient[at] = digit;
  }
  const bool is_exact = (rest[4] | rest[5] | rest[6] | rest[7]) == 0;
  return detail::normalized(a.negative != b.negative, a.exponent - b.exponent - (is_less ? 1 : 0),
                            quotient[0] << 32 | quotient[1], quotient[2] << 32 | quotient[3] | (is_exact ? 0 : 1));
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
