// Elements of a size, cache lines, and a repeated value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <goldml/cpu/engine/base/simd.hpp>

namespace goldml::detail {

inline constexpr std::size_t line_bytes = 64;  // of a cache line

template <std::size_t Size>
GOLDML_INLINE void move_element(std::byte* to, const std::byte* from) {
  std::memcpy(to, from, Size);
}

// Prefetches the cache lines of `bytes` bytes, at least one, at `from`. Prefetch is simd::prefetch or prefetch_near.
// Inlined, because g++ removes a call of a function that only prefetches.
template <void (*Prefetch)(const void*)>
GOLDML_INLINE void ask_for_lines(const std::byte* from, std::uint64_t bytes) {
  for (std::uint64_t b = 0; b < bytes; b += line_bytes) Prefetch(from + b);
  Prefetch(from + (bytes - 1));
}

// Prefetches runs of bytes that are read later, line by line.
struct lines_to_read {
  const std::byte* run;
  std::uint64_t bytes;   // of a run
  std::uint64_t stride;  // from run to run
  std::uint64_t at = 0;

  GOLDML_INLINE void ask_for_next() {
    simd::prefetch(run + at);
    at += line_bytes;
    if (at < bytes) return;
    at = 0;
    run += stride;
  }
};

// A repeated value.
template <std::size_t Size>
class fill_pattern {
 public:
  explicit fill_pattern(const std::byte* value) {
    for (std::size_t i = 0; i < bytes_.size(); i += Size) move_element<Size>(bytes_.data() + i, value);
  }

  // The next line_bytes bytes of the pattern after the first `written` ones.
  const std::byte* after(std::uint64_t written) const { return bytes_.data() + written % Size; }

 private:
  std::array<std::byte, line_bytes + 8> bytes_;
};

template <std::size_t Size>
void fill_run(std::byte* to, const fill_pattern<Size>& pattern, std::uint64_t bytes) {
  const std::byte* const value = pattern.after(0);
  if (bytes < 16) {
    for (std::uint64_t i = 0; i < bytes; i += Size) move_element<Size>(to + i, value);
    return;
  }
  std::byte* const last = to + (bytes - 16);  // a multiple of Size from `to`
  for (; last - to >= 48; to += 64) std::memcpy(to, value, 64);
  for (; to < last; to += 16) std::memcpy(to, value, 16);
  std::memcpy(last, value, 16);
}

}  // namespace goldml::detail
