// Random cases of UPSAMPLE_2D.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <goldml/operators/upsample_2d.hpp>
#include <goldml/oracle/arithmetic_data.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

template <>
struct sampler<upsample_2d_desc> {
  static sampled_case<upsample_2d_desc> sample(random_source& random, goldml::feature_level level) {
    sampled_case<upsample_2d_desc> result;
    const tensor_desc input = random_tensor(random, operator_traits<upsample_2d_desc>::operands[0].limits, level);
    tensor_desc output = input;
    if (random.chance(60)) result.desc.interpolation_mode = interpolation_mode::linear;
    std::uint64_t room = room_to_grow(random, input.sizes);
    size_2d& scale = result.desc.scale_size;
    std::size_t from_end = 0;
    for (std::uint32_t* const factor : {&scale.width, &scale.height}) {
      *factor = random.chance(30) ? 1 : static_cast<std::uint32_t>(1 + random.below(room < 5 ? room : 5));
      room /= *factor;
      output.sizes[output.sizes.size() - ++from_end] *= *factor;
    }
    result.tensors = {input, output};
    return result;
  }

  static void fill(random_source& random, const upsample_2d_desc& desc, data_class data,
                   std::span<host_tensor> inputs) {
    if (desc.interpolation_mode == interpolation_mode::linear) detail::fill_for_arithmetic(random, data, inputs);
  }

  static std::string_view break_rule(random_source& random, sampled_case<upsample_2d_desc>& c) {
    if (random.chance(50)) {
      if (c.tensors[0]->sizes.back() == 1) return "";
      c.desc.scale_size.width = 0xFFFF'FFFF;
      return "UP3";
    }
    dimensions& output = c.tensors[1]->sizes;
    ++output[random.below(output.size())];
    return "UP4";
  }

  static constexpr sampler_options<upsample_2d_desc> options{.fill = &fill};
};

}  // namespace goldml::oracle
