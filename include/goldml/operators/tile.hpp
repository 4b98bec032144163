// TILE: repeats the input along each dimension. Feature level 1_0.
// Page: DML_TILE_OPERATOR_DESC. Rules: TI1..TI5.
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

struct tile_desc {
  dimensions repeats = {};  // one per dimension, none 0
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct operator_traits<tile_desc> {
  static constexpr std::string_view name = "TILE";
  static constexpr std::uint32_t enumerator = 70;

  static constexpr std::array<operand_limits, 4> limits{{{feature_level::level_1_0, data_types_f, 4, 4},
                                                         {feature_level::level_2_1, data_types_a8, 4, 4},
                                                         {feature_level::level_3_1, data_types_a8, 1, 8},
                                                         {feature_level::level_4_1, data_types_a10, 1, 8}}};
  static constexpr std::array<operand_info, 2> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = limits},
       {.name = "OutputTensor",
        .role = operand_role::output,
        .limits = limits,
        .same_data_type_as = {"TI1", 0},
        .same_rank_as = {"TI2", 0}}}};

  static constexpr std::array attributes{
      row<&tile_desc::repeats>("Repeats", "RepeatsCount").per_dimension("TI4").at_least_1("TI5")};
  static constexpr std::array policies{row<&tile_desc::same_resource>("same_resource")};

  static implied_output implied(const tile_desc& desc, const operands_of<tile_desc>& t, std::size_t) {
    wide_sizes sizes = t[0].desc->sizes;
    for (std::size_t i = 0; i < sizes.size() && i < desc.repeats.size(); ++i) sizes[i] *= desc.repeats[i];
    return {.sizes = sizes};
  }

  static void check_rules(const tile_desc& desc, const operands_of<tile_desc>& t, const rule_report& report) {
    const auto& [input, output] = t;
    if (!input.legal) return;
    const dimensions& sizes = input.desc->sizes;
    const dimensions& repeats = desc.repeats;
    if (!detail::check_per_dimension(attributes[0], repeats, sizes.size(), report)) return;
    detail::check_at_least_1(attributes[0], repeats, report);
    if (!output.legal || output.desc->sizes.size() != sizes.size()) return;  // TI2
    const wide_sizes wanted = *implied(desc, t, 1).sizes;
    for (std::size_t i = 0; i < sizes.size(); ++i)
      if (repeats[i] != 0 && output.desc->sizes[i] != wanted[i])
        report("TI3", "OutputTensor", "Sizes", violation_text("{}", output.desc->sizes[i]),
               violation_text("{}", wanted[i]), violation_text("{} times {}", repeats[i], sizes[i]), i);
  }

  static constexpr operator_options<tile_desc> options{
      .implied = &implied, .check_rules = &check_rules, .moves = true, .exact = true};
};

// output[c] = input[c mod the input's sizes].
//   input   every type except FLOAT64
//   output  the input's type and DimensionCount; each size is the input's times the repeats
// Copies bits. Throws error (T1..T12, TI1..TI5), with the output unchanged.
template <class Backend, input_argument Input, output_argument Output>
void tile(const Backend& backend, const Input& input, Output&& output, const tile_desc& desc) {
  static_assert(detail::alike_types<tile_desc, input_view<Input>, output_view<Output>>,
                "goldml TILE TI1: InputTensor and OutputTensor have the same data type");
  static_assert(detail::takes<tile_desc, 0, input_view<Input>>,
                "goldml TILE T3: InputTensor is not FLOAT64 at any feature level");
  detail::call(backend, desc, std::tuple(detail::as_input(input)),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same, returning the output.
template <class Backend, class T>
[[nodiscard]] tensor<T> tile(const Backend& backend, const tensor<T>& input, const tile_desc& desc) {
  tensor<T> output = detail::new_output<T>(desc, input);
  tile(backend, input, output, desc);
  return output;
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(tile_desc);
