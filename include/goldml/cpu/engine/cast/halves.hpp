// FLOAT16 to FLOAT32 and back with the instructions of AVX-512, which convert subnormals and round to nearest in every
// mode of the processor. Only NaN needs care: they keep its payload.
#pragma once

#include <cstddef>
#include <cstdint>

#include <goldml/cpu/engine/base/instruction_set.hpp>

namespace goldml::detail {

// Converts 64 elements.
#if GOLDML_HAS_WIDE_VECTORS
#if defined(__clang__)
inline constexpr unsigned short all_16_lanes = 0xFFFF;
#else
inline constexpr short all_16_lanes = -1;
#endif
// Replaces NaN by the quiet NaN of its sign that has no payload.
GOLDML_TARGET_AVX512 inline void quiet_halves(simd::vector<short, 16>& x) {
  const simd::vector<short, 16> magnitude = x & 0x7FFF;
  x = magnitude > 0x7C00 ? (x ^ magnitude) | 0x7E00 : x;
}
GOLDML_TARGET_AVX512 inline void floats_of_halves(const std::byte* from, std::uint32_t* to) {
  constexpr int no_exceptions = 8;
  for (std::size_t i = 0; i < 64; i += 16) {
    simd::vector<short, 16> halves;
    simd::load(halves, from + 2 * i);
    quiet_halves(halves);
    const simd::vector<float, 16> none{};
    simd::store(to + i, __builtin_ia32_vcvtph2ps512_mask(halves, none, all_16_lanes, no_exceptions));
  }
}
GOLDML_TARGET_AVX512 inline void halves_of_floats(const std::uint32_t* from, std::uint16_t* to) {
  constexpr int to_nearest_even = 0;
  for (std::size_t i = 0; i < 64; i += 16) {
    simd::vector<float, 16> floats;
    simd::load(floats, from + i);
    const simd::vector<short, 16> none{};
    simd::vector<short, 16> halves = __builtin_ia32_vcvtps2ph512_mask(floats, to_nearest_even, none, 0xFFFF);
    quiet_halves(halves);
    simd::store(to + i, halves);
  }
}
#endif

// Whether there are functions for words of these bits.
template <class Set, class Bits>
inline constexpr bool has_half_conversions =
    GOLDML_HAS_WIDE_VECTORS != 0 && Set::value == instruction_set::avx512 && sizeof(Bits) == 4;

}  // namespace goldml::detail
