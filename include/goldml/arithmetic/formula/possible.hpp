// What a device may hold for one number of a formula, as a set: the numbers of an interval, and NaN or infinities. Ends
// are doubles that are rounded outward, so that the exact result and that of every device are inside.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <goldml/arithmetic/precision.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/core/value_conversion.hpp>

namespace goldml::formula {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

// The next double above, or below; infinities and NaN stay.
inline double next_above(double x) {
  if (!detail::is_finite_double(x)) return x;
  if (is_zero(x)) return std::numeric_limits<double>::denorm_min();
  const auto bits = std::bit_cast<std::uint64_t>(x);
  return std::bit_cast<double>(detail::is_negative_double(x) ? bits - 1 : bits + 1);
}
inline double next_below(double x) { return -next_above(-x); }
inline double toward(double x, bool up) { return up ? next_above(x) : next_below(x); }

// The next double if `outward` is set, which it is as often as not: no branch depends on it.
inline double toward_if(bool outward, double x, bool up) {
  if (!detail::is_finite_double(x) || is_zero(x)) return outward ? toward(x, up) : x;
  const std::uint64_t grown{outward}, sign = std::uint64_t{0} - std::uint64_t{detail::is_negative_double(x) == up};
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) + ((grown ^ sign) - sign));
}

// Results that are not below the exact ones (`up`), or not above them; exact where doubles hold these.
inline double sum_toward(double a, double b, bool up) {
  const double s = a + b, part = s - a, rest = (a - (s - part)) + (b - part);
  return toward_if(up ? rest > 0 : rest < 0, s, up);
}
inline double product_toward(double a, double b, bool up) {
  if (is_zero(a) || is_zero(b)) return 0;  // an open end times 0
  const double p = a * b, rest = std::fma(a, b, -p);
  return toward_if(up ? rest > 0 : rest < 0, p, up);
}
inline double quotient_toward(double a, double b, bool up) {
  if (is_zero(a)) return 0;
  const double q = a / b;
  return !detail::is_finite_double(q) || std::fma(q, b, -a) == 0 ? q : toward(q, up);
}

inline double nearest_single(double x) {
  if (std::abs(x) >= 0x1p-125 && std::abs(x) < 0x1p127) return static_cast<double>(static_cast<float>(x));
  return detail::widened(rounded<float>(x));
}
inline bool is_normal_half(double x) { return std::abs(x) >= 0x1p-14 && std::abs(x) <= 65504; }
inline double nearest_half(double x) {
  if (!is_normal_half(x)) return detail::widened(rounded<float16>(x));
  const auto bits = std::bit_cast<std::uint64_t>(x);
  return std::bit_cast<double>((bits + 0x1FF'FFFF'FFFF + (bits >> 42 & 1)) & ~std::uint64_t{0x3FF'FFFF'FFFF});
}
inline double half_toward_zero(double x) {
  if (!is_normal_half(x)) return detail::widened(rounded<float16>(x, rounding::toward_zero));
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & ~std::uint64_t{0x3FF'FFFF'FFFF});
}

// No number if low is above high. An infinite end means that nothing is known there; whether the infinity itself is
// possible is among the flags, which are those of interval_also::specials.
struct possible {
  double low = infinity, high = -infinity;
  std::uint8_t also = 0;

  friend bool operator==(const possible&, const possible&) = default;

  static possible of(double x) {
    possible result;
    result.add(x);
    return result;
  }
  static possible anything() { return {-infinity, infinity, interval_also::specials}; }

  bool none() const { return low > high; }
  bool one() const { return low == high && also == 0; }
  double most() const { return none() ? 0 : (std::max)(std::abs(low), std::abs(high)); }
  bool has(std::uint8_t flag) const { return (also & flag) != 0; }
  bool has_zero() const { return low <= 0 && high >= 0; }
  void flag(unsigned flags, bool condition = true) {
    if (condition) also = static_cast<std::uint8_t>(also | flags);
  }
  void add(double x) {
    if (is_nan(x)) return flag(interval_also::nan);
    if (detail::is_infinite_double(x))
      return flag(x > 0 ? interval_also::positive_infinity : interval_also::negative_infinity);
    low = (std::min)(low, x);
    high = (std::max)(high, x);
  }
  void add(const possible& other) {
    low = (std::min)(low, other.low);
    high = (std::max)(high, other.high);
    flag(other.also);
  }
  // By an error, which is NaN or infinite if nothing is known.
  void widen(double by) {
    if (none() || is_zero(by)) return;
    low = detail::is_finite_double(by) ? sum_toward(low, -by, false) : -infinity;
    high = detail::is_finite_double(by) ? sum_toward(high, by, true) : infinity;
  }
};

// Whether FLOAT32 steps may flush subnormals. Those of FLOAT16 tensors too: only their elements must be preserved.
inline bool may_flush(const arithmetic_mode& mode) { return !mode.half() && (mode.flushes || !mode.float32); }
inline double least_normal_of(const arithmetic_mode& mode) { return mode.half() ? 0x1p-14 : 0x1p-126; }
inline double least_of(const arithmetic_mode& mode) { return mode.half() ? 0x1p-24 : 0x1p-149; }

inline possible flushed(possible x, double least_normal) {
  if (x.low > 0 && x.low < least_normal) x.low = 0;
  if (x.high < 0 && x.high > -least_normal) x.high = 0;
  return x;
}

// What a device has of these numbers after a step: as they are, since it may keep more digits; or rounded, or flushed.
inline possible stepped(possible x, const arithmetic_mode& mode) {
  if (x.none()) return x;
  const double overflow = mode.half() ? 65520 : 0x1.ffffffp127;
  x.flag(interval_also::positive_infinity, x.high >= overflow);
  x.flag(interval_also::negative_infinity, x.low <= -overflow);
  const auto nearest = [&](double end) { return mode.half() ? nearest_half(end) : nearest_single(end); };
  const bool one = x.low == x.high;
  const double low = nearest(x.low), high = one ? low : nearest(x.high);
  if (detail::is_finite_double(low)) x.low = (std::min)(x.low, low);
  if (detail::is_finite_double(high)) x.high = (std::max)(x.high, high);
  return may_flush(mode) ? flushed(x, least_normal_of(mode)) : x;
}

// The same numbers, or rounded to FLOAT16, to nearest or also toward zero (AR-R7).
inline possible narrowed(possible x, bool also_toward_zero = true) {
  if (x.none()) return x;
  x.flag(interval_also::positive_infinity, x.high >= 65520);
  x.flag(interval_also::negative_infinity, x.low <= -65520);
  const double low = x.low, high = x.high;
  const auto add = [&](double a, double b) {
    if (detail::is_finite_double(a)) x.low = (std::min)(x.low, a);
    if (detail::is_finite_double(b)) x.high = (std::max)(x.high, b);
  };
  add(nearest_half(low), nearest_half(high));
  if (also_toward_zero) add(half_toward_zero(low), half_toward_zero(high));
  return x;
}

// The step of a product, a quotient or an exponential, which half_products rounds to FLOAT16.
inline possible multiplied(const possible& x, const arithmetic_mode& mode) {
  const possible y = stepped(x, mode);
  return mode.half_products() ? narrowed(y) : y;
}

// A result whose error includes its rounding: only numbers below the normal ones are rounded besides, or flushed.
inline possible settled(const possible& x, const arithmetic_mode& mode) {
  const double least = least_normal_of(mode), overflow = mode.of().greatest;
  const auto is_normal = [&](double end) { return std::abs(end) >= least && std::abs(end) <= overflow; };
  if (is_normal(x.low) && is_normal(x.high)) return x;
  possible y = stepped(x, mode);
  if (std::abs(x.low) >= least) y.low = x.low;
  if (std::abs(x.high) >= least) y.high = x.high;
  return y;
}

// An element of a tensor as arithmetic reads it.
inline possible read_element(possible x, const arithmetic_mode& mode) {
  if (!mode.float32 || x.none()) return x;
  if (mode.rounds_to_half()) return narrowed(x, mode.half_products());
  return mode.flushes ? flushed(x, least_normal_of(mode)) : x;
}

// An intermediate result that a device may write to a tensor and read again (LS-R7).
inline possible stored(possible x, const arithmetic_mode& mode) {
  x = stepped(x, mode);
  return mode.float32 ? x : narrowed(x);
}

// Adds f of the pairs in which one is not finite. What it is depends on the sign of the other at most.
template <class F>
void add_specials(const possible& a, const possible& b, possible& result, F f) {
  const auto each = [](const possible& x, auto&& use) {
    if (!x.none()) {
      use(x.low);
      use(x.high);
      if (x.has_zero()) {
        use(0.0);
        if (x.low < 0) use(-0.0);
      }
    }
    if (x.has(interval_also::nan)) use(std::numeric_limits<double>::quiet_NaN());
    if (x.has(interval_also::positive_infinity)) use(infinity);
    if (x.has(interval_also::negative_infinity)) use(-infinity);
  };
  each(a, [&](double x) {
    each(b, [&](double y) {
      if (!detail::is_finite_double(x) || !detail::is_finite_double(y)) result.add(f(x, y));
    });
  });
}

inline possible sum_of(const possible& a, const possible& b) {
  possible result;
  if (!a.none() && !b.none()) {
    result.low = sum_toward(a.low, b.low, false);
    result.high = sum_toward(a.high, b.high, true);
  }
  if ((a.also | b.also) != 0) add_specials(a, b, result, [](double x, double y) { return x + y; });
  return result;
}
inline possible product_of(const possible& a, const possible& b) {
  possible result;
  if (a.low == a.high && !b.none()) {  // as most factors are: an element
    const bool turns = a.low < 0;
    result.low = product_toward(a.low, turns ? b.high : b.low, false);
    result.high = product_toward(a.low, turns ? b.low : b.high, true);
  } else if (!a.none() && !b.none())
    for (const double x : {a.low, a.high})
      for (const double y : {b.low, b.high}) {
        result.low = (std::min)(result.low, product_toward(x, y, false));
        result.high = (std::max)(result.high, product_toward(x, y, true));
      }
  if ((a.also | b.also) != 0) add_specials(a, b, result, [](double x, double y) { return x * y; });
  return result;
}
inline possible negated(const possible& x) {
  possible result{-x.high, -x.low, static_cast<std::uint8_t>(x.also & interval_also::nan)};
  result.flag(interval_also::negative_infinity, x.has(interval_also::positive_infinity));
  result.flag(interval_also::positive_infinity, x.has(interval_also::negative_infinity));
  return result;
}
inline possible magnitude_of(const possible& x) {
  if (x.one()) return {std::abs(x.low), std::abs(x.low), 0};
  possible result{x.has_zero() ? 0 : (std::min)(std::abs(x.low), std::abs(x.high)), x.most(),
                  static_cast<std::uint8_t>(x.also & interval_also::nan)};
  if (x.none()) result.low = infinity, result.high = -infinity;
  result.flag(interval_also::positive_infinity, x.has(interval_also::infinities));
  return result;
}
// The greater of two; NaN may be skipped or not (AR-R4).
inline possible greater_of(const possible& a, const possible& b) {
  if (a.also == 0 && b.also == 0) return {(std::max)(a.low, b.low), (std::max)(a.high, b.high), 0};
  possible result;
  if (!a.none() && !b.none()) result = {(std::max)(a.low, b.low), (std::max)(a.high, b.high), 0};
  add_specials(a, b, result, [](double x, double y) { return is_nan(x) ? y : is_nan(y) ? x : (std::max)(x, y); });
  result.flag((a.also | b.also) & interval_also::nan);
  return result;
}

// An increasing function f, whose own error is given, at both ends. f minus its error, and plus it, have no extreme
// between the ends that is beyond those there. `f` is within 2^-50 of the function, relatively (SPEC-arithmetic 2.4).
template <class F, class Own>
possible increasing(const possible& x, F f, Own own) {
  possible result;
  const auto at = [&](double end, bool is_low, bool is_high) {
    const double y = f(end);
    const double by = detail::is_finite_double(y) ? own(end, y) + 0x1p-50 * std::abs(y) : 0;
    if (is_low) result.low = y - by;
    if (is_high) result.high = y + by;
  };
  if (!x.none()) {
    at(x.low, true, x.low == x.high);
    if (x.low != x.high) at(x.high, false, true);
  }
  result.flag(interval_also::positive_infinity, result.high == infinity);
  result.flag(interval_also::negative_infinity, result.low == -infinity);
  if (result.low == result.high && detail::is_infinite_double(result.low)) result = {infinity, -infinity, result.also};
  result.flag(x.also & interval_also::nan);
  if (x.has(interval_also::positive_infinity)) result.add(f(infinity));
  if (x.has(interval_also::negative_infinity)) result.add(f(-infinity));
  return result;
}

}  // namespace goldml::formula
