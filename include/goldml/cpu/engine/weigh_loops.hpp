// Loops of sums by weights of FLOAT32, a row at once, in blocks of which compilers know the size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <goldml/arithmetic/branchless.hpp>
#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/cpu/engine/base/simd.hpp>
#include <goldml/cpu/engine/element_wise/doubles.hpp>

namespace goldml::detail {

namespace weigh_loops {

inline constexpr std::size_t block = 16;
constexpr std::size_t whole_blocks(std::size_t count) { return (count + block - 1) / block * block; }

// Adds `count` consecutive elements by their weight; `least` becomes the least magnitude other than 0.
struct add_row {
  template <class Set>
  GOLDML_INLINE static void run(Set, const float* from, std::size_t count, double weight, double* sums,
                                double* magnitudes, double& least) {
    double smallest[block];
    for (std::size_t k = 0; k < block; ++k) smallest[k] = least;
    for (std::size_t i = 0; i < count; i += block) {
      float x[block] = {};
      double sum[block], magnitude[block];
      std::memcpy(x, from + i, (std::min)(block, count - i) * sizeof(float));
      std::memcpy(sum, sums + i, sizeof sum);
      std::memcpy(magnitude, magnitudes + i, sizeof magnitude);
      for (std::size_t k = 0; k < block; ++k) {
        const double each = static_cast<double>(x[k]), size = magnitude_of(each), term = weight * each;
        sum[k] += term;
        magnitude[k] += magnitude_of(term);
        const double other = choose(size > 0, size, infinite_double);
        smallest[k] = choose(other < smallest[k], other, smallest[k]);
      }
      std::memcpy(sums + i, sum, sizeof sum);
      std::memcpy(magnitudes + i, magnitude, sizeof magnitude);
    }
    for (std::size_t k = 0; k < block; ++k) least = (std::min)(least, smallest[k]);
  }
};

// Rounds the sums of `taps` taps for each output of whole blocks; doubt[q] is 0 where that is certain. A magnitude up
// to `exact` says that nothing was rounded, and others are the greatest errors by `error`.
struct round_row {
  template <class Set>
  GOLDML_INLINE static void run(Set, const double* sums, const double* magnitudes, const std::uint32_t* at,
                                const double* weights, std::size_t taps, std::size_t count, double exact, double error,
                                float* to, std::uint32_t* doubt) {
    for (std::size_t q = 0; q < count; q += block) {
      double sum[block] = {}, magnitude[block] = {};
      for (std::size_t tap = 0; tap < taps; ++tap) {
        const std::uint32_t* const place = at + tap * count + q;
        double weight[block], term[block], size[block];
        std::memcpy(weight, weights + tap * count + q, sizeof weight);
        for (std::size_t k = 0; k < block; ++k) term[k] = sums[place[k]], size[k] = magnitudes[place[k]];
        for (std::size_t k = 0; k < block; ++k) {
          sum[k] += weight[k] * term[k];
          magnitude[k] += weight[k] * size[k];
        }
      }
      std::uint32_t results[block], open[block];
      for (std::size_t k = 0; k < block; ++k) {
        const double off = choose(magnitude[k] <= exact, 0.0, error * magnitude[k]);
        const std::uint32_t low = rounded_bits<float>(sum[k] - off), high = rounded_bits<float>(sum[k] + off);
        const std::uint32_t size = low & 0x7FFF'FFFF;
        results[k] = low;
        open[k] = (low ^ high) | mask_of<std::uint32_t>(size == 0) | mask_of<std::uint32_t>(size >= 0x7F80'0000);
      }
      std::memcpy(to + q, results, sizeof results);
      std::memcpy(doubt + q, open, sizeof open);
    }
  }
};

// The same where doubles hold all sums, so that nothing else is needed. `sums` has whole blocks.
struct add_exactly {
  template <class Set>
  GOLDML_INLINE static void run(Set, const float* from, std::size_t count, double weight, bool is_first, double* sums) {
    constexpr std::size_t lanes = Set::vector_bytes / sizeof(double);
    simd::vector<double, lanes> by, sum, each;
    simd::splat(by, weight);
    for (std::size_t i = 0; i < count; i += block) {
      float x[block] = {};
      double wide[block];
      if (count - i >= block)
        simd::copy_block<block>(x, from + i);
      else
        std::memcpy(x, from + i, (count - i) * sizeof(float));
      for (std::size_t k = 0; k < block; ++k) wide[k] = static_cast<double>(x[k]);
      for (std::size_t k = 0; k < block; k += lanes) {
        simd::load(each, wide + k);
        each = each * by;
        if (!is_first) {
          simd::load(sum, sums + i + k);
          each = each + sum;
        }
        simd::store(sums + i + k, each);
      }
    }
  }
};
struct round_exactly {
  template <class Set>
  GOLDML_INLINE static void run(Set, const double* sums, const std::uint32_t* at, const double* weights,
                                std::size_t taps, std::size_t count, float* to) {
    constexpr std::size_t lanes = 4;
    for (std::size_t q = 0; q < count; q += block) {
      double results[block];
      for (std::size_t k = 0; k < block; k += lanes) {
        simd::vector<double, lanes> sum, weight;
        simd::splat(sum, 0.0);  // which it stays where a tap is missing, of which the term may be -0
        for (std::size_t tap = 0; tap < taps; ++tap) {
          const std::size_t i = tap * count + q + k;
          const simd::vector<double, lanes> term{sums[at[i]], sums[at[i + 1]], sums[at[i + 2]], sums[at[i + 3]]};
          simd::load(weight, weights + i);
          sum = sum + term * weight;
        }
        simd::store(results + k, sum);
      }
      std::uint32_t bits[block];
      for (std::size_t k = 0; k < block; ++k) bits[k] = rounded_bits<float>(results[k]);
      simd::copy_block<block>(to + q, bits);
    }
  }
};

}  // namespace weigh_loops

}  // namespace goldml::detail
