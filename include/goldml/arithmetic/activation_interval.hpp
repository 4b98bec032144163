// What a device that computes in FLOAT32, or in half precision, may answer to an activation of one element.
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

namespace goldml::arithmetic {

// The error of the argument of a fused activation, which a device may round to the type of the tensor first.
template <class T>
double fused_error(double w, double error) {
  if constexpr (std::is_same_v<T, float>)
    return error + detail::u32 * (std::abs(w) + error);
  else
    return error + 0x1p-10 * (std::abs(w) + error) + 0x1p-24;  // also toward zero (AR-R7)
}

namespace detail {

// What FLOAT16 rounds to 0, or toward 0.
inline bool is_below_half(double x) { return x != 0 && std::abs(x) < 0x1p-24; }

// Flags of interval_also for intermediate results that may overflow although f(x) does not, x finite, of which the
// device may be off by `error`.
inline std::uint8_t overflows_of(const activation& f, double x, double error, bool half) {
  using enum activation_type;
  const double greatest = (half ? half_precision : single_precision).greatest;
  const double of_roundings = half ? 1 + 0x1p-9 : slack;  // of parameters, too
  const double log_of_greatest = half ? 11.0 : 88.72;  // e to this is the greatest number
  const double a = goldml::detail::widened(f.parameters[0]), b = goldml::detail::widened(f.parameters[1]);
  const auto infinity = [](bool negative) {
    return negative ? interval_also::negative_infinity : interval_also::positive_infinity;
  };
  switch (type_of(f)) {
    case linear:
      if (std::abs(a) * (std::abs(x) + error) * of_roundings >= greatest) return infinity((a < 0) != (x < 0));
      break;
    case softplus:
      if (a * x * slack >= log_of_greatest) return infinity(a < 0);
      break;
    case parametric_softplus:
      if (b * x * slack < log_of_greatest) break;
      if (a == 0) return interval_also::nan;
      // In FLOAT16 Alpha may be 0.
      return static_cast<std::uint8_t>(infinity(a < 0) | (half && is_below_half(a) ? interval_also::nan : 0));
    case celu:
      if (x < 0 && a < 0 && x / a * slack >= log_of_greatest) return interval_also::negative_infinity;
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

// Whether f of an infinity is what f of great numbers tends to, or as great, whatever FLOAT16 makes of parameters.
inline bool is_known_beyond_half(activation_type type) {
  using enum activation_type;
  return type == identity || type == relu || type == leaky_relu || type == elu || type == sigmoid || type == tanh ||
         type == hard_sigmoid;
}

// Whether nothing is known of what a device that computes in FLOAT16 makes of f(w): a number may be read as an infinity
// or, where f divides by it or w is infinite, as 0.
inline bool is_lost_in_half(const activation& f, double w) {
  using enum activation_type;
  const activation_type type = type_of(f);
  const double a = std::abs(goldml::detail::widened(f.parameters[0]));
  const double b = std::abs(goldml::detail::widened(f.parameters[1]));
  constexpr double greatest = half_precision.greatest;
  if ((std::max)(a, b) > greatest || (type == scaled_elu && a * b * (1 + 0x1p-9) > greatest)) return true;
  if ((type == softplus || type == celu) && a != 0 && a < 0x1p-14) return true;
  if (goldml::detail::is_infinite_double(w)) return loses_infinity_in_half(f, w);
  return std::abs(w) > greatest && !is_known_beyond_half(type);
}

// The bound on f(w) of a device that computes in FLOAT16. Each error of a primitive is 2^13 times that in FLOAT32 at
// most; as much again covers the rounding of parameters, toward zero too, and the products of errors, but where f is
// one product. Results below the normal numbers are off by 2^-25 in each step, and so are parameters, which the later
// steps multiply by others. `more` is activation_error()'s.
inline composed_value half_composed(const activation& f, double w, double error, double more) {
  using enum activation_type;
  const activation_type type = type_of(f);
  const bool keeps_w = type == identity || type == relu || ((type == leaky_relu || type == elu) && w - error >= 0);
  if (keeps_w) return composed(f, w, error, 1, more);
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
  return composed(f, w, error, 0x1p14, steps + more);
}

// The bound where w is infinite, and the limit y a number. It is exact, but for ln 1; in half precision also where it
// is made of parameters.
inline double error_of_limit(const activation& f, double y, bool half) {
  using enum activation_type;
  const activation_type type = type_of(f);
  const double a = std::abs(goldml::detail::widened(f.parameters[0]));
  const double b = std::abs(goldml::detail::widened(f.parameters[1]));
  const double of_log = log_error(0) * slack * (half ? 0x1p14 : 1);
  if (type == softplus) return of_log / a;
  if (type == parametric_softplus) return of_log * a;
  const bool has_parameters = type == elu || type == celu || type == scaled_elu || type == scaled_tanh;
  return half && has_parameters ? 0x1p-9 * std::abs(y) + 0x1p-22 * (1 + a) * (1 + b) : 0;
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

// activation_interval(), where the device does not read w as another number.
template <class T>
interval interval_at(const activation& f, double w, double error, bool flushes, bool half) {
  using enum activation_type;
  const activation_type type = type_of(f);
  if (type == clip) return clip_interval<T>(f, w, error, flushes, half);
  double y = activation_value(f, w).value;
  if (goldml::is_nan(w) || (type == hard_sigmoid && goldml::is_nan(goldml::detail::widened(f.parameters[0]) * w))) {
    // max, min and comparisons may skip NaN (AR-R4); a clamp to 0..1 gives either end.
    interval result = interval_of<T>(y, 0, 0);
    if (type == hard_sigmoid) {
      result.low = result.usual_low = 0;
      result.also = interval_also::integers;
    }
    result.also = static_cast<std::uint8_t>(result.also | interval_also::nan);
    return result;
  }
  if (half && is_lost_in_half(f, w)) return any_answer;
  using goldml::detail::is_finite_double;
  if (!is_finite_double(w) || !is_finite_double(y)) {
    const double bound = is_finite_double(y) ? error_of_limit(f, y, half) : 0;
    interval result = interval_of<T>(y, bound, bound);
    if (goldml::is_nan(y)) result.also = interval_also::nan;
    return result;
  }
  flushes = flushes && std::is_same_v<T, float>;
  if (flushes && w != 0) error = (std::max)(error, std::abs(w) < least_normal ? std::abs(w) : 0);
  const double flushed = flushes && type != identity ? 2 * least_normal : 0;
  const composed_value answer = half ? half_composed(f, w, error, flushed) : composed(f, w, error, 1, flushed);
  y = answer.value;
  const double bound = answer.error;
  interval result = interval_of<T>(y, bound, bound);
  result.also = static_cast<std::uint8_t>(result.also | overflows_of(f, w, error, half));
  if (half && y + bound >= 65520) result.also |= interval_also::positive_infinity;  // as a FLOAT16
  if (half && y - bound <= -65520) result.also |= interval_also::negative_infinity;
  // A device does not go below 0 where every formula is a quotient or maximum of numbers that are not negative.
  if (type == sigmoid || type == relu || type == hard_sigmoid) {
    result.low = (std::max)(result.low, 0.0F);
    result.usual_low = (std::max)(result.usual_low, 0.0F);
  }
  if (type == hard_sigmoid) {
    result.high = (std::min)(result.high, 1.0F);
    result.usual_high = (std::min)(result.usual_high, 1.0F);
  }
  // max(0, x) is x, and the other term not above 0.
  if (type == celu && !half && w - error >= 0) {
    const interval most = interval_of<T>(w, error + flushed, error + flushed);
    result.high = result.usual_high = most.high;
    result.also = static_cast<std::uint8_t>((result.also & ~interval_also::high_toward_zero) |
                                            (most.also & interval_also::high_toward_zero));
  }
  // e^-x overflows, and the quotient is 0.
  if (type == sigmoid && half && w - error <= -11) result.low = result.usual_low = 0;
  return result;
}

// Adds what a device that has x may answer and, if f(x) is a number, what is between.
template <class T>
void extend_to(double x, interval& result, const activation& f, bool flushes, bool half) {
  const interval other = interval_at<T>(f, x, 0, flushes, half);
  result.also = static_cast<std::uint8_t>(result.also | (other.also & ~interval_also::integers));
  if (goldml::detail::is_infinite_double(activation_value(f, x).value)) {
    result.also = static_cast<std::uint8_t>(
        result.also | (other.low < 0 ? interval_also::negative_infinity : interval_also::positive_infinity));
    return;
  }
  if (goldml::order_key(other.low) > goldml::order_key(other.high)) return;
  if (goldml::order_key(other.low) < goldml::order_key(result.low)) {
    result.low = result.usual_low = other.low;
    result.also = static_cast<std::uint8_t>(result.also & ~interval_also::low_toward_zero);
  }
  if (goldml::order_key(other.high) > goldml::order_key(result.high)) {
    result.high = result.usual_high = other.high;
    result.also = static_cast<std::uint8_t>(result.also & ~interval_also::high_toward_zero);
  }
}

}  // namespace detail

// f(w), where the device has w to within `error`. With `flushes`, FLOAT32 subnormals may be zeros of their sign, as
// arguments and as results. With `half` the device computes in FLOAT16, and has 65504 or an infinity for what is more.
template <class T>
interval activation_interval(const activation& f, double w, double error, bool flushes, bool half = false) {
  interval result = detail::interval_at<T>(f, w, error, flushes, half);
  const bool is_known = type_of(f) == activation_type::clip || !goldml::detail::is_finite_double(w);
  if (!half || is_known || std::abs(w) <= half_precision.greatest) return result;
  for (const double x : {half_precision.greatest, std::numeric_limits<double>::infinity()})
    detail::extend_to<T>(w < 0 ? -x : x, result, f, flushes, half);
  return result;
}

// What a device may answer to an activation that is an operator of its own. In half precision x may be rounded to
// FLOAT16 first, unless that holds it.
template <class T>
interval own_activation_interval(const activation& f, double x, bool flushes, accumulation precision) {
  const bool half = precision == accumulation::half;
  const bool is_rounded = half && std::abs(x) <= (std::numeric_limits<double>::max)() &&
                          goldml::detail::widened(goldml::rounded<float16>(x)) != x;
  return activation_interval<T>(f, x, is_rounded ? fused_error<float16>(x, 0) : 0, flushes, half);
}

}  // namespace goldml::arithmetic
