// How much work a call is, in elements read and written, known before it runs: so that callers can bound its time.
#pragma once

#include <cstdint>

#include <goldml/core/dimensions.hpp>
#include <goldml/core/validate.hpp>

namespace goldml {

// Of a legal call. Logical elements count, however few bytes they share: a tensor of stride 0 may have 2^32 - 1 of them
// in 4 bytes. An operator that reads or writes elements more than once says so in operator_traits<Desc>::work(desc,
// operands); else each element of each operand counts once. Saturates at 2^64 - 1.
template <class Desc>
std::uint64_t work_of(const Desc& desc, const operands_of<Desc>& operands) {
  if constexpr (requires { operator_traits<Desc>::work(desc, operands); }) {
    return operator_traits<Desc>::work(desc, operands);
  } else {
    std::uint64_t total = 0;
    for (const operand& t : operands)
      if (t.desc) total = saturating_add(total, element_count(t.desc->sizes));
    return total;
  }
}

}  // namespace goldml
