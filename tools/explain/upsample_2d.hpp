// What --explain prints about UPSAMPLE_2D.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <goldml/operators/upsample_2d.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<upsample_2d_desc> {
  static std::vector<std::string> facts(const upsample_2d_desc& desc, const operands_of<upsample_2d_desc>& t) {
    if (!t[0].legal) return {};
    const dimensions& input = t[0].desc->sizes;
    std::vector<std::uint64_t> output(input.begin(), input.end());
    output[output.size() - 1] *= desc.scale_size.width;
    output[output.size() - 2] *= desc.scale_size.height;
    const bool linear = desc.interpolation_mode == interpolation_mode::linear;
    return {fmt::format("each element of the input {} {} by {} of the output (height by width)",
                        linear ? "is interpolated to" : "is repeated in", desc.scale_size.height,
                        desc.scale_size.width),
            fmt::format("implied sizes of OutputTensor: {}", wide_sizes(output))};
  }
};

}  // namespace goldml::tool::detail
