// The rules of RNN, written from its page and the ledger's RN-R1 to RN-R4: states and the bounds on them in long
// double, step by step, for the activations that cases have: IDENTITY, RELU and TANH.
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
    bool nan = false, above = false, below = false, infinity_beside_subnormal = false;
    const auto product = [&](real a, real c) {
      terms.push_back(a * c);
      const bool tiny = (a != 0 && std::abs(a) < least_normal) || (c != 0 && std::abs(c) < least_normal);
      factors.push_back(tiny ? 0x1p-140L : 1);
      infinity_beside_subnormal = infinity_beside_subnormal || (tiny && std::isinf(a * c));
    };
    for (std::uint32_t j = 0; j < width; ++j)
      product(number(w[(d * hidden + i) * width + j]), number(x[(t * batch + b) * width + j]));
    for (std::uint32_t j = 0; j < hidden; ++j) {
      const real a = number(r[(d * hidden + i) * hidden + j]);
      product(a, h[j].value);
      if (a != 0 && h[j].off > 0) moved += std::abs(a) * h[j].off;
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
    const bool is_exact = a.error == 0;
    if (std::isfinite(a.value)) {
      real positive = moved, negative = moved;
      for (const real term : terms) (term > 0 ? positive : negative) += std::abs(term);
      if (moved > 0) {
        a.error = g * (s.magnitude + moved) + moved + s.flushed_away;
        above = above || positive * (1 + g) >= greatest_float;
        below = below || negative * (1 + g) >= greatest_float;
      }
    } else {
      nan = nan || above || below || (flushes && is_float && std::isinf(a.value) && infinity_beside_subnormal);
    }
    if (!is_float) {  // W x, or that and its bias, may be stored as FLOAT16
      real projected = 0, magnitude = 0;
      for (std::uint32_t j = 0; j < width; ++j) {
        projected += terms[j];
        magnitude += std::abs(terms[j]);
      }
      const real in_bias = bias.empty() ? 0 : number(bias[d * 2 * hidden + i]);
      magnitude += std::abs(in_bias);
      const auto is_half = [](real value) {
        return static_cast<real>(static_cast<double>(value_of<float16>(
                   neighbours_of<float16>(exact_number(static_cast<double>(value))).nearest))) == value;
      };
      if (std::isfinite(projected + in_bias)) {
        if (!is_exact || !is_half(projected) || !is_half(projected + in_bias))
          a.error += (0x1p-10L * magnitude + 0x1p-24L) * (1 + g);
        if (std::max(std::abs(projected), std::abs(projected + in_bias)) + g * magnitude > 65504) {
          a.error = std::numeric_limits<real>::infinity();
          nan = above = below = true;
        }
      }
    }
    a.above = a.above || above;
    a.below = a.below || below;
    a.nan = a.nan || nan || (above && below);
    // A NaN that does not come from a state is one in every order.
    bool surely_nan = false;
    for (std::uint32_t j = 0; j < width; ++j) surely_nan = surely_nan || std::isnan(terms[j]);
    for (std::uint32_t j = 0; j < hidden; ++j)
      surely_nan = surely_nan || std::isnan(number(r[(d * hidden + i) * hidden + j]));
    if (!bias.empty()) surely_nan = surely_nan || std::isnan(terms[terms.size() - 2] + terms.back());
    if (surely_nan) a.nan = a.above = a.below = false;
    return a;
  }
};

inline activated::function function_of(const activation& f) {
  return {static_cast<activated::type>(f.operator_type), 0, 0};
}

// What a device that has x exactly may be off, with the slack that the ledger gives products of errors.
inline real own_error(const activated::function& f, real x) {
  if (f.f != activated::type::tanh) return 0;
  const real fixed = activated::in_host.tanh_more;
  const real off = std::isinf(x) ? activated::off_at_infinity(f, std::tanh(x), activated::in_host)
                                 : activated::off(f, x, activated::in_host);
  return off == 0 ? 0 : fixed + (off - fixed) * (1 + 0x1p-12L) + std::abs(std::tanh(x)) * 0x1p-42L;
}

template <class T>
real as_element(real x) {
  if constexpr (std::is_same_v<T, float>) return static_cast<float>(x);
  const bits near = neighbours_of<float16>(exact_number(static_cast<double>(x))).nearest;
  return static_cast<real>(static_cast<double>(value_of<float16>(near)));
}

// What may be stored: f of that, where a device may round the sum to T first, and f of the infinities and the NaN that
// the sum may be.
template <class T>
element_rule rule_of_step(const activated::function& f, const approximate& w, bool flushes) {
  constexpr bool is_float = std::is_same_v<T, float>;
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const bool is_relu = f.f == activated::type::relu, is_tanh = f.f == activated::type::tanh;
  approximate y;
  y.value = std::isnan(w.value) && !is_relu ? w.value : activated::value_of_function(f, w.value);
  bool above = w.above, below = w.below;
  bool cut_above = false, cut_below = false;  // rounded toward zero to the greatest FLOAT16
  if (std::isfinite(w.value)) {
    real off = w.error;
    if (is_changed_by_rounding<T>(w.value, off))
      off += (is_float ? 0x1p-24L : 0x1p-10L) * (std::abs(w.value) + off) + (is_float ? 0 : 0x1p-24L);
    cut_above = !is_float && w.value + off > 65504;
    cut_below = !is_float && w.value - off < -65504;
    above = above || w.value + off >= (is_float ? 0x1.ffffffp127L : 65520.0L);
    below = below || w.value - off <= (is_float ? -0x1.ffffffp127L : -65520.0L);
    const bool flush = flushes && is_float;
    if (flush && w.value != 0 && std::abs(w.value) < least_normal) off = std::max(off, std::abs(w.value));
    real own = own_error(f, w.value), difference = 0;
    const real low = w.value - off, high = w.value + off;
    if (off != 0)
      for (const real at : {low, high, 0.0L, 0.38L, -0.38L, 0.76L, -0.76L}) {
        if (at < low || at > high) continue;
        own = std::max(own, own_error(f, at));
        difference = std::max(difference, std::abs(activated::value_of_function(f, at) - y.value));
      }
    y.error = difference + own + (flush && f.f != activated::type::identity ? 2 * least_normal : 0);
  } else if (std::isinf(w.value) && std::isfinite(y.value)) {
    y.error = own_error(f, w.value) + (flushes && is_float && is_relu ? 2 * least_normal : 0);
  }
  element_rule rule = rule_of_number<T>(y, is_relu);
  if (!rule.range) {  // NaN, and no number so far
    float_range none;
    none.type = is_float ? data_type::float32 : data_type::float16;
    none.low = none.outer_low = infinite;
    none.high = none.outer_high = -infinite;
    rule.range = none;
  }
  float_range& range = *rule.range;
  activated::clamp_tanh(f, range);
  // What is between is not surely right.
  const auto reach = [&](double end) {
    range.outer_low = std::min(range.outer_low, end);
    range.outer_high = std::max(range.outer_high, end);
  };
  const auto reach_tanh = [&](real end) {  // tanh of an infinity, or of the greatest FLOAT16
    element_rule of_end = rule_of_number<T>(approximate{end, own_error(f, end * infinite)}, false);
    activated::clamp_tanh(f, *of_end.range);
    reach(of_end.range->low);
    reach(of_end.range->high);
  };
  if (is_tanh && (above || cut_above)) reach_tanh(1);
  if (is_tanh && (below || cut_below)) reach_tanh(-1);
  if (above && !is_tanh) range.above = true;
  if (below && is_relu) reach(0.0);
  if (below && is_relu && flushes && is_float) reach(0x1p-125);
  if (below && !is_tanh && !is_relu) range.below = true;
  if (cut_above && !is_tanh) reach(65504.0);
  if (cut_below && !is_tanh) reach(is_relu ? 0.0 : -65504.0);
  activated::clamp_tanh(f, range);
  range.nan = w.nan || std::isnan(w.value);
  if (w.nan && is_relu) reach(0.0);
  if (range.nan) rule.allowed.push_back(quiet_nan_of<T>());
  if (range.outer_low > range.outer_high && !range.above && !range.below) rule.range.reset();  // the NaN alone
  return rule;
}

// What a device keeps of it, by the inner ends of the rule's range or by the outer ones.
enum class ends { inner, outer };
template <class T>
state kept(const activated::function& f, const approximate& w, const element_rule& rule, ends by, bool flushes) {
  constexpr bool is_float = std::is_same_v<T, float>;
  state h;
  h.value = std::isnan(w.value) && f.f != activated::type::relu ? w.value : activated::value_of_function(f, w.value);
  constexpr real infinite = std::numeric_limits<real>::infinity();
  if (!rule.range) {
    h.nan = true;
    return h;
  }
  const real lowest = by == ends::inner ? rule.range->low : rule.range->outer_low;
  const real highest = by == ends::inner ? rule.range->high : rule.range->outer_high;
  h.nan = rule.range->nan;
  h.above = rule.range->above || (lowest <= highest && highest == infinite && h.value != infinite);
  h.below = rule.range->below || (lowest <= highest && lowest == -infinite && h.value != -infinite);
  if (std::isfinite(w.value) && std::abs(h.value) > 0x1p200L) {
    if (std::abs(h.value) >= 0x1p256L) h.value *= infinite;
    h.off = infinite;
    h.nan = h.above = h.below = true;
    return h;
  }
  if (std::isinf(h.value) && lowest <= highest && (std::isfinite(lowest) || std::isfinite(highest))) {
    h = {0, infinite, true, true, true};  // or a number
    return h;
  }
  if (!std::isfinite(h.value)) return h;
  const bool exact = w.error == 0 && !w.nan && !w.above && !w.below && own_error(f, w.value) == 0;
  if (exact && as_element<T>(h.value) == h.value) return h;
  const real most = is_float ? greatest_float : 65504.0L;
  if (lowest > highest) return h;
  const real low = std::clamp(lowest, -most, most);
  const real high = std::clamp(highest, -most, most);
  const real off = std::max(std::abs(high - h.value), std::abs(h.value - low));
  const real least = is_float ? (flushes ? 0x1p-126L : 0x1p-149L) : 0x1p-24L;
  h.off = off + (is_float ? 0x1p-24L : 0x1p-10L) * (std::abs(h.value) + off) + least;
  return h;
}

// The state behind a stored one.
template <class T>
state behind(bits stored, bool flushes) {
  constexpr bool is_float = std::is_same_v<T, float>;
  state h;
  h.value = layer<T>::number(stored);
  const real least = is_float ? (flushes ? 0x1p-126L : 0x1p-149L) : 0x1p-24L;
  if (std::isfinite(h.value)) h.off = (is_float ? 0x1p-24L : 0x1p-10L) * std::abs(h.value) + least;
  return h;
}

// The rules of states that follow from those before as a device stored them, beside the golden values. `chain`: the
// rules without that.
template <class T>
all_rules rules_given(const rnn_desc& desc, input_refs inputs, const all_rules& chain, const values& stored,
                      bool flushing) {
  const dimensions& in = inputs[0].desc().sizes;
  const dimensions& weights = inputs[1].desc().sizes;
  const auto given = [&](std::size_t i) { return inputs[i].present() ? values_of(inputs[i]) : values(); };
  const layer<T> n{given(0), given(1), given(2), given(3),   given(4),   given(5),
                   in[1],    in[2],    in[3],    weights[2], weights[1], flushing};
  all_rules result = chain;
  for (std::uint32_t d = 0; d < n.directions; ++d)
    for (std::uint32_t b = 0; b < n.batch; ++b) {
      const auto length = n.lengths.empty() ? n.steps : static_cast<std::uint32_t>(n.lengths[b]);
      const activated::function f = function_of(desc.activation_descs[d]);
      const bool backward = d == 1 || desc.direction == recurrent_network_direction::backward;
      std::vector<state> h(n.hidden);
      for (std::uint32_t i = 0; !n.init.empty() && i < n.hidden; ++i)
        h[i].value = layer<T>::number(n.init[(d * n.batch + b) * n.hidden + i]);
      bool saturated = false;
      for (std::uint32_t step = 0; step < length; ++step) {
        const std::uint32_t t = backward ? length - 1 - step : step;
        std::vector<state> next;
        bool next_saturated = false;
        for (std::uint32_t i = 0; i < n.hidden; ++i) {
          const std::size_t element = ((t * n.directions + d) * n.batch + b) * n.hidden + i;
          const std::size_t last = (d * n.batch + b) * n.hidden + i;
          const approximate w = n.sum(d, b, t, i, h);
          const element_rule rule = rule_of_step<T>(f, w, flushing);
          const state exact = kept<T>(f, w, rule, ends::outer, flushing);
          const auto replace = [&](element_rule& by) {
            element_rule all = rule;
            all.golden = by.golden;
            if (by.golden) all.allowed.push_back(*by.golden);
            all.defined = by.defined;
            if (saturated && by.range) {
              if (!all.range) all.range = by.range;
              all.range->outer_low = std::min(all.range->outer_low, by.range->outer_low);
              all.range->outer_high = std::max(all.range->outer_high, by.range->outer_high);
              all.range->nan |= by.range->nan;
              all.range->above |= by.range->above;
              all.range->below |= by.range->below;
            }
            by = all;
          };
          if (step + 1 == length && !result[1].empty()) replace(result[1][last]);
          replace(result[0][element]);
          const state after = behind<T>(stored[element], flushing);
          const bool is_exact = w.error == 0 && exact.off == 0 && !exact.nan && !exact.above && !exact.below;
          next.push_back(is_exact && exact.value == after.value ? exact : after);
          next_saturated =
              next_saturated || std::abs(after.value) >= (std::is_same_v<T, float> ? real{greatest_float} : 65504.0L);
        }
        h = next;
        saturated = next_saturated;
      }
    }
  return result;
}

template <class T>
all_rules rules(const rnn_desc& desc, input_refs inputs, output_descs outputs, bool flushing) {
  const dimensions& in = inputs[0].desc().sizes;
  const dimensions& weights = inputs[1].desc().sizes;
  const auto given = [&](std::size_t i) { return inputs[i].present() ? values_of(inputs[i]) : values(); };
  const layer<T> n{given(0), given(1), given(2), given(3),   given(4),   given(5),
                   in[1],    in[2],    in[3],    weights[2], weights[1], flushing};
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
      std::vector<state> h(n.hidden);  // by the inner ends; each step's rounding of the ends moves those after it
      for (std::uint32_t i = 0; !n.init.empty() && i < n.hidden; ++i)
        h[i].value = layer<T>::number(n.init[(d * n.batch + b) * n.hidden + i]);
      std::vector<state> outer_h = h;
      for (std::uint32_t i = 0; !result[1].empty() && length == 0 && i < n.hidden; ++i)
        result[1][(d * n.batch + b) * n.hidden + i].defined = false;
      for (std::uint32_t step = 0; step < length; ++step) {
        const std::uint32_t t = backward ? length - 1 - step : step;
        std::vector<state> next, outer_next;
        for (std::uint32_t i = 0; i < n.hidden; ++i) {
          const approximate inner = n.sum(d, b, t, i, h), outer = n.sum(d, b, t, i, outer_h);
          const element_rule narrow = rule_of_step<T>(f, inner, flushing);
          element_rule rule = rule_of_step<T>(f, outer, flushing);
          next.push_back(kept<T>(f, inner, narrow, ends::inner, flushing));
          outer_next.push_back(kept<T>(f, outer, rule, ends::outer, flushing));
          if (rule.range && narrow.range) {
            rule.range->low = narrow.range->low;
            rule.range->high = narrow.range->high;
          }
          if (!result[0].empty()) result[0][((t * n.directions + d) * n.batch + b) * n.hidden + i] = rule;
          if (!result[1].empty()) result[1][(d * n.batch + b) * n.hidden + i] = rule;
        }
        h = next;
        outer_h = outer_next;
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

// The rules for what a device answered, if its sequence is bound; `chain` are those without that.
inline all_rules rules_given(const rnn_desc& desc, input_refs inputs, const all_rules& chain,
                             const std::vector<values>& got, bool flushing) {
  if (chain[0].empty()) return chain;
  if (inputs[0].desc().data_type == data_type::float16)
    return recurrent::rules_given<float16>(desc, inputs, chain, got[0], flushing);
  return recurrent::rules_given<float>(desc, inputs, chain, got[0], flushing);
}

}  // namespace judged
