// Random cases of ROI_ALIGN_GRAD.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include <goldml/operators/roi_align_grad.hpp>
#include <goldml/oracle/samplers/roi_align.hpp>

namespace goldml::oracle {

template <>
struct sampler<roi_align_grad_desc> {
  static sampled_case<roi_align_grad_desc> sample(random_source& random, goldml::feature_level level) {
    sampled_case<roi_align_grad_desc> result;
    constexpr auto& operands = operator_traits<roi_align_grad_desc>::operands;
    detail::sample_roi_members(random, result.desc);
    const tensor_desc image = random_tensor(random, operands[0].limits, level);
    const auto some = [&](std::uint32_t most) { return static_cast<std::uint32_t>(1 + random.below(most)); };
    const std::uint32_t count = some(3);
    tensor_desc gradient = image, regions = image;
    gradient.sizes = {count, image.sizes[1], some(3), some(3)};
    regions.sizes = left_pad({count, 4}, 2 + random.below(3), 1);
    const tensor_desc batches{.data_type = data_type::uint32, .sizes = left_pad({count}, 1 + random.below(4), 1)};
    result.tensors = {image, gradient, regions, batches, image, regions};
    if (random.chance(25)) {
      result.tensors[random.chance(50) ? 4 : 5].reset();
      if (!result.tensors[5] && result.desc.reduction_function == reduce_function::average &&
          element_count(gradient.sizes) <= random.most_elements() && random.chance(50))
        result.tensors[0].reset();
    }
    return result;
  }

  // Without an input nothing is known of the images: regions are those of the first one.
  static void fill(random_source& random, const roi_align_grad_desc& desc, data_class data,
                   std::span<host_tensor> inputs) {
    const bool given = !inputs[0].bytes().empty();
    const dimensions image = given ? inputs[0].desc().sizes : dimensions{1, 1, 4, 4};
    detail::fill_for_arithmetic(random, data, inputs.first(2));
    detail::fill_regions(random, desc, image, inputs[2]);
    detail::fill_batches(random, given ? data : data_class::uniform, image[0], inputs[3]);
  }

  static std::string_view break_rule(random_source& random, sampled_case<roi_align_grad_desc>& c) {
    auto& t = c.tensors;
    dimensions &given = t[1]->sizes, &regions = t[2]->sizes, &batches = t[3]->sizes;
    switch (random.below(7)) {
      case 0:
        t[4].reset();
        t[5].reset();
        return "RG2";
      case 1:
        if (!t[5] && c.desc.reduction_function != reduce_function::max) return "";
        t[0].reset();
        return t[4] ? "RG3" : "";
      case 2:
        if (t[0] && t[4] && random.chance(50))
          ++t[4]->sizes[2 + random.below(2)];
        else
          ++given[random.below(2)];
        return "RG4";
      case 3:
        if (t[5] && random.chance(50))
          ++t[5]->sizes[t[5]->sizes.size() - 2];
        else
          regions[regions.size() - 1] = 5;
        return "RG5";
      case 4:
        ++batches[random.below(batches.size())];
        return "RG6";
      case 5:
        detail::break_roi_samples(random, c.desc);
        return "RG9";
      default:
        (random.chance(50) ? c.desc.input_pixel_offset : c.desc.spatial_scale_y) =
            std::numeric_limits<float>::infinity();
        return "RG10";
    }
  }

  static constexpr sampler_options<roi_align_grad_desc> options{.fill = &fill};
};

}  // namespace goldml::oracle
