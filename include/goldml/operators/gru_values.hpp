// The golden states of GRU: sums are exact, and each product and function has 128 bits (ledger RN-R3, GR-R4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <goldml/arithmetic/formula/gru.hpp>
#include <goldml/operators/gru.hpp>

namespace goldml::detail {

template <class T>
struct recurrent_values<gru_desc, T> : recurrent_operands<T> {
  template <class N>
  using state = formula::gru_state<N>;
  using golden = state<hidden_number>;
  const gru_desc& desc;

  recurrent_values(std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> results, const gru_desc& d)
      : recurrent_operands<T>(recurrent_operands_of<T>(inputs, results, d)), desc(d) {}

  template <class N, class Make>
  state<N> initial_state(std::uint32_t d, std::uint32_t b, std::uint32_t i, const Make& make) const {
    return {make(this->initial(d, b, i)), make(0)};
  }
  template <class N, class Gate>
  N reset(std::uint32_t d, std::uint32_t i, const N& hidden, const Gate& gate) const {
    const N gate_value = gate(this->hidden_size() + i, this->f(d), std::optional<double>(), hidden);
    return formula::reset_state(gate_value, hidden, desc.linear_before_reset);
  }
  template <class N, class Gate, class Candidate>
  state<N> next_state(std::uint32_t d, std::uint32_t i, const state<N>& before, const Gate& gate,
                      const Candidate& candidate) const {
    const N update = gate(i, this->f(d), std::optional<double>(), before.hidden);
    return {formula::gru_step(update, candidate(2 * this->hidden_size() + i, this->f(d, 1)), before.hidden),
            before.reset};
  }

  golden golden_initial(std::uint32_t d, std::uint32_t b, std::uint32_t i) const {
    return initial_state<hidden_number>(d, b, i, [](double h) { return hidden_number(h); });
  }
  hidden_number golden_reset(std::uint32_t d, std::uint32_t b, std::uint32_t t, std::uint32_t i,
                             std::span<const golden> before) const {
    return reset<hidden_number>(d, i, before[i].hidden, golden_gate(d, b, t, before));
  }
  golden golden_next(std::uint32_t d, std::uint32_t b, std::uint32_t t, std::uint32_t i,
                     std::span<const golden> before) const {
    const auto candidate = [&](std::uint32_t row, const activation& f) {
      if (!desc.linear_before_reset)
        return hidden_of(f, number_of(this->sum(d, b, t, row, [&](std::uint32_t j) { return before[j].reset; })));
      extended_sum linear;
      this->add_state(linear, d, row, hidden_of_states(before));
      return hidden_of(f, number_of(this->input_sum(d, b, t, row)) + before[i].reset * number_of(linear));
    };
    return next_state<hidden_number>(d, i, before[i], golden_gate(d, b, t, before), candidate);
  }
  T element(const golden& number, std::size_t) const { return rounded_number<T>(number.hidden); }
  T zero(double) const { return T(0.0F); }

 private:
  auto golden_gate(std::uint32_t d, std::uint32_t b, std::uint32_t t, std::span<const golden> before) const {
    return [this, d, b, t, before](std::uint32_t row, const activation& f, const std::optional<double>&,
                                   const hidden_number&) {
      return hidden_of(f, number_of(this->sum(d, b, t, row, hidden_of_states(before))));
    };
  }
};

}  // namespace goldml::detail
