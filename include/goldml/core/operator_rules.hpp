// The one check of an operator's desc and operands, behind validate(), violations() and every call of every backend.
//
// Violations come in a fixed order (ledger L12), the same from every backend: T11; then for each tensor in the order of
// the C structure T1..T10; then the operator's own codes by number; then T12. Codes that depend on data (SCATTER_ND
// S10, S11) come last, at the call. Where an operator's code restates a T rule the T code is reported.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <vector>

#include <goldml/core/arguments.hpp>
#include <goldml/core/memory_rules.hpp>
#include <goldml/core/operator.hpp>
#include <goldml/core/tensor_rules.hpp>
#include <goldml/core/violation.hpp>

namespace goldml {

namespace detail {

// Policies and the level are goldml's own: a value that is no enumerator is a mistake in the program, not in a desc.
// Throws std::invalid_argument.
template <class Desc>
void require_known_policies(const Desc& desc) {
  const auto known = [&]<class Member>(const attribute<Desc, Member>& policy) {
    if constexpr (std::is_enum_v<Member>)
      return std::any_of(enumeration<Member>::values.begin(), enumeration<Member>::values.end(),
                         [&](const auto& entry) { return entry.value == desc.*policy.member; });
    else
      return true;
  };
  const bool all_known =
      std::apply([&](const auto&... policies) { return (known(policies) && ...); }, operator_traits<Desc>::policies);
  const bool level_known = std::any_of(feature_levels.rbegin(), feature_levels.rend(),  // the default comes first
                                       [&](const auto& entry) { return entry.value == desc.feature_level; });
  if (!all_known || !level_known) throw std::invalid_argument("goldml: a policy or feature level that does not exist");
}

}  // namespace detail

// As many operands as the operator has, in the order of the C structure.
template <class Desc>
using operands_of = std::array<operand, operator_traits<Desc>::operands.size()>;

template <class Desc>
void check(const Desc& desc, operands_of<Desc>& operands, violation_sink& sink) {
  using traits = operator_traits<Desc>;
  const rule_report report(traits::name, sink);
  detail::require_known_policies(desc);
  if (desc.feature_level < first_feature_level<Desc>()) {
    report("T11", "", "feature level", violation_text("{}", name_of(desc.feature_level)),
           violation_text("at least {}", name_of(first_feature_level<Desc>())),
           violation_text("the operator does not exist below it"));
    return;
  }
  for (std::size_t i = 0; i < operands.size(); ++i) {
    check_tensor(operands[i], traits::operands[i], *limits_at(traits::operands[i], desc.feature_level),
                 desc.feature_level, report);
    if (sink.done()) return;
  }
  traits::check_rules(desc, operands, report);
  if (sink.done()) return;
  bool in_place = false;
  if constexpr (requires { desc.in_place; }) in_place = desc.in_place;
  check_memory<traits::operands.size()>(operands, traits::operands, in_place, report);
}

namespace detail {

// Tensors in the order of the C structure; fewer than the operator has leave its optional operands out.
template <class Desc, class... Tensors>
operands_of<Desc> gather_operands(const Tensors&... tensors) {
  using traits = operator_traits<Desc>;
  constexpr std::size_t optional_count = [] {
    std::size_t count = 0;
    for (const operand_info& info : traits::operands) count += info.optional ? 1 : 0;
    return count;
  }();
  static_assert(
      sizeof...(Tensors) == traits::operands.size() || sizeof...(Tensors) + optional_count == traits::operands.size(),
      "goldml: one tensor for each operand, with all optional ones or with none of them");
  if constexpr (sizeof...(Tensors) == traits::operands.size()) {
    return {to_operand(tensors)...};
  } else {
    operands_of<Desc> operands;
    std::size_t i = 0;
    const auto place = [&](const operand& t) {
      while (traits::operands[i].optional) ++i;
      operands[i++] = t;
    };
    (place(to_operand(tensors)), ...);
    return operands;
  }
}

}  // namespace detail

// The first violation of a desc with its tensors, or nullopt when it is legal. Each tensor may be a tensor_desc, or
// anything that a call takes. Reads no element and allocates nothing.
template <class Desc, class... Tensors>
requires requires { operator_traits<Desc>::name; }
std::optional<violation> validate(const Desc& desc, const Tensors&... tensors) {
  auto operands = detail::gather_operands<Desc>(tensors...);
  violation_sink sink;
  check(desc, operands, sink);
  if (!sink.first()) return std::nullopt;  // copies no text
  return sink.first();
}

// The same, all of them, in the order of the contract.
template <class Desc, class... Tensors>
requires requires { operator_traits<Desc>::name; }
std::vector<violation> violations(const Desc& desc, const Tensors&... tensors) {
  auto operands = detail::gather_operands<Desc>(tensors...);
  std::vector<violation> all;
  violation_sink sink(&all);
  check(desc, operands, sink);
  return all;
}

}  // namespace goldml
