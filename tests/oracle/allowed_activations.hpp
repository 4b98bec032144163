// The rules of the activations, written from their pages and the ledger (AR-R1, AR-R4 to AR-R7, AR-R9, AR-R10).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <goldml/operators/activations.hpp>

#include "allowed_functions.hpp"
#include "allowed_layout.hpp"
#include "allowed_values.hpp"

namespace judged {

namespace activated {

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

// tanh is never beyond 1, but for a quotient.
inline void clamp_tanh(const function& e, float_range& range) {
  if (e.f != type::tanh && e.f != type::scaled_tanh) return;
  const auto most = static_cast<double>((e.f == type::tanh ? 1 : std::abs(e.a)) * (1 + 9 * unit));
  range.low = std::max(range.low, -most);
  range.high = std::min(range.high, most);
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
element_rule anything() {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  element_rule rule;
  rule.range = float_range{.type = std::is_same_v<T, float> ? data_type::float32 : data_type::float16,
                           .low = -infinite,
                           .high = infinite,
                           .outer_low = -infinite,
                           .outer_high = infinite,
                           .nan = true};
  return rule;
}

// f(x) in half precision. A device that rounds x and the parameters to FLOAT16 first, to nearest even or toward zero,
// is surely right; what it has of an x beyond 65504 is apart.
template <class T>
void set_half_range(const function& e, number x, number y, bool flushing, float_range& range) {
  const auto narrowed = [](number of, bool cut) {
    const neighbours near = neighbours_of<float16>(exact_number(static_cast<double>(of)));
    return static_cast<number>(static_cast<double>(value_of<float16>(cut ? near.toward_zero : near.nearest)));
  };
  std::vector<number> have{x};
  if constexpr (std::is_same_v<T, float>) have.insert(have.end(), {narrowed(x, false), narrowed(x, true)});
  number most_off = 0, low = y, high = y, reach = 0, own = 0;
  // The thresholds are rounded, too, and so is SHRINK's Bias.
  const number threshold = e.f == type::thresholded_relu ? std::abs(e.a) : e.f == type::shrink ? std::abs(e.b) : 0;
  const number of_threshold =
      e.f == type::thresholded_relu || e.f == type::shrink ? 0x1p-10L * threshold + 0x1p-24L : 0;
  for (const number each : have) {
    if (each != x) most_off = 0x1p-10L * std::abs(x) + 0x1p-24L;
    if (each != x && std::abs(x) > 65504) continue;
    for (const function& by_device : {e, function{e.f, narrowed(e.a, false), narrowed(e.b, false)},
                                      function{e.f, narrowed(e.a, true), narrowed(e.b, true)}}) {
      const number by = off(by_device, each, in_half);
      low = std::min(low, before_clamp(by_device, each) - by);
      high = std::max(high, before_clamp(by_device, each) + by);
    }
  }
  const bool keeps_x = e.f == type::relu || ((e.f == type::leaky_relu || e.f == type::elu) && x >= most_off);
  number of_parameter = 0;
  if (e.f == type::leaky_relu && !keeps_x) of_parameter = 0x1p-11L * std::abs(e.a) * std::max(most_off - x, 0.0L);
  if (e.f == type::scaled_elu) of_parameter = 0x1p-11L * std::abs(e.b) * std::max(most_off + x, 0.0L);
  if (e.f == type::shrink) of_parameter = 0x1p-10L * std::abs(e.a) + (e.b < 0 ? of_threshold : 0);
  most_off += of_threshold;
  const auto look_at = [&](number at) {
    if (std::abs(at - x) > most_off * (1 + 0x1p-9L)) return;
    reach = std::max(reach, std::abs(before_clamp(e, at) - y));
    own = std::max(own, off(e, at, half_at_most));
  };
  for (int i = -64; i <= 64; ++i) look_at(x + most_off * (1 + 0x1p-10L) * i / 64);
  for (const number special : {number{0}, e.a, -e.a, e.b, -e.b}) look_at(special);
  own += of_parameter;
  if (!keeps_x) own += steps_off(e, x);
  if (reach + own != 0) own += own * 0x1p-9L + std::abs(y) * 0x1p-38L;
  if (flushing && std::is_same_v<T, float>) own += 2 * least + (std::abs(x) < least ? std::abs(x) : 0);
  range.low = stored<T>(e, low, false);
  range.high = stored<T>(e, high, true);
  range.outer_low = stored<T>(e, y - reach - own, false);
  range.outer_high = stored<T>(e, y + reach + own, true);
  if (e.f == type::sigmoid && x - most_off <= -11) range.outer_low = 0;  // e^-x is infinite
  if (e.f == type::swish && e.a * x - std::abs(e.a) * most_off <= -10.7L) {
    range.outer_low = std::min(range.outer_low, 0.0);
    range.outer_high = std::max(range.outer_high, 0.0);
  }
  add_overflows(e, x, most_off, range, true);
  if (e.f == type::hard_sigmoid) return;
  range.above = range.above || y + reach + own >= 65520;
  range.below = range.below || y - reach - own <= -65520;
}

// Adds what a device may give that has x, a number that `of` is the rule of, instead.
inline void add_apart(const element_rule& of, const function& e, number x, float_range& range, element_rule& rule) {
  const number y = value_of_function(e, x);
  range.nan = range.nan || !of.range || of.range->nan;
  if (!of.range) return;
  range.above = range.above || of.range->above || y > std::numeric_limits<double>::max();
  range.below = range.below || of.range->below || y < std::numeric_limits<double>::lowest();
  if (!std::isfinite(y)) return;
  rule.apart.push_back(*of.range);
  rule.allowed.insert(rule.allowed.end(), of.allowed.begin(), of.allowed.end());
}

// GELU and SWISH of an infinity: it, or that times 0, which is NaN or 0; of SWISH also with a scale that is read as 0.
template <class T>
element_rule product_with_infinity(const function& e, number x) {
  const bool is_kept = e.f == type::gelu ? x > 0 : e.a != 0 && (e.a > 0) == (x > 0);
  const bool may_be_nan = !is_kept || (e.f == type::swish && std::abs(e.a) < least);
  element_rule rule{true, {is_kept ? bits_of(T(static_cast<float>(x))) : quiet_nan_of<T>()}};
  if (!is_kept && !(e.f == type::swish && e.a == 0)) rule.allowed.insert(rule.allowed.end(), {0, sign_bit_of<T>});
  if (may_be_nan) rule.range = any_nan_of(data_type_of<T>);
  return rule;
}

// HARD_SWISH of an infinity is it, or NaN, or the 0 that is chosen; where Alpha is 0, or read as 0, NaN or the
// infinity.
template <class T>
element_rule hard_swish_of_infinity(const function& e, number x, bool flushing, bool half) {
  element_rule rule{true, {}};
  const bits infinity = bits_of(T(static_cast<float>(x)));
  const bool is_lost = e.a == 0 || (half && std::abs(e.a) < 0x1p-24L) ||
                       ((flushing || std::is_same_v<T, float16>)&&std::abs(e.a) < least);
  if (e.a != 0 && (e.a < 0) == (x < 0)) rule.allowed = {infinity};
  if (e.a != 0 && (e.a < 0) != (x < 0)) rule.allowed = {quiet_nan_of<T>(), 0, sign_bit_of<T>};
  if (is_lost) rule.allowed.insert(rule.allowed.end(), {quiet_nan_of<T>(), infinity});
  if (rule.allowed.size() > 1) rule.range = any_nan_of(data_type_of<T>);
  return rule;
}

template <class T>
element_rule rule_of(const function& e, number x, bool flushing, bool half = false, bool of_products = false,
                     const precision& single = in_single) {
  if (is_either_bound(e, x)) return either_bound<T>(e, x != x);
  // x is NaN, or 0 times an infinity
  const bool clamps_nan = e.f == type::hard_sigmoid && (std::isnan(e.a * x) || (half && may_be_nan(e, x)));
  number y = clamps_nan ? 1 : before_clamp(e, x);
  // In FLOAT32 infinite, before it is narrowed; nobody needs to know by how much.
  const bool is_infinite = std::abs(y) > 0x1p1000L && std::isfinite(y);
  if (is_infinite) y = std::copysign(std::numeric_limits<number>::infinity(), y);
  element_rule rule;
  // SPEC-functions 2.4; the others have SPEC-arithmetic's interval and flags.
  const bool is_newer = e.f == type::gelu || e.f == type::swish || e.f == type::hard_swish || e.f == type::shrink ||
                        e.f == type::thresholded_relu;
  const bool is_beyond = half && std::isfinite(x) && std::abs(x) > 65504;
  if (half && x == x && !clamps_nan && (is_anything(e) || (is_beyond && is_newer))) return anything<T>();
  if ((e.f == type::gelu || e.f == type::swish) && std::isinf(x)) return product_with_infinity<T>(e, x);
  if (e.f == type::hard_swish && std::isinf(x)) return hard_swish_of_infinity<T>(e, x, flushing, half);
  if (y != y && !(half && may_be_infinite(e, x))) return {true, {quiet_nan_of<T>()}};
  if (y != y) return anything<T>();
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
  const auto add_narrowed =
      [&] {  // what FLOAT16 does not hold is an infinity, 0 or, for its products, 65504 to the device
        if (may_be_infinite(e, x)) range.nan = range.above = range.below = true;
        if (may_be_nan(e, x)) range.nan = true;
        if (std::isfinite(x) && std::abs(x) > 65504)
          for (const number most : {65504.0L, std::numeric_limits<number>::infinity()}) {
            if (std::isfinite(most) && !of_products) continue;
            const number other = std::copysign(most, x);
            add_apart(rule_of<T>(e, other, flushing, true), e, other, range, rule);
          }
      };
  if (half && std::isfinite(x) && std::isfinite(y)) {
    set_half_range<T>(e, x, y, flushing, range);
    add_narrowed();
    rule.range = range;
    return rule;
  }
  // Less is surely allowed, and more surely not.
  number low = y, high = y, outer = 0, by = 0, own = 0;  // `by` of low and high
  if (std::isfinite(x) && std::isfinite(y)) {
    by = own = off(e, x);
    if (flushing && std::is_same_v<T, float>) {
      number change = 0;
      if (std::abs(x) < least && x != 0) {
        const number flushed = before_clamp(e, 0);  // what is between is not surely right
        by = std::min(off(e, 0), off(e, x));
        change = std::abs(flushed - y);
        own = std::max(own, off(e, 0));
        for (const number zero : {0.0L, -0.0L})  // of either sign
          rule.allowed.push_back(bits_of(T(static_cast<float>(flushed == 0 ? zero : flushed))));
      }
      by += 2 * least;
      outer = change + 2 * least;
    }
    add_overflows(e, x, 0, range);
    if (flushing && e.f == type::softsign && std::abs(x) >= great_divisor)
      for (const float zero : {0.0F, -0.0F}) rule.allowed.push_back(bits_of(T(zero)));
  } else if (std::isinf(x) && std::isfinite(y)) {
    by = off_at_infinity(e, y, half ? in_half : single);
    own = off_at_infinity(e, y, half ? half_at_most : single);
    if (flushing && std::is_same_v<T, float>) {  // as at great numbers
      if (!half) by += 2 * least;
      outer = 2 * least;
    }
  }
  if (half) add_narrowed();
  range.low = stored<T>(e, low - by * (1 - 0x1p-30L), false);
  range.high = stored<T>(e, high + (is_exact_above(e, x) ? 0 : by * (1 - 0x1p-30L)), true);
  if (!half) clamp_tanh(e, range);
  if (own != 0) own += own * 0x1p-11L + std::abs(y) * 0x1p-38L;
  range.outer_low = stored<T>(e, y - outer - own, false);
  range.outer_high = stored<T>(e, y + outer + (is_exact_above(e, x) ? 0 : own), true);
  if (is_infinite && !std::is_same_v<T, float>) (y < 0 ? range.outer_high : range.outer_low) = y < 0 ? -65504 : 65504;
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
  if constexpr (requires { desc.sigmoid_input_scale; }) parameters[0] = desc.sigmoid_input_scale;
  if constexpr (requires { desc.beta; }) parameters[1] = desc.beta;
  if constexpr (requires { desc.gamma; }) parameters[1] = desc.gamma;
  if constexpr (requires { desc.threshold; }) parameters = {desc.bias, desc.threshold};
  const activated::function e{F, parameters[0], parameters[1]};
  const data_type type = inputs[0].desc().data_type;
  bool half = false, of_products = false;
  if constexpr (F != activated::type::identity) {
    half = desc.accumulation != accumulation::single;  // half_products: the same, and
    of_products = desc.accumulation == accumulation::half_products;
  }
  for (const bits b : values_of(inputs[0])) {
    element_rule rule{true, {b}};
    if (F != activated::type::identity)
      visit_data_type(type_list<float, float16>{}, type, [&]<class T>(std::type_identity<T>) {
        const auto x = static_cast<activated::number>(static_cast<double>(value_of<T>(b)));
        rule = activated::rule_of<T>(e, x, flushing, half, of_products);
      });
    const bool negative = (b >> (8 * element_size_in_bytes(type) - 1)) != 0;
    if (F == activated::type::relu && type != data_type::float32 && type != data_type::float16 && negative)
      rule.allowed = {0};
    if constexpr (F == activated::type::shrink)
      visit_data_type(type_list<std::int8_t, std::int16_t, std::int32_t, std::uint8_t, std::uint16_t, std::uint32_t>{},
                      type, [&]<class T>(std::type_identity<T>) {
                        const auto whole = [](float parameter) {
                          return static_cast<std::int64_t>(std::clamp(
                              static_cast<double>(parameter), static_cast<double>(std::numeric_limits<T>::min()),
                              static_cast<double>(std::numeric_limits<T>::max())));
                        };
                        const auto x = static_cast<std::int64_t>(value_of<T>(b));
                        const std::int64_t bias = whole(desc.bias), threshold = whole(desc.threshold);
                        const std::int64_t y = x > threshold ? x - bias : x < -threshold ? x + bias : 0;
                        rule.allowed = {bits_of(static_cast<T>(y))};
                      });
    rules.push_back(rule);
  }
  return {rules};
}

}  // namespace judged
