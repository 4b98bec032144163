// An axis of a region of ROI_ALIGN and of its gradient: where its samples lie between the elements of the image, how
// many there are, and how far off a device may see them.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <goldml/arithmetic/axis_places.hpp>
#include <goldml/core/window_policies.hpp>

namespace goldml::detail {

// The roundings of a place, in units of 2^-24 of the numbers that it is computed from: two divisions by the instruction
// `rcp`, or exact ones (ledger RA-R7).
inline constexpr double roundings_of_reciprocal_sample = 27, roundings_of_sample = 12;

// a * b without rounding, added to a sum. a has at most 52 bits, and b is below 2^52.
inline void add_wide_product(exact_sum& sum, double a, double b) {
  const double high = std::bit_cast<double>(std::bit_cast<std::uint64_t>(b) >> 27 << 27);  // 26 bits
  for (const double part : {high, b - high})
    if (!is_zero(part) && !is_zero(a)) sum.add_product(a, part);
}

// Samples lie from the scaled corner `first` to `last`: `count` for each of `outputs`.
struct roi_axis {
  std::uint32_t size = 1;  // of the image
  std::uint32_t outputs = 1;
  double first = 0, last = 0;
  float input_offset = 0, output_offset = 0;
  bool corners = false;     // the first and the last sample lie at the corners
  bool only_first = false;  // of corners: a sample alone lies at the first of them, not in the middle
  std::uint32_t count = 1;

  bool is_defined() const { return std::abs(first) + std::abs(last) < 0x1p30; }  // otherwise it is nobody's
  std::uint64_t samples() const { return std::uint64_t{outputs} * count; }
  bool is_alone() const { return corners && samples() == 1; }
  // What the distance of the corners is divided by.
  double steps() const {
    return is_alone() ? (only_first ? 1 : 2) : static_cast<double>(samples() - (corners ? 1 : 0));
  }

  // Of a defined axis: t = (k - op) * L / steps + first - ip.
  exact_place place(std::uint64_t k, bool with_offset = true) const {
    exact_place t{.step = steps()};
    if (with_offset) add_wide_product(t.numerator, -exact_double(input_offset), t.step);
    if (is_alone()) {
      t.numerator.add(first);
      if (!only_first) t.numerator.add(last);
      return t;
    }
    add_wide_product(t.numerator, first, t.step);
    for (const auto& [corner, sign] : {std::pair(last, 1.0), std::pair(first, -1.0)}) {
      add_wide_product(t.numerator, corner, sign * static_cast<double>(k));
      add_wide_product(t.numerator, corner, -sign * exact_double(output_offset));
    }
    return t;
  }

  // Sample k moves with the first corner and with the last one: by (1 - r) and r, as t = (1 - r) first + r last - ip.
  // By how much, times steps(). `by_place`: instead by size - t and t (ledger RG-R1).
  exact_sum share(std::uint64_t k, bool of_last, bool by_place) const {
    exact_sum part, rest;
    if (by_place)
      part = place(k).numerator;
    else if (is_alone())
      part.add(only_first ? 0 : 1);
    else
      for (const double each : {static_cast<double>(k), -exact_double(output_offset)}) part.add(each);
    if (of_last) return part;
    add_wide_product(rest, steps(), by_place ? size : 1);
    rest.subtract(part);
    return rest;
  }

  // How far off a device may see the places, unless the axis is exact.
  double margin(double roundings) const {
    const double moved = is_alone() ? 0 : std::abs(exact_double(output_offset)) / steps();
    return roundings * 0x1p-24 *
           ((std::abs(first) + std::abs(last)) * (1 + moved) + std::abs(exact_double(input_offset)) + 1);
  }
  // Whether every device has every place exactly. Of more than 4096 samples that is not looked at.
  bool is_exact() const {
    exact_sum length = difference(), sum;
    sum.add(first);
    sum.add(last);
    if (is_alone())
      return is_single(first) && (only_first || (is_single(last) && is_single(sum.value()))) &&
             is_single(place(0).numerator.value() / steps());
    if (samples() > 4096 || !is_power_of_two(steps()) || !is_single(first) || !is_single(last) ||
        !is_single(length.value()) || !is_single(length.value() / steps()))
      return false;
    for (std::uint64_t k = 0; k < samples(); ++k) {
      exact_sum index;
      index.add(static_cast<double>(k));
      index.add(-exact_double(output_offset));
      const exact_sum moved = place(k, false).numerator;
      exact_sum at = moved;
      add_wide_product(at, -first, steps());
      if (!is_single(index.value()) || !is_single(at.value() / steps()) || !is_single(moved.value() / steps()) ||
          !is_single(place(k).numerator.value() / steps()))
        return false;
    }
    return true;
  }

  // Of those from `begin` on, up to `end`: the samples that lie in the image, from -1 to `size`, or not further than
  // `by` from there. They are consecutive.
  std::pair<std::uint64_t, std::uint64_t> inside(std::uint64_t begin, std::uint64_t end, double by = 0) const {
    const int before = last < first ? 1 : -1;
    const auto bisect = [&](const auto& is_before) {
      std::uint64_t low = begin, high = end;
      while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        if (is_before(side(middle, by)))
          low = middle + 1;
        else
          high = middle;
      }
      return low;
    };
    begin = bisect([&](int s) { return s == before; });
    return {begin, bisect([&](int s) { return s != -before; })};
  }
  std::pair<std::uint64_t, std::uint64_t> inside_of(std::uint32_t output, double by = 0) const {
    return inside(std::uint64_t{output} * count, (std::uint64_t{output} + 1) * count, by);
  }

  // How many samples an output has, for what the distance of the corners is off by `off`, in either direction.
  std::uint32_t samples_per_output(roi_samples how, bool magnitude, double off, std::uint32_t least,
                                   std::uint32_t most) const {
    exact_place of{difference(), static_cast<double>(outputs)};
    if (magnitude && of.numerator.is_negative()) {
      exact_sum positive;
      positive.subtract(of.numerator);
      of.numerator = positive;
    }
    of.numerator.add(off);
    if (how == roi_samples::nearest) of = of.moved_by(0.5);
    std::int64_t k = of.floor_within(0, std::int64_t{1} << 33);
    if (how == roi_samples::ceil && !of.beyond(k).is_negative() && !of.beyond(k).is_zero_sum()) ++k;
    return static_cast<std::uint32_t>((std::clamp)(k, std::int64_t{(std::max)(least, 1U)}, std::int64_t{most}));
  }
  // How far off a device may see that distance.
  double error_of_length() const {
    const exact_sum length = difference();
    if (is_single(first) && is_single(last) && is_single(length.value()) && std::has_single_bit(outputs)) return 0;
    return (2 * (std::abs(first) + std::abs(last)) + 10 * std::abs(length.value())) * 0x1p-24;
  }

 private:
  exact_sum difference() const {
    exact_sum result;
    result.add(last);
    result.add(-first);
    return result;
  }
  static bool is_single(double x) {
    return is_zero(x) || (std::abs(x) >= 0x1p-126 && !(exact_double(static_cast<float>(x)) < x) &&
                          !(exact_double(static_cast<float>(x)) > x));
  }
  // -1, 0, 1: before, in and after the image.
  int side(std::uint64_t k, double by) const {
    const exact_place t = place(k);
    if (by > 0) {
      const double at = t.value();
      return at < -1 - by ? -1 : at > size + by ? 1 : 0;
    }
    if (t.beyond(-1).is_negative()) return -1;
    const exact_sum over = t.beyond(size);
    return over.is_negative() || over.is_zero_sum() ? 0 : 1;
  }
};

// What samples are made of: their values; or these values' derivatives by a corner of the region.
enum class roi_part { value, by_first, by_last };

// What the samples in the image are made of: a coordinate for each output, or for each sample.
struct roi_taps {
  axis_taps taps;
  std::vector<std::uint64_t> ends{0};  // how many samples each output and those before it have in the image

  std::uint64_t inside(std::uint32_t output) const { return ends[output + 1] - ends[output]; }

  // All weights of a coordinate of an output are divided by its samples.
  roi_taps(const roi_axis& axis, bool linear, bool each_sample, roi_part part = roi_part::value,
           bool by_place = false) {
    struct exact_weights {
      std::vector<std::uint64_t> begins;  // where those of each coordinate are
      std::vector<std::uint32_t> lows;    // and of which element the first is
      std::vector<exact_sum> sums;
    };
    const auto exact = std::make_shared<exact_weights>();
    const double whole = (linear ? axis.steps() : 1) * (each_sample ? 1 : static_cast<double>(axis.count));
    taps.has_exact_weights = is_power_of_two(whole);
    const auto end_coordinate = [&](std::uint32_t low, std::size_t begin) {
      exact->begins.push_back(begin);
      exact->lows.push_back(low);
      for (std::size_t i = begin; i < exact->sums.size(); ++i)
        taps.add(low + static_cast<std::uint32_t>(i - begin), exact->sums[i].value() / whole);
      taps.end_coordinate();
    };
    for (std::uint32_t output = 0; output < axis.outputs; ++output) {
      const auto [first, last] = axis.inside_of(output);
      ends.push_back(ends.back() + (last - first));
      taps.sums_to_1 = taps.sums_to_1 && part == roi_part::value && (each_sample || last - first == axis.count);
      std::uint32_t low = 0;
      std::size_t begin = exact->sums.size();
      const auto element_of = [&](const exact_place& t) {
        return linear ? limited_place(t, axis.size).first : t.element(place_rounding::nearest_down, axis.size);
      };
      // Places of an output ascend or descend: its first element is that of the first or of the last one.
      std::uint32_t least = 0;
      if (first < last) least = (std::min)(element_of(axis.place(first)), element_of(axis.place(last - 1)));
      for (std::uint64_t k = first; k < last; ++k) {
        const auto slot = [&](std::uint32_t at) -> exact_sum& {
          if (begin == exact->sums.size()) low = each_sample ? at : least;
          if (begin + (at - low) >= exact->sums.size()) exact->sums.resize(begin + (at - low) + 1);
          return exact->sums[begin + (at - low)];
        };
        const exact_place t = axis.place(k);
        if (part != roi_part::value) {  // between the elements on both sides, and not at the ends
          const limited_place at(t, axis.size);
          const exact_sum after_first = t.beyond(0);
          if (at.first + 1 < axis.size && !after_first.is_negative() && !after_first.is_zero_sum()) {
            const exact_sum share = axis.share(k, part == roi_part::by_last, by_place);
            add_to(slot(at.first), share, true);
            add_to(slot(at.first + 1), share, false);
          }
        } else if (linear) {
          const limited_place at(t, axis.size);
          if (is_zero(at.after)) {
            slot(at.first).add(t.step);
          } else {
            add_to(slot(at.first), t.beyond(at.first + std::int64_t{1}), true);
            add_to(slot(at.first + 1), t.beyond(at.first), false);
          }
        } else {
          slot(t.element(place_rounding::nearest_down, axis.size)).add(1);
        }
        if (!each_sample) continue;
        end_coordinate(low, begin);
        begin = exact->sums.size();
      }
      if (!each_sample) end_coordinate(low, begin);
    }
    taps.weight = [exact](std::uint32_t coordinate, std::uint32_t at) {
      return arithmetic::big_number(exact->sums[exact->begins[coordinate] + (at - exact->lows[coordinate])]);
    };
    taps.whole = [whole](std::uint32_t) { return arithmetic::big_number(whole); };
  }

 private:
  static void add_to(exact_sum& sum, const exact_sum& x, bool negated) {
    exact_sum negative;
    if (!negated) negative.subtract(x);
    sum.subtract(negated ? x : negative);
  }
};

}  // namespace goldml::detail
