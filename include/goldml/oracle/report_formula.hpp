// What a report says of an output that another formula explains, such as GELU's tanh form.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>

#include <fmt/format.h>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/value_conversion.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/verdict_traits.hpp>

namespace goldml::oracle::detail {

// A note on the formula that all elements fit, if some are suspicious or differ. T is FLOAT32 or FLOAT16.
template <class T>
std::string known_formula_text(std::span<const known_formula> formulas, const const_tensor_ref& input,
                               const golden_output& golden, const const_tensor_ref& actual,
                               const output_comparison& output, const compare_options& options) {
  if (golden.sample || output.suspicious + output.differing == 0) return "";
  const auto x = input.as<T>(), got = actual.as<T>();
  const auto expected = golden.values.ref().template as<T>();
  constexpr bool is_float = std::is_same_v<T, float>;
  constexpr double unit = is_float ? 0x1p-23 : 0x1p-10, least = is_float ? 0x1p-126 : 0x1p-24;
  constexpr double most = is_float ? 0x1.fffffep127 : 65504;
  for (const known_formula& formula : formulas) {
    std::size_t explained = 0, fitting = 0, element = 0;
    bool fits = true;
    for (const coordinate_tuple& c : coordinates_of(golden.whole().sizes)) {
      const std::size_t at = element++;
      const double argument = goldml::detail::widened(x[c]), value = goldml::detail::widened(got[c]);
      const double wanted = formula.of(argument);
      if (!(std::abs(wanted) <= most)) continue;
      fits = std::abs(value - wanted) <= formula.error(argument) + std::abs(wanted) * unit + least;  // false for NaN
      if (!fits) break;
      ++fitting;
      const interval_place place = place_of<T>(golden, at, expected[c], got[c], options);
      if (place == interval_place::suspicious || place == interval_place::outside) ++explained;
    }
    if (fits && explained > 0)
      return fmt::format("  note: all {} elements fit {}, which is not the operator's formula\n", fitting,
                         formula.name);
  }
  return "";
}

}  // namespace goldml::oracle::detail
