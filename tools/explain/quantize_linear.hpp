// What --explain prints about ELEMENT_WISE_QUANTIZE_LINEAR and ELEMENT_WISE_DEQUANTIZE_LINEAR.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/quantize_linear.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <goldml::detail::quantize_linear_operator Desc>
struct explanation<Desc> {
  static std::vector<std::string> facts(const Desc&, const operands_of<Desc>& t) {
    if (!t[0].sound || !t[3].sound) return {};
    return {fmt::format("{}, {} to {}; {}", counted(element_count(t[0].desc->sizes), "element", "elements"),
                        name_of(t[0].desc->data_type), name_of(t[3].desc->data_type),
                        t[2].desc ? "a zero point for each" : "the zero point is 0")};
  }
};

}  // namespace goldml::tool::detail
