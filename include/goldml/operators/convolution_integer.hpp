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
#include <goldml/operators/integer_convolution.hpp>

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

template <>
struct operator_traits<convolution_integer_desc> {
  using desc_type = convolution_integer_desc;
  static constexpr std::string_view name = "CONVOLUTION_INTEGER";
  static constexpr std::uint32_t enumerator = 119;

  static constexpr std::array<operand_info, 5> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = detail::quantised_limits::image},
       detail::zero_point_row("InputZeroPointTensor", {"QC1", 0}),
       {.name = "FilterTensor",
        .role = operand_role::input,
        .limits = detail::quantised_limits::image,
        .same_rank_as = {"QC2", 0}},
       detail::zero_point_row("FilterZeroPointTensor", {"QC1", 2}, {"QC13", 1}),
       {.name = "OutputTensor",
        .role = operand_role::output,
        .limits = detail::quantised_limits::image_of_words,
        .same_rank_as = {"QC2", 0}}}};

  static constexpr auto& attributes = detail::integer_convolution_rows<desc_type>;
  static constexpr std::array policies{row<&desc_type::one_dimensional>("one_dimensional"),
                                       row<&desc_type::same_resource>("same_resource")};

  static implied_output implied(const desc_type& desc, const std::array<operand, 5>& t, std::size_t) {
    return {.sizes = convolution_output_sizes(detail::forward_convolution(desc), t[0].desc->sizes, t[2].desc->sizes)};
  }

  static void check_rules(const desc_type& desc, const std::array<operand, 5>& t, const rule_report& report) {
    detail::check_integer_convolution(desc, as_convolution(t), report);
    if (detail::is_sound_parameter(t, operands, 1) && t[0].legal)
      detail::check_single_parameter(operands[1].name, t[1], violation_text("a zero point for the input"), report);
    if (detail::is_sound_parameter(t, operands, 3))
      detail::check_filter_parameter(operands[3].name, t[3], t[2], "a zero point", report);
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
  static std::array<operand, 4> as_convolution(const std::array<operand, 5>& t) {
    return {t[0], t[2], operand{}, t[4]};
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
  detail::take_attributes(desc, detail::with_lists_for(detail::forward_convolution(desc), input));
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
