// ARGMAX: the index of the greatest value along one or more axes. Feature level 3_0.
// Page: DML_ARGMAX_OPERATOR_DESC. Rules: AX1..AX10. Code shared with ARGMIN: arg_reduce.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/core/compiled.hpp>
#include <goldml/operators/arg_reduce.hpp>

namespace goldml {

struct argmax_desc {
  dimensions axes = {};  // distinct, each below DimensionCount, in any order (ledger 7.3); if empty, every index is 0
  goldml::axis_direction axis_direction = goldml::axis_direction::increasing;
  goldml::nan_policy nan_policy = goldml::nan_policy::skip;
  goldml::empty_axes empty_axes = goldml::empty_axes::allow;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct operator_traits<argmax_desc> : detail::directed_arg_reduce_traits<argmax_desc> {
  static constexpr std::string_view name = "ARGMAX";
  static constexpr std::uint32_t enumerator = 138;
  static constexpr detail::arg_reduce_codes codes{"AX1", "AX2", "AX3", "AX4", "AX5", "AX6", "AX8", "AX10"};
  static constexpr std::array operands = operands_with(codes, input_limits, output_limits);

  static constexpr operator_options<argmax_desc> options{
      .implied = &implied, .check_attributes = &check_attributes, .check_rules = &check_rules};
};

// output[o] = the index of the greatest element of the slice of o: the input elements whose coordinates equal o on all
// axes that are not reduced. The index is row-major over the reduced axes in ascending order.
//   input   any sizes; 8- to 32-bit types, 64-bit integers from level 4_1 on
//   output  the input's sizes with 1 on the reduced axes; INT64, INT32, UINT64 or UINT32
// Throws error (T1..T12, AX1..AX10), with the output unchanged.
template <class Backend, input_argument Input, output_argument Output>
void argmax(const Backend& backend, const Input& input, Output&& output, const argmax_desc& desc) {
  static_assert(detail::takes<argmax_desc, 0, input_view<Input>>,
                "goldml ARGMAX T3: InputTensor takes 8- to 32-bit types and 64-bit integers, never FLOAT64");
  static_assert(detail::takes<argmax_desc, 1, output_view<Output>>,
                "goldml ARGMAX T3: OutputTensor takes INT64, INT32, UINT64 or UINT32");
  detail::call(backend, desc, std::tuple(detail::as_input(input)),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same, returning the output.
template <class Index = std::uint32_t, class Backend, class T>
[[nodiscard]] tensor<Index> argmax(const Backend& backend, const tensor<T>& input, const argmax_desc& desc) {
  tensor<Index> output(sizes_after_reduction(input.sizes(), desc.axes));
  argmax(backend, input, output, desc);
  return output;
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(argmax_desc);
