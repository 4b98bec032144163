// SPLIT: cuts the input into outputs along an axis. Feature level 1_0.
// Page: DML_SPLIT_OPERATOR_DESC. Rules: SP1..SP6. Ruling: ledger L30.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/operators/parts.hpp>

namespace goldml {

struct split_desc {
  std::uint32_t axis = 0;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct operator_traits<split_desc> {
  static constexpr std::string_view name = "SPLIT";
  static constexpr std::uint32_t enumerator = 62;

  static constexpr std::array<operand_limits, 4> limits{{{feature_level::level_1_0, data_types_a6, 4, 4},
                                                         {feature_level::level_2_1, data_types_a8, 4, 4},
                                                         {feature_level::level_3_0, data_types_a8, 1, 8},
                                                         {feature_level::level_4_1, data_types_a11, 1, 8}}};
  static constexpr std::array<operand_info, 2> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = limits},
       {.name = "OutputTensors",
        .role = operand_role::output,
        .limits = limits,
        .count = "OutputCount",
        .same_data_type_as = {"SP1", 0},
        .same_rank_as = {"SP2", 0}}}};

  static constexpr std::array attributes{row<&split_desc::axis>("Axis").axis_of(0, "SP5")};
  static constexpr std::array policies{row<&split_desc::same_resource>("same_resource")};

  static void check_rules(const split_desc& desc, const operands_of<split_desc>& t, const rule_report& report) {
    detail::check_parts({.sizes = "SP3", .count = "SP4", .sum = "SP6"}, attributes[0], desc.axis,
                        std::span(t).subspan(1), operands[1], t.front(), operands[0], report);
  }

  static constexpr operator_options<split_desc> options{.check_rules = &check_rules, .moves = true, .exact = true};
};

// The input, cut into outputs along the axis.
//   input    every type
//   outputs  1 or more; the input's type and DimensionCount; their sizes on the axis add up to the input's, the others
//            are the input's
// Copies bits. Throws error (T1..T12, SP1..SP6), with the outputs unchanged.
template <class Backend, input_argument Input>
void split(const Backend& backend, const Input& input, std::span<const tensor_ref> outputs, const split_desc& desc) {
  const std::array<const_tensor_ref, 1> inputs{const_tensor_ref(detail::as_input(input))};
  evaluate(backend, desc, std::span<const const_tensor_ref>(inputs), outputs);
}

// The same with owning tensors, returning the outputs, whose sizes on the axis are `lengths`.
template <class Backend, class T>
[[nodiscard]] std::vector<tensor<T>> split(const Backend& backend, const tensor<T>& input,
                                           const std::vector<std::uint32_t>& lengths, const split_desc& desc) {
  std::vector<tensor_desc> descs(lengths.size(), {.data_type = data_type_of<T>, .sizes = input.sizes()});
  for (std::size_t i = 0; i < lengths.size(); ++i)
    if (desc.axis < input.sizes().size()) descs[i].sizes[desc.axis] = lengths[i];
  if (const auto broken = validate(desc, input, descs)) throw error(*broken);
  std::vector<tensor<T>> outputs;
  for (const tensor_desc& each : descs) outputs.emplace_back(each.sizes);
  std::vector<tensor_ref> refs;
  for (tensor<T>& output : outputs) refs.emplace_back(output.view());
  split(backend, input, std::span<const tensor_ref>(refs), desc);
  return outputs;
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(split_desc);
