// ROI_ALIGN and ROI_ALIGN1: regions of images, from samples that are interpolated between elements. Feature levels 3_0
// and 4_0. Pages: DML_ROI_ALIGN_OPERATOR_DESC, DML_ROI_ALIGN1_OPERATOR_DESC. Rules: RA1..RA10. Rulings: ledger RA-R1 to
// RA-R7.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/work.hpp>
#include <goldml/operators/roi_align_regions.hpp>

namespace goldml {

namespace detail {

// The codes of a rule of ROI_ALIGN and of its gradient.
struct roi_rules {
  std::string_view regions, batches, function, mode, counts, numbers;
};

// R of regions {R,4}, with leading ones; 0 of others.
inline std::uint32_t region_count(const operand& regions) {
  if (!regions.legal) return 0;
  const dimensions& sizes = regions.desc->sizes;
  const std::size_t rank = sizes.size();
  return sizes[rank - 1] == 4 && std::all_of(sizes.begin(), sizes.end() - 2, [](std::uint32_t x) { return x == 1; })
             ? sizes[rank - 2]
             : 0;
}
inline void check_region_sizes(const roi_rules& rules, const operand& regions, const rule_report& report) {
  if (!regions.legal) return;
  const dimensions& sizes = regions.desc->sizes;
  const std::size_t rank = sizes.size();
  for (std::size_t i = 0; i < rank; ++i)
    if (const std::uint32_t wanted = i + 1 == rank ? 4 : i + 2 == rank ? sizes[i] : 1; sizes[i] != wanted)
      report(rules.regions, "ROITensor", "Sizes", violation_text("{}", sizes[i]), violation_text("{}", wanted),
             violation_text("{R,4} with leading ones has R regions"), i);
}
// The last size only if there are `count` regions, not 0.
inline void check_batch_sizes(const roi_rules& rules, const operand& batches, std::uint32_t count,
                              const rule_report& report) {
  if (!batches.legal) return;
  const dimensions& sizes = batches.desc->sizes;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const bool last = i + 1 == sizes.size();
    if (last && count == 0) continue;
    if (const std::uint32_t wanted = last ? count : 1; sizes[i] != wanted)
      report(rules.batches, "BatchIndicesTensor", "Sizes", violation_text("{}", sizes[i]), violation_text("{}", wanted),
             violation_text("{R} with leading ones, for R regions"), i);
  }
}
// What has an output for each region and channel.
inline void check_output_of_regions(std::string_view rule, std::string_view name, const dimensions& sizes,
                                    std::uint32_t count, const dimensions* image, const rule_report& report) {
  for (const std::size_t axis : {0U, 1U}) {
    if (axis == 0 ? count == 0 : image == nullptr) continue;
    if (const std::uint32_t wanted = axis == 0 ? count : (*image)[1]; sizes[axis] != wanted)
      report(rule, name, "Sizes", violation_text("{}", sizes[axis]), violation_text("{}", wanted),
             violation_text("regions, channels, any, any"), axis);
  }
}

// The rules on a desc's members.
template <class Desc>
void check_roi_members(const roi_rules& rules, std::span<const attribute> attributes, const Desc& desc,
                       const rule_report& report) {
  if (desc.reduction_function != reduce_function::average && desc.reduction_function != reduce_function::max)
    report(rules.function, "", "ReductionFunction",
           violation_text("{}", static_cast<std::uint32_t>(desc.reduction_function)),
           violation_text("2 (AVERAGE) or 7 (MAX)"));
  check_enumerator(attributes[1], desc.interpolation_mode, report);
  const std::uint32_t least = desc.minimum_samples_per_output, most = desc.maximum_samples_per_output;
  if (most == 0 || (std::max)(least, 1U) > most)
    report(rules.counts, "", "MaximumSamplesPerOutput", violation_text("{}", most),
           violation_text("at least {}", (std::max)(least, 1U)),
           violation_text("MinimumSamplesPerOutput is {}", least));
  for (const attribute& row : attributes)
    if (row.kind == attribute_kind::float32 && row.name != "OutOfBoundsInputValue" &&
        !is_finite_double(row.template get<float>(desc)))
      report(rules.numbers, "", row.name, violation_text("{}", scalar(row.template get<float>(desc))),
             violation_text("a finite number"));
}

// The samples of all outputs of an axis that can lie in the image, and a few more: if there are more than the least,
// they are at least half an element apart.
template <class Desc>
std::uint64_t roi_samples_at_most(const Desc& desc, std::uint32_t size, std::uint32_t outputs) {
  const std::uint64_t most = saturating_multiply(outputs, desc.maximum_samples_per_output);
  const std::uint64_t apart = saturating_add(
      saturating_multiply(outputs, std::uint64_t{desc.minimum_samples_per_output} + 1), 2 * std::uint64_t{size} + 8);
  return (std::min)(most, apart);
}
// What the taps of a region take.
template <class Desc>
std::uint64_t memory_of_roi_taps(const Desc& desc, const dimensions& image, const dimensions& outputs) {
  std::uint64_t total = 4096;
  for (const std::size_t i : {2U, 3U}) {
    const std::uint64_t taps = saturating_multiply(3, roi_samples_at_most(desc, image[i], outputs[i]));
    const std::uint64_t between = 2 * std::uint64_t{outputs[i]} + image[i];  // also elements that lie between samples
    total = saturating_add(total, saturating_multiply(400, saturating_add(taps, between)));
  }
  return total;
}

template <class Desc>
struct roi_align_traits {
  static constexpr data_type_set floats{data_type::float32, data_type::float16};
  static constexpr data_type_set few_indices{data_type::uint32}, indices{data_type::uint32, data_type::uint64};
  static constexpr std::array<operand_info, 4> operands_with(std::span<const operand_limits> images,
                                                             std::span<const operand_limits> regions,
                                                             std::span<const operand_limits> batches) {
    return {
        {{.name = "InputTensor", .role = operand_role::input, .limits = images},
         {.name = "ROITensor", .role = operand_role::input, .limits = regions, .same_data_type_as = {"RA1", 0}},
         {.name = "BatchIndicesTensor", .role = operand_role::input, .limits = batches},
         {.name = "OutputTensor", .role = operand_role::output, .limits = images, .same_data_type_as = {"RA1", 0}}}};
  }
  static constexpr auto attributes = [] {
    constexpr std::array first{row<&Desc::reduction_function>("ReductionFunction").enumerator("RA5"),
                               row<&Desc::interpolation_mode>("InterpolationMode").enumerator("RA6"),
                               row<&Desc::spatial_scale_x>("SpatialScaleX"),
                               row<&Desc::spatial_scale_y>("SpatialScaleY")};
    constexpr std::array last{row<&Desc::out_of_bounds_input_value>("OutOfBoundsInputValue"),
                              row<&Desc::minimum_samples_per_output>("MinimumSamplesPerOutput"),
                              row<&Desc::maximum_samples_per_output>("MaximumSamplesPerOutput")};
    if constexpr (requires { &Desc::input_pixel_offset; })
      return std::array{first[0],
                        first[1],
                        first[2],
                        first[3],
                        row<&Desc::input_pixel_offset>("InputPixelOffset"),
                        row<&Desc::output_pixel_offset>("OutputPixelOffset"),
                        last[0],
                        last[1],
                        last[2],
                        row<&Desc::align_regions_to_corners>("AlignRegionsToCorners")};
    else
      return std::array{first[0], first[1], first[2], first[3], last[0], last[1], last[2]};
  }();
  static constexpr std::array policies{row<&Desc::roi_samples>("roi_samples"), row<&Desc::range_policy>("range_policy"),
                                       row<&Desc::accumulation>("accumulation"),
                                       row<&Desc::same_resource>("same_resource")};

  // RA2 to RA8.
  static void check_rules(const Desc& desc, const std::array<operand, 4>& t, const rule_report& report) {
    const auto& [input, regions, batches, output] = t;
    const roi_rules rules{"RA2", "RA3", "RA5", "RA6", "RA7", "RA8"};
    const bool alike = input.legal && regions.legal && output.legal &&
                       input.desc->data_type == regions.desc->data_type &&
                       input.desc->data_type == output.desc->data_type;
    if (alike) {
      const std::uint32_t count = region_count(regions);
      check_region_sizes(rules, regions, report);
      check_batch_sizes(rules, batches, count, report);
      if (count != 0)
        check_output_of_regions("RA4", "OutputTensor", output.desc->sizes, count, &input.desc->sizes, report);
    }
    check_roi_members(rules, attributes, desc, report);
  }
  static work_counts work(const Desc& desc, const std::array<operand, 4>& t) {
    const dimensions &image = t[0].desc->sizes, &outputs = t[3].desc->sizes;
    const std::uint64_t rows = roi_samples_at_most(desc, image[2], outputs[2]),
                        columns = roi_samples_at_most(desc, image[3], outputs[3]);
    const std::uint64_t planes = std::uint64_t{outputs[0]} * outputs[1];
    const std::uint64_t samples = saturating_multiply(planes, saturating_multiply(rows, columns));
    // Once for a region, and by cpu once more for each thread: the taps, and the search for the first and the last
    // sample.
    const std::uint64_t lines = std::uint64_t{image[2]} + image[3] + 64 * (std::uint64_t{outputs[2]} + outputs[3]);
    const std::uint64_t of_region = saturating_add(lines, saturating_add(rows, columns));
    const std::uint64_t places = saturating_multiply(200, saturating_multiply(outputs[0], of_region));
    const std::uint64_t elements = element_count(outputs);
    const bool is_max = desc.reduction_function == reduce_function::max;
    // Judged with each number of samples that a device may take, with and without flushing.
    const bool varies = desc.minimum_samples_per_output < desc.maximum_samples_per_output;
    const std::uint64_t judgements = (is_max ? 4U : 2U) * (varies ? 16U : 1U);
    return {.elements = saturating_add(element_count_of(t), saturating_add(places, samples)),
            .terms = saturating_multiply(4, samples),
            .results = is_max ? samples : elements,
            .judged = saturating_add(elements, saturating_multiply(judgements, saturating_add(samples, places / 200)))};
  }
  static scratch_memory scratch(const Desc& desc, const std::array<operand, 4>& t) {
    const std::uint64_t taps = memory_of_roi_taps(desc, t[0].desc->sizes, t[3].desc->sizes);
    return {.reference = taps, .cpu = taps, .cpu_thread = taps};
  }

  static constexpr operator_options<Desc> roi_options() {
    return {.check_rules = &check_rules, .work = &work, .scratch = &scratch};
  }
};

}  // namespace detail

template <>
struct operator_traits<roi_align_desc> : detail::roi_align_traits<roi_align_desc> {
  static constexpr std::string_view name = "ROI_ALIGN";
  static constexpr std::uint32_t enumerator = 139;
  static constexpr std::array<operand_limits, 1> images{{{feature_level::level_3_0, floats, 4, 4}}},
      regions{{{feature_level::level_3_0, floats, 2, 4}}};
  static constexpr std::array<operand_limits, 2> batches{
      {{feature_level::level_3_0, few_indices, 1, 4}, {feature_level::level_5_0, indices, 1, 4}}};
  static constexpr std::array operands = operands_with(images, regions, batches);
  static constexpr operator_options<roi_align_desc> options = roi_options();
};

template <>
struct operator_traits<roi_align1_desc> : detail::roi_align_traits<roi_align1_desc> {
  static constexpr std::string_view name = "ROI_ALIGN1";
  static constexpr std::uint32_t enumerator = 149;
  static constexpr std::array<operand_limits, 1> images{{{feature_level::level_4_0, floats, 4, 4}}},
      regions{{{feature_level::level_4_0, floats, 2, 4}}};
  static constexpr std::array<operand_limits, 2> batches{
      {{feature_level::level_4_0, few_indices, 1, 4}, {feature_level::level_5_0, indices, 1, 4}}};
  static constexpr std::array operands = operands_with(images, regions, batches);
  static constexpr operator_options<roi_align1_desc> options = roi_options();
};

namespace detail {

// The public call, a function object.
template <class Desc>
struct roi_align_call {
  template <class Backend, input_argument Input, input_argument Regions, input_argument Batches, output_argument Output>
  void operator()(const Backend& backend, const Input& input, const Regions& roi, const Batches& batch_indices,
                  Output&& output, const Desc& desc) const {
    static_assert(alike_types<Desc, input_view<Input>, input_view<Regions>, input_view<Batches>, output_view<Output>>,
                  "goldml ROI_ALIGN RA1: InputTensor, ROITensor and OutputTensor have the same data type");
    static_assert(takes<Desc, 0, input_view<Input>> && takes<Desc, 2, input_view<Batches>>,
                  "goldml ROI_ALIGN T3: FLOAT32 or FLOAT16; BatchIndicesTensor takes UINT32 and UINT64");
    call(backend, desc, std::tuple(as_input(input), as_input(roi), as_input(batch_indices)),
         std::tuple(as_output(std::forward<Output>(output))));
  }
};

}  // namespace detail

// Each region has two corners, x1, y1, x2, y2, which are scaled, and an image. Each output has as many samples on an
// axis as it is long in elements, rounded up, from the least to the most number allowed: sample k of all, of the K of
// a region, lies at x1 + (k - output_pixel_offset) * (x2 - x1) / K - input_pixel_offset between the elements (offsets
// are 0.5 and -0.5 in ROI_ALIGN); K - 1 in place of K if regions are aligned to corners. It is interpolated, or the
// nearest element; or out_of_bounds_input_value before -1 and after the size of the image.
//   input          {N,C,H,W}, FLOAT32 or FLOAT16
//   roi            {R,4}, with leading ones, the input's type
//   batch_indices  {R}, with leading ones, UINT32 or UINT64
//   output         {R,C,height,width}: the mean or the greatest of the samples of each output
// Throws error (T1..T12, RA1..RA10), with the output unchanged.
inline constexpr detail::roi_align_call<roi_align_desc> roi_align{};
inline constexpr detail::roi_align_call<roi_align1_desc> roi_align1{};

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(roi_align_desc);
GOLDML_COMPILED_OPERATOR(roi_align1_desc);
