// How far a correct device may be from the exact result of reductions that are not plain sums. Golden numbers:
// values.hpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/arithmetic/exact_product.hpp>
#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/arithmetic/primitives.hpp>
#include <goldml/core/dimensions.hpp>

namespace goldml {

// The most roundings that a term of an average meets whose slice has these sizes: x / n first, or the sum times 1 / n,
// or axis after axis. A division counts as 9 roundings, as with the instruction `rcp` (ledger AR-R8).
inline double roundings_of_average(const dimensions& sizes) {
  double n = 1, of_axes = 0;
  for (const std::uint32_t size : sizes) {
    n *= size;
    if (size > 1) of_axes += size + 8.0;
  }
  return (std::max)(n + 9, of_axes);
}

// (sum of x) / n, whose terms meet at most `roundings`.
inline bound bound_of_average(const sum_terms& terms, double roundings, const arithmetic_mode& mode) {
  const double n = terms.count();
  const double of_two_steps = n + 3;  // a division of two steps
  // With half_products each x / n is a product.
  const int to_half = mode.half_products() ? (mode.float32 ? 2 : 1) : 0;
  const sum_growth by(n, mode.half() ? of_two_steps : roundings, to_half, mode);
  const sum_growth by_usual(n, of_two_steps, to_half, mode);
  bound result = terms.bound_with(by, mode);
  const bool power = std::has_single_bit(static_cast<std::uint64_t>(n));
  const double least = mode.rounds_to_half() ? 0x1p-24 : mode.float32 && !mode.flushes ? 0x1p-149 : 0x1p-126;
  result.value /= n;
  if (!detail::is_finite_double(result.value)) return result;
  if (is_zero(terms.magnitude()) || (power && terms.is_exact(mode) && std::ldexp(1.0, terms.lowest()) / n >= least)) {
    result.error = result.usual_error = 0;
    return result;
  }
  // What the quotients lose where they are subnormal: x / n of each element, or one of the sum.
  const double lost = mode.half()                     ? n * 0x1p-25
                      : mode.half_products()          ? (n + terms.magnitude()) * half_cut_least
                      : mode.float32 && !mode.flushes ? n * 0x1p-150
                                                      : 0;
  const auto error = [&](double g) {
    return (g * terms.magnitude() + terms.error_of_sum()) / n + terms.lost(mode) + lost;
  };
  result.error = error(by.worst);
  result.usual_error = error(by_usual.usual);
  result.close_error = error(by_usual.worst);
  return result;
}

// sqrt(sum of x^2); the terms are the squares.
inline bound bound_of_root(const sum_terms& squares, const arithmetic_mode& mode) {
  const double n = squares.count();
  const sum_growth by = squares.growth_with(n, mode);
  bound result;
  const double sum = squares.sum();
  result.value = detail::is_finite_double(sum) ? std::sqrt(sum) : sum;
  if (detail::is_finite_double(sum) && !is_zero(sum)) {
    const bool exact = squares.is_exact(mode);
    const double lost = exact ? 0 : squares.lost(mode);
    const auto error = [&](double g, double of_root) {
      const double of_sum = exact ? 0 : g > 0.5 ? g : g / 2;
      return result.value * (of_sum + of_root + growth(n + 4, 0x1p-53)) +
             (std::min)(std::sqrt(lost), lost / result.value);
    };
    result.error = error(by.worst, arithmetic::error_of_root(mode, arithmetic::granted::possible));
    result.usual_error = error(by.usual, arithmetic::error_of_root(mode, arithmetic::granted::close));
    result.close_error = error(by.worst, arithmetic::error_of_root(mode, arithmetic::granted::close));
  }
  squares.add_overflow(by.worst, !squares.is_exact(mode), mode, result);
  return result;
}

// ln(sum of x).
inline bound bound_of_logarithm(const sum_terms& terms, const arithmetic_mode& mode) {
  const bound sum = terms.bound_with(terms.count() - 1, mode);
  bound result;
  const double w = sum.value;
  result.value = detail::is_finite_double(w)     ? (w < 0 ? std::numeric_limits<double>::quiet_NaN() : std::log(w))
                 : detail::is_negative_double(w) ? std::numeric_limits<double>::quiet_NaN()
                                                 : w;
  // Of a sum that may be infinite or NaN.
  result.add(interval_also::positive_infinity, (sum.also & interval_also::positive_infinity) != 0);
  result.add(interval_also::nan, (sum.also & (interval_also::nan | interval_also::negative_infinity)) != 0);
  if (!detail::is_finite_double(w)) return result;
  const auto error_for = [&](double by) -> double {
    double most = 0;
    for (const double end : {w - by, w + by}) {
      const double v = std::log(end);
      most = (std::max)(most, std::abs(v - result.value) + arithmetic::error_of_log(v, mode));
    }
    return most;
  };
  if (w > sum.error) {
    result.error = error_for(sum.error) + 0x1p-45;
    result.usual_error = error_for(sum.usual_error) + 0x1p-45;
  } else if (w + sum.error > 0) {  // the sum may be positive, zero or negative
    const double v = std::log(w + sum.error);
    const double most = v + arithmetic::error_of_log(v, mode);
    result.value = most;
    result.has_no_lower_end = true;
    result.also = static_cast<std::uint8_t>(result.also | interval_also::nan | interval_also::negative_infinity);
  }
  return result;
}

// ln(sum of e^x), computed as it is written or with the greatest subtracted first.
inline bound bound_of_log_sum_exp(std::span<const double> x, const arithmetic_mode& mode) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  bound result;
  double most = -infinity;
  for (const double each : x) {
    if (is_nan(each)) {
      result.value = each;
      return result;
    }
    most = (std::max)(most, each);
  }
  result.value = most;
  if (!detail::is_finite_double(most)) {  // inf - inf where the greatest is subtracted
    result.add(interval_also::nan, true);
    return result;
  }
  const auto n = static_cast<double>(x.size());
  double sum = 0;
  for (const double each : x) sum += std::exp(each - most);
  const double y = most + std::log(sum);
  result.value = y;
  // With half_products each e^x is rounded to FLOAT16, and so is a FLOAT32 element before.
  const bool rounds_elements = mode.half_products() && mode.float32;
  const double least = mode.half() ? 0x1p-25 : mode.half_products() ? half_cut_least : 0x1p-126;
  const double of_least = mode.half_products() ? (std::max)(-y, most - y) : -y;  // also with the greatest subtracted
  // What the rounding of the elements moves the result by, at most; and each power, relative to the sum.
  const auto moved = [&](double each) { return rounds_elements ? half_cut_unit * std::abs(each) + half_cut_least : 0; };
  const auto moved_sum = [&](double sign) {
    double greatest = -infinity, total = 0;
    for (const double each : x)
      if (detail::is_finite_double(each)) greatest = (std::max)(greatest, each + sign * moved(each));
    for (const double each : x)
      if (detail::is_finite_double(each)) total += std::exp(each + sign * moved(each) - greatest);
    return greatest + std::log(total) - y;
  };
  const double down = rounds_elements ? -moved_sum(-1) : 0;
  const double of_elements = rounds_elements ? (std::max)(moved_sum(1), down) : 0;
  const auto error_of_sum = [&](double g) {
    double t = g + n * least * std::exp((std::min)(of_least, 700.0));
    for (const double each : x) {
      if (!detail::is_finite_double(each)) continue;
      double own = mode.half() ? (4 + 2 * std::abs(each) + 4 * std::abs(each - most)) * 0x1p-10
                               : 0x1p-21 + (std::abs(each) + 2 * std::abs(each - most)) * 0x1p-22;
      if (mode.half_products()) own = (1 + own) * (1 + half_cut_unit) - 1;
      t += std::exp((std::min)(each - y + moved(each) + down, 700.0)) * own;
    }
    return t;
  };
  const double of_result = arithmetic::error_of_log((std::max)(std::abs(y), y - most), mode) +
                           2 * mode.of().unit * (std::abs(most) + std::abs(y)) + 0x1p-40 * (1 + std::abs(y)) +
                           of_elements;
  const sum_growth by(n, n, 0, mode);
  const auto error = [&](double g) {
    const double t = error_of_sum(g);
    return t < 1 ? -std::log1p(-t) + of_result : infinity;
  };
  result.error = error(by.worst);
  result.usual_error = error(by.usual);
  if (detail::is_infinite_double(result.error)) {  // the sum of the powers may be zero
    const double t = error_of_sum(by.worst);
    result.value = y + std::log1p(t) + of_result;
    result.error = result.usual_error = 0;
    result.has_no_lower_end = true;
  }
  result.add(interval_also::positive_infinity, result.value + result.error >= (mode.half() ? 11.09 : 88.72));
  const double most_read = most + (rounds_elements ? half_cut_unit * std::abs(most) : 0);
  result.add(interval_also::positive_infinity, mode.half_products() && most_read >= 11.09);
  result.add(interval_also::negative_infinity, most < (mode.rounds_to_half() ? -9.70 : -87.33));
  if (mode.rounds_to_half() && std::abs(most) > half_precision.greatest) {  // it may be read as an infinity
    result.add(interval_also::nan, true);
    result.add(interval_also::positive_infinity, most > 0);
  }
  return result;
}

// What is to be known of the factors of one product.
class product_terms {
 public:
  void multiply(double x) {
    ++count_;
    has_nan_ = has_nan_ || is_nan(x);
    negative_ = negative_ != detail::is_negative_double(x);
    zero_ = zero_ || is_zero(x);
    if (!detail::is_finite_double(x)) {
      infinite_ = true;
      return;
    }
    product_.multiply(x);
    if (is_zero(x)) return;
    greatest_ = (std::max)(greatest_, std::abs(x));
    integers_ = integers_ && detail::odd_part(x).exponent >= 0;
    (std::abs(x) > 1 ? log_above_ : log_below_) += std::log2(std::abs(x));
  }

  // The bound on the product, in any order of multiplications. All steps are products: with half_products as in half.
  bound bound_with(arithmetic_mode mode) const {
    if (mode.half_products()) mode.accumulation = accumulation::half;
    bound result;
    const precision& of = mode.of();
    const bool rounds_elements = mode.half() && mode.float32;
    const double roundings = count_ - 1 + (mode.half() ? count_ : 0);
    const sum_growth by(count_, roundings, 0, mode);
    const double g = by.worst;
    const double above = std::exp2(log_above_ + count_ * 0x1p-40) * (1 + g);
    const double below = std::exp2(log_below_ - count_ * 0x1p-40);
    const bool may_overflow = above >= of.greatest;
    const double least_normal = mode.half() ? 0x1p-14 : of.least;
    const bool may_vanish = below < least_normal * (1 + g) && count_ > 1;
    if (has_nan_ || (infinite_ && zero_)) {
      result.value = std::numeric_limits<double>::quiet_NaN();
      return result;
    }
    if (infinite_) {
      result.value = negative_ ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
      result.add(interval_also::nan, may_vanish);
      return result;
    }
    result.value = product_.value();
    if (zero_) {
      result.add(interval_also::nan, may_overflow);
      return result;
    }
    if (mode.half() && greatest_ > half_precision.greatest) result.add(interval_also::specials, true);
    const std::uint8_t end = negative_ ? interval_also::negative_infinity : interval_also::positive_infinity;
    result.add(end, may_overflow && count_ > 1);
    result.add(interval_also::nan, may_overflow && may_vanish);
    if (integers_ && above * of.unit <= 1 + g) return result;  // every partial product is exact
    const bool changed_alone =
        count_ == 1 && (rounds_elements || (mode.float32 && mode.flushes)) && below < least_normal;
    // Without flushing a number loses half of the least subnormal, in each of its roundings.
    const double loss = mode.half()                     ? (roundings + 1) * 0x1p-25
                        : !mode.float32 || mode.flushes ? of.least
                                                        : count_ * 0x1p-150;
    const auto error = [&](double relative) {
      return relative * std::abs(result.value) * (1 + 0x1p-50) + (may_vanish || changed_alone ? loss * above : 0);
    };
    result.error = error(by.worst);
    result.usual_error = error(by.usual);
    return result;
  }

 private:
  double count_ = 0;
  exact_product product_;
  double log_above_ = 0;  // of the products of what is above 1, and of what is below
  double log_below_ = 0;
  double greatest_ = 0;
  bool has_nan_ = false;
  bool infinite_ = false;
  bool zero_ = false;
  bool negative_ = false;
  bool integers_ = true;
};

// The product of x.
inline bound bound_of_product(std::span<const double> x, const arithmetic_mode& mode) {
  product_terms terms;
  for (const double each : x) terms.multiply(each);
  return terms.bound_with(mode);
}

}  // namespace goldml
