// FILL_VALUE_CONSTANT: sets every element of the output to a value. Feature level 2_1.
// Page: DML_FILL_VALUE_CONSTANT_OPERATOR_DESC. Rule: FC1.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/scalar_rules.hpp>

namespace goldml {

struct fill_value_constant_desc {
  scalar value = {};  // of the output's data type; if omitted, zero
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct operator_traits<fill_value_constant_desc> {
  static constexpr std::string_view name = "FILL_VALUE_CONSTANT";
  static constexpr std::uint32_t enumerator = 103;

  static constexpr std::array<operand_limits, 3> limits{{{feature_level::level_2_1, data_types_a8, 4, 4},
                                                         {feature_level::level_4_0, data_types_a8, 1, 8},
                                                         {feature_level::level_4_1, data_types_a11, 1, 8}}};
  static constexpr std::array<operand_info, 1> operands{
      {{.name = "OutputTensor", .role = operand_role::output, .limits = limits}}};

  static constexpr std::array attributes{row<&fill_value_constant_desc::value>("Value", "ValueDataType")};
  static constexpr auto& policies = no_attributes;

  static void check_rules(const fill_value_constant_desc& desc, const operands_of<fill_value_constant_desc>& t,
                          const rule_report& report) {
    detail::check_value_type("FC1", "ValueDataType", "value", desc.value, t[0], report);
  }

  static constexpr operator_options<fill_value_constant_desc> options{
      .check_rules = &check_rules, .moves = true, .exact = true};
};

// output[c] = value, bit for bit. Throws error (T1..T12, FC1), with the output unchanged.
template <class Backend, output_argument Output>
void fill_value_constant(const Backend& backend, Output&& output, const fill_value_constant_desc& desc) {
  detail::call(backend, desc, std::tuple<>(), std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same, returning the output: fill_value_constant<float>(cpu, {2, 3}, {.value = 1.0f}).
template <element T, class Backend>
[[nodiscard]] tensor<T> fill_value_constant(const Backend& backend, const dimensions& sizes,
                                            const fill_value_constant_desc& desc) {
  tensor<T> output(sizes);
  fill_value_constant(backend, output, desc);
  return output;
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(fill_value_constant_desc);
