// The data types and sizes of outputs that a desc and its inputs imply: from the rows same_data_type_as and
// same_sizes_as, from a data type that is the only one at the level, or by the operator (operator_options::implied).
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <goldml/core/operator_traits.hpp>
#include <goldml/core/tensor_rules.hpp>

namespace goldml {

namespace detail {

// Whether two operands must be alike in a property: the rows lead from both to the same operand.
constexpr bool are_alike(std::span<const operand_info> infos, std::size_t a, std::size_t b, same_as operand_info::*of) {
  const auto root = [&](std::size_t row) {
    while (infos[row].*of) row = (infos[row].*of).operand;
    return row;
  };
  return root(a) == root(b);
}

// Adds to `result` what the rows say. `limits` are those of the output; nullptr where the level lacks the operator.
inline void imply_by_rows(std::span<const operand_info> infos, const operand_limits* limits,
                          std::span<const operand> operands, std::size_t output, implied_output& result) {
  for (std::size_t row = 0; row < infos.size() && infos[row].role == operand_role::input; ++row) {
    const operand& input = operands[first_tensor(infos, row, operands.size())];
    if (tensor_count(infos, row, operands.size()) == 0 || !input.desc) continue;
    if (!result.data_type && are_alike(infos, row, output, &operand_info::same_data_type_as))
      result.data_type = input.desc->data_type;
    if (!result.sizes && are_alike(infos, row, output, &operand_info::same_sizes_as)) result.sizes = input.desc->sizes;
  }
  if (!result.data_type && limits != nullptr) result.data_type = limits->data_types.only();
}

}  // namespace detail

// An output for check() of a desc with its inputs alone: the rules do not concern it.
inline operand open_output() {
  operand result;
  result.desc.emplace();  // it is given, as far as it is optional
  result.open = true;
  return result;
}

// What is implied of an output, by its row. All operands but optional ones have a desc; only the inputs' are used.
template <class Desc>
implied_output implied(const Desc& desc, const operands_of<Desc>& operands, std::size_t output) {
  using traits = operator_traits<Desc>;
  implied_output result;
  if constexpr (traits::options.implied != nullptr) result = traits::options.implied(desc, operands, output);
  detail::imply_by_rows(traits::operands, limits_at(limits_of(desc, output), desc.feature_level), operands, output,
                        result);
  return result;
}

}  // namespace goldml
