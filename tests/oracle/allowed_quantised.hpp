// The rules of the quantised operators, written from SPEC-quantised 2 and 4 in long double and in unsigned integers,
// for the default policies.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/operators/convolution_integer.hpp>
#include <goldml/operators/dynamic_quantize_linear.hpp>
#include <goldml/operators/matrix_multiply_integer.hpp>
#include <goldml/operators/matrix_multiply_integer_to_float.hpp>
#include <goldml/operators/quantize.hpp>
#include <goldml/operators/quantize_linear.hpp>
#include <goldml/operators/quantized_linear_add.hpp>
#include <goldml/operators/quantized_linear_average_pooling.hpp>
#include <goldml/operators/quantized_linear_convolution.hpp>
#include <goldml/operators/quantized_linear_matrix_multiply.hpp>

#include "allowed_elementary.hpp"
#include "allowed_values.hpp"
#include "allowed_windows.hpp"

namespace judged {

namespace quantised {

using number = long double;
inline constexpr number unit = 0x1p-24L, least = 0x1p-126L;

inline number real_of(data_type type, bits b) {
  number result = 0;
  visit_data_type(all_types{}, unpacked_type(type), [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_integral_v<T>)
      result = static_cast<number>(value_of<T>(b));
    else
      result = static_cast<number>(static_cast<double>(value_of<T>(b)));
  });
  return result;
}
inline bool is_float(number x) { return static_cast<number>(static_cast<float>(x)) == x; }
inline bool is_power(number x) {
  int exponent = 0;
  return std::abs(std::frexp(x, &exponent)) == 0.5L;
}

// The nearest integer, of two the even one or the one away from zero, plus z, in the type.
template <class Q>
inline constexpr std::pair<int, int> limits_of{std::numeric_limits<Q>::min(), std::numeric_limits<Q>::max()};
template <class Q>
bits stored(number q, number z, bool away = false, std::pair<int, int> limits = limits_of<Q>) {
  const number end = 1e6L, kept = std::clamp(q, -end, end);
  const number k = (away ? std::round(kept) : std::nearbyint(kept)) + z;
  return bits_of(static_cast<Q>(std::clamp(k, static_cast<number>(limits.first), static_cast<number>(limits.second))));
}

template <class Q>
element_rule rule_of(data_type type, number x, number s, number z, bool flushing,
                     std::pair<int, int> limits = limits_of<Q>) {
  const bool single = type != data_type::float16;
  if (x != x || s != s || s == 0 || (std::isinf(x) && std::isinf(s))) return {false};
  if (single && std::abs(s) < least) return {false};
  if (std::isinf(x) && std::abs(s) > 0x1p126L) return {false};
  const number q = x / s;
  element_rule rule{true, {stored<Q>(q, z, false, limits)}};
  if (x == 0 || std::isinf(x) || std::isinf(s)) return rule;
  if (flushing && type == data_type::float32 && std::abs(x) < least)
    rule.allowed.push_back(stored<Q>(0, z, false, limits));
  const bool held = type != data_type::int32 || is_float(x);
  if (is_power(s) && std::abs(s) <= 0x1p126L && held) return rule;
  number e = (held ? 9 : 11) * unit * (1 + 0x1p-20L) * std::abs(q);
  if (single && std::abs(s) >= 0x1p126L * (1 - 0x1p-21L)) {
    e += std::abs(x) * 0x1p-149L;
    rule.allowed.push_back(stored<Q>(0, z, false, limits));
  }
  const auto low = static_cast<int>(value_of<Q>(stored<Q>(q - e, z, false, limits))),
             high = static_cast<int>(value_of<Q>(stored<Q>(q + e, z, false, limits)));
  for (int k = low; k <= high; ++k) rule.allowed.push_back(bits_of(static_cast<Q>(k)));
  return rule;
}

// The numbers within `by` of `middle`, surely and perhaps, as they are stored.
template <class Y>
float_range stored_range(number middle, number by) {
  float_range range{.type = data_type_of<Y>};
  const auto ends = [&](number off, double& low, double& high) {
    low = std::min(elementary::stored<Y>(middle - off, false), elementary::stored<Y>(middle - off, true));
    high = std::max(elementary::stored<Y>(middle + off, false), elementary::stored<Y>(middle + off, true));
  };
  ends(by * (1 - 0x1p-18L), range.low, range.high);
  ends(by * (1 + 0x1p-9L), range.outer_low, range.outer_high);
  return range;
}

// (a - z) * s.
template <class Y>
element_rule rule_back(data_type type, number a, number z, number s, bool flushing) {
  if (s == 0) return {false};
  const number d = a - z, y = d * s;  // 33 bits times 24
  element_rule rule;
  if (s != s) return {true, {quiet_nan_of<Y>()}};
  const bool wide = type == data_type::int32 || type == data_type::uint32;
  if (std::isinf(s)) {
    // The sign of the difference of the floats beside a and z; also modulo 2^32, which may change it.
    const auto product = [&](number sign) {
      if (sign == 0) return quiet_nan_of<Y>();
      return bits_of(
          static_cast<Y>(std::copysign(std::numeric_limits<float>::infinity(), static_cast<float>(sign * s))));
    };
    const auto beside = [](number x) {
      const auto to_nearest = static_cast<float>(x);
      const bool farther = std::abs(static_cast<number>(to_nearest)) > std::abs(x);
      return std::array{to_nearest, farther ? std::nextafter(to_nearest, 0.0F) : to_nearest};
    };
    rule.allowed = {product(d)};
    for (const float x : beside(a))
      for (const float of_zero : beside(z)) rule.allowed.push_back(product(static_cast<number>(x) - of_zero));
    const number end = type == data_type::int32 ? 0x1p31L : 0x1p32L;
    if (wide && (d >= end || d < (type == data_type::int32 ? -end : 0))) rule.allowed.push_back(product(-d));
    return rule;
  }
  const bool single = std::is_same_v<Y, float>;
  const bool exact = !wide || (is_float(a) && is_float(z) && is_float(d));
  number e = 0;
  if (!exact)
    e = std::abs(s) * unit *
        std::max(2 * std::abs(d),
                 (is_float(a) ? 0 : 2 * std::abs(a)) + (is_float(z) ? 0 : 2 * std::abs(z)) + std::abs(d));
  const bool bytes = type == data_type::int8 || type == data_type::uint8;
  if (!single && !bytes) e += unit * std::abs(y);
  rule.range = stored_range<Y>(y, e);
  if (flushing && single && d != 0 && (std::abs(s) < least || std::abs(y) - e < least))
    rule.allowed.push_back(bits_of(Y(0)));
  const number most = type == data_type::int32 ? 0x1p31L - 1 : 0x1p32L - 1,
               low = type == data_type::int32 ? -0x1p31L : 0;
  if (wide && (d < low || d > most)) {
    const auto word = static_cast<std::uint32_t>(static_cast<std::int64_t>(d));
    for (const number other : {static_cast<number>(static_cast<std::int32_t>(word)), static_cast<number>(word)})
      rule.apart.push_back(stored_range<Y>(other * s, 3 * unit * std::abs(other * s)));
  }
  return rule;
}

// The element of a scale or zero point for a line.
inline number parameter(const const_tensor_ref& t, std::uint32_t line) {
  if (!t.present()) return 0;
  const values all = values_of(t);
  return real_of(t.desc().data_type, all[all.size() == 1 ? 0 : line]);
}
inline values zeros_of(std::size_t count) { return values(count, 0); }

// The sum of the products of an element, of their magnitudes and of those of their factors, and how many there are.
struct sum_of_terms {
  number sum = 0, magnitude = 0, left = 0, right = 0;
  int terms = 0;

  void add(number a, number b) {
    sum += a * b;
    magnitude += std::abs(a * b);
    left += std::abs(a);
    right += std::abs(b);
    ++terms;
  }
};
inline bits low_word_of(number sum) { return bits{static_cast<std::uint32_t>(static_cast<std::int64_t>(sum))}; }

// What n roundings do.
inline number growth(int n, number of = unit) { return std::expm1(static_cast<number>(n) * std::log1p(of)); }

// The nearest integer to (high + low) / s, of two as stored() takes it; high has at most 64 bits, and low is what it
// lacks.
inline number nearest_integer(number high, number low, number s, bool away) {
  const number q = high / s, whole = std::floor(q);
  const number middle = whole + 0.5L;
  const number rest = std::fma(-middle, s, high) + low;  // one rounding of an exact difference
  if (std::abs(q - middle) > 1e-9L) return std::nearbyint(q);
  if (rest == 0) return away ? std::round(middle) : std::nearbyint(middle);
  return (rest > 0) == (s > 0) ? whole + 1 : whole;
}

template <class Q>
void allow_all(number low, number high, number z, element_rule& rule, bool away = false) {
  const int first = static_cast<int>(value_of<Q>(stored<Q>(low, z, away))),
            last = static_cast<int>(value_of<Q>(stored<Q>(high, z, away)));
  for (int k = first; k <= last; ++k) rule.allowed.push_back(bits_of(static_cast<Q>(k)));
}
inline bool is_extreme(number x, number most, bool half) {
  const number size = std::abs(x), end = static_cast<number>(std::numeric_limits<float>::max()) / 2;
  if (half) return !(size >= 0x1p-14L && size < 65504) || size * most >= 65504;
  return !(size >= 2 * least && size <= end) || size * most > end;
}
inline number lowest_bit_of(number s) {
  number bit = std::ldexp(1.0L, std::ilogb(s));
  while (std::fmod(s, bit) != 0) bit /= 2;
  return bit;
}

// The policies of a requantisation.
struct requantising {
  bool half = false, away = false, by_fixed_point = false;

  template <class Desc>
  explicit requantising(const Desc& desc)
      : half(desc.accumulation != accumulation::single), away(desc.quantize_ties == quantize_ties::away) {
    if constexpr (requires { desc.fixed_point; }) by_fixed_point = desc.fixed_point == fixed_point::accept;
  }
};

// as * bs * sum / os, by integers scaled once, by sums of FLOAT32 or in half precision, or by a shifted integer.
template <class Q>
element_rule requantised_rule(const sum_of_terms& s, number as, number bs, number os, number z, number bias,
                              bool has_bias, const requantising& how) {
  const number m = as * bs / os, magnitude = s.magnitude + std::abs(bias), sum = s.sum + bias;
  const number most = std::max(255.0L, magnitude);
  if (is_extreme(os, 1, how.half) || is_extreme(1 / os, how.half ? most : 1, how.half)) return {false};
  if (how.half && most >= 65504) return {false};
  for (const number x : {as, bs, as * bs, as / os, bs / os, m})
    if (is_extreme(x, most, how.half)) return {false};
  const number high = as * bs * sum, low = std::fma(as * bs, sum, -high);
  const number v = high / os;
  element_rule rule{true, {}};
  rule.allowed.push_back(stored<Q>(nearest_integer(high, low, os, how.away), z));
  const int n = s.terms + 5 + (has_bias ? 2 : 0);
  number e = 0;
  if (how.half) {  // every step
    const number g = growth(n + 3, 0x1p-11L), factors = std::abs(as) * s.left + std::abs(bs) * s.right + 2 * s.terms;
    e = g * std::abs(m) * magnitude + (1 + g) * 0x1p-25L * factors / std::abs(os);
  } else if (!is_power(os) || std::abs(as * bs) * magnitude > 0x1p24L * lowest_bit_of(as) * lowest_bit_of(bs)) {
    e = std::max(growth(13) * std::abs(v), growth(n + 6) * std::abs(m) * magnitude);
  }
  if (how.by_fixed_point) {
    int exponent = 0;
    std::frexp(m, &exponent);
    e = std::max(e, (exponent < 0 ? std::ldexp(0.5L, exponent) : 0) + std::abs(v) * 0x1p-31L);
  }
  if (e > 0) allow_all<Q>(v - e, v + e, z, rule, how.away);
  const auto word = static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::int64_t>(sum)));
  if (static_cast<number>(word) != sum) {
    const number other = m * static_cast<number>(word);
    allow_all<Q>(other - growth(13) * std::abs(other), other + growth(13) * std::abs(other), z, rule, how.away);
  }
  return rule;
}

template <class F>
void with_bytes(data_type type, const F& f) {
  visit_data_type(type_list<std::uint8_t, std::int8_t>{}, type, f);
}

}  // namespace quantised

inline all_rules rules_of(const element_wise_quantize_linear_desc&, input_refs inputs, output_descs outputs,
                          bool flushing = false) {
  using namespace quantised;
  const data_type type = inputs[0].desc().data_type, integer = outputs[0].data_type;
  const values x = values_of(inputs[0]), s = values_of(inputs[1]);
  const values z = inputs[2].present() ? values_of(inputs[2]) : zeros_of(x.size());
  output_rules rules;
  visit_data_type(type_list<std::uint8_t, std::int8_t>{}, integer, [&]<class Q>(std::type_identity<Q>) {
    for (std::size_t i = 0; i < x.size(); ++i)
      rules.push_back(rule_of<Q>(type, real_of(type, x[i]), real_of(inputs[1].desc().data_type, s[i]),
                                 real_of(integer, z[i]), flushing));
  });
  return {rules};
}

inline all_rules rules_of(const element_wise_dequantize_linear_desc&, input_refs inputs, output_descs outputs,
                          bool flushing = false) {
  using namespace quantised;
  const data_type type = inputs[0].desc().data_type;
  const values a = values_of(inputs[0]), s = values_of(inputs[1]);
  const values z = inputs[2].present() ? values_of(inputs[2]) : zeros_of(a.size());
  output_rules rules;
  visit_data_type(type_list<float, float16>{}, outputs[0].data_type, [&]<class Y>(std::type_identity<Y>) {
    for (std::size_t i = 0; i < a.size(); ++i)
      rules.push_back(
          rule_back<Y>(type, real_of(type, a[i]), real_of(type, z[i]), real_of(outputs[0].data_type, s[i]), flushing));
  });
  return {rules};
}

// The number of the scale of an element: sizes are divided into blocks.
inline std::size_t number_of_block(const coordinate_tuple& c, const dimensions& sizes, const dimensions& scale) {
  std::size_t number = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) number = number * scale[i] + c[i] * scale[i] / sizes[i];
  return number;
}

// Calls f(element, number of its block, its zero point).
template <class F>
void for_each_in_blocks_of(input_refs inputs, data_type integer, const F& f) {
  using namespace quantised;
  const number middle = integer == data_type::uint4 ? 8 : integer == data_type::uint8 ? 128 : 0;
  const values z = inputs.size() > 2 ? values_of(inputs[2]) : values();
  const dimensions& sizes = inputs[0].desc().sizes;
  std::size_t element = 0;
  for (const coordinate_tuple& c : coordinates_of(sizes)) {
    const std::size_t block = number_of_block(c, sizes, inputs[1].desc().sizes);
    f(element++, block, z.empty() ? middle : real_of(integer, z[block]));
  }
}

inline all_rules rules_of(const quantize_desc&, input_refs inputs, output_descs outputs, bool flushing = false) {
  using namespace quantised;
  const data_type type = inputs[0].desc().data_type, integer = outputs[0].data_type;
  const values x = values_of(inputs[0]), s = values_of(inputs[1]);
  output_rules rules;
  visit_data_type(type_list<std::uint8_t, std::int8_t>{}, unpacked_type(integer), [&]<class Q>(std::type_identity<Q>) {
    const std::pair<int, int> limits = integer == data_type::uint4  ? std::pair(0, 15)
                                       : integer == data_type::int4 ? std::pair(-8, 7)
                                                                    : limits_of<Q>;
    for_each_in_blocks_of(inputs, integer, [&](std::size_t i, std::size_t block, number z) {
      rules.push_back(rule_of<Q>(type, real_of(type, x[i]), real_of(type, s[block]), z, flushing, limits));
    });
  });
  return {rules};
}

inline all_rules rules_of(const dequantize_desc&, input_refs inputs, output_descs outputs, bool flushing = false) {
  using namespace quantised;
  const data_type type = inputs[0].desc().data_type;
  const values a = values_of(inputs[0]), s = values_of(inputs[1]);
  output_rules rules;
  visit_data_type(type_list<float, float16>{}, outputs[0].data_type, [&]<class Y>(std::type_identity<Y>) {
    for_each_in_blocks_of(inputs, type, [&](std::size_t i, std::size_t block, number z) {
      rules.push_back(
          rule_back<Y>(unpacked_type(type), real_of(type, a[i]), z, real_of(outputs[0].data_type, s[block]), flushing));
    });
  });
  return {rules};
}

// The sum of an element of a product of matrices.
inline quantised::sum_of_terms product_at(const const_tensor_ref& a, const const_tensor_ref& a_zero,
                                          const const_tensor_ref& b, const const_tensor_ref& b_zero,
                                          const coordinate_tuple& c) {
  using namespace quantised;
  const values left = values_of(a), right = values_of(b);
  const std::size_t last = c.size() - 1;
  sum_of_terms result;
  coordinate_tuple i = c, j = c;
  for (std::uint32_t k = 0; k < a.desc().sizes[last]; ++k) {
    i[last] = j[last - 1] = k;
    result.add(real_of(a.desc().data_type, left[number_of(i, a.desc().sizes)]) - parameter(a_zero, c[last - 1]),
               real_of(b.desc().data_type, right[number_of(j, b.desc().sizes)]) - parameter(b_zero, c[last]));
  }
  return result;
}

inline all_rules rules_of(const matrix_multiply_integer_desc&, input_refs inputs, output_descs outputs) {
  return {exactly(outputs[0].sizes, [&](const coordinate_tuple& c) {
    return quantised::low_word_of(product_at(inputs[0], inputs[1], inputs[2], inputs[3], c).sum);
  })};
}

template <class Y>
element_rule scaled_rule(input_refs inputs, const coordinate_tuple& c, bool flushing) {
  using namespace quantised;
  const bool single = std::is_same_v<Y, float>;
  const std::size_t last = c.size() - 1;
  const number as = parameter(inputs[1], c[last - 1]), bs = parameter(inputs[4], c[last]);
  const number bias = inputs[6].present() ? real_of(inputs[6].desc().data_type,
                                                    values_of(inputs[6])[number_of(c, inputs[6].desc().sizes)])
                                          : 0;
  const sum_of_terms s = product_at(inputs[0], inputs[2], inputs[3], inputs[5], c);
  const number m = std::abs(as * bs), omega = std::numeric_limits<float>::max();
  if (!std::isfinite(m) || s.sum < -0x1p31L || s.sum >= 0x1p31L) return {false};
  // What FLOAT32 does not hold, and the greatest factors.
  number lost = 0, of_a = 0, of_b = 0;
  bool halves = true;
  const values left = values_of(inputs[0]), right = values_of(inputs[3]);
  coordinate_tuple i = c, j = c;
  for (std::uint32_t k = 0; k < inputs[0].desc().sizes[last]; ++k) {
    i[last] = j[last - 1] = k;
    const number a = real_of(inputs[0].desc().data_type, left[number_of(i, inputs[0].desc().sizes)]);
    const number b = real_of(inputs[3].desc().data_type, right[number_of(j, inputs[3].desc().sizes)]);
    const number az = parameter(inputs[2], c[last - 1]), bz = parameter(inputs[5], c[last]);
    // Each difference may be off by its operands' conversion and a rounding, or by its own conversion.
    const auto off = [](number x, number zero) {
      const number operands = (is_float(x) ? 0 : std::abs(x)) + (is_float(zero) ? 0 : std::abs(zero));
      const number own = is_float(x - zero) ? 0 : 2 * unit * std::abs(x - zero);
      if (operands == 0) return own;
      return std::max(own, 2 * unit * operands + unit * (std::abs(x - zero) + 2 * unit * operands));
    };
    const number off_a = off(a, az), off_b = off(b, bz);
    lost += (std::abs(a - az) + off_a) * (std::abs(b - bz) + off_b) - std::abs(a - az) * std::abs(b - bz);
    of_a = std::max(of_a, std::abs(as) * (std::abs(a - az) + off_a));
    of_b = std::max(of_b, std::abs(bs) * (std::abs(b - bz) + off_b));
    halves = halves && off_a == 0 && off_b == 0;
    for (const number x : {as * (a - az), bs * (b - bz)})
      halves = halves && static_cast<number>(static_cast<float>(static_cast<float16>(static_cast<float>(x)))) == x;
  }
  if (!single && (of_a >= 65504 || of_b >= 65504)) return {false};
  element_rule rule;
  if (bias != bias) return {true, {quiet_nan_of<Y>()}};
  // Sums by both scales or by one, and factors, that FLOAT32 does not hold.
  const number end = omega * (1 - 0x1p-10L), scale = std::max({m, std::abs(as), std::abs(bs)});
  const bool overflows = std::max({m, of_a, of_b}) >= end;
  if (std::isinf(bias)) {  // NaN, if what has the other sign may be infinite
    rule.allowed = {bits_of(static_cast<Y>(static_cast<float>(bias)))};
    const number towards = std::signbit(as) == std::signbit(bs) ? s.sum : -s.sum;
    const number other = (s.magnitude - std::copysign(1.0L, bias) * towards) / 2;
    if (overflows || scale * other >= end) rule.allowed.push_back(quiet_nan_of<Y>());
    return rule;
  }
  const number sizes = m * s.magnitude + std::abs(bias), y = as * bs * s.sum + bias;
  const number q = m == 0      ? 0
                   : bias == 0 ? lowest_bit_of(as) * lowest_bit_of(bs)
                               : std::min(lowest_bit_of(as) * lowest_bit_of(bs), lowest_bit_of(bias));
  const bool may_vanish = flushing && single && (std::abs(as) < least || std::abs(bs) < least);
  const bool exact = m != 0 && lost == 0 && !may_vanish && q >= least && sizes <= 0x1p24L * q;
  number e = m == 0 && flushing && single && std::abs(bias) < least ? 2 * least : 0;
  if (m != 0) {
    const bool subnormal = m < least || std::abs(as) < least || std::abs(bs) < least;
    number f = 0;  // flushed terms and sums, or half of the least number of as * bs or of each product
    if (flushing && single)
      f = (subnormal ? m * s.magnitude + 2 * least : 0) + 2 * least;
    else if (m < least && lowest_bit_of(as) * lowest_bit_of(bs) < 0x1p-149L)
      f = 0x1p-150L * (s.magnitude + lost);
    if (!exact)
      e = std::max(growth(s.terms + 3) * sizes, growth(5) * (m * std::abs(s.sum) + std::abs(bias))) + f +
          m * lost * (1 + growth(s.terms + 3));
    if (!single && !halves) e += 2.01L * 0x1p-10L * m * (s.magnitude + lost);
  }
  rule.range = stored_range<Y>(y, e);
  if (overflows || scale * s.magnitude + std::abs(bias) >= end)
    rule.range->nan = rule.range->above = rule.range->below = true;
  return rule;
}

inline all_rules rules_of(const matrix_multiply_integer_to_float_desc&, input_refs inputs, output_descs outputs,
                          bool flushing = false) {
  output_rules rules;
  visit_data_type(type_list<float, float16>{}, outputs[0].data_type, [&]<class Y>(std::type_identity<Y>) {
    for (const coordinate_tuple& c : coordinates_of(outputs[0].sizes))
      rules.push_back(scaled_rule<Y>(inputs, c, flushing));
  });
  return {rules};
}

inline all_rules rules_of(const quantized_linear_matrix_multiply_desc& desc, input_refs inputs, output_descs outputs) {
  using namespace quantised;
  output_rules rules;
  with_bytes(outputs[0].data_type, [&]<class Q>(std::type_identity<Q>) {
    for (const coordinate_tuple& c : coordinates_of(outputs[0].sizes)) {
      const std::uint32_t row = c[c.size() - 2], column = c[c.size() - 1];
      rules.push_back(requantised_rule<Q>(product_at(inputs[0], inputs[2], inputs[3], inputs[5], c),
                                          parameter(inputs[1], row), parameter(inputs[4], column),
                                          parameter(inputs[6], row), parameter(inputs[7], row), 0, false,
                                          requantising(desc)));
    }
  });
  return {rules};
}

// The sum of an element of a convolution; `filter` has all its taps.
template <class Desc>
quantised::sum_of_terms convolution_at(const Desc& desc, const const_tensor_ref& input, const const_tensor_ref& x_zeros,
                                       const const_tensor_ref& weights, const const_tensor_ref& w_zeros,
                                       const dimensions& output, const coordinate_tuple& c) {
  using namespace quantised;
  const values x = values_of(input), w = values_of(weights);
  const dimensions &sizes = input.desc().sizes, &filter = weights.desc().sizes;
  const number x_zero = parameter(x_zeros, 0), w_zero = parameter(w_zeros, c[1]);
  const std::uint32_t group = c[1] / (output[1] / desc.group_count);
  sum_of_terms result;
  dimensions taps = filter;
  taps[0] = 1;
  for (const coordinate_tuple& t : coordinates_of(taps)) {
    coordinate_tuple from = c, weight = t;
    from[1] = group * filter[1] + t[1];
    weight[0] = c[1];
    bool inside = true;
    for (std::size_t i = 0; i + 2 < c.size(); ++i) {
      const std::int64_t at =
          std::int64_t{c[2 + i]} * desc.strides[i] + std::int64_t{t[2 + i]} * desc.dilations[i] - desc.start_padding[i];
      inside = inside && at >= 0 && at < sizes[2 + i];
      if (inside) from[2 + i] = static_cast<std::uint32_t>(at);
    }
    const number read = inside ? real_of(input.desc().data_type, x[number_of(from, sizes)]) - x_zero : 0;
    result.add(read, real_of(weights.desc().data_type, w[number_of(weight, filter)]) - w_zero);
  }
  return result;
}

inline all_rules rules_of(const convolution_integer_desc& desc, input_refs inputs, output_descs outputs) {
  return {exactly(outputs[0].sizes, [&](const coordinate_tuple& c) {
    return quantised::low_word_of(
        convolution_at(desc, inputs[0], inputs[1], inputs[2], inputs[3], outputs[0].sizes, c).sum);
  })};
}

inline all_rules rules_of(const quantized_linear_convolution_desc& desc, input_refs inputs, output_descs outputs) {
  using namespace quantised;
  output_rules rules;
  with_bytes(outputs[0].data_type, [&]<class Q>(std::type_identity<Q>) {
    for (const coordinate_tuple& c : coordinates_of(outputs[0].sizes))
      rules.push_back(requantised_rule<Q>(
          convolution_at(desc, inputs[0], inputs[2], inputs[3], inputs[5], outputs[0].sizes, c),
          parameter(inputs[1], 0), parameter(inputs[4], c[1]), parameter(inputs[7], 0), parameter(inputs[8], 0),
          parameter(inputs[6], c[1]), inputs[6].present(), requantising(desc)));
  });
  return {rules};
}

// Of a window: xs * S / (count * os), by a division by a count on each axis, and one by the scale.
template <class Q>
element_rule averaged_rule(const windows::covered& window, const quantised::sum_of_terms& s, quantised::number xs,
                           quantised::number os, quantised::number z, const quantised::requantising& how) {
  using namespace quantised;
  const number count = window.divisor;
  if (count == 0 || is_extreme(os, 1, false) || is_extreme(1 / os, 1, false)) return {false};
  for (const number x : {xs, xs / os, xs / count, xs / count / os})
    if (is_extreme(x, std::max(255.0L, s.magnitude), false)) return {false};
  element_rule rule{true, {}};
  rule.allowed.push_back(stored<Q>(nearest_integer(xs * s.sum, 0, os * count, how.away), z));
  const int divisions = 1 + std::max(1, static_cast<int>(window.axes));
  const number m = std::abs(xs / (count * os)), v = xs * s.sum / (count * os);
  number e = 0;
  if (!is_power(os) || !is_power(count) || std::abs(xs) * s.magnitude > 0x1p24L * lowest_bit_of(xs))
    e = std::max(growth(3 + 9 * divisions) * std::abs(v), growth(s.terms + 9 * divisions) * m * s.magnitude);
  if (how.by_fixed_point) {
    int exponent = 0;
    std::frexp(m, &exponent);
    e = std::max(e, (exponent < 0 ? std::ldexp(0.5L, exponent) : 0) + std::abs(v) * 0x1p-31L);
  }
  if (e > 0) allow_all<Q>(v - e, v + e, z, rule, how.away);
  return rule;
}

inline all_rules rules_of(const quantized_linear_average_pooling_desc& desc, input_refs inputs, output_descs outputs) {
  using namespace quantised;
  const data_type type = inputs[0].desc().data_type;
  const values x = values_of(inputs[0]);
  output_rules rules;
  with_bytes(outputs[0].data_type, [&]<class Q>(std::type_identity<Q>) {
    for (const coordinate_tuple& c : coordinates_of(outputs[0].sizes)) {
      const windows::covered window = windows::covered_by(desc, inputs[0].desc().sizes, c);
      sum_of_terms s;
      for (const std::uint64_t place : window.elements) s.add(real_of(type, x[place]) - parameter(inputs[2], c[1]), 1);
      rules.push_back(averaged_rule<Q>(window, s, parameter(inputs[1], c[1]), parameter(inputs[3], c[1]),
                                       parameter(inputs[4], c[1]), requantising(desc)));
    }
  });
  return {rules};
}

inline all_rules rules_of(const element_wise_quantized_linear_add_desc& desc, input_refs inputs, output_descs outputs) {
  using namespace quantised;
  const values a = values_of(inputs[0]), b = values_of(inputs[3]);
  const number as = parameter(inputs[1], 0), bs = parameter(inputs[4], 0), os = parameter(inputs[6], 0);
  const requantising how(desc);
  const bool half = how.half;
  bool undefined = is_extreme(os, 1, half) || is_extreme(1 / os, half ? 255 : 1, half);
  for (const number x : {as, bs, as / os, bs / os}) undefined = undefined || is_extreme(x, 255, half);
  output_rules rules;
  with_bytes(outputs[0].data_type, [&]<class Q>(std::type_identity<Q>) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (undefined) {
        rules.push_back({false});
        continue;
      }
      const number p = as * (real_of(inputs[0].desc().data_type, a[i]) - parameter(inputs[2], 0));
      const number r = bs * (real_of(inputs[3].desc().data_type, b[i]) - parameter(inputs[5], 0));
      const number high = p + r, of_p = high - r, low = (p - of_p) + (r - (high - of_p));
      const number z = parameter(inputs[7], 0), sizes = std::abs(p) + std::abs(r);
      element_rule rule{true, {}};
      rule.allowed.push_back(stored<Q>(nearest_integer(high, low, os, how.away), z));
      if (half) {
        const number g = growth(8, 0x1p-11L), e = (g * sizes + (1 + g) * 0x1p-23L) / std::abs(os);
        allow_all<Q>(high / os - e, high / os + e, z, rule, how.away);
      } else if (!is_power(os) || sizes > 0x1p24L * std::min(lowest_bit_of(as), lowest_bit_of(bs))) {
        const number e = growth(11) * sizes / std::abs(os);
        allow_all<Q>(high / os - e, high / os + e, z, rule, how.away);
      }
      rules.push_back(rule);
    }
  });
  return {rules};
}

namespace quantised {

// What DYNAMIC_QUANTIZE_LINEAR may write, given the scale and the zero point that the device wrote, where those are
// right themselves; otherwise its golden ones.
template <class Q>
all_rules dynamic_rules(input_refs inputs, bool flushing, const std::vector<values>* got) {
  const data_type type = inputs[0].desc().data_type;
  const values x = values_of(inputs[0]);
  const bool flushes = flushing && type == data_type::float32;
  number low = 0, high = 0;
  bool has_nan = false;
  for (const bits b : x) {
    const number each = real_of(type, b);
    has_nan = has_nan || each != each;
    if (each < low) low = each;
    if (each > high) high = each;
  }
  constexpr number infinite = std::numeric_limits<number>::infinity();
  const number most = std::numeric_limits<float>::max();
  const auto range_of = [&](number width, int roundings, number unit_of) {
    float_range range{.type = data_type::float32, .nan = has_nan};
    const number scale = width / 255, e = std::isinf(width) ? 0 : growth(roundings) * unit_of * scale;
    range.low = elementary::stored<float>(scale - e * (1 - 0x1p-9L), false);
    range.high = elementary::stored<float>(scale + e * (1 - 0x1p-9L), false);
    range.outer_low = elementary::stored<float>(scale - e * (1 + 0x1p-9L), false);
    range.outer_high = elementary::stored<float>(scale + e * (1 + 0x1p-9L), false);
    range.above = width >= most * (1 - 2 * unit);
    return range;
  };
  element_rule scale;
  const number width = high - low;
  const bool empty = low == 0 && high == 0;
  if (empty)
    scale.range = float_range{.type = data_type::float32,
                              .low = 0,
                              .high = static_cast<double>(most),
                              .outer_low = 0,
                              .outer_high = static_cast<double>(most),
                              .nan = has_nan};
  else
    scale.range = range_of(width, 10, 1);
  const float golden = empty ? 0.0F : static_cast<float>(elementary::stored<float>(width / 255, false));
  scale.allowed.push_back(bits_of(golden));
  if (flushes && !empty) {
    if (width / 255 < least * (1 + 0x1p-20L)) scale.allowed.push_back(bits_of(0.0F));
    const number low_0 = low > -least ? 0 : low, high_0 = high < least ? 0 : high;
    if (high_0 - low_0 != width && high_0 - low_0 != 0) scale.apart.push_back(range_of(high_0 - low_0, 10, 1));
  }
  float used = golden;
  if (got != nullptr && scale.allows((*got)[1][0])) used = value_of<float>((*got)[1][0]);
  const auto s = static_cast<number>(used);
  const number least_of = std::numeric_limits<Q>::min();
  if (s != s || s < least || low == -infinite || (width != infinite && width >= 0x1p126L))
    return {output_rules(x.size(), element_rule{false}), {scale}, {element_rule{false}}};
  element_rule zero{true, {stored<Q>(-low / s, least_of)}};
  const number e = low == 0 || std::isinf(s) ? 0 : growth(21) * 256;
  allow_all<Q>(-low / s - e, -low / s + e, least_of, zero);
  if (flushes && low != 0 && low > -least) zero.allowed.push_back(bits_of(std::numeric_limits<Q>::min()));
  bits z = zero.allowed.front();
  if (got != nullptr && zero.allows((*got)[2][0])) z = (*got)[2][0];
  output_rules elements;
  for (const bits b : x) {
    const number each = real_of(type, b);
    if (each != each || std::isinf(each)) {
      elements.push_back({false});
      continue;
    }
    const number q = each / s, of_q = std::isinf(s) ? 0 : growth(19) * std::abs(q), at = value_of<Q>(z);
    element_rule rule{true, {stored<Q>(q, at)}};
    if (each != 0) allow_all<Q>(q - of_q, q + of_q, at, rule);
    if (flushes && std::abs(each) < least) rule.allowed.push_back(z);
    elements.push_back(rule);
  }
  return {elements, {scale}, {zero}};
}

}  // namespace quantised

inline all_rules rules_given(const dynamic_quantize_linear_desc&, input_refs inputs, output_descs outputs,
                             const std::vector<values>* got, bool flushing) {
  all_rules result;
  quantised::with_bytes(outputs[0].data_type, [&]<class Q>(std::type_identity<Q>) {
    result = quantised::dynamic_rules<Q>(inputs, flushing, got);
  });
  return result;
}
inline all_rules rules_of(const dynamic_quantize_linear_desc& desc, input_refs inputs, output_descs outputs,
                          bool flushing = false) {
  return rules_given(desc, inputs, outputs, nullptr, flushing);
}

}  // namespace judged
