// What one element of an arithmetic operator may be besides its golden value.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/core/data_type.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/rounding.hpp>

namespace goldml {

// Flags of an interval, combined with |.
namespace interval_also {
inline constexpr std::uint8_t nan = 1;
inline constexpr std::uint8_t positive_infinity = 2;
inline constexpr std::uint8_t negative_infinity = 4;
inline constexpr std::uint8_t infinities = positive_infinity | negative_infinity;
inline constexpr std::uint8_t specials = nan | infinities;  // what is no finite number
// The end itself is reached only if the narrowing to FLOAT16 rounds toward zero (AR-R7).
inline constexpr std::uint8_t low_toward_zero = 8;
inline constexpr std::uint8_t high_toward_zero = 16;
inline constexpr std::uint8_t integers = 32;  // of the numbers from low to high only the integers
// The infinities and the NaN are terms or elements that a device may use or not: nothing overflows.
inline constexpr std::uint8_t of_terms = 64;
}  // namespace interval_also

// The numbers from low to high, both included, compared as numbers, so that -0 equals +0; and what `also` has. No
// number if low is above high. The ends may be infinite. Number is double for FLOAT64 elements and integers, otherwise
// float.
template <class Number>
struct basic_interval {
  Number low = std::numeric_limits<Number>::infinity();
  Number high = -std::numeric_limits<Number>::infinity();
  // What a device gives whose roundings are independent; the rest of the interval is possible, but suspicious.
  Number usual_low = std::numeric_limits<Number>::infinity();
  Number usual_high = -std::numeric_limits<Number>::infinity();
  std::uint8_t also = 0;

  friend bool operator==(const basic_interval&, const basic_interval&) = default;
};
using interval = basic_interval<float>;
// Of the negated numbers.
constexpr interval mirrored(const interval& x) {
  const int infinities = x.also & interval_also::infinities;
  const bool both = infinities == interval_also::infinities || infinities == 0;
  return {-x.high, -x.low, -x.usual_high, -x.usual_low,
          static_cast<std::uint8_t>(both ? x.also : x.also ^ interval_also::infinities)};
}
inline constexpr interval any_answer{-std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity(),
                                     -std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity(),
                                     interval_also::specials};
// The Number of the intervals of elements of type T. It has all integers of 32 bits.
template <class T>
using interval_number = std::conditional_t<
    std::is_same_v<T, float> || std::is_same_v<T, float16> || (std::is_integral_v<T> && sizeof(T) == 1), float, double>;

// How a value lies in an interval, from worst to best.
enum class interval_place : std::uint8_t {
  outside,
  overflowed,   // no number, where an intermediate result may overflow although the golden value is finite (RE-R2)
  suspicious,   // inside, but not usual
  toward_zero,  // inside only if the narrowing to FLOAT16 rounds toward zero
  usual,
};

namespace detail {

template <class Number>
bool is_between(Number low, Number x, Number high) {
  return !is_nan(low) && !is_nan(high) && order_key(low) <= order_key(x) && order_key(x) <= order_key(high);
}

// Infinities count as integers.
template <class Number>
bool is_integer(Number x) {
  return order_key(x) == order_key(std::trunc(x));
}

}  // namespace detail

template <class Number, class T>
interval_place place_in(const basic_interval<Number>& allowed, T value) {
  static_assert(std::is_same_v<Number, interval_number<T>>);
  const auto has = [&](std::uint8_t flag) { return (allowed.also & flag) != 0; };
  if (is_nan(value)) return has(interval_also::nan) ? interval_place::usual : interval_place::outside;
  Number x = 0;
  if constexpr (std::is_same_v<T, Number>)
    x = value;
  else
    x = static_cast<Number>(value);
  constexpr Number infinity = std::numeric_limits<Number>::infinity();
  if (has(interval_also::integers) && !detail::is_integer(x)) return interval_place::outside;
  if (detail::is_between(allowed.low, x, allowed.high)) {
    const auto key = order_key(x);
    const bool cut = (has(interval_also::low_toward_zero) && key == order_key(allowed.low)) ||
                     (has(interval_also::high_toward_zero) && key == order_key(allowed.high));
    if (cut) return interval_place::toward_zero;
    if (detail::is_between(allowed.usual_low, x, allowed.usual_high)) return interval_place::usual;
    if (detail::magnitude_bits(x) != detail::float_bits<Number>::infinity) return interval_place::suspicious;
  }
  if (order_key(x) == order_key(infinity) && has(interval_also::positive_infinity)) return interval_place::usual;
  if (order_key(x) == order_key(-infinity) && has(interval_also::negative_infinity)) return interval_place::usual;
  return detail::is_between(allowed.low, x, allowed.high) ? interval_place::suspicious : interval_place::outside;
}

// Whether `value` is an infinity or a NaN that is allowed although the golden value is finite, and the infinity lies
// beyond both ends: some intermediate result may overflow. A NaN that is allowed alone comes from the inputs.
template <class Number, class T>
bool is_overflow(const basic_interval<Number>& allowed, T golden, T value) {
  constexpr auto infinite_bits = detail::float_bits<T>::infinity;
  if ((allowed.also & interval_also::of_terms) != 0) return false;
  if (detail::magnitude_bits(golden) >= infinite_bits || detail::magnitude_bits(value) < infinite_bits) return false;
  const auto beyond = [&](std::uint8_t flag, Number infinity) {
    return (allowed.also & flag) != 0 && !detail::is_between(allowed.low, infinity, allowed.high);
  };
  constexpr Number infinity = std::numeric_limits<Number>::infinity();
  const bool above = beyond(interval_also::positive_infinity, infinity);
  const bool below = beyond(interval_also::negative_infinity, -infinity);
  if (is_nan(value)) return (allowed.also & interval_also::nan) != 0 && (above || below);
  return order_key(value) > 0 ? above : below;
}

namespace detail {

// `exact` plus or minus `error`, widened by more than the rounding of the sum itself. Exact if the error is 0.
inline double below(double exact, double error) {
  return error == 0 ? exact : exact - (error * (1 + 0x1p-40) + std::abs(exact) * 0x1p-52);
}
inline double above(double exact, double error) {
  return error == 0 ? exact : exact + (error * (1 + 0x1p-40) + std::abs(exact) * 0x1p-52);
}

}  // namespace detail

// Whether a FLOAT32 result may be narrowed to FLOAT16 toward zero (AR-R7).
enum class float16_narrowing : std::uint8_t { nearest_even, also_toward_zero };

// The results of a device that holds a number within `error` of `exact` and rounds it to T, usually within
// `usual_error`. `exact` is a finite double, or known to within an error that the caller has added to both errors; an
// infinity allows only itself, and NaN no number. An error that is infinite or NaN allows every number.
template <class T>
interval interval_of(double exact, double error, double usual_error,
                     float16_narrowing narrowing = float16_narrowing::also_toward_zero) {
  interval result;
  if (is_nan(exact)) return result;
  if (detail::magnitude_bits(exact) == detail::float_bits<double>::infinity) {
    result.low = result.high = result.usual_low = result.usual_high = rounded<float>(exact);
    return result;
  }
  const auto at = [](double x, rounding direction) -> float {
    if constexpr (std::is_same_v<T, float>)
      return rounded<T>(x, direction);
    else
      return static_cast<float>(rounded<T>(x, direction));
  };
  const auto ends = [&](double by, float& low, float& high, std::uint8_t& also) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    if (is_nan(by) || detail::magnitude_bits(by) == detail::float_bits<double>::infinity) {
      low = -infinity;
      high = infinity;
      return;
    }
    const double least = detail::below(exact, by);
    const double most = detail::above(exact, by);
    low = at(least, rounding::nearest_even);
    high = at(most, rounding::nearest_even);
    if (std::is_same_v<T, float> || narrowing == float16_narrowing::nearest_even) return;
    const float low_cut = at(least, rounding::toward_zero);
    const float high_cut = at(most, rounding::toward_zero);
    if (order_key(low_cut) < order_key(low)) {
      low = low_cut;
      also = static_cast<std::uint8_t>(also | interval_also::low_toward_zero);
    }
    if (order_key(high_cut) > order_key(high)) {
      high = high_cut;
      also = static_cast<std::uint8_t>(also | interval_also::high_toward_zero);
    }
  };
  std::uint8_t of_usual = 0;  // where a usual end is cut, so is the value between it and its neighbour
  ends(usual_error, result.usual_low, result.usual_high, of_usual);
  ends(error, result.low, result.high, result.also);
  return result;
}

}  // namespace goldml
