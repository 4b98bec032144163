// Arithmetics whose exact results have a formula, and faults of terms: what an output's errors are compared with.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <goldml/oracle/fit/inputs.hpp>
#include <goldml/oracle/fit/sample.hpp>

namespace goldml::oracle {

struct fit_hypothesis {
  std::string name;
  std::vector<double> y;  // the exact results, if a device had this arithmetic
  fit_input input = fit_input::as_it_is;
  bool must_fit = false;
};

namespace detail {

// Lines of elements, each number changed by f.
class changed_lines {
 public:
  template <class F>
  changed_lines(fit_measure& measure, std::span<const fit_element> elements, const F& f) {
    for (const fit_element& e : elements) {
      left_.numbers.push_back(e.place.left);
      if (measure.sums().has_right) right_.numbers.push_back(e.place.right);
    }
    const auto fill = [&](side& to, const auto& line_of) {
      std::sort(to.numbers.begin(), to.numbers.end());
      to.numbers.erase(std::unique(to.numbers.begin(), to.numbers.end()), to.numbers.end());
      std::size_t all = 0;
      for (const std::uint64_t number : to.numbers) {
        to.starts.push_back(all);
        all += line_of(number).numbers.size();
      }
      to.values.reserve(all);
      std::uint32_t changed = 0;
      for (const std::uint64_t number : to.numbers) {
        const std::vector<float>& from = line_of(number).numbers;
        float* const values = to.values.data() + to.values.size();
        to.values.insert(to.values.end(), from.begin(), from.end());
        for (std::size_t i = 0; i < from.size(); ++i) {
          values[i] = f(from[i]);
          changed |= static_cast<std::uint32_t>(values[i] != from[i]);
        }
      }
      changes_ = changes_ || changed != 0;
    };
    fill(left_, [&](std::uint64_t number) -> const fit_line& { return measure.lines().left(number); });
    fill(right_, [&](std::uint64_t number) -> const fit_line& { return measure.lines().right(number); });
  }

  bool changes() const { return changes_; }
  std::span<const float> left(const fit_place& p) const { return left_.first(p.left, p.count); }
  std::span<const float> right(const fit_place& p) const { return right_.first(p.right, p.count); }

 private:
  struct side {
    std::vector<std::uint64_t> numbers;  // of its lines, ascending
    std::vector<std::size_t> starts;     // where they begin in `values`
    std::vector<float> values;

    std::span<const float> first(std::uint64_t number, std::uint64_t count) const {
      if (numbers.empty()) return {};
      const auto i = std::lower_bound(numbers.begin(), numbers.end(), number) - numbers.begin();
      return std::span<const float>(values).subspan(starts[static_cast<std::size_t>(i)],
                                                    static_cast<std::size_t>(count));
    }
  };

  side left_, right_;
  bool changes_ = false;
};

inline double result_with(const fit_sums& sums, const fit_element& e, double sum) {
  fit_facts f = e.facts;
  f.sum = sum;
  return sums.model.result_of(f);
}

// Of a sum that is narrowed before the addend is added: the result nearest to what the device gave, as the sum may be
// beside a tie.
inline double narrowed_before_addend(const fit_element& e, rounding direction) {
  double best = 0, least = -1;
  for (const double off : {0.0, -8.0, 8.0, -32.0, 32.0}) {
    const double y = fit_half_of(e.facts.sum + off * e.deviation, direction) + e.facts.addend;
    const double error = std::abs(fit_error(e.got, y, true, direction));
    if (least < 0 || error < least) {
      least = error;
      best = y;
    }
  }
  return best;
}

// The factor that explains the results best; a power of two if it is within 2 % of one.
inline double factor_of(std::span<const fit_element> elements) {
  double product = 0, square = 0;
  for (const fit_element& e : elements) {
    const double weight = 1 / (e.deviation * e.deviation);
    product += e.got * e.y * weight;
    square += e.y * e.y * weight;
  }
  const double b = product / square;
  if (is_zero(b) || !goldml::detail::is_finite_double(b)) return 1;
  const double power = std::exp2(std::round(std::log2(std::abs(b))));
  return std::abs(std::abs(b) / power - 1) < 0.02 ? std::copysign(power, b) : b;
}

}  // namespace detail

// The hypotheses that change something. With `finest`: without inputs that are rounded to a part of the numbers to
// which other inputs are, and so are farther off.
inline std::vector<fit_hypothesis> fit_hypotheses(fit_measure& measure, std::span<const fit_element> elements,
                                                  rounding direction, bool finest = false) {
  const fit_sums& sums = measure.sums();
  std::vector<fit_hypothesis> result;
  const auto add = [&](fit_hypothesis h, const auto& y_of) {
    for (const fit_element& e : elements) h.y.push_back(y_of(e));
    const bool finite = std::all_of(h.y.begin(), h.y.end(), goldml::detail::is_finite_double);
    if (finite) result.push_back(std::move(h));
  };
  bool tf32_changes = false, bfloat16_changes = false;
  for (std::size_t i = 0; i < static_cast<std::size_t>(fit_input::as_it_is); ++i) {
    const auto input = static_cast<fit_input>(i);
    if (input == fit_input::flushed && sums.model.float32) continue;
    const bool is_fp8 = input == fit_input::e4m3 || input == fit_input::e5m2;
    if (finest && ((tf32_changes && input != fit_input::bfloat16) || (bfloat16_changes && is_fp8))) continue;
    const detail::changed_lines lines =
        with_fit_rounding(input, [&](const auto& round) { return detail::changed_lines(measure, elements, round); });
    if (!lines.changes()) continue;
    tf32_changes = tf32_changes || input == fit_input::tf32;
    bfloat16_changes = bfloat16_changes || input == fit_input::bfloat16;
    const auto sum_of = [&](const fit_element& e) {
      return fit_sum(lines.left(e.place), lines.right(e.place), sums.alpha);
    };
    add({std::string(name_of(input)), {}, input},
        [&](const fit_element& e) { return detail::result_with(sums, e, sum_of(e)); });
    const bool is_split = input == fit_input::tf32 || input == fit_input::bfloat16;
    if (!is_split || !sums.has_right || !sums.model.float32) continue;
    const detail::changed_lines rest = with_fit_rounding(input, [&](const auto& round) {
      return detail::changed_lines(measure, elements, [&](float x) { return round(x - round(x)); });
    });
    add({input == fit_input::tf32 ? "TF32x3" : "BF16x3", {}}, [&](const fit_element& e) {
      const double crossed = fit_sum(lines.left(e.place), rest.right(e.place), sums.alpha) +
                             fit_sum(rest.left(e.place), lines.right(e.place), sums.alpha);
      return detail::result_with(sums, e, sum_of(e) + crossed);
    });
  }
  if (sums.model.narrows() && sums.model.has_addend)
    add({"a sum that is narrowed before C is added", {}},
        [&](const fit_element& e) { return detail::narrowed_before_addend(e, direction); });
  if (sums.model.finish == fit_finish::average)
    add({"the reciprocal of the count", {}},
        [](const fit_element& e) { return e.facts.total() * double{static_cast<float>(1 / e.facts.count)}; });
  if (const double factor = detail::factor_of(elements); factor != 1)
    add({fmt::format("results that are scaled by {:.6g}", factor), {}, fit_input::as_it_is, true},
        [&](const fit_element& e) { return factor * e.y; });
  return result;
}

// A term, or all up to or from one, that is missing or added twice in all elements; or nothing.
inline std::optional<std::string> fit_fault_of_terms(fit_measure& measure, const fit_sample& sample,
                                                     std::span<const fit_element> elements) {
  const fit_sums& sums = measure.sums();
  const std::size_t most = (std::min)(elements.size(), std::size_t{1024});
  if (most < 16 || sums.is_prefixes || sums.model.finish != fit_finish::none) return std::nullopt;
  const std::size_t n = static_cast<std::size_t>(elements[0].place.count);
  struct totals {
    double term = 0, terms = 0, upto = 0, uptos = 0, from = 0, froms = 0;  // of error * x, and of x^2
  };
  std::vector<totals> of(n);
  double base = 0;
  for (std::size_t i = 0; i < most; ++i) {
    const fit_element& e = elements[i * elements.size() / most];
    if (e.place.count != n) return std::nullopt;
    const double step = sums.model.narrows() ? (std::max)(fit_half_step(e.y), fit_half_step(e.got)) : 0;
    const double weight = 1 / ((e.deviation * e.deviation + step * step / 12) * static_cast<double>(most) * e.factor);
    const double error = e.got - e.y;
    base += error * error * weight;
    const auto a = measure.lines().left_terms(e.place), b = measure.lines().right_terms(e.place);
    detail::with_fit_term(a, b, sums.alpha, [&](const auto& term) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) {
        const double p = term(k), rest = e.facts.sum - sum;  // `rest`: the terms from k on
        sum += p;
        of[k].term += weight * error * p;
        of[k].terms += weight * p * p;
        of[k].upto += weight * error * sum;
        of[k].uptos += weight * sum * sum;
        of[k].from += weight * error * rest;
        of[k].froms += weight * rest * rest;
      }
    });
  }
  double least = base;
  std::string name;
  const auto see = [&](double left, const char* text, std::size_t k) {
    if (!(left < least)) return;
    least = left;
    name = fmt::format(fmt::runtime(text), k);
  };
  for (std::size_t k = 0; k < n; ++k) {
    see(base + 2 * of[k].term + of[k].terms, "term {} is missing", k);
    see(base - 2 * of[k].term + of[k].terms, "term {} is added twice", k);
    see(base + 2 * of[k].upto + of[k].uptos, "the terms up to {} are missing", k);
    see(base - 2 * of[k].upto + of[k].uptos, "the terms up to {} are added twice", k);
    see(base + 2 * of[k].from + of[k].froms, "the terms from {} on are missing", k);
    see(base - 2 * of[k].from + of[k].froms, "the terms from {} on are added twice", k);
  }
  least = (std::max)(least, 0.0);
  const double gain = sample.independent * std::log((base + 1e-6) / (least + 1e-6));
  if (gain <= 40 + 2 * std::log(6 * static_cast<double>(n)) || !sample.fits(least)) return std::nullopt;
  return name;
}

}  // namespace goldml::oracle
