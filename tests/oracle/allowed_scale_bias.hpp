// The rules of ScaleBias on floats, written from the ledger's L28: x * Scale + Bias as a sum of exact terms in long
// double, the numbers within its bound found by search, and what the operators make of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <type_traits>
#include <vector>

#include "allowed_element_wise.hpp"

namespace judged {

using exact_terms = std::vector<long double>;

// A sum without rounding, as numbers of growing magnitude that do not overlap.
inline exact_terms expansion_of(const exact_terms& terms) {
  exact_terms parts;
  for (long double carried : terms) {
    exact_terms next;
    for (const long double part : parts) {
      const long double sum = carried + part;
      const long double from_part = sum - carried;
      const long double lost = (carried - (sum - from_part)) + (part - from_part);
      if (lost != 0) next.push_back(lost);
      carried = sum;
    }
    if (carried != 0) next.push_back(carried);
    parts = next;
  }
  return parts;
}
inline int sign_of(const exact_terms& terms) {
  const exact_terms parts = expansion_of(terms);
  return parts.empty() ? 0 : parts.back() < 0 ? -1 : 1;
}
inline exact_terms with(exact_terms terms, std::initializer_list<long double> more) {
  terms.insert(terms.end(), more);
  return terms;
}
inline exact_terms negative_of(exact_terms terms) {
  for (long double& term : terms) term = -term;
  return terms;
}
// e with 2^e <= |sum| < 2^(e + 1); the sum is not 0.
inline int exponent_of(exact_terms terms) {
  if (sign_of(terms) < 0) terms = negative_of(terms);
  int e = std::ilogb(expansion_of(terms).back());
  while (sign_of(with(terms, {-std::ldexp(1.0L, e)})) < 0) --e;
  while (sign_of(with(terms, {-std::ldexp(1.0L, e + 1)})) >= 0) ++e;
  return e;
}

template <class T>
struct format_of {
  static constexpr int digits = std::is_same_v<T, float16> ? 11 : std::is_same_v<T, float> ? 24 : 53;
  static constexpr int least = std::is_same_v<T, float16> ? -14 : std::is_same_v<T, float> ? -126 : -1022;
  static constexpr int most = std::is_same_v<T, float16> ? 15 : std::is_same_v<T, float> ? 127 : 1023;
};

// Numbers of T by their place in its order; both zeros at 0. The infinities count as 2^(most + 1) in `end_of`.
template <class T>
bits bits_at(std::int64_t place) {
  return place < 0 ? sign_bit_of<T> | static_cast<bits>(-place) : static_cast<bits>(place);
}
template <class T>
constexpr std::int64_t infinite_place = static_cast<std::int64_t>(goldml::detail::float_bits<T>::infinity);
template <class T>
long double end_of(std::int64_t place) {
  if (std::abs(place) == infinite_place<T>) return std::copysign(std::ldexp(1.0L, format_of<T>::most + 1), place);
  return static_cast<long double>(static_cast<double>(value_of<T>(bits_at<T>(place))));
}
// The greatest number of T that is at most the sum, by bisection; the negative infinity if there is none.
template <class T>
std::int64_t place_below(const exact_terms& terms) {
  std::int64_t low = -infinite_place<T>, high = infinite_place<T>;
  while (low + 1 < high) {  // the difference may overflow
    const std::int64_t middle = std::midpoint(low, high);
    (sign_of(with(terms, {-end_of<T>(middle)})) >= 0 ? low : high) = middle;
  }
  return low;
}
template <class T>
std::int64_t place_above(const exact_terms& terms) {
  return -place_below<T>(negative_of(terms));
}
template <class T>
std::int64_t nearest_place(const exact_terms& terms) {
  const std::int64_t below = place_below<T>(terms);
  const std::int64_t above = place_above<T>(terms);
  if (below == above) return below;
  exact_terms twice = with(terms, {-end_of<T>(below), -end_of<T>(above)});
  twice.insert(twice.end(), terms.begin(), terms.end());
  const int side = sign_of(twice);
  return side < 0 || (side == 0 && below % 2 == 0) ? below : above;
}

// What x * Scale + Bias may be.
struct scaled_numbers {
  bits golden = 0;
  bool number = false;  // whether there is a range
  double low = 0, high = 0;
  bool nan = false, above = false, below = false;
};

template <class T>
scaled_numbers scaled_numbers_of(bits element, const scale_bias& by, bool flushing) {
  using format = format_of<T>;
  const auto x = static_cast<double>(value_of<T>(element));
  const double scale = by.scale, bias = by.bias;
  scaled_numbers result;
  const bool has_product = std::isfinite(x) && std::isfinite(scale);
  const bool finite = has_product && std::isfinite(bias);
  const auto high_part = value_of<double>(bits_of(x) >> 27 << 27);
  exact_terms product;
  if (has_product)
    product = {static_cast<long double>(high_part) * scale, static_cast<long double>(x - high_part) * scale};
  const std::int64_t product_place = has_product ? nearest_place<T>(product) : 0;
  const bool overflows = std::abs(product_place) == infinite_place<T>;
  if (!finite) {
    const double special = has_product ? bias : x * scale + bias;
    result.golden =
        std::isnan(special) ? quiet_nan_of<T>() : bits_at<T>(special < 0 ? -infinite_place<T> : infinite_place<T>);
    if (std::isnan(special)) return result;
    result.number = true;
    result.low = result.high = special;
    result.nan = overflows && (product_place < 0) != (special < 0);
    return result;
  }
  const exact_terms exact = with(product, {static_cast<long double>(bias)});
  const std::int64_t place = nearest_place<T>(exact);
  result.number = true;
  result.golden = bits_at<T>(place);
  const bool zero_product = x == 0 || scale == 0;
  if (sign_of(exact) == 0 && zero_product && std::signbit(x) != std::signbit(scale) && std::signbit(bias))
    result.golden = sign_bit_of<T>;
  if (place == 0 && sign_of(exact) < 0) result.golden = sign_bit_of<T>;
  const auto number = [](std::int64_t at) { return static_cast<double>(value_of<T>(bits_at<T>(at))); };

  const auto is_flushed = [&](double value) { return flushing && value != 0 && std::abs(value) < 0x1p-126; };
  const bool has_subnormal = is_flushed(x) || is_flushed(scale) || is_flushed(bias) ||
                             is_flushed(number(product_place)) || is_flushed(number(place));
  const bool is_exact = !overflows && sign_of(with(product, {-end_of<T>(product_place)})) == 0 &&
                        std::abs(place) != infinite_place<T> && sign_of(with(exact, {-end_of<T>(place)})) == 0;
  if (is_exact && !has_subnormal) {
    result.low = result.high = number(place);
    return result;
  }
  const auto unit = [&](const exact_terms& terms) {
    const int e = sign_of(terms) == 0 ? format::least : std::max(exponent_of(terms), format::least);
    return std::ldexp(1.0L, flushing ? std::max(e - format::digits + 1, format::least) : e - format::digits + 1);
  };
  const long double first = unit(product), second = unit(exact);
  std::int64_t low = place_above<T>(with(exact, {-first, -second}));
  std::int64_t high = place_below<T>(with(exact, {first, second}));
  low = std::max(low, -infinite_place<T> + 1);
  high = std::min(high, infinite_place<T> - 1);
  const long double middle = std::ldexp(1.0L, format::most + 1) - std::ldexp(1.0L, format::most - format::digits);
  const long double in_float = std::is_same_v<T, float16> ? 0x1p-7L : 0.0L;
  if (sign_of(with(exact, {first, in_float, -middle})) >= 0) high = infinite_place<T>;
  if (sign_of(with(exact, {-first, -in_float, middle})) <= 0) low = -infinite_place<T>;
  if (std::is_same_v<T, float16> && place == infinite_place<T>) low = std::min(low, infinite_place<T> - 1);
  if (std::is_same_v<T, float16> && place == -infinite_place<T>) high = std::max(high, -infinite_place<T> + 1);
  result.low = number(low);
  result.high = number(high);
  result.above = overflows && product_place > 0;
  result.below = overflows && product_place < 0;
  return result;
}

// f of the numbers, for an operator with ScaleBias.
template <class T>
element_rule scaled_rule(const element_wise_call& e, const element_wise_call& cut, bits element, const scale_bias& by,
                         bool flushing) {
  using op = element_wise_op;
  scaled_numbers g = scaled_numbers_of<T>(element, by, flushing);
  element_rule rule{true, {}};
  float_range range{.type = data_type_of<T>};
  const auto flush = [&](bits b) { return flushing ? flushed<T>(b) : b; };
  const auto as_bits = [](double x) { return bits_of(static_cast<T>(x)); };
  const auto take = [&](double low, double high) {
    range.low = range.outer_low = low;
    range.high = range.outer_high = high;
  };
  range.nan = g.nan;
  range.above = g.above;
  range.below = g.below;
  take(1, 0);
  switch (e.op) {
    case op::identity:
      rule.allowed = {g.golden};
      if (g.number) take(g.low, g.high);
      break;
    case op::abs:
      rule.allowed = {g.golden & ~sign_bit_of<T>};
      range.above = g.above || g.below;
      range.below = false;
      if (g.number)
        take(g.low <= 0 && g.high >= 0 ? 0 : std::min(std::abs(g.low), std::abs(g.high)),
             std::max(std::abs(g.low), std::abs(g.high)));
      break;
    case op::ceil:
    case op::floor: {
      const auto f = [&](double x) { return e.op == op::ceil ? std::ceil(x) : std::floor(x); };
      rule.allowed = {rounded<T>(e, g.golden).front()};
      range.integers = true;
      if (g.number) take(f(g.low), f(g.high));
      break;
    }
    default: {  // CLIP, CLIP1, THRESHOLD
      rule = number_rule<T>(e, g.golden, 0);
      const auto low = value_of<T>(e.low), high = value_of<T>(e.high);
      const bool nan_bound = low != low || high != high;
      if (e.propagates_nan && nan_bound) return rule;
      add_to(rule.allowed, number_rule<T>(cut, g.golden, 0).allowed);
      const bool inverted = low > high;
      if (g.number && !inverted) {
        double least = std::numeric_limits<double>::infinity(), most = -least;
        for (const double end : {g.low, g.high})
          for (const bits b : {as_bits(end), flush(as_bits(end))})
            for (const element_wise_call* each : {&e, &cut}) {
              if (value_of<T>(each->low) > value_of<T>(each->high)) continue;
              for (const bits y : clipped<T>(*each, b))
                for (const bits z : {y, flush(y)}) {
                  const auto value = static_cast<double>(value_of<T>(z));
                  least = std::min(least, value);
                  most = std::max(most, value);
                }
            }
        take(least, most);
      }
      range.above = range.below = false;
      const bits infinity = goldml::detail::float_bits<T>::infinity;
      if (g.above) rule.allowed.push_back(clipped<T>(e, infinity).front());
      if (g.below) rule.allowed.push_back(clipped<T>(e, infinity | sign_bit_of<T>).front());
      if (g.nan && !e.propagates_nan) rule.allowed.push_back(e.low);
      if (g.nan && !e.propagates_nan && e.op != op::threshold) rule.allowed.push_back(e.high);
      for (std::size_t i = rule.allowed.size(); i-- > 0;) rule.allowed.push_back(flush(rule.allowed[i]));
    }
  }
  if (range.low <= range.high || range.nan || range.above || range.below) rule.range = range;
  return rule;
}

// What flushing adds: x * Scale is a zero if one of them is subnormal, but NaN if the other is infinite or NaN.
inline void allow_flushed_product(element_rule& rule, const element_wise_call& e, const element_wise_call& cut,
                                  bits element, const scale_bias& by) {
  const auto x = value_of<float>(element);
  const auto subnormal = [](float value) { return value != 0 && std::abs(value) < 0x1p-126F; };
  if (!subnormal(x) && !subnormal(by.scale)) return;
  const bits b = bits_of(by.bias);
  std::vector<bits> sums{b, flushed<float>(b)};
  if (flushed<float>(b) << 1 == 0 || std::abs(by.bias) < 0x1p-126F) sums.insert(sums.end(), {0, sign_bit_of<float>});
  if (!std::isfinite(x) || !std::isfinite(by.scale)) sums = {quiet_nan_of<float>()};
  for (const bits sum : sums) {
    values results;
    const float value = value_of<float>(sum);
    switch (e.op) {
      case element_wise_op::identity:
        results = {sum};
        break;
      case element_wise_op::abs:
        results = {sum & ~sign_bit_of<float>};
        break;
      case element_wise_op::ceil:
      case element_wise_op::floor:
        results = {bits_of(e.op == element_wise_op::ceil ? std::ceil(value) : std::floor(value))};
        if (value != value) results = {sum};
        break;
      default:
        results = number_rule<float>(e, sum, 0).allowed;
        add_to(results, number_rule<float>(cut, sum, 0).allowed);
    }
    for (const bits y : results) rule.allowed.insert(rule.allowed.end(), {y, flushed<float>(y)});
  }
}

template <element_wise_op Op>
all_rules scaled_rules_of(const element_wise_desc<Op>& desc, input_refs inputs, bool flushing) {
  const data_type type = inputs[0].desc().data_type;
  element_wise_call e{.op = Op, .flushing = flushing};
  if constexpr (requires { desc.nan_policy; }) e.propagates_nan = desc.nan_policy == nan_policy::propagate;
  element_wise_call cut = e;
  if constexpr (requires { desc.min; }) {
    set_bounds(desc, type, false, e);
    set_bounds(desc, type, true, cut);
  }
  output_rules rules;
  visit_data_type(floating_types{}, type, [&]<class T>(std::type_identity<T>) {
    const bool flushes = flushing && std::is_same_v<T, float>;
    for (const bits x : values_of(inputs[0])) {
      rules.push_back(scaled_rule<T>(e, cut, x, *desc.scale_bias, flushes));
      if (flushes) allow_flushed_product(rules.back(), e, cut, x, *desc.scale_bias);
    }
  });
  return {rules};
}

// Calls f(desc) if the desc is one with a ScaleBias; returns whether it is.
template <class Any, class F>
bool with_scale_bias(Any& desc, const F& f) {
  bool found = false;
  for_each_operator(all_operators{}, [&]<class Desc>(std::type_identity<Desc>) {
    if constexpr (requires(Desc d) { d.scale_bias; }) {
      if (&desc.description() != &description_of<Desc>()) return;
      auto& given = *static_cast<std::conditional_t<std::is_const_v<Any>, const Desc, Desc>*>(desc.get());
      if (!given.scale_bias) return;
      found = true;
      f(given);
    }
  });
  return found;
}

}  // namespace judged
