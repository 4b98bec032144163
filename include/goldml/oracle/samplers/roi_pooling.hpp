// Random cases of ROI_POOLING.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

#include <goldml/operators/roi_pooling.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

template <>
struct sampler<roi_pooling_desc> {
  static sampled_case<roi_pooling_desc> sample(random_source& random, goldml::feature_level level) {
    sampled_case<roi_pooling_desc> result;
    const tensor_desc input = random_tensor(random, operator_traits<roi_pooling_desc>::operands[0].limits, level);
    const auto some = [&](std::uint32_t most) { return static_cast<std::uint32_t>(1 + random.below(most)); };
    tensor_desc regions = input, output = input;
    regions.sizes = {1, 1, some(4), 5};
    result.desc.pooled_size = {some(4), some(4)};
    constexpr std::array scales{1.0F, 0.5F, 0.0625F, 0.3F};
    result.desc.spatial_scale = scales[random.below(scales.size())];
    output.sizes = {regions.sizes[2], input.sizes[1], result.desc.pooled_size.height, result.desc.pooled_size.width};
    result.tensors = {input, regions, output};
    return result;
  }

  // Regions: mostly inside, on halves and between, some outside, some malformed.
  static void fill(random_source& random, const roi_pooling_desc& desc, data_class, std::span<host_tensor> inputs) {
    const dimensions sizes = inputs[0].desc().sizes;
    visit_data_type(type_list<float, float16>{}, inputs[1].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const tensor_view<T> regions = inputs[1].ref().as<T>();
      for (std::uint32_t i = 0; i < regions.sizes()[2]; ++i) {
        const auto set = [&](std::uint32_t member, float x) {
          regions[coordinate_tuple{0, 0, i, member}] = static_cast<T>(x);
        };
        set(0, static_cast<float>(random.below((std::min)(sizes[0], 2048U))));
        for (const std::uint32_t axis : {0U, 1U}) {  // x, y
          const std::uint32_t size = (std::min)(sizes[3 - axis], 1000U);
          const auto place = [&](std::uint64_t low, std::uint64_t steps) {
            return (static_cast<float>(low) + static_cast<float>(random.below(4 * steps + 1)) / 4) / desc.spatial_scale;
          };
          const std::uint64_t first = random.below(size);
          const bool outside = random.chance(10), inverted = random.chance(5);
          const float from = place(first, 0) - (outside ? static_cast<float>(size) : 0),
                      to = place(first, size - first);
          set(1 + axis, inverted ? to : from);
          set(3 + axis, inverted ? from : to);
        }
      }
    });
  }

  static std::string_view break_rule(random_source& random, sampled_case<roi_pooling_desc>& c) {
    switch (random.below(3)) {
      case 0:
        c.tensors[1]->sizes[random.chance(50) ? 1 : 3] = 6;
        return "RP2";
      case 1:
        ++c.tensors[2]->sizes[random.below(4)];
        return "RP4";
      default:
        c.desc.spatial_scale = random.chance(50) ? -1 : std::numeric_limits<float>::infinity();
        return "RP5";
    }
  }

  static constexpr sampler_options<roi_pooling_desc> options{.fill = &fill, .unshared_input = 1};
};

}  // namespace goldml::oracle
