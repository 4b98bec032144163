// The elementary functions of one number: as a double with a bound on its error, and rounded once. Every FLOAT32 and
// FLOAT16 is an argument, angles of any magnitude among them.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include <goldml/arithmetic/branchless.hpp>
#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/arithmetic/wide_elementary.hpp>

namespace goldml::arithmetic {

// In the order of the element-wise operators.
enum class elementary : std::uint8_t {
  acos,
  asin,
  atan,
  cos,
  exp,
  log,
  recip,
  sin,
  sqrt,
  tan,
  erf,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
};
inline constexpr std::size_t elementary_count = 17;

// Where f is defined, its ends included.
struct elementary_domain {
  double low, high;
};
constexpr elementary_domain domain_of(elementary f) {
  using enum elementary;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  switch (f) {
    case acos:
    case asin:
    case atanh:
      return {-1, 1};
    case elementary::log:
    case elementary::sqrt:
      return {0, infinity};
    case acosh:
      return {1, infinity};
    default:
      return {-infinity, infinity};
  }
}

namespace detail {

// Without branches. NaN where it is not computed, or not defined. The argument is finite.
template <elementary F>
GOLDML_INLINE double fast_elementary(double x) {
  using namespace goldml::detail;
  using enum elementary;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const double a = magnitude_of(x);
  if constexpr (F == acos) {
    return 2 * fast_atan(std::sqrt((1 - x) / (1 + x)));
  } else if constexpr (F == asin) {
    return fast_atan(x / std::sqrt((1 - x) * (1 + x)));
  } else if constexpr (F == atan) {
    return fast_atan(x);
  } else if constexpr (F == cos) {
    return cosine_of(fast_quadrant(x));
  } else if constexpr (F == elementary::exp) {
    return fast_exp(x);
  } else if constexpr (F == elementary::log) {
    return choose(x > 0, fast_log(x), nan);
  } else if constexpr (F == recip) {
    return 1 / x;
  } else if constexpr (F == sin) {
    return goldml::detail::sine_of(fast_quadrant(x));
  } else if constexpr (F == elementary::sqrt) {
    return std::sqrt(x);
  } else if constexpr (F == tan) {
    return tangent_of(fast_quadrant(x));
  } else if constexpr (F == erf) {
    return fast_erf(x);
  } else if constexpr (F == sinh) {
    const double e = fast_expm1(a);
    return with_sign_of(x, (e + e / (e + 1)) / 2);
  } else if constexpr (F == cosh) {
    const double e = fast_exp(a);
    return (e + 1 / e) / 2;
  } else if constexpr (F == elementary::tanh) {
    return fast_tanh(x);
  } else if constexpr (F == asinh) {
    return with_sign_of(x, fast_log1p(a + a * a / (1 + std::sqrt(1 + a * a))));
  } else if constexpr (F == acosh) {
    const double t = x - 1;
    return choose(x >= 1, fast_log1p(t + std::sqrt(t * (t + 2))), nan);
  } else {
    static_assert(F == atanh);
    return choose(a < 1, with_sign_of(x, fast_log1p(2 * a / (1 - a)) / 2), nan);
  }
}

// f(x) of any FLOAT32, infinities and poles included.
inline double elementary_double(elementary f, double x) {
  using enum elementary;
  constexpr double infinity = std::numeric_limits<double>::infinity(), half_pi = 0x1.921fb54442d18p+0;
  if (goldml::is_nan(x)) return x;
  if (goldml::detail::is_infinite_double(x)) {
    const bool negative = x < 0;
    switch (f) {
      case atan:
        return negative ? -half_pi : half_pi;
      case erf:
      case elementary::tanh:
        return negative ? -1 : 1;
      case sinh:
      case asinh:
        return x;
      case cosh:
        return infinity;
      case elementary::exp:
        return negative ? 0 : infinity;
      case recip:
        return negative ? -0.0 : 0.0;
      case elementary::log:
      case elementary::sqrt:
      case acosh:
        if (!negative) return infinity;
        [[fallthrough]];
      default:
        return std::numeric_limits<double>::quiet_NaN();
    }
  }
  if (f == elementary::log && is_zero(x)) return -infinity;
  if (f == atanh && std::abs(x) == 1) return std::copysign(infinity, x);
  if ((f == sin || f == cos || f == tan) && std::abs(x) > 0x1p18) {
    const wide_quadrant q = quadrant_of(wide(x));
    const goldml::detail::quadrant reduced{q.k, to_double(q.rest)};
    return f == tan ? tangent_of(reduced) : f == sin ? goldml::detail::sine_of(reduced) : cosine_of(reduced);
  }
  static constexpr auto functions = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array{+[](double v) { return fast_elementary<static_cast<elementary>(I)>(v); }...};
  }
  (std::make_index_sequence<elementary_count>{});
  return functions[static_cast<std::size_t>(f)](x);
}

// The same of each of `count` numbers: one function for all of them, so that the steps of some overlap.
inline void elementary_doubles(elementary f, const double* x, double* y, std::size_t count) {
  static constexpr auto loops = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array{+[](const double* from, double* to, std::size_t n) {
      for (std::size_t i = 0; i < n; ++i) to[i] = fast_elementary<static_cast<elementary>(I)>(from[i]);
    }...};
  }
  (std::make_index_sequence<elementary_count>{});
  loops[static_cast<std::size_t>(f)](x, y, count);
  for (std::size_t i = 0; i < count; ++i)
    if (goldml::is_nan(y[i]) || !goldml::detail::is_finite_double(x[i])) y[i] = elementary_double(f, x[i]);
}

}  // namespace detail

// A double, and the most that it differs from the exact result. Infinite and undefined results have error 0.
struct approximation {
  double value;
  double error;
};

// With what a value that was computed may be wrong by.
inline approximation approximation_of(double value) {
  return {value, goldml::detail::is_finite_double(value) ? std::abs(value) * function_error : 0};
}

// x is a FLOAT32 or FLOAT16.
inline approximation elementary_value(elementary f, double x) {
  return approximation_of(detail::elementary_double(f, x));
}

// Of a finite x that is no pole, and at which f is defined.
inline wide elementary_exactly(elementary f, const wide& x) {
  static constexpr std::array<wide (*)(const wide&), elementary_count> functions{
      acos, asin, atan, cos,   exp,   log,  [](const wide& v) { return wide(1) / v; }, sin, sqrt, tan, erf,
      sinh, cosh, tanh, asinh, acosh, atanh};
  return functions[static_cast<std::size_t>(f)](x);
}

// f(x) rounded once to nearest even.
template <class T>
T elementary_rounded(elementary f, double x) {
  const approximation y = elementary_value(f, x);
  if (y.error == 0) return goldml::rounded<T>(y.value);
  return rounded_once<T>(y.value, y.error, [&] { return elementary_exactly(f, wide(x)); });
}

}  // namespace goldml::arithmetic
