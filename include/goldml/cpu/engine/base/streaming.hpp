// Blocks of results that go to memory, through the caches or past them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <goldml/cpu/engine/base/instruction_set.hpp>

namespace goldml::simd {

inline constexpr std::size_t cache_line = 64;  // in bytes

// The number of bytes from `address` to the next cache line.
inline std::size_t bytes_to_next_line(const void* address) {
  return (cache_line - reinterpret_cast<std::uintptr_t>(address) % cache_line) % cache_line;
}

#if GOLDML_HAS_WIDE_VECTORS
// A non-temporal store of 32 bytes; `to` is aligned to 32.
GOLDML_TARGET_AVX2 inline void stream32(void* to, const void* from) {
  typedef long long lanes __attribute__((vector_size(32)));
  lanes v;
  load(v, from);
#if defined(__clang__)
  __builtin_nontemporal_store(v, static_cast<lanes*>(to));
#else
  __builtin_ia32_movntdq256(static_cast<lanes*>(to), v);
#endif
}
// A non-temporal store of 64 bytes; `to` is aligned to 64.
GOLDML_TARGET_AVX512 inline void stream64(void* to, const void* from) {
  typedef long long lanes __attribute__((vector_size(64)));
  lanes v;
  load(v, from);
#if defined(__clang__)
  __builtin_nontemporal_store(v, static_cast<lanes*>(to));
#else
  __builtin_ia32_movntdq512(static_cast<lanes*>(to), v);
#endif
}
#endif

// Stores a block, a multiple of 64 bytes, to any address or, with non-temporal stores, to whole cache lines. Call
// streaming_fence() before another thread reads them.
template <class Set, std::size_t Bytes>
GOLDML_INLINE void store_block(std::byte* to, const void* block, bool streamed) {
  static_assert(Bytes % cache_line == 0);
  if (!streamed) {
    std::memcpy(to, block, Bytes);
    return;
  }
  const auto* const from = static_cast<const std::byte*>(block);
#if GOLDML_HAS_WIDE_VECTORS
  if constexpr (Set::value != instruction_set::baseline) {
    for (std::size_t i = 0; i < Bytes; i += 32) stream32(to + i, from + i);
    return;
  }
#endif
  for (std::size_t i = 0; i < Bytes; i += 16) stream16(to + i, from + i);
}

}  // namespace goldml::simd
