// The rules of the activations, written from their pages and the ledger (AR-R1, AR-R4 to AR-R7, AR-R9, AR-R10): values
// in long double, and the bounds derived again.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/operators/activations.hpp>

#include "allowed_layout.hpp"
#include "allowed_values.hpp"

namespace judged {

namespace activated {

using number = long double;
using type = goldml::arithmetic::activation_type;

inline constexpr number unit = 0x1p-24L;
inline constexpr number least = 0x1p-126L;

struct function {
  type f;
  number a = 0;
  number b = 0;
};

inline number softplus_of(number w) { return std::max(w, 0.0L) + std::log1p(std::exp(-std::abs(w))); }

inline number value_of_function(const function& e, number x) {
  constexpr number infinite = std::numeric_limits<number>::infinity();
  const bool below = x < 0;
  switch (e.f) {
    case type::clip: {
      const number y = x >= e.a ? x : e.a;  // Min of NaN
      return y <= e.b ? y : e.b;
    }
    case type::identity:
      return x;
    case type::linear:
      return e.a * x + e.b;
    case type::relu:
      return x > 0 ? x : 0;  // also of NaN
    case type::leaky_relu:
      return below ? e.a * x : x;
    case type::elu:
      return below ? e.a * std::expm1(x) : x;
    case type::scaled_elu:
      return x > 0 ? e.b * x : e.b * e.a * std::expm1(x);
    case type::celu:
      if (x != x) return 0;
      if (!below) return x;
      return e.a == 0 ? 0 : e.a * std::expm1(x / e.a);
    case type::sigmoid:
      return 1 / (1 + std::exp(-x));
    case type::tanh:
      return std::tanh(x);
    case type::scaled_tanh:
      return e.a * std::tanh(e.b * x);
    case type::hard_sigmoid: {
      const number y = e.a * x + e.b;
      return y < 0 ? 0 : y < 1 ? y : 1;  // 1 of NaN
    }
    case type::softsign:
      return x / (1 + std::abs(x));
    case type::softplus:
      if (e.a == 0) return std::isfinite(x) ? infinite : std::numeric_limits<number>::quiet_NaN();
      return softplus_of(e.a * x) / e.a;
    case type::thresholded_relu:
      return x > e.a ? x : 0;  // 0 of NaN
    case type::shrink:
      return x > e.b ? x - e.a : x < -e.b ? x + e.a : 0;
    default:
      return e.a * softplus_of(e.b * x);
  }
}

// e^x is 2^(x log2 e), and ln x is log2 x times ln 2.
inline number exp_off(number x) { return 0x1p-21L + std::abs(x) * 0x1p-22L; }
inline number log_off(number v) { return 0x1p-21L * std::max(0.7L, std::abs(v)) + 0x1p-22L * std::abs(v); }
inline number tanh_off(number x) {
  const number s = std::tanh(x);
  return (1 - s * s) / 2 * (0x1p-21L + std::abs(x) * 0x1p-21L) + 0x1p-21L * std::abs(s) + unit;
}
inline number softplus_off(number w) {
  const number slope = 1 / (1 + std::exp(-w));
  return slope * (exp_off(w) + unit * std::abs(w)) + unit + log_off(softplus_of(w)) + least;
}

// How far a device may be that has x exactly.
inline number off(const function& e, number x) {
  const number s = std::abs(value_of_function(e, x));
  if (!std::isfinite(s)) return 0;
  const number w = e.b * x;
  switch (e.f) {
    case type::clip:
    case type::identity:
    case type::relu:
    case type::thresholded_relu:
      return 0;
    case type::shrink:
      return unit * s;
    case type::linear:
    case type::hard_sigmoid:
      return 2 * unit * (std::abs(e.a * x) + std::abs(e.b));
    case type::leaky_relu:
      return x < 0 ? unit * s : 0;
    case type::elu:
      return x < 0 ? std::abs(e.a) * std::exp(x) * exp_off(x) + 4 * unit * s : 0;
    case type::scaled_elu:
      if (x > 0) return unit * s;
      return std::abs(e.a * e.b) * std::exp(x) * (exp_off(x) + 2 * unit) + 4 * unit * s;
    case type::celu: {
      if (e.a == 0) return 0;
      const number v = x / e.a;
      // From 0 on e^v - 1 has the sign that min() drops, but for its error.
      if (!(x < 0)) return std::max(std::abs(e.a) * exp_off(v) + 3 * unit * x - x, 0.0L);
      return std::abs(e.a) * std::exp(v) * (exp_off(v) + std::expm1(std::min(3 * unit * std::abs(v), 700.0L))) +
             4 * unit * s;
    }
    case type::sigmoid:
      return s * ((1 - s) * exp_off(x) + 5 * unit) + least;
    case type::tanh:
      return tanh_off(x);
    case type::scaled_tanh: {
      const number t = std::tanh(w);
      return std::abs(e.a) * (tanh_off(w) + (1 - t * t) * unit * std::abs(w)) + unit * s;
    }
    case type::softsign:
      return std::abs(x) >= 0x1p125L ? s : 4 * unit * s;
    case type::softplus:
      return softplus_off(e.a * x) / std::abs(e.a) + 3 * unit * s;
    default:
      return std::abs(e.a) * softplus_off(w) + unit * s;
  }
}

// What a device clamps to 0..1, or the value.
inline number before_clamp(const function& e, number x) {
  return e.f == type::hard_sigmoid ? e.a * x + e.b : value_of_function(e, x);
}
// max(0, x) + min(0, y): no error makes it greater.
inline bool is_exact_above(const function& e, number x) { return e.f == type::celu && x >= 0; }

inline bool never_negative(type f) { return f == type::relu || f == type::sigmoid || f == type::hard_sigmoid; }

// Intermediate results that overflow.
inline void add_overflows(const function& e, number x, float_range& range) {
  constexpr number slack = 1 + 0x1p-12L;
  const auto infinite = [&](bool negative) { (negative ? range.below : range.above) = true; };
  const bool is_exp_infinite = (e.f == type::softplus ? e.a : e.b) * x * slack >= 88.72L;
  if (e.f == type::linear && std::abs(e.a * x) * slack >= static_cast<number>(std::numeric_limits<float>::max()))
    infinite((e.a < 0) != (x < 0));
  if (e.f == type::softplus && is_exp_infinite) infinite(e.a < 0);
  if (e.f == type::parametric_softplus && is_exp_infinite) {
    if (e.a == 0)
      range.nan = true;
    else
      infinite(e.a < 0);
  }
  if (e.f == type::celu && x < 0 && e.a < 0 && x / e.a * slack >= 88.72L) range.below = true;
}

// A number in the type T: rounded to nearest even or, FLOAT16, also toward zero.
template <class T>
double stored(const function& e, number end, bool up) {
  if (never_negative(e.f)) end = std::max(end, 0.0L);
  if (e.f == type::hard_sigmoid) end = std::min(end, 1.0L);
  if constexpr (std::is_same_v<T, float>) {
    return static_cast<double>(static_cast<float>(end));
  } else {
    const neighbours near = neighbours_of<T>(exact_number(static_cast<double>(end)));
    const auto nearest = static_cast<double>(value_of<T>(near.nearest));
    const auto cut = static_cast<double>(value_of<T>(near.toward_zero));
    return up ? std::max(nearest, cut) : std::min(nearest, cut);
  }
}

// CLIP of NaN, or with Min above Max: one of the two. What is between them is neither surely allowed nor refused.
template <class T>
element_rule either_bound(const function& e, bool nan) {
  float_range range;
  range.type = std::is_same_v<T, float> ? data_type::float32 : data_type::float16;
  range.nan = nan;
  range.low = std::numeric_limits<double>::infinity();
  range.high = -range.low;
  range.outer_low = stored<T>(e, std::min(e.a, e.b), false);
  range.outer_high = stored<T>(e, std::max(e.a, e.b), true);
  element_rule rule;
  rule.range = range;
  rule.allowed = {bits_of(T(static_cast<float>(e.a))), bits_of(T(static_cast<float>(e.b)))};
  return rule;
}
inline bool is_either_bound(const function& e, number x) { return e.f == type::clip && (x != x || e.a > e.b); }

template <class T>
element_rule rule_of(const function& e, number x, bool flushing) {
  if (is_either_bound(e, x)) return either_bound<T>(e, x != x);
  const bool clamps_nan = e.f == type::hard_sigmoid && std::isnan(e.a * x);  // x is NaN, or 0 times an infinity
  const number y = clamps_nan ? 1 : before_clamp(e, x);
  element_rule rule;
  if (y != y) return {true, {quiet_nan_of<T>()}};
  float_range range;
  range.type = std::is_same_v<T, float> ? data_type::float32 : data_type::float16;
  range.nan = x != x || clamps_nan;  // beside the number that the others give
  if (clamps_nan) {                  // a clamp of NaN gives one of its ends
    range.integers = true;
    range.low = range.outer_high = 1;  // none is picked
    rule.range = range;
    rule.allowed = {bits_of(T(1.0F)), 0};
    return rule;
  }
  // Less is surely allowed, and more surely not.
  number low = y, high = y, outer = 0, by = 0, own = 0;  // `by` of low and high
  if (std::isfinite(x) && std::isfinite(y)) {
    by = own = off(e, x);
    if (flushing && std::is_same_v<T, float>) {
      number change = 0;
      if (std::abs(x) < least && x != 0) {
        const number flushed = before_clamp(e, 0);
        low = std::min(y, flushed);
        high = std::max(y, flushed);
        by = std::min(off(e, 0), off(e, x));
        // On both sides of x.
        change = std::max(std::abs(flushed - y), std::abs(before_clamp(e, 2 * x) - y));
        own = std::max({own, off(e, 0), off(e, 2 * x)});
      }
      by += 2 * least;
      outer = change + 2 * least;
    }
    add_overflows(e, x, range);
  }
  range.low = stored<T>(e, low - by * (1 - 0x1p-30L), false);
  range.high = stored<T>(e, high + (is_exact_above(e, x) ? 0 : by * (1 - 0x1p-30L)), true);
  if (own != 0) own += own * 0x1p-11L + std::abs(y) * 0x1p-38L;
  range.outer_low = stored<T>(e, y - outer - own, false);
  range.outer_high = stored<T>(e, y + outer + (is_exact_above(e, x) ? 0 : own), true);
  rule.range = range;
  return rule;
}

}  // namespace activated

template <goldml::arithmetic::activation_type F>
all_rules rules_of(const activation_desc<F>& desc, input_refs inputs, output_descs, bool flushing = false) {
  output_rules rules;
  std::array<float, 2> parameters{};
  if constexpr (requires { desc.alpha; }) parameters[0] = desc.alpha;
  if constexpr (requires { desc.steepness; }) parameters[0] = desc.steepness;
  if constexpr (requires { desc.beta; }) parameters[1] = desc.beta;
  if constexpr (requires { desc.gamma; }) parameters[1] = desc.gamma;
  const activated::function e{F, parameters[0], parameters[1]};
  const data_type type = inputs[0].desc().data_type;
  for (const bits b : values_of(inputs[0])) {
    element_rule rule{true, {b}};
    if (F != activated::type::identity)
      visit_data_type(type_list<float, float16>{}, type,
                      [&]<class T>(std::type_identity<T>) {
                        const auto x = static_cast<activated::number>(static_cast<double>(value_of<T>(b)));
                        rule = activated::rule_of<T>(e, x, flushing);
                      });
    const bool negative = (b >> (8 * element_size_in_bytes(type) - 1)) != 0;
    if (F == activated::type::relu && type != data_type::float32 && type != data_type::float16 && negative)
      rule.allowed = {0};
    rules.push_back(rule);
  }
  return {rules};
}

}  // namespace judged
