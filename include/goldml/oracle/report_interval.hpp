// What a report says about the intervals of elements.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include <goldml/core/interval.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/number_text.hpp>
#include <goldml/oracle/compare.hpp>

namespace goldml::oracle::detail {

// The values of an interval besides the expected one, each part after " or".
template <class Number, class T>
std::string interval_text(const basic_interval<Number>& allowed, T expected, std::string_view where) {
  std::string text;
  const auto low = order_key(allowed.low);
  const auto high = order_key(allowed.high);
  const bool single = low == high && place_in(allowed, expected) != interval_place::outside;
  if (low <= high && !single)
    text += fmt::format(" or {}from {} to {}{}", (allowed.also & interval_also::integers) != 0 ? "an integer " : "",
                        number_text(static_cast<T>(allowed.low)), number_text(static_cast<T>(allowed.high)), where);
  const auto add = [&](std::uint8_t flag, std::string_view value) {
    if ((allowed.also & flag) != 0) text += fmt::format(" or {}{}", value, where);
  };
  add(interval_also::positive_infinity, "inf");
  add(interval_also::negative_infinity, "-inf");
  add(interval_also::nan, "nan");
  return text;
}

// How far a value is outside the interval of its element, in widths of the interval; "" if that is no number.
template <class T>
std::string outside_text(const golden_output& golden, std::size_t element, T got, const compare_options& options) {
  if constexpr (is_floating_type<T>) {
    using number = interval_number<T>;
    const bool flushes = options.fp32_flush && golden.flushed_verdicts;
    const auto* allowed =
        flushes ? golden.flushed_verdicts->template interval_of<number>(element, options.refused()) : nullptr;
    if (allowed == nullptr) allowed = golden.verdicts.template interval_of<number>(element, options.refused());
    if (allowed == nullptr) return "";
    const double width = static_cast<double>(allowed->high) - static_cast<double>(allowed->low);
    const auto value = static_cast<double>(got);
    const double out = value < static_cast<double>(allowed->low) ? static_cast<double>(allowed->low) - value
                                                                 : value - static_cast<double>(allowed->high);
    if (is_nan(got) || !std::isfinite(out) || !std::isfinite(width) || !(out > 0) || !(width > 0)) return "";
    return fmt::format(", outside by {:.3g} times the interval", out / width);
  }
  return "";
}

// The note if the value is what a golden answer under another policy allows.
template <class T>
std::string_view fits_text(const golden& other, const const_tensor_ref& actual, const difference& d,
                           const compare_options& options, std::string_view note) {
  if (other.answers.empty()) return "";
  const golden_output& allowed = other.answers.front().front();
  const T expected = allowed.values.ref().as<T>()[allowed.coordinate_of(d.where, d.element)];
  const bool fits =
      place_of<T>(allowed, d.element, expected, actual.as<T>()[d.where], options) != interval_place::outside;
  return fits ? note : "";
}

// What the first line says if an output is hardly tested though it could be.
inline std::string hardly_tested_text(const golden& expected, const judgement& judged) {
  std::string text;
  for (std::size_t i = 0; i < judged.result.outputs.size(); ++i) {
    const output_comparison& output = judged.result.outputs[i];
    if (output.hardly_tested == 0) continue;
    const std::string_view remedy = judged_outputs(expected, judged)[i].verdicts.range.remedy;
    if (!remedy.empty())
      text += fmt::format("; {} % of the elements were hardly tested: {}",
                          (output.hardly_tested * 100 + output.compared - 1) / output.compared, remedy);
  }
  return text;
}

// The elements that are accepted and noted.
inline std::string noted_text(const output_comparison& output, std::string_view unusual) {
  std::string text;
  if (output.depending > 0)
    text += fmt::format("  note: {} not judged: {} on what is not known of an intermediate\n", output.depending,
                        output.depending == 1 ? "it depends" : "they depend");
  if (output.suspicious > 0)
    text += fmt::format("  note: {} suspicious: {}\n", output.suspicious,
                        unusual.empty() ? "inside the bound, but farther off than independent roundings get" : unusual);
  if (output.toward_zero > 0)
    text += fmt::format("  note: {} rounded to FLOAT16 toward zero (ledger AR-R7)\n", output.toward_zero);
  if (output.overflowed > 0)
    text += fmt::format("  note: {} overflowed on the way to a finite result (ledger RE-R2)\n", output.overflowed);
  if (output.hardly_tested > 0)
    text += fmt::format("  note: {} hardly tested: the accepted interval is too wide to find most faults\n",
                        output.hardly_tested);
  return text;
}

}  // namespace goldml::oracle::detail
