// What --explain prints about CONVOLUTION.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <goldml/operators/convolution.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<convolution_desc> {
  static std::vector<std::string> facts(const convolution_desc& desc, const operands_of<convolution_desc>& t) {
    if (!t[0].sound || !t[1].sound) return {};
    const dimensions& input = t[0].desc->sizes;
    const dimensions& filter = t[1].desc->sizes;
    if (input.size() != filter.size() || desc.group_count == 0) return {};
    for (const dimensions& list :
         {desc.strides, desc.dilations, desc.start_padding, desc.end_padding, desc.output_padding})
      if (list.size() + 2 != input.size()) return {};
    const std::uint64_t taps = element_count(filter.slice(2, filter.size()));
    const std::uint32_t channels = input[1] / desc.group_count;
    return {fmt::format("each output element: the sum of up to {} ({} of the filter, {} of a group)",
                        counted(saturating_multiply(taps, channels), "product", "products"),
                        counted(taps, "tap", "taps"), counted(channels, "input channel", "input channels")),
            fmt::format("implied sizes of OutputTensor: {}{}", convolution_output_sizes(desc, input, filter),
                        desc.direction == convolution_direction::backward
                            ? ", each spatial size up to its stride - 1 larger"
                            : "")};
  }
};

}  // namespace goldml::tool::detail
