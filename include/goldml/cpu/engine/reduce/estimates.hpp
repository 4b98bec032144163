// What REDUCE's functions give, in double with a bound on the error, or exactly.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/arithmetic/values.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/cpu/engine/base/estimate.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>
#include <goldml/cpu/engine/reduce/sums.hpp>
#include <goldml/operators/reduce.hpp>
#include <goldml/operators/reduce_values.hpp>

namespace goldml::detail {

// The elements of a slice, in row-major order.
template <class T>
struct slice_walk {
  const T* data;
  const loop_nest<1>& outer;
  const loop<1>& run;

  template <class F>
  void for_each(const F& f) const {
    outer.for_each([&](const auto& offset) {
      const T* const first = data + offset[0];
      for (std::uint64_t i = 0; i < run.size; ++i) f(first[i * run.stride[0]]);
    });
  }
  double count() const { return static_cast<double>(outer.iterations() * run.size); }
  std::vector<double> numbers() const {
    std::vector<double> result;
    result.reserve(static_cast<std::size_t>(outer.iterations() * run.size));
    for_each([&](T x) { result.push_back(exact_double(x)); });
    return result;
  }
};

// The exponential and the logarithm of the C++ library are assumed to be within this, relatively.
inline constexpr double error_of_library = 0x1p-50;

template <class T>
estimate estimate_log_sum_exp(const slice_walk<T>& slice) {
  double most = -infinite_double;
  bool has_nan = false;
  slice.for_each([&](T x) {
    has_nan = has_nan || is_nan(x);
    most = (std::max)(most, exact_double(x));
  });
  if (has_nan || !is_finite_double(most)) return {nan_double, 0};
  double sum = 0;
  slice.for_each([&](T x) { sum += std::exp(exact_double(x) - most); });
  // x - most is rounded; beyond -750 its power is 0 or subnormal, which is nothing beside 1.
  const double of_sum = error_of_library + 750 * 0x1p-53 + growth(slice.count(), 0x1p-53);
  const double logarithm = std::log(sum);
  const double value = most + logarithm;
  return {value, 2 * of_sum + error_of_library * logarithm + 0x1p-52 * (std::abs(most) + std::abs(value))};
}

// The significand and the exponent apart, so that nothing overflows.
template <class T>
estimate estimate_product(const slice_walk<T>& slice) {
  double significand = 1;
  std::int64_t exponent = 0;
  bool known = true;
  slice.for_each([&](T x) {
    const double number = exact_double(x);
    known = known && is_finite_double(number) && !is_zero(number);
    if (!known) return;
    significand *= number;  // 2^-150 to 2^129 each
    const auto bits = std::bit_cast<std::uint64_t>(significand);
    exponent += static_cast<std::int64_t>(magnitude_bits(significand) >> 52) - 1023;
    significand = std::bit_cast<double>((bits & ~(std::uint64_t{0x7FF} << 52)) | std::uint64_t{1023} << 52);
  });
  if (!known || exponent > 900 || exponent < -900) return {nan_double, 0};
  const double value = std::ldexp(significand, static_cast<int>(exponent));
  return {value, std::abs(value) * growth(slice.count(), 0x1p-53)};
}

inline bool adds_numbers(reduce_function function) {
  return function == reduce_function::sum || function == reduce_function::average || function == reduce_function::l1 ||
         function == reduce_function::log_sum;
}
inline bool adds_squares(reduce_function function) {
  return function == reduce_function::sum_square || function == reduce_function::l2;
}

// Of n elements with these sums, those of squares if adds_squares().
inline estimate estimate_of(reduce_function function, double n, const reduction::double_sums& of) {
  const double g = growth(n + 3, 0x1p-53);
  const auto [sum, magnitude] = of;
  switch (function) {
    case reduce_function::sum_square:
      return {sum, g * sum};
    case reduce_function::l2: {
      const double root = std::sqrt(sum);
      return {root, root * (g + 0x1p-52)};
    }
    case reduce_function::l1:
      return {magnitude, g * magnitude};
    case reduce_function::average:
      return {sum / n, g * magnitude / n};
    case reduce_function::log_sum: {
      const double relative = g * magnitude / sum;
      if (!is_finite_double(sum) || sum <= 0 || relative > 0x1p-10) return {nan_double, 0};
      const double logarithm = std::log(sum);
      return {logarithm, 2 * relative + error_of_library * std::abs(logarithm)};
    }
    default:
      return {sum, g * magnitude};
  }
}

// The same where the sums are exact: a midpoint is one, and a zero is that of numbers that cancel. None if only the
// exact reduction tells.
template <class T>
std::optional<T> certain_of_exact(reduce_function function, double n, const reduction::double_sums& of) {
  const auto [sum, magnitude] = of;
  switch (function) {
    case reduce_function::sum:
    case reduce_function::sum_square:
      return goldml::rounded<T>(sum);
    case reduce_function::l1:
      return goldml::rounded<T>(magnitude);
    case reduce_function::average: {
      const double quotient = sum / n;
      const bool exact = is_zero(std::fma(quotient, n, -sum));
      if (exact) return goldml::rounded<T>(quotient);
      return certain<T>({quotient, 0x1p-53 * std::abs(quotient)});
    }
    default:
      return std::nullopt;
  }
}

template <class T>
T exactly_reduced(reduce_function function, const slice_walk<T>& slice) {
  return goldml::rounded<T>(reduced_number(function, slice.numbers()));
}

}  // namespace goldml::detail
