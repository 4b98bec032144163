// SLICE: copies elements of the input from an offset on, with steps. Feature level 1_0.
// Page: DML_SLICE_OPERATOR_DESC. Rules: SL1..SL5 and SL7. Ruling: ledger L34.
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

namespace goldml {

// Each list has one entry per dimension.
struct slice_desc {
  dimensions offsets = {};  // of the first element
  dimensions sizes = {};    // of the output
  dimensions strides = {};  // never 0, but with zero_stride::repeat
  goldml::zero_stride zero_stride = goldml::zero_stride::refuse;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct operator_traits<slice_desc> {
  static constexpr std::string_view name = "SLICE";
  static constexpr std::uint32_t enumerator = 60;

  static constexpr std::array<operand_limits, 4> limits{{{feature_level::level_1_0, data_types_a6, 4, 5},
                                                         {feature_level::level_2_1, data_types_a8, 4, 5},
                                                         {feature_level::level_3_0, data_types_a8, 1, 8},
                                                         {feature_level::level_4_1, data_types_a11, 1, 8}}};
  static constexpr std::array<operand_info, 2> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = limits},
       {.name = "OutputTensor",
        .role = operand_role::output,
        .limits = limits,
        .same_data_type_as = {"SL1", 0},
        .same_rank_as = {"SL2", 0}}}};

  static constexpr std::array attributes{row<&slice_desc::offsets>("Offsets", "DimensionCount").per_dimension("SL4"),
                                         row<&slice_desc::sizes>("Sizes", "DimensionCount").per_dimension("SL4"),
                                         row<&slice_desc::strides>("Strides", "DimensionCount").per_dimension("SL4")};
  static constexpr std::array policies{row<&slice_desc::zero_stride>("zero_stride"),
                                       row<&slice_desc::same_resource>("same_resource")};

  static implied_output implied(const slice_desc& desc, const operands_of<slice_desc>& t, std::size_t) {
    dimensions sizes = t[0].desc->sizes;
    for (std::size_t i = 0; i < sizes.size() && i < desc.sizes.size(); ++i) sizes[i] = desc.sizes[i];
    return {.sizes = sizes};
  }

  static void check_rules(const slice_desc& desc, const operands_of<slice_desc>& t, const rule_report& report) {
    const auto& [input, output] = t;
    if (!input.legal) return;
    const dimensions& input_sizes = input.desc->sizes;
    std::size_t next = 0;  // the first wrong one: they share their count
    for (const dimensions* list : {&desc.offsets, &desc.sizes, &desc.strides})
      if (!detail::check_per_dimension(attributes[next++], *list, input_sizes.size(), report)) return;
    const bool same_rank = !output.legal || output.desc->sizes.size() == input_sizes.size();  // SL2
    for (std::size_t i = 0; i < input_sizes.size(); ++i)
      if (output.legal && same_rank && output.desc->sizes[i] != desc.sizes[i])
        report("SL3", "", "Sizes", violation_text("{}", desc.sizes[i]), violation_text("{}", output.desc->sizes[i]),
               violation_text("the output's size"), i);
    const bool repeats = desc.zero_stride == zero_stride::repeat;
    for (std::size_t i = 0; i < input_sizes.size(); ++i)
      if (desc.strides[i] == 0 && !repeats)
        report("SL5", "", "Strides", violation_text("0"), violation_text("a stride that is not 0"),
               violation_text("Strides {}", desc.strides), i);
    for (std::size_t i = 0; i < input_sizes.size(); ++i) {
      if (!same_rank || (desc.strides[i] == 0 && !repeats) || desc.sizes[i] == 0) continue;
      const std::uint64_t last = desc.offsets[i] + (desc.sizes[i] - std::uint64_t{1}) * desc.strides[i];  // fits
      if (last >= input_sizes[i])
        report("SL7", "", "Offsets", violation_text("{}", desc.offsets[i]),
               violation_text("a last position below {}", input_sizes[i]),
               violation_text("{} elements in steps of {} end at {}", desc.sizes[i], desc.strides[i], last), i);
    }
  }

  static constexpr operator_options<slice_desc> options{
      .implied = &implied, .check_rules = &check_rules, .moves = true, .exact = true};
};

// output[c] = input[offsets + strides * c].
//   input   every type
//   output  the input's type and DimensionCount; its sizes are desc.sizes
// Copies bits. Throws error (T1..T12, SL1..SL5, SL7), with the output unchanged.
template <class Backend, input_argument Input, output_argument Output>
void slice(const Backend& backend, const Input& input, Output&& output, const slice_desc& desc) {
  static_assert(detail::alike_types<slice_desc, input_view<Input>, output_view<Output>>,
                "goldml SLICE SL1: InputTensor and OutputTensor have the same data type");
  detail::call(backend, desc, std::tuple(detail::as_input(input)),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same, returning the output.
template <class Backend, class T>
[[nodiscard]] tensor<T> slice(const Backend& backend, const tensor<T>& input, const slice_desc& desc) {
  tensor<T> output = detail::new_output<T>(desc, input);
  slice(backend, input, output, desc);
  return output;
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(slice_desc);
