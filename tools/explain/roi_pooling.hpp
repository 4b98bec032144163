// What --explain prints about ROI_POOLING.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/roi_pooling.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<roi_pooling_desc> {
  static std::vector<std::string> facts(const roi_pooling_desc& desc, const operands_of<roi_pooling_desc>& t) {
    if (!t[0].legal || !t[1].legal) return {};
    return {fmt::format("each region is divided into {} by {} bins (height by width)", desc.pooled_size.height,
                        desc.pooled_size.width),
            implied_sizes(desc, t)};
  }
};

}  // namespace goldml::tool::detail
