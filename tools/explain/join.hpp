// What --explain prints about JOIN.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <goldml/operators/join.hpp>

#include "../explanation.hpp"
#include "parts.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<join_desc> {
  static std::vector<std::string> facts(const join_desc& desc, const operands_of<join_desc>& t) {
    return parts_facts(std::span(t).first(t.size() - 1), desc.axis, "OutputTensor");
  }
};

}  // namespace goldml::tool::detail
