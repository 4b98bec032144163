// ARGMIN: the index of the least value along one or more axes. Feature level 3_0.
// Page: DML_ARGMIN_OPERATOR_DESC. Its rules are A1..A11; rulings: ledger 7.1, 7.3, 7.4, 7.11.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <tuple>

#include <goldml/core/backend.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/verdict.hpp>

namespace goldml {

// DML_AXIS_DIRECTION: which of equal values wins, the first or the last.
enum class axis_direction : std::uint32_t { increasing = 0, decreasing = 1 };

// Ledger 7.1. skip: NaN is never the minimum while a number is there; a slice of NaN only is all ties.
// propagate (NumPy, ONNX Runtime): NaN orders below every number, and NaNs tie.
enum class nan_policy { skip, propagate };

struct argmin_desc {
  dimensions axes = {};  // a set: each below DimensionCount, none twice; their order plays no part (ledger 7.3)
  goldml::axis_direction axis_direction = goldml::axis_direction::increasing;
  goldml::nan_policy nan_policy = goldml::nan_policy::skip;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

// The input's sizes with 1 on every reduced axis.
constexpr dimensions argmin_output_sizes(dimensions input_sizes, const dimensions& axes) {
  for (std::size_t i = 0; i < input_sizes.size(); ++i)
    if (axes.contains(static_cast<std::uint32_t>(i))) input_sizes[i] = 1;
  return input_sizes;
}

// The input's sizes with 1 on every axis that is not reduced: the box of candidates of one output element.
constexpr dimensions argmin_reduced_sizes(dimensions input_sizes, const dimensions& axes) {
  for (std::size_t i = 0; i < input_sizes.size(); ++i)
    if (!axes.contains(static_cast<std::uint32_t>(i))) input_sizes[i] = 1;
  return input_sizes;
}

// The input coordinate of candidate r of output element o: o is 0 on every reduced axis, r on every other.
constexpr coordinate_tuple argmin_candidate(coordinate_tuple o, const coordinate_tuple& r) {
  for (std::size_t i = 0; i < o.size(); ++i) o[i] += r[i];
  return o;
}

template <>
struct enumeration<axis_direction> {
  static constexpr std::string_view prefix = "DML_AXIS_DIRECTION_";
  static constexpr std::array<enumerator<axis_direction>, 2> values{
      {{axis_direction::increasing, "INCREASING"}, {axis_direction::decreasing, "DECREASING"}}};
};

template <>
struct enumeration<nan_policy> {
  static constexpr std::string_view prefix = "";
  static constexpr std::array<enumerator<nan_policy>, 2> values{
      {{nan_policy::skip, "skip"}, {nan_policy::propagate, "propagate"}}};
};

template <>
struct operator_traits<argmin_desc> {
  static constexpr std::string_view name = "ARGMIN";
  static constexpr std::uint32_t enumerator = 137;

  static constexpr std::array<operand_limits, 2> input_limits{
      {{feature_level::level_3_0, data_types_a8, 1, 8}, {feature_level::level_4_1, data_types_a10, 1, 8}}};
  static constexpr std::array<operand_limits, 1> output_limits{{{feature_level::level_3_0, data_types_ix, 1, 8}}};
  static constexpr std::array<operand_info, 2> operands{
      {{"InputTensor", operand_role::input, input_limits}, {"OutputTensor", operand_role::output, output_limits}}};

  static constexpr std::tuple attributes{attribute{"Axes", &argmin_desc::axes, "AxisCount"},
                                         attribute{"AxisDirection", &argmin_desc::axis_direction}};
  static constexpr std::tuple policies{attribute{"nan_policy", &argmin_desc::nan_policy}};

  static void check_rules(const argmin_desc& desc, const operands_of<argmin_desc>& t, const rule_report& report) {
    const auto& [input, output] = t;
    if (input.sound && output.sound) check_output_sizes(desc, input.desc->sizes, output.desc->sizes, report);
    check_axes(desc, input, report);
    if (input.sound && output.desc && output.desc->data_type == data_type::int32)
      check_index_range(argmin_reduced_sizes(input.desc->sizes, desc.axes), report);
  }

  template <class Run>
  static bool visit_types(std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs, Run&& run) {
    bool found = false;
    visit_data_type(a10_types{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      found = visit_data_type(ix_types{}, outputs[0].desc().data_type, [&]<class Index>(std::type_identity<Index>) {
        run(inputs[0].as<T>(), outputs[0].as<Index>());
      });
    });
    return found;
  }

  // A slice of NaN only may give any index (ledger 7.1), unless the policy says which.
  static constexpr flushed_answer flush = flushed_answer::per_element;

  static void verdicts(const argmin_desc& desc, std::span<const const_tensor_ref> inputs,
                       std::span<const tensor_ref> golden, std::span<output_verdicts> result) {
    if (desc.nan_policy != nan_policy::skip) return;
    const dimensions reduced_sizes = argmin_reduced_sizes(inputs[0].desc().sizes, desc.axes);
    visit_data_type(a10_types{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const auto input = inputs[0].as<T>();
      std::size_t element = 0;
      for (const coordinate_tuple& o : coordinates_of(golden[0].desc().sizes)) {
        bool all_nan = true;
        for (const coordinate_tuple& r : coordinates_of(reduced_sizes))
          all_nan = all_nan && is_nan(input[argmin_candidate(o, r)]);
        if (all_nan) result[0].allow_any_index_below(element, element_count(reduced_sizes));
        ++element;
      }
    });
  }

 private:
  // A1, A2, A3.
  static void check_output_sizes(const argmin_desc& desc, const dimensions& input, const dimensions& output,
                                 const rule_report& report) {
    if (output.size() != input.size()) {
      report("A1", "OutputTensor", "DimensionCount", violation_text("{}", output.size()),
             violation_text("{}", input.size()), violation_text("the input's"));
      return;
    }
    const dimensions wanted = argmin_output_sizes(input, desc.axes);
    for (const bool reduced : {false, true})
      for (std::size_t i = 0; i < output.size(); ++i)
        if (output[i] != wanted[i] && desc.axes.contains(static_cast<std::uint32_t>(i)) == reduced)
          report(reduced ? "A3" : "A2", "OutputTensor", "Sizes", violation_text("{}", output[i]),
                 violation_text("{}", wanted[i]),
                 violation_text("Sizes {}, wanted {}: {}", output, wanted,
                                reduced ? "1 on a reduced axis" : "the input's on an axis that is not reduced"),
                 i);
  }

  // A4, A5, A6, A8.
  static void check_axes(const argmin_desc& desc, const operand& input, const rule_report& report) {
    const dimensions& axes = desc.axes;
    for (std::size_t i = 0; i < axes.size(); ++i)
      if (input.sound && axes[i] >= input.desc->sizes.size())
        report("A4", "", "Axes", violation_text("{}", axes[i]),
               violation_text("below DimensionCount {}", input.desc->sizes.size()), violation_text("Axes {}", axes), i);
    for (std::size_t i = 0; i < axes.size(); ++i)
      if (axes.slice(0, i).contains(axes[i]))
        report("A5", "", "Axes", violation_text("{} again", axes[i]), violation_text("each axis once"),
               violation_text("Axes {}", axes), i);
    if (axes.overlong())
      report("A5", "", "Axes", violation_text("{}", axes), violation_text("each axis once"),
             violation_text("more axes than a tensor has dimensions"));
    if (axes.empty()) report("A6", "", "AxisCount", violation_text("0"), violation_text("at least 1"));
    if (desc.axis_direction != axis_direction::increasing && desc.axis_direction != axis_direction::decreasing)
      report("A8", "", "AxisDirection", violation_text("{}", static_cast<std::uint32_t>(desc.axis_direction)),
             violation_text("0 (INCREASING) or 1 (DECREASING)"));
  }

  // A10: the largest index must fit an INT32 output; the other index types hold any.
  static void check_index_range(const dimensions& reduced_sizes, const rule_report& report) {
    const std::uint64_t count = element_count(reduced_sizes);
    if (count - 1 > std::uint64_t{(std::numeric_limits<std::int32_t>::max)()})
      report("A10", "OutputTensor", "DataType", violation_text("INT32"),
             violation_text("a type that holds the index {}", count - 1));
  }
};

// output[o] = the index of the least input element among those that o's reduced axes run over, flattened row-major over
// the reduced axes in ascending order.
//   input   any sizes; 8- to 32-bit types, 64-bit integers from level 4_1 on
//   output  the input's sizes with 1 on the reduced axes; INT64, INT32, UINT64 or UINT32
// Throws error (T1..T12, A1..A10), the output untouched.
template <class Backend, input_argument Input, output_argument Output>
void argmin(const Backend& backend, const Input& input, Output&& output, const argmin_desc& desc) {
  static_assert(detail::takes<argmin_desc, 0, input_view<Input>>,
                "goldml ARGMIN T3 (A11): InputTensor takes 8- to 32-bit types and 64-bit integers, never FLOAT64");
  static_assert(detail::takes<argmin_desc, 1, output_view<Output>>,
                "goldml ARGMIN T3 (A9): OutputTensor takes INT64, INT32, UINT64 or UINT32");
  detail::call(backend, desc, std::tuple(detail::as_input(input)),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same, returning the output.
template <class Index = std::uint32_t, class Backend, class T>
[[nodiscard]] tensor<Index> argmin(const Backend& backend, const tensor<T>& input, const argmin_desc& desc) {
  tensor<Index> output(argmin_output_sizes(input.sizes(), desc.axes));
  argmin(backend, input, output, desc);
  return output;
}

}  // namespace goldml
