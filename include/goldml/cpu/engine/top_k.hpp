// Selections: the first elements of each sequence along an axis, in the order of their keys, and their positions.
#pragma once

#include <cstdint>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/arg_reduce/keys.hpp>
#include <goldml/cpu/engine/top_k/plan.hpp>
#ifndef GOLDML_COMPILED
#include <goldml/cpu/engine/top_k/call.hpp>
#endif

namespace goldml::detail {

// Writes the K elements of each sequence that have the least keys, and their positions, in ascending order of the keys;
// equal keys are in the order of the positions. Defined in top_k/call.hpp.
template <class Keys>
void top_k(const cpu_backend& backend, const top_k_plan& plan, const Keys& keys);

// The same for elements of type T: the greatest first, or the least. NaN comes last or, with nan_first, first.
template <class T>
void top_k_of(const cpu_backend& backend, const top_k_plan& plan, bool greatest, bool nan_first) {
  if (greatest)
    top_k(backend, plan, order_keys_for<extremum::greatest, T>(nan_first));
  else
    top_k(backend, plan, order_keys_for<extremum::least, T>(nan_first));
}

}  // namespace goldml::detail

#ifdef GOLDML_COMPILED
namespace goldml {
// clang-format off
extern template void detail::top_k(const cpu_backend&, const detail::top_k_plan&, const detail::order_keys<std::uint8_t, false>&);
extern template void detail::top_k(const cpu_backend&, const detail::top_k_plan&, const detail::order_keys<std::uint16_t, false>&);
extern template void detail::top_k(const cpu_backend&, const detail::top_k_plan&, const detail::order_keys<std::uint32_t, false>&);
extern template void detail::top_k(const cpu_backend&, const detail::top_k_plan&, const detail::order_keys<std::uint64_t, false>&);
extern template void detail::top_k(const cpu_backend&, const detail::top_k_plan&, const detail::order_keys<std::uint16_t, true, false>&);
extern template void detail::top_k(const cpu_backend&, const detail::top_k_plan&, const detail::order_keys<std::uint32_t, true, false>&);
extern template void detail::top_k(const cpu_backend&, const detail::top_k_plan&, const detail::order_keys<std::uint16_t, true, true>&);
extern template void detail::top_k(const cpu_backend&, const detail::top_k_plan&, const detail::order_keys<std::uint32_t, true, true>&);
// clang-format on
}  // namespace goldml
#endif
