// Rules on attributes that are an activation nested in another operator.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include <goldml/core/attribute_values.hpp>
#include <goldml/core/tensor_rules.hpp>

namespace goldml::detail {

// The tensors of a fused activation are null: it works on the operator's output. `rule` is the operator's code,
// `member` DirectML's name of the attribute; `index` is given for an entry of a list.
inline void check_no_tensors(std::string_view rule, std::string_view member, const activation& given,
                             const rule_report& report, std::optional<std::size_t> index = {}) {
  if (!given.has_tensors) return;
  const activation_info* info = find_activation(given.operator_type);
  report(rule, "", member,
         violation_text("{} with a tensor", info == nullptr ? std::string_view("an activation") : info->name),
         violation_text("null tensors in an activation that is fused"), {}, index);
}
inline void check_no_tensors(std::string_view rule, std::string_view member, const std::optional<activation>& given,
                             const rule_report& report) {
  if (given) check_no_tensors(rule, member, *given, report);
}
inline void check_no_tensors(std::string_view rule, std::string_view member, const activation_list& given,
                             const rule_report& report) {
  for (std::size_t i = 0; i < given.size(); ++i) check_no_tensors(rule, member, given[i], report, i);
}

}  // namespace goldml::detail
