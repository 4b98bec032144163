// The golden numbers of reductions: the exact result, rounded to odd (exact_sum.hpp), which the caller rounds to its
// type. The numbers given are FLOAT32 or FLOAT16, and may be infinite or NaN.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include <goldml/arithmetic/exact_product.hpp>
#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/arithmetic/long_real.hpp>

namespace goldml {

namespace detail {

inline constexpr double infinite_double = std::numeric_limits<double>::infinity();
inline constexpr double nan_double = std::numeric_limits<double>::quiet_NaN();

// A sum to which infinities and NaN may be added.
struct extended_sum {
  exact_sum finite;
  bool above = false;
  bool below = false;
  bool nan = false;

  void add(double x) {
    if (is_nan(x))
      nan = true;
    else if (is_infinite_double(x))
      (is_negative_double(x) ? below : above) = true;
    else
      finite.add(x);
  }
  // Adds x * factor, of a product x of two FLOAT32.
  void add_product(double x, double factor) {
    if (is_finite_double(x) && is_finite_double(factor))
      finite.add_product(x, factor);
    else
      add(x * factor);
  }
  bool is_finite() const { return !nan && !above && !below; }
  // The sum if it is not finite.
  double special() const { return nan || (above && below) ? nan_double : above ? infinite_double : -infinite_double; }
  double value() const { return is_finite() ? finite.value() : special(); }
};

// A product of numbers that may be infinite or NaN.
struct extended_product {
  exact_product finite;
  bool infinite = false;
  bool zero = false;
  bool negative = false;
  bool nan = false;

  void multiply(double x) {
    nan = nan || is_nan(x);
    negative = negative != is_negative_double(x);
    zero = zero || is_zero(x);
    if (is_infinite_double(x))
      infinite = true;
    else if (!is_nan(x))
      finite.multiply(x);
  }
  double value() const {
    if (nan || (infinite && zero)) return nan_double;
    if (infinite) return negative ? -infinite_double : infinite_double;
    return finite.value();
  }
};

template <class F>
extended_sum sum_of(std::span<const double> x, const F& f) {
  extended_sum sum;
  for (const double each : x) sum.add(f(each));
  return sum;
}
inline extended_sum sum_of(std::span<const double> x) {
  return sum_of(x, [](double each) { return each; });
}
inline extended_sum sum_of_squares(std::span<const double> x) {
  return sum_of(x, [](double each) { return each * each; });  // exact: 48 bits
}

}  // namespace detail

inline double value_of_sum(std::span<const double> x) { return detail::sum_of(x).value(); }
inline double value_of_sum_of_magnitudes(std::span<const double> x) {
  return detail::sum_of(x, [](double each) { return std::abs(each); }).value();
}
inline double value_of_sum_of_squares(std::span<const double> x) { return detail::sum_of_squares(x).value(); }

inline double value_of_average(std::span<const double> x) {
  const detail::extended_sum sum = detail::sum_of(x);
  return sum.is_finite() ? sum.finite.value_of_quotient(x.size()) : sum.special();
}

// sqrt(sum of x^2).
inline double value_of_norm(std::span<const double> x) {
  const detail::extended_sum sum = detail::sum_of_squares(x);
  return sum.is_finite() ? sum.finite.value_of_root() : sum.special();
}

// ln(sum of x).
inline double value_of_log_sum(std::span<const double> x) {
  const detail::extended_sum sum = detail::sum_of(x);
  if (!sum.is_finite()) return detail::is_negative_double(sum.special()) ? detail::nan_double : sum.special();
  if (sum.finite.is_negative()) return detail::nan_double;
  if (sum.finite.is_zero_sum()) return -detail::infinite_double;
  exact_sum result;
  add_logarithm(sum.finite, result);
  return result.value();
}

// ln(sum of e^x) = M + ln(sum of e^(x - M)), where M is the greatest; with an error below 2^-250.
inline double value_of_log_sum_exp(std::span<const double> x) {
  double most = -detail::infinite_double;
  for (const double each : x) {
    if (is_nan(each)) return detail::nan_double;
    most = (std::max)(most, each);
  }
  if (!detail::is_finite_double(most)) return most;
  exact_sum powers;
  for (const double each : x) {
    if (!detail::is_finite_double(each)) continue;  // e^-inf is 0
    exact_sum difference;
    difference.add(most);
    difference.add(-each);
    if (difference.value() < 300) detail::exp_of_minus(long_real::of(difference, 0)).add_to(powers, false);
  }
  exact_sum result;
  result.add(most);
  add_logarithm(powers, result);
  return result.value();
}

// start + number * step, for numbers below 2^40. Not finite if one of them is not, as IEEE arithmetic has it.
inline double value_of_sequence(double start, std::uint64_t number, double step) {
  if (!detail::is_finite_double(start) || !detail::is_finite_double(step))
    return start + static_cast<double>(number) * step;
  exact_sum sum;
  sum.add(start);
  if (is_zero(step) || number == 0) {
    sum.add(step);
    return number == 0 ? start : sum.value();
  }
  const detail::odd_double part = detail::odd_part(step);  // 24 bits at most
  sum.add_bits(part.significand * number, part.exponent, detail::is_negative_double(step));
  return sum.value();
}

inline double value_of_product(std::span<const double> x) {
  detail::extended_product product;
  for (const double each : x) product.multiply(each);
  return product.value();
}

}  // namespace goldml
