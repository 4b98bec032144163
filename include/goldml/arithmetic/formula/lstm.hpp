// One step of LSTM as one formula over a number type N (SPEC-sequences 2.2).
#pragma once

#include <cstdint>

#include <goldml/core/policies.hpp>

namespace goldml::formula {

// In the order of the weights.
enum class lstm_gate : std::uint8_t { input, output, forget, cell };

template <class N>
struct lstm_state {
  N hidden, cell;
};

template <class N>
requires requires(const N& x) { x.like(1) - x; }
N one_minus(const N& x) { return x.like(1) - x; }
// a * b + c * d
template <class N>
N sum_of_products(const N& a, const N& b, const N& c, const N& d) {
  if constexpr (requires { typename N::terms; }) {
    typename N::terms s;
    s.add(a, b);
    s.add(c, d);
    return s.total();
  } else {
    return a * b + c * d;
  }
}

// A state that what follows is made of.
template <class N>
N stored_state(const N& x) {
  return may_store(x);
}

// A gate's sum, clipped to a bound and its negative, which FLOAT16 may round, too.
template <class N>
N clipped(const N& sum, double bound) {
  return minimum(may_store(sum.like(bound)), maximum(may_store(sum.like(-bound)), sum));
}

// What follows from the cell state before. gate(k, c) is f, or g of the gate `cell`, of gate k's clipped sum, in which
// the peephole is multiplied by c; h(c) is the function of the cell state.
template <class N, class Desc, class Gate, class H>
lstm_state<N> lstm_step(const N& cell, const Desc& desc, const Gate& gate, const H& h) {
  const N in = gate(lstm_gate::input, cell);
  const N forget = desc.couple_input_forget ? one_minus(in) : gate(lstm_gate::forget, cell);
  const N next = sum_of_products(forget, cell, in, gate(lstm_gate::cell, cell));
  const N kept = stored_state(next);
  const N out = gate(lstm_gate::output, desc.output_peephole == output_peephole::current ? kept : cell);
  return {out * h(kept), next};
}

}  // namespace goldml::formula
