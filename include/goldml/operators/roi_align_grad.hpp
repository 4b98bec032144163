// ROI_ALIGN_GRAD: the gradients of the input and of the regions of ROI_ALIGN1. Feature level 4_1.
// Page: DML_ROI_ALIGN_GRAD_OPERATOR_DESC. Rules: RG1..RG12. Rulings: ledger RG-R1, RG-R2, RA-R1 to RA-R7.
#pragma once

#include <algorithm>
#include <array>
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
#include <goldml/core/work.hpp>
#include <goldml/operators/roi_align.hpp>

namespace goldml {

// Those of the forward operator.
struct roi_align_grad_desc {
  reduce_function reduction_function = no_reduce_function;  // required: average or max
  goldml::interpolation_mode interpolation_mode = goldml::interpolation_mode::nearest_neighbor;
  float spatial_scale_x = 1, spatial_scale_y = 1;  // of the regions' coordinates to those of the input
  float input_pixel_offset = 0.5F, output_pixel_offset = -0.5F;
  std::uint32_t minimum_samples_per_output = 1, maximum_samples_per_output = 1;  // on an axis
  bool align_regions_to_corners = false;  // the first and the last sample lie at the corners of the region
  goldml::roi_samples roi_samples = goldml::roi_samples::ceil;
  goldml::roi_gradient roi_gradient = goldml::roi_gradient::derivative;
  goldml::range_policy range_policy = goldml::range_policy::refuse;  // of batch indices
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct operator_traits<roi_align_grad_desc> {
  using desc_type = roi_align_grad_desc;
  using operands_type = std::array<operand, 6>;
  static constexpr std::string_view name = "ROI_ALIGN_GRAD";
  static constexpr std::uint32_t enumerator = 150;

  static constexpr data_type_set floats{data_type::float32, data_type::float16};
  static constexpr std::array<operand_limits, 1> images{{{feature_level::level_4_1, floats, 4, 4}}},
      regions{{{feature_level::level_4_1, floats, 2, 4}}},
      batches{{{feature_level::level_4_1, {data_type::uint32}, 1, 4}}};
  static constexpr operand_role in = operand_role::input, out = operand_role::output;
  static constexpr std::array<operand_info, 6> operands{
      {{.name = "InputTensor", .role = in, .limits = images, .optional = true, .same_data_type_as = {"RG1", 1}},
       {.name = "InputGradientTensor", .role = in, .limits = images},
       {.name = "ROITensor", .role = in, .limits = regions, .same_data_type_as = {"RG1", 1}},
       {.name = "BatchIndicesTensor", .role = in, .limits = batches},
       {.name = "OutputGradientTensor",
        .role = out,
        .limits = images,
        .optional = true,
        .same_data_type_as = {"RG1", 1}},
       {.name = "OutputROIGradientTensor",
        .role = out,
        .limits = regions,
        .optional = true,
        .same_data_type_as = {"RG1", 1}}}};
  static constexpr std::array attributes{row<&desc_type::reduction_function>("ReductionFunction").enumerator("RG7"),
                                         row<&desc_type::interpolation_mode>("InterpolationMode").enumerator("RG8"),
                                         row<&desc_type::spatial_scale_x>("SpatialScaleX"),
                                         row<&desc_type::spatial_scale_y>("SpatialScaleY"),
                                         row<&desc_type::input_pixel_offset>("InputPixelOffset"),
                                         row<&desc_type::output_pixel_offset>("OutputPixelOffset"),
                                         row<&desc_type::minimum_samples_per_output>("MinimumSamplesPerOutput"),
                                         row<&desc_type::maximum_samples_per_output>("MaximumSamplesPerOutput"),
                                         row<&desc_type::align_regions_to_corners>("AlignRegionsToCorners")};
  static constexpr std::array policies{
      row<&desc_type::roi_samples>("roi_samples"), row<&desc_type::roi_gradient>("roi_gradient"),
      row<&desc_type::range_policy>("range_policy"), row<&desc_type::accumulation>("accumulation"),
      row<&desc_type::same_resource>("same_resource")};

  // The images are those of the input, or of its gradient.
  static const operand& image_of(const operands_type& t) { return t[0].desc ? t[0] : t[4]; }
  static implied_output implied(const desc_type&, const operands_type& t, std::size_t output) {
    if (output == 5) return {.sizes = t[2].desc->sizes};
    if (output == 4 && t[0].desc) return {.sizes = t[0].desc->sizes};
    return {};
  }

  // RG2 to RG10.
  static void check_rules(const desc_type& desc, const operands_type& t, const rule_report& report) {
    const operand &input = t[0], &gradient = t[1], &roi = t[2], &result = t[4], &roi_result = t[5];
    const detail::roi_rules rules{"RG5", "RG6", "RG7", "RG8", "RG9", "RG10"};
    const auto missing = [&](std::string_view rule, std::size_t i, const violation_text& why) {
      report(rule, operands[i].name, "", violation_text("null"), violation_text("a tensor"), why);
    };
    if (!result.desc && !roi_result.desc) missing("RG2", 4, violation_text("or OutputROIGradientTensor"));
    if (const bool is_max = desc.reduction_function == reduce_function::max; !input.desc && (roi_result.desc || is_max))
      missing("RG3", 0, is_max ? violation_text("of MAX") : violation_text("for OutputROIGradientTensor"));
    bool alike = true;
    for (const operand* each : {&input, &gradient, &roi, &result, &roi_result})
      alike = alike && (each->desc ? each->open || (each->legal && gradient.legal &&
                                                    each->desc->data_type == gradient.desc->data_type)
                                   : true);
    if (alike) {
      const std::uint32_t count = detail::region_count(roi);
      if (count != 0) {
        const operand& image = image_of(t);
        detail::check_output_of_regions("RG4", operands[1].name, gradient.desc->sizes, count,
                                        image.legal && image.desc ? &image.desc->sizes : nullptr, report);
        detail::check_likeness({{"RG4", 0}, detail::likeness::sizes, 4}, result, input, operands[4], operands[0],
                               report);
      }
      detail::check_region_sizes(rules, roi, report);
      for (const detail::likeness what : {detail::likeness::rank, detail::likeness::sizes})
        detail::check_likeness({{"RG5", 2}, what, 5}, roi_result, roi, operands[5], operands[2], report);
      detail::check_batch_sizes(rules, t[3], count, report);
    }
    detail::check_roi_members(rules, attributes, desc, report);
  }

  static work_counts work(const desc_type& desc, const operands_type& t) {
    const dimensions &image = image_of(t).desc->sizes, &outputs = t[1].desc->sizes;
    const std::uint64_t rows = detail::roi_samples_at_most(desc, image[2], outputs[2]),
                        columns = detail::roi_samples_at_most(desc, image[3], outputs[3]);
    const std::uint64_t samples =
        saturating_multiply(std::uint64_t{outputs[0]} * outputs[1], saturating_multiply(rows, columns));
    // Once for a region, and again for each of its corners: the taps, and the search for the first and the last sample.
    const std::uint64_t lines = std::uint64_t{image[2]} + image[3] + 64 * (std::uint64_t{outputs[2]} + outputs[3]);
    const std::uint64_t of_regions =
        saturating_multiply(outputs[0], saturating_add(lines, saturating_add(rows, columns)));
    const std::uint64_t elements = element_count(image);
    const bool is_max = desc.reduction_function == reduce_function::max;
    const std::uint64_t counts = std::uint64_t{desc.maximum_samples_per_output} - desc.minimum_samples_per_output;
    // An element's terms with different numbers of samples have different denominators.
    const std::uint64_t parts = (std::min)(std::uint64_t{outputs[0]}, saturating_multiply(counts + 1, counts + 1));
    const std::uint64_t judgements = (is_max ? 24U : 12U) * (counts > 0 ? 24U : 2U);
    return {.elements = saturating_add(saturating_add(element_count_of(t), saturating_multiply(1000, of_regions)),
                                       saturating_add(samples, saturating_multiply(outputs[0], elements / image[3]))),
            .terms = saturating_add(saturating_multiply(24, samples),
                                    saturating_multiply(elements, saturating_multiply(parts, parts) / 16)),
            .results = saturating_add(elements, is_max ? samples : 4 * std::uint64_t{outputs[0]}),
            .judged = saturating_multiply(
                judgements,
                saturating_add(elements, saturating_add(samples, saturating_multiply(outputs[1], of_regions))))};
  }
  // The taps of all regions, a row of sums, and the samples that are greatest.
  static scratch_memory scratch(const desc_type& desc, const operands_type& t) {
    const dimensions &image = image_of(t).desc->sizes, &outputs = t[1].desc->sizes;
    const std::uint64_t taps = detail::memory_of_roi_taps(desc, image, outputs);
    const std::uint64_t all = saturating_add(saturating_multiply(2 * std::uint64_t{outputs[0]} + 1, taps),
                                             saturating_multiply(8, element_count(outputs)));
    const std::uint64_t row = saturating_add(64 * std::uint64_t{image[3]}, 8 * std::uint64_t{outputs[0]});
    return {.reference = saturating_add(all, saturating_add(taps, row)),
            .cpu = saturating_add(all, saturating_add(taps, row)),
            .cpu_thread = saturating_add(taps, row)};
  }

  static constexpr operator_options<roi_align_grad_desc> options{
      .implied = &implied, .check_rules = &check_rules, .work = &work, .scratch = &scratch};
};

namespace detail {

inline const dimensions& image_sizes(std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs) {
  return inputs[0].present() ? inputs[0].desc().sizes : outputs[0].desc().sizes;
}

}  // namespace detail

// The gradients of ROI_ALIGN1, whose samples these are: what its output's gradient means for its input and its regions.
// output_gradient = 0; then each output adds its element of the input gradient
//   AVERAGE  over the number of its samples, by their weights, to what the samples in the image are made of
//   MAX      to what the first of its greatest samples in the image is made of
// output_roi_gradient: the sum over all channels and outputs of the input gradient times the derivative of the output
// by x1, y1, x2, y2. At an element that is the one to the next element; before the first and after the last it is 0.
//   input                 {N,C,H,W}, for MAX and for output_roi_gradient; otherwise it may be const_tensor_ref()
//   input_gradient        {R,C,height,width}, the sizes of ROI_ALIGN1's output
//   roi, batch_indices    {R,4} and {R}, with leading ones; UINT32 indices
//   output_gradient       {N,C,H,W}, or tensor_ref()
//   output_roi_gradient   the sizes of roi, or tensor_ref()
// FLOAT32 or FLOAT16, all of one type. Each element is the exact result rounded once. Throws error (T1..T12,
// RG1..RG12), with the outputs unchanged.
template <class Backend, input_argument Input, input_argument Gradient, input_argument Regions, input_argument Batches,
          output_argument Output, output_argument OfRegions>
void roi_align_grad(const Backend& backend, const Input& input, const Gradient& input_gradient, const Regions& roi,
                    const Batches& batch_indices, Output&& output_gradient, OfRegions&& output_roi_gradient,
                    const roi_align_grad_desc& desc) {
  static_assert(detail::alike_types<roi_align_grad_desc, input_view<Input>, input_view<Gradient>, input_view<Regions>,
                                    input_view<Batches>, output_view<Output>, output_view<OfRegions>>,
                "goldml ROI_ALIGN_GRAD RG1: all tensors but BatchIndicesTensor have the same data type");
  const std::optional some_input = detail::as_input(input);
  const std::optional some_output = detail::as_output(std::forward<Output>(output_gradient));
  const std::optional some_of_regions = detail::as_output(std::forward<OfRegions>(output_roi_gradient));
  detail::call(
      backend, desc,
      std::tuple(some_input, detail::as_input(input_gradient), detail::as_input(roi), detail::as_input(batch_indices)),
      std::tuple(some_output, some_of_regions));
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(roi_align_grad_desc);
