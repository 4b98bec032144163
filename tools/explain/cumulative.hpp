// What --explain prints about CUMULATIVE_SUMMATION and CUMULATIVE_PRODUCT.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/cumulative.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <goldml::detail::cumulative_operator Desc>
struct explanation<Desc> {
  static std::vector<std::string> facts(const Desc& desc, const operands_of<Desc>& t) {
    if (!t[0].sound || desc.axis >= t[0].desc->sizes.size()) return {};
    dimensions lines = t[0].desc->sizes;
    const std::uint32_t size = lines[desc.axis];
    lines[desc.axis] = 1;
    const bool exclusive = goldml::detail::is_exclusive(desc);
    return {fmt::format("{} of {} along axis {}, from the {}; the {} of the elements {}",
                        counted(element_count(lines), "line", "lines"), counted(size, "element", "elements"), desc.axis,
                        desc.axis_direction == axis_direction::increasing ? "first" : "last",
                        goldml::detail::multiplies<Desc> ? "product" : "sum",
                        exclusive ? "before each, of none is" + std::string(goldml::detail::multiplies<Desc> ? " 1" : " 0")
                                  : "up to each")};
  }
};

}  // namespace goldml::tool::detail
