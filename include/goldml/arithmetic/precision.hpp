// The precision of a device's computation, and what its roundings may change.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/rounding.hpp>

namespace goldml {

// The precision of a device's intermediate results.
struct precision {
  double unit;      // the greatest relative error of one rounding
  double least;     // the least normal number (FLOAT32), or the least number (FLOAT16, whose subnormals are kept)
  double greatest;  // the greatest finite number
  accumulation mode;
};
inline constexpr precision single_precision{0x1p-24, 0x1p-126, 0x1.fffffep127, accumulation::single};
inline constexpr precision half_precision{0x1p-11, 0x1p-24, 65504, accumulation::half};
// The errors of one rounding to FLOAT16 that may also go toward zero (AR-R7): relative, and of subnormal numbers.
inline constexpr double half_cut_unit = 0x1p-10;
inline constexpr double half_cut_least = 0x1p-24;
// The precision of sums.
constexpr const precision& precision_of(accumulation mode) {
  return mode == accumulation::half ? half_precision : single_precision;
}

namespace detail {

// Whether FLOAT16 holds a number.
inline bool is_half(double x) {
  if (is_zero(x)) return true;
  const odd_double part = odd_part(x);
  return part.exponent >= -24 && part.significand < 2048 && std::abs(x) <= half_precision.greatest;
}

}  // namespace detail

// With half_products: whether a product may become infinite, and what it loses if it becomes 65504 instead.
inline bool may_exceed_half(double a, double b) {
  const double changed = detail::is_half(a) && detail::is_half(b) ? 0 : 0x1p-8;  // by the rounding of both
  return std::abs(a * b) * (1 + changed) >= 65520;
}
inline double cut_of_product(double a, double b) {
  const auto cut = [](double x) { return (std::min)(std::abs(x), half_precision.greatest); };
  return std::abs(a * b) - cut(cut(a) * cut(b));
}

// What a computation is: its tensors, the device's precision, and whether it flushes FLOAT32 subnormals.
struct arithmetic_mode {
  bool float32 = true;  // FLOAT32 tensors; otherwise FLOAT16
  bool flushes = false;
  goldml::accumulation accumulation = goldml::accumulation::single;

  bool half() const { return accumulation == goldml::accumulation::half; }
  bool half_products() const { return accumulation == goldml::accumulation::half_products; }
  // Whether products, exponentials and activations may be rounded to FLOAT16, and elements of FLOAT32 before.
  bool rounds_to_half() const { return accumulation != goldml::accumulation::single; }
  const precision& of() const { return precision_of(accumulation); }
};

// What m roundings change a term by at most, relatively.
inline double growth(double m, double unit) { return std::expm1(m * std::log1p(unit)); }
// The same for independent roundings; exceeded with a probability below 1e-13.
inline double usual_growth(double m, double unit) { return (std::min)(growth(m, unit), 8 * std::sqrt(m) * unit); }

// How many roundings to FLOAT16 a term meets with half_products: those of FLOAT32 elements and that of the product.
inline int roundings_to_half(bool is_product, const arithmetic_mode& mode) {
  if (!mode.half_products()) return 0;
  return (is_product ? 1 : 0) + (mode.float32 ? (is_product ? 2 : 1) : 0);
}

// By how much roundings may change a sum of `count` terms that meet at most m roundings each, and `to_half` roundings
// to FLOAT16 before, relative to the sum of their magnitudes.
struct sum_growth {
  sum_growth(double term_count, double m, int to_half, const arithmetic_mode& mode)
      : count(term_count), in_double(growth(term_count + 3, 0x1p-53)) {
    if (mode.half()) m += 3;
    const double before = growth(to_half, half_cut_unit);
    const auto after = [&](double of_sum) { return before + (1 + before) * of_sum; };
    worst = after(growth(m, mode.of().unit));
    usual = after(usual_growth(m, mode.of().unit));
  }

  double count;
  double in_double;  // of sums computed in double precision
  double worst, usual;
};

}  // namespace goldml
