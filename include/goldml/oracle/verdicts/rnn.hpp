// What a device may answer to RNN (ledger RN-R1, RN-R4). Where it stored all states, each follows from the one before
// as the device stored it. Otherwise the bound on one step follows from that on the step before.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

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

// How far the state that a device goes on with may be from the number x that it stored or, of one within `off` of x,
// stores: a rounding to T, to nearest even, or FLOAT16 toward zero.
template <class T>
double error_of_storing(double x, double off, const arithmetic_mode& mode) {
  const bool narrow = arithmetic::detail::is_narrow<T>(mode);
  const double unit = narrow ? 0x1p-10 : 0x1p-24;
  const double least = narrow ? 0x1p-24 : mode.flushes ? 0x1p-126 : 0x1p-149;
  return off + unit * (std::abs(x) + off) + least;
}

template <class T>
constexpr double greatest_element = std::is_same_v<T, float16> ? 65504 : 0x1.fffffep127;

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
  if (w.is_exact() && !mode.rounds_to_half() && is_element(h.value) && is_zero(arithmetic::activation_error(f, w.value)))
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

template <class T>
std::size_t number_of_row(const rnn_operands<T>& t, std::uint32_t step, std::uint32_t d, std::uint32_t b) {
  return ((std::size_t{step} * t.directions() + d) * t.batch() + b) * t.hidden_size();
}

// What intervals are measured by: the range of the activation, if it is the same for both directions.
template <class T>
answer_range range_of_states(const rnn_operands<T>& t) {
  const double width = arithmetic::range_width(t.f(0));
  const bool same = t.directions() == 1 || arithmetic::range_width(t.f(1)) == width;
  return {same ? width : 0, t.hidden_size(), "OutputSequenceTensor, bound and given, would test them"};
}

template <class T>
void add_rnn_verdicts_of(const rnn_operands<T>& t, const arithmetic_mode& mode, std::span<output_verdicts> result) {
  const interval zero{0, 0, 0, 0};
  const std::size_t row = t.hidden_size();
  const auto number = [&](std::uint32_t step, std::uint32_t d, std::uint32_t b) {
    return number_of_row(t, step, d, b);
  };
  result[0].range = result[1].range = range_of_states(t);
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

// The state that a device went on with, of which it stored x.
template <class T>
uncertain_hidden hidden_behind(double x, const arithmetic_mode& mode) {
  uncertain_hidden h;
  h.value = x;
  if (is_finite_double(x)) h.error = h.usual_error = error_of_storing<T>(x, 0, mode);
  return h;
}

// Replaces the verdicts on the states by those that follow from the states that the device stored. A state that every
// device has exactly, as small integers make it, has no error if the device stored it. Where a stored state is the
// greatest number or infinite, the device may have gone on with another one: what held before remains allowed.
template <class T>
void add_stepwise_verdicts(const rnn_operands<T>& t, const tensor_view<const T>& stored, const arithmetic_mode& mode,
                           std::span<oracle::given_output> outputs,
                           output_verdicts oracle::given_output::*verdicts_of) {
  const std::size_t row = t.hidden_size();
  const bool has_single = outputs[1].golden.present();
  for (std::uint32_t d = 0; d < t.directions(); ++d)
    for (std::uint32_t b = 0; b < t.batch(); ++b) {
      const std::uint32_t length = t.length(b);
      std::vector<uncertain_hidden> h(row), next(row);
      for (std::uint32_t i = 0; i < row; ++i) h[i].value = t.initial(d, b, i);
      bool saturated = false;
      for (std::uint32_t n = 0; n < length; ++n) {
        const std::uint32_t time = t.time(d, length, n);
        const std::size_t first = number_of_row(t, time, d, b);
        bool next_saturated = false;
        for (std::uint32_t i = 0; i < row; ++i) {
          const bound w = bound_of_step(t, d, b, time, i, h, mode);
          const element_intervals allowed = arithmetic::fused_interval<T>(t.f(d), w, mode);
          const auto replace = [&](std::size_t output, const coordinate_tuple& c, std::size_t element) {
            output_verdicts& verdicts = outputs[output].*verdicts_of;
            element_intervals all = allowed;
            if (saturated) {
              if (const interval* before = verdicts.interval_of(element)) all.others.push_back(*before);
              verdicts.for_each_other(element, [&](const interval& other) { all.others.push_back(other); });
            }
            const bool is_nan_alone = all.others.empty() && all.main.allowed.also == interval_also::nan;
            if (is_nan_alone && is_nan(T(outputs[output].golden.as<T>()[c])))
              all.main.allowed.also = all.main.close.also = 0;  // of it, any NaN, or its bits
            verdicts.replace_intervals(element, all);
          };
          replace(0, {time, d, b, i}, first + i);
          if (has_single && n + 1 == length) replace(1, {0, d, b, i}, number_of_row(t, 0, d, b) + i);
          const double x = exact_double(T(stored[{time, d, b, i}]));
          next[i] = hidden_behind<T>(x, mode);
          next_saturated = next_saturated || std::abs(x) >= greatest_element<T>;
          if (!w.is_exact()) continue;
          const uncertain_hidden exact = hidden_after<T>(t.f(d), w, allowed.hull(), mode);
          if (exact.error == 0 && exact.also == 0 && exact.value == x) next[i] = exact;
        }
        h.swap(next);
        saturated = next_saturated;
      }
    }
}

// Of each direction, the first step with a state that was refused, in the order of the steps.
template <class T>
std::string note_on_steps(const rnn_operands<T>& t, const std::function<bool(std::size_t)>& refused) {
  std::string text;
  for (std::uint32_t d = 0; d < t.directions(); ++d) {
    const auto is_wrong = [&](std::uint32_t n, std::uint32_t b) {
      const std::size_t first = number_of_row(t, t.time(d, t.length(b), n), d, b);
      for (std::uint32_t i = 0; i < t.hidden_size(); ++i)
        if (refused(first + i)) return true;
      return false;
    };
    const auto find = [&] {
      for (std::uint32_t n = 0; n < t.steps(); ++n)
        for (std::uint32_t b = 0; b < t.batch(); ++b)
          if (n < t.length(b) && is_wrong(n, b)) return std::pair(n, b);
      return std::pair(t.steps(), t.batch());
    };
    const auto [n, b] = find();
    if (n == t.steps()) continue;
    text += fmt::format(
        "  note: judged step by step, from the states that the device stored; in direction {} step {} of sequence {} "
        "is the first that differs, and those after it are judged from states that were refused\n",
        d, t.time(d, t.length(b), n), b);
  }
  return text;
}

// verdict_options::verdicts_given. Without the sequence nothing is known.
inline bool add_rnn_verdicts_given(const rnn_desc& desc, std::span<const const_tensor_ref> inputs,
                                   std::span<const const_tensor_ref> actual, std::span<oracle::given_output> outputs) {
  if (!actual[0].present()) return false;
  visit_data_type(type_list<float, float16>{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
    const std::vector<tensor_ref> none(2);
    const rnn_operands<T> t = rnn_operands_of<T>(inputs, none, desc);
    const auto stored = actual[0].as<T>();
    const auto judge = [&](bool flushes, output_verdicts oracle::given_output::*verdicts) {
      const arithmetic_mode mode{std::is_same_v<T, float>, flushes, desc.accumulation};
      add_stepwise_verdicts(t, stored, mode, outputs, verdicts);
    };
    judge(false, &oracle::given_output::verdicts);
    if constexpr (std::is_same_v<T, float>) judge(true, &oracle::given_output::flushed_verdicts);
    outputs[0].note = [t](const std::function<bool(std::size_t)>& refused) { return note_on_steps(t, refused); };
  });
  for (oracle::given_output& output : outputs) {
    output.from = " from the device's state before";
    output.verdicts.range.remedy = "";
  }
  return true;
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
  static bool verdicts_given(const rnn_desc& desc, std::span<const const_tensor_ref> inputs,
                             std::span<const const_tensor_ref> actual, std::span<given_output> outputs) {
    return goldml::detail::add_rnn_verdicts_given(desc, inputs, actual, outputs);
  }
  // Two hidden states; a byte and an interval per element of the outputs and, of those that are judged step by step,
  // twice as much with their values; and copies of the inputs.
  static std::uint64_t verdict_memory(const rnn_desc&, const std::array<operand, 8>& t) {
    std::uint64_t elements = 0, values = 0;
    for (std::size_t i = 0; i < t.size(); ++i) {
      if (!t[i].desc) continue;
      values = saturating_add(values, total_tensor_size_in_bytes(*t[i].desc));
      if (i == traits::sequence || i == traits::single)
        elements = saturating_add(elements, element_count(t[i].desc->sizes));
    }
    if (t[traits::sequence].desc) elements = saturating_multiply(elements, 3);
    return saturating_add(
        saturating_add(saturating_multiply(elements, 1 + sizeof(interval) + more_interval_memory), values),
        saturating_multiply(t[traits::weight].desc->sizes[2], 2 * sizeof(goldml::detail::uncertain_hidden)));
  }

  static constexpr verdict_options<Desc> options = [] {
    verdict_options<Desc> all = flushing_verdict_traits<Desc>::flushing_options();
    all.verdicts_given = &verdicts_given;
    return all;
  }();
};

}  // namespace goldml::oracle
