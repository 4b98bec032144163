// The compile-time description of an operator: DirectML's name, its operands and what each level allows for them, its
// attributes and policies. Readers, printers, generators and converters are generic over this description.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <goldml/core/attributes.hpp>
#include <goldml/core/cost.hpp>
#include <goldml/core/data_type.hpp>
#include <goldml/core/dimensions.hpp>
#include <goldml/core/feature_level.hpp>

namespace goldml {

class rule_report;
struct operand;
struct violation;
template <class Void>
class basic_tensor_ref;

enum class operand_role { input, output };

// The limits of an operand from a level on, until the next entry replaces them.
struct operand_limits {
  feature_level from;
  data_type_set data_types;
  std::uint32_t fewest_dimensions;
  std::uint32_t most_dimensions;
};

// A property of an operand that must match that of another operand, and the operator's code for a violation.
struct same_as {
  std::string_view rule;    // "S2"
  std::size_t operand = 0;  // index in operator_traits<Desc>::operands

  constexpr explicit operator bool() const { return !rule.empty(); }
};
// The same, below a feature level alone.
struct same_below {
  same_as other = {};
  feature_level level = feature_level::level_1_0;
};

struct operand_info {
  std::string_view name;  // DirectML's: "InputTensor"
  operand_role role;
  std::span<const operand_limits> limits;  // lowest level first
  bool optional = false;
  feature_level optional_from = feature_level::level_1_0;  // an optional operand is required below this level
  bool in_place = false;           // an input that the output may replace, if in-place execution is permitted
  std::string_view count = "";     // of an array of tensors: the member that counts them, "InputCount"; else empty
  same_as same_data_type_as = {};  // another operand's, checked by validate() under the rule given
  same_below same_data_type_below = {};
  same_as same_rank_as = {};   // DimensionCount
  same_as same_sizes_as = {};  // Sizes, where the ranks are equal
  // Of an output: the input with which the call reads what the output contains before it is written.
  std::optional<std::size_t> read_with = std::nullopt;

  constexpr bool is_array() const { return !count.empty(); }
  constexpr same_as same_data_type_at(feature_level level) const {
    return level < same_data_type_below.level ? same_data_type_below.other : same_data_type_as;
  }
};

// Whether a call at `level` may omit the operand.
constexpr bool is_optional_at(const operand_info& operand, feature_level level) {
  return operand.optional && operand.optional_from <= level;
}

// The limits at `level`; nullptr if the operator does not exist at that level.
constexpr const operand_limits* limits_at(std::span<const operand_limits> all, feature_level level) {
  const operand_limits* found = nullptr;
  for (const operand_limits& limits : all)
    if (limits.from <= level) found = &limits;
  return found;
}
constexpr const operand_limits* limits_at(const operand_info& operand, feature_level level) {
  return limits_at(operand.limits, level);
}

// Each operators/x.hpp specialises this for its desc, with the static members
//   name        DirectML's name without DML_OPERATOR_: "ARGMIN"
//   enumerator  the value in DML_OPERATOR_TYPE
//   operands    an array of operand_info in the order of the C structure, inputs before outputs
//   attributes  an array of attribute, one row<&desc::member>(name, companion) for each: the members of the C structure
//   policies    an array of attribute: goldml's own switches. With a policy in_place, in-place execution is permitted
//               if it is on
//   options     operator_options<desc>: what only some operators have
// Each is mandatory, and the options are given by name, so that a wrong name or signature does not compile. What a
// device may answer is in oracle::verdict_traits.
template <class Desc>
struct operator_traits;

template <class Desc>
struct operator_options;

// The first level that has the operator.
template <class Desc>
constexpr feature_level first_feature_level() {
  return operator_traits<Desc>::operands[0].limits.front().from;
}

// No attributes, or no policies.
inline constexpr std::array<attribute, 0> no_attributes{};

template <class Desc>
inline constexpr std::size_t operand_info_count = operator_traits<Desc>::operands.size();

// Whether an operand is an array of tensors, so that the number of tensors is known at run time only.
template <class Desc>
inline constexpr bool has_operand_array = [] {
  for (const operand_info& info : operator_traits<Desc>::operands)
    if (info.is_array()) return true;
  return false;
}();

// The number of rows of operands that are inputs.
template <class Desc>
inline constexpr std::size_t input_info_count = [] {
  std::size_t count = 0;
  for (const operand_info& info : operator_traits<Desc>::operands) count += info.role == operand_role::input ? 1 : 0;
  return count;
}();

// Whether a type is an operator's desc.
template <class Desc>
concept described = requires {
  operator_traits<Desc>::operands.size();
};

namespace detail {

// per_operand without its constraint, for members of operator_traits<Desc> itself: the constraint of a template of
// traits would depend on itself there (GCC 13 refuses that).
template <class Desc, class T>
using per_operand_unchecked =
    std::conditional_t<has_operand_array<Desc>, std::vector<T>, std::array<T, operand_info_count<Desc>>>;

}  // namespace detail

// One T per tensor of an operator, in the order of the C structure, with the tensors of an array in sequence.
template <described Desc, class T>
using per_operand = detail::per_operand_unchecked<Desc, T>;

// One operand per tensor, in the order of the C structure.
template <described Desc>
using operands_of = per_operand<Desc, operand>;

// What a desc and its inputs imply of an output; nullopt where they leave it open. The sizes may exceed the limits of a
// tensor: a rule refuses these.
struct implied_output {
  std::optional<wide_sizes> sizes = std::nullopt;
  std::optional<goldml::data_type> data_type = std::nullopt;
};

// What an operator has beside its description, if the description is not sufficient. A null function is absent.
template <class Desc>
struct operator_options {
  using operands = detail::per_operand_unchecked<Desc, operand>;

  // Another name of DirectML's, without DML_OPERATOR_.
  std::string_view alias = "";
  // Rules on an attribute that selects what the tensors may be, or how many, before T1..T10. Nothing else is reported
  // if one is broken, and no tensor is looked at.
  void (*check_function)(const Desc& desc, const operands& t, const rule_report& report) = nullptr;
  // The limits of an operand, if they depend on that attribute; those of `operands` then have what any value of it
  // takes.
  std::span<const operand_limits> (*limits_of)(const Desc& desc, std::size_t operand) = nullptr;
  // What is implied of an output, by its row, beyond the rows same_data_type_as and same_sizes_as. All operands but
  // optional ones have a desc, and only the inputs' are looked at. Any desc and inputs are safe; if they break a rule,
  // the result is nullopt or sizes with which that rule is reported.
  implied_output (*implied)(const Desc& desc, const operands& t, std::size_t output) = nullptr;
  // Rules on attributes, before those that compare operands.
  void (*check_attributes)(const Desc& desc, const operands& t, const rule_report& report) = nullptr;
  // Rules that come after those that compare operands.
  void (*check_rules)(const Desc& desc, const operands& t, const rule_report& report) = nullptr;
  // The rules on the values of the indices, which are the second input, for an input of these sizes. The kernels call
  // it before their first write.
  std::optional<violation> (*check_indices)(const Desc& desc, const dimensions& input,
                                            const basic_tensor_ref<const void>& indices) = nullptr;
  // What a valid call does (core/work.hpp); absent: it reads or writes each element once.
  work_counts (*work)(const Desc& desc, const operands& t) = nullptr;
  // What a valid call allocates; absent: nothing of note.
  scratch_memory (*scratch)(const Desc& desc, const operands& t) = nullptr;
  bool in_place = false;  // the page permits in-place execution
  bool moves = false;     // elements are moved bit by bit, not computed
  // The golden answer is the only one, apart from what a device may do with subnormals. An operator that is not exact
  // has verdicts (oracle/verdict_traits.hpp).
  bool exact = false;
};

// The limits of an operand of a call.
template <class Desc>
constexpr std::span<const operand_limits> limits_of(const Desc& desc, std::size_t operand) {
  if constexpr (operator_traits<Desc>::options.limits_of != nullptr)
    return operator_traits<Desc>::options.limits_of(desc, operand);
  else
    return operator_traits<Desc>::operands[operand].limits;
}

// The operand of a tensor: the index of its row, and its number in an array of tensors (otherwise 0).
struct operand_place {
  std::size_t info;
  std::size_t element;
};

// The number of tensors of row `info` if the operator has `tensors` in total. At most one row is an array.
constexpr std::size_t tensor_count(std::span<const operand_info> infos, std::size_t info, std::size_t tensors) {
  return infos[info].is_array() ? tensors + 1 - infos.size() : 1;
}

// The number of the first tensor of row `info`.
constexpr std::size_t first_tensor(std::span<const operand_info> infos, std::size_t info, std::size_t tensors) {
  std::size_t first = 0;
  for (std::size_t i = 0; i < info; ++i) first += tensor_count(infos, i, tensors);
  return first;
}

constexpr operand_place place_of_tensor(std::span<const operand_info> infos, std::size_t tensor, std::size_t tensors) {
  std::size_t info = 0;
  for (; info + 1 < infos.size(); ++info) {
    const std::size_t count = tensor_count(infos, info, tensors);
    if (tensor < count) break;
    tensor -= count;
  }
  return {info, tensor};
}

// The error for a call with other numbers of tensors than the operator has.
inline std::invalid_argument wrong_operand_count(std::string_view name, std::span<const operand_info> infos,
                                                 std::size_t inputs, std::size_t outputs) {
  // Without fmt::format(), whose checks of patterns every unit would compile.
  std::string text = "goldml: ";
  text.append(name).append(": got ").append(std::to_string(inputs)).append(" inputs and ");
  text.append(std::to_string(outputs)).append(" outputs, wanted ");
  for (const operand_info& info : infos)
    text.append(&info == infos.data() ? "" : ", ").append(info.is_array() ? "an array " : "").append(info.name);
  return std::invalid_argument(text);
}

// The number of inputs among an operator's `tensors`.
template <class Desc>
constexpr std::size_t input_tensor_count(std::size_t tensors) {
  return first_tensor(operator_traits<Desc>::operands, input_info_count<Desc>, tensors);
}

// Whether `type` is one that the operand takes at some level.
template <class Desc>
constexpr bool ever_takes(std::size_t operand, data_type type) {
  for (const operand_limits& limits : operator_traits<Desc>::operands[operand].limits)
    if (limits.data_types.contains(type)) return true;
  return false;
}

}  // namespace goldml
