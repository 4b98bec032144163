// What --explain prints about ACTIVATION_SOFTMAX, ACTIVATION_LOG_SOFTMAX and their 1-versions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <goldml/operators/softmax.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

// The slices of a call, and what is computed of each.
template <class Desc>
std::vector<std::string> slice_facts(const Desc& desc, const operands_of<Desc>& t, std::string_view what) {
  if (!t[0].sound) return {};
  const dimensions& sizes = t[0].desc->sizes;
  const dimensions axes = goldml::detail::softmax_axes(desc, sizes.size());
  const dimensions box = candidate_box(sizes, axes);
  return {fmt::format("{} of {} in the box {}: {}",
                      counted(element_count(sizes_after_reduction(sizes, axes)), "slice", "slices"),
                      counted(element_count(box), "element", "elements"), box, what)};
}

template <goldml::detail::softmax_operator Desc>
struct explanation<Desc> {
  static std::vector<std::string> facts(const Desc& desc, const operands_of<Desc>& t) {
    const bool is_log = Desc::kind == softmax_function::log_softmax;
    return slice_facts(desc, t,
                       is_log ? "each x - ln of the sum of e^x of its slice" : "each e^x / the sum of its slice");
  }
};

}  // namespace goldml::tool::detail
