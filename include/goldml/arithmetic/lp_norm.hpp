// (sum of |x|^P)^(1/P) of FLOAT32 or FLOAT16 numbers: exact, rounded once, and how far a device may be from it that
// computes it by powers (SPEC-windows 3.2).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include <goldml/arithmetic/big_number.hpp>
#include <goldml/arithmetic/bounds.hpp>
#include <goldml/arithmetic/elementary.hpp>
#include <goldml/arithmetic/values.hpp>
#include <goldml/arithmetic/wide_functions.hpp>

namespace goldml {

namespace detail {

// The sign of the sum of |x|^p less y^p.
inline int compare_with_power(std::span<const double> x, std::uint32_t p, double y) {
  using arithmetic::big_number;
  const auto power = [p](double each) {
    big_number result(1);
    for (std::uint32_t i = 0; i < p; ++i) result = result * big_number(std::abs(each));
    return result;
  };
  big_number sum = -power(y);
  for (const double each : x) sum = sum + power(each);
  return sum.sign();
}

// The greatest of the magnitudes is `most`. A result that may be in the middle between two numbers is decided exactly
// for P to 64.
inline arithmetic::wide lp_norm_exactly(std::span<const double> x, std::uint32_t p, double most) {
  using arithmetic::wide;
  wide sum(0);
  for (const double each : x)
    if (!is_zero(each))
      sum = sum + (std::abs(each) == most ? wide(1) : exp(wide(p) * log(wide(std::abs(each)) / wide(most))));
  const wide y = wide(most) * exp(log(sum) / wide(p));
  wide near_by = y;  // of 32 bits
  near_by.low = 0;
  near_by.high = y.high >> 32 << 32;
  if ((y.high & 0x8000'0000) != 0) near_by = near_by + times_power_of_two(wide(1), y.exponent - 31);
  const wide off = abs(y - near_by);
  if (p > 64 || (!off.is_zero() && off.exponent > y.exponent - 80)) return y;
  const int sign = compare_with_power(x, p, to_double(near_by));
  return near_by + times_power_of_two(wide(sign), y.exponent - 100);
}

}  // namespace detail

template <class T>
T rounded_lp_norm(std::span<const double> x, std::uint32_t p) {
  if (p == 1) return rounded<T>(value_of_sum_of_magnitudes(x));
  if (p == 2) return rounded<T>(value_of_norm(x));
  double most = 0, count = 0;
  for (const double each : x) {
    if (is_nan(each)) return std::numeric_limits<T>::quiet_NaN();
    most = (std::max)(most, std::abs(each));
    if (!is_zero(each)) ++count;
  }
  if (count <= 1 || !detail::is_finite_double(most)) return rounded<T>(most);
  double sum = 0;
  for (const double each : x) sum += std::pow(std::abs(each) / most, p);
  const double y = most * std::pow(sum, 1 / static_cast<double>(p));
  const double error = y * (0x1p-47 + count * 0x1p-52 / p);
  return arithmetic::rounded_once<T>(y, error, [&] { return detail::lp_norm_exactly(x, p, most); });
}

// What a device may have that raises each element to P by exp2(P * log2|x|), and takes the root so.
template <class T>
graded_interval interval_of_lp_norm(std::span<const double> x, std::uint32_t p, const arithmetic_mode& mode) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const bool half = mode.rounds_to_half();
  const precision& of = half ? half_precision : single_precision;
  const double unit = half ? 0x1p-8 : 0x1p-21;
  double most = 0, count = 0;
  bool has_nan = false;
  for (const double each : x) {
    has_nan = has_nan || is_nan(each);
    most = (std::max)(most, std::abs(each));
    ++count;
  }
  graded_interval result;
  if (has_nan) {
    result.allowed.also = result.close.also = interval_also::nan;
    return result;
  }
  const std::uint8_t also = half && most > half_precision.greatest ? interval_also::specials : std::uint8_t{0};
  if (is_zero(most) || !detail::is_finite_double(most)) {
    result.allowed = result.close = interval_of<T>(most, 0, 0);
    result.allowed.also = result.close.also = also;
    return result;
  }
  double sum = 0, off = 0;  // relative to most^p
  for (const double each : x) {
    if (is_zero(each)) continue;
    const double share = std::pow(std::abs(each) / most, p);
    const double log = std::log2(std::abs(each));
    sum += share;
    off += share * std::expm1(unit * (1 + p * (std::max)(1.0, std::abs(log))));
  }
  const double log_sum = std::log2(sum), log_all = p * std::log2(most) + log_sum;
  const double t = (off / sum + growth(count + (half ? 3 : 0), of.unit)) * (1 + 0x1p-30);
  const double log_lost = std::log2(2 * count * (half ? 0x1p-25 : single_precision.least));
  const double lost = std::exp2(log_lost - log_all);
  const double y = most * std::exp2(log_sum / p);
  const double slack = 0x1p-44;
  const auto ends = [&](double rest, double& low, double& high) {
    const double left = 1 - t - lost;
    low = left > 0 ? y * std::pow(left, 1 / static_cast<double>(p)) * (1 - rest) * (1 - slack) : 0;
    const double log_high = (std::max)(log_all + std::log2(1 + t), log_lost) +
                            std::log2(1 + std::exp2(-std::abs(log_all + std::log2(1 + t) - log_lost)));
    const bool overflows = !(log_high < std::log2(of.greatest) - 0x1p-20);
    high = overflows ? infinity : std::exp2(log_high / p) * (1 + rest) * (1 + slack + 0x1p-44 * std::abs(log_high) / p);
  };
  const auto interval_with = [&](double factor) {
    const double rest = unit * (1 + factor * (std::max)(1.0, std::abs(log_all)) / p);
    const double usual = unit * (1 + (std::max)(1.0, std::abs(log_all)) / p);
    double low = 0, high = 0, usual_low = 0, usual_high = 0;
    ends(rest, low, high);
    ends(usual, usual_low, usual_high);
    interval made = interval_of<T>((low + high) / 2, (high - low) / 2, 0);
    if (!detail::is_finite_double(high)) {
      made = interval_of<T>(low, 0, 0);
      made.high = std::numeric_limits<float>::infinity();
    }
    if (order_key(made.low) < 0) made.low = 0;  // an end that is rounded outward; the result is never negative
    made.usual_low = static_cast<float>(rounded<T>(usual_low));
    made.usual_high = static_cast<float>(rounded<T>(usual_high));
    made.also = static_cast<std::uint8_t>(made.also | also);
    return made;
  };
  result.allowed = interval_with(1.5);
  result.close = interval_with(1);
  return result;
}

}  // namespace goldml
