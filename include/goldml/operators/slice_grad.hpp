// SLICE_GRAD: puts the input's elements where SLICE1 reads them, over zeros. Feature level 3_0.
// Page: DML_SLICE_GRAD_OPERATOR_DESC. Rules: SG1, SG2 and SG4..SG8. Rulings: ledger L19, L34.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/operators/slice_windows.hpp>

namespace goldml {

// Each list has one entry per dimension.
struct slice_grad_desc {
  dimensions input_window_offsets = {};  // of the window's first element, in the output
  dimensions input_window_sizes = {};    // in elements of the output
  int32_list input_window_strides = {};  // never 0; negative: from the window's last element downwards
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct operator_traits<slice_grad_desc> {
  static constexpr std::string_view name = "SLICE_GRAD";
  static constexpr std::uint32_t enumerator = 135;
  static constexpr detail::window_codes codes{.stride = "SG5", .end = "SG7", .size = "SG8"};

  static constexpr std::array<operand_limits, 3> limits{{{feature_level::level_3_0, data_types_a8, 4, 5},
                                                         {feature_level::level_3_1, data_types_a8, 1, 8},
                                                         {feature_level::level_4_1, data_types_a11, 1, 8}}};
  static constexpr std::array<operand_info, 2> operands{
      {{.name = "InputGradientTensor", .role = operand_role::input, .limits = limits},
       {.name = "OutputGradientTensor",
        .role = operand_role::output,
        .limits = limits,
        .same_data_type_as = {"SG1", 0},
        .same_rank_as = {"SG2", 0}}}};

  static constexpr auto attributes = detail::window_rows<slice_grad_desc>("SG4", "SG6");
  static constexpr std::array policies{row<&slice_grad_desc::same_resource>("same_resource")};

  static void check_rules(const slice_grad_desc& desc, const operands_of<slice_grad_desc>& t,
                          const rule_report& report) {
    const auto& [input, output] = t;
    detail::check_windows(codes, desc, input, output, "the output's", input, operands[0], report);
  }

  static constexpr operator_options<slice_grad_desc> options{.check_rules = &check_rules, .moves = true, .exact = true};
};

// output[start + stride * c] = input[c], where start is the first element of the window or, for a negative stride, the
// last; the other elements are +0.
//   input   1 to 8 dimensions; every type; each size at most 1 + (window - 1) / |stride|
//   output  the input's type and DimensionCount; the windows lie inside it
// Copies bits. Throws error (T1..T12, SG1, SG2, SG4..SG8), with the output unchanged.
template <class Backend, input_argument Input, output_argument Output>
void slice_grad(const Backend& backend, const Input& input, Output&& output, const slice_grad_desc& desc) {
  static_assert(detail::alike_types<slice_grad_desc, input_view<Input>, output_view<Output>>,
                "goldml SLICE_GRAD SG1: InputGradientTensor and OutputGradientTensor have the same data type");
  detail::call(backend, desc, std::tuple(detail::as_input(input)),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(slice_grad_desc);
