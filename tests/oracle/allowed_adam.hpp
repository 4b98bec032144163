// The rules of ADAM_OPTIMIZER, written from its page and SPEC-functions 8 in long double, for single precision. Of
// parameters beside numbers that are great, small or not finite nothing is said.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/operators/adam_optimizer.hpp>

#include "allowed_layout.hpp"
#include "allowed_reduce.hpp"

namespace judged {

namespace adam {

struct span_of {
  real low, high;
};

// beta * old + (1 - beta) * x, or of x^2.
inline approximate moment(real beta, real old, real x, bool of_square, bool is_float32, bool flushing) {
  const real y = of_square ? x * x : x, c = std::abs(1 - beta);
  approximate a;
  a.value = beta * old + (1 - beta) * y;
  if (!std::isfinite(old) || !std::isfinite(x)) {
    a.nan = std::isinf(old);
    return a;
  }
  int lowest = 10000;
  bool subnormal = false;
  for (const real part : {old, y})
    if (part != 0) {
      lowest = std::min({lowest, lowest_bit(part), beta == 0 ? 10000 : lowest_bit(beta) + lowest_bit(part)});
      subnormal = subnormal || std::abs(part) < least_normal;
    }
  const real magnitude = (1 + c) * std::abs(old) + c * std::abs(y);
  const bool square_fits = !of_square || y == 0 || y <= std::ldexp(0x1p24L, lowest_bit(y));
  if (magnitude == 0 ||
      (magnitude <= std::ldexp(0x1p24L, lowest) && square_fits && magnitude <= greatest_float && y <= greatest_float &&
       !(flushing && subnormal) && std::ldexp(1.0L, lowest) >= (flushing ? least_normal : 0x1p-149L)))
    return a;
  a.error = grown(of_square ? 5 : 4) * magnitude;
  if (is_float32) a.error += flushing ? 6 * least_normal : 3 * 0x1p-150L;
  if (flushing && std::abs(old) < least_normal) a.error += (1 + c) * std::abs(old);
  if (flushing && std::abs(y) < least_normal) a.error += c * std::abs(y);
  if (of_square && is_float32)
    a.error += flushing ? least_normal * std::abs(x) + (std::abs(x) < 0x1p-62L ? y : 0) : 0x1p-149L * std::abs(x);
  // What may be infinite: x^2, the difference of the second form, and both sums.
  const auto see = [&](real part, real factor) {
    if (std::abs(part) * (1 + grown(5)) < greatest_float) return;
    (part * factor > 0 ? a.above : part * factor < 0 ? a.below : a.nan) = true;
  };
  const real rest = 1 - beta;
  if (of_square) see(y, rest);
  see(y - old, rest);
  see(rest * (y - old), 1);
  see(std::max(beta * old, 0.0L) + std::max(rest * y, 0.0L), 1);
  see(std::min(beta * old, 0.0L) + std::min(rest * y, 0.0L), 1);
  a.nan = a.nan || (a.above && a.below);
  return a;
}

// The new parameter, with errors multiplied by `share`, and moments that may be stored or not.
inline span_of parameter(const adam_optimizer_desc& desc, std::uint32_t step, real x, const approximate& first,
                         const approximate& second, bool is_float32, bool flushing, bool from_zero, real share) {
  constexpr real u = unit_of_float;
  const auto power = [&](real beta) {
    if (beta == 0) return span_of{0, 0};
    const real log = std::log2(beta), w = step * log;
    const real off = share * (step * 0x1p-21L * std::max(1.0L, std::abs(log)) + (step > 0x1000000 ? 2 : 1) * u * -w);
    return span_of{std::exp2(w - off) * (1 - share * 0x1p-21L), std::exp2(w + off) * (1 + share * 0x1p-21L)};
  };
  const span_of p1 = power(desc.beta1), p2 = power(desc.beta2);
  // Sums of two numbers that are rounded, which are sure to be so where nothing else is lost.
  const real sum = share > 1 ? share * u : 0, root = share * 3 * u, more = 1 + 3 * root + root + sum,
             less = 1 - 3 * root - root - sum;
  const span_of correction{std::sqrt(1 - p2.high) / (1 - p1.low) * less, std::sqrt(1 - p2.low) / (1 - p1.high) * more};
  const auto stored = [&](const approximate& a) {
    real by = share * a.error;
    if (share > 1) by += is_float32 ? u * std::abs(a.value) : 0x1p-10L * (std::abs(a.value) + by) + 0x1p-24L;
    return span_of{a.value - by, a.value + by};
  };
  span_of m = stored(first);
  const span_of v = stored(second);
  if (from_zero) m.low = std::max(m.low, 0.0L);
  const real v_low = v.low < least_normal ? 0 : v.low;
  const span_of divisor{(std::sqrt(v_low) * (1 - root) + desc.epsilon) * (1 - sum),
                        (std::sqrt(std::max(v.high, 0.0L)) * (1 + root) + desc.epsilon) * (1 + sum)};
  const real roundings = divisor.low == 1 && divisor.high == 1 ? 2 : 11;  // a division by 1 is exact
  span_of result{std::numeric_limits<real>::infinity(), -std::numeric_limits<real>::infinity()};
  for (const real a : {correction.low, correction.high})
    for (const real b : {m.low, m.high})
      for (const real d : {divisor.low, divisor.high})
        for (const real by : {1 - share * roundings * u, 1 + share * roundings * u}) {
          const real end = x - desc.learning_rate * a * b / d * by;
          result = {std::min(result.low, end), std::max(result.high, end)};
        }
  if (!flushing) return result;
  const real lost = share * 2 * least_normal * (1 + std::abs(static_cast<real>(desc.learning_rate)) * correction.high);
  result = {result.low - lost, result.high + lost};
  if (result.low < least_normal && result.high > -least_normal)
    result = {std::min(result.low, 0.0L), std::max(result.high, 0.0L)};
  return result;
}

template <class T>
std::array<element_rule, 3> rules_of_step(const adam_optimizer_desc& desc, std::uint32_t step,
                                          const std::array<real, 4>& n, bool flushing) {
  constexpr bool is_float32 = std::is_same_v<T, float>;
  const real x = n[0], m = n[1], v = n[2], g = n[3];
  const approximate first = moment(desc.beta1, m, g, false, is_float32, flushing);
  const approximate second = moment(desc.beta2, v, g, true, is_float32, flushing);
  std::array<element_rule, 3> rules{element_rule{}, rule_of_number<T>(first, m >= 0 && g >= 0),
                                    rule_of_number<T>(second, v >= 0)};
  element_rule& parameters = rules[0];
  if (step == 0) {  // minus anything: NaN remains NaN, and an infinity that or NaN
    parameters.defined = false;
    if (std::isfinite(x)) return rules;
    parameters = {true, {quiet_nan_of<T>()}};
    if (std::isinf(x)) {
      parameters.range = any_nan_of(data_type_of<T>);
      (x > 0 ? parameters.range->above : parameters.range->below) = true;
    }
    return rules;
  }
  // A moment beyond FLOAT16 may be stored as an infinity, and read again.
  bool is_tame = v >= 0 && (is_float32 || std::max(std::abs(first.value), second.value) < 65000);
  for (const real each : n) is_tame = is_tame && (each == 0 || (std::abs(each) > 0x1p-30L && std::abs(each) < 0x1p30L));
  if (!is_tame) {
    parameters.range = float_range{.type = data_type_of<T>, .low = 1, .high = 0, .open = true};
    return rules;
  }
  const auto range_of = [&](real share) {
    const span_of s = parameter(desc, step, x, first, second, is_float32, flushing, m >= 0 && g >= 0, share);
    approximate a;
    a.value = s.low + (s.high - s.low) / 2;
    a.error = (s.high - s.low) / 2;
    return *rule_of_number<T>(a, false).range;
  };
  float_range range = range_of(1 - 0x1p-6L);
  const float_range outer = range_of(1 + 0x1p-6L);
  range.outer_low = outer.outer_low;
  range.outer_high = outer.outer_high;
  parameters.range = range;
  return rules;
}

}  // namespace adam

inline all_rules rules_of(const adam_optimizer_desc& desc, input_refs inputs, output_descs outputs,
                          bool flushing = false) {
  all_rules rules(3);
  const auto step = static_cast<std::uint32_t>(values_of(inputs[4])[0]);
  visit_data_type(type_list<float, float16>{}, outputs[0].data_type, [&]<class T>(std::type_identity<T>) {
    const std::array all{values_of(inputs[0]), values_of(inputs[1]), values_of(inputs[2]), values_of(inputs[3])};
    for (std::size_t i = 0; i < all[0].size(); ++i) {
      std::array<real, 4> n{};
      for (std::size_t k = 0; k < n.size(); ++k) n[k] = static_cast<real>(as_number(outputs[0].data_type, all[k][i]));
      const auto each = adam::rules_of_step<T>(desc, step, n, flushing && std::is_same_v<T, float>);
      for (std::size_t k = 0; k < rules.size(); ++k) rules[k].push_back(each[k]);
    }
  });
  return rules;
}

}  // namespace judged
