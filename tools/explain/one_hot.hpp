// What --explain prints about ONE_HOT.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/one_hot.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<one_hot_desc> {
  static std::vector<std::string> facts(const one_hot_desc& desc, const operands_of<one_hot_desc>& t) {
    if (!t[0].sound || !t[2].sound || desc.axis >= t[2].desc->sizes.size()) return {};
    return {fmt::format("{}, each a position on axis {} of size {}",
                        counted(element_count(t[0].desc->sizes), "index", "indices"), desc.axis,
                        t[2].desc->sizes[desc.axis])};
  }
};

}  // namespace goldml::tool::detail
