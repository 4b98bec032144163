// Logarithms and exponentials to more than 250 bits, for golden values that a double cannot decide.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <goldml/arithmetic/exact_sum.hpp>

namespace goldml {

// A number from 0 to 2^64, in units of 2^-320. Results are cut.
class long_real {
 public:
  constexpr long_real() = default;
  explicit constexpr long_real(std::uint64_t integer) {
    limbs_[fraction_limbs] = static_cast<std::uint32_t>(integer);
    limbs_[fraction_limbs + 1] = static_cast<std::uint32_t>(integer >> 32);
  }

  // The magnitude of a sum divided by 2^exponent.
  static long_real of(const exact_sum& sum, int exponent) {
    long_real result;
    for (std::size_t bit = 0; bit < 32 * limb_count; ++bit)
      if (sum.has_bit(static_cast<int>(bit) - fraction_bits + exponent))
        result.limbs_[bit / 32] |= std::uint32_t{1} << (bit % 32);
    return result;
  }

  void add_to(exact_sum& sum, bool negative) const {
    for (std::size_t i = 0; i < limb_count; ++i)
      if (limbs_[i] != 0) sum.add_bits(limbs_[i], static_cast<int>(32 * i) - fraction_bits, negative);
  }

  bool is_zero() const { return limbs_ == std::array<std::uint32_t, limb_count>{}; }
  std::uint64_t floor() const { return std::uint64_t{limbs_[fraction_limbs + 1]} << 32 | limbs_[fraction_limbs]; }

  friend bool operator<(const long_real& a, const long_real& b) {
    for (std::size_t i = limb_count; i-- > 0;)
      if (a.limbs_[i] != b.limbs_[i]) return a.limbs_[i] < b.limbs_[i];
    return false;
  }
  friend long_real operator+(const long_real& a, const long_real& b) {
    long_real result;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < limb_count; ++i) {
      carry += std::uint64_t{a.limbs_[i]} + b.limbs_[i];
      result.limbs_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    return result;
  }
  // a is not less than b.
  friend long_real operator-(const long_real& a, const long_real& b) {
    long_real result;
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < limb_count; ++i) {
      const std::uint64_t difference = std::uint64_t{a.limbs_[i]} - b.limbs_[i] - borrow;
      result.limbs_[i] = static_cast<std::uint32_t>(difference);
      borrow = difference >> 63;
    }
    return result;
  }
  friend long_real operator*(const long_real& a, const long_real& b) {
    std::array<std::uint32_t, 2 * limb_count> product{};
    for (std::size_t i = 0; i < limb_count; ++i) {
      std::uint64_t carry = 0;
      for (std::size_t j = 0; j < limb_count; ++j) {
        carry += std::uint64_t{a.limbs_[i]} * b.limbs_[j] + product[i + j];
        product[i + j] = static_cast<std::uint32_t>(carry);
        carry >>= 32;
      }
      product[i + limb_count] = static_cast<std::uint32_t>(carry);
    }
    long_real result;
    for (std::size_t i = 0; i < limb_count; ++i) result.limbs_[i] = product[i + fraction_limbs];
    return result;
  }
  friend long_real operator/(const long_real& a, std::uint32_t b) {
    long_real result;
    std::uint64_t remainder = 0;
    for (std::size_t i = limb_count; i-- > 0;) {
      remainder = remainder << 32 | a.limbs_[i];
      result.limbs_[i] = static_cast<std::uint32_t>(remainder / b);
      remainder %= b;
    }
    return result;
  }
  // For a below b, and b below 2^32.
  friend long_real operator/(long_real a, const long_real& b) {
    long_real result;
    for (std::size_t bit = fraction_bits; bit-- > 0;) {
      a = a + a;
      if (a < b) continue;
      a = a - b;
      result.limbs_[bit / 32] |= std::uint32_t{1} << (bit % 32);
    }
    return result;
  }
  long_real halved(std::uint32_t times) const {
    long_real result = *this;
    for (; times >= 31; times -= 31) result = result / (std::uint32_t{1} << 31);
    return result / (std::uint32_t{1} << times);
  }

 private:
  static constexpr std::size_t fraction_limbs = 10;
  static constexpr std::size_t limb_count = 12;
  static constexpr int fraction_bits = 320;

  std::array<std::uint32_t, limb_count> limbs_{};  // the lowest first
};

namespace detail {

// 2 * atanh(z), for z up to 1/3.
inline long_real twice_atanh(const long_real& z) {
  const long_real square = z * z;
  long_real power = z;
  long_real sum;
  for (std::uint32_t n = 1; !power.is_zero(); n += 2, power = power * square) sum = sum + power / n;
  return sum + sum;
}

inline const long_real& long_ln_2() {
  static const long_real value = twice_atanh(long_real(1) / 3);
  return value;
}

// e^-x for x below 2^31.
inline long_real exp_of_minus(const long_real& x) {
  const long_real& ln_2 = long_ln_2();
  const std::uint64_t whole = x.floor();
  auto k = static_cast<std::uint32_t>(static_cast<double>(whole) * 1.4426950408889634);
  while (long_real(k) * ln_2 < x) ++k;
  if (k > 400) return {};                               // below 2^-399
  const long_real r = (long_real(k) * ln_2 - x) / 256;  // e^-x = 2^-k * (e^r)^256
  long_real term(1);
  long_real sum(1);
  for (std::uint32_t n = 1; !term.is_zero(); ++n) {
    term = term * r / n;
    sum = sum + term;
  }
  for (int i = 0; i < 8; ++i) sum = sum * sum;
  return sum.halved(k);
}

}  // namespace detail

// Adds ln(x), for x above 0, to a sum; with an error below 2^-290 if x has at most 300 bits.
inline void add_logarithm(const exact_sum& x, exact_sum& sum) {
  int exponent = x.highest_bit();
  if (x.has_bit(exponent - 1)) ++exponent;  // x / 2^exponent is in [0.75, 1.5)
  const long_real m = long_real::of(x, exponent);
  const long_real one(1);
  const bool below = m < one;
  const long_real z = (below ? one - m : m - one) / (m + one);
  detail::twice_atanh(z).add_to(sum, below);
  const bool negative = exponent < 0;
  (long_real(static_cast<std::uint64_t>(negative ? -exponent : exponent)) * detail::long_ln_2()).add_to(sum, negative);
}

}  // namespace goldml
