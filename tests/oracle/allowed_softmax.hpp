// The rules of SOFTMAX, LOG_SOFTMAX and their 1-versions (ledger SO-R1 to SO-R3), and of ADD1 with a fused activation
// (AR-R11), written from their pages: values in long double, and the bounds derived again.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <type_traits>
#include <vector>

#include <goldml/operators/hardmax.hpp>
#include <goldml/operators/softmax.hpp>

#include "allowed_activations.hpp"
#include "allowed_element_wise.hpp"
#include "allowed_layout.hpp"
#include "allowed_values.hpp"

namespace judged {

namespace softened {

using activated::least;
using activated::number;
using activated::unit;

// An element of a slice, of which the device may be off by so much.
struct element {
  number x = 0;
  number error = 0;
};

// The rules of one slice. If it is `open` an element may be infinite or NaN.
template <class T>
std::vector<element_rule> rules_of_slice(const std::vector<element>& slice, bool flushing, bool open = false) {
  element top{-std::numeric_limits<number>::infinity()};
  bool undefined = false;
  for (const element& each : slice) {
    undefined = undefined || each.x != each.x;
    if (each.x > top.x) top = each;
  }
  undefined = undefined || std::isinf(top.x);
  if (undefined && !open) return std::vector<element_rule>(slice.size(), {true, {quiet_nan_of<T>()}});
  float_range anything;
  anything.type = std::is_same_v<T, float> ? data_type::float32 : data_type::float16;
  anything.low = anything.outer_low = 0;
  anything.high = anything.outer_high = 1;
  anything.nan = open;
  if (open) {
    element_rule rule;
    rule.range = anything;
    return std::vector<element_rule>(slice.size(), rule);
  }
  number sum = 0, off_of_sum = 0;
  const auto off = [&](const element& each) {
    const number d = top.x - each.x;
    return 0x1p-21L + d * 0x1p-22L + unit * d + std::expm1(each.error);
  };
  // Below e^-199 whatever the device has.
  const auto is_far = [&](const element& each) {
    return (top.x - each.x) * (1 - 0x1p-8L) - each.error - top.error > 200;
  };
  for (const element& each : slice)
    if (!std::isinf(each.x)) {
      sum += std::exp(each.x - top.x);
      if (!is_far(each)) off_of_sum += std::exp(each.x - top.x) * off(each);
    }
  const number additions = std::expm1((static_cast<number>(slice.size()) + 9) * std::log1p(unit));
  const number of_others = off_of_sum / sum + additions;
  const number flushed = flushing && std::is_same_v<T, float> ? least : 0;
  const number fixed = std::is_same_v<T, float> && !flushing ? 0x1p-149L : flushed;  // below the normal numbers
  std::vector<element_rule> rules;
  for (const element& each : slice) {
    element_rule rule;
    rule.range = anything;
    const number p = std::isinf(each.x) ? 0 : std::exp(each.x - top.x) / sum;
    const bool is_zero = std::isinf(each.x) || (is_far(each) && of_others < 0.5L);
    // Infinite if nothing is known.
    const auto by = [&](number factor) -> number {
      if (is_zero) return std::isinf(each.x) ? 0 : flushed;
      const number relative = (off(each) + of_others) * factor;
      if (!(relative < 1)) return std::numeric_limits<number>::infinity();
      return p * relative / (1 - relative) + fixed;
    };
    const number inner = by(1 - 0x1p-20L), outer = by(1 + 0x1p-11L);
    const activated::function never_below_0{activated::type::sigmoid};
    if (inner < 1) {
      rule.range->low = activated::stored<T>(never_below_0, p - inner, false);
      rule.range->high = activated::stored<T>(never_below_0, p + inner, true);
    }
    if (outer < 1) {
      rule.range->outer_low = activated::stored<T>(never_below_0, p - outer - p * 0x1p-38L, false);
      rule.range->outer_high = activated::stored<T>(never_below_0, p + outer + p * 0x1p-38L, true);
    } else if (inner < 1) {  // an error just below 1 reaches beyond
      rule.range->outer_high = 2;
    }
    rules.push_back(rule);
  }
  return rules;
}

// The same of LOG_SOFTMAX, y = -d - ln S with d = M - x. A device computes that, or the logarithm of SOFTMAX, which may
// be flushed, or x - (M + ln S).
template <class T>
std::vector<element_rule> rules_of_logarithms(const std::vector<number>& slice, bool flushing) {
  constexpr number infinite = std::numeric_limits<number>::infinity();
  number top = -infinite;
  bool undefined = false;
  for (const number x : slice) {
    undefined = undefined || x != x;
    top = std::max(top, x);
  }
  if (undefined || std::isinf(top)) return std::vector<element_rule>(slice.size(), {true, {quiet_nan_of<T>()}});
  const auto off_of_power = [](number d) { return 0x1p-21L + d * 0x1p-22L + unit * d; };
  const auto off_of_logarithm = [](number v) { return 0x1p-21L * std::max(0.7L, v) + 0x1p-22L * v; };
  number others = 0, off_of_sum = 0;
  for (const number x : slice) {
    const number d = top - x, power = std::exp(-d);
    if (d < 11000) off_of_sum += power * off_of_power(d);
    if (d > 0) others += power;
  }
  for (const number x : slice) others += x == top ? 1 : 0;
  others -= 1;
  const number logarithm = std::log1p(others);
  const number t = off_of_sum / (1 + others) + std::expm1(static_cast<number>(slice.size()) * std::log1p(unit)) +
                   9 * unit * (1 + 0x1p-20L) + static_cast<number>(slice.size()) * least;
  const activated::function none{activated::type::identity};
  std::vector<element_rule> rules;
  for (const number x : slice) {
    const number d = top - x, y = -d - logarithm;
    float_range range;
    range.type = std::is_same_v<T, float> ? data_type::float32 : data_type::float16;
    if (std::isinf(d)) {
      range.low = range.high = range.outer_low = range.outer_high = -std::numeric_limits<double>::infinity();
      rules.push_back({.range = range});
      continue;
    }
    const auto set = [&](number factor, bool surely) {
      const number by = factor * (-std::log1p(-t) + off_of_power(d) + off_of_logarithm(std::max(-y, logarithm)) +
                                  2 * unit * (std::abs(top) - y)) +
                        (surely ? 0 : std::abs(y) * 0x1p-38L);
      number low = y - by, high = y + by;
      if (std::exp(low) < least) {  // SOFTMAX is flushed or subnormal
        const number rest = std::exp(low) - 0x1p-149L;
        const bool to_zero = flushing || !std::is_same_v<T, float> || rest <= 0;
        const number most = std::log(std::exp(high) + 0x1p-149L);
        if (to_zero)
          range.below = true;
        else
          low = std::min(low, std::log(rest) - off_of_logarithm(-std::log(rest)));
        if (to_zero && !surely) low = -infinite;
        high = std::max(high, most + off_of_logarithm(-most));
      }
      (surely ? range.low : range.outer_low) =
          std::isinf(low) ? static_cast<double>(low) : activated::stored<T>(none, low, false);
      (surely ? range.high : range.outer_high) = activated::stored<T>(none, high, true);
    };
    set(1 - 0x1p-20L, true);
    set(1 + 0x1p-11L, false);
    rules.push_back({.range = range});
  }
  return rules;
}

// The elements of each slice, by their numbers.
inline std::vector<std::vector<std::size_t>> slices_of(const dimensions& sizes, const dimensions& axes) {
  dimensions slices = sizes;
  for (const std::uint32_t axis : axes) slices[axis] = 1;
  std::map<std::size_t, std::vector<std::size_t>> elements_of;
  for (const coordinate_tuple& c : coordinates_of(sizes)) {
    coordinate_tuple first = c;
    for (const std::uint32_t axis : axes) first[axis] = 0;
    elements_of[number_of(first, slices)].push_back(number_of(c, sizes));
  }
  std::vector<std::vector<std::size_t>> result;
  for (const auto& slice : elements_of) result.push_back(slice.second);
  return result;
}

inline all_rules rules_along(const dimensions& axes, softmax_function function, input_refs inputs, bool flushing) {
  const dimensions& sizes = inputs[0].desc().sizes;
  const values input = values_of(inputs[0]);
  output_rules rules(input.size());
  for (const std::vector<std::size_t>& elements : slices_of(sizes, axes)) {
    visit_data_type(type_list<float, float16>{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      std::vector<element> slice;
      std::vector<number> x;
      for (const std::size_t each : elements) {
        x.push_back(static_cast<number>(static_cast<double>(value_of<T>(input[each]))));
        slice.push_back({x.back()});
      }
      const std::vector<element_rule> found = function == softmax_function::softmax
                                                  ? rules_of_slice<T>(slice, flushing)
                                                  : rules_of_logarithms<T>(x, flushing);
      for (std::size_t i = 0; i < elements.size(); ++i) rules[elements[i]] = found[i];
    });
  }
  return {rules};
}

// f(a + b), where a device has the sum exactly, or rounded to T.
template <class T>
element_rule rule_of_sum(const activated::function& e, bits a, bits b, bool flushing) {
  const auto x = static_cast<number>(static_cast<double>(value_of<T>(a)));
  const auto y = static_cast<number>(static_cast<double>(value_of<T>(b)));
  constexpr bool is_float32 = std::is_same_v<T, float>;
  flushing = flushing && is_float32;
  const number w = x + y;
  if (!std::isfinite(x) || !std::isfinite(y) || activated::is_either_bound(e, w))
    return activated::rule_of<T>(e, w, flushing, false, false, activated::in_host);
  // What the device may have: surely, and at most.
  std::vector<number> have{w};
  number most_off = 0;
  constexpr number infinite_from = is_float32 ? 0x1.ffffffp127L : 65520.0L;
  const bool overflows = std::abs(w) >= infinite_from;
  number rounded = w;
  if (!overflows) {
    if constexpr (is_float32)
      rounded = static_cast<number>(static_cast<float>(w));
    else
      rounded = static_cast<number>(
          static_cast<double>(value_of<T>(neighbours_of<T>(exact_number(static_cast<double>(w))).nearest)));
  }
  // A sum that long double rounds has a rest that FLOAT32 does not hold either.
  const bool is_exact = (w - x == y) && (w - y == x);
  number lost = 0;
  if (flushing) {
    if (std::abs(x) < least) lost += std::abs(x);
    if (std::abs(y) < least) lost += std::abs(y);
  }
  const number rest = is_exact ? 0 : std::abs(w) * 0x1p-63L;
  if (overflows || is_changed_by_rounding<T>(w, lost + rest)) {
    have.push_back(rounded);
    most_off = is_float32 ? unit * (std::abs(w) + lost) : 0x1p-10L * std::abs(w) + 0x1p-24L;
  }
  most_off += lost + rest;
  if (flushing && std::abs(w) < least) most_off = std::max(most_off, std::abs(w));
  const number value = activated::before_clamp(e, w);
  if (!std::isfinite(value)) return activated::rule_of<T>(e, w, flushing);
  float_range range;
  range.type = is_float32 ? data_type::float32 : data_type::float16;
  number low = value, high = value, outer_low = value, outer_high = value;
  const bool is_cut = !is_float32 && std::abs(w) + most_off > 65504;  // toward zero, to the greatest FLOAT16
  for (const number each : have) {
    const number by = activated::off(e, each, activated::in_host) * (1 - 0x1p-30L);
    low = std::min(low, activated::before_clamp(e, each) - by);
    high = std::max(high, activated::before_clamp(e, each) + (activated::is_exact_above(e, each) ? 0 : by));
  }
  number own = 0;
  const auto look_at = [&](number at) {
    if (std::abs(at - w) > most_off * (1 + 0x1p-9L)) return;
    own = std::max(own, activated::off(e, at, activated::in_host));
    outer_low = std::min(outer_low, activated::before_clamp(e, at));
    outer_high = std::max(outer_high, activated::before_clamp(e, at));
  };
  for (int i = -64; i <= 64; ++i) look_at(w + most_off * (1 + 0x1p-10L) * i / 64);
  for (const number special : {number{0}, e.a, -e.a, e.b, -e.b})
    for (const number beside : {0.0L, 0x1p-52L, -0x1p-52L})
      if (std::isfinite(special)) look_at(special + beside * std::abs(special) + beside * 0x1p-90L);
  const number slack = own == 0 && most_off == 0 ? 0 : own * 0x1p-9L + std::abs(value) * 0x1p-38L;
  if (flushing && e.f == activated::type::clip) {  // only what the device has may be flushed
    if (most_off != 0) own += 2 * least;
  } else if (flushing && e.f != activated::type::identity) {
    own += 2 * least;
    low -= 2 * least * (1 - 0x1p-30L);
    high += 2 * least * (1 - 0x1p-30L);
  }
  activated::add_overflows(e, w, most_off, range);
  range.low = activated::stored<T>(e, low, false);
  range.high = activated::stored<T>(e, high, true);
  activated::clamp_tanh(e, range);
  // The difference and the own error are added to both sides of the value.
  if (is_cut) {
    const number most = std::copysign(65504.0L, w);
    own = std::max(own, activated::off(e, most, activated::in_host));
    outer_low = std::min(outer_low, activated::before_clamp(e, most));
    outer_high = std::max(outer_high, activated::before_clamp(e, most));
  }
  const number reach = std::max(outer_high - value, value - outer_low) + own + slack;
  range.outer_low = activated::stored<T>(e, value - reach, false);
  range.outer_high = activated::stored<T>(e, value + reach, true);
  if (activated::is_exact_above(e, w - most_off)) {
    const number most = w + most_off * (1 + 0x1p-9L) + (flushing ? 2 * least : 0) + w * 0x1p-38L;
    range.outer_high = activated::stored<T>(e, most, true);
  }
  for (const int sign : {1, -1}) {
    if (sign * w + most_off < infinite_from) continue;
    const element_rule of_infinity = activated::rule_of<T>(e, sign * std::numeric_limits<number>::infinity(), false);
    if (!of_infinity.range) {  // NaN
      range.nan = true;
      continue;
    }
    range.nan = range.nan || of_infinity.range->nan;
    const number limit = activated::value_of_function(e, sign * std::numeric_limits<number>::infinity());
    if (std::isinf(limit)) {
      (limit > 0 ? range.above : range.below) = true;
      continue;
    }
    range.outer_low = std::min(range.outer_low, of_infinity.range->outer_low);
    range.outer_high = std::max(range.outer_high, of_infinity.range->outer_high);
  }
  element_rule rule;
  rule.range = range;
  if (flushing && e.f == activated::type::softsign && std::abs(w) + most_off >= activated::great_divisor)
    rule.allowed.insert(rule.allowed.end(), {0, sign_bit_of<T>});
  return rule;
}

}  // namespace softened

template <softmax_function F>
all_rules rules_of(const softmax_desc<F>&, input_refs inputs, output_descs, bool flushing = false) {
  const auto last = static_cast<std::uint32_t>(inputs[0].desc().sizes.size() - 1);
  return softened::rules_along({last}, F, inputs, flushing);
}
template <softmax_function F>
all_rules rules_of(const softmax1_desc<F>& desc, input_refs inputs, output_descs, bool flushing = false) {
  return softened::rules_along(desc.axes, F, inputs, flushing);
}

// 1 at the first of the greatest numbers, in the order of coordinates; where there is no number, 1 or 0 anywhere.
template <goldml::detail::hardmax_operator Desc>
all_rules rules_of(const Desc& desc, input_refs inputs, output_descs) {
  const dimensions& sizes = inputs[0].desc().sizes;
  dimensions axes{static_cast<std::uint32_t>(sizes.size() - 1)};
  if constexpr (requires { desc.axes; }) axes = desc.axes;
  const values input = values_of(inputs[0]);
  output_rules rules(input.size());
  visit_data_type(type_list<float, float16>{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
    const auto number = [&](std::size_t i) { return static_cast<double>(value_of<T>(input[i])); };
    constexpr bits one = std::is_same_v<T, float> ? 0x3F80'0000 : 0x3C00;
    for (const std::vector<std::size_t>& elements : softened::slices_of(sizes, axes)) {
      std::optional<std::size_t> best;
      for (const std::size_t each : elements)
        if (!std::isnan(number(each)) && (!best || number(each) > number(*best))) best = each;
      for (const std::size_t each : elements) {
        const bool wins = each == best.value_or(elements.front());
        rules[each].allowed = {wins ? one : 0};
        if (!best) rules[each].allowed.push_back(wins ? 0 : one);
      }
    }
  });
  return {rules};
}

inline all_rules rules_of(const element_wise_add1_desc& desc, input_refs inputs, output_descs, bool flushing = false) {
  const values a = values_of(inputs[0]);
  const values b = values_of(inputs[1]);
  output_rules rules;
  visit_data_type(type_list<float, float16>{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!desc.fused_activation) {
        rules.push_back(arithmetic_rule<T>(arithmetic_op::add, a[i], b[i], flushing));
      } else {
        const activation& f = *desc.fused_activation;
        const activated::function e{static_cast<activated::type>(f.operator_type), f.parameters[0], f.parameters[1]};
        rules.push_back(softened::rule_of_sum<T>(e, a[i], b[i], flushing));
      }
  });
  return {rules};
}

}  // namespace judged
