// Random cases of JOIN.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <goldml/operators/join.hpp>
#include <goldml/oracle/sampler.hpp>
#include <goldml/reference/join.hpp>

namespace goldml::oracle {

template <>
struct sampler<join_desc> {
  static sampled_case<join_desc> sample(random_source& random, goldml::feature_level level) {
    tensor_desc tensor = random_tensor(random, operator_traits<join_desc>::operands[0].limits, level);
    sampled_case<join_desc> result;
    const std::size_t axis = random.below(tensor.sizes.size());
    result.desc.axis = static_cast<std::uint32_t>(axis);
    result.tensors.emplace_back(tensor);
    const std::uint32_t first = tensor.sizes[axis];
    std::uint32_t sum = first;
    for (std::uint64_t more = random.below(4); more > 0; --more) {
      tensor.sizes[axis] = static_cast<std::uint32_t>(1 + random.below(first));
      sum += tensor.sizes[axis];
      result.tensors.emplace_back(tensor);
    }
    tensor.sizes[axis] = sum;
    result.tensors.emplace_back(tensor);
    return result;
  }

  static std::string_view break_rule(random_source& random, sampled_case<join_desc>& c) {
    dimensions& sizes = c.tensors[random.below(c.tensors.size() - 1)]->sizes;
    const std::size_t i = random.below(sizes.size());
    if (random.chance(30)) {
      c.tensors.erase(c.tensors.begin(), c.tensors.end() - 1);
      return "JO4";
    }
    ++sizes[i];
    return i == c.desc.axis ? "JO6" : "JO3";
  }

  static constexpr sampler_options<join_desc> options{};
};

}  // namespace goldml::oracle
