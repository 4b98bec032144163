// Whole multiples of powers of two, of any length, without rounding: what decides on which side of the middle between
// two FLOAT32 a root lies.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/arithmetic/wide.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/core/value_conversion.hpp>

namespace goldml::arithmetic {

class dyadic {
 public:
  dyadic() = default;
  // x is finite.
  explicit dyadic(double x) {
    if (is_zero(x)) return;
    const auto part = goldml::detail::odd_part(x);
    negative_ = goldml::detail::is_negative_double(x);
    exponent_ = part.exponent >= 0 ? part.exponent / 32 : -((31 - part.exponent) / 32);
    const int shift = part.exponent - 32 * exponent_;
    limbs_ = {static_cast<std::uint32_t>(part.significand << shift),
              static_cast<std::uint32_t>(part.significand << shift >> 32),
              shift == 0 ? 0U : static_cast<std::uint32_t>(part.significand >> (64 - shift))};
    trim();
  }
  explicit dyadic(const exact_sum& sum) : negative_(sum.is_negative()), exponent_(-14) {
    for (std::size_t i = 0; i < 32; ++i) limbs_.push_back(sum.limb(i));
    trim();
  }

  bool is_zero_number() const { return limbs_.empty(); }
  // -1, 0 or 1.
  int sign() const { return limbs_.empty() ? 0 : negative_ ? -1 : 1; }

  dyadic operator-() const {
    dyadic result = *this;
    result.negative_ = !negative_;
    return result;
  }
  friend dyadic operator+(const dyadic& a, const dyadic& b) {
    if (a.limbs_.empty()) return b;
    if (b.limbs_.empty()) return a;
    dyadic result;
    result.exponent_ = (std::min)(a.exponent_, b.exponent_);
    const std::size_t count = static_cast<std::size_t>((std::max)(a.end(), b.end()) - result.exponent_) + 1;
    // In two's complement.
    std::int64_t carry = 0;
    for (std::size_t i = 0; i < count; ++i) {
      carry += a.signed_limb(i, result.exponent_) + b.signed_limb(i, result.exponent_);
      result.limbs_.push_back(static_cast<std::uint32_t>(carry));
      carry >>= 32;
    }
    result.negative_ = carry < 0;
    if (result.negative_) {
      std::uint64_t one = 1;
      for (std::uint32_t& limb : result.limbs_) {
        one += static_cast<std::uint32_t>(~limb);
        limb = static_cast<std::uint32_t>(one);
        one >>= 32;
      }
    }
    result.trim();
    return result;
  }
  friend dyadic operator-(const dyadic& a, const dyadic& b) { return a + -b; }
  friend dyadic operator*(const dyadic& a, const dyadic& b) {
    dyadic result;
    if (a.limbs_.empty() || b.limbs_.empty()) return result;
    result.negative_ = a.negative_ != b.negative_;
    result.exponent_ = a.exponent_ + b.exponent_;
    result.limbs_.assign(a.limbs_.size() + b.limbs_.size(), 0);
    for (std::size_t i = 0; i < a.limbs_.size(); ++i) {
      std::uint64_t carry = 0;
      for (std::size_t j = 0; j < b.limbs_.size(); ++j) {
        carry += std::uint64_t{a.limbs_[i]} * b.limbs_[j] + result.limbs_[i + j];
        result.limbs_[i + j] = static_cast<std::uint32_t>(carry);
        carry >>= 32;
      }
      result.limbs_[i + b.limbs_.size()] = static_cast<std::uint32_t>(carry);
    }
    result.trim();
    return result;
  }

  // Cut to 128 bits, the last one set if anything was lost.
  wide rounded_to_odd() const {
    wide result;
    if (limbs_.empty()) return result;
    const auto limb = [&](std::size_t from_top) {
      return from_top < limbs_.size() ? std::uint64_t{limbs_[limbs_.size() - 1 - from_top]} : 0;
    };
    const int zeros = std::countl_zero(limbs_.back());
    const auto word = [&](std::size_t from_top) { return limb(from_top) << 32 | limb(from_top + 1); };
    const auto shifted = [&](std::size_t from_top) {
      return zeros == 0 ? word(from_top) : word(from_top) << zeros | limb(from_top + 2) >> (32 - zeros);
    };
    result.negative = negative_;
    result.exponent = 32 * end() - 1 - zeros;
    result.high = shifted(0);
    result.low = shifted(2);
    bool rest = (limb(4) << zeros & 0xFFFF'FFFF) != 0;
    for (std::size_t i = 5; i < limbs_.size(); ++i) rest = rest || limb(i) != 0;
    if (rest) result.low |= 1;
    return result;
  }

 private:
  int end() const { return exponent_ + static_cast<int>(limbs_.size()); }
  std::int64_t signed_limb(std::size_t i, int from) const {
    const int at = static_cast<int>(i) + from - exponent_;
    if (at < 0 || at >= static_cast<int>(limbs_.size())) return 0;
    const std::int64_t limb = limbs_[static_cast<std::size_t>(at)];
    return negative_ ? -limb : limb;
  }
  // Removes zeros at both ends.
  void trim() {
    while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
    std::size_t zeros = 0;
    while (zeros < limbs_.size() && limbs_[zeros] == 0) ++zeros;
    limbs_.erase(limbs_.begin(), limbs_.begin() + static_cast<std::ptrdiff_t>(zeros));
    exponent_ += static_cast<int>(zeros);
    if (limbs_.empty()) negative_ = false, exponent_ = 0;
  }

  bool negative_ = false;
  int exponent_ = 0;                  // of the first limb: 2^(32 exponent)
  std::vector<std::uint32_t> limbs_;  // the lowest first; neither the first nor the last is 0
};

// The sign of p / sqrt(d) - q. d is above 0.
inline int compare_with_root(const dyadic& p, const dyadic& d, const dyadic& q) {
  if (p.sign() != q.sign() || q.sign() == 0) return p.sign() - q.sign() > 0 ? 1 : p.sign() == q.sign() ? 0 : -1;
  return p.sign() * (p * p - q * q * d).sign();
}

// p / sqrt(d) + b with a relative error below 2^-118. `root` is that of d. Where p and b have other signs it is
// (p^2 - b^2 d) / (d (p / sqrt(d) - b)), in which nothing cancels.
inline wide quotient_by_root(const dyadic& p, const dyadic& d, const wide& root, const dyadic& b) {
  const wide quotient = p.rounded_to_odd() / root;
  if (p.sign() * b.sign() >= 0) return quotient + b.rounded_to_odd();
  return (p * p - b * b * d).rounded_to_odd() / (d.rounded_to_odd() * (quotient - b.rounded_to_odd()));
}

// That, rounded once. Where 128 bits do not decide it, the middle between two numbers of T is compared exactly. Zero
// has no sign.
template <class T>
T rounded_quotient_by_root(const dyadic& p, const dyadic& d, const wide& root, const dyadic& b) {
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
  const int side = compare_with_root(p, d, dyadic(middle) - b);
  return side < 0 ? one : side > 0 ? other : goldml::rounded<T>(middle);
}

}  // namespace goldml::arithmetic
