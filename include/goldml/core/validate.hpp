// The check of an operator's desc and operands, used by validate(), violations() and all calls of all backends.
//
// Violations come in a fixed order (ledger L12), the same for all backends: T11; the rules on an attribute that selects
// what the tensors may be, or how many, after which nothing else is reported; for each tensor in the order of the C
// structure T1..T10; the operator's own rules (on attributes, on operands that must match, others), so that a cause
// comes before its consequences; T12. Rules that depend on a broken rule are skipped: a tensor that breaks a T rule is
// not used by the operator's own rules. Rules that depend on data (SCATTER_ND S10, S11) come last, in the call. If an
// operator's rule restates a T rule, the T rule is reported.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <vector>

#include <goldml/core/arguments.hpp>
#include <goldml/core/cold.hpp>
#include <goldml/core/memory_rules.hpp>
#include <goldml/core/operator_traits.hpp>
#include <goldml/core/shape_rules.hpp>
#include <goldml/core/tensor_rules.hpp>
#include <goldml/core/violation.hpp>

namespace goldml {

namespace detail {

// Throws std::invalid_argument for a policy or level that is not an enumerator. These are goldml's own, so it is not a
// violation.
inline void require_known_policies(const void* desc, std::span<const attribute> policies, feature_level level) {
  bool known = false;
  for (std::size_t i = feature_levels.size(); !known && i-- > 0;)  // the default comes first
    known = feature_levels[i].value == level;
  for (const attribute& policy : policies)
    if (policy.kind == attribute_kind::enumeration)
      known = known && policy.names.name_of(load_enumerator(policy.address(desc)));
  if (!known) throw std::invalid_argument("goldml: a policy or feature level that does not exist");
}

GOLDML_COLD inline void refuse_level(feature_level level, feature_level first, const rule_report& report) {
  report("T11", "", "feature level", violation_text("{}", name_of(level)),
         violation_text("at least {}", name_of(first)), violation_text("the operator does not exist below it"));
}

}  // namespace detail

// Adds every rule that the desc and the operands break to the sink, in the order of docs/rules.md.
template <class Desc>
void check(const Desc& desc, operands_of<Desc>& operands, violation_sink& sink) {
  using traits = operator_traits<Desc>;
  const rule_report report(traits::name, sink);
  detail::require_known_policies(&desc, traits::policies, desc.feature_level);
  if (desc.feature_level < first_feature_level<Desc>()) {
    detail::refuse_level(desc.feature_level, first_feature_level<Desc>(), report);
    return;
  }
  if constexpr (has_operand_array<Desc>) {
    if (operands.size() + 1 < operand_info_count<Desc>)
      throw std::invalid_argument("goldml: fewer tensors than the operator has operands");
  }
  if constexpr (traits::options.check_function != nullptr) {
    const std::size_t before = sink.count();
    traits::options.check_function(desc, operands, report);
    if (sink.count() != before) return;
  }
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const auto [info, element] = place_of_tensor(traits::operands, i, operands.size());
    const std::size_t before = sink.count();
    if (!operands[i].open)
      check_tensor(operands[i], traits::operands[info], *limits_at(limits_of(desc, info), desc.feature_level),
                   desc.feature_level, report.of(traits::operands[info], element));
    operands[i].legal = !operands[i].open && sink.count() == before;
    if (sink.done()) return;
  }
  if constexpr (traits::options.check_attributes != nullptr) traits::options.check_attributes(desc, operands, report);
  detail::check_likenesses(detail::likeness_rules<Desc>, traits::operands, operands, desc.feature_level, report);
  if (sink.done()) return;
  if constexpr (traits::options.check_rules != nullptr) traits::options.check_rules(desc, operands, report);
  if (sink.done()) return;
  const memory_policies policies = memory_policies_of(desc);
  if constexpr (has_operand_array<Desc>) {
    std::vector<detail::byte_range> scratch(operands.size());
    check_memory(operands, traits::operands, policies, report, scratch);
  } else {
    std::array<detail::byte_range, operand_info_count<Desc>> scratch;
    check_memory(operands, traits::operands, policies, report, scratch);
  }
}

namespace detail {

// An argument for an array of tensors: a range of anything that can be a tensor.
template <class T>
concept tensor_range = requires(const T& range) {
  { to_operand(*std::begin(range)) } -> std::same_as<operand>;
  std::end(range);
}
&&!requires(const T& t) { to_operand(t); };

// The operands from tensors in the order of the C structure, where an array of tensors is a range. With fewer tensors
// than the operator has, its optional operands are omitted.
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
  if constexpr (has_operand_array<Desc>) {
    operands_of<Desc> operands;
    std::size_t row = 0;
    const auto skip_optional = [&] {
      if (sizeof...(Tensors) == traits::operands.size()) return;
      for (; row < traits::operands.size() && traits::operands[row].optional; ++row)
        if (!traits::operands[row].is_array()) operands.emplace_back();
    };
    const auto add = [&](const auto& t) {
      skip_optional();
      if constexpr (tensor_range<std::remove_cvref_t<decltype(t)>>)
        for (const auto& one : t) operands.push_back(to_operand(one));
      else
        operands.push_back(to_operand(t));
      ++row;
    };
    (add(tensors), ...);
    skip_optional();
    return operands;
  } else if constexpr (sizeof...(Tensors) == traits::operands.size()) {
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

// The first violation of a desc with its tensors, or nullopt if it is valid. Each tensor may be a tensor_desc or
// anything that a call accepts. Reads no elements and does not allocate.
template <class Desc, class... Tensors>
requires requires { operator_traits<Desc>::name; }
std::optional<violation> validate(const Desc& desc, const Tensors&... tensors) {
  auto operands = detail::gather_operands<Desc>(tensors...);
  violation_sink sink;
  check(desc, operands, sink);
  if (!sink.first()) return std::nullopt;  // avoids a copy of the text
  return sink.first();
}

// All violations, in the order above.
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
