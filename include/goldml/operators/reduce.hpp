// REDUCE: reduces the input along one or more axes by a function. Feature level 1_0. Page: DML_REDUCE_OPERATOR_DESC.
// Rules: RE1..RE9. Rulings: ledger L66, and those of ARGMIN. Shared code: arg_reduce.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <goldml/core/compiled.hpp>
#include <goldml/core/work.hpp>
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
  static constexpr auto values =
      enumerators<reduce_function>("ARGMAX", "ARGMIN", "AVERAGE", "L1", "L2", "LOG_SUM", "LOG_SUM_EXP", "MAX", "MIN",
                                   "MULTIPLY", "SUM", "SUM_SQUARE");
};

// A desc must name its function: there is no default (RE1).
inline constexpr auto no_reduce_function = static_cast<reduce_function>(0x7FFF'FFFF);

struct reduce_desc {
  reduce_function function = no_reduce_function;  // required
  dimensions axes = {};  // distinct, each below DimensionCount, in any order (ledger 7.3); if empty, slices of one
  goldml::nan_policy nan_policy = goldml::nan_policy::skip;  // of ARGMIN, ARGMAX, MIN and MAX
  goldml::empty_axes empty_axes = goldml::empty_axes::allow;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

namespace detail {

constexpr bool selects_extreme(const reduce_desc& desc) {
  return desc.function == reduce_function::min || desc.function == reduce_function::max;
}

// What the tensors of each function may be. F: floats; I: also 32-bit integers; L: also 64-bit integers.
namespace reduce_limits {
inline constexpr data_type_set f{data_type::float32, data_type::float16};
inline constexpr data_type_set fi{data_type::float32, data_type::float16, data_type::int32, data_type::uint32};
inline constexpr data_type_set fil{data_type::float32, data_type::float16, data_type::int32,
                                   data_type::uint32,  data_type::int64,   data_type::uint64};
using enum feature_level;
inline constexpr std::array<operand_limits, 4> index_input{{{level_1_0, f, 4, 4},
                                                            {level_2_1, data_types_a8, 4, 4},
                                                            {level_3_0, data_types_a8, 1, 8},
                                                            {level_4_1, data_types_a10, 1, 8}}};
inline constexpr std::array<operand_limits, 2> index_output{
    {{level_1_0, {data_type::uint32}, 4, 4}, {level_3_0, data_types_ix, 1, 8}}};
inline constexpr std::array<operand_limits, 2> floats{{{level_1_0, f, 4, 4}, {level_3_0, f, 1, 8}}};
inline constexpr std::array<operand_limits, 3> magnitudes{
    {{level_1_0, f, 4, 4}, {level_3_0, f, 1, 8}, {level_5_0, fil, 1, 8}}};
inline constexpr std::array<operand_limits, 4> extremes{
    {{level_1_0, f, 4, 4}, {level_2_1, fi, 4, 4}, {level_3_0, data_types_a8, 1, 8}, {level_5_0, data_types_a10, 1, 8}}};
inline constexpr std::array<operand_limits, 4> sums{
    {{level_1_0, f, 4, 4}, {level_2_1, fi, 4, 4}, {level_3_0, fi, 1, 8}, {level_5_0, fil, 1, 8}}};
// What some function takes.
inline constexpr std::array<operand_limits, 3> any_output{
    {{level_1_0, {data_type::float32, data_type::float16, data_type::uint32}, 4, 4},
     {level_2_1, fi, 4, 4},
     {level_3_0, data_types_a10, 1, 8}}};
}  // namespace reduce_limits

}  // namespace detail

template <>
struct operator_traits<reduce_desc> : detail::arg_reduce_traits<reduce_desc> {
  using base = detail::arg_reduce_traits<reduce_desc>;
  static constexpr std::string_view name = "REDUCE";
  static constexpr std::uint32_t enumerator = 55;

  static constexpr detail::arg_reduce_codes codes{"RE3", "RE4", "RE5", "RE6", "RE7", "RE8", "", "RE9"};
  static constexpr std::array operands =
      operands_with(codes, detail::reduce_limits::index_input, detail::reduce_limits::any_output);
  static constexpr bool gives_index(const reduce_desc& desc) {
    return desc.function == reduce_function::argmin || desc.function == reduce_function::argmax;
  }
  static constexpr std::span<const operand_limits> limits_of(const reduce_desc& desc, std::size_t operand) {
    namespace limits = detail::reduce_limits;
    switch (desc.function) {
      case reduce_function::argmin:
      case reduce_function::argmax:
        if (operand == 0) return limits::index_input;
        return limits::index_output;
      case reduce_function::l1:
      case reduce_function::sum_square:
        return limits::magnitudes;
      case reduce_function::min:
      case reduce_function::max:
        return limits::extremes;
      case reduce_function::sum:
      case reduce_function::multiply:
        return limits::sums;
      default:
        return limits::floats;
    }
  }

  static constexpr std::array attributes{row<&reduce_desc::function>("Function").enumerator("RE1"),
                                         row<&reduce_desc::axes>("Axes", "AxisCount")};
  static constexpr std::array policies{
      row<&reduce_desc::nan_policy>("nan_policy"), row<&reduce_desc::empty_axes>("empty_axes"),
      row<&reduce_desc::accumulation>("accumulation"), row<&reduce_desc::same_resource>("same_resource")};

  static implied_output implied(const reduce_desc& desc, const std::array<operand, 2>& t, std::size_t output) {
    implied_output result = base::implied(desc, t, output);
    if (!gives_index(desc)) result.data_type = t[0].desc->data_type;
    return result;
  }

  // RE1. The function selects the data types of the tensors.
  static void check_function(const reduce_desc& desc, const std::array<operand, 2>&, const rule_report& report) {
    if (desc.function == no_reduce_function)
      report("RE1", "", "Function", violation_text("not given"), violation_text("0 to 11"));
    else
      detail::check_enumerator(attributes[0], desc.function, report);
  }

  // RE6, RE7, RE8, RE2.
  static void check_attributes(const reduce_desc& desc, const std::array<operand, 2>& t, const rule_report& report) {
    base::check_attributes(desc, t, report);
    const auto& [input, output] = t;
    if (!gives_index(desc) && input.legal && output.legal && input.desc->data_type != output.desc->data_type)
      report("RE2", "OutputTensor", "DataType", violation_text("{}", name_of(output.desc->data_type)),
             violation_text("{}", name_of(input.desc->data_type)), violation_text("the input's"));
  }

  // The functions of floats but the extremes have a term for each element, and a result for each slice.
  static work_counts work(const reduce_desc& desc, const std::array<operand, 2>& t) {
    const std::uint64_t elements = element_count(t[0].desc->sizes), slices = element_count(t[1].desc->sizes);
    work_counts total{.elements = element_count_of(t)};
    const data_type type = t[1].desc->data_type;
    if (gives_index(desc) || (type != data_type::float32 && type != data_type::float16)) return total;
    if (detail::selects_extreme(desc)) {
      total.judged = saturating_multiply(2, slices);
      return total;
    }
    const bool divides = desc.function == reduce_function::average;  // as long as three results
    const bool is_product = desc.function == reduce_function::multiply;
    const bool is_logarithm =
        desc.function == reduce_function::log_sum || desc.function == reduce_function::log_sum_exp;
    total.terms = saturating_multiply(is_product ? 2 : 1, elements);
    total.results = saturating_multiply(divides ? 3 : 1, slices);
    total.judged = slices;
    if (is_logarithm) total.functions = saturating_multiply(4, slices);
    if (desc.function == reduce_function::log_sum_exp) total.functions = saturating_add(total.functions, elements);
    return total;
  }
  // A slice, also as doubles.
  static scratch_memory scratch(const reduce_desc& desc, const std::array<operand, 2>& t) {
    if (gives_index(desc)) return {};
    std::uint64_t slice = 1;
    for (const std::uint32_t axis : desc.axes) slice = saturating_multiply(slice, t[0].desc->sizes[axis]);
    const std::uint64_t size = element_size_in_bytes(t[0].desc->data_type);
    return {.reference = saturating_multiply(slice, sizeof(double) + size),
            .cpu_thread = saturating_multiply(slice, sizeof(double))};
  }

  static constexpr operator_options<reduce_desc> options{.check_function = &check_function,
                                                         .limits_of = &limits_of,
                                                         .implied = &implied,
                                                         .check_attributes = &check_attributes,
                                                         .check_rules = &check_rules,
                                                         .work = &work,
                                                         .scratch = &scratch};
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

// The kernel of REDUCE with ARGMIN and ARGMAX, on a backend that has these operators.
template <class Backend>
void reduce_by_arg_reduce(const Backend& backend, std::span<const const_tensor_ref> inputs,
                          std::span<const tensor_ref> outputs, const reduce_desc& desc) {
  if (desc.function == reduce_function::argmin)
    evaluate(backend, as_arg_reduce<argmin_desc>(desc), inputs, outputs);
  else
    evaluate(backend, as_arg_reduce<argmax_desc>(desc), inputs, outputs);
}

}  // namespace detail

// output[o] = the function of the slice of o: of the elements whose coordinates equal o on all axes not reduced.
//   ARGMIN, ARGMAX  the index of the least or greatest element, the first of equals
//   AVERAGE, L1, L2, LOG_SUM, LOG_SUM_EXP, SUM, SUM_SQUARE, MULTIPLY
//                   the exact result rounded once; of integers, modulo 2^bits
//   MIN, MAX        an element
// The output has the input's sizes with 1 on the reduced axes; and the input's data type, or of ARGMIN and ARGMAX
// UINT32, from level 3_0 on also INT64, INT32 or UINT64. Throws error (T1..T12, RE1..RE9), with the output unchanged.
template <class Backend, input_argument Input, output_argument Output>
void reduce(const Backend& backend, const Input& input, Output&& output, const reduce_desc& desc) {
  static_assert(detail::takes<reduce_desc, 0, input_view<Input>>,
                "goldml REDUCE T3: InputTensor takes 8- to 32-bit types and 64-bit integers, never FLOAT64");
  static_assert(detail::takes<reduce_desc, 1, output_view<Output>>,
                "goldml REDUCE T3: OutputTensor takes 8- to 32-bit types and 64-bit integers, never FLOAT64");
  detail::call(backend, desc, std::tuple(detail::as_input(input)),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same, returning the output. Its type is the input's, unless it is given: reduce<std::uint32_t>(...) for indices.
template <class Output = void, class Backend, class T>
[[nodiscard]] auto reduce(const Backend& backend, const tensor<T>& input, const reduce_desc& desc) {
  tensor<std::conditional_t<std::is_void_v<Output>, T, Output>> output(sizes_after_reduction(input.sizes(), desc.axes));
  reduce(backend, input, output, desc);
  return output;
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(reduce_desc);
