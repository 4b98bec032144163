// What a device that computes in FLOAT32, or in half precision, may answer to an activation of one element.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <type_traits>

#include <goldml/arithmetic/activation_bounds.hpp>
#include <goldml/arithmetic/activation_limits.hpp>
#include <goldml/arithmetic/bounds.hpp>
#include <goldml/core/data_type.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/verdict.hpp>

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

// A device does not go below 0 where every formula is a quotient or maximum of numbers that are not negative, nor
// beyond what a quotient of 1 may be, rounded to T.
template <class T>
void clamp_to_range(const activation& f, bool half, interval& result) {
  using enum activation_type;
  const activation_type type = type_of(f);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double low = -infinity, high = infinity;
  if (type == sigmoid || type == relu || type == hard_sigmoid) low = 0;
  if (type == hard_sigmoid) high = 1;
  if ((type == tanh || type == scaled_tanh) && !half) {
    high = 1 + quotient_error;
    if (type == scaled_tanh) high *= std::abs(goldml::detail::widened(f.parameters[0]));
    low = -high;
  }
  const auto least = static_cast<float>(goldml::rounded<T>(low)), most = static_cast<float>(goldml::rounded<T>(high));
  result.low = (std::max)(result.low, least);
  result.usual_low = (std::max)(result.usual_low, least);
  result.high = (std::min)(result.high, most);
  result.usual_high = (std::min)(result.usual_high, most);
}

// HARD_SWISH of an infinity: itself times 1, or times 0, which is NaN to a product and 0 to what chooses. Alpha times
// it is NaN if a device has Alpha as 0; then the clamp may give either.
template <class T>
interval hard_swish_of_infinity(const activation& f, double w, bool half) {
  const double a = goldml::detail::widened(f.parameters[0]);
  const bool is_kept = a != 0 && (a < 0) == (w < 0);
  interval result = a == 0 ? interval{} : interval_of<T>(is_kept ? w : 0.0, 0, 0);
  if (!is_kept) result.also |= interval_also::nan;
  if (a == 0 || (half && is_below_half(a)) || (std::is_same_v<T, float16> && std::abs(a) < least_normal))
    result.also =
        static_cast<std::uint8_t>(result.also | interval_also::nan |
                                  (w < 0 ? interval_also::negative_infinity : interval_also::positive_infinity));
  return result;
}

// GELU and SWISH of an infinity times 0: NaN, or 0.
inline std::optional<interval> limit_of_product(const activation& f, double w) {
  using enum activation_type;
  const bool is_product = type_of(f) == gelu || type_of(f) == swish;
  if (!is_product || !goldml::detail::is_infinite_double(w)) return {};
  interval result{0, 0, 0, 0, interval_also::nan};
  const double y = activation_value(f, w).value, a = std::abs(goldml::detail::widened(f.parameters[0]));
  if (!goldml::is_nan(y)) {
    result.low = result.high = result.usual_low = result.usual_high = static_cast<float>(y);
    if (type_of(f) == gelu || a >= least_normal) result.also = 0;  // or read as 0, which gives NaN
  } else if (type_of(f) == swish && a == 0) {
    result.low = std::numeric_limits<float>::infinity(), result.high = -result.low;
  }
  return result;
}

// f(w), which is `value`, where the device has w to within `error`. With `flushes`, results below 2^-126 may be zeros.
// With `half` it computes in FLOAT16.
template <class T>
interval interval_at(const activation& f, double w, const approximation& value, double error, bool flushes, bool half,
                     error_grade grade) {
  using enum activation_type;
  const activation_type type = type_of(f);
  if (type == clip) return clip_interval<T>(f, w, error, flushes, half);
  double y = value.value;
  const bool loses = half && goldml::detail::is_infinite_double(w) && loses_infinity_in_half(f, w);
  if (goldml::is_nan(w) ||
      (type == hard_sigmoid && (loses || goldml::is_nan(goldml::detail::widened(f.parameters[0]) * w)))) {
    // max, min and comparisons may skip NaN (AR-R4); a clamp to 0..1 gives either end.
    interval result = interval_of<T>(y, 0, 0);
    if (type == hard_sigmoid) {
      result.low = result.usual_low = 0;
      result.high = result.usual_high = 1;
      result.also = interval_also::integers;
    }
    result.also = static_cast<std::uint8_t>(result.also | interval_also::nan);
    return result;
  }
  if (half && is_lost_in_half(f)) return any_answer;
  if (type == hard_swish && goldml::detail::is_infinite_double(w)) return hard_swish_of_infinity<T>(f, w, half);
  if (const auto limit = limit_of_product(f, w)) return *limit;
  using goldml::detail::is_finite_double;
  // A fused one has f of that infinity beside this.
  const bool is_own = grade == error_grade::possible;
  std::uint8_t also = half && is_beyond_half(f, is_own ? w : 0) ? interval_also::specials : 0;
  if (loses) also |= interval_also::nan;
  flushes = flushes && std::is_same_v<T, float>;
  const double flushed = flushes && type != identity ? 2 * least_normal : 0;
  if (!is_finite_double(w) || !is_finite_double(y)) {
    const double bound = is_finite_double(y) ? error_of_limit(f, w, half, flushed, grade) : 0;
    interval result = interval_of<T>(y, bound, bound);
    result.also = static_cast<std::uint8_t>(result.also | also | (goldml::is_nan(y) ? interval_also::nan : 0));
    clamp_to_range<T>(f, half, result);
    return result;
  }
  const composed_value answer =
      half ? half_composed(f, w, error, flushed, grade, value) : composed(f, w, error, {1, flushed, grade}, value);
  y = answer.value;
  const double bound = answer.error;
  interval result = interval_of<T>(y, bound, bound);
  result.also = static_cast<std::uint8_t>(result.also | also | overflows_of(f, w, error, half));
  if (half && y + bound >= 65520) result.also |= interval_also::positive_infinity;  // as a FLOAT16
  if (half && y - bound <= -65520) result.also |= interval_also::negative_infinity;
  clamp_to_range<T>(f, half, result);
  // max(0, x) is x, and the other term not above 0.
  if (type == celu && !half && w - error >= 0) {
    const interval most = interval_of<T>(w, error + flushed, error + flushed);
    result.high = result.usual_high = most.high;
    result.also = static_cast<std::uint8_t>((result.also & ~interval_also::high_toward_zero) |
                                            (most.also & interval_also::high_toward_zero));
  }
  const double scale = goldml::detail::widened(f.parameters[0]);
  if (type == swish && half && scale * w - std::abs(scale) * error <= -10.8) {
    result.low = result.usual_low = (std::min)(result.low, 0.0F);
    result.high = result.usual_high = (std::max)(result.high, 0.0F);
  }
  // e^-x overflows, and the quotient is 0.
  if (type == sigmoid && half && w - error <= -11) result.low = result.usual_low = 0;
  return result;
}

template <class T>
interval interval_at(const activation& f, double w, double error, bool flushes, bool half, error_grade grade) {
  return interval_at<T>(f, w, activation_value(f, w), error, flushes, half, grade);
}

// Whether what is close differs from what is possible.
constexpr bool has_grades(activation_type type) {
  using enum activation_type;
  return type == swish || type == gelu || type == sigmoid || type == softsign || type == celu || type == softplus ||
         type == tanh || type == scaled_tanh;
}

// Adds what a device may answer that has another number, or another function: apart from the first interval, unless
// that has it.
inline void add_other(const interval& other, element_intervals& all) {
  const auto low = goldml::order_key(other.low), high = goldml::order_key(other.high);
  std::uint8_t also = other.also;
  const auto has_infinity = [&](double x) { return low == high && goldml::detail::widened(other.low) == x; };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (has_infinity(infinity)) also |= interval_also::positive_infinity;
  if (has_infinity(-infinity)) also |= interval_also::negative_infinity;
  also = static_cast<std::uint8_t>(also & interval_also::specials);
  for (interval* const each : {&all.main.allowed, &all.main.close})
    each->also = static_cast<std::uint8_t>(each->also | also);
  if (low > high || has_infinity(infinity) || has_infinity(-infinity)) return;
  const interval& usual = all.main.close;
  if (goldml::order_key(usual.usual_low) <= low && high <= goldml::order_key(usual.usual_high)) return;
  if (std::find(all.others.begin(), all.others.end(), other) == all.others.end()) all.others.push_back(other);
}

// What flushing adds besides: a number below 2^-126, which the device may have to within `error` of w, may be a zero of
// its sign, and so may a parameter; and so may the reciprocal of a number above 2^126.
template <class T>
void add_flushed(const activation& f, double w, double error, error_grade grade, element_intervals& all) {
  using enum activation_type;
  if (!std::is_same_v<T, float> || type_of(f) == clip || type_of(f) == identity) return;
  const auto is_subnormal = [](double x) { return x != 0 && std::abs(x) < least_normal; };
  const double a = goldml::detail::widened(f.parameters[0]);
  const bool first = is_subnormal(a), second = is_subnormal(goldml::detail::widened(f.parameters[1]));
  const bool argument = goldml::detail::is_finite_double(w) && w != 0 && std::abs(w) - error < least_normal;
  for (unsigned which = 1; which < 8; ++which) {
    if (((which & 1) != 0 && !argument) || ((which & 2) != 0 && !first) || ((which & 4) != 0 && !second)) continue;
    activation other = f;
    if ((which & 2) != 0) other.parameters[0] = std::copysign(0.0F, f.parameters[0]);
    if ((which & 4) != 0) other.parameters[1] = std::copysign(0.0F, f.parameters[1]);
    if (type_of(f) == softplus && (which & 2) != 0) continue;  // an infinity, which the quotient may be anyway
    const double x = (which & 1) != 0 ? std::copysign(0.0, w) : w;
    add_other(interval_at<T>(other, x, (which & 1) != 0 ? 0 : error, true, false, grade), all);
  }
  const double divisor = type_of(f) == softsign ? std::abs(w) + error : type_of(f) == softplus ? std::abs(a) : 0;
  if (divisor >= least_divisor_of_subnormal && goldml::detail::is_finite_double(w))
    add_other(interval_of<T>(0, 0, 0), all);
}

// f(w), where the device has w to within `error`, usually within `usual_error`.
template <class T>
element_intervals intervals_at(const activation& f, double w, double error, double usual_error, bool flushes, bool half,
                               error_grade grade) {
  const bool is_tanh = type_of(f) == activation_type::tanh || type_of(f) == activation_type::scaled_tanh;
  const bool is_function = is_tanh || type_of(f) == activation_type::gelu;
  const bool graded =
      is_function ? grade == error_grade::possible && (is_tanh || !half) : has_grades(type_of(f)) && !half;
  element_intervals result;
  const approximation value = activation_value(f, w);
  interval& allowed = result.main.allowed;
  allowed = interval_at<T>(f, w, value, error, flushes, half, grade);
  interval& close = result.main.close;
  close = graded ? interval_at<T>(f, w, value, error, flushes, half, error_grade::close) : allowed;
  result.by = is_function && graded ? interval_refusal::functions : interval_refusal::reciprocals;
  if (graded || usual_error != error) {
    const interval usual =
        usual_error != error ? interval_at<T>(f, w, value, usual_error, flushes, half, error_grade::close) : close;
    for (interval* const each : {&allowed, &close}) {
      each->usual_low = (std::max)(usual.usual_low, each->low);
      each->usual_high = (std::min)(usual.usual_high, each->high);
    }
  }
  if (flushes && !half) add_flushed<T>(f, w, error, grade, result);
  return result;
}

}  // namespace detail

// Whether flushing adds nothing to what a device may answer in FLOAT32 to f of x, a FLOAT32, which is rounded to y.
// Nothing that it reads is flushed: x and the parameters are zeros or normal, and no divisor is beyond 2^125. To the
// error it adds 2^-125, in a sum with f's own error. Where f has one, that is at least 2^-24 of |f(x)|, or of the
// greater sum whose share it takes: 2^-71 at least, so that the sum is rounded to what it was. Where it has none, f(x)
// is a FLOAT32, and 2^-125 is less than half a unit in its last place, as is any error below 2^-71.
inline bool is_flushing_lost(const activation& f, float x, float y) {
  const auto is_between = [](float v, float low, float high) { return std::abs(v) >= low && std::abs(v) <= high; };
  const auto is_kept = [&](float v) { return goldml::is_zero(v) || is_between(v, 0x1p-126F, 0x1p125F); };
  return type_of(f) != activation_type::clip && is_between(x, 0x1p-126F, 0x1p20F) &&
         is_between(y, 0x1p-20F, 0x1p100F) && is_kept(f.parameters[0]) && is_kept(f.parameters[1]);
}

// What a device may answer to an activation that is an operator of its own. In half precision x may be rounded to
// FLOAT16 first, unless that holds it; beyond 65504 to an infinity, and with half_products also to 65504, but nothing
// is known of those of is_lost_beyond_half(). With `flushes`, FLOAT32 subnormals may be zeros of their sign, as
// arguments, parameters and results.
template <class T>
element_intervals own_activation_intervals(const activation& f, double x, bool flushes, accumulation precision) {
  const bool half = precision != accumulation::single;  // products and exponentials are rounded
  const bool finite = goldml::detail::is_finite_double(x);
  const bool is_beyond = half && finite && std::abs(x) > half_precision.greatest;
  if (is_beyond && detail::is_lost_beyond_half(type_of(f))) return {{any_answer, any_answer}};
  const bool is_rounded = half && finite && goldml::detail::widened(goldml::rounded<float16>(x)) != x;
  const double error = is_rounded ? fused_error<float16>(x, 0) : 0;
  element_intervals result = detail::intervals_at<T>(f, x, error, error, flushes, half, error_grade::possible);
  if (!is_beyond) return result;
  const auto allow = [&](double other) {
    detail::add_other(detail::interval_at<T>(f, std::copysign(other, x), 0, flushes, true, error_grade::possible),
                      result);
  };
  if (precision == accumulation::half_products) allow(half_precision.greatest);
  allow(std::numeric_limits<double>::infinity());
  return result;
}

}  // namespace goldml::arithmetic
