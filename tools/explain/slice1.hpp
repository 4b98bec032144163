// What --explain prints about SLICE1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <goldml/operators/slice1.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<slice1_desc> {
  static std::vector<std::string> facts(const slice1_desc& desc, const operands_of<slice1_desc>& t) {
    if (!t[0].sound) return {};
    const std::size_t rank = t[0].desc->sizes.size();
    if (desc.input_window_offsets.size() != rank || desc.input_window_sizes.size() != rank ||
        desc.input_window_strides.size() != rank)
      return {};  // SL4
    dimensions most;
    for (std::size_t i = 0; i < rank; ++i) {
      if (desc.input_window_strides[i] == 0 || desc.input_window_sizes[i] == 0) return {};  // SL5, SL6
      most.push_back(slice1_most_elements(desc.input_window_sizes[i], desc.input_window_strides[i]));
    }
    return {
        fmt::format("the window begins at {} and has the sizes {}", desc.input_window_offsets, desc.input_window_sizes),
        fmt::format("implied sizes of OutputTensor: at most {}", most)};
  }
};

}  // namespace goldml::tool::detail
