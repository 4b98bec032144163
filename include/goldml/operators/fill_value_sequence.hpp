// FILL_VALUE_SEQUENCE: sets the elements of the output to start, start + delta, start + 2 * delta, and so on. Feature
// level 2_1. Page: DML_FILL_VALUE_SEQUENCE_OPERATOR_DESC. Rule: FS1. Ruling: ledger L65.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/core/evaluate.hpp>
#include <goldml/core/scalar_rules.hpp>
#include <goldml/operators/fill_value_sequence_verdicts.hpp>

namespace goldml {

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

  static constexpr flushed_answer flush = flushed_answer::in_verdicts;
  static void verdicts(const fill_value_sequence_desc& desc, std::span<const const_tensor_ref>,
                       std::span<const tensor_ref> golden, std::span<output_verdicts> result) {
    visit_data_type(type_list<float, float16>{}, golden[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      detail::add_sequence_verdicts<T>(desc, result[0]);
    });
  }
  static void flushed_verdicts(const fill_value_sequence_desc& desc, std::span<const const_tensor_ref>,
                               std::span<const tensor_ref> flushed, std::span<output_verdicts> result) {
    if (flushed[0].desc().data_type == data_type::float32) detail::add_flushed_sequence(desc, result[0]);
  }
  // A byte per element and, of floats, an interval, or the sequence of a device that flushes.
  static std::uint64_t verdict_memory(const fill_value_sequence_desc&, const std::array<operand, 1>& t) {
    const data_type type = t[0].desc->data_type;
    const bool is_float = type == data_type::float32 || type == data_type::float16;
    return saturating_multiply(element_count(t[0].desc->sizes), is_float ? 1 + sizeof(interval) : 1);
  }
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

#ifdef GOLDML_COMPILED
namespace goldml {
// clang-format off
extern template void check<fill_value_sequence_desc>(const fill_value_sequence_desc&, operands_of<fill_value_sequence_desc>&, violation_sink&);
extern template const operator_description& description_of<fill_value_sequence_desc>();
// clang-format on
}  // namespace goldml
#endif
