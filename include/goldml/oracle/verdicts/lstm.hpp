// What a device may answer to LSTM (ledger RN-R1, RN-R6, LS-R1 to LS-R9): by the formula of a step.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <goldml/arithmetic/formula/activation.hpp>
#include <goldml/arithmetic/formula/device_terms.hpp>
#include <goldml/arithmetic/formula/recurrent.hpp>
#include <goldml/operators/lstm.hpp>
#include <goldml/operators/lstm_values.hpp>
#include <goldml/oracle/verdicts/recurrent.hpp>

namespace goldml::detail {

template <class T>
struct recurrent_layer<lstm_desc, T> {
  using number = formula::device_number;
  using state = formula::lstm_state<number>;
  static constexpr std::size_t memory_of_a_number = 3 * sizeof(state);
  recurrent_values<lstm_desc, T> t;
  arithmetic_mode mode;

  recurrent_layer(const lstm_desc& desc, std::span<const const_tensor_ref> inputs, const arithmetic_mode& m)
      : t(inputs, std::vector<tensor_ref>(3), desc), mode(m) {}
  recurrent_layer(const recurrent_layer&) = delete;  // numbers refer to the mode
  recurrent_layer& operator=(const recurrent_layer&) = delete;

  number element(double x) const { return {x, mode}; }
  state initial(std::uint32_t d, std::uint32_t b, std::uint32_t i) const {
    return t.template initial_state<number>(d, b, i, [&](double x) { return element(x); });
  }
  recurrent_step<state> step(std::uint32_t d, std::uint32_t b, std::uint32_t time, std::uint32_t i,
                             const std::vector<state>& before) const {
    std::vector<number> h;
    h.reserve(before.size());
    for (const state& each : before) h.push_back(each.hidden);
    const auto gate = [&](std::uint32_t row, const activation& f, const std::optional<double>& p, const number& cell) {
      const auto list = [&](std::size_t count, const auto& at) {
        return formula::elements_of<number>(
            count, [at](std::size_t j) { return at(static_cast<std::uint32_t>(j)); }, mode);
      };
      std::vector<number> bias;
      if (t.bias) bias = {element(t.bias_of(d, row, 0)), element(t.bias_of(d, row, 1))};
      const number peephole = element(p.value_or(0));
      const number sum = may_store(formula::gate_sum<number>(
          list(t.input_size(), [&](std::uint32_t j) { return t.weight(d, row, j); }),
          list(t.input_size(), [&](std::uint32_t j) { return t.input(time, b, j); }),
          list(t.hidden_size(), [&](std::uint32_t j) { return t.recurrence(d, row, j); }), std::span<const number>(h),
          std::span<const number>(bias), p ? &peephole : nullptr, &cell));
      return apply(f, t.clip ? formula::clipped(sum, *t.clip) : sum);
    };
    const auto function = [](const activation& f, const number& x) { return apply(f, x); };
    const state after = t.template next_state<number>(d, i, before[i], gate, function);
    const auto intervals = [](const number& x) {
      return element_intervals{formula::interval_of<T>(x), interval_refusal::reciprocals};
    };
    return {intervals(after.hidden), intervals(after.cell), {stored_state(after.hidden), stored_state(after.cell)}};
  }
  state behind(const recurrent_step<state>& step, double x) const {
    const number& h = step.next.hidden;
    if (h.is_sure() && h.sure() == x) return step.next;
    formula::possible stored = formula::possible::of(x);
    if (is_finite_double(x)) stored.widen(error_of_storing<T>(x, 0, mode));
    return {{stored, mode}, step.next.cell};
  }
  // What intervals of hidden states are measured by: the range of h, where the output gate's is 0 to 1.
  double range() const {
    const auto width = [&](std::uint32_t d) {
      return arithmetic::range_width(t.f(d)) == 1 ? arithmetic::range_width(t.f(d, 2)) : 0;
    };
    return t.directions() == 1 || width(1) == width(0) ? width(0) : 0;
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
