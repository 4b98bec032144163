// Candidates of a selection: the key of an element and its position, and what a selection does with many of them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace goldml::detail {

// A key of up to 32 bits and a position in one number: the lesser comes first.
template <class Key>
struct packed_candidate {
  using unsigned_key = std::make_unsigned_t<Key>;
  static constexpr auto sign =
      static_cast<unsigned_key>(unsigned_key{1} << (std::numeric_limits<unsigned_key>::digits - 1));

  static std::uint64_t of(Key key, std::uint64_t position) {
    return std::uint64_t{static_cast<unsigned_key>(static_cast<unsigned_key>(key) ^ sign)} << 32 | position;
  }
  static Key key(std::uint64_t candidate) {
    return static_cast<Key>(static_cast<unsigned_key>(static_cast<unsigned_key>(candidate >> 32) ^ sign));
  }
  static std::uint64_t position(std::uint64_t candidate) { return candidate & 0xFFFF'FFFF; }
};

// The same for keys of 64 bits.
template <class Key>
struct wide_candidate {
  struct type {
    Key first;
    std::uint64_t second;

    friend bool operator<(const type& a, const type& b) {
      return a.first < b.first || (a.first == b.first && a.second < b.second);
    }
  };
  static type of(Key key, std::uint64_t position) { return {key, position}; }
  static Key key(const type& candidate) { return candidate.first; }
  static std::uint64_t position(const type& candidate) { return candidate.second; }
};

// The number of rank k, at least 1, among `count` distinct numbers. Numbers are counted in bins of equal width between
// the least and the greatest; the bin that holds the wanted one is searched in the same way. `scratch` has room for
// `count` numbers.
inline std::uint64_t number_of_rank(const std::uint64_t* numbers, std::size_t count, std::size_t k,
                                    std::uint64_t* scratch) {
  constexpr int bin_bits = 10;
  while (count > 128) {
    std::uint64_t least = numbers[0], greatest = numbers[0];
    for (std::size_t i = 0; i < count; ++i) {
      least = (std::min)(least, numbers[i]);
      greatest = (std::max)(greatest, numbers[i]);
    }
    const int shift = (std::max)(static_cast<int>(std::bit_width(greatest - least)) - bin_bits, 0);
    std::array<std::uint32_t, std::size_t{1} << bin_bits> in_bin{};
    for (std::size_t i = 0; i < count; ++i) ++in_bin[(numbers[i] - least) >> shift];
    std::uint64_t bin = 0;
    for (; in_bin[bin] < k; ++bin) k -= in_bin[bin];
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t number = numbers[i];
      scratch[kept] = number;
      kept += static_cast<std::size_t>((number - least) >> shift == bin);
    }
    numbers = scratch;
    count = kept;
  }
  if (numbers != scratch) std::copy_n(numbers, count, scratch);
  std::nth_element(scratch, scratch + (k - 1), scratch + count);
  return scratch[k - 1];
}

// Moves the k least of `count` distinct candidates to the front, in the order in which they are. `scratch` has room for
// `count` candidates.
inline void keep_least(std::uint64_t* candidates, std::size_t count, std::size_t k, std::uint64_t* scratch) {
  if (k == count) return;
  const std::uint64_t last = number_of_rank(candidates, count, k, scratch);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t candidate = candidates[i];
    candidates[kept] = candidate;
    kept += static_cast<std::size_t>(candidate <= last);
  }
}

// The same in any order, for wide candidates.
template <class Candidate>
void keep_least(Candidate* candidates, std::size_t count, std::size_t k, Candidate*) {
  std::nth_element(candidates, candidates + (k - 1), candidates + count);
}

// Sorts candidates that are in the order of their positions, and returns where they are afterwards: `candidates` or
// `scratch`. A radix sort by the bytes of the keys that are not the same in all.
inline std::uint64_t* sort_candidates(std::uint64_t* candidates, std::size_t count, std::uint64_t* scratch) {
  if (count <= 64) {
    std::sort(candidates, candidates + count);
    return candidates;
  }
  std::array<std::array<std::uint32_t, 256>, 4> starts{};
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t byte = 0; byte < 4; ++byte) ++starts[byte][candidates[i] >> (32 + 8 * byte) & 0xFF];
  for (std::size_t byte = 0; byte < 4; ++byte) {
    const std::size_t shift = 32 + 8 * byte;
    std::array<std::uint32_t, 256>& start = starts[byte];
    if (start[candidates[0] >> shift & 0xFF] == count) continue;
    std::uint32_t sum = 0;
    for (std::uint32_t& s : start) sum += std::exchange(s, sum);
    for (std::size_t i = 0; i < count; ++i) scratch[start[candidates[i] >> shift & 0xFF]++] = candidates[i];
    std::swap(candidates, scratch);
  }
  return candidates;
}

template <class Candidate>
Candidate* sort_candidates(Candidate* candidates, std::size_t count, Candidate*) {
  std::sort(candidates, candidates + count);
  return candidates;
}

}  // namespace goldml::detail
