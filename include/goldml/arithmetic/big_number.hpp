// Numbers that are never rounded, of any length: whole multiples of powers of two. Quotients of them are rounded once.
// For golden values that a double cannot decide.
#pragma once

#include <algorithm>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/arithmetic/wide.hpp>
#include <goldml/core/number.hpp>

namespace goldml::arithmetic {

// The sum of words_[i] * 2^(32 * (place_ + i)), with a sign. Neither the first word nor the last is 0; zero has none.
class big_number {
 public:
  big_number() = default;
  explicit big_number(double x) {  // finite
    if (is_zero(x)) return;
    const auto part = goldml::detail::odd_part(x);
    negative_ = goldml::detail::is_negative_double(x);
    place_ = part.exponent >> 5;  // rounds down
    const int shift = part.exponent - 32 * place_;
    const std::uint64_t low = part.significand << shift;
    const std::uint64_t high = shift == 0 ? 0 : part.significand >> (64 - shift);
    words_ = {static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(low >> 32), static_cast<std::uint32_t>(high)};
    trim();
  }
  explicit big_number(const exact_sum& sum) : place_(-14), negative_(sum.is_negative()) {
    for (std::size_t i = 0; i < 32; ++i) words_.push_back(sum.limb(i));
    trim();
  }

  // -1, 0 or 1.
  int sign() const { return words_.empty() ? 0 : negative_ ? -1 : 1; }
  big_number magnitude() const {
    big_number result = *this;
    result.negative_ = false;
    return result;
  }

  big_number operator-() const {
    big_number result = *this;
    result.negative_ = !negative_ && !words_.empty();
    return result;
  }
  friend big_number operator+(const big_number& a, const big_number& b) {
    if (a.negative_ == b.negative_) {
      big_number result = merged(a, b, 1);
      result.negative_ = a.negative_;
      return result;
    }
    const auto order = compare_magnitudes(a, b);
    if (order == 0) return {};
    big_number result = order > 0 ? merged(a, b, -1) : merged(b, a, -1);
    result.negative_ = order > 0 ? a.negative_ : b.negative_;
    return result;
  }
  friend big_number operator-(const big_number& a, const big_number& b) { return a + -b; }
  friend big_number operator*(const big_number& a, const big_number& b) {
    big_number result;
    if (a.words_.empty() || b.words_.empty()) return result;
    result.place_ = a.place_ + b.place_;
    result.negative_ = a.negative_ != b.negative_;
    result.words_.assign(a.words_.size() + b.words_.size(), 0);
    for (std::size_t i = 0; i < a.words_.size(); ++i) {
      std::uint64_t carry = 0;
      for (std::size_t j = 0; j < b.words_.size(); ++j) {
        carry += std::uint64_t{a.words_[i]} * b.words_[j] + result.words_[i + j];
        result.words_[i + j] = static_cast<std::uint32_t>(carry);
        carry >>= 32;
      }
      result.words_[i + b.words_.size()] = static_cast<std::uint32_t>(carry);
    }
    result.trim();
    return result;
  }

  friend bool operator<(const big_number& a, const big_number& b) { return (a - b).negative_; }

  // Cut to 128 bits, the last one set if anything was lost.
  wide rounded_to_odd() const {
    wide result;
    if (words_.empty()) return result;
    const auto limb = [&](std::size_t from_top) {
      return from_top < words_.size() ? std::uint64_t{words_[words_.size() - 1 - from_top]} : 0;
    };
    const int zeros = std::countl_zero(words_.back());
    const auto word = [&](std::size_t from_top) { return limb(from_top) << 32 | limb(from_top + 1); };
    const auto shifted = [&](std::size_t from_top) {
      return zeros == 0 ? word(from_top) : word(from_top) << zeros | limb(from_top + 2) >> (32 - zeros);
    };
    result.negative = negative_;
    result.exponent = static_cast<std::int32_t>(highest_bit());
    result.high = shifted(0);
    result.low = shifted(2);
    bool rest = (limb(4) << zeros & 0xFFFF'FFFF) != 0;
    for (std::size_t i = 5; i < words_.size(); ++i) rest = rest || limb(i) != 0;
    if (rest) result.low |= 1;
    return result;
  }

  // a / b rounded to odd after 53 bits, as exact_sum::value(); magnitudes beyond 2^900 and 2^-900 become these. b is
  // above 0.
  friend double quotient_of(const big_number& a, const big_number& b) {
    if (a.words_.empty()) return 0;
    big_number rest = a.magnitude();
    std::int64_t top = rest.highest_bit() - b.highest_bit();
    if (compare_magnitudes(rest, b.shifted(top)) < 0) --top;
    const big_number part = b.shifted(top);
    std::uint64_t significand = 0;
    for (int bit = 0; bit < 53; ++bit) {
      const bool set = compare_magnitudes(rest, part) >= 0;
      if (set) rest = rest - part;
      significand = 2 * significand + (set ? 1 : 0);
      rest = rest.shifted(1);
    }
    if (!rest.words_.empty()) significand |= 1;
    const std::int64_t exponent = (std::clamp)(top, std::int64_t{-900}, std::int64_t{900});
    return goldml::detail::make_double(a.negative_, significand, static_cast<int>(exponent) - 52);
  }

 private:
  // |a| + sign * |b|, which is not negative.
  static big_number merged(const big_number& a, const big_number& b, int sign) {
    if (b.words_.empty()) return a.magnitude();
    if (a.words_.empty()) return b.magnitude();
    big_number result;
    result.place_ = (std::min)(a.place_, b.place_);
    const std::int64_t end = (std::max)(a.end(), b.end()) + 1;
    result.words_.reserve(static_cast<std::size_t>(end - result.place_));
    std::int64_t carry = 0;
    for (std::int64_t at = result.place_; at < end; ++at) {
      carry += std::int64_t{a.word(at)} + sign * std::int64_t{b.word(at)};
      result.words_.push_back(static_cast<std::uint32_t>(carry & 0xFFFF'FFFF));
      carry >>= 32;  // rounds down
    }
    result.trim();
    return result;
  }
  static std::strong_ordering compare_magnitudes(const big_number& a, const big_number& b) {
    if (a.words_.empty() || b.words_.empty()) return !a.words_.empty() <=> !b.words_.empty();
    if (a.end() != b.end()) return a.end() <=> b.end();
    for (std::int64_t at = a.end(); at-- > (std::min)(a.place_, b.place_);)
      if (a.word(at) != b.word(at)) return a.word(at) <=> b.word(at);
    return std::strong_ordering::equal;
  }

  std::int64_t end() const { return place_ + static_cast<std::int64_t>(words_.size()); }
  std::uint32_t word(std::int64_t at) const {
    return at < place_ || at >= end() ? 0 : words_[static_cast<std::size_t>(at - place_)];
  }
  std::int64_t highest_bit() const { return 32 * end() - 1 - std::countl_zero(words_.back()); }
  // Times 2^count.
  big_number shifted(std::int64_t count) const {
    big_number result = *this * big_number(static_cast<double>(std::uint64_t{1} << (count & 31)));
    result.place_ += static_cast<int>(count >> 5);
    return result;
  }
  // Removes zeros at both ends.
  void trim() {
    while (!words_.empty() && words_.back() == 0) words_.pop_back();
    std::size_t zeros = 0;
    while (zeros < words_.size() && words_[zeros] == 0) ++zeros;
    words_.erase(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(zeros));
    place_ += static_cast<int>(zeros);
    if (words_.empty()) negative_ = false, place_ = 0;
  }

  std::vector<std::uint32_t> words_;  // the lowest first
  int place_ = 0;
  bool negative_ = false;
};

}  // namespace goldml::arithmetic
