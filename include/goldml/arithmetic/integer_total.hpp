// Sums of products of integers of 32 bits less their zero points, without overflow, scaled and added to a bias; and how
// far a device may be from that (SPEC-quantised 4.9).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/arithmetic/precision.hpp>
#include <goldml/core/number.hpp>

namespace goldml::arithmetic {

// An integer of 128 bits.
class integer_total {
 public:
  // Adds a * b; their magnitudes are below 2^32.
  void add_product(std::int64_t a, std::int64_t b) {
    const std::uint64_t size = magnitude(a) * magnitude(b);
    const std::uint64_t before = low_;
    if ((a < 0) != (b < 0)) {
      low_ -= size;
      high_ -= low_ > before ? 1 : 0;
    } else {
      low_ += size;
      high_ += low_ < before ? 1 : 0;
    }
  }
  void add(std::int64_t x) { add_product(x >> 31, std::int64_t{1} << 31), add_product(x & 0x7FFF'FFFF, 1); }

  bool is_int32() const {
    return (high_ == 0 && low_ < 0x8000'0000U) || (high_ == -1 && low_ >= ~std::uint64_t{0x7FFF'FFFF});
  }
  double nearly() const {
    const words size = magnitude();
    const double x = static_cast<double>(size.high) * 0x1p64 + static_cast<double>(size.low);
    return high_ < 0 ? -x : x;
  }

  // Adds factor times this to the sum. The factor has at most 52 bits.
  void add_to(exact_sum& sum, double factor) const {
    const bool negative = high_ < 0;
    auto [low, high] = magnitude();
    for (int shift = 0; (low | high) != 0; shift += 24) {
      const auto piece = static_cast<double>(low & 0xFF'FFFF);
      if (!is_zero(piece)) sum.add_product(std::ldexp(negative ? -factor : factor, shift), piece);
      low = low >> 24 | high << 40;
      high >>= 24;
    }
  }

 private:
  struct words {
    std::uint64_t low, high;
  };
  words magnitude() const {
    const auto high = static_cast<std::uint64_t>(high_);
    return high_ < 0 ? words{~low_ + 1, ~high + (low_ == 0 ? 1 : 0)} : words{low_, high};
  }
  static std::uint64_t magnitude(std::int64_t x) { return static_cast<std::uint64_t>(x < 0 ? -x : x); }

  std::uint64_t low_ = 0;
  std::int64_t high_ = 0;
};

// a_scale * b_scale * total + bias, rounded to odd; by IEEE arithmetic if one is not finite.
inline double scaled_total(const integer_total& total, double a_scale, double b_scale, double bias) {
  const double factor = a_scale * b_scale;
  if (!goldml::detail::is_finite_double(factor) || !goldml::detail::is_finite_double(bias))
    return factor * total.nearly() + bias;
  exact_sum sum;
  if (!is_zero(factor)) total.add_to(sum, factor);
  if (!is_zero(bias)) sum.add(bias);
  return sum.value();
}

// What converting an element, its zero point or their difference to a precision may change in the difference, at most.
inline double lost_in_difference(std::int64_t difference, std::int64_t zero, const precision& of) {
  const bool half = of.mode == accumulation::half;
  const auto lost = [&](std::int64_t whole) {  // conversions to FLOAT32 may be toward zero
    const auto x = static_cast<double>(whole);
    if (half) return goldml::detail::is_half(x) ? 0 : of.unit * std::abs(x);
    return static_cast<double>(static_cast<float>(x)) == x ? 0 : 2 * of.unit * std::abs(x);
  };
  const double of_operands = lost(difference + zero) + lost(zero), of_difference = lost(difference);
  if (of_operands == 0) return of_difference;
  const double size = std::abs(static_cast<double>(difference));
  return (std::max)(of_difference, of_operands + of.unit * (size + of_operands));
}

// What bounds need to know of a row of A or a column of B: the differences from the zero point.
struct integer_line {
  double sum = 0, greatest = 0;  // of the magnitudes; the greatest with what is lost
  double greatest_operand = 0;   // of elements and zero points
  bool are_halves = true;        // each, times the scale, is a FLOAT16

  void add(std::int64_t difference, std::int64_t zero, double scale, double of_conversions) {
    const auto magnitude = [](std::int64_t x) { return static_cast<double>(x < 0 ? -x : x); };
    const double size = magnitude(difference);
    sum += size;
    greatest = (std::max)(greatest, size + of_conversions);
    greatest_operand = (std::max)({greatest_operand, magnitude(zero), magnitude(difference + zero)});
    are_halves = are_halves && of_conversions == 0 && goldml::detail::is_half(size * scale);
  }
};

// What is known of an element.
struct scaled_sum {
  double sum = 0;        // of the products
  double magnitude = 0;  // the sum of their magnitudes
  double lost = 0;       // by converting integers that the device's precision does not hold, at most
  double terms = 0;
  double a_scale = 0, b_scale = 0, bias = 0;
  bool has_bias = false;
};

struct scaled_freedom {
  bool undefined = false;
  std::uint8_t also = 0;  // flags of interval_also
  double error = 0, usual_error = 0;
};

// `single`: the scales and the output are FLOAT32.
inline scaled_freedom scaled_freedom_of(const scaled_sum& s, const integer_line& row, const integer_line& column,
                                        bool single, const arithmetic_mode& mode) {
  using goldml::detail::odd_part;
  scaled_freedom result;
  const double a = std::abs(s.a_scale), b = std::abs(s.b_scale), m = a * b, bias = std::abs(s.bias);
  const bool half = mode.rounds_to_half();
  result.undefined = !goldml::detail::is_finite_double(m) || is_nan(m);
  const double sizes = m * s.magnitude + bias, of_a = a * row.greatest, of_b = b * column.greatest;
  if (half) {
    const auto outside = [&](double x) { return !(x >= 0x1p-14 && x < half_precision.greatest); };
    const double most = (std::max)({s.magnitude + s.lost, row.greatest, column.greatest, 1.0});
    const double operands = (std::max)(row.greatest_operand, column.greatest_operand);
    result.undefined = result.undefined || outside(a) || outside(b) || outside(m) ||
                       !(most * (std::max)({a, b, m, 1.0}) < half_precision.greatest) ||
                       !(operands < half_precision.greatest) || !(sizes + m * s.lost < half_precision.greatest);
  } else if (!single) {
    result.undefined = result.undefined || of_a >= 65504 || of_b >= 65504;
  }
  if (result.undefined || is_nan(bias)) return result;
  constexpr double u = single_precision.unit, least = single_precision.least;
  // Sums of products may be infinite, also before both scales are applied; so may operands, which give NaN times 0.
  const double most_scale = (std::max)({m, a, b}), end = single_precision.greatest * (1 - 0x1p-10);
  const bool are_infinite = !((std::max)({m, of_a, of_b}) < end);
  if (!goldml::detail::is_finite_double(bias)) {  // NaN, if the products that have the other sign may be infinite
    const bool negative = (s.a_scale < 0) != (s.b_scale < 0), same = negative == (s.bias < 0);
    const double against = (s.magnitude - (same ? s.sum : -s.sum)) / 2;
    if (are_infinite || !(most_scale * against < end)) result.also = interval_also::nan;
    return result;
  }
  if (are_infinite || !(most_scale * s.magnitude + bias < end)) result.also = interval_also::specials;
  if (is_zero(m) && !half) {  // the bias
    result.error = result.usual_error = mode.flushes && bias < least ? 2 * least : 0;
    return result;
  }
  if (half) {
    const double g = growth(s.terms + 6, half_precision.unit);
    result.error = g * sizes + (1 + g) * (m * s.lost + 0x1p-25 * (a * row.sum + b * column.sum + 2 * s.terms + 1));
    result.error = result.usual_error = result.error * (1 + 0x1p-30);
    return result;
  }
  const bool are_halves = single || (row.are_halves && column.are_halves);
  const bool any_tiny = a < least || b < least;
  const int of_m = odd_part(s.a_scale).exponent + odd_part(s.b_scale).exponent;
  const bool is_exact = [&] {
    if (s.lost > 0 || (mode.flushes && any_tiny)) return false;
    const double q = std::ldexp(1.0, is_zero(bias) ? of_m : (std::min)(of_m, odd_part(bias).exponent));
    return q >= least && sizes <= 0x1p24 * q;
  }();
  if (is_exact && are_halves) return result;
  const double g = growth(s.terms + 3, u);
  double tiny = 0;  // what subnormals lose: all, or half of the least, if multiples of it do not hold the products
  if (mode.flushes)
    tiny = 2 * least + (m < least || any_tiny ? m * s.magnitude + 2 * least : 0);
  else if (m < least && of_m < -149)
    tiny = 0x1p-150 * (s.magnitude + s.lost) * (1 + g);
  const double lost = m * s.lost * (1 + g);
  const double usual = is_exact ? 0 : growth(5, u) * (m * std::abs(s.sum) + bias) + tiny + lost;
  const double of_floats = is_exact ? 0 : g * sizes + tiny + lost;
  const double of_halves = are_halves ? 0 : 2.01 * half_cut_unit * m * (s.magnitude + s.lost);
  result.usual_error = usual * (1 + 0x1p-30);
  result.error = ((std::max)(usual, of_floats) + of_halves) * (1 + 0x1p-30);
  return result;
}

}  // namespace goldml::arithmetic
