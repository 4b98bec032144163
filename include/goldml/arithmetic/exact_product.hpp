// Products of any number of numbers, rounded once.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include <goldml/arithmetic/exact_sum.hpp>

namespace goldml {

// The product of finite numbers, as an odd integer times a power of two, without rounding while the integer has at most
// 384 bits. Longer integers lose their lowest bits: far more than 53 are left, so the product is then neither a FLOAT32
// or FLOAT16 nor the middle of two.
class exact_product {
 public:
  // x is a FLOAT32 or FLOAT16.
  void multiply(double x) {
    negative_ = negative_ != detail::is_negative_double(x);
    if (is_zero(x)) zero_ = true;
    if (zero_) return;
    const detail::odd_double part = detail::odd_part(x);
    exponent_ += part.exponent;
    std::uint64_t carry = 0;
    for (std::uint32_t& limb : limbs_) {
      const std::uint64_t product = limb * part.significand + carry;  // 32 bits times 24, plus 32
      limb = static_cast<std::uint32_t>(product);
      carry = product >> 32;
    }
    if (carry == 0) return;
    // One limb more than there are: the lowest is dropped if the highest is in use.
    cut_ = true;  // the lowest limb is odd until one is dropped
    exponent_ += 32;
    for (std::size_t i = 0; i + 1 < limbs_.size(); ++i) limbs_[i] = limbs_[i + 1];
    limbs_.back() = static_cast<std::uint32_t>(carry);
  }

  // The product rounded to odd, as exact_sum::value(); 2^1000 and 2^-1000 stand for magnitudes beyond them.
  double value() const {
    if (zero_) return negative_ ? -0.0 : 0.0;
    std::size_t top = limbs_.size() - 1;
    while (limbs_[top] == 0) --top;
    const std::int64_t highest = static_cast<std::int64_t>(32 * top + 31) - std::countl_zero(limbs_[top]);
    if (cut_) check_cut(highest);
    std::uint64_t significand = 0;
    for (std::int64_t bit = highest; bit > highest - 53; --bit) significand = 2 * significand + (has_bit(bit) ? 1 : 0);
    bool rest = cut_;
    for (std::int64_t bit = highest - 53; bit >= 0 && !rest; --bit) rest = has_bit(bit);
    const std::int64_t exponent = exponent_ + highest;
    if (exponent > 1000 || exponent < -1000) return detail::make_double(negative_, 0, exponent > 0 ? 948 : -1052);
    return detail::make_double(negative_, significand | (rest ? 1 : 0), static_cast<int>(exponent - 52));
  }

 private:
  bool has_bit(std::int64_t bit) const {
    return bit >= 0 && (limbs_[static_cast<std::size_t>(bit / 32)] >> (bit % 32)) % 2 != 0;
  }

  // The exact product is above the kept bits by less than 2^-300 of it for each limb dropped, hence by less than
  // 2^-236. That changes none of the first 53 bits unless a carry runs through all bits between.
  void check_cut(std::int64_t highest) const {
    for (std::int64_t bit = highest - 53; bit > highest - 230; --bit)
      if (!has_bit(bit)) return;
    throw std::logic_error("goldml: a product too close to a FLOAT32 to be rounded");
  }

  std::array<std::uint32_t, 12> limbs_{1};  // the lowest first
  std::int64_t exponent_ = 0;
  bool negative_ = false;
  bool zero_ = false;
  bool cut_ = false;  // whether a bit was lost
};

}  // namespace goldml
