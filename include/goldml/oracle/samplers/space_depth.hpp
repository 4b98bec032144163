// Random cases of SPACE_TO_DEPTH, SPACE_TO_DEPTH1, DEPTH_TO_SPACE and DEPTH_TO_SPACE1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <goldml/operators/space_depth.hpp>
#include <goldml/oracle/sampler.hpp>
#include <goldml/reference/space_depth.hpp>

namespace goldml::oracle {

template <goldml::detail::space_depth_operator Desc>
struct sampler<Desc> {
  static constexpr bool to_depth = goldml::detail::is_to_depth<Desc>;

  static sampled_case<Desc> sample(random_source& random, goldml::feature_level level) {
    const operand_limits& limits = *limits_at(operator_traits<Desc>::operands[0], level);
    sampled_case<Desc> result;
    Desc& desc = result.desc;
    tensor_desc input{.data_type = random.pick(limits.data_types), .sizes = random.sizes(4, 4)};
    desc.block_size = static_cast<std::uint32_t>(2 + random.below(3));
    const auto divides = [&](std::size_t i, std::uint32_t by) { return input.sizes[i] % by == 0; };
    const bool fits = to_depth ? divides(2, desc.block_size) && divides(3, desc.block_size)
                               : divides(1, desc.block_size * desc.block_size);
    if (!fits && 4 * element_count(input.sizes) <= random.most_elements() && !random.chance(20)) {
      desc.block_size = 2;
      if (to_depth) {
        input.sizes[2] *= 2;
        input.sizes[3] *= 2;
      } else {
        input.sizes[1] *= 4;
      }
    } else if (!fits) {
      desc.block_size = 1;
    }
    if constexpr (requires { desc.order; }) desc.order = static_cast<depth_space_order>(random.below(2));
    tensor_desc output = input;
    output.sizes = goldml::detail::sizes_of_space_depth(to_depth, input.sizes, desc.block_size).output.clamped();
    result.tensors = {input, output};
    return result;
  }

  static std::string_view break_rule(random_source& random, sampled_case<Desc>& c) {
    constexpr const goldml::detail::space_depth_codes& codes = operator_traits<Desc>::codes;
    if (random.chance(50)) {
      ++c.tensors[1]->sizes[random.below(4)];
      return codes.sizes;
    }
    c.desc.block_size = c.tensors[0]->sizes[to_depth ? 2 + random.below(2) : 1] + 1;
    return codes.division;
  }

  static constexpr sampler_options<Desc> options{};
};

}  // namespace goldml::oracle
