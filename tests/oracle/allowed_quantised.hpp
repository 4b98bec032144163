// The rules of ELEMENT_WISE_QUANTIZE_LINEAR, ELEMENT_WISE_DEQUANTIZE_LINEAR, MATRIX_MULTIPLY_INTEGER and
// CONVOLUTION_INTEGER, written from SPEC-quantised 2 and 4 in long double and in unsigned integers, for the default
// policies.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <goldml/operators/convolution_integer.hpp>
#include <goldml/operators/matrix_multiply_integer.hpp>
#include <goldml/operators/quantize_linear.hpp>

#include "allowed_elementary.hpp"
#include "allowed_values.hpp"

namespace judged {

namespace quantised {

using number = long double;
inline constexpr number unit = 0x1p-24L, least = 0x1p-126L;

inline number real_of(data_type type, bits b) {
  number result = 0;
  visit_data_type(all_types{}, type, [&]<class T>(std::type_identity<T>) {
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

// The nearest integer, of two the even one, plus z, in the type.
template <class Q>
bits stored(number q, number z) {
  const number end = 1e6L;
  const number k = std::nearbyint(std::clamp(q, -end, end)) + z;
  using limits = std::numeric_limits<Q>;
  return bits_of(static_cast<Q>(std::clamp(k, static_cast<number>(limits::min()), static_cast<number>(limits::max()))));
}

template <class Q>
element_rule rule_of(data_type type, number x, number s, number z, bool flushing) {
  const bool single = type != data_type::float16;
  if (x != x || s != s || s == 0 || (std::isinf(x) && std::isinf(s))) return {false};
  if (single && std::abs(s) < least) return {false};
  if (std::isinf(x) && std::abs(s) > 0x1p126L) return {false};
  const number q = x / s;
  element_rule rule{true, {stored<Q>(q, z)}};
  if (x == 0 || std::isinf(x) || std::isinf(s)) return rule;
  if (flushing && type == data_type::float32 && std::abs(x) < least) rule.allowed.push_back(stored<Q>(0, z));
  const bool held = type != data_type::int32 || is_float(x);
  if (is_power(s) && std::abs(s) <= 0x1p126L && held) return rule;
  number e = (held ? 9 : 11) * unit * (1 + 0x1p-20L) * std::abs(q);
  if (single && std::abs(s) >= 0x1p126L * (1 - 0x1p-21L)) {
    e += std::abs(x) * 0x1p-149L;
    rule.allowed.push_back(stored<Q>(0, z));
  }
  const auto low = static_cast<int>(value_of<Q>(stored<Q>(q - e, z))),
             high = static_cast<int>(value_of<Q>(stored<Q>(q + e, z)));
  for (int k = low; k <= high; ++k) rule.allowed.push_back(bits_of(static_cast<Q>(k)));
  return rule;
}

// (a - z) * s.
template <class Y>
element_rule rule_back(data_type type, number a, number z, number s, bool flushing) {
  if (s == 0) return {false};
  const number d = a - z, y = d * s;  // 33 bits times 24
  element_rule rule;
  if (y != y) return {true, {quiet_nan_of<Y>()}};
  const bool wide = type == data_type::int32 || type == data_type::uint32;
  if (std::isinf(y)) {  // of both signs, if the difference may be taken modulo 2^32
    const auto infinite = [](number sign) {
      return bits_of(static_cast<Y>(std::copysign(std::numeric_limits<float>::infinity(), static_cast<float>(sign))));
    };
    rule.allowed = {infinite(y)};
    const number end = type == data_type::int32 ? 0x1p31L : 0x1p32L;
    if (wide && (d >= end || d < (type == data_type::int32 ? -end : 0))) rule.allowed.push_back(infinite(-y));
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
  const auto range_of = [&](number middle, number by) {
    float_range range{.type = data_type_of<Y>};
    const auto ends = [&](number off, double& low, double& high) {
      low = std::min(elementary::stored<Y>(middle - off, false), elementary::stored<Y>(middle - off, true));
      high = std::max(elementary::stored<Y>(middle + off, false), elementary::stored<Y>(middle + off, true));
    };
    ends(by * (1 - 0x1p-18L), range.low, range.high);
    ends(by * (1 + 0x1p-9L), range.outer_low, range.outer_high);
    return range;
  };
  rule.range = range_of(y, e);
  if (flushing && single && d != 0 && (std::abs(s) < least || std::abs(y) - e < least))
    rule.allowed.push_back(bits_of(Y(0)));
  const number most = type == data_type::int32 ? 0x1p31L - 1 : 0x1p32L - 1,
               low = type == data_type::int32 ? -0x1p31L : 0;
  if (wide && (d < low || d > most)) {
    const auto word = static_cast<std::uint32_t>(static_cast<std::int64_t>(d));
    for (const number other : {static_cast<number>(static_cast<std::int32_t>(word)), static_cast<number>(word)})
      rule.apart.push_back(range_of(other * s, 3 * unit * std::abs(other * s)));
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

inline all_rules rules_of(const matrix_multiply_integer_desc&, input_refs inputs, output_descs outputs) {
  using namespace quantised;
  const values a = values_of(inputs[0]), b = values_of(inputs[2]);
  const data_type of_a = inputs[0].desc().data_type, of_b = inputs[2].desc().data_type;
  const dimensions &left = inputs[0].desc().sizes, &right = inputs[2].desc().sizes;
  return {exactly(outputs[0].sizes, [&](const coordinate_tuple& c) {
    const std::size_t last = c.size() - 1;
    number sum = 0;
    coordinate_tuple i = c, j = c;
    for (std::uint32_t k = 0; k < left[last]; ++k) {
      i[last] = j[last - 1] = k;
      sum += (real_of(of_a, a[number_of(i, left)]) - parameter(inputs[1], c[last - 1])) *
             (real_of(of_b, b[number_of(j, right)]) - parameter(inputs[3], c[last]));
    }
    return bits{static_cast<std::uint32_t>(static_cast<std::int64_t>(sum))};
  })};
}

inline all_rules rules_of(const convolution_integer_desc& desc, input_refs inputs, output_descs outputs) {
  using namespace quantised;
  const values x = values_of(inputs[0]), w = values_of(inputs[2]);
  const data_type of_x = inputs[0].desc().data_type, of_w = inputs[2].desc().data_type;
  const dimensions &sizes = inputs[0].desc().sizes, &filter = inputs[2].desc().sizes;
  const number x_zero = parameter(inputs[1], 0);
  return {exactly(outputs[0].sizes, [&](const coordinate_tuple& c) {
    const std::uint32_t group = c[1] / (outputs[0].sizes[1] / desc.group_count);
    const number w_zero = parameter(inputs[3], c[1]);
    number sum = 0;
    dimensions taps = filter;
    taps[0] = 1;
    for (const coordinate_tuple& t : coordinates_of(taps)) {
      coordinate_tuple from = c, weight = t;
      from[1] = group * filter[1] + t[1];
      weight[0] = c[1];
      bool inside = true;
      for (std::size_t i = 0; i + 2 < c.size(); ++i) {
        const std::int64_t at = std::int64_t{c[2 + i]} * desc.strides[i] + std::int64_t{t[2 + i]} * desc.dilations[i] -
                                desc.start_padding[i];
        inside = inside && at >= 0 && at < sizes[2 + i];
        if (inside) from[2 + i] = static_cast<std::uint32_t>(at);
      }
      if (inside)
        sum += (real_of(of_x, x[number_of(from, sizes)]) - x_zero) *
               (real_of(of_w, w[number_of(weight, filter)]) - w_zero);
    }
    return bits{static_cast<std::uint32_t>(static_cast<std::int64_t>(sum))};
  })};
}

}  // namespace judged
