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
    const tensor_desc input = random_tensor(random, operands[0].limits, level);
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
    if (random.chance(50)) {
      const std::uint32_t size = c.tensors[0]->sizes[c.desc.axis];
      if (c.desc.k == size && random.chance(50))
        c.desc.k_limit = k_limit::exclusive;
      else
        c.desc.k = random.chance(50) ? 0 : size + 1;
      return "TK4";
    }
    const std::size_t output = 1 + random.below(2);
    dimensions& sizes = c.tensors[output]->sizes;
    sizes[random.below(sizes.size())] += 1;
    return output == 1 ? "TK5" : "TK6";
  }

  static constexpr sampler_options<Desc> options{};
};

}  // namespace goldml::oracle
