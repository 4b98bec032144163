// QUANTIZED_LINEAR_AVERAGE_POOLING: averages of windows of a quantised tensor, quantised again. Feature level 6_2.
// Page: DML_QUANTIZED_LINEAR_AVERAGE_POOLING_OPERATOR_DESC. Its rules are QP1 to QP8. Rulings: ledger QU-R1, QU-R3,
// QU-R6, QU-R8, QU-R11, QU-R12, QU-R18, PO-R1 to PO-R3.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/arithmetic/requantise.hpp>
#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/quantised_policies.hpp>
#include <goldml/core/window_policies.hpp>
#include <goldml/core/work.hpp>
#include <goldml/operators/pooling.hpp>
#include <goldml/operators/quantised_parameters.hpp>

namespace goldml {

// Each list has one entry for each spatial axis. The call takes an empty list for ones (strides, dilations) or zeros
// (padding).
struct quantized_linear_average_pooling_desc {
  dimensions strides = {};
  dimensions window_size = {};
  dimensions start_padding = {};
  dimensions end_padding = {};
  dimensions dilations = {};
  bool include_padding = false;
  goldml::pooling_sizes pooling_sizes = goldml::pooling_sizes::formula_or_ceil;
  goldml::pool_overhang pool_overhang = goldml::pool_overhang::window;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::quantize_ties quantize_ties = goldml::quantize_ties::even;
  goldml::fixed_point fixed_point = goldml::fixed_point::refuse;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct operator_traits<quantized_linear_average_pooling_desc> {
  using desc_type = quantized_linear_average_pooling_desc;
  using operands_type = std::array<operand, 6>;
  static constexpr std::string_view name = "QUANTIZED_LINEAR_AVERAGE_POOLING";
  static constexpr std::uint32_t enumerator = 169;

  static constexpr std::array<operand_limits, 1> image{{{feature_level::level_6_2, detail::quantised_bytes, 4, 5}}},
      scale{{{feature_level::level_6_2, detail::quantised_limits::floats, 1, 5}}},
      zero_point{{{feature_level::level_6_2, detail::quantised_bytes, 1, 5}}};
  static constexpr std::array<operand_info, 6> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = image},
       detail::scale_row("InputScaleTensor", {}, scale),
       detail::zero_point_row("InputZeroPointTensor", {"QP1", 0}, {}, zero_point),
       detail::scale_row("OutputScaleTensor", {}, scale),
       detail::zero_point_row("OutputZeroPointTensor", {"QP1", 5}, {}, zero_point),
       {.name = "OutputTensor", .role = operand_role::output, .limits = image, .same_rank_as = {"QP2", 0}}}};

  static constexpr auto window_rows = detail::pooling_rows<desc_type>("QP3", "QP4");
  static constexpr auto attributes = detail::with_row(window_rows, row<&desc_type::include_padding>("IncludePadding"));
  static constexpr std::array policies{
      row<&desc_type::pooling_sizes>("pooling_sizes"), row<&desc_type::pool_overhang>("pool_overhang"),
      row<&desc_type::accumulation>("accumulation"),   row<&desc_type::quantize_ties>("quantize_ties"),
      row<&desc_type::fixed_point>("fixed_point"),     row<&desc_type::same_resource>("same_resource")};

  // Where a stride leaves two sizes open, nothing is implied.
  static implied_output implied(const desc_type& desc, const operands_type& t, std::size_t) {
    const auto sizes = detail::window_sizes_of(detail::window_lists_of(desc), t[0].desc->sizes,
                                               desc.pooling_sizes == pooling_sizes::formula_or_ceil);
    if (!sizes) return {};
    return {.sizes = *sizes};
  }

  // QP3 to QP8.
  static void check_rules(const desc_type& desc, const operands_type& t, const rule_report& report) {
    detail::check_pooling_shape(window_rows, &desc, detail::window_lists_of(desc), t[0], t[5], desc.pooling_sizes,
                                {"QP4", "QP5", "QP6", "QP7", "OutputTensor", false}, report);
    if (!t[0].legal) return;
    const dimensions& image_sizes = t[0].desc->sizes;
    for (std::size_t i = 1; i < 5; ++i) {
      if (!detail::is_sound_parameter(t, operands, i)) continue;
      const bool alike = t[i].desc->sizes.size() == image_sizes.size();
      detail::check_parameter_sizes("QP8", operands[i].name, t[i],
                                    alike ? detail::parameter_axis{image_sizes.size() - 2} : detail::of_any_axis,
                                    image_sizes[1], "of the whole tensor, or of each channel", report);
    }
  }

  static work_counts work(const desc_type& desc, const operands_type& t) {
    const std::uint64_t outputs = element_count(t[5].desc->sizes);
    return {.elements = element_count_of(t),
            .terms = detail::taps_of_windows(desc.window_size, t[0].desc->sizes, t[5].desc->sizes),
            .results = saturating_multiply(3, outputs),
            .judged = outputs};
  }
  // Of a thread of cpu the sums of the columns.
  static scratch_memory scratch(const desc_type&, const operands_type& t) {
    return {.cpu_thread = std::uint64_t{sizeof(std::int64_t)} * t[0].desc->sizes.back()};
  }

  static constexpr operator_options<desc_type> options{
      .implied = &implied, .check_rules = &check_rules, .work = &work, .scratch = &scratch};
};

namespace detail {

// The average of the window at o, for quantised(), by the sum of its elements less the zero point: 0 of a window
// without elements that does not count padding.
inline double quantised_average(const quantized_linear_average_pooling_desc& desc, const image_windows& windows,
                                const coordinate_tuple& o, double input_scale, double output_scale, double sum) {
  const dimensions counts = divisors_of(desc, windows, o);
  return counts.contains(0) ? 0 : arithmetic::requantised_average(input_scale, output_scale, sum, counts);
}

}  // namespace detail

// output[n, c, q] = the integer nearest to
//   input_scale[c] / output_scale[c] * (the sum of (input[n, c, p] - input_zero_point[c]) over the elements p of the
//   window at q) / their number, or with include_padding / the product of window_size,
// of two the even one, plus output_zero_point[c]; then the nearest integer of the output's type.
//   input   {N, C, ...}, 4 or 5 dimensions; INT8 or UINT8
//   output  {N, C, ...}, INT8 or UINT8; sizes as those of AVERAGE_POOLING1
//   scales       FLOAT32; one element, or {1, C, 1, 1}
//   zero points  the types of input and output, sizes as the scales; absent: 0
// Throws error (T1..T12, QP1..QP8), with the output unchanged.
template <class Backend, input_argument Input, input_argument InputScale, input_argument InputZeroPoint,
          input_argument OutputScale, input_argument OutputZeroPoint, output_argument Output>
void quantized_linear_average_pooling(const Backend& backend, const Input& input, const InputScale& input_scale,
                                      const InputZeroPoint& input_zero_point, const OutputScale& output_scale,
                                      const OutputZeroPoint& output_zero_point, Output&& output,
                                      const quantized_linear_average_pooling_desc& desc) {
  const std::optional some_input = detail::as_input(input_zero_point);
  const std::optional some_output = detail::as_input(output_zero_point);
  detail::call(backend, detail::with_windows_for(desc, input),
               std::tuple(detail::as_input(input), detail::as_input(input_scale), some_input,
                          detail::as_input(output_scale), some_output),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same without zero points.
template <class Backend, input_argument Input, input_argument InputScale, input_argument OutputScale,
          output_argument Output>
void quantized_linear_average_pooling(const Backend& backend, const Input& input, const InputScale& input_scale,
                                      const OutputScale& output_scale, Output&& output,
                                      const quantized_linear_average_pooling_desc& desc) {
  const const_tensor_ref none;
  quantized_linear_average_pooling(backend, input, input_scale, none, output_scale, none, std::forward<Output>(output),
                                   desc);
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(quantized_linear_average_pooling_desc);
