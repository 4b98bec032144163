// REDUCE: reduces the input along one or more axes by a function. Only ARGMIN and ARGMAX are computed. Feature level
// 1_0. Page: DML_REDUCE_OPERATOR_DESC. Rules: RE0..RE9. Rulings: ledger L66, and those of ARGMIN. Shared code:
// arg_reduce.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/operators/argmax.hpp>
#include <goldml/operators/argmin.hpp>

namespace goldml {

// DML_REDUCE_FUNCTION.
enum class reduce_function : std::uint32_t {
  argmax,
  argmin,
  average,
  l1,
  l2,
  log_sum,
  log_sum_exp,
  max,
  min,
  multiply,
  sum,
  sum_square,
};
template <>
struct enumeration<reduce_function> {
  static constexpr std::string_view prefix = "DML_REDUCE_FUNCTION_";
  static constexpr std::array<enumerator<reduce_function>, 12> values{{{reduce_function::argmax, "ARGMAX"},
                                                                       {reduce_function::argmin, "ARGMIN"},
                                                                       {reduce_function::average, "AVERAGE"},
                                                                       {reduce_function::l1, "L1"},
                                                                       {reduce_function::l2, "L2"},
                                                                       {reduce_function::log_sum, "LOG_SUM"},
                                                                       {reduce_function::log_sum_exp, "LOG_SUM_EXP"},
                                                                       {reduce_function::max, "MAX"},
                                                                       {reduce_function::min, "MIN"},
                                                                       {reduce_function::multiply, "MULTIPLY"},
                                                                       {reduce_function::sum, "SUM"},
                                                                       {reduce_function::sum_square, "SUM_SQUARE"}}};
};

struct reduce_desc {
  reduce_function function = reduce_function::argmax;
  dimensions axes = {};  // distinct, each below DimensionCount, in any order (ledger 7.3); if empty, every index is 0
  goldml::nan_policy nan_policy = goldml::nan_policy::skip;
  goldml::empty_axes empty_axes = goldml::empty_axes::allow;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct operator_traits<reduce_desc> : detail::arg_reduce_traits<reduce_desc> {
  static constexpr std::string_view name = "REDUCE";
  static constexpr std::uint32_t enumerator = 55;

  // Those of ARGMIN and ARGMAX; other functions have others.
  static constexpr std::array<operand_limits, 4> input_limits{{{feature_level::level_1_0, data_types_f, 4, 4},
                                                               {feature_level::level_2_1, data_types_a8, 4, 4},
                                                               {feature_level::level_3_0, data_types_a8, 1, 8},
                                                               {feature_level::level_4_1, data_types_a10, 1, 8}}};
  static constexpr std::array<operand_limits, 2> output_limits{
      {{feature_level::level_1_0, {data_type::uint32}, 4, 4}, {feature_level::level_3_0, data_types_ix, 1, 8}}};
  static constexpr detail::arg_reduce_codes codes{"RE3", "RE4", "RE5", "RE6", "RE7", "RE8", "", "RE9"};
  static constexpr std::array operands = operands_with(codes, input_limits, output_limits);

  static constexpr std::array attributes{row<&reduce_desc::function>("Function"),
                                         row<&reduce_desc::axes>("Axes", "AxisCount")};

  // RE1, RE0. The function selects the data types of the tensors.
  static void check_function(const reduce_desc& desc, const rule_report& report) {
    const auto number = static_cast<std::uint32_t>(desc.function);
    if (number >= enumeration<reduce_function>::values.size())
      report("RE1", "", "Function", violation_text("{}", number), violation_text("0 to 11"));
    else if (desc.function != reduce_function::argmin && desc.function != reduce_function::argmax)
      report("RE0", "", "Function", violation_text("{}", enumerator_name(desc.function)),
             violation_text("ARGMIN or ARGMAX"), violation_text("goldml does not compute the others yet"));
  }
};

namespace detail {

// The same call of ARGMIN or ARGMAX.
template <class Desc>
Desc as_arg_reduce(const reduce_desc& desc) {
  return {.axes = desc.axes,
          .nan_policy = desc.nan_policy,
          .empty_axes = desc.empty_axes,
          .same_resource = desc.same_resource};
}

// The kernel of REDUCE on a backend that has ARGMIN and ARGMAX.
template <class Backend>
void reduce_by_arg_reduce(const Backend& backend, std::span<const const_tensor_ref> inputs,
                          std::span<const tensor_ref> outputs, const reduce_desc& desc) {
  if (desc.function == reduce_function::argmin)
    evaluate(backend, as_arg_reduce<argmin_desc>(desc), inputs, outputs);
  else
    evaluate(backend, as_arg_reduce<argmax_desc>(desc), inputs, outputs);
}

}  // namespace detail

// ARGMIN, ARGMAX: output[o] = the index of the least or greatest element of the slice of o, the first of equals: what
// argmin() and argmax() give with axis_direction INCREASING. Other functions are not computed yet: RE0.
//   input   any sizes; FLOAT32, FLOAT16, from level 2_1 on 8- to 32-bit integers, from 4_1 on 64-bit integers
//   output  the input's sizes with 1 on the reduced axes; UINT32, from level 3_0 on INT64, INT32, UINT64 or UINT32
// Throws error (T1..T12, RE0..RE9), with the output unchanged.
template <class Backend, input_argument Input, output_argument Output>
void reduce(const Backend& backend, const Input& input, Output&& output, const reduce_desc& desc) {
  static_assert(detail::takes<reduce_desc, 0, input_view<Input>>,
                "goldml REDUCE T3: InputTensor takes 8- to 32-bit types and 64-bit integers, never FLOAT64");
  static_assert(detail::takes<reduce_desc, 1, output_view<Output>>,
                "goldml REDUCE T3: OutputTensor takes INT64, INT32, UINT64 or UINT32; functions other than ARGMIN and "
                "ARGMAX are not computed yet");
  detail::call(backend, desc, std::tuple(detail::as_input(input)),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same, returning the output.
template <class Index = std::uint32_t, class Backend, class T>
[[nodiscard]] tensor<Index> reduce(const Backend& backend, const tensor<T>& input, const reduce_desc& desc) {
  tensor<Index> output(sizes_after_reduction(input.sizes(), desc.axes));
  reduce(backend, input, output, desc);
  return output;
}

}  // namespace goldml

#ifdef GOLDML_COMPILED
namespace goldml {
// clang-format off
extern template void check<reduce_desc>(const reduce_desc&, operands_of<reduce_desc>&, violation_sink&);
extern template const operator_description& description_of<reduce_desc>();
// clang-format on
}  // namespace goldml
#endif
