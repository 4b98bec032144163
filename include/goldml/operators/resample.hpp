// RESAMPLE, RESAMPLE1, RESAMPLE2 and RESAMPLE3: tensors of other sizes, from the nearest elements or by interpolation
// along each axis; and their gradients RESAMPLE_GRAD and RESAMPLE_GRAD1. Feature levels 2_0 to 6_4. Pages:
// DML_RESAMPLE_OPERATOR_DESC and so on. Rules: RM1 to RM8, RD1 to RD8. Rulings: ledger RM-R1 to RM-R7, RD-R1.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/arithmetic/resample_axis.hpp>
#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/work.hpp>
#include <goldml/operators/resample_desc.hpp>

namespace goldml {

namespace detail {

template <class Desc, bool IsGradient>
struct resample_traits {
  static constexpr std::string_view code(std::size_t number) {
    constexpr std::array<std::string_view, 8> forward{"RM1", "RM2", "RM3", "RM4", "RM5", "RM6", "RM7", "RM8"},
        gradient{"RD1", "RD2", "RD3", "RD4", "RD5", "RD6", "RD7", "RD8"};
    return (IsGradient ? gradient : forward)[number - 1];
  }
  static constexpr data_type_set floats{data_type::float32, data_type::float16},
      more_types{data_type::float32, data_type::float16, data_type::int8, data_type::uint8};
  static constexpr std::array<operand_info, 2> operands_with(std::span<const operand_limits> limits) {
    return {
        {{.name = IsGradient ? "InputGradientTensor" : "InputTensor", .role = operand_role::input, .limits = limits},
         {.name = IsGradient ? "OutputGradientTensor" : "OutputTensor",
          .role = operand_role::output,
          .limits = limits,
          .same_data_type_as = {code(1), 0},
          .same_rank_as = {code(2), 0}}}};
  }
  static constexpr auto attributes = [] {
    constexpr std::string_view count = requires { &Desc::input_pixel_offsets; }
    ? "DimensionCount" : "ScaleCount";
    constexpr attribute mode = row<&Desc::interpolation_mode>("InterpolationMode").enumerator(code(5)),
                        scales = row<&Desc::scales>("Scales", count).per_dimension(code(3));
    if constexpr (requires { &Desc::input_pixel_offsets; }) {
      constexpr attribute in = row<&Desc::input_pixel_offsets>("InputPixelOffsets", count).per_dimension(code(3)),
                          out = row<&Desc::output_pixel_offsets>("OutputPixelOffsets", count).per_dimension(code(3));
      if constexpr (requires { &Desc::rounding_direction; }) {
        constexpr attribute direction = row<&Desc::rounding_direction>("RoundingDirection").enumerator(code(6));
        if constexpr (requires { &Desc::antialiased; })
          return std::array{mode, direction, scales, in, out, row<&Desc::antialiased>("Antialiased")};
        else
          return std::array{mode, direction, scales, in, out};
      } else {
        return std::array{mode, scales, in, out};
      }
    } else {
      return std::array{mode, scales};
    }
  }();
  static constexpr auto policies = [] {
    constexpr std::array shared{row<&Desc::accumulation>("accumulation"), row<&Desc::same_resource>("same_resource")};
    if constexpr (
        requires { &Desc::gradient_offsets; } && requires { &Desc::nearest_ties; })
      return std::array{row<&Desc::gradient_offsets>("gradient_offsets"), row<&Desc::nearest_ties>("nearest_ties"),
                        shared[0], shared[1]};
    else if constexpr (requires { &Desc::gradient_offsets; })
      return std::array{row<&Desc::gradient_offsets>("gradient_offsets"), shared[0], shared[1]};
    else if constexpr (requires { &Desc::nearest_ties; })
      return std::array{row<&Desc::nearest_ties>("nearest_ties"), row<&Desc::integer_rounding>("integer_rounding"),
                        shared[0], shared[1]};
    else
      return std::array{row<&Desc::integer_rounding>("integer_rounding"), shared[0], shared[1]};
  }();

  // 3 to 8 of the rules. A list that is null or has not an entry for each dimension is not read.
  static void check_rules(const Desc& desc, const std::array<operand, 2>& t, const rule_report& report) {
    const bool counts = t[0].legal && (!t[1].legal || t[0].desc->sizes.size() ==
                                                          t[1].desc->sizes.size());  // otherwise a cause is reported
    std::array<bool, attributes.size()> whole{};
    for (std::size_t i = 0; i < attributes.size(); ++i)
      if (attributes[i].kind == attribute_kind::list_of_float32) {
        const float32_list& list = attributes[i].template get<float32_list>(desc);
        whole[i] =
            !list.is_null() && (!counts || check_per_dimension(attributes[i], list, t[0].desc->sizes.size(), report));
      }
    for (std::size_t i = 0; i < attributes.size(); ++i)
      if (attributes[i].kind == attribute_kind::list_of_float32 &&
          attributes[i].template get<float32_list>(desc).is_null())
        report(code(4), "", attributes[i].name, violation_text("null"), violation_text("a pointer"));
    check_enumerator(attributes[0], desc.interpolation_mode, report);
    if constexpr (requires { desc.rounding_direction; })
      check_enumerator(attributes[1], desc.rounding_direction, report, axis_directions);
    for (const bool scale : {true, false})
      for (std::size_t i = 0; i < attributes.size(); ++i)
        if (whole[i] && (attributes[i].name == "Scales") == scale) check_numbers(attributes[i], scale, desc, report);
  }
  // Of a row: every element that a place has.
  static work_counts work(const Desc& desc, const std::array<operand, 2>& t) {
    const std::uint64_t elements = element_count_of(t);
    if (desc.interpolation_mode != interpolation_mode::linear) return {.elements = saturating_multiply(2, elements)};
    std::uint64_t terms = element_count((IsGradient ? t[0] : t[1]).desc->sizes);
    for (const resample_axis& axis : resample_axes_of(desc, t[0].desc->sizes, t[1].desc->sizes)) {
      const double margin = axis.margin(axis.outputs - 1, roundings_of_reciprocal_place);
      const double width = axis.is_identity() ? 1 : axis.stretched ? 2 / axis.scale + 6 : 3 + 2 * margin;
      terms = saturating_multiply(terms, static_cast<std::uint64_t>((std::min)(width, 2.0 + axis.size)));
    }
    return {.elements = elements, .terms = terms, .results = elements, .judged = element_count(t[1].desc->sizes)};
  }
  // The taps of all coordinates, and rows of sums for each thread.
  static scratch_memory scratch(const Desc& desc, const std::array<operand, 2>& t) {
    std::uint64_t taps = 0, rows = 1, all_rows = 1;  // `rows`: without the last axis
    for (const resample_axis& axis : resample_axes_of(desc, t[0].desc->sizes, t[1].desc->sizes)) {
      const std::uint64_t width =
          axis.stretched ? static_cast<std::uint64_t>((std::min)(2 / axis.scale + 6.0, 2.0 + axis.size)) : 2;
      rows = std::exchange(all_rows, saturating_multiply(all_rows, width));
      taps = saturating_add(taps, saturating_multiply(width * 40, axis.outputs) + 16 * std::uint64_t{axis.size});
    }
    const std::uint64_t outputs = t[1].desc->sizes.back() + std::uint64_t{16};
    return {.reference = taps,
            .cpu = saturating_add(taps, 104 * outputs),
            .cpu_thread = saturating_add(16 * (t[0].desc->sizes.back() + std::uint64_t{16}) + 8 * outputs,
                                         saturating_multiply(64, rows))};
  }

  static constexpr operator_options<Desc> resample_options() {
    return {.check_rules = &check_rules, .work = &work, .scratch = &scratch};
  }

 private:
  static void check_numbers(const attribute& row, bool positive, const Desc& desc, const rule_report& report) {
    const float32_list& list = row.get<float32_list>(desc);
    for (std::size_t i = 0; i < list.size(); ++i)
      if (!is_finite_double(list[i]) || (positive && order_key(list[i]) <= order_key(0.0F)))
        report(code(positive ? 7 : 8), "", row.name, violation_text("{}", scalar(list[i])),
               violation_text("a finite number{}", positive ? " above 0" : ""), {}, i);
  }
};

}  // namespace detail

template <>
struct operator_traits<resample_desc> : detail::resample_traits<resample_desc, false> {
  static constexpr std::string_view name = "RESAMPLE";
  static constexpr std::uint32_t enumerator = 96;
  static constexpr std::array<operand_limits, 3> limits{{{feature_level::level_2_0, floats, 4, 4},
                                                         {feature_level::level_5_1, floats, 1, 4},
                                                         {feature_level::level_6_2, more_types, 1, 4}}};
  static constexpr std::array operands = operands_with(limits);
  static constexpr operator_options<resample_desc> options = resample_options();
};

template <>
struct operator_traits<resample1_desc> : detail::resample_traits<resample1_desc, false> {
  static constexpr std::string_view name = "RESAMPLE1";
  static constexpr std::uint32_t enumerator = 116;
  static constexpr std::array<operand_limits, 3> limits{{{feature_level::level_2_1, floats, 4, 4},
                                                         {feature_level::level_5_1, floats, 1, 4},
                                                         {feature_level::level_6_2, more_types, 1, 4}}};
  static constexpr std::array operands = operands_with(limits);
  static constexpr operator_options<resample1_desc> options = resample_options();
};

template <>
struct operator_traits<resample2_desc> : detail::resample_traits<resample2_desc, false> {
  static constexpr std::string_view name = "RESAMPLE2";
  static constexpr std::uint32_t enumerator = 161;
  static constexpr std::array<operand_limits, 2> limits{
      {{feature_level::level_5_1, floats, 1, 4}, {feature_level::level_6_2, more_types, 1, 4}}};
  static constexpr std::array operands = operands_with(limits);
  static constexpr operator_options<resample2_desc> options = resample_options();
};

template <>
struct operator_traits<resample3_desc> : detail::resample_traits<resample3_desc, false> {
  static constexpr std::string_view name = "RESAMPLE3";
  static constexpr std::uint32_t enumerator = 175;
  static constexpr std::array<operand_limits, 1> limits{{{feature_level::level_6_4, more_types, 1, 4}}};
  static constexpr std::array operands = operands_with(limits);
  static constexpr operator_options<resample3_desc> options = resample_options();
};

template <>
struct operator_traits<resample_grad_desc> : detail::resample_traits<resample_grad_desc, true> {
  static constexpr std::string_view name = "RESAMPLE_GRAD";
  static constexpr std::uint32_t enumerator = 134;
  static constexpr std::array<operand_limits, 2> limits{
      {{feature_level::level_3_0, floats, 4, 4}, {feature_level::level_5_1, floats, 1, 4}}};
  static constexpr std::array operands = operands_with(limits);
  static constexpr operator_options<resample_grad_desc> options = resample_options();
};

template <>
struct operator_traits<resample_grad1_desc> : detail::resample_traits<resample_grad1_desc, true> {
  static constexpr std::string_view name = "RESAMPLE_GRAD1";
  static constexpr std::uint32_t enumerator = 162;
  static constexpr std::array<operand_limits, 1> limits{{{feature_level::level_5_1, floats, 1, 4}}};
  static constexpr std::array operands = operands_with(limits);
  static constexpr operator_options<resample_grad1_desc> options = resample_options();
};

namespace detail {

// The public call, a function object.
template <class Desc>
struct resample_call {
  template <class Backend, input_argument Input, output_argument Output>
  void operator()(const Backend& backend, const Input& input, Output&& output, const Desc& desc) const {
    static_assert(alike_types<Desc, input_view<Input>, output_view<Output>>,
                  "goldml RESAMPLE RM1, RD1: both tensors have the same data type");
    static_assert(takes<Desc, 0, input_view<Input>>,
                  "goldml RESAMPLE T3: FLOAT32 or FLOAT16; forward also INT8 and UINT8");
    call(backend, desc, std::tuple(as_input(input)), std::tuple(as_output(std::forward<Output>(output))));
  }
};

}  // namespace detail

// resample*: each element of the output lies at a place between elements of the input. NEAREST_NEIGHBOR: one of them,
// bit by bit. LINEAR: between the next two on each axis, and beyond the ends the last one; the exact result, rounded
// once. The output has any sizes.
// resample_grad*: the adjoint: each element of InputGradientTensor is added, by its weight, to those of
// OutputGradientTensor that the forward operator reads for it.
// Both tensors have the same data type and DimensionCount. Throws error (T1..T12, RM1..RM8, RD1..RD8), with the output
// unchanged.
inline constexpr detail::resample_call<resample_desc> resample{};
inline constexpr detail::resample_call<resample1_desc> resample1{};
inline constexpr detail::resample_call<resample2_desc> resample2{};
inline constexpr detail::resample_call<resample3_desc> resample3{};
inline constexpr detail::resample_call<resample_grad_desc> resample_grad{};
inline constexpr detail::resample_call<resample_grad1_desc> resample_grad1{};

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(resample_desc);
GOLDML_COMPILED_OPERATOR(resample1_desc);
GOLDML_COMPILED_OPERATOR(resample2_desc);
GOLDML_COMPILED_OPERATOR(resample3_desc);
GOLDML_COMPILED_OPERATOR(resample_grad_desc);
GOLDML_COMPILED_OPERATOR(resample_grad1_desc);
