// SCATTER_ELEMENTS: a copy of the input in which updates replace elements; each index gives the position on an axis,
// and its own place the other coordinates. Feature level 2_0. DirectML also calls it SCATTER, which is its page:
// DML_SCATTER_OPERATOR_DESC. Rules: SE1..SE9. Rulings: ledger L61, L63.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/core/compiled.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/operators/index_rules.hpp>

namespace goldml {

struct scatter_elements_desc {
  std::uint32_t axis = 0;
  goldml::range_policy range_policy = goldml::range_policy::refuse;
  goldml::duplicates duplicates = goldml::duplicates::refuse;
  goldml::off_axis_sizes off_axis_sizes = goldml::off_axis_sizes::equal;
  bool in_place = false;  // the output may be exactly the input (T12)
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct operator_traits<scatter_elements_desc> {
  static constexpr std::string_view name = "SCATTER_ELEMENTS";
  static constexpr std::uint32_t enumerator = 94;

  static constexpr std::array<operand_limits, 4> data_limits{{{feature_level::level_2_0, data_types_f, 4, 4},
                                                              {feature_level::level_2_1, data_types_a8, 4, 4},
                                                              {feature_level::level_3_0, data_types_a8, 1, 8},
                                                              {feature_level::level_4_1, data_types_a11, 1, 8}}};
  static constexpr std::array<operand_limits, 2> indices_limits{
      {{feature_level::level_2_0, {data_type::uint32}, 4, 4}, {feature_level::level_3_0, data_types_ix, 1, 8}}};
  static constexpr std::array<operand_info, 4> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = data_limits, .in_place = true},
       {.name = "IndicesTensor", .role = operand_role::input, .limits = indices_limits, .same_rank_as = {"SE1", 0}},
       {.name = "UpdatesTensor",
        .role = operand_role::input,
        .limits = data_limits,
        .same_data_type_as = {"SE2", 0},
        .same_rank_as = {"SE1", 0}},
       {.name = "OutputTensor",
        .role = operand_role::output,
        .limits = data_limits,
        .same_data_type_as = {"SE2", 0},
        .same_rank_as = {"SE1", 0}}}};

  static constexpr std::array attributes{row<&scatter_elements_desc::axis>("Axis").axis_of(0, "SE3")};
  static constexpr std::array policies{
      row<&scatter_elements_desc::range_policy>("range_policy"), row<&scatter_elements_desc::duplicates>("duplicates"),
      row<&scatter_elements_desc::off_axis_sizes>("off_axis_sizes"), row<&scatter_elements_desc::in_place>("in_place"),
      row<&scatter_elements_desc::same_resource>("same_resource")};

  static implied_output implied(const scatter_elements_desc&, const std::array<operand, 4>& t, std::size_t) {
    return {.sizes = t[0].desc->sizes};
  }

  static void check_rules(const scatter_elements_desc& desc, const std::array<operand, 4>& t,
                          const rule_report& report) {
    const auto& [input, indices, updates, output] = t;
    if (input.legal && indices.legal && input.desc->sizes.size() == indices.desc->sizes.size() &&
        detail::check_axis(attributes[0], desc.axis, input.desc->sizes.size(), report))
      detail::check_off_axis_sizes("SE4", desc.off_axis_sizes, desc.axis, input.desc->sizes, indices.desc->sizes,
                                   report);
    // Here and not in the description, so that they come after SE3 and SE4.
    detail::check_likeness({{"SE5", 1}, detail::likeness::sizes, 2}, updates, indices, operands[2], operands[1],
                           report);
    detail::check_likeness({{"SE6", 0}, detail::likeness::sizes, 3}, output, input, operands[3], operands[0], report);
  }

  // SE9 for index v at c, the element `number` of the indices, which names a place that an earlier one names.
  template <class Index>
  static violation place_taken(const coordinate_tuple& place, Index v, const coordinate_tuple& c, std::size_t number) {
    return {.rule = "SE9",
            .operator_name = name,
            .operand = "IndicesTensor",
            .member = "element",
            .index = number,
            .got = violation_text("place {} again", place),
            .wanted = violation_text("a place that no earlier index names"),
            .why = violation_text("{} at {}; duplicates last_wins accepts it", v, c)};
  }

  // The place in the output that the index at c names; nullopt if it is out of range and the policy is not `clamp`.
  template <class Index>
  static std::optional<coordinate_tuple> place_of(const scatter_elements_desc& desc, const dimensions& input,
                                                  const tensor_view<const Index>& indices, const coordinate_tuple& c) {
    const auto position = resolve_index(indices[c], input[desc.axis], desc.range_policy);
    if (!position) return std::nullopt;
    coordinate_tuple place = c;
    place[desc.axis] = *position;
    return place;
  }

  // The rules on the values of the indices: SE8 for all of them, then SE9. Call before the first write.
  static std::optional<violation> check_indices(const scatter_elements_desc& desc, const dimensions& input,
                                                const const_tensor_ref& indices) {
    std::optional<violation> broken;
    visit_data_type(ix_types{}, indices.desc().data_type, [&]<class Index>(std::type_identity<Index>) {
      const tensor_view<const Index> view = indices.as<Index>();
      if (desc.range_policy == range_policy::refuse)
        broken = detail::find_bad_index(name, "SE8", "clamp or drop", view,
                                        [&](const coordinate_tuple&) { return input[desc.axis]; });
      if (!broken && desc.duplicates == duplicates::refuse) broken = find_duplicate(desc, input, view);
    });
    return broken;
  }

  // Elements read and written: the input is copied, the updates are moved, the indices are read up to three times (SE8,
  // SE9 and the scatter itself), and there is one bit per place.
  static work_counts work(const scatter_elements_desc&, const std::array<operand, 4>& t) {
    return {.elements = saturating_add(saturating_multiply(2, element_count(t[0].desc->sizes)),
                                       saturating_multiply(5, element_count(t[1].desc->sizes)))};
  }

  static constexpr operator_options<scatter_elements_desc> options{.alias = "SCATTER",
                                                                   .implied = &implied,
                                                                   .check_rules = &check_rules,
                                                                   .check_indices = &check_indices,
                                                                   .work = &work,
                                                                   .moves = true};

 private:
  // SE9: the lowest index that names the same place as an earlier one. Uses one bit per place.
  template <class Index>
  static std::optional<violation> find_duplicate(const scatter_elements_desc& desc, const dimensions& input,
                                                 const tensor_view<const Index>& indices) {
    const dimensions strides = packed_strides(input);
    std::vector<bool> taken(static_cast<std::size_t>(element_count(input)));
    std::size_t number = 0;
    for (const coordinate_tuple& c : coordinates_of(indices.sizes())) {
      if (const auto place = place_of(desc, input, indices, c)) {
        auto bit = taken[static_cast<std::size_t>(offset_of(*place, strides))];
        if (bit) return place_taken(*place, indices[c], c, number);
        bit = true;
      }
      ++number;
    }
    return std::nullopt;
  }
};

// output = input, then output[c with indices[c] on the axis] = updates[c] for each c of the indices, in row-major
// order.
//   input, output   any sizes, the same type
//   indices         the input's sizes, and any size on the axis; INT64, INT32, UINT64 or UINT32
//   updates         the sizes of the indices, the input's type
// A negative index v means v + the size of the axis. Copies bits. Throws error (T1..T12, SE1..SE6 and, depending on the
// values of the indices and the policies, SE8 and SE9), with the output unchanged.
template <class Backend, input_argument Input, input_argument Indices, input_argument Updates, output_argument Output>
void scatter_elements(const Backend& backend, const Input& input, const Indices& indices, const Updates& updates,
                      Output&& output, const scatter_elements_desc& desc) {
  static_assert(detail::takes<scatter_elements_desc, 1, input_view<Indices>>,
                "goldml SCATTER_ELEMENTS T3 (SE7): IndicesTensor takes INT64, INT32, UINT64 or UINT32");
  static_assert(detail::alike_types<scatter_elements_desc, input_view<Input>, input_view<Indices>, input_view<Updates>,
                                    output_view<Output>>,
                "goldml SCATTER_ELEMENTS SE2: InputTensor, UpdatesTensor and OutputTensor have the same data type");
  detail::call(backend, desc, std::tuple(detail::as_input(input), detail::as_input(indices), detail::as_input(updates)),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same, returning the output.
template <class Backend, class T, class Index>
[[nodiscard]] tensor<T> scatter_elements(const Backend& backend, const tensor<T>& input, const tensor<Index>& indices,
                                         const tensor<T>& updates, const scatter_elements_desc& desc) {
  tensor<T> output(input.sizes());
  scatter_elements(backend, input, indices, updates, output, desc);
  return output;
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(scatter_elements_desc);
