// Quotients, exponentials, logarithms and roots of sets of numbers, before the step's rounding.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <goldml/arithmetic/formula/possible.hpp>
#include <goldml/arithmetic/primitives.hpp>

namespace goldml::formula {

using arithmetic::granted;

// x / y directly, or x * (1/y), where the reciprocal may be subnormal, flushed or infinite (SPEC-arithmetic 2.6).
inline possible quotient_of(const possible& a, const possible& b, const arithmetic_mode& mode, granted what) {
  using namespace interval_also;
  possible result;
  if ((a.also | b.also) != 0) add_specials(a, b, result, [](double x, double y) { return x / y; });
  const bool by_one = b.one() && b.low == 1;
  const double least_of_subnormal = mode.half() ? 0x1p14 : arithmetic::least_divisor_of_subnormal;
  const bool is_flushed = !by_one && !b.none() && b.most() >= least_of_subnormal && may_flush(mode);
  if (is_flushed && a.has(positive_infinity | negative_infinity)) result.flag(nan);  // times the reciprocal
  if (a.none() || b.none()) return result;
  possible q;
  const auto sign = [](bool negative) { return negative ? negative_infinity : positive_infinity; };
  if (b.has_zero()) {
    for (const double x : {a.low, a.high}) {
      if (b.high > 0) {
        q.low = (std::min)(q.low, x < 0 ? -infinity : quotient_toward(x, b.high, false));
        q.high = (std::max)(q.high, x > 0 ? infinity : quotient_toward(x, b.high, true));
      }
      if (b.low < 0) {
        q.low = (std::min)(q.low, x > 0 ? -infinity : quotient_toward(x, b.low, false));
        q.high = (std::max)(q.high, x < 0 ? infinity : quotient_toward(x, b.low, true));
      }
      if (is_zero(x)) continue;
      q.flag(sign(x < 0));  // by +0
      q.flag(sign(x > 0));  // by -0, which a device may have of any 0
    }
    q.flag(nan, a.has_zero());
  } else {
    for (const double x : {a.low, a.high})
      for (const double y : {b.low, b.high}) {
        q.low = (std::min)(q.low, quotient_toward(x, y, false));
        q.high = (std::max)(q.high, quotient_toward(x, y, true));
      }
  }
  if (!by_one && !q.none()) {
    const double by = error_of_quotient(mode, what);
    if (!is_zero(q.low)) q.low = next_below(q.low - std::abs(q.low) * by);
    if (!is_zero(q.high)) q.high = next_above(q.high + std::abs(q.high) * by);
  }
  if (is_flushed) q.add(0.0);
  if (!by_one && b.most() >= least_of_subnormal) q.widen(a.most() * least_of(mode));
  const double least = b.has_zero() ? 0 : (std::min)(std::abs(b.low), std::abs(b.high));
  if (!by_one && !b.has_zero() && least <= (mode.half() ? 0x1p-16 : 0x1p-126)) {  // the reciprocal is infinite
    const bool negative = b.high < 0;
    if (a.high > 0) q.flag(sign(negative));
    if (a.low < 0) q.flag(sign(!negative));
    q.flag(nan, a.has_zero());
  }
  result.add(q);
  return result;
}

inline possible exp_of(const possible& x, const arithmetic_mode& mode) {
  possible y = increasing(
      x, [](double v) { return std::exp(v); },
      [&](double v, double e) { return e * (std::min)(arithmetic::error_of_exp(v, mode), 1.0); });
  if (!x.none()) y.low = (std::max)(y.low, 0.0);
  return y;
}

// Of numbers that are not negative, -infinity at 0; NaN of negative ones.
inline possible log_of(possible x, const arithmetic_mode& mode) {
  using namespace interval_also;
  possible result;
  result.flag(nan, (!x.none() && x.low < 0) || x.has(negative_infinity));
  x.also = static_cast<std::uint8_t>(x.also & ~negative_infinity);
  result.flag(negative_infinity, !x.none() && x.has_zero());
  if (!(x.high > 0)) x.low = infinity, x.high = -infinity;
  x.low = x.none() ? x.low : (std::max)(x.low, 0.0);
  result.add(increasing(
      x, [](double v) { return std::log(v); },
      [&](double, double v) { return arithmetic::error_of_log(v, mode) + 0x1p-50; }));
  return result;
}

// sqrt(x), or 1/sqrt(x).
inline possible root_of(possible x, const arithmetic_mode& mode, granted what, bool inverse) {
  using namespace interval_also;
  possible result;
  result.flag(nan, (!x.none() && x.low < 0) || x.has(negative_infinity));
  x.also = static_cast<std::uint8_t>(x.also & ~negative_infinity);
  if (!(x.high >= 0)) x.low = infinity, x.high = -infinity;
  x.low = x.none() ? x.low : (std::max)(x.low, 0.0);
  possible root = increasing(
      x, [](double v) { return std::sqrt(v); },
      [&](double, double y) { return inverse ? 0 : y * error_of_root(mode, what); });
  if (inverse && !root.none()) {
    const double by = error_of_inverse_root(mode, what);
    const double low = root.low;
    root.low = 1 / root.high * (1 - by) * (1 - 0x1p-50);
    root.high = low > 0 ? 1 / low * (1 + by) * (1 + 0x1p-50) : infinity;
    root.flag(positive_infinity, !(low > 0));
  }
  if (inverse && x.has(positive_infinity)) {
    root.also = static_cast<std::uint8_t>(root.also & ~positive_infinity);
    root.add(0.0);
  }
  result.add(root);
  return result;
}

}  // namespace goldml::formula
