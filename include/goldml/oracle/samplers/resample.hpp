// Random cases of RESAMPLE, its newer versions and its gradients.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include <goldml/operators/resample.hpp>
#include <goldml/oracle/arithmetic_data.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

template <goldml::detail::resample_operator Desc>
struct sampler<Desc> {
  static constexpr bool is_gradient = goldml::detail::resample_gradient<Desc>;
  static constexpr bool has_offsets = requires(Desc desc) { desc.input_pixel_offsets; };

  static sampled_case<Desc> sample(random_source& random, goldml::feature_level level) {
    sampled_case<Desc> result;
    Desc& desc = result.desc;
    const tensor_desc first = random_tensor(random, operator_traits<Desc>::operands[0].limits, level);
    tensor_desc second = first;
    if (random.chance(60)) desc.interpolation_mode = interpolation_mode::linear;
    if constexpr (requires { desc.rounding_direction; })
      if (random.chance(50)) desc.rounding_direction = axis_direction::decreasing;
    if constexpr (requires { desc.antialiased; }) desc.antialiased = random.chance(50);
    std::uint64_t room = room_to_grow(random, first.sizes);
    const bool centered = random.chance(50);
    for (std::size_t i = 0; i < first.sizes.size(); ++i) {
      const bool identity = random.chance(40);
      const float scale = identity ? 1 : random_scale(random);
      // Of the axis from the first tensor to the second.
      const double factor = is_gradient ? 1 / static_cast<double>(scale) : static_cast<double>(scale);
      const double wanted = std::floor(first.sizes[i] * factor) + static_cast<double>(random.below(3)) - 1;
      const double most = (std::min)(static_cast<double>(first.sizes[i] * room), 4096.0);
      std::uint32_t size = static_cast<std::uint32_t>((std::clamp)(wanted, 1.0, (std::max)(most, 1.0)));
      if (identity && random.chance(80)) size = first.sizes[i];
      room = (std::max<std::uint64_t>)(1, room * first.sizes[i] / size);
      second.sizes[i] = size;
      desc.scales.push_back(scale);
      if constexpr (has_offsets) {
        auto [in, out] = identity ? std::pair(0.0F, 0.0F) : centered ? std::pair(0.5F, -0.5F) : random_offsets(random);
        if (is_gradient) std::swap(in, out);
        desc.input_pixel_offsets.push_back(in);
        desc.output_pixel_offsets.push_back(out);
      }
    }
    result.tensors = {first, second};
    return result;
  }

  static void fill(random_source& random, const Desc& desc, data_class data, std::span<host_tensor> inputs) {
    const data_type type = inputs[0].desc().data_type;
    const bool floats = type == data_type::float32 || type == data_type::float16;
    if (floats && (is_gradient || desc.interpolation_mode == interpolation_mode::linear))
      detail::fill_for_arithmetic(random, data, inputs);
  }

  static std::string_view break_rule(random_source& random, sampled_case<Desc>& c) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const std::size_t i = random.below(c.desc.scales.size());
    if constexpr (has_offsets)
      if (random.chance(50)) {
        auto& list = random.chance(50) ? c.desc.input_pixel_offsets : c.desc.output_pixel_offsets;
        list[i] = std::array{infinity, -infinity, nan}[random.below(3)];
        return is_gradient ? "RD8" : "RM8";
      }
    c.desc.scales[i] = std::array{0.0F, -1.0F, infinity, nan}[random.below(4)];
    return is_gradient ? "RD7" : "RM7";
  }

  static constexpr sampler_options<Desc> options{.fill = &fill};

 private:
  static float random_scale(random_source& random) {
    constexpr std::array usual{2.0F, 0.5F, 3.0F, 1.5F, 1 / 3.0F, 0.25F, 0.3F, 0.6F, 4.0F, 1.0F};
    if (random.chance(70)) return usual[random.below(usual.size())];
    return static_cast<float>(1 + random.below(1 << 20)) * 0x1p-18F;  // up to 4
  }
  // Of the input and of the output.
  static std::pair<float, float> random_offsets(random_source& random) {
    constexpr std::array usual{0.0F, 0.5F, -0.5F, 0.25F, -1.0F, 1.75F};
    const auto one = [&] {
      if (random.chance(80)) return usual[random.below(usual.size())];
      return (static_cast<float>(random.below(1 << 20)) - 0x1p19F) * 0x1p-17F;
    };
    const float in = one();
    return {in, one()};
  }
};

}  // namespace goldml::oracle
