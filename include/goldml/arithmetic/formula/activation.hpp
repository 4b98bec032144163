// An activation of a number that devices have differently, as operators fuse it (SPEC-arithmetic 2.6, 3.2).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <goldml/arithmetic/activation_bounds.hpp>
#include <goldml/arithmetic/activation_interval.hpp>
#include <goldml/arithmetic/activation_limits.hpp>
#include <goldml/arithmetic/formula/device_number.hpp>

namespace goldml::formula {

namespace activated {

using arithmetic::activation_type;
using arithmetic::error_grade;

inline constexpr double largest_argument = 0x1p200;  // activation_value() is defined to here

// f of the numbers from x.low to x.high.
inline possible of_numbers(const activation& f, const possible& x, const arithmetic_mode& mode, error_grade grade,
                           double flushed) {
  const bool half = mode.rounds_to_half();
  const double low = std::clamp(x.low, -largest_argument, largest_argument),
               high = std::clamp(x.high, -largest_argument, largest_argument);
  double w = low + (high - low) / 2, error = (std::max)(w - low, high - w);
  if (!is_zero(error)) error = next_above(error);
  const double given = error;
  arithmetic::step_errors steps{1, 0, grade};
  if (half) {
    const auto read = arithmetic::detail::half_argument_of(f, w, error, 0, grade);
    error = read.error;
    steps = read.steps;
  }
  arithmetic::composed_ends y = arithmetic::composed_ends_of(f, w, error, steps);
  if (!is_zero(y.own)) y.own += flushed;  // where f rounds, its steps may be flushed
  possible result;
  result.add(y.value);
  if (result.none()) return result;
  const auto end = [](double value, double by, bool up) {
    const double sum = is_zero(by) ? value : toward(value + (up ? by : -by), up);
    if (is_nan(sum) || (up ? sum : -sum) >= 0x1p150) return up ? infinity : -infinity;
    return up ? (std::max)(sum, -0x1p150) : (std::min)(sum, 0x1p150);
  };
  result.low = end(y.value, y.below + y.own, false);
  result.high = end(y.value, y.above + y.own, true);
  result.flag(arithmetic::detail::overflows_of(f, w, given, half));
  if (arithmetic::type_of(f) == activation_type::sigmoid && half && x.low <= -11) {
    result.low = 0;  // e^-x overflows; or, toward zero, is 65504
    if (mode.half_products()) result.high = (std::max)(result.high, 0x1p-16 * (1 + 0x1p-7));
  }
  // max(0, x) is x, and CELU's other term not above 0.
  if (arithmetic::type_of(f) == activation_type::celu && !half && x.low >= 0)
    result.high = (std::min)(result.high, sum_toward(x.high, flushed, true));
  return result;
}

// What no device leaves: quotients and maxima of numbers that are not negative, and tanh.
inline possible within_range(const activation& f, possible y, const arithmetic_mode& mode) {
  using enum activation_type;
  const activation_type type = arithmetic::type_of(f);
  if (y.none()) return y;
  if (type == sigmoid || type == relu || type == hard_sigmoid) y.low = (std::max)(y.low, 0.0);
  if (type == hard_sigmoid) y.high = (std::min)(y.high, 1.0);
  if ((type == tanh || type == scaled_tanh) && !mode.rounds_to_half()) {
    double most = 1 + arithmetic::quotient_error;
    if (type == scaled_tanh) most *= std::abs(detail::widened(f.parameters[0]));
    y.low = (std::max)(y.low, -most);
    y.high = (std::min)(y.high, most);
  }
  return y;
}

inline possible of(const activation& f, const possible& x, const arithmetic_mode& mode, granted what) {
  using enum activation_type;
  const bool half = mode.rounds_to_half();
  const activation_type type = arithmetic::type_of(f);
  const error_grade grade = what == granted::possible ? error_grade::in_host : error_grade::close;
  if (half && arithmetic::detail::is_lost_in_half(f)) return possible::anything();
  const double flushed = may_flush(mode) && type != identity ? 2 * 0x1p-126 : 0;
  possible result;
  if (!x.none()) result = of_numbers(f, x, mode, grade, flushed);
  if (half) result.flag(interval_also::specials, arithmetic::detail::is_beyond_half(f, 0));
  const auto add_limit = [&](double w) {
    const double y = arithmetic::activation_value(f, w).value;
    possible limit = possible::of(y);
    limit.widen(detail::is_finite_double(y) ? arithmetic::detail::error_of_limit(f, w, half, flushed, grade) : 0);
    limit.flag(interval_also::nan, half && arithmetic::detail::loses_infinity_in_half(f, w));
    if (const auto product = arithmetic::detail::limit_of_product(f, w); product && product->low == 0) limit.add(0.0);
    result.add(limit);
  };
  if (x.has(interval_also::positive_infinity)) add_limit(infinity);
  if (x.has(interval_also::negative_infinity)) add_limit(-infinity);
  if (x.has(interval_also::nan) || (result.has(interval_also::nan) && type == hard_sigmoid)) {
    // max, min and comparisons may skip NaN (AR-R4); a clamp to 0..1 gives either end.
    result.add(arithmetic::activation_value(f, std::numeric_limits<double>::quiet_NaN()).value);
    if (type == hard_sigmoid) result.add(possible{0, 1, 0});
    result.flag(interval_also::nan);
  }
  return within_range(f, result, mode);
}

}  // namespace activated

// f(x) as a step of an operator. A FLOAT32 parameter that is subnormal may be flushed, too.
inline device_number apply(const activation& f, const device_number& a) {
  const arithmetic_mode& mode = a.mode();
  const auto at = [&](granted what) {
    possible y = activated::of(f, a.read(what), mode, what);
    for (unsigned which = 1; may_flush(mode) && which < 4; ++which) {
      activation other = f;
      bool all = true;
      for (unsigned i = 0; i < 2; ++i) {
        if ((which >> i & 1U) == 0) continue;
        const double parameter = detail::widened(f.parameters[i]);
        all = all && !is_zero(parameter) && std::abs(parameter) < 0x1p-126;
        other.parameters[i] = 0;
      }
      if (all) y.add(activated::of(other, a.read(what), mode, what));
    }
    return settled(y, mode);
  };
  return device_number::graded(mode, at);
}

}  // namespace goldml::formula
