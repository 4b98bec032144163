// Scatters: a copy of the input in which the slices that a tensor of index tuples points to are replaced.
#pragma once

#include <cstddef>
#include <cstdint>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/scatter/plan.hpp>
#ifndef GOLDML_COMPILED
#include <goldml/cpu/engine/scatter/call.hpp>
#endif

namespace goldml::detail {

// Returns false, with nothing written, if a policy refuses a tuple. Elements have `Size` bytes. Defined in
// scatter/call.hpp.
template <std::size_t Size>
bool scatter(const cpu_backend& backend, const index_tuples& tuples, scatter_operands& t);

}  // namespace goldml::detail

#ifdef GOLDML_COMPILED
namespace goldml {
// clang-format off
extern template bool detail::add_positions<std::int32_t>(const detail::index_column&, std::uint32_t*);
extern template bool detail::add_positions<std::int64_t>(const detail::index_column&, std::uint32_t*);
extern template bool detail::add_positions<std::uint32_t>(const detail::index_column&, std::uint32_t*);
extern template bool detail::add_positions<std::uint64_t>(const detail::index_column&, std::uint32_t*);
extern template bool detail::scatter<1>(const cpu_backend&, const detail::index_tuples&, detail::scatter_operands&);
extern template bool detail::scatter<2>(const cpu_backend&, const detail::index_tuples&, detail::scatter_operands&);
extern template bool detail::scatter<4>(const cpu_backend&, const detail::index_tuples&, detail::scatter_operands&);
extern template bool detail::scatter<8>(const cpu_backend&, const detail::index_tuples&, detail::scatter_operands&);
// clang-format on
}  // namespace goldml
#endif
