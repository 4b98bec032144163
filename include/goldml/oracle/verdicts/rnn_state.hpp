// What a device may have as the states of RNN, from the states before.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <goldml/arithmetic/fused.hpp>
#include <goldml/arithmetic/fused_interval.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/rnn.hpp>
#include <goldml/oracle/verdicts/recurrent.hpp>

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
bound bound_of_step(const recurrent_operands<T>& t, std::uint32_t d, std::uint32_t b, std::uint32_t time,
                    std::uint32_t i, const std::vector<uncertain_hidden>& h, const arithmetic_mode& mode) {
  sum_terms terms;
  double spread = 0, usual_spread = 0;  // of the products with h
  double projected = 0;                 // W x
  std::uint8_t also = 0;
  bool surely_nan = t.bias && is_nan(t.bias_of(d, i, 0) + t.bias_of(d, i, 1));
  for (std::uint32_t j = 0; j < t.input_size(); ++j) {
    const double w = t.weight(d, i, j), x = t.input(time, b, j);
    surely_nan = surely_nan || is_nan(w * x);
    projected += w * x;
    terms.add_product(w, x);
  }
  const double of_input = terms.magnitude(), in_bias = t.bias ? t.bias_of(d, i, 0) : 0;
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
  if (std::is_same_v<T, float16> && !mode.half() && is_finite_double(projected + in_bias)) {
    // W x of all steps, with its bias or without, may be stored as FLOAT16, to nearest or toward zero (ledger LS-R7).
    const double with_bias = projected + in_bias;
    const auto is_half = [](double x) { return exact_double(goldml::rounded<float16>(x)) == x; };
    const bool exact = terms.is_exact(mode) && is_half(projected) && is_half(with_bias);
    const double stored = exact ? 0 : (0x1p-10 * (of_input + std::abs(in_bias)) + 0x1p-24) * (1 + g);
    result.error += stored;
    result.usual_error += stored;
    const double most = (std::max)(std::abs(projected), std::abs(with_bias)) + g * (of_input + std::abs(in_bias));
    if (most > half_precision.greatest) {  // which may be an infinity
      result.error = result.usual_error = std::numeric_limits<double>::infinity();
      also |= interval_also::specials;
    }
  }
  if ((also & interval_also::infinities) == interval_also::infinities) also |= interval_also::nan;
  result.also = surely_nan ? std::uint8_t{0} : static_cast<std::uint8_t>(result.also | also);
  return result;
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
  if (is_infinite_double(h.value) &&
      (is_finite_double(double{allowed.low}) || is_finite_double(double{allowed.high}))) {
    // Or a number, as RELU makes 0 of the NaN that an infinite sum may be in another order.
    h.value = 0;
    h.error = h.usual_error = infinity;
    h.also = interval_also::specials;
  }
  if (!is_finite_double(h.value) || h.error > 0) return h;
  const auto is_element = [](double x) { return exact_double(goldml::rounded<T>(x)) == x; };
  if (w.is_exact() && !mode.rounds_to_half() && is_element(h.value) &&
      is_zero(arithmetic::activation_error(f, w.value)))
    return h;
  constexpr double greatest = greatest_element<T>;
  const auto error = [&](float low, float high) {
    if (order_key(low) > order_key(high)) return 0.0;  // no number
    const double least_number = std::clamp(exact_double(low), -greatest, greatest);
    const double most_number = std::clamp(exact_double(high), -greatest, greatest);
    const double off = (std::max)(std::abs(most_number - h.value), std::abs(h.value - least_number));
    return error_of_storing<T>(h.value, off, mode);
  };
  h.error = error(allowed.low, allowed.high);
  h.usual_error = error(allowed.usual_low, allowed.usual_high);
  return h;
}

}  // namespace goldml::detail
