// MATRIX_MULTIPLY_INTEGER: products of matrices of integers of 8 bits, less their zero points. Feature level 2_1.
// Page: DML_MATRIX_MULTIPLY_INTEGER_OPERATOR_DESC. Its rules are QM1, QM2, QM4 to QM8. Ruling: ledger QU-R8.
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
#include <goldml/operators/integer_matrices.hpp>

namespace goldml {

struct matrix_multiply_integer_desc {
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct operator_traits<matrix_multiply_integer_desc> {
  using desc_type = matrix_multiply_integer_desc;
  static constexpr std::string_view name = "MATRIX_MULTIPLY_INTEGER";
  static constexpr std::uint32_t enumerator = 117;

  static constexpr std::array<operand_limits, 3> zero_of_b{{{feature_level::level_2_1, detail::quantised_bytes, 4, 4},
                                                            {feature_level::level_4_0, detail::quantised_bytes, 2, 4},
                                                            {feature_level::level_5_2, detail::quantised_bytes, 1, 4}}};
  static constexpr std::array<operand_info, 5> operands{
      {{.name = "ATensor", .role = operand_role::input, .limits = detail::quantised_limits::matrix},
       detail::zero_point_row("AZeroPointTensor", {"QM1", 0}),
       {.name = "BTensor",
        .role = operand_role::input,
        .limits = detail::quantised_limits::matrix,
        .same_rank_as = {"QM2", 0}},
       detail::zero_point_row("BZeroPointTensor", {"QM1", 2}, {}, zero_of_b),
       {.name = "OutputTensor",
        .role = operand_role::output,
        .limits = detail::quantised_limits::matrix_of_words,
        .same_rank_as = {"QM2", 0}}}};

  static constexpr auto& attributes = no_attributes;
  static constexpr std::array policies{row<&desc_type::same_resource>("same_resource")};

  static implied_output implied(const desc_type&, const std::array<operand, 5>& t, std::size_t) {
    return detail::implied_product(t[0], t[2]);
  }
  static void check_rules(const desc_type&, const std::array<operand, 5>& t, const rule_report& report) {
    detail::check_integer_matrices(t[0], t[2], t[4], report);
    if (detail::is_sound_parameter(t, operands, 1)) detail::check_row_parameter(operands[1].name, t[1], t[0], report);
    if (detail::is_sound_parameter(t, operands, 3))
      detail::check_column_parameter(operands[3].name, t[3], t[2], report);
  }
  static work_counts work(const desc_type&, const std::array<operand, 5>& t) {
    return detail::work_of_integer_matrices(t);
  }
  static scratch_memory scratch(const desc_type&, const std::array<operand, 5>& t) {
    return detail::scratch_of_integer_matrices(t[0], t[4]);
  }

  static constexpr operator_options<desc_type> options{
      .implied = &implied, .check_rules = &check_rules, .work = &work, .scratch = &scratch, .exact = true};
};

// output[.., i, j] = the sum over k of (a[.., i, k] - a_zero_point[i]) * (b[.., k, j] - b_zero_point[j]), modulo 2^32.
//   a             {[B, [C,]] M, K}, INT8 or UINT8
//   a_zero_point  a's type; one element, or {.., M, 1} or {M}; absent: 0
//   b             {[B, [C,]] K, N}, INT8 or UINT8
//   b_zero_point  b's type; one element, or {.., 1, N} or {N}; absent: 0
//   output        {[B, [C,]] M, N}, INT32
// Throws error (T1..T12, QM1..QM8), with the output unchanged.
template <class Backend, input_argument A, input_argument AZeroPoint, input_argument B, input_argument BZeroPoint,
          output_argument Output>
void matrix_multiply_integer(const Backend& backend, const A& a, const AZeroPoint& a_zero_point, const B& b,
                             const BZeroPoint& b_zero_point, Output&& output,
                             const matrix_multiply_integer_desc& desc = {}) {
  const std::optional some_a = detail::as_input(a_zero_point);
  const std::optional some_b = detail::as_input(b_zero_point);
  detail::call(backend, desc, std::tuple(detail::as_input(a), some_a, detail::as_input(b), some_b),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same without zero points.
template <class Backend, input_argument A, input_argument B, output_argument Output>
void matrix_multiply_integer(const Backend& backend, const A& a, const B& b, Output&& output,
                             const matrix_multiply_integer_desc& desc = {}) {
  detail::call(backend, desc,
               std::tuple(detail::as_input(a), const_tensor_ref(), detail::as_input(b), const_tensor_ref()),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(matrix_multiply_integer_desc);
