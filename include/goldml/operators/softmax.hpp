// ACTIVATION_SOFTMAX and ACTIVATION_SOFTMAX1: e^x of each element, divided by the sum of those of its slice. Feature
// levels 1_0 and 5_1. Pages: DML_ACTIVATION_SOFTMAX_OPERATOR_DESC, DML_ACTIVATION_SOFTMAX1_OPERATOR_DESC. Rules: SO1 to
// SO7. Rulings: ledger SO-R1, SO-R2, AR-R1, AR-R5 to AR-R7.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/work.hpp>
#include <goldml/operators/arg_reduce.hpp>
#include <goldml/operators/axes_rules.hpp>

namespace goldml {

// A slice is a row along the last axis. Sizes before the last two are 1.
struct activation_softmax_desc {
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

// A slice has the elements whose coordinates differ on the axes only: several axes are one slice (ledger SO-R1).
struct activation_softmax1_desc {
  dimensions axes = {};  // distinct, each below DimensionCount, in any order; at least one
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

namespace detail {

inline dimensions softmax_axes(const activation_softmax_desc&, std::size_t rank) {
  return {static_cast<std::uint32_t>(rank - 1)};
}
inline dimensions softmax_axes(const activation_softmax1_desc& desc, std::size_t) { return desc.axes; }

template <class Desc>
struct softmax_traits {
  static constexpr data_type_set floats{data_type::float32, data_type::float16};

  static constexpr std::array<operand_info, 2> operands_with(std::span<const operand_limits> limits) {
    return {{{.name = "InputTensor", .role = operand_role::input, .limits = limits},
             {.name = "OutputTensor",
              .role = operand_role::output,
              .limits = limits,
              .same_data_type_as = {"SO1", 0},
              .same_rank_as = {"SO2", 0},
              .same_sizes_as = {"SO3", 0}}}};
  }
  static constexpr std::array policies{row<&Desc::accumulation>("accumulation"),
                                       row<&Desc::same_resource>("same_resource")};

  // An exponential of each element in the sum, and its own.
  static work_counts work(const Desc&, const std::array<operand, 2>& t) {
    const std::uint64_t elements = element_count(t[1].desc->sizes);
    return {.elements = element_count_of(t),
            .results = elements,
            .functions = saturating_multiply(2, elements),
            .judged = elements};
  }
  // A slice as doubles; on cpu also the terms of a block, and places of undecided elements of up to 64 slices.
  static scratch_memory scratch(const Desc& desc, const std::array<operand, 2>& t) {
    const dimensions& sizes = t[0].desc->sizes;
    std::uint64_t slice = 1;
    for (const std::uint32_t axis : softmax_axes(desc, sizes.size())) slice = saturating_multiply(slice, sizes[axis]);
    const std::uint64_t slices = (std::min<std::uint64_t>)(64, element_count(sizes) / slice);
    const std::uint64_t terms =
        (std::min<std::uint64_t>)(2 << 20, saturating_multiply(64 * sizeof(double), slice + 64));
    return {.reference = saturating_multiply(sizeof(double), slice),
            .cpu_thread = saturating_add(terms, saturating_multiply(slice, 3 * sizeof(double) + 48 * slices))};
  }
};

}  // namespace detail

template <>
struct operator_traits<activation_softmax_desc> : detail::softmax_traits<activation_softmax_desc> {
  static constexpr std::string_view name = "ACTIVATION_SOFTMAX";
  static constexpr std::uint32_t enumerator = 48;
  static constexpr std::array<operand_limits, 3> limits{{{feature_level::level_1_0, floats, 4, 4},
                                                         {feature_level::level_2_0, floats, 4, 5},
                                                         {feature_level::level_3_0, floats, 1, 8}}};
  static constexpr std::array operands = operands_with(limits);
  static constexpr auto& attributes = no_attributes;

  // SO4: all sizes but the last two are 1.
  static void check_rules(const activation_softmax_desc&, const std::array<operand, 2>& t, const rule_report& report) {
    if (!t[0].legal) return;
    const dimensions& sizes = t[0].desc->sizes;
    for (std::size_t i = 0; i + 2 < sizes.size(); ++i)
      if (sizes[i] != 1)
        return report("SO4", "InputTensor", "Sizes", violation_text("{}", sizes[i]),
                      violation_text("1, as in all but the last two dimensions"),
                      violation_text("Sizes {}; ACTIVATION_SOFTMAX1 has axes", sizes), i);
  }

  static constexpr operator_options<activation_softmax_desc> options{
      .check_rules = &check_rules, .work = &work, .scratch = &scratch};
};

template <>
struct operator_traits<activation_softmax1_desc> : detail::softmax_traits<activation_softmax1_desc> {
  static constexpr std::string_view name = "ACTIVATION_SOFTMAX1";
  static constexpr std::uint32_t enumerator = 158;
  static constexpr std::array<operand_limits, 1> limits{{{feature_level::level_5_1, floats, 1, 8}}};
  static constexpr std::array operands = operands_with(limits);
  static constexpr std::array attributes{row<&activation_softmax1_desc::axes>("Axes", "AxisCount")};

  // SO5, SO6, SO7.
  static void check_rules(const activation_softmax1_desc& desc, const std::array<operand, 2>& t,
                          const rule_report& report) {
    detail::check_axes(desc.axes, t[0], detail::softmax_axes_codes, false, report);
  }

  static constexpr operator_options<activation_softmax1_desc> options{
      .check_rules = &check_rules, .work = &work, .scratch = &scratch};
};

// output[c] = e^(input[c] - M) / sum over the slice of e^(x - M), M the greatest of the slice, rounded once. NaN in a
// slice with NaN, +infinity or nothing but -infinity; else 0 for -infinity. Tensors have the same type and sizes.
// Throws error (T1..T12, SO1..SO7), with the output unchanged.
template <class Backend, input_argument Input, output_argument Output>
void activation_softmax(const Backend& backend, const Input& input, Output&& output,
                        const activation_softmax_desc& desc = {}) {
  static_assert(detail::alike_types<activation_softmax_desc, input_view<Input>, output_view<Output>>,
                "goldml ACTIVATION_SOFTMAX SO1: the tensors have the same data type");
  static_assert(detail::takes<activation_softmax_desc, 0, input_view<Input>>,
                "goldml ACTIVATION_SOFTMAX T3: FLOAT32 or FLOAT16");
  detail::call(backend, desc, std::tuple(detail::as_input(input)),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}
template <class Backend, input_argument Input, output_argument Output>
void activation_softmax1(const Backend& backend, const Input& input, Output&& output,
                         const activation_softmax1_desc& desc) {
  static_assert(detail::alike_types<activation_softmax1_desc, input_view<Input>, output_view<Output>>,
                "goldml ACTIVATION_SOFTMAX1 SO1: the tensors have the same data type");
  static_assert(detail::takes<activation_softmax1_desc, 0, input_view<Input>>,
                "goldml ACTIVATION_SOFTMAX1 T3: FLOAT32 or FLOAT16");
  detail::call(backend, desc, std::tuple(detail::as_input(input)),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same, returning the output.
template <class Backend, class T>
[[nodiscard]] tensor<T> activation_softmax(const Backend& backend, const tensor<T>& input,
                                           const activation_softmax_desc& desc = {}) {
  tensor<T> output(input.sizes());
  activation_softmax(backend, input, output, desc);
  return output;
}
template <class Backend, class T>
[[nodiscard]] tensor<T> activation_softmax1(const Backend& backend, const tensor<T>& input,
                                            const activation_softmax1_desc& desc) {
  tensor<T> output(input.sizes());
  activation_softmax1(backend, input, output, desc);
  return output;
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(activation_softmax_desc);
GOLDML_COMPILED_OPERATOR(activation_softmax1_desc);
