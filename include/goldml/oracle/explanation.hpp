// What the elements of an output that differ have in common: that they are other elements, that they are all in one
// place, or that they are the result without a slice of an input. Each is said only if it holds for every element
// compared.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/function_reference.hpp>
#include <goldml/core/packed_elements.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/judged_names.hpp>

namespace goldml::oracle {

struct explanation {
  std::string text;       // lines of the report
  bool computed = false;  // the output has floats that are computed
  bool numbers = false;   // of these, and of moved elements: one that differs is not 0, and should not be
  bool shifted = false;   // each element is the expected one at a fixed distance
  bool border = false;    // only elements at the first or last position of a dimension differ
  std::optional<input_slice> without = {};  // the result is that without this slice of an input
};

// Whether the slices of inputs are tried, which costs a golden answer for each: all, those of a dimension, or none.
struct tried_slices {
  bool any = true;
  std::optional<input_slice> like = {};
};

namespace detail {

// An output as the explanations see it: of each element in row-major order whether it agrees ('.'), differs ('X') or is
// neither ('?'), and its bits.
struct marked_output {
  dimensions sizes;
  std::string marks = {};
  std::vector<std::uint64_t> got = {};
  std::vector<bool> got_number = {};                              // finite, and not 0
  function_reference<bool(std::size_t of, std::size_t at)> fits;  // whether what was got `at` is right for element `of`

  std::size_t count(char mark) const { return static_cast<std::size_t>(std::count(marks.begin(), marks.end(), mark)); }
  bool judged(std::size_t i) const { return marks[i] != '?'; }
};

using offsets = std::array<std::int64_t, dimensions::capacity>;

// Whether each element is the expected one at distance d wherever that is an element. By chance that holds too: so at
// least a quarter of the elements must have one there, two of them must differ, and not all may have one value.
inline bool is_shifted(const marked_output& output, const offsets& d, std::size_t& calls) {
  const dimensions strides = packed_strides(output.sizes);
  std::size_t inside = 0, differing = 0, first = 0;
  bool varies = false;
  calls += output.marks.size() / 16;  // what it takes to walk through the elements, also of which none is compared
  std::size_t i = 0;
  for (const coordinate_tuple& c : coordinates_of(output.sizes)) {
    const std::size_t at = i++;
    coordinate_tuple other = c;
    bool is_element = output.judged(at);
    for (std::size_t k = 0; k < c.size() && is_element; ++k) {
      const std::int64_t moved = c[k] + d[k];
      is_element = moved >= 0 && moved < std::int64_t{output.sizes[k]};
      other[k] = static_cast<std::uint32_t>(moved);
    }
    if (!is_element) continue;
    const auto of = static_cast<std::size_t>(offset_of(other, strides));
    if (!output.judged(of)) continue;
    ++calls;
    if (!output.fits(of, at)) return false;
    if (inside++ == 0) first = at;
    varies = varies || output.got[at] != output.got[first];
    if (output.marks[at] == 'X') ++differing;
  }
  return varies && differing >= 2 && 4 * inside >= output.marks.size() - output.count('?');
}

// The least such distance.
inline std::optional<offsets> shift_of(const marked_output& output) {
  constexpr std::size_t most_calls = 1'000'000;
  std::size_t from = 0;
  while (from < output.marks.size() && !(output.marks[from] == 'X' && output.got_number[from])) ++from;
  if (from == output.marks.size()) return std::nullopt;
  const coordinate_tuple origin = coordinate_at(output.sizes, from);
  std::optional<offsets> best;
  std::int64_t best_length = 0;
  std::size_t calls = 0, of = 0;
  for (const coordinate_tuple& c : coordinates_of(output.sizes)) {
    const std::size_t candidate = of++;
    if (!output.judged(candidate) || ++calls > most_calls || !output.fits(candidate, from)) continue;
    offsets d{};
    std::int64_t length = 0;
    for (std::size_t k = 0; k < c.size(); ++k) {
      d[k] = std::int64_t{c[k]} - origin[k];
      length += std::abs(d[k]);
    }
    if (best && length >= best_length) continue;
    if (is_shifted(output, d, calls)) best = d, best_length = length;
  }
  return best;
}

// "the last row", "column 3", "position 2 of dimension 0".
inline std::string place_text(std::size_t dimension, std::uint32_t at, const dimensions& sizes) {
  const std::size_t from_back = sizes.size() - 1 - dimension;
  const std::string_view name = sizes.size() == 1                    ? "element"
                                : from_back == 0                     ? "column"
                                : from_back == 1                     ? "row"
                                : dimension == 1 && sizes.size() > 3 ? "channel"
                                                                     : "";
  const bool last = at > 0 && at + 1 == sizes[dimension];
  if (name.empty() && last) return fmt::format("the last position of dimension {}", dimension);
  if (name.empty()) return fmt::format("position {} of dimension {}", at, dimension);
  return at == 0 ? fmt::format("the first {}", name)
         : last  ? fmt::format("the last {}", name)
                 : fmt::format("{} {}", name, at);
}

// The one position of a dimension at which elements differ, or all from there on. Not for a single element among
// others.
inline std::string part_text(const marked_output& output) {
  const dimensions& sizes = output.sizes;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    if (sizes[k] == 1) continue;
    std::uint32_t first = sizes[k], last = 0;
    std::size_t i = 0;
    for (const coordinate_tuple& c : coordinates_of(sizes))
      if (output.marks[i++] == 'X') first = (std::min)(first, c[k]), last = (std::max)(last, c[k]);
    if (first == 0 && last + 1 == sizes[k]) continue;
    std::size_t differing = 0, agreeing = 0, elsewhere = 0;  // between `first` and `last`, and beyond
    i = 0;
    for (const coordinate_tuple& c : coordinates_of(sizes)) {
      const char mark = output.marks[i++];
      if (c[k] < first || c[k] > last)
        elsewhere += mark == '.' ? 1U : 0U;
      else
        (mark == 'X' ? differing : agreeing) += mark == '?' ? 0U : 1U;
    }
    if (elsewhere == 0 || (differing == 1 && agreeing > 0)) continue;
    if (first == last) return fmt::format("  differs only in {}\n", place_text(k, first, sizes));
    if (agreeing == 0 && last + 1 == sizes[k])
      return fmt::format("  differs everywhere from {} on, and only there\n", place_text(k, first, sizes));
  }
  return "";
}

// Whether elements differ only at the first or last position of a row or column, or of other dimensions from the third
// on.
inline bool is_border(const marked_output& output) {
  const std::size_t from = output.sizes.size() > 2 ? 2 : 0;
  std::size_t inner = 0, outer = 0, i = 0;
  for (const coordinate_tuple& c : coordinates_of(output.sizes)) {
    bool border = false;
    for (std::size_t k = from; k < c.size(); ++k)
      border = border || (output.sizes[k] > 2 && (c[k] == 0 || c[k] + 1 == output.sizes[k]));
    const char mark = output.marks[i++];
    if (mark == 'X' && !border) return false;
    if (mark == 'X') ++outer;
    if (mark == '.' && !border) ++inner;
  }
  return inner > 0 && outer > 1;
}

// The slice of an input without which the golden answer is what was got.
inline std::optional<input_slice> missing_slice(const golden_output& output, const const_tensor_ref& actual,
                                                const compare_options& options, const judged_names& names,
                                                const tried_slices& tried) {
  constexpr std::size_t most_tries = 32;
  std::size_t tries = 0;
  for (std::size_t input = 0; names.without && input < names.inputs.size(); ++input)
    for (std::size_t d = 0; d < names.inputs[input].sizes.size(); ++d) {
      const std::uint32_t size = names.inputs[input].sizes[d];
      if (size == 1 || (tried.like && (tried.like->input != input || tried.like->dimension != d))) continue;
      for (std::uint32_t i = 0; i < size && tries < most_tries; ++i, ++tries) {
        const input_slice slice{input, d, (i + size - 1) % size};  // the last one first
        const judgement judged = compare(names.without(output, slice), std::span(&actual, 1), options);
        if (judged.result.agrees()) return slice;
      }
    }
  return std::nullopt;
}

inline std::string slice_text(const input_slice& slice, const judged_names& names) {
  const auto& [name, sizes] = names.inputs[slice.input];
  std::string places;
  for (std::size_t d = 0; d < sizes.size(); ++d)
    places += (d == 0 ? "" : ",") + (d == slice.dimension ? std::to_string(slice.at) : std::string("*"));
  const std::string channel = slice.dimension == 1 && sizes.size() > 3 ? fmt::format("channel {}, ", slice.at) : "";
  return fmt::format("  equal to the result without {}{{{}}} of {}, as if it were zeros\n", channel, places, name);
}

}  // namespace detail

// What is plain about an output that differs; nothing of samples and of outputs with more than 65,536 elements. `names`
// as in report().
inline explanation explain(const golden_output& golden, const const_tensor_ref& actual, const compare_options& options,
                           const judged_names& names, const tried_slices& tried = {}) {
  constexpr std::uint64_t most_elements = 65'536;
  explanation result;
  const tensor_desc& desc = golden.whole();
  if (golden.sample || golden.values.omitted() || element_count(desc.sizes) > most_elements) return result;
  const readable_tensor readable(actual);
  visit_data_type(all_types{}, golden.values.desc().data_type, [&]<class T>(std::type_identity<T>) {
    const auto expected = golden.values.ref().as<T>();
    const auto got = readable.ref().as<T>();
    const auto is_number = [](T x) {
      if constexpr (is_floating_type<T>)
        return !is_zero(x) && goldml::detail::magnitude_bits(x) < goldml::detail::float_bits<T>::infinity;
      else
        return x != 0;
    };
    const auto fits = [&](std::size_t of, std::size_t at) {
      const coordinate_tuple c = coordinate_at(desc.sizes, of);
      return place_of<T>(golden, of, expected[c], got[coordinate_at(desc.sizes, at)], options) !=
             interval_place::outside;
    };
    detail::marked_output output{.sizes = desc.sizes, .fits = fits};
    std::size_t i = 0;
    for (const coordinate_tuple& c : coordinates_of(desc.sizes)) {
      const verdict v = golden.verdicts[i];
      const bool differs = !fits(i, i);
      output.marks += differs ? 'X' : v == verdict::undefined || v == verdict::depends ? '?' : '.';
      const T value = got[c];
      output.got.push_back(0);
      std::memcpy(&output.got.back(), &value, sizeof(T));
      output.got_number.push_back(is_number(value));
      const bool carries_numbers = names.moves || is_floating_type<T>;
      if (differs && carries_numbers && is_number(value) && is_number(expected[c])) result.numbers = true;
      ++i;
    }
    if (output.count('X') == 0) return;
    result.computed = is_floating_type<T> && !names.moves;
    const std::optional<detail::offsets> shift = detail::shift_of(output);
    result.shifted = shift.has_value();
    result.border = detail::is_border(output);
    if (is_floating_type<T> && result.numbers && tried.any)
      result.without = detail::missing_slice(golden, actual, options, names, tried);
    if (shift)
      result.text += fmt::format("  got[i] is expected[i + {{{}}}] wherever that is an element\n",
                                 fmt::join(shift->begin(), shift->begin() + desc.sizes.size(), ","));
    if (result.without) result.text += detail::slice_text(*result.without, names);
    const std::string part = detail::part_text(output);
    result.text += !part.empty() ? part : result.border && !shift ? "  differs only at the border\n" : "";
  });
  return result;
}

}  // namespace goldml::oracle
