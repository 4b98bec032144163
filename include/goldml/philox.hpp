// Random test data, the same on every platform: Philox 4x32-10, the generator of RANDOM_GENERATOR, as words and as
// floats. Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3 (2011).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace goldml {

// Where a sequence of random words continues: the counter of its next block of four words, and its key.
struct philox_state {
  std::array<std::uint32_t, 4> counter{};  // 128 bits, the lowest word first
  std::array<std::uint32_t, 2> key{};

  constexpr philox_state() = default;
  constexpr philox_state(const std::array<std::uint32_t, 4>& at, const std::array<std::uint32_t, 2>& with)
      : counter(at), key(with) {}
  // Counter 0, and the seed as the key, the low word first. Different seeds give unrelated sequences.
  constexpr philox_state(std::uint64_t seed)  // NOLINT(google-explicit-constructor): a seed serves as a state
      : key{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)} {}

  bool operator==(const philox_state&) const = default;
};

// The number of blocks that `words` words take; the last one may be cut.
constexpr std::uint64_t philox_blocks(std::uint64_t words) { return words / 4 + (words % 4 != 0 ? 1 : 0); }

// The state `blocks` blocks later: counter + blocks modulo 2^128.
constexpr philox_state advanced(const philox_state& state, std::uint64_t blocks) {
  const auto& c = state.counter;
  const std::uint64_t low = (std::uint64_t{c[1]} << 32 | c[0]) + blocks;
  const std::uint64_t high = (std::uint64_t{c[3]} << 32 | c[2]) + (low < blocks ? 1 : 0);
  return {{static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(low >> 32), static_cast<std::uint32_t>(high),
           static_cast<std::uint32_t>(high >> 32)},
          state.key};
}

namespace detail {

inline constexpr int philox_rounds = 10;

constexpr void next_philox_key(std::uint32_t& k0, std::uint32_t& k1) {
  k0 += 0x9E37'79B9;
  k1 += 0xBB67'AE85;
}

// One round on the four words of a block.
constexpr void philox_round(std::uint32_t& c0, std::uint32_t& c1, std::uint32_t& c2, std::uint32_t& c3,
                            std::uint32_t k0, std::uint32_t k1) {
  const std::uint64_t p = std::uint64_t{0xD251'1F53} * c0;
  const std::uint64_t q = std::uint64_t{0xCD9E'8D57} * c2;
  c0 = static_cast<std::uint32_t>(q >> 32) ^ c1 ^ k0;
  c1 = static_cast<std::uint32_t>(q);
  c2 = static_cast<std::uint32_t>(p >> 32) ^ c3 ^ k1;
  c3 = static_cast<std::uint32_t>(p);
}

}  // namespace detail

// The four words of the block at the state's counter.
constexpr std::array<std::uint32_t, 4> philox_4x32_10(const philox_state& state) {
  std::array<std::uint32_t, 4> c = state.counter;
  auto [k0, k1] = state.key;
  for (int round = 0; round < detail::philox_rounds; ++round) {
    if (round > 0) detail::next_philox_key(k0, k1);
    detail::philox_round(c[0], c[1], c[2], c[3], k0, k1);
  }
  return c;
}

// A word as a FLOAT32 in [0, 1): its low 23 bits times 2^-23, exactly. This is TensorFlow's conversion; JAX takes the
// high 23 bits.
constexpr float unit_float(std::uint32_t word) { return static_cast<float>(word & 0x7F'FFFF) * 0x1p-23F; }

namespace detail {

template <class T, class Convert>
constexpr philox_state fill_random(std::span<T> values, const philox_state& state, const Convert& convert) {
  for (std::size_t i = 0; i < values.size(); i += 4) {
    const std::array<std::uint32_t, 4> words = philox_4x32_10(advanced(state, i / 4));
    for (std::size_t j = 0; j < 4 && i + j < values.size(); ++j) values[i + j] = convert(words[j]);
  }
  return advanced(state, philox_blocks(values.size()));
}

}  // namespace detail

// Fills `values` with random words: those of the blocks at the state's counter, counter + 1 and so on. Returns the
// state after them, to go on with. fill_random(values, 42) draws from seed 42. The words are those of RANDOM_GENERATOR.
constexpr philox_state fill_random(std::span<std::uint32_t> values, const philox_state& state) {
  return detail::fill_random(values, state, [](std::uint32_t word) { return word; });
}

// The same with floats in [0, 1): unit_float of each word.
constexpr philox_state fill_random(std::span<float> values, const philox_state& state) {
  return detail::fill_random(values, state, unit_float);
}

}  // namespace goldml
