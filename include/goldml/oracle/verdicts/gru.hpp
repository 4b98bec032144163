// What a device may answer to GRU (ledger RN-R1, RN-R6, LS-R7, GR-R2, GR-R4): by the formula of a step.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <vector>

#include <goldml/arithmetic/formula/statistics.hpp>
#include <goldml/operators/gru.hpp>
#include <goldml/operators/gru_values.hpp>
#include <goldml/oracle/verdicts/recurrent_formula.hpp>

namespace goldml::detail {

template <class T>
struct recurrent_layer<gru_desc, T> : formula_layer<gru_desc, T> {
  using base = formula_layer<gru_desc, T>;
  using base::base;
  using base::t;
  using typename base::number;
  using typename base::state;

  auto gate(std::uint32_t d, std::uint32_t b, std::uint32_t time, const std::vector<number>& h) const {
    return [this, d, b, time, &h](std::uint32_t row, const activation& f, const std::optional<double>&, const number&) {
      return apply(f, base::sum(d, b, time, row, h));
    };
  }
  void reset(std::uint32_t d, std::uint32_t b, std::uint32_t time, std::vector<state>& states) const {
    const std::vector<number> h = base::numbers_of(states, &state::hidden);
    for (std::uint32_t i = 0; i < states.size(); ++i)
      states[i].reset = t.template reset<number>(d, i, h[i], gate(d, b, time, h));
  }
  recurrent_step<state> step(std::uint32_t d, std::uint32_t b, std::uint32_t time, std::uint32_t i,
                             const std::vector<state>& before) const {
    const std::vector<number> h = base::numbers_of(before, &state::hidden);
    const auto candidate = [&](std::uint32_t row, const activation& f) {
      if (!t.desc.linear_before_reset)
        return apply(f, base::sum(d, b, time, row, base::numbers_of(before, &state::reset)));
      return apply(
          f, may_store(base::with_row(d, b, time, row, [&](const auto& w, const auto& x, const auto& r, auto bias) {
            return formula::linear_sum<number>(w, x, r, h, bias, before[i].reset);
          })));
    };
    const state after = t.template next_state<number>(d, i, before[i], gate(d, b, time, h), candidate);
    return {base::intervals_of(after.hidden), {}, {stored_state(after.hidden), after.reset}};
  }
  state behind(const recurrent_step<state>& step, double x) const {
    return {base::behind(step.next.hidden, x), step.next.reset};
  }
  // The range of g, where the update gate's is 0 to 1.
  double range() const {
    return base::same_range(
        [&](std::uint32_t d) { return arithmetic::range_width(t.f(d)) == 1 ? arithmetic::range_width(t.f(d, 1)) : 0; });
  }
};

}  // namespace goldml::detail

namespace goldml::oracle {

template <std::same_as<gru_desc> Desc>
struct verdict_traits<Desc> : recurrent_verdict_traits<Desc> {
  static constexpr verdict_options<Desc> options = recurrent_verdict_traits<Desc>::recurrent_options();
};

}  // namespace goldml::oracle
