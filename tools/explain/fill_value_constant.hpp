// What --explain prints about FILL_VALUE_CONSTANT.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/fill_value_constant.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<fill_value_constant_desc> {
  static std::vector<std::string> facts(const fill_value_constant_desc& desc,
                                        const operands_of<fill_value_constant_desc>& t) {
    if (!t[0].sound) return {};
    return {fmt::format("{}, each {}", counted(element_count(t[0].desc->sizes), "element", "elements"), desc.value)};
  }
};

}  // namespace goldml::tool::detail
