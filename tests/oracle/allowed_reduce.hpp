// The rules of REDUCE with the functions that give no index, written from its page and the ledger's L66 and RE-R2: sums
// in long double, and the bounds derived again.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <goldml/operators/reduce.hpp>

#include "allowed_values.hpp"

namespace judged {

using real = long double;

// A result known to within an error, before it is rounded; and what else it may be.
struct approximate {
  real value = 0;
  real error = 0;
  bool nan = false, above = false, below = false;  // NaN and the infinities
  bool no_lower_end = false;
  bool of_terms = false;  // NaN and the infinities are elements that a device may use or not
};

inline constexpr real unit_of_float = 0x1p-24L;
inline constexpr real least_normal = 0x1p-126L;
inline constexpr real greatest_float = 0x1.fffffep127L;

inline real grown(real roundings) { return std::expm1(roundings * std::log1p(unit_of_float)); }
inline real error_of_log(real v) { return 0x1p-21L * std::max(0.7L, std::abs(v)) + 0x1p-22L * std::abs(v); }

// The exponent of the lowest bit of a number that is not 0.
inline int lowest_bit(real x) {
  int e = 0;
  real m = std::frexp(std::abs(x), &e);
  while (m != std::floor(m)) m *= 2, --e;
  return e;
}

// The sum of terms, each with at most this many roundings.
struct summed {
  approximate result;
  real magnitude = 0;
  real flushed_away = 0;
  bool exact = false;
  int lowest = 0;
};

inline summed sum_of(const std::vector<real>& terms, const std::vector<real>& factors, real roundings, bool is_float32,
                     bool flushing) {
  summed s;
  const bool products = factors.size() > terms.size();
  real positive = 0, negative = 0;
  bool nan = false, above = false, below = false, subnormal = false;
  s.lowest = 10000;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const real t = terms[i];
    if (std::isnan(t))
      nan = true;
    else if (std::isinf(t))
      (t > 0 ? above : below) = true;
    else
      (t > 0 ? positive : negative) += std::abs(t);
    if (!std::isfinite(t) || t == 0) continue;
    s.lowest = std::min(s.lowest, lowest_bit(t));
    if (std::abs(factors[i]) < least_normal) {
      s.flushed_away += std::abs(t);
      subnormal = true;
    }
  }
  s.magnitude = positive + negative;
  const real n = static_cast<real>(terms.size());
  constexpr real infinite = std::numeric_limits<real>::infinity();
  approximate& r = s.result;
  r.value = nan || (above && below) ? std::numeric_limits<real>::quiet_NaN()
            : above                 ? infinite
            : below                 ? -infinite
                                    : positive - negative;
  const bool flushes = flushing && is_float32;
  s.flushed_away = flushes ? s.flushed_away + 2 * n * least_normal : is_float32 && products ? n * 0x1p-150L : 0;
  s.exact = s.magnitude == 0 ||
            (s.magnitude <= std::ldexp(0x1p24L, s.lowest) && s.magnitude <= greatest_float && !(flushes && subnormal) &&
             std::ldexp(1.0L, s.lowest) >= (flushes ? least_normal : 0x1p-149L));
  const real g = grown(roundings);
  if (std::isfinite(r.value) && !s.exact) r.error = g * s.magnitude + s.flushed_away;
  const bool may_rise = positive * (1 + g) >= greatest_float;
  const bool may_fall = negative * (1 + g) >= greatest_float;
  if (std::isfinite(r.value)) {
    r.above = may_rise;
    r.below = may_fall;
    r.nan = may_rise && may_fall;
  } else if (std::isinf(r.value)) {
    r.nan = r.value < 0 ? may_rise : may_fall;
  }
  return s;
}

inline approximate log_of(const summed& s) {
  const real w = s.result.value;
  const real off = s.result.error;
  approximate r;
  r.value = std::isinf(w) && w < 0 ? std::numeric_limits<real>::quiet_NaN() : std::log(w);
  r.above = s.result.above;
  r.nan = s.result.nan || s.result.below;
  if (!std::isfinite(w)) {
    if (!std::isnan(w) && w > 0) r.value = w;
    return r;
  }
  if (w > off) {
    for (const real end : {w - off, w + off})
      r.error = std::max(r.error, std::abs(std::log(end) - r.value) + error_of_log(std::log(end)));
  } else if (w + off > 0) {
    r.value = std::log(w + off) + error_of_log(std::log(w + off));
    r.no_lower_end = r.nan = r.below = true;
  } else if (w < 0) {
    r.value = std::numeric_limits<real>::quiet_NaN();
  }
  return r;
}

inline approximate log_sum_exp_of(const std::vector<real>& x) {
  approximate r;
  real most = -std::numeric_limits<real>::infinity();
  for (const real each : x) {
    if (std::isnan(each)) return {each, 0};
    most = std::max(most, each);
  }
  if (std::isinf(most)) {
    r.value = most;
    r.nan = true;
    return r;
  }
  real sum = 0;
  for (const real each : x) sum += std::exp(each - most);
  const real y = most + std::log(sum);
  const real n = static_cast<real>(x.size());
  real t = grown(n) + n * least_normal * std::exp(std::min(-y, 700.0L));
  for (const real each : x)
    if (std::isfinite(each))
      t += std::exp(each - y) * (0x1p-21L + (std::abs(each) + 2 * std::abs(each - most)) * 0x1p-22L);
  const real own = error_of_log(std::max(std::abs(y), y - most)) + 2 * unit_of_float * (std::abs(most) + std::abs(y));
  r.value = y;
  if (t < 1) {
    r.error = -std::log1p(-t) + own;
    r.above = y + r.error >= 88.72L;
  } else {
    r.value = y + std::log1p(t) + own;
    r.no_lower_end = true;
    r.above = r.value >= 88.72L;
  }
  r.below = most < -87.33L;
  return r;
}

inline approximate product_of(const std::vector<real>& x, bool is_float32, bool flushing) {
  approximate r;
  real exponents = 0, rise = 0, fall = 0;  // logarithms
  real significand = 1;
  bool nan = false, infinite = false, zero = false, integers = true;
  for (const real each : x) {
    nan = nan || std::isnan(each);
    infinite = infinite || std::isinf(each);
    zero = zero || each == 0;
    integers = integers && each == std::floor(each);
    if (!std::isfinite(each) || each == 0) {
      if (std::signbit(each)) significand = -significand;
      continue;
    }
    int e = 0;
    significand *= std::frexp(each, &e);
    exponents += e;
    int again = 0;
    significand = std::frexp(significand, &again);
    exponents += again;
    (std::abs(each) > 1 ? rise : fall) += std::log2(std::abs(each));
  }
  const real n = static_cast<real>(x.size());
  const real g = grown(n - 1);
  const bool flushes = is_float32 && flushing;
  const bool overflows = std::exp2(rise) * (1 + g) >= greatest_float;
  const real smallest = std::exp2(fall - n * 0x1p-40L);  // the logarithms have errors of their own
  const bool vanishes = x.size() > 1 && smallest < least_normal * (1 + g);
  if (nan || (infinite && zero)) return {std::numeric_limits<real>::quiet_NaN(), 0};
  if (infinite) {
    r.value = std::copysign(std::numeric_limits<real>::infinity(), significand);
    r.nan = vanishes || (flushes && smallest < least_normal);
    return r;
  }
  if (zero) {
    r.value = std::copysign(0.0L, significand);
    r.nan = overflows;
    return r;
  }
  r.value = std::ldexp(significand, static_cast<int>(std::max(-16000.0L, std::min(16000.0L, exponents))));
  if (overflows && x.size() > 1) (significand < 0 ? r.below : r.above) = true;
  r.nan = overflows && vanishes;
  if (integers && std::abs(r.value) <= 0x1p24L) return r;
  r.error = g * std::abs(r.value);
  const real loss = is_float32 && !flushing ? n * 0x1p-150L : least_normal;
  if (vanishes || (x.size() == 1 && flushes && smallest < least_normal)) r.error += loss * std::exp2(rise) * (1 + g);
  return r;
}

// What a term of AVERAGE meets: the additions of its axes, and on each way the divisions, of nine roundings each.
inline real most_roundings(const dimensions& sizes, const dimensions& axes) {
  real count = 1, one_by_one = 0;
  for (const std::uint32_t axis : axes) {
    count *= sizes[axis];
    if (sizes[axis] != 1) one_by_one += sizes[axis] - 1 + 9;
  }
  return std::max(count + 9, one_by_one);
}

inline approximate reduced_value(reduce_function f, const std::vector<real>& x, bool is_float32, bool flushing,
                                 real of_average) {
  std::vector<real> terms = x;
  const real n = static_cast<real>(x.size());
  const bool squares = f == reduce_function::l2 || f == reduce_function::sum_square;
  for (real& t : terms) t = squares ? t * t : f == reduce_function::l1 ? std::abs(t) : t;
  std::vector<real> factors = x;
  if (squares) factors.push_back(0);  // these are products
  const auto summed_with = [&](real m) {
    summed s = sum_of(terms, factors, m, is_float32, flushing);
    // What no order rounds does not overflow, nor one term, of which L2 has the square before the root.
    if (s.exact || (n == 1 && f != reduce_function::l2)) s.result.above = s.result.below = s.result.nan = false;
    return s;
  };
  switch (f) {
    case reduce_function::multiply:
      return product_of(x, is_float32, flushing);
    case reduce_function::log_sum_exp:
      return log_sum_exp_of(x);
    case reduce_function::log_sum:
      return log_of(summed_with(n - 1));
    case reduce_function::sum_square:
      return summed_with(n).result;
    case reduce_function::average: {
      const summed s = summed_with(of_average);
      approximate r = s.result;
      r.value /= n;
      if (!std::isfinite(r.value)) return r;
      const real least = is_float32 && !flushing ? 0x1p-149L : least_normal;
      const bool power = std::exp2(std::round(std::log2(n))) == n;
      const bool exact = s.magnitude == 0 || (power && s.exact && std::ldexp(1.0L, s.lowest) / n >= least);
      r.error =
          exact ? 0
                : grown(of_average) * s.magnitude / n + s.flushed_away + (is_float32 && !flushing ? n * 0x1p-150L : 0);
      return r;
    }
    case reduce_function::l2: {
      const summed s = summed_with(n);
      approximate r;
      r.value = std::sqrt(s.result.value);
      r.above = s.result.above;
      r.nan = s.result.nan;
      if (!std::isfinite(r.value) || r.value == 0) return r;
      const real g = grown(n);
      const real lost = s.exact ? 0 : s.flushed_away;
      r.error = r.value * ((s.exact    ? 0
                            : g > 0.5L ? g
                                       : g / 2) +
                           3 * unit_of_float * (1 + 0x1p-20L)) +
                std::min(std::sqrt(lost), lost / r.value);
      return r;
    }
    default:
      return summed_with(n - 1).result;
  }
}

// The numbers that a device may store. A little narrower for what must be accepted, and wider for what must not be,
// where this computation and the library's may round differently.
template <class T>
element_rule rule_of_number(const approximate& a, bool never_negative) {
  element_rule rule;
  float_range range;
  range.type = std::is_same_v<T, float> ? data_type::float32 : data_type::float16;
  range.nan = a.nan;
  range.above = a.above;
  range.below = a.below;
  range.of_terms = a.of_terms;
  if (std::isnan(a.value)) {
    rule.allowed = {quiet_nan_of<T>()};
    if (!a.nan && !a.above && !a.below) return rule;
    range.low = range.outer_low = 1;
    range.high = range.outer_high = 0;  // no number
  } else {
    const auto ends = [&](real by, double& low, double& high) {
      const auto rounded_to = [](real x, bool up) {
        if constexpr (std::is_same_v<T, float>) {
          return static_cast<double>(static_cast<float>(x));
        } else {
          // A product may be too large for a double, and is finite all the same: cut, it is the greatest number.
          constexpr real most = std::numeric_limits<double>::max();
          const double number = static_cast<double>(std::isinf(x) ? x : std::clamp(x, -most, most));
          const neighbours near = neighbours_of<T>(exact_number(number));
          const double nearest = static_cast<double>(value_of<T>(near.nearest));
          const double cut = static_cast<double>(value_of<T>(near.toward_zero));
          return up ? std::max(nearest, cut) : std::min(nearest, cut);
        }
      };
      low = a.no_lower_end ? -std::numeric_limits<double>::infinity() : rounded_to(a.value - by, false);
      high = rounded_to(a.value + by, true);
      if (never_negative) low = std::max(low, 0.0);
    };
    const real slack = a.error == 0 && !a.no_lower_end ? 0 : a.error * 0x1p-30L + std::abs(a.value) * 0x1p-38L;
    ends(std::max(0.0L, a.error - slack), range.low, range.high);
    ends(a.error + slack + (slack > 0 ? 0x1p-38L * std::min(1.0L, a.error * 0x1p10L) : 0), range.outer_low,
         range.outer_high);
    if (a.nan) rule.allowed = {quiet_nan_of<T>()};
  }
  rule.range = range;
  return rule;
}

// MIN, MAX: any of the elements that are equal as numbers, as they are or flushed.
template <class T>
element_rule rule_of_extreme(bool least, const std::vector<bits>& slice, bool flushing) {
  element_rule rule;
  bool any_nan = false;
  std::vector<bits> best;
  const auto number = [&](bits b) { return value_of<T>(flushing ? flushed<T>(b) : b); };
  for (const bits b : slice) {
    const T x = number(b);
    if (x != x) {
      any_nan = true;
      continue;
    }
    if (!best.empty() && (least ? x < number(best[0]) : x > number(best[0]))) best.clear();
    if (best.empty() || x == number(best[0])) best.push_back(b);
  }
  rule.allowed = best;
  if (flushing)
    for (const bits b : best) rule.allowed.push_back(flushed<T>(b));
  if constexpr (!std::is_integral_v<T>) {
    if (best.empty()) rule.allowed = slice;
    if (!best.empty() && number(best[0]) == T(0)) rule.allowed.insert(rule.allowed.end(), {0, sign_bit_of<T>});
    if (any_nan) rule.allowed.push_back(quiet_nan_of<T>());
  }
  return rule;
}

template <class T>
element_rule reduced_rule(reduce_function f, const std::vector<bits>& slice, bool flushing, real of_average = 0) {
  if (f == reduce_function::min || f == reduce_function::max)
    return rule_of_extreme<T>(f == reduce_function::min, slice, flushing);
  if constexpr (std::is_integral_v<T>) {
    bits result = f == reduce_function::multiply ? 1 : 0;
    for (const bits b : slice) {
      const auto x = static_cast<bits>(value_of<T>(b));
      result = f == reduce_function::multiply     ? result * x
               : f == reduce_function::sum_square ? result + x * x
               : f == reduce_function::l1         ? result + (value_of<T>(b) < 0 ? ~x + 1 : x)
                                                  : result + x;
    }
    return {true, {result & (~bits{0} >> (64 - 8 * sizeof(T)))}};
  } else {
    std::vector<real> x;
    for (const bits b : slice) x.push_back(static_cast<real>(static_cast<double>(value_of<T>(b))));
    const bool never_negative =
        f == reduce_function::l1 || f == reduce_function::l2 || f == reduce_function::sum_square;
    return rule_of_number<T>(reduced_value(f, x, std::is_same_v<T, float>, flushing, of_average), never_negative);
  }
}

}  // namespace judged
