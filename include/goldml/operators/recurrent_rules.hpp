// The rules that recurrent layers share, with a code each: those on sizes, on activations, directions and outputs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>

#include <goldml/core/cost.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/tensor_rules.hpp>
#include <goldml/core/work.hpp>
#include <goldml/operators/fused_activation.hpp>
#include <goldml/operators/recurrent_values.hpp>

namespace goldml::detail {

inline constexpr std::array<operand_limits, 1> recurrent_limits{
    {{feature_level::level_1_0, {data_type::float32, data_type::float16}, 4, 4}}};
inline constexpr std::array<operand_limits, 1> sequence_lengths_limits{
    {{feature_level::level_1_0, {data_type::uint32}, 4, 4}}};

// A row of operands; `same_type` is the rule that its data type is that of the first.
constexpr operand_info recurrent_input(std::string_view name, std::string_view same_type, bool optional = false) {
  return {.name = name,
          .role = operand_role::input,
          .limits = recurrent_limits,
          .optional = optional,
          .same_data_type_as = {same_type, 0}};
}
constexpr operand_info recurrent_output(std::string_view name, std::string_view same_type) {
  operand_info info = recurrent_input(name, same_type, true);
  info.role = operand_role::output;
  return info;
}
inline constexpr operand_info sequence_lengths_operand{
    .name = "SequenceLengthsTensor", .role = operand_role::input, .limits = sequence_lengths_limits, .optional = true};

// The operands of a call, for options of operator_traits<Desc> itself.
template <class Desc>
using recurrent_tensors = per_operand_unchecked<Desc, operand>;

// The codes of a layer's rules.
struct recurrent_codes {
  std::string_view fixed, directions, sizes, activations, outputs, owned, lengths, clip = "";
};

// The sizes of an operand, a letter each: 1, the Directions, Steps, Batch, Inputs and Hidden numbers; Rows of the
// weights, which are `gates` times H; T, twice that; P, three times H.
using recurrent_shape = std::string_view;

// What the letters are, as far as operands say it; 0: not known.
struct recurrent_sizes {
  std::uint64_t steps = 0, batch = 0, inputs = 0, hidden = 0, directions = 0, gates = 0;

  constexpr std::uint64_t operator[](char letter) const {
    switch (letter) {
      case 'D':
        return directions;
      case 'S':
        return steps;
      case 'B':
        return batch;
      case 'I':
        return inputs;
      case 'H':
        return hidden;
      case 'R':
        return gates * hidden;
      case 'T':
        return 2 * gates * hidden;
      case 'P':
        return 3 * hidden;
      default:
        return 1;
    }
  }
};
template <class Desc>
recurrent_sizes recurrent_sizes_of(const Desc& desc, const recurrent_tensors<Desc>& t) {
  using traits = operator_traits<Desc>;
  const auto size = [&](std::size_t i, std::size_t dimension) -> std::uint64_t {
    return t[i].legal && t[i].desc ? t[i].desc->sizes[dimension] : 0;
  };
  return {size(traits::input, 1), size(traits::input, 2),
          size(traits::input, 3), size(traits::hidden_of[0], traits::hidden_of[1]),
          direction_count(desc),  traits::gates};
}

// The sizes of an output.
template <class Desc>
implied_output implied_of_recurrent(const Desc& desc, const recurrent_tensors<Desc>& t, std::size_t output) {
  using traits = operator_traits<Desc>;
  if (t[traits::input].desc->sizes.size() != 4 || t[traits::hidden_of[0]].desc->sizes.size() != 4) return {};
  const dimensions &x = t[traits::input].desc->sizes, &w = t[traits::hidden_of[0]].desc->sizes;
  return {.sizes =
              dimensions{output == traits::sequence ? x[1] : 1, direction_count(desc), x[2], w[traits::hidden_of[1]]}};
}

// Each size of each operand, rule by rule.
template <class Desc>
void check_recurrent_sizes(const Desc& desc, bool has_direction, const recurrent_tensors<Desc>& t,
                           const rule_report& report) {
  using traits = operator_traits<Desc>;
  recurrent_sizes known = recurrent_sizes_of(desc, t);
  if (!has_direction) known.directions = 0;
  constexpr std::string_view hidden = traits::operands[traits::hidden_of[0]].name;
  const auto meaning = [&](char letter, std::uint64_t wanted) {
    const std::uint64_t times = known.hidden == 0 ? 0 : wanted / known.hidden;
    switch (letter) {
      case '1':
        return violation_text("of this dimension");
      case 'D':
        return violation_text("num_directions");
      case 'S':
      case 'B':
      case 'I':
        return violation_text("InputTensor.Sizes[{}]", letter == 'S' ? 1 : letter == 'B' ? 2 : 3);
      default:
        if (times == 2) return violation_text("twice {}.Sizes[{}]", hidden, traits::hidden_of[1]);
        if (times > 2) return violation_text("{} times {}.Sizes[{}]", times, hidden, traits::hidden_of[1]);
        return violation_text("{}.Sizes[{}]", hidden, traits::hidden_of[1]);
    }
  };
  const auto check = [&](std::string_view rule, const auto& concerns) {
    for (std::size_t i = 0; i < t.size(); ++i)
      for (std::size_t dimension = 0; t[i].legal && t[i].desc && dimension < 4; ++dimension) {
        const char letter = traits::shapes[i][dimension];
        const std::uint64_t wanted = known[letter], got = t[i].desc->sizes[dimension];
        if (concerns(letter) && wanted != 0 && got != wanted)
          report(rule, traits::operands[i].name, "Sizes", violation_text("{}", got), violation_text("{}", wanted),
                 meaning(letter, wanted), dimension);
      }
  };
  check(traits::rules.fixed, [](char letter) { return letter == '1'; });
  check(traits::rules.directions, [](char letter) { return letter == 'D'; });
  check(traits::rules.sizes, [](char letter) { return letter != '1' && letter != 'D'; });
}

// In the order of SPEC: the direction, sizes, activations, ClipThreshold, outputs, owned inputs.
template <class Desc>
void check_recurrent_rules(const Desc& desc, const recurrent_tensors<Desc>& t, const rule_report& report) {
  using traits = operator_traits<Desc>;
  const recurrent_codes& rules = traits::rules;
  const bool has_direction = check_enumerator(traits::attributes[1], desc.direction, report);
  bool comparable = true;  // no tensor breaks a T rule, or that on data types
  for (const operand& each : t)
    comparable =
        comparable && (each.legal || !each.desc) && t[traits::input].legal && t[traits::input].desc &&
        (!each.desc || &each == &t[traits::lengths] || each.desc->data_type == t[traits::input].desc->data_type);
  if (comparable) check_recurrent_sizes(desc, has_direction, t, report);
  const std::size_t functions = traits::functions.size();
  if (has_direction && desc.activation_descs.is_null())
    report(rules.activations, "", "ActivationDescs", violation_text("null"), violation_text("a pointer"));
  else if (has_direction && desc.activation_descs.size() != functions * direction_count(desc))
    report(rules.activations, "", "ActivationDescCount",
           violation_text("{}", desc.activation_descs.size() + (desc.activation_descs.overlong() ? 1 : 0)),
           violation_text("{}", functions * direction_count(desc)),
           violation_text("{} for each direction", functions == 1   ? "one"
                                                   : functions == 2 ? "two"
                                                                    : "three"));
  check_fused("ActivationDescs", desc.activation_descs, fusing_operator::recurrent, desc.feature_level, report);
  if constexpr (requires { desc.clip_threshold; })
    if (desc.use_clip_threshold && (is_nan(desc.clip_threshold) || desc.clip_threshold < 0))
      report(rules.clip, "", "ClipThreshold", violation_text("{}", scalar(desc.clip_threshold)),
             violation_text("a number of at least 0"), violation_text("as UseClipThreshold is set"));
  constexpr bool two = traits::operands.size() - traits::sequence == 2;
  bool has_output = false;
  for (std::size_t i = traits::sequence; i < t.size(); ++i) has_output = has_output || t[i].desc;
  if (!has_output)
    report(rules.outputs, "OutputSequenceTensor", "",
           violation_text("null, and so {}", two ? "is OutputSingleTensor" : "are the other outputs"),
           violation_text("{}", two ? "one of them, or both" : "one of them at least"));
  for (std::size_t i = 0; i < traits::sequence; ++i)
    if (t[i].legal && t[i].desc && t[i].desc->flags == tensor_flags::owned_by_dml)
      report(rules.owned, traits::operands[i].name, "Flags", violation_text("OWNED_BY_DML"), violation_text("NONE"));
}

// A hidden number is computed to 128 bits, whose products count as four. `functions` of the traits: how often each
// activation is taken for it. A formula judges each product of a gate as if it were an element, and twice where the
// answer of another peephole is one.
template <class Desc>
work_counts work_of_recurrent(const Desc& desc, const recurrent_tensors<Desc>& t) {
  using traits = operator_traits<Desc>;
  const dimensions& x = t[traits::input].desc->sizes;
  const std::uint64_t rows = t[traits::weight].desc->sizes[2], hidden = rows / traits::gates;
  const std::uint64_t steps = saturating_multiply(saturating_multiply(x[1], x[2]), hidden);
  std::uint64_t judged = traits::gates == 1 ? 0 : traits::gates * (hidden + x[3] + 4);
  if constexpr (requires { traits::peephole; })
    if (t[traits::peephole].desc) judged *= 2;
  work_counts total{.elements = element_count_of(t)};
  for (std::size_t d = 0; d < direction_count(desc); ++d) {
    total = total + work_counts{.terms = saturating_multiply(
                                    steps, traits::gates * (4 * hidden + x[3]) + (traits::gates == 1 ? 0 : 32)),
                                .results = steps,
                                .judged = saturating_multiply(steps, judged)};
    for (std::size_t f = 0; f < traits::functions.size(); ++f)
      total = total + work_of_fused(desc.activation_descs[d * traits::functions.size() + f],
                                    saturating_multiply(traits::functions[f], steps));
  }
  return total;
}

// `reference`: two golden states, each with its hidden numbers apart. cpu: the weights as doubles; of each thread such
// states, and two in double.
template <class Desc>
scratch_memory scratch_of_recurrent(const Desc& desc, const recurrent_tensors<Desc>& t) {
  using traits = operator_traits<Desc>;
  const std::uint64_t width = t[traits::input].desc->sizes[3], rows = t[traits::weight].desc->sizes[2];
  const std::uint64_t hidden = rows / traits::gates, numbers = traits::gates == 1 ? 1 : 2;  // of a state
  const std::uint64_t golden = (2 * numbers + 2) * sizeof(hidden_number) * hidden;
  return {.reference = golden,
          .cpu = saturating_multiply(direction_count(desc) * sizeof(double) * rows, width + 2 * hidden + 2),
          .cpu_thread = sizeof(double) * (width + (4 * numbers + 2) * hidden) + golden};
}

// The typed call, with tuples of references.
template <class Desc, class Backend, class... Inputs, class... Outputs>
void call_recurrent(const Backend& backend, const Desc& desc, const std::tuple<const Inputs&...>& inputs,
                    const std::tuple<Outputs...>& outputs) {
  static_assert(alike_types<Desc, input_view<Inputs>..., output_view<Outputs>...>,
                "goldml RNN RN1, LSTM LS1, GRU GR1: all tensors but SequenceLengthsTensor have the same data type");
  using views = std::tuple<input_view<Inputs>...>;
  constexpr std::size_t lengths = operator_traits<Desc>::lengths;
  static_assert(
      takes<Desc, 0, std::tuple_element_t<0, views>> && takes<Desc, lengths, std::tuple_element_t<lengths, views>>,
      "goldml RNN, LSTM, GRU T3: InputTensor is FLOAT32 or FLOAT16, SequenceLengthsTensor is UINT32");
  const auto refs = [](const auto& make) { return [make](auto&&... x) { return std::tuple(make(x)...); }; };
  call(backend, desc, std::apply(refs([](const auto& x) { return const_tensor_ref(as_input(x)); }), inputs),
       std::apply(refs([](auto& x) { return tensor_ref(as_output(x)); }), outputs));
}

}  // namespace goldml::detail
