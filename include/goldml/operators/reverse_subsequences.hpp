// REVERSE_SUBSEQUENCES: reverses the first elements of each sequence along an axis; a second tensor says how many.
// Feature level 2_1. Page: DML_REVERSE_SUBSEQUENCES_OPERATOR_DESC. Rules: RS1..RS7. Ruling: ledger L64.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/policies.hpp>

namespace goldml {

struct reverse_subsequences_desc {
  std::uint32_t axis = 0;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct operator_traits<reverse_subsequences_desc> {
  static constexpr std::string_view name = "REVERSE_SUBSEQUENCES";
  static constexpr std::uint32_t enumerator = 106;

  static constexpr std::array<operand_limits, 4> data_limits{{{feature_level::level_2_1, data_types_a8, 4, 4},
                                                              {feature_level::level_3_0, data_types_a8, 4, 5},
                                                              {feature_level::level_4_0, data_types_a8, 1, 8},
                                                              {feature_level::level_5_0, data_types_a11, 1, 8}}};
  static constexpr std::array<operand_limits, 4> lengths_limits{
      {{feature_level::level_2_1, {data_type::uint32}, 4, 4},
       {feature_level::level_3_0, {data_type::uint32}, 4, 5},
       {feature_level::level_4_0, {data_type::uint32}, 1, 8},
       {feature_level::level_5_0, {data_type::uint64, data_type::uint32}, 1, 8}}};
  static constexpr std::array<operand_info, 3> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = data_limits},
       {.name = "SequenceLengthsTensor",
        .role = operand_role::input,
        .limits = lengths_limits,
        .same_rank_as = {"RS1", 0}},
       {.name = "OutputTensor",
        .role = operand_role::output,
        .limits = data_limits,
        .same_data_type_as = {"RS2", 0},
        .same_rank_as = {"RS1", 0}}}};

  static constexpr std::array attributes{row<&reverse_subsequences_desc::axis>("Axis").axis_of(0, "RS3")};
  static constexpr std::array policies{row<&reverse_subsequences_desc::same_resource>("same_resource")};

  static implied_output implied(const reverse_subsequences_desc&, const std::array<operand, 3>& t, std::size_t) {
    return {.sizes = t[0].desc->sizes};
  }

  static void check_rules(const reverse_subsequences_desc& desc, const std::array<operand, 3>& t,
                          const rule_report& report) {
    const auto& [input, lengths, output] = t;
    if (!input.legal) return;
    const dimensions& sizes = input.desc->sizes;
    if (detail::check_axis(attributes[0], desc.axis, sizes.size(), report) && lengths.legal &&
        lengths.desc->sizes.size() == sizes.size())
      check_lengths(desc.axis, sizes, lengths.desc->sizes, report);
    detail::check_likeness({{"RS6", 0}, detail::likeness::sizes, 2}, output, input, operands[2], operands[0], report);
  }

  static constexpr operator_options<reverse_subsequences_desc> options{
      .implied = &implied, .check_rules = &check_rules, .moves = true, .exact = true};

 private:
  // RS4, RS5.
  static void check_lengths(std::uint32_t axis, const dimensions& input, const dimensions& lengths,
                            const rule_report& report) {
    if (lengths[axis] != 1)
      report("RS4", "SequenceLengthsTensor", "Sizes", violation_text("{}", lengths[axis]), violation_text("1"),
             violation_text("Sizes {}, Axis {}", lengths, axis), axis);
    for (std::size_t i = 0; i < input.size(); ++i)
      if (i != axis && lengths[i] != input[i])
        report("RS5", "SequenceLengthsTensor", "Sizes", violation_text("{}", lengths[i]),
               violation_text("{}", input[i]), violation_text("the input's; only Axis {} differs", axis), i);
  }
};

// The position along the axis, which has `size` elements, from which the output's element at `position` is copied.
// `length` is the sequence's. Not truncated to 32 bits: a length of 2^32 is the whole sequence.
constexpr std::uint64_t reversed_position(std::uint64_t position, std::uint64_t length, std::uint64_t size) {
  const std::uint64_t reversed = (std::min)(length, size);
  return position < reversed ? reversed - 1 - position : position;
}

// With i = c[axis] and L = the length of the sequence of c, at most the size of the axis:
// output[c] = i < L ? the input's element at c with L - 1 - i on the axis : input[c].
//   input    any sizes, every type
//   lengths  the input's sizes with 1 on the axis; UINT64 or UINT32
//   output   the input's sizes and type
// Copies bits. Throws error (T1..T12, RS1..RS6), with the output unchanged.
template <class Backend, input_argument Input, input_argument Lengths, output_argument Output>
void reverse_subsequences(const Backend& backend, const Input& input, const Lengths& lengths, Output&& output,
                          const reverse_subsequences_desc& desc) {
  static_assert(detail::takes<reverse_subsequences_desc, 1, input_view<Lengths>>,
                "goldml REVERSE_SUBSEQUENCES T3 (RS7): SequenceLengthsTensor takes UINT64 or UINT32");
  static_assert(
      detail::alike_types<reverse_subsequences_desc, input_view<Input>, input_view<Lengths>, output_view<Output>>,
      "goldml REVERSE_SUBSEQUENCES RS2: InputTensor and OutputTensor have the same data type");
  detail::call(backend, desc, std::tuple(detail::as_input(input), detail::as_input(lengths)),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same, returning the output.
template <class Backend, class T, class Length>
[[nodiscard]] tensor<T> reverse_subsequences(const Backend& backend, const tensor<T>& input,
                                             const tensor<Length>& lengths, const reverse_subsequences_desc& desc) {
  tensor<T> output(input.sizes());
  reverse_subsequences(backend, input, lengths, output, desc);
  return output;
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(reverse_subsequences_desc);
