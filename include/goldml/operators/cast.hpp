// CAST: converts each element to the output's data type. Feature level 1_0.
// Page: DML_CAST_OPERATOR_DESC. Rules: CA2, CA3. Rulings: ledger L33, L35.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/policies.hpp>

namespace goldml {

struct cast_desc {
  goldml::cast_overflow cast_overflow = goldml::cast_overflow::saturate;
  goldml::integer_narrowing integer_narrowing = goldml::integer_narrowing::wrap;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct operator_traits<cast_desc> {
  static constexpr std::string_view name = "CAST";
  static constexpr std::uint32_t enumerator = 61;

  static constexpr data_type_set first_types{data_type::float32, data_type::float16, data_type::int16,
                                             data_type::int8,    data_type::uint16,  data_type::uint8};
  static constexpr std::array<operand_limits, 4> limits{{{feature_level::level_1_0, first_types, 4, 4},
                                                         {feature_level::level_3_0, data_types_a10, 4, 4},
                                                         {feature_level::level_3_1, data_types_a10, 1, 8},
                                                         {feature_level::level_4_1, data_types_a11, 1, 8}}};
  static constexpr std::array<operand_info, 2> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = limits},
       {.name = "OutputTensor",
        .role = operand_role::output,
        .limits = limits,
        .same_rank_as = {"CA2", 0},
        .same_sizes_as = {"CA3", 0}}}};

  static constexpr auto& attributes = no_attributes;
  static constexpr std::array policies{row<&cast_desc::cast_overflow>("cast_overflow"),
                                       row<&cast_desc::integer_narrowing>("integer_narrowing"),
                                       row<&cast_desc::same_resource>("same_resource")};

  static constexpr operator_options<cast_desc> options{};
};

// output[c] = input[c], converted.
//   input   every type
//   output  every type; the input's sizes
// Of the same type: bits are copied. To floats: rounded once, to nearest even; overflow gives an infinity. From floats
// to integers: truncated toward zero, saturated; NaN gives 0. Between integers: the low bits. Throws error (T1..T12,
// CA2, CA3), with the output unchanged.
template <class Backend, input_argument Input, output_argument Output>
void cast(const Backend& backend, const Input& input, Output&& output, const cast_desc& desc = {}) {
  detail::call(backend, desc, std::tuple(detail::as_input(input)),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same, returning the output: cast<std::int32_t>(reference, x).
template <element To, class Backend, class From>
[[nodiscard]] tensor<To> cast(const Backend& backend, const tensor<From>& input, const cast_desc& desc = {}) {
  tensor<To> output = detail::new_output_of<To>(input.sizes(), desc, input);
  cast(backend, input, output, desc);
  return output;
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(cast_desc);
