// The mean and the variance of a slice: in double precision, and what a device may have instead, with sums in any
// order, Welford's recurrence, and lanes that are merged (SPEC-normalisation 2.1 to 2.3, 2.7, 2.8; ledger NO-R2,
// NO-R3).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/arithmetic/primitives.hpp>
#include <goldml/core/normalisation_policies.hpp>
#include <goldml/core/policies.hpp>

namespace goldml::arithmetic {

// What roundings of a device change, as a normalisation meets them.
struct normalisation_units {
  explicit normalisation_units(const arithmetic_mode& of) : mode(of) {
    if (mode.half_products()) element = half_cut_unit;
  }

  const arithmetic_mode& mode;
  double sum = mode.of().unit;  // of a sum
  double element = sum;         // of other steps

  // A device that flushes loses as much in a step, or in half precision by underflow.
  double flushed(double steps) const { return mode.float32 && mode.flushes && !mode.half() ? steps * 0x1p-126 : 0; }
  // Of a sum, and of its quotient, which a device may compute with an approximate reciprocal.
  double grown(double m, granted what) const { return what == granted::usual ? usual_growth(m, sum) : growth(m, sum); }
  double divided(double m, granted what) const {
    return grown(m + (what == granted::possible && !mode.half() ? 6 : 0), what);
  }
  // Of numbers up to `most` that half precision reads.
  double read(double most) const {
    if (mode.half()) return (mode.float32 ? sum * most : 0) + 0x1p-25 + 0x1p-24;
    return mode.half_products() ? 2 * (half_cut_unit * most + half_cut_least) : 0;
  }
  // Of one root and one quotient.
  double of_root(granted what) const {
    if (mode.rounds_to_half()) return 6 * element;
    return what == granted::possible ? 12 * sum : 0x1p-21;
  }
};

class slice_moments {
 public:
  // at(i) gives element i as a double. Without `uses_mean` the mean is 0, and the variance is about 0.
  template <class At>
  slice_moments(std::uint64_t count, const At& at, bool uses_mean, const arithmetic_mode& mode)
      : units_(mode), n_(static_cast<double>(count)), uses_mean_(uses_mean) {
    bool has_subnormal = false;
    int lowest = (std::numeric_limits<int>::max)();
    double sum = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      const double x = at(i), size = std::abs(x);
      finite_ = finite_ && goldml::detail::is_finite_double(x);
      sum += x;
      magnitude_ += size;
      squares_ += x * x;
      if (!(size <= most_)) most_ = is_nan(x) ? std::numeric_limits<double>::infinity() : size;
      if (is_zero(x) || !finite_) continue;
      has_subnormal = has_subnormal || size < 0x1p-126;
      lowest = (std::min)(lowest, goldml::detail::odd_part(x).exponent);
    }
    squares_ /= n_;
    double rest = 0, deviations = 0;
    if (uses_mean) {
      mean_ = sum / n_;
      if (finite_) {  // a second sum corrects the first
        for (std::uint64_t i = 0; i < count; ++i) rest += at(i) - mean_;
        mean_ += rest / n_;
      }
    }
    int lowest_deviation = (std::numeric_limits<int>::max)();
    for (std::uint64_t i = 0; i < count; ++i) {
      const double x = at(i), d = x - mean_;
      deviations += d * d;
      if (!is_zero(d) && finite_) lowest_deviation = (std::min)(lowest_deviation, goldml::detail::odd_part(d).exponent);
      is_constant_ = is_constant_ && x == at(0);
    }
    variance_ = deviations / n_;
    if (!finite_ || mode.rounds_to_half()) return;
    const double q = std::ldexp(1.0, lowest);
    exact_sums_ = is_zero(magnitude_) || (magnitude_ <= 0x1p24 * q && q / n_ >= 0x1p-126 && !has_subnormal);
    const double step = std::ldexp(1.0, lowest_deviation);
    exact_slice_ = exact_sums_ && std::fma(mean_, n_, -sum) == 0 &&
                   (is_zero(variance_) || (deviations <= 0x1p24 * step * step && step >= 0x1p-63));
  }

  double count() const { return n_; }
  double mean() const { return mean_; }
  double variance() const { return variance_; }
  double magnitude() const { return magnitude_; }  // the sum of the magnitudes
  double most() const { return most_; }            // the greatest magnitude
  double squares() const { return squares_; }      // the mean of the squares
  bool is_finite() const { return finite_; }
  bool is_constant() const { return is_constant_; }
  bool uses_mean() const { return uses_mean_; }
  // Whether no order of additions rounds; and whether none of squares of deviations does.
  bool has_exact_sums() const { return exact_sums_; }
  bool has_power_of_two() const { return std::has_single_bit(static_cast<std::uint64_t>(n_)); }

  // By how much mean() and variance() are off at most: of sums in double precision.
  double mean_in_double() const {
    if (!uses_mean_ || n_ == 1 || (exact_sums_ && has_power_of_two())) return 0;
    return 0x1p-52 * std::abs(mean_) + growth(n_ + 8, 0x1p-53) * std::sqrt(variance_);
  }
  double variance_in_double() const {
    return growth(n_ + 8, 0x1p-53) * variance_ + mean_in_double() * mean_in_double();
  }

  double mean_error(granted what) const {
    const double read = units_.read(most_);
    if (!uses_mean_ || n_ == 1) return read;
    if (exact_sums_ && what == granted::usual)
      return (has_power_of_two() ? 0 : 3 * units_.sum * std::abs(mean_)) + mean_in_double();
    const auto g = [&](double m) { return units_.grown(m, what); };
    const double levels = std::ceil(std::log2(n_)), additions = exact_sums_ ? (std::min)(n_, 8 * std::sqrt(n_)) : n_;
    return g(additions) * magnitude_ / n_ + g(8 + 6 * levels) * most_ * (1 + g(additions)) + units_.flushed(n_ + 2) +
           read + mean_in_double();
  }
  // `limit`: what E[x^2] - E[x]^2 may cost with variance_policy::any.
  double variance_error(granted what, variance_policy allowed, double limit) const {
    return base_error(what, allowed, limit) + variance_in_double();
  }
  // How far a correction may take a variance below 0.
  double below_zero() const {
    const double dc = mean_error(granted::possible);
    return growth(3 * n_ + 9, units_.sum) * dc * dc;
  }
  // Whether sums, or those of squares, may be infinite.
  bool sum_overflows() const { return may_overflow(magnitude_); }
  bool squares_overflow() const { return may_overflow(squares_ * n_); }

 private:
  bool may_overflow(double most) const {
    return !(most * (1 + growth(n_ + 8, units_.sum)) < units_.mode.of().greatest);
  }
  double base_error(granted what, variance_policy allowed, double limit) const {
    const double dc = mean_error(what), v = variance_;
    const bool half = units_.mode.half();
    const double least = half ? 0x1p-23 : units_.mode.half_products() ? half_cut_least : units_.flushed(n_ + 2);
    const double squared = units_.mode.half_products() ? growth(2, half_cut_unit) : 0;  // each rounded to FLOAT16
    if (!uses_mean_) {
      const double read = units_.read(most_);  // 0 in single precision
      return (units_.divided(n_ + 3, what) + squared) * v + 2 * read * std::sqrt(v) + read * read + least;
    }
    if (n_ == 1 && !units_.mode.rounds_to_half()) return units_.flushed(3);
    if (exact_slice_ && what == granted::usual) return dc * dc + (has_power_of_two() ? 0 : 3 * units_.sum * v);
    const double additions = exact_slice_ ? (std::min)(n_, 8 * std::sqrt(n_)) : n_;
    const double centred = (units_.divided(additions + 8, what) + squared) * (v + dc * dc) +
                           (1 + squared) * (3 * std::sqrt(v) * dc + dc * dc) + least;
    if (what == granted::usual || allowed == variance_policy::centred) return centred;
    const double c = std::abs(mean_);
    const double one_pass = (units_.divided(n_ + 5, what) + squared) * squares_ + 2 * c * dc + dc * dc +
                            growth(3, units_.element) * (c + dc) * (c + dc) + least;
    if (allowed == variance_policy::one_pass) return (std::max)(centred, one_pass);
    return (std::max)(centred, (std::min)(one_pass, limit));
  }

  normalisation_units units_;
  double n_;
  bool uses_mean_;
  double magnitude_ = 0, most_ = 0, squares_ = 0, mean_ = 0, variance_ = 0;
  bool finite_ = true, is_constant_ = true, exact_sums_ = false, exact_slice_ = false;
};

}  // namespace goldml::arithmetic
