// Random cases of TOP_K and TOP_K1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <goldml/operators/top_k.hpp>
#include <goldml/oracle/sampler.hpp>
#include <goldml/reference/top_k.hpp>

namespace goldml::oracle {

template <goldml::detail::top_k_operator Desc>
struct sampler<Desc> {
  static sampled_case<Desc> sample(random_source& random, goldml::feature_level level) {
    const auto& operands = operator_traits<Desc>::operands;
    const operand_limits& limits = *limits_at(operands[0], level);
    const tensor_desc input{.data_type = random.pick(limits.data_types),
                            .sizes = random.sizes(limits.fewest_dimensions, limits.most_dimensions)};
    sampled_case<Desc> result;
    Desc& desc = result.desc;
    desc.axis = static_cast<std::uint32_t>(random.below(input.sizes.size()));
    const std::uint32_t size = input.sizes[desc.axis];
    desc.k = random.chance(20) ? size : static_cast<std::uint32_t>(1 + random.below(size));
    if constexpr (requires { desc.axis_direction; })
      desc.axis_direction = random.chance(50) ? axis_direction::increasing : axis_direction::decreasing;
    tensor_desc values = input;
    values.sizes[desc.axis] = desc.k;
    tensor_desc indices = values;
    indices.data_type = random.pick(limits_at(operands[2], level)->data_types);
    result.tensors = {input, values, indices};
    return result;
  }

  static std::string_view break_rule(random_source& random, sampled_case<Desc>& c) {
    const operand_limits& limits = *limits_at(operator_traits<Desc>::operands[0], c.desc.feature_level);
    const std::size_t output = 1 + random.below(2);
    dimensions& sizes = c.tensors[output]->sizes;
    const auto dimension_count = static_cast<std::uint32_t>(sizes.size());
    const std::uint32_t size = c.tensors[0]->sizes[c.desc.axis];
    switch (random.below(6)) {
      case 0:
        if (limits.most_dimensions < dimensions::capacity) return "";
        sizes = dimension_count < 8 ? concatenate({1}, sizes) : sizes.slice(1, 8);
        return "TK1";
      case 1: {
        const data_type before = c.tensors[1]->data_type;
        c.tensors[1]->data_type = random.pick(limits.data_types);
        return c.tensors[1]->data_type == before ? "" : "TK2";
      }
      case 2:
        c.desc.axis = dimension_count;
        return "TK3";
      case 3:
        if (c.desc.k == size && random.chance(50))
          c.desc.k_limit = k_limit::exclusive;
        else
          c.desc.k = random.chance(50) ? 0 : size + 1;
        return "TK4";
      case 4:
        if constexpr (requires { c.desc.axis_direction; }) {
          c.desc.axis_direction = static_cast<axis_direction>(2 + random.below(9));
          return "TK7";
        }
        return "";
      default:
        sizes[random.below(dimension_count)] += 1;
        return output == 1 ? "TK5" : "TK6";
    }
  }

  static constexpr sampler_options<Desc> options{};
};

}  // namespace goldml::oracle
