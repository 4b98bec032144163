// What --explain prints about SLICE1 and SLICE_GRAD: their windows.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/operators/slice_windows.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

// `smaller`: the operand that has the elements of the windows.
template <class Desc>
std::vector<std::string> window_facts(const Desc& desc, const operands_of<Desc>& t, std::string_view smaller) {
  if (!t[0].sound) return {};
  const std::size_t rank = t[0].desc->sizes.size();
  if (desc.input_window_offsets.size() != rank || desc.input_window_sizes.size() != rank ||
      desc.input_window_strides.size() != rank)
    return {};  // SL4, SG4
  dimensions most;
  for (std::size_t i = 0; i < rank; ++i) {
    if (desc.input_window_strides[i] == 0 || desc.input_window_sizes[i] == 0) return {};  // 5, 6
    most.push_back(slice1_most_elements(desc.input_window_sizes[i], desc.input_window_strides[i]));
  }
  return {
      fmt::format("the window begins at {} and has the sizes {}", desc.input_window_offsets, desc.input_window_sizes),
      fmt::format("implied sizes of {}: at most {}", smaller, most)};
}

}  // namespace goldml::tool::detail
