// MATRIX_MULTIPLY_INTEGER: products of matrices of integers of 8 bits, less their zero points. Feature level 2_1.
// Page: DML_MATRIX_MULTIPLY_INTEGER_OPERATOR_DESC. Its rules are QM1, QM2, QM4 to QM8. Ruling: ledger QU-R8.
#pragma once

#include <algorithm>
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
#include <goldml/core/work.hpp>
#include <goldml/operators/quantised_parameters.hpp>

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

  static constexpr data_type_set words{data_type::int32};
  static constexpr std::array<operand_limits, 2> limits{{{feature_level::level_2_1, detail::quantised_bytes, 4, 4},
                                                         {feature_level::level_4_0, detail::quantised_bytes, 2, 4}}};
  static constexpr std::array<operand_limits, 2> zero_of_a{{{feature_level::level_2_1, detail::quantised_bytes, 4, 4},
                                                            {feature_level::level_4_0, detail::quantised_bytes, 1, 4}}};
  static constexpr std::array<operand_limits, 3> zero_of_b{{{feature_level::level_2_1, detail::quantised_bytes, 4, 4},
                                                            {feature_level::level_4_0, detail::quantised_bytes, 2, 4},
                                                            {feature_level::level_5_2, detail::quantised_bytes, 1, 4}}};
  static constexpr std::array<operand_limits, 2> output_limits{
      {{feature_level::level_2_1, words, 4, 4}, {feature_level::level_4_0, words, 2, 4}}};
  static constexpr std::array<operand_info, 5> operands{
      {{.name = "ATensor", .role = operand_role::input, .limits = limits},
       {.name = "AZeroPointTensor",
        .role = operand_role::input,
        .limits = zero_of_a,
        .optional = true,
        .same_data_type_as = {"QM1", 0}},
       {.name = "BTensor", .role = operand_role::input, .limits = limits, .same_rank_as = {"QM2", 0}},
       {.name = "BZeroPointTensor",
        .role = operand_role::input,
        .limits = zero_of_b,
        .optional = true,
        .same_data_type_as = {"QM1", 2}},
       {.name = "OutputTensor", .role = operand_role::output, .limits = output_limits, .same_rank_as = {"QM2", 0}}}};

  static constexpr auto& attributes = no_attributes;
  static constexpr std::array policies{row<&desc_type::same_resource>("same_resource")};

  static implied_output implied(const desc_type&, const std::array<operand, 5>& t, std::size_t) {
    const dimensions &a = t[0].desc->sizes, &b = t[2].desc->sizes;
    if (a.size() < 2 || a.size() != b.size()) return {};
    dimensions sizes = a;
    sizes[a.size() - 1] = b[b.size() - 1];
    return {.sizes = sizes};
  }

  static void check_rules(const desc_type&, const std::array<operand, 5>& t, const rule_report& report) {
    const auto& [a, a_zero, b, b_zero, output] = t;
    check_matrices(a, b, output, report);
    const auto last = [](const operand& of, std::size_t from_last) {
      return of.desc->sizes[of.desc->sizes.size() - 1 - from_last];
    };
    if (a.legal && same_type(a, a_zero))
      detail::check_parameter_sizes("QM7", "AZeroPointTensor", a_zero, detail::of_rows, last(a, 1), "the rows of A",
                                    report);
    if (b.legal && same_type(b, b_zero))
      detail::check_parameter_sizes("QM8", "BZeroPointTensor", b_zero, detail::of_columns, last(b, 0),
                                    "the columns of B", report);
  }

  static work_counts work(const desc_type&, const std::array<operand, 5>& t) {
    const std::uint64_t outputs = element_count(t[4].desc->sizes);
    return {.elements = element_count_of(t), .terms = saturating_multiply(outputs, t[0].desc->sizes.back())};
  }
  // Of a thread of cpu the matrices of a tile, and the copies that a product makes of two.
  static scratch_memory scratch(const desc_type&, const std::array<operand, 5>& t) {
    constexpr std::uint64_t most = 512;
    const dimensions &a = t[0].desc->sizes, &output = t[4].desc->sizes;
    const std::uint64_t m = (std::min<std::uint64_t>)(most, output[output.size() - 2]);
    const std::uint64_t n = (std::min<std::uint64_t>)(most, output.back());
    const std::uint64_t k = (std::min<std::uint64_t>)(most, a.back());
    return {.cpu_thread = sizeof(double) * (m * n + 2 * k * (m + n))};
  }

  static constexpr operator_options<desc_type> options{
      .implied = &implied, .check_rules = &check_rules, .work = &work, .scratch = &scratch, .exact = true};

 private:
  static bool same_type(const operand& a, const operand& b) {
    return b.desc && b.legal && a.desc->data_type == b.desc->data_type;
  }

  // QM4 to QM6, where the DimensionCounts are equal.
  static void check_matrices(const operand& a, const operand& b, const operand& output, const rule_report& report) {
    if (!a.legal) return;
    const dimensions& left = a.desc->sizes;
    const std::size_t batches = left.size() - 2;
    const auto wrong = [&](std::string_view rule, std::string_view name, const operand& t, std::size_t i,
                           std::uint32_t wanted, const violation_text& why) {
      const std::uint32_t size = t.desc->sizes[i];
      if (size != wanted) report(rule, name, "Sizes", violation_text("{}", size), violation_text("{}", wanted), why, i);
    };
    const auto comparable = [&](const operand& t) { return t.legal && t.desc->sizes.size() == left.size(); };
    const bool has_b = comparable(b), has_output = comparable(output);
    for (std::size_t i = 0; i < batches && has_b; ++i)
      wrong("QM4", "BTensor", b, i, left[i], violation_text("ATensor's"));
    for (std::size_t i = 0; i < batches && has_output; ++i)
      wrong("QM4", "OutputTensor", output, i, left[i], violation_text("ATensor's"));
    if (has_b) wrong("QM5", "BTensor", b, batches, left[batches + 1], violation_text("K, as in ATensor"));
    if (has_output) wrong("QM6", "OutputTensor", output, batches, left[batches], violation_text("M, as in ATensor"));
    if (has_output && has_b)
      wrong("QM6", "OutputTensor", output, batches + 1, b.desc->sizes[batches + 1], violation_text("N, as in BTensor"));
  }
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
