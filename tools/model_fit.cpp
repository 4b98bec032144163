#include "model_fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <goldml/oracle/report_fit.hpp>

namespace goldml::tool {

fit_histogram histogram_of(const std::vector<double>& errors) {
  fit_histogram result{};
  for (const double z : errors)
    ++result[static_cast<std::size_t>(std::clamp(std::floor(2 * z) + 9, 0.0, double{fit_ranges - 1}))];
  return result;
}

void fit_total::add(const model_fit& of) {
  if (of.fit.outcome == oracle::fit_outcome::none) return;
  model = model.empty() || model == of.fit.model ? of.fit.model : "the precision";
  ++outputs;
  if (of.fit.misfits()) ++misfits;
  elements += of.fit.measured;
  squares += of.fit.rms * of.fit.rms * static_cast<double>(of.fit.measured);
  for (std::size_t i = 0; i < fit_ranges; ++i) histogram[i] += of.histogram[i];
}

double fit_total::rms() const { return elements == 0 ? 0 : std::sqrt(squares / static_cast<double>(elements)); }

std::string fit_total::text() const {
  const std::string misfit = misfits == 0 ? "" : fmt::format("; {} {} not fit", misfits, misfits == 1 ? "does" : "do");
  return fmt::format("{} of {} (RMS over {} {}){}", oracle::detail::fit_number_text(rms()), model, outputs,
                     outputs == 1 ? "output" : "outputs", misfit);
}

std::string histogram_html(const fit_histogram& counts) {
  std::uint64_t all = 0;
  for (const std::uint64_t count : counts) all += count;
  if (all == 0) return "";
  // The share of a standard normal distribution below the end of a range.
  const auto below = [](std::size_t range) {
    return range == 0            ? 0.0
           : range == fit_ranges ? 1.0
                                 : std::erfc(-(static_cast<double>(range) / 2 - 4.5) / std::sqrt(2.0)) / 2;
  };
  const double most =
      (std::max)(static_cast<double>(*std::max_element(counts.begin(), counts.end())) / static_cast<double>(all),
                 below(10) - below(9));
  std::string text =
      "<table class=\"histogram\">\n<caption>Elements by z, their error over that of independent roundings; below each "
      "bar what a normal distribution has.</caption>\n<tbody>\n";
  for (std::size_t i = 0; i < fit_ranges; ++i) {
    const double normal = below(i + 1) - below(i), low = static_cast<double>(i) / 2 - 4.5;
    const std::string name = i == 0                ? "below -4"
                             : i == fit_ranges - 1 ? "above 4"
                                                   : fmt::format("{:.1f} to {:.1f}", low, low + 0.5);
    const double share = static_cast<double>(counts[i]) / static_cast<double>(all);
    text += fmt::format(
        "<tr><th scope=\"row\">{}</th><td class=\"bar\"><i class=\"good\" style=\"width:{:.1f}%\"></i><i class=\"cU\" "
        "style=\"width:{:.1f}%;height:.2em\"></i></td><td>{}</td></tr>\n",
        name, 100 * share / most, 100 * normal / most, counts[i]);
  }
  return text + "</tbody>\n</table>\n";
}

}  // namespace goldml::tool
