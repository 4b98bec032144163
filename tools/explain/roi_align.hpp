// What --explain prints about ROI_ALIGN, ROI_ALIGN1 and ROI_ALIGN_GRAD.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/roi_align.hpp>
#include <goldml/operators/roi_align_grad.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <class Desc>
std::vector<std::string> facts_of_regions(const Desc& desc, const dimensions& image, const dimensions& output) {
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

template <goldml::detail::roi_align_operator Desc>
struct explanation<Desc> {
  static std::vector<std::string> facts(const Desc& desc, const operands_of<Desc>& t) {
    if (!t[0].legal || !t[3].legal) return {};
    return facts_of_regions(desc, t[0].desc->sizes, t[3].desc->sizes);
  }
};

template <>
struct explanation<roi_align_grad_desc> {
  static std::vector<std::string> facts(const roi_align_grad_desc& desc, const operands_of<roi_align_grad_desc>& t) {
    const operand& image = operator_traits<roi_align_grad_desc>::image_of(t);
    if (!image.desc || !image.legal || !t[1].legal) return {};
    return facts_of_regions(desc, image.desc->sizes, t[1].desc->sizes);
  }
};

}  // namespace goldml::tool::detail
