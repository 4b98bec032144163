// Numbers that are never rounded, of any length, and quotients of them that are rounded once: golden values that a
// double cannot decide.
#pragma once

#include <algorithm>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <goldml/arithmetic/exact_sum.hpp>

namespace goldml::detail {

// The sum of words_[i] * 2^(32 * (place_ + i)), with a sign. The last word is not 0; zero has no words.
class big_number {
 public:
  big_number() = default;
  explicit big_number(double x) {  // finite
    if (is_zero(x)) return;
    const odd_double part = odd_part(x);
    negative_ = is_negative_double(x);
    place_ = part.exponent >> 5;  // rounds down
    const int shift = part.exponent - 32 * place_;
    const std::uint64_t low = part.significand << shift;
    const std::uint64_t high = shift == 0 ? 0 : part.significand >> (64 - shift);
    words_ = {static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(low >> 32), static_cast<std::uint32_t>(high)};
    trim();
  }

  bool is_zero_number() const { return words_.empty(); }
  bool is_negative() const { return negative_; }
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
    return make_double(a.negative_, significand, static_cast<int>(exponent) - 52);
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
  void trim() {
    while (!words_.empty() && words_.back() == 0) words_.pop_back();
    if (words_.empty()) negative_ = false;
  }

  std::vector<std::uint32_t> words_;  // the lowest first
  int place_ = 0;
  bool negative_ = false;
};

}  // namespace goldml::detail
