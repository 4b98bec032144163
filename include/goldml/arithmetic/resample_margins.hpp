// What the coordinates of an axis of RESAMPLE may be made of, and what a device may store of a number in integers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <goldml/arithmetic/place_bounds.hpp>
#include <goldml/arithmetic/resample_axis.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/window_policies.hpp>

namespace goldml::detail {

// The elements that coordinate q of an axis may be with NEAREST_NEIGHBOR: from the first to the second.
inline std::pair<std::uint32_t, std::uint32_t> nearest_range(const resample_axis& axis, std::uint32_t q) {
  const exact_place t = axis.place(q);
  const bool nearest = axis.rounding == place_rounding::nearest_up || axis.rounding == place_rounding::nearest_down;
  const place_rounding down = nearest ? place_rounding::nearest_down : axis.rounding;
  const place_rounding up = nearest ? place_rounding::nearest_up : axis.rounding;
  if (axis.is_exact()) return {t.element(down, axis.size), t.element(up, axis.size)};
  const double off = axis.margin(q, roundings_of_reciprocal_place) * (1 + 0x1p-20), value = t.value();
  const auto limited = [&](double k) {
    return static_cast<std::uint32_t>((std::clamp)(k, 0.0, static_cast<double>(axis.size - 1)));
  };
  return {limited(element_of(value - off, down)), limited(element_of(value + off, up))};
}

// What each coordinate of an axis may be made of. With NEAREST_NEIGHBOR one of several elements, of which the golden
// one has the weight 1.
inline axis_margins margins_of(const resample_axis& axis, bool half) {
  axis_margins result;
  result.exact = axis.is_exact();
  result.identity = axis.is_identity();
  result.taps.reserve(axis.outputs);
  for (std::uint32_t q = 0; q < axis.outputs; ++q) {
    const exact_place t = axis.place(q);
    auto& taps = result.taps.emplace_back();
    if (!axis.linear) {
      const auto [low, high] = nearest_range(axis, q);
      const std::uint32_t golden = t.element(axis.rounding, axis.size);
      for (std::uint32_t at = low; at <= high; ++at) taps.push_back({at, at == golden ? 1.0 : 0.0, 0, 0, low < high});
    } else if (result.identity) {
      taps.push_back({q, 1});
    } else {
      place_margin off;
      if (!result.exact)
        off = {axis.margin(q, roundings_of_reciprocal_place), axis.margin(q, roundings_of_two_step_place)};
      taps = margin_taps(t, axis.size, off, half);
      const double value = t.value(), part = value - std::floor(value);  // exact on an exact axis
      if (result.exact && !is_zero(part)) result.lowest = (std::min)(result.lowest, odd_part(part).exponent);
    }
  }
  return result;
}

// The integers that a device may make of the numbers of a bound: cut toward zero, or the nearest.
inline interval integers_of(const bound& b, integer_rounding usual) {
  const auto low = [](double x, integer_rounding how) {
    return how == integer_rounding::truncate ? std::trunc(x) : std::ceil(x - 0.5);
  };
  const auto high = [](double x, integer_rounding how) {
    return how == integer_rounding::truncate ? std::trunc(x) : std::floor(x + 0.5);
  };
  const double least = below(b.value, b.error), most = above(b.value, b.error);
  using enum integer_rounding;
  interval result;
  result.low = static_cast<float>((std::min)(low(least, truncate), low(least, nearest)));
  result.high = static_cast<float>((std::max)(high(most, truncate), high(most, nearest)));
  result.usual_low = static_cast<float>(low(below(b.value, b.usual_error), usual));
  result.usual_high = static_cast<float>(high(above(b.value, b.usual_error), usual));
  return result;
}

}  // namespace goldml::detail
