// What --explain prints about ACTIVATION_SOFTMAX and ACTIVATION_SOFTMAX1.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/softmax.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <class Desc>
std::vector<std::string> softmax_facts(const Desc& desc, const operands_of<Desc>& t) {
  if (!t[0].sound) return {};
  const dimensions& sizes = t[0].desc->sizes;
  const dimensions axes = goldml::detail::softmax_axes(desc, sizes.size());
  const dimensions box = candidate_box(sizes, axes);
  return {fmt::format("{} of {} in the box {}: each e^x / the sum of its slice",
                      counted(element_count(sizes_after_reduction(sizes, axes)), "slice", "slices"),
                      counted(element_count(box), "element", "elements"), box)};
}

template <>
struct explanation<activation_softmax_desc> {
  static std::vector<std::string> facts(const activation_softmax_desc& desc,
                                        const operands_of<activation_softmax_desc>& t) {
    return softmax_facts(desc, t);
  }
};

template <>
struct explanation<activation_softmax1_desc> {
  static std::vector<std::string> facts(const activation_softmax1_desc& desc,
                                        const operands_of<activation_softmax1_desc>& t) {
    return softmax_facts(desc, t);
  }
};

}  // namespace goldml::tool::detail
