// A mask of the nonzero elements among 64 consecutive ones, for elements of 8, 16 and 32 bits and each instruction set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <goldml/cpu/engine/base/instruction_set.hpp>

namespace goldml::detail {

// Sets bit b of to[w] if element 64 w + b at `from` has one of `value_bits` set. For floats these are all bits but the
// sign: -0.0 is zero, NaN and subnormals are not, in every floating-point mode of the processor.
template <class Bits>
using nonzero_masks = void (*)(const std::byte* from, std::size_t words, Bits value_bits, std::uint64_t* to);

// The mask of `count` elements, at most 64, that are `stride` bytes apart.
template <class Bits>
std::uint64_t nonzero_mask_of_elements(const std::byte* from, std::size_t count, Bits value_bits,
                                       std::ptrdiff_t stride) {
  std::uint64_t mask = 0;
  for (std::size_t i = count; i-- > 0;) {
    Bits x;
    std::memcpy(&x, from + static_cast<std::ptrdiff_t>(i) * stride, sizeof x);
    mask = mask + mask + ((x & value_bits) != 0 ? 1 : 0);
  }
  return mask;
}

#if GOLDML_X86_64
// Compares 16 bytes at a time and packs the results to one byte per element.
template <class Bits>
void nonzero_masks_baseline(const std::byte* from, std::size_t words, Bits value_bits, std::uint64_t* to) {
  const __m128i value = sizeof(Bits) == 1   ? _mm_set1_epi8(static_cast<char>(value_bits))
                        : sizeof(Bits) == 2 ? _mm_set1_epi16(static_cast<short>(value_bits))
                                            : _mm_set1_epi32(static_cast<int>(value_bits));
  const __m128i zero = _mm_setzero_si128();
  for (std::size_t w = 0; w < words; ++w) {
    std::uint64_t zeros = 0;
    for (int shift = 0; shift < 64; shift += 16, from += 16 * sizeof(Bits)) {
      __m128i x[4];
      for (std::size_t i = 0; i < sizeof(Bits); ++i) {
        x[i] = _mm_and_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + 16 * i)), value);
        x[i] = sizeof(Bits) == 1   ? _mm_cmpeq_epi8(x[i], zero)
               : sizeof(Bits) == 2 ? _mm_cmpeq_epi16(x[i], zero)
                                   : _mm_cmpeq_epi32(x[i], zero);
      }
      if constexpr (sizeof(Bits) == 4) {
        x[0] = _mm_packs_epi32(x[0], x[1]);
        x[1] = _mm_packs_epi32(x[2], x[3]);
      }
      if constexpr (sizeof(Bits) >= 2) x[0] = _mm_packs_epi16(x[0], x[1]);
      zeros |= std::uint64_t{static_cast<unsigned>(_mm_movemask_epi8(x[0]))} << shift;
    }
    to[w] = ~zeros;
  }
}

// The same with 32 bytes; packing works on halves, so the result is reordered. Vectors of 64 bytes are slower, because
// most of them would span two cache lines. Builtins instead of intrinsics: <immintrin.h> takes half a second to
// compile.
template <class Bits>
GOLDML_TARGET_AVX2 void nonzero_masks_avx2(const std::byte* from, std::size_t words, Bits value_bits,
                                           std::uint64_t* to) {
  using elements = simd::vector<std::make_signed_t<Bits>, 32 / sizeof(Bits)>;
  using bytes = simd::vector<char, 32>;
  using shorts = simd::vector<short, 16>;
  using ints = simd::vector<int, 8>;
  using long_longs = simd::vector<long long, 4>;
  const elements value = elements{} + static_cast<std::make_signed_t<Bits>>(value_bits);
  for (std::size_t w = 0; w < words; ++w) {
    std::uint64_t zeros = 0;
    for (int shift = 0; shift < 64; shift += 32, from += 32 * sizeof(Bits)) {
      bytes x[4];
      for (std::size_t i = 0; i < sizeof(Bits); ++i) {
        elements e;
        simd::load(e, from + 32 * i);
        x[i] = (bytes)((e & value) == 0);
      }
      if constexpr (sizeof(Bits) == 4) {
        x[0] = (bytes)__builtin_ia32_packssdw256((ints)x[0], (ints)x[1]);
        x[1] = (bytes)__builtin_ia32_packssdw256((ints)x[2], (ints)x[3]);
      }
      if constexpr (sizeof(Bits) >= 2) x[0] = (bytes)__builtin_ia32_packsswb256((shorts)x[0], (shorts)x[1]);
      if constexpr (sizeof(Bits) == 4)
        x[0] = (bytes)__builtin_shufflevector((ints)x[0], (ints)x[0], 0, 4, 1, 5, 2, 6, 3, 7);
      else if constexpr (sizeof(Bits) == 2)
        x[0] = (bytes)__builtin_shufflevector((long_longs)x[0], (long_longs)x[0], 0, 2, 1, 3);
      zeros |= std::uint64_t{static_cast<unsigned>(__builtin_ia32_pmovmskb256(x[0]))} << shift;
    }
    to[w] = ~zeros;
  }
}
#else
template <class Bits>
void nonzero_masks_baseline(const std::byte* from, std::size_t words, Bits value_bits, std::uint64_t* to) {
  for (std::size_t w = 0; w < words; ++w)
    to[w] = nonzero_mask_of_elements(from + 64 * sizeof(Bits) * w, 64, value_bits, sizeof(Bits));
}
#endif

template <class Bits>
nonzero_masks<Bits> nonzero_masks_for(instruction_set set) {
#if GOLDML_X86_64
  if (set != instruction_set::baseline) return nonzero_masks_avx2<Bits>;
#endif
  (void)set;
  return nonzero_masks_baseline<Bits>;
}

}  // namespace goldml::detail
