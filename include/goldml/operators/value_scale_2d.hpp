// VALUE_SCALE_2D: Scale times the input, plus a Bias for each channel. Feature level 1_0. Page:
// DML_VALUE_SCALE_2D_OPERATOR_DESC. Its rules are VS1, VS3 to VS6. Rulings: ledger VS-R1, AR-R1, AR-R4 to AR-R7.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/core/attribute_values.hpp>
#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/work.hpp>

namespace goldml {

struct value_scale_2d_desc {
  float scale = 1;
  float32_list bias = {};  // a number for each channel: as many as Sizes[1], 1 or 3
  goldml::channel_counts channel_counts = goldml::channel_counts::page;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct operator_traits<value_scale_2d_desc> {
  static constexpr std::string_view name = "VALUE_SCALE_2D";
  static constexpr std::uint32_t enumerator = 65;

  static constexpr data_type_set floats{data_type::float32, data_type::float16};
  static constexpr std::array<operand_limits, 1> limits{{{feature_level::level_1_0, floats, 4, 4}}};
  static constexpr std::array<operand_info, 2> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = limits},
       {.name = "OutputTensor", .role = operand_role::output, .limits = limits, .same_data_type_as = {"VS1", 0}}}};

  static constexpr std::array attributes{row<&value_scale_2d_desc::scale>("Scale"),
                                         row<&value_scale_2d_desc::bias>("Bias", "ChannelCount")};
  static constexpr std::array policies{row<&value_scale_2d_desc::channel_counts>("channel_counts"),
                                       row<&value_scale_2d_desc::accumulation>("accumulation"),
                                       row<&value_scale_2d_desc::same_resource>("same_resource")};

  static implied_output implied(const value_scale_2d_desc&, const std::array<operand, 2>& t, std::size_t) {
    return {.sizes = t[0].desc->sizes};
  }

  // VS4, VS5, VS6, and then VS3.
  static void check_rules(const value_scale_2d_desc& desc, const std::array<operand, 2>& t, const rule_report& report) {
    const auto& [input, output] = t;
    const float32_list& bias = desc.bias;
    const std::size_t count = bias.size();
    if (bias.is_null())
      report("VS6", "", "Bias", violation_text("null"), violation_text("a pointer"));
    else if (bias.overlong())
      report("VS4", "", "ChannelCount", violation_text("above {}", count), violation_text("at most {}", count));
    else if (desc.channel_counts == channel_counts::page && count != 1 && count != 3)
      report("VS4", "", "ChannelCount", violation_text("{}", count), violation_text("1 or 3"));
    else if (input.legal && count != input.desc->sizes[1])
      report("VS5", "", "ChannelCount", violation_text("{}", count),
             violation_text("InputTensor.Sizes[1], {}", input.desc->sizes[1]));
    if (input.legal && output.legal && input.desc->sizes != output.desc->sizes)
      report("VS3", "OutputTensor", "Sizes", violation_text("{}", output.desc->sizes),
             violation_text("{}", input.desc->sizes), violation_text("InputTensor's"));
  }
  // A product and a sum each.
  static work_counts work(const value_scale_2d_desc&, const std::array<operand, 2>& t) {
    const std::uint64_t elements = element_count(t[1].desc->sizes);
    return {.elements = element_count_of(t), .results = elements, .judged = elements};
  }

  static constexpr operator_options<value_scale_2d_desc> options{
      .implied = &implied, .check_rules = &check_rules, .work = &work};
};

// output[n, c, h, w] = scale * input[n, c, h, w] + bias[c], rounded once. Throws error (T1..T12, VS1, VS3..VS6), with
// the output unchanged.
template <class Backend, input_argument Input, output_argument Output>
void value_scale_2d(const Backend& backend, const Input& input, Output&& output, const value_scale_2d_desc& desc) {
  static_assert(detail::alike_types<value_scale_2d_desc, input_view<Input>, output_view<Output>>,
                "goldml VALUE_SCALE_2D VS1: the tensors have the same data type");
  static_assert(detail::takes<value_scale_2d_desc, 0, input_view<Input>>,
                "goldml VALUE_SCALE_2D T3: FLOAT32 or FLOAT16");
  detail::call(backend, desc, std::tuple(detail::as_input(input)),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same, returning the output.
template <class Backend, class T>
[[nodiscard]] tensor<T> value_scale_2d(const Backend& backend, const tensor<T>& input,
                                       const value_scale_2d_desc& desc) {
  tensor<T> output(input.sizes());
  value_scale_2d(backend, input, output, desc);
  return output;
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(value_scale_2d_desc);
