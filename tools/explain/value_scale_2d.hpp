// What --explain prints about VALUE_SCALE_2D.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/value_scale_2d.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<value_scale_2d_desc> {
  static std::vector<std::string> facts(const value_scale_2d_desc& desc, const operands_of<value_scale_2d_desc>& t) {
    if (!t[0].sound) return {};
    return {fmt::format("{} in {}, each times {} and plus the bias of its channel",
                        counted(element_count(t[0].desc->sizes), "element", "elements"),
                        counted(t[0].desc->sizes[1], "channel", "channels"), desc.scale)};
  }
};

}  // namespace goldml::tool::detail
