// What overflows, infinite arguments and half precision do to an activation; and CLIP.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/arithmetic/activation_bounds.hpp>
#include <goldml/arithmetic/bounds.hpp>
#include <goldml/core/data_type.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/verdict.hpp>

namespace goldml::arithmetic::detail {

// What FLOAT16 rounds to 0, or toward 0.
inline bool is_below_half(double x) { return x != 0 && std::abs(x) < 0x1p-24; }

// Flags of interval_also for intermediate results that may overflow although f(x) does not, of an x that is finite and
// within `error` of what the device has.
inline std::uint8_t overflows_of(const activation& f, double x, double error, bool half) {
  using enum activation_type;
  const double greatest = (half ? half_precision : single_precision).greatest;
  const double of_roundings = half ? 1 + 0x1p-9 : slack;  // of parameters, too
  const double log_of_greatest = half ? 11.0 : 88.72;     // e to this is the greatest number
  const double a = goldml::detail::widened(f.parameters[0]), b = goldml::detail::widened(f.parameters[1]);
  const auto infinity = [](bool negative) {
    return negative ? interval_also::negative_infinity : interval_also::positive_infinity;
  };
  const auto most = [&](double factor) { return factor * x * slack + std::abs(factor) * error; };
  switch (type_of(f)) {
    case linear:
      if (std::abs(a) * (std::abs(x) + error) * of_roundings >= greatest) return infinity((a < 0) != (x < 0));
      break;
    case softplus:
      if (most(a) >= log_of_greatest) return infinity(a < 0);
      if (a != 0 && std::abs(a) < least_normal) return infinity(a < 0);  // 1 / Steepness overflows
      break;
    case parametric_softplus:
      if (most(b) < log_of_greatest) break;
      if (a == 0) return interval_also::nan;
      // In FLOAT16 Alpha may be 0.
      return static_cast<std::uint8_t>(infinity(a < 0) | (half && is_below_half(a) ? interval_also::nan : 0));
    case celu:
      if (a < 0 && (x / a) * slack - error / a >= log_of_greatest) return interval_also::negative_infinity;
      break;
    default:
      break;
  }
  return 0;
}

// Whether f(w), w infinite, is 0 * inf to a device that rounds a parameter to 0 as a FLOAT16.
inline bool loses_infinity_in_half(const activation& f, double w) {
  using enum activation_type;
  const bool first = is_below_half(goldml::detail::widened(f.parameters[0]));
  const bool second = is_below_half(goldml::detail::widened(f.parameters[1]));
  switch (type_of(f)) {
    case linear:
    case hard_sigmoid:
    case hard_swish:
      return first;
    case leaky_relu:
      return w < 0 && first;
    case scaled_elu:
      return second || (w < 0 && first);
    case scaled_tanh:
      return second;
    case parametric_softplus:
      return first || second;
    default:
      return false;
  }
}

// Whether nothing is known of what a device that computes in FLOAT16 makes of f: it may read a parameter as an infinity
// of which it makes a number, as tanh(inf); or as 0 where f divides by it.
inline bool is_lost_in_half(const activation& f) {
  using enum activation_type;
  const double a = std::abs(goldml::detail::widened(f.parameters[0]));
  const double b = std::abs(goldml::detail::widened(f.parameters[1]));
  constexpr double greatest = half_precision.greatest;
  switch (type_of(f)) {
    case swish:
    case softplus:
    case celu:
      return a > greatest || (a != 0 && a < 0x1p-14);
    case thresholded_relu:
      return a > greatest;
    case hard_sigmoid:
    case hard_swish:
    case shrink:
      return (std::max)(a, b) > greatest;
    case scaled_tanh:
    case parametric_softplus:
      return b > greatest;
    default:
      return false;
  }
}

// Whether nothing is known of f(w) of a device that computes in FLOAT16 where that does not hold w (AR-R10).
constexpr bool is_lost_beyond_half(activation_type type) {
  using enum activation_type;
  return type == gelu || type == swish || type == hard_swish || type == thresholded_relu || type == shrink;
}

// Whether a device that computes in FLOAT16 may read a number as an infinity.
inline bool is_beyond_half(const activation& f, double w) {
  const double a = std::abs(goldml::detail::widened(f.parameters[0]));
  const double b = std::abs(goldml::detail::widened(f.parameters[1]));
  constexpr double greatest = half_precision.greatest;
  if (goldml::detail::is_finite_double(w) && std::abs(w) > greatest) return true;
  return (std::max)(a, b) > greatest || (type_of(f) == activation_type::scaled_elu && a * b * (1 + 0x1p-9) > greatest);
}

// The bound on f(w) of a device that computes in FLOAT16. Each error of a primitive is 2^13 times that in FLOAT32 at
// most; as much again covers the rounding of parameters, toward zero too, and the products of errors, but where f is
// one product. Results below the normal numbers are off by 2^-25 in each step, and so are parameters, which the later
// steps multiply by others. `more` is activation_error()'s.
struct half_argument {
  double error;
  step_errors steps;
};
inline half_argument half_argument_of(const activation& f, double w, double error, double more, error_grade grade) {
  using enum activation_type;
  const activation_type type = type_of(f);
  const bool keeps_w = type == identity || type == relu || ((type == leaky_relu || type == elu) && w - error >= 0);
  if (keeps_w) return {error, {1, more, grade}};
  const double a = std::abs(goldml::detail::widened(f.parameters[0]));
  const double b = std::abs(goldml::detail::widened(f.parameters[1]));
  const double least = w - error, most = w + error;
  if (type == thresholded_relu) error += 0x1p-10 * a + 0x1p-24;  // the threshold is rounded
  if (type == shrink) error += 0x1p-10 * b + 0x1p-24;
  double steps = 0x1p-22 * (1 + a) * (1 + b) * (1 + (std::min)(std::abs(w), half_precision.greatest));
  if ((type == softplus || type == celu) && a != 0) steps += 0x1p-22 / a + 0x1p-22 * std::abs(w) / a;
  if (type == shrink) steps += 0x1p-10 * a;  // Bias is rounded, and subtracted from a number near it
  // Between -Threshold and the rounded one, both comparisons fail, or both hold.
  if (type == shrink && f.parameters[1] < 0) steps += 0x1p-10 * b + 0x1p-24;
  if (type == leaky_relu) steps += 0x1p-11 * a * (std::max)(-least, 0.0);
  if (type == scaled_elu) steps += 0x1p-11 * b * (std::max)(most, 0.0);
  return {error, {0x1p14, steps + more, grade}};
}
inline composed_value half_composed(const activation& f, double w, double error, double more, error_grade grade,
                                    const approximation& value) {
  const half_argument x = half_argument_of(f, w, error, more, grade);
  return composed(f, w, x.error, x.steps, value);
}

// The bound where w is infinite, and the limit a number: that at a great w.
inline double error_of_limit(const activation& f, double w, bool half, double more, error_grade grade) {
  const double great = w < 0 ? -0x1p200 : 0x1p200;
  if (!half) return activation_error(f, great, {1, more, grade});
  const double a = std::abs(goldml::detail::widened(f.parameters[0]));
  const double b = std::abs(goldml::detail::widened(f.parameters[1]));
  if (type_of(f) == activation_type::relu) return 0;
  return activation_error(f, great, {0x1p14, 0x1p-22 * (1 + a) * (1 + b) + more, grade});
}

// CLIP is monotone in all three of its numbers. The device may have w to within `error`, a FLOAT32 subnormal as 0 and,
// in half precision, bounds rounded to FLOAT16, to nearest or toward zero. Min and Max may be compared in the other
// order, and NaN may give either.
template <class T>
interval clip_interval(const activation& f, double w, double error, bool flushes, bool half) {
  flushes = flushes && std::is_same_v<T, float>;
  struct ends {
    double low, high;
  };
  const auto given = [&](float bound) -> ends {
    const double x = goldml::detail::widened(bound);
    if (flushes && std::abs(x) < least_normal) return {(std::min)(x, 0.0), (std::max)(x, 0.0)};
    if (!half || goldml::detail::widened(goldml::rounded<float16>(x)) == x) return {x, x};
    const double off = 0x1p-10 * std::abs(x) + 0x1p-24;
    constexpr double infinity = std::numeric_limits<double>::infinity(), greatest = half_precision.greatest;
    if (x > greatest) return {greatest, infinity};
    if (x < -greatest) return {-infinity, -greatest};
    return {x - off, x + off};
  };
  const ends least = given(f.parameters[0]), greatest = given(f.parameters[1]);
  if (goldml::is_nan(error)) error = std::numeric_limits<double>::infinity();
  if (flushes && std::abs(w) - error < least_normal) error = error == 0 ? std::abs(w) : error + least_normal;
  ends y{clipped(least.low, greatest.low, goldml::detail::below(w, error)),
         clipped(least.high, greatest.high, goldml::detail::above(w, error))};
  if (goldml::is_nan(w) || least.high > greatest.low)
    y = {(std::min)(least.low, greatest.low), (std::max)(least.high, greatest.high)};
  const interval low = interval_of<T>(y.low, 0, 0), high = interval_of<T>(y.high, 0, 0);
  interval result{low.low, high.high, low.usual_low, high.usual_high};
  result.also = static_cast<std::uint8_t>((low.also & interval_also::low_toward_zero) |
                                          (high.also & interval_also::high_toward_zero) |
                                          (goldml::is_nan(w) ? interval_also::nan : 0));
  return result;
}

}  // namespace goldml::arithmetic::detail
