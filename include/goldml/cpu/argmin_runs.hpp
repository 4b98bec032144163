// ARGMIN on the CPU where the elements of a slice lie in long runs: the least key of each run by blocks, then its place
// in the one block that has it, which the cache still holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include <goldml/cpu/argmin_keys.hpp>
#include <goldml/cpu/instruction_set.hpp>
#include <goldml/cpu/loop_nest.hpp>

namespace goldml::detail {

// One run of a slice: `count` elements from `first`, `stride` apart (in elements).
template <class Keys, bool IsContiguous, std::size_t VectorBytes>
struct argmin_run {
  using bits = typename Keys::bits;
  using key = typename Keys::key;
  static constexpr std::size_t lanes = VectorBytes / sizeof(bits);
  using vector = simd::vector<key, lanes>;
  static constexpr std::uint64_t block = 4096 / sizeof(bits);  // elements

  simd::bits_pointer<bits> first;
  std::uint64_t stride;
  const Keys& keys;
  const argmin_key_vectors<Keys, lanes>& key_vectors;

  GOLDML_INLINE void load_keys(vector& k, std::uint64_t i) const {
    simd::vector<bits, lanes> x;
    if constexpr (IsContiguous)
      simd::load(x, first.address(i));
    else
      for (std::size_t lane = 0; lane < lanes; ++lane) x[lane] = first[(i + lane) * stride];
    key_vectors.of(k, x);
  }

  // In each lane the least of some of the unclamped keys of elements begin .. end-1, at least `lanes` of them.
  GOLDML_INLINE void least(vector& a, std::uint64_t begin, std::uint64_t end) const {
    vector b, c, d, k;
    load_keys(a, begin);
    b = c = d = a;
    std::uint64_t i = begin;
    for (; end - i >= 4 * lanes; i += 4 * lanes) {
      if constexpr (IsContiguous)
        for (std::size_t line = 0; line < 4 * VectorBytes; line += 64)
          simd::prefetch(first.address(i) + 1536 + line);
      load_keys(k, i);
      simd::select(a, k < a, k, a);
      load_keys(k, i + lanes);
      simd::select(b, k < b, k, b);
      load_keys(k, i + 2 * lanes);
      simd::select(c, k < c, k, c);
      load_keys(k, i + 3 * lanes);
      simd::select(d, k < d, k, d);
    }
    for (; end - i >= lanes; i += lanes) {
      load_keys(k, i);
      simd::select(a, k < a, k, a);
    }
    if (i < end) {
      load_keys(k, end - lanes);  // overlaps what came before, which changes nothing
      simd::select(a, k < a, k, a);
    }
    simd::select(a, b < a, b, a);
    simd::select(c, d < c, d, c);
    simd::select(a, c < a, c, a);
  }

  static GOLDML_INLINE key least_lane(const vector& v) {
    key lane[lanes];
    simd::store(lane, v);
    for (std::size_t width = lanes / 2; width > 0; width /= 2)
      for (std::size_t j = 0; j < width; ++j) lane[j] = (std::min)(lane[j], lane[j + width]);
    return lane[0];
  }

  static GOLDML_INLINE bool any_at_most(const vector& k, const vector& bound) {
    const auto found = k <= bound;
    std::uint64_t words[VectorBytes / 8];
    simd::store(words, found);
    std::uint64_t all = 0;
    for (const std::uint64_t word : words) all |= word;
    return all != 0;
  }

  // The first or last of elements begin .. end-1 whose key is at most `k`; there is one.
  GOLDML_INLINE std::uint64_t locate(std::uint64_t begin, std::uint64_t end, key k, bool last) const {
    vector bound, x;
    simd::splat(bound, keys.bound(k));
    if (last) {
      for (; end - begin >= lanes; end -= lanes) {
        load_keys(x, end - lanes);
        if (any_at_most(x, bound)) break;
      }
      while (keys.of(first[(end - 1) * stride]) > k) --end;
      return end - 1;
    }
    for (; end - begin >= lanes; begin += lanes) {
      load_keys(x, begin);
      if (any_at_most(x, bound)) break;
    }
    while (keys.of(first[begin * stride]) > k) ++begin;
    return begin;
  }

  // The clamped least key of elements begin .. end-1, at least one, and its place.
  GOLDML_INLINE argmin_candidate_key<key> best(std::uint64_t begin, std::uint64_t end, bool last) const {
    if (end - begin < lanes) return best_of_few(begin, end, last);
    key best_key = (std::numeric_limits<key>::max)();
    std::uint64_t best_begin = begin;
    std::uint64_t best_end = begin;
    vector bound, k;
    simd::splat(bound, best_key);
    while (begin < end) {
      // The last block takes in what would be less than a vector.
      const std::uint64_t block_end = end - begin < block + lanes ? end : begin + block;
      least(k, begin, block_end);
      if (any_at_most(k, bound)) {
        const key found = keys.clamped(least_lane(k));
        if (best_begin == best_end || found < best_key || (last && found == best_key)) {
          best_key = found;
          best_begin = begin;
          best_end = block_end;
          simd::splat(bound, keys.bound(best_key));
        }
      }
      begin = block_end;
    }
    return {best_key, locate(best_begin, best_end, best_key, last), true};
  }

  GOLDML_INLINE argmin_candidate_key<key> best_of_few(std::uint64_t begin, std::uint64_t end, bool last) const {
    argmin_candidate_key<key> best;
    for (std::uint64_t i = begin; i < end; ++i) best.take({keys.of(first[i * stride]), i, true}, last);
    return best;
  }
};

// What a slice's runs are: the run itself, and the other loops over the slice, with the strides {input, flat number}.
struct argmin_slice {
  loop<2> run;
  loop_nest<2> outer;
};

// The best of the outer iterations `outer_begin` .. and, of each run, the elements run_begin .. run_end-1.
template <class Keys>
struct argmin_slice_body {
  using key = typename Keys::key;

  template <class Set>
  static GOLDML_INLINE argmin_candidate_key<key> run(Set, const argmin_slice& slice,
                                                     simd::bits_pointer<typename Keys::bits> first, const Keys& keys, bool last,
                                                     const std::uint64_t (&range)[4]) {
    if (slice.run.stride[0] == 1) return over<argmin_run<Keys, true, Set::vector_bytes>>(slice, first, keys, last, range);
    return over<argmin_run<Keys, false, Set::vector_bytes>>(slice, first, keys, last, range);
  }

 private:
  template <class Run>
  static GOLDML_INLINE argmin_candidate_key<key> over(const argmin_slice& slice, simd::bits_pointer<typename Keys::bits> first,
                                                      const Keys& keys, bool last, const std::uint64_t (&range)[4]) {
    argmin_candidate_key<key> best;
    const argmin_key_vectors<Keys, Run::lanes> key_vectors(keys);
    auto position = slice.outer.begin_at(range[0]);
    for (std::uint64_t i = range[0]; i < range[1]; ++i, slice.outer.advance(position)) {
      const Run run{first + position.offset[0], slice.run.stride[0], keys, key_vectors};
      argmin_candidate_key<key> found = run.best(range[2], range[3], last);
      found.flat = position.offset[1] + found.flat * slice.run.stride[1];
      best.take(found, last);
    }
    return best;
  }
};

}  // namespace goldml::detail
