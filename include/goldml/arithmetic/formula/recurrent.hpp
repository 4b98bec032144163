// One step of a recurrent layer as one formula over a number type N (SPEC-arithmetic 3.8).
#pragma once

#include <cstddef>

#include <goldml/arithmetic/formula/reduce.hpp>

namespace goldml::formula {

// W x + R h + the biases of W and of R + p * cell, for one row of the weights, as a device has it before an activation:
// in one sum; or W x first, with its bias or without, stored as an element of a tensor (LS-R7). `bias` is empty or has
// both; p may be null, as there is no peephole. W, X and R have size() and [] as a row<N>.
template <class N, class W, class X, class R>
N gate_sum(const W& w, const X& x, const R& r, row<N> h, row<N> bias, const N* p = nullptr, const N* cell = nullptr) {
  const auto products = [](auto& s, const auto& a, const auto& b) {
    for (std::size_t i = 0; i < a.size(); ++i) s.add(a[i], b[i]);
  };
  typename N::terms of_state;
  products(of_state, r, h);
  if (p != nullptr) of_state.add(*p, *cell);
  const auto total = [&](typename N::terms s, row<N> rest) {
    for (const N& b : rest) s.add(b);
    return s.total();
  };
  const auto at_once = [&] {
    typename N::terms s = of_state;
    products(s, w, x);
    return total(s, bias);
  };
  if (!w[0].narrows()) return at_once();
  const auto projected = [&] {
    typename N::terms of_input;
    products(of_input, w, x);
    const auto then = [&](std::size_t with_bias) {
      typename N::terms s = of_state;
      s.add(may_store(total(of_input, bias.first(with_bias))));
      return total(s, bias.subspan(with_bias));
    };
    if (bias.empty()) return then(0);
    return either([&] { return then(0); }, [&] { return then(1); });
  };
  return either(at_once, projected);
}

template <class N>
struct rnn_state {
  N hidden;
};

// The next state of RNN: f of that sum, which may be stored before.
template <class N, class F>
N rnn_step(row<N> w, row<N> x, row<N> r, row<N> h, row<N> bias, const F& f) {
  return apply(f, may_store(gate_sum(w, x, r, h, bias)));
}

}  // namespace goldml::formula
