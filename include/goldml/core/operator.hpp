// How an operator describes itself, once and at compile time: DirectML's name, its operands with what each level
// allows, its attributes and policies. Readers, printers, generators and converters are generic over this description.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <goldml/core/data_type.hpp>
#include <goldml/core/feature_level.hpp>

namespace goldml {

enum class operand_role { input, output };

// What an operand may be from a level on, until the next entry replaces it.
struct operand_limits {
  feature_level from;
  data_type_set data_types;
  std::uint32_t fewest_dimensions;
  std::uint32_t most_dimensions;
};

struct operand_info {
  std::string_view name;  // DirectML's: "InputTensor"
  operand_role role;
  std::span<const operand_limits> limits;  // lowest level first
  bool optional = false;
  bool in_place = false;  // an input that the output may replace under the policy in_place
};

// The limits in force at `level`; nullptr where the operator does not exist yet.
constexpr const operand_limits* limits_at(const operand_info& operand, feature_level level) {
  const operand_limits* found = nullptr;
  for (const operand_limits& limits : operand.limits)
    if (limits.from <= level) found = &limits;
  return found;
}

// One member of a desc under DirectML's name. `companion` is the C member that stands beside it: the count of a list
// ("AxisCount"), the data type of a scalar ("ValueDataType"); empty where there is none.
template <class Desc, class Member>
struct attribute {
  std::string_view name;
  Member Desc::*member;
  std::string_view companion = "";
};
template <class Desc, class Member>
attribute(const char*, Member Desc::*) -> attribute<Desc, Member>;
template <class Desc, class Member>
attribute(const char*, Member Desc::*, const char*) -> attribute<Desc, Member>;

template <class Enum>
struct enumerator {
  Enum value;
  std::string_view name;  // DirectML's without its prefix, or goldml's own for a policy
};

// An enumeration that can be an attribute or a policy specialises this with `prefix` (DirectML's, such as
// "DML_AXIS_DIRECTION_"; empty for a policy) and `values`, an array of enumerator<Enum>.
template <class Enum>
struct enumeration;

template <class Enum>
constexpr std::string_view enumerator_name(Enum value) {
  for (const auto& entry : enumeration<Enum>::values)
    if (entry.value == value) return entry.name;
  return "not an enumerator";
}

// By name, with or without the prefix.
template <class Enum>
constexpr std::optional<Enum> enumerator_from_name(std::string_view name) {
  if (name.starts_with(enumeration<Enum>::prefix)) name.remove_prefix(enumeration<Enum>::prefix.size());
  for (const auto& entry : enumeration<Enum>::values)
    if (entry.name == name) return entry.value;
  return std::nullopt;
}

// Each operators/x.hpp specialises this for its desc, with the static members
//   name        DirectML's name without DML_OPERATOR_: "ARGMIN"
//   enumerator  the value in DML_OPERATOR_TYPE
//   operands    an array of operand_info in the order of the C structure, inputs before outputs
//   attributes  a tuple of attribute<Desc, ...>: the members of the C structure
//   policies    a tuple of attribute<Desc, ...>: goldml's own switches
//   check_rules(desc, operands, report)                 the operator's own rules
//   visit_types(inputs, outputs, run)                   run-time data types to views of C++ types, handed to run
// and, for the oracle, where they are not the plain case:
//   verdicts(desc, inputs, golden, result)              which output elements may be what; absent: all are exact
//   judged(desc)                                        the desc whose golden answer is computed; absent: the desc
//   flush                                               how subnormals may be flushed; absent: they are moved
template <class Desc>
struct operator_traits;

// The first level that has the operator.
template <class Desc>
constexpr feature_level first_feature_level() {
  return operator_traits<Desc>::operands[0].limits.front().from;
}

// Whether `type` is one that the operand takes at some level.
template <class Desc>
constexpr bool ever_takes(std::size_t operand, data_type type) {
  for (const operand_limits& limits : operator_traits<Desc>::operands[operand].limits)
    if (limits.data_types.contains(type)) return true;
  return false;
}

}  // namespace goldml
