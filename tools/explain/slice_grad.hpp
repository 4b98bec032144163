// What --explain prints about SLICE_GRAD.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/slice_grad.hpp>

#include "../explanation.hpp"
#include "slice_windows.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<slice_grad_desc> {
  static std::vector<std::string> facts(const slice_grad_desc& desc, const operands_of<slice_grad_desc>& t) {
    return window_facts(desc, t, "InputGradientTensor");
  }
};

}  // namespace goldml::tool::detail
