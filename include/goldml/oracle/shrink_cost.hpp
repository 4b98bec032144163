// The cost by which shrink.hpp compares cases, from the operator's description only: tensors, and attributes as rows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <goldml/oracle/case.hpp>
#include <goldml/oracle/shrink_attributes.hpp>
#include <goldml/oracle/shrink_values.hpp>

namespace goldml::oracle::detail {

// The complexity of a case, most significant part first: dimensions, elements, layouts, data types, attributes,
// policies and level, values.
using case_cost = std::array<std::uint64_t, 7>;

inline case_cost cost_of(const test_case<any_desc>& c) {
  const operator_description& op = c.desc.description();
  case_cost cost{};
  const std::size_t inputs = op.input_count(c.tensors.size());
  for (std::size_t i = 0; i < c.tensors.size(); ++i) {
    if (!c.tensors[i]) continue;
    const tensor_desc& t = *c.tensors[i];
    cost[0] += t.sizes.size();
    cost[1] = saturating_add(cost[1], element_count(t.sizes));
    if (!t.strides.empty()) cost[2] += t.strides == packed_strides(t.sizes) ? 1U : 2U;
    if (t.total_tensor_size_in_bytes) ++cost[2];
    if (t.guaranteed_base_offset_alignment != 0) ++cost[2];
    if (t.flags != tensor_flags::none) ++cost[2];
    cost[3] += static_cast<std::uint64_t>(t.data_type);
    const bool has_elements = i < c.elements.size() && !c.elements[i].empty();
    if (i >= inputs && !has_elements) continue;  // an output, but for one that is read, too
    if (!has_elements)
      cost[6] = saturating_add(cost[6], std::uint64_t{1} << 60);
    else
      for (const scalar& value : c.elements[i]) cost[6] = saturating_add(cost[6], plainness(value));
  }
  const any_desc plain(c.desc.description());
  for (const attribute& a : op.attributes)
    cost[4] = saturating_add(cost[4], attribute_cost(a, a.address(c.desc.get()), a.address(plain.get())));
  for (const attribute& a : op.policies)
    cost[5] = saturating_add(cost[5], attribute_cost(a, a.address(c.desc.get()), a.address(plain.get())));
  if (c.desc.level() != plain.level()) ++cost[5];
  return cost;
}

}  // namespace goldml::oracle::detail
