// How far a correct device may be from the exact result of a sum of numbers or of products: in any order and grouping,
// with or without fused multiply-add. The master rule.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/arithmetic/precision.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/verdict.hpp>

namespace goldml {

// What is to be known of the terms of a sum, if somebody else has added them, in double precision.
struct sum_totals {
  double sum = 0;
  double magnitude = 0;            // the sum of the magnitudes
  double subnormal = 0;            // that of the terms with a FLOAT32 subnormal
  double factors = 0;              // the sum of the magnitudes of all factors; only for half precision
  int lowest = 0;                  // 2^lowest divides all terms
  bool factors_are_halves = true;  // only for half precision
  double greatest_product = 0;     // at least the greatest magnitude of a product; only for half_products
};

// A number known to lie within `error` of `value`, usually within `usual_error`; `also`: flags of interval_also. An
// error of 0 means that a device has exactly the value before it rounds it to the type of the tensor.
struct bound {
  double value = 0;
  double error = 0;
  double usual_error = 0;
  std::uint8_t also = 0;
  bool has_no_lower_end = false;  // the number is at most `value`; the errors are 0
  // The error without approximate reciprocals and roots, if it is less.
  std::optional<double> close_error = {};

  bool is_exact() const { return error == 0 && usual_error == 0 && also == 0 && !has_no_lower_end; }
  void add(std::uint8_t flag, bool condition) {
    if (condition) also = static_cast<std::uint8_t>(also | flag);
  }
};

// What is to be known of the terms of one sum.
class sum_terms {
 public:
  sum_terms() = default;

  // Finite products, and numbers. Both sums have the error of sums in double precision.
  sum_terms(double count, const sum_totals& totals)
      : count_(count),
        positive_((totals.magnitude + totals.sum) / 2),
        negative_((totals.magnitude - totals.sum) / 2),
        joint_(totals.magnitude),
        subnormal_(totals.subnormal),
        factors_(totals.factors),
        greatest_product_(totals.greatest_product),
        lowest_(totals.lowest),
        has_products_(true),
        factors_are_halves_(totals.factors_are_halves) {}

  // A number.
  void add(double x) {
    count_sign(x);
    see_factor(x);
    if (!detail::is_finite_double(x) || is_zero(x)) return;
    lowest_ = (std::min)(lowest_, detail::odd_part(x).exponent);
    if (is_fp32_subnormal(x)) subnormal_ += std::abs(x);
    cut_ += (std::max)(0.0, std::abs(x) - half_precision.greatest);
  }
  // A product of two FLOAT32 or FLOAT16, which a double holds.
  void add_product(double a, double b) {
    const double p = a * b;
    count_sign(p);
    see_factor(a);
    see_factor(b);
    has_products_ = true;
    if (!detail::is_finite_double(p)) {
      for (const double factor : {a, b})
        if (!is_zero(factor) && std::abs(factor) < least_beside_infinity_) least_beside_infinity_ = std::abs(factor);
      return;
    }
    if (is_zero(p)) return;
    lowest_ = (std::min)(lowest_, detail::odd_part(p).exponent);
    if (is_fp32_subnormal(a) || is_fp32_subnormal(b)) subnormal_ += std::abs(p);
    greatest_product_ = (std::max)(greatest_product_, std::abs(p));
    if ((std::max)({std::abs(p), std::abs(a), std::abs(b)}) < 0x1p15) return;
    cut_ += cut_of_product(a, b);
    if (may_exceed_half(a, b)) (p < 0 ? exceeds_below_ : exceeds_) = true;
  }

  // Counts terms of a sum of products that are exact zeros, or in which a device adds nothing; and takes that only
  // 2^lowest divides all terms, and whether all factors of some terms are FLOAT16 numbers.
  void widen(double count, int lowest, bool factors_are_halves) {
    count_ = count;
    has_products_ = true;
    lowest_ = (std::min)(lowest_, lowest);
    factors_are_halves_ = factors_are_halves_ && factors_are_halves;
  }

  double count() const { return count_; }
  double positive() const { return positive_; }  // the sums of the magnitudes of the finite terms, by sign
  double negative() const { return negative_; }
  double magnitude() const { return positive_ + negative_; }
  double sum() const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (has_nan_ || (infinite_ && infinite_below_)) return std::numeric_limits<double>::quiet_NaN();
    if (infinite_) return infinity;
    return infinite_below_ ? -infinity : positive_ - negative_;
  }
  // By how much sum() may be off.
  double error_of_sum() const { return growth(count_ + 3, 0x1p-53) * magnitude(); }

  // Whether no order of additions rounds anything: the precision holds every partial sum, a multiple of 2^lowest.
  bool is_exact(const arithmetic_mode& mode) const {
    if (is_zero(magnitude())) return true;
    const double q = std::ldexp(1.0, lowest_);
    const bool products_are_halves = greatest_product_ * half_precision.unit <= q && q >= half_precision.least &&
                                     greatest_product_ <= half_precision.greatest;
    const bool sums_as_single =
        !mode.half() && (!mode.half_products() || is_zero(greatest_product_) || products_are_halves);
    return is_exact_in(sums_as_single ? single_precision : half_precision, mode) ||
           (mode.half_products() && is_exact_in(half_precision, mode));
  }
  bool is_exact_in(const precision& of, const arithmetic_mode& mode) const {
    const double q = std::ldexp(1.0, lowest_);
    const double least = of.mode == accumulation::half ? 0x1p-24 : mode.flushes ? of.least : 0x1p-149;
    if (mode.rounds_to_half() && !factors_are_halves_) return false;
    if (mode.float32 && mode.flushes && !is_zero(subnormal_)) return false;
    return magnitude() * of.unit <= q && q >= least && magnitude() <= of.greatest;
  }
  int lowest() const { return lowest_; }

  // What flushing or underflow takes from the sum at most.
  double lost(const arithmetic_mode& mode) const {
    if (mode.half()) {
      const double g = growth(count_ + 3, half_precision.unit);
      return (1 + g) * 0x1p-25 * (has_products_ ? factors_ + 2 * count_ : count_);
    }
    if (mode.half_products() && (mode.float32 || has_products_)) {
      const double g = growth(count_ + 3, single_precision.unit) + 0x1p-8;
      return (1 + g) * half_cut_least * (has_products_ ? factors_ + 2 * count_ : count_) + cut_;
    }
    if (!mode.float32) return 0;
    if (mode.flushes) return subnormal_ + 2 * count_ * single_precision.least;
    return has_products_ ? count_ * 0x1p-150 : 0;
  }

  // The bound on the sum, whose terms meet at most m roundings each.
  bound bound_with(double m, const arithmetic_mode& mode) const { return bound_with(growth_with(m, mode), mode); }
  sum_growth growth_with(double m, const arithmetic_mode& mode) const {
    return sum_growth(count_, m, roundings_to_half(has_products_, mode), mode);
  }
  bound bound_with(const sum_growth& by, const arithmetic_mode& mode) const {
    bound result;
    result.value = sum();
    const bool exact = is_exact(mode);
    if (detail::is_finite_double(result.value) && !exact) {
      const double fixed = lost(mode) + by.in_double * magnitude();
      result.error = by.worst * magnitude() + fixed;
      result.usual_error = by.usual * magnitude() + fixed;
    }
    add_overflow(by.worst, by.in_double, !exact && !is_one_term(mode), mode, result);
    return result;
  }

  // Infinities and NaN that partial sums or infinite terms may give. The device's terms are within a factor 1 + g.
  // `rounds`: whether a finite sum may be rounded on the way, and so become infinite (SPEC-arithmetic 2.5, Overflow).
  void add_overflow(double g, bool rounds, const arithmetic_mode& mode, bound& result) const {
    add_overflow(g, growth(count_ + 3, 0x1p-53), rounds, mode, result);
  }

 private:
  // Whether nothing is added, so that a device has a finite term as it is or, of a product, within its error. FLOAT32
  // operands of a product in half precision have a product that may be beyond FLOAT16.
  bool is_one_term(const arithmetic_mode& mode) const {
    return count_ == 1 && !(has_products_ && mode.rounds_to_half());
  }
  void add_overflow(double g, double in_double, bool rounds, const arithmetic_mode& mode, bound& result) const {
    if (is_nan(result.value)) return;    // a NaN stays one, whatever overflows
    const double slack = 1 + in_double;  // the two sums have errors of their own
    const double most = mode.of().greatest;
    const bool above = rounds && (positive_ + joint_ * in_double) * slack * (1 + g) >= most;
    const bool below = rounds && (negative_ + joint_ * in_double) * slack * (1 + g) >= most;
    if (detail::is_finite_double(result.value)) {
      result.add(interval_also::positive_infinity, above);
      result.add(interval_also::negative_infinity, below);
      result.add(interval_also::nan, above && below);
    } else if (detail::is_infinite_double(result.value)) {
      result.add(interval_also::nan, detail::is_negative_double(result.value) ? above : below);
      // A factor that becomes 0 makes NaN of an infinity.
      result.add(interval_also::nan, mode.half()            ? least_beside_infinity_ <= 0x1p-25
                                     : mode.half_products() ? least_beside_infinity_ < half_cut_least
                                                            : mode.flushes && least_beside_infinity_ < 0x1p-126);
    }
    if (mode.rounds_to_half() && greatest_factor_ > half_precision.greatest) result.add(interval_also::specials, true);
    if (mode.half_products()) add_infinite_products(result);
  }
  // Products that are beyond FLOAT16.
  void add_infinite_products(bound& result) const {
    const bool above = exceeds_ || infinite_, below = exceeds_below_ || infinite_below_;
    result.add(interval_also::nan, above && below);
    if (!detail::is_finite_double(result.value)) return;
    result.add(interval_also::positive_infinity, exceeds_);
    result.add(interval_also::negative_infinity, exceeds_below_);
  }

  // Of a number that is not 0.
  static bool is_fp32_subnormal(double x) { return std::abs(x) < 0x1p-126; }

  void count_sign(double p) {
    ++count_;
    if (is_nan(p))
      has_nan_ = true;
    else if (detail::is_infinite_double(p))
      (detail::is_negative_double(p) ? infinite_below_ : infinite_) = true;
    else
      (detail::is_negative_double(p) ? negative_ : positive_) += std::abs(p);
  }
  void see_factor(double x) {
    if (!detail::is_finite_double(x) || is_zero(x)) return;
    const double magnitude = std::abs(x);
    factors_ += magnitude;
    greatest_factor_ = (std::max)(greatest_factor_, magnitude);
    factors_are_halves_ = factors_are_halves_ && detail::is_half(x);
  }

  double count_ = 0;
  double positive_ = 0;
  double negative_ = 0;
  double joint_ = 0;      // the sum of magnitudes from which the two were computed; 0 if terms were added to them
  double subnormal_ = 0;  // the sum of the terms that have a FLOAT32 subnormal
  double factors_ = 0;
  double greatest_factor_ = 0;
  double greatest_product_ = 0;
  double cut_ = 0;                                  // what the sum loses if all beyond 65504 becomes 65504
  int lowest_ = (std::numeric_limits<int>::max)();  // 2^lowest_ divides all terms
  bool has_products_ = false;
  bool factors_are_halves_ = true;
  bool exceeds_ = false;  // a product may be beyond FLOAT16
  bool exceeds_below_ = false;
  bool has_nan_ = false;
  bool infinite_ = false;
  bool infinite_below_ = false;
  double least_beside_infinity_ = std::numeric_limits<double>::infinity();  // the least factor, not 0, of an infinity
};

// The interval of a tensor's element of type T.
template <class T>
interval interval_of(const bound& b) {
  interval result = interval_of<T>(b.value, b.error, b.usual_error);
  if (b.has_no_lower_end) result.low = result.usual_low = -std::numeric_limits<float>::infinity();
  result.also = static_cast<std::uint8_t>(result.also | b.also);
  return result;
}

// The same, and what remains without approximate reciprocals and roots. With `from_zero` the result is never negative.
template <class T>
graded_interval graded_interval_of(const bound& b, bool from_zero = false) {
  const auto ends = [&](const bound& each) {
    interval result = interval_of<T>(each);
    if (!from_zero) return result;
    if (order_key(result.low) < 0) result.low = 0;
    if (order_key(result.usual_low) < 0) result.usual_low = 0;
    return result;
  };
  graded_interval result{ends(b), {}};
  bound close = b;
  if (b.close_error) close.error = *b.close_error;
  result.close = b.close_error ? ends(close) : result.allowed;
  return result;
}

// Whether a bound allows its golden value only, so that nothing need be stored. An exact result of FLOAT32 is rounded
// in one way; one of FLOAT16 that is representable is not rounded. A zero has either sign.
template <class T>
bool allows_only(const bound& b, T golden) {
  const bool is_rounded = detail::is_finite_double(b.value) && exact_double(golden) != b.value;
  return b.is_exact() && !is_zero(golden) && (std::is_same_v<T, float> || !is_rounded);
}

// The same for a result that is never negative.
template <class T>
interval interval_from_zero(const bound& b) {
  return graded_interval_of<T>(b, true).allowed;
}

}  // namespace goldml
