// Places on an axis without rounding: the elements next to them, their weights, and sums of elements by such weights
// on several axes, rounded once.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/arithmetic/big_number.hpp>
#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/arithmetic/values.hpp>
#include <goldml/core/dimensions.hpp>
#include <goldml/core/number.hpp>

namespace goldml::detail {

using arithmetic::big_number;

// How a place becomes an element; the nearest one of two at the same distance is the upper or the lower one.
enum class place_rounding { down, up, nearest_up, nearest_down };

// t = numerator / step. The step is above 0 and below 2^52, or a FLOAT32.
struct exact_place {
  exact_sum numerator = {};
  double step = 1;

  double value() const { return numerator.value() / step; }  // within 2^-51 of itself
  // (t - k) * step. k is below 2^34.
  exact_sum beyond(std::int64_t k) const {
    exact_sum result = numerator;
    const double high = std::bit_cast<double>(std::bit_cast<std::uint64_t>(step) >> 27 << 27);  // 26 bits
    for (const double part : {high, step - high})
      if (!is_zero(part) && k != 0) result.add_product(static_cast<double>(-k), part);
    return result;
  }
  // floor(t), limited to low and high.
  std::int64_t floor_within(std::int64_t low, std::int64_t high) const {
    const double guess = (std::clamp)(std::floor(value()), static_cast<double>(low), static_cast<double>(high));
    auto k = static_cast<std::int64_t>(guess);
    while (k < high && !beyond(k + 1).is_negative()) ++k;
    while (k > low && beyond(k).is_negative()) --k;
    return k;
  }
  exact_place moved_by(double steps) const {  // by a small power of two, of either sign
    exact_place result = *this;
    result.numerator.add(steps * step);
    return result;
  }
  // The element of an axis of `size` elements that the place becomes.
  std::uint32_t element(place_rounding how, std::uint32_t size) const {
    if (how == place_rounding::nearest_up) return moved_by(0.5).element(place_rounding::down, size);
    if (how == place_rounding::nearest_down) return moved_by(-0.5).element(place_rounding::up, size);
    const std::int64_t last = std::int64_t{size} - 1;
    std::int64_t k = floor_within(-1, last);
    if (how == place_rounding::up && !beyond(k).is_zero_sum()) ++k;
    return static_cast<std::uint32_t>((std::clamp)(k, std::int64_t{0}, last));
  }
  // Whether t lies in the middle between two elements, or exactly at one.
  bool is_tie() const { return moved_by(0.5).is_whole(); }
  bool is_whole() const {
    const double t = value();
    return std::abs(t) < 0x1p33 && beyond(static_cast<std::int64_t>(std::nearbyint(t))).is_zero_sum();
  }
};

// The same for numbers.
inline double element_of(double t, place_rounding how) {
  switch (how) {
    case place_rounding::down:
      return std::floor(t);
    case place_rounding::up:
      return std::ceil(t);
    case place_rounding::nearest_up:
      return std::floor(t + 0.5);
    default:
      return std::ceil(t - 0.5);
  }
}

// A place of an axis, limited to its elements: f of the way from element `first` to the next one.
struct limited_place {
  std::uint32_t first = 0;
  double before = 1, after = 0;  // 1 - f and f, each within 2^-51 of itself

  limited_place() = default;
  limited_place(const exact_place& t, std::uint32_t size) {
    const std::int64_t last = std::int64_t{size} - 1;
    const std::int64_t k = t.floor_within(-1, last);
    first = static_cast<std::uint32_t>((std::max)(k, std::int64_t{0}));
    if (k < 0 || k == last) return;
    const exact_sum rest = t.beyond(k);
    after = rest.value() / t.step;
    before = -t.beyond(k + 1).value() / t.step;
  }
  double value() const { return first + after; }
};

// An element of an axis with its weight, which is not 0, within 2^-49 of itself.
struct axis_tap {
  std::uint32_t at;
  double weight;
};

// For each coordinate of a result on an axis: the elements that it is made of.
class axis_taps {
 public:
  // Without rounding: the weight of element `at`, times what all weights of the coordinate are divided by.
  std::function<big_number(std::uint32_t coordinate, std::uint32_t at)> weight = {};
  std::function<big_number(std::uint32_t coordinate)> whole = {};
  bool has_exact_weights = false;  // each double that has 40 bits at most is its weight
  bool sums_to_1 = true;           // of each coordinate

  std::size_t size() const { return ends_.size() - 1; }
  std::span<const axis_tap> of(std::uint32_t coordinate) const {
    return std::span(taps_).subspan(ends_[coordinate], ends_[coordinate + 1] - ends_[coordinate]);
  }
  std::size_t tap_count() const { return taps_.size(); }
  void add(std::uint32_t at, double of_it) {
    if (!is_zero(of_it)) taps_.push_back({at, of_it});
  }
  void end_coordinate() { ends_.push_back(taps_.size()); }
  void reserve(std::size_t coordinates, std::size_t taps) {
    ends_.reserve(coordinates + 1);
    taps_.reserve(taps);
  }

  // For each of `size` elements: the coordinates that are made of it. All weights are divided by the same.
  axis_taps transposed(std::uint32_t size) const {
    axis_taps result;
    result.has_exact_weights = has_exact_weights;
    result.sums_to_1 = false;
    result.weight = [of = weight](std::uint32_t at, std::uint32_t coordinate) { return of(coordinate, at); };
    result.whole = whole;
    result.ends_.assign(std::size_t{size} + 1, 0);
    for (const axis_tap& tap : taps_) ++result.ends_[tap.at + 1];
    for (std::size_t i = 1; i <= size; ++i) result.ends_[i] += result.ends_[i - 1];
    result.taps_.resize(taps_.size());
    std::vector<std::uint64_t> next(result.ends_.begin(), result.ends_.end() - 1);
    for (std::uint32_t c = 0; c < static_cast<std::uint32_t>(ends_.size() - 1); ++c)
      for (const axis_tap& tap : of(c)) result.taps_[next[tap.at]++] = {c, tap.weight};
    return result;
  }

 private:
  std::vector<std::uint64_t> ends_{0};  // where the taps of each coordinate end, after a 0
  std::vector<axis_tap> taps_;
};

// Calls f(weight, place) for all elements that the coordinates c are made of.
template <class F>
void for_each_tap(std::span<const axis_taps> axes, const coordinate_tuple& c, const F& f) {
  coordinate_tuple at = c;
  const auto visit = [&](const auto& self, std::size_t axis, double weight) -> void {
    if (axis == axes.size()) return f(weight, static_cast<const coordinate_tuple&>(at));
    for (const axis_tap& tap : axes[axis].of(c[axis])) {
      at[axis] = tap.at;
      self(self, axis + 1, weight * tap.weight);
    }
  };
  visit(visit, 0, 1);
}

// A sum of elements by their weights, as doubles have it: within `error` of the exact one.
struct weighted_estimate {
  double value = 0, magnitude = 0;
  double terms = 0;

  void add(double weight, double x) {
    value += weight * x;
    magnitude += std::abs(weight * x);
    ++terms;
  }
  // Each of up to four weights is within 2^-49, and all is rounded in any direction.
  double error() const { return (terms + 40) * 0x1p-51 * magnitude; }
};

// What store() makes of a number within `error` of `value`, if that is certain. Not of a zero, whose sign is not known.
template <class Store>
auto certain_store(double value, double error, const Store& store) -> std::optional<decltype(store(value))> {
  if (!is_finite_double(value) || !is_finite_double(error)) return std::nullopt;
  const auto low = store(value - error * (1 + 0x1p-40));
  if (order_key(low) != order_key(store(value + error * (1 + 0x1p-40)))) return std::nullopt;
  if (!std::is_integral_v<decltype(store(value))> && is_zero(low)) return std::nullopt;
  return low;
}

// A further term of a sum, without rounding: part / the product of what the weights of all axes are divided by.
struct further_term {
  big_number part = {};
  double x = 0;
  bool is_none() const { return part.sign() == 0; }
};

// The sum over all elements that the coordinates c are made of, x(place) each and finite, by their weights, times what
// these are divided by.
template <class X>
big_number weighted_numerator(std::span<const axis_taps> axes, const coordinate_tuple& c, const X& x) {
  big_number sum;
  for_each_tap(axes, c, [&](double, const coordinate_tuple& at) {
    big_number term(x(at));
    if (term.sign() == 0) return;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) term = term * axes[axis].weight(c[axis], at[axis]);
    sum = sum + term;
  });
  return sum;
}

// The sum over all elements that the coordinates c are made of, x(place) each, by their weights: rounded to odd.
template <class X>
double weighted_sum(std::span<const axis_taps> axes, const coordinate_tuple& c, const X& x,
                    const further_term& further = {}) {
  extended_sum special;
  weighted_estimate estimate;
  bool exact = further.is_none(), sums_to_1 = further.is_none();
  int bits = 0;  // of a product of weights
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    exact = exact && axes[axis].has_exact_weights;
    sums_to_1 = sums_to_1 && axes[axis].sums_to_1;
    int most = 0;
    for (const axis_tap& tap : axes[axis].of(c[axis]))
      if (!is_zero(tap.weight))
        most = (std::max)(most, static_cast<int>(std::bit_width(odd_part(tap.weight).significand)));
    bits += most;
  }
  exact = exact && bits <= 40;
  int lowest = 0;
  double least = infinite_double, greatest = -infinite_double;
  for_each_tap(axes, c, [&](double weight, const coordinate_tuple& at) {
    const double each = x(at);
    if (!is_finite_double(each)) return special.add(each);
    estimate.add(weight, each);
    least = (std::min)(least, each);
    greatest = (std::max)(greatest, each);
    if (is_zero(each) || is_zero(weight)) return;
    lowest = (std::min)(lowest, odd_part(weight).exponent + odd_part(each).exponent);
  });
  if (!further.is_none() && !is_finite_double(further.x)) special.add(further.x);
  if (!special.is_finite()) return special.special();
  if (least >= greatest && sums_to_1) return least;
  if (is_zero(estimate.magnitude) && (further.is_none() || is_zero(further.x))) return 0;
  if (exact && estimate.magnitude * 0x1p-53 <= std::ldexp(1.0, lowest))
    return is_zero(estimate.value) ? 0 : estimate.value;
  big_number sum = weighted_numerator(axes, c, x), whole(1);
  for (std::size_t axis = 0; axis < axes.size(); ++axis) whole = whole * axes[axis].whole(c[axis]);
  if (!further.is_none()) sum = sum + further.part * big_number(further.x);
  return quotient_of(sum, whole);
}

// The same as store() has it.
template <class X, class Store>
auto weighted_value(std::span<const axis_taps> axes, const coordinate_tuple& c, const X& x, const Store& store) {
  weighted_estimate estimate;
  for_each_tap(axes, c, [&](double weight, const coordinate_tuple& at) { estimate.add(weight, x(at)); });
  if (const auto result = certain_store(estimate.value, estimate.error(), store)) return *result;
  return store(weighted_sum(axes, c, x));
}

}  // namespace goldml::detail
