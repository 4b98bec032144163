#include "difference_map.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/packed_elements.hpp>

namespace goldml::tool {

namespace {

constexpr std::uint64_t parts(std::uint64_t count, std::uint64_t size) { return (count - 1) / size + 1; }

map_axis axis_of(std::uint64_t size, std::uint64_t slices) {
  map_axis axis{size, slices};
  const std::uint64_t gap = slices > 1 ? 1 : 0;
  const std::uint64_t of_each = (most_cells + gap) / slices;  // cells, with the gap
  if (of_each > gap) {
    axis.block = parts(size, of_each - gap);
  } else {
    axis.block = size;
    axis.slice_block = parts(slices, most_cells);
  }
  return axis;
}

// The distance from a finite number to the next one of its type, away from zero.
template <class T>
double step_at(T x) {
  using bits = typename goldml::detail::float_bits<T>::type;
  constexpr bits infinity = goldml::detail::float_bits<T>::infinity;
  const bits low = (std::min)(goldml::detail::magnitude_bits(x), static_cast<bits>(infinity - 2));  // also if infinite
  return static_cast<double>(std::bit_cast<T>(static_cast<bits>(low + 1))) - static_cast<double>(std::bit_cast<T>(low));
}

// The position of a value relative to what is accepted nearby, in intervals from the middle of the interval: from -0.5
// to 0.5 if it is accepted. nullopt if that is no number.
class nearest_position {
 public:
  nearest_position(double value, double step) : value_(value), step_(step) {}

  static constexpr double end = 0.5;  // of the interval

  void add(double low, double high) {
    if (!(low <= high)) return;
    const double out = value_ < low ? low - value_ : value_ > high ? value_ - high : 0;
    if (!std::isfinite(out) || (position_ && out >= least_)) return;
    least_ = out;
    const double width = high - low;
    const double unit = std::isfinite(width) ? (std::max)(width, step_) : step_;
    if (out > 0)
      set(out / unit, value_ < low);
    else
      position_ = std::isfinite(width) ? std::clamp((value_ - (low + width / 2)) / unit, -end, end) : 0;
  }
  void add_integer(std::uint64_t distance, bool below) {
    const auto out = static_cast<double>(distance);
    if (position_ && out >= least_) return;
    least_ = out;
    if (distance > 0)
      set(out, below);
    else
      position_ = 0;
  }
  std::optional<double> get() const { return position_; }

 private:
  void set(double out, bool below) {
    const double position = (std::min)(end + out, (std::numeric_limits<double>::max)());
    position_ = below ? -position : position;
  }

  double value_;
  double step_;
  double least_ = 0;
  std::optional<double> position_;
};

// In the interval of the element, if it lies there; otherwise from the nearest value that is accepted.
template <class T>
std::optional<double> position_of(const oracle::golden_output& golden, std::size_t element, T expected, T got,
                                  const oracle::compare_options& options) {
  const auto for_each_verdicts = [&](auto&& f) {
    f(golden.verdicts);
    if (options.fp32_flush && golden.flushed_verdicts) f(*golden.flushed_verdicts);
  };
  const auto for_each_value = [&](auto&& f) {
    f(expected);
    for_each_verdicts([&](const output_verdicts& verdicts) {
      verdicts.any_alternative(element, [&](const scalar& other) {
        f(other.as<T>());
        return false;
      });
    });
    if (!options.fp32_flush || !golden.flushed) return;
    const auto flushed = golden.flushed->ref().template as<T>();
    f(flushed[coordinate_at(flushed.sizes(), element)]);
  };
  if constexpr (is_floating_type<T>) {
    if (is_nan(got)) return std::nullopt;
    const auto wanted = static_cast<double>(expected);
    const double step = step_at(expected);
    nearest_position nearest(static_cast<double>(got), step);
    const auto add = [&](const auto& allowed) {
      nearest.add(static_cast<double>(allowed.low), static_cast<double>(allowed.high));
    };
    for_each_verdicts([&](const output_verdicts& verdicts) {
      if (const auto* allowed = verdicts.template interval_of<interval_number<T>>(element, options.refused()))
        add(*allowed);
      verdicts.for_each_other(element, add);
    });
    double tolerance = 0;
    if (options.floats == oracle::float_match::tolerance)
      tolerance = options.absolute + options.relative * std::abs(wanted);
    if (options.floats == oracle::float_match::ulp) tolerance = static_cast<double>(options.ulp) * step;
    if (tolerance > 0) nearest.add(wanted - tolerance, wanted + tolerance);
    for_each_value([&](T value) { nearest.add(static_cast<double>(value), static_cast<double>(value)); });
    return nearest.get();
  } else {
    nearest_position nearest(0, 1);
    const auto add = [&](T value) {
      const auto a = static_cast<std::uint64_t>(value);
      const auto b = static_cast<std::uint64_t>(got);
      nearest.add_integer(got < value ? a - b : b - a, got < value);
    };
    for_each_verdicts([&](const output_verdicts& verdicts) {
      using number = interval_number<T>;
      const auto* allowed = verdicts.template interval_of<number>(element);
      if (allowed != nullptr) add(static_cast<T>(static_cast<number>(got) < allowed->low ? allowed->low : allowed->high));
    });
    for_each_value(add);
    if (const std::uint64_t end = golden.verdicts.any_index_below(element); end > 0)
      add(got < 0 ? T{0} : static_cast<T>((std::min)(static_cast<std::uint64_t>(got), end - 1)));
    return nearest.get();
  }
}

std::size_t shade_of(double intervals) {
  return static_cast<std::size_t>(std::lower_bound(shade_limits.begin(), shade_limits.end(), intervals) -
                                  shade_limits.begin());
}

void widen(dimensions& first, dimensions& last, const coordinate_tuple& c) {
  if (first.empty()) first = last = c;
  for (std::size_t i = 0; i < c.size(); ++i) {
    first[i] = (std::min)(first[i], c[i]);
    last[i] = (std::max)(last[i], c[i]);
  }
}

}  // namespace

map_layout layout_of(const dimensions& sizes) {
  constexpr std::uint64_t of_a_line = 64;  // elements, if there is one dimension
  std::vector<std::uint64_t> counts;       // of the dimensions that count
  for (const std::uint32_t size : sizes)
    if (size != 1) counts.push_back(size);
  while (counts.size() < 2) counts.insert(counts.begin(), 1);
  std::uint64_t columns = counts.back();
  std::uint64_t rows = counts[counts.size() - 2];
  if (counts.size() == 2 && rows == 1 && columns > of_a_line) {
    rows = parts(columns, of_a_line);
    columns = of_a_line;
  }
  std::uint64_t slices = 1;
  for (std::size_t i = 0; i + 2 < counts.size(); ++i) slices *= counts[i];
  std::uint64_t across = 1;
  if (counts.size() > 3) {
    across = counts[counts.size() - 3];
  } else if (counts.size() == 3) {  // about twice as wide as high
    const double wanted =
        std::sqrt(2.0 * static_cast<double>(slices) * static_cast<double>(rows + 1) / static_cast<double>(columns + 1));
    across = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(wanted), 1, slices);
    across = parts(slices, parts(slices, across));  // lines of the same length
  }
  return {axis_of(rows, parts(slices, across)), axis_of(columns, across)};
}

difference_map map_of_differences(std::string name, const oracle::golden_output& golden, const const_tensor_ref& actual,
                                  const oracle::compare_options& options) {
  const tensor_desc& desc = golden.values.desc();
  difference_map result;
  result.name = std::move(name);
  result.type = desc.data_type;
  result.sizes = desc.sizes;
  result.layout = layout_of(desc.sizes);
  const map_axis& rows = result.layout.rows;
  const map_axis& columns = result.layout.columns;
  result.cells.assign(static_cast<std::size_t>(rows.cells() * columns.cells()), ' ');
  const readable_tensor readable(actual);
  visit_data_type(all_types{}, golden.values.desc().data_type, [&]<class T>(std::type_identity<T>) {
    const auto expected = golden.values.ref().as<T>();
    const auto got = readable.ref().as<T>();
    std::size_t element = 0;
    for (const coordinate_tuple& c : coordinates_of(desc.sizes)) {
      const std::uint64_t slice = element / (rows.size * columns.size);
      const std::uint64_t row = rows.cell_of(slice / columns.slices, element / columns.size % rows.size);
      const std::uint64_t column = columns.cell_of(slice % columns.slices, element % columns.size);
      char& cell = result.cells[static_cast<std::size_t>(row * columns.cells() + column)];
      const auto mark = [&](char m) { cell = (std::max)(cell, m); };
      const std::size_t number = element++;
      if (const verdict v = golden.verdicts[number]; v == verdict::undefined || v == verdict::depends) {
        mark('-');
        continue;
      }
      const std::optional<double> position = position_of<T>(golden, number, expected[c], got[c], options);
      if (oracle::place_of(golden, number, expected[c], got[c], options) != interval_place::outside) {
        mark('.');
        constexpr double end = nearest_position::end;
        const double part = (std::clamp(position.value_or(0), -end, end) + end) * accepted_ranges;
        ++result.histogram[shades + (std::min)(static_cast<std::size_t>(part), accepted_ranges - 1)];
        continue;
      }
      ++result.differing;
      widen(result.first, result.last, c);
      if (!position) {
        mark('N');
        ++result.not_numbers;
        continue;
      }
      const double intervals = (std::max)(std::abs(*position) - nearest_position::end, 0.0);
      const std::size_t shade = shade_of(intervals);
      mark(static_cast<char>('1' + shade));
      ++result.histogram[*position < 0 ? shades - 1 - shade : shades + accepted_ranges + shade];
      if (result.farthest_at.empty() || intervals > result.farthest) {
        result.farthest = intervals;
        result.farthest_at = c;
      }
    }
  });
  return result;
}

}  // namespace goldml::tool
