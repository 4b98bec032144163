// NONZERO_COORDINATES: the number of nonzero elements, and their coordinates. Feature level 3_0.
// Page: DML_NONZERO_COORDINATES_OPERATOR_DESC. Rules: N1..N8. Rulings: ledger 7.2, 7.4, 7.9.
#pragma once

#include <algorithm>
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

// The operator has no attributes, only goldml's policies.
struct nonzero_coordinates_desc {
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct operator_traits<nonzero_coordinates_desc> {
  static constexpr std::string_view name = "NONZERO_COORDINATES";
  static constexpr std::uint32_t enumerator = 133;

  static constexpr data_type_set uint32_only{data_type::uint32};
  static constexpr std::array<operand_limits, 2> input_limits{
      {{feature_level::level_3_0, data_types_a8, 4, 5}, {feature_level::level_4_0, data_types_a8, 1, 8}}};
  static constexpr std::array<operand_limits, 2> count_limits{
      {{feature_level::level_3_0, uint32_only, 4, 5}, {feature_level::level_4_0, uint32_only, 1, 8}}};
  static constexpr std::array<operand_limits, 2> coordinates_limits{
      {{feature_level::level_3_0, uint32_only, 4, 5}, {feature_level::level_4_0, uint32_only, 2, 8}}};
  static constexpr std::array<operand_info, 3> operands{
      {{"InputTensor", operand_role::input, input_limits},
       {"OutputCountTensor", operand_role::output, count_limits},
       {"OutputCoordinatesTensor", operand_role::output, coordinates_limits}}};

  static constexpr auto& attributes = no_attributes;
  static constexpr std::array policies{row<&nonzero_coordinates_desc::same_resource>("same_resource")};

  static void check_rules(const nonzero_coordinates_desc& desc, const operands_of<nonzero_coordinates_desc>& t,
                          const rule_report& report) {
    const auto& [input, count, rows] = t;
    if (count.legal) check_ones("N1", count, operands[1], count.desc->sizes.size(), report);
    if (input.legal && rows.legal) check_matrix(input.desc->sizes, rows.desc->sizes, report);
    if (rows.legal) check_ones("N5", rows, operands[2], rows.desc->sizes.size() - 2, report);
    if (desc.feature_level < feature_level::level_4_0 && input.legal) {
      check_dimension_count(count, operands[1], input.desc->sizes.size(), report);
      check_dimension_count(rows, operands[2], input.desc->sizes.size(), report);
    }
  }

  static constexpr operator_options<nonzero_coordinates_desc> options{.check_rules = &check_rules};

 private:
  // N1, N5: the first `count` sizes are 1.
  static void check_ones(std::string_view rule, const operand& t, const operand_info& info, std::size_t count,
                         const rule_report& report) {
    const dimensions& sizes = t.desc->sizes;
    for (std::size_t i = 0; i < count; ++i)
      if (sizes[i] != 1)
        report(rule, info.name, "Sizes", violation_text("{}", sizes[i]), violation_text("1"),
               violation_text("Sizes {}", sizes), i);
  }

  // N3, N4: M rows of N columns.
  static void check_matrix(const dimensions& input, const dimensions& sizes, const rule_report& report) {
    const std::size_t row = sizes.size() - 2;
    const std::size_t column = sizes.size() - 1;
    const std::size_t fewest = std::max<std::size_t>(1, effective_rank(input));
    if (sizes[row] != element_count(input))
      report("N3", "OutputCoordinatesTensor", "Sizes", violation_text("{}", sizes[row]),
             violation_text("{}", element_count(input)),
             violation_text("a row for each element of the input {}", input), row);
    if (sizes[column] < fewest || sizes[column] > input.size())
      report("N4", "OutputCoordinatesTensor", "Sizes", violation_text("{}", sizes[column]),
             fewest == input.size() ? violation_text("{}", fewest) : violation_text("{} to {}", fewest, input.size()),
             violation_text("at least the effective rank, at most the DimensionCount of the input {}", input), column);
  }

  // N6: below level 4_0 all three tensors have the same number of dimensions.
  static void check_dimension_count(const operand& t, const operand_info& info, std::size_t wanted,
                                    const rule_report& report) {
    if (t.legal && t.desc->sizes.size() != wanted)
      report("N6", info.name, "DimensionCount", violation_text("{}", t.desc->sizes.size()),
             violation_text("{}", wanted), violation_text("the input's, below feature level 4_0"));
  }
};

// rows[.., k, :] = the last N coordinates of the k-th nonzero element, in row-major order; count = the number of
// nonzero elements. Rows past the count are undefined.
//   input        8- to 32-bit types
//   count        UINT32, all sizes 1
//   rows         UINT32 {1, .., 1, M, N}: M = elements of the input, max(1, effective rank) <= N <= its DimensionCount
// At level 3_0 all three have the same number of dimensions, 4 or 5. Throws error (T1..T12, N1..N6), with the outputs
// unchanged.
template <class Backend, input_argument Input, output_argument Count, output_argument Rows>
void nonzero_coordinates(const Backend& backend, const Input& input, Count&& count, Rows&& rows,
                         const nonzero_coordinates_desc& desc = {}) {
  using desc_type = nonzero_coordinates_desc;
  static_assert(detail::takes<desc_type, 0, input_view<Input>>,
                "goldml NONZERO_COORDINATES T3 (N7): InputTensor takes 8- to 32-bit types");
  static_assert(detail::takes<desc_type, 1, output_view<Count>> && detail::takes<desc_type, 2, output_view<Rows>>,
                "goldml NONZERO_COORDINATES T3 (N2): OutputCountTensor and OutputCoordinatesTensor are UINT32");
  detail::call(backend, desc, std::tuple(detail::as_input(input)),
               std::tuple(detail::as_output(std::forward<Count>(count)), detail::as_output(std::forward<Rows>(rows))));
}

struct nonzero_coordinates_result {
  std::uint32_t count;
  tensor<std::uint32_t> coordinates;  // {M, N}, N the input's DimensionCount; rows past the count are undefined
};

// The same, returning the outputs.
template <class Backend, class T>
[[nodiscard]] nonzero_coordinates_result nonzero_coordinates(const Backend& backend, const tensor<T>& input,
                                                             const nonzero_coordinates_desc& desc = {}) {
  const std::size_t rank = input.sizes().size();
  const bool alike = desc.feature_level < feature_level::level_4_0;  // all three must have the same DimensionCount
  tensor<std::uint32_t> count(dimensions::filled(alike ? rank : 1, 1));
  tensor<std::uint32_t> rows(left_pad({input.size(), rank}, alike && rank > 2 ? rank : 2, 1));
  nonzero_coordinates(backend, input, count, rows, desc);
  return {count.elements().front(), tensor<std::uint32_t>({input.size(), rank}, rows.elements())};
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(nonzero_coordinates_desc);
