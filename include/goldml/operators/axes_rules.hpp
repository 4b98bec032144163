// The rules on a list of axes, for every operator that has one: ARGMIN, ARGMAX, REDUCE, SOFTMAX1.
#pragma once

#include <cstddef>
#include <string_view>

#include <goldml/core/dimensions.hpp>
#include <goldml/core/tensor_rules.hpp>

namespace goldml::detail {

// The codes of an operator's rules: an axis that the tensor does not have, one that is listed twice, no axes.
struct axes_codes {
  std::string_view axis, repeated_axis, no_axes;
};
inline constexpr axes_codes softmax_axes_codes{"SO5", "SO6", "SO7"};

// The axes are those of `tensor`; they are not compared with its dimensions if it breaks a T rule.
inline void check_axes(const dimensions& axes, const operand& tensor, const axes_codes& codes, bool may_be_empty,
                       const rule_report& report) {
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (tensor.legal && axes[i] >= tensor.desc->sizes.size())
      report(codes.axis, "", "Axes", violation_text("{}", axes[i]),
             violation_text("below DimensionCount {}", tensor.desc->sizes.size()), violation_text("Axes {}", axes), i);
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes.slice(0, i).contains(axes[i]))
      report(codes.repeated_axis, "", "Axes", violation_text("{} again", axes[i]), violation_text("each axis once"),
             violation_text("Axes {}", axes), i);
  if (axes.overlong())
    report(codes.repeated_axis, "", "Axes", violation_text("{}", axes), violation_text("each axis once"),
           violation_text("more axes than a tensor has dimensions"));
  if (axes.is_null())
    report(codes.no_axes, "", "Axes", violation_text("null"), violation_text("a pointer"));
  else if (axes.empty() && !may_be_empty)
    report(codes.no_axes, "", "AxisCount", violation_text("0"), violation_text("at least 1"));
}

}  // namespace goldml::detail
