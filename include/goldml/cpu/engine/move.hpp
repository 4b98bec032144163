// Copies and fills of whole tensors. Only the width of an element matters, not its type.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <goldml/core/dimensions.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>
#include <goldml/cpu/engine/move/plan.hpp>
#include <goldml/cpu/engine/move/steps.hpp>
#ifndef GOLDML_COMPILED
#include <goldml/cpu/engine/move/diagonals.hpp>
#include <goldml/cpu/engine/move/rows.hpp>
#endif

namespace goldml::detail {

// The loops of a copy between two tensors of these sizes, or of a fill, for which both strides are the output's.
// Strides are in elements of `width` bytes.
inline loop_nest<2> loops_of_copy(const dimensions& sizes, const dimensions& output_strides,
                                  const dimensions& input_strides, std::size_t width) {
  loop_nest<2> loops;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    loops.add(sizes[i], {std::uint64_t{output_strides[i]} * width, std::uint64_t{input_strides[i]} * width});
  return loops;
}

// to[c] = from[c] for all coordinates c of the nest. Strides are {output, input}, in bytes. No two coordinates share an
// address in `to`. Defined in move/rows.hpp.
template <std::size_t Size>
void copy_elements(const cpu_backend& backend, loop_nest<2> nest, std::byte* to, const std::byte* from);

// to[c] = the first Size bytes of `value`. Both strides of each loop are the output's. Defined in move/rows.hpp.
template <std::size_t Size>
void fill_elements(const cpu_backend& backend, loop_nest<2> nest, std::byte* to, const std::array<std::byte, 8>& value);

// to[c] = from[c], with steps of the input that may be negative; at least one loop. Defined in move/steps.hpp.
template <std::size_t Size>
void copy_in_steps(const cpu_backend& backend, const signed_steps& steps, std::byte* to, const std::byte* from);

// The same by copy_elements() where it can: it is faster.
template <std::size_t Size>
void copy_with_steps(const cpu_backend& backend, const signed_steps& steps, std::byte* to, const std::byte* from) {
  if (steps.any_negative()) return copy_in_steps<Size>(backend, steps, to, from);
  loop_nest<2> loops;
  for (std::size_t i = 0; i < steps.count; ++i)
    loops.add(steps.loops[i].size,
              {static_cast<std::uint64_t>(steps.loops[i].to), static_cast<std::uint64_t>(steps.loops[i].from)});
  copy_elements<Size>(backend, loops, to, from);
}

// Fills diagonals of each matrix. Defined in move/diagonals.hpp.
template <std::size_t Size>
void fill_diagonals(const cpu_backend& backend, const diagonal_plan& plan);

}  // namespace goldml::detail

#ifdef GOLDML_COMPILED
namespace goldml {
// clang-format off
extern template void detail::copy_elements<1>(const cpu_backend&, detail::loop_nest<2>, std::byte*, const std::byte*);
extern template void detail::copy_elements<2>(const cpu_backend&, detail::loop_nest<2>, std::byte*, const std::byte*);
extern template void detail::copy_elements<4>(const cpu_backend&, detail::loop_nest<2>, std::byte*, const std::byte*);
extern template void detail::copy_elements<8>(const cpu_backend&, detail::loop_nest<2>, std::byte*, const std::byte*);
extern template void detail::fill_elements<1>(const cpu_backend&, detail::loop_nest<2>, std::byte*, const std::array<std::byte, 8>&);
extern template void detail::fill_elements<2>(const cpu_backend&, detail::loop_nest<2>, std::byte*, const std::array<std::byte, 8>&);
extern template void detail::fill_elements<4>(const cpu_backend&, detail::loop_nest<2>, std::byte*, const std::array<std::byte, 8>&);
extern template void detail::fill_elements<8>(const cpu_backend&, detail::loop_nest<2>, std::byte*, const std::array<std::byte, 8>&);
extern template void detail::copy_in_steps<1>(const cpu_backend&, const detail::signed_steps&, std::byte*, const std::byte*);
extern template void detail::copy_in_steps<2>(const cpu_backend&, const detail::signed_steps&, std::byte*, const std::byte*);
extern template void detail::copy_in_steps<4>(const cpu_backend&, const detail::signed_steps&, std::byte*, const std::byte*);
extern template void detail::copy_in_steps<8>(const cpu_backend&, const detail::signed_steps&, std::byte*, const std::byte*);
extern template void detail::fill_diagonals<1>(const cpu_backend&, const detail::diagonal_plan&);
extern template void detail::fill_diagonals<2>(const cpu_backend&, const detail::diagonal_plan&);
extern template void detail::fill_diagonals<4>(const cpu_backend&, const detail::diagonal_plan&);
extern template void detail::fill_diagonals<8>(const cpu_backend&, const detail::diagonal_plan&);
// clang-format on
}  // namespace goldml
#endif
