// What recurrent layers share of what a device may answer (ledger RN-R1, RN-R4, RN-R6). Where it stored all states,
// each follows from the one before as the device stored it. Otherwise what holds of one step follows from that before.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/recurrent_values.hpp>
#include <goldml/oracle/verdict_traits.hpp>

namespace goldml::detail {

template <class T>
std::size_t number_of_row(const recurrent_operands<T>& t, std::uint32_t step, std::uint32_t d, std::uint32_t b) {
  return ((std::size_t{step} * t.directions() + d) * t.batch() + b) * t.hidden_size();
}

// How far the state that a device goes on with may be from the number x that it stored or, of one within `off` of x,
// stores: a rounding to T, to nearest even, or FLOAT16 toward zero; in half precision to FLOAT16, to nearest even.
template <class T>
double error_of_storing(double x, double off, const arithmetic_mode& mode) {
  struct rounding_errors {
    double unit, least;
  };
  const auto errors = mode.half()                  ? rounding_errors{0x1p-11, 0x1p-25}
                      : std::is_same_v<T, float16> ? rounding_errors{half_cut_unit, half_cut_least}
                      : mode.flushes               ? rounding_errors{0x1p-24, 0x1p-126}
                                                   : rounding_errors{0x1p-24, 0x1p-149};
  return off + errors.unit * (std::abs(x) + off) + errors.least;
}

template <class T>
constexpr double greatest_element = std::is_same_v<T, float16> ? 65504 : 0x1.fffffep127;

// What one step gives for one number of state: what a device may store, and what it may go on with.
template <class State>
struct recurrent_step {
  element_intervals hidden, cell;
  State next;
};

// The layer of an operator whose tensors have T, specialised beside its verdicts:
//   state                         what a device may have as one number of state
//   memory_of_a_number            the bytes that a step takes for each number of state
//   initial(d, b, i)              the first of them
//   step(d, b, time, i, before)   the recurrent_step from the states before
//   behind(step, x)               what it went on with, if it stored x
//   reset(d, b, time, states)     if a gate resets the states before a step: sets their `reset`
//   t                             the recurrent_operands
template <class Desc, class T>
struct recurrent_layer;

// Calls use(time, n, states) before each step of a sequence, and replaces the states by what it returns.
template <class Layer, class F>
void for_each_step(const Layer& layer, std::uint32_t d, std::uint32_t b, const F& use) {
  std::vector<typename Layer::state> states;
  for (std::uint32_t i = 0; i < layer.t.hidden_size(); ++i) states.push_back(layer.initial(d, b, i));
  const std::uint32_t length = layer.t.length(b);
  for (std::uint32_t n = 0; n < length; ++n) {
    const std::uint32_t time = layer.t.time(d, length, n);
    if constexpr (requires { layer.reset(d, b, time, states); }) layer.reset(d, b, time, states);
    states = use(time, n, states);
  }
}

template <class Layer, class T>
void add_chain_verdicts(const Layer& layer, const std::vector<std::optional<tensor_view<T>>>& golden,
                        std::span<output_verdicts> result) {
  const auto& t = layer.t;
  const interval zero{0, 0, 0, 0};
  for (std::uint32_t d = 0; d < t.directions(); ++d)
    for (std::uint32_t b = 0; b < t.batch(); ++b) {
      const std::uint32_t length = t.length(b), row = t.hidden_size();
      for_each_step(layer, d, b, [&](std::uint32_t time, std::uint32_t n, const auto& states) {
        std::remove_cvref_t<decltype(states)> next;
        for (std::uint32_t i = 0; i < row; ++i) {
          auto step = layer.step(d, b, time, i, states);
          const auto allow = [&](std::size_t output, std::uint32_t first, const element_intervals& allowed) {
            if (golden[output])
              result[output].allow_interval_beside(number_of_row(t, first, d, b) + i, allowed,
                                                   T((*golden[output])[{first, d, b, i}]));
          };
          allow(0, time, step.hidden);
          for (std::size_t output = 1; n + 1 == length && output < golden.size(); ++output)
            allow(output, 0, output == 1 ? step.hidden : step.cell);
          next.push_back(std::move(step.next));
        }
        return next;
      });
      for (std::uint32_t i = 0; i < row; ++i) {
        for (std::uint32_t time = length; golden[0] && time < t.steps(); ++time)
          result[0].allow_interval(number_of_row(t, time, d, b) + i, zero);
        for (std::size_t output = 1; length == 0 && output < golden.size(); ++output)
          if (golden[output]) result[output].make_undefined(number_of_row(t, 0, d, b) + i);
      }
    }
}

// Replaces the verdicts on the states by those that follow from the states that the device stored. A state that every
// device has exactly, as small integers make it, has no error if the device stored it. Where a stored state is the
// greatest number or infinite, the device may have gone on with another one: what held before remains allowed.
template <class Layer, class T>
void add_stepwise_verdicts(const Layer& layer, const tensor_view<const T>& stored,
                           std::span<oracle::given_output> outputs,
                           output_verdicts oracle::given_output::*verdicts_of) {
  const auto& t = layer.t;
  for (std::uint32_t d = 0; d < t.directions(); ++d)
    for (std::uint32_t b = 0; b < t.batch(); ++b) {
      bool saturated = false;
      for_each_step(layer, d, b, [&](std::uint32_t time, std::uint32_t n, const auto& states) {
        std::remove_cvref_t<decltype(states)> next;
        bool next_saturated = false;
        for (std::uint32_t i = 0; i < t.hidden_size(); ++i) {
          const auto step = layer.step(d, b, time, i, states);
          const auto replace = [&](std::size_t output, std::uint32_t first, const element_intervals& allowed) {
            if (!outputs[output].golden.present()) return;
            output_verdicts& verdicts = outputs[output].*verdicts_of;
            const std::size_t element = number_of_row(t, first, d, b) + i;
            element_intervals all = allowed;
            if (saturated) {
              if (const interval* before = verdicts.interval_of(element)) all.others.push_back(*before);
              verdicts.for_each_other(element, [&](const interval& other) { all.others.push_back(other); });
            }
            const bool is_nan_alone = all.others.empty() && all.main.allowed.also == interval_also::nan;
            if (is_nan_alone && is_nan(T(outputs[output].golden.as<T>()[{first, d, b, i}])))
              all.main.allowed.also = all.main.close.also = 0;  // of it, any NaN, or its bits
            verdicts.replace_intervals(element, all);
          };
          replace(0, time, step.hidden);
          for (std::size_t output = 1; n + 1 == t.length(b) && output < outputs.size(); ++output)
            replace(output, 0, output == 1 ? step.hidden : step.cell);
          const double x = exact_double(T(stored[{time, d, b, i}]));
          next.push_back(layer.behind(step, x));
          next_saturated = next_saturated || std::abs(x) >= greatest_element<T>;
        }
        saturated = next_saturated;
        return next;
      });
    }
}

// Of each direction, the first step with a state that was refused, in the order of the steps.
template <class T>
std::string note_on_steps(const recurrent_operands<T>& t, const std::function<bool(std::size_t)>& refused) {
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

}  // namespace goldml::detail

namespace goldml::oracle {

// The base of verdict_traits of a recurrent layer.
template <class Desc>
struct recurrent_verdict_traits : flushing_verdict_traits<Desc> {
  using traits = operator_traits<Desc>;
  static void add_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs,
                           std::span<const tensor_ref> golden, bool flushes, std::span<output_verdicts> result) {
    visit_data_type(type_list<float, float16>{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const arithmetic_mode mode{std::is_same_v<T, float>, flushes && std::is_same_v<T, float>, desc.accumulation};
      const goldml::detail::recurrent_layer<Desc, T> layer(desc, inputs, mode);
      std::vector<std::optional<tensor_view<T>>> views;
      for (const tensor_ref& output : golden) views.push_back(goldml::detail::optional_view<T>(output));
      goldml::detail::add_chain_verdicts(layer, views, result);
      for (std::size_t i = 0; i < result.size(); ++i)
        result[i].range = {i < 2 ? layer.range() : 0, layer.t.hidden_size(),
                           "OutputSequenceTensor, bound and given, would test them"};
    });
  }
  // Without the sequence nothing is known.
  static bool verdicts_given(const Desc& desc, std::span<const const_tensor_ref> inputs,
                             std::span<const const_tensor_ref> actual, std::span<given_output> outputs) {
    if (!actual[0].present()) return false;
    visit_data_type(type_list<float, float16>{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const auto judge = [&](bool flushes, output_verdicts given_output::*verdicts) {
        const arithmetic_mode mode{std::is_same_v<T, float>, flushes, desc.accumulation};
        const goldml::detail::recurrent_layer<Desc, T> layer(desc, inputs, mode);
        goldml::detail::add_stepwise_verdicts(layer, actual[0].as<T>(), outputs, verdicts);
      };
      judge(false, &given_output::verdicts);
      if constexpr (std::is_same_v<T, float>) judge(true, &given_output::flushed_verdicts);
      const std::vector<tensor_ref> none(outputs.size());
      outputs[0].note = [t = goldml::detail::recurrent_operands_of<T>(inputs, none, desc)](
                            const std::function<bool(std::size_t)>& refused) {
        return goldml::detail::note_on_steps(t, refused);
      };
    });
    for (given_output& output : outputs) {
      output.from = " from the device's state before";
      output.verdicts.range.remedy = "";
    }
    return true;
  }
  // The states; a byte and an interval per element of the outputs and, of those that are judged step by step, twice as
  // much with their values; and copies of the inputs.
  static std::uint64_t verdict_memory(const Desc&, const operands_of<Desc>& t) {
    std::uint64_t elements = 0, values = 0;
    for (std::size_t i = 0; i < t.size(); ++i) {
      if (!t[i].desc) continue;
      values = saturating_add(values, total_tensor_size_in_bytes(*t[i].desc));
      if (i >= traits::sequence) elements = saturating_add(elements, element_count(t[i].desc->sizes));
    }
    if (t[traits::sequence].desc) elements = saturating_multiply(elements, 3);
    return saturating_add(
        saturating_add(saturating_multiply(elements, 1 + sizeof(interval) + more_interval_memory), values),
        saturating_multiply(t[traits::recurrence].desc->sizes[3],
                            goldml::detail::recurrent_layer<Desc, float>::memory_of_a_number));
  }

  static constexpr verdict_options<Desc> recurrent_options() {
    verdict_options<Desc> all = flushing_verdict_traits<Desc>::flushing_options();
    all.verdicts_given = &verdicts_given;
    return all;
  }
};

}  // namespace goldml::oracle
