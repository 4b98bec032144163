// What --explain prints about FOLD and UNFOLD.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/fold.hpp>

#include "pooling.hpp"

namespace goldml::tool::detail {

template <goldml::detail::fold_operator Desc>
struct explanation<Desc> {
  static std::vector<std::string> facts(const Desc& desc, const operands_of<Desc>& t) {
    const operand& image = t[Desc::unfolds ? 0 : 1];
    if (!image.legal) return {};
    const goldml::detail::window_lists lists = goldml::detail::fold_lists_of(desc);
    const auto counts = goldml::detail::window_sizes_of(lists, image.desc->sizes, false);
    if (!counts) return {};
    return {fmt::format("{} {} of {} elements", Desc::unfolds ? "columns of" : "added up from",
                        counted(element_count(counts->slice(2, counts->size())), "window", "windows"),
                        element_count(desc.window_sizes))};
  }
};

}  // namespace goldml::tool::detail
