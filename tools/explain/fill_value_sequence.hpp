// What --explain prints about FILL_VALUE_SEQUENCE.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/fill_value_sequence.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<fill_value_sequence_desc> {
  static std::vector<std::string> facts(const fill_value_sequence_desc& desc,
                                        const operands_of<fill_value_sequence_desc>& t) {
    if (!t[0].sound) return {};
    return {fmt::format("{}, from {} in steps of {}, in row-major order",
                        counted(element_count(t[0].desc->sizes), "element", "elements"), desc.value_start,
                        desc.value_delta)};
  }
};

}  // namespace goldml::tool::detail
