// What a device may answer to RNN (ledger RN-R1, RN-R4). Where it stored all states, each follows from the one before
// as the device stored it. Otherwise the bound on one step follows from that on the step before.
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
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
#include <goldml/oracle/verdicts/rnn_state.hpp>

namespace goldml::detail {

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
