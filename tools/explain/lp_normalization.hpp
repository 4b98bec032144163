// What --explain prints about LP_NORMALIZATION.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/lp_normalization.hpp>

#include "../explanation.hpp"
#include "mean_variance_normalization.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<lp_normalization_desc> {
  static std::vector<std::string> facts(const lp_normalization_desc& desc,
                                        const operands_of<lp_normalization_desc>& t) {
    if (!t[0].sound || desc.axis >= t[0].desc->sizes.size()) return {};
    return {slices_text(t[0].desc->sizes, {desc.axis}),
            desc.p == 1 ? "divided by the sum of the magnitudes" : "divided by the root of the sum of the squares"};
  }
};

}  // namespace goldml::tool::detail
