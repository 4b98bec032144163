// x * Scale + Bias of one element: the exact number, and the same rounded once (ledger L28). In integer arithmetic, so
// that no mode of the processor changes a result.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/arithmetic/wide.hpp>
#include <goldml/core/attribute_values.hpp>
#include <goldml/core/data_type.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/rounding.hpp>

namespace goldml::arithmetic {

namespace detail {

template <class T>
double element_as_double(T x) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, float16>)
    return exact_double(x);
  else
    return static_cast<double>(x);
}

// A finite element.
template <class T>
wide exact_number(T x) {
  if constexpr (std::is_integral_v<T>) {
    const bool negative = x < 0;
    const auto bits = static_cast<std::uint64_t>(x);
    return normalized(negative, 63, negative ? std::uint64_t{0} - bits : bits, 0);
  } else {
    return wide(element_as_double(x));
  }
}

// To nearest even.
inline double nearest_double(const wide& x) {
  if (x.is_zero()) return 0;
  const std::uint64_t sign = x.negative ? std::uint64_t{1} << 63 : 0;
  constexpr std::uint64_t infinity = goldml::detail::float_bits<double>::infinity;
  if (x.exponent > 1023) return std::bit_cast<double>(sign | infinity);
  if (x.exponent < -1075) return std::bit_cast<double>(sign);
  const int below_normal = x.exponent < -1022 ? -1022 - x.exponent : 0;
  const int cut = 11 + below_normal;  // of the 64 bits of `high`; at most all of them
  const std::uint64_t kept = cut == 64 ? 0 : x.high >> cut;
  const std::uint64_t half = std::uint64_t{1} << (cut - 1);
  const std::uint64_t rest = x.high & (half | (half - 1));
  const bool up = rest > half || (rest == half && (x.low != 0 || kept % 2 == 1));
  // Of a normal number, `kept` has the implicit bit, which adds one to the stored exponent; so does a carry.
  const std::uint64_t exponent = below_normal == 0 ? static_cast<std::uint64_t>(x.exponent + 1022) << 52 : 0;
  return std::bit_cast<double>(sign | (exponent + kept + (up ? 1 : 0)));
}

}  // namespace detail

// To nearest even.
template <class T>
T nearest(const wide& x) {
  if constexpr (std::is_same_v<T, double>)
    return detail::nearest_double(x);
  else
    return rounded<T>(x);
}

// What Scale and Bias make of a finite element, both finite: without rounding.
template <class T>
wide scaled_exactly(T x, const scale_bias& by) {
  return detail::exact_number(x) * wide(exact_double(by.scale)) + wide(exact_double(by.bias));
}

// Where that is infinite or NaN, or a zero, which has a sign: the result. Nothing is rounded here.
struct scaled_special {
  bool found = false;
  double value = 0;
};
template <class T>
scaled_special special_of_scaled(T x, const scale_bias& by) {
  using goldml::detail::is_finite_double;
  using goldml::detail::is_negative_double;
  const double a = detail::element_as_double(x);  // of an integer, only its sign matters
  const double scale = exact_double(by.scale);
  const double bias = exact_double(by.bias);
  if (!is_finite_double(a) || !is_finite_double(scale)) return {true, a * scale + bias};
  if (!is_finite_double(bias)) return {true, bias};
  if (!scaled_exactly(x, by).is_zero()) return {};
  const bool zero_product = is_zero(a) || is_zero(scale);
  const bool both_negative =
      zero_product && is_negative_double(a) != is_negative_double(scale) && is_negative_double(bias);
  return {true, both_negative ? -0.0 : 0.0};
}

// x * Scale + Bias rounded once to the element's type, to nearest even. An integer is truncated and saturated, as CAST
// does; NaN gives 0.
template <class T>
T scaled(T x, const scale_bias& by) {
  const scaled_special special = special_of_scaled(x, by);
  if constexpr (std::is_same_v<T, double>) {
    if (special.found) return is_nan(special.value) ? std::numeric_limits<double>::quiet_NaN() : special.value;
    return detail::nearest_double(scaled_exactly(x, by));
  } else if constexpr (is_floating_type<T>) {
    return special.found ? goldml::rounded<T>(special.value) : nearest<T>(scaled_exactly(x, by));
  } else {
    using limits = std::numeric_limits<T>;
    if (special.found && is_nan(special.value)) return 0;
    if (special.found && is_zero(special.value)) return 0;
    if (special.found) return special.value < 0 ? (limits::min)() : (limits::max)();
    const wide y = scaled_exactly(x, by);
    if (y.exponent < 0) return 0;
    const bool fits_64_bits = y.exponent <= 63;
    const std::uint64_t whole = fits_64_bits ? y.high >> (63 - y.exponent) : 0;
    const std::uint64_t most = y.negative ? std::uint64_t{0} - static_cast<std::uint64_t>((limits::min)())
                                          : static_cast<std::uint64_t>((limits::max)());
    if (!fits_64_bits || whole > most) return y.negative ? (limits::min)() : (limits::max)();
    return static_cast<T>(y.negative ? std::uint64_t{0} - whole : whole);
  }
}

// Whether x * Scale + Bias, truncated, is an integer of the type.
template <class T>
bool is_scaled_in_range(T x, const scale_bias& by) {
  static_assert(std::is_integral_v<T>);
  const scaled_special special = special_of_scaled(x, by);
  if (special.found) return is_zero(special.value);
  const wide y = scaled_exactly(x, by);
  const wide one(1.0);
  return less(detail::exact_number((std::numeric_limits<T>::min)()) - one, y) &&
         less(y, detail::exact_number((std::numeric_limits<T>::max)()) + one);
}

}  // namespace goldml::arithmetic
