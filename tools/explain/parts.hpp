// What --explain prints about JOIN and SPLIT: where the parts are in the whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/core/shape_rules.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

inline std::vector<std::string> parts_facts(std::span<const operand> parts, std::uint32_t axis,
                                            std::string_view whole) {
  std::vector<std::string> facts{fmt::format("{} along axis {}", counted(parts.size(), "part", "parts"), axis)};
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].sound || axis >= parts[i].desc->sizes.size()) return {};
    const std::uint64_t size = parts[i].desc->sizes[axis];
    facts.push_back(fmt::format("part {} is at {} to {}", i, begin, begin + size - 1));
    begin += size;
  }
  facts.push_back(fmt::format("implied size of {} on the axis: {}", whole, begin));
  return facts;
}

}  // namespace goldml::tool::detail
