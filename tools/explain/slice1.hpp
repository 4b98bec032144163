// What --explain prints about SLICE1.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/slice1.hpp>

#include "../explanation.hpp"
#include "slice_windows.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<slice1_desc> {
  static std::vector<std::string> facts(const slice1_desc& desc, const operands_of<slice1_desc>& t) {
    return window_facts(desc, t, "OutputTensor");
  }
};

}  // namespace goldml::tool::detail
