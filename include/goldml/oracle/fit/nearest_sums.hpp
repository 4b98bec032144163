// Which kind of sums a device seems to have: those whose errors, replayed, are nearest to what it answered.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <goldml/oracle/fit/accumulators.hpp>
#include <goldml/oracle/fit/hypotheses.hpp>
#include <goldml/oracle/fit/sample.hpp>

namespace goldml::oracle {

inline constexpr std::string_view winograd_name = "Winograd F(4,3)";

namespace detail {

// The mean square of errors over their deviations, and their mean away from zero.
struct fit_size {
  double square, bias;
};

// Compares what a device answered for elements with what other arithmetics give.
class fit_comparison {
 public:
  fit_comparison(fit_measure& measure, const fit_sample& sample, const std::vector<fit_element>& elements)
      : measure_(measure), sample_(sample), sums_(measure.sums()), elements_(elements) {}

  double error(double got, double y) const { return fit_error(got, y, sums_.model.narrows(), sample_.direction); }
  double narrowed(double sum) const {
    const auto single = static_cast<float>(sum);
    return sums_.model.float32 ? double{single} : fit_half_of(double{single}, sample_.direction);
  }

  // Against exact results y(i).
  template <class Y>
  fit_size against(const Y& y) const {
    double square = 0, bias = 0;
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      const fit_element& e = elements_[i];
      const double z = error(e.got, y(i)) / e.deviation;
      square += z * z / e.factor;
      bias += z * e.sign();
    }
    const auto n = static_cast<double>(elements_.size());
    return {square / n, bias / n};
  }

  // The errors of each kind of sum, over the orders that it knows, are compared with those of the output. Returns the
  // names of the nearest kinds, or "".
  std::string nearest_sums(const std::vector<fit_hypothesis>& hypotheses, const fit_hypothesis* chosen, fit_size now,
                           double base) const {
    if (sums_.model.half || sums_.model.half_products || sums_.is_prefixes) return "";
    const bool float32 = sums_.model.float32;
    const std::size_t count = (std::min)(elements_.size(), float32 ? std::size_t{128} : std::size_t{256});
    std::vector<std::size_t> picked;
    for (std::size_t i = 0; i < count; ++i) picked.push_back(i * elements_.size() / count);
    std::vector<fit_element> some;
    for (const std::size_t i : picked) some.push_back(elements_[i]);
    const auto halves = [&](const fit_element& e) { return e.got == fit_half_of(e.got); };
    const bool all_halves = std::all_of(elements_.begin(), elements_.end(), halves);
    const auto half_inputs = std::find_if(hypotheses.begin(), hypotheses.end(),
                                          [](const fit_hypothesis& h) { return h.input == fit_input::float16; });
    const fit_input input = chosen == nullptr ? fit_input::as_it_is : chosen->input;
    const auto as_chosen = [input](float x) { return fit_rounded(input, x); };
    const changed_lines own(measure_, some, as_chosen);
    const changed_lines half(measure_, some, [](float x) { return fit_half(x); });
    std::vector<std::pair<std::string_view, double>> distances;
    const auto see = [&](std::string_view name, const fit_hypothesis* from, fit_size seen,
                         std::span<const std::size_t> replayed, const auto& got) {
      const auto y_of = [&](std::size_t i) { return from == nullptr ? elements_[i].y : from->y[i]; };
      const double d = distance_of(got, replayed, seen, y_of);
      if (distances.empty() || distances.back().first != name)
        distances.emplace_back(name, d);
      else
        distances.back().second = (std::min)(distances.back().second, d);
    };
    const std::size_t longest = static_cast<std::size_t>(some[0].place.count);
    for (const fit_accumulation& kind : fit_accumulations(longest, float32, sums_.has_right)) {
      const bool in_half_sums = kind.name == half_sums_name || kind.name == half_blocks_name;
      const fit_hypothesis* from = chosen;
      fit_size seen = now;
      if (float32 && in_half_sums) {
        if (kind.name == half_sums_name && !all_halves) continue;
        if (half_inputs != hypotheses.end()) {
          from = &*half_inputs;
          seen = against([&](std::size_t i) { return from->y[i]; });
        }
        if (seen.square > 1.1 * base) continue;
      }
      if (float32 && kind.name == half_products_name && all_halves) continue;
      const changed_lines& lines = float32 && kind.name != cut_sums_name ? half : own;
      for (const fit_summation& sum : kind.orders)
        see(kind.name, from, seen, picked, [&](const fit_element& e) {
          return finished(sum(lines.left(e.place), lines.right(e.place)), e, kind.in_half);
        });
    }
    if (may_be_winograd(
            some)) {  // its errors differ by the place in the tile, so that all elements are asked, up to 512
      std::vector<std::size_t> asked;
      const std::size_t most = (std::min)(elements_.size(), std::size_t{512});
      for (std::size_t i = 0; i < most; ++i) asked.push_back(i * elements_.size() / most);
      see(winograd_name, chosen, now, asked,
          [&](const fit_element& e) { return finished(sums_.by_winograd(e.number, as_chosen), e, false); });
    }
    double least = 0.7;
    for (const auto& [name, d] : distances) least = (std::min)(least, d);
    std::string text;
    for (const auto& [name, d] : distances)
      if (d < 0.7 && d <= least + 0.15) text += (text.empty() ? "" : " or ") + std::string(name);
    return text;
  }

 private:
  // It needs eight tiles, whose errors differ, and as many operations as a replay has for 8,192 terms.
  bool may_be_winograd(std::span<const fit_element> some) const {
    if (!sums_.by_winograd || some[0].place.count > 8192) return false;
    std::unordered_set<std::uint64_t> tiles;
    for (const fit_element& e : some) tiles.insert(sums_.tile_of(e.number));
    return tiles.size() >= 8;
  }

  double finished(float sum, const fit_element& e, bool in_half) const {
    const auto step = [&](double x) { return in_half ? fit_half(static_cast<float>(x)) : static_cast<float>(x); };
    sum = step(double{sum} * sums_.alpha);
    if (sums_.model.has_addend) sum = step(double{sum} + e.facts.addend);
    if (sums_.model.finish == fit_finish::average) sum = step(double{sum} / e.facts.count);
    if (sums_.model.finish == fit_finish::root) sum = step(std::sqrt(double{sum}));
    return narrowed(double{sum});
  }

  template <class Got, class Y>
  double distance_of(const Got& got, std::span<const std::size_t> picked, fit_size seen, const Y& y) const {
    const double rms = std::sqrt(seen.square);
    double square = 0, bias = 0, above = 0, above_in_output = 0;
    for (const std::size_t i : picked) {
      const fit_element& e = elements_[i];
      const double z = error(got(e), y(i)) / e.deviation;
      square += z * z / e.factor;
      bias += z * e.sign();
      above += std::abs(z) / std::sqrt(e.factor) > rms / 4 ? 1 : 0;
    }
    if (!goldml::detail::is_finite_double(square)) return std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      const fit_element& e = elements_[i];
      above_in_output += std::abs(error(e.got, y(i))) / e.deviation / std::sqrt(e.factor) > rms / 4 ? 1 : 0;
    }
    const auto n = static_cast<double>(picked.size());
    const double share = (above + 0.5) / (n + 1);
    const double share_in_output = (above_in_output + 0.5) / (static_cast<double>(elements_.size()) + 1);
    if (std::abs(std::log(share / share_in_output)) > std::log(2.0)) return std::numeric_limits<double>::infinity();
    const double replayed = std::sqrt(square / n);
    return std::abs(std::log((rms + 1e-9) / (replayed + 1e-9))) +
           std::abs(seen.bias - bias / n) / (std::max)({rms, replayed, 1e-9});
  }

  fit_measure& measure_;
  const fit_sample& sample_;
  const fit_sums& sums_;
  const std::vector<fit_element>& elements_;
};

}  // namespace detail

}  // namespace goldml::oracle
