// The least key of contiguous elements, and its position.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <goldml/cpu/engine/arg_reduce/keys.hpp>
#include <goldml/cpu/engine/base/simd.hpp>

namespace goldml::detail {

// The most vectors of elements that place_by_tracking() takes.
inline constexpr std::uint64_t most_tracked_vectors = 32;

// Contiguous elements; positions count from the first.
template <class Keys, std::size_t VectorBytes>
class contiguous_elements {
 public:
  using bits = typename Keys::bits;
  using key = typename Keys::key;
  static constexpr std::size_t lanes = VectorBytes / sizeof(bits);
  using vector = simd::vector<key, lanes>;

  GOLDML_INLINE contiguous_elements(const vector_keys<Keys, lanes>& key_vectors, simd::bits_pointer<bits> first,
                                    std::uint64_t count)
      : key_vectors_(key_vectors), first_(first), count_(count) {}

  // The least unclamped key, in every lane, of at least `lanes` elements. Without prefetching, which measured 10 to 25
  // % slower.
  GOLDML_INLINE void least(vector& a) const {
    if constexpr (Keys::is_floating && VectorBytes == 32)
      if (least_by_sign(a)) return;
    vector b, c, d, k;
    load_keys(a, 0);
    b = c = d = a;
    std::uint64_t i = 0;
    for (; count_ - i >= 4 * lanes; i += 4 * lanes) {
      load_keys(k, i);
      simd::least(a, a, k);
      load_keys(k, i + lanes);
      simd::least(b, b, k);
      load_keys(k, i + 2 * lanes);
      simd::least(c, c, k);
      load_keys(k, i + 3 * lanes);
      simd::least(d, d, k);
    }
    // The last vector may overlap the previous one; this does not change the result.
    for (; i < count_; i += lanes) {
      load_keys(k, (std::min)(i, count_ - lanes));
      simd::least(a, a, k);
    }
    simd::least(a, a, b);
    simd::least(c, c, d);
    simd::least(a, a, c);
    spread_least(a);
  }

  // The same for floats with a third of the instructions. Returns false if NaN comes first or a NaN has its sign bit
  // set. With floats read as integers, the least number is the greatest unsigned integer if any number is negative, and
  // the least signed integer otherwise.
  GOLDML_INLINE bool least_by_sign(vector& a) const {
    using bits_vector = simd::vector<bits, lanes>;
    if (key_vectors_.is_nan_first()) return false;
    bits_vector x, greatest[2];
    vector k, least[2];
    simd::load(greatest[0], first_.address(0));
    key_vectors_.reverse(greatest[0]);
    simd::bits_as(least[0], greatest[0]);
    greatest[1] = greatest[0];
    least[1] = least[0];
    const auto take = [&](std::size_t v, std::uint64_t i) GOLDML_INLINE_LAMBDA {
      simd::load(x, first_.address(i));
      key_vectors_.reverse(x);
      simd::bits_as(k, x);
      simd::greatest(greatest[v], greatest[v], x);
      simd::least(least[v], least[v], k);
    };
    std::uint64_t i = 0;
    for (; count_ - i >= 4 * lanes; i += 4 * lanes)
      simd::unrolled<4>([&](std::size_t v) GOLDML_INLINE_LAMBDA { take(v % 2, i + v * lanes); });
    for (; i < count_; i += lanes) take(0, (std::min)(i, count_ - lanes));
    simd::greatest(greatest[0], greatest[0], greatest[1]);
    simd::least(least[0], least[0], least[1]);
    key_vectors_.negative_nan(k, greatest[0]);
    if (any(k)) return false;
    key_vectors_.of_reversed(a, greatest[0]);
    simd::bits_as(x, least[0]);
    key_vectors_.of_reversed(k, x);
    simd::least(a, a, k);
    spread_least(a);
    return true;
  }

  // The position of the first or last element whose unclamped key is at most `bound`, which is the same in every lane.
  // There is such an element, and there are at least `lanes` elements.
  GOLDML_INLINE std::uint64_t locate(const vector& bound, bool last) const {
    vector x, found;
    const std::uint64_t end = count_ - lanes;  // the last position where a vector may begin
    std::uint64_t i = last ? end : 0;
    if (!last)
      for (; count_ - i >= 4 * lanes; i += 4 * lanes) {
        vector any_of_four = bound - bound;
        simd::unrolled<4>([&](std::size_t v) GOLDML_INLINE_LAMBDA {
          load_keys(x, i + v * lanes);
          found = x <= bound;
          any_of_four = any_of_four | found;
        });
        if (any(any_of_four)) break;
      }
    // The final vector may overlap the previous one, in which nothing was found.
    for (i = (std::min)(i, end);; i = last ? i - (std::min<std::uint64_t>)(i, lanes) : (std::min)(i + lanes, end)) {
      load_keys(x, i);
      found = x <= bound;
      if (any(found)) return i + set_lane(found, last);
    }
  }

  // The position of the least key, for at least `lanes` elements, at most most_tracked_vectors vectors, and NaN not
  // first. The number of the vector is kept with each least key, so that no branch depends on the position of the least
  // element. Goes backwards if the last of equal elements wins.
  GOLDML_INLINE std::uint64_t place_by_tracking(const Keys& keys, bool last) const {
    const std::uint64_t vectors = count_ / lanes;
    const std::uint64_t origin = last ? count_ - lanes : 0;
    const std::uint64_t step = last ? std::uint64_t{0} - lanes : lanes;
    vector least_key[3], k, number, two;
    vector least_number[3];
    simd::splat(number, key{0});
    simd::splat(two, key{2});
    load_keys(least_key[0], origin);
    least_key[1] = least_key[0];  // for odd vectors; the first vector serves as the initial value
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
    // The remaining elements, fewer than a vector, together with some that were already processed.
    const std::uint64_t tail = last ? 0 : count_ - lanes;
    load_keys(least_key[2], tail);

    vector all = least_key[0];
    simd::least(all, all, least_key[1]);
    simd::least(all, all, least_key[2]);
    spread_least(all);
    if (all[0] >= keys.highest()) return last ? count_ - 1 : 0;  // all NaN, or all the greatest integer
    // The first vector with that key, and the position in it.
    simd::splat(number, (std::numeric_limits<key>::max)());
    simd::select(least_number[0], least_key[0] <= all, least_number[0], number);
    simd::select(least_number[1], least_key[1] <= all, least_number[1], number);
    simd::least(number, least_number[0], least_number[1]);
    spread_least(number);
    const auto vector_number = static_cast<std::uint64_t>(number[0]);
    const std::uint64_t at = vector_number < vectors ? origin + vector_number * step : tail;
    load_keys(k, at);
    const vector found = k <= all;
    return at + set_lane(found, last);
  }

  // The position of the least key of `lanes` to 2 * `lanes` elements.
  GOLDML_INLINE std::uint64_t place_in_two_vectors(bool last) const {
    const std::uint64_t second = count_ - lanes;  // where the second vector begins; it may overlap the first
    vector a, b, least;
    load_keys(a, 0);
    load_keys(b, second);
    simd::least(least, a, b);
    spread_least(least);
    key_vectors_.to_bound(least);
    const vector in_a = a <= least, in_b = b <= least;
    return place_of(simd::byte_mask(in_a) | simd::byte_mask(in_b) << (second * sizeof(bits)), last);
  }

  // Sets every lane to the least lane.
  template <std::size_t Distance = lanes / 2>
  static GOLDML_INLINE void spread_least(vector& v) {
    vector other;
    simd::exchange_lanes<Distance>(other, v);
    simd::least(v, v, other);
    if constexpr (Distance > 1) spread_least<Distance / 2>(v);
  }

  static GOLDML_INLINE bool any(const vector& mask) { return simd::byte_mask(mask) != 0; }

 private:
  GOLDML_INLINE void load_keys(vector& k, std::uint64_t i) const {
    simd::vector<bits, lanes> x;
    simd::load(x, first_.address(i));
    key_vectors_.of(k, x);
  }

  // The first or last element whose bytes are set. There is one.
  static GOLDML_INLINE std::uint64_t place_of(std::uint64_t bytes, bool last) {
    const int byte = last ? 63 - std::countl_zero(bytes) : std::countr_zero(bytes);
    return static_cast<std::uint64_t>(byte) / sizeof(bits);
  }
  static GOLDML_INLINE std::uint64_t set_lane(const vector& mask, bool last) {
    return place_of(simd::byte_mask(mask), last);
  }

  static GOLDML_INLINE void take(vector& least_key, vector& least_number, const vector& k, const vector& number) {
    const vector better = k < least_key;
    simd::select(least_number, better, number, least_number);
    simd::least(least_key, least_key, k);
  }

  const vector_keys<Keys, lanes>& key_vectors_;
  const simd::bits_pointer<bits> first_;
  const std::uint64_t count_;
};

}  // namespace goldml::detail
