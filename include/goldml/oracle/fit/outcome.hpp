// What the measure says of an output: it fits, or its errors are coarser, biased, or those of some elements.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <goldml/oracle/fit/result.hpp>
#include <goldml/oracle/fit/sample.hpp>

namespace goldml::oracle {

namespace detail {

// The error of an element as it shows, over its deviation.
inline double plain_error(const fit_model& model, const fit_element& e) {
  if (!model.narrows()) return (e.got - e.y) / e.deviation;
  const double step = fit_half_step(e.y);
  return (e.got - e.y) / std::sqrt(e.deviation * e.deviation + step * step / 12);
}

// The elements outside the sample whose errors seem to be greatest: those above 2.5 by an estimate of their variance.
inline std::vector<std::uint64_t> suspects(const fit_measure& measure, const fit_sample& sample, std::size_t most) {
  using scored = std::pair<double, std::uint64_t>;
  const fit_sums& sums = measure.sums();
  if (!sums.totals_of || sample.has_all) return {};
  std::unordered_set<std::uint64_t> seen;
  for (const fit_element& e : sample.elements) seen.insert(e.number);
  std::vector<scored> heap;  // the least score first
  for (std::uint64_t i = 0; i < sums.elements(); ++i) {
    const double got = measure.answers()(i);
    if (!goldml::detail::is_finite_double(got)) continue;
    const fit_sums::totals t = sums.totals_of(i);
    const fit_place place = sums.place_of(i);
    fit_facts f{static_cast<double>(place.count), t.value - place.addend};
    f.magnitude = t.magnitude;
    f.addend = place.addend;
    f.squares = sample.square_ratio * f.magnitude * f.magnitude / f.count;
    const double y = sums.model.result_of(f), step = sums.model.narrows() ? fit_half_step(y) : 0;
    const double square = (got - y) * (got - y) / (sums.model.variance(f) + step * step / 12);
    if (!(square > 2.5 * 2.5) || (heap.size() == most && square <= heap.front().first) || seen.contains(i)) continue;
    if (heap.size() == most) {
      std::pop_heap(heap.begin(), heap.end(), std::greater<>());
      heap.pop_back();
    }
    heap.emplace_back(square, i);
    std::push_heap(heap.begin(), heap.end(), std::greater<>());
  }
  std::vector<std::uint64_t> result;
  for (const scored& s : heap) result.push_back(s.second);
  std::sort(result.begin(), result.end());
  return result;
}

inline std::string common_place(const std::vector<std::uint64_t>& elements, std::uint64_t rows, std::uint64_t columns) {
  if (elements.size() < 2) return "";
  const auto all_have = [&](const auto& f) {
    return std::all_of(elements.begin(), elements.end(), [&](std::uint64_t i) { return f(i) == f(elements[0]); });
  };
  if (columns > 1 && all_have([&](std::uint64_t i) { return i / columns; })) return "row";
  if (columns > 1 && all_have([&](std::uint64_t i) { return i % columns; })) return "column";
  for (const std::uint64_t size : {8U, 16U, 32U, 64U, 128U}) {
    const bool one_row = all_have([&](std::uint64_t i) { return i / columns / size; });
    const bool one_column = all_have([&](std::uint64_t i) { return i % columns / size; });
    if (elements.size() < size / 2 || (rows <= size && columns <= size)) return "";
    if (one_row && one_column) return "tile of " + std::to_string(size) + " x " + std::to_string(size);
    if (one_column && columns > size) return "tile of " + std::to_string(size) + " columns";
  }
  return "";
}

}  // namespace detail

// Whether elements of the output, and not its precision, are wrong; and the outcome.
inline fit_result fit_outcome_of(fit_measure& measure, const fit_sample& sample) {
  const fit_sums& sums = measure.sums();
  fit_result result;
  result.elements = sums.elements();
  result.model = sums.model.name();
  if (sample.elements.empty()) {
    result.is_too_long = sample.is_too_long;
    result.silent_because = sample.is_too_long ? "its sums are too long" : "no element is both rounded and finite";
    return result;
  }
  result.rms = std::sqrt(sample.mean_square);
  result.bias = sample.bias;
  result.measured = sample.elements.size();
  result.independent = sample.independent;
  result.dependent = sample.dependent;
  result.toward_zero = sample.direction == rounding::toward_zero;

  std::vector<double> sizes;
  for (const fit_element& e : sample.elements) {
    result.errors.push_back(detail::plain_error(sums.model, e));
    sizes.push_back(std::abs(result.errors.back()));
  }
  const double usual = (std::max)(1.0, 1.48 * detail::median(sizes, 0));
  std::size_t others = 0;
  const auto see = [&](const fit_element& e) {
    const double size = std::abs(detail::plain_error(sums.model, e));
    const double factor = sample.dependent ? (std::max)(e.factor, sample.mean_factor) : e.factor;
    const double limit = 8 * (sample.dependent ? 2 : 1) * (std::max)(1.0, std::sqrt(factor) - 1);
    result.largest = (std::max)(result.largest, size);
    if (size > limit * usual)
      result.outliers.push_back(e.number);
    else if (size > limit)
      ++others;
  };
  for (const fit_element& e : sample.elements) see(e);
  const auto longest = static_cast<std::size_t>(sample.elements.back().facts.count);
  const std::size_t most = std::clamp((std::size_t{1} << 24) / longest, std::size_t{4}, std::size_t{256});
  const std::vector<std::uint64_t> more = detail::suspects(measure, sample, most);
  for (std::size_t first = 0; first < more.size(); first += 16) {
    fit_lines lines(sums);
    std::vector<fit_element> some;
    for (std::size_t i = first; i < (std::min)(more.size(), first + 16); ++i) {
      fit_element e;
      if (measure.measure(more[i], lines, e)) some.push_back(e);
    }
    measure.replay(some, lines);
    for (const fit_element& e : some) see(e);
  }
  std::sort(result.outliers.begin(), result.outliers.end());
  const std::size_t found = result.outliers.size();
  if (found > 0 && (found >= others || found + others <= 2)) {
    result.outcome = fit_outcome::outliers;
    result.where = detail::common_place(result.outliers, sums.rows, sums.columns);
  } else if (!sample.fits(sample.mean_square) || found + others > 0) {
    result.outcome = fit_outcome::coarser;
  } else {
    result.outcome = sample.is_biased(sample.bias) && sums.tells_bias() ? fit_outcome::biased : fit_outcome::fits;
  }
  return result;
}

}  // namespace goldml::oracle
