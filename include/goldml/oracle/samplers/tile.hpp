// Random cases of TILE.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <goldml/operators/tile.hpp>
#include <goldml/oracle/sampler.hpp>
#include <goldml/reference/tile.hpp>

namespace goldml::oracle {

template <>
struct sampler<tile_desc> {
  static sampled_case<tile_desc> sample(random_source& random, goldml::feature_level level) {
    sampled_case<tile_desc> result;
    const tensor_desc input = random_tensor(random, operator_traits<tile_desc>::operands[0].limits, level);
    tensor_desc output = input;
    dimensions& repeats = result.desc.repeats;
    repeats = dimensions::filled(input.sizes.size(), 1);
    std::uint64_t room = room_to_grow(random, input.sizes);
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
    ++c.tensors[1]->sizes[random.below(c.desc.repeats.size())];
    return "TI3";
  }

  static constexpr sampler_options<tile_desc> options{};
};

}  // namespace goldml::oracle
