// MATRIX_MULTIPLY_INTEGER_TO_FLOAT: products of quantised matrices as floats, and a bias. Feature level 6_2. Page:
// DML_MATRIX_MULTIPLY_INTEGER_TO_FLOAT_OPERATOR_DESC. Its rules are QM1 to QM9. Rulings: ledger QU-R8, QU-R10, QU-R11,
// QU-R17.
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

struct matrix_multiply_integer_to_float_desc {
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::integer_operands integer_operands = goldml::integer_operands::own;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct operator_traits<matrix_multiply_integer_to_float_desc> {
  using desc_type = matrix_multiply_integer_to_float_desc;
  static constexpr std::string_view name = "MATRIX_MULTIPLY_INTEGER_TO_FLOAT";
  static constexpr std::uint32_t enumerator = 170;

  static constexpr data_type_set integers{data_type::int32,  data_type::int16,  data_type::int8,
                                          data_type::uint32, data_type::uint16, data_type::uint8};
  static constexpr std::array<operand_limits, 1> matrix{{{feature_level::level_6_2, integers, 2, 4}}};
  static constexpr std::array<operand_limits, 1> zero_point{{{feature_level::level_6_2, integers, 1, 4}}};
  static constexpr std::array<operand_limits, 1> scale{{{feature_level::level_6_2, data_types_f, 1, 4}}};
  static constexpr std::array<operand_limits, 1> numbers{{{feature_level::level_6_2, data_types_f, 2, 4}}};

  static constexpr std::array<operand_info, 8> operands{
      {{.name = "ATensor", .role = operand_role::input, .limits = matrix},
       detail::scale_row("AScaleTensor", {}, scale),
       detail::zero_point_row("AZeroPointTensor", {"QM1", 0}, {"QM3", 1}, zero_point),
       {.name = "BTensor", .role = operand_role::input, .limits = matrix, .same_rank_as = {"QM2", 0}},
       {.name = "BScaleTensor",
        .role = operand_role::input,
        .limits = scale,
        .same_data_type_as = {"QM1", 1},
        .same_rank_as = {"QM3", 1}},
       detail::zero_point_row("BZeroPointTensor", {"QM1", 3}, {"QM3", 1}, zero_point),
       {.name = "BiasTensor",
        .role = operand_role::input,
        .limits = numbers,
        .optional = true,
        .same_data_type_as = {"QM1", 1},
        .same_rank_as = {"QM2", 0}},
       {.name = "OutputTensor",
        .role = operand_role::output,
        .limits = numbers,
        .same_data_type_as = {"QM1", 1},
        .same_rank_as = {"QM2", 0}}}};

  static constexpr auto& attributes = no_attributes;
  static constexpr std::array policies{row<&desc_type::accumulation>("accumulation"),
                                       row<&desc_type::integer_operands>("integer_operands"),
                                       row<&desc_type::same_resource>("same_resource")};

  static implied_output implied(const desc_type&, const std::array<operand, 8>& t, std::size_t) {
    return detail::implied_product(t[0], t[3]);
  }
  static void check_attributes(const desc_type& desc, const std::array<operand, 8>& t, const rule_report& report) {
    if (desc.integer_operands == integer_operands::same && t[0].legal && t[3].legal &&
        t[0].desc->data_type != t[3].desc->data_type)
      report("QM1", "BTensor", "DataType", violation_text("{}", name_of(t[3].desc->data_type)),
             violation_text("{}", name_of(t[0].desc->data_type)), violation_text("policy integer_operands"));
  }
  static void check_rules(const desc_type&, const std::array<operand, 8>& t, const rule_report& report) {
    detail::check_integer_matrices(t[0], t[3], t[7], report);
    for (const std::size_t i : {1U, 2U})
      if (detail::is_sound_parameter(t, operands, i)) detail::check_row_parameter(operands[i].name, t[i], t[0], report);
    for (const std::size_t i : {4U, 5U})
      if (detail::is_sound_parameter(t, operands, i))
        detail::check_column_parameter(operands[i].name, t[i], t[3], report);
    const operand &bias = t[6], &output = t[7];
    if (detail::is_sound_parameter(t, operands, 6) && output.legal &&
        bias.desc->sizes.size() == output.desc->sizes.size() && bias.desc->sizes != output.desc->sizes)
      report("QM9", "BiasTensor", "Sizes", violation_text("{}", bias.desc->sizes),
             violation_text("{}", output.desc->sizes), violation_text("the output's; broadcast with stride 0"));
  }
  static work_counts work(const desc_type&, const std::array<operand, 8>& t) {
    work_counts result = detail::work_of_integer_matrices(t);
    result.results = result.judged = element_count(t[7].desc->sizes);
    return result;
  }
  static scratch_memory scratch(const desc_type&, const std::array<operand, 8>& t) {
    return detail::scratch_of_integer_matrices(t[0], t[7]);
  }

  static constexpr operator_options<desc_type> options{.implied = &implied,
                                                       .check_attributes = &check_attributes,
                                                       .check_rules = &check_rules,
                                                       .work = &work,
                                                       .scratch = &scratch};
};

// output[.., i, j] = a_scale[i] * b_scale[j] * the sum over k of
//   (a[.., i, k] - a_zero_point[i]) * (b[.., k, j] - b_zero_point[j]) + bias[.., i, j], rounded once.
//   a, b          {[B, [C,]] M, K} and {[B, [C,]] K, N}, integers of 8, 16 or 32 bits, each its own type
//   bias          the output's sizes and type; may be absent
//   output        {[B, [C,]] M, N}, FLOAT32 or FLOAT16
//   a_scale       the output's type; one element, or {.., M, 1} or {M}; b_scale: {.., 1, N} or {N}
//   zero points   the types of a and of b, sizes as the scales; absent: 0
// Throws error (T1..T12, QM1..QM9), with the output unchanged.
template <class Backend, input_argument A, input_argument AScale, input_argument AZeroPoint, input_argument B,
          input_argument BScale, input_argument BZeroPoint, input_argument Bias, output_argument Output>
void matrix_multiply_integer_to_float(const Backend& backend, const A& a, const AScale& a_scale,
                                      const AZeroPoint& a_zero_point, const B& b, const BScale& b_scale,
                                      const BZeroPoint& b_zero_point, const Bias& bias, Output&& output,
                                      const matrix_multiply_integer_to_float_desc& desc = {}) {
  const std::optional some_a = detail::as_input(a_zero_point);
  const std::optional some_b = detail::as_input(b_zero_point);
  const std::optional some_bias = detail::as_input(bias);
  detail::call(backend, desc,
               std::tuple(detail::as_input(a), detail::as_input(a_scale), some_a, detail::as_input(b),
                          detail::as_input(b_scale), some_b, some_bias),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same without zero points and bias.
template <class Backend, input_argument A, input_argument AScale, input_argument B, input_argument BScale,
          output_argument Output>
void matrix_multiply_integer_to_float(const Backend& backend, const A& a, const AScale& a_scale, const B& b,
                                      const BScale& b_scale, Output&& output,
                                      const matrix_multiply_integer_to_float_desc& desc = {}) {
  const const_tensor_ref none;
  matrix_multiply_integer_to_float(backend, a, a_scale, none, b, b_scale, none, none, std::forward<Output>(output),
                                   desc);
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(matrix_multiply_integer_to_float_desc);
