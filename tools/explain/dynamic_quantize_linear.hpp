// What --explain prints about DYNAMIC_QUANTIZE_LINEAR.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/dynamic_quantize_linear.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<dynamic_quantize_linear_desc> {
  static std::vector<std::string> facts(const dynamic_quantize_linear_desc&,
                                        const operands_of<dynamic_quantize_linear_desc>& t) {
    if (!t[0].sound || !t[1].sound) return {};
    return {fmt::format("{}, {} to {}, by one scale and one zero point",
                        counted(element_count(t[0].desc->sizes), "element", "elements"), name_of(t[0].desc->data_type),
                        name_of(t[1].desc->data_type))};
  }
};

}  // namespace goldml::tool::detail
