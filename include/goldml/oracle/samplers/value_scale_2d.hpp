// Random cases of VALUE_SCALE_2D.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <goldml/operators/value_scale_2d.hpp>
#include <goldml/oracle/arithmetic_data.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

template <>
struct sampler<value_scale_2d_desc> {
  static sampled_case<value_scale_2d_desc> sample(random_source& random, goldml::feature_level level) {
    tensor_desc tensor = random_tensor(random, operator_traits<value_scale_2d_desc>::operands[0].limits, level);
    std::uint32_t& channels = tensor.sizes[1];
    if (channels != 1 && channels != 3) channels = channels > 3 && random.chance(70) ? 3 : 1;
    sampled_case<value_scale_2d_desc> result;
    const auto number = [&] {
      return static_cast<float>(random.between(-12, 12)) / (random.chance(70) ? 4.0F : 10.0F);
    };
    result.desc.scale = number();
    for (std::uint32_t i = 0; i < channels; ++i) result.desc.bias.push_back(number());
    result.tensors = {tensor, tensor};
    return result;
  }

  static void fill(random_source& random, const value_scale_2d_desc&, data_class data, std::span<host_tensor> inputs) {
    detail::fill_for_arithmetic(random, data, inputs);
  }

  static std::string_view break_rule(random_source& random, sampled_case<value_scale_2d_desc>& c) {
    switch (random.below(3)) {
      case 0:
        ++c.tensors[1]->sizes[random.below(4)];
        return "VS3";
      case 1:
        c.desc.bias.push_back(0.5F);
        return "VS4";
      default:
        c.desc.bias = c.desc.bias.size() == 1 ? float32_list{1, 2, 3} : float32_list{1};
        return "VS5";
    }
  }

  static constexpr sampler_options<value_scale_2d_desc> options{.fill = &fill};
};

}  // namespace goldml::oracle
