// What --explain prints about ROI_ALIGN and ROI_ALIGN1.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/roi_align.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <goldml::detail::roi_align_operator Desc>
struct explanation<Desc> {
  static std::vector<std::string> facts(const Desc& desc, const operands_of<Desc>& t) {
    if (!t[0].legal || !t[3].legal) return {};
    const dimensions &image = t[0].desc->sizes, &output = t[3].desc->sizes;
    const bool limited = desc.minimum_samples_per_output >= desc.maximum_samples_per_output;
    return {
        fmt::format("{} of {} to {} by {} outputs each (height by width)", counted(output[0], "region", "regions"),
                    counted(image[0], "image", "images"), output[2], output[3]),
        fmt::format("an output is the {} of {} samples on each axis, {}",
                    desc.reduction_function == reduce_function::max ? "greatest" : "mean",
                    limited ? fmt::format("{}", desc.maximum_samples_per_output)
                            : fmt::format("{} to {}", desc.minimum_samples_per_output, desc.maximum_samples_per_output),
                    desc.interpolation_mode == interpolation_mode::linear ? "interpolated" : "the nearest elements")};
  }
};

}  // namespace goldml::tool::detail
