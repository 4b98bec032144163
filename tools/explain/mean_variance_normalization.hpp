// What --explain prints about MEAN_VARIANCE_NORMALIZATION, MEAN_VARIANCE_NORMALIZATION1 and
// MEAN_VARIANCE_NORMALIZATION2.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/mean_variance_normalization.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

// The slices of a call.
inline std::string slices_text(const dimensions& sizes, const dimensions& axes) {
  const dimensions box = candidate_box(sizes, axes);
  return fmt::format("{} of {} in the box {}",
                     counted(element_count(sizes_after_reduction(sizes, axes)), "slice", "slices"),
                     counted(element_count(box), "element", "elements"), box);
}

template <goldml::detail::mean_variance_operator Desc>
struct explanation<Desc> {
  static std::vector<std::string> facts(const Desc& desc, const operands_of<Desc>& t) {
    const dimensions axes = goldml::detail::normalisation_axes(desc);
    if (!t[0].sound) return {};
    for (const std::uint32_t axis : axes)
      if (axis >= t[0].desc->sizes.size()) return {};
    const auto form = goldml::detail::normalisation_form_of(desc);
    std::vector<std::string> lines{slices_text(t[0].desc->sizes, axes)};
    if (!form.uses_mean) lines.push_back("nothing is subtracted");
    if (!form.uses_variance)
      lines.push_back("nothing divides: Epsilon is ignored");
    else
      lines.push_back(form.centred ? "divided by the root of the population variance plus Epsilon"
                                   : "divided by the root of the mean of the squares plus Epsilon");
    return lines;
  }
};

}  // namespace goldml::tool::detail
