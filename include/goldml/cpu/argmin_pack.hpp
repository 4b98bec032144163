// ARGMIN on the CPU compares vectors of elements that lie one behind the other. Those that lie apart are copied so, no
// more at a time than the first-level cache holds; one form for every instruction set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <goldml/cpu/simd.hpp>

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

// Row r of `to`, `columns` elements wide, is that of `from`: elements column_stride apart, and r * row_step bytes
// further on or back.
template <class Bits>
void pack_rows(Bits* to, const unsigned char* from, std::ptrdiff_t row_step, std::uint64_t rows,
               std::uint64_t column_stride, std::uint64_t columns) {
  std::uint64_t r = 0;
  if constexpr (sizeof(Bits) == 4) {
    constexpr std::ptrdiff_t neighbour = sizeof(Bits);
    const bool is_backward = row_step == -neighbour;
    if (row_step == neighbour || is_backward)  // four neighbours of each of four columns at a time
      for (; rows - r >= 4; r += 4, to += 4 * columns, from += 4 * row_step) {
        const simd::bits_pointer<Bits> first(is_backward ? from + 3 * row_step : from);
        simd::vector<Bits, 4> v[4];
        std::uint64_t c = 0;
        for (; columns - c >= 4; c += 4) {
          for (std::size_t i = 0; i < 4; ++i) simd::load(v[i], first.address((c + i) * column_stride));
          simd::transpose(v);
          for (std::size_t i = 0; i < 4; ++i) simd::store(to + (is_backward ? 3 - i : i) * columns + c, v[i]);
        }
        for (; c < columns; ++c)
          for (std::size_t i = 0; i < 4; ++i)
            to[i * columns + c] = first[c * column_stride + (is_backward ? 3 - i : i)];
      }
  }
  for (; r < rows; ++r, to += columns, from += row_step)
    pack_elements(to, simd::bits_pointer<Bits>(from), column_stride, columns);
}

}  // namespace goldml::detail
