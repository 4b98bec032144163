// The samples of an axis of a region of ROI_ALIGN as a device may see them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <goldml/arithmetic/place_bounds.hpp>
#include <goldml/arithmetic/roi_axis.hpp>

namespace goldml::detail {

// A sample that may lie in the image.
struct roi_sample {
  std::vector<margin_tap> taps;  // of NEAREST_NEIGHBOR one of several elements, of which the golden one has weight 1
  bool may_be_outside = false;   // it is too near to a limit
  std::uint64_t number = 0;      // of all samples of the axis
  double place = 0;              // exact on an exact axis
};

// The samples of each output of an axis.
struct roi_margins {
  std::vector<std::vector<roi_sample>> outputs;
  bool exact = false;  // a device has all places exactly
  int lowest = 0;      // of an exact axis: 2^lowest divides all weights
  place_margin off = {};
};

inline roi_margins margins_of(const roi_axis& axis, bool linear, bool half) {
  roi_margins result;
  result.exact = axis.is_exact();
  place_margin& off = result.off;
  if (!result.exact) off = {axis.margin(roundings_of_reciprocal_sample), axis.margin(roundings_of_sample)};
  const double by = off.most * (1 + 0x1p-20), last = static_cast<double>(axis.size - 1);
  for (std::uint32_t output = 0; output < axis.outputs; ++output) {
    auto& samples = result.outputs.emplace_back();
    const auto [begin, end] = axis.inside_of(output, by);
    for (std::uint64_t k = begin; k < end; ++k) {
      const exact_place t = axis.place(k);
      const double value = t.value(), part = value - std::floor(value);  // exact on an exact axis
      roi_sample& sample = samples.emplace_back();
      sample.number = k;
      sample.place = value;
      sample.may_be_outside = std::abs(value + 1) <= by || std::abs(value - axis.size) <= by;
      if (linear) {
        sample.taps = margin_taps(t, axis.size, off, half);
        if (result.exact && !is_zero(part)) result.lowest = (std::min)(result.lowest, odd_part(part).exponent);
        continue;
      }
      std::uint32_t low = t.element(place_rounding::nearest_down, axis.size), high = low;
      const std::uint32_t golden = low;
      if (result.exact) {
        high = t.element(place_rounding::nearest_up, axis.size);
      } else {
        low = static_cast<std::uint32_t>((std::clamp)(std::ceil(value - by - 0.5), 0.0, last));
        high = static_cast<std::uint32_t>((std::clamp)(std::floor(value + by + 0.5), 0.0, last));
      }
      for (std::uint32_t at = low; at <= high; ++at) sample.taps.push_back({at, at == golden ? 1.0 : 0.0});
    }
  }
  return result;
}

// Adds an interpolated sample to a sum, and returns its finite part. x(row, column) are the elements.
template <class X>
double add_roi_sample(const roi_sample& down, const roi_sample& across, bool may_vanish, const X& x, margin_sum& sum) {
  double value = 0;
  for (const margin_tap& a : across.taps)
    for (const margin_tap& b : down.taps) {
      const double each = x(b.at, a.at);
      sum.add(
          {0, a.weight * b.weight, (a.weight + a.allowance) * (b.weight + b.allowance),
           (a.weight + a.close_allowance) * (b.weight + b.close_allowance), may_vanish || a.may_vanish || b.may_vanish},
          each);
      if (is_finite_double(each)) value += a.weight * b.weight * each;
    }
  return value;
}

// Of several numbers, each known by an interval, the greatest.
class greatest_interval {
 public:
  void add(const graded_interval& each) {
    allowed_.add(each.allowed);
    close_.add(each.close);
  }
  graded_interval result() const { return {allowed_.result(), close_.result()}; }

 private:
  class ends {
   public:
    void add(const interval& x) {
      also_ = static_cast<std::uint8_t>(
          also_ | (x.also & (interval_also::nan | interval_also::positive_infinity | interval_also::of_terms)));
      const bool below = (x.also & interval_also::negative_infinity) != 0;
      const bool is_number = order_key(x.low) <= order_key(x.high);
      all_below_ = all_below_ && (below || !is_number);
      if (!is_number) return;
      // One that may be NaN, or far below, need not count; but one of all does.
      const bool may_drop = below || (x.also & interval_also::nan) != 0;
      const auto is_better = [&](float low, float than) {
        return may_drop ? !any_sure_ && (!any_ || order_key(low) < order_key(than))
                        : !any_sure_ || order_key(low) > order_key(than);
      };
      if (is_better(x.low, all_.low)) {
        all_.low = x.low;
        cut_low_ = (x.also & interval_also::low_toward_zero) != 0;
      }
      if (is_better(x.usual_low, all_.usual_low)) all_.usual_low = x.usual_low;
      any_sure_ = any_sure_ || !may_drop;
      if (!any_ || order_key(x.high) > order_key(all_.high)) {
        all_.high = x.high;
        cut_high_ = (x.also & interval_also::high_toward_zero) != 0;
      } else if (order_key(x.high) == order_key(all_.high)) {
        cut_high_ = cut_high_ && (x.also & interval_also::high_toward_zero) != 0;
      }
      if (!any_ || order_key(x.usual_high) > order_key(all_.usual_high)) all_.usual_high = x.usual_high;
      any_ = true;
    }
    interval result() const {
      interval x = all_;
      x.also = static_cast<std::uint8_t>(also_ | (all_below_ ? interval_also::negative_infinity : 0) |
                                         (cut_low_ ? interval_also::low_toward_zero : 0) |
                                         (cut_high_ ? interval_also::high_toward_zero : 0));
      return x;
    }

   private:
    interval all_;
    std::uint8_t also_ = 0;
    bool any_ = false, any_sure_ = false, all_below_ = true, cut_low_ = false, cut_high_ = false;
  };

  ends allowed_, close_;
};

}  // namespace goldml::detail
