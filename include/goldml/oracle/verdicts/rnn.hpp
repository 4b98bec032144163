// What a device may answer to RNN (ledger RN-R1, RN-R4).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <goldml/arithmetic/fused_interval.hpp>
#include <goldml/operators/rnn.hpp>
#include <goldml/oracle/verdicts/recurrent.hpp>
#include <goldml/oracle/verdicts/rnn_state.hpp>

namespace goldml::detail {

template <class T>
struct recurrent_layer<rnn_desc, T> {
  using state = uncertain_hidden;
  static constexpr std::size_t memory_of_a_number = 2 * sizeof(state);
  recurrent_operands<T> t;
  arithmetic_mode mode;

  recurrent_layer(const rnn_desc& desc, std::span<const const_tensor_ref> inputs, const arithmetic_mode& m)
      : t(recurrent_operands_of<T>(inputs, std::vector<tensor_ref>(2), desc)), mode(m) {}

  state initial(std::uint32_t d, std::uint32_t b, std::uint32_t i) const { return {.value = t.initial(d, b, i)}; }
  recurrent_step<state> step(std::uint32_t d, std::uint32_t b, std::uint32_t time, std::uint32_t i,
                             const std::vector<state>& h) const {
    const bound w = bound_of_step(t, d, b, time, i, h, mode);
    element_intervals allowed = arithmetic::fused_interval<T>(t.f(d), w, mode);
    const state next = hidden_after<T>(t.f(d), w, allowed.hull(), mode);
    return {std::move(allowed), {}, next};
  }
  state behind(const recurrent_step<state>& step, double x) const {
    if (step.next.error == 0 && step.next.also == 0 && step.next.value == x) return step.next;
    state h{.value = x};
    if (is_finite_double(x)) h.error = h.usual_error = error_of_storing<T>(x, 0, mode);
    return h;
  }
  // What intervals are measured by: the range of the activation, if it is the same for both directions.
  double range() const {
    const double width = arithmetic::range_width(t.f(0));
    return t.directions() == 1 || arithmetic::range_width(t.f(1)) == width ? width : 0;
  }
};

}  // namespace goldml::detail

namespace goldml::oracle {

template <std::same_as<rnn_desc> Desc>
struct verdict_traits<Desc> : recurrent_verdict_traits<Desc> {
  static constexpr verdict_options<Desc> options = recurrent_verdict_traits<Desc>::recurrent_options();
};

}  // namespace goldml::oracle
