// The rules of REVERSE_SUBSEQUENCES, FILL_VALUE_SEQUENCE, RANDOM_GENERATOR, REDUCE, CUMULATIVE_SUMMATION, CUMULATIVE_PRODUCT and
// MAX_UNPOOLING, written from their pages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include <goldml/operators/cumulative.hpp>
#include <goldml/operators/fill_value_sequence.hpp>
#include <goldml/operators/max_unpooling.hpp>
#include <goldml/operators/random_generator.hpp>
#include <goldml/operators/reduce.hpp>
#include <goldml/operators/reverse_subsequences.hpp>

#include "allowed_layout.hpp"
#include "allowed_reduce.hpp"

namespace judged {

// Takes each sequence, reverses its beginning, and puts it back.
inline all_rules rules_of(const reverse_subsequences_desc& desc, input_refs inputs, output_descs outputs) {
  const dimensions& sizes = outputs[0].sizes;
  const values input = values_of(inputs[0]);
  const values lengths = values_of(inputs[1]);
  output_rules rules(element_count(sizes));
  std::size_t sequence_number = 0;
  for (coordinate_tuple c : coordinates_of(inputs[1].desc().sizes)) {
    std::vector<std::size_t> places;
    values sequence;
    for (c[desc.axis] = 0; c[desc.axis] < sizes[desc.axis]; ++c[desc.axis]) {
      places.push_back(number_of(c, sizes));
      sequence.push_back(input[places.back()]);
    }
    const bits length = std::min<bits>(lengths[sequence_number++], sequence.size());
    std::reverse(sequence.begin(), sequence.begin() + static_cast<std::ptrdiff_t>(length));
    for (std::size_t i = 0; i < places.size(); ++i) rules[places[i]] = {true, {sequence[i]}};
  }
  return {rules};
}

// Floats: start + g * delta, within two units in the last place of the greatest of start, g * delta and the result.
template <class T>
element_rule rule_of_sequence(T start, T delta, std::size_t g, bool flushing) {
  constexpr bool is_float32 = std::is_same_v<T, float>;
  constexpr int digits = is_float32 ? 24 : 11, lowest = is_float32 ? -149 : -24;
  const real greatest = is_float32 ? greatest_float : 65504.0L;
  const auto number = [](T x) { return static_cast<real>(static_cast<double>(x)); };
  const auto unit = [&](real x) {
    int e = 0;
    std::frexp(x, &e);
    return std::ldexp(1.0L, x == 0 ? lowest : std::max(e - digits, lowest));
  };
  const auto holds = [&](real x) { return std::fmod(x, unit(x)) == 0 && std::abs(x) <= greatest; };
  const real s = number(start), d = number(delta), n = static_cast<real>(g);
  const real p = n * d, y = s + p;  // p has 56 bits at most
  element_rule rule;
  const auto allow_any_nan = [&] {  // made on the way, from infinities: the ledger does not say which one
    rule.allowed.push_back(quiet_nan_of<T>());
    rule.range = {is_float32 ? data_type::float32 : data_type::float16, 1, 0, 1, 0, true};  // and no number
  };
  if (g == 0) {
    rule.allowed = {bits_of(start)};
    if (s == 0) rule.allowed.insert(rule.allowed.end(), {0, sign_bit_of<T>});
    if (!std::isfinite(d)) allow_any_nan();
  } else if (!std::isfinite(s) || !std::isfinite(d)) {
    rule.allowed = {std::isnan(y) ? quiet_nan_of<T>() : bits_of(static_cast<T>(y > 0 ? HUGE_VALF : -HUGE_VALF))};
    if (std::isfinite(d) && (n > greatest || std::abs(p) > greatest)) allow_any_nan();
  } else {
    const real by = 2 * unit(std::max({std::abs(s), std::abs(p), std::abs(y)}));
    const neighbours near = neighbours_of<T>(exact_number(static_cast<double>(y)));
    rule.allowed = {near.nearest};
    if (y == 0) rule.allowed.insert(rule.allowed.end(), {0, sign_bit_of<T>});
    // Where long double does not hold y, what is allowed is not known to the last place.
    const bool is_exact = holds(n) && holds(p) && holds(y) && y - s == p && y - p == s;
    if (is_float32 && std::abs(p) > greatest)  // the product is an infinity
      rule.allowed.push_back(bits_of(static_cast<T>(p > 0 ? HUGE_VALF : -HUGE_VALF)));
    if (!is_float32 && (n > greatest || std::abs(p) > greatest)) {
      rule.range = {is_float32 ? data_type::float32 : data_type::float16, 1, 0, -HUGE_VAL, HUGE_VAL, true, true, true};
    } else if (!is_exact) {
      const auto inward = [&](real x, bool up) {
        const neighbours at = neighbours_of<T>(exact_number(static_cast<double>(x)));
        const bool to_zero = up == (x < 0);
        return static_cast<double>(value_of<T>(std::abs(x) > greatest ? at.nearest
                                               : to_zero              ? at.toward_zero
                                                                      : at.away));
      };
      rule.range = {is_float32 ? data_type::float32 : data_type::float16, inward(y - by / 4, true),
                    inward(y + by / 4, false), inward(y - by * 5 / 4, true), inward(y + by * 5 / 4, false)};
    }
  }
  if (!flushing || !is_float32) return rule;
  // Start, delta and result may be flushed.
  const auto zeros = [&] { rule.allowed.insert(rule.allowed.end(), {0, sign_bit_of<T>}); };
  const bool small_start = s != 0 && std::abs(s) < least_normal, small_delta = d != 0 && std::abs(d) < least_normal;
  if (small_delta && (s == 0 || small_start)) zeros();
  if (small_delta) rule.allowed.push_back(bits_of(start));
  if (small_start) {
    const element_rule other = rule_of_sequence<T>(T(0), delta, g, false);
    rule.allowed.insert(rule.allowed.end(), other.allowed.begin(), other.allowed.end());
    if (other.range)
      for (double x = other.range->outer_low; x <= other.range->outer_high && std::isfinite(x);
           x = static_cast<double>(std::nextafterf(static_cast<float>(x), HUGE_VALF)))
        rule.allowed.push_back(bits_of(static_cast<T>(x)));
  }
  const bool has_numbers = rule.range && rule.range->outer_low <= rule.range->outer_high;
  const double low = has_numbers ? rule.range->outer_low : static_cast<double>(y);
  const double high = has_numbers ? rule.range->outer_high : static_cast<double>(y);
  if (low < 0x1p-126 && high > -0x1p-126) zeros();
  return rule;
}

// Integers: adds the delta again and again.
inline all_rules rules_of(const fill_value_sequence_desc& desc, input_refs, output_descs outputs,
                          bool flushing = false) {
  const data_type type = outputs[0].data_type;
  if (type == data_type::float32 || type == data_type::float16) {
    output_rules rules;
    visit_data_type(type_list<float, float16>{}, type, [&]<class T>(std::type_identity<T>) {
      const T start = value_of<T>(bits_of_scalar(desc.value_start, type));
      const T delta = value_of<T>(bits_of_scalar(desc.value_delta, type));
      for (std::size_t g = 0; g < element_count(outputs[0].sizes); ++g)
        rules.push_back(rule_of_sequence<T>(start, delta, g, flushing));
    });
    return {rules};
  }
  const bits delta = bits_of_scalar(desc.value_delta, type);
  const bits all_bits = ~bits{0} >> (64 - 8 * element_size_in_bytes(type));
  bits next = bits_of_scalar(desc.value_start, type);
  return {exactly(outputs[0].sizes, [&](const coordinate_tuple&) {
    const bits value = next;
    next = (next + delta) & all_bits;
    return value;
  })};
}

// Philox 4x32-10, as its paper writes it for W = 32: in each round two multiplications, the words crossed over, and the
// round's keys. The counter is counted word by word.
inline all_rules rules_of(const random_generator_desc&, input_refs inputs, output_descs outputs) {
  values state = values_of(inputs[0]);
  constexpr bits word = 0xFFFF'FFFF;
  values block;
  const auto draw = [&] {
    bits l0 = state[0], r0 = state[1], l1 = state[2], r1 = state[3];
    for (bits round = 0; round < 10; ++round) {
      const bits a = l0 * 0xD2511F53, b = l1 * 0xCD9E8D57;
      l0 = (b >> 32) ^ r0 ^ ((state[4] + round * 0x9E3779B9) & word);
      l1 = (a >> 32) ^ r1 ^ ((state[5] + round * 0xBB67AE85) & word);
      r0 = b & word;
      r1 = a & word;
    }
    block = {r1, l1, r0, l0};  // taken from the back
    for (std::size_t i = 0; i < 4 && (state[i] = (state[i] + 1) & word) == 0; ++i) continue;
  };
  all_rules rules{exactly(outputs[0].sizes, [&](const coordinate_tuple&) {
    if (block.empty()) draw();
    const bits value = block.back();
    block.pop_back();
    return value;
  })};
  std::size_t next = 0;
  if (!outputs[1].sizes.empty())
    rules.push_back(exactly(outputs[1].sizes, [&](const coordinate_tuple&) { return state[next++]; }));
  else
    rules.emplace_back();
  return rules;
}

// ARGMIN, ARGMAX: the least index of those whose number no other number is better than; NaN only if there is no number,
// and then any index (ledger 7.1). In listing order the elements of a slice are numbered with the first of Axes as the
// slowest (ledger 7.3), otherwise with the axes ascending.
inline all_rules index_rules_of(const reduce_desc& desc, input_refs inputs, output_descs outputs, bool listing_order) {
  const dimensions& sizes = inputs[0].desc().sizes;
  std::vector<std::uint32_t> order(desc.axes.begin(), desc.axes.end());
  if (!listing_order) std::sort(order.begin(), order.end());
  const bool least_wins = desc.function == reduce_function::argmin;
  all_rules rules(1, output_rules(element_count(outputs[0].sizes)));
  visit_data_type(a10_types{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
    const tensor_view<const T> input = inputs[0].as<T>();
    std::vector<std::vector<std::optional<T>>> slices(rules[0].size());  // by index; empty for NaN
    for (coordinate_tuple c : coordinates_of(sizes)) {
      const T x = input[c];
      std::size_t index = 0;
      for (const std::uint32_t axis : order) {
        index = index * sizes[axis] + c[axis];
        c[axis] = 0;
      }
      auto& slice = slices[number_of(c, outputs[0].sizes)];
      if (slice.size() <= index) slice.resize(index + 1);
      if (x == x) slice[index] = x;
    }
    for (std::size_t element = 0; element < slices.size(); ++element) {
      std::optional<std::size_t> best;
      const auto& slice = slices[element];
      for (std::size_t i = 0; i < slice.size(); ++i) {
        if (!slice[i]) continue;
        if (!best || (least_wins ? *slice[i] < *slice[*best] : *slice[i] > *slice[*best])) best = i;
      }
      rules[0][element] = {true, {best.value_or(0)}, best ? 0 : slice.size()};
    }
  });
  return rules;
}

// What is rounded at most once: each number may count as the zero of its sign where it is subnormal, and so may the
// result.
template <class T>
element_rule rule_of_two(bool is_product, T a, T b, bool flushing) {
  element_rule rule;
  const auto allow = [&](double exact) {
    if (exact != exact) return rule.allowed.push_back(quiet_nan_of<T>());
    const neighbours near = neighbours_of<T>(exact_number(exact));
    rule.allowed.push_back(near.nearest);
    if (std::is_same_v<T, float16>) rule.allowed.push_back(near.toward_zero);
    if (flushing && std::is_same_v<T, float> && std::abs(exact) < 0x1p-126) rule.allowed.push_back(0);
    if (value_of<T>(rule.allowed.back()) == T(0)) rule.allowed.insert(rule.allowed.end(), {0, sign_bit_of<T>});
  };
  const auto result = [&](T x, T y) {
    const auto p = static_cast<double>(x), q = static_cast<double>(y);
    allow(is_product ? p * q : p + q);
  };
  result(a, b);
  if (!flushing) return rule;
  const T other_a = value_of<T>(flushed<T>(bits_of(a))), other_b = value_of<T>(flushed<T>(bits_of(b)));
  result(other_a, b);
  result(a, other_b);
  result(other_a, other_b);
  return rule;
}

// The other functions: allowed_reduce.hpp.
inline all_rules rules_of(const reduce_desc& desc, input_refs inputs, output_descs outputs, bool listing_order = false,
                          bool flushing = false) {
  if (desc.function == reduce_function::argmin || desc.function == reduce_function::argmax)
    return index_rules_of(desc, inputs, outputs, listing_order);
  const dimensions& sizes = inputs[0].desc().sizes;
  const values input = values_of(inputs[0]);
  std::vector<values> slices(element_count(outputs[0].sizes));
  std::size_t number = 0;
  for (coordinate_tuple c : coordinates_of(sizes)) {
    for (const std::uint32_t axis : desc.axes) c[axis] = 0;
    slices[number_of(c, outputs[0].sizes)].push_back(input[number++]);
  }
  output_rules rules;
  visit_data_type(a10_types{}, outputs[0].data_type, [&]<class T>(std::type_identity<T>) {
    for (const values& slice : slices) {
      const bool is_product = desc.function == reduce_function::multiply;
      if constexpr (!std::is_integral_v<T>)
        if (slice.size() < 3 && (is_product || desc.function == reduce_function::sum)) {
          const T none = is_product ? T(1.0F) : T(0.0F);
          const T second = slice.size() < 2 ? none : value_of<T>(slice[1]);
          rules.push_back(rule_of_two<T>(is_product, value_of<T>(slice[0]), second, flushing));
          continue;
        }
      rules.push_back(reduced_rule<T>(desc.function, slice, flushing, most_roundings(sizes, desc.axes)));
    }
  });
  return {rules};
}

// CUMULATIVE_SUMMATION, CUMULATIVE_PRODUCT: of each element the elements before it are collected again.
template <class Desc>
requires(std::is_same_v<Desc, cumulative_summation_desc> || std::is_same_v<Desc, cumulative_product_desc>) all_rules
    rules_of(const Desc& desc, input_refs inputs, output_descs outputs, bool flushing = false) {
  constexpr bool is_product = std::is_same_v<Desc, cumulative_product_desc>;
  bool leaves_itself_out = false;
  if constexpr (is_product)
    leaves_itself_out = desc.has_exclusive_product;
  else
    leaves_itself_out = desc.has_exclusive_sum;
  const dimensions& sizes = outputs[0].sizes;
  const values input = values_of(inputs[0]);
  const bool from_the_end = desc.axis_direction == axis_direction::decreasing;
  output_rules rules;
  visit_data_type(a10_types{}, outputs[0].data_type, [&]<class T>(std::type_identity<T>) {
    for (const coordinate_tuple& c : coordinates_of(sizes)) {
      values prefix;
      for (std::uint32_t i = 0; i < sizes[desc.axis]; ++i) {
        const bool before = from_the_end ? i > c[desc.axis] : i < c[desc.axis];
        if (!before && !(i == c[desc.axis] && !leaves_itself_out)) continue;
        coordinate_tuple at = c;
        at[desc.axis] = i;
        prefix.push_back(input[number_of(at, sizes)]);
      }
      if constexpr (std::is_integral_v<T>) {
        rules.push_back(reduced_rule<T>(is_product ? reduce_function::multiply : reduce_function::sum, prefix, false));
      } else if (prefix.size() < 3) {
        const T none = is_product ? T(1.0F) : T(0.0F);
        const T first = prefix.empty() ? none : value_of<T>(prefix[0]);
        rules.push_back(rule_of_two<T>(is_product, first, prefix.size() < 2 ? none : value_of<T>(prefix[1]), flushing));
        if (prefix.empty() && !is_product) rules.back().allowed = {0, sign_bit_of<T>};
      } else {
        rules.push_back(
            reduced_rule<T>(is_product ? reduce_function::multiply : reduce_function::sum, prefix, flushing));
      }
    }
  });
  return {rules};
}

// With the policy `refuse`: any of the elements that are sent to a place may remain there (ledger L67). The last one is
// the golden one.
inline all_rules rules_of(const max_unpooling_desc&, input_refs inputs, output_descs outputs) {
  const values input = values_of(inputs[0]);
  const values indices = values_of(inputs[1]);
  std::vector<values> sent(element_count(outputs[0].sizes));
  for (std::size_t i = 0; i < input.size(); ++i)
    if (indices[i] < sent.size()) sent[indices[i]].insert(sent[indices[i]].begin(), input[i]);
  output_rules rules;
  for (const values& elements : sent) rules.push_back({true, elements.empty() ? values{0} : elements});
  return {rules};
}

}  // namespace judged
