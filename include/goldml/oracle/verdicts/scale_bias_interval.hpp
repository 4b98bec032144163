// The numbers that a device may have for x * Scale + Bias, computed with one rounding or with two (ledger L28).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/arithmetic/scale_bias.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/core/number.hpp>

namespace goldml::detail {

inline arithmetic::wide power_of_two(std::int32_t exponent) {
  return arithmetic::times_power_of_two(arithmetic::wide(1.0), exponent);
}

template <class T>
struct number_format {
  static constexpr int precision = std::numeric_limits<T>::digits;
  static constexpr int least_normal = std::numeric_limits<T>::min_exponent - 1;  // the exponents of the least normal
  static constexpr int greatest = std::numeric_limits<T>::max_exponent - 1;      // and of the greatest number
};
template <>
struct number_format<float16> {
  static constexpr int precision = 11;
  static constexpr int least_normal = -14;
  static constexpr int greatest = 15;
};

// The unit in the last place of T at a number: not below the least subnormal or, if subnormals are flushed, the least
// normal number.
template <class T>
arithmetic::wide unit_at(const arithmetic::wide& x, bool flushes) {
  using format = number_format<T>;
  const int exponent = x.is_zero() ? format::least_normal : (std::max)(int{x.exponent}, format::least_normal);
  const int unit = exponent - (format::precision - 1);
  return power_of_two(flushes ? (std::max)(unit, format::least_normal) : unit);
}

template <class T>
bool is_infinite(T x) {
  return magnitude_bits(x) == float_bits<T>::infinity;
}
template <class T>
T negated(T x) {
  using bits = typename float_bits<T>::type;
  return std::bit_cast<T>(static_cast<bits>(std::bit_cast<bits>(x) ^ (bits{1} << (8 * sizeof(bits) - 1))));
}

// The least T that is at least x; +infinity if no number is.
template <class T>
T first_from(const arithmetic::wide& x) {
  using bits = typename float_bits<T>::type;
  const T near_x = arithmetic::nearest<T>(x);
  const auto magnitude = static_cast<bits>(magnitude_bits(near_x));
  const bits sign = static_cast<bits>(std::bit_cast<bits>(near_x) - magnitude);
  const bool negative = sign != 0;
  if (is_infinite(near_x)) return negative ? std::bit_cast<T>(static_cast<bits>(sign | (magnitude - 1))) : near_x;
  if (!arithmetic::less(arithmetic::detail::exact_number(near_x), x)) return near_x;
  return std::bit_cast<T>(static_cast<bits>(negative ? sign | (magnitude - 1) : magnitude + 1));
}
template <class T>
T last_to(const arithmetic::wide& x) {
  return negated(first_from<T>(-x));
}

template <class T>
bool is_subnormal_float32(T x) {
  if constexpr (std::is_same_v<T, float>)
    return !is_zero(x) && is_zero(flushed(x));
  else
    return false;
}

// The numbers that a device may have for x * Scale + Bias, in the element's type: all within a unit in the last place
// of x * Scale and one of the result. Only the result itself if neither is rounded. No number if the result is NaN.
template <class T>
basic_interval<interval_number<T>> scaled_interval(T x, const scale_bias& by, bool flushes) {
  using number = interval_number<T>;
  using format = number_format<T>;
  basic_interval<number> result;
  const auto between = [&](T low, T high) {
    result.low = result.usual_low = static_cast<number>(low);
    result.high = result.usual_high = static_cast<number>(high);
  };
  const auto infinity_of = [](bool negative) {
    return negative ? interval_also::negative_infinity : interval_also::positive_infinity;
  };
  const arithmetic::scaled_special special = arithmetic::special_of_scaled(x, by);
  if (special.found && is_nan(special.value)) return result;
  const T golden = arithmetic::scaled(x, by);
  const bool finite_terms = is_finite_double(arithmetic::detail::element_as_double(x)) && is_finite_double(by.scale);
  const arithmetic::wide product =
      finite_terms ? arithmetic::scaled_exactly(x, scale_bias{by.scale, 0}) : arithmetic::wide();
  const T rounded_product = arithmetic::nearest<T>(product);
  if (special.found && !is_zero(special.value)) {  // an infinity
    between(golden, golden);
    if (is_infinite(rounded_product) && product.negative != (special.value < 0)) result.also = interval_also::nan;
    return result;
  }
  const arithmetic::wide exact = arithmetic::scaled_exactly(x, by);
  const auto holds = [](T value, const arithmetic::wide& wanted) {
    return !is_infinite(value) && (arithmetic::detail::exact_number(value) - wanted).is_zero();
  };
  const bool has_subnormal = is_subnormal_float32(x) || is_subnormal_float32(by.scale) ||
                             is_subnormal_float32(by.bias) || is_subnormal_float32(rounded_product) ||
                             is_subnormal_float32(golden);
  if (holds(rounded_product, product) && holds(golden, exact) && !(flushes && has_subnormal)) {
    between(golden, golden);
    return result;
  }
  // Units are added to the terms, not to their sum, which may have been cut to 128 bits: a value at an end is then on
  // its right side.
  const arithmetic::wide unit_of_product = unit_at<T>(product, flushes);
  const arithmetic::wide unit = unit_at<T>(exact, flushes);
  const arithmetic::wide bias(exact_double(by.bias));
  T low = first_from<T>((product - unit_of_product) + (bias - unit));
  T high = last_to<T>((product + unit_of_product) + (bias + unit));
  // From half a unit past the greatest number on, a result becomes infinite. In FLOAT32 it is within 2^-8 of FLOAT16's.
  const arithmetic::wide in_float = std::is_same_v<T, float16> ? power_of_two(-7) : arithmetic::wide();
  const arithmetic::wide end = power_of_two(format::greatest + 1) - power_of_two(format::greatest - format::precision);
  if (!arithmetic::less((product + unit_of_product) + (bias + in_float), end))
    high = std::numeric_limits<T>::infinity();
  if (!arithmetic::less(-end, (product - unit_of_product) + (bias - in_float)))
    low = negated(std::numeric_limits<T>::infinity());
  if (is_infinite(rounded_product)) result.also = infinity_of(product.negative);
  if (std::is_same_v<T, float16> && is_infinite(golden)) {
    // The greatest number, if the narrowing rounds toward zero (AR-R7).
    const T largest = last_to<T>(power_of_two(format::greatest + 1));
    if (!exact.negative && is_infinite(low)) {
      low = largest;
      result.also |= interval_also::low_toward_zero;
    } else if (exact.negative && is_infinite(high)) {
      high = negated(largest);
      result.also |= interval_also::high_toward_zero;
    }
  }
  between(low, high);
  return result;
}

}  // namespace goldml::detail
