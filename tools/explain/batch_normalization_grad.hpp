// What --explain prints about BATCH_NORMALIZATION_GRAD and BATCH_NORMALIZATION_TRAINING_GRAD.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/batch_normalization_grad.hpp>

#include "../explanation.hpp"
#include "mean_variance_normalization.hpp"

namespace goldml::tool::detail {

template <goldml::detail::batch_gradient_operator Desc>
struct explanation<Desc> {
  static std::vector<std::string> facts(const Desc&, const operands_of<Desc>& t) {
    if (!t[0].sound || !t[2].sound || t[0].desc->sizes.size() != t[2].desc->sizes.size()) return {};
    return {slices_text(t[0].desc->sizes, goldml::detail::batch_axes(t[2].desc->sizes))};
  }
};

}  // namespace goldml::tool::detail
