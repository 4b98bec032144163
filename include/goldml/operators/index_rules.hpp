// Rules on tensors of indices that GATHER, GATHER_ELEMENTS, GATHER_ND, GATHER_ND1 and SCATTER_ELEMENTS share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/shape_rules.hpp>
#include <goldml/core/tensor_rules.hpp>
#include <goldml/core/tensor_view.hpp>
#include <goldml/core/violation.hpp>
#include <goldml/operators/scatter_nd_places.hpp>

namespace goldml::detail {

// Whether a size of the indices off the axis is one that the policy accepts (ledger L61).
constexpr bool accepts_size(off_axis_sizes policy, std::uint32_t size, std::uint32_t of_input) {
  return size == of_input || (policy == off_axis_sizes::partial && size < of_input);
}

// The rule on the sizes of the indices off the axis. The ranks are the same, and the axis is legal.
inline void check_off_axis_sizes(std::string_view rule, off_axis_sizes policy, std::uint32_t axis,
                                 const dimensions& input, const dimensions& indices, const rule_report& report) {
  const std::string_view limit = policy == off_axis_sizes::partial ? "at most " : "";
  for (std::size_t i = 0; i < input.size(); ++i)
    if (i != axis && !accepts_size(policy, indices[i], input[i]))
      report(rule, "IndicesTensor", "Sizes", violation_text("{}", indices[i]), violation_text("{}{}", limit, input[i]),
             violation_text("the input's; only Axis {} is free{}", axis,
                            indices[i] < input[i] ? "; off_axis_sizes partial accepts it" : ""),
             i);
}

// The violation of `rule` by index v at c, the element `number` of the indices in row-major order, which is no position
// on an axis of that size.
template <class Index>
violation bad_index(std::string_view operator_name, std::string_view rule, std::string_view remedy, Index v,
                    std::uint32_t size, const coordinate_tuple& c, std::size_t number) {
  return {
      .rule = rule,
      .operator_name = operator_name,
      .operand = "IndicesTensor",
      .member = "element",
      .index = number,
      .got = violation_text("{}", v),
      .wanted = violation_text("{} to {}", std::is_signed_v<Index> ? -std::int64_t{size} : 0, std::int64_t{size} - 1),
      .why = violation_text("at {}; range_policy {} accepts it", c, remedy)};
}

// The first element of the indices, in row-major order, that is no position on its axis, as a violation of `rule`.
// size_of(c) is the size of the axis that the element at c selects from.
template <class Index, class SizeOf>
std::optional<violation> find_bad_index(std::string_view operator_name, std::string_view rule, std::string_view remedy,
                                        const tensor_view<const Index>& indices, const SizeOf& size_of) {
  std::size_t number = 0;
  for (const coordinate_tuple& c : coordinates_of(indices.sizes())) {
    const std::uint32_t size = size_of(c);
    if (!resolve_index(indices[c], size, range_policy::refuse))
      return bad_index(operator_name, rule, remedy, indices[c], size, c, number);
    ++number;
  }
  return std::nullopt;
}

}  // namespace goldml::detail
