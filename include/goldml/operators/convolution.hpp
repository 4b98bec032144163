// CONVOLUTION: sums of products of a window of the input and a filter, or of its adjoint. Feature level 1_0.
// Page: DML_CONVOLUTION_OPERATOR_DESC. Rules: CV1..CV12, AR7..AR10. Rulings: ledger CV-R1 to CV-R3, AR-R1.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/work.hpp>
#include <goldml/operators/convolution_desc.hpp>
#include <goldml/operators/convolution_rules.hpp>
#include <goldml/operators/convolution_shape.hpp>

namespace goldml {

template <>
struct operator_traits<convolution_desc> {
  static constexpr std::string_view name = "CONVOLUTION";
  static constexpr std::uint32_t enumerator = 53;

  static constexpr data_type_set floats{data_type::float32, data_type::float16};
  static constexpr std::array<operand_limits, 2> limits{
      {{feature_level::level_1_0, floats, 4, 5}, {feature_level::level_4_0, floats, 3, 5}}};
  static constexpr std::array<operand_info, 4> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = limits},
       {.name = "FilterTensor",
        .role = operand_role::input,
        .limits = limits,
        .same_data_type_as = {"CV1", 0},
        .same_rank_as = {"CV2", 0}},
       {.name = "BiasTensor",
        .role = operand_role::input,
        .limits = limits,
        .optional = true,
        .same_data_type_as = {"CV1", 0},
        .same_rank_as = {"CV2", 0}},
       {.name = "OutputTensor",
        .role = operand_role::output,
        .limits = limits,
        .same_data_type_as = {"CV1", 0},
        .same_rank_as = {"CV2", 0}}}};

  static constexpr std::array attributes{
      row<&convolution_desc::mode>("Mode").enumerator("CV11"),
      row<&convolution_desc::direction>("Direction").enumerator("CV11"),
      row<&convolution_desc::strides>("Strides", "DimensionCount").per_dimension("CV3").at_least_1("CV4"),
      row<&convolution_desc::dilations>("Dilations", "DimensionCount").per_dimension("CV3").at_least_1("CV4"),
      row<&convolution_desc::start_padding>("StartPadding", "DimensionCount").per_dimension("CV3"),
      row<&convolution_desc::end_padding>("EndPadding", "DimensionCount").per_dimension("CV3"),
      row<&convolution_desc::output_padding>("OutputPadding", "DimensionCount").per_dimension("CV3"),
      row<&convolution_desc::group_count>("GroupCount").at_least_1("CV5"),
      row<&convolution_desc::fused_activation>("FusedActivation")};
  static constexpr std::array policies{row<&convolution_desc::accumulation>("accumulation"),
                                       row<&convolution_desc::padded_rows>("padded_rows"),
                                       row<&convolution_desc::transform>("transform"),
                                       row<&convolution_desc::same_resource>("same_resource")};

  // BACKWARD, a stride leaves several sizes open (CV9).
  static implied_output implied(const convolution_desc& desc, const std::array<operand, 4>& t, std::size_t) {
    if (desc.direction == convolution_direction::backward)
      for (const std::uint32_t stride : desc.strides)
        if (stride > 1) return {};
    return {.sizes = convolution_output_sizes(desc, t[0].desc->sizes, t[1].desc->sizes)};
  }

  static void check_rules(const convolution_desc& desc, const std::array<operand, 4>& t, const rule_report& report) {
    detail::convolution_check(desc, attributes, t, report).run();
  }

  // The products: each output element has one for each channel of its group, and on each axis one for each tap that
  // reads a coordinate, inside the input or not. BACKWARD that is one in Strides[i] of the taps.
  static work_counts work(const convolution_desc& desc, const std::array<operand, 4>& t) {
    const detail::convolution_shape shape =
        detail::convolution_shape_of(desc, t[0].desc->sizes, t[1].desc->sizes, t[3].desc->sizes);
    std::uint64_t terms = saturating_multiply(shape.batches * shape.groups, shape.inputs);
    terms = saturating_multiply(terms, shape.outputs);
    for (const detail::convolution_axis& axis : shape.axes) {
      const std::uint64_t places = shape.backward ? (axis.output + axis.stride - 1) / axis.stride : axis.output;
      terms = saturating_multiply(terms, saturating_multiply(axis.filter, places));
    }
    const std::uint64_t outputs = goldml::element_count(t[3].desc->sizes);
    return work_counts{.elements = element_count_of(t), .terms = terms, .results = outputs, .judged = outputs} +
           detail::work_of_fused(desc.fused_activation, outputs);
  }
  // The taps of each axis; on `reference` those of each coordinate of the output, or BACKWARD of the input; of a thread
  // of cpu the matrices of a block, and the copies that a product makes of two.
  static scratch_memory scratch(const convolution_desc& desc, const std::array<operand, 4>& t) {
    const detail::convolution_shape shape =
        detail::convolution_shape_of(desc, t[0].desc->sizes, t[1].desc->sizes, t[3].desc->sizes);
    scratch_memory result;
    for (const detail::convolution_axis& axis : shape.axes) {
      const std::uint64_t pairs = saturating_multiply(axis.filter, shape.backward ? axis.input : axis.output);
      result.reference = saturating_add(result.reference, saturating_add(16 * pairs, 24 * axis.output));
      result.cpu = saturating_add(result.cpu, 48 * axis.filter);
    }
    const std::uint64_t rows = (std::min)(std::uint64_t{256}, shape.outputs);
    const std::uint64_t terms = (std::min)(std::uint64_t{1024}, shape.terms());
    constexpr std::uint64_t columns = 128;
    result.cpu_thread = 2 * sizeof(double) * (terms * (rows + columns) + rows * columns);
    return result;
  }

  static constexpr operator_options<convolution_desc> options{
      .implied = &implied, .check_rules = &check_rules, .work = &work, .scratch = &scratch};
};

namespace detail {

template <class Input>
convolution_desc with_lists_for(const convolution_desc& desc, const Input& input) {
  const std::optional<tensor_desc> tensor = to_operand(as_input(input)).desc;
  return with_default_lists(desc, tensor ? tensor->sizes.size() : 0);
}

}  // namespace detail

// output = bias + sums of products, rounded once; then the activation, if there is one, rounded once after it. Each
// output channel reads the input channels of its group. With one spatial axis, tap j of k taps with weight
// w[j] (CROSS_CORRELATION) or w[k - 1 - j] (CONVOLUTION):
//   FORWARD   output[q] = the sum over j of input[q * stride + j * dilation - start] * w
//   BACKWARD  output[q] = the sum over i and j, where i * stride + j * dilation - start = q, of input[i] * w
//   input   {N, C, ...}, 3 to 5 dimensions, FLOAT32 or FLOAT16 as all tensors
//   filter  FORWARD {O, C / groups, ...}, BACKWARD {C, O / groups, ...}
//   bias    {1, O, 1, ...}
//   output  {N, O, ...}
// Elements outside the input count as absent. Empty lists of the desc are ones or zeros. Throws error (T1..T12,
// CV1..CV12, AR7..AR10), with the output unchanged.
template <class Backend, input_argument Input, input_argument Filter, input_argument Bias, output_argument Output>
void convolution(const Backend& backend, const Input& input, const Filter& filter, const Bias& bias, Output&& output,
                 const convolution_desc& desc) {
  static_assert(detail::takes<convolution_desc, 0, input_view<Input>>,
                "goldml CONVOLUTION T3: tensors are FLOAT32 or FLOAT16");
  const std::optional some_bias = detail::as_input(bias);
  detail::call(backend, detail::with_lists_for(desc, input),
               std::tuple(detail::as_input(input), detail::as_input(filter), some_bias),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same without a bias.
template <class Backend, input_argument Input, input_argument Filter, output_argument Output>
void convolution(const Backend& backend, const Input& input, const Filter& filter, Output&& output,
                 const convolution_desc& desc) {
  using bias = std::optional<input_view<Input>>;
  detail::call(backend, detail::with_lists_for(desc, input),
               std::tuple(detail::as_input(input), detail::as_input(filter), bias{}),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same without a bias, returning the output, which has the sizes of the formula.
template <class Backend, class T>
[[nodiscard]] tensor<T> convolution(const Backend& backend, const tensor<T>& input, const tensor<T>& filter,
                                    const convolution_desc& given) {
  const convolution_desc desc = with_default_lists(given, input.sizes().size());
  tensor<T> output =
      detail::new_output_of<T>(convolution_output_sizes(desc, input.sizes(), filter.sizes()), desc, input, filter);
  convolution(backend, input, filter, output, desc);
  return output;
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(convolution_desc);
