// Recurrent layers whose step is a formula over what a device may hold (ledger LS-R9).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <goldml/arithmetic/formula/activation.hpp>
#include <goldml/arithmetic/formula/device_terms.hpp>
#include <goldml/arithmetic/formula/recurrent.hpp>
#include <goldml/oracle/verdicts/recurrent.hpp>

namespace goldml::detail {

template <class Desc, class T>
struct formula_layer {
  using traits = operator_traits<Desc>;
  using number = formula::device_number;
  using state = typename recurrent_values<Desc, T>::template state<number>;
  static constexpr std::size_t memory_of_a_number = 3 * sizeof(state);
  recurrent_values<Desc, T> t;
  arithmetic_mode mode;

  formula_layer(const Desc& desc, std::span<const const_tensor_ref> inputs, const arithmetic_mode& m)
      : t(inputs, std::vector<tensor_ref>(traits::operands.size() - traits::sequence), desc), mode(m) {}
  formula_layer(const formula_layer&) = delete;  // numbers refer to the mode
  formula_layer& operator=(const formula_layer&) = delete;

  number element(double x) const { return {x, mode}; }
  state initial(std::uint32_t d, std::uint32_t b, std::uint32_t i) const {
    return t.template initial_state<number>(d, b, i, [&](double x) { return element(x); });
  }
  // Calls use(w, x, r, bias) with the operands of a row of the weights.
  template <class F>
  number with_row(std::uint32_t d, std::uint32_t b, std::uint32_t time, std::uint32_t row, const F& use) const {
    const auto list = [&](std::size_t count, const auto& at) {
      return formula::elements_of<number>(
          count, [at](std::size_t j) { return at(static_cast<std::uint32_t>(j)); }, mode);
    };
    std::vector<number> bias;
    if (t.bias) bias = {element(t.bias_of(d, row, 0)), element(t.bias_of(d, row, 1))};
    return use(list(t.input_size(), [&](std::uint32_t j) { return t.weight(d, row, j); }),
               list(t.input_size(), [&](std::uint32_t j) { return t.input(time, b, j); }),
               list(t.hidden_size(), [&](std::uint32_t j) { return t.recurrence(d, row, j); }),
               std::span<const number>(bias));
  }
  // The sum of a row, which may be stored; with p times `cell`, if p is given.
  number sum(std::uint32_t d, std::uint32_t b, std::uint32_t time, std::uint32_t row, std::span<const number> h,
             const std::optional<double>& p = {}, const number* cell = nullptr) const {
    const number peephole = element(p.value_or(0));
    return may_store(with_row(d, b, time, row, [&](const auto& w, const auto& x, const auto& r, auto bias) {
      return formula::gate_sum<number>(w, x, r, h, bias, p ? &peephole : nullptr, cell);
    }));
  }
  static std::vector<number> numbers_of(std::span<const state> states, number state::*member) {
    std::vector<number> result;
    result.reserve(states.size());
    for (const state& each : states) result.push_back(each.*member);
    return result;
  }
  // What a device goes on with that stored x as a number of state.
  number behind(const number& next, double x) const {
    if (next.is_sure() && next.sure() == x) return next;
    formula::possible stored = formula::possible::of(x);
    if (is_finite_double(x)) stored.widen(error_of_storing<T>(x, 0, mode));
    return {stored, mode};
  }
  static element_intervals intervals_of(const number& x) {
    return {formula::interval_of<T>(x), interval_refusal::reciprocals};
  }
  // What intervals of hidden states are measured by: a range that is the same in all directions.
  template <class F>
  double same_range(const F& width) const {
    return t.directions() == 1 || width(1U) == width(0U) ? width(0U) : 0;
  }
};

}  // namespace goldml::detail
