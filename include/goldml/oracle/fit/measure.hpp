// The measure of an output: the errors of a sample of its elements, over those that independent roundings give.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
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
    const auto a = left.first(e.place.count), b = right ? right->first(e.place.count) : std::span<const float>();
    e.facts = fit_facts_of(a, b, sums_.alpha, e.place.addend);
    e.y = model.result_of(e.facts);
    e.deviation = std::sqrt(model.variance(e.facts));
    if (!goldml::detail::is_finite_double(e.y) || !(e.deviation > 0)) return false;
    if (!model.float32 && std::abs(e.y) >= 65520) return false;  // it becomes an infinity
    const double off = 32 * e.deviation;                         // a device may be on the other side
    const bool is_sum = e.y - off > sums_.low && e.y + off < sums_.high;
    std::optional<fit_slope> through;
    if (!is_sum && sums_.fused) through = sums_.fused(e.y, off);
    if (!is_sum && !through) return false;
    if (!goldml::detail::is_finite_double(e.deviation) || (!sums_.with_exact && is_exact(e, left, right))) return false;
    const double size = (e.facts.magnitude + std::abs(e.facts.addend)) * (1 + 0x1p-8);
    if ((std::max)(size, size / std::abs(sums_.alpha)) >= (model.half || model.half_products ? 65504 : 0x1.fffffep127))
      return false;
    if (flushed(a, b, left, right) > 0.1 * e.deviation * (model.finish == fit_finish::average ? e.facts.count : 1))
      return false;
    if (through) to_argument(e, *through);
    return true;
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
  // Takes a fused activation's error for one of its argument; how far it may be off itself adds to the deviation.
  static void to_argument(fit_element& e, const fit_slope& f) {
    e.got = e.y + (e.got - f.value) / f.slope;
    e.deviation = std::hypot(e.deviation, f.error / f.slope);
  }

  bool is_exact(const fit_element& e, const fit_line& left, const fit_line* right) const {
    const fit_model& model = sums_.model;
    if (model.finish != fit_finish::none || left.has_subnormals || (right != nullptr && right->has_subnormals))
      return false;
    const auto power = [](double x) { return is_zero(x) || goldml::detail::is_power_of_two(x); };
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

}  // namespace goldml::oracle
