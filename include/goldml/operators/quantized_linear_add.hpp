// ELEMENT_WISE_QUANTIZED_LINEAR_ADD: the sum of two quantised tensors, quantised again. Feature level 4_0. Page:
// DML_ELEMENT_WISE_QUANTIZED_LINEAR_ADD_OPERATOR_DESC. Its rules are QA1 to QA4. Rulings: ledger QU-R1, QU-R3.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/quantised_policies.hpp>
#include <goldml/core/work.hpp>
#include <goldml/operators/quantised_parameters.hpp>

namespace goldml {

struct element_wise_quantized_linear_add_desc {
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::quantize_ties quantize_ties = goldml::quantize_ties::even;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct operator_traits<element_wise_quantized_linear_add_desc> {
  using desc_type = element_wise_quantized_linear_add_desc;
  static constexpr std::string_view name = "ELEMENT_WISE_QUANTIZED_LINEAR_ADD";
  static constexpr std::uint32_t enumerator = 147;

  static constexpr std::array<operand_limits, 1> limits{{{feature_level::level_4_0, detail::quantised_bytes, 1, 8}}};
  static constexpr std::array<operand_limits, 1> scale_limits{
      {{feature_level::level_4_0, detail::quantised_limits::floats, 1, 8}}};
  static constexpr std::array<operand_info, 9> operands{
      {{.name = "ATensor", .role = operand_role::input, .limits = limits},
       detail::scale_row("AScaleTensor", {"QA2", 0}, scale_limits),
       detail::zero_point_row("AZeroPointTensor", {"QA1", 0}, {"QA2", 0}, limits),
       {.name = "BTensor",
        .role = operand_role::input,
        .limits = limits,
        .same_rank_as = {"QA2", 0},
        .same_sizes_as = {"QA3", 0}},
       detail::scale_row("BScaleTensor", {"QA2", 0}, scale_limits),
       detail::zero_point_row("BZeroPointTensor", {"QA1", 3}, {"QA2", 0}, limits),
       detail::scale_row("OutputScaleTensor", {"QA2", 0}, scale_limits),
       detail::zero_point_row("OutputZeroPointTensor", {"QA1", 8}, {"QA2", 0}, limits),
       {.name = "OutputTensor",
        .role = operand_role::output,
        .limits = limits,
        .same_rank_as = {"QA2", 0},
        .same_sizes_as = {"QA3", 0}}}};

  static constexpr auto& attributes = no_attributes;
  static constexpr std::array policies{row<&desc_type::accumulation>("accumulation"),
                                       row<&desc_type::quantize_ties>("quantize_ties"),
                                       row<&desc_type::same_resource>("same_resource")};

  static void check_rules(const desc_type&, const std::array<operand, 9>& t, const rule_report& report) {
    for (const std::size_t i : {1U, 2U, 4U, 5U, 6U, 7U})
      if (detail::is_sound_parameter(t, operands, i))
        detail::check_parameter_sizes("QA4", operands[i].name, t[i], detail::of_any_axis, 1, "of the whole tensor",
                                      report);
  }
  static work_counts work(const desc_type&, const std::array<operand, 9>& t) {
    return {.elements = element_count_of(t), .results = element_count(t[8].desc->sizes)};
  }

  static constexpr operator_options<desc_type> options{.check_rules = &check_rules, .work = &work};
};

// output[c] = the integer nearest to
//   (a_scale * (a[c] - a_zero_point) + b_scale * (b[c] - b_zero_point)) / output_scale,
// of two the even one, plus output_zero_point; then the nearest integer of the output's type.
//   a, b, output  INT8 or UINT8, the same sizes
//   scales        FLOAT32, one element
//   zero points   the types of a, b and output, one element; absent: 0
// Throws error (T1..T12, QA1..QA4), with the output unchanged.
template <class Backend, input_argument A, input_argument AScale, input_argument AZeroPoint, input_argument B,
          input_argument BScale, input_argument BZeroPoint, input_argument OutputScale, input_argument OutputZeroPoint,
          output_argument Output>
void element_wise_quantized_linear_add(const Backend& backend, const A& a, const AScale& a_scale,
                                       const AZeroPoint& a_zero_point, const B& b, const BScale& b_scale,
                                       const BZeroPoint& b_zero_point, const OutputScale& output_scale,
                                       const OutputZeroPoint& output_zero_point, Output&& output,
                                       const element_wise_quantized_linear_add_desc& desc = {}) {
  const std::optional some_a = detail::as_input(a_zero_point);
  const std::optional some_b = detail::as_input(b_zero_point);
  const std::optional some_output = detail::as_input(output_zero_point);
  detail::call(backend, desc,
               std::tuple(detail::as_input(a), detail::as_input(a_scale), some_a, detail::as_input(b),
                          detail::as_input(b_scale), some_b, detail::as_input(output_scale), some_output),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same without zero points.
template <class Backend, input_argument A, input_argument AScale, input_argument B, input_argument BScale,
          input_argument OutputScale, output_argument Output>
void element_wise_quantized_linear_add(const Backend& backend, const A& a, const AScale& a_scale, const B& b,
                                       const BScale& b_scale, const OutputScale& output_scale, Output&& output,
                                       const element_wise_quantized_linear_add_desc& desc = {}) {
  const const_tensor_ref none;
  element_wise_quantized_linear_add(backend, a, a_scale, none, b, b_scale, none, output_scale, none,
                                    std::forward<Output>(output), desc);
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(element_wise_quantized_linear_add_desc);
