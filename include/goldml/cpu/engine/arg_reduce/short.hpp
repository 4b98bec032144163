// Arg-reductions of short slices with contiguous elements. Several of the shortest slices are transposed together, so
// that each vector holds one element of each slice, and each lane finds the least key of one slice.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <goldml/cpu/engine/arg_reduce/elements.hpp>
#include <goldml/cpu/engine/arg_reduce/keys.hpp>
#include <goldml/cpu/engine/arg_reduce/plan.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>

namespace goldml::detail {

struct short_slices {
  loop_nest<2> outer;         // loops over the slices, except `inner`
  loop<2> inner;              // the innermost loop over the slices: strides {input, output}
  std::uint64_t length;       // of a slice, in elements
  std::uint64_t flat_stride;  // of the elements of a slice
  std::uint64_t flat_offset;
  index_output output;

  // Whether this file has an algorithm for slices of that length.
  template <class Keys>
  static bool are_short(std::uint64_t length, const Keys& keys, instruction_set set) {
    return may_be_turned<Keys>(length) || may_be_tracked(length, keys, set);
  }

  // Whether transposing is faster than tracking, or the only choice. It is slower if few slices are contiguous.
  template <class Keys>
  bool are_turned(const Keys& keys, instruction_set set) const {
    return may_be_turned<Keys>(length) && (inner.size >= lanes<Keys>(set) || !may_be_tracked(length, keys, set));
  }

 private:
  template <class Keys>
  static std::uint64_t lanes(instruction_set set) {
    return simd::vector_bytes_of(set) / sizeof(typename Keys::bits);
  }
  // Longer slices would be too far apart to be read together at full speed.
  template <class Keys>
  static bool may_be_turned(std::uint64_t length) {
    return length * sizeof(typename Keys::bits) >= 16 && length <= 32;
  }
  template <class Keys>
  static bool may_be_tracked(std::uint64_t length, const Keys& keys, instruction_set set) {
    const std::uint64_t vectors = (length + lanes<Keys>(set) - 1) / lanes<Keys>(set);
    return length >= lanes<Keys>(set) && (vectors <= 2 || (vectors <= most_tracked_vectors && !keys.is_nan_first()));
  }
};

// Transposes as many slices as a vector has lanes. Each slice has at least 16 bytes.
template <class Keys, std::size_t VectorBytes>
class turned_slices {
 public:
  using bits = typename Keys::bits;
  using key = typename Keys::key;
  static constexpr std::size_t lanes = VectorBytes / sizeof(bits);
  static constexpr std::size_t square = 16 / sizeof(bits);  // elements of each slice at a time
  using places = simd::vector<bits, lanes>;

  // `length`: elements of a slice, at most what a key can count.
  GOLDML_INLINE turned_slices(const Keys& keys, std::uint64_t length) : key_vectors_(keys), length_(length) {
    simd::splat(zero_, bits{0});
    simd::splat(one_, bits{1});
    simd::splat(back_, static_cast<bits>(square - length % square));
    simd::splat(highest_, keys.highest());
  }

  // Finds the position of the least key of each slice: of equal keys the last if `last`, otherwise the first. slice(s)
  // is the address of the first element of slice s.
  template <class F>
  GOLDML_INLINE void find(places& place, const F& slice, bool last) const {
    if (last)
      find<true>(place, slice);
    else
      find<false>(place, slice);
  }

 private:
  template <bool Last, class F>
  GOLDML_INLINE void find(places& place, const F& slice) const {
    places number = zero_;
    simd::vector<key, lanes> least = highest_;
    place = zero_;
    for (std::uint64_t begin = 0;;) {
      take<Last>(place, least, number, slice, begin);
      begin += square;
      if (begin == length_) return;
      if (length_ - begin < square) {  // the remaining elements, together with some already processed ones
        number = number - back_;
        begin = length_ - square;
      }
    }
  }

  // Processes elements begin .. begin + square - 1; `number` is the position of the first.
  template <bool Last, class F>
  GOLDML_INLINE void take(places& place, simd::vector<key, lanes>& least, places& number, const F& slice,
                          std::uint64_t begin) const {
    places x[square];
    simd::unrolled<square>([&](std::size_t i) GOLDML_INLINE_LAMBDA {
      if constexpr (lanes == square)
        simd::load(x[i], slice(i) + begin * sizeof(bits));
      else
        simd::load_halves(x[i], slice(i) + begin * sizeof(bits), slice(i + square) + begin * sizeof(bits));
    });
    simd::transpose(x);
    simd::unrolled<square>([&](std::size_t i) GOLDML_INLINE_LAMBDA {
      simd::vector<key, lanes> k;
      key_vectors_.of(k, x[i]);
      if constexpr (Last) {
        key_vectors_.clamp(k);
        simd::select(place, least < k, place, number);
      } else {
        if constexpr (Keys::is_floating) key_vectors_.clamp_lowest(k);
        simd::select(place, k < least, number, place);
      }
      simd::least(least, least, k);
      number = number + one_;
    });
  }

  const vector_keys<Keys, lanes> key_vectors_;
  const std::uint64_t length_;
  places zero_, one_, back_;
  simd::vector<key, lanes> highest_;
};

// Both bodies write the indices of the slices begin .. end-1. They are separate, small functions, because a few
// instructions per slice matter.
template <class Keys>
struct tracked_slices_body {
  template <class Set>
  static GOLDML_INLINE void run(Set, const short_slices& slices, simd::bits_pointer<typename Keys::bits> input,
                                std::uint64_t begin, std::uint64_t end, const Keys& keys, bool last) {
    using elements = contiguous_elements<Keys, Set::vector_bytes>;
    const vector_keys<Keys, elements::lanes> key_vectors(keys);
    const loop<2> inner = slices.inner;  // local copies, which the compiler can keep in registers
    const index_output output = slices.output;
    const std::uint64_t length = slices.length, flat_stride = slices.flat_stride, flat_offset = slices.flat_offset;
    const bool is_one_or_two_vectors = length <= 2 * elements::lanes;
    auto outer = slices.outer.begin_at(begin / inner.size);
    for (std::uint64_t i = begin % inner.size; begin < end; i = 0, slices.outer.advance(outer)) {
      const std::uint64_t piece_end = (std::min)(inner.size, i + (end - begin));
      begin += piece_end - i;
      for (; i < piece_end; ++i) {
        const elements slice(key_vectors, input + (outer.offset[0] + i * inner.stride[0]), length);
        const std::uint64_t place =
            is_one_or_two_vectors ? slice.place_in_two_vectors(last) : slice.place_by_tracking(keys, last);
        output.write(outer.offset[1] + i * inner.stride[1], flat_offset + place * flat_stride);
      }
    }
  }
};

template <class Keys>
struct turned_slices_body {
  template <class Set>
  static GOLDML_INLINE void run(Set, const short_slices& slices, simd::bits_pointer<typename Keys::bits> input,
                                std::uint64_t begin, std::uint64_t end, const Keys& keys, bool last) {
    using slices_type = turned_slices<Keys, Set::vector_bytes>;
    using bits = typename Keys::bits;
    constexpr std::size_t lanes = slices_type::lanes;
    const slices_type turned(keys, slices.length);
    const loop<2> inner = slices.inner;  // local copies, which the compiler can keep in registers
    const index_output output = slices.output;
    const std::uint64_t flat_stride = slices.flat_stride, flat_offset = slices.flat_offset;
    const bool is_plain = !output.is_wide && inner.stride[1] == 1 && flat_stride == 1 && flat_offset == 0;
    const auto step = static_cast<std::ptrdiff_t>(inner.stride[0] * sizeof(bits));
    typename slices_type::places place;
    bits number[lanes];
    const unsigned char* from[lanes];
    std::uint64_t to[lanes];
    auto outer = slices.outer.begin_at(begin / inner.size);
    for (std::uint64_t i = begin % inner.size; begin < end;) {
      std::size_t count = 0;
      if (end - begin >= lanes && inner.size - i >= lanes) {
        const unsigned char* const first = input.address(outer.offset[0] + i * inner.stride[0]);
        const std::uint64_t first_to = outer.offset[1] + i * inner.stride[1];
        turned.find(
            place, [&](std::size_t s) GOLDML_INLINE_LAMBDA { return first + static_cast<std::ptrdiff_t>(s) * step; },
            last);
        begin += lanes;
        i += lanes;
        if (i == inner.size) i = 0, slices.outer.advance(outer);
        if (sizeof(bits) == 4 && is_plain) {
          simd::store(static_cast<std::uint32_t*>(output.data) + first_to, place);
          continue;
        }
        for (; count < lanes; ++count) to[count] = first_to + count * inner.stride[1];
      } else {
        // Slices from several passes of the inner loop. If there are fewer than `lanes`, the last one is repeated.
        for (; count < lanes && begin < end; ++count, ++begin) {
          from[count] = input.address(outer.offset[0] + i * inner.stride[0]);
          to[count] = outer.offset[1] + i * inner.stride[1];
          if (++i == inner.size) i = 0, slices.outer.advance(outer);
        }
        for (std::size_t s = count; s < lanes; ++s) from[s] = from[count - 1];
        turned.find(place, [&](std::size_t s) GOLDML_INLINE_LAMBDA { return from[s]; }, last);
      }
      simd::store(number, place);
      for (std::size_t s = 0; s < count; ++s) output.write(to[s], flat_offset + number[s] * flat_stride);
    }
  }
};

}  // namespace goldml::detail
