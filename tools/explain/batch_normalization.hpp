// What --explain prints about BATCH_NORMALIZATION and BATCH_NORMALIZATION_TRAINING.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/batch_normalization.hpp>

#include "../explanation.hpp"
#include "mean_variance_normalization.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<batch_normalization_desc> {
  static std::vector<std::string> facts(const batch_normalization_desc&,
                                        const operands_of<batch_normalization_desc>& t) {
    if (!t[0].sound) return {};
    return {fmt::format("{}, each with the given mean and variance of its place",
                        counted(element_count(t[0].desc->sizes), "element", "elements"))};
  }
};

template <>
struct explanation<batch_normalization_training_desc> {
  static std::vector<std::string> facts(const batch_normalization_training_desc&,
                                        const operands_of<batch_normalization_training_desc>& t) {
    if (!t[0].sound || !t[1].sound || t[0].desc->sizes.size() != t[1].desc->sizes.size()) return {};
    return {slices_text(t[0].desc->sizes, goldml::detail::batch_axes(t[1].desc->sizes))};
  }
};

}  // namespace goldml::tool::detail
