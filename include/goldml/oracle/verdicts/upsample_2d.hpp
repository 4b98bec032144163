// What a device may answer to UPSAMPLE_2D with LINEAR (ledger UP-R2, UP-R3).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/arithmetic/values.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/feature_level.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/upsample_2d.hpp>
#include <goldml/oracle/verdict_traits.hpp>

namespace goldml::detail {

// What a device may take for the place on an axis, which it computes in its precision.
struct uncertain_place {
  std::int64_t low, high;         // the elements that it may read
  std::int64_t first;             // those of the exact place are this one and the next
  std::array<double, 2> weights;  // of these
  bool exact = false;             // the device has t and the weights exactly
  double off = 0;                 // of t: how far the device may see the place from there
  double error = 0;               // of the weights; where they are exact, of a + f * (b - a), relative to 1
  std::int64_t alone = -2;        // read without weight by a device that limits the place to the elements; -2: none

  // `roundings`: of t, relative to the numbers that it is computed from, (position + 1/2) / scale + 1/2 at most.
  uncertain_place(const axis_place& place, std::uint64_t position, std::uint32_t scale, std::uint32_t size, double unit,
                  double roundings)
      : first(place.first) {
    const auto whole = static_cast<double>(place.whole);
    for (std::size_t i = 0; i < 2; ++i) weights[i] = static_cast<double>(place.weights()[i]) / whole;
    exact = std::has_single_bit(place.whole) && static_cast<double>(2 * position + 1) * unit <= 1;
    if (!exact) off = roundings * unit * ((static_cast<double>(position) + 0.5) / scale + 1.5);
    // The roundings of a + f * (b - a), whose difference may be far above the result: 4 * 2^-24, in half 2 * 2^-11.
    error = !exact ? off : is_zero(weights[1]) ? 0 : (unit == half_precision.unit ? 2 : 4) * unit;
    low = place.first + static_cast<std::int64_t>(std::floor(weights[1] - off));
    high = place.first + static_cast<std::int64_t>(std::floor(weights[1] + off)) + 1;
    low = (std::max)(low, std::int64_t{-1});  // beyond, elements repeat
    high = (std::min)(high, std::int64_t{size});
    if (first < 0 && high < 1) high = alone = 1;
  }
  double weight(std::int64_t at) const { return at == first ? weights[0] : at == first + 1 ? weights[1] : 0; }
  double error_at(std::int64_t at) const { return at == alone ? 0 : error; }
  // Whether a device surely gives the element a weight that is not 0.
  bool surely_has(std::int64_t at) const { return weight(at) > off; }
};

// The roundings of t = (q + 0.5) / S - 0.5, and of a weight that is made of it: 9 for a division by the instruction
// `rcp`, 3 for one in two steps, with a margin (ledger UP-R3).
inline constexpr double roundings_of_reciprocal = 13, roundings_of_two_steps = 8;

// What a device may answer to LINEAR at one place; x(row, column) is an element.
template <class T, class Element>
interval upsample_interval(const uncertain_place& rows, const uncertain_place& columns, const arithmetic_mode& mode,
                           const Element& x) {
  sum_terms terms;
  double elements = 0;  // the sum of the magnitudes of the terms' elements
  double moved = 0;     // by the errors of the two places
  double least = infinite_double, greatest = -infinite_double;
  bool open = false;    // an element that is not finite may have no weight
  bool sure_nan = false;
  std::array<bool, 2> sure{}, found{};  // infinities, by sign
  for (std::int64_t row = rows.low; row <= rows.high; ++row)
    for (std::int64_t column = columns.low; column <= columns.high; ++column) {
      const double element = x(row, column);
      const bool is_term =
          (row == rows.first || row == rows.first + 1) && (column == columns.first || column == columns.first + 1);
      const double across = rows.weight(row), along = columns.weight(column);
      if (is_finite_double(element)) {
        if (is_term) terms.add_product(across * along, element);
        if (across * along > 0) elements += std::abs(element);
        const double of_row = rows.error_at(row), of_column = columns.error_at(column);
        moved += std::abs(element) * (of_column * across + of_row * along + of_row * of_column);
        least = (std::min)(least, element);
        greatest = (std::max)(greatest, element);
        continue;
      }
      const bool is_sure = rows.surely_has(row) && columns.surely_has(column);
      if (is_nan(element)) {
        sure_nan = sure_nan || is_sure;
      } else {
        const auto sign = static_cast<std::size_t>(is_negative_double(element) ? 1 : 0);
        found[sign] = true;
        sure[sign] = sure[sign] || is_sure;
      }
      open = true;
    }
  if (sure_nan || (sure[0] && sure[1])) return {.also = interval_also::nan};
  bound b;
  b.value = terms.sum();
  const double m = mode.half() ? 9 : 6;
  const double g = growth(m, mode.of().unit);
  // As a weighted sum, or as a + f * (b - a), whose difference may have a bit more.
  const bool exact =
      terms.is_exact(mode) && elements <= mode.of().greatest &&
      (is_zero(moved) || (rows.exact && columns.exact && elements * mode.of().unit <= std::ldexp(1.0, terms.lowest())));
  if (!exact) {
    const auto error = [&](double by) {
      return by * (terms.magnitude() + moved) + moved + terms.lost(mode) + terms.error_of_sum();
    };
    b.error = error(g);
    b.usual_error = error(usual_growth(m, mode.of().unit));
  }
  terms.add_overflow(g, true, mode, b);
  b.add(interval_also::specials, (greatest - least) * (1 + g) >= mode.of().greatest);  // of a difference as well
  if (!open) return interval_of<T>(b);
  // NaN, of 0 or of a difference times an infinity; the infinities; and what is left if they have no weight.
  interval result;
  if (!sure[0] && !sure[1]) result = interval_of<T>(b);
  result.also = static_cast<std::uint8_t>(result.also | interval_also::nan | interval_also::of_terms);
  if (found[0] && !sure[1]) result.also = static_cast<std::uint8_t>(result.also | interval_also::positive_infinity);
  if (found[1] && !sure[0]) result.also = static_cast<std::uint8_t>(result.also | interval_also::negative_infinity);
  return result;
}

template <class Verdicts>
void add_upsample_verdicts(const upsample_2d_desc& desc, const const_tensor_ref& input, const tensor_ref& golden,
                           bool flushes, Verdicts& result) {
  if (desc.interpolation_mode != interpolation_mode::linear) return;
  visit_data_type(type_list<float, float16>{}, golden.desc().data_type, [&]<class T>(std::type_identity<T>) {
    arithmetic_mode mode{std::is_same_v<T, float>, flushes && std::is_same_v<T, float>, desc.accumulation};
    if (mode.half_products()) mode.accumulation = accumulation::half;  // weights are made of products
    const auto x = input.as<T>();
    const auto y = golden.as<T>();
    const std::size_t column = golden.desc().sizes.size() - 1, row = column - 1;
    const std::uint32_t height = input.desc().sizes[row], width = input.desc().sizes[column];
    std::size_t number = 0;
    for (const coordinate_tuple& c : coordinates_of(golden.desc().sizes)) {
      coordinate_tuple at = c;
      const auto allowed_with = [&](double roundings) {
        const auto [h, w] = std::pair(desc.scale_size.height, desc.scale_size.width);
        const double unit = mode.of().unit;
        const uncertain_place rows(place_on_axis(c[row], h, desc.pixel_alignment), c[row], h, height, unit, roundings);
        const uncertain_place columns(place_on_axis(c[column], w, desc.pixel_alignment), c[column], w, width, unit,
                                      roundings);
        return upsample_interval<T>(rows, columns, mode, [&](std::int64_t i, std::int64_t j) {
          at[row] = element_on_axis(i, height);
          at[column] = element_on_axis(j, width);
          return exact_double(T(x[at]));
        });
      };
      graded_interval both;
      both.allowed = both.close = allowed_with(roundings_of_two_steps);
      if (!mode.half()) {
        both.allowed = allowed_with(roundings_of_reciprocal);
        both.allowed.usual_low = both.close.usual_low;
        both.allowed.usual_high = both.close.usual_high;
      }
      result.allow_interval_beside(number, both, interval_refusal::reciprocals, T(y[c]));
      ++number;
    }
  });
}

}  // namespace goldml::detail

namespace goldml::oracle {

template <std::same_as<upsample_2d_desc> Desc>
struct verdict_traits<Desc> : flushing_verdict_traits<Desc> {
  static void add_verdicts(const upsample_2d_desc& desc, std::span<const const_tensor_ref> inputs,
                           std::span<const tensor_ref> golden, bool flushes, std::span<output_verdicts> result) {
    goldml::detail::add_upsample_verdicts(desc, inputs[0], golden[0], flushes, result[0]);
  }
  // Of LINEAR, a byte per element, and an interval.
  static std::uint64_t verdict_memory(const upsample_2d_desc& desc, const std::array<operand, 2>& t) {
    if (desc.interpolation_mode != interpolation_mode::linear) return 0;
    return saturating_multiply(element_count(t[1].desc->sizes), 1 + sizeof(interval) + more_interval_memory);
  }

  static constexpr verdict_options<Desc> options = flushing_verdict_traits<Desc>::flushing_options();
};

}  // namespace goldml::oracle
