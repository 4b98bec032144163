// ELEMENT_WISE_QUANTIZE_LINEAR: numbers as integers of 8 bits, by a scale and a zero point for each element; and
// ELEMENT_WISE_DEQUANTIZE_LINEAR, its inverse. Feature level 1_0. Pages:
// DML_ELEMENT_WISE_QUANTIZE_LINEAR_OPERATOR_DESC, DML_ELEMENT_WISE_DEQUANTIZE_LINEAR_OPERATOR_DESC. Their rules are
// QL1..QL4. Rulings: ledger QU-R1 to QU-R4.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/quantised_policies.hpp>
#include <goldml/core/work.hpp>

namespace goldml {

struct element_wise_quantize_linear_desc {
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::quantize_ties quantize_ties = goldml::quantize_ties::even;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

struct element_wise_dequantize_linear_desc {
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

namespace detail {

template <class Desc>
concept quantize_linear_operator =
    std::same_as<Desc, element_wise_quantize_linear_desc> || std::same_as<Desc, element_wise_dequantize_linear_desc>;

// What one type is until 6_0, and which types there are from then on.
namespace quantize_linear_limits {
inline constexpr data_type_set byte{data_type::uint8}, single{data_type::float32},
    bytes{data_type::uint8, data_type::int8}, numbers{data_type::float32, data_type::int32},
    all_numbers{data_type::float32, data_type::float16, data_type::int32},
    integers{data_type::int32,  data_type::int16,  data_type::int8,
             data_type::uint32, data_type::uint16, data_type::uint8};
using enum feature_level;
inline constexpr std::array<operand_limits, 4> input{{{level_1_0, single, 4, 4},
                                                      {level_2_1, numbers, 4, 4},
                                                      {level_3_0, numbers, 1, 8},
                                                      {level_6_0, all_numbers, 1, 8}}};
inline constexpr std::array<operand_limits, 3> scale{
    {{level_1_0, single, 4, 4}, {level_3_0, single, 1, 8}, {level_6_0, data_types_f, 1, 8}}};
inline constexpr std::array<operand_limits, 3> output{
    {{level_1_0, byte, 4, 4}, {level_2_1, bytes, 4, 4}, {level_3_0, bytes, 1, 8}}};
inline constexpr std::array<operand_limits, 3> integer_input{
    {{level_1_0, byte, 4, 4}, {level_2_1, integers, 4, 4}, {level_3_0, integers, 1, 8}}};
}  // namespace quantize_linear_limits

// The tensors of both; zero points have the type of `quantised`, and QL1 is about the floats.
constexpr std::array<operand_info, 4> quantize_linear_operands(std::span<const operand_limits> input,
                                                               std::span<const operand_limits> output,
                                                               std::span<const operand_limits> zero_point,
                                                               std::size_t quantised, same_as output_type) {
  return {{{.name = "InputTensor", .role = operand_role::input, .limits = input},
           {.name = "ScaleTensor",
            .role = operand_role::input,
            .limits = quantize_linear_limits::scale,
            .same_rank_as = {"QL3", 0},
            .same_sizes_as = {"QL4", 0}},
           {.name = "ZeroPointTensor",
            .role = operand_role::input,
            .limits = zero_point,
            .optional = true,
            .optional_from = feature_level::level_6_2,
            .same_data_type_as = {"QL2", quantised},
            .same_rank_as = {"QL3", 0},
            .same_sizes_as = {"QL4", 0}},
           {.name = "OutputTensor",
            .role = operand_role::output,
            .limits = output,
            .same_data_type_as = output_type,
            .same_rank_as = {"QL3", 0},
            .same_sizes_as = {"QL4", 0}}}};
}

template <class Desc>
work_counts work_of_quantize_linear(const Desc&, const std::array<operand, 4>& t) {
  const std::uint64_t outputs = element_count(t[3].desc->sizes);
  return {.elements = element_count_of(t), .results = outputs};
}

}  // namespace detail

template <>
struct operator_traits<element_wise_quantize_linear_desc> {
  using desc_type = element_wise_quantize_linear_desc;
  static constexpr std::string_view name = "ELEMENT_WISE_QUANTIZE_LINEAR";
  static constexpr std::uint32_t enumerator = 33;

  static constexpr auto operands =
      detail::quantize_linear_operands(detail::quantize_linear_limits::input, detail::quantize_linear_limits::output,
                                       detail::quantize_linear_limits::output, 3, {});
  static constexpr auto& attributes = no_attributes;
  static constexpr std::array policies{row<&desc_type::accumulation>("accumulation"),
                                       row<&desc_type::quantize_ties>("quantize_ties"),
                                       row<&desc_type::same_resource>("same_resource")};

  // QL1: the scale has the input's type, or FLOAT32 if that is an integer.
  static void check_attributes(const desc_type&, const std::array<operand, 4>& t, const rule_report& report) {
    if (!t[0].legal || !t[1].legal) return;
    const bool is_integer = t[0].desc->data_type == data_type::int32;
    const data_type wanted = is_integer ? data_type::float32 : t[0].desc->data_type;
    if (t[1].desc->data_type != wanted)
      report("QL1", "ScaleTensor", "DataType", violation_text("{}", name_of(t[1].desc->data_type)),
             violation_text("{}", name_of(wanted)),
             is_integer ? violation_text("the input is INT32") : violation_text("the input's"));
  }

  static constexpr operator_options<desc_type> options{.check_attributes = &check_attributes,
                                                       .work = &detail::work_of_quantize_linear<desc_type>};
};

template <>
struct operator_traits<element_wise_dequantize_linear_desc> {
  using desc_type = element_wise_dequantize_linear_desc;
  static constexpr std::string_view name = "ELEMENT_WISE_DEQUANTIZE_LINEAR";
  static constexpr std::uint32_t enumerator = 34;

  static constexpr auto operands = detail::quantize_linear_operands(
      detail::quantize_linear_limits::integer_input, detail::quantize_linear_limits::scale,
      detail::quantize_linear_limits::integer_input, 0, {"QL1", 1});
  static constexpr auto& attributes = no_attributes;
  static constexpr std::array policies{row<&desc_type::accumulation>("accumulation"),
                                       row<&desc_type::same_resource>("same_resource")};

  static constexpr operator_options<desc_type> options{.work = &detail::work_of_quantize_linear<desc_type>};
};

// output[c] = the integer nearest to input[c] / scale[c], of two the even one, plus zero_point[c]; then the nearest
// integer of the output's type.
//   input       FLOAT32, FLOAT16 or INT32
//   scale       the input's type, FLOAT32 of INT32; not 0
//   zero_point  the output's type; from feature level 6_2 on it may be absent, which is 0
//   output      UINT8 or INT8
// All have the same sizes: a scale for a tensor or a channel has strides of 0. Throws error (T1..T12, QL1..QL4), with
// the output unchanged.
template <class Backend, input_argument Input, input_argument Scale, input_argument ZeroPoint, output_argument Output>
void element_wise_quantize_linear(const Backend& backend, const Input& input, const Scale& scale,
                                  const ZeroPoint& zero_point, Output&& output,
                                  const element_wise_quantize_linear_desc& desc = {}) {
  const std::optional some_zero_point = detail::as_input(zero_point);
  detail::call(backend, desc, std::tuple(detail::as_input(input), detail::as_input(scale), some_zero_point),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same without zero points.
template <class Backend, input_argument Input, input_argument Scale, output_argument Output>
void element_wise_quantize_linear(const Backend& backend, const Input& input, const Scale& scale, Output&& output,
                                  const element_wise_quantize_linear_desc& desc = {}) {
  detail::call(backend, desc, std::tuple(detail::as_input(input), detail::as_input(scale), const_tensor_ref()),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// output[c] = (input[c] - zero_point[c]) * scale[c], rounded once.
//   input       INT32, INT16, INT8, UINT32, UINT16 or UINT8
//   scale       FLOAT32 or FLOAT16; not 0
//   zero_point  the input's type; from feature level 6_2 on it may be absent, which is 0
//   output      the scale's type
// All have the same sizes. Throws error (T1..T12, QL1..QL4), with the output unchanged.
template <class Backend, input_argument Input, input_argument Scale, input_argument ZeroPoint, output_argument Output>
void element_wise_dequantize_linear(const Backend& backend, const Input& input, const Scale& scale,
                                    const ZeroPoint& zero_point, Output&& output,
                                    const element_wise_dequantize_linear_desc& desc = {}) {
  const std::optional some_zero_point = detail::as_input(zero_point);
  detail::call(backend, desc, std::tuple(detail::as_input(input), detail::as_input(scale), some_zero_point),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same without zero points.
template <class Backend, input_argument Input, input_argument Scale, output_argument Output>
void element_wise_dequantize_linear(const Backend& backend, const Input& input, const Scale& scale, Output&& output,
                                    const element_wise_dequantize_linear_desc& desc = {}) {
  detail::call(backend, desc, std::tuple(detail::as_input(input), detail::as_input(scale), const_tensor_ref()),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(element_wise_quantize_linear_desc);
GOLDML_COMPILED_OPERATOR(element_wise_dequantize_linear_desc);
