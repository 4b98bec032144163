// What --explain prints about REVERSE_SUBSEQUENCES.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/reverse_subsequences.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<reverse_subsequences_desc> {
  static std::vector<std::string> facts(const reverse_subsequences_desc& desc,
                                        const operands_of<reverse_subsequences_desc>& t) {
    if (!t[0].sound || desc.axis >= t[0].desc->sizes.size()) return {};
    dimensions sequences = t[0].desc->sizes;
    const std::uint32_t size = sequences[desc.axis];
    sequences[desc.axis] = 1;
    return {fmt::format("{} along axis {}, of {} each", counted(element_count(sequences), "sequence", "sequences"),
                        desc.axis, counted(size, "element", "elements")),
            fmt::format("implied sizes of SequenceLengthsTensor: {}; a length above {} is {}", sequences, size, size)};
  }
};

}  // namespace goldml::tool::detail
