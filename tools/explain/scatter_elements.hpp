// What --explain prints about SCATTER_ELEMENTS.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/scatter_elements.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<scatter_elements_desc> {
  static std::vector<std::string> facts(const scatter_elements_desc& desc,
                                        const operands_of<scatter_elements_desc>& t) {
    if (!t[0].sound || !t[1].sound || desc.axis >= t[0].desc->sizes.size()) return {};
    const dimensions& input = t[0].desc->sizes;
    const dimensions& indices = t[1].desc->sizes;
    return {fmt::format("{}, each a position on axis {} of size {}",
                        counted(element_count(indices), "index", "indices"), desc.axis, input[desc.axis]),
            fmt::format("implied sizes of UpdatesTensor: {}, IndicesTensor's", indices),
            implied_sizes(desc, t) + ", InputTensor's",
            "the indices themselves are not read: SE8 and SE9 are found when the model is played"};
  }
};

}  // namespace goldml::tool::detail
