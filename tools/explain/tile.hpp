// What --explain prints about TILE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <goldml/operators/tile.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<tile_desc> {
  static std::vector<std::string> facts(const tile_desc& desc, const operands_of<tile_desc>& t) {
    if (!t[0].sound || desc.repeats.size() != t[0].desc->sizes.size()) return {};  // TI4
    const dimensions& input = t[0].desc->sizes;
    std::vector<std::uint64_t> output;
    for (std::size_t i = 0; i < input.size(); ++i) output.push_back(std::uint64_t{input[i]} * desc.repeats[i]);
    return {fmt::format("{} of {}", counted(element_count(desc.repeats), "copy", "copies"),
                        counted(element_count(input), "element", "elements")),
            fmt::format("implied sizes of OutputTensor: {}, {} times {}", wide_sizes(output), input, desc.repeats)};
  }
};

}  // namespace goldml::tool::detail
