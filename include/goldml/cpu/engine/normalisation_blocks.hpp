// 64 elements of a normalisation in double precision, as vector loops.
#pragma once

#include <array>
#include <cstddef>

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

// Adds the distances of `count` numbers from a centre, their magnitudes and squares.
struct add_to_sums {
  template <class Set>
  GOLDML_INLINE static void run(Set, const normalisation_block& x, std::size_t count, double centre,
                                normalisation_sums& to) {
    for (std::size_t i = 0; i < normalisation_lanes; ++i) {
      const double d = choose(i < count, x[i] - centre, 0);
      to.sum[i] += d;
      to.magnitude[i] += magnitude_of(d);
      to.squares[i] += d * d;
    }
  }
};

// What elements are normalised by: factors and centres for each lane, and their greatest errors.
struct normalisation_lane_steps {
  normalisation_block centre, factor;
  double centre_error = 0, factor_error = 0;  // the latter relative

  void fill(double c, double r) { centre.fill(c), factor.fill(r); }
};

// s * ((x - c) * r) + (b + a), and its error.
struct affine_lanes {
  template <class Set>
  GOLDML_INLINE static void run(Set, const normalisation_block& x, const normalisation_block& s,
                                const normalisation_block& b, const normalisation_block& a,
                                const normalisation_lane_steps& by, normalisation_block& value,
                                normalisation_block& error) {
    for (std::size_t i = 0; i < normalisation_lanes; ++i) {
      const double d = x[i] - by.centre[i], by_all = s[i] * by.factor[i], addend = b[i] + a[i];
      const double y = s[i] * (d * by.factor[i]) + addend + 0.0;
      value[i] = y;
      error[i] = magnitude_of(by_all) * (by.centre_error + magnitude_of(d) * by.factor_error) +
                 0x1p-50 * magnitude_of(y) + 0x1p-51 * (magnitude_of(b[i]) + magnitude_of(a[i]));
    }
  }
};

template <class T>
struct decide_lanes {
  using bits = std::array<number_bits_of<T>, normalisation_lanes>;
  template <class Set>
  GOLDML_INLINE static void run(Set, const normalisation_block& value, const normalisation_block& error, bits& result,
                                bits& undecided) {
    for (std::size_t i = 0; i < normalisation_lanes; ++i) {
      const auto low = rounded_bits<T>(value[i] - error[i]), high = rounded_bits<T>(value[i] + error[i]);
      result[i] = low;
      const bool known = error[i] < 0x1p900;
      undecided[i] = static_cast<number_bits_of<T>>((low ^ high) | (known ? 0 : 1));
    }
  }
};

}  // namespace goldml::detail
