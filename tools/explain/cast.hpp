// What --explain prints about CAST.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/cast.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<cast_desc> {
  static std::vector<std::string> facts(const cast_desc&, const operands_of<cast_desc>& t) {
    if (!t[0].sound || !t[1].sound) return {};
    return {fmt::format("{}, {} to {}", counted(element_count(t[0].desc->sizes), "element", "elements"),
                        name_of(t[0].desc->data_type), name_of(t[1].desc->data_type))};
  }
};

}  // namespace goldml::tool::detail
