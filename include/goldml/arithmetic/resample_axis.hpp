// An axis of RESAMPLE and of the operators like it: where each coordinate of the output lies between the elements of
// the input, and how far off a device may see it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <goldml/arithmetic/axis_places.hpp>

namespace goldml::detail {

// The roundings of t = (q - op) / s - ip, and of a weight that is made of it, in units of 2^-24 of the numbers it is
// computed from: 9 for a division by the instruction `rcp`, 3 for one in two steps, with a margin (ledger RM-R7).
inline constexpr double roundings_of_reciprocal_place = 13, roundings_of_two_step_place = 8;

// Coordinate q of the output lies at t = (q - output_offset) / scale - input_offset, if elements are at 0 to size - 1.
struct resample_axis {
  std::uint32_t size = 1;     // of the input
  std::uint32_t outputs = 1;  // of the output
  float scale = 1, input_offset = 0, output_offset = 0;
  bool linear = false;
  bool stretched = false;  // a filter as wide as two steps of the output
  place_rounding rounding = place_rounding::nearest_up;

  exact_place place(std::uint32_t q) const {
    exact_place t{.step = exact_double(scale)};
    t.numerator.add(static_cast<double>(q));
    t.numerator.add(-exact_double(output_offset));
    t.numerator.add_product(-t.step, exact_double(input_offset));
    return t;
  }
  // The magnitude of the numbers that t is computed from.
  double magnitude(std::uint32_t q) const {
    return (static_cast<double>(q) + std::abs(exact_double(output_offset))) / exact_double(scale) +
           std::abs(exact_double(input_offset));
  }
  // Whether a device need not have t at all, or the width of the filter: it may be beyond its integers, or the scale be
  // flushed.
  bool is_beyond(std::uint32_t q) const {
    const double step = exact_double(scale);
    return !(magnitude(q) < 0x1p30) || step < 0x1p-126 || (stretched && step <= 0x1p-30);
  }
  // Whether every device has every t of the axis exactly.
  bool is_exact() const {
    if (odd_part(exact_double(scale)).significand != 1) return false;
    const std::uint32_t last = outputs - 1;
    const double of_output = (std::min)(1.0, lowest_bit(exact_double(output_offset)));
    const double of_place = (std::min)({of_output / exact_double(scale), lowest_bit(exact_double(input_offset)), 0.5});
    return (static_cast<double>(last) + std::abs(exact_double(output_offset))) * 0x1p-24 <= of_output &&
           (magnitude(last) + 1) * 0x1p-24 <= of_place;
  }
  // Whether every coordinate is its element, so that nothing else is read.
  bool is_identity() const {
    return order_key(scale) == order_key(1.0F) && exact_double(input_offset) == -exact_double(output_offset) &&
           size == outputs && is_exact();
  }
  // How far off a device may see coordinate q; 0 if the axis is exact.
  double margin(std::uint32_t q, double roundings) const { return roundings * 0x1p-24 * (magnitude(q) + 1); }

  // The filter that is stretched: at t its height is 1, and at a distance of 1 / scale 0.
  struct filter {
    exact_place t;
    std::int64_t first, last;  // the places under it
    std::int64_t center;       // floor(t)

    // t is a place of an axis that is not is_beyond().
    explicit filter(const exact_place& of) : t(of) {
      const double reach = 1 / t.step + 2, at = t.value();
      center =
          t.floor_within(static_cast<std::int64_t>(std::floor(at)) - 1, static_cast<std::int64_t>(std::floor(at)) + 1);
      first = static_cast<std::int64_t>(std::floor(at - reach));
      last = static_cast<std::int64_t>(std::ceil(at + reach));
      while (!is_under(first)) ++first;
      while (!is_under(last)) --last;
    }
    // 1 - |t - k| * scale.
    exact_sum height(std::int64_t k) const {
      exact_sum distance = t.beyond(k), result;
      result.add(1);
      if (!distance.is_negative()) {
        result.subtract(distance);
      } else {
        exact_sum positive;
        positive.subtract(distance);
        result.subtract(positive);
      }
      return result;
    }
    bool is_under(std::int64_t k) const { return !height(k).is_negative() && !height(k).is_zero_sum(); }
    // f(low, high) for the places from low to high, on one side of t, that read element `at` of `elements`.
    template <class F>
    void for_each_side(std::uint32_t at, std::uint32_t elements, const F& f) const {
      const std::int64_t low = at == 0 ? first : (std::max)(first, std::int64_t{at});
      const std::int64_t high = at + 1 == elements ? last : (std::min)(last, std::int64_t{at});
      if (low <= (std::min)(high, center)) f(low, (std::min)(high, center));
      if ((std::max)(low, center + 1) <= high) f((std::max)(low, center + 1), high);
    }
    // The sum of the heights, which are linear from low to high.
    double sum(std::int64_t low, std::int64_t high) const {
      const double count = static_cast<double>(high - low + 1);
      return count * ((height(low).value() + height(high).value()) / 2);
    }
  };

  // The elements and weights of all coordinates. NEAREST has one each, of weight 1.
  axis_taps taps() const {
    axis_taps result;
    result.has_exact_weights = !linear || is_power_of_two(exact_double(scale));
    result.reserve(outputs, outputs * std::size_t{2});
    const bool one = !linear || is_identity();
    for (std::uint32_t q = 0; q < outputs; ++q) {
      const exact_place t = place(q);
      if (!linear) {
        result.add(t.element(rounding, size), 1);
      } else if (is_filtered(q)) {
        add_filtered(t, result);
      } else {
        const limited_place at(t, size);
        result.add(at.first, at.before);
        result.add(at.first + 1, at.after);
      }
      result.end_coordinate();
    }
    result.has_exact_weights = result.has_exact_weights && !stretched;
    if (one) {
      result.weight = [](std::uint32_t, std::uint32_t) { return big_number(1); };
      result.whole = [](std::uint32_t) { return big_number(1); };
    } else {
      result.weight = [axis = *this](std::uint32_t q, std::uint32_t at) { return axis.exact_weight(q, at); };
      result.whole = [axis = *this](std::uint32_t q) { return axis.exact_whole(q); };
    }
    return result;
  }

  bool is_filtered(std::uint32_t q) const { return stretched && !is_beyond(q); }

 private:
  void add_filtered(const exact_place& t, axis_taps& result) const {
    const filter over(t);
    const auto limited = [&](std::int64_t k) {
      return static_cast<std::uint32_t>((std::clamp)(k, std::int64_t{0}, std::int64_t{size} - 1));
    };
    const auto weight = [&](std::uint32_t at) {
      double sum = 0;
      over.for_each_side(at, size, [&](std::int64_t low, std::int64_t high) { sum += over.sum(low, high); });
      return sum;
    };
    double whole = 0;
    if (over.first <= over.center) whole += over.sum(over.first, over.center);
    if (over.center < over.last) whole += over.sum(over.center + 1, over.last);
    for (std::uint32_t at = limited(over.first); at <= limited(over.last); ++at) result.add(at, weight(at) / whole);
  }

  // (t - k) * scale, without rounding.
  big_number numerator(std::uint32_t q) const {
    return big_number(q) - big_number(exact_double(output_offset)) -
           big_number(exact_double(scale)) * big_number(exact_double(input_offset));
  }
  // The sum of the heights of the filter from low to high.
  big_number exact_sum_of(std::uint32_t q, std::int64_t low, std::int64_t high) const {
    const big_number scale_of(exact_double(scale)), t = numerator(q);
    const auto height = [&](std::int64_t k) {
      return big_number(1) - (t - scale_of * big_number(static_cast<double>(k))).magnitude();
    };
    return (height(low) + height(high)) * big_number(static_cast<double>(high - low + 1)) * big_number(0.5);
  }
  // Times scale; of the filter times the sum of its heights.
  big_number exact_weight(std::uint32_t q, std::uint32_t at) const {
    const big_number step(exact_double(scale));
    if (is_filtered(q)) {
      big_number sum;
      filter(place(q)).for_each_side(
          at, size, [&](std::int64_t low, std::int64_t high) { sum = sum + exact_sum_of(q, low, high); });
      return sum;
    }
    big_number t = numerator(q);
    const big_number end = step * big_number(static_cast<double>(size - 1));
    if (t.sign() < 0) t = big_number();
    if (end < t) t = end;
    const big_number result = step - (t - step * big_number(at)).magnitude();
    return result.sign() < 0 ? big_number() : result;
  }
  big_number exact_whole(std::uint32_t q) const {
    if (!is_filtered(q)) return big_number(exact_double(scale));
    const filter over(place(q));
    big_number sum;
    if (over.first <= over.center) sum = sum + exact_sum_of(q, over.first, over.center);
    if (over.center < over.last) sum = sum + exact_sum_of(q, over.center + 1, over.last);
    return sum;
  }
};

}  // namespace goldml::detail
