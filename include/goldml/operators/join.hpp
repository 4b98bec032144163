// JOIN: the inputs one after the other along an axis. Feature level 1_0.
// Page: DML_JOIN_OPERATOR_DESC. Rules: JO1..JO6. Ruling: ledger L30.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/operators/parts.hpp>

namespace goldml {

struct join_desc {
  std::uint32_t axis = 0;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct operator_traits<join_desc> {
  static constexpr std::string_view name = "JOIN";
  static constexpr std::uint32_t enumerator = 63;

  static constexpr std::array<operand_limits, 5> limits{{{feature_level::level_1_0, data_types_a6, 4, 4},
                                                         {feature_level::level_2_1, data_types_a8, 4, 4},
                                                         {feature_level::level_3_0, data_types_a8, 4, 5},
                                                         {feature_level::level_3_1, data_types_a8, 1, 8},
                                                         {feature_level::level_4_1, data_types_a11, 1, 8}}};
  static constexpr std::array<operand_info, 2> operands{
      {{.name = "InputTensors",
        .role = operand_role::input,
        .limits = limits,
        .count = "InputCount",
        .same_data_type_as = {"JO1", 1},
        .same_rank_as = {"JO2", 1}},
       {.name = "OutputTensor", .role = operand_role::output, .limits = limits}}};

  static constexpr std::array attributes{row<&join_desc::axis>("Axis").axis_of(1, "JO5")};
  static constexpr std::array policies{row<&join_desc::same_resource>("same_resource")};

  static implied_output implied(const join_desc& desc, const operands_of<join_desc>& t, std::size_t) {
    wide_sizes sizes = t.size() == 1 ? dimensions{1} : t[0].desc->sizes;  // JO4
    for (std::size_t i = 1; desc.axis < sizes.size() && i + 1 < t.size(); ++i)
      if (desc.axis < t[i].desc->sizes.size()) sizes[desc.axis] += t[i].desc->sizes[desc.axis];
    return {.sizes = sizes};
  }

  static void check_rules(const join_desc& desc, const operands_of<join_desc>& t, const rule_report& report) {
    detail::check_parts({.sizes = "JO3", .count = "JO4", .sum = "JO6"}, attributes[0], desc.axis,
                        std::span(t).first(t.size() - 1), operands[0], t.back(), operands[1], report);
  }

  static constexpr operator_options<join_desc> options{
      .implied = &implied, .check_rules = &check_rules, .moves = true, .exact = true};
};

// The inputs in their order along the axis.
//   inputs  1 or more; every type; inputs may share memory with one another
//   output  the inputs' type and DimensionCount; its size on the axis is the sum of the inputs', the others are theirs
// Copies bits. Throws error (T1..T12, JO1..JO6), with the output unchanged.
template <class Backend, output_argument Output>
void join(const Backend& backend, std::span<const const_tensor_ref> inputs, Output&& output, const join_desc& desc) {
  const std::array<tensor_ref, 1> outputs{tensor_ref(detail::as_output(std::forward<Output>(output)))};
  evaluate(backend, desc, inputs, std::span<const tensor_ref>(outputs));
}

// The same with owning tensors, returning the output.
template <class Backend, class T>
[[nodiscard]] tensor<T> join(const Backend& backend, const std::vector<tensor<T>>& inputs, const join_desc& desc) {
  tensor<T> output = detail::new_output<T>(desc, inputs);
  std::vector<const_tensor_ref> refs;
  for (const tensor<T>& input : inputs) refs.emplace_back(input.view());
  join(backend, std::span<const const_tensor_ref>(refs), output, desc);
  return output;
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(join_desc);
