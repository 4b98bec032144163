// What a device may answer to POW and CONSTANT_POW besides the golden value (SPEC-functions 3, 2.3, 2.4; ledger FN-R6,
// FN-R7, FN-R20, 7.4, L28).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/arithmetic/power.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/element_wise_traits.hpp>
#include <goldml/oracle/verdicts/element_wise_functions.hpp>
#include <goldml/oracle/verdicts/possible_sets.hpp>

namespace goldml::detail {

// x^y of a y that a device has exactly, and of any x that it may have. Tensors of FLOAT32, FLOAT16 or integers.
class power_bounds {
 public:
  using possible = formula::possible;

  // `converted`: y is an integer, which a device may round to FLOAT32.
  power_bounds(const arithmetic_mode& mode, bool converted)
      : mode_(mode), half_(mode.rounds_to_half()), converted_(converted) {}

  std::vector<possible> of(const possible& x, double y) const {
    // Half precision rounds y.
    if (half_ && is_finite(y) && formula::nearest_half(y) != y) return {possible::anything()};
    possible_sets result;
    add(x, y, result);
    if (is_small(y) && (mode_.flushes || !mode_.float32)) add(x, 0, result);
    if (mode_.flushes)
      for (possible& each : result.all) each = formula::flushed(each, least_normal_float32);
    return result.all;
  }

 private:
  static bool is_small(double x) { return x != 0 && std::abs(x) < least_normal_float32; }
  static std::uint8_t infinities(bool negative, bool positive) {
    return static_cast<std::uint8_t>((negative ? interval_also::negative_infinity : 0) |
                                     (positive ? interval_also::positive_infinity : 0));
  }

  void add(const possible& x, double y, possible_sets& result) const {
    const int sign = is_finite(y) ? arithmetic::sign_of_power(y) : 1;
    // Beyond 2^24 an integer loses its last bit where it becomes FLOAT32.
    const bool is_unsure = converted_ && std::abs(y) > 0x1p24;
    const auto add_with = [&](const possible& base) {
      result.add(over(base, y, sign));
      // 0^0 is 1, 0 or NaN, and nothing between.
      if (is_zero(y) && base.has_zero()) result.add(0.0);
      if (is_unsure && (base.low < 0 || std::signbit(base.low) || base.has(interval_also::negative_infinity)))
        result.add(over(base, y, -sign));
    };
    add_with(x);
    if (!mode_.flushes || x.none()) return;
    for (const double end : {x.low, x.high})
      if (is_small(end)) add_with(possible::of(std::copysign(0.0, end)));
  }

  // Of all numbers of x; `sign` is that of the power of a negative one, or 0.
  possible over(const possible& x, double y, int sign) const {
    possible result;
    if (x.has(interval_also::nan)) result.add(at(std::numeric_limits<double>::quiet_NaN(), y, sign));
    if (x.has(interval_also::positive_infinity)) result.add(at(formula::infinity, y, sign));
    if (x.has(interval_also::negative_infinity)) result.add(at(-formula::infinity, y, sign));
    if (x.none()) return result;
    for (const double end : {x.low, x.high}) result.add(at(end, y, sign));
    if (x.low == x.high) return result;
    if (is_nan(y) && x.low <= 1 && x.high >= 1) result.add(at(1, y, sign));
    const double nearest = x.has_zero() ? 0 : (std::min)(std::abs(x.low), std::abs(x.high));
    if (is_infinite_double(y) && nearest <= 1 && x.most() >= 1) return possible::anything();
    if (!x.has_zero()) return result;
    for (const double zero : {0.0, -0.0}) result.add(at(zero, y, sign));
    if (is_finite(y) && y < 0) {  // a pole
      result.high = formula::infinity;
      if (x.low < 0 && sign < 0) result.low = -formula::infinity;
    }
    return result;
  }

  possible at(double x, double y, int sign) const {
    const double a = std::abs(x), near_one = half_ ? 0x1p-9 : 0x1p-21;
    possible result = possible::of(arithmetic::special_power(x, y));
    if (is_zero(y)) {
      result.flag(interval_also::nan, is_zero(x) || !is_finite(x));
    } else if (is_nan(x) || is_nan(y)) {
      result.flag(interval_also::nan);
    } else if (is_infinite_double(y)) {
      if (!is_zero(x) && std::abs(std::log2(a)) <= near_one) return possible::anything();
      result.flag(interval_also::nan, x < 0);
    } else if (is_zero(x)) {
      result.flag(infinities(y < 0, y < 0), std::signbit(x));
    } else if (is_infinite_double(x)) {
      result = {};
      result.add(y < 0 ? 0 : std::copysign(formula::infinity, x < 0 && sign < 0 ? -1.0 : 1.0));
      result.flag(interval_also::nan, x < 0 && sign == 0);
    } else {
      if (x < 0 && sign == 0) return {formula::infinity, -formula::infinity, interval_also::nan};
      result = of_magnitude(a, y);
      if (x < 0 && sign < 0) result = formula::negated(result);
    }
    return result;
  }

  // exp2(y log2(a)) of the primitives of Direct3D; products and 1 / a^n are inside.
  possible of_magnitude(double a, double y) const {
    const double l = std::log2(a), w = y * l, u = single_precision.unit;
    const double delta = half_ ? std::abs(y) * 0x1p-9 * (std::max)(1.0, std::abs(l)) + 0x1p-10 * std::abs(w)
                               : std::abs(y) * 0x1p-21 * (std::max)(1.0, std::abs(l)) * (1 + u) +
                                     (converted_ && std::abs(y) > 0x1p24 ? 2 : 1) * u * std::abs(w);
    const double own = (std::abs(w) + 1) * 0x1p-44, last = half_ ? 0x1p-8 : 0x1p-21;
    possible result{std::exp2(w - delta - own) * (1 - last), std::exp2(w + delta + own) * (1 + last), 0};
    if (half_) {
      result.low = (std::max)(result.low - 0x1p-24, 0.0);
      result.high += 0x1p-24;
      if (y < 0 && (w >= 14 || w <= -15)) return {0, formula::infinity, interval_also::positive_infinity};
    }
    if (y < 0 && w - delta <= -128) result.low = 0;  // 1 / a^n, of an a^n that is infinite
    const double overflow = half_   ? half_precision.greatest
                            : y < 0 ? arithmetic::least_divisor_of_subnormal
                                    : single_precision.greatest;
    result.flag(interval_also::positive_infinity, result.high >= overflow);
    return result;
  }

  const arithmetic_mode& mode_;
  bool half_, converted_;
};

// Of floats.
template <class T>
element_intervals power_intervals(T x, const std::optional<scale_bias>& by, double y, bool is_integer,
                                  const arithmetic_mode& mode) {
  const auto base = argument_of(x, by, mode);
  const std::vector<formula::possible> all =
      base ? power_bounds(mode, is_integer).of(*base, y) : std::vector{formula::possible::anything()};
  return intervals_of_sets<T>(all, all, mode, 0);
}

// Of integers x and y: whether the power is an integer of the type, or 1 or -1 to a negative power.
template <class T>
bool is_exact_power(T x, double y) {
  if (y < 0) return x == T(1) || (std::is_signed_v<T> && x == T(-1));
  const double base = static_cast<double>(x);
  if (std::abs(base) <= 1) return true;
  double power = 1;
  for (double n = 0; n < y && std::abs(power) < 0x1p33; ++n) power *= base;
  return power >= static_cast<double>((std::numeric_limits<T>::min)()) &&
         power <= static_cast<double>((std::numeric_limits<T>::max)());
}

// An integer to the power of a float, converted as CAST does: all integers between both ends, or undefined.
template <class T>
void add_truncated_power(T x, double y, accumulation precision, std::size_t element, output_verdicts& result) {
  const arithmetic_mode mode{true, true, precision};
  const double number = static_cast<double>(x);
  auto base = formula::possible::of(number);
  if (mode.rounds_to_half()) base.widen(float16_rounding(static_cast<float>(number)));
  if (std::abs(number) > 0x1p24) base.widen(0x1p-24 * std::abs(number));
  if (mode.rounds_to_half() && std::abs(number) > half_precision.greatest) return result.make_undefined(element);
  basic_interval<double> allowed;
  for (const formula::possible& each : power_bounds(mode, false).of(base, y)) {
    if (each.also != 0 || each.none()) return result.make_undefined(element);
    const interval rounded = formula::interval_of<float>(formula::device_number(each, mode)).allowed;
    allowed.low = (std::min)(allowed.low, std::trunc(widened(rounded.low)));
    allowed.high = (std::max)(allowed.high, std::trunc(widened(rounded.high)));
  }
  if (allowed.low < static_cast<double>((std::numeric_limits<T>::min)()) ||
      allowed.high > static_cast<double>((std::numeric_limits<T>::max)()))
    return result.make_undefined(element);
  if (allowed.low == allowed.high) return;
  const auto low = static_cast<interval_number<T>>(allowed.low), high = static_cast<interval_number<T>>(allowed.high);
  result.allow_interval(element, basic_interval<interval_number<T>>{low, high, low, high, interval_also::integers});
}

// Whether flushing adds nothing to the powers of x that a device may answer in FLOAT32: x and y are normal, and so are
// both ends of its interval, as error factors are at most 2^(|y| 2^-21 max(1, |log2 x|) + 2^-15), below 2^1. Then
// power_bounds differs in nothing.
template <class T>
bool is_flushing_of_power_lost(T x, double y, T golden, accumulation precision) {
  const auto is_between = [](double v, double low, double high) { return std::abs(v) >= low && std::abs(v) <= high; };
  return precision == accumulation::single && is_between(widened(x), 0x1p-126, 0x1p127) &&
         is_between(y, 0x1p-126, 0x1p12) && is_between(widened(golden), 0x1p-60, 0x1p60);
}

template <class T>
void add_power_verdict(T x, const std::optional<scale_bias>& by, double y, bool is_integer, accumulation precision,
                       T golden, bool flushes, std::size_t element, output_verdicts& result) {
  if constexpr (!is_floating_type<T>) {
    if (flushes) return;
    if (by && !arithmetic::is_scaled_in_range(x, *by)) return result.make_undefined(element);
    const T base = by ? arithmetic::scaled(x, *by) : x;
    if (!is_integer)
      add_truncated_power(base, y, precision, element, result);
    else if (!is_exact_power(base, y))
      result.make_undefined(element);
  } else {
    if (flushes && !by && is_flushing_of_power_lost(x, y, golden, precision)) return;
    const arithmetic_mode mode{std::is_same_v<T, float>, false, precision},
        flushing{std::is_same_v<T, float>, true, precision};
    const element_intervals allowed = power_intervals(x, by, y, is_integer, mode);
    if (!flushes)
      result.allow_interval_beside(element, allowed, golden);
    else if (const auto more = power_intervals(x, by, y, is_integer, flushing); more != allowed)
      result.allow_intervals(element, more);
  }
}

template <element_wise_op Op>
void add_power_verdicts(const element_wise_desc<Op>& desc, std::span<const const_tensor_ref> inputs,
                        const tensor_ref& golden, bool flushes, output_verdicts& result) {
  std::vector<double> exponents;
  bool are_integers = false;
  if constexpr (Op == element_wise_op::pow)
    visit_data_type(a8_types{}, inputs[1].desc().data_type, [&]<class E>(std::type_identity<E>) {
      are_integers = !is_floating_type<E>;
      const auto y = inputs[1].as<E>();
      exponents.reserve(result.size());
      for (const coordinate_tuple& c : coordinates_of(golden.desc().sizes))
        exponents.push_back(arithmetic::detail::element_as_double(E(y[c])));
    });
  visit_data_type(a8_types{}, golden.desc().data_type, [&]<class T>(std::type_identity<T>) {
    const auto x = inputs[0].as<T>();
    const auto z = golden.as<T>();
    std::size_t element = 0;
    for (const coordinate_tuple& c : coordinates_of(golden.desc().sizes)) {
      double y = 0;
      if constexpr (Op == element_wise_op::pow)
        y = exponents[element];
      else
        y = exact_double(desc.exponent);
      add_power_verdict<T>(x[c], desc.scale_bias, y, are_integers, desc.accumulation, z[c], flushes, element, result);
      ++element;
    }
  });
}

}  // namespace goldml::detail
