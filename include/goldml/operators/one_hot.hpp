// ONE_HOT: along an axis, one value at the position that an index gives, another value elsewhere. Feature level 2_0.
// Page: DML_ONE_HOT_OPERATOR_DESC. Rules: OH1..OH7. Ruling: ledger L49.
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

struct one_hot_desc {
  std::uint32_t axis = 0;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct operator_traits<one_hot_desc> {
  static constexpr std::string_view name = "ONE_HOT";
  static constexpr std::uint32_t enumerator = 95;

  static constexpr std::array<operand_limits, 2> indices_limits{
      {{feature_level::level_2_0, {data_type::uint32}, 4, 4}, {feature_level::level_3_0, data_types_ix, 1, 8}}};
  static constexpr std::array<operand_limits, 4> data_limits{{{feature_level::level_2_0, data_types_f, 4, 4},
                                                              {feature_level::level_2_1, data_types_a8, 4, 4},
                                                              {feature_level::level_3_0, data_types_a8, 1, 8},
                                                              {feature_level::level_4_1, data_types_a11, 1, 8}}};
  static constexpr std::array<operand_info, 3> operands{
      {{.name = "IndicesTensor", .role = operand_role::input, .limits = indices_limits},
       {.name = "ValuesTensor", .role = operand_role::input, .limits = data_limits, .same_rank_as = {"OH1", 0}},
       {.name = "OutputTensor",
        .role = operand_role::output,
        .limits = data_limits,
        .same_data_type_as = {"OH2", 1},
        .same_rank_as = {"OH1", 0}}}};

  static constexpr std::array attributes{row<&one_hot_desc::axis>("Axis").axis_of(0, "OH3")};
  static constexpr std::array policies{row<&one_hot_desc::same_resource>("same_resource")};

  static void check_rules(const one_hot_desc& desc, const std::array<operand, 3>& t, const rule_report& report) {
    const auto& [indices, values, output] = t;
    if (indices.legal) check_sizes(desc.axis, indices.desc->sizes, output, report);
    if (values.legal && element_count(values.desc->sizes) < 2)
      report("OH6", "ValuesTensor", "Sizes", violation_text("{}", values.desc->sizes),
             violation_text("at least 2 elements"), violation_text("the values off and on"));
  }

  static constexpr operator_options<one_hot_desc> options{.check_rules = &check_rules, .moves = true, .exact = true};

 private:
  // OH3 to OH5.
  static void check_sizes(std::uint32_t axis, const dimensions& indices, const operand& output,
                          const rule_report& report) {
    if (!detail::check_axis(attributes[0], axis, indices.size(), report)) return;
    if (indices[axis] != 1)
      report("OH4", "IndicesTensor", "Sizes", violation_text("{}", indices[axis]), violation_text("1"),
             violation_text("Sizes {}, Axis {}", indices, axis), axis);
    if (!output.legal || output.desc->sizes.size() != indices.size()) return;
    for (std::size_t i = 0; i < indices.size(); ++i)
      if (i != axis && indices[i] != output.desc->sizes[i])
        report("OH5", "IndicesTensor", "Sizes", violation_text("{}", indices[i]),
               violation_text("{}", output.desc->sizes[i]), violation_text("the output's; only Axis {} differs", axis),
               i);
  }
};

// output[c] = on if the index of c is the position c[axis], otherwise off. The index of c is the element of `indices`
// at c with 0 on the axis; off and on are the first two elements of `values`, in row-major order.
//   indices  the output's sizes with 1 on the axis; INT64, INT32, UINT64 or UINT32
//   values   any sizes with 2 elements or more; every type
//   output   any sizes; the type of the values
// A negative index v means v + n, where n is the output's size on the axis. An index outside [-n, n) gives off
// everywhere. Copies bits. Throws error (T1..T12, OH1..OH6), with the output unchanged.
template <class Backend, input_argument Indices, input_argument Values, output_argument Output>
void one_hot(const Backend& backend, const Indices& indices, const Values& values, Output&& output,
             const one_hot_desc& desc) {
  static_assert(detail::takes<one_hot_desc, 0, input_view<Indices>>,
                "goldml ONE_HOT T3 (OH7): IndicesTensor takes INT64, INT32, UINT64 or UINT32");
  static_assert(detail::alike_types<one_hot_desc, input_view<Indices>, input_view<Values>, output_view<Output>>,
                "goldml ONE_HOT OH2: ValuesTensor and OutputTensor have the same data type");
  detail::call(backend, desc, std::tuple(detail::as_input(indices), detail::as_input(values)),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same, returning the output, which has size `depth` on the axis.
template <class Backend, class Index, class T>
[[nodiscard]] tensor<T> one_hot(const Backend& backend, const tensor<Index>& indices, const tensor<T>& values,
                                std::uint32_t depth, const one_hot_desc& desc) {
  dimensions sizes = indices.sizes();
  if (desc.axis < sizes.size()) sizes[desc.axis] = depth;
  tensor<T> output = detail::new_output_of<T>(sizes, desc, indices, values);
  one_hot(backend, indices, values, output, desc);
  return output;
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(one_hot_desc);
