// DIAGONAL_MATRIX1: fills a range of diagonals of each matrix, over zeros or over an input. Feature level 5_1.
// Page: DML_DIAGONAL_MATRIX1_OPERATOR_DESC. Rules: D1..D6. Rulings: ledger 7.10.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>

#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/scalar_rules.hpp>

namespace goldml {

struct diagonal_matrix1_desc {
  scalar value = {};                     // of the output's data type; if omitted, zero
  std::int32_t diagonal_fill_begin = 0;  // inclusive; 0 is the main diagonal, positive to its right
  std::int32_t diagonal_fill_end = 0;    // exclusive; if less than begin, all diagonals except [end, begin) are filled
  bool in_place = false;                 // the output may be exactly the input (T12)
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct operator_traits<diagonal_matrix1_desc> {
  static constexpr std::string_view name = "DIAGONAL_MATRIX1";
  static constexpr std::uint32_t enumerator = 163;

  static constexpr std::array<operand_limits, 1> limits{{{feature_level::level_5_1, data_types_a11, 2, 4}}};
  static constexpr std::array<operand_info, 2> operands{
      {{.name = "InputTensor",
        .role = operand_role::input,
        .limits = limits,
        .optional = true,
        .in_place = true,
        .same_data_type_as = {"D1", 1},
        .same_rank_as = {"D2", 1},
        .same_sizes_as = {"D3", 1}},
       {.name = "OutputTensor", .role = operand_role::output, .limits = limits}}};

  static constexpr std::array attributes{row<&diagonal_matrix1_desc::value>("Value", "ValueDataType"),
                                         row<&diagonal_matrix1_desc::diagonal_fill_begin>("DiagonalFillBegin"),
                                         row<&diagonal_matrix1_desc::diagonal_fill_end>("DiagonalFillEnd")};
  static constexpr std::array policies{row<&diagonal_matrix1_desc::in_place>("in_place"),
                                       row<&diagonal_matrix1_desc::same_resource>("same_resource")};

  static void check_rules(const diagonal_matrix1_desc& desc, const operands_of<diagonal_matrix1_desc>& t,
                          const rule_report& report) {
    detail::check_value_type("D5", "ValueDataType", "value", desc.value, t[1], report);
  }

  static constexpr operator_options<diagonal_matrix1_desc> options{
      .check_rules = &check_rules, .moves = true, .exact = true};
};

// Whether diagonal t = x - y is filled: t in [begin, end) or, if the range is inverted, t not in [end, begin).
// The page's formula is (E >= B) xor (t >= B) xor (t < E). In 64 bits, because t may exceed INT32.
constexpr bool diagonal_is_filled(std::int64_t t, std::int64_t begin, std::int64_t end) {
  if (begin <= end) return begin <= t && t < end;
  return !(end <= t && t < begin);
}

// output[c] = value if c is on a filled diagonal of its matrix (the last two dimensions), otherwise input[c].
//   input, output  the same type, 2 to 4 dimensions and sizes: {[batch, [batch,]] height, width}
// Copies bits: NaN, -0.0 and subnormals are preserved. Throws error (T1..T12, D1..D5), with the output unchanged.
template <class Backend, input_argument Input, output_argument Output>
void diagonal_matrix1(const Backend& backend, const Input& input, Output&& output, const diagonal_matrix1_desc& desc) {
  static_assert(detail::alike_types<diagonal_matrix1_desc, input_view<Input>, output_view<Output>>,
                "goldml DIAGONAL_MATRIX1 D1: InputTensor and OutputTensor have the same data type");
  const std::optional optional_input = detail::as_input(input);
  detail::call(backend, desc, std::tuple(optional_input), std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same without an input: other elements are zero. (For an owning tensor pass y.view(): a call with only a tensor
// selects the overload below, in which it is the input.)
template <class Backend, output_argument Output>
requires(!detail::is_owner<std::remove_cvref_t<Output>>) void diagonal_matrix1(const Backend& backend, Output&& output,
                                                                               const diagonal_matrix1_desc& desc) {
  const auto view = detail::as_output(std::forward<Output>(output));
  using input = std::optional<input_view<decltype(view)>>;
  detail::call(backend, desc, std::tuple(input{}), std::tuple(view));
}

// The two, returning the output: diagonal_matrix1(cpu, input, desc) and diagonal_matrix1<float>(cpu, {4, 5}, desc).
template <class Backend, class T>
[[nodiscard]] tensor<T> diagonal_matrix1(const Backend& backend, const tensor<T>& input,
                                         const diagonal_matrix1_desc& desc) {
  tensor<T> output(input.sizes());
  diagonal_matrix1(backend, input, output, desc);
  return output;
}
template <element T, class Backend>
[[nodiscard]] tensor<T> diagonal_matrix1(const Backend& backend, const dimensions& sizes,
                                         const diagonal_matrix1_desc& desc) {
  tensor<T> output(sizes);
  diagonal_matrix1(backend, output.view(), desc);
  return output;
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(diagonal_matrix1_desc);
