// Random cases of SLICE1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <goldml/operators/slice1.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

template <>
struct sampler<slice1_desc> {
  static sampled_case<slice1_desc> sample(random_source& random, goldml::feature_level level) {
    const operand_limits& limits = *limits_at(operator_traits<slice1_desc>::operands[0], level);
    sampled_case<slice1_desc> result;
    tensor_desc input{.data_type = random.pick(limits.data_types),
                      .sizes = random.sizes(limits.fewest_dimensions, limits.most_dimensions)};
    tensor_desc output = input;
    for (std::size_t i = 0; i < input.sizes.size(); ++i) {
      const std::uint64_t offset = random.below(input.sizes[i]);
      const auto window = static_cast<std::uint32_t>(1 + random.below(input.sizes[i] - offset));
      auto stride = static_cast<std::int32_t>(1 + random.below(3));
      if (random.chance(5)) stride = 0x7FFF'FFFF;
      if (random.chance(40)) stride = -stride;
      const std::uint64_t most = slice1_most_elements(window, stride);
      result.desc.input_window_offsets.push_back(offset);
      result.desc.input_window_sizes.push_back(window);
      result.desc.input_window_strides.push_back(stride);
      output.sizes[i] = static_cast<std::uint32_t>(random.chance(70) ? most : 1 + random.below(most));
    }
    result.tensors = {input, output};
    return result;
  }

  static std::string_view break_rule(random_source& random, sampled_case<slice1_desc>& c) {
    dimensions& output = c.tensors[1]->sizes;
    const std::size_t i = random.below(output.size());
    switch (random.below(7)) {
      case 0:
        c.tensors[1]->data_type = c.tensors[0]->data_type == data_type::int8 ? data_type::uint8 : data_type::int8;
        return "SL1";
      case 1:
        if (c.desc.feature_level < feature_level::level_3_0) return "";  // only 4 or 5 dimensions are allowed
        output = output.size() < 8 ? concatenate({1}, output) : output.slice(1, 8);
        return "SL2";
      case 2: {  // one count for all three lists, as in the C structure
        const slice1_desc before = c.desc;
        c.desc.input_window_offsets = c.desc.input_window_sizes = {};
        c.desc.input_window_strides = {};
        for (std::size_t j = 1; j < output.size(); ++j) {
          c.desc.input_window_offsets.push_back(before.input_window_offsets[j]);
          c.desc.input_window_sizes.push_back(before.input_window_sizes[j]);
          c.desc.input_window_strides.push_back(before.input_window_strides[j]);
        }
        return "SL4";
      }
      case 3:
        c.desc.input_window_strides[i] = 0;
        return "SL5";
      case 4:
        c.desc.input_window_sizes[i] = 0;
        return "SL6";
      case 5:
        c.desc.input_window_offsets[i] = c.tensors[0]->sizes[i];
        return "SL7";
      default:
        output[i] = static_cast<std::uint32_t>(
            slice1_most_elements(c.desc.input_window_sizes[i], c.desc.input_window_strides[i]) + 1);
        return "SL8";
    }
  }
};

}  // namespace goldml::oracle

#ifdef GOLDML_COMPILED
namespace goldml {
extern template const oracle::any_operator& oracle::any_operator_of<slice1_desc>();
}  // namespace goldml
#endif
