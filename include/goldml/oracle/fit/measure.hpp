// The measure of an output: the errors of a sample of its elements, over those that independent roundings give.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <goldml/core/number.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/oracle/fit/model.hpp>
#include <goldml/oracle/fit/replay.hpp>
#include <goldml/oracle/fit/sums.hpp>

namespace goldml::oracle {

// One element that is measured.
struct fit_element {
  std::uint64_t number = 0;
  fit_place place;
  fit_facts facts;
  double got = 0, y = 0;  // y: the exact result
  double deviation = 0;   // the square root of the model's variance
  bool is_replayed = false;
  double factor = 1;                           // r: by how much the data exceed the model's variance
  std::array<double, fit_orders> replays{};    // their results
  std::array<double, fit_orders> of_orders{};  // their errors over `deviation`

  double sign() const { return y < 0 ? -1 : 1; }
};

// What a device gave for an element; NaN where it is not to be measured.
using fit_answers = std::function<double(std::uint64_t element)>;

// Measures elements of one output.
class fit_measure {
 public:
  fit_measure(const fit_sums& sums, const fit_answers& got) : sums_(sums), got_(got), lines_(sums) {}

  const fit_sums& sums() const { return sums_; }
  const fit_answers& answers() const { return got_; }
  fit_lines& lines() { return lines_; }

  // The element, unless it is left out: without a number, exact, or one that overflow or flushing may change.
  bool measure(std::uint64_t number, fit_lines& lines, fit_element& e) const {
    const fit_model& model = sums_.model;
    e.number = number;
    e.got = got_(number);
    if (!goldml::detail::is_finite_double(e.got)) return false;
    e.place = sums_.place_of(number);
    if (e.place.count == 0) return false;
    const fit_line& left = lines.left(e.place.left);
    const fit_line* const right = sums_.has_right ? &lines.right(e.place.right) : nullptr;
    const auto a = lines.left_terms(e.place), b = lines.right_terms(e.place);
    e.facts = fit_facts_of(a, b, sums_.alpha, e.place.addend);
    e.y = model.result_of(e.facts);
    e.deviation = std::sqrt(model.variance(e.facts));
    if (!goldml::detail::is_finite_double(e.y) || !(e.deviation > 0)) return false;
    if (!model.float32 && std::abs(e.y) >= 65520) return false;  // it becomes an infinity
    const double off = 32 * e.deviation;                         // a device may be on the other side
    if (!(e.y - off > sums_.low && e.y + off < sums_.high)) return false;
    if (!goldml::detail::is_finite_double(e.deviation) || (!sums_.with_exact && is_exact(e, left, right))) return false;
    const double size = (e.facts.magnitude + std::abs(e.facts.addend)) * (1 + 0x1p-8);
    if ((std::max)(size, size / std::abs(sums_.alpha)) >= (model.half || model.half_products ? 65504 : 0x1.fffffep127))
      return false;
    return flushed(a, b, left, right) <= 0.1 * e.deviation * (model.finish == fit_finish::average ? e.facts.count : 1);
  }

  void replay(std::span<fit_element> elements, fit_lines& lines) const {
    std::vector<std::size_t> order(elements.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t i, std::size_t j) { return elements[i].place.count < elements[j].place.count; });
    std::vector<fit_task> tasks;
    for (const std::size_t i : order) {
      const fit_element& e = elements[i];
      tasks.push_back({lines.left_terms(e.place), lines.right_terms(e.place), e.facts});
    }
    const std::vector<fit_replay> replays = fit_replays(sums_.model, sums_.alpha, tasks);
    for (std::size_t i = 0; i < order.size(); ++i) {
      fit_element& e = elements[order[i]];
      e.is_replayed = true;
      e.replays = replays[i].results;
      e.factor = (std::max)(1.0, replays[i].most_variance / (e.deviation * e.deviation));
      for (std::size_t f = 0; f < fit_orders; ++f) {
        e.of_orders[f] = (e.replays[f] - e.y) / e.deviation;
        e.factor = (std::max)(e.factor, e.of_orders[f] * e.of_orders[f]);
      }
    }
  }

  // Of n numbers, at most `count`, evenly spaced, with the first and the last.
  static std::vector<std::uint64_t> spaced(std::uint64_t n, std::uint64_t count) {
    std::vector<std::uint64_t> result;
    if (count >= n)
      for (std::uint64_t i = 0; i < n; ++i) result.push_back(i);
    else if (count <= 1)
      result.push_back(0);
    else
      for (std::uint64_t i = 0; i < count; ++i) result.push_back((i * (n - 1) + (count - 1) / 2) / (count - 1));
    return result;
  }

 private:
  bool is_exact(const fit_element& e, const fit_line& left, const fit_line* right) const {
    const fit_model& model = sums_.model;
    if (model.finish != fit_finish::none || left.has_subnormals || (right != nullptr && right->has_subnormals))
      return false;
    const auto power = [](double x) { return is_zero(x) || goldml::detail::odd_part(x).significand == 1; };
    if (!power(sums_.alpha)) return false;
    const bool in_half = model.half || model.half_products;
    if (in_half && !(left.are_halves && (right == nullptr || right->are_halves))) return false;
    int lowest = left.lowest + (right != nullptr ? right->lowest : 0) + std::ilogb(sums_.alpha);
    if (!is_zero(e.facts.addend)) {
      if (exact_double(static_cast<float>(e.facts.addend)) != e.facts.addend) return false;
      lowest = (std::min)(lowest, goldml::detail::odd_part(e.facts.addend).exponent);
    }
    if (lowest < (in_half ? -24 : -126)) return false;
    const double unit = in_half ? 0x1p-11 : model.unit();
    return (e.facts.magnitude + std::abs(e.facts.addend)) * unit <= std::ldexp(1.0, lowest);
  }

  // What FLOAT16 takes of inputs below its normal numbers, at most.
  double lost_in_half(std::span<const float> a, std::span<const float> b) const {
    double result = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      const double x = std::abs(exact_double(a[k])), y = b.empty() ? 1 : std::abs(exact_double(b[k]));
      if (x < 0x1p-14 && !is_zero(x)) result += 0x1p-25 * y;
      if (y < 0x1p-14 && !is_zero(y)) result += 0x1p-25 * x;
    }
    return std::abs(sums_.alpha) * result;
  }
  // What flushing of FLOAT32 subnormals takes at most.
  double flushed(std::span<const float> a, std::span<const float> b, const fit_line& left,
                 const fit_line* right) const {
    if (!sums_.model.float32) return 0;
    if (sums_.model.half || sums_.model.half_products) return lost_in_half(a, b);
    double result = 2 * static_cast<double>(a.size()) * 0x1p-126;
    if (!left.has_subnormals && (right == nullptr || !right->has_subnormals)) return result;
    for (std::size_t k = 0; k < a.size(); ++k) {
      const double x = exact_double(a[k]), y = b.empty() ? 1 : exact_double(b[k]);
      if (std::abs(x) < 0x1p-126 || std::abs(y) < 0x1p-126) result += std::abs(sums_.alpha * x * y);
    }
    return result;
  }

  const fit_sums& sums_;
  const fit_answers& got_;
  fit_lines lines_;
};

// The sample of an output, and what it says of the device and of the data.
struct fit_sample {
  std::vector<fit_element> elements;
  bool is_too_long = false;  // the sums are: there is no statement
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
  std::set<float> mantissas;
  std::set<std::uint64_t> lines;
  double factors = 0;
  std::vector<double> ratios;
  for (const fit_element& e : sample.elements) {
    int exponent = 0;
    mantissas.insert(std::frexp(static_cast<float>(std::abs(e.y)), &exponent));
    lines.insert(e.place.left);
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
  sample.independent = static_cast<double>(mantissas.size());
  if (sums.is_prefixes) sample.independent = (std::min)(sample.independent, static_cast<double>(lines.size()));
  const double most_shared = (std::max)(shared[0], shared[1]);
  if (most_shared > 0) sample.independent = (std::min)(sample.independent, orders / most_shared);
  sample.dependent = most_square > 1 + 4 / std::sqrt(sample.independent) || sample.mean_factor > 6 ||
                     (sample.independent < 16 && sample.mean_factor > 2);
}

// The numbers of the elements of the sample: at most 4096, with at most 2^22 terms. Empty if the sums are too long.
inline std::vector<std::uint64_t> fit_elements_of(const fit_sums& sums) {
  std::uint64_t longest = 1;
  const std::uint64_t all = sums.elements();
  if (all == 0) return {};
  for (const std::uint64_t i : fit_measure::spaced(all, 4096)) longest = (std::max)(longest, sums.place_of(i).count);
  std::uint64_t most = (std::min)(std::uint64_t{4096}, (std::uint64_t{1} << 22) / longest);
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

}  // namespace detail

// Measures a sample of an output. It is empty if the sums are too long, or if all elements are left out.
inline fit_sample fit_sample_of(fit_measure& measure) {
  const fit_sums& sums = measure.sums();
  fit_sample result;
  const std::vector<std::uint64_t> numbers = detail::fit_elements_of(sums);
  result.is_too_long = numbers.empty() && sums.elements() > 0;
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
