// What --explain prints about ADAM_OPTIMIZER.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/adam_optimizer.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<adam_optimizer_desc> {
  static std::vector<std::string> facts(const adam_optimizer_desc& desc, const operands_of<adam_optimizer_desc>& t) {
    if (!t[0].sound) return {};
    return {fmt::format("{} and two moments of each; {} of a first moment remain, and {} of a second",
                        counted(element_count(t[0].desc->sizes), "parameter", "parameters"), desc.beta1, desc.beta2),
            fmt::format("changed by {} * sqrt(1 - {}^T) / (1 - {}^T) * first / (sqrt(second) + {}), of the new moments",
                        desc.learning_rate, desc.beta2, desc.beta1, desc.epsilon)};
  }
};

}  // namespace goldml::tool::detail
