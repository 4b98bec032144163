// What --explain prints about ACTIVATION_HARDMAX and ACTIVATION_HARDMAX1.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/hardmax.hpp>

#include "softmax.hpp"

namespace goldml::tool::detail {

template <goldml::detail::hardmax_operator Desc>
struct explanation<Desc> {
  static std::vector<std::string> facts(const Desc& desc, const operands_of<Desc>& t) {
    return slice_facts(desc, t, "1 at the first of the greatest, else 0");
  }
};

}  // namespace goldml::tool::detail
