// Golden values from doubles: a number that is known to within an error, rounded once where that decides it.
#pragma once

#include <cmath>
#include <optional>

#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/arithmetic/values.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/rounding.hpp>

namespace goldml::detail {

// A number known to within an error.
struct estimate {
  double value;
  double error;
  bool is_nothing() const { return goldml::is_zero(value) && goldml::is_zero(error); }
};

// Of steps in double, whatever the mode of the processor: each is off by less than 2^-52, or 2^-900 below the normal
// numbers. From 2^200 on nothing is known.
inline estimate estimate_of(double value, double error) {
  if (!(std::abs(value) < 0x1p200) || !is_finite_double(error)) return {value, infinite_double};
  return {value, error + 0x1p-52 * std::abs(value) + 0x1p-900};
}
inline estimate operator*(const estimate& a, const estimate& b) {
  const bool finite = is_finite_double(a.value + a.error + b.value + b.error);
  if (finite && (a.is_nothing() || b.is_nothing())) return {0, 0};
  const double error = std::abs(a.value) * b.error + std::abs(b.value) * a.error + a.error * b.error;
  return estimate_of(a.value * b.value, error * (1 + 0x1p-40));
}
inline estimate operator+(const estimate& a, const estimate& b) {
  if (a.is_nothing()) return b;
  if (b.is_nothing()) return a;
  return estimate_of(a.value + b.value, (a.error + b.error) * (1 + 0x1p-40));
}
inline estimate one_minus(const estimate& x) { return estimate{1, 0} + estimate{-x.value, x.error}; }
// (1 - z) * a + z * b
inline estimate mix(const estimate& z, const estimate& a, const estimate& b) { return one_minus(z) * a + z * b; }
inline estimate may_store(const estimate& x) { return x; }

// What both ends round to, if it is the same number and not zero, whose sign is not known.
template <class T>
std::optional<T> certain(const estimate& e) {
  if (!is_finite_double(e.value) || !is_finite_double(e.error)) return std::nullopt;
  const T low = goldml::rounded<T>(e.value - e.error * (1 + 0x1p-40));
  const T high = goldml::rounded<T>(e.value + e.error * (1 + 0x1p-40));
  if (is_zero(low) || order_key(low) != order_key(high)) return std::nullopt;
  return low;
}

}  // namespace goldml::detail
