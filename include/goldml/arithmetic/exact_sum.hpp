// Sums of numbers and of products of numbers without any rounding. Operates on integers, so that no mode of the
// processor changes a result (ledger L7).
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <goldml/core/float16.hpp>
#include <goldml/core/number.hpp>

namespace goldml {

// A FLOAT32 or FLOAT16 as a double; exact also where the processor takes FLOAT32 subnormals for zeros.
inline double exact_double(float x) {
  const std::uint32_t magnitude = detail::magnitude_bits(x);
  if (magnitude >= 0x0080'0000) return x;
  const double result = static_cast<double>(magnitude) * 0x1p-149;
  return std::bit_cast<std::uint32_t>(x) >> 31 != 0 ? -result : result;
}
inline double exact_double(float16 x) { return static_cast<float>(x); }

namespace detail {

inline bool is_finite_double(double x) { return magnitude_bits(x) < float_bits<double>::infinity; }
inline bool is_infinite_double(double x) { return magnitude_bits(x) == float_bits<double>::infinity; }
inline bool is_negative_double(double x) { return std::bit_cast<std::uint64_t>(x) >> 63 != 0; }

// A finite double other than zero: significand * 2^exponent, with an odd significand.
struct odd_double {
  std::uint64_t significand;
  int exponent;
};
inline odd_double odd_part(double x) {
  const std::uint64_t bits = magnitude_bits(x);
  const int field = static_cast<int>(bits >> 52);
  const std::uint64_t significand = bits % (std::uint64_t{1} << 52) + (field == 0 ? 0 : std::uint64_t{1} << 52);
  const int zeros = std::countr_zero(significand);
  return {significand >> zeros, (field == 0 ? 1 : field) - 1075 + zeros};
}
// Whether a finite double other than zero is a power of two, or the negative of one.
inline bool is_power_of_two(double x) { return odd_part(x).significand == 1; }
// The greatest power of two that divides a finite double; infinity of 0.
inline double lowest_bit(double x) {
  return is_zero(x) ? std::numeric_limits<double>::infinity() : std::ldexp(1.0, odd_part(x).exponent);
}

// The double (-1)^negative * significand * 2^exponent, for a significand of exactly 53 bits and a normal result.
inline double make_double(bool negative, std::uint64_t significand, int exponent) {
  const auto field = static_cast<std::uint64_t>(exponent + 1075);
  return std::bit_cast<double>((negative ? std::uint64_t{1} << 63 : 0) | field << 52 |
                               significand % (std::uint64_t{1} << 52));
}

}  // namespace detail

// A finite number as a two's complement integer of 64 * Words bits, in units of 2^-FractionBits. In those of exact_sum,
// 1024 bits in units of 2^-448, sums of up to 2^64 products of three FLOAT32 fit, and every bit of them. All results
// named `value` are rounded to odd: cut after 53 bits, and the last bit set if anything was cut. Rounding that to
// FLOAT32 or FLOAT16 is the same as rounding the exact number.
template <std::size_t Words, int FractionBits>
class basic_exact_sum {
 public:
  // x is finite, a multiple of 2^-448, and below 2^512.
  void add(double x) {
    only_negative_zeros_ = (empty_ || only_negative_zeros_) && is_zero(x) && detail::is_negative_double(x);
    empty_ = false;
    if (is_zero(x)) return;
    const detail::odd_double part = detail::odd_part(x);
    add_bits(part.significand, part.exponent, detail::is_negative_double(x));
  }

  // Adds x * factor. x has at most 52 significant bits, as products of two FLOAT32 have.
  void add_product(double x, double factor) {
    const double high = std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) >> 26 << 26);
    add(high * factor);           // 27 bits times 24
    const double low = x - high;  // at most 26 bits
    if (!is_zero(low)) add(low * factor);
  }

  // Adds (-1)^negative * bits * 2^exponent.
  void add_bits(std::uint64_t bits, int exponent, bool negative) {
    const auto place = static_cast<std::size_t>(exponent + fraction_bits);
    const std::size_t shift = place % 64;
    add_word(place / 64, bits << shift, negative);
    if (shift != 0) add_word(place / 64 + 1, bits >> (64 - shift), negative);
  }

  void subtract(const basic_exact_sum& other) {
    empty_ = only_negative_zeros_ = false;
    for (std::size_t i = 0; i < words_.size(); ++i) add_word(i, other.words_[i], true);
  }
  // Multiplies the sum by an integer. For sums below 2^512.
  void multiply(std::uint32_t factor) {
    std::uint64_t carry = 0;  // below 2^32
    for (std::uint64_t& word : words_) {
      const std::uint64_t low = (word & 0xFFFF'FFFF) * factor + carry;
      const std::uint64_t high = (word >> 32) * factor + (low >> 32);
      word = high << 32 | (low & 0xFFFF'FFFF);
      carry = high >> 32;
    }
  }

  bool is_negative() const { return words_.back() >> 63 != 0; }
  bool is_zero_sum() const { return words_ == words{}; }

  // The sum rounded to odd. The zero is -0 if every number added was.
  double value() const {
    if (is_zero_sum()) return only_negative_zeros_ ? -0.0 : 0.0;
    const words magnitude = absolute();
    std::size_t top = magnitude.size() - 1;
    while (magnitude[top] == 0) --top;
    const int zeros = std::countl_zero(magnitude[top]);
    std::uint64_t first = magnitude[top] << zeros;
    if (zeros != 0 && top > 0) first |= magnitude[top - 1] >> (64 - zeros);
    bool rest = first % 2048 != 0;
    if (top > 0) rest = rest || magnitude[top - 1] << zeros != 0;
    for (std::size_t i = 0; i + 1 < top; ++i) rest = rest || magnitude[i] != 0;
    const int exponent = static_cast<int>(64 * top) + 63 - zeros - fraction_bits - 52;
    return detail::make_double(is_negative(), first >> 11 | (rest ? 1 : 0), exponent);
  }

  // The magnitude of a sum that is not zero, rounded to odd after 128 bits: (high * 2^64 + low) * 2^(exponent - 127).
  // The top bit of `high` is set.
  struct leading_bits {
    std::uint64_t high, low;
    int exponent;
  };
  leading_bits leading() const {
    const words magnitude = absolute();
    std::size_t top = magnitude.size() - 1;
    while (magnitude[top] == 0) --top;
    const int zeros = std::countl_zero(magnitude[top]);
    const auto word = [&](std::size_t below_top) {
      return below_top > top ? std::uint64_t{0} : magnitude[top - below_top];
    };
    const auto shifted = [&](std::size_t i) {
      return zeros == 0 ? word(i) : word(i) << zeros | word(i + 1) >> (64 - zeros);
    };
    bool rest = word(2) << zeros != 0;
    for (std::size_t i = 3; i <= top; ++i) rest = rest || word(i) != 0;
    return {shifted(0), shifted(1) | (rest ? 1 : 0), static_cast<int>(64 * top) + 63 - zeros - fraction_bits};
  }

  // The sum divided by n, rounded to odd. For sums of multiples of 2^-300, and n below 2^63.
  double value_of_quotient(std::uint64_t n) const {
    if (is_zero_sum()) return value();
    basic_exact_sum quotient;
    const words magnitude = absolute();
    std::uint64_t remainder = 0;
    for (std::size_t bit = 64 * magnitude.size(); bit-- > 0;) {
      remainder = 2 * remainder + (magnitude[bit / 64] >> (bit % 64)) % 2;
      if (remainder < n) continue;
      remainder -= n;
      quotient.words_[bit / 64] |= std::uint64_t{1} << (bit % 64);
    }
    if (remainder != 0) quotient.words_[0] |= 1;
    return is_negative() ? -quotient.value() : quotient.value();
  }
  // The same by several numbers, one after the other.
  template <class Divisors>
  double value_of_quotients(const Divisors& by) const {
    if (is_zero_sum()) return value();
    basic_exact_sum quotient = magnitude();
    bool cut = false;
    for (const std::uint32_t n : by) cut = quotient.divide_magnitude(n) || cut;
    if (cut) quotient.words_[0] |= 1;
    return is_negative() ? -quotient.value() : quotient.value();
  }
  // Adds the quotient of another sum by these numbers, cut to a multiple of 2^-448. After all, resolve_quotients().
  template <class Divisors>
  void add_quotient(const basic_exact_sum& other, const Divisors& by) {
    basic_exact_sum quotient = other.magnitude();
    for (const std::uint32_t n : by) quotient.divide_magnitude(n);
    only_negative_zeros_ = (empty_ || only_negative_zeros_) && other.only_negative_zeros_;
    empty_ = false;
    for (std::size_t i = 0; i < words_.size(); ++i) add_word(i, quotient.words_[i], other.is_negative());
  }
  // Takes a sum within 2^-416 of a multiple of 2^-256 for that: two rational numbers are not so close whose
  // denominators are below 2^160, unless they are equal. Other sums are no multiples, nor midpoints between them.
  void resolve_quotients() {
    basic_exact_sum moved = *this;
    moved.add_word(0, std::uint64_t{1} << 32, false);
    if (moved.words_[0] >> 33 != 0 || moved.words_[1] != 0 || moved.words_[2] != 0) return;
    moved.words_[0] = 0;
    words_ = moved.words_;
  }

  // The square root of a sum that is not negative, rounded to odd after at least 40 bits, which is as good. For sums of
  // multiples of 2^-298.
  double value_of_root() const {
    if (is_zero_sum()) return 0;
    constexpr std::uint64_t cut = ~((std::uint64_t{1} << 13) - 1);  // leaves 40 bits
    std::uint64_t root = std::bit_cast<std::uint64_t>(std::sqrt(value())) & cut;
    while (compare_with_square(root) < 0) root -= ~cut + 1;
    while (compare_with_square(root + (~cut + 1)) >= 0) root += ~cut + 1;
    return std::bit_cast<double>(compare_with_square(root) == 0 ? root : root | 1);
  }

  // The bits of the magnitude from 2^(32 i - 448) on, i below 32.
  std::uint32_t limb(std::size_t i) const { return static_cast<std::uint32_t>(absolute()[i / 2] >> (32 * (i % 2))); }

  // Bit `exponent` (2^exponent) of the magnitude, and the exponent of its highest bit that is set.
  bool has_bit(int exponent) const {
    if (exponent < -fraction_bits) return false;
    const auto place = static_cast<std::size_t>(exponent + fraction_bits);
    return place / 64 < words{}.size() && (absolute()[place / 64] >> (place % 64)) % 2 != 0;
  }
  int highest_bit() const {
    const words magnitude = absolute();
    std::size_t top = magnitude.size() - 1;
    while (top > 0 && magnitude[top] == 0) --top;
    return static_cast<int>(64 * top) + 63 - std::countl_zero(magnitude[top]) - fraction_bits;
  }

 private:
  using words = std::array<std::uint64_t, Words>;  // the lowest first
  static constexpr int fraction_bits = FractionBits;

  basic_exact_sum magnitude() const {
    basic_exact_sum result;
    result.words_ = absolute();
    return result;
  }
  // Of a sum that is not negative; returns whether anything was cut.
  bool divide_magnitude(std::uint32_t n) {
    std::uint64_t remainder = 0;
    for (std::size_t i = words_.size(); i-- > 0;) {
      const std::uint64_t high = remainder << 32 | words_[i] >> 32;
      const std::uint64_t low = high % n << 32 | (words_[i] & 0xFFFF'FFFF);
      words_[i] = high / n << 32 | low / n;
      remainder = low % n;
    }
    return remainder != 0;
  }

  void add_word(std::size_t at, std::uint64_t word, bool negative) {
    for (; at < words_.size() && word != 0; ++at) {
      const std::uint64_t before = words_[at];
      words_[at] = negative ? before - word : before + word;
      word = (negative ? words_[at] > before : words_[at] < before) ? 1 : 0;
    }
  }

  words absolute() const {
    if (!is_negative()) return words_;
    words result{};
    bool carry = true;
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] = ~words_[i] + (carry ? 1 : 0);
      carry = carry && result[i] == 0;
    }
    return result;
  }

  // The sign of this minus the square of a double with 40 significant bits.
  int compare_with_square(std::uint64_t bits) const {
    const auto root = std::bit_cast<double>(bits);
    const auto high = std::bit_cast<double>(bits >> 33 << 33);  // 20 bits
    const double low = root - high;
    basic_exact_sum difference = *this;
    difference.add(-(high * high));
    difference.add(-(2 * high * low));
    difference.add(-(low * low));
    return difference.is_negative() ? -1 : difference.is_zero_sum() ? 0 : 1;
  }

  words words_{};
  bool empty_ = true;
  bool only_negative_zeros_ = false;
};

using exact_sum = basic_exact_sum<16, 448>;
// Of FLOAT64, by leading(): up to 2^64 of them.
using exact_double_sum = basic_exact_sum<36, 1152>;

}  // namespace goldml
