// GATHER: elements or slices of the input, at the positions on an axis that a tensor of indices gives. Feature level
// 1_0. Page: DML_GATHER_OPERATOR_DESC. Rules: GA1..GA9. Rulings: ledger L60, L62.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <goldml/core/compiled.hpp>
#include <goldml/operators/gather_family.hpp>

namespace goldml {

struct gather_desc {
  std::uint32_t axis = 0;
  std::uint32_t index_dimensions = 1;  // meaningful trailing dimensions of the indices
  goldml::range_policy range_policy = goldml::range_policy::refuse;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct detail::gather_row<gather_desc> {
  static constexpr std::string_view name = "GATHER";
  static constexpr std::uint32_t enumerator = 67;
  static constexpr std::string_view alike_ranks = "GA1", alike_types = "GA2", output_sizes = "GA7", index_range = "GA9";
  static constexpr std::size_t first = 0;
};

// With D dimensions and I = index_dimensions, `full` is the input's shape with the last I dimensions of the indices in
// the place of the axis: D - 1 + I dimensions. The output's are the last D of them, or, if I is 0, a 1 and all of them.
template <>
struct operator_traits<gather_desc> : detail::gather_traits<gather_desc> {
  static constexpr std::array attributes{row<&gather_desc::axis>("Axis").axis_of(0, "GA3"),
                                         row<&gather_desc::index_dimensions>("IndexDimensions")};

  static void check_sizes(const gather_desc& desc, const dimensions& input, const dimensions& indices,
                          const rule_report& report) {
    const std::size_t count = desc.index_dimensions;
    const bool axis_is_legal = detail::check_axis(attributes[0], desc.axis, input.size(), report);
    if (count > input.size()) {
      report("GA4", "", "IndexDimensions", violation_text("{}", count),
             violation_text("at most DimensionCount {}", input.size()));
      return;
    }
    if (axis_is_legal) check_cut_sizes(desc, input, report);
    for (std::size_t i = 0; i < indices.size() - count; ++i)
      if (indices[i] != 1)
        report("GA6", "IndicesTensor", "Sizes", violation_text("{}", indices[i]), violation_text("1"),
               violation_text("Sizes {}, of which the last {} are meaningful", indices, count), i);
  }

  static std::optional<dimensions> output_sizes(const gather_desc& desc, const dimensions& input,
                                                const dimensions& indices) {
    if (desc.axis >= input.size() || desc.index_dimensions > input.size() || first_uncut(desc, input) != cut_of(desc))
      return std::nullopt;
    dimensions sizes = desc.index_dimensions == 0 ? dimensions{1} : dimensions{};
    sizes.append(input.slice(cut_of(desc), desc.axis));
    sizes.append(indices.slice(indices.size() - desc.index_dimensions, indices.size()));
    sizes.append(input.slice(desc.axis + 1, input.size()));
    return sizes;
  }

  static std::uint32_t indexed_size(const gather_desc& desc, const dimensions& input, const coordinate_tuple&) {
    return input[desc.axis];
  }

  template <class Index>
  static std::optional<coordinate_tuple> source_of(const gather_desc& desc, const dimensions& input,
                                                   const tensor_view<const Index>& indices, const coordinate_tuple& o,
                                                   range_policy policy) {
    const std::size_t count = desc.index_dimensions;
    // Coordinate i in `full`.
    const auto full = [&](std::size_t i) { return count == 0 ? o[i + 1] : i < count - 1 ? 0 : o[i - (count - 1)]; };
    coordinate_tuple of_index = coordinate_tuple::filled(indices.sizes().size() - count, 0);
    for (std::size_t i = desc.axis; i < desc.axis + count; ++i) of_index.push_back(full(i));
    const auto position = resolve_index(indices[of_index], input[desc.axis], policy);
    if (!position) return std::nullopt;
    coordinate_tuple from;
    for (std::size_t i = 0; i < desc.axis; ++i) from.push_back(full(i));
    from.push_back(*position);
    for (std::size_t i = desc.axis + 1; i < input.size(); ++i) from.push_back(full(i - 1 + count));
    return from;
  }

  static constexpr operator_options<gather_desc> options = shared_options();

 private:
  // The number of leading entries of `full` that the output does not have.
  static std::size_t cut_of(const gather_desc& desc) {
    return desc.index_dimensions == 0 ? 0 : desc.index_dimensions - 1;
  }
  // The first of these that is not a 1 of the input; the number of them if there is none.
  static std::size_t first_uncut(const gather_desc& desc, const dimensions& input) {
    std::size_t i = 0;
    while (i < cut_of(desc) && i < desc.axis && input[i] == 1) ++i;
    return i;
  }

  // GA5.
  static void check_cut_sizes(const gather_desc& desc, const dimensions& input, const rule_report& report) {
    const std::size_t i = first_uncut(desc, input);
    if (i == cut_of(desc)) return;
    if (i == desc.axis)
      report("GA5", "", "Axis", violation_text("{}", desc.axis), violation_text("at least {}", cut_of(desc)),
             violation_text("IndexDimensions {} less 1", desc.index_dimensions));
    else
      report("GA5", "InputTensor", "Sizes", violation_text("{}", input[i]), violation_text("1"),
             violation_text("Sizes {}; IndexDimensions {} leave no room for the first {}", input, desc.index_dimensions,
                            cut_of(desc)),
             i);
  }
};

// Output[.., t, ..] = Input[.., Indices[t], ..]: the coordinates t of the indices take the place of one on the axis.
//   input    {1, .., 1, d}, the axis among d; every type
//   indices  {1, .., 1} ++ i, where i are index_dimensions sizes, or none for a single index
//   output   d with i in the place of the axis, with leading 1s; the input's type
inline constexpr gather_function<gather_desc> gather{};

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(gather_desc);
