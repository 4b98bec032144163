// What a device may answer to RNN (ledger RN-R1, RN-R4): the bound on one step follows from that on the step before.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/arithmetic/fused.hpp>
#include <goldml/arithmetic/fused_interval.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/rnn.hpp>
#include <goldml/operators/rnn_values.hpp>
#include <goldml/oracle/verdict_traits.hpp>

namespace goldml::detail {

// A hidden state that a device has to within an error, usually within another; `also`: flags of interval_also.
struct uncertain_hidden {
  double value = 0;
  double error = 0;
  double usual_error = 0;
  std::uint8_t also = 0;
};

// What f is taken of at one step.
template <class T>
bound bound_of_step(const rnn_operands<T>& t, std::uint32_t d, std::uint32_t b, std::uint32_t time, std::uint32_t i,
                    const std::vector<uncertain_hidden>& h, const arithmetic_mode& mode) {
  sum_terms terms;
  double spread = 0, usual_spread = 0;  // of the products with h
  std::uint8_t also = 0;
  bool surely_nan = t.bias && is_nan(t.bias_of(d, i, 0) + t.bias_of(d, i, 1));
  for (std::uint32_t j = 0; j < t.input_size(); ++j) {
    const double w = t.weight(d, i, j), x = t.input(time, b, j);
    surely_nan = surely_nan || is_nan(w * x);
    terms.add_product(w, x);
  }
  for (std::uint32_t j = 0; j < t.hidden_size(); ++j) {
    const double r = t.recurrence(d, i, j);
    surely_nan = surely_nan || is_nan(r);
    terms.add_product(r, h[j].value);
    if (!is_zero(r) && h[j].error > 0) spread += std::abs(r) * h[j].error;
    if (!is_zero(r) && h[j].usual_error > 0) usual_spread += std::abs(r) * h[j].usual_error;
    const bool up = (h[j].also & interval_also::positive_infinity) != 0;
    const bool down = (h[j].also & interval_also::negative_infinity) != 0;
    if (up || down) {
      if (up ? r > 0 : r < 0) also |= interval_also::positive_infinity;
      if (up ? r < 0 : r > 0) also |= interval_also::negative_infinity;
      if (up && down && !is_zero(r)) also |= interval_also::infinities;
      if (is_zero(r)) also |= interval_also::nan;  // 0 * inf
    }
    also = static_cast<std::uint8_t>(also | (h[j].also & interval_also::nan));
  }
  if (t.bias) {
    terms.add(t.bias_of(d, i, 0));
    terms.add(t.bias_of(d, i, 1));
  }
  const double m = t.input_size() + t.hidden_size() + 3.0;
  const sum_growth by = terms.growth_with(m, mode);
  bound result = terms.bound_with(by, mode);
  const double g = by.worst;
  if (is_finite_double(result.value)) {
    if (spread > 0) {
      const double fixed = terms.lost(mode) + terms.error_of_sum();
      const auto error = [&](double grown, double moved) {
        return grown * (terms.magnitude() + moved) + moved + fixed;
      };
      result.error = error(g, spread);
      result.usual_error = error(by.usual, usual_spread);
    }
    const bool above = (terms.positive() + spread) * (1 + g) >= mode.of().greatest;
    const bool below = (terms.negative() + spread) * (1 + g) >= mode.of().greatest;
    if (spread > 0 && above) also |= interval_also::positive_infinity;
    if (spread > 0 && below) also |= interval_also::negative_infinity;
  } else if (also != 0) {
    also |= interval_also::nan;
  }
  if ((also & interval_also::infinities) == interval_also::infinities) also |= interval_also::nan;
  result.also = surely_nan ? std::uint8_t{0} : static_cast<std::uint8_t>(result.also | also);
  return result;
}

// Whether a device that has w exactly has f of it exactly. `allowed`: what it may answer.
template <class T>
bool is_sure(const activation& f, const bound& w, const interval& allowed, const arithmetic_mode& mode) {
  if (!arithmetic::detail::has_scale_bias(f)) return is_zero(arithmetic::activation_error(f, w.value));
  if (order_key(allowed.low) != order_key(allowed.high) || allowed.also != 0) return false;
  const bound v = arithmetic::detail::scaled_argument<T>(*f.scale_bias, w, mode);
  using arithmetic::detail::clipped;
  return v.also == 0 && clipped(f, v.value - v.error) == clipped(f, v.value + v.error);  // exact, or beyond one bound
}

// What a device keeps for the next step: f of that, in its precision or rounded to T, to nearest even or toward zero.
template <class T>
uncertain_hidden hidden_after(const activation& f, const bound& w, const interval& allowed,
                              const arithmetic_mode& mode) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  uncertain_hidden h;
  h.value = arithmetic::activation_value(f, w.value).value;
  h.also = static_cast<std::uint8_t>(allowed.also & interval_also::specials);
  // Infinities among what is allowed, but for the value itself.
  const auto has = [&](float end, double value) {
    return order_key(end) == order_key(static_cast<float>(value)) && !(h.value == value);
  };
  if (has(allowed.high, infinity)) h.also |= interval_also::positive_infinity;
  if (has(allowed.low, -infinity)) h.also |= interval_also::negative_infinity;
  if (is_finite_double(w.value) && std::abs(h.value) > 0x1p200) {                    // nothing is known of what follows
    if (std::abs(h.value) >= 0x1p256) h.value = h.value < 0 ? -infinity : infinity;  // as the golden state
    h.error = h.usual_error = infinity;
    h.also = interval_also::specials;
    return h;
  }
  if (!is_finite_double(h.value)) return h;
  const auto is_element = [](double x) { return exact_double(goldml::rounded<T>(x)) == x; };
  if (w.is_exact() && !mode.rounds_to_half() && is_element(h.value) && is_sure<T>(f, w, allowed, mode)) return h;
  const bool narrow = arithmetic::detail::is_narrow<T>(mode);
  const double greatest = std::is_same_v<T, float16> ? 65504 : 0x1.fffffep127;
  const double unit = narrow ? 0x1p-10 : 0x1p-24;
  const double least = narrow ? 0x1p-24 : mode.flushes ? 0x1p-126 : 0x1p-149;
  const auto error = [&](float low, float high) {
    if (order_key(low) > order_key(high)) return 0.0;  // no number
    const double least_number = std::clamp(exact_double(low), -greatest, greatest);
    const double most_number = std::clamp(exact_double(high), -greatest, greatest);
    const double off = (std::max)(std::abs(most_number - h.value), std::abs(h.value - least_number));
    return off + unit * (std::abs(h.value) + off) + least;
  };
  h.error = error(allowed.low, allowed.high);
  h.usual_error = error(allowed.usual_low, allowed.usual_high);
  return h;
}

template <class T>
void add_rnn_verdicts_of(const rnn_operands<T>& t, const arithmetic_mode& mode, std::span<output_verdicts> result) {
  const interval zero{0, 0, 0, 0};
  const std::size_t row = t.hidden_size();
  const auto number = [&](std::uint32_t step, std::uint32_t d, std::uint32_t b) {
    return ((std::size_t{step} * t.directions() + d) * t.batch() + b) * row;
  };
  for (std::uint32_t d = 0; d < t.directions(); ++d)
    for (std::uint32_t b = 0; b < t.batch(); ++b) {
      const std::uint32_t length = t.length(b);
      std::vector<uncertain_hidden> h(row), next(row);
      for (std::uint32_t i = 0; i < row; ++i) h[i].value = t.initial(d, b, i);
      for (std::uint32_t n = 0; n < length; ++n) {
        const std::uint32_t time = t.time(d, length, n);
        for (std::uint32_t i = 0; i < row; ++i) {
          const bound w = bound_of_step(t, d, b, time, i, h, mode);
          const element_intervals allowed = arithmetic::fused_interval<T>(t.f(d), w, mode);
          if (t.sequence)
            result[0].allow_interval_beside(number(time, d, b) + i, allowed, T((*t.sequence)[{time, d, b, i}]));
          if (t.single && n + 1 == length)
            result[1].allow_interval_beside(number(0, d, b) + i, allowed, T((*t.single)[{0, d, b, i}]));
          next[i] = hidden_after<T>(t.f(d), w, allowed.hull(), mode);
        }
        h.swap(next);
      }
      for (std::uint32_t i = 0; i < row; ++i) {
        for (std::uint32_t time = length; t.sequence && time < t.steps(); ++time)
          result[0].allow_interval(number(time, d, b) + i, zero);
        if (t.single && length == 0) result[1].make_undefined(number(0, d, b) + i);
      }
    }
}

template <class Verdicts>
void add_rnn_verdicts(const rnn_desc& desc, std::span<const const_tensor_ref> inputs,
                      std::span<const tensor_ref> golden, bool flushes, std::span<Verdicts> result) {
  visit_data_type(type_list<float, float16>{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
    const arithmetic_mode mode{std::is_same_v<T, float>, flushes && std::is_same_v<T, float>, desc.accumulation};
    add_rnn_verdicts_of<T>(rnn_operands_of<T>(inputs, golden, desc), mode, result);
  });
}

}  // namespace goldml::detail

namespace goldml::oracle {

template <std::same_as<rnn_desc> Desc>
struct verdict_traits<Desc> : flushing_verdict_traits<Desc> {
  using traits = operator_traits<rnn_desc>;
  static void add_verdicts(const rnn_desc& desc, std::span<const const_tensor_ref> inputs,
                           std::span<const tensor_ref> golden, bool flushes, std::span<output_verdicts> result) {
    goldml::detail::add_rnn_verdicts(desc, inputs, golden, flushes, result);
  }
  // A byte and an interval per element of the outputs, and two hidden states.
  static std::uint64_t verdict_memory(const rnn_desc&, const std::array<operand, 8>& t) {
    std::uint64_t elements = 0;
    for (const std::size_t output : {traits::sequence, traits::single})
      if (t[output].desc) elements = saturating_add(elements, element_count(t[output].desc->sizes));
    return saturating_add(
        saturating_multiply(elements, 1 + sizeof(interval) + more_interval_memory),
        saturating_multiply(t[traits::weight].desc->sizes[2], 2 * sizeof(goldml::detail::uncertain_hidden)));
  }

  static constexpr verdict_options<Desc> options = flushing_verdict_traits<Desc>::flushing_options();
};

}  // namespace goldml::oracle
