// SCATTER_ND: a copy of the input in which updates replace the elements or slices that index tuples point to. Feature
// level 2_1. Page: DML_SCATTER_ND_OPERATOR_DESC. Rules: S1..S12. Rulings: ledger 7.5, 7.6, 7.7, 7.8.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/operators/scatter_nd_places.hpp>

namespace goldml {

template <>
struct operator_traits<scatter_nd_desc> {
  static constexpr std::string_view name = "SCATTER_ND";
  static constexpr std::uint32_t enumerator = 109;

  static constexpr std::array<operand_limits, 3> data_limits{{{feature_level::level_2_1, data_types_a8, 4, 4},
                                                              {feature_level::level_3_0, data_types_a8, 1, 8},
                                                              {feature_level::level_4_1, data_types_a11, 1, 8}}};
  static constexpr std::array<operand_limits, 2> indices_limits{
      {{feature_level::level_2_1, {data_type::uint32}, 4, 4}, {feature_level::level_3_0, data_types_ix, 1, 8}}};
  static constexpr std::array<operand_info, 4> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = data_limits, .in_place = true},
       {.name = "IndicesTensor", .role = operand_role::input, .limits = indices_limits, .same_rank_as = {"S1", 0}},
       {.name = "UpdatesTensor",
        .role = operand_role::input,
        .limits = data_limits,
        .same_data_type_as = {"S2", 0},
        .same_rank_as = {"S1", 0}},
       {.name = "OutputTensor",
        .role = operand_role::output,
        .limits = data_limits,
        .same_data_type_as = {"S2", 0},
        .same_rank_as = {"S1", 0},
        .same_sizes_as = {"S3", 0}}}};

  static constexpr std::array attributes{row<&scatter_nd_desc::input_dimension_count>("InputDimensionCount"),
                                         row<&scatter_nd_desc::indices_dimension_count>("IndicesDimensionCount")};
  static constexpr std::array policies{
      row<&scatter_nd_desc::range_policy>("range_policy"), row<&scatter_nd_desc::duplicates>("duplicates"),
      row<&scatter_nd_desc::in_place>("in_place"), row<&scatter_nd_desc::same_resource>("same_resource")};

  static void check_rules(const scatter_nd_desc& desc, const operands_of<scatter_nd_desc>& t,
                          const rule_report& report) {
    const auto& [input, indices, updates, output] = t;
    if (!input.legal || !indices.legal || input.desc->sizes.size() != indices.desc->sizes.size()) return;
    const dimensions& data_sizes = input.desc->sizes;
    const dimensions& index_sizes = indices.desc->sizes;
    const bool r_legal = check_count("InputDimensionCount", desc.input_dimension_count, data_sizes.size(), report);
    const bool q_legal = check_count("IndicesDimensionCount", desc.indices_dimension_count, data_sizes.size(), report);
    if (!r_legal || !q_legal) return;

    check_leading("InputTensor", data_sizes, desc.input_dimension_count, report);
    check_leading("IndicesTensor", index_sizes, desc.indices_dimension_count, report);
    if (index_sizes.back() > desc.input_dimension_count) {
      report("S6", "IndicesTensor", "Sizes", violation_text("{}", index_sizes.back()),
             violation_text("at most InputDimensionCount {}", desc.input_dimension_count),
             violation_text("the last size is the length of an index tuple; Sizes {}", index_sizes),
             index_sizes.size() - 1);
      return;
    }
    check_updates(scatter_nd_shape(desc, data_sizes, index_sizes), updates, report);
  }

  // Elements read and written: the input is copied, the updates are moved, the indices are read up to three times (S10,
  // S11 and the scatter itself), and there is one bit per place.
  static work_counts work(const scatter_nd_desc&, const operands_of<scatter_nd_desc>& t) {
    const auto count = [&](std::size_t i) { return element_count(t[i].desc->sizes); };
    std::uint64_t total = saturating_multiply(3, count(1));
    for (const std::uint64_t part : {count(0), count(2), count(2), count(3)}) total = saturating_add(total, part);
    return {.elements = total};
  }

  static constexpr operator_options<scatter_nd_desc> options{.check_rules = &check_rules, .work = &work, .moves = true};

 private:
  // S4.
  static bool check_count(std::string_view member, std::uint32_t count, std::size_t dimension_count,
                          const rule_report& report) {
    const bool legal = count >= 1 && count <= dimension_count;
    if (!legal) report("S4", "", member, violation_text("{}", count), violation_text("1 to {}", dimension_count));
    return legal;
  }

  // S5.
  static void check_leading(std::string_view operand, const dimensions& sizes, std::size_t meaningful,
                            const rule_report& report) {
    for (std::size_t i = 0; i < sizes.size() - meaningful; ++i)
      if (sizes[i] != 1)
        report("S5", operand, "Sizes", violation_text("{}", sizes[i]), violation_text("1"),
               violation_text("Sizes {}, of which the last {} are meaningful", sizes, meaningful), i);
  }

  // S9, else S7. Skipped where the updates break S1, as both ask of the common DimensionCount.
  static void check_updates(const scatter_nd_shape& shape, const operand& updates, const rule_report& report) {
    if (updates.legal && updates.desc->sizes.size() != shape.dimension_count) return;
    const std::size_t needed = shape.tuples.size() + shape.slice.size();
    if (needed > shape.dimension_count)
      report("S9", "UpdatesTensor", "DimensionCount", violation_text("{}", shape.dimension_count),
             violation_text("at least {}", needed),
             violation_text("tuples {} ++ input slice {}", shape.tuples, shape.slice));
    else if (updates.legal && updates.desc->sizes != shape.updates_sizes())
      report("S7", "UpdatesTensor", "Sizes", violation_text("{}", updates.desc->sizes),
             violation_text("{}", shape.updates_sizes()),
             violation_text("tuples {} ++ input slice {}", shape.tuples, shape.slice));
  }
};

// output = input, then output[tuple] = update for each index tuple. A tuple with fewer indices than the input has
// meaningful dimensions points to a whole trailing slice. With D dimensions in all four tensors, r and q of them
// meaningful in input and indices:
//   input, output  {1, .., 1, d[0..r)}, the same type
//   indices        {1, .., 1, i[0..q)}, the last size k the length of a tuple; INT64, INT32, UINT64 or UINT32
//   updates        {1, .., 1} ++ i[0..q-1) ++ d[k..r), the input's type
// Signed indices may be negative: v means v + size. Copies bits. Throws error (T1..T12, S1..S9 and, depending on the
// values of the indices and the policies, S10 and S11), with the output unchanged.
template <class Backend, input_argument Input, input_argument Indices, input_argument Updates, output_argument Output>
void scatter_nd(const Backend& backend, const Input& input, const Indices& indices, const Updates& updates,
                Output&& output, const scatter_nd_desc& desc) {
  static_assert(detail::takes<scatter_nd_desc, 1, input_view<Indices>>,
                "goldml SCATTER_ND T3 (S8): IndicesTensor takes INT64, INT32, UINT64 or UINT32, never FLOAT32");
  static_assert(detail::alike_types<scatter_nd_desc, input_view<Input>, input_view<Indices>, input_view<Updates>,
                                    output_view<Output>>,
                "goldml SCATTER_ND S2: InputTensor, UpdatesTensor and OutputTensor have the same data type");
  detail::call(backend, desc, std::tuple(detail::as_input(input), detail::as_input(indices), detail::as_input(updates)),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same, returning the output.
template <class Backend, class T, class Index>
[[nodiscard]] tensor<T> scatter_nd(const Backend& backend, const tensor<T>& input, const tensor<Index>& indices,
                                   const tensor<T>& updates, const scatter_nd_desc& desc) {
  tensor<T> output(input.sizes());
  scatter_nd(backend, input, indices, updates, output, desc);
  return output;
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(scatter_nd_desc);
