// How far a device's primitives may be from the exact results: quotients, roots, exponentials and logarithms, in
// FLOAT32 and in half precision (SPEC-arithmetic 2.1, 2.6; SPEC-functions 2.2). Each error stands here once.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <goldml/arithmetic/precision.hpp>

namespace goldml::arithmetic {

// What is granted to a device: all that Direct3D permits, with the instructions `rcp` and `rsq`; divisions of two steps
// and roots within a unit in the last place; and these with roundings that are independent of each other. A result that
// only the first explains is refused with the option `reciprocals`; one that the last does not is suspicious.
enum class granted : std::uint8_t { possible, close, usual };

// The relative error of a quotient x * (1/y), with the product rounded (ledger AR-R8): the reciprocal is within 2^-21
// (`rcp`), that is eight roundings; or it is one of Direct3D's divisions, within one unit in the last place.
inline constexpr double quotient_error = 9 * 0x1p-24 * (1 + 0x1p-20);
inline constexpr double two_step_quotient_error = 3 * 0x1p-24 * (1 + 0x1p-22);
// Of magnitudes from here on the reciprocal may be subnormal.
inline constexpr double least_divisor_of_subnormal = 0x1p126 * (1 - 0x1p-21);

namespace detail {

inline constexpr double u32 = 0x1p-24;            // the relative error of a rounding to FLOAT32
inline constexpr double least_normal = 0x1p-126;  // of FLOAT32
inline constexpr double slack = 1 + 0x1p-12;      // products of two errors, which closed bounds leave out

// e^x is exp2(x * log2(e)), whose argument is rounded twice: relative.
inline double exp_error(double x) { return 0x1p-21 + std::abs(x) * 0x1p-22; }
// ln x is log2(x) * ln(2), with the result v: absolute.
inline double log_error(double v) { return 0x1p-21 * (std::max)(0.7, std::abs(v)) + 0x1p-22 * std::abs(v); }

}  // namespace detail

// Of a quotient, relatively.
inline double error_of_quotient(const arithmetic_mode& mode, granted what) {
  if (mode.half()) return 3 * half_precision.unit * (1 + 0x1p-20);
  return what == granted::possible ? quotient_error : two_step_quotient_error;
}
// Of a square root, relatively: by the instruction `rsq`, or within a unit in the last place.
inline double error_of_root(const arithmetic_mode& mode, granted what) {
  if (mode.half()) return 3 * half_precision.unit * (1 + 0x1p-20);
  return (what == granted::possible ? 3 : 2) * detail::u32 * (1 + 0x1p-20);
}
// Of 1/sqrt(x), relatively: the instruction itself, or a division by a root (SPEC-normalisation 2.4).
inline double error_of_inverse_root(const arithmetic_mode& mode, granted what) {
  if (mode.half()) return 6 * half_precision.unit * (1 + 0x1p-20);
  return what == granted::possible ? 12 * detail::u32 * (1 + 0x1p-20) : 0x1p-21;
}
// Of e^x, relatively.
inline double error_of_exp(double x, const arithmetic_mode& mode) {
  return mode.half() ? (4 + 2 * std::abs(x)) * 0x1p-10 : detail::exp_error(x);
}
// Of ln x = v.
inline double error_of_log(double v, const arithmetic_mode& mode) {
  return mode.half() ? 0x1p-9 * (std::max)(1.0, std::abs(v)) : detail::log_error(v);
}

}  // namespace goldml::arithmetic
