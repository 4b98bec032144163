// MAX_UNPOOLING: zeros, except where an index says that an element of the input goes. Feature level 2_0.
// Page: DML_MAX_UNPOOLING_OPERATOR_DESC. Rules: MU1..MU4. Ruling: ledger L67.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <goldml/core/compiled.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/policies.hpp>

namespace goldml {

struct max_unpooling_desc {
  goldml::duplicates duplicates = goldml::duplicates::refuse;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

// MU4 for the index at c, the element `number` of the indices, which names a place that an earlier one names.
template <class Index>
violation unpooling_place_taken(Index place, const coordinate_tuple& c, std::size_t number) {
  return {.rule = "MU4",
          .operator_name = "MAX_UNPOOLING",
          .operand = "IndicesTensor",
          .member = "element",
          .index = number,
          .got = violation_text("place {} again", place),
          .wanted = violation_text("a place that no earlier index names"),
          .why = violation_text("the index at {}; duplicates last_wins accepts it", c)};
}

// Checks the rule on the values of the indices, MU4: the lowest index that names the place of an earlier one. Places
// are row-major numbers in the output, which has `places` elements; other indices name none. Uses one bit per place.
// Call before the first write.
template <class Index>
std::optional<violation> check_indices(const max_unpooling_desc& desc, const tensor_view<const Index>& indices,
                                       std::uint64_t places) {
  if (desc.duplicates != duplicates::refuse) return std::nullopt;
  std::vector<bool> taken(static_cast<std::size_t>(places));
  std::size_t number = 0;
  for (const coordinate_tuple& c : coordinates_of(indices.sizes())) {
    const Index place = indices[c];
    if (place < places) {
      auto bit = taken[static_cast<std::size_t>(place)];
      if (bit) return unpooling_place_taken(place, c, number);
      bit = true;
    }
    ++number;
  }
  return std::nullopt;
}

template <>
struct operator_traits<max_unpooling_desc> {
  static constexpr std::string_view name = "MAX_UNPOOLING";
  static constexpr std::uint32_t enumerator = 92;

  static constexpr std::array<operand_limits, 2> data_limits{
      {{feature_level::level_2_0, data_types_f, 4, 4}, {feature_level::level_5_0, data_types_a10, 4, 4}}};
  static constexpr std::array<operand_limits, 2> indices_limits{
      {{feature_level::level_2_0, {data_type::uint32}, 4, 4},
       {feature_level::level_5_0, {data_type::uint64, data_type::uint32}, 4, 4}}};
  static constexpr std::array<operand_info, 3> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = data_limits},
       {.name = "IndicesTensor", .role = operand_role::input, .limits = indices_limits, .same_sizes_as = {"MU2", 0}},
       {.name = "OutputTensor", .role = operand_role::output, .limits = data_limits, .same_data_type_as = {"MU1", 0}}}};

  static constexpr auto& attributes = no_attributes;
  static constexpr std::array policies{row<&max_unpooling_desc::duplicates>("duplicates"),
                                       row<&max_unpooling_desc::same_resource>("same_resource")};

  // Elements read and written: the indices are read twice (MU4 and the call itself).
  static work_counts work(const max_unpooling_desc&, const std::array<operand, 3>& t) {
    const std::uint64_t moved = saturating_multiply(4, element_count(t[0].desc->sizes));
    return {.elements = saturating_add(moved, element_count(t[2].desc->sizes))};
  }

  static constexpr operator_options<max_unpooling_desc> options{.work = &work, .moves = true};
};

// output = +0; then, for each coordinate c of the input in row-major order, the output's element of that row-major
// number, indices[c], = input[c]. An index that is not below the number of elements of the output writes nothing.
//   input    four dimensions; FLOAT32 or FLOAT16, from level 5_0 on all types but FLOAT64
//   indices  the input's sizes; UINT64 or UINT32
//   output   any four sizes; the input's type
// Copies bits. Throws error (T1..T12, MU1, MU2 and, depending on the values of the indices and the policy, MU4), with
// the output unchanged.
template <class Backend, input_argument Input, input_argument Indices, output_argument Output>
void max_unpooling(const Backend& backend, const Input& input, const Indices& indices, Output&& output,
                   const max_unpooling_desc& desc = {}) {
  static_assert(detail::takes<max_unpooling_desc, 0, input_view<Input>>,
                "goldml MAX_UNPOOLING T3: InputTensor takes every type but FLOAT64");
  static_assert(detail::takes<max_unpooling_desc, 1, input_view<Indices>>,
                "goldml MAX_UNPOOLING T3 (MU3): IndicesTensor takes UINT64 or UINT32");
  static_assert(detail::alike_types<max_unpooling_desc, input_view<Input>, input_view<Indices>, output_view<Output>>,
                "goldml MAX_UNPOOLING MU1: InputTensor and OutputTensor have the same data type");
  detail::call(backend, desc, std::tuple(detail::as_input(input), detail::as_input(indices)),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same, returning the output, which has these sizes.
template <class Backend, class T, class Index>
[[nodiscard]] tensor<T> max_unpooling(const Backend& backend, const tensor<T>& input, const tensor<Index>& indices,
                                      const dimensions& sizes, const max_unpooling_desc& desc = {}) {
  tensor<T> output = detail::new_output_of<T>(sizes, desc, input, indices);
  max_unpooling(backend, input, indices, output, desc);
  return output;
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(max_unpooling_desc);
