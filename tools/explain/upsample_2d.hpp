// What --explain prints about UPSAMPLE_2D.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/upsample_2d.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<upsample_2d_desc> {
  static std::vector<std::string> facts(const upsample_2d_desc& desc, const operands_of<upsample_2d_desc>& t) {
    if (!t[0].legal) return {};
    const bool linear = desc.interpolation_mode == interpolation_mode::linear;
    return {
        fmt::format("each element of the input {} {} by {} of the output (height by width)",
                    linear ? "is interpolated to" : "is repeated in", desc.scale_size.height, desc.scale_size.width),
        implied_sizes(desc, t)};
  }
};

}  // namespace goldml::tool::detail
