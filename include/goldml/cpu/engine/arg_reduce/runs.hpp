// Arg-reductions slice by slice, where the elements of a slice form runs. In a long run, the least key is found block
// by block, and then its position in the one block that has it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <goldml/cpu/engine/arg_reduce/elements.hpp>
#include <goldml/cpu/engine/arg_reduce/keys.hpp>
#include <goldml/cpu/engine/arg_reduce/pack.hpp>
#include <goldml/cpu/engine/arg_reduce/plan.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>

namespace goldml::detail {

// One run of a slice: elements from `first` on, `stride` elements apart.
template <class Keys, std::size_t VectorBytes>
class element_run {
 public:
  using bits = typename Keys::bits;
  using key = typename Keys::key;
  using elements = contiguous_elements<Keys, VectorBytes>;
  static constexpr std::size_t lanes = elements::lanes;
  // Elements of a block. It stays in the first-level cache for the second pass.
  static constexpr std::uint64_t block = 4096 / sizeof(bits);

  // A contiguous copy of a block whose stride is not 1.
  using packed_elements = bits[block + lanes];

  GOLDML_INLINE element_run(const Keys& keys, const vector_keys<Keys, lanes>& key_vectors,
                            simd::bits_pointer<bits> first, std::uint64_t stride, packed_elements& packed)
      : keys_(keys), key_vectors_(key_vectors), first_(first), stride_(stride), packed_(packed) {}

  // The least clamped key of the elements begin .. end-1, at least one, and its position.
  GOLDML_INLINE candidate_key<key> best(std::uint64_t begin, std::uint64_t end, bool last) const {
    if (end - begin < lanes) return best_of_few(begin, end, last);
    key best_key = 0;
    std::uint64_t best_begin = begin;
    std::uint64_t best_end = end;
    typename elements::vector bound{}, k;
    // The last block includes a remainder of fewer elements than a vector.
    const std::uint64_t blocks = (end - begin - lanes) / block + 1;
    for (std::uint64_t i = 0; i < blocks; ++i) {
      const std::uint64_t block_begin = begin + i * block;
      const std::uint64_t block_end = i + 1 == blocks ? end : block_begin + block;
      part(block_begin, block_end).least(k);
      const typename elements::vector better = k <= bound;
      if (i == 0 || elements::any(better)) {
        const key found = keys_.clamped(k[0]);
        if (i == 0 || found < best_key || (found == best_key && last)) {
          best_key = found;
          best_begin = block_begin;
          best_end = block_end;
          bound = k;
          key_vectors_.to_bound(bound);
        }
      }
    }
    return {best_key, best_begin + part(best_begin, best_end).locate(bound, last), true};
  }

 private:
  // The elements begin .. end-1, fewer than block + lanes.
  GOLDML_INLINE elements part(std::uint64_t begin, std::uint64_t end) const {
    if (stride_ == 1) return elements(key_vectors_, first_ + begin, end - begin);
    pack_elements(packed_, first_ + begin * stride_, stride_, end - begin);
    return elements(key_vectors_, simd::bits_pointer<bits>(packed_), end - begin);
  }

  GOLDML_INLINE candidate_key<key> best_of_few(std::uint64_t begin, std::uint64_t end, bool last) const {
    candidate_key<key> best;
    for (std::uint64_t i = begin; i < end; ++i) best.take({keys_.of(first_[i * stride_]), i, true}, last);
    return best;
  }

  const Keys& keys_;
  const vector_keys<Keys, lanes>& key_vectors_;
  const simd::bits_pointer<bits> first_;
  const std::uint64_t stride_;
  packed_elements& packed_;
};

// The slices of a call, and the runs of a slice.
struct arg_reduce_slices {
  loop_nest<2> kept;   // over the slices: strides {input, output}
  loop<2> run;         // over a run: strides {input, flat index}
  loop_nest<2> outer;  // the other loops over a slice
  std::uint64_t flat_offset;
  index_output output;
};

// A part of a call: ranges of slices, of iterations of the outer loops, and of elements of each run.
struct arg_reduce_part {
  std::uint64_t slice_begin, slice_end;
  std::uint64_t outer_begin, outer_end;
  std::uint64_t run_begin, run_end;
};

// Writes the index of each slice of the part if `write` is set. Returns the best candidate of the last slice.
template <class Keys>
struct slices_body {
  using candidate = candidate_key<typename Keys::key>;

  template <class Set>
  static GOLDML_INLINE candidate run(Set, const arg_reduce_slices& slices, const arg_reduce_part& part,
                                     simd::bits_pointer<typename Keys::bits> input, const Keys& keys, bool last,
                                     bool write) {
    using run_type = element_run<Keys, Set::vector_bytes>;
    const vector_keys<Keys, run_type::lanes> key_vectors(keys);
    typename run_type::packed_elements packed;
    candidate best;
    const auto first_outer = slices.outer.begin_at(part.outer_begin);
    auto slice = slices.kept.begin_at(part.slice_begin);
    for (std::uint64_t s = part.slice_begin; s < part.slice_end; ++s, slices.kept.advance(slice)) {
      best = candidate{};
      auto outer = first_outer;
      for (std::uint64_t left = part.outer_end - part.outer_begin;;) {
        const run_type run(keys, key_vectors, input + (slice.offset[0] + outer.offset[0]), slices.run.stride[0],
                           packed);
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
