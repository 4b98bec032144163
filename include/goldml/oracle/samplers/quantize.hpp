// Random cases of QUANTIZE and DEQUANTIZE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <goldml/operators/quantize.hpp>
#include <goldml/oracle/samplers/quantize_linear.hpp>

namespace goldml::oracle {

template <goldml::detail::block_quantize_operator Desc>
struct sampler<Desc> {
  static constexpr bool quantises = operator_traits<Desc>::quantises;

  static sampled_case<Desc> sample(random_source& random, goldml::feature_level level) {
    const auto& operands = operator_traits<Desc>::operands;
    const tensor_desc input = random_tensor(random, operands[0].limits, level);
    tensor_desc output{.data_type = random.pick(limits_at(operands[2], level)->data_types), .sizes = input.sizes};
    tensor_desc parameter{.data_type = quantises ? input.data_type : output.data_type, .sizes = input.sizes};
    for (std::size_t i = 0; i < input.sizes.size(); ++i) {
      const std::uint32_t size = input.sizes[i];
      if (random.chance(40)) continue;
      const auto wanted = static_cast<std::uint32_t>(1 + random.below(size));
      parameter.sizes[i] = size % wanted == 0 ? wanted : 1;
    }
    sampled_case<Desc> result;
    result.tensors.emplace_back(input);
    result.tensors.emplace_back(parameter);
    result.desc.quantization_type = random.chance(70) ? quantization_type::scale_zero_point : quantization_type::scale;
    if (result.desc.quantization_type == quantization_type::scale_zero_point) {
      parameter.data_type = quantises ? output.data_type : input.data_type;
      result.tensors.emplace_back(parameter);
    }
    result.tensors.emplace_back(output);
    return result;
  }

  static void fill(random_source& random, const Desc&, data_class data, std::span<host_tensor> inputs) {
    detail::fill_quantize<quantises>(random, data, inputs);
  }

  static std::string_view break_rule(random_source& random, sampled_case<Desc>& c) {
    auto& t = c.tensors;
    const bool has_zero_point = t.size() == 4;
    dimensions& scale = t[1]->sizes;
    const std::size_t axis = random.below(scale.size());
    switch (random.below(has_zero_point ? 6 : 4)) {
      case 0:
        c.desc.quantization_type = quantization_type::none;
        return "QB1";
      case 1:
        if (has_zero_point)
          t.erase(t.begin() + 2);
        else
          t.insert(t.begin() + 2, t[1]);
        return "QB2";
      case 2:
        t[1]->data_type = t[1]->data_type == data_type::float32 ? data_type::float16 : data_type::float32;
        return "QB3";
      case 3:
        ++scale[axis];
        if (scale[axis] <= t[0]->sizes[axis] && t[0]->sizes[axis] % scale[axis] == 0) return "";
        if (has_zero_point) t[2]->sizes = scale;
        return "QB7";
      case 4:
        t[2]->data_type = t[2]->data_type == data_type::int4 ? data_type::uint8 : data_type::int4;
        return "QB4";
      default:
        ++t[2]->sizes[axis];
        return "QB8";
    }
  }

  static constexpr sampler_options<Desc> options{.fill = &fill};
};

}  // namespace goldml::oracle
