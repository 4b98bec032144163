// Prints a comparison as text for a bug report.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/number_text.hpp>
#include <goldml/core/packed_elements.hpp>
#include <goldml/core/scalar.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/explanation.hpp>
#include <goldml/oracle/judged_names.hpp>
#include <goldml/oracle/report_fit.hpp>
#include <goldml/oracle/report_formula.hpp>
#include <goldml/oracle/report_interval.hpp>
#include <goldml/oracle/report_map.hpp>

namespace goldml::oracle {

namespace detail {

// How far a float is off: near ones in ULP, others relative to the expected one.
template <class T>
std::string float_distance_text(T expected, T got) {
  constexpr std::uint64_t most_ulp = 1000;
  const auto distance = ulp_distance(expected, got);
  if (!distance) return "NaN";
  const auto wanted = static_cast<double>(expected), number = static_cast<double>(got);
  if (std::isinf(number)) return "an infinity";
  if (std::isinf(wanted)) return "not the infinity";
  if (*distance <= most_ulp) return fmt::format("{} ULP", *distance);
  if (number == 0) return "a zero";
  return wanted == 0 ? fmt::format("off by {:.3g}", number)
                     : fmt::format("relative error {:.3g}", std::abs((number - wanted) / wanted));
}

// The difference of two values: as integers, or of floats. For copied floats, the number of different bits.
template <class T>
std::string distance_text(T expected, T got, bool moved) {
  if constexpr (is_floating_type<T>) {
    using bits = typename goldml::detail::float_bits<T>::type;
    if (moved) {
      const int count = std::popcount(static_cast<bits>(std::bit_cast<bits>(expected) ^ std::bit_cast<bits>(got)));
      return fmt::format("{} {} of a value that is moved unchanged", count, count == 1 ? "bit" : "bits");
    }
    return float_distance_text(expected, got);
  } else {
    const auto a = static_cast<std::uint64_t>(expected);
    const auto b = static_cast<std::uint64_t>(got);
    return fmt::format("off by {}{}", got < expected ? "-" : "+", got < expected ? a - b : b - a);
  }
}

// All allowed values of an element, each once. If there are many, only the first ones.
template <class T>
std::string expected_text(const golden_output& golden, std::size_t element, T expected,
                          const compare_options& options) {
  constexpr std::size_t most_values = 16;
  std::string text = value_text(expected);
  std::vector<scalar> values{scalar(expected)};
  bool more = false;
  const auto add = [&](const scalar& other, std::string_view where) {
    if (std::find(values.begin(), values.end(), other) != values.end()) return false;
    if (values.size() == most_values) return more = true;
    values.push_back(other);
    text += fmt::format(" or {}{}", value_text(other.as<T>()), where);
    return false;
  };
  const auto add_all = [&](const output_verdicts& verdicts, std::string_view where) {
    if (verdicts[element] != verdict::exact)
      verdicts.any_alternative(element, [&](const scalar& other) { return add(other, where); });
  };
  // The numbers of an interval, unless the golden value is the only one, or they print as those before.
  std::string numbers;
  const auto add_interval = [&](const output_verdicts& verdicts, std::string_view where) {
    if (const auto* allowed = verdicts.template interval_of<interval_number<T>>(element, options.refused()))
      if (const std::string found = interval_text(*allowed, expected, ""); found != numbers) {
        numbers = found;
        text += interval_text(*allowed, expected, where);
      }
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, float16>)
      verdicts.for_each_other(element, [&](const interval& other) { text += interval_text(other, expected, where); });
  };
  add_interval(golden.verdicts, golden.from);
  add_all(golden.verdicts, "");
  if (options.fp32_flush) {
    constexpr std::string_view where = " where subnormals are flushed";
    if (golden.flushed) {
      const auto flushed = golden.flushed->ref().template as<T>();
      add(scalar(flushed[coordinate_at(flushed.sizes(), element)]), where);
    }
    if (golden.flushed_verdicts) {
      add_interval(*golden.flushed_verdicts, where);
      add_all(*golden.flushed_verdicts, where);
    }
  }
  if (more) text += " or another of the values allowed";
  if (golden.verdicts[element] == verdict::exact) return text;
  const std::uint64_t index_end = golden.verdicts.any_index_below(element);
  if (index_end > 0) text += fmt::format(" or any index from 0 to {}", index_end - 1);
  return text;
}

// The values around an element in row-major order, three on each side, with the element itself in brackets.
template <class T>
std::string neighbours_text(const tensor_view<const T>& values, std::size_t element) {
  constexpr std::size_t reach = 3;
  const std::size_t begin = element > reach ? element - reach : 0;
  const std::uint64_t end = (std::min)(element_count(values.sizes()), std::uint64_t{element} + reach + 1);
  std::string text;
  for (std::size_t i = begin; i < end; ++i) {
    const std::string value = number_text(values[coordinate_at(values.sizes(), i)]);
    text += (i == begin ? "" : " ") + (i == element ? "[" + value + "]" : value);
  }
  return text;
}

template <class T>
std::string difference_text(const golden_output& golden, const const_tensor_ref& actual, const difference& d,
                            const compare_options& options, bool moved, std::string_view note) {
  const auto values = golden.values.ref().as<T>();
  const T expected = values[golden.coordinate_of(d.where, d.element)];
  const auto got = actual.as<T>();
  const std::size_t number = golden.sample ? static_cast<std::size_t>(golden.sample->numbers[d.element]) : d.element;
  std::string text = fmt::format("  {}: expected {}, got {}, {}\n", d.where,
                                 expected_text(golden, d.element, expected, options), value_text(got[d.where]),
                                 distance_text<T>(expected, got[d.where], moved) +
                                     outside_text<T>(golden, d.element, got[d.where], options) + std::string(note));
  if (!golden.sample) text += fmt::format("    expected: {}\n", neighbours_text(values, d.element));
  return text + fmt::format("    got:      {}\n", neighbours_text(got, number));
}

// The answer that a device agrees with, if it is worth a word.
inline std::string alternative_text(const golden& expected, const judgement& judged) {
  if (judged.outcome() != outcome::agrees || expected.answers.empty()) return "";
  const golden_outputs& outputs = judged_outputs(expected, judged);
  const std::string_view text = outputs.empty() ? std::string_view() : outputs.front().alternative;
  return text.empty() ? "" : fmt::format(" {}", text);
}

inline std::string outcome_text(const judgement& judged) {
  const bool listed = judged.from_golden == deviation::listing_order;
  switch (judged.outcome()) {
    case outcome::agrees:
      return "agrees";
    case outcome::flagged:
      return "tolerated and flagged: numbered in the order of Axes, not in ascending order (ledger 7.3)";
    case outcome::nothing_defined:
      return "tolerated, nothing to compare: no element is defined";
    case outcome::depends:
      return "cannot be judged in full: elements depend on what is not known of an intermediate";
    default:
      return judged.result.mismatched()      ? "cannot be compared"
             : judged.result.outputs.empty() ? "cannot be compared: there is no answer"
             : judged.result.wrote_outside() && judged.result.differing() == 0 ? "wrote outside its tensor"
             : judged.result.misfits() && judged.result.differing() == 0
                 ? "differs: inside the bounds, but its errors do not fit its precision (option fit)"
             : listed ? "differs; nearest is the answer numbered in the order of Axes"
                      : "differs";
  }
}

// The changed bytes around the elements of a watched output: those that must not change, and those that may.
inline std::string memory_text(const output_comparison& output) {
  const memory_changes& memory = output.memory;
  std::string text;
  if (memory.outside > 0)
    text += fmt::format("  wrote outside its tensor: {}\n", changes_text(memory.outside, memory.first_outside));
  if (memory.gaps > 0)
    text += fmt::format("  {} padding or gaps: {}\n",
                        output.wrote_outside && memory.outside == 0 ? "wrote into" : "note: wrote into",
                        changes_text(memory.gaps, memory.first_gap));
  return text;
}

}  // namespace detail

// The report on a judgement of `actual`. For each output it has the numbers of compared, ignored and different
// elements. For the first ten different elements it has the coordinates, the expected values and the actual one with
// their bits, the difference, three neighbours on each side and, if `names` has them, the inputs that determine the
// element. Then follow what is plain about those that differ, maps of matrices, and the case that reproduces the
// judgement.
inline std::string report(const golden& expected, std::span<const const_tensor_ref> actual, const judgement& judged,
                          const compare_options& options, const judged_names& names, std::string_view case_line) {
  const comparison& result = judged.result;
  std::string text =
      fmt::format("{}: {}{}{}\n", names.operator_name, detail::outcome_text(judged),
                  detail::alternative_text(expected, judged), detail::hardly_tested_text(expected, judged));
  text += names.intermediates;
  for (std::size_t i = 0; i < result.outputs.size(); ++i) {
    const output_comparison& output = result.outputs[i];
    const std::string_view name = i < names.outputs.size() ? std::string_view(names.outputs[i]) : "outputs";
    if (!output.mismatch.empty()) {
      text += fmt::format("{}: {}\n", name, output.mismatch);
      continue;
    }
    const golden_output& golden = judged_outputs(expected, judged)[i];
    if (golden.values.omitted()) continue;
    const tensor_desc& desc = golden.whole();
    const std::string of =
        golden.sample ? fmt::format("{} of {} elements: ", golden.verdicts.size(), element_count(desc.sizes)) : "";
    if (output.miscounted)
      text += fmt::format("{} {} {}: not compared, as {} is wrong{}\n", name, name_of(desc.data_type), desc.sizes,
                          names.outputs.empty() ? "the count" : std::string_view(names.outputs[*golden.counted_by]),
                          output.first.empty() ? "" : "; the first difference:");
    else
      text +=
          fmt::format("{} {} {}: {}{} compared, {} ignored, {} {}\n", name, name_of(desc.data_type), desc.sizes, of,
                      output.compared, output.ignored, output.differing, output.differing == 1 ? "differs" : "differ");
    text += detail::noted_text(output, golden.verdicts.range.unusual);
    if (!names.known.empty())
      visit_data_type(type_list<float, float16>{}, desc.data_type, [&]<class T>(std::type_identity<T>) {
        text += detail::known_formula_text<T>(names.known, names.known_of, golden, actual[i], output, options);
      });
    const fit_result fit = i < judged.fits.size() ? judged.fits[i] : fit_result();
    text += detail::fit_text(fit, desc.sizes);
    text += detail::memory_text(output);
    goldml::oracle::golden half;
    std::vector<goldml::oracle::golden> readings;
    // Where the fit says what the device computes in, a guess for each element says no more.
    const bool guesses = fit.outcome == fit_outcome::none || fit.is_half_precision();
    if (names.half && !output.first.empty() && guesses) half = names.half(golden);
    for (const judged_names::reading& reading : names.readings)
      readings.push_back(output.first.empty() ? goldml::oracle::golden() : reading.answer(golden));
    const readable_tensor readable(output.first.empty() ? const_tensor_ref() : actual[i]);
    const const_tensor_ref& shown = readable.ref();
    visit_data_type(all_types{}, golden.values.desc().data_type, [&]<class T>(std::type_identity<T>) {
      for (const difference& d : output.first) {
        std::string note(detail::fits_text<T>(half, shown, d, options, ", fits half precision (ledger AR-R1)"));
        for (std::size_t k = 0; k < readings.size(); ++k)
          if (note.find(names.readings[k].note) == std::string::npos)
            note += detail::fits_text<T>(readings[k], shown, d, options, names.readings[k].note);
        text += detail::difference_text<T>(golden, shown, d, options, names.moves, note);
        if (names.deciding && !golden.sample && golden.from_golden != deviation::listing_order)
          text += names.deciding(i, golden, d.where, actual[i]);
      }
      if (output.differing > output.first.size())
        text += fmt::format("  and {} more\n", output.differing - output.first.size());
      if (output.differing > 0) text += explain(golden, actual[i], options, names).text;
      if (output.differing > 0) text += detail::map_text<T>(golden, shown, options);
      if (output.differing > 0 && golden.note) {
        const auto expected_values = golden.values.ref().template as<T>();
        const auto got = shown.template as<T>();
        text += golden.note([&](std::size_t element) {
          const coordinate_tuple c = coordinate_at(desc.sizes, element);
          return place_of<T>(golden, element, expected_values[c], got[c], options) == interval_place::outside;
        });
      }
    });
  }
  if (!case_line.empty()) text += fmt::format("case: {}\n", case_line);
  return text;
}

}  // namespace goldml::oracle
