// What a device may answer to an activation of a sum, as operators fuse it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

#include <goldml/arithmetic/activation_interval.hpp>
#include <goldml/arithmetic/bounds.hpp>
#include <goldml/arithmetic/fused.hpp>
#include <goldml/arithmetic/fused_argument.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/core/verdict.hpp>

namespace goldml::arithmetic {

namespace detail {

// f of a number that the device has to within `error` of w, usually within `usual_error`.
template <class T>
element_intervals intervals_after(const activation& f, const bound& w, double error, double usual_error,
                                  const arithmetic_mode& mode) {
  element_intervals result =
      intervals_at<T>(f, w.value, error, usual_error, mode.flushes, mode.rounds_to_half(), error_grade::in_host);
  const auto allow = [&](double x) {
    add_other(interval_at<T>(f, x, 0, mode.flushes, mode.rounds_to_half(), error_grade::in_host), result);
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::uint8_t specials = specials_of<T>(w, error, mode);
  const auto has = [&](std::uint8_t flag) { return (specials & flag) != 0; };
  if (has(interval_also::positive_infinity)) allow(infinity);
  if (has(interval_also::negative_infinity)) allow(-infinity);
  constexpr double greatest = half_precision.greatest;
  const bool may_saturate = std::is_same_v<T, float16> || mode.half_products();
  if (may_saturate && goldml::detail::is_finite_double(w.value)) {
    if (w.value + error > greatest) allow(greatest);
    if (w.value - error < -greatest) allow(-greatest);
  }
  if (has(interval_also::nan)) allow(std::numeric_limits<double>::quiet_NaN());
  return result;
}

}  // namespace detail

// What a device may answer to f(w), where w is what it has before f and before any rounding to T; without f, to w. The
// device may round w to T first. Where w may be infinite or NaN, or round to an infinity, f of that is allowed as well;
// FLOAT16 tensors, and half products, also have f of the greatest FLOAT16 there, by rounding toward zero (AR-R7).
// FLOAT16 numbers that are exact stay so.
template <class T>
element_intervals fused_interval(const std::optional<activation>& f, const bound& w, const arithmetic_mode& mode) {
  if (!f) {
    const interval allowed = interval_of<T>(w);
    return {{allowed, allowed}};
  }
  if (detail::has_scale_bias(*f)) {
    activation clip = *f;
    clip.scale_bias.reset();
    const bound v = detail::scaled_argument<T>(*f->scale_bias, w, mode);
    return detail::intervals_after<T>(clip, v, v.error, v.usual_error, mode);
  }
  const double error = detail::argument_error<T>(w.value, w.error, mode);
  const double usual_error = w.usual_error == w.error ? error : detail::argument_error<T>(w.value, w.usual_error, mode);
  return detail::intervals_after<T>(*f, w, error, usual_error, mode);
}

}  // namespace goldml::arithmetic
