// The rules of CONVOLUTION, written from its page and the ledger's CV-R1 to CV-R3: each element of the input is added,
// through each tap of the filter, to the output element that it contributes to; sums in long double. Of the fused
// activations only RELU, the one that cases have.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include <goldml/operators/convolution.hpp>

#include "allowed_reduce.hpp"
#include "allowed_values.hpp"

namespace judged {

namespace convolved {

inline constexpr int no_bit = 100000;  // of tensors of zeros

// One output element.
struct sums {
  real positive = 0, negative = 0, flushed_away = 0;
  real terms = 0;
  bool nan = false, above = false, below = false;
  bool infinity_beside_subnormal = false;
  bool bad_weight_beside = false;  // a weight that is no number meets nothing
  int lowest = no_bit;
};

inline bool is_tiny(real x) { return x != 0 && std::abs(x) < least_normal; }

inline void add(sums& s, real a, real b) {
  const real p = a * b;
  if (std::isnan(p))
    s.nan = true;
  else if (std::isinf(p))
    (p > 0 ? s.above : s.below) = true;
  else
    (p > 0 ? s.positive : s.negative) += std::abs(p);
  if (is_tiny(a) || is_tiny(b)) {
    if (std::isinf(p)) s.infinity_beside_subnormal = true;
    if (std::isfinite(p)) s.flushed_away += std::abs(p);
  }
}

template <class T>
std::vector<real> numbers_of(const const_tensor_ref& t) {
  std::vector<real> result;
  for (const bits b : values_of(t)) result.push_back(static_cast<real>(static_cast<double>(value_of<T>(b))));
  return result;
}
inline int lowest_bit_of(const std::vector<real>& x) {
  int lowest = no_bit;
  for (const real each : x)
    if (std::isfinite(each) && each != 0) lowest = std::min(lowest, lowest_bit(each));
  return lowest;
}

// What a device may have before the activation.
inline approximate bounded(const sums& s, bool biased, bool is_float32, bool flushes) {
  approximate r;
  constexpr real infinite = std::numeric_limits<real>::infinity();
  r.value = s.nan || (s.above && s.below) ? std::numeric_limits<real>::quiet_NaN()
            : s.above                     ? infinite
            : s.below                     ? -infinite
                                          : s.positive - s.negative;
  const real magnitude = s.positive + s.negative;
  const real n = s.terms + (biased ? 1 : 0);
  const real g = grown(n);
  const real least = flushes ? least_normal : 0x1p-149L;
  const bool exact = magnitude == 0 || (magnitude <= std::ldexp(0x1p24L, s.lowest) && magnitude <= greatest_float &&
                                        std::ldexp(1.0L, s.lowest) >= least && !(flushes && s.flushed_away > 0));
  const bool rounds = !exact && n > 1;  // otherwise no step overflows
  const bool may_rise = rounds && s.positive * (1 + g) >= greatest_float;
  const bool may_fall = rounds && s.negative * (1 + g) >= greatest_float;
  if (std::isfinite(r.value)) {
    if (!exact) {
      r.error = g * magnitude;
      if (is_float32) r.error += flushes ? s.flushed_away + 2 * n * least_normal : n * 0x1p-150L;
    }
    r.above = may_rise;
    r.below = may_fall;
    r.nan = may_rise && may_fall;
  } else if (std::isinf(r.value)) {
    r.nan = (r.value < 0 ? may_rise : may_fall) || (flushes && s.infinity_beside_subnormal);
  }
  r.nan = r.nan || s.bad_weight_beside;
  return r;
}

// What an activation is taken of: the error of w, which the device may have rounded to T, whether it may be infinite,
// and whether rounding toward zero may make it the greatest FLOAT16.
struct argument {
  real error = 0;
  bool rises = false, falls = false, is_cut = false;
};
template <class T>
argument argument_of(const approximate& w) {
  constexpr bool is_float32 = std::is_same_v<T, float>;
  argument result{0, w.above, w.below, false};
  if (!std::isfinite(w.value)) return result;
  result.error = w.error;
  if (is_changed_by_rounding<T>(w.value, result.error))
    result.error +=
        (is_float32 ? 0x1p-24L : 0x1p-10L) * (std::abs(w.value) + result.error) + (is_float32 ? 0 : 0x1p-24L);
  result.is_cut = !is_float32 && w.value + result.error > 65504;
  constexpr real infinite_from = is_float32 ? 0x1.ffffffp127L : 65520.0L;
  result.rises = result.rises || w.value + result.error >= infinite_from;
  result.falls = result.falls || w.value - result.error <= -infinite_from;
  return result;
}

// max(0, w), where the device has w, or w rounded to T.
template <class T>
element_rule rectified(const approximate& w, bool flushes) {
  approximate r;
  r.value = std::isnan(w.value) ? 0 : std::max(0.0L, w.value);
  r.nan = w.nan || std::isnan(w.value);
  const argument given = argument_of<T>(w);
  constexpr real infinite = std::numeric_limits<real>::infinity();
  if (std::isfinite(w.value)) {
    real error = given.error;
    if (flushes && is_tiny(w.value)) error = std::max(error, std::abs(w.value));
    r.error = std::max(r.value - std::max(0.0L, w.value - error), std::max(0.0L, w.value + error) - r.value);
  }
  if (flushes && w.value < infinite) r.error += 2 * least_normal;  // of -infinity as of great numbers
  element_rule rule = rule_of_number<T>(r, true);
  if (given.rises) rule.range->above = true;
  // What is between is not surely right.
  if (given.is_cut) rule.range->outer_low = std::min(rule.range->outer_low, 65504.0);
  if (given.falls || w.nan) rule.range->outer_low = 0;
  return rule;
}

// One axis: where element i of the input and tap j meet an output element.
inline std::optional<std::int64_t> meeting(const convolution_desc& desc, std::size_t axis, std::int64_t i,
                                           std::int64_t j) {
  const std::int64_t s = desc.strides[axis], d = desc.dilations[axis], p = desc.start_padding[axis];
  if (desc.direction == convolution_direction::backward) return i * s + j * d - p;
  const std::int64_t scaled = i + p - j * d;  // q * s
  if (scaled % s != 0) return std::nullopt;
  return scaled / s;
}

template <class T>
output_rules rules(const convolution_desc& desc, input_refs inputs, const dimensions& output, bool flushing) {
  const bool backward = desc.direction == convolution_direction::backward;
  const bool flushes = flushing && std::is_same_v<T, float>;
  const dimensions& in = inputs[0].desc().sizes;
  const dimensions& taps = inputs[1].desc().sizes;
  const std::vector<real> x = numbers_of<T>(inputs[0]), w = numbers_of<T>(inputs[1]);
  const bool biased = inputs[2].present();
  const std::vector<real> bias = biased ? numbers_of<T>(inputs[2]) : std::vector<real>{};
  const std::uint32_t groups = desc.group_count;
  std::vector<sums> all(element_count(output));
  std::vector<std::vector<std::size_t>> met(all.size());  // the weights that each meets

  for (const coordinate_tuple& i : coordinates_of(in))
    for (const coordinate_tuple& k : coordinates_of(taps)) {
      const std::uint32_t group = i[1] / (in[1] / groups);
      coordinate_tuple q{i[0], 0};
      if (backward) {
        if (k[0] != i[1]) continue;
        q[1] = group * taps[1] + k[1];
      } else {
        if (k[1] != i[1] % (in[1] / groups) || k[0] / (taps[0] / groups) != group) continue;
        q[1] = k[0];
      }
      bool inside = true;
      for (std::size_t axis = 0; axis + 2 < in.size(); ++axis) {
        const std::uint32_t size = taps[2 + axis];
        const std::int64_t j = desc.mode == convolution_mode::convolution ? size - 1 - k[2 + axis] : k[2 + axis];
        const auto place = meeting(desc, axis, i[2 + axis], j);
        inside = inside && place && *place >= 0 && *place < output[2 + axis];
        q.push_back(inside ? *place : 0);
      }
      if (!inside) continue;
      const std::size_t to = number_of(q, output), weight = number_of(k, taps);
      add(all[to], x[number_of(i, in)], w[weight]);
      met[to].push_back(weight);
    }

  const int lowest_x = lowest_bit_of(x), lowest_w = lowest_bit_of(w);
  const std::size_t per_output = static_cast<std::size_t>(element_count(taps)) / output[1];
  output_rules result;
  std::size_t element = 0;
  for (const coordinate_tuple& q : coordinates_of(output)) {
    sums& s = all[element];
    s.terms = static_cast<real>(backward ? met[element].size() : per_output);
    if (s.terms > 0 && lowest_x != no_bit && lowest_w != no_bit) s.lowest = lowest_x + lowest_w;
    // Weights of this output channel that are no numbers, and that no element of the input meets.
    for (const coordinate_tuple& k : coordinates_of(taps)) {
      const bool own = backward ? k[0] / (in[1] / groups) == q[1] / taps[1] && k[1] == q[1] % taps[1] : k[0] == q[1];
      const std::size_t weight = number_of(k, taps);
      if (own && !std::isfinite(w[weight]) &&
          std::find(met[element].begin(), met[element].end(), weight) == met[element].end())
        s.bad_weight_beside = true;
    }
    if (biased) {
      const real b = bias[q[1]];
      add(s, b, 1);
      if (std::isfinite(b) && b != 0) s.lowest = std::min(s.lowest, lowest_bit(b));
    }
    const approximate a = bounded(s, biased, std::is_same_v<T, float>, flushes);
    element_rule rule = desc.fused_activation ? rectified<T>(a, flushes) : rule_of_number<T>(a, false);
    for (std::size_t axis = 0; axis + 2 < output.size(); ++axis)
      if (q[2 + axis] + desc.output_padding[axis] >= output[2 + axis]) rule = {false};
    result.push_back(rule);
    ++element;
  }
  return result;
}

}  // namespace convolved

inline all_rules rules_of(const convolution_desc& desc, input_refs inputs, output_descs outputs,
                          bool flushing = false) {
  all_rules rules(1);
  visit_data_type(type_list<float, float16>{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
    rules[0] = convolved::rules<T>(desc, inputs, outputs[0].sizes, flushing);
  });
  return rules;
}

}  // namespace judged
