// Random cases of TILE.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <goldml/operators/tile.hpp>
#include <goldml/oracle/sampler.hpp>
#include <goldml/oracle/samplers/likeness.hpp>
#include <goldml/reference/tile.hpp>

namespace goldml::oracle {

template <>
struct sampler<tile_desc> {
  static sampled_case<tile_desc> sample(random_source& random, goldml::feature_level level) {
    const operand_limits& limits = *limits_at(operator_traits<tile_desc>::operands[0], level);
    sampled_case<tile_desc> result;
    const tensor_desc input{.data_type = random.pick(limits.data_types),
                            .sizes = random.sizes(limits.fewest_dimensions, limits.most_dimensions)};
    tensor_desc output = input;
    dimensions& repeats = result.desc.repeats;
    repeats = dimensions::filled(input.sizes.size(), 1);
    std::uint64_t room = detail::room_to_grow(random, input.sizes);
    for (std::size_t turn = 0; turn < repeats.size(); ++turn) {  // of dimensions in any order, some of them twice
      const std::size_t i = random.below(repeats.size());
      const std::uint64_t times = 1 + random.below((std::min<std::uint64_t>)(room, random.chance(10) ? 64 : 4));
      room /= times;
      repeats[i] = static_cast<std::uint32_t>(repeats[i] * times);
      output.sizes[i] = input.sizes[i] * repeats[i];
    }
    result.tensors = {input, output};
    return result;
  }

  static std::string_view break_rule(random_source& random, sampled_case<tile_desc>& c) {
    dimensions& repeats = c.desc.repeats;
    const std::size_t i = random.below(repeats.size());
    switch (random.below(5)) {
      case 0:
        ++c.tensors[1]->sizes[i];
        return "TI3";
      case 1:
        repeats = repeats.slice(1, repeats.size());
        return "TI4";
      case 2:
        repeats[i] = 0;
        return "TI5";
      default:
        return detail::break_likeness(random, c, 1);
    }
  }

  static constexpr sampler_options<tile_desc> options{};
};

}  // namespace goldml::oracle
