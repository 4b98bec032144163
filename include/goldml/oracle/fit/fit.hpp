// The fit of an output: how large its errors are, against what its precision gives, and which arithmetic explains them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <goldml/oracle/fit/accumulators.hpp>
#include <goldml/oracle/fit/hypotheses.hpp>
#include <goldml/oracle/fit/outcome.hpp>

namespace goldml::oracle {

namespace detail {

// Adds "or NAME": "TF32 inputs" and "FLOAT16 inputs" are "TF32 or FLOAT16 inputs"; one way of rounding them is enough.
inline void add_alternative(std::string& text, const std::string& name) {
  constexpr std::string_view of_inputs = " inputs";
  const auto is_plain = [&](const std::string& x) { return x.ends_with(of_inputs); };
  if (text == name_of(fit_input::tf32) && name == name_of(fit_input::tf32_away)) return;
  if (is_plain(text) && is_plain(name)) text.resize(text.size() - of_inputs.size());
  text += (text.empty() ? "" : " or ") + name;
}

class fit_naming {
 public:
  fit_naming(fit_measure& measure, const fit_sample& sample, fit_result& result)
      : measure_(measure), sample_(sample), sums_(measure.sums()), result_(result), elements_(sample.elements) {
    if (!sums_.is_matrix) return;
    std::unordered_set<std::uint64_t> seen;
    for (const fit_element& e : elements_) seen.insert(e.number);
    const std::uint64_t longest = elements_.back().place.count;
    const auto side = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(most_terms / longest)));
    for (const std::uint64_t i : fit_measure::spaced(sums_.rows, (std::min)(side, std::uint64_t{64})))
      for (const std::uint64_t j : fit_measure::spaced(sums_.columns, (std::min)(side, std::uint64_t{64}))) {
        fit_element e;
        if (!seen.contains(i * sums_.columns + j) && measure.measure(i * sums_.columns + j, measure.lines(), e))
          elements_.push_back(e);
      }
  }

  static constexpr std::uint64_t most_terms = std::uint64_t{1} << 26;  // of the elements that are added

  void name() {
    const bool outliers = result_.outcome == fit_outcome::outliers;
    if (outliers && name_with(true)) {
      result_.outcome = fit_outcome::coarser;
      return;
    }
    if (outliers)
      std::erase_if(elements_, [&](const fit_element& e) {
        return std::binary_search(result_.outliers.begin(), result_.outliers.end(), e.number);
      });
    if (!elements_.empty()) name_with(false);
  }

 private:
  struct errors {
    double square, bias;
  };

  template <class Y>
  errors errors_against(const Y& y) const {
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
  // Whether a hypothesis may be better than a base that fits: none is where all are much worse for some elements.
  bool may_explain(double base) const {
    constexpr std::size_t most = 128;
    if (elements_.size() <= most) return true;
    std::vector<fit_element> some;
    for (std::size_t i = 0; i < most; ++i) some.push_back(elements_[i * elements_.size() / most]);
    const std::vector<fit_hypothesis> hypotheses = fit_hypotheses(measure_, some, sample_.direction);
    return std::any_of(hypotheses.begin(), hypotheses.end(), [&](const fit_hypothesis& h) {
      double square = 0;
      for (std::size_t i = 0; i < most; ++i) {
        const double z = error(some[i].got, h.y[i]) / some[i].deviation;
        square += z * z / some[i].factor;
      }
      return square / most <= 2 * base;
    });
  }
  double error(double got, double y) const { return fit_error(got, y, sums_.model.narrows(), sample_.direction); }
  double narrowed(double sum) const {
    const auto single = static_cast<float>(sum);
    return sums_.model.float32 ? double{single} : fit_half_of(double{single}, sample_.direction);
  }
  double gain(double base, double least) const {
    return sample_.independent * std::log((base + 1e-6) / (least + 1e-6));
  }
  // The greatest gain that a right device would have, as the replays show.
  double gain_of_replays(const std::vector<double>& y) const {
    double most = 0;
    for (std::size_t f = 0; f < fit_orders; ++f) {
      double base = 0, other = 0, count = 0;
      for (std::size_t i = 0; i < elements_.size(); ++i) {
        const fit_element& e = elements_[i];
        if (!e.is_replayed) continue;
        const double got = narrowed(e.replays[f]), scale = 1 / (e.deviation * e.deviation * e.factor);
        const double z = error(got, e.y), zh = error(got, y[i]);
        base += z * z * scale;
        other += zh * zh * scale;
        ++count;
      }
      if (count > 0) most = (std::max)(most, gain(base / count, other / count));
    }
    return most;
  }

  // Names what it can. With `only_all`: only an arithmetic that explains all elements; returns whether there is one.
  bool name_with(bool only_all) {
    const fit_model& model = sums_.model;
    const errors base = errors_against([&](std::size_t i) { return elements_[i].y; });
    const bool base_fits = sample_.fits(base.square);
    if (!base_fits)
      if (const std::optional<std::string> fault = fit_fault_of_terms(measure_, sample_, elements_)) {
        result_.explained_by = *fault;
        result_.is_fault = true;
        return true;
      }
    std::vector<fit_hypothesis> hypotheses;
    if (!base_fits || (!model.narrows() && may_explain(base.square)))
      hypotheses = fit_hypotheses(measure_, elements_, sample_.direction);
    std::vector<errors> of;
    std::optional<std::size_t> best;
    for (std::size_t h = 0; h < hypotheses.size(); ++h) {
      of.push_back(errors_against([&](std::size_t i) { return hypotheses[h].y[i]; }));
      if (hypotheses[h].must_fit && !sample_.fits(of[h].square)) of[h].square = std::numeric_limits<double>::infinity();
      if (goldml::detail::is_finite_double(of[h].square) && (!best || of[h].square < of[*best].square)) best = h;
    }
    bool accepted = false;
    if (best) {
      const double least = of[*best].square;
      accepted = gain(base.square, least) > 40 + 2 * gain_of_replays(hypotheses[*best].y) &&
                 (sample_.fits(least) || base.square > 2 * least);
    }
    const errors now = accepted ? of[*best] : base;
    const bool fits = sample_.fits(now.square);
    if (only_all && !(accepted && fits)) return false;
    std::string text;
    if (accepted)
      for (std::size_t h = 0; h < hypotheses.size(); ++h)
        if (gain(of[h].square, now.square) < 12) detail::add_alternative(text, hypotheses[h].name);
    if (!accepted && base_fits && sample_.direction == rounding::toward_zero) text = "a narrowing toward zero";
    result_.rest = std::sqrt(now.square);
    if (!fits || (sample_.is_biased(now.bias) && now.bias < 0 && model.finish == fit_finish::none)) {
      const std::string accumulator =
          accumulation_of(hypotheses, accepted ? &hypotheses[*best] : nullptr, now, base.square);
      if (!accumulator.empty())
        text += (text.empty() ? "" : ", and ") + accumulator;
      else if (accepted)
        text += fits ? ", and sums that are biased toward zero" : ", and something unknown";
    }
    result_.explained_by = text;
    return accepted;
  }

  double finished(float sum, const fit_element& e, bool in_half) const {
    const auto step = [&](double x) { return in_half ? fit_half(static_cast<float>(x)) : static_cast<float>(x); };
    sum = step(double{sum} * sums_.alpha);
    if (sums_.model.has_addend) sum = step(double{sum} + e.facts.addend);
    if (sums_.model.finish == fit_finish::average) sum = step(double{sum} / e.facts.count);
    if (sums_.model.finish == fit_finish::root) sum = step(std::sqrt(double{sum}));
    return narrowed(double{sum});
  }

  // The errors of a kind of sum over the first orders that it knows are compared with those of the output. Returns the
  // names of the nearest kinds, or "".
  std::string accumulation_of(const std::vector<fit_hypothesis>& hypotheses, const fit_hypothesis* chosen, errors now,
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
    const changed_lines own(measure_, some, [&](float x) { return fit_rounded(input, x); });
    const changed_lines half(measure_, some, [&](float x) { return fit_half(x); });
    const auto y_of = [&](const fit_hypothesis* h, std::size_t i) { return h == nullptr ? elements_[i].y : h->y[i]; };
    std::vector<std::pair<std::string_view, double>> distances;
    const std::size_t longest = static_cast<std::size_t>(some[0].place.count);
    for (const fit_accumulation& kind : fit_accumulations(longest, float32, sums_.has_right)) {
      const bool in_half_sums = kind.name == half_sums_name || kind.name == half_blocks_name;
      const fit_hypothesis* from = chosen;
      errors seen = now;
      if (float32 && in_half_sums) {
        if (kind.name == half_sums_name && !all_halves) continue;
        if (half_inputs != hypotheses.end()) {
          from = &*half_inputs;
          seen = errors_against([&](std::size_t i) { return from->y[i]; });
        }
        if (seen.square > 1.1 * base) continue;
      }
      if (float32 && kind.name == half_products_name && all_halves) continue;
      const changed_lines& lines = float32 && kind.name != cut_sums_name ? half : own;
      for (const fit_summation& sum : kind.orders) {
        const double d =
            distance_of(sum, kind.in_half, lines, picked, seen, [&](std::size_t i) { return y_of(from, i); });
        if (distances.empty() || distances.back().first != kind.name)
          distances.emplace_back(kind.name, d);
        else
          distances.back().second = (std::min)(distances.back().second, d);
      }
    }
    double least = 0.7;
    for (const auto& [name, d] : distances) least = (std::min)(least, d);
    std::string text;
    for (const auto& [name, d] : distances)
      if (d < 0.7 && d <= least + 0.15) text += (text.empty() ? "" : " or ") + std::string(name);
    return text;
  }

  template <class Y>
  double distance_of(const fit_summation& sum, bool in_half, const changed_lines& lines,
                     std::span<const std::size_t> picked, errors seen, const Y& y) const {
    const double rms = std::sqrt(seen.square);
    double square = 0, bias = 0, above = 0, above_in_output = 0;
    for (const std::size_t i : picked) {
      const fit_element& e = elements_[i];
      const double got = finished(sum(lines.left(e.place), lines.right(e.place)), e, in_half);
      const double z = error(got, y(i)) / e.deviation;
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
  fit_result& result_;
  std::vector<fit_element> elements_;
};

}  // namespace detail

// The fit of an output whose elements are these sums.
inline fit_result fit_of(const fit_sums& sums, const fit_answers& got) {
  fit_measure measure(sums, got);
  const fit_sample sample = fit_sample_of(measure);
  fit_result result = fit_outcome_of(measure, sample);
  if (!sample.elements.empty()) detail::fit_naming(measure, sample, result).name();
  return result;
}

}  // namespace goldml::oracle
