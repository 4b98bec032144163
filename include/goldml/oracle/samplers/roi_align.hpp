// Random cases of ROI_ALIGN and ROI_ALIGN1.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include <goldml/operators/roi_align.hpp>
#include <goldml/oracle/arithmetic_data.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

namespace detail {

// The members that ROI_ALIGN and its gradient share.
template <class Desc>
void sample_roi_members(random_source& random, Desc& desc) {
  constexpr std::array scales{1.0F, 0.5F, 0.0625F, 0.3F};
  desc.reduction_function = random.chance(60) ? reduce_function::average : reduce_function::max;
  if (random.chance(70)) desc.interpolation_mode = interpolation_mode::linear;
  desc.spatial_scale_x = scales[random.below(scales.size())];
  desc.spatial_scale_y = random.chance(70) ? desc.spatial_scale_x : scales[random.below(scales.size())];
  const auto least = static_cast<std::uint32_t>(random.below(3));
  desc.minimum_samples_per_output = least;
  desc.maximum_samples_per_output =
      (std::max)(least, 1U) + (random.chance(50) ? 0 : static_cast<std::uint32_t>(random.below(4)));
  if constexpr (requires { desc.input_pixel_offset; }) {
    constexpr std::array inputs{0.5F, 0.0F, 0.25F}, outputs{-0.5F, 0.0F, 0.3F};
    desc.input_pixel_offset = inputs[random.below(inputs.size())];
    desc.output_pixel_offset = outputs[random.below(outputs.size())];
    desc.align_regions_to_corners = random.chance(40);
  }
}

// Regions: mostly inside, on quarters and between, some outside, some empty or mirrored.
template <class Desc>
void fill_regions(random_source& random, const Desc& desc, const dimensions& image, host_tensor& regions) {
  visit_data_type(type_list<float, float16>{}, regions.desc().data_type, [&]<class T>(std::type_identity<T>) {
    const tensor_view<T> view = regions.ref().as<T>();
    const std::size_t rank = view.sizes().size();
    for (std::uint32_t i = 0; i < view.sizes()[rank - 2]; ++i)
      for (const std::uint32_t axis : {0U, 1U}) {  // x, y
        const float scale = axis == 0 ? desc.spatial_scale_x : desc.spatial_scale_y;
        const std::uint32_t size = (std::min)(image[3 - axis], 1000U);
        const float grain = random.chance(60) ? 4 : 1000;
        const auto place = [&](std::uint64_t low, std::uint64_t steps) {
          return (static_cast<float>(low) +
                  static_cast<float>(random.below(static_cast<std::uint64_t>(grain) * steps + 1)) / grain) /
                 scale;
        };
        const std::uint64_t first = random.below(size);
        float from = place(first, 1), to = place(first, size - first);
        if (random.chance(15)) from -= static_cast<float>(size) / scale;
        if (random.chance(10)) to += static_cast<float>(size) / scale;
        if (random.chance(10)) to = from;
        if (random.chance(15)) std::swap(from, to);
        view[goldml::detail::leading_zeros(rank, {i, axis})] = static_cast<T>(from);
        view[goldml::detail::leading_zeros(rank, {i, axis + 2})] = static_cast<T>(to);
      }
  });
}
inline void fill_batches(random_source& random, data_class data, std::uint32_t images, host_tensor& batches) {
  visit_data_type(
      type_list<std::uint32_t, std::uint64_t>{}, batches.desc().data_type, [&]<class Index>(std::type_identity<Index>) {
        for (const coordinate_tuple& c : coordinates_of(batches.desc().sizes))
          batches.ref().as<Index>()[c] = data == data_class::out_of_range && random.chance(30)
                                             ? (random.chance(50) ? Index{images} : (std::numeric_limits<Index>::max)())
                                             : static_cast<Index>(random.below(images));
      });
}

// Breaks a rule that ROI_ALIGN has and its gradient.
template <class Desc>
void break_roi_samples(random_source& random, Desc& desc) {
  if (random.chance(50))
    desc.maximum_samples_per_output = 0;
  else
    desc.minimum_samples_per_output = desc.maximum_samples_per_output + 1;
}

}  // namespace detail

template <goldml::detail::roi_align_operator Desc>
struct sampler<Desc> {
  static sampled_case<Desc> sample(random_source& random, goldml::feature_level level) {
    sampled_case<Desc> result;
    constexpr auto& operands = operator_traits<Desc>::operands;
    const tensor_desc input = random_tensor(random, operands[0].limits, level);
    const auto some = [&](std::uint32_t most) { return static_cast<std::uint32_t>(1 + random.below(most)); };
    const std::uint32_t count = some(3);
    tensor_desc regions = input, output = input;
    regions.sizes = left_pad({count, 4}, 2 + random.below(3), 1);
    const tensor_desc batches{.data_type = random.pick(limits_at(operands[2], level)->data_types),
                              .sizes = left_pad({count}, 1 + random.below(4), 1)};
    output.sizes = {count, input.sizes[1], some(3), some(3)};
    detail::sample_roi_members(random, result.desc);
    constexpr std::array outside{0.0F, -1.0F, 7.5F, 0.1F, std::numeric_limits<float>::infinity()};
    result.desc.out_of_bounds_input_value = outside[random.below(random.chance(90) ? 4 : 5)];
    result.tensors = {input, regions, batches, output};
    return result;
  }

  static void fill(random_source& random, const Desc& desc, data_class data, std::span<host_tensor> inputs) {
    detail::fill_for_arithmetic(random, data, inputs.first(1));
    detail::fill_regions(random, desc, inputs[0].desc().sizes, inputs[1]);
    detail::fill_batches(random, data, inputs[0].desc().sizes[0], inputs[2]);
  }

  static std::string_view break_rule(random_source& random, sampled_case<Desc>& c) {
    dimensions &regions = c.tensors[1]->sizes, &batches = c.tensors[2]->sizes;
    switch (random.below(5)) {
      case 0:
        if (regions.size() > 2 && random.chance(50))
          regions[0] = 2;
        else
          regions[regions.size() - 1] = 5;
        return "RA2";
      case 1:
        ++batches[random.below(batches.size())];
        return "RA3";
      case 2:
        ++c.tensors[3]->sizes[random.below(2)];
        return "RA4";
      case 3:
        detail::break_roi_samples(random, c.desc);
        return "RA7";
      default:
        (random.chance(50) ? c.desc.spatial_scale_x : c.desc.spatial_scale_y) = std::numeric_limits<float>::infinity();
        return "RA8";
    }
  }

  static constexpr sampler_options<Desc> options{.fill = &fill};
};

}  // namespace goldml::oracle
