// DYNAMIC_QUANTIZE_LINEAR: numbers as integers of 8 bits, by a scale and a zero point that their range gives. Feature
// level 4_0. Page: DML_DYNAMIC_QUANTIZE_LINEAR_OPERATOR_DESC. Its rules are QD1 to QD4. Rulings: ledger QU-R5, QU-R16.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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

struct dynamic_quantize_linear_desc {
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::zero_range zero_range = goldml::zero_range::formula;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct operator_traits<dynamic_quantize_linear_desc> {
  using desc_type = dynamic_quantize_linear_desc;
  static constexpr std::string_view name = "DYNAMIC_QUANTIZE_LINEAR";
  static constexpr std::uint32_t enumerator = 148;

  static constexpr std::array<operand_limits, 1> limits{{{feature_level::level_4_0, data_types_f, 1, 8}}};
  static constexpr std::array<operand_limits, 1> output_limits{
      {{feature_level::level_4_0, detail::quantised_bytes, 1, 8}}};
  static constexpr std::array<operand_limits, 1> scale_limits{
      {{feature_level::level_4_0, detail::quantised_limits::floats, 1, 8}}};
  static constexpr std::array<operand_info, 4> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = limits},
       {.name = "OutputTensor",
        .role = operand_role::output,
        .limits = output_limits,
        .same_rank_as = {"QD2", 0},
        .same_sizes_as = {"QD3", 0}},
       {.name = "OutputScaleTensor", .role = operand_role::output, .limits = scale_limits, .same_rank_as = {"QD2", 0}},
       {.name = "OutputZeroPointTensor",
        .role = operand_role::output,
        .limits = output_limits,
        .same_data_type_as = {"QD1", 1},
        .same_rank_as = {"QD2", 0}}}};

  static constexpr auto& attributes = no_attributes;
  static constexpr std::array policies{row<&desc_type::accumulation>("accumulation"),
                                       row<&desc_type::zero_range>("zero_range"),
                                       row<&desc_type::same_resource>("same_resource")};

  // The scale and the zero point have one element.
  static implied_output implied(const desc_type&, const std::array<operand, 4>& t, std::size_t output) {
    if (output == 1) return {};
    return {.sizes = dimensions::filled(t[0].desc->sizes.size(), 1)};
  }
  static void check_rules(const desc_type&, const std::array<operand, 4>& t, const rule_report& report) {
    for (const std::size_t i : {2U, 3U})
      if (detail::is_sound_parameter(t, operands, i))
        detail::check_parameter_sizes("QD4", operands[i].name, t[i], detail::of_any_axis, 1, "of the whole tensor",
                                      report);
  }
  static work_counts work(const desc_type&, const std::array<operand, 4>& t) {
    return {.elements = 2 * element_count_of(t), .results = element_count(t[1].desc->sizes)};
  }

  static constexpr operator_options<desc_type> options{.implied = &implied, .check_rules = &check_rules, .work = &work};
};

// With low and high the least and the greatest element and 0:
//   scale       (high - low) / 255
//   zero_point  the integer nearest to Min - low / scale, where Min is the least of the output's type
//   output[c]   as QUANTIZE_LINEAR by this scale and this zero point
//   input       FLOAT32 or FLOAT16
//   output      INT8 or UINT8, the input's sizes
//   scale       FLOAT32, one element
//   zero_point  the output's type, one element
// Throws error (T1..T12, QD1..QD4), with the outputs unchanged.
template <class Backend, input_argument Input, output_argument Output, output_argument Scale, output_argument ZeroPoint>
void dynamic_quantize_linear(const Backend& backend, const Input& input, Output&& output, Scale&& scale,
                             ZeroPoint&& zero_point, const dynamic_quantize_linear_desc& desc = {}) {
  detail::call(
      backend, desc, std::tuple(detail::as_input(input)),
      std::tuple(detail::as_output(std::forward<Output>(output)), detail::as_output(std::forward<Scale>(scale)),
                 detail::as_output(std::forward<ZeroPoint>(zero_point))));
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(dynamic_quantize_linear_desc);
