// Shapes and rules shared by ARGMIN, ARGMAX and REDUCE with these functions, which give the index of the
// least or greatest value along one or more axes. Rulings: ledger 7.1, 7.3, 7.4, L9.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/operators/axes_rules.hpp>

namespace goldml {

// The input's sizes with 1 on every reduced axis.
constexpr dimensions sizes_after_reduction(dimensions input_sizes, const dimensions& axes) {
  for (std::size_t i = 0; i < input_sizes.size(); ++i)
    if (axes.contains(static_cast<std::uint32_t>(i))) input_sizes[i] = 1;
  return input_sizes;
}

// The input's sizes with 1 on every axis that is not reduced: the sizes of the slice of one output element.
constexpr dimensions candidate_box(dimensions input_sizes, const dimensions& axes) {
  for (std::size_t i = 0; i < input_sizes.size(); ++i)
    if (!axes.contains(static_cast<std::uint32_t>(i))) input_sizes[i] = 1;
  return input_sizes;
}

// The input coordinate of candidate r of output element o: o is 0 on every reduced axis, r on every other.
constexpr coordinate_tuple reduction_candidate(const coordinate_tuple& o, const coordinate_tuple& r) {
  coordinate_tuple result = o;  // and not the parameter, which would be copied once more when it is returned
  for (std::size_t i = 0; i < result.size(); ++i) result[i] += r[i];
  return result;
}

namespace detail {

// The operator's codes for the shared rules: A1.. or AX1.., with the same numbers, or RE3..
struct arg_reduce_codes {
  std::string_view rank, kept_size, reduced_size, axis, repeated_axis, no_axes, direction, index_range;
};

// The base of operator_traits of the three operators, which add
//   codes
//   gives_index(desc)   whether the output has indices
template <class Desc>
struct arg_reduce_traits {
  static constexpr std::array<operand_info, 2> operands_with(const arg_reduce_codes& codes,
                                                             std::span<const operand_limits> input_limits,
                                                             std::span<const operand_limits> output_limits) {
    return {{{.name = "InputTensor", .role = operand_role::input, .limits = input_limits},
             {.name = "OutputTensor",
              .role = operand_role::output,
              .limits = output_limits,
              .same_rank_as = {codes.rank, 0}}}};
  }

  static constexpr std::array policies{row<&Desc::nan_policy>("nan_policy"), row<&Desc::empty_axes>("empty_axes"),
                                       row<&Desc::same_resource>("same_resource")};

  static implied_output implied(const Desc& desc, const std::array<operand, 2>& t, std::size_t) {
    return {.sizes = sizes_after_reduction(t[0].desc->sizes, desc.axes)};
  }

  // The rules on axes come before those on sizes, which depend on them.
  static void check_attributes(const Desc& desc, const std::array<operand, 2>& t, const rule_report& report) {
    constexpr const arg_reduce_codes& codes = operator_traits<Desc>::codes;
    check_axes(desc.axes, t[0], {codes.axis, codes.repeated_axis, codes.no_axes},
               desc.empty_axes != goldml::empty_axes::refuse, report);
    if constexpr (requires { desc.axis_direction; })
      check_enumerator(operator_traits<Desc>::attributes[1].enumerator(codes.direction), desc.axis_direction, report,
                       axis_directions);
  }

  // The rules on sizes and on the greatest index; skipped if the list of axes is invalid.
  static void check_rules(const Desc& desc, const std::array<operand, 2>& t, const rule_report& report) {
    constexpr const arg_reduce_codes& codes = operator_traits<Desc>::codes;
    const auto& [input, output] = t;
    if (!input.legal || !axes_are_legal(desc, input.desc->sizes.size())) return;
    if (output.legal && output.desc->sizes.size() == input.desc->sizes.size())
      check_sizes(codes, desc.axes, input.desc->sizes, output.desc->sizes, report);
    // The other index types hold any index.
    const std::uint64_t count = element_count(candidate_box(input.desc->sizes, desc.axes));
    if (operator_traits<Desc>::gives_index(desc) && output.legal && output.desc->data_type == data_type::int32 &&
        count - 1 > std::uint64_t{(std::numeric_limits<std::int32_t>::max)()})
      report(codes.index_range, "OutputTensor", "DataType", violation_text("INT32"),
             violation_text("a type that holds the index {}", count - 1));
  }

 private:
  static bool lacks_axes(const Desc& desc) {
    return desc.axes.is_null() || (desc.axes.empty() && desc.empty_axes == goldml::empty_axes::refuse);
  }

  static bool axes_are_legal(const Desc& desc, std::size_t rank) {
    const dimensions& axes = desc.axes;
    if (lacks_axes(desc)) return false;
    for (std::size_t i = 0; i < axes.size(); ++i)
      if (axes[i] >= rank || axes.slice(0, i).contains(axes[i])) return false;
    return !axes.overlong();
  }

  static void check_sizes(const arg_reduce_codes& codes, const dimensions& axes, const dimensions& input,
                          const dimensions& output, const rule_report& report) {
    const dimensions wanted = sizes_after_reduction(input, axes);
    for (const bool reduced : {false, true})
      for (std::size_t i = 0; i < output.size(); ++i)
        if (output[i] != wanted[i] && axes.contains(static_cast<std::uint32_t>(i)) == reduced)
          report(reduced ? codes.reduced_size : codes.kept_size, "OutputTensor", "Sizes",
                 violation_text("{}", output[i]), violation_text("{}", wanted[i]),
                 violation_text("Sizes {}, wanted {}: {}", output, wanted,
                                reduced ? "1 on a reduced axis" : "the input's on an axis that is not reduced"),
                 i);
  }
};

// The base of operator_traits of ARGMIN and ARGMAX.
template <class Desc>
struct directed_arg_reduce_traits : arg_reduce_traits<Desc> {
  static constexpr std::array<operand_limits, 2> input_limits{
      {{feature_level::level_3_0, data_types_a8, 1, 8}, {feature_level::level_4_1, data_types_a10, 1, 8}}};
  static constexpr std::array<operand_limits, 1> output_limits{{{feature_level::level_3_0, data_types_ix, 1, 8}}};

  static constexpr std::array attributes{row<&Desc::axes>("Axes", "AxisCount"),
                                         row<&Desc::axis_direction>("AxisDirection")};

  static constexpr bool gives_index(const Desc&) { return true; }
};

}  // namespace detail

}  // namespace goldml
