// QUANTIZED_LINEAR_MATRIX_MULTIPLY: products of quantised matrices, quantised again. Feature level 2_1. Page:
// DML_QUANTIZED_LINEAR_MATRIX_MULTIPLY_OPERATOR_DESC. Its rules are QM1 to QM8. Rulings: ledger QU-R1, QU-R3, QU-R8,
// QU-R11, QU-R12.
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
#include <goldml/operators/integer_matrices.hpp>

namespace goldml {

struct quantized_linear_matrix_multiply_desc {
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::quantize_ties quantize_ties = goldml::quantize_ties::even;
  goldml::fixed_point fixed_point = goldml::fixed_point::refuse;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct operator_traits<quantized_linear_matrix_multiply_desc> {
  using desc_type = quantized_linear_matrix_multiply_desc;
  static constexpr std::string_view name = "QUANTIZED_LINEAR_MATRIX_MULTIPLY";
  static constexpr std::uint32_t enumerator = 118;

  static constexpr std::array<operand_info, 9> operands{
      {{.name = "ATensor", .role = operand_role::input, .limits = detail::quantised_limits::matrix},
       detail::scale_row("AScaleTensor"),
       detail::zero_point_row("AZeroPointTensor", {"QM1", 0}, {"QM3", 1}),
       {.name = "BTensor",
        .role = operand_role::input,
        .limits = detail::quantised_limits::matrix,
        .same_rank_as = {"QM2", 0}},
       detail::scale_row("BScaleTensor", {"QM3", 1}),
       detail::zero_point_row("BZeroPointTensor", {"QM1", 3}, {"QM3", 1}),
       detail::scale_row("OutputScaleTensor", {"QM3", 1}),
       detail::zero_point_row("OutputZeroPointTensor", {"QM1", 8}, {"QM3", 1}),
       {.name = "OutputTensor",
        .role = operand_role::output,
        .limits = detail::quantised_limits::matrix,
        .same_rank_as = {"QM2", 0}}}};

  static constexpr auto& attributes = no_attributes;
  static constexpr std::array policies{
      row<&desc_type::accumulation>("accumulation"), row<&desc_type::quantize_ties>("quantize_ties"),
      row<&desc_type::fixed_point>("fixed_point"), row<&desc_type::same_resource>("same_resource")};

  static implied_output implied(const desc_type&, const std::array<operand, 9>& t, std::size_t) {
    return detail::implied_product(t[0], t[3]);
  }
  static void check_rules(const desc_type&, const std::array<operand, 9>& t, const rule_report& report) {
    detail::check_integer_matrices(t[0], t[3], t[8], report);
    for (const std::size_t i : {1U, 2U, 6U, 7U})
      if (detail::is_sound_parameter(t, operands, i)) detail::check_row_parameter(operands[i].name, t[i], t[0], report);
    for (const std::size_t i : {4U, 5U})
      if (detail::is_sound_parameter(t, operands, i))
        detail::check_column_parameter(operands[i].name, t[i], t[3], report);
  }
  static work_counts work(const desc_type&, const std::array<operand, 9>& t) {
    work_counts result = detail::work_of_integer_matrices(t);
    result.results = result.judged = element_count(t[8].desc->sizes);
    return result;
  }
  static scratch_memory scratch(const desc_type&, const std::array<operand, 9>& t) {
    return detail::scratch_of_integer_matrices(t[0], t[8]);
  }

  static constexpr operator_options<desc_type> options{
      .implied = &implied, .check_rules = &check_rules, .work = &work, .scratch = &scratch};
};

// output[.., i, j] = the integer nearest to
//   a_scale[i] * b_scale[j] / output_scale[i] * the sum over k of
//     (a[.., i, k] - a_zero_point[i]) * (b[.., k, j] - b_zero_point[j]),
// of two the even one, plus output_zero_point[i]; then the nearest integer of the output's type.
//   a             {[B, [C,]] M, K}, INT8 or UINT8
//   b             {[B, [C,]] K, N}, INT8 or UINT8
//   output        {[B, [C,]] M, N}, INT8 or UINT8
//   a_scale, output_scale            FLOAT32; one element, or {.., M, 1} or {M}
//   b_scale                          FLOAT32; one element, or {.., 1, N} or {N}
//   a_zero_point, output_zero_point  the types of a and of output, sizes as the scales; absent: 0
//   b_zero_point                     b's type, sizes as b_scale; absent: 0
// Throws error (T1..T12, QM1..QM8), with the output unchanged.
template <class Backend, input_argument A, input_argument AScale, input_argument AZeroPoint, input_argument B,
          input_argument BScale, input_argument BZeroPoint, input_argument OutputScale, input_argument OutputZeroPoint,
          output_argument Output>
void quantized_linear_matrix_multiply(const Backend& backend, const A& a, const AScale& a_scale,
                                      const AZeroPoint& a_zero_point, const B& b, const BScale& b_scale,
                                      const BZeroPoint& b_zero_point, const OutputScale& output_scale,
                                      const OutputZeroPoint& output_zero_point, Output&& output,
                                      const quantized_linear_matrix_multiply_desc& desc = {}) {
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
void quantized_linear_matrix_multiply(const Backend& backend, const A& a, const AScale& a_scale, const B& b,
                                      const BScale& b_scale, const OutputScale& output_scale, Output&& output,
                                      const quantized_linear_matrix_multiply_desc& desc = {}) {
  const const_tensor_ref none;
  detail::call(backend, desc,
               std::tuple(detail::as_input(a), detail::as_input(a_scale), none, detail::as_input(b),
                          detail::as_input(b_scale), none, detail::as_input(output_scale), none),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(quantized_linear_matrix_multiply_desc);
