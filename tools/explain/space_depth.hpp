// What --explain prints about SPACE_TO_DEPTH, SPACE_TO_DEPTH1, DEPTH_TO_SPACE and DEPTH_TO_SPACE1.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/space_depth.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <goldml::detail::space_depth_operator Desc>
struct explanation<Desc> {
  static std::vector<std::string> facts(const Desc& desc, const operands_of<Desc>& t) {
    if (!t[0].sound || desc.block_size == 0) return {};  // SD4, DS4
    const auto sizes =
        goldml::detail::sizes_of_space_depth(goldml::detail::is_to_depth<Desc>, t[0].desc->sizes, desc.block_size);
    for (const bool divides : sizes.divides)
      if (!divides) return {};  // SD5, DS5
    const bool depth_last = goldml::detail::order_of(desc) == depth_space_order::depth_column_row;
    return {fmt::format("blocks of {} x {}; in the channels of the depth form, {}", desc.block_size, desc.block_size,
                        depth_last ? "the channels of the space form are the fastest"
                                   : "the columns of a block are the fastest"),
            implied_sizes(desc, t)};
  }
};

}  // namespace goldml::tool::detail
