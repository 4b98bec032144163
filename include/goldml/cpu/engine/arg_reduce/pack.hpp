// ARGMIN on the CPU compares vectors of elements that lie one behind the other. Those that lie apart are copied so, no
// more at a time than the first-level cache holds; one form for every instruction set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <goldml/cpu/engine/base/simd.hpp>

namespace goldml::detail {

// to[i] = element i * stride of `from`, for i below `count`.
template <class Bits>
void pack_elements(Bits* to, simd::bits_pointer<Bits> from, std::uint64_t stride, std::uint64_t count) {
  std::uint64_t i = 0;
  const auto pack_eights = [&](const auto step) GOLDML_INLINE_LAMBDA {
    for (; count - i >= 8; i += 8, from = from + 8 * step)
      simd::unrolled<8>([&](std::size_t j) GOLDML_INLINE_LAMBDA { to[i + j] = from[j * step]; });
  };
  if (stride == 2)  // the usual case, of which compilers make vectors
    pack_eights(std::integral_constant<std::uint64_t, 2>{});
  else
    pack_eights(stride);
  for (; i < count; ++i, from = from + stride) to[i] = from[0];
}

}  // namespace goldml::detail
