// Rules derived from the description of an operator: operands that must have the rank, the data type or the sizes of
// another operand, and values of attributes. The same code for all operators reports them with the operator's own
// codes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <goldml/core/operator_traits.hpp>
#include <goldml/core/tensor_rules.hpp>

namespace goldml::detail {

constexpr unsigned number_of_rule(std::string_view rule) {
  unsigned number = 0;
  for (const char c : rule)
    if (c >= '0' && c <= '9') number = 10 * number + static_cast<unsigned>(c - '0');
  return number;
}

// A rule that a property of an operand must match that of another operand.
enum class likeness { rank, data_type, sizes };
struct likeness_rule {
  same_as other;
  likeness what;
  std::size_t info;          // the row of the operand
  feature_level below = {};  // at lower levels only, if there is one

  constexpr bool applies_at(feature_level level) const { return below == feature_level{} || level < below; }
  // PW1, PW4, PW2, PW3: data types are compared first.
  constexpr unsigned order() const { return below == feature_level{} ? 2 * number_of_rule(other.rule) : 3; }
};

// The rules from an operator's description, by number.
template <class Desc>
inline constexpr auto likeness_rules = [] {
  constexpr auto& infos = operator_traits<Desc>::operands;
  constexpr std::size_t count = [] {
    std::size_t rules = 0;
    for (const operand_info& info : infos)
      for (const same_as& other :
           {info.same_rank_as, info.same_data_type_as, info.same_data_type_below.other, info.same_sizes_as})
        if (other) ++rules;
    return rules;
  }();
  std::array<likeness_rule, count> rules{};
  std::size_t next = 0;
  const auto add = [&](const same_as& other, likeness what, std::size_t info) {
    if (other) rules[next++] = {other, what, info};
  };
  for (std::size_t i = 0; i < infos.size(); ++i) {
    if (const auto& [other, level] = infos[i].same_data_type_below; other)
      rules[next++] = {other, likeness::data_type, i, level};
    add(infos[i].same_rank_as, likeness::rank, i);
    add(infos[i].same_data_type_as, likeness::data_type, i);
    add(infos[i].same_sizes_as, likeness::sizes, i);
  }
  for (std::size_t i = 1; i < count; ++i)  // insertion sort: rules of one number keep the order of the operands
    for (std::size_t j = i; j > 0 && rules[j].order() < rules[j - 1].order(); --j) {
      const likeness_rule rule = rules[j];
      rules[j] = rules[j - 1];
      rules[j - 1] = rule;
    }
  return rules;
}();

// "the input's" in messages.
inline violation_text possessive(std::string_view operand) {
  if (operand == "InputTensor") return violation_text("the input's");
  if (operand == "OutputTensor") return violation_text("the output's");
  return violation_text("{}'s", operand);
}

// Checks one rule on one tensor. Skipped if one of the two breaks a T rule. Sizes are compared only if the ranks are
// equal.
inline void check_likeness(const likeness_rule& rule, const operand& t, const operand& other, const operand_info& info,
                           const operand_info& other_info, const rule_report& report) {
  if (!t.legal || !other.legal || !t.desc || !other.desc) return;
  const dimensions& sizes = t.desc->sizes;
  const dimensions& wanted = other.desc->sizes;
  if (rule.what == likeness::data_type) {
    if (t.desc->data_type != other.desc->data_type)
      report(rule.other.rule, info.name, "DataType", violation_text("{}", name_of(t.desc->data_type)),
             violation_text("{}", name_of(other.desc->data_type)), possessive(other_info.name));
    return;
  }
  if (rule.what == likeness::rank) {
    if (sizes.size() != wanted.size())
      report(rule.other.rule, info.name, "DimensionCount", violation_text("{}", sizes.size()),
             violation_text("{}", wanted.size()), possessive(other_info.name));
  } else if (sizes.size() == wanted.size() && sizes != wanted) {
    violation_text why = possessive(other_info.name);
    if (info.role == operand_role::input) why.append("; broadcast with stride 0");
    report(rule.other.rule, info.name, "Sizes", violation_text("{}", sizes), violation_text("{}", wanted), why);
  }
}

// The rules on the value that a row has, each checked under its code. They return whether it is legal.

inline bool check_axis(const attribute& row, std::uint32_t axis, std::size_t dimension_count,
                       const rule_report& report) {
  if (axis < dimension_count) return true;
  report(row.rule(value_domain::axis), "", row.name, violation_text("{}", axis),
         violation_text("below DimensionCount {}", dimension_count));
  return false;
}

// `wanted` in place of "0 or 1" or "0 to 2".
template <class Enum>
bool check_enumerator(const attribute& row, Enum value, const rule_report& report, std::string_view wanted = "") {
  const auto number = static_cast<std::uint32_t>(value);
  const std::size_t last = enumeration<Enum>::values.size() - 1;
  if (number <= last) return true;
  report(row.rule(value_domain::enumerator), "", row.name, violation_text("{}", number),
         wanted.empty() ? violation_text("0 {} {}", last == 1 ? "or" : "to", last) : violation_text("{}", wanted));
  return false;
}

// One entry per dimension, and not null.
template <class List>
bool check_per_dimension(const attribute& row, const List& list, std::size_t dimension_count,
                         const rule_report& report) {
  const bool legal = list.size() == dimension_count && !list.overlong() && !list.is_null();
  if (!legal)
    report(row.rule(value_domain::per_dimension), "", row.companion,
           violation_text("{}", list.size() + (list.overlong() ? 1 : 0)), violation_text("{}", dimension_count),
           violation_text("the tensors', for {}", row.name));
  return legal;
}

inline bool check_at_least_1(const attribute& row, std::uint32_t value, const rule_report& report) {
  if (value == 0)
    report(row.rule(value_domain::at_least_1), "", row.name, violation_text("0"), violation_text("at least 1"));
  return value != 0;
}
inline bool check_at_least_1(const attribute& row, const dimensions& list, const rule_report& report) {
  bool legal = true;
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i] == 0) {
      legal = false;
      report(row.rule(value_domain::at_least_1), "", row.name, violation_text("0"), violation_text("at least 1"),
             violation_text("{} {}", row.name, list), i);
    }
  return legal;
}

inline void check_likenesses(std::span<const likeness_rule> rules, std::span<const operand_info> infos,
                             std::span<const operand> operands, feature_level level, const rule_report& report) {
  for (const likeness_rule& rule : rules) {
    if (!rule.applies_at(level)) continue;
    const operand_info& info = infos[rule.info];
    const operand& other = operands[first_tensor(infos, rule.other.operand, operands.size())];
    const std::size_t first = first_tensor(infos, rule.info, operands.size());
    for (std::size_t i = 0; i < tensor_count(infos, rule.info, operands.size()); ++i)
      check_likeness(rule, operands[first + i], other, info, infos[rule.other.operand], report.of(info, i));
  }
}

}  // namespace goldml::detail
