// ARGMIN on the CPU of short slices: several are turned, so that a vector holds an element of each, and the least key
// of each is found in a lane of its own.
#pragma once

#include <cstddef>
#include <cstdint>

#include <goldml/cpu/argmin_keys.hpp>
#include <goldml/cpu/simd.hpp>

namespace goldml::detail {

// Slices of at least 16 bytes, whose elements lie one behind the other.
template <class Keys, std::size_t VectorBytes>
class argmin_turned_slices {
 public:
  using bits = typename Keys::bits;
  using key = typename Keys::key;
  static constexpr std::size_t lanes = VectorBytes / sizeof(bits);  // slices at a time
  static constexpr std::size_t square = 16 / sizeof(bits);          // elements of each at a time
  using places = simd::vector<bits, lanes>;

  // `length`: of a slice, less than a key can tell apart. `step`: from one to the next, in elements.
  GOLDML_INLINE argmin_turned_slices(const Keys& keys, const argmin_key_vectors<Keys, lanes>& key_vectors,
                                     std::uint64_t length, std::uint64_t step)
      : key_vectors_(key_vectors), length_(length), step_(static_cast<std::ptrdiff_t>(step * sizeof(bits))) {
    simd::splat(zero_, bits{0});
    simd::splat(one_, bits{1});
    simd::splat(back_, static_cast<bits>(square - length % square));
    simd::splat(highest_, keys.highest());
  }

  // Where the least key of each slice is, the first of them at `first`; of equals the first or the Last.
  template <bool Last>
  GOLDML_INLINE void find(places& place, const unsigned char* first) const {
    places number = zero_;
    simd::vector<key, lanes> least = highest_;
    place = zero_;
    std::uint64_t begin = 0;
    for (; length_ - begin >= square; begin += square) take<Last>(place, least, number, first + begin * sizeof(bits));
    if (begin == length_) return;
    // The rest, with some of what came before again, which changes nothing.
    number = number - back_;
    take<Last>(place, least, number, first + (length_ - square) * sizeof(bits));
  }

 private:
  template <bool Last>
  GOLDML_INLINE void take(places& place, simd::vector<key, lanes>& least, places& number,
                          const unsigned char* first) const {
    places x[square];
    for (std::size_t i = 0; i < square; ++i)
      simd::load_parts(x[i], first + static_cast<std::ptrdiff_t>(i) * step_,
                       static_cast<std::ptrdiff_t>(square) * step_);
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

  const argmin_key_vectors<Keys, lanes>& key_vectors_;
  const std::uint64_t length_;
  const std::ptrdiff_t step_;  // in bytes
  places zero_, one_, back_;
  simd::vector<key, lanes> highest_;
};

}  // namespace goldml::detail
