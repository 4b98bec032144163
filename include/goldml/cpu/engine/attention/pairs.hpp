// One row of attention with scores and weights of two doubles, for the elements that a double does not decide.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <goldml/arithmetic/branchless.hpp>
#include <goldml/arithmetic/double_pair.hpp>
#include <goldml/cpu/engine/attention/products.hpp>
#include <goldml/cpu/engine/attention/weights.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/base/simd.hpp>

namespace goldml::detail {

using arithmetic::double_pair;

// Products of a row with all keys, times the scale, which is a FLOAT32. Of each product the exact part is added without
// rounding, and the rests, whose sum is below (d 2^-53 + 2^-23) S, S the sum of the magnitudes, with two additions
// each. So the result is off by less than (d + 8) 2^-74 S for d below 2^28.
struct attention_pair_scores {
  template <class V>
  GOLDML_INLINE static void split(V& high, V& low, const V& x) {
    simd::vector<std::uint64_t, sizeof(V) / sizeof(double)> bits, mask;
    simd::splat(mask, arithmetic::first_26_bits);
    simd::bits_as(bits, x);
    bits = bits & mask;
    simd::bits_as(high, bits);
    low = x - high;
  }
  // `query` has 2 * width numbers, the first bits and the rest of each element in turn, and eight more to be readable.
  template <class Set>
  GOLDML_INLINE static void run(Set, const double* query, const double* keys, std::size_t width, std::size_t panels,
                                double scale, double* high, double* low) {
    constexpr std::size_t lanes = product_lanes<Set>;
    simd::vector<double, lanes> factor, sum, rest, error, x, x_high, x_low, q_high, q_low;
    simd::splat(factor, scale);
    for (std::size_t t = 0; t < panels * panel_columns; t += lanes) {
      const double* const key = keys + t / panel_columns * panel_columns * width + t % panel_columns;
      simd::splat(sum, 0.0);
      simd::splat(rest, 0.0);
      for (std::size_t k = 0; k < width; ++k) {
        simd::load(x, key + k * panel_columns);
        split(x_high, x_low, x);
        simd::spread(q_high, query + 2 * k);
        simd::spread(q_low, query + 2 * k + 1);
        x = q_high * x_high;
        arithmetic::add_exactly(sum, error, sum, x);
        rest = rest + (error + ((q_high * x_low + q_low * x_high) + q_low * x_low));
      }
      split(x_high, x_low, sum);
      x_high = x_high * factor;
      x_low = x_low * factor;
      arithmetic::add_exactly(sum, error, x_high, x_low);
      error = error + rest * factor;
      simd::store(high + t, sum);
      simd::store(low + t, error);
    }
  }
};

// Scores, in blocks, become weights, each off by what the score is off by and 2^-61, relatively; returns whether it is
// known of all weights if they are 0.
struct attention_pair_weights {
  template <class Set>
  GOLDML_INLINE static bool run(Set, double* high, double* low, std::size_t blocks, const double_pair& greatest,
                                double unsure_to) {
    double h[attention_lanes], l[attention_lanes];
    std::uint64_t unsure[attention_lanes] = {};
    for (std::size_t b = 0; b < blocks; ++b) {
      std::memcpy(h, high + b * attention_lanes, sizeof h);
      std::memcpy(l, low + b * attention_lanes, sizeof l);
      for (std::size_t k = 0; k < attention_lanes; ++k) {
        double_pair x = arithmetic::sum_pair(h[k], -greatest.high);
        x = arithmetic::sum_pair(x.high, x.low + (l[k] - greatest.low));
        unsure[k] |=
            mask_of<std::uint64_t>(magnitude_of(h[k] - greatest.high - least_attention_difference) <= unsure_to);
        const bool counts = h[k] - greatest.high > least_attention_difference;  // of -infinity, x is NaN
        x = arithmetic::exp_of_pair({choose(counts, x.high, 0), choose(counts, x.low, 0)});
        h[k] = choose(counts, x.high, 0);
        l[k] = choose(counts, x.low, 0);
      }
      std::memcpy(high + b * attention_lanes, h, sizeof h);
      std::memcpy(low + b * attention_lanes, l, sizeof l);
    }
    bool is_sure = true;
    for (const std::uint64_t each : unsure) is_sure = is_sure && each == 0;
    return is_sure;
  }
};

// A sum of weights times values, and that of the magnitudes. Of n terms it is off by less than (n + 8) 2^-74 of the
// latter, for n below 2^28, for the same reason.
struct attention_pair_sum {
  double sum = 0, rest = 0, magnitude = 0;

  void add(double high, double low, double value) {
    const double_pair w = arithmetic::split_pair(high), v = arithmetic::split_pair(value);
    double error;
    arithmetic::add_exactly(sum, error, sum, w.high * v.high);
    rest += error + ((w.high * v.low + w.low * v.high) + (w.low * v.low + low * value));
    magnitude += std::abs(high * value);
  }
};

inline double_pair sum_with(const double_pair& s, double x) {
  const double_pair sum = arithmetic::sum_pair(s.high, x);
  return is_finite_double(sum.high) ? arithmetic::sum_pair(sum.high, sum.low + s.low) : double_pair{sum.high, 0};
}

}  // namespace goldml::detail
