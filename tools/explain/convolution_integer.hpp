// What --explain prints about CONVOLUTION_INTEGER: what it prints about CONVOLUTION.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/convolution_integer.hpp>

#include "convolution.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<convolution_integer_desc> {
  static std::vector<std::string> facts(const convolution_integer_desc& desc,
                                        const operands_of<convolution_integer_desc>& t) {
    return explanation<convolution_desc>::facts(goldml::detail::forward_convolution(desc),
                                                {t[0], t[2], operand{}, t[4]});
  }
};

}  // namespace goldml::tool::detail
