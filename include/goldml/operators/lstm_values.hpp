// The golden states of LSTM: sums are exact, and each product and function has 128 bits (ledger RN-R3, LS-R9).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <goldml/arithmetic/formula/lstm.hpp>
#include <goldml/operators/lstm.hpp>

namespace goldml::detail {

// Of a NaN, the lower bound.
inline hidden_number clipped(const hidden_number& s, double bound) {
  if (is_nan(s.special)) return hidden_number(-bound);
  const bool beyond = !goldml::is_zero(s.special) ||
                      (is_finite_double(bound) && arithmetic::less(arithmetic::wide(bound), arithmetic::abs(s.finite)));
  return beyond ? hidden_number(std::copysign(bound, s.sign())) : s;
}

template <class T>
struct recurrent_values<lstm_desc, T> : recurrent_operands<T> {
  template <class N>
  using state = formula::lstm_state<N>;
  using golden = state<hidden_number>;
  std::optional<tensor_view<const T>> cell_init, peephole;
  std::optional<double> clip;  // the bound of sums
  const lstm_desc& desc;

  recurrent_values(std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> results, const lstm_desc& d)
      : recurrent_operands<T>(recurrent_operands_of<T>(inputs, results, d)),
        cell_init(optional_view<T>(inputs[operator_traits<lstm_desc>::cell_init])),
        peephole(optional_view<T>(inputs[operator_traits<lstm_desc>::peephole])),
        desc(d) {
    if (d.use_clip_threshold) clip = exact_double(d.clip_threshold);
  }

  template <class N, class Make>
  state<N> initial_state(std::uint32_t d, std::uint32_t b, std::uint32_t i, const Make& make) const {
    return {make(this->initial(d, b, i)), make(cell_init ? exact_double(T((*cell_init)[{0, d, b, i}])) : 0)};
  }
  template <class N, class Gate, class Function>
  state<N> next_state(std::uint32_t d, std::uint32_t i, const state<N>& before, const Gate& gate,
                      const Function& function) const {
    const auto gate_of = [&](formula::lstm_gate k, const N& cell) {
      const std::uint32_t row = static_cast<std::uint32_t>(k) * this->hidden_size() + i;
      const bool of_cell = k == formula::lstm_gate::cell;
      std::optional<double> p;
      if (peephole && !of_cell) p = exact_double(T((*peephole)[{0, 0, d, row}]));
      return gate(row, this->f(d, of_cell ? 1 : 0), p, cell);
    };
    return formula::lstm_step(before.cell, desc, gate_of, [&](const N& c) { return function(this->f(d, 2), c); });
  }
  golden golden_initial(std::uint32_t d, std::uint32_t b, std::uint32_t i) const {
    return initial_state<hidden_number>(d, b, i, [](double h) { return hidden_number(h); });
  }
  template <class Sums>
  golden golden_next(std::uint32_t d, std::uint32_t i, const golden& before, const Sums& sums) const {
    const auto gate = [&](std::uint32_t row, const activation& f, const std::optional<double>& p,
                          const hidden_number& cell) {
      const auto with_peephole = [&] {
        extended_sum sum = sums.exactly(row);
        add_product(sum, *p, cell);
        return number_of(sum);
      };
      const hidden_number s = p ? with_peephole() : sums.number(row);
      return hidden_of(f, clip ? clipped(s, *clip) : s);
    };
    const auto function = [](const activation& f, const hidden_number& c) { return hidden_of(f, c); };
    return next_state<hidden_number>(d, i, before, gate, function);
  }
  T element(const golden& number, std::size_t output) const {
    return rounded_number<T>(output == 2 ? number.cell : number.hidden);
  }
  T zero(double) const { return T(0.0F); }
};

}  // namespace goldml::detail
