// FILL_VALUE_SEQUENCE: sets the elements of the output to start, start + delta, start + 2 * delta, and so on. Feature
// level 2_1. Page: DML_FILL_VALUE_SEQUENCE_OPERATOR_DESC. Rule: FS1. Ruling: ledger L65.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/scalar.hpp>
#include <goldml/core/scalar_rules.hpp>

namespace goldml {

// Ledger L65: how an element of a sequence of floats is computed.
enum class sequence {
  multiply,    // start + number * delta, rounded once
  accumulate,  // the element before + delta, rounded
};
template <>
struct enumeration<sequence> : policy_enumeration {
  static constexpr auto values = enumerators<sequence>("multiply", "accumulate");
};

struct fill_value_sequence_desc {
  scalar value_start = {};  // of the output's data type; if omitted, zero
  scalar value_delta = {};  // the same
  goldml::sequence sequence = goldml::sequence::multiply;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct operator_traits<fill_value_sequence_desc> {
  static constexpr std::string_view name = "FILL_VALUE_SEQUENCE";
  static constexpr std::uint32_t enumerator = 104;

  static constexpr std::array<operand_limits, 3> limits{{{feature_level::level_2_1, data_types_a8, 4, 4},
                                                         {feature_level::level_4_0, data_types_a8, 1, 8},
                                                         {feature_level::level_5_0, data_types_a10, 1, 8}}};
  static constexpr std::array<operand_info, 1> operands{
      {{.name = "OutputTensor", .role = operand_role::output, .limits = limits}}};

  static constexpr std::array attributes{row<&fill_value_sequence_desc::value_start>("ValueStart", "ValueDataType"),
                                         row<&fill_value_sequence_desc::value_delta>("ValueDelta", "ValueDataType")};
  static constexpr std::array policies{row<&fill_value_sequence_desc::sequence>("sequence")};

  static void check_rules(const fill_value_sequence_desc& desc, const operands_of<fill_value_sequence_desc>& t,
                          const rule_report& report) {
    if (!t[0].legal) return;
    // The two share ValueDataType, so one violation is reported.
    if (desc.value_start.type() && desc.value_start.type() != t[0].desc->data_type)
      detail::check_value_type("FS1", "ValueDataType", "value_start", desc.value_start, t[0], report);
    else
      detail::check_value_type("FS1", "ValueDataType", "value_delta", desc.value_delta, t[0], report);
  }

  static work_counts work(const fill_value_sequence_desc&, const operands_of<fill_value_sequence_desc>& t) {
    const std::uint64_t elements = element_count(t[0].desc->sizes);
    return {.elements = elements, .terms = elements, .judged = elements};
  }

  static constexpr operator_options<fill_value_sequence_desc> options{.check_rules = &check_rules, .work = &work};
};

// With g the number of c in row-major order:
//   integers: output[c] = start + g * delta modulo 2^bits
//   floats:   output[c] = start + g * delta, the exact number rounded once; start itself for g = 0
// With the policy `sequence` `accumulate`, floats are the element before plus delta, rounded. Throws error (T1..T12,
// FS1), with the output unchanged.
template <class Backend, output_argument Output>
void fill_value_sequence(const Backend& backend, Output&& output, const fill_value_sequence_desc& desc) {
  detail::call(backend, desc, std::tuple<>(), std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same, returning the output: fill_value_sequence<std::int32_t>(cpu, {2, 3}, {.value_start = 1, .value_delta = 2}).
template <element T, class Backend>
[[nodiscard]] tensor<T> fill_value_sequence(const Backend& backend, const dimensions& sizes,
                                            const fill_value_sequence_desc& desc) {
  tensor<T> output(sizes);
  fill_value_sequence(backend, output, desc);
  return output;
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(fill_value_sequence_desc);
