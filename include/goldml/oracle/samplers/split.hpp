// Random cases of SPLIT.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <goldml/operators/split.hpp>
#include <goldml/oracle/sampler.hpp>
#include <goldml/oracle/samplers/likeness.hpp>
#include <goldml/reference/split.hpp>

namespace goldml::oracle {

template <>
struct sampler<split_desc> {
  static sampled_case<split_desc> sample(random_source& random, goldml::feature_level level) {
    const operand_limits& limits = *limits_at(operator_traits<split_desc>::operands[0], level);
    tensor_desc tensor{.data_type = random.pick(limits.data_types),
                       .sizes = random.sizes(limits.fewest_dimensions, limits.most_dimensions)};
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
    const std::size_t changed = 1 + random.below(c.tensors.size() - 1);
    dimensions& sizes = c.tensors[changed]->sizes;
    const std::size_t i = random.below(sizes.size());
    switch (random.below(6)) {
      case 0:
        if (i == c.desc.axis) return "";
        ++sizes[i];
        return "SP3";
      case 1:
        c.tensors.resize(1);
        return "SP4";
      case 2:
        c.desc.axis = static_cast<std::uint32_t>(sizes.size() + random.below(3));
        return "SP5";
      case 3:
        ++sizes[c.desc.axis];
        return "SP6";
      default:
        return detail::break_likeness(random, c, changed);
    }
  }

  static constexpr sampler_options<split_desc> options{};
};

}  // namespace goldml::oracle
