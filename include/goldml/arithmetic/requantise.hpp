// Requantisation: an integer of 8 bits for a sum of products of integers, by their scales and the output's; for an
// average of integers, and for a sum of two dequantised integers (SPEC-quantised 2.6, 4.6, 4.8). The exact results, and
// how far a device may be from them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>

#include <goldml/arithmetic/double_pair.hpp>
#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/arithmetic/precision.hpp>
#include <goldml/arithmetic/quantise.hpp>
#include <goldml/core/dimensions.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/quantised_policies.hpp>

namespace goldml::arithmetic {

// x / divisor, nearly, on the same side of each middle between two integers as the exact quotient, so that quantised()
// rounds once. x is high and low(), which is asked for where it matters. The divisor has at most 53 bits.
template <class Low>
double quotient_by_middles(double high, const Low& low, double divisor) {
  const double v = high / divisor;
  if (!(std::abs(v) < 0x1p20)) return v;
  const double middle = std::floor(v) + 0.5;
  if (std::abs(v - middle) > std::abs(v) * 0x1p-48) return v;
  const double rest = std::fma(-middle, divisor, high) + low();  // without rounding where its sign matters
  if (rest == 0) return middle;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return std::nextafter(middle, (rest > 0) == (divisor > 0) ? infinity : -infinity);
}

// The scales of one output element. Of an average b is 1, and the sum is also divided by `count`.
struct requantising_scales {
  double a, b, output;
  double count = 0;

  bool is_of_average() const { return !is_zero(count); }
  double divisor() const { return is_of_average() ? output * count : output; }
  friend bool operator==(const requantising_scales&, const requantising_scales&) = default;
};

// a.scale * b.scale * sum / output.scale, for quantised(). The sum is an integer below 2^53, a count at most 2^29.
inline double requantised_quotient(const requantising_scales& scale, double sum) {
  const double factor = scale.a * scale.b, high = factor * sum;
  return quotient_by_middles(
      high, [&] { return std::fma(factor, sum, -high); }, scale.divisor());
}

// The same of an average, divided by the product of any counts but 0.
inline double requantised_average(double scale, double output, double sum, const dimensions& counts) {
  double count = 1;
  for (const std::uint32_t each : counts) count *= each;
  const double v = requantised_quotient({scale, 1, output, count}, sum);
  if (count <= 0x1p29 || !goldml::detail::is_finite_double(v) || is_zero(v)) return v;
  exact_sum total;
  total.add_product(sum, scale);
  const goldml::detail::odd_double divisor = goldml::detail::odd_part(output);
  dimensions divisors = counts;
  divisors.push_back(divisor.significand);
  const double quotient = std::ldexp(total.value_of_quotients(divisors), -divisor.exponent);
  return goldml::detail::is_negative_double(output) ? -quotient : quotient;
}

// Integers that are multiplied and added, less their zero points.
struct integer_sum {
  double sum;        // with the bias
  double magnitude;  // the sum of the magnitudes, with the bias's
  double terms;
  double a_magnitude = 0, b_magnitude = 0;  // of the terms' factors; for half precision
};

namespace detail {

// Whether some number lies outside FLOAT32's range, or FLOAT16's, with leeway; times `most` those of `multiplied`.
inline bool are_extreme(std::initializer_list<double> numbers, std::initializer_list<double> multiplied, double most,
                        const arithmetic_mode& mode) {
  const bool half = mode.rounds_to_half();
  const double least = half ? 0x1p-14 : 2 * single_precision.least;
  const double greatest = half ? half_precision.greatest : single_precision.greatest / 2;
  const auto beyond = [&](double x) { return half ? !(x < greatest) : !(x <= greatest); };
  const auto outside = [&](double x) { return !(std::abs(x) >= least) || beyond(std::abs(x)); };
  return std::any_of(numbers.begin(), numbers.end(), outside) ||
         std::any_of(multiplied.begin(), multiplied.end(),
                     [&](double x) { return outside(x) || beyond(std::abs(x) * most); });
}
inline double significand_of(double x) { return static_cast<double>(goldml::detail::odd_part(x).significand); }
// With what this computation itself rounds.
inline double with_own_error(double error, double of) { return error == 0 ? 0 : error * (1 + 0x1p-40) + of * 0x1p-48; }

}  // namespace detail

// What the roundings of a term of a sum may amount to. A division by `rcp` has 6 more than one of two steps, which
// has 3.
struct requantise_growths {
  requantise_growths(double terms, bool has_bias) : requantise_growths(7, terms + 5 + (has_bias ? 2 : 0), 1) {}
  // Of an average: its divisions are those by counts and by the output's scale.
  static requantise_growths of_average(double terms, int divisions) {
    return {3 + 3.0 * divisions, terms + 3.0 * divisions, divisions};
  }
  double roundings, integers, close_integers, floats, close_floats;

 private:
  requantise_growths(double of_integers, double of_floats, int divisions) : roundings(of_floats) {
    constexpr double u = single_precision.unit;
    integers = growth(of_integers + 6 * divisions, u);
    close_integers = growth(of_integers, u);
    floats = growth(of_floats + 6 * divisions, u);
    close_floats = growth(of_floats, u);
  }
};

// What bounds need to know of scales, which are mostly those of many elements.
struct requantise_limits {
  requantise_limits(const requantising_scales& all, const arithmetic_mode& mode)
      : scale(all), m(std::abs(all.a * all.b / all.divisor())), is_half(mode.rounds_to_half()) {
    const double product = all.a * all.b, of_a = all.a / all.output;
    const double of_b = all.is_of_average() ? all.a / all.count : all.b / all.output;
    is_extreme = detail::are_extreme({all.output, 1 / all.output}, {all.a, all.b, product, of_a, of_b, m}, 1, mode) ||
                 (is_half && all.count > 0x1p14);
    if (is_extreme) return;
    greatest = (std::max)({std::abs(all.a), std::abs(all.b), std::abs(product), std::abs(of_a), std::abs(of_b), m});
    if (is_half) greatest = (std::max)({greatest, 1 / std::abs(all.output), 1.0});
    has_power = goldml::detail::is_power_of_two(all.output) &&
                (!all.is_of_average() || goldml::detail::is_power_of_two(all.count));
    significands = detail::significand_of(all.a) * detail::significand_of(all.b);
  }
  // Whether an element with this sum of magnitudes is undefined.
  bool leaves_undefined(double magnitude) const {
    const double most = greatest * (std::max)(255.0, magnitude);
    return is_extreme || (is_half ? !(most < half_precision.greatest) : !(most <= single_precision.greatest / 2));
  }

  requantising_scales scale;
  double m, greatest = 0, significands = 0;
  bool is_half, is_extreme = false, has_power = false;
};

// What a device may make of a sum before it rounds to an integer. It accumulates integers and scales once, which is
// usual; or it dequantises each factor and adds products of FLOAT32. Divisions may be those by `rcp`.
inline quantise_freedom requantise_freedom_of(const requantise_limits& limits, const integer_sum& s,
                                              const requantise_growths& growths, fixed_point policy,
                                              const arithmetic_mode& mode) {
  const requantising_scales& scale = limits.scale;
  const double m = limits.m;
  quantise_freedom result{.v = requantised_quotient(scale, s.sum)};
  result.undefined = limits.leaves_undefined(s.magnitude);
  if (result.undefined) return result;
  const double size = std::abs(result.v), sizes = m * s.magnitude;
  if (mode.rounds_to_half()) {
    const double g = growth(growths.roundings + 3, half_precision.unit);
    const double dequantised = std::abs(scale.a) * s.a_magnitude + std::abs(scale.b) * s.b_magnitude;
    const double lost = scale.is_of_average() ? 2 * s.terms / scale.count + 1 : dequantised + 2 * s.terms;
    const double error = g * sizes + (1 + g) * 0x1p-25 * lost / std::abs(scale.output);
    result.error = result.close_error = result.usual_error = detail::with_own_error(error, size);
  } else if (!limits.has_power || limits.significands * s.magnitude > 0x1p24) {
    const auto error = [&](double of_integers, double of_floats) {
      return detail::with_own_error((std::max)(of_integers * size, of_floats * sizes), size);
    };
    result.error = error(growths.integers, growths.floats);
    result.close_error = error(growths.close_integers, growths.close_floats);
    result.usual_error = error(growths.close_integers, 0);
  }
  if (policy == fixed_point::accept) {
    int exponent = 0;
    std::frexp(m, &exponent);
    const double shifted = exponent < 0 ? std::ldexp(1.0, exponent - 1) : 0;
    const double error = (shifted + size * 0x1p-31) * (1 + 0x1p-20) + size * 0x1p-48;
    result.error = (std::max)(result.error, error);
    result.close_error = (std::max)(result.close_error, error);
    result.usual_error = (std::max)(result.usual_error, error);
  }
  return result;
}

// (a.scale * a + b.scale * b) / output.scale of two differences from zero points, for quantised().
inline double quotient_of_sum(const requantising_scales& scale, double a, double b) {
  const double_pair sum = sum_pair(scale.a * a, scale.b * b);
  return quotient_by_middles(
      sum.high, [&] { return sum.low; }, scale.output);
}

// What a device may make of it before it rounds to an integer.
inline quantise_freedom requantise_sum_freedom_of(const requantising_scales& scale, double a, double b,
                                                  const arithmetic_mode& mode) {
  quantise_freedom result{.v = quotient_of_sum(scale, a, b)};
  const double most = 255;
  result.undefined =
      detail::are_extreme({scale.output, 1 / scale.output},
                          {scale.a, scale.b, scale.a / scale.output, scale.b / scale.output}, most, mode) ||
      (mode.rounds_to_half() && !(most / std::abs(scale.output) < half_precision.greatest));
  if (result.undefined) return result;
  const double sizes = std::abs(scale.a * a) + std::abs(scale.b * b), quotients = sizes / std::abs(scale.output);
  if (mode.rounds_to_half()) {
    const double g = growth(8, half_precision.unit);
    result.error = detail::with_own_error(g * quotients + (1 + g) * 0x1p-23 / std::abs(scale.output), quotients);
    result.close_error = result.usual_error = result.error;
  } else if (!goldml::detail::is_power_of_two(scale.output) ||
             sizes > 0x1p24 * (std::min)(goldml::detail::lowest_bit(scale.a), goldml::detail::lowest_bit(scale.b))) {
    result.error = detail::with_own_error(growth(11, single_precision.unit) * quotients, quotients);
    result.close_error = detail::with_own_error(growth(5, single_precision.unit) * quotients, quotients);
    result.usual_error = result.close_error;
  }
  return result;
}

}  // namespace goldml::arithmetic
