// The rules of RNN, written from its page and the ledger's RN-R1 to RN-R4: states and the bounds on them in long double,
// step by step, for the activations that cases have: IDENTITY, RELU and TANH.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <goldml/operators/rnn.hpp>

#include "allowed_activations.hpp"
#include "allowed_reduce.hpp"

namespace judged {

namespace recurrent {

// A state that a device has to within `off`, or as NaN or an infinity.
struct state {
  real value = 0;
  real off = 0;
  bool nan = false, above = false, below = false;
};

template <class T>
struct layer {
  static constexpr bool is_float = std::is_same_v<T, float>;
  values x, w, r, bias, init, lengths;
  std::uint32_t steps, batch, width, hidden, directions;
  bool flushes;

  static real number(bits b) { return static_cast<real>(static_cast<double>(value_of<T>(b))); }

  // W x + R h + the biases.
  approximate sum(std::uint32_t d, std::uint32_t b, std::uint32_t t, std::uint32_t i,
                  const std::vector<state>& h) const {
    std::vector<real> terms, factors;
    real moved = 0;
    bool nan = false, above = false, below = false;
    const auto product = [&](real a, real c) {
      terms.push_back(a * c);
      factors.push_back(std::abs(a) < least_normal || std::abs(c) < least_normal ? 0x1p-140L : 1);
      if (a * c == 0) factors.back() = 1;
    };
    for (std::uint32_t j = 0; j < width; ++j)
      product(number(w[(d * hidden + i) * width + j]), number(x[(t * batch + b) * width + j]));
    for (std::uint32_t j = 0; j < hidden; ++j) {
      const real a = number(r[(d * hidden + i) * hidden + j]);
      product(a, h[j].value);
      if (h[j].off > 0) moved += std::abs(a) * h[j].off;
      nan = nan || h[j].nan || (a == 0 && (h[j].above || h[j].below));
      above = above || (a > 0 && h[j].above) || (a < 0 && h[j].below);
      below = below || (a < 0 && h[j].above) || (a > 0 && h[j].below);
    }
    if (!bias.empty())
      for (const std::uint32_t half : {0U, hidden}) {
        terms.push_back(number(bias[d * 2 * hidden + half + i]));
        factors.push_back(terms.back());
      }
    const real roundings = width + hidden + 3;
    factors.push_back(0);  // there are products
    const summed s = sum_of(terms, factors, roundings, is_float, flushes);
    approximate a = s.result;
    const real g = grown(roundings);
    if (std::isfinite(a.value)) {
      real positive = moved, negative = moved;
      for (const real term : terms) (term > 0 ? positive : negative) += std::abs(term);
      if (moved > 0) {
        a.error = g * (s.magnitude + moved) + moved + s.flushed_away;
        above = above || positive * (1 + g) >= greatest_float;
        below = below || negative * (1 + g) >= greatest_float;
      }
    } else {
      nan = nan || above || below;
    }
    a.above = a.above || above;
    a.below = a.below || below;
    a.nan = a.nan || nan || (above && below);
    return a;
  }
};

inline activated::function function_of(const activation& f) {
  return {static_cast<activated::type>(f.operator_type), 0, 0};
}

// f of that. The device may round it to T first.
template <class T>
approximate after(const activated::function& f, const approximate& w, bool flushes) {
  constexpr bool is_float = std::is_same_v<T, float>;
  constexpr real infinite = std::numeric_limits<real>::infinity();
  approximate y;
  y.value = activated::value_of_function(f, w.value);
  if (std::isnan(w.value)) {
    y.nan = true;
    return y;
  }
  real off = w.error;
  if (std::isfinite(w.value)) {
    const auto rounded = [&]() -> real {
      if constexpr (is_float) return static_cast<float>(w.value);
      const bits near = neighbours_of<float16>(exact_number(static_cast<double>(w.value))).nearest;
      return static_cast<real>(static_cast<double>(value_of<float16>(near)));
    };
    if (off != 0 || rounded() != w.value)
      off += (is_float ? 0x1p-24L : 0x1p-11L) * (std::abs(w.value) + off) + (is_float ? 0 : 0x1p-25L);
    y.above = w.above || w.value + off >= (is_float ? 0x1.ffffffp127L : 65520.0L);
    y.below = w.below || w.value - off <= (is_float ? -0x1.ffffffp127L : -65520.0L);
    const bool flush = flushes && is_float;
    if (flush && w.value != 0 && std::abs(w.value) < least_normal) off = std::max(off, std::abs(w.value));
    real own = activated::off(f, w.value), difference = 0;
    if (off != 0)
      for (const real at : {w.value - off, w.value + off, 0.0L, 0.38L, -0.38L, 0.76L, -0.76L}) {
        if (std::abs(at - w.value) > off) continue;
        own = std::max(own, activated::off(f, at));
        difference = std::max(difference, std::abs(activated::value_of_function(f, at) - y.value));
      }
    y.error = difference + own;
    if (flush && f.f != activated::type::identity) y.error += 2 * least_normal;
  } else {
    y.above = w.above;
    y.below = w.below;
  }
  y.nan = w.nan;
  static_cast<void>(infinite);
  return y;
}

// What may be stored, and what a device keeps.
template <class T>
element_rule rule_of_step(const activated::function& f, const approximate& y, const approximate& w) {
  approximate finite = y;
  const bool is_identity = f.f == activated::type::identity;
  finite.above = y.above && f.f != activated::type::tanh;  // f(inf)
  finite.below = y.below && is_identity;
  if (std::isnan(w.value)) {
    element_rule rule = rule_of_number<T>(finite, f.f == activated::type::relu);
    rule.allowed.push_back(quiet_nan_of<T>());
    if (rule.range) rule.range->nan = true;
    return rule;
  }
  element_rule rule = rule_of_number<T>(finite, f.f == activated::type::relu);
  if (!rule.range) return rule;
  const auto up_to = [&](double end) {
    rule.range->high = rule.range->high > end ? rule.range->high : end;
    rule.range->outer_high = rule.range->outer_high > end ? rule.range->outer_high : end;
  };
  const auto down_to = [&](double end) {
    rule.range->low = rule.range->low < end ? rule.range->low : end;
    rule.range->outer_low = rule.range->outer_low < end ? rule.range->outer_low : end;
  };
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (y.above) up_to(f.f == activated::type::tanh ? 1.0 : infinite);
  if (y.below) down_to(f.f == activated::type::tanh ? -1.0 : is_identity ? -infinite : 0.0);
  if (y.nan && f.f == activated::type::relu) down_to(0.0), up_to(0.0);
  return rule;
}

template <class T>
state kept(const activated::function& f, const approximate& w, const approximate& y, const element_rule& rule,
           bool flushes) {
  state h;
  h.value = y.value;
  h.nan = y.nan || (rule.range && rule.range->nan);
  if (!std::isfinite(y.value)) {
    if (rule.range) {
      h.above = rule.range->above;
      h.below = rule.range->below;
    }
    return h;
  }
  const auto as_element = [](real v) -> real {
    if constexpr (std::is_same_v<T, float>) return static_cast<float>(v);
    const bits near = neighbours_of<float16>(exact_number(static_cast<double>(v))).nearest;
    return static_cast<real>(static_cast<double>(value_of<float16>(near)));
  };
  const bool exact = w.error == 0 && !w.nan && !w.above && !w.below && activated::off(f, w.value) == 0;
  h.above = rule.range->above || rule.range->outer_high == std::numeric_limits<double>::infinity();
  h.below = rule.range->below || rule.range->outer_low == -std::numeric_limits<double>::infinity();
  if (exact && as_element(y.value) == y.value) return {y.value, 0, h.nan && y.nan, false, false};
  const real most = std::is_same_v<T, float> ? greatest_float : 65504.0L;
  const real low = std::max(static_cast<real>(rule.range->low), -most);
  const real high = std::min(static_cast<real>(rule.range->high), most);
  const real off = std::max(std::abs(high - y.value), std::abs(y.value - low));
  const real unit = std::is_same_v<T, float> ? 0x1p-24L : 0x1p-10L;
  const real least = std::is_same_v<T, float> ? (flushes ? 0x1p-126L : 0x1p-149L) : 0x1p-24L;
  h.off = off + unit * (std::abs(y.value) + off) + least;
  return h;
}

template <class T>
all_rules rules(const rnn_desc& desc, input_refs inputs, output_descs outputs, bool flushing) {
  const dimensions& in = inputs[0].desc().sizes;
  const dimensions& weights = inputs[1].desc().sizes;
  const auto given = [&](std::size_t i) { return inputs[i].present() ? values_of(inputs[i]) : values(); };
  const layer<T> n{given(0), given(1),   given(2),  given(3),   given(4),
                   given(5), in[1],      in[2],     in[3],      weights[2],
                   weights[1], flushing};
  all_rules result(2);
  if (!outputs[0].sizes.empty()) result[0].resize(element_count(outputs[0].sizes), {true, {0}});
  if (!outputs[1].sizes.empty()) result[1].resize(element_count(outputs[1].sizes), {true, {0}});
  element_rule zero{true, {0}};
  zero.allowed.push_back(sign_bit_of<T>);
  for (element_rule& rule : result[0]) rule = zero;
  for (std::uint32_t d = 0; d < n.directions; ++d)
    for (std::uint32_t b = 0; b < n.batch; ++b) {
      const auto length = n.lengths.empty() ? n.steps : static_cast<std::uint32_t>(n.lengths[b]);
      const activated::function f = function_of(desc.activation_descs[d]);
      const bool backward = d == 1 || desc.direction == recurrent_network_direction::backward;
      std::vector<state> h(n.hidden);
      for (std::uint32_t i = 0; !n.init.empty() && i < n.hidden; ++i)
        h[i].value = layer<T>::number(n.init[(d * n.batch + b) * n.hidden + i]);
      for (std::uint32_t i = 0; !result[1].empty() && length == 0 && i < n.hidden; ++i)
        result[1][(d * n.batch + b) * n.hidden + i].defined = false;
      for (std::uint32_t step = 0; step < length; ++step) {
        const std::uint32_t t = backward ? length - 1 - step : step;
        std::vector<state> next;
        for (std::uint32_t i = 0; i < n.hidden; ++i) {
          const approximate w = n.sum(d, b, t, i, h);
          const approximate y = after<T>(f, w, flushing);
          const element_rule rule = rule_of_step<T>(f, y, w);
          if (!result[0].empty()) result[0][((t * n.directions + d) * n.batch + b) * n.hidden + i] = rule;
          if (!result[1].empty()) result[1][(d * n.batch + b) * n.hidden + i] = rule;
          next.push_back(kept<T>(f, w, y, rule, flushing));
        }
        h = next;
      }
    }
  return result;
}

}  // namespace recurrent

inline all_rules rules_of(const rnn_desc& desc, input_refs inputs, output_descs outputs, bool flushing) {
  if (inputs[0].desc().data_type == data_type::float16)
    return recurrent::rules<float16>(desc, inputs, outputs, flushing);
  return recurrent::rules<float>(desc, inputs, outputs, flushing);
}

}  // namespace judged
