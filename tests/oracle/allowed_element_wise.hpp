// The rules of CAST and the element-wise operators, written from their pages and the rulings L20 to L29 and L35.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "allowed_arithmetic.hpp"
#include "allowed_layout.hpp"

namespace judged {

// A number converted to another type. What a type does not hold may be rounded to nearest even or toward zero, or is an
// integer without its high bits, or the nearest one.
template <class From, class To>
element_rule cast_rule(const cast_desc& desc, bits b) {
  const From x = value_of<From>(b);
  const bits mask = ~bits{0} >> (64 - 8 * sizeof(To));
  if constexpr (std::is_same_v<From, To>) {
    return {true, {b}};
  } else if constexpr (std::is_integral_v<From> && std::is_integral_v<To>) {
    if (std::in_range<To>(x)) return {true, {bits_of(static_cast<To>(x))}};
    const To nearest = x < 0 ? std::numeric_limits<To>::lowest() : std::numeric_limits<To>::max();
    if (desc.integer_narrowing == integer_narrowing::clamp) return {true, {bits_of(nearest)}};
    return {true, {static_cast<std::uint64_t>(x) & mask, bits_of(nearest)}};
  } else if constexpr (std::is_integral_v<To>) {
    const auto number = static_cast<double>(x);
    if (desc.cast_overflow == cast_overflow::saturate) return truncated_to<To>(x);
    if (!std::isfinite(number)) return {true, {0}};
    const auto low = static_cast<std::uint64_t>(std::fmod(std::trunc(std::abs(number)), 0x1p64));
    return {true, {(number < 0 ? ~low + 1 : low) & mask}};
  } else {
    if (x != x) return {true, {quiet_nan_of<To>() | ((b & sign_bit_of<From>) != 0 ? sign_bit_of<To> : 0)}};
    const neighbours near = neighbours_of<To>(exact_number(x));
    return {true, {near.nearest, near.toward_zero}};
  }
}

inline all_rules rules_of(const cast_desc& desc, input_refs inputs, output_descs outputs) {
  output_rules rules;
  const values input = values_of(inputs[0]);
  visit_data_type(a11_types{}, inputs[0].desc().data_type, [&]<class From>(std::type_identity<From>) {
    visit_data_type(a11_types{}, outputs[0].data_type, [&]<class To>(std::type_identity<To>) {
      for (const bits b : input) rules.push_back(cast_rule<From, To>(desc, b));
    });
  });
  return {rules};
}

inline void add_to(values& allowed, const values& more) { allowed.insert(allowed.end(), more.begin(), more.end()); }

// An element-wise operator with its attributes.
struct element_wise_call {
  element_wise_op op;
  rounding_mode rounding = rounding_mode::halves_to_nearest_even;
  is_infinity_mode infinity = is_infinity_mode::either;
  bits low = 0;  // the bounds of CLIP and CLIP1, or Min of THRESHOLD
  bits high = 0;
  bool flushing = false;  // if numbers are flushed where they are compared
  bool propagates_nan = false;
  bool masks_counts = false;  // of shifts
};

// MIN and MAX: the number where the other is NaN; -0 is below +0. Of equal numbers either one (so of zeros of both
// signs), also of those that are equal only once they are flushed; the golden one comes first.
template <class T>
values lesser_or_greater(const element_wise_call& e, bits a, bits b, bool greater) {
  const T x = value_of<T>(a);
  const T y = value_of<T>(b);
  if (x != x) return {e.propagates_nan ? a : b};
  if (y != y) return {e.propagates_nan ? b : a};
  const bool a_is_below = x < y || (x == y && !std::is_integral_v<T> && (a & sign_bit_of<T>) != 0);
  values result{a_is_below == greater ? b : a};
  const bool equal = e.flushing ? value_of<T>(flushed<T>(a)) == value_of<T>(flushed<T>(b)) : x == y;
  if (equal) result.insert(result.end(), {a, b});
  return result;
}

template <class T>
values clipped(const element_wise_call& e, bits x) {
  if (e.op == element_wise_op::threshold) return lesser_or_greater<T>(e, e.low, x, true);
  const bool first_is_low = e.op == element_wise_op::clip;  // min(Max, max(Min, x)); CLIP1: max(Min, min(x, Max))
  const values inner =
      first_is_low ? lesser_or_greater<T>(e, e.low, x, true) : lesser_or_greater<T>(e, x, e.high, false);
  values result;
  for (const bits b : inner) {
    const values outer = lesser_or_greater<T>(e, first_is_low ? e.high : e.low, b, !first_is_low);
    result.insert(result.end(), outer.begin(), outer.end());
  }
  return result;
}

template <class T>
values rounded(const element_wise_call& e, bits x) {
  const auto number = static_cast<double>(value_of<T>(x));
  if (number != number) return {x};
  double whole = number;
  if (e.op == element_wise_op::ceil)
    whole = std::ceil(number);
  else if (e.op == element_wise_op::floor)
    whole = std::floor(number);
  else if (e.rounding == rounding_mode::toward_zero)
    whole = std::trunc(number);
  else if (e.rounding == rounding_mode::toward_infinity)
    whole = std::round(number);
  else if (std::isfinite(number))
    whole = number - std::remainder(number, 1.0);
  const bits sign = x & sign_bit_of<T>;
  if (whole == 0) return {sign, 0, sign_bit_of<T>};
  return {bits_of(static_cast<T>(static_cast<float>(whole)))};
}

// CLIP_GRAD, RELU_GRAD: of a NaN the gradient or 0. A device that flushes compares any of the numbers as flushed, and
// may flush the gradient.
template <class T>
values gradients(const element_wise_call& e, bits a, bits gradient) {
  const auto each = [&](bits b) { return e.flushing ? values{b, flushed<T>(b)} : values{b}; };
  const bool is_relu = e.op == element_wise_op::relu_grad;
  values result;
  for (const bits x_bits : each(a))
    for (const bits low : each(is_relu ? 0 : e.low))
      for (const bits high : each(is_relu ? 0 : e.high)) {
        const T x = value_of<T>(x_bits);
        const bool passes = is_relu ? x > T(0) : !(x <= value_of<T>(low)) && !(x >= value_of<T>(high));
        for (const bits moved : each(gradient))
          if (x != x)
            result.insert(result.end(), {passes ? moved : 0, passes ? 0 : moved});
          else
            result.push_back(passes ? moved : 0);
      }
  return result;
}

// Operators on numbers: x, or a and b.
template <class T>
element_rule number_rule(const element_wise_call& e, bits a, bits b) {
  using op = element_wise_op;
  constexpr bool is_float = !std::is_integral_v<T>;
  const T x = value_of<T>(a);
  const T y = value_of<T>(b);
  const bool is_x_nan = x != x;
  const bits mask = ~bits{0} >> (64 - 8 * sizeof(T));
  const bits least = sign_bit_of<T>;  // of a signed integer
  const auto truth = [](bool is_true) { return element_rule{true, {is_true ? bits{1} : bits{0}}}; };
  const auto with_nan = [](bool is_nan, values allowed) {
    if constexpr (is_float)
      if (is_nan) allowed.push_back(quiet_nan_of<T>());
    return element_rule{true, allowed};
  };
  switch (e.op) {
    case op::abs:
    case op::negate: {
      if constexpr (is_float) {
        if (e.op == op::abs) return {true, {a & ~sign_bit_of<T>}};
        return x == T(0) ? element_rule{true, {a ^ sign_bit_of<T>, a}} : element_rule{true, {a ^ sign_bit_of<T>}};
      }
      const bool is_kept = e.op == op::abs && x >= T(0);
      if (!is_kept && a == least && sizeof(T) <= 2) return {true, {a, least - 1}};
      return {true, {is_kept ? a : (~a + 1) & mask}};
    }
    case op::sign:
      if constexpr (is_float) {
        if (is_x_nan && e.propagates_nan) return {true, {a}};
        if (is_x_nan || x == T(0)) return with_nan(is_x_nan, {0, sign_bit_of<T>});
        return {true, {bits_of(T(x < T(0) ? -1.0F : 1.0F))}};
      } else {
        return {true, {x == 0 ? 0 : x < 0 ? mask : 1}};
      }
    case op::is_nan:
      return truth(is_x_nan);
    case op::is_infinity:
      if constexpr (is_float) {
        const bool positive = a == goldml::detail::float_bits<T>::infinity;
        const bool negative = a == (goldml::detail::float_bits<T>::infinity | sign_bit_of<T>);
        return truth((positive && e.infinity != is_infinity_mode::negative) ||
                     (negative && e.infinity != is_infinity_mode::positive));
      }
      return truth(false);
    case op::ceil:
    case op::floor:
    case op::round:
      return {true, rounded<T>(e, a)};
    case op::clip:
    case op::clip1: {
      const T low = value_of<T>(e.low);
      const T high = value_of<T>(e.high);
      values allowed = clipped<T>(e, a);
      if (e.propagates_nan && (is_x_nan || low != low || high != high)) return {true, allowed};
      if (low > high || is_x_nan) allowed.insert(allowed.end(), {e.low, e.high});
      return with_nan(is_x_nan || low != low || high != high, allowed);
    }
    case op::threshold: {
      const T low = value_of<T>(e.low);
      return with_nan(!e.propagates_nan && (is_x_nan || low != low), clipped<T>(e, a));
    }
    case op::min:
    case op::max:
      return with_nan(!e.propagates_nan && (is_x_nan || y != y), lesser_or_greater<T>(e, a, b, e.op == op::max));
    case op::add:
    case op::subtract:
    case op::multiply:
    case op::divide: {
      const auto number = static_cast<int>(e.op) - static_cast<int>(op::add);
      return arithmetic_rule<T>(static_cast<arithmetic_op>(number), a, b, e.flushing);
    }
    case op::parameterized_relu: {
      const auto with_zeros = [](values allowed) {  // a zero has either sign
        if (value_of<T>(allowed.back()) == T(0) && is_float) allowed.insert(allowed.end(), {0, sign_bit_of<T>});
        return allowed;
      };
      if (x >= T(0)) {
        values moved = with_zeros({a});
        if (e.flushing) add_to(moved, with_zeros({flushed<T>(a)}));
        element_rule rule{true, moved};
        if (!std::isfinite(static_cast<double>(y))) rule.range = any_nan_of(data_type_of<T>);
        return rule;
      }
      element_rule product = arithmetic_rule<T>(arithmetic_op::multiply, a, b, e.flushing);
      if (e.flushing && flushed<T>(a) != a) add_to(product.allowed, {0, sign_bit_of<T>});  // moved
      return product;
    }
    case op::clip_grad:
    case op::clip_grad1:
    case op::relu_grad:
      return {true, gradients<T>(e, a, b)};
    case op::logical_and:
      return truth(x != T(0) && y != T(0));
    case op::logical_or:
      return truth(x != T(0) || y != T(0));
    case op::logical_xor:
      return truth((x == T(0)) != (y == T(0)));
    case op::logical_not:
      return truth(x == T(0));
    case op::logical_equals:
      return truth(x == y);
    case op::logical_greater_than:
      return truth(x > y);
    case op::logical_less_than:
      return truth(x < y);
    case op::logical_greater_than_or_equal:
      return truth(x >= y);
    case op::logical_less_than_or_equal:
      return truth(x <= y);
    default:
      return {false};
  }
}

// Operators on bits, which have no exception for NaN.
inline element_rule bit_rule(const element_wise_call& e, bits a, bits b, std::uint32_t width) {
  const bits mask = ~bits{0} >> (64 - width);
  const auto exact = [](bits value) { return element_rule{true, {value}, 0, true}; };
  switch (e.op) {
    case element_wise_op::bit_and:
      return exact(a & b);
    case element_wise_op::bit_or:
      return exact(a | b);
    case element_wise_op::bit_xor:
      return exact(a ^ b);
    case element_wise_op::bit_not:
      return exact(~a & mask);
    case element_wise_op::bit_count: {
      bits count = 0;
      for (; a != 0; a &= a - 1) ++count;  // removes the lowest bit
      return exact(count);
    }
    case element_wise_op::bit_shift_left:
    case element_wise_op::bit_shift_right:
      if (e.masks_counts || b >= width) {
        const bits by = b % (width == 64 ? 64 : 32);
        const bits masked = by >= width ? 0 : e.op == element_wise_op::bit_shift_left ? (a << by) & mask : a >> by;
        return e.masks_counts ? exact(masked) : element_rule{true, {0, masked}};
      }
      return exact(e.op == element_wise_op::bit_shift_left ? (a << b) & mask : a >> b);
    default:
      return {false};
  }
}

constexpr bool is_on_bits(element_wise_op op) { return op >= element_wise_op::bit_and; }

inline output_rules rules_of_call(const element_wise_call& e, data_type type, input_refs inputs) {
  output_rules rules;
  const values x = values_of(inputs.front());
  const values b = values_of(inputs.back());
  if (e.op == element_wise_op::identity) {
    for (const bits element : x) rules.push_back({true, {element}});
  } else if (e.op == element_wise_op::condition) {
    const values a = values_of(inputs[1]);
    for (std::size_t i = 0; i < x.size(); ++i) rules.push_back({true, {x[i] != 0 ? a[i] : b[i]}});
  } else if (is_on_bits(e.op)) {
    const std::uint32_t width = 8 * element_size_in_bytes(type);
    for (std::size_t i = 0; i < x.size(); ++i) rules.push_back(bit_rule(e, x[i], b[i], width));
  } else {
    visit_data_type(a11_types{}, type, [&]<class T>(std::type_identity<T>) {
      for (std::size_t i = 0; i < x.size(); ++i) rules.push_back(number_rule<T>(e, x[i], b[i]));
    });
  }
  return rules;
}

// A bound of CLIP: on integers the nearest one, and 0 for NaN (ledger L23). On FLOAT16 either the nearest one, or the
// next one toward zero.
inline bits bound_bits(float bound, data_type type, bool toward_zero) {
  bits result = 0;
  visit_data_type(a11_types{}, type, [&]<class T>(std::type_identity<T>) {
    const element_rule rule = attribute_rule<T>(bound);
    if (rule.defined)
      result = toward_zero ? rule.allowed.back() : rule.allowed.front();
    else if (bound == bound)
      result = bits_of(bound < 0 ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max());
  });
  return result;
}
inline bits bound_bits(const scalar& bound, data_type type, bool) { return bits_of_scalar(bound, type); }

// The bounds of CLIP and CLIP1; THRESHOLD's is the lower one.
template <class Desc>
void set_bounds(const Desc& desc, data_type type, bool toward_zero, element_wise_call& e) {
  e.low = bound_bits(desc.min, type, toward_zero);
  if constexpr (requires { desc.max; })
    e.high = bound_bits(desc.max, type, toward_zero);
  else
    e.high = bound_bits(std::numeric_limits<float>::infinity(), type, toward_zero);
}

template <element_wise_op Op>
all_rules rules_of(const element_wise_desc<Op>& desc, input_refs inputs, output_descs, bool flushing = false) {
  const data_type type = inputs.back().desc().data_type;
  element_wise_call e{.op = Op, .flushing = flushing};
  if constexpr (requires { desc.rounding_mode; }) e.rounding = desc.rounding_mode;
  if constexpr (requires { desc.infinity_mode; }) e.infinity = desc.infinity_mode;
  if constexpr (requires { desc.nan_policy; }) e.propagates_nan = desc.nan_policy == nan_policy::propagate;
  if constexpr (requires { desc.shift_policy; }) e.masks_counts = desc.shift_policy == shift_policy::mask;
  if constexpr (requires { desc.min; }) set_bounds(desc, type, false, e);
  output_rules rules = rules_of_call(e, type, inputs);
  if constexpr (requires { desc.min; }) {  // one conversion of both
    set_bounds(desc, type, true, e);
    add_allowed(rules, rules_of_call(e, type, inputs));
  }
  return {rules};
}

}  // namespace judged
