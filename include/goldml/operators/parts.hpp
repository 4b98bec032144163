// Rules shared by JOIN and SPLIT: tensors that follow one another along an axis, the parts, make up one tensor, the
// whole. Ruling: ledger L30.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <goldml/core/shape_rules.hpp>

namespace goldml::detail {

// The operator's codes for the shared rules, JO or SP with the same numbers.
struct parts_codes {
  std::string_view sizes, count, sum;
};

// The number of parts, the axis, the sizes beside the axis, and the sum of the sizes on the axis.
inline void check_parts(const parts_codes& codes, const attribute& axis_row, std::uint32_t axis,
                        std::span<const operand> parts, const operand_info& parts_info, const operand& whole,
                        const operand_info& whole_info, const rule_report& report) {
  if (parts.empty()) report(codes.count, "", parts_info.count, violation_text("0"), violation_text("at least 1"));
  if (!whole.legal) return;
  const dimensions& wanted = whole.desc->sizes;
  if (!check_axis(axis_row, axis, wanted.size(), report)) return;
  std::uint64_t sum = 0;
  bool all_known = !parts.empty();
  for (std::size_t part = 0; part < parts.size(); ++part) {
    if (!parts[part].legal || parts[part].desc->sizes.size() != wanted.size()) {
      all_known = false;
      continue;
    }
    const dimensions& sizes = parts[part].desc->sizes;
    sum += sizes[axis];
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (i != axis && sizes[i] != wanted[i])
        report.of(parts_info, part)(codes.sizes, parts_info.name, "Sizes", violation_text("{}", sizes[i]),
                                    violation_text("{}", wanted[i]), possessive(whole_info.name), i);
  }
  if (all_known && sum != wanted[axis])
    report(codes.sum, whole_info.name, "Sizes", violation_text("{}", wanted[axis]), violation_text("{}", sum),
           violation_text("the sum of {}' on Axis", parts_info.name), axis);
}

}  // namespace goldml::detail
