// What --explain prints about SLICE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <goldml/operators/slice.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<slice_desc> {
  static std::vector<std::string> facts(const slice_desc& desc, const operands_of<slice_desc>& t) {
    if (!t[0].sound) return {};
    const std::size_t rank = t[0].desc->sizes.size();
    if (desc.offsets.size() != rank || desc.sizes.size() != rank || desc.strides.size() != rank) return {};  // SL4
    wide_sizes last;
    for (std::size_t i = 0; i < rank; ++i) {
      if (desc.sizes[i] == 0) return {};  // T5 of the output
      last.push_back(desc.offsets[i] + (desc.sizes[i] - std::uint64_t{1}) * desc.strides[i]);
    }
    return {fmt::format("the input's elements from {} to {}", desc.offsets, last), implied_sizes(desc, t)};
  }
};

}  // namespace goldml::tool::detail
