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

#include <goldml/oracle/fit/hypotheses.hpp>
#include <goldml/oracle/fit/nearest_sums.hpp>
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
      : measure_(measure),
        sample_(sample),
        sums_(measure.sums()),
        result_(result),
        elements_(sample.elements),
        compare_(measure, sample, elements_) {
    std::unordered_set<std::uint64_t> seen;
    for (const fit_element& e : elements_) seen.insert(e.number);
    for (const std::uint64_t number : fit_grid_of(sums_, elements_.back().place.count)) {
      fit_element e;
      if (!seen.contains(number) && measure.measure(number, measure.lines(), e)) elements_.push_back(e);
    }
  }

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
        const double got = compare_.narrowed(e.replays[f]), scale = 1 / (e.deviation * e.deviation * e.factor);
        const double z = compare_.error(got, e.y), zh = compare_.error(got, y[i]);
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
    const fit_size base = compare_.against([&](std::size_t i) { return elements_[i].y; });
    const bool base_fits = sample_.fits(base.square);
    if (!base_fits)
      if (const std::optional<std::string> fault = fit_fault_of_terms(measure_, sample_, elements_)) {
        result_.explained_by = *fault;
        result_.is_fault = true;
        return true;
      }
    std::vector<fit_hypothesis> hypotheses;
    if (!base_fits || !model.narrows()) hypotheses = fit_hypotheses(measure_, elements_, sample_.direction);
    std::vector<fit_size> of;
    std::optional<std::size_t> best;
    for (std::size_t h = 0; h < hypotheses.size(); ++h) {
      of.push_back(compare_.against([&](std::size_t i) { return hypotheses[h].y[i]; }));
      if (hypotheses[h].must_fit && !sample_.fits(of[h].square)) of[h].square = std::numeric_limits<double>::infinity();
      if (goldml::detail::is_finite_double(of[h].square) && (!best || of[h].square < of[*best].square)) best = h;
    }
    bool accepted = false;
    if (best) {
      const double least = of[*best].square;
      accepted = gain(base.square, least) > 40 + 2 * gain_of_replays(hypotheses[*best].y) &&
                 (sample_.fits(least) || base.square > 2 * least);
    }
    const fit_size now = accepted ? of[*best] : base;
    const bool fits = sample_.fits(now.square);
    if (only_all && !(accepted && fits)) return false;
    std::string text;
    if (accepted)
      for (std::size_t h = 0; h < hypotheses.size(); ++h)
        if (gain(of[h].square, now.square) < 12) detail::add_alternative(text, hypotheses[h].name);
    if (!accepted && base_fits && sample_.direction == rounding::toward_zero) text = "a narrowing toward zero";
    result_.rest = std::sqrt(now.square);
    if (!fits || (sample_.is_biased(now.bias) && now.bias < 0 && sums_.tells_bias())) {
      const std::string accumulator =
          compare_.nearest_sums(hypotheses, accepted ? &hypotheses[*best] : nullptr, now, base.square);
      if (!accumulator.empty())
        text += (text.empty() ? "" : ", and ") + accumulator;
      else if (accepted)
        text += fits ? ", and sums that are biased toward zero" : ", and something unknown";
    }
    result_.explained_by = text;
    return accepted;
  }

  fit_measure& measure_;
  const fit_sample& sample_;
  const fit_sums& sums_;
  fit_result& result_;
  std::vector<fit_element> elements_;
  fit_comparison compare_;
};

// Whether a hypothesis may be better than a base that fits. At first two elements are asked, for which most are far
// worse, or change the results by far less than the errors are; then some more, for which one that is true is better.
// One that changes the results by less than errors that are independent of it leave over does not gain 40, nor does one
// whose errors of the first elements alone are too great for that.
inline bool may_be_named(fit_measure& measure, const fit_sample& sample) {
  const double least_change = 1 - std::exp(-40 / sample.independent);
  for (const bool first : {true, false}) {
    const std::size_t few = sample.elements.size() < 8 ? 1 : 2;
    const std::size_t most = first ? few : (std::max)(std::size_t{64}, sample.elements.size() / 16);
    const std::size_t count = (std::min)(sample.elements.size(), most);
    std::vector<fit_element> some;
    for (std::size_t i = 0; i < count; ++i) some.push_back(sample.elements[i * sample.elements.size() / count]);
    const double share = 1.01 * static_cast<double>(sample.elements.size()) / static_cast<double>(count);
    const double most_square = (std::min)(16.0, share * (1 - least_change)) * (sample.mean_square + 1e-6);
    const std::vector<fit_hypothesis> hypotheses = fit_hypotheses(measure, some, sample.direction, true);
    const bool any = std::any_of(hypotheses.begin(), hypotheses.end(), [&](const fit_hypothesis& h) {
      double base = 0, square = 0, change = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const fit_element& e = some[i];
        const double weight = 1 / (e.deviation * e.deviation * e.factor * static_cast<double>(count));
        base += (e.got - e.y) * (e.got - e.y) * weight;
        square += (e.got - h.y[i]) * (e.got - h.y[i]) * weight;
        change += (h.y[i] - e.y) * (h.y[i] - e.y) * weight;
      }
      const bool all = count == sample.elements.size();
      if (first && !all) return square <= most_square && 64 * change > least_change * sample.mean_square;
      const double least_gain = all ? least_change : least_change / 2;
      return square < base * (1 - least_gain) && 2 * change > least_change * base;
    });
    if (!any) return false;
  }
  return true;
}

// Whether there may be something to name.
inline bool has_names(fit_measure& measure, const fit_sample& sample, const fit_result& result) {
  if (result.misfits() || sample.direction == rounding::toward_zero) return true;
  const fit_sums& sums = measure.sums();
  if (sample.is_biased(sample.bias) && sample.bias < 0 && sums.tells_bias()) return true;
  return !sums.model.narrows() && may_be_named(measure, sample);
}

}  // namespace detail

// The fit of an output whose elements are these sums.
inline fit_result fit_of(const fit_sums& sums, const fit_answers& got) {
  fit_measure measure(sums, got);
  const fit_sample sample = fit_sample_of(measure);
  fit_result result = fit_outcome_of(measure, sample);
  if (!sample.elements.empty() && detail::has_names(measure, sample, result))
    detail::fit_naming(measure, sample, result).name();
  return result;
}

}  // namespace goldml::oracle
