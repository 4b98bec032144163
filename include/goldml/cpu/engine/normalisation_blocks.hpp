// 64 elements of a normalisation in double precision, as vector loops.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <goldml/arithmetic/branchless.hpp>
#include <goldml/core/inline.hpp>
#include <goldml/cpu/engine/element_wise/doubles.hpp>

namespace goldml::detail {

inline constexpr std::size_t normalisation_lanes = 64;
using normalisation_block = std::array<double, normalisation_lanes>;

struct normalisation_sums {
  normalisation_block sum{}, magnitude{}, squares{};

  static double total(const normalisation_block& lanes) {
    double result = 0;
    for (const double each : lanes) result += each;
    return result;
  }
};

// Loops write to arrays of their own, which alias nothing, so that compilers vectorise them.

// `count` adjacent elements.
template <class T>
struct load_lanes {
  template <class Set>
  GOLDML_INLINE static void run(Set, const T* from, std::size_t count, normalisation_block& to) {
    number_bits_of<T> x[normalisation_lanes] = {};
    std::memcpy(x, from, count * sizeof(T));
    for (std::size_t i = 0; i < normalisation_lanes; ++i) to[i] = double_of_bits<T>(x[i]);
  }
};

// Adds the distances of `count` numbers from a centre, their magnitudes and squares.
struct add_to_sums {
  template <class Set>
  GOLDML_INLINE static void run(Set, const normalisation_block& x, std::size_t count, double centre,
                                normalisation_sums& to) {
    normalisation_sums sums = to;
    const auto n = static_cast<std::int64_t>(count);
    for (std::size_t i = 0; i < normalisation_lanes; ++i) {
      const double d = choose(static_cast<std::int64_t>(i) < n, x[i] - centre, 0);
      sums.sum[i] += d;
      sums.magnitude[i] += magnitude_of(d);
      sums.squares[i] += d * d;
    }
    to = sums;
  }
};

// What elements are normalised by: factors and centres for each lane, and their greatest errors.
struct normalisation_lane_steps {
  normalisation_block centre, factor;
  double centre_error = 0, factor_error = 0;  // the latter relative

  void fill(double c, double r) { centre.fill(c), factor.fill(r); }
};

// s * ((x - c) * r) + (b + a), and its error.
struct affine_lane {
  double value, error;
  GOLDML_INLINE affine_lane(double x, double s, double b, double a, const normalisation_lane_steps& by, std::size_t i) {
    const double d = x - by.centre[i], by_all = s * by.factor[i], addend = b + a;
    value = s * (d * by.factor[i]) + addend + 0.0;
    error = magnitude_of(by_all) * (by.centre_error + magnitude_of(d) * by.factor_error) +
            0x1p-50 * magnitude_of(value) + 0x1p-51 * (magnitude_of(b) + magnitude_of(a));
  }
};
struct affine_lanes {
  template <class Set>
  GOLDML_INLINE static void run(Set, const normalisation_block& x, const normalisation_block& s,
                                const normalisation_block& b, const normalisation_block& a,
                                const normalisation_lane_steps& by, normalisation_block& value,
                                normalisation_block& error) {
    normalisation_block values, errors;
    for (std::size_t i = 0; i < normalisation_lanes; ++i) {
      const affine_lane y(x[i], s[i], b[i], a[i], by, i);
      values[i] = y.value;
      errors[i] = y.error;
    }
    value = values;
    error = errors;
  }
};

// The same rounded; undecided[i] is 0 where that is certain, and `any` if it is for all.
template <class T>
struct rounded_lanes {
  using bits = std::array<number_bits_of<T>, normalisation_lanes>;
  template <class Set>
  GOLDML_INLINE static void run(Set, const normalisation_block& x, const normalisation_block& s,
                                const normalisation_block& b, const normalisation_block& a,
                                const normalisation_lane_steps& by, bits& result, bits& undecided,
                                number_bits_of<T>& any) {
    bits results, open;
    number_bits_of<T> all = 0;
    for (std::size_t i = 0; i < normalisation_lanes; ++i) {
      const affine_lane y(x[i], s[i], b[i], a[i], by, i);
      const auto low = rounded_bits<T>(y.value - y.error), high = rounded_bits<T>(y.value + y.error);
      results[i] = low;
      const auto unknown = static_cast<number_bits_of<T>>(~mask_of<number_bits_of<T>>(y.error < 0x1p900));
      open[i] = static_cast<number_bits_of<T>>((low ^ high) | unknown);
      all = static_cast<number_bits_of<T>>(all | open[i]);
    }
    result = results;
    undecided = open;
    any = all;
  }
};

}  // namespace goldml::detail
