// The fit of an output in the results of `goldml check`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <goldml/oracle/fit/result.hpp>

namespace goldml::tool {

// Elements by z: below -4, from there in steps of a half, above 4.
inline constexpr std::size_t fit_ranges = 18;
using fit_histogram = std::array<std::uint64_t, fit_ranges>;

fit_histogram histogram_of(const std::vector<double>& errors);

struct model_fit {
  std::string output;
  oracle::fit_result fit;  // without `errors`
  fit_histogram histogram{};

  model_fit() = default;
  model_fit(std::string name, oracle::fit_result of)
      : output(std::move(name)), fit(std::move(of)), histogram(histogram_of(fit.errors)) {
    fit.errors = {};
  }
};

// The fits of an operator, in all models together.
struct fit_total {
  std::string model;  // that of the outputs, such as "FLOAT32"; of several, "the precision"
  std::uint64_t outputs = 0, misfits = 0, elements = 0;
  double squares = 0;  // the sum of the elements' z^2
  fit_histogram histogram{};

  void add(const model_fit& of);
  double rms() const;
  std::string text() const;  // "0.31 of FLOAT32 (RMS over 12 outputs)", and how many do not fit
};

// The histogram beside that of a normal distribution, as HTML.
std::string histogram_html(const fit_histogram& counts);

}  // namespace goldml::tool
