// The desc of UPSAMPLE_2D, how it interpolates, and what a device may answer to it (ledger UP-R2, UP-R3).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/arithmetic/values.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/feature_level.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/verdict.hpp>

namespace goldml {

// DML_INTERPOLATION_MODE.
enum class interpolation_mode : std::uint32_t { nearest_neighbor = 0, linear = 1 };
template <>
struct enumeration<interpolation_mode> {
  static constexpr std::string_view prefix = "DML_INTERPOLATION_MODE_";
  static constexpr std::array<enumerator<interpolation_mode>, 2> values{
      {{interpolation_mode::nearest_neighbor, "NEAREST_NEIGHBOR"}, {interpolation_mode::linear, "LINEAR"}}};
};

struct upsample_2d_desc {
  size_2d scale_size = {1, 1};  // the factors of the last dimension (width) and of the one before it (height)
  goldml::interpolation_mode interpolation_mode = goldml::interpolation_mode::nearest_neighbor;
  goldml::pixel_alignment pixel_alignment = goldml::pixel_alignment::centers;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

namespace detail {

// A position between two elements along an axis: t = first + part / whole, 0 <= part < whole. Elements outside the axis
// are those at its ends.
struct axis_place {
  std::int64_t first;
  std::uint64_t part;
  std::uint64_t whole;

  // The weights of the element at `first` and of the one after it, in units of 1 / whole.
  std::array<std::uint64_t, 2> weights() const { return {whole - part, part}; }
};

constexpr axis_place place_on_axis(std::uint64_t position, std::uint64_t scale, pixel_alignment alignment) {
  const std::uint64_t whole = 2 * scale;
  if (alignment == pixel_alignment::corners)
    return {static_cast<std::int64_t>(position / scale), 2 * (position % scale), whole};
  const std::uint64_t after = 2 * position + 1 + scale;  // (t + 1) * whole, which is not negative
  return {static_cast<std::int64_t>(after / whole) - 1, after % whole, whole};
}

constexpr std::uint32_t element_on_axis(std::int64_t place, std::uint32_t size) {
  return static_cast<std::uint32_t>((std::clamp)(place, std::int64_t{0}, std::int64_t{size} - 1));
}

// The sum of weight * x over four elements, divided by the sum of the weights, which is below 2^35: rounded to odd. An
// element without weight is no term, whatever it is.
inline double value_of_weighted_mean(const std::array<double, 4>& x, const std::array<std::uint64_t, 4>& weights) {
  extended_sum sum;
  for (std::size_t i = 0; i < 4; ++i)
    if (is_finite_double(x[i]))
      sum.finite.add_product(static_cast<double>(weights[i]), x[i]);
    else if (weights[i] != 0)
      sum.add(x[i]);
  if (!sum.is_finite()) return sum.special();
  return sum.finite.value_of_quotient(weights[0] + weights[1] + weights[2] + weights[3]);
}

// What a device may take for the place on an axis, which it computes in its precision.
struct uncertain_place {
  std::int64_t low, high;             // the elements that it may read
  std::int64_t first;                 // those of the exact place are this one and the next
  std::array<double, 2> weights;      // of these
  double error = 0;                   // of t: four roundings of a number up to the size of the axis
  bool exact = false;                 // the device has t and the weights exactly

  uncertain_place(const axis_place& place, std::uint64_t position, std::uint32_t size, double unit)
      : first(place.first), error(4 * unit * (1.0 + size)) {
    const auto whole = static_cast<double>(place.whole);
    for (std::size_t i = 0; i < 2; ++i) weights[i] = static_cast<double>(place.weights()[i]) / whole;
    exact = std::has_single_bit(place.whole) && static_cast<double>(2 * position + 1) * unit <= 1;
    const double off = exact ? 0 : error;
    low = place.first + static_cast<std::int64_t>(std::floor(weights[1] - off));
    high = place.first + static_cast<std::int64_t>(std::floor(weights[1] + off)) + 1;
    low = (std::max)(low, std::int64_t{-1});  // beyond, elements repeat
    high = (std::min)(high, std::int64_t{size});
  }
  double weight(std::int64_t at) const {
    return at == first ? weights[0] : at == first + 1 ? weights[1] : 0;
  }
  // Whether a device surely gives the element a weight that is not 0.
  bool surely_has(std::int64_t at) const { return weight(at) > (exact ? 0 : error); }
};

// What a device may answer to LINEAR at one place; x(row, column) is an element.
template <class T, class Element>
interval upsample_interval(const uncertain_place& rows, const uncertain_place& columns, const arithmetic_mode& mode,
                           const Element& x) {
  sum_terms terms;
  double elements = 0;  // the sum of the magnitudes of the terms' elements
  double moved = 0;     // by the errors of the two places
  bool open = false;  // an element that is not finite may have no weight
  bool sure_nan = false;
  std::array<bool, 2> sure{}, found{};  // infinities, by sign
  for (std::int64_t row = rows.low; row <= rows.high; ++row)
    for (std::int64_t column = columns.low; column <= columns.high; ++column) {
      const double element = x(row, column);
      const bool is_term = (row == rows.first || row == rows.first + 1) &&
                           (column == columns.first || column == columns.first + 1);
      const double across = rows.weight(row), along = columns.weight(column);
      if (is_finite_double(element)) {
        if (is_term) terms.add_product(across * along, element);
        if (across * along > 0) elements += std::abs(element);
        moved += std::abs(element) * (columns.error * across + rows.error * along + rows.error * columns.error);
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
  const bool exact = terms.is_exact(mode) &&
                     (is_zero(moved) || (rows.exact && columns.exact &&
                                         elements * mode.of().unit <= std::ldexp(1.0, terms.lowest())));
  if (!exact) {
    const auto error = [&](double by) {
      return by * (terms.magnitude() + moved) + moved + terms.lost(mode) + terms.error_of_sum();
    };
    b.error = error(g);
    b.usual_error = error(usual_growth(m, mode.of().unit));
  }
  terms.add_overflow(g, mode, b);
  if (!open) return interval_of<T>(b);
  // NaN, of 0 or of a difference times an infinity; the infinities; and what is left if they have no weight.
  interval result;
  if (!sure[0] && !sure[1]) result = interval_of<T>(b);
  result.also = static_cast<std::uint8_t>(result.also | interval_also::nan);
  if (found[0] && !sure[1]) result.also = static_cast<std::uint8_t>(result.also | interval_also::positive_infinity);
  if (found[1] && !sure[0]) result.also = static_cast<std::uint8_t>(result.also | interval_also::negative_infinity);
  return result;
}

inline void add_upsample_verdicts(const upsample_2d_desc& desc, const const_tensor_ref& input, const tensor_ref& golden,
                                  bool flushes, output_verdicts& result) {
  if (desc.interpolation_mode != interpolation_mode::linear) return;
  visit_data_type(type_list<float, float16>{}, golden.desc().data_type, [&]<class T>(std::type_identity<T>) {
    const arithmetic_mode mode{std::is_same_v<T, float>, flushes && std::is_same_v<T, float>, desc.accumulation};
    const auto x = input.as<T>();
    const auto y = golden.as<T>();
    const std::size_t column = golden.desc().sizes.size() - 1, row = column - 1;
    const std::uint32_t height = input.desc().sizes[row], width = input.desc().sizes[column];
    std::size_t number = 0;
    for (const coordinate_tuple& c : coordinates_of(golden.desc().sizes)) {
      const uncertain_place rows(place_on_axis(c[row], desc.scale_size.height, desc.pixel_alignment), c[row], height,
                                 mode.of().unit);
      const uncertain_place columns(place_on_axis(c[column], desc.scale_size.width, desc.pixel_alignment), c[column],
                                    width, mode.of().unit);
      coordinate_tuple at = c;
      const interval allowed = upsample_interval<T>(rows, columns, mode, [&](std::int64_t i, std::int64_t j) {
        at[row] = element_on_axis(i, height);
        at[column] = element_on_axis(j, width);
        return exact_double(T(x[at]));
      });
      result.allow_interval_beside(number, allowed, T(y[c]));
      ++number;
    }
  });
}

}  // namespace detail

}  // namespace goldml
