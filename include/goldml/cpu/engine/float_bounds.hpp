// Bounds on the magnitudes of elements, by which doubles hold sums of them exactly.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/core/inline.hpp>
#include <goldml/cpu/engine/base/simd.hpp>

namespace goldml::detail {

// The greatest bits of a magnitude, the least ones of those other than 0, less 1; and whether there is -0.
struct float_bounds {
  std::uint32_t most = 0, least = (std::numeric_limits<std::uint32_t>::max)();
  bool negative_zero = false;

  // Whether doubles hold all sums of products by weights of which the sum is this number of units: they are multiples
  // of a unit of the last place of the least magnitude, which has 24 bits, and less than 2^53 times that; and no zero
  // has a sign.
  bool are_exact(double units) const {
    const double least_one = std::bit_cast<float>(least + 1), most_one = std::bit_cast<float>(most);
    return !negative_zero && (most == 0 || (most < 0x7F80'0000 && units * most_one <= least_one * 0x1p28));
  }
};

template <class T>
struct find_bounds {
  template <class Set>
  GOLDML_INLINE static void run(Set, const T* from, std::uint64_t step, std::uint64_t count, float_bounds& all) {
    constexpr std::size_t lanes = 8;
    simd::vector<std::uint32_t, lanes> each, magnitude, most, least, other, sign, one;
    simd::splat(most, all.most);
    simd::splat(least, all.least);
    simd::splat(sign, std::uint32_t{1} << 31);
    simd::splat(one, std::uint32_t{1});
    other = sign;  // the least of the bits, less 2^31: 0 is that of -0
    for (std::uint64_t first = 0; first < count; first += lanes) {
      const std::uint64_t rest = (std::min)(std::uint64_t{lanes}, count - first);
      if (std::is_same_v<T, float> && step == 1 && rest == lanes) {
        simd::load(each, from + first);
      } else {
        float some[lanes] = {};
        for (std::uint64_t i = 0; i < rest; ++i) some[i] = static_cast<float>(from[(first + i) * step]);
        simd::load(each, some);
      }
      magnitude = (each | sign) ^ sign;
      simd::greatest(most, most, magnitude);
      simd::least(least, least, magnitude - one);
      simd::least(other, other, each ^ sign);
    }
    std::uint32_t parts[3][lanes];
    simd::store(parts[0], most);
    simd::store(parts[1], least);
    simd::store(parts[2], other);
    for (std::size_t i = 0; i < lanes; ++i) {
      all.most = (std::max)(all.most, parts[0][i]);
      all.least = (std::min)(all.least, parts[1][i]);
      all.negative_zero = all.negative_zero || parts[2][i] == 0;
    }
  }
};

}  // namespace goldml::detail
