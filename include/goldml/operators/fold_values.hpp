// The golden values of FOLD: sums of floats, rounded once, also of FLOAT64; of integers modulo 2^bits.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/arithmetic/values.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/rounding.hpp>

namespace goldml::detail {

// The sum, rounded to the nearest FLOAT64. It is a multiple of 2^-1074.
inline double rounded_to_double(const exact_double_sum& sum) {
  if (sum.is_zero_sum()) return sum.value();
  auto [high, low, exponent] = sum.leading();
  const std::uint64_t sign = sum.is_negative() ? std::uint64_t{1} << 63 : 0;
  std::uint64_t significand = high >> 11;
  if (exponent < -1022) return std::bit_cast<double>(sign | significand >> (-1022 - exponent));  // subnormal: exact
  const std::uint64_t rest = high & 0x7FF;
  if (rest > 0x400 || (rest == 0x400 && (low != 0 || significand % 2 != 0))) ++significand;
  if (significand >> 53 != 0) {
    significand >>= 1;
    ++exponent;
  }
  if (exponent > 1023) return std::bit_cast<double>(sign | float_bits<double>::infinity);
  return make_double(sign != 0, significand, exponent - 52);
}

template <class T>
class golden_sum {
 public:
  void add(T x) {
    if constexpr (std::is_integral_v<T>) {
      total_ += static_cast<std::uint64_t>(x);  // negative numbers modulo 2^64
    } else if constexpr (std::is_same_v<T, double>) {
      if (is_finite_double(x))
        total_.add(x);
      else
        specials_.add(x);
    } else {
      total_.add(exact_double(x));
    }
  }
  T value() const {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(total_);
    else if constexpr (std::is_same_v<T, double>)
      return specials_.is_finite() ? rounded_to_double(total_) : specials_.special();
    else
      return goldml::rounded<T>(total_.value());
  }

 private:
  struct nothing {};
  static constexpr bool is_double = std::is_same_v<T, double>;
  std::conditional_t<std::is_integral_v<T>, std::uint64_t,
                     std::conditional_t<is_double, exact_double_sum, extended_sum>>
      total_{};
  std::conditional_t<is_double, extended_sum, nothing> specials_{};
};

}  // namespace goldml::detail
