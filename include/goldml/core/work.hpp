// The amount of work of a call, in elements read and written, computed before the call so that callers can bound its
// time.
#pragma once

#include <cstdint>

#include <goldml/core/dimensions.hpp>
#include <goldml/core/validate.hpp>

namespace goldml {

// The work of a valid call. Logical elements count even if they share bytes: a tensor with strides of 0 may have 2^32 -
// 1 elements in 4 bytes. Each element of each operand counts once, unless the operator has
// operator_options<Desc>::work. Saturates at 2^64 - 1.
template <class Desc>
std::uint64_t work_of(const Desc& desc, const operands_of<Desc>& operands) {
  if constexpr (operator_traits<Desc>::options.work != nullptr) {
    return operator_traits<Desc>::options.work(desc, operands);
  } else {
    std::uint64_t total = 0;
    for (const operand& t : operands)
      if (t.desc) total = saturating_add(total, element_count(t.desc->sizes));
    return total;
  }
}

}  // namespace goldml
