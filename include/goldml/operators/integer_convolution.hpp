// What the convolutions of integers less their zero points have in common, CONVOLUTION_INTEGER and
// QUANTIZED_LINEAR_CONVOLUTION: those of CONVOLUTION, FORWARD and by CROSS_CORRELATION; and the rules QC3 to QC12.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <goldml/core/policies.hpp>
#include <goldml/operators/convolution.hpp>
#include <goldml/operators/quantised_parameters.hpp>

namespace goldml::detail {

template <class Desc>
concept integer_convolution_operator = requires(const Desc& desc) {
  desc.one_dimensional;
  desc.group_count;
};

// The convolution with these attributes, with OutputPadding 0.
template <integer_convolution_operator Desc>
convolution_desc forward_convolution(const Desc& desc) {
  return {.strides = desc.strides,
          .dilations = desc.dilations,
          .start_padding = desc.start_padding,
          .end_padding = desc.end_padding,
          .output_padding = dimensions::filled(desc.strides.size(), 0),
          .group_count = desc.group_count,
          .feature_level = desc.feature_level};
}
// The desc with the attributes of the convolution.
template <integer_convolution_operator Desc>
void take_attributes(Desc& desc, const convolution_desc& forward) {
  desc.strides = forward.strides;
  desc.dilations = forward.dilations;
  desc.start_padding = forward.start_padding;
  desc.end_padding = forward.end_padding;
  desc.group_count = forward.group_count;
}

template <integer_convolution_operator Desc>
convolution_shape convolution_shape_of(const Desc& desc, const dimensions& input, const dimensions& filter,
                                       const dimensions& output) {
  return convolution_shape_of(forward_convolution(desc), input, filter, output);
}

// The attributes of such an operator.
template <class Desc>
inline constexpr std::array integer_convolution_rows{
    row<&Desc::strides>("Strides", "DimensionCount").per_dimension("QC3").at_least_1("QC4"),
    row<&Desc::dilations>("Dilations", "DimensionCount").per_dimension("QC3").at_least_1("QC4"),
    row<&Desc::start_padding>("StartPadding", "DimensionCount").per_dimension("QC3"),
    row<&Desc::end_padding>("EndPadding", "DimensionCount").per_dimension("QC3"),
    row<&Desc::group_count>("GroupCount").at_least_1("QC5")};

// Those of the convolution, with their codes.
inline constexpr std::array forward_convolution_rows{
    row<&convolution_desc::mode>("Mode").enumerator(""),
    row<&convolution_desc::direction>("Direction").enumerator(""),
    row<&convolution_desc::strides>("Strides", "DimensionCount").per_dimension("QC3").at_least_1("QC4"),
    row<&convolution_desc::dilations>("Dilations", "DimensionCount").per_dimension("QC3").at_least_1("QC4"),
    row<&convolution_desc::start_padding>("StartPadding", "DimensionCount").per_dimension("QC3"),
    row<&convolution_desc::end_padding>("EndPadding", "DimensionCount").per_dimension("QC3"),
    row<&convolution_desc::output_padding>("OutputPadding", "DimensionCount").per_dimension("QC3"),
    row<&convolution_desc::group_count>("GroupCount").at_least_1("QC5")};

// QC3 to QC10 of input, filter, bias and output.
template <class Desc>
void check_integer_convolution(const Desc& desc, const std::array<operand, 4>& t, const rule_report& report) {
  if (t[0].legal && t[0].desc->sizes.size() == 3 && desc.one_dimensional == one_dimensional::refuse)
    report("QC3", "", "DimensionCount", violation_text("1"), violation_text("2"),
           violation_text("policy one_dimensional"));
  else
    convolution_check(forward_convolution(desc), forward_convolution_rows, t, report, convolution_qc).run();
}

// QC11 of a scale or a zero point of `whose`.
inline void check_single_parameter(std::string_view name, const operand& t, const violation_text& whose,
                                   const rule_report& report) {
  check_parameter_sizes("QC11", name, t, of_any_axis, 1, whose.view(), report);
}
// QC12.
inline void check_filter_parameter(std::string_view name, const operand& t, const operand& filter,
                                   std::string_view what, const rule_report& report) {
  if (!filter.legal) return;
  const dimensions& weights = filter.desc->sizes;
  const bool alike = t.desc->sizes.size() == weights.size();
  check_parameter_sizes("QC12", name, t, alike ? parameter_axis{weights.size() - 2} : of_any_axis, weights[0],
                        violation_text("{} for the filter, or for each output channel", what).view(), report);
}

}  // namespace goldml::detail
