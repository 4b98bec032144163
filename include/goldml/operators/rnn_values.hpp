// The golden states of RNN, which have 128 bits, and their elements, rounded once (ledger RN-R3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <goldml/arithmetic/formula/recurrent.hpp>
#include <goldml/operators/rnn.hpp>

namespace goldml::detail {

template <class T>
struct recurrent_values<rnn_desc, T> : recurrent_operands<T> {
  template <class N>
  using state = formula::rnn_state<N>;
  struct golden {
    hidden_number hidden;
    T element;
  };

  recurrent_values(std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> results, const rnn_desc& desc)
      : recurrent_operands<T>(recurrent_operands_of<T>(inputs, results, desc)) {}

  template <class N, class Make>
  state<N> initial_state(std::uint32_t d, std::uint32_t b, std::uint32_t i, const Make& make) const {
    return {make(this->initial(d, b, i))};
  }
  template <class N, class Gate, class Function>
  state<N> next_state(std::uint32_t d, std::uint32_t i, const state<N>& before, const Gate& gate,
                      const Function&) const {
    return {gate(i, this->f(d), std::optional<double>(), before.hidden)};
  }
  golden golden_initial(std::uint32_t d, std::uint32_t b, std::uint32_t i) const {
    const double h = this->initial(d, b, i);
    return {hidden_number(h), rounded<T>(h)};
  }
  template <class Sums>
  golden golden_next(std::uint32_t d, std::uint32_t i, const golden&, const Sums& sums) const {
    const extended_sum sum = sums.exactly(i);
    return {hidden_of(this->f(d), number_of(sum)), arithmetic::fused_rounded<T>(this->f(d), sum)};
  }
  T element(const golden& number, std::size_t) const { return number.element; }
  T zero(double sum) const { return rounded<T>(sum); }
};

}  // namespace goldml::detail
