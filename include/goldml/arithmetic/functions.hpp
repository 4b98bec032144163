// Functions in double precision, and how to round them once to FLOAT32 or FLOAT16 (Ziv's test): where the bound on the
// error does not decide the rounding, the function is computed again in 128 bits. So no result depends on the library
// of the machine, on the mode of the processor, or on how the compiler contracts or reorders operations.
//
// Each function below has a relative error of less than function_error, for results that are 0 or between 2^-1000 and
// 2^1000; smaller ones may be 0, and greater ones infinite, which no rounding to FLOAT32 can tell apart. Proof: the
// series are cut where the rest is below 2^-57; they, the reduction of arguments and what follows are less than 40
// operations on numbers that do not cancel, each wrong by 2^-52 in any rounding mode; the argument of exp is reduced
// with an error of at most 1024 * 2^-53, even if ln2_high and ln2_low are added before. The sum is below 2^-42.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <goldml/arithmetic/wide_functions.hpp>
#include <goldml/core/inline.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/rounding.hpp>

namespace goldml::arithmetic {

inline constexpr double function_error = 0x1p-42;

inline constexpr double ln2 = 0x1.62e42fefa39efp-1;

namespace detail {

// The head has 20 zero bits, so that its product with an exponent is exact.
inline constexpr double ln2_high = 0x1.62e42feep-1;
inline constexpr double ln2_low = 0x1.a39ef35793c76p-33;

// A polynomial, the coefficient of the highest power first.
template <class... C>
GOLDML_INLINE double horner(double x, C... coefficients) {
  double sum = 0;
  ((sum = sum * x + coefficients), ...);
  return sum;
}

// (e^r - 1) / r, |r| at most 0.36: 1 + r/2 + r^2/6 + ... + r^13/14!
GOLDML_INLINE double expm1_over(double r) {
  return horner(r, 1.0 / 87178291200, 1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880,
                1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1.0);
}

// 2 * atanh(z), |z| at most 1/5: 2 * (z + z^3/3 + ... + z^25/25)
GOLDML_INLINE double twice_atanh(double z) {
  return 2 * z *
         horner(z * z, 1.0 / 25, 1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7,
                1.0 / 5, 1.0 / 3, 1.0);
}

}  // namespace detail

inline double exp(double x) {
  if (x > 709) return std::numeric_limits<double>::infinity();
  if (!(x >= -708)) return x < -708 ? 0 : x;  // x: NaN
  const auto k = static_cast<int>(x * 1.4426950408889634 + (x < 0 ? -0.5 : 0.5));
  const double r = (x - k * detail::ln2_high) - k * detail::ln2_low;
  const double power = std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52);
  return power * (1 + r * detail::expm1_over(r));
}

inline double expm1(double x) {
  if (std::abs(x) < 0.35) return x * detail::expm1_over(x);
  return exp(x) - 1;
}

inline double scaled_expm1(double a, double x) { return a * expm1(x / a); }

// x is greater than 0.
inline double log(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  int e = static_cast<int>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & ((std::uint64_t{1} << 52) - 1)) | std::uint64_t{1023} << 52);
  if (m > 1.4142) {
    m = m / 2;
    ++e;
  }
  return e * ln2 + detail::twice_atanh((m - 1) / (m + 1));
}

// ln(1 + x), x from 0 on.
inline double log1p(double x) {
  if (x <= 0.5) return detail::twice_atanh(x / (2 + x));
  if (x <= 1) return ln2 + detail::twice_atanh((x - 1) / (x + 3));
  return log(1 + x);
}

inline double tanh(double x) {
  const double e = expm1(2 * (x > 40 ? 40 : x < -40 ? -40 : x));
  return e / (e + 2);
}

inline double sigmoid(double x) { return 1 / (1 + exp(-x)); }

// ln(1 + e^x)
inline double softplus(double x) { return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x)); }

// The number that is within `error` of `value`, rounded to T; where that is not decided, `exact()`, a wide, rounded.
// It is decided where both ends of the error round to the same number.
template <class T, class Exact>
T rounded_once(double value, double error, const Exact& exact) {
  if (goldml::detail::magnitude_bits(value) >= goldml::detail::float_bits<double>::infinity)
    return goldml::rounded<T>(value);
  const T low = goldml::rounded<T>(value - error);
  const T high = goldml::rounded<T>(value + error);
  using bits = typename goldml::detail::float_bits<T>::type;
  if (std::bit_cast<bits>(low) == std::bit_cast<bits>(high)) return low;
  return arithmetic::rounded<T>(exact());
}

// The same for one of the functions above.
template <class T, class Exact>
T function_rounded(double value, const Exact& exact) {
  return rounded_once<T>(value, std::abs(value) * function_error, exact);
}

}  // namespace goldml::arithmetic
