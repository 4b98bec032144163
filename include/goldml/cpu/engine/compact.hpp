// Compactions: the coordinates of the nonzero elements, in row-major order, for all data types and strides.
#pragma once

#include <cstdint>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/compact/plan.hpp>
#ifndef GOLDML_COMPILED
#include <goldml/cpu/engine/compact/call.hpp>
#endif

namespace goldml::detail {

// Writes all rows and returns their number. Elements are as wide as Bits. Defined in compact/call.hpp.
template <class Bits>
std::uint64_t compact(const cpu_backend& backend, const compact_plan& plan);

}  // namespace goldml::detail

#ifdef GOLDML_COMPILED
namespace goldml {
// clang-format off
extern template std::uint64_t detail::compact<std::uint8_t>(const cpu_backend&, const detail::compact_plan&);
extern template std::uint64_t detail::compact<std::uint16_t>(const cpu_backend&, const detail::compact_plan&);
extern template std::uint64_t detail::compact<std::uint32_t>(const cpu_backend&, const detail::compact_plan&);
// clang-format on
}  // namespace goldml
#endif
