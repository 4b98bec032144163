// What --explain prints about QUANTIZE and DEQUANTIZE.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/quantize.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <goldml::detail::block_quantize_operator Desc>
struct explanation<Desc> {
  static std::vector<std::string> facts(const Desc& desc, const operands_of<Desc>& t) {
    if (t.size() < 3 || !t[0].sound || !t[1].sound || !t.back().sound) return {};
    const dimensions &sizes = t[0].desc->sizes, &scale = t[1].desc->sizes;
    if (sizes.size() != scale.size()) return {};
    const data_type integer = (operator_traits<Desc>::quantises ? t.back() : t[0]).desc->data_type;
    return {fmt::format(
        "{}, {} to {}; a scale for each {} of them; {}", counted(element_count(sizes), "element", "elements"),
        name_of(t[0].desc->data_type), name_of(t.back().desc->data_type), goldml::detail::blocks_of(sizes, scale),
        t.size() > 3
            ? "and a zero point"
            : fmt::format("the zero point is {}", goldml::detail::absent_zero(integer, desc.absent_zero_point)))};
  }
};

}  // namespace goldml::tool::detail
