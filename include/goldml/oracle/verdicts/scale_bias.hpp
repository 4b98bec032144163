// What a device may answer to an operator with ScaleBias, f(x * Scale + Bias) (ledger L28): what f makes of the numbers
// that x * Scale + Bias may be (scale_bias_interval.hpp).
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

#include <goldml/arithmetic/scale_bias.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/element_wise_traits.hpp>
#include <goldml/oracle/verdicts/element_wise_values.hpp>
#include <goldml/oracle/verdicts/scale_bias_interval.hpp>

namespace goldml::detail {

// Adds to `flags` (element_wise_alternative) what CLIP makes of a NaN or an infinity in `also`.
template <element_wise_op Op, class T>
unsigned clip_of_special(const element_wise_desc<Op>& desc, T low, T high, std::uint8_t& also) {
  namespace is = element_wise_alternative;
  unsigned flags = 0;
  if ((also & interval_also::nan) != 0 && desc.nan_policy == nan_policy::skip)
    flags |= Op == element_wise_op::threshold ? is::low : unsigned{is::low | is::high};
  for (const bool negative : {false, true}) {
    const std::uint8_t flag = negative ? interval_also::negative_infinity : interval_also::positive_infinity;
    if ((also & flag) == 0) continue;
    const T infinity = std::numeric_limits<T>::infinity();
    offer_clipped<Op>(negative ? negated(infinity) : infinity, low, high, false, [&](T y) {
      if (is_infinite(y)) return;
      also = static_cast<std::uint8_t>(also & ~flag);
      flags |= scalar(y) == scalar(low) ? is::low : is::high;
    });
  }
  return flags;
}

// f of the numbers in g, and flags of element_wise_alternative for CLIP.
template <element_wise_op Op, class T, class Number>
basic_interval<Number> image_of(const element_wise_desc<Op>& desc, basic_interval<Number> g, bool flushes,
                                unsigned& flags) {
  using op = element_wise_op;
  namespace is = element_wise_alternative;
  const bool has_numbers = order_key(g.low) <= order_key(g.high);
  if constexpr (Op == op::abs) {
    if ((g.also & interval_also::negative_infinity) != 0)
      g.also =
          static_cast<std::uint8_t>((g.also & ~interval_also::negative_infinity) | interval_also::positive_infinity);
    if (!has_numbers) return g;
    const bool has_zero = order_key(g.low) <= 0 && order_key(g.high) >= 0;
    const Number from_low = std::abs(g.low);
    const Number from_high = std::abs(g.high);
    if ((g.also & interval_also::high_toward_zero) != 0)  // of a negative number
      g.also = static_cast<std::uint8_t>((g.also & ~interval_also::high_toward_zero) | interval_also::low_toward_zero);
    g.low = g.usual_low = has_zero ? Number{0} : (std::min)(from_low, from_high);
    g.high = g.usual_high = (std::max)(from_low, from_high);
  } else if constexpr (Op == op::ceil || Op == op::floor) {
    if (!has_numbers) return g;
    const auto f = [](Number x) { return Op == op::ceil ? std::ceil(x) : std::floor(x); };
    g.low = g.usual_low = f(g.low);
    g.high = g.usual_high = f(g.high);
    g.also = static_cast<std::uint8_t>(g.also | interval_also::integers);
  } else if constexpr (Op == op::clip || Op == op::clip1 || Op == op::threshold) {
    const T low = clip_bound<T>(desc.min);
    const T high = clip_bound<T>(upper_bound_of(desc));
    flags |= clip_of_special<Op, T>(desc, low, high, g.also);
    const T low_cut = clip_bound_toward_zero<T>(desc.min);
    const T high_cut = clip_bound_toward_zero<T>(upper_bound_of(desc));
    const basic_interval<Number> given = std::exchange(g, basic_interval<Number>{.also = g.also});
    if (desc.nan_policy == nan_policy::propagate && (is_nan(low) || is_nan(high))) return {};  // any result is NaN
    if (!has_numbers || are_inverted(low, high)) return g;                                     // or a bound
    const auto add = [&](T y) {
      const auto value = static_cast<Number>(y);
      if (is_nan(value)) return;
      if (order_key(value) < order_key(g.low)) g.low = g.usual_low = value;
      if (order_key(value) > order_key(g.high)) g.high = g.usual_high = value;
    };
    const auto add_all = [&](Number end) {
      const auto offer = [&](T y) {
        add(y);
        if (flushes) add(flushed(y));
      };
      const T x = static_cast<T>(end);
      offer_clipped<Op>(x, low, high, flushes, offer);
      if (flushes && !is_nan(x)) offer_clipped<Op>(flushed(x), low, high, flushes, offer);
    };
    add_all(given.low);
    add_all(given.high);
    // The narrowing explains an end only if it is that of x, or of a bound.
    if (order_key(g.low) != order_key(given.low))
      g.also = static_cast<std::uint8_t>(g.also & ~interval_also::low_toward_zero);
    if (order_key(g.high) != order_key(given.high))
      g.also = static_cast<std::uint8_t>(g.also & ~interval_also::high_toward_zero);
    if (are_inverted(low_cut, high_cut)) return g;
    const basic_interval<Number> nearest = g;
    for (const Number end : {given.low, given.high})
      offer_clipped<Op>(static_cast<T>(end), low_cut, high_cut, flushes, add);
    if (order_key(g.low) < order_key(nearest.low)) g.also |= interval_also::low_toward_zero;
    if (order_key(g.high) > order_key(nearest.high)) g.also |= interval_also::high_toward_zero;
  }
  return g;
}

// What one element of type T may be.
template <element_wise_op Op, class T>
void add_scaled_verdict(const element_wise_desc<Op>& desc, T x, T golden, bool flushes, std::size_t element,
                        std::uint8_t& flags_of_element, output_verdicts& result) {
  constexpr bool clips = requires { desc.min; };
  const scale_bias& by = *desc.scale_bias;
  const T g = arithmetic::scaled(x, by);
  unsigned flags = 0;
  if constexpr (std::is_integral_v<T>) {
    if (!arithmetic::is_scaled_in_range(x, by)) return result.make_undefined(element);
    if constexpr (Op != element_wise_op::identity) flags = element_wise_alternatives<Op, T>(desc, g, g, golden);
  } else {
    if constexpr (clips) flags = element_wise_alternatives<Op, T>(desc, g, g, golden);
    const auto allowed = image_of<Op, T>(desc, scaled_interval(x, by, flushes), flushes, flags);
    const auto low = order_key(allowed.low);
    const auto high = order_key(allowed.high);
    const bool only_golden =
        low == high && !is_zero(golden) && low == order_key(static_cast<interval_number<T>>(golden));
    const std::uint8_t also = allowed.also & static_cast<std::uint8_t>(~interval_also::integers);
    if (also != 0 || (low <= high && !only_golden)) result.allow_interval(element, allowed);
  }
  flags_of_element = static_cast<std::uint8_t>(flags);
  if (flags != 0) result.allow_what_is_read(element);
}

template <element_wise_op Op>
void add_scaled_verdicts(const element_wise_desc<Op>& desc, const const_tensor_ref& input, const tensor_ref& golden,
                         output_verdicts& result) {
  using types = typename types_of_operand<element_wise_desc<Op>, 0>::type;
  visit_data_type(types{}, golden.desc().data_type, [&]<class T>(std::type_identity<T>) {
    const auto x = input.as<T>();
    const auto y = golden.as<T>();
    auto flags = std::make_shared<std::vector<std::uint8_t>>(result.size());
    std::size_t element = 0;
    for (const coordinate_tuple& c : coordinates_of(golden.desc().sizes)) {
      add_scaled_verdict<Op, T>(desc, x[c], y[c], false, element, (*flags)[element], result);
      ++element;
    }
    read_element_wise_values<Op, T>(desc, std::move(flags), result);
  });
}

// Calls f with what the operator makes of y, where numbers are flushed.
template <element_wise_op Op, class F>
void offer_flushed_result(const element_wise_desc<Op>& desc, float y, const F& f) {
  using op = element_wise_op;
  const auto offer = [&](float value) {
    f(value);
    f(flushed(value));
  };
  if constexpr (Op == op::identity) {
    offer(y);
  } else if constexpr (Op == op::abs) {
    offer(std::abs(y));
  } else if constexpr (Op == op::ceil || Op == op::floor) {
    for (const float value : {y, flushed(y)}) f(Op == op::ceil ? std::ceil(value) : std::floor(value));
  } else {
    const auto low = clip_bound<float>(desc.min);
    const auto high = clip_bound<float>(upper_bound_of(desc));
    const bool has_nan = is_nan(y) || is_nan(low) || is_nan(high);
    if (has_nan && desc.nan_policy == nan_policy::propagate) return f(std::numeric_limits<float>::quiet_NaN());
    for (const float value : {y, flushed(y)}) offer_clipped<Op>(value, low, high, true, offer);
    if (has_nan) f(std::numeric_limits<float>::quiet_NaN());
    if (are_inverted(low, high) || is_nan(y)) {
      offer(low);
      if constexpr (Op != op::threshold) offer(high);
    }
  }
}

// What flushing adds to a FLOAT32 result (ledger 7.4): units in the last place are not below the least normal number,
// and x * Scale is a zero if either is subnormal; NaN if the other is infinite or NaN.
template <element_wise_op Op>
void add_flushed_scaled(const element_wise_desc<Op>& desc, const const_tensor_ref& input, const tensor_ref& golden,
                        output_verdicts& result) {
  const scale_bias by = *desc.scale_bias;
  const auto x = input.as<float>();
  const auto y = golden.as<float>();
  auto flags = std::make_shared<std::vector<std::uint8_t>>(result.size());
  auto without_product = std::make_shared<std::vector<std::uint8_t>>(result.size());
  std::size_t element = 0;
  for (const coordinate_tuple& c : coordinates_of(input.desc().sizes)) {
    const float value = x[c];
    add_scaled_verdict<Op, float>(desc, value, y[c], true, element, (*flags)[element], result);
    const bool is_flushed = is_subnormal_float32(value) || is_subnormal_float32(by.scale);
    const bool is_invalid = is_infinite(value) || is_infinite(by.scale);  // inf * 0 is NaN
    if (is_flushed && is_invalid)
      offer_flushed_result<Op>(desc, std::numeric_limits<float>::quiet_NaN(),
                               [&](float each) { result.allow(element, scalar(each)); });
    const bool no_product = is_flushed && !is_invalid && !is_nan(value) && !is_nan(by.scale);
    (*without_product)[element] = no_product ? 1 : 0;
    if (no_product) result.allow_what_is_read(element);
    if constexpr (requires { desc.min; }) {
      namespace is = element_wise_alternative;
      for (const auto& [flag, bound] : {std::pair(is::low, clip_bound<float>(desc.min)),
                                        std::pair(is::high, clip_bound<float>(upper_bound_of(desc)))})
        if (((*flags)[element] & flag) != 0 && is_subnormal_float32(bound))
          result.allow(element, scalar(flushed(bound)));
    }
    ++element;
  }
  result.read_alternatives_with(element_wise_reader<Op, float>(desc, std::move(flags)));
  result.read_alternatives_with(
      [desc, without_product = std::move(without_product)](std::size_t i, const std::function<bool(const scalar&)>& f) {
        if ((*without_product)[i] == 0) return;
        bool found = false;
        const auto offer = [&](float value) { found = found || f(scalar(value)); };
        const float bias = desc.scale_bias->bias;
        offer_flushed_result<Op>(desc, bias, offer);
        if (is_zero(flushed(bias)))  // a sum of zeros
          for (const float zero : {0.0F, -0.0F}) offer_flushed_result<Op>(desc, zero, offer);
      });
}

}  // namespace goldml::detail
