// What --explain prints about RESAMPLE, its newer versions and its gradients.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/resample.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <goldml::detail::resample_operator Desc>
struct explanation<Desc> {
  static std::vector<std::string> facts(const Desc& desc, const operands_of<Desc>& t) {
    std::vector<std::string> result;
    if (!t[0].legal || !t[1].legal || t[0].desc->sizes.size() != t[1].desc->sizes.size()) return result;
    for (const attribute& row : operator_traits<Desc>::attributes)
      if (row.kind == attribute_kind::list_of_float32 &&
          row.template get<float32_list>(desc).size() != t[0].desc->sizes.size())
        return result;
    const auto axes = goldml::detail::resample_axes_of(desc, t[0].desc->sizes, t[1].desc->sizes);
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const goldml::detail::resample_axis& axis = axes[i];
      if (!(axis.scale > 0)) return {};
      const double last = axis.place(axis.outputs - 1).value();
      result.push_back(fmt::format("axis {}: {} to {}, places {} to {}, {}", i,
                                   counted(axis.size, "element", "elements"), axis.outputs, axis.place(0).value(), last,
                                   axis.is_identity() ? "which nothing is done to"
                                   : axis.is_exact()  ? "which FLOAT32 has exactly"
                                                      : fmt::format("which a device may see up to {:.2g} off",
                                                                    axis.margin(axis.outputs - 1, 13))));
    }
    return result;
  }
};

}  // namespace goldml::tool::detail
