// Random cases of SLICE1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <goldml/operators/slice1.hpp>
#include <goldml/oracle/sampler.hpp>
#include <goldml/oracle/samplers/slice_windows.hpp>

namespace goldml::oracle {

template <>
struct sampler<slice1_desc> {
  static sampled_case<slice1_desc> sample(random_source& random, goldml::feature_level level) {
    sampled_case<slice1_desc> result;
    tensor_desc input = random_tensor(random, operator_traits<slice1_desc>::operands[0].limits, level);
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

  // A stride of 0 repeats its element up to twice as often as the input has elements there.
  static void suit_policies(random_source& random, sampled_case<slice1_desc>& c) {
    if (c.desc.zero_stride != zero_stride::repeat) return;
    const std::size_t i = random.below(c.tensors[0]->sizes.size());
    c.desc.input_window_strides[i] = 0;
    c.tensors[1]->sizes[i] = static_cast<std::uint32_t>(1 + random.below(2 * std::uint64_t{c.tensors[0]->sizes[i]}));
  }

  static std::string_view break_rule(random_source& random, sampled_case<slice1_desc>& c) {
    const std::string_view rule = detail::break_window(random, c, 0, 1);
    const bool may_be_0 = c.desc.zero_stride == zero_stride::repeat;
    return may_be_0 && rule == operator_traits<slice1_desc>::codes.stride ? "" : rule;
  }

  static constexpr sampler_options<slice1_desc> options{.suit_policies = &suit_policies};
};

}  // namespace goldml::oracle
