// CONVOLUTION_INTEGER: CONVOLUTION, FORWARD and by CROSS_CORRELATION, of integers of 8 bits less their zero points.
// Feature level 2_1. Page: DML_CONVOLUTION_INTEGER_OPERATOR_DESC. Its rules are QC1 to QC9 and QC11 to QC13. Rulings:
// ledger QU-R6, QU-R8, QU-R9.
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
#include <goldml/core/work.hpp>
#include <goldml/operators/convolution.hpp>
#include <goldml/operators/quantised_parameters.hpp>

namespace goldml {

// Each list has one entry for each spatial axis. convolution_integer() takes an empty list for ones (strides,
// dilations) or zeros (padding).
struct convolution_integer_desc {
  dimensions strides = {};
  dimensions dilations = {};
  dimensions start_padding = {};
  dimensions end_padding = {};
  std::uint32_t group_count = 1;
  goldml::one_dimensional one_dimensional = goldml::one_dimensional::refuse;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

namespace detail {

// The convolution with these attributes, with OutputPadding 0.
inline convolution_desc forward_convolution(const convolution_integer_desc& desc) {
  return {.strides = desc.strides,
          .dilations = desc.dilations,
          .start_padding = desc.start_padding,
          .end_padding = desc.end_padding,
          .output_padding = dimensions::filled(desc.strides.size(), 0),
          .group_count = desc.group_count,
          .feature_level = desc.feature_level};
}

inline convolution_shape convolution_shape_of(const convolution_integer_desc& desc, const dimensions& input,
                                              const dimensions& filter, const dimensions& output) {
  return convolution_shape_of(forward_convolution(desc), input, filter, output);
}

}  // namespace detail

template <>
struct operator_traits<convolution_integer_desc> {
  using desc_type = convolution_integer_desc;
  static constexpr std::string_view name = "CONVOLUTION_INTEGER";
  static constexpr std::uint32_t enumerator = 119;

  static constexpr data_type_set words{data_type::int32};
  static constexpr std::array<operand_limits, 2> limits{{{feature_level::level_2_1, detail::quantised_bytes, 4, 4},
                                                         {feature_level::level_4_0, detail::quantised_bytes, 3, 4}}};
  static constexpr std::array<operand_limits, 2> zero_limits{
      {{feature_level::level_2_1, detail::quantised_bytes, 4, 4},
       {feature_level::level_4_0, detail::quantised_bytes, 1, 4}}};
  static constexpr std::array<operand_limits, 2> output_limits{
      {{feature_level::level_2_1, words, 4, 4}, {feature_level::level_4_0, words, 3, 4}}};
  static constexpr std::array<operand_info, 5> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = limits},
       {.name = "InputZeroPointTensor",
        .role = operand_role::input,
        .limits = zero_limits,
        .optional = true,
        .same_data_type_as = {"QC1", 0}},
       {.name = "FilterTensor", .role = operand_role::input, .limits = limits, .same_rank_as = {"QC2", 0}},
       {.name = "FilterZeroPointTensor",
        .role = operand_role::input,
        .limits = zero_limits,
        .optional = true,
        .same_data_type_as = {"QC1", 2},
        .same_rank_as = {"QC13", 1}},
       {.name = "OutputTensor", .role = operand_role::output, .limits = output_limits, .same_rank_as = {"QC2", 0}}}};

  static constexpr std::array attributes{
      row<&desc_type::strides>("Strides", "DimensionCount").per_dimension("QC3").at_least_1("QC4"),
      row<&desc_type::dilations>("Dilations", "DimensionCount").per_dimension("QC3").at_least_1("QC4"),
      row<&desc_type::start_padding>("StartPadding", "DimensionCount").per_dimension("QC3"),
      row<&desc_type::end_padding>("EndPadding", "DimensionCount").per_dimension("QC3"),
      row<&desc_type::group_count>("GroupCount").at_least_1("QC5")};
  static constexpr std::array policies{row<&desc_type::one_dimensional>("one_dimensional"),
                                       row<&desc_type::same_resource>("same_resource")};

  static implied_output implied(const desc_type& desc, const std::array<operand, 5>& t, std::size_t) {
    return {.sizes = convolution_output_sizes(detail::forward_convolution(desc), t[0].desc->sizes, t[2].desc->sizes)};
  }

  static void check_rules(const desc_type& desc, const std::array<operand, 5>& t, const rule_report& report) {
    const auto& [input, input_zero, filter, filter_zero, output] = t;
    if (input.legal && input.desc->sizes.size() == 3 && desc.one_dimensional == one_dimensional::refuse)
      report("QC3", "", "DimensionCount", violation_text("1"), violation_text("2"),
             violation_text("policy one_dimensional"));
    else
      detail::convolution_check(detail::forward_convolution(desc), forward_rows, {input, filter, operand{}, output},
                                report, detail::convolution_qc)
          .run();
    if (same_type(input, input_zero))
      detail::check_parameter_sizes("QC11", "InputZeroPointTensor", input_zero, detail::of_any_axis, 1,
                                    "a zero point for the input", report);
    if (same_type(filter, filter_zero)) {
      const dimensions& weights = filter.desc->sizes;
      const bool alike = filter_zero.desc->sizes.size() == weights.size();
      const detail::parameter_axis axis = alike ? detail::parameter_axis{weights.size() - 2} : detail::of_any_axis;
      detail::check_parameter_sizes("QC12", "FilterZeroPointTensor", filter_zero, axis, weights[0],
                                    "a zero point for the filter, or for each output channel", report);
    }
  }

  static work_counts work(const desc_type& desc, const std::array<operand, 5>& t) {
    work_counts result = operator_traits<convolution_desc>::work(detail::forward_convolution(desc), as_convolution(t));
    result.elements = element_count_of(t);
    result.results = result.judged = 0;
    return result;
  }
  static scratch_memory scratch(const desc_type& desc, const std::array<operand, 5>& t) {
    return operator_traits<convolution_desc>::scratch(detail::forward_convolution(desc), as_convolution(t));
  }

  static constexpr operator_options<desc_type> options{
      .implied = &implied, .check_rules = &check_rules, .work = &work, .scratch = &scratch, .exact = true};

 private:
  // Those of the convolution, with this operator's codes.
  static constexpr std::array forward_rows{
      row<&convolution_desc::mode>("Mode").enumerator(""),
      row<&convolution_desc::direction>("Direction").enumerator(""),
      row<&convolution_desc::strides>("Strides", "DimensionCount").per_dimension("QC3").at_least_1("QC4"),
      row<&convolution_desc::dilations>("Dilations", "DimensionCount").per_dimension("QC3").at_least_1("QC4"),
      row<&convolution_desc::start_padding>("StartPadding", "DimensionCount").per_dimension("QC3"),
      row<&convolution_desc::end_padding>("EndPadding", "DimensionCount").per_dimension("QC3"),
      row<&convolution_desc::output_padding>("OutputPadding", "DimensionCount").per_dimension("QC3"),
      row<&convolution_desc::group_count>("GroupCount").at_least_1("QC5")};

  static std::array<operand, 4> as_convolution(const std::array<operand, 5>& t) {
    return {t[0], t[2], operand{}, t[4]};
  }
  static bool same_type(const operand& a, const operand& b) {
    return a.legal && b.legal && b.desc && a.desc->data_type == b.desc->data_type;
  }
};

// output[n, o, q] = the sum over the channels c of o's group and the taps j of
//   (input[n, c, q * stride + j * dilation - start] - input_zero_point) * (filter[o, c, j] - filter_zero_point[o]),
// modulo 2^32, where elements outside the input count as absent.
//   input              {N, C, H, W}, INT8 or UINT8
//   input_zero_point   the input's type, one element; absent: 0
//   filter             {O, C / groups, ...}, INT8 or UINT8
//   filter_zero_point  the filter's type; one element, or {1, O, 1, 1}; absent: 0
//   output             {N, O, ...}, INT32
// Throws error (T1..T12, QC1..QC13), with the output unchanged.
template <class Backend, input_argument Input, input_argument InputZeroPoint, input_argument Filter,
          input_argument FilterZeroPoint, output_argument Output>
void convolution_integer(const Backend& backend, const Input& input, const InputZeroPoint& input_zero_point,
                         const Filter& filter, const FilterZeroPoint& filter_zero_point, Output&& output,
                         convolution_integer_desc desc = {}) {
  const convolution_desc full = detail::with_lists_for(detail::forward_convolution(desc), input);
  desc.strides = full.strides;
  desc.dilations = full.dilations;
  desc.start_padding = full.start_padding;
  desc.end_padding = full.end_padding;
  const std::optional some_input = detail::as_input(input_zero_point);
  const std::optional some_filter = detail::as_input(filter_zero_point);
  detail::call(backend, desc, std::tuple(detail::as_input(input), some_input, detail::as_input(filter), some_filter),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same without zero points.
template <class Backend, input_argument Input, input_argument Filter, output_argument Output>
void convolution_integer(const Backend& backend, const Input& input, const Filter& filter, Output&& output,
                         const convolution_integer_desc& desc = {}) {
  convolution_integer(backend, input, const_tensor_ref(), filter, const_tensor_ref(), std::forward<Output>(output),
                      desc);
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(convolution_integer_desc);
