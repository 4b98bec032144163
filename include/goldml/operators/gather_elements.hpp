// GATHER_ELEMENTS: for each index, the element of the input at the index's own place, with that position on an axis.
// Feature level 2_1. Page: DML_GATHER_ELEMENTS_OPERATOR_DESC. Rules: GE1..GE7. Rulings: ledger L60, L61.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <goldml/core/compiled.hpp>
#include <goldml/operators/gather_family.hpp>

namespace goldml {

struct gather_elements_desc {
  std::uint32_t axis = 0;
  goldml::range_policy range_policy = goldml::range_policy::refuse;
  goldml::off_axis_sizes off_axis_sizes = goldml::off_axis_sizes::equal;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

namespace detail {

template <>
struct gather_row<gather_elements_desc> {
  static constexpr std::string_view name = "GATHER_ELEMENTS";
  static constexpr std::uint32_t enumerator = 107;
  static constexpr std::string_view alike_ranks = "GE1", alike_types = "GE2", output_sizes = "GE5", index_range = "GE7";
  static constexpr std::size_t first = 1;
};

}  // namespace detail

template <>
struct operator_traits<gather_elements_desc> : detail::gather_traits<gather_elements_desc> {
  static constexpr std::array attributes{row<&gather_elements_desc::axis>("Axis").axis_of(0, "GE3")};

  static void check_sizes(const gather_elements_desc& desc, const dimensions& input, const dimensions& indices,
                          const rule_report& report) {
    if (detail::check_axis(attributes[0], desc.axis, input.size(), report))
      detail::check_off_axis_sizes("GE4", desc.off_axis_sizes, desc.axis, input, indices, report);
  }

  // They depend on the indices alone.
  static std::optional<dimensions> output_sizes(const gather_elements_desc&, const dimensions&,
                                                const dimensions& indices) {
    return indices;
  }

  static std::uint32_t indexed_size(const gather_elements_desc& desc, const dimensions& input,
                                    const coordinate_tuple&) {
    return input[desc.axis];
  }

  template <class Index>
  static std::optional<coordinate_tuple> source_of(const gather_elements_desc& desc, const dimensions& input,
                                                   const tensor_view<const Index>& indices, const coordinate_tuple& o,
                                                   range_policy policy) {
    const auto position = resolve_index(indices[o], input[desc.axis], policy);
    if (!position) return std::nullopt;
    coordinate_tuple from = o;
    from[desc.axis] = *position;
    return from;
  }

  static constexpr operator_options<gather_elements_desc> options = shared_options();
};

// Output[c] = Input[c with Indices[c] on the axis].
//   input    any sizes; every type
//   indices  the input's sizes, and any size on the axis
//   output   the sizes of the indices, the input's type
inline constexpr gather_function<gather_elements_desc> gather_elements{};

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(gather_elements_desc);
