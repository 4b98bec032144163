// Random cases of SPLIT.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <goldml/operators/split.hpp>
#include <goldml/oracle/sampler.hpp>
#include <goldml/reference/split.hpp>

namespace goldml::oracle {

template <>
struct sampler<split_desc> {
  static sampled_case<split_desc> sample(random_source& random, goldml::feature_level level) {
    tensor_desc tensor = random_tensor(random, operator_traits<split_desc>::operands[0].limits, level);
    sampled_case<split_desc> result;
    const std::size_t axis = random.below(tensor.sizes.size());
    result.desc.axis = static_cast<std::uint32_t>(axis);
    result.tensors.emplace_back(tensor);
    std::uint32_t left = tensor.sizes[axis];
    for (std::uint64_t more = random.below(4); more > 0 && left > 1; --more) {
      tensor.sizes[axis] = static_cast<std::uint32_t>(1 + random.below(left - 1));
      left -= tensor.sizes[axis];
      result.tensors.emplace_back(tensor);
    }
    tensor.sizes[axis] = left;
    result.tensors.emplace_back(tensor);
    return result;
  }

  static std::string_view break_rule(random_source& random, sampled_case<split_desc>& c) {
    dimensions& sizes = c.tensors[1 + random.below(c.tensors.size() - 1)]->sizes;
    const std::size_t i = random.below(sizes.size());
    if (random.chance(30)) {
      c.tensors.resize(1);
      return "SP4";
    }
    ++sizes[i];
    return i == c.desc.axis ? "SP6" : "SP3";
  }

  static constexpr sampler_options<split_desc> options{};
};

}  // namespace goldml::oracle
