// Lists of the positions of the set bits in a few words.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <goldml/cpu/engine/base/instruction_set.hpp>

namespace goldml::detail {

// The positions of the set bits of each byte value, one byte per position.
inline constexpr std::array<std::uint64_t, 256> places_in_byte = [] {
  std::array<std::uint64_t, 256> table{};
  for (std::size_t byte = 0; byte < 256; ++byte) {
    int n = 0;
    for (std::uint64_t place = 0; place < 8; ++place)
      if ((byte >> place & 1) != 0) table[byte] |= place << (8 * n++);
  }
  return table;
}();

// The number of set bits in the first byte of `word`, the first two, ..., all eight: one byte per number.
constexpr std::uint64_t bits_up_to_bytes(std::uint64_t word) {
  word -= word >> 1 & 0x5555'5555'5555'5555u;
  word = (word & 0x3333'3333'3333'3333u) + (word >> 2 & 0x3333'3333'3333'3333u);
  word = (word + (word >> 4)) & 0x0F0F'0F0F'0F0F'0F0Fu;
  return word * 0x0101'0101'0101'0101u;
}

constexpr std::uint64_t count_bits(std::uint64_t word) { return bits_up_to_bytes(word) >> 56; }

// Lists the positions of the set bits in `count` words, at most 4, and returns their number. `list` must have room for
// 64 more entries.
using list_places = std::size_t (*)(const std::uint64_t* words, std::size_t count, std::uint8_t* list);

// Writes eight positions per byte; the unused ones are overwritten.
static_assert(std::endian::native == std::endian::little);
inline std::size_t list_places_baseline(const std::uint64_t* words, std::size_t count, std::uint8_t* list) {
  std::uint8_t* to = list;
  for (std::size_t w = 0; w < count; ++w) {
    const std::uint64_t word = words[w];
    const std::uint64_t bits = bits_up_to_bytes(word);
    for (std::size_t byte = 0; byte < 8; ++byte) {
      const std::uint64_t eight = places_in_byte[word >> (8 * byte) & 0xFF] + (8 * w + byte) * 0x0808'0808'0808'0808u;
      std::memcpy(to + (bits << 8 >> (8 * byte) & 0xFF), &eight, 8);
    }
    to += bits >> 56;
  }
  return static_cast<std::size_t>(to - list);
}

#if GOLDML_X86_64
GOLDML_TARGET_AVX512 inline std::size_t list_places_avx512(const std::uint64_t* words, std::size_t count,
                                                           std::uint8_t* list) {
  using bytes = simd::vector<std::uint8_t, 64>;  // whose sums wrap
  using chars = simd::vector<char, 64>;          // the built-in function's
  static constexpr std::array<std::uint8_t, 64> zero_to_63 = [] {
    std::array<std::uint8_t, 64> numbers{};
    for (std::size_t i = 0; i < 64; ++i) numbers[i] = static_cast<std::uint8_t>(i);
    return numbers;
  }();
  std::uint8_t* to = list;
  bytes places;
  simd::load(places, zero_to_63.data());
  for (std::size_t w = 0; w < count; ++w) {
    const bytes compressed = (bytes)__builtin_ia32_compressqi512_mask((chars)places, chars{}, words[w]);
    simd::store(to, compressed);
    to += std::popcount(words[w]);
    places = places + 64;
  }
  return static_cast<std::size_t>(to - list);
}
#endif

inline list_places list_places_for(instruction_set set) {
#if GOLDML_X86_64
  if (set == instruction_set::avx512) return list_places_avx512;
#endif
  (void)set;
  return list_places_baseline;
}

// The same for words with few set bits: appends to a list and returns its new end. `first` is added to the positions.
// Only the third and later bits of a word take the branch that the processor cannot predict. Writes one entry past the
// new end.
inline std::uint16_t* append_few_places(const std::uint64_t* words, std::size_t count, std::size_t first,
                                        std::uint16_t* end) {
  constexpr std::uint64_t top = std::uint64_t{1} << 63;
  for (std::size_t w = 0; w < count; ++w) {
    std::uint64_t word = words[w];
    const auto append = [&] {
      *end = static_cast<std::uint16_t>(first + 64 * w + static_cast<std::size_t>(std::countr_zero(word | top)));
    };
    for (int twice = 0; twice < 2; ++twice, word &= word - 1) {
      append();
      end += word != 0 ? 1 : 0;
    }
    for (; word != 0; word &= word - 1, ++end) append();
  }
  return end;
}

}  // namespace goldml::detail
