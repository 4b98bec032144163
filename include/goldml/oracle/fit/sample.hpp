// The sample of an output: the elements that are measured, and what they say of the device and of the data.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <goldml/core/rounding.hpp>
#include <goldml/oracle/fit/measure.hpp>

namespace goldml::oracle {

struct fit_sample {
  std::vector<fit_element> elements;
  bool is_too_long = false;  // the sums are: there is no statement
  bool has_all = false;      // all elements were asked for
  double independent = 0;    // N*: how many independent elements there are
  bool dependent = false;    // the errors depend on the order of the terms more than those of random data do
  double mean_factor = 1;    // of r
  double most_bias = 0;      // b_f: the greatest of the replays
  double square_ratio = 1;   // the median of n * (sum of squares) / (sum of magnitudes)^2
  rounding direction = rounding::nearest_even;  // in which FLOAT32 sums are narrowed
  double mean_square = 0;                       // Z^2
  double bias = 0;

  double most_square() const { return (dependent ? 8 : 1.5) * (1 + 8 / std::sqrt(independent) + 32 / independent); }
  double least_bias() const { return (std::max)(0.2, 2 * most_bias) + 4 / std::sqrt(independent); }
  bool fits(double square) const { return square <= most_square(); }
  // Whether a device that fits is biased.
  bool is_biased(double of) const { return independent >= 16 && !dependent && std::abs(of) > least_bias(); }
};

namespace detail {

inline double median(std::vector<double> numbers, double otherwise) {
  if (numbers.empty()) return otherwise;
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  return *middle;
}

template <class T>
double number_of_different(std::vector<T> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return static_cast<double>(std::unique(numbers.begin(), numbers.end()) - numbers.begin());
}

// The mean square of the errors against exact results y(element), and their bias.
template <class Y, class Got>
std::pair<double, double> fit_errors(const fit_sample& sample, bool narrows, rounding direction, const Y& y,
                                     const Got& got) {
  double square = 0, bias = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < sample.elements.size(); ++i) {
    const fit_element& e = sample.elements[i];
    const double z = fit_error(got(e), y(i, e), narrows, direction) / e.deviation;
    square += z * z / e.factor;
    bias += z * e.sign();
    ++count;
  }
  const double n = count == 0 ? 1 : static_cast<double>(count);
  return {square / n, bias / n};
}

// Counts what is independent, and says whether the data are dependent.
inline void see_orders(const fit_sums& sums, fit_sample& sample) {
  const auto n = static_cast<double>(sample.elements.size());
  std::vector<float> mantissas;
  std::vector<std::uint64_t> lines;
  double factors = 0;
  std::vector<double> ratios;
  for (const fit_element& e : sample.elements) {
    int exponent = 0;
    mantissas.push_back(std::frexp(static_cast<float>(std::abs(e.y)), &exponent));
    if (sums.is_prefixes) lines.push_back(e.place.left);
    factors += e.factor;
    const double magnitude = sums.totals_of ? sums.totals_of(e.number).magnitude : 0;
    if (magnitude > 0) ratios.push_back(e.facts.squares * e.facts.count / (magnitude * magnitude));
  }
  sample.mean_factor = factors / n;
  sample.square_ratio = median(std::move(ratios), 1);
  double shared[2] = {0, 0}, most_square = 0;  // shared: of the errors, and of those away from zero
  double orders = 0;
  for (std::size_t f = 0; f < fit_orders; ++f) {
    double sum = 0, away = 0, square = 0;
    for (const fit_element& e : sample.elements) {
      sum += e.of_orders[f];
      away += e.of_orders[f] * e.sign();
      square += e.of_orders[f] * e.of_orders[f];
    }
    sample.most_bias = (std::max)(sample.most_bias, std::abs(away / n));
    most_square = (std::max)(most_square, square / n);
    if (!(square > 0)) continue;
    ++orders;
    shared[0] += sum * sum / (n * square);
    shared[1] += away * away / (n * square);
  }
  sample.independent = number_of_different(std::move(mantissas));
  if (sums.is_prefixes) sample.independent = (std::min)(sample.independent, number_of_different(std::move(lines)));
  const double most_shared = (std::max)(shared[0], shared[1]);
  if (most_shared > 0) sample.independent = (std::min)(sample.independent, orders / most_shared);
  sample.dependent = most_square > 1 + 4 / std::sqrt(sample.independent) || sample.mean_factor > 6 ||
                     (sample.independent < 16 && sample.mean_factor > 2);
}

// The numbers of the elements of the sample: at most 4096 with at most 2^22 terms, and of more than 256 a quarter, so
// that they take a share of the time of the golden answer. Empty if the sums are too long.
inline std::vector<std::uint64_t> fit_elements_of(const fit_sums& sums) {
  std::uint64_t longest = 1;
  const std::uint64_t all = sums.elements();
  if (all == 0) return {};
  for (const std::uint64_t i : fit_measure::spaced(all, 4096)) longest = (std::max)(longest, sums.place_of(i).count);
  const std::uint64_t share = (std::max)(all / 4, std::uint64_t{256});
  std::uint64_t most = (std::min)({std::uint64_t{4096}, share, (std::uint64_t{1} << 22) / longest});
  if (most < 4) {
    most = (std::min)(std::uint64_t{4}, all);
    if (most * longest > std::uint64_t{1} << 24) return {};
  }
  const auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(most)));
  std::uint64_t columns = (std::min)(sums.columns, root);
  const std::uint64_t rows = (std::min)(sums.rows, most / columns);
  columns = (std::min)(sums.columns, most / rows);
  std::vector<std::uint64_t> result;
  for (const std::uint64_t i : fit_measure::spaced(sums.rows, rows))
    for (const std::uint64_t j : fit_measure::spaced(sums.columns, columns)) result.push_back(i * sums.columns + j);
  return result;
}

// The numbers of the elements that are also asked for a name: of a matrix 64 rows by 64 columns, with at most 2^26
// terms.
inline std::vector<std::uint64_t> fit_grid_of(const fit_sums& sums, std::uint64_t longest) {
  std::vector<std::uint64_t> result;
  if (!sums.is_matrix) return result;
  const double most = std::sqrt(0x1p26 / static_cast<double>(longest));
  const std::uint64_t side = (std::min)(static_cast<std::uint64_t>(most), std::uint64_t{64});
  for (const std::uint64_t i : fit_measure::spaced(sums.rows, side))
    for (const std::uint64_t j : fit_measure::spaced(sums.columns, side)) result.push_back(i * sums.columns + j);
  return result;
}

}  // namespace detail

// Measures a sample of an output. It is empty if the sums are too long, or if all elements are left out.
inline fit_sample fit_sample_of(fit_measure& measure) {
  const fit_sums& sums = measure.sums();
  fit_sample result;
  const std::vector<std::uint64_t> numbers = detail::fit_elements_of(sums);
  result.is_too_long = numbers.empty() && sums.elements() > 0;
  result.has_all = numbers.size() == sums.elements();
  result.elements.reserve(numbers.size());
  for (const std::uint64_t number : numbers) {
    fit_element e;
    if (measure.measure(number, measure.lines(), e)) result.elements.push_back(e);
  }
  if (result.elements.empty()) return result;
  measure.replay(result.elements, measure.lines());
  detail::see_orders(sums, result);
  const auto errors = [&](rounding direction) {
    return detail::fit_errors(
        result, sums.model.narrows(), direction, [](std::size_t, const fit_element& e) { return e.y; },
        [](const fit_element& e) { return e.got; });
  };
  std::pair<double, double> of = errors(rounding::nearest_even);
  if (sums.model.narrows() && !result.fits(of.first)) {
    const std::pair<double, double> cut = errors(rounding::toward_zero);
    if (result.fits(cut.first)) {
      result.direction = rounding::toward_zero;
      of = cut;
    }
  }
  result.mean_square = of.first;
  result.bias = of.second;
  return result;
}

}  // namespace goldml::oracle
