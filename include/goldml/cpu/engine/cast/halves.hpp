// FLOAT16 to FLOAT32 and back with the instructions of F16C, which convert subnormals and round to nearest in every
// mode of the processor. Only NaN needs care: they keep its payload.
#pragma once

#include <cstddef>
#include <cstdint>

#include <goldml/core/data_type.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/base/streaming.hpp>
#include <goldml/cpu/engine/element_wise/plan.hpp>

#if GOLDML_HAS_WIDE_VECTORS
#include <cpuid.h>
// Clang 22 has no built-in functions for these instructions. To include the intrinsics takes time.
#if defined(__clang__) && !__has_builtin(__builtin_ia32_vcvtph2ps256)
#include <immintrin.h>
#define GOLDML_HAS_F16C_INTRINSICS 1
#else
#define GOLDML_HAS_F16C_INTRINSICS 0
#endif
#define GOLDML_TARGET_F16C __attribute__((target("avx2,bmi,bmi2,popcnt,f16c")))
#define GOLDML_TARGET_AVX512_F16C \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,avx2,bmi,bmi2,popcnt,f16c")))
#endif

namespace goldml::detail {

// Converts blocks.
using half_conversion = void (*)(const element_wise_blocks&);

#if GOLDML_HAS_WIDE_VECTORS
// __builtin_cpu_supports() does not know F16C in every compiler.
inline bool processor_has_f16c() {
  static const bool has = [] {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
  }();
  return has;
}

// Replaces NaN by the quiet NaN of its sign that has no payload.
template <class Vector>
GOLDML_INLINE void quiet_halves(Vector& x) {
  const Vector magnitude = x & 0x7FFF;
  x = magnitude > 0x7C00 ? (x ^ magnitude) | 0x7E00 : x;
}

GOLDML_TARGET_F16C inline void widen(simd::vector<float, 8>& floats, const simd::vector<short, 8>& halves) {
#if GOLDML_HAS_F16C_INTRINSICS
  floats = (simd::vector<float, 8>)_mm256_cvtph_ps((__m128i)halves);
#else
  floats = __builtin_ia32_vcvtph2ps256(halves);
#endif
}

GOLDML_TARGET_F16C inline void narrow_to_nearest_even(simd::vector<short, 8>& halves,
                                                      const simd::vector<float, 8>& floats) {
#if GOLDML_HAS_F16C_INTRINSICS
  halves = (simd::vector<short, 8>)_mm256_cvtps_ph((__m256)floats, 0);
#else
  halves = __builtin_ia32_vcvtps2ph256(floats, 0);
#endif
}

GOLDML_TARGET_AVX512_F16C inline void narrow_to_nearest_even(simd::vector<short, 16>& halves,
                                                             const simd::vector<float, 16>& floats) {
#if GOLDML_HAS_F16C_INTRINSICS
  halves = (simd::vector<short, 16>)_mm512_cvtps_ph((__m512)floats, 0);
#else
  halves = __builtin_ia32_vcvtps2ph512_mask(floats, 0, simd::vector<short, 16>{}, 0xFFFF);
#endif
}

GOLDML_TARGET_F16C inline void floats_of_halves(const element_wise_blocks& blocks) {
  for (std::size_t b = 0; b < blocks.count; ++b) {
    blocks.prefetch_after(b);
    for (std::size_t i = 0; i < element_wise_block; i += 8) {
      simd::vector<short, 8> halves;
      simd::load(halves, blocks.from[0] + b * blocks.step[0] + 2 * i);
      quiet_halves(halves);
      simd::vector<float, 8> floats;
      widen(floats, halves);
      std::byte* const to = blocks.to + 4 * (b * element_wise_block + i);
      if (blocks.streamed)
        simd::stream32(to, &floats);
      else
        simd::store(to, floats);
    }
  }
}

GOLDML_TARGET_F16C inline void halves_of_floats(const element_wise_blocks& blocks) {
  for (std::size_t b = 0; b < blocks.count; ++b) {
    blocks.prefetch_after(b);
    for (std::size_t i = 0; i < element_wise_block; i += 8) {
      simd::vector<float, 8> floats;
      simd::load(floats, blocks.from[0] + b * blocks.step[0] + 4 * i);
      simd::vector<short, 8> halves;
      narrow_to_nearest_even(halves, floats);
      quiet_halves(halves);
      std::byte* const to = blocks.to + 2 * (b * element_wise_block + i);
      if (blocks.streamed)
        simd::stream16(to, &halves);
      else
        simd::store(to, halves);
    }
  }
}

// Stores a cache line, `offset` bytes from the first result: past the caches, one store is faster than several.
template <class Line, class Half>
GOLDML_TARGET_AVX512_F16C inline void store_line(const element_wise_blocks& blocks, std::size_t offset,
                                                 const Half& lower, const Half& upper) {
  Line line;
  simd::join(line, lower, upper);
  if (blocks.streamed)
    simd::stream64(blocks.to + offset, &line);
  else
    simd::store(blocks.to + offset, line);
}

// The same conversions, a cache line of results at a time.
GOLDML_TARGET_AVX512_F16C inline void floats_of_halves_avx512(const element_wise_blocks& blocks) {
  constexpr std::size_t lanes = 8;
  for (std::size_t b = 0; b < blocks.count; ++b) {
    blocks.prefetch_after(b, 4096);
    for (std::size_t i = 0; i < element_wise_block; i += 2 * lanes) {
      simd::vector<float, lanes> floats[2];
      for (std::size_t k = 0; k < 2; ++k) {
        simd::vector<short, lanes> halves;
        simd::load(halves, blocks.from[0] + b * blocks.step[0] + 2 * (i + k * lanes));
        quiet_halves(halves);
        widen(floats[k], halves);
      }
      store_line<simd::vector<float, 2 * lanes>>(blocks, 4 * (b * element_wise_block + i), floats[0], floats[1]);
    }
  }
}

GOLDML_TARGET_AVX512_F16C inline void halves_of_floats_avx512(const element_wise_blocks& blocks) {
  constexpr std::size_t lanes = 16;
  for (std::size_t b = 0; b < blocks.count; ++b) {
    blocks.prefetch_after(b, 4096);
    for (std::size_t i = 0; i < element_wise_block; i += 2 * lanes) {
      simd::vector<short, lanes> halves[2];
      for (std::size_t k = 0; k < 2; ++k) {
        simd::vector<float, lanes> floats;
        simd::load(floats, blocks.from[0] + b * blocks.step[0] + 4 * (i + k * lanes));
        narrow_to_nearest_even(halves[k], floats);
        quiet_halves(halves[k]);
      }
      store_line<simd::vector<short, 2 * lanes>>(blocks, 2 * (b * element_wise_block + i), halves[0], halves[1]);
    }
  }
}
#endif

// Null if there is none: the processor has no F16C, or the types are others.
inline half_conversion half_conversion_for(instruction_set set, data_type from, data_type to) {
#if GOLDML_HAS_WIDE_VECTORS
  if (set != instruction_set::baseline && processor_has_f16c()) {
    if (from == data_type::float16 && to == data_type::float32)
      return set == instruction_set::avx512 ? floats_of_halves_avx512 : floats_of_halves;
    if (from == data_type::float32 && to == data_type::float16)
      return set == instruction_set::avx512 ? halves_of_floats_avx512 : halves_of_floats;
  }
#endif
  (void)set, (void)from, (void)to;
  return nullptr;
}

}  // namespace goldml::detail
