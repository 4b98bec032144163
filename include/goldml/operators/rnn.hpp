// RNN: a recurrent layer of one gate, over a sequence in one direction or in both. Feature level 1_0.
// Page: DML_RNN_OPERATOR_DESC. Rules: RN1..RN10, and AR7 to AR10 for RN6. Rulings: ledger RN-R1 to RN-R4.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/work.hpp>
#include <goldml/operators/fused_activation.hpp>
#include <goldml/operators/rnn_values.hpp>

namespace goldml {

template <>
struct operator_traits<rnn_desc> {
  static constexpr std::string_view name = "RNN";
  static constexpr std::uint32_t enumerator = 76;

  static constexpr std::array<operand_limits, 1> limits{
      {{feature_level::level_1_0, {data_type::float32, data_type::float16}, 4, 4}}};
  static constexpr std::array<operand_limits, 1> lengths_limits{
      {{feature_level::level_1_0, {data_type::uint32}, 4, 4}}};
  enum operand_number : std::size_t { input, weight, recurrence, bias, hidden_init, lengths, sequence, single };
  static constexpr std::array<operand_info, 8> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = limits},
       {.name = "WeightTensor", .role = operand_role::input, .limits = limits, .same_data_type_as = {"RN1", 0}},
       {.name = "RecurrenceTensor", .role = operand_role::input, .limits = limits, .same_data_type_as = {"RN1", 0}},
       {.name = "BiasTensor",
        .role = operand_role::input,
        .limits = limits,
        .optional = true,
        .same_data_type_as = {"RN1", 0}},
       {.name = "HiddenInitTensor",
        .role = operand_role::input,
        .limits = limits,
        .optional = true,
        .same_data_type_as = {"RN1", 0}},
       {.name = "SequenceLengthsTensor", .role = operand_role::input, .limits = lengths_limits, .optional = true},
       {.name = "OutputSequenceTensor",
        .role = operand_role::output,
        .limits = limits,
        .optional = true,
        .same_data_type_as = {"RN1", 0}},
       {.name = "OutputSingleTensor",
        .role = operand_role::output,
        .limits = limits,
        .optional = true,
        .same_data_type_as = {"RN1", 0}}}};

  static constexpr std::array attributes{row<&rnn_desc::activation_descs>("ActivationDescs", "ActivationDescCount"),
                                         row<&rnn_desc::direction>("Direction").enumerator("RN8")};
  static constexpr std::array policies{row<&rnn_desc::accumulation>("accumulation"),
                                       row<&rnn_desc::same_resource>("same_resource")};

  static implied_output implied(const rnn_desc& desc, const std::array<operand, 8>& t, std::size_t output) {
    const dimensions &x = t[input].desc->sizes, &w = t[weight].desc->sizes;
    if (x.size() != 4 || w.size() != 4) return {};
    return {.sizes = dimensions{output == sequence ? x[1] : 1, direction_count(desc), x[2], w[2]}};
  }

  // RN8, RN2, RN3, RN4, RN5, RN6, RN7, RN9.
  static void check_rules(const rnn_desc& desc, const std::array<operand, 8>& t, const rule_report& report) {
    const bool has_direction = detail::check_enumerator(attributes[1], desc.direction, report);
    bool comparable = true;  // no tensor breaks a T rule, or RN1
    for (const operand& each : t)
      comparable = comparable && (each.legal || !each.desc) && t[input].legal && t[input].desc &&
                   (!each.desc || &each == &t[lengths] || each.desc->data_type == t[input].desc->data_type);
    if (comparable) check_sizes(desc, has_direction, t, report);
    if (desc.activation_descs.is_null())
      report("RN5", "", "ActivationDescs", violation_text("null"), violation_text("a pointer"));
    else if (has_direction && desc.activation_descs.size() != direction_count(desc))
      report("RN5", "", "ActivationDescCount",
             violation_text("{}", desc.activation_descs.size() + (desc.activation_descs.overlong() ? 1 : 0)),
             violation_text("{}", direction_count(desc)), violation_text("one for each direction"));
    detail::check_fused("ActivationDescs", desc.activation_descs, detail::fusing_operator::recurrent,
                        desc.feature_level, report);
    if (!t[sequence].desc && !t[single].desc)
      report("RN7", "OutputSequenceTensor", "", violation_text("null, and so is OutputSingleTensor"),
             violation_text("one of them, or both"));
    for (std::size_t i = 0; i < sequence; ++i)
      if (t[i].legal && t[i].desc && t[i].desc->flags == tensor_flags::owned_by_dml)
        report("RN9", operands[i].name, "Flags", violation_text("OWNED_BY_DML"), violation_text("NONE"));
  }

  // A hidden number is computed to 128 bits, whose products count as four; for each the activation is taken up to three
  // times: for the number, for its element, and exactly where that does not decide.
  static work_counts work(const rnn_desc& desc, const std::array<operand, 8>& t) {
    const dimensions& x = t[input].desc->sizes;
    const std::uint64_t hidden = t[weight].desc->sizes[2];
    const std::uint64_t steps = saturating_multiply(saturating_multiply(x[1], x[2]), hidden);
    work_counts total{.elements = element_count_of(t)};
    for (std::size_t d = 0; d < direction_count(desc); ++d)
      total = total + work_counts{.terms = saturating_multiply(steps, 4 * hidden + x[3]), .results = steps} +
              detail::work_of_fused(desc.activation_descs[d], 3 * steps);
    return total;
  }
  // `reference`: two hidden states. cpu: the weights as doubles; of each thread, two states of doubles and exact sums.
  static scratch_memory scratch(const rnn_desc& desc, const std::array<operand, 8>& t) {
    const std::uint64_t width = t[input].desc->sizes[3], hidden = t[weight].desc->sizes[2];
    const std::uint64_t row = width + 2 * hidden + 2;  // of a direction
    return {.reference = 6 * sizeof(detail::hidden_number) * hidden,
            .cpu = saturating_multiply(direction_count(desc) * sizeof(double) * hidden, row),
            .cpu_thread = sizeof(double) * (width + 4 * hidden) +
                          3 * (sizeof(detail::hidden_number) + sizeof(detail::extended_sum)) * hidden};
  }

  static constexpr operator_options<rnn_desc> options{
      .implied = &implied, .check_rules = &check_rules, .work = &work, .scratch = &scratch};

 private:
  // What a size must be.
  struct wanted_size {
    std::size_t operand;
    std::size_t dimension;
    std::string_view rule;
    std::uint64_t size;
    std::string_view meaning;
  };

  // RN2, RN3, RN4.
  static void check_sizes(const rnn_desc& desc, bool has_direction, const std::array<operand, 8>& t,
                          const rule_report& report) {
    const auto size = [&](std::size_t i, std::size_t dimension) -> std::uint64_t {
      return t[i].legal && t[i].desc ? t[i].desc->sizes[dimension] : 0;  // 0: not known
    };
    const std::uint64_t steps = size(input, 1), batch = size(input, 2), width = size(input, 3);
    const std::uint64_t hidden = size(weight, 2);
    const std::uint64_t directions = has_direction ? direction_count(desc) : 0;
    constexpr std::string_view fixed = "of this dimension", num = "num_directions", of_batch = "InputTensor.Sizes[2]";
    constexpr std::string_view of_hidden = "WeightTensor.Sizes[2]", of_steps = "InputTensor.Sizes[1]";
    const wanted_size all[]{{input, 0, "RN2", 1, fixed},
                            {weight, 0, "RN2", 1, fixed},
                            {recurrence, 0, "RN2", 1, fixed},
                            {bias, 0, "RN2", 1, fixed},
                            {bias, 1, "RN2", 1, fixed},
                            {hidden_init, 0, "RN2", 1, fixed},
                            {lengths, 0, "RN2", 1, fixed},
                            {lengths, 1, "RN2", 1, fixed},
                            {lengths, 2, "RN2", 1, fixed},
                            {single, 0, "RN2", 1, fixed},
                            {weight, 1, "RN3", directions, num},
                            {recurrence, 1, "RN3", directions, num},
                            {bias, 2, "RN3", directions, num},
                            {hidden_init, 1, "RN3", directions, num},
                            {sequence, 1, "RN3", directions, num},
                            {single, 1, "RN3", directions, num},
                            {weight, 3, "RN4", width, "InputTensor.Sizes[3]"},
                            {recurrence, 2, "RN4", hidden, of_hidden},
                            {recurrence, 3, "RN4", hidden, of_hidden},
                            {bias, 3, "RN4", 2 * hidden, "twice WeightTensor.Sizes[2]"},
                            {hidden_init, 2, "RN4", batch, of_batch},
                            {hidden_init, 3, "RN4", hidden, of_hidden},
                            {lengths, 3, "RN4", batch, of_batch},
                            {sequence, 0, "RN4", steps, of_steps},
                            {sequence, 2, "RN4", batch, of_batch},
                            {sequence, 3, "RN4", hidden, of_hidden},
                            {single, 2, "RN4", batch, of_batch},
                            {single, 3, "RN4", hidden, of_hidden}};
    for (const wanted_size& each : all) {
      const std::uint64_t got = size(each.operand, each.dimension);
      if (got != 0 && each.size != 0 && got != each.size)
        report(each.rule, operands[each.operand].name, "Sizes", violation_text("{}", got),
               violation_text("{}", each.size), violation_text("{}", each.meaning), each.dimension);
    }
  }
};

// With Dn directions (2 if BIDIRECTIONAL), S steps, batch B, input size I and hidden size H:
//   input             X {1,S,B,I}, FLOAT32 or FLOAT16; all others but the lengths have its type
//   weight            W {1,Dn,H,I}
//   recurrence        R {1,Dn,H,H}
//   bias              {1,1,Dn,2H}: for W, then for R; may be omitted
//   hidden_init       {1,Dn,B,H}; may be omitted: zeros
//   sequence_lengths  UINT32 {1,1,1,B}; may be omitted: S each
//   output_sequence   {S,Dn,B,H}: the hidden state after each step; zeros beyond the length
//   output_single     {1,Dn,B,H}: the last hidden state. One of the outputs may be omitted
// One step: h = f(W X[t] + R h + bias of W + bias of R), from t = 0 on, or, of the direction backward, from the last
// step of the length to 0. Omitted tensors are const_tensor_ref() and tensor_ref(). The hidden states are not rounded
// from step to step; what is stored is rounded once.
// Throws error (T1..T12, RN1..RN9, AR7..AR10 and, for a length above S, RN10), with the outputs unchanged.
template <class Backend, input_argument Input, input_argument Weight, input_argument Recurrence, input_argument Bias,
          input_argument HiddenInit, input_argument Lengths, output_argument Sequence, output_argument Single>
void rnn(const Backend& backend, const Input& input, const Weight& weight, const Recurrence& recurrence,
         const Bias& bias, const HiddenInit& hidden_init, const Lengths& sequence_lengths, Sequence&& output_sequence,
         Single&& output_single, const rnn_desc& desc) {
  static_assert(
      detail::alike_types<rnn_desc, input_view<Input>, input_view<Weight>, input_view<Recurrence>, input_view<Bias>,
                          input_view<HiddenInit>, input_view<Lengths>, output_view<Sequence>, output_view<Single>>,
      "goldml RNN RN1: all tensors but SequenceLengthsTensor have the same data type");
  static_assert(detail::takes<rnn_desc, 0, input_view<Input>> && detail::takes<rnn_desc, 5, input_view<Lengths>>,
                "goldml RNN T3: InputTensor is FLOAT32 or FLOAT16, SequenceLengthsTensor is UINT32");
  detail::call(
      backend, desc,
      std::tuple(const_tensor_ref(detail::as_input(input)), const_tensor_ref(detail::as_input(weight)),
                 const_tensor_ref(detail::as_input(recurrence)), const_tensor_ref(detail::as_input(bias)),
                 const_tensor_ref(detail::as_input(hidden_init)), const_tensor_ref(detail::as_input(sequence_lengths))),
      std::tuple(tensor_ref(detail::as_output(std::forward<Sequence>(output_sequence))),
                 tensor_ref(detail::as_output(std::forward<Single>(output_single)))));
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(rnn_desc);
