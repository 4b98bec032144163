// PADDING and PADDING1: the input with elements added at both ends of each dimension. Feature levels 1_0 and 5_0.
// Pages: DML_PADDING_OPERATOR_DESC, DML_PADDING1_OPERATOR_DESC. Rules: PA1..PA6. Rulings: ledger L31, L36.
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
#include <goldml/core/scalar_rules.hpp>
#include <goldml/core/value_conversion.hpp>

namespace goldml {

// DML_PADDING_MODE: the elements that are added.
enum class padding_mode : std::uint32_t {
  constant = 0,    // PaddingValue
  edge = 1,        // the nearest element
  reflection = 2,  // mirrored at the elements at the ends, which are not repeated
  symmetric = 3,   // mirrored beside the elements at the ends, which are repeated. From feature level 3_0
  wrap = 4,        // from the other end. From feature level 6_4
};
template <>
struct enumeration<padding_mode> {
  static constexpr std::string_view prefix = "DML_PADDING_MODE_";
  static constexpr auto values = enumerators<padding_mode>("CONSTANT", "EDGE", "REFLECTION", "SYMMETRIC", "WRAP");
};

struct padding_desc {
  goldml::padding_mode padding_mode = goldml::padding_mode::constant;
  float padding_value = 0;        // of CONSTANT; converted to the tensors' data type
  dimensions start_padding = {};  // elements added before the first one of each dimension
  dimensions end_padding = {};    // and after the last one
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

// The same with a value of any data type.
struct padding1_desc {
  goldml::padding_mode padding_mode = goldml::padding_mode::constant;
  scalar padding_value = {};  // of CONSTANT, of the tensors' data type; if omitted, zero
  dimensions start_padding = {};
  dimensions end_padding = {};
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

namespace detail {

// PaddingValue as an element. A FLOAT truncates toward zero on integers and saturates; NaN is 0.
template <class T>
T padding_value_as(float value) {
  return convert_value(value, data_type_of<T>, value_conversion::saturate)->template as<T>();
}
template <class T>
T padding_value_as(const scalar& value) {
  return value.as<T>();
}

constexpr feature_level first_level_of(padding_mode mode) {
  switch (mode) {
    case padding_mode::symmetric:
      return feature_level::level_3_0;
    case padding_mode::wrap:
      return feature_level::level_6_4;
    default:
      return feature_level::level_1_0;
  }
}

// The base of operator_traits of PADDING and PADDING1.
template <class Desc>
struct padding_traits {
  static constexpr std::array<operand_info, 2> operands_with(std::span<const operand_limits> limits) {
    return {{{.name = "InputTensor", .role = operand_role::input, .limits = limits},
             {.name = "OutputTensor",
              .role = operand_role::output,
              .limits = limits,
              .same_data_type_as = {"PA1", 0},
              .same_rank_as = {"PA2", 0}}}};
  }
  static constexpr std::array<attribute, 4> attributes_with(const attribute& value) {
    return {row<&Desc::padding_mode>("PaddingMode").enumerator("PA5"), value,
            row<&Desc::start_padding>("StartPadding", "DimensionCount").per_dimension("PA4"),
            row<&Desc::end_padding>("EndPadding", "DimensionCount").per_dimension("PA4")};
  }
  static constexpr std::array policies{row<&Desc::same_resource>("same_resource")};

  static implied_output implied(const Desc& desc, const std::array<operand, 2>& t, std::size_t) {
    wide_sizes sizes = t[0].desc->sizes;
    for (std::size_t i = 0; i < sizes.size() && i < desc.start_padding.size() && i < desc.end_padding.size(); ++i)
      sizes[i] += std::uint64_t{desc.start_padding[i]} + desc.end_padding[i];
    return {.sizes = sizes};
  }

  static void check_rules(const Desc& desc, const std::array<operand, 2>& t, const rule_report& report) {
    check_sizes(desc, t, report);
    const auto& rows = operator_traits<Desc>::attributes;
    if (check_enumerator(rows[0], desc.padding_mode, report) && desc.feature_level < first_level_of(desc.padding_mode))
      report("PA5", "", "PaddingMode", violation_text("{}", enumerator_name(desc.padding_mode)),
             violation_text("a mode of feature level {}", name_of(desc.feature_level)),
             violation_text("from {} on", name_of(first_level_of(desc.padding_mode))));
    if constexpr (requires { desc.padding_value.type(); })
      if (desc.padding_mode == padding_mode::constant)
        check_value_type("PA6", "PaddingValueDataType", "padding_value", desc.padding_value, t[1], report);
  }

 private:
  // PA4, PA3
  static void check_sizes(const Desc& desc, const std::array<operand, 2>& t, const rule_report& report) {
    const auto& [input, output] = t;
    if (!input.legal) return;
    const dimensions& sizes = input.desc->sizes;
    const auto& rows = operator_traits<Desc>::attributes;
    if (!check_per_dimension(rows[2], desc.start_padding, sizes.size(), report) ||
        !check_per_dimension(rows[3], desc.end_padding, sizes.size(), report) || !output.legal ||
        output.desc->sizes.size() != sizes.size())  // PA2
      return;
    const wide_sizes wanted = *implied(desc, t, 1).sizes;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (output.desc->sizes[i] == wanted[i]) continue;
      violation_text why("{} + {} + {}", desc.start_padding[i], sizes[i], desc.end_padding[i]);
      if ((std::max)(desc.start_padding[i], desc.end_padding[i]) >> 31 != 0) why.append("; SLICE1 removes elements");
      report("PA3", "OutputTensor", "Sizes", violation_text("{}", output.desc->sizes[i]),
             violation_text("{}", wanted[i]), why, i);
    }
  }
};

}  // namespace detail

template <>
struct operator_traits<padding_desc> : detail::padding_traits<padding_desc> {
  static constexpr std::string_view name = "PADDING";
  static constexpr std::uint32_t enumerator = 64;
  static constexpr std::array<operand_limits, 4> limits{{{feature_level::level_1_0, data_types_f, 4, 5},
                                                         {feature_level::level_2_1, data_types_a8, 4, 5},
                                                         {feature_level::level_3_1, data_types_a8, 1, 8},
                                                         {feature_level::level_5_0, data_types_a11, 1, 8}}};
  static constexpr std::array operands = operands_with(limits);
  static constexpr std::array attributes = attributes_with(row<&padding_desc::padding_value>("PaddingValue"));

  static constexpr operator_options<padding_desc> options{
      .implied = &implied, .check_rules = &check_rules, .moves = true};
};

template <>
struct operator_traits<padding1_desc> : detail::padding_traits<padding1_desc> {
  static constexpr std::string_view name = "PADDING1";
  static constexpr std::uint32_t enumerator = 155;
  static constexpr std::array<operand_limits, 1> limits{{{feature_level::level_5_0, data_types_a11, 1, 8}}};
  static constexpr std::array operands = operands_with(limits);
  static constexpr std::array attributes =
      attributes_with(row<&padding1_desc::padding_value>("PaddingValue", "PaddingValueDataType"));

  static constexpr operator_options<padding1_desc> options{
      .implied = &implied, .check_rules = &check_rules, .moves = true, .exact = true};
};

namespace detail {

template <class Backend, class Input, class Output, class Desc>
void call_padding(const Backend& backend, const Input& input, Output&& output, const Desc& desc) {
  static_assert(alike_types<Desc, input_view<Input>, output_view<Output>>,
                "goldml PADDING PA1: InputTensor and OutputTensor have the same data type");
  call(backend, desc, std::tuple(as_input(input)), std::tuple(as_output(std::forward<Output>(output))));
}

template <class Backend, class T, class Desc>
tensor<T> call_padding(const Backend& backend, const tensor<T>& input, const Desc& desc) {
  tensor<T> output = new_output<T>(desc, input);
  call_padding(backend, input, output, desc);
  return output;
}

}  // namespace detail

// The input, with start_padding elements before and end_padding elements after it on each dimension.
//   input   every type
//   output  the input's type and DimensionCount; each size is start_padding + the input's + end_padding
// Copies bits. Throws error (T1..T12, PA1..PA6), with the output unchanged. Without an output, it is returned.
template <class Backend, input_argument Input, output_argument Output>
void padding(const Backend& backend, const Input& input, Output&& output, const padding_desc& desc) {
  detail::call_padding(backend, input, std::forward<Output>(output), desc);
}
template <class Backend, class T>
[[nodiscard]] tensor<T> padding(const Backend& backend, const tensor<T>& input, const padding_desc& desc) {
  return detail::call_padding(backend, input, desc);
}
template <class Backend, input_argument Input, output_argument Output>
void padding1(const Backend& backend, const Input& input, Output&& output, const padding1_desc& desc) {
  detail::call_padding(backend, input, std::forward<Output>(output), desc);
}
template <class Backend, class T>
[[nodiscard]] tensor<T> padding1(const Backend& backend, const tensor<T>& input, const padding1_desc& desc) {
  return detail::call_padding(backend, input, desc);
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(padding_desc);
GOLDML_COMPILED_OPERATOR(padding1_desc);
