// The fit in a judgement and in its report.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <goldml/core/coordinates.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/fit/result.hpp>
#include <goldml/oracle/judged_names.hpp>

namespace goldml::oracle {

// Adds the fits of the outputs to a judgement by compare(). `names`: of the call and its inputs.
inline void judge_fits(judgement& judged, const golden& expected, std::span<const const_tensor_ref> actual,
                       const compare_options& options, const judged_names& names) {
  if (!names.fit || expected.answers.empty() || judged.from_golden == deviation::listing_order) return;
  const golden_outputs& outputs = judged_outputs(expected, judged);
  judged.fits.resize(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    output_comparison& output = judged.result.outputs[i];
    if (!output.mismatch.empty() || output.miscounted || outputs[i].values.omitted()) continue;
    judged.fits[i] = names.fit(outputs[i], actual[i], options);
    output.misfits = options.fit && judged.fits[i].misfits();
  }
}

namespace detail {

inline std::string fit_number_text(double x) {
  return x < 0.1 ? fmt::format("{:.2g}", x) : x < 10 ? fmt::format("{:.2f}", x) : fmt::format("{:.0f}", x);
}
// 65,536.
inline std::string grouped_text(std::uint64_t x) {
  std::string text = std::to_string(x);
  for (std::size_t end = text.size(); end > 3; end -= 3) text.insert(end - 3, ",");
  return text;
}
inline std::string explained_text(const fit_result& fit) {
  if (fit.explained_by.starts_with(transform_name))
    return fmt::format("errors of the size of a {} sum: {}", fit.model, fit.explained_by);
  const bool one = fit.explained_by.starts_with("a ") || fit.explained_by.starts_with("the reciprocal") ||
                   fit.explained_by.starts_with("Winograd");
  const bool several = fit.explained_by.find(" and ") != std::string::npos;
  // Of sums in another precision the size is compared, and nothing is left over.
  const std::string rest = fit.rest < 0.7 * fit.rms ? fmt::format(" ({})", fit_number_text(fit.rest)) : "";
  return fit.is_fault ? fmt::format("in all elements {}{}", fit.explained_by, rest)
                      : fmt::format("{} explain{} it{}", fit.explained_by, one && !several ? "s" : "", rest);
}

// The elements that are wrong, and not the precision.
inline std::string outliers_text(const fit_result& fit, const dimensions& sizes) {
  constexpr std::size_t most = 10;
  std::string text = "  note: these elements, not the precision: ";
  for (std::size_t i = 0; i < fit.outliers.size() && i < most; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", coordinate_at(sizes, fit.outliers[i]));
  if (fit.outliers.size() > most) text += fmt::format(" and {} more", fit.outliers.size() - most);
  if (!fit.where.empty()) text += fmt::format(", all in one {}", fit.where);
  return text + "\n";
}

// The lines on an output whose sizes these are; "" if there is no statement.
inline std::string fit_text(const fit_result& fit, const dimensions& sizes) {
  if (fit.outcome == fit_outcome::none) return "";
  const bool outliers = fit.outcome == fit_outcome::outliers;
  std::string text = outliers ? outliers_text(fit, sizes) : "";
  text += fmt::format("  fit: {}{} of {}", outliers ? "the others " : "",
                      fit_number_text(outliers ? fit.rest : fit.rms), fit.model);
  if (fit.explained_by.empty() || outliers)
    text += fmt::format(" (RMS over {} of {} elements, largest {})", grouped_text(fit.measured),
                        grouped_text(fit.elements), fit_number_text(fit.largest));
  if (!fit.explained_by.empty())
    text += "; " + explained_text(fit);
  else if (fit.outcome == fit_outcome::coarser)
    text += "; coarser, and no known arithmetic explains it";
  else if (fit.outcome == fit_outcome::biased)
    text += fmt::format("; biased {} zero by {}", fit.bias < 0 ? "toward" : "away from",
                        fit_number_text(std::abs(fit.bias)));
  if (fit.dependent) text += "; the order of these sums matters";
  return text + "\n";
}

}  // namespace detail

}  // namespace goldml::oracle
