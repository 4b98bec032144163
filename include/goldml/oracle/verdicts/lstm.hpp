// What a device may answer to LSTM (ledger RN-R1, RN-R6, LS-R1 to LS-R9): by the formula of a step.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <goldml/operators/lstm.hpp>
#include <goldml/operators/lstm_values.hpp>
#include <goldml/oracle/verdicts/recurrent_formula.hpp>

namespace goldml::detail {

template <class T>
struct recurrent_layer<lstm_desc, T> : formula_layer<lstm_desc, T> {
  using base = formula_layer<lstm_desc, T>;
  using base::base;
  using base::t;
  using typename base::number;
  using typename base::state;

  recurrent_step<state> step(std::uint32_t d, std::uint32_t b, std::uint32_t time, std::uint32_t i,
                             const std::vector<state>& before) const {
    const std::vector<number> h = base::numbers_of(before, &state::hidden);
    const auto gate = [&](std::uint32_t row, const activation& f, const std::optional<double>& p, const number& cell) {
      const number sum = base::sum(d, b, time, row, h, p, &cell);
      return apply(f, t.clip ? formula::clipped(sum, *t.clip) : sum);
    };
    const auto function = [](const activation& f, const number& x) { return apply(f, x); };
    const state after = t.template next_state<number>(d, i, before[i], gate, function);
    return {base::intervals_of(after.hidden),
            base::intervals_of(after.cell),
            {stored_state(after.hidden), stored_state(after.cell)}};
  }
  state behind(const recurrent_step<state>& step, double x) const {
    return {base::behind(step.next.hidden, x), step.next.cell};
  }
  // The range of h, where the output gate's is 0 to 1.
  double range() const {
    return base::same_range(
        [&](std::uint32_t d) { return arithmetic::range_width(t.f(d)) == 1 ? arithmetic::range_width(t.f(d, 2)) : 0; });
  }
};

}  // namespace goldml::detail

namespace goldml::oracle {

template <std::same_as<lstm_desc> Desc>
struct verdict_traits<Desc> : recurrent_verdict_traits<Desc> {
  // The peephole of the output gate may read the cell state of the step before: in all elements, or none (LS-R1).
  static bool to_alternative(lstm_desc& desc, data_type, std::uint64_t given) {
    const bool other =
        desc.output_peephole == output_peephole::current && (given >> operator_traits<lstm_desc>::peephole & 1U) != 0;
    if (other) desc.output_peephole = output_peephole::previous;
    return other;
  }
  static constexpr verdict_options<Desc> options = [] {
    verdict_options<Desc> all = recurrent_verdict_traits<Desc>::recurrent_options();
    all.to_alternative = &to_alternative;
    all.alternative = "with the cell state of the step before in the output gate's peephole (ledger LS-R1)";
    return all;
  }();
};

}  // namespace goldml::oracle
