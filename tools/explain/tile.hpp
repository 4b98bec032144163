// What --explain prints about TILE.
#pragma once

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
    return {fmt::format("{} of {}", counted(element_count(desc.repeats), "copy", "copies"),
                        counted(element_count(input), "element", "elements")),
            fmt::format("{}, {} times {}", implied_sizes(desc, t), input, desc.repeats)};
  }
};

}  // namespace goldml::tool::detail
