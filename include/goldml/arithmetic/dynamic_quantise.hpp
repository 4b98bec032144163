// The scale and the zero point that DYNAMIC_QUANTIZE_LINEAR derives from a tensor, and how far a device may be from
// them (SPEC-quantised 4.7).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/arithmetic/precision.hpp>
#include <goldml/arithmetic/quantise.hpp>
#include <goldml/core/element_verdict.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/quantised_policies.hpp>
#include <goldml/core/rounding.hpp>

namespace goldml::arithmetic {

// The least and the greatest number of a tensor and 0. NaN is skipped (ledger QU-R16).
struct number_range {
  double low = 0, high = 0;
  bool has_nan = false;
  bool has_subnormal = false;  // FLOAT32

  void add(double x) {
    if (is_nan(x)) {
      has_nan = true;
      return;
    }
    low = (std::min)(low, x);
    high = (std::max)(high, x);
    has_subnormal = has_subnormal || (!is_zero(x) && std::abs(x) < single_precision.least);
  }
  void add(const number_range& other) {
    low = (std::min)(low, other.low);
    high = (std::max)(high, other.high);
    has_nan = has_nan || other.has_nan;
    has_subnormal = has_subnormal || other.has_subnormal;
  }
  double width() const { return high - low; }
  bool is_empty() const { return is_zero(low) && is_zero(high); }
  bool is_infinite() const {
    return goldml::detail::is_infinite_double(low) || goldml::detail::is_infinite_double(high);
  }
};

// (high - low) / 255, rounded to odd.
inline double exact_scale_of(const number_range& range) {
  if (range.is_infinite()) return std::numeric_limits<double>::infinity();
  exact_sum width;
  width.add(range.high);
  width.add(-range.low);
  return width.value_of_quotient(255);
}
inline float scale_of(const number_range& range, zero_range policy) {
  if (range.is_empty()) return policy == zero_range::one ? 1.0F : 0.0F;
  return goldml::rounded<float>(exact_scale_of(range));
}

// Min - low / scale, rounded and limited.
template <class Q>
Q zero_point_of(const number_range& range, float scale) {
  return quantised(-range.low / exact_double(scale), (std::numeric_limits<Q>::min)(), quantize_ties::even);
}

// What a device may write as scale. It has one value or more besides if `also_zero`, a flushed result.
inline graded_interval scale_interval(const number_range& range, const arithmetic_mode& mode) {
  graded_interval result;
  const std::uint8_t also = range.has_nan ? interval_also::nan : std::uint8_t{0};
  const double exact = exact_scale_of(range);
  if (range.is_empty()) {  // ledger QU-R16: any finite number that is not negative
    constexpr float most = (std::numeric_limits<float>::max)();
    result.allowed = {0, most, 0, most, also};
  } else {
    const auto within = [&](double roundings, double unit) {
      const double error = growth(roundings, unit) * exact;
      return interval_of<float>(exact, goldml::detail::is_infinite_double(exact) ? 0 : error, error);
    };
    if (mode.rounds_to_half()) {
      result.allowed = within(4, half_precision.unit);
    } else {
      const interval close = within(4, single_precision.unit);
      result.allowed = within(10, single_precision.unit);
      result.allowed.usual_low = close.usual_low;
      result.allowed.usual_high = close.usual_high;
      result.close = close;
    }
    if (range.width() >= single_precision.greatest * (1 - 2 * single_precision.unit))
      result.allowed.also = interval_also::positive_infinity;
    result.allowed.also = static_cast<std::uint8_t>(result.allowed.also | also);
    result.close.also = result.allowed.also;
    if (!mode.rounds_to_half()) return result;
  }
  result.close = result.allowed;
  return result;
}

// Whether nothing is known of the zero point and the elements, given the device's scale.
inline bool leaves_undefined(const number_range& range, double scale, const arithmetic_mode& mode) {
  const double width = range.width();
  const bool outside_half =
      mode.rounds_to_half() && !range.is_empty() && !(width >= 0x1p-6 && width < half_precision.greatest);
  return is_nan(scale) || std::abs(scale) < single_precision.least || outside_half ||
         goldml::detail::is_infinite_double(range.low) || (goldml::detail::is_finite_double(width) && width >= 0x1p126);
}

// What a device may make of low / scale, negated, before it rounds it and adds Min.
inline quantise_freedom zero_point_freedom(double low, double scale, const arithmetic_mode& mode) {
  const double unit = mode.of().unit;
  const bool half = mode.rounds_to_half();
  const double most = half ? growth(9, half_precision.unit) : growth(21, unit);
  const double close = half ? most : growth(9, unit);
  quantise_freedom result{.v = -low / scale};
  if (is_zero(low) || goldml::detail::is_infinite_double(scale)) return result;
  result.error = most * 256;
  result.close_error = result.usual_error = close * 256;
  return result;
}

// What a device may make of x / scale.
inline quantise_freedom element_freedom(double x, double scale, const arithmetic_mode& mode) {
  quantise_freedom result{.v = x / scale};
  result.undefined = is_nan(x) || goldml::detail::is_infinite_double(x);
  if (result.undefined || is_zero(x) || goldml::detail::is_infinite_double(scale)) return result;
  const bool half = mode.rounds_to_half();
  const auto error = [&](double roundings, double unit) {
    return growth(roundings, unit) * std::abs(result.v) * (1 + 0x1p-30);
  };
  result.error = half ? error(7, half_precision.unit) : error(19, single_precision.unit);
  result.close_error = half ? result.error : error(7, single_precision.unit);
  result.usual_error = result.close_error;
  result.also_zero = mode.flushes && std::abs(x) < single_precision.least;
  return result;
}

}  // namespace goldml::arithmetic
