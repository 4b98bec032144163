// DIAGONAL_MATRIX: fills one diagonal of each matrix with a value and the rest with zeros. Feature level 2_0.
// Page: DML_DIAGONAL_MATRIX_OPERATOR_DESC. Rule: DM1. Rulings: ledger L18.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/core/compiled.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/value_conversion.hpp>

namespace goldml {

struct diagonal_matrix_desc {
  std::int32_t offset = 0;  // of the diagonal: 0 is the main one, positive to its right
  float value = 0;          // converted to the output's data type; integers truncate
  goldml::value_conversion value_conversion = goldml::value_conversion::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

// Whether the element at c, whose last two coordinates are row and column, is on the diagonal.
constexpr bool is_on_diagonal(const coordinate_tuple& c, std::int32_t offset) {
  const std::int64_t row = c[c.size() - 2];
  const std::int64_t column = c[c.size() - 1];
  return row + offset == column;
}

template <>
struct operator_traits<diagonal_matrix_desc> {
  static constexpr std::string_view name = "DIAGONAL_MATRIX";
  static constexpr std::uint32_t enumerator = 93;

  static constexpr data_type_set floats{data_type::float32, data_type::float16};
  static constexpr std::array<operand_limits, 4> limits{{{feature_level::level_2_0, floats, 4, 4},
                                                         {feature_level::level_2_1, data_types_a8, 4, 4},
                                                         {feature_level::level_4_0, data_types_a8, 2, 4},
                                                         {feature_level::level_5_1, data_types_a11, 2, 4}}};
  static constexpr std::array<operand_info, 1> operands{
      {{.name = "OutputTensor", .role = operand_role::output, .limits = limits}}};

  static constexpr std::array attributes{row<&diagonal_matrix_desc::offset>("Offset"),
                                         row<&diagonal_matrix_desc::value>("Value")};
  static constexpr std::array policies{row<&diagonal_matrix_desc::value_conversion>("value_conversion")};

  static void check_rules(const diagonal_matrix_desc& desc, const operands_of<diagonal_matrix_desc>& t,
                          const rule_report& report) {
    const auto& [output] = t;
    if (!output.legal) return;
    if (!convert_value(desc.value, output.desc->data_type, desc.value_conversion))
      report("DM1", "", "Value", violation_text("{}", scalar(desc.value)),
             violation_text("a number that {} holds, truncated toward zero", name_of(output.desc->data_type)),
             violation_text("policy value_conversion saturate takes the nearest, and 0 for NaN"));
  }

  static constexpr operator_options<diagonal_matrix_desc> options{.check_rules = &check_rules};
};

// output[c] = value if c is on the diagonal of its matrix (the last two dimensions), otherwise +0.
//   output  2 to 4 dimensions; every type
// Throws error (T1..T12, DM1), with the output unchanged.
template <class Backend, output_argument Output>
void diagonal_matrix(const Backend& backend, Output&& output, const diagonal_matrix_desc& desc) {
  detail::call(backend, desc, std::tuple<>(), std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same, returning the output: diagonal_matrix<float>(cpu, {3, 3}, {.value = 1}).
template <element T, class Backend>
[[nodiscard]] tensor<T> diagonal_matrix(const Backend& backend, const dimensions& sizes,
                                        const diagonal_matrix_desc& desc) {
  tensor<T> output(sizes);
  diagonal_matrix(backend, output, desc);
  return output;
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(diagonal_matrix_desc);
