// Random cases of SLICE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <goldml/operators/slice.hpp>
#include <goldml/oracle/sampler.hpp>
#include <goldml/reference/slice.hpp>

namespace goldml::oracle {

template <>
struct sampler<slice_desc> {
  static sampled_case<slice_desc> sample(random_source& random, goldml::feature_level level) {
    sampled_case<slice_desc> result;
    slice_desc& desc = result.desc;
    const tensor_desc input = random_tensor(random, operator_traits<slice_desc>::operands[0].limits, level);
    for (const std::uint32_t size : input.sizes) {
      const std::uint64_t offset = random.chance(50) ? 0 : random.below(size);
      const std::uint64_t stride = random.chance(5) ? 0xFFFF'FFFF : 1 + random.below(3);
      const std::uint64_t most = 1 + (size - 1 - offset) / stride;
      desc.offsets.push_back(offset);
      desc.sizes.push_back(random.chance(70) ? most : 1 + random.below(most));
      desc.strides.push_back(stride);
    }
    tensor_desc output = input;
    output.sizes = desc.sizes;
    result.tensors = {input, output};
    return result;
  }

  // A stride of 0 repeats its element up to twice as often as the input has elements there.
  static void suit_policies(random_source& random, sampled_case<slice_desc>& c) {
    if (c.desc.zero_stride != zero_stride::repeat) return;
    const std::size_t i = random.below(c.desc.strides.size());
    c.desc.strides[i] = 0;
    c.desc.sizes[i] = static_cast<std::uint32_t>(1 + random.below(2 * std::uint64_t{c.tensors[0]->sizes[i]}));
    c.tensors[1]->sizes = c.desc.sizes;
  }

  static std::string_view break_rule(random_source& random, sampled_case<slice_desc>& c) {
    const std::size_t i = random.below(c.desc.sizes.size());
    switch (random.below(3)) {
      case 0:
        ++c.tensors[1]->sizes[i];
        return "SL3";
      case 1:
        if (c.desc.zero_stride == zero_stride::repeat) return "";
        c.desc.strides[i] = 0;
        return "SL5";
      default:
        c.desc.offsets[i] = random.chance(50) ? c.tensors[0]->sizes[i] : 0xFFFF'FFFF;
        return "SL7";
    }
  }

  static constexpr sampler_options<slice_desc> options{.suit_policies = &suit_policies};
};

}  // namespace goldml::oracle
