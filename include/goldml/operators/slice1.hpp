// SLICE1: copies elements of a window of the input, with steps that may be negative. Feature level 2_1.
// Page: DML_SLICE1_OPERATOR_DESC. Rules: SL1, SL2 and SL4..SL8. Rulings: ledger L19.
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
#include <goldml/operators/slice_windows.hpp>

namespace goldml {

// Each list has one entry per dimension.
struct slice1_desc {
  dimensions input_window_offsets = {};  // of the window's first element
  dimensions input_window_sizes = {};    // in elements of the input, not of the output
  // Never 0, but with zero_stride::repeat; negative: from the window's last element downwards.
  int32_list input_window_strides = {};
  goldml::zero_stride zero_stride = goldml::zero_stride::refuse;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct operator_traits<slice1_desc> {
  static constexpr std::string_view name = "SLICE1";
  static constexpr std::uint32_t enumerator = 111;
  static constexpr detail::window_codes codes{.stride = "SL5", .end = "SL7", .size = "SL8"};

  static constexpr std::array<operand_limits, 3> limits{{{feature_level::level_2_1, data_types_a8, 4, 5},
                                                         {feature_level::level_3_0, data_types_a8, 1, 8},
                                                         {feature_level::level_4_1, data_types_a11, 1, 8}}};
  static constexpr std::array<operand_info, 2> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = limits},
       {.name = "OutputTensor",
        .role = operand_role::output,
        .limits = limits,
        .same_data_type_as = {"SL1", 0},
        .same_rank_as = {"SL2", 0}}}};

  static constexpr auto attributes = detail::window_rows<slice1_desc>("SL4", "SL6");
  static constexpr std::array policies{row<&slice1_desc::zero_stride>("zero_stride"),
                                       row<&slice1_desc::same_resource>("same_resource")};

  static void check_rules(const slice1_desc& desc, const operands_of<slice1_desc>& t, const rule_report& report) {
    const auto& [input, output] = t;
    detail::check_windows(codes, desc, input, input, "the input's", output, operands[1], report,
                          desc.zero_stride == zero_stride::repeat);
  }

  static constexpr operator_options<slice1_desc> options{.check_rules = &check_rules, .moves = true, .exact = true};
};

// output[c] = input[start + stride * c], where start is the first element of the window or, for a negative stride, the
// last.
//   input   1 to 8 dimensions; every type
//   output  the input's type and DimensionCount; each size at most 1 + (window - 1) / |stride|
// Copies bits. Throws error (T1..T12, SL1, SL2, SL4..SL8), with the output unchanged.
template <class Backend, input_argument Input, output_argument Output>
void slice1(const Backend& backend, const Input& input, Output&& output, const slice1_desc& desc) {
  static_assert(detail::alike_types<slice1_desc, input_view<Input>, output_view<Output>>,
                "goldml SLICE1 SL1: InputTensor and OutputTensor have the same data type");
  detail::call(backend, desc, std::tuple(detail::as_input(input)),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same, returning the output, which has the largest sizes that the windows allow.
template <class Backend, class T>
[[nodiscard]] tensor<T> slice1(const Backend& backend, const tensor<T>& input, const slice1_desc& desc) {
  const dimensions& windows = desc.input_window_sizes;
  const int32_list& strides = desc.input_window_strides;
  dimensions sizes = input.sizes();  // never exceeded, so that an invalid desc is refused without a large allocation
  for (std::size_t i = 0; i < sizes.size() && i < windows.size() && i < strides.size(); ++i)
    if (windows[i] != 0 && strides[i] != 0)
      sizes[i] =
          static_cast<std::uint32_t>((std::min<std::uint64_t>)(sizes[i], slice1_most_elements(windows[i], strides[i])));
  tensor<T> output(sizes);
  slice1(backend, input, output, desc);
  return output;
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(slice1_desc);
