// One step of GRU as one formula over a number type N (SPEC-sequences 3.2).
#pragma once

#include <cstddef>

#include <goldml/arithmetic/formula/recurrent.hpp>

namespace goldml::formula {

// `reset`: what the reset gate makes of the number in the step that follows.
template <class N>
struct gru_state {
  N hidden, reset;
};

// r * H, which a device may store; with LinearBeforeReset r, which R H + its bias is multiplied by.
template <class N>
N reset_state(const N& r, const N& hidden, bool linear_before_reset) {
  return linear_before_reset ? r : may_store(r * hidden);
}

// With LinearBeforeReset: W x + r * (R h + its bias) + the bias of W. `bias` is empty or has both.
template <class N, class W, class X, class R>
N linear_sum(const W& w, const X& x, const R& r, row<N> h, row<N> bias, const N& reset) {
  typename N::terms of_state;
  for (std::size_t i = 0; i < h.size(); ++i) of_state.add(r[i], h[i]);
  if (!bias.empty()) of_state.add(bias[1]);
  const N linear = may_store(of_state.total());
  return gate_sum<N>(w, x, row<N>(), row<N>(), bias.first(bias.empty() ? 0 : 1), &reset, &linear);
}

// From the update gate, the candidate and the state before.
template <class N>
N gru_step(const N& update, const N& candidate, const N& before) {
  return mix(may_store(update), candidate, before);
}

}  // namespace goldml::formula
