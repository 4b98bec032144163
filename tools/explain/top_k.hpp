// What --explain prints about TOP_K and TOP_K1.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/top_k.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <goldml::detail::top_k_operator Desc>
struct explanation<Desc> {
  static std::vector<std::string> facts(const Desc& desc, const operands_of<Desc>& t) {
    if (!t[0].sound || desc.axis >= t[0].desc->sizes.size() || desc.k == 0) return {};
    dimensions sizes = t[0].desc->sizes;
    const std::uint32_t length = sizes[desc.axis];
    sizes[desc.axis] = 1;
    const std::uint64_t sequences = element_count(sizes);
    sizes[desc.axis] = desc.k;
    const bool greatest = goldml::detail::direction_of(desc) == axis_direction::decreasing;
    return {fmt::format("{} of {} along axis {}; of each the {} {} first, equal elements by position",
                        counted(sequences, "sequence", "sequences"), counted(length, "element", "elements"), desc.axis,
                        desc.k, greatest ? "greatest, the greatest" : "least, the least"),
            fmt::format("implied sizes of both outputs: {}, InputTensor's with K on axis {}", sizes, desc.axis)};
  }
};

}  // namespace goldml::tool::detail
