// The rules of LSTM, written from its page and the ledger's LS-R1 to LS-R9: a step in long double, and with each line
// what it adds to what a device may be off. Of infinities, and of numbers near the end of the type, nothing is claimed.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <goldml/operators/lstm.hpp>

#include "allowed_activations.hpp"
#include "allowed_reduce.hpp"

namespace judged {

namespace gated {

// A number that a device has to within `off`, and surely may have to within `own`; or NaN on every device; or nothing
// is claimed of it.
struct known {
  real value = 0, off = 0, own = 0;
  bool nan = false, open = false;

  real most() const { return std::abs(value) + off; }
};
inline known made(real value, real off, real own, bool nan, bool open) {
  if (nan || open || !std::isfinite(value)) return {0, 0, 0, nan || std::isnan(value), !nan};
  return {value, off, own, false, false};
}
inline known product(const known& a, const known& b) {
  return made(a.value * b.value, std::abs(a.value) * b.off + std::abs(b.value) * a.off + a.off * b.off, 0,
              a.nan || b.nan, a.open || b.open);
}

struct state {
  known hidden, cell;
};

template <class T>
struct layer {
  static constexpr bool is_float = std::is_same_v<T, float>;
  static constexpr real unit = is_float ? 0x1p-24L : 0x1p-10L;
  static constexpr real greatest = is_float ? 0x1p100L : 65000;  // nothing is claimed beyond
  const lstm_desc& desc;
  std::array<values, 8> in;
  std::uint32_t steps, batch, width, hidden, directions;
  real lost;  // below the normal numbers

  layer(const lstm_desc& d, input_refs inputs, bool flushes) : desc(d), lost(flushes ? least_normal : 0x1p-149L) {
    for (std::size_t i = 0; i < in.size(); ++i)
      if (inputs[i].present()) in[i] = values_of(inputs[i]);
    const dimensions &x = inputs[0].desc().sizes, &r = inputs[2].desc().sizes;
    steps = x[1], batch = x[2], width = x[3], hidden = r[3], directions = r[1];
  }
  static real number(bits b) { return static_cast<real>(static_cast<double>(value_of<T>(b))); }
  known element(std::size_t operand, std::size_t i) const {
    return made(in[operand].empty() ? 0 : number(in[operand][i]), 0, 0, false, false);
  }
  std::uint32_t length(std::uint32_t b) const { return in[6].empty() ? steps : static_cast<std::uint32_t>(in[6][b]); }
  std::uint32_t time(std::uint32_t d, std::uint32_t b, std::uint32_t step) const {
    const bool backward = d == 1 || desc.direction == recurrent_network_direction::backward;
    return backward ? length(b) - 1 - step : step;
  }

  // As a tensor may hold it.
  known stored(known x) const {
    x.off += unit * x.most() + (is_float ? lost : 0x1p-24L);
    return made(x.value, x.off, x.own, x.nan, x.open || x.most() > greatest);
  }
  known function(const activation& desc_of_f, known s) const {
    const activated::function f{static_cast<activated::type>(desc_of_f.operator_type), 0, 0};
    const bool is_relu = f.f == activated::type::relu;
    if (s.nan || s.open) return made(0, 0, 0, s.nan && !is_relu, true);
    const real low = s.value - s.off, high = s.value + s.off, y = activated::value_of_function(f, s.value);
    const auto own = [&](real at) { return activated::off(f, at, activated::in_host); };
    real off = 0, difference = 0;
    for (const real at : {low, s.value, high, 0.0L, 0.38L, -0.38L, 0.76L, -0.76L, 1.5L, -1.5L})
      if (at >= low && at <= high) {
        off = std::max(off, own(at));
        difference = std::max(difference, std::abs(activated::value_of_function(f, at) - y));
      }
    real surely = own(s.value) * (1 - 0x1p-10L);
    if (f.f == activated::type::tanh) surely = std::min(surely, 1 - std::abs(y));  // it is not beyond 1
    return made(y, difference + off * (1 + 0x1p-10L) + 2 * lost, surely, false, false);
  }

  // W X + R h + both biases + P cell of a row of the weights, clipped, and a function of it.
  known gate(std::uint32_t d, std::uint32_t b, std::uint32_t t, std::uint32_t k, std::uint32_t i,
             const std::vector<state>& before, const known& cell) const {
    const std::size_t row = k * hidden + i, first = (std::size_t{d} * 4 * hidden + row);
    known s;
    real magnitude = 0, fixed = 0;
    const auto add = [&](const known& a, const known& c) {
      const known p = product(a, c);
      s = made(s.value + p.value, s.off + p.off, 0, s.nan || p.nan, s.open || p.open);
      magnitude += a.most() * c.most();
      const bool subnormal = a.most() < least_normal || c.most() < least_normal;
      fixed += 2 * lost + (subnormal && lost == least_normal ? p.most() : 0);
    };
    const known one{1};
    const std::size_t bias = std::size_t{d} * 8 * hidden + row;
    for (std::uint32_t j = 0; j < width; ++j)
      add(element(1, first * width + j), element(0, (std::size_t{t} * batch + b) * width + j));
    add(element(3, bias), one);
    const real projected = magnitude;
    add(element(3, bias + 4 * hidden), one);
    for (std::uint32_t j = 0; j < hidden; ++j) add(element(2, first * hidden + j), before[j].hidden);
    if (k < 3 && !in[7].empty()) add(element(7, (std::size_t{d} * 3 + k) * hidden + i), cell);
    s.off += grown(width + hidden + 4) * magnitude + fixed;
    if (!is_float) s.off += 0x1p-10L * projected * (1 + 0x1p-10L) + 0x1p-24L;  // W X may be stored (LS-R7)
    s = stored(made(s.value, s.off, 0, s.nan, s.open || magnitude > greatest));
    if (const real most = desc.clip_threshold; desc.use_clip_threshold && std::isfinite(most)) {
      s.open = s.open || s.nan;  // either bound, or NaN
      s.nan = false;
      s.value = std::clamp(s.value, -most, most);
      if (!is_float) s.off += 0x1p-10L * most + 0x1p-24L;
    }
    return function(desc.activation_descs[3 * d + (k == 3 ? 1 : 0)], s);
  }
  state step(std::uint32_t d, std::uint32_t b, std::uint32_t t, std::uint32_t i,
             const std::vector<state>& before) const {
    const known& old = before[i].cell;
    const auto gate_of = [&](std::uint32_t k, const known& cell) { return gate(d, b, t, k, i, before, cell); };
    const known in_gate = gate_of(0, old), candidate = gate_of(3, {});
    known forget;
    if (desc.couple_input_forget) {
      forget = made(1 - in_gate.value, in_gate.off, 0, in_gate.nan, in_gate.open);
      forget.off += unit_of_float * forget.most();
    } else {
      forget = gate_of(2, old);
    }
    const known kept_part = product(forget, old), new_part = product(in_gate, candidate);
    const real rounded = grown(2) * (forget.most() * old.most() + in_gate.most() * candidate.most()) + 3 * lost;
    const known cell =
        made(kept_part.value + new_part.value, kept_part.off + new_part.off + rounded,
             std::abs(in_gate.value) * candidate.own, kept_part.nan || new_part.nan, kept_part.open || new_part.open);
    const known after = stored(cell), out = gate_of(1, desc.output_peephole == output_peephole::current ? after : old);
    const known shown = function(desc.activation_descs[3 * d + 2], after);
    known h = product(out, shown);
    h.off += unit_of_float * out.most() * shown.most() + lost;
    h.own = std::abs(out.value) * shown.own;
    return {h, cell};
  }
  state kept(const state& s) const { return {stored(s.hidden), stored(s.cell)}; }
  element_rule rule_of(const known& y) const {
    if (y.nan) return {true, {quiet_nan_of<T>()}};
    element_rule rule = rule_of_number<T>(approximate{y.value, y.off}, false);
    const element_rule inner = rule_of_number<T>(approximate{y.value, y.own}, false);
    rule.range->low = inner.range->low;
    rule.range->high = inner.range->high;
    if (y.open || y.most() > greatest) {
      rule.range->open = true;
      rule.range->low = rule.range->outer_low = std::numeric_limits<double>::infinity();  // no number
      rule.range->high = rule.range->outer_high = -rule.range->low;
    }
    return rule;
  }
};

// Of `stored`, where it is given, each step follows from what it has of the one before; and golden values remain
// allowed.
template <class T>
void set_rules(const lstm_desc& desc, input_refs inputs, bool flushes, const values* stored, all_rules& rules) {
  const layer<T> n(desc, inputs, flushes && std::is_same_v<T, float>);
  for (std::uint32_t d = 0; d < n.directions; ++d)
    for (std::uint32_t b = 0; b < n.batch; ++b) {
      const std::size_t last = (std::size_t{d} * n.batch + b) * n.hidden;
      std::vector<state> states(n.hidden);
      for (std::uint32_t i = 0; i < n.hidden; ++i) states[i] = {n.element(4, last + i), n.element(5, last + i)};
      bool saturated = false;
      const auto set = [&](std::size_t output, std::size_t element, known y) {
        if (rules[output].empty()) return;
        element_rule& rule = rules[output][element];
        y.open = y.open || saturated;
        y.nan = y.nan && !saturated;
        element_rule by = n.rule_of(y);
        if ((by.golden = rule.golden) && stored != nullptr) by.allowed.push_back(*by.golden);
        rule = by;
      };
      for (std::uint32_t step = 0; step < n.length(b); ++step) {
        const std::size_t row = ((std::size_t{n.time(d, b, step)} * n.directions + d) * n.batch + b) * n.hidden;
        std::vector<state> next;
        for (std::uint32_t i = 0; i < n.hidden; ++i) {
          next.push_back(n.step(d, b, n.time(d, b, step), i, states));
          set(0, row + i, next[i].hidden);
          set(1, last + i, next[i].hidden);
          set(2, last + i, next[i].cell);
        }
        saturated = false;
        for (std::uint32_t i = 0; i < n.hidden; ++i) {
          states[i] = n.kept(next[i]);
          if (stored == nullptr) continue;
          const real x = layer<T>::number((*stored)[row + i]);
          states[i].hidden = n.stored(made(x, 0, 0, false, false));
          saturated = saturated || !(std::abs(x) < layer<T>::greatest || std::isnan(x));
        }
      }
      for (std::size_t output = 1; n.length(b) == 0 && output < rules.size(); ++output)
        for (std::uint32_t i = 0; !rules[output].empty() && i < n.hidden; ++i) rules[output][last + i].defined = false;
    }
}

inline void set_rules(const lstm_desc& desc, input_refs inputs, bool flushes, const values* stored, all_rules& rules) {
  if (inputs[0].desc().data_type == data_type::float16)
    set_rules<float16>(desc, inputs, flushes, stored, rules);
  else
    set_rules<float>(desc, inputs, flushes, stored, rules);
}

}  // namespace gated

inline all_rules rules_of(const lstm_desc& desc, input_refs inputs, output_descs outputs, bool flushing) {
  all_rules result(outputs.size());
  const bits negative_zero = inputs[0].desc().data_type == data_type::float16 ? 0x8000 : 0x8000'0000;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (!outputs[i].sizes.empty()) result[i].resize(element_count(outputs[i].sizes), {true, {0, negative_zero}});
  gated::set_rules(desc, inputs, flushing, nullptr, result);
  return result;
}

// The rules for what a device answered, if its sequence is bound; `chain` are those without that.
inline all_rules rules_given(const lstm_desc& desc, input_refs inputs, const all_rules& chain,
                             const std::vector<values>& got, bool flushing) {
  all_rules result = chain;
  if (!chain[0].empty()) gated::set_rules(desc, inputs, flushing, &got[0], result);
  return result;
}

}  // namespace judged
