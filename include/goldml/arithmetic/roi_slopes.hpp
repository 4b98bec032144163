// How far a device may be from the gradient of a corner of a region: a sum of slopes of the image at samples.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <goldml/arithmetic/roi_axis.hpp>
#include <goldml/arithmetic/roi_margins.hpp>

namespace goldml::detail {

// Which errors a bound has: with approximate reciprocals; without; and those of independent roundings.
inline constexpr std::size_t error_kinds = 3;
using kinds_of_error = std::array<double, error_kinds>;

// The slope of the image along an axis at a sample, whose other axis interpolates. x(along, across) are the elements.
struct sample_slope {
  double value = 0;       // 0 before the first element and after the last one, and at them
  kinds_of_error jump{};  // how far off it is in the cells that a device may see the sample in, or at an element
  double weighted = 0;    // the sum of magnitudes of elements, by the weights across
  double sum = 0, greatest = -infinite_double, least = infinite_double;  // of all elements around
  double least_magnitude = infinite_double;                              // of those that are not 0
  int lowest = 4096;                                                     // 2^lowest divides all
  kinds_of_error across{};                                               // how far off weights are
  bool is_somewhere = false, is_smooth = true, is_finite = true;

  template <class X>
  sample_slope(const roi_sample& along, const roi_axis& axis, const place_margin& off, const roi_sample& other,
               std::uint32_t size_across, const X& x) {
    const auto first = [](const roi_sample& s) { return s.taps.front().at - (s.taps.front().at > 0 ? 1 : 0); };
    const auto last = [](const roi_sample& s, std::uint32_t size) {
      return (std::min)(s.taps.back().at + 1, size - 1);
    };
    for (std::uint32_t b = first(other); b <= last(other, size_across); ++b) {
      double row = 0, weight = 0;
      for (const margin_tap& tap : other.taps)
        if (tap.at == b) weight = tap.weight;
      for (std::uint32_t a = first(along); a <= last(along, axis.size); ++a) {
        const double each = x(a, b);
        is_finite = is_finite && is_finite_double(each);
        if (!is_finite) return;
        row += std::abs(each);
        greatest = (std::max)(greatest, each);
        least = (std::min)(least, each);
        if (is_zero(each)) continue;
        lowest = (std::min)(lowest, odd_part(each).exponent);
        least_magnitude = (std::min)(least_magnitude, std::abs(each));
      }
      sum += row;
      weighted += weight * row;
    }
    for (const margin_tap& tap : other.taps)
      across = {(std::max)(across[0], tap.allowance), (std::max)(across[1], tap.close_allowance),
                (std::max)(across[2], tap.close_allowance)};
    const auto slope_in = [&](double cell) {
      const auto j = static_cast<std::uint32_t>(cell);
      double result = 0;
      for (const margin_tap& tap : other.taps) result += tap.weight * (x(j + 1, tap.at) - x(j, tap.at));
      return result;
    };
    const double t = along.place, end = static_cast<double>(axis.size - 1);
    const bool inside = t > 0 && t < end;
    if (inside) value = slope_in(std::floor(t));
    const std::array margins{off.most * (1 + 0x1p-20), off.close, off.close};
    for (std::size_t kind = 0; kind < error_kinds; ++kind) {
      const double by = margins[kind];
      const double low = (std::max)(std::ceil(t - by) - 1, 0.0), high = (std::min)(std::floor(t + by), end - 1);
      for (double cell = low; cell <= high; ++cell)
        jump[kind] = (std::max)(jump[kind], std::abs(slope_in(cell) - value));
      if (low > high) continue;
      is_somewhere = true;
      if (inside && std::ceil(t - by) > std::floor(t + by)) continue;
      is_smooth = false;
      jump[kind] = (std::max)(jump[kind], std::abs(value));
    }
  }
};

// What is the same for all samples of a region.
struct slope_setting {
  arithmetic_mode mode;
  double samples;  // of an output, which its gradient is divided by
  double roundings;
  bool exact;     // all places are
  bool by_place;  // factors are places (ledger RG-R1)
};

// What one output or sample adds to the gradient of a corner, if it is one of several slopes.
struct slope_choice {
  kinds_of_error low{}, high{};
  double magnitude = 0, overflow = 0, least_factor = infinite_double;
  int lowest = 4096;
  bool any = false, somewhere = false, exact = true, halves = true;

  // The slope times g, the scale, and what a corner has of the sample.
  void add(const sample_slope& slope, const roi_axis& axis, const roi_sample& along, const roi_margins& other, double g,
           double scale, bool of_last, const slope_setting& with) {
    const double steps = axis.steps(), r = axis.share(along.number, true, false).value() / steps;
    const double factor = axis.share(along.number, of_last, with.by_place).value() / steps;
    const double by = std::abs(g * scale) / with.samples, value = g * scale / with.samples * slope.value * factor;
    const double unit = with.mode.of().unit, in_place = with.by_place ? std::abs(along.place) + axis.size : 0;
    const kinds_of_error growths{growth(with.roundings + 6, unit), growth(with.roundings, unit),
                                 usual_growth(with.roundings, unit)};
    const double lost = with.mode.half() ? 0x1p-24 : with.mode.flushes ? 0x1p-126 : 0x1p-149;
    const double fixed = 2 * lost * (1 + std::abs(scale)) * (1 + std::abs(r) + in_place) *
                         (4 + std::abs(slope.value) + 4 * std::abs(g) / with.samples);
    const double margin = with.by_place ? axis.margin(roundings_of_reciprocal_sample) : 0;
    for (std::size_t kind = 0; kind < error_kinds; ++kind) {
      const double off = (kind == 0 ? 10 : 4) * 0x1p-24 * (1 + std::abs(r)) + margin;
      const double around = slope.across[kind] * slope.sum;
      const double error =
          by * ((std::abs(factor) + off) * (growths[kind] * (slope.weighted + around) + around + slope.jump[kind]) +
                off * std::abs(slope.value));
      const double all = slope.is_somewhere ? error + fixed : 0;
      low[kind] = any ? (std::min)(low[kind], value - all) : value - all;
      high[kind] = any ? (std::max)(high[kind], value + all) : value + all;
    }
    any = true;
    overflow = (std::max)(overflow, std::abs(g) * (std::max)(1.0, std::abs(scale)) *
                                        (std::max)({1.0, std::abs(r), std::abs(1 - r), in_place}) *
                                        (slope.greatest - slope.least) * (1 + growths[0]));
    halves = halves && (std::max)({slope.greatest, -slope.least, std::abs(g)}) <= half_precision.greatest;
    if (!slope.is_somewhere) return;
    somewhere = true;
    const double product = by * std::abs(factor) * slope.weighted;
    magnitude = (std::max)(magnitude, product);
    const auto is_single = [](double x) { return exact_double(static_cast<float>(x)) == x; };
    exact = exact && with.exact && slope.is_smooth && is_power_of_two(with.samples) && !with.mode.half() &&
            !with.by_place && is_single(r) && is_single(1 - r);
    if (!exact || is_zero(product)) return;
    int bits = slope.lowest + other.lowest - odd_part(with.samples).exponent;
    for (const double each : {g, scale, factor}) {
      bits += odd_part(each).exponent;
      least_factor = (std::min)(least_factor, std::abs(each));
    }
    least_factor = (std::min)(least_factor, slope.least_magnitude);
    lowest = (std::min)(lowest, bits);
  }
};

// The gradient of a corner.
class slope_total {
 public:
  // `or_none`: or nothing is added.
  void add(const slope_choice& each, bool or_none, std::size_t samples) {
    terms_ += static_cast<double>(samples);
    for (std::size_t kind = 0; kind < error_kinds; ++kind) {
      low_[kind] += or_none ? (std::min)(each.low[kind], 0.0) : each.low[kind];
      high_[kind] += or_none ? (std::max)(each.high[kind], 0.0) : each.high[kind];
    }
    magnitude_ += each.magnitude;
    somewhere_ = somewhere_ || each.somewhere;
    overflow_ += each.overflow;
    lowest_ = (std::min)(lowest_, each.lowest);
    least_factor_ = (std::min)(least_factor_, each.least_factor);
    exact_ = exact_ && each.exact && samples == 1 && (!or_none || !each.somewhere);
    halves_ = halves_ && each.halves;
  }
  bound result(const arithmetic_mode& mode) const {
    const double q = std::ldexp(1.0, lowest_);
    bound b;
    b.value = low_[0] / 2 + high_[0] / 2;
    if (!somewhere_ || (exact_ && magnitude_ * single_precision.unit <= q && magnitude_ <= single_precision.greatest &&
                        q >= (mode.flushes ? 0x1p-126 : 0x1p-149) && !(mode.flushes && least_factor_ < 0x1p-126)))
      return b;
    const double in_double = (terms_ + 40) * 0x1p-50 * magnitude_;
    const auto error = [&](std::size_t kind) {
      return (std::max)(high_[kind] - b.value, b.value - low_[kind]) + in_double;
    };
    b.error = error(0);
    b.close_error = error(1);
    b.usual_error = error(2);
    b.add(interval_also::specials, overflow_ >= mode.of().greatest || (mode.half() && !halves_));
    return b;
  }

 private:
  kinds_of_error low_{}, high_{};
  double terms_ = 0, magnitude_ = 0, overflow_ = 0, least_factor_ = infinite_double;
  int lowest_ = 4096;
  bool somewhere_ = false, exact_ = true, halves_ = true;
};

}  // namespace goldml::detail
