// QUANTIZED_LINEAR_CONVOLUTION: convolutions of quantised tensors, quantised again. Feature level 2_1. Page:
// DML_QUANTIZED_LINEAR_CONVOLUTION_OPERATOR_DESC. Its rules are QC1 to QC12. Rulings: ledger QU-R1, QU-R3, QU-R6 to
// QU-R9, QU-R11, QU-R12.
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
#include <goldml/core/work.hpp>
#include <goldml/operators/integer_convolution.hpp>

namespace goldml {

// Each list has one entry for each spatial axis. quantized_linear_convolution() takes an empty list for ones (strides,
// dilations) or zeros (padding).
struct quantized_linear_convolution_desc {
  dimensions strides = {};
  dimensions dilations = {};
  dimensions start_padding = {};
  dimensions end_padding = {};
  std::uint32_t group_count = 1;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::quantize_ties quantize_ties = goldml::quantize_ties::even;
  goldml::fixed_point fixed_point = goldml::fixed_point::refuse;
  goldml::one_dimensional one_dimensional = goldml::one_dimensional::refuse;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct operator_traits<quantized_linear_convolution_desc> {
  using desc_type = quantized_linear_convolution_desc;
  static constexpr std::string_view name = "QUANTIZED_LINEAR_CONVOLUTION";
  static constexpr std::uint32_t enumerator = 120;

  static constexpr std::array<operand_limits, 3> filter_scale_limits{
      {{feature_level::level_2_1, detail::quantised_limits::floats, 4, 4},
       {feature_level::level_4_0, detail::quantised_limits::floats, 3, 4},
       {feature_level::level_5_2, detail::quantised_limits::floats, 1, 4}}};
  static constexpr std::array<operand_info, 10> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = detail::quantised_limits::image},
       detail::scale_row("InputScaleTensor"),
       detail::zero_point_row("InputZeroPointTensor", {"QC1", 0}),
       {.name = "FilterTensor",
        .role = operand_role::input,
        .limits = detail::quantised_limits::image,
        .same_rank_as = {"QC2", 0}},
       detail::scale_row("FilterScaleTensor", {}, filter_scale_limits),
       detail::zero_point_row("FilterZeroPointTensor", {"QC1", 3}),
       {.name = "BiasTensor",
        .role = operand_role::input,
        .limits = detail::quantised_limits::image_of_words,
        .optional = true,
        .same_rank_as = {"QC2", 0}},
       detail::scale_row("OutputScaleTensor"),
       detail::zero_point_row("OutputZeroPointTensor", {"QC1", 9}),
       {.name = "OutputTensor",
        .role = operand_role::output,
        .limits = detail::quantised_limits::image,
        .same_rank_as = {"QC2", 0}}}};

  static constexpr auto& attributes = detail::integer_convolution_rows<desc_type>;
  static constexpr std::array policies{
      row<&desc_type::accumulation>("accumulation"), row<&desc_type::quantize_ties>("quantize_ties"),
      row<&desc_type::fixed_point>("fixed_point"), row<&desc_type::one_dimensional>("one_dimensional"),
      row<&desc_type::same_resource>("same_resource")};

  static implied_output implied(const desc_type& desc, const std::array<operand, 10>& t, std::size_t) {
    return {.sizes = convolution_output_sizes(detail::forward_convolution(desc), t[0].desc->sizes, t[3].desc->sizes)};
  }

  static void check_rules(const desc_type& desc, const std::array<operand, 10>& t, const rule_report& report) {
    detail::check_integer_convolution(desc, as_convolution(t), report);
    for (const std::size_t i : {1U, 2U, 7U, 8U})
      if (detail::is_sound_parameter(t, operands, i))
        detail::check_single_parameter(operands[i].name, t[i],
                                       violation_text("one for the {}", i < 3 ? "input" : "output"), report);
    for (const std::size_t i : {4U, 5U})
      if (detail::is_sound_parameter(t, operands, i))
        detail::check_filter_parameter(operands[i].name, t[i], t[3], "one", report);
  }

  static work_counts work(const desc_type& desc, const std::array<operand, 10>& t) {
    work_counts result = operator_traits<convolution_desc>::work(detail::forward_convolution(desc), as_convolution(t));
    result.elements = element_count_of(t);
    return result;
  }
  static scratch_memory scratch(const desc_type& desc, const std::array<operand, 10>& t) {
    return operator_traits<convolution_desc>::scratch(detail::forward_convolution(desc), as_convolution(t));
  }

  static constexpr operator_options<desc_type> options{
      .implied = &implied, .check_rules = &check_rules, .work = &work, .scratch = &scratch};

 private:
  static std::array<operand, 4> as_convolution(const std::array<operand, 10>& t) { return {t[0], t[3], t[6], t[9]}; }
};

// output[n, o, q] = the integer nearest to
//   input_scale * filter_scale[o] / output_scale * (bias[o] + the sum over the channels c of o's group and the taps j
//   of
//     (input[n, c, q * stride + j * dilation - start] - input_zero_point) * (filter[o, c, j] - filter_zero_point[o])),
// of two the even one, plus output_zero_point; then the nearest integer of the output's type. Elements outside the
// input count as absent.
//   input                            {N, C, H, W}, INT8 or UINT8
//   filter                           {O, C / groups, ...}, INT8 or UINT8
//   bias                             {1, O, 1, 1}, INT32; may be absent
//   output                           {N, O, ...}, INT8 or UINT8
//   input_scale, output_scale        FLOAT32, one element
//   filter_scale                     FLOAT32; one element, or {1, O, 1, 1}
//   zero points                      the types of input, filter and output, sizes as the scales; absent: 0
// Throws error (T1..T12, QC1..QC12), with the output unchanged.
template <class Backend, input_argument Input, input_argument InputScale, input_argument InputZeroPoint,
          input_argument Filter, input_argument FilterScale, input_argument FilterZeroPoint, input_argument Bias,
          input_argument OutputScale, input_argument OutputZeroPoint, output_argument Output>
void quantized_linear_convolution(const Backend& backend, const Input& input, const InputScale& input_scale,
                                  const InputZeroPoint& input_zero_point, const Filter& filter,
                                  const FilterScale& filter_scale, const FilterZeroPoint& filter_zero_point,
                                  const Bias& bias, const OutputScale& output_scale,
                                  const OutputZeroPoint& output_zero_point, Output&& output,
                                  quantized_linear_convolution_desc desc = {}) {
  detail::take_attributes(desc, detail::with_lists_for(detail::forward_convolution(desc), input));
  const std::optional some_input = detail::as_input(input_zero_point);
  const std::optional some_filter = detail::as_input(filter_zero_point);
  const std::optional some_bias = detail::as_input(bias);
  const std::optional some_output = detail::as_input(output_zero_point);
  detail::call(
      backend, desc,
      std::tuple(detail::as_input(input), detail::as_input(input_scale), some_input, detail::as_input(filter),
                 detail::as_input(filter_scale), some_filter, some_bias, detail::as_input(output_scale), some_output),
      std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same without zero points and bias.
template <class Backend, input_argument Input, input_argument InputScale, input_argument Filter,
          input_argument FilterScale, input_argument OutputScale, output_argument Output>
void quantized_linear_convolution(const Backend& backend, const Input& input, const InputScale& input_scale,
                                  const Filter& filter, const FilterScale& filter_scale,
                                  const OutputScale& output_scale, Output&& output,
                                  const quantized_linear_convolution_desc& desc = {}) {
  const const_tensor_ref none;
  quantized_linear_convolution(backend, input, input_scale, none, filter, filter_scale, none, none, output_scale, none,
                               std::forward<Output>(output), desc);
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(quantized_linear_convolution_desc);
