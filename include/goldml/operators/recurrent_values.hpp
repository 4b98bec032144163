// What recurrent layers share: directions, operands, and golden states, each made of an exact sum of products with the
// one before it, which has 128 bits (ledger RN-R3).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <goldml/arithmetic/fused.hpp>
#include <goldml/arithmetic/golden_number.hpp>
#include <goldml/core/feature_level.hpp>
#include <goldml/core/operator_traits.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/violation.hpp>

namespace goldml {

// DML_RECURRENT_NETWORK_DIRECTION.
enum class recurrent_network_direction : std::uint32_t { forward = 0, backward = 1, bidirectional = 2 };
template <>
struct enumeration<recurrent_network_direction> {
  static constexpr std::string_view prefix = "DML_RECURRENT_NETWORK_DIRECTION_";
  static constexpr auto values = enumerators<recurrent_network_direction>("FORWARD", "BACKWARD", "BIDIRECTIONAL");
};

// NumDirections of DirectML's page: 2 for BIDIRECTIONAL, otherwise 1.
template <class Desc>
requires requires(const Desc& desc) { desc.direction == recurrent_network_direction::bidirectional; }
constexpr std::size_t direction_count(const Desc& desc) {
  return desc.direction == recurrent_network_direction::bidirectional ? 2 : 1;
}

namespace detail {

using hidden_number = golden_number;

// Adds r * h exactly, but for what is below 2^-448. r is an element.
inline void add_product(extended_sum& sum, double r, const hidden_number& h) {
  if (!is_finite_double(r) || !goldml::is_zero(h.special)) return sum.add(r * h.sign());
  sum.finite.add(0.0 * r);  // a zero of its sign, which decides that of a sum of zeros
  if (goldml::is_zero(r) || h.finite.is_zero()) return;
  sum.finite.add(0.0);
  const odd_double factor = odd_part(r);
  const std::array<std::uint64_t, 2> halves{h.finite.low, h.finite.high};
  for (int i = 0; i < 4; ++i) {  // 32 bits of h each, times 24
    std::uint64_t bits = (halves[static_cast<std::size_t>(i / 2)] >> (i % 2 * 32) & 0xFFFF'FFFF) * factor.significand;
    int exponent = h.finite.exponent - 127 + 32 * i + factor.exponent;
    if (exponent < -448) {
      bits = exponent < -448 - 63 ? 0 : bits >> (-448 - exponent);
      exponent = -448;
    }
    if (bits != 0) sum.finite.add_bits(bits, exponent, is_negative_double(r) != h.finite.negative);
  }
}

// f of a number, to 128 bits; of a finite one as a sum, of another in double.
inline hidden_number hidden_of(const activation& f, const arithmetic::wide& s) {
  using enum arithmetic::activation_type;
  // Those of which a parameter 0 is no factor (ledger AR-R9).
  const bool no_quotient = goldml::is_zero(f.parameters[0]);
  if (no_quotient && arithmetic::type_of(f) == softplus) return hidden_number(infinite_double);
  if (no_quotient && arithmetic::type_of(f) == celu) return s.negative ? hidden_number() : hidden_number(s);
  return hidden_number(arithmetic::detail::activation_of(f, s));
}
inline hidden_number hidden_of(const activation& f, const hidden_number& x) {
  if (goldml::is_zero(x.special)) return hidden_of(f, x.finite);
  return hidden_number(arithmetic::activation_value(f, x.special).value);
}
// A sum, which may be beyond 2^256.
inline hidden_number number_of(const extended_sum& sum) {
  if (!sum.is_finite()) return hidden_number(sum.special());
  hidden_number result;
  result.finite = arithmetic::detail::wide_of(sum.finite);
  return result;
}

// The operands of a call, with elements as doubles.
template <class T>
struct recurrent_operands {
  tensor_view<const T> x, w, r;
  std::optional<tensor_view<const T>> bias, init;
  std::optional<tensor_view<const std::uint32_t>> lengths;
  std::vector<std::optional<tensor_view<T>>> outputs;  // the sequence, and the last states
  const activation_list& activations;
  recurrent_network_direction direction;

  std::uint32_t steps() const { return x.sizes()[1]; }
  std::uint32_t batch() const { return x.sizes()[2]; }
  std::uint32_t input_size() const { return x.sizes()[3]; }
  std::uint32_t hidden_size() const { return r.sizes()[3]; }
  std::uint32_t row_count() const { return w.sizes()[2]; }  // the numbers of state, for each gate
  std::uint32_t directions() const { return w.sizes()[1]; }

  // Of a direction, number `which` of those that it has.
  const activation& f(std::uint32_t d, std::uint32_t which = 0) const {
    return activations[d * (activations.size() / directions()) + which];
  }
  bool is_backward(std::uint32_t d) const { return d == 1 || direction == recurrent_network_direction::backward; }
  std::uint32_t length(std::uint32_t b) const { return lengths ? (*lengths)[{0, 0, 0, b}] : steps(); }
  // The place in the sequence of step n of a direction.
  std::uint32_t time(std::uint32_t d, std::uint32_t length, std::uint32_t n) const {
    return is_backward(d) ? length - 1 - n : n;
  }
  double input(std::uint32_t t, std::uint32_t b, std::uint32_t j) const { return exact_double(T(x[{0, t, b, j}])); }
  double weight(std::uint32_t d, std::uint32_t i, std::uint32_t j) const { return exact_double(T(w[{0, d, i, j}])); }
  double recurrence(std::uint32_t d, std::uint32_t i, std::uint32_t j) const {
    return exact_double(T(r[{0, d, i, j}]));
  }
  // The bias of W (half 0) or R (half 1).
  double bias_of(std::uint32_t d, std::uint32_t i, std::uint32_t half) const {
    return exact_double(T((*bias)[{0, 0, d, half * row_count() + i}]));
  }
  double initial(std::uint32_t d, std::uint32_t b, std::uint32_t i) const {
    return init ? exact_double(T((*init)[{0, d, b, i}])) : 0;
  }

  // W X[t] + R h + the biases, exactly, of a row of the weights; h(j) is a number of state.
  template <class H>
  extended_sum sum(std::uint32_t d, std::uint32_t b, std::uint32_t t, std::uint32_t i, const H& h) const {
    extended_sum result = input_sum(d, b, t, i);
    add_state(result, d, i, h);
    return result;
  }
  // W X[t] + its bias.
  extended_sum input_sum(std::uint32_t d, std::uint32_t b, std::uint32_t t, std::uint32_t i) const {
    extended_sum result;
    for (std::uint32_t j = 0; j < input_size(); ++j) result.add(weight(d, i, j) * input(t, b, j));  // exact: 48 bits
    if (bias) result.add(bias_of(d, i, 0));
    return result;
  }
  // R h + its bias.
  template <class H>
  void add_state(extended_sum& result, std::uint32_t d, std::uint32_t i, const H& h) const {
    for (std::uint32_t j = 0; j < hidden_size(); ++j) add_product(result, recurrence(d, i, j), h(j));
    if (bias) result.add(bias_of(d, i, 1));
  }
};

// A view of an operand that may be omitted.
template <class T, class Ref>
auto optional_view(const Ref& ref) {
  using view = decltype(ref.template as<T>());
  return ref.present() ? std::optional<view>(ref.template as<T>()) : std::nullopt;
}

// The operands of a run-time call.
template <class T, class Desc>
recurrent_operands<T> recurrent_operands_of(std::span<const const_tensor_ref> inputs,
                                            std::span<const tensor_ref> outputs, const Desc& desc) {
  constexpr std::size_t lengths = operator_traits<Desc>::lengths;
  std::vector<std::optional<tensor_view<T>>> views;
  for (const tensor_ref& output : outputs) views.push_back(optional_view<T>(output));
  return {inputs[0].as<T>(),
          inputs[1].as<T>(),
          inputs[2].as<T>(),
          optional_view<T>(inputs[3]),
          optional_view<T>(inputs[4]),
          optional_view<std::uint32_t>(inputs[lengths]),
          std::move(views),
          desc.activation_descs,
          desc.direction};
}

// The recurrent_operands of an operator, specialised beside it, with
//   state<N>                                      what a step makes of numbers N for a number of state; its `hidden`
//   initial_state<N>(d, b, i, make)               that before the first step; make(x) is an element as N
//   next_state<N>(d, i, before, gate, function)   that after a step: gate(row, f, p, c) is f of the sum of a row of the
//                                                 weights with p * c, if p is given; function(f, x) is f of x
//   golden, golden_initial(d, b, i), golden_next(d, i, before, sums), element(golden, output)
//                                                 a number of the golden states, from that before and the exact sums of
//                                                 the step (golden_sums); what is stored of it
// and, if a gate resets the state, with
//   reset(d, i, h, gate), golden_reset(d, i, before, sums)
//                                                 what that gate makes of number i of the states before a step, which
//                                                 the `reset` of a state is. Then next_state's `function` is
//                                                 candidate(row, f), f of the sum with the states that were reset
template <class Desc, class T>
struct recurrent_values;

// Number j of states.
template <class State>
auto hidden_of_states(std::span<const State> states) {
  return [states](std::uint32_t j) -> const auto& { return states[j].hidden; };
}

// The exact sums of a step at time t, of one row of the weights each, from the states before it: as such, and as
// numbers of 128 bits.
template <class T, class Golden>
struct golden_sums {
  const recurrent_operands<T>& operands;
  std::uint32_t d, b, t;
  std::span<const Golden> before;

  extended_sum exactly(std::uint32_t row) const { return operands.sum(d, b, t, row, hidden_of_states(before)); }
  hidden_number number(std::uint32_t row) const { return number_of(exactly(row)); }
  // With the states that a gate has reset.
  hidden_number number_of_reset(std::uint32_t row) const {
    return number_of(operands.sum(
        d, b, t, row, [&](std::uint32_t j) -> const auto& { return before[j].reset; }));
  }
  // W X[t] with its bias, and R h with its own.
  hidden_number number_of_input(std::uint32_t row) const { return number_of(operands.input_sum(d, b, t, row)); }
  hidden_number number_of_state(std::uint32_t row) const {
    extended_sum result;
    operands.add_state(result, d, row, hidden_of_states(before));
    return number_of(result);
  }
};

// The golden states of a sequence: before it, and after a step, of which sums_of(before) are the sums.
template <class Values>
auto golden_states(const Values& values, std::uint32_t d, std::uint32_t b) {
  std::vector<typename Values::golden> states;
  states.reserve(values.hidden_size());
  for (std::uint32_t i = 0; i < values.hidden_size(); ++i) states.push_back(values.golden_initial(d, b, i));
  return states;
}
template <class Values, class Golden, class SumsOf>
std::vector<Golden> golden_after(const Values& values, std::uint32_t d, std::vector<Golden> before,
                                 const SumsOf& sums_of) {
  const auto& sums = sums_of(std::span<const Golden>(before));
  if constexpr (requires(Golden g) { g.reset; })
    for (std::uint32_t i = 0; i < before.size(); ++i) before[i].reset = values.golden_reset(d, i, before[i], sums);
  std::vector<Golden> states;
  states.reserve(before.size());
  for (std::uint32_t i = 0; i < before.size(); ++i) states.push_back(values.golden_next(d, i, before[i], sums));
  return states;
}

// Runs the steps of a sequence, and stores element(output, i) of the states that they leave; zeros beyond its length.
template <class T, class Step, class Element>
void run_sequence(const recurrent_operands<T>& t, std::uint32_t d, std::uint32_t b, const Step& step,
                  const Element& element) {
  const std::uint32_t length = t.length(b);
  const auto store = [&](std::size_t output, std::uint32_t row, const auto& value) {
    for (std::uint32_t i = 0; t.outputs[output] && i < t.hidden_size(); ++i)
      (*t.outputs[output])[{row, d, b, i}] = value(output, i);
  };
  for (std::uint32_t n = 0; n < length; ++n) {
    const std::uint32_t time = t.time(d, length, n);
    step(time);
    store(0, time, element);
  }
  for (std::uint32_t time = length; time < t.steps(); ++time)
    store(0, time, [](std::size_t, std::uint32_t) { return T(0.0F); });
  for (std::size_t output = 1; output < t.outputs.size(); ++output) store(output, 0, element);
}

// A length beyond the steps: RN10. Called before the first write.
template <class Desc, class T>
void check_lengths(const recurrent_operands<T>& t) {
  for (std::uint32_t b = 0; t.lengths && b < t.batch(); ++b)
    if (t.length(b) > t.steps())
      throw error(violation{.rule = operator_traits<Desc>::rules.lengths,
                            .operator_name = operator_traits<Desc>::name,
                            .operand = "SequenceLengthsTensor",
                            .member = "element",
                            .index = b,
                            .got = violation_text("{}", t.length(b)),
                            .wanted = violation_text("at most {}", t.steps()),
                            .why = violation_text("InputTensor.Sizes[1]")});
}

}  // namespace detail

}  // namespace goldml
