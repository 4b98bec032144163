// What a device may answer to ADD, ADD1, SUBTRACT, MULTIPLY and DIVIDE besides the golden value (ledger AR-R1, AR-R2,
// AR-R5 to AR-R7, AR-R11).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/arithmetic/fused_interval.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/value_conversion.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/element_wise_traits.hpp>
#include <goldml/oracle/verdicts/arithmetic_half.hpp>

namespace goldml::detail {

// PARAMETERIZED_RELU of an x from 0 on: x, and NaN where max(0, x) + slope * min(0, x) has a slope that is not finite.
template <class T>
interval kept_interval(accumulation precision, double x, double slope) {
  const bool half = std::is_same_v<T, float> && precision != accumulation::single && is_finite(x);
  const double error = half ? float16_rounding(static_cast<float>(x)) : 0;
  interval result = interval_of<T>(x, error, error);
  if (!is_finite(slope)) result.also = static_cast<std::uint8_t>(result.also | interval_also::nan);
  return result;
}

// The interval of a result. Without a number if the golden value is NaN: then any NaN matches it.
template <element_wise_op Op, class T>
graded_interval arithmetic_interval(accumulation precision, T a_element, T b_element) {
  const auto either_way = [](const interval& allowed) { return graded_interval{allowed, allowed}; };
  const double a = widened(a_element);
  const double b = widened(b_element);
  if constexpr (Op == element_wise_op::parameterized_relu) {
    const bool rounds = std::is_same_v<T, float> && precision != accumulation::single;
    const auto is_great = [](double x) { return is_finite(x) && std::abs(x) > half_precision.greatest; };
    const bool is_a_number = !is_nan(a) && (a >= 0 || !is_nan(b));
    if (rounds && is_a_number && (is_great(a) || is_great(b))) return either_way(any_answer);
    if (a >= 0) return either_way(kept_interval<T>(precision, a, b));
    if (is_finite(a) && !is_finite(b) && precision != accumulation::single && std::abs(a) < half_cut_least)
      return either_way(any_answer);  // x may be -0
    return arithmetic_interval<element_wise_op::multiply, T>(precision, a_element, b_element);
  }
  const double y = arithmetic_result<Op>(a, b);
  const bool finite = is_finite(a) && is_finite(b);
  if (std::is_same_v<T, float> && precision != accumulation::single) {
    if (!finite || (Op == element_wise_op::divide && b == 0)) return either_way(special_half_interval<Op>(a, b));
    return either_way(precision == accumulation::half ? half_interval<Op>(a, b) : half_products_interval<Op>(a, b));
  }
  if constexpr (Op == element_wise_op::divide) {
    if (!finite || b == 0) return either_way(interval_of<T>(y, 0, 0));
    if (!std::is_same_v<T, float16> || precision == accumulation::single || b == 1) return quotient_interval<T>(a, b);
    const double error = 3 * unit_of_float16 * std::abs(y) + (std::abs(b) >= 0x1p14 ? std::abs(a) * 0x1p-24 : 0);
    interval result = interval_of<T>(y, error, error);
    if (std::abs(b) <= 0x1p-16)  // 1/b may overflow
      result.also = static_cast<std::uint8_t>(result.also | (a == 0 ? interval_also::nan : infinity_of_sign(y)));
    return either_way(result);
  }
  return either_way(interval_of<T>(y, 0, 0));  // one rounding, also in half precision
}

template <element_wise_op Op>
void add_arithmetic_verdicts(accumulation precision, const const_tensor_ref& a, const const_tensor_ref& b,
                             const tensor_ref& golden, output_verdicts& result) {
  using types = typename types_of_operand<element_wise_desc<Op>, 0>::type;
  visit_data_type(types{}, golden.desc().data_type, [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_integral_v<T> && Op != element_wise_op::divide) return;
    const auto x = a.as<T>();
    const auto y = b.as<T>();
    const auto z = golden.as<T>();
    std::size_t element = 0;
    for (const coordinate_tuple& c : coordinates_of(golden.desc().sizes)) {
      const T divisor = y[c];
      if constexpr (is_floating_type<T>) {
        result.allow_interval_beside(element, arithmetic_interval<Op, T>(precision, x[c], divisor),
                                     interval_refusal::reciprocals, T(z[c]));
        // A divisor that is read as an infinity.
        if (Op == element_wise_op::divide && precision != accumulation::single && is_finite(widened(divisor)) &&
            std::abs(widened(divisor)) > half_precision.greatest)
          for (const float zero : {0.0F, -0.0F}) result.allow(element, scalar(static_cast<T>(zero)));
      } else {
        bool overflows = false;
        if constexpr (std::is_signed_v<T>) overflows = x[c] == (std::numeric_limits<T>::min)() && divisor == T(-1);
        if (divisor == 0 || overflows) result.make_undefined(element);
      }
      ++element;
    }
  });
}

// Calls f with what flushing adds to a FLOAT32 result: each subnormal operand may count as a zero, and a result below
// the least normal number may become one, also one that is rounded up to it. Of a zero, either sign.
template <element_wise_op Op, class F>
void offer_flushed_results(float a, float b, const F& f) {
  const auto offer = [&](float value) {
    f(value);
    if (is_zero(value)) f(-value);
  };
  if constexpr (Op == element_wise_op::parameterized_relu) {
    if (a < 0) offer_flushed_results<element_wise_op::multiply>(a, b, f);
    if (!(a < 0) || is_zero(flushed(a))) offer(flushed(a));
    return;
  }
  for (const bool flush_a : {false, true})
    for (const bool flush_b : {false, true}) {
      const double x = widened(flush_a ? flushed(a) : a);
      const double y = widened(flush_b ? flushed(b) : b);
      const double exact = arithmetic_result<Op>(x, y);
      offer(goldml::rounded<float>(exact));
      if (is_nan(exact)) continue;
      double least = exact;  // its magnitude
      if constexpr (Op == element_wise_op::divide)
        if (is_finite(x) && is_finite(y) && y != 0) {
          const interval allowed = quotient_interval<float>(x, y).allowed;
          least = exact < 0 ? (std::min)(0.0, widened(allowed.high)) : (std::max)(0.0, widened(allowed.low));
        }
      if (std::abs(least) < least_normal_float32) offer(0);
      // 1/y is subnormal, and flushed.
      if (Op == element_wise_op::divide && is_finite(y) && std::abs(y) >= arithmetic::least_divisor_of_subnormal)
        offer(is_finite(x) ? 0 : std::numeric_limits<float>::quiet_NaN());
    }
}

// Whether flushing adds anything.
template <element_wise_op Op>
bool may_be_flushed(float a, float b) {
  const auto below_normal = [](float x) { return magnitude_bits(x) < 0x0080'0000; };
  if ((below_normal(a) && !is_zero(a)) || (below_normal(b) && !is_zero(b))) return true;
  const double result = arithmetic_result<Op>(widened(a), widened(b));
  if (Op == element_wise_op::divide && is_finite(widened(b)) &&
      std::abs(widened(b)) >= arithmetic::least_divisor_of_subnormal)
    return true;
  return result != 0 && std::abs(result) < 2 * least_normal_float32;
}

// What one addition or multiplication may give, as a step of another operator.
template <element_wise_op Op, class T>
void add_step_verdict(const arithmetic_mode& mode, T a, T b, T golden, std::size_t element, output_verdicts& result) {
  result.allow_interval_beside(element, arithmetic_interval<Op, T>(mode.accumulation, a, b).allowed, golden);
  if constexpr (std::is_same_v<T, float>)
    if (mode.flushes && may_be_flushed<Op>(a, b))
      offer_flushed_results<Op>(a, b, [&](float value) { result.allow(element, scalar(value)); });
}

template <element_wise_op Op>
void add_flushed_arithmetic(const const_tensor_ref& a, const const_tensor_ref& b, output_verdicts& result) {
  const auto x = a.as<float>();
  const auto y = b.as<float>();
  bool any = false;
  std::size_t element = 0;
  for (const coordinate_tuple& c : coordinates_of(a.desc().sizes)) {
    if (may_be_flushed<Op>(x[c], y[c])) {
      result.allow_what_is_read(element);
      any = true;
    }
    ++element;
  }
  if (!any) return;
  auto operands = std::make_shared<std::vector<std::pair<float, float>>>();
  operands->reserve(result.size());
  for (const coordinate_tuple& c : coordinates_of(a.desc().sizes)) operands->emplace_back(x[c], y[c]);
  result.read_alternatives_with(
      [operands = std::move(operands)](std::size_t i, const std::function<bool(const scalar&)>& f) {
        const auto [p, q] = (*operands)[i];
        bool found = false;
        offer_flushed_results<Op>(p, q, [&](float value) { found = found || f(scalar(value)); });
      });
}

// The sum of two elements before an activation, as a device may have it: rounded once at most. With `flushes`, a
// subnormal operand may be a zero.
template <class T>
bound sum_before_activation(double a, double b, bool flushes, accumulation precision) {
  bound w;
  w.value = a + b;
  if (is_nan(w.value)) return w;
  if (std::is_same_v<T, float> && precision == accumulation::half_products) {
    sum_terms terms;
    terms.add(a);
    terms.add(b);
    return terms.bound_with(1, {.flushes = flushes, .accumulation = precision});
  }
  const bool finite = is_finite(a) && is_finite(b);
  if (std::is_same_v<T, float> && precision == accumulation::half) {  // the operands are rounded to FLOAT16
    const double finite_part = finite ? std::abs(a) + std::abs(b) : is_finite(a) ? std::abs(a) : std::abs(b);
    if (finite) w.error = relative_error(3, unit_of_float16) * (std::abs(a) + std::abs(b)) + 2 * 0x1p-25;
    if (is_finite(finite_part)) w.add(interval_also::specials, finite_part > half_precision.greatest);
  } else if (finite) {
    const double part = w.value - a;
    const double rest = (a - (w.value - part)) + (b - part);  // what the double lacks
    if (rest != 0) w.error = std::abs(w.value) * 0x1p-53;
    if (flushes)
      for (const double x : {a, b})
        if (std::abs(x) < least_normal_float32) w.error += std::abs(x);
  }
  w.usual_error = w.error;
  return w;
}

template <class Verdicts>
void add_fused_verdicts(const element_wise_add1_desc& desc, const const_tensor_ref& a, const const_tensor_ref& b,
                        const tensor_ref& golden, bool flushes, Verdicts& result) {
  if (desc.fused_activation) result.range.width = arithmetic::range_width(*desc.fused_activation);
  visit_data_type(type_list<float, float16>{}, golden.desc().data_type, [&]<class T>(std::type_identity<T>) {
    const arithmetic_mode mode{std::is_same_v<T, float>, flushes && std::is_same_v<T, float>, desc.accumulation};
    const auto x = a.as<T>();
    const auto y = b.as<T>();
    const auto z = golden.as<T>();
    std::size_t element = 0;
    for (const coordinate_tuple& c : coordinates_of(golden.desc().sizes)) {
      const bound w = sum_before_activation<T>(widened(x[c]), widened(y[c]), mode.flushes, desc.accumulation);
      result.allow_interval_beside(element, arithmetic::fused_interval<T>(desc.fused_activation, w, mode), T(z[c]));
      ++element;
    }
  });
}

}  // namespace goldml::detail
