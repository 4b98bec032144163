// What --explain prints about LSTM.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/lstm.hpp>

#include "gated.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<lstm_desc> {
  static std::vector<std::string> facts(const lstm_desc& desc, const operands_of<lstm_desc>& t) {
    return facts_of_gated<lstm_desc, 3>(desc, t, {"gates {}", ", cell {} of its input", " and {} of its output"});
  }
};

}  // namespace goldml::tool::detail
