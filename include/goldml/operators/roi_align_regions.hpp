// The descs of ROI_ALIGN and ROI_ALIGN1, and the regions of these operators and of their gradient.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/arithmetic/roi_axis.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/feature_level.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/violation.hpp>
#include <goldml/core/window_policies.hpp>
#include <goldml/operators/reduce.hpp>

namespace goldml {

// Samples of ROI_ALIGN lie at the centers of parts of a region.
struct roi_align_desc {
  reduce_function reduction_function = no_reduce_function;  // required: average or max
  goldml::interpolation_mode interpolation_mode = goldml::interpolation_mode::nearest_neighbor;
  float spatial_scale_x = 1, spatial_scale_y = 1;  // of the regions' coordinates to those of the input
  float out_of_bounds_input_value = 0;
  std::uint32_t minimum_samples_per_output = 1, maximum_samples_per_output = 1;  // on an axis
  goldml::roi_samples roi_samples = goldml::roi_samples::ceil;
  goldml::range_policy range_policy = goldml::range_policy::refuse;  // of batch indices
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

struct roi_align1_desc {
  reduce_function reduction_function = no_reduce_function;  // required: average or max
  goldml::interpolation_mode interpolation_mode = goldml::interpolation_mode::nearest_neighbor;
  float spatial_scale_x = 1, spatial_scale_y = 1;  // of the regions' coordinates to those of the input
  float input_pixel_offset = 0.5F, output_pixel_offset = -0.5F;
  float out_of_bounds_input_value = 0;
  std::uint32_t minimum_samples_per_output = 1, maximum_samples_per_output = 1;  // on an axis
  bool align_regions_to_corners = false;  // the first and the last sample lie at the corners of the region
  goldml::roi_samples roi_samples = goldml::roi_samples::ceil;
  goldml::range_policy range_policy = goldml::range_policy::refuse;  // of batch indices
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

namespace detail {

template <class Desc>
concept roi_align_operator = std::same_as<Desc, roi_align_desc> || std::same_as<Desc, roi_align1_desc>;

// A region on both axes of an image.
struct roi_region {
  roi_axis rows, columns;

  bool is_defined() const { return rows.is_defined() && columns.is_defined(); }
  double samples() const { return static_cast<double>(rows.count) * columns.count; }  // of an output
};

// Regions {R,4}, with leading ones: x1, y1, x2, y2 each.
inline coordinate_tuple leading_zeros(std::size_t count, std::initializer_list<std::uint32_t> last) {
  coordinate_tuple result = coordinate_tuple::filled(count - last.size(), 0);
  for (const std::uint32_t each : last) result.push_back(each);
  return result;
}

// Region `number`, with the samples that the desc asks for. `image` and `outputs`: the last two sizes count.
template <class Desc, class T>
roi_region roi_region_at(const Desc& desc, const tensor_view<const T>& regions, std::uint32_t number,
                         const dimensions& image, const dimensions& outputs) {
  const auto corner = [&](std::uint32_t i, float scale) {
    const double x = exact_double(T(regions[leading_zeros(regions.sizes().size(), {number, i})]));
    return x * exact_double(scale);
  };
  const auto axis = [&](std::uint32_t i, float scale) {
    roi_axis result{.size = image[3 - i],
                    .outputs = outputs[3 - i],
                    .first = corner(i, scale),
                    .last = corner(i + 2, scale),
                    .input_offset = 0.5F,
                    .output_offset = -0.5F};
    if constexpr (requires { desc.input_pixel_offset; }) {
      result.input_offset = desc.input_pixel_offset;
      result.output_offset = desc.output_pixel_offset;
      result.corners = desc.align_regions_to_corners;
    }
    if (result.is_defined())
      result.count = result.samples_per_output(desc.roi_samples, false, 0, desc.minimum_samples_per_output,
                                               desc.maximum_samples_per_output);
    return result;
  };
  return {axis(1, desc.spatial_scale_y), axis(0, desc.spatial_scale_x)};
}

// The batch index of region `number`.
inline std::uint64_t batch_index_at(const const_tensor_ref& batches, std::uint32_t number) {
  std::uint64_t index = 0;
  visit_data_type(type_list<std::uint32_t, std::uint64_t>{}, batches.desc().data_type,
                  [&]<class Index>(std::type_identity<Index>) {
                    index = batches.as<Index>()[leading_zeros(batches.desc().sizes.size(), {number})];
                  });
  return index;
}
// The image of region `number`, if there is one.
inline std::optional<std::uint32_t> image_of_region(const const_tensor_ref& batches, std::uint32_t number,
                                                    std::uint32_t images, range_policy policy) {
  const std::uint64_t index = batch_index_at(batches, number);
  if (index < images) return static_cast<std::uint32_t>(index);
  if (policy == range_policy::clamp) return images - 1;
  return std::nullopt;
}

// How many samples an output may have of which each is looked at: of MAX and NEAREST_NEIGHBOR.
inline constexpr double most_roi_samples = 0x1p24;
template <class Desc>
bool is_within_sample_limit(const Desc& desc, const roi_region& region) {
  return (desc.reduction_function == reduce_function::average &&
          desc.interpolation_mode == interpolation_mode::linear) ||
         !region.is_defined() || region.samples() <= most_roi_samples;
}

// The first batch index that is no image, as a violation of `rule`, unless the policy accepts it.
template <class Desc>
std::optional<violation> check_images(const Desc& desc, std::string_view rule, const const_tensor_ref& batches,
                                      std::uint32_t images) {
  const dimensions& sizes = batches.desc().sizes;
  for (std::uint32_t i = 0; i < sizes[sizes.size() - 1]; ++i) {
    if (image_of_region(batches, i, images, desc.range_policy)) continue;
    return violation{.rule = rule,
                     .operator_name = operator_traits<Desc>::name,
                     .operand = "BatchIndicesTensor",
                     .member = "element",
                     .index = i,
                     .got = violation_text("{}", batch_index_at(batches, i)),
                     .wanted = violation_text("below {}", images),
                     .why = violation_text("the images; range_policy clamp accepts it")};
  }
  return std::nullopt;
}

// What a region of ROI_ALIGN, or of its gradient, breaks at execution: the rules on images and on samples. Called
// before the first write.
template <class Desc, class T>
void check_regions(const Desc& desc, std::string_view batch_rule, std::string_view sample_rule,
                   const tensor_view<const T>& regions, const const_tensor_ref& batches, const dimensions& image,
                   const dimensions& outputs) {
  if (const auto broken = check_images(desc, batch_rule, batches, image[0])) throw error(*broken);
  for (std::uint32_t i = 0; i < outputs[0]; ++i) {
    const roi_region region = roi_region_at(desc, regions, i, image, outputs);
    if (!is_within_sample_limit(desc, region))
      throw error(violation{.rule = sample_rule,
                            .operator_name = operator_traits<Desc>::name,
                            .operand = "ROITensor",
                            .member = "element",
                            .index = 4 * std::size_t{i},
                            .got = violation_text("of {} x {} samples", region.columns.count, region.rows.count),
                            .wanted = violation_text("at most 2^24 for an output"),
                            .why = violation_text("of MAX or NEAREST_NEIGHBOR goldml computes no more")});
  }
}

}  // namespace detail

}  // namespace goldml
