// ARGMIN on the CPU where the elements of a slice lie in long runs: the least key of each run by blocks, then its place
// in the one block that has it, which the cache still holds.
#pragma once

#include <algorithm>
#include <bit>
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
    simd::vector<bits, lanes> x{};
    if constexpr (IsContiguous)
      simd::load(x, first.address(i));
    else
      for (std::size_t lane = 0; lane < lanes; ++lane) x[lane] = first[(i + lane) * stride];
    key_vectors.of(k, x);
  }

  // In each lane the least of some of the unclamped keys of elements begin .. end-1, at least `lanes` of them. Nothing
  // is asked for ahead: on the processors at hand that was slower by a tenth to a quarter.
  GOLDML_INLINE void least(vector& a, std::uint64_t begin, std::uint64_t end) const {
    vector b, c, d, k;
    load_keys(a, begin);
    b = c = d = a;
    std::uint64_t i = begin;
    for (; end - i >= 4 * lanes; i += 4 * lanes) {
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
    least_of<lanes / 2>(lane);
    return lane[0];
  }
  template <std::size_t Width>
  static GOLDML_INLINE void least_of(key* lane) {
    simd::unrolled<Width>([=](std::size_t j) GOLDML_INLINE_LAMBDA { lane[j] = (std::min)(lane[j], lane[j + Width]); });
    if constexpr (Width > 1) least_of<Width / 2>(lane);
  }

  static GOLDML_INLINE bool any(const vector& mask) { return simd::byte_mask(mask) != 0; }

  // The first or last lane of those set; there is one.
  static GOLDML_INLINE std::uint64_t set_lane(const vector& mask, bool last) {
    const std::uint64_t bytes = simd::byte_mask(mask);
    const int byte = last ? 63 - std::countl_zero(bytes) : std::countr_zero(bytes);
    return static_cast<std::uint64_t>(byte) / sizeof(bits);
  }

  // The first or last of elements begin .. end-1, at least `lanes`, whose key is at most `k`; there is one.
  GOLDML_INLINE std::uint64_t locate(std::uint64_t begin, std::uint64_t end, key k, bool last) const {
    vector bound, x, found;
    simd::splat(bound, keys.bound(k));
    if (last) {
      std::uint64_t i = end - lanes;
      for (;; i = i - begin > lanes ? i - lanes : begin) {
        load_keys(x, i);
        found = x <= bound;
        if (any(found)) return i + set_lane(found, true);
      }
    }
    for (; end - begin >= 4 * lanes; begin += 4 * lanes) {
      vector any_of_four = bound - bound;
      simd::unrolled<4>([&](std::size_t v) GOLDML_INLINE_LAMBDA {
        load_keys(x, begin + v * lanes);
        found = x <= bound;
        any_of_four = any_of_four | found;
      });
      if (any(any_of_four)) break;
    }
    // Where less than a vector is left, the last one overlaps what came before, which has none of them.
    for (begin = (std::min)(begin, end - lanes);; begin = (std::min)(begin + lanes, end - lanes)) {
      load_keys(x, begin);
      found = x <= bound;
      if (any(found)) return begin + set_lane(found, false);
    }
  }

  // The clamped least key of elements begin .. end-1, at least one, and its place.
  GOLDML_INLINE argmin_candidate_key<key> best(std::uint64_t begin, std::uint64_t end, bool last) const {
    if (end - begin < lanes) return best_of_few(begin, end, last);
    if (end - begin <= 32 * lanes && !keys.is_nan_first()) return best_of_short(begin, end, last);
    key best_key = (std::numeric_limits<key>::max)();
    std::uint64_t best_begin = begin;
    std::uint64_t best_end = begin;
    vector bound, k;
    simd::splat(bound, best_key);
    while (begin < end) {
      // The last block takes in what would be less than a vector.
      const std::uint64_t block_end = end - begin < block + lanes ? end : begin + block;
      least(k, begin, block_end);
      const bool nothing_yet = best_begin == best_end;
      const vector better = k <= bound;
      if (nothing_yet || any(better)) {
        const key found = keys.clamped(least_lane(k));
        if (nothing_yet || found < best_key || (last && found == best_key)) {
          best_key = found;
          best_begin = begin;
          best_end = block_end;
          if (block_end < end) simd::splat(bound, keys.bound(best_key));
        }
      }
      begin = block_end;
    }
    return {best_key, locate(best_begin, best_end, best_key, last), true};
  }

  // At least `lanes` elements and at most 32 vectors of them: the number of its vector is kept beside each least key,
  // so that no branch depends on where the least element is. From the last element backwards where the last of equals
  // wins.
  GOLDML_INLINE argmin_candidate_key<key> best_of_short(std::uint64_t begin, std::uint64_t end, bool last) const {
    const std::uint64_t vectors = (end - begin) / lanes;
    const std::uint64_t origin = last ? end - lanes : begin;
    const std::uint64_t step = last ? std::uint64_t{0} - lanes : lanes;
    vector least_key[3], k, number, two;
    vector least_number[3];
    simd::splat(number, key{0});
    simd::splat(two, key{2});
    load_keys(least_key[0], origin);
    least_key[1] = least_key[0];  // of odd vectors; the first is as good as any
    least_number[0] = least_number[1] = number;
    vector odd_number;
    simd::splat(odd_number, key{1});
    std::uint64_t i = 1;
    for (; i + 1 < vectors; i += 2) {
      number = number + two;
      load_keys(k, origin + i * step);
      take(least_key[1], least_number[1], k, odd_number);
      load_keys(k, origin + (i + 1) * step);
      take(least_key[0], least_number[0], k, number);
      odd_number = odd_number + two;
    }
    if (i < vectors) {
      load_keys(k, origin + i * step);
      take(least_key[1], least_number[1], k, odd_number);
    }
    // What is less than a vector, with some of what came before again.
    const std::uint64_t tail = last ? begin : end - lanes;
    load_keys(least_key[2], tail);

    vector all = least_key[0];
    simd::select(all, least_key[1] < all, least_key[1], all);
    simd::select(all, least_key[2] < all, least_key[2], all);
    const key best = keys.clamped(least_lane(all));
    if (best == keys.highest()) return {best, last ? end - 1 : begin, true};  // nothing but NaN or the greatest integer
    // The first of the vectors that have it, and its place in that one.
    vector bound, beyond;
    simd::splat(bound, best);
    simd::splat(beyond, static_cast<key>(vectors));
    simd::select(least_number[0], least_key[0] <= bound, least_number[0], beyond);
    simd::select(least_number[1], least_key[1] <= bound, least_number[1], beyond);
    simd::select(all, least_number[1] < least_number[0], least_number[1], least_number[0]);
    const auto vector_number = static_cast<std::uint64_t>(least_lane(all));
    const std::uint64_t at = vector_number < vectors ? origin + vector_number * step : tail;
    load_keys(k, at);
    const vector found = k <= bound;
    return {best, at + set_lane(found, last), true};
  }

  static GOLDML_INLINE void take(vector& least_key, vector& least_number, const vector& k, const vector& number) {
    const vector better = k < least_key;
    simd::select(least_number, better, number, least_number);
    simd::select(least_key, better, k, least_key);
  }

  GOLDML_INLINE argmin_candidate_key<key> best_of_few(std::uint64_t begin, std::uint64_t end, bool last) const {
    argmin_candidate_key<key> best;
    for (std::uint64_t i = begin; i < end; ++i) best.take({keys.of(first[i * stride]), i, true}, last);
    return best;
  }
};

// Slices, and what a slice's runs are.
struct argmin_slices {
  loop_nest<2> kept;   // over the slices: strides {input, output}
  loop<2> run;         // the runs of a slice: strides {input, flat number}
  loop_nest<2> outer;  // the other loops over a slice
  std::uint64_t flat_offset;
  index_output output;
};

// Parts of a call: slices begin .. end-1, and of each the iterations and the elements of each run that are to be seen.
struct argmin_part {
  std::uint64_t slice_begin, slice_end;
  std::uint64_t outer_begin, outer_end;
  std::uint64_t run_begin, run_end;
};

// Writes the index of each slice of the part if it is to, and returns the best of the last slice.
template <class Keys>
struct argmin_slices_body {
  using candidate = argmin_candidate_key<typename Keys::key>;

  template <class Set>
  static GOLDML_INLINE candidate run(Set, const argmin_slices& slices, const argmin_part& part,
                                     simd::bits_pointer<typename Keys::bits> input, const Keys& keys, bool last,
                                     bool write) {
    if (slices.run.stride[0] == 1)
      return over<argmin_run<Keys, true, Set::vector_bytes>>(slices, part, input, keys, last, write);
    return over<argmin_run<Keys, false, Set::vector_bytes>>(slices, part, input, keys, last, write);
  }

 private:
  template <class Run>
  static GOLDML_INLINE candidate over(const argmin_slices& slices, const argmin_part& part,
                                      simd::bits_pointer<typename Keys::bits> input, const Keys& keys, bool last,
                                      bool write) {
    const argmin_key_vectors<Keys, Run::lanes> key_vectors(keys);
    candidate best;
    const auto first_outer = slices.outer.begin_at(part.outer_begin);
    auto slice = slices.kept.begin_at(part.slice_begin);
    for (std::uint64_t s = part.slice_begin; s < part.slice_end; ++s, slices.kept.advance(slice)) {
      best = candidate{};
      auto outer = first_outer;
      for (std::uint64_t left = part.outer_end - part.outer_begin;;) {
        const Run run{input + (slice.offset[0] + outer.offset[0]), slices.run.stride[0], keys, key_vectors};
        candidate found = run.best(part.run_begin, part.run_end, last);
        found.flat = outer.offset[1] + found.flat * slices.run.stride[1];
        best.take(found, last);
        if (--left == 0) break;
        slices.outer.advance(outer);
      }
      if (write) slices.output.write(slice.offset[1], slices.flat_offset + best.flat);
    }
    return best;
  }
};

}  // namespace goldml::detail
