// Arg-reductions compare vectors of contiguous elements. Strided elements are first copied to contiguous memory, no
// more at a time than the first-level cache holds. The same code serves all instruction sets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <goldml/cpu/engine/base/simd.hpp>

namespace goldml::detail {

// to[i] = from[i * stride] for i in 0 .. count-1.
template <class Bits>
void pack_elements(Bits* to, simd::bits_pointer<Bits> from, std::uint64_t stride, std::uint64_t count) {
  std::uint64_t i = 0;
  const auto pack_eights = [&](const auto step) GOLDML_INLINE_LAMBDA {
    for (; count - i >= 8; i += 8, from = from + 8 * step)
      simd::unrolled<8>([&](std::size_t j) GOLDML_INLINE_LAMBDA { to[i + j] = from[j * step]; });
  };
  if (stride == 2)  // the most common stride, which compilers vectorise
    pack_eights(std::integral_constant<std::uint64_t, 2>{});
  else
    pack_eights(stride);
  for (; i < count; ++i, from = from + stride) to[i] = from[0];
}

}  // namespace goldml::detail
