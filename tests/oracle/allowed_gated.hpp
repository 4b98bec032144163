// The rules of LSTM and GRU, written from their pages and the ledger's LS-R1 to LS-R9 and GR-R1 to GR-R4: a step in
// long double, and with each line what it adds to what a device may be off. Of infinities, and of numbers near the end
// of the type, nothing is claimed.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <goldml/operators/gru.hpp>
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

inline known sum(const known& a, const known& b) {
  return made(a.value + b.value, a.off + b.off, 0, a.nan || b.nan, a.open || b.open);
}

struct state {
  known hidden, cell;
  known reset{};  // of GRU: r H or, with LinearBeforeReset, r
};

template <class T, class Desc>
struct operands {
  static constexpr bool is_gru = std::is_same_v<Desc, gru_desc>;
  static constexpr std::uint32_t gates = is_gru ? 3 : 4;
  static constexpr bool is_float = std::is_same_v<T, float>;
  static constexpr real unit = is_float ? 0x1p-24L : 0x1p-10L;
  static constexpr real greatest = is_float ? 0x1p100L : 65000;  // nothing is claimed beyond
  const Desc& desc;
  std::array<values, 8> in;
  std::uint32_t steps, batch, width, hidden, directions;
  real lost;  // below the normal numbers

  operands(const Desc& d, input_refs inputs, bool flushes) : desc(d), lost(flushes ? least_normal : 0x1p-149L) {
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (inputs[i].present()) in[i] = values_of(inputs[i]);
    const dimensions &x = inputs[0].desc().sizes, &r = inputs[2].desc().sizes;
    steps = x[1], batch = x[2], width = x[3], hidden = r[3], directions = r[1];
  }
  static real number(bits b) { return static_cast<real>(static_cast<double>(value_of<T>(b))); }
  known element(std::size_t operand, std::size_t i) const {
    return made(in[operand].empty() ? 0 : number(in[operand][i]), 0, 0, false, false);
  }
  std::uint32_t length(std::uint32_t b) const {
    const values& lengths = in[operator_traits<Desc>::lengths];
    return lengths.empty() ? steps : static_cast<std::uint32_t>(lengths[b]);
  }
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

  // A sum whose terms a device adds in any order.
  struct terms {
    const operands& of;
    known total{};
    real magnitude = 0, fixed = 0;

    void add(const known& a, const known& c) {
      total = sum(total, product(a, c));
      magnitude += a.most() * c.most();
      const bool subnormal = a.most() < least_normal || c.most() < least_normal;
      fixed += 2 * of.lost + (subnormal && of.lost == least_normal ? product(a, c).most() : 0);
    }
    known rounded(std::uint32_t roundings) const {
      known s = total;
      s.off += grown(roundings) * magnitude + fixed;
      return made(s.value, s.off, 0, s.nan, s.open || magnitude > greatest);
    }
  };
  // Row i of gate k: W X and its bias; on FLOAT16 W X may be stored (LS-R7).
  terms projection(std::uint32_t d, std::uint32_t b, std::uint32_t t, std::uint32_t k, std::uint32_t i) const {
    terms s{*this};
    const std::size_t row = k * hidden + i, first = std::size_t{d} * gates * hidden + row;
    for (std::uint32_t j = 0; j < width; ++j)
      s.add(element(1, first * width + j), element(0, (std::size_t{t} * batch + b) * width + j));
    s.add(element(3, std::size_t{d} * 2 * gates * hidden + row), known{1});
    if (!is_float) s.fixed += 0x1p-10L * s.magnitude * (1 + 0x1p-10L) + 0x1p-24L;
    return s;
  }
  // R h and its bias; h(j) is a number of state.
  template <class H>
  void add_state(terms& s, std::uint32_t d, std::uint32_t k, std::uint32_t i, H h) const {
    const std::size_t row = k * hidden + i, first = std::size_t{d} * gates * hidden + row;
    s.add(element(3, (std::size_t{d} * 2 * gates + gates) * hidden + row), known{1});
    for (std::uint32_t j = 0; j < hidden; ++j) s.add(element(2, first * hidden + j), h(j));
  }
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

template <class T, class Desc>
struct layer;

template <class T>
struct layer<T, lstm_desc> : operands<T, lstm_desc> {
  using base = operands<T, lstm_desc>;
  using base::base, base::desc, base::in, base::hidden, base::width, base::element, base::lost;

  // The sum of a gate, clipped, and a function of it.
  known gate(std::uint32_t d, std::uint32_t b, std::uint32_t t, std::uint32_t k, std::uint32_t i,
             const std::vector<state>& before, const known& cell) const {
    typename base::terms all = base::projection(d, b, t, k, i);
    base::add_state(all, d, k, i, [&](std::uint32_t j) { return before[j].hidden; });
    if (k < 3 && !in[7].empty()) all.add(element(7, (std::size_t{d} * 3 + k) * hidden + i), cell);
    known s = base::stored(all.rounded(width + hidden + 4));
    if (const real most = desc.clip_threshold; desc.use_clip_threshold && std::isfinite(most)) {
      s.open = s.open || s.nan;  // either bound, or NaN
      s.nan = false;
      s.value = std::clamp(s.value, -most, most);
      if (!base::is_float) s.off += 0x1p-10L * most + 0x1p-24L;
    }
    return base::function(desc.activation_descs[3 * d + (k == 3 ? 1 : 0)], s);
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
    const known after = base::stored(cell),
                out = gate_of(1, desc.output_peephole == output_peephole::current ? after : old);
    const known shown = base::function(desc.activation_descs[3 * d + 2], after);
    known h = product(out, shown);
    h.off += unit_of_float * out.most() * shown.most() + lost;
    h.own = std::abs(out.value) * shown.own;
    return {h, cell};
  }
  void reset(std::uint32_t, std::uint32_t, std::uint32_t, std::vector<state>&) const {}
};

template <class T>
struct layer<T, gru_desc> : operands<T, gru_desc> {
  using base = operands<T, gru_desc>;
  using base::base, base::desc, base::hidden, base::width, base::lost, base::stored;

  known gate(std::uint32_t d, std::uint32_t b, std::uint32_t t, std::uint32_t k, std::uint32_t i,
             const std::vector<state>& before) const {
    typename base::terms all = base::projection(d, b, t, k, i);
    base::add_state(all, d, k, i, [&](std::uint32_t j) { return k == 2 ? before[j].reset : before[j].hidden; });
    return function_of(d, k, all.rounded(width + hidden + 3));
  }
  known function_of(std::uint32_t d, std::uint32_t k, const known& s) const {
    return base::function(desc.activation_descs[2 * d + (k == 2 ? 1 : 0)], stored(s));
  }
  void reset(std::uint32_t d, std::uint32_t b, std::uint32_t t, std::vector<state>& before) const {
    std::vector<state> after = before;
    for (std::uint32_t i = 0; i < hidden; ++i) {
      after[i].reset = gate(d, b, t, 1, i, before);
      if (desc.linear_before_reset) continue;
      known q = product(after[i].reset, before[i].hidden);
      q.off += unit_of_float * q.most() + lost;
      after[i].reset = stored(q);
    }
    before = after;
  }
  known candidate(std::uint32_t d, std::uint32_t b, std::uint32_t t, std::uint32_t i,
                  const std::vector<state>& before) const {
    if (!desc.linear_before_reset) return gate(d, b, t, 2, i, before);
    typename base::terms linear{*this}, all = base::projection(d, b, t, 2, i);
    base::add_state(linear, d, 2, i, [&](std::uint32_t j) { return before[j].hidden; });
    all.add(before[i].reset, stored(linear.rounded(hidden + 2)));
    return function_of(d, 2, all.rounded(width + 3));
  }
  state step(std::uint32_t d, std::uint32_t b, std::uint32_t t, std::uint32_t i,
             const std::vector<state>& before) const {
    const known& old = before[i].hidden;
    const known z = stored(gate(d, b, t, 0, i, before)), n = candidate(d, b, t, i, before);
    // H' is linear in each of z, n and H; three roundings of each term.
    const real off = std::abs(old.value - n.value) * z.off + std::abs(1 - z.value) * n.off +
                     std::abs(z.value) * old.off + z.off * (n.off + old.off) +
                     grown(3) * ((1 + z.most()) * n.most() + z.most() * old.most()) + 3 * lost;
    return {made((1 - z.value) * n.value + z.value * old.value, off, std::abs(1 - z.value) * n.own,
                 z.nan || n.nan || old.nan, z.open || n.open || old.open),
            {}};
  }
};

// Of `stored`, where it is given, each step follows from what it has of the one before; and golden values remain
// allowed.
template <class T, class Desc>
void set_rules(const Desc& desc, input_refs inputs, bool flushes, const values* stored, all_rules& rules) {
  const layer<T, Desc> n(desc, inputs, flushes && std::is_same_v<T, float>);
  for (std::uint32_t d = 0; d < n.directions; ++d)
    for (std::uint32_t b = 0; b < n.batch; ++b) {
      const std::size_t last = (std::size_t{d} * n.batch + b) * n.hidden;
      std::vector<state> states(n.hidden);
      for (std::uint32_t i = 0; i < n.hidden; ++i) states[i].hidden = n.element(4, last + i);
      for (std::uint32_t i = 0; !n.is_gru && i < n.hidden; ++i) states[i].cell = n.element(5, last + i);
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
        n.reset(d, b, n.time(d, b, step), states);
        for (std::uint32_t i = 0; i < n.hidden; ++i) {
          next.push_back(n.step(d, b, n.time(d, b, step), i, states));
          set(0, row + i, next[i].hidden);
          set(1, last + i, next[i].hidden);
          if (!n.is_gru) set(2, last + i, next[i].cell);
        }
        saturated = false;
        for (std::uint32_t i = 0; i < n.hidden; ++i) {
          states[i] = {n.stored(next[i].hidden), n.stored(next[i].cell)};
          if (stored == nullptr) continue;
          const real x = n.number((*stored)[row + i]);
          states[i].hidden = n.stored(made(x, 0, 0, false, false));
          saturated = saturated || !(std::abs(x) < n.greatest || std::isnan(x));
        }
      }
      for (std::size_t output = 1; n.length(b) == 0 && output < rules.size(); ++output)
        for (std::uint32_t i = 0; !rules[output].empty() && i < n.hidden; ++i) rules[output][last + i].defined = false;
    }
}

template <class Desc>
void set_rules(const Desc& desc, input_refs inputs, bool flushes, const values* stored, all_rules& rules) {
  if (inputs[0].desc().data_type == data_type::float16)
    set_rules<float16>(desc, inputs, flushes, stored, rules);
  else
    set_rules<float>(desc, inputs, flushes, stored, rules);
}

}  // namespace gated

template <class Desc>
all_rules rules_of_gated(const Desc& desc, input_refs inputs, output_descs outputs, bool flushing) {
  all_rules result(outputs.size());
  const bits negative_zero = inputs[0].desc().data_type == data_type::float16 ? 0x8000 : 0x8000'0000;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (!outputs[i].sizes.empty()) result[i].resize(element_count(outputs[i].sizes), {true, {0, negative_zero}});
  gated::set_rules(desc, inputs, flushing, nullptr, result);
  return result;
}

inline all_rules rules_of(const lstm_desc& desc, input_refs inputs, output_descs outputs, bool flushing) {
  return rules_of_gated(desc, inputs, outputs, flushing);
}
inline all_rules rules_of(const gru_desc& desc, input_refs inputs, output_descs outputs, bool flushing) {
  return rules_of_gated(desc, inputs, outputs, flushing);
}

// The rules for what a device answered, if its sequence is bound; `chain` are those without that.
template <class Desc>
requires std::is_same_v<Desc, lstm_desc> || std::is_same_v<Desc, gru_desc> all_rules rules_given(
    const Desc& desc, input_refs inputs, const all_rules& chain, const std::vector<values>& got, bool flushing) {
  all_rules result = chain;
  if (!chain[0].empty()) gated::set_rules(desc, inputs, flushing, &got[0], result);
  return result;
}

}  // namespace judged
