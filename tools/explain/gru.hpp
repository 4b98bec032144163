// What --explain prints about GRU.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/gru.hpp>

#include "gated.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<gru_desc> {
  static std::vector<std::string> facts(const gru_desc& desc, const operands_of<gru_desc>& t) {
    return facts_of_gated<gru_desc, 2>(desc, t, {"gates {}", ", candidate {}"});
  }
};

}  // namespace goldml::tool::detail
