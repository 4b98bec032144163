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
  template <class Sums>
  hidden_number golden_reset(std::uint32_t d, std::uint32_t i, const golden& before, const Sums& sums) const {
    return reset<hidden_number>(d, i, before.hidden, golden_gate(sums));
  }
  template <class Sums>
  golden golden_next(std::uint32_t d, std::uint32_t i, const golden& before, const Sums& sums) const {
    const auto candidate = [&](std::uint32_t row, const activation& f) {
      if (!desc.linear_before_reset) return hidden_of(f, sums.number_of_reset(row));
      const hidden_number linear = before.reset * sums.number_of_state(row);
      return hidden_of(f, sums.number_of_input(row) + linear);
    };
    return next_state<hidden_number>(d, i, before, golden_gate(sums), candidate);
  }
  T element(const golden& number, std::size_t) const { return rounded_number<T>(number.hidden); }
  T zero(double) const { return T(0.0F); }

 private:
  template <class Sums>
  static auto golden_gate(const Sums& sums) {
    return [&sums](std::uint32_t row, const activation& f, const std::optional<double>&, const hidden_number&) {
      return hidden_of(f, sums.number(row));
    };
  }
};

}  // namespace goldml::detail
