// The work and the memory of a call, computed before it so that callers can bound its time and what it allocates.
#pragma once

#include <cstdint>

#include <goldml/core/cost.hpp>
#include <goldml/core/dimensions.hpp>
#include <goldml/core/validate.hpp>

namespace goldml {

// The elements of all operands.
template <class Operands>
std::uint64_t element_count_of(const Operands& operands) {
  std::uint64_t total = 0;
  for (const operand& t : operands)
    if (t.desc) total = saturating_add(total, element_count(t.desc->sizes));
  return total;
}

// The work of a valid call: operator_options<Desc>::work, or each element once.
template <class Desc>
work_counts work_of(const Desc& desc, const operands_of<Desc>& operands) {
  if constexpr (operator_traits<Desc>::options.work != nullptr)
    return operator_traits<Desc>::options.work(desc, operands);
  else
    return {.elements = element_count_of(operands)};
}

// What a valid call allocates beside its tensors.
template <class Desc>
scratch_memory scratch_of(const Desc& desc, const operands_of<Desc>& operands) {
  if constexpr (operator_traits<Desc>::options.scratch != nullptr)
    return operator_traits<Desc>::options.scratch(desc, operands);
  else
    return {};
}

}  // namespace goldml
