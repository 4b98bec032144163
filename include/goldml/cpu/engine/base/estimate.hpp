// Golden values from doubles: a number that is known to within an error, rounded once where that decides it.
#pragma once

#include <optional>

#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/rounding.hpp>

namespace goldml::detail {

// A number known to within an error.
struct estimate {
  double value;
  double error;
};

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
