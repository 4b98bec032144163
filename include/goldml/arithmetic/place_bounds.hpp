// What a device may make of elements next to places that it computes in FLOAT32, by weights that it computes from them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <goldml/arithmetic/axis_places.hpp>
#include <goldml/arithmetic/bounds.hpp>
#include <goldml/core/verdict.hpp>

namespace goldml::detail {

// How far off a device may see a place, in units of elements; 0 if it has it exactly. `close`: without approximate
// reciprocals.
struct place_margin {
  double most = 0, close = 0;
};

// An element that a device may read at a place: its exact weight, and by how much the device's may differ.
struct margin_tap {
  std::uint32_t at;
  double weight;
  double allowance = 0, close_allowance = 0;
  bool may_vanish = false;  // its weight may be 0
};

// The elements next to t, each once. One weight of 1 that a device has exactly has no allowance; the element after it
// may be read there, without weight.
inline std::vector<margin_tap> margin_taps(const exact_place& t, std::uint32_t size, const place_margin& off,
                                           bool half) {
  std::vector<margin_tap> result;
  const double last = static_cast<double>(size - 1), value = t.value();
  const limited_place at(t, size);
  const double limited = (std::clamp)(value, 0.0, last);
  const auto limited_margin = [&](double by) {  // how far a place that is off by that may be from the limited one
    by *= 1 + 0x1p-20;                          // more than the errors of these doubles
    return (std::max)(std::abs((std::clamp)(value - by, 0.0, last) - limited),
                      std::abs((std::clamp)(value + by, 0.0, last) - limited));
  };
  const double margin = limited_margin(off.most), close = limited_margin(off.close);
  if (is_zero(margin) && is_zero(at.after)) {
    result.push_back({at.first, 1});
    if (at.first + 1 < size) result.push_back({at.first + 1, 0, 0, 0, true});
    return result;
  }
  // The roundings of a + f * (b - a), whose difference may be far above the result.
  const double rounding = half ? 2 * half_precision.unit : 4 * single_precision.unit;
  const double allowance = (std::max)(margin, rounding), close_allowance = (std::max)(close, rounding);
  const double low = (std::max)(std::ceil(limited - 1 - margin), 0.0);
  const double high = (std::min)(std::floor(limited + 1 + margin), last);
  for (auto j = static_cast<std::uint32_t>(low); j <= static_cast<std::uint32_t>(high); ++j) {
    const double distance = std::abs(static_cast<double>(j) - limited);
    const bool is_term = j == at.first || (j == at.first + 1 && !is_zero(at.after));
    if (!is_term && distance >= 1 + margin) continue;
    const double weight = j == at.first ? at.before : is_term ? at.after : 0;
    result.push_back({j, weight, allowance, is_term || distance < 1 + close ? close_allowance : 0,
                      weight <= (half ? allowance : margin)});
  }
  return result;
}

// For each coordinate of a result on an axis: what it may be made of.
struct axis_margins {
  std::vector<std::vector<margin_tap>> taps;
  bool exact = false;     // a device has all places exactly
  bool identity = false;  // and every coordinate is its element
  int lowest = 0;         // of an exact axis: 2^lowest divides all weights

  axis_margins transposed(std::uint32_t size) const {
    axis_margins result{{}, exact, identity, lowest};
    result.taps.resize(size);
    for (std::uint32_t q = 0; q < taps.size(); ++q)
      for (margin_tap tap : taps[q]) {
        const std::uint32_t at = tap.at;
        tap.at = q;
        result.taps[at].push_back(tap);
      }
    return result;
  }
};

// Calls f(taps' product, place) for what the coordinates c may be made of.
template <class F>
void for_each_margin_tap(std::span<const axis_margins> axes, const coordinate_tuple& c, const F& f) {
  coordinate_tuple at = c;
  const auto visit = [&](const auto& self, std::size_t axis, const margin_tap& product) -> void {
    if (axis == axes.size()) return f(product, static_cast<const coordinate_tuple&>(at));
    for (const margin_tap& tap : axes[axis].taps[c[axis]]) {
      at[axis] = tap.at;
      margin_tap next = product;
      next.weight *= tap.weight;
      next.allowance *= tap.weight + tap.allowance;  // of products: the greatest weight
      next.close_allowance *= tap.weight + tap.close_allowance;
      next.may_vanish = next.may_vanish || tap.may_vanish;
      self(self, axis + 1, next);
    }
  };
  visit(visit, 0, {0, 1, 1, 1, false});
}

// A sum of elements by weights that are not known exactly.
class margin_sum {
 public:
  // An element that may be read with a product of weights, as for_each_margin_tap() has it.
  void add(const margin_tap& by, double x) {
    ++read_;
    if (!is_finite_double(x)) {
      open_ = true;
      if (is_nan(x)) {
        sure_nan_ = sure_nan_ || !by.may_vanish;
      } else {
        const auto sign = static_cast<std::size_t>(is_negative_double(x) ? 1 : 0);
        found_[sign] = true;
        sure_[sign] = sure_[sign] || !by.may_vanish;
      }
      return;
    }
    least_ = (std::min)(least_, x);
    greatest_ = (std::max)(greatest_, x);
    moved_ += (by.allowance - by.weight) * std::abs(x);
    close_moved_ += (by.close_allowance - by.weight) * std::abs(x);
    halves_ = halves_ && is_half(x);
    subnormal_ = subnormal_ || (!is_zero(x) && std::abs(x) < 0x1p-126);
    if (is_zero(by.weight)) return;
    terms_.add_product(by.weight, x);
    elements_ += (std::max)(by.weight, 1.0) * std::abs(x);
    if (!is_zero(x)) lowest_ = (std::min)(lowest_, odd_part(x).exponent);
  }
  double read() const { return read_; }

  // The terms meet at most m roundings each, and `reciprocal` more with an approximate reciprocal. `exact`: all places
  // are, and 2^lowest divides all weights. `differences`: of elements, as in a + f * (b - a). The sum is divided.
  bound bound_with(double m, const arithmetic_mode& mode, bool exact, int lowest, bool differences, double divisor = 1,
                   double reciprocal = 0) const {
    bound b;
    b.value = terms_.sum();
    const double unit = mode.of().unit;
    if (mode.half()) m += 3;
    const double g = growth(m + reciprocal, unit), close = growth(m, unit), usual = usual_growth(m, unit);
    const double q = std::ldexp(1.0, lowest_ + lowest);
    const double magnitude = differences ? elements_ : terms_.magnitude();
    const bool held = is_zero(elements_) || (magnitude * unit <= q && is_power_of_two(divisor) &&
                                             q / divisor >= (mode.half()    ? 0x1p-24
                                                             : mode.float32 ? 0x1p-126
                                                                            : 0x1p-149) &&
                                             elements_ <= mode.of().greatest);
    const bool is_exact = exact && held && !(mode.half() && !halves_) && !(mode.flushes && subnormal_);
    if (!is_exact) {
      const double in_double = (terms_.count() + 40) * 0x1p-51 * terms_.magnitude();
      const double of_quotient = divisor > 1 && (mode.flushes || mode.half()) ? divisor * mode.of().least : 0;
      const auto error = [&](double by, double moved) {
        return by * (terms_.magnitude() + moved) + moved + terms_.lost(mode) + in_double + of_quotient;
      };
      b.error = error(g, moved_) / divisor;
      b.close_error = error(close, close_moved_) / divisor;
      b.usual_error = error(usual, close_moved_) / divisor;
      terms_.add_overflow(g, true, mode, b);
      b.add(interval_also::specials, mode.half() && (std::max)(greatest_, -least_) > half_precision.greatest);
    }
    // A difference of elements, even if its weight is 0.
    b.add(interval_also::specials, differences && read_ > 1 && (greatest_ - least_) * (1 + g) >= mode.of().greatest);
    b.value /= divisor;
    return b;
  }

  // The interval of the bound, and what infinities and NaN among the elements make of it.
  template <class T>
  graded_interval interval_with(const bound& b) const {
    if (sure_nan_ || (sure_[0] && sure_[1])) return both({.also = interval_also::nan});
    if (!open_) return graded_interval_of<T>(b);
    graded_interval result = sure_[0] || sure_[1] ? both({}) : graded_interval_of<T>(b);
    const int also = interval_also::of_terms | interval_also::nan |
                     (found_[0] && !sure_[1] ? interval_also::positive_infinity : 0) |
                     (found_[1] && !sure_[0] ? interval_also::negative_infinity : 0);
    for (interval* each : {&result.allowed, &result.close}) each->also = static_cast<std::uint8_t>(each->also | also);
    return result;
  }

 private:
  static graded_interval both(const interval& x) { return {x, x}; }

  sum_terms terms_;
  double read_ = 0, elements_ = 0, moved_ = 0, close_moved_ = 0;
  double least_ = infinite_double, greatest_ = -infinite_double;
  int lowest_ = 4096;
  bool halves_ = true, subnormal_ = false;
  bool open_ = false, sure_nan_ = false;
  std::array<bool, 2> sure_{}, found_{};  // infinities, by sign
};

}  // namespace goldml::detail
