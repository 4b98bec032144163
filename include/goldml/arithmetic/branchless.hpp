// Elementary functions in double precision without branches, so that compilers vectorise loops over them: the series of
// functions.hpp, whose proof of function_error holds here too, and more. Where a result is not computed, as of a sine
// of a great number, it is NaN, and the caller computes it again (elementary.hpp).
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <goldml/arithmetic/functions.hpp>
#include <goldml/core/inline.hpp>

namespace goldml::detail {

GOLDML_INLINE double choose(bool condition, double yes, double no) {
  const std::uint64_t mask = std::uint64_t{0} - static_cast<std::uint64_t>(condition);
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(yes) & mask) | (std::bit_cast<std::uint64_t>(no) & ~mask));
}
GOLDML_INLINE double with_sign_of(double x, double magnitude) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(magnitude) & ~sign) |
                               (std::bit_cast<std::uint64_t>(x) & sign));
}
GOLDML_INLINE double magnitude_of(double x) { return with_sign_of(0, x); }

using arithmetic::detail::horner;

// e^x = power * (1 + rest). Beyond 700 in magnitude that of 700: no result of T tells these apart.
struct power_and_rest {
  double power;
  double rest;
};
GOLDML_INLINE power_and_rest split_exp(double x) {
  x = choose(x > 700, 700, choose(x < -700, -700, x));
  constexpr double to_integer = 0x1.8p52;  // after this addition the low bits are the integer
  const double shifted = x * 1.4426950408889634 + to_integer;
  const double k = shifted - to_integer;
  const double r = (x - k * arithmetic::detail::ln2_high) - k * arithmetic::detail::ln2_low;
  return {std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) << 52) + (std::uint64_t{1023} << 52)),
          r * arithmetic::detail::expm1_over(r)};
}

GOLDML_INLINE double fast_exp(double x) {
  const power_and_rest e = split_exp(x);
  return e.power * (1 + e.rest);
}
// power - 1 and power * rest do not cancel: rest is between -0.3 and 0.42.
GOLDML_INLINE double fast_expm1(double x) {
  const power_and_rest e = split_exp(x);
  return choose(x == 0, x, e.power * e.rest + (e.power - 1));
}
GOLDML_INLINE double fast_tanh(double x) {
  const double e = fast_expm1(2 * x);
  return e / (e + 2);
}
// ln(1 + e^x) = max(x, 0) + ln(1 + t), t from 0 to 1.
GOLDML_INLINE double fast_softplus(double x) {
  const double t = fast_exp(choose(x < 0, x, -x));
  const bool greater = t > 0.5;
  const double z = choose(greater, t - 1, t) / choose(greater, t + 3, t + 2);
  return choose(x > 0, x, 0) + (choose(greater, arithmetic::ln2, 0) + arithmetic::detail::twice_atanh(z));
}

// x is greater than 0.
GOLDML_INLINE double fast_log(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  constexpr std::uint64_t fraction = (std::uint64_t{1} << 52) - 1, one = std::uint64_t{1023} << 52;
  const double m = std::bit_cast<double>((bits & fraction) | one);
  const bool greater = m > 1.4142;
  const double z = (choose(greater, m / 2, m) - 1) / (choose(greater, m / 2, m) + 1);
  // The exponent, from the low bits of a number in whose last place it counts.
  const double e = std::bit_cast<double>((bits >> 52) | std::bit_cast<std::uint64_t>(0x1p52)) - 0x1p52 - 1023;
  return (e + choose(greater, 1, 0)) * arithmetic::ln2 + arithmetic::detail::twice_atanh(z);
}
// ln(1 + x), x from 0 on: what the sum lacks of 1 + x is added to its logarithm.
GOLDML_INLINE double fast_log1p(double x) {
  const double sum = 1 + x;
  return fast_log(sum) + (x - (sum - 1)) / sum;
}

// The arc tangent. Beyond 1 from 1/x, beyond tan(pi/8) from (x - 1) / (x + 1): |z| is at most 0.4143.
GOLDML_INLINE double fast_atan(double x) {
  const double a = magnitude_of(x);
  const bool inverse = a > 1;
  const double t = choose(inverse, 1 / a, a);
  const bool greater = t > 0.4142;
  const double z = choose(greater, (t - 1) / (t + 1), t), square = -z * z;
  const double y =
      z * horner(square, 1.0 / 35, 1.0 / 33, 1.0 / 31, 1.0 / 29, 1.0 / 27, 1.0 / 25, 1.0 / 23, 1.0 / 21, 1.0 / 19,
                 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3, 1.0);
  constexpr double half_pi = 0x1.921fb54442d18p+0;
  const double angle = choose(greater, half_pi / 2, 0) + y;
  return with_sign_of(x, choose(inverse, half_pi - angle, angle));
}

// x = k * pi/2 + rest, |rest| at most pi/4, of a FLOAT32 up to 2^18: the products of k and the first two parts of pi/2
// are exact, and so is the first difference. No such x is nearer to a multiple than 2^-30 of it. NaN beyond.
struct quadrant {
  std::uint64_t k;
  double rest;
};
GOLDML_INLINE quadrant fast_quadrant(double x) {
  constexpr double to_integer = 0x1.8p52;
  const double shifted = x * 0x1.45f306dc9c883p-1 + to_integer;
  const double k = shifted - to_integer;
  const double rest = ((x - k * 0x1.921fb544p+0) - k * 0x1.0b4611a6p-34) - k * 0x1.3198a2e037073p-69;
  return {std::bit_cast<std::uint64_t>(shifted),
          choose(magnitude_of(x) <= 0x1p18, rest, std::numeric_limits<double>::quiet_NaN())};
}
GOLDML_INLINE double sine_series(double r) {
  const double square = -r * r;
  return r * horner(square, 1.0 / 355687428096000, 1.0 / 1307674368000, 1.0 / 6227020800, 1.0 / 39916800, 1.0 / 362880,
                    1.0 / 5040, 1.0 / 120, 1.0 / 6, 1.0);
}
GOLDML_INLINE double cosine_series(double r) {
  const double square = -r * r;
  return horner(square, 1.0 / 20922789888000, 1.0 / 87178291200, 1.0 / 479001600, 1.0 / 3628800, 1.0 / 40320, 1.0 / 720,
                1.0 / 24, 1.0 / 2, 1.0);
}
GOLDML_INLINE double sine_of(const quadrant& q) {
  const double y = choose((q.k & 1) != 0, cosine_series(q.rest), sine_series(q.rest));
  return choose((q.k & 2) != 0, -y, y);
}
GOLDML_INLINE double cosine_of(const quadrant& q) { return sine_of({q.k + 1, q.rest}); }
GOLDML_INLINE double tangent_of(const quadrant& q) {
  const double s = sine_series(q.rest), c = cosine_series(q.rest);
  return choose((q.k & 1) != 0, -c, s) / choose((q.k & 1) != 0, s, c);
}

// e^(x^2) (1 + 2x) erfc(x) of an x from 0 on is a polynomial of (x - 3.75) / (x + 3.75), to 2^-53; from its expansion
// in Chebyshev polynomials.
GOLDML_INLINE double fast_erfc_factor(double x) {
  return horner((x - 3.75) / (x + 3.75), 0x1.d3744857e262bp-32, 0x1.561b105822235p-32, -0x1.638dcc665be8dp-28,
                -0x1.014cd7201b5adp-28, 0x1.4c37f59c36e71p-25, 0x1.8fa9fe49c359bp-26, -0x1.15be4201dc721p-22,
                -0x1.eb803840c0574p-25, 0x1.d6339f66a50f8p-20, -0x1.055686d42aa63p-20, -0x1.800077b775cf3p-17,
                0x1.778b933adcce7p-16, 0x1.b1439865f8d9ep-15, -0x1.303fa4966bc38p-12, 0x1.33fb2968decd9p-12,
                0x1.cc3a0e7d2150cp-10, -0x1.3f603c398c6c5p-7, 0x1.d0b0037d167adp-6, -0x1.e0d0fa6ddfe85p-5,
                0x1.7a14188a9ce2ap-4, -0x1.bda9309a2949ap-4, 0x1.510169d09665bp-4, 0x1.d5f294815a405p-9,
                -0x1.1f367683f89a5p-3, 0x1.3ccda0b5d5dc2p+0) /
         (1 + 2 * x);
}
// The error function of |x| below 1/2, by its series.
GOLDML_INLINE double erf_series(double x) {
  return x * horner(x * x, 0x1.9e6ad5e55a730p-34, -0x1.51d7181c5d36dp-30, 0x1.fcc5720624c1cp-27, -0x1.5f742ec43e71ap-23,
                    0x1.b9e6c9dc651a3p-20, -0x1.f4d25c3e0c2ebp-17, 0x1.f9a326f9b89b7p-14, -0x1.c02db40040b86p-11,
                    0x1.565bcd0e6a53fp-8, -0x1.b82ce31288b51p-6, 0x1.ce2f21a042be2p-4, -0x1.812746b0379e7p-2,
                    0x1.20dd750429b6dp+0);
}
GOLDML_INLINE double fast_erf(double x) {
  const double a = magnitude_of(x);
  const double from_end = 1 - fast_exp(-x * x) * fast_erfc_factor(a);
  return with_sign_of(x, choose(a < 0.5, erf_series(a), from_end));
}
// x erfc(-x / sqrt(2)) / 2, that is x (1 + erf(x / sqrt(2))) / 2; the square of a FLOAT32 is exact.
GOLDML_INLINE double fast_gelu(double x) {
  const double w = magnitude_of(x) * 0x1.6a09e667f3bcdp-1;
  const double complement = choose(w < 0.5, 1 - erf_series(w), fast_exp(-x * x / 2) * fast_erfc_factor(w));
  return x / 2 * choose(x < 0, complement, 2 - complement);
}

}  // namespace goldml::detail
