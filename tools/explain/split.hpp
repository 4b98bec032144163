// What --explain prints about SPLIT.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <goldml/operators/split.hpp>

#include "../explanation.hpp"
#include "parts.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<split_desc> {
  static std::vector<std::string> facts(const split_desc& desc, const operands_of<split_desc>& t) {
    return parts_facts(std::span(t).subspan(1), desc.axis, "InputTensor");
  }
};

}  // namespace goldml::tool::detail
