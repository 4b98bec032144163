// The rules of the elementary functions, written from SPEC-functions 2.2 to 2.4 (ledger FN-R1 to FN-R4) in long double:
// what a device may answer that has any of the numbers of an interval, by looking at many of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>

#include "allowed_activations.hpp"
#include "allowed_functions.hpp"
#include "allowed_scale_bias.hpp"

namespace judged {

namespace elementary {

using number = long double;
using op = element_wise_op;
inline constexpr number infinite = std::numeric_limits<number>::infinity();

inline number exact_value_of(op f, number x) {
  switch (f) {
    case op::acos:
      return std::acos(x);
    case op::asin:
      return std::asin(x);
    case op::atan:
      return std::atan(x);
    case op::cos:
      return std::cos(x);
    case op::exp:
      return std::exp(x);
    case op::log:
      return std::log(x);
    case op::recip:
      return 1 / x;
    case op::sin:
      return std::sin(x);
    case op::sqrt:
      return std::sqrt(x);
    case op::tan:
      return std::tan(x);
    case op::erf:
      return std::erf(x);
    case op::sinh:
      return std::sinh(x);
    case op::cosh:
      return std::cosh(x);
    case op::tanh:
      return std::tanh(x);
    case op::asinh:
      return std::asinh(x);
    case op::acosh:
      return std::acosh(x);
    default:
      return std::atanh(x);
  }
}

// Beyond 2^1000 infinite, before it is narrowed.
inline number value_of(op f, number x) {
  const number y = exact_value_of(f, x);
  return std::abs(y) > 0x1p1000L ? std::copysign(infinite, y) : y;
}

// Numbers, and what is none.
struct answers {
  number low = infinite, high = -infinite;
  bool nan = false, above = false, below = false;
  bool zero = false;  // and nothing between it and the others
  void add(number from, number to) {
    low = std::min(low, from);
    high = std::max(high, to);
  }
  void add(number y) {
    if (y != y)
      nan = true;
    else if (std::isinf(y))
      (y > 0 ? above : below) = true;
    else
      add(y, y);
  }
  void add(const answers& other) {
    add(other.low, other.high);
    nan = nan || other.nan;
    above = above || other.above;
    below = below || other.below;
    zero = zero || other.zero;
  }
};

// Errors are multiplied by `share`: less than 1 for what is surely allowed, more for what is surely refused beyond it.
struct device {
  op f;
  bool half = false;
  number share = 1;
  bool is_float32 = true;

  number unit() const { return half ? 0x1p-11L : 0x1p-24L; }
  number divided() const { return (half ? 3 : 9) * unit(); }
  number root() const { return 3 * unit(); }
  number exp_off(number x) const { return half ? (4 + 2 * std::abs(x)) * 0x1p-10L : 0x1p-21L + std::abs(x) * 0x1p-22L; }
  number log_off(number v) const {
    if (half) return 0x1p-9L * std::max(1.0L, std::abs(v));
    return 0x1p-21L * std::max(0.7L, std::abs(v)) + 0x1p-22L * std::abs(v);
  }
  number angle_off(number x) const { return half ? 0x1p-7L + 0x1p-10L * std::abs(x) : 0.0008L; }

  answers around(number y, number off) const {
    answers result;
    off = share * (off + (half ? 0x1p-24L : 0));
    result.add(y - off, y + off);
    return result;
  }
  static answers from_0(answers y) {
    y.low = std::max(y.low, 0.0L);
    return y;
  }
  answers logarithm(number low, number high) const {
    answers result;
    const auto end = [&](number v, int sign) {
      return std::log(v) + sign * share * (log_off(std::log(v)) + (half ? 0x1p-24L : 0));
    };
    if (!(low > 0)) result.nan = result.below = true;
    if (high > 0) result.add(low > 0 ? end(low, -1) : -infinite, end(high, 1));
    return result;
  }

  // Of a finite number at which f is finite.
  answers of_number(number x) const {
    const number y = value_of(f, x), a = std::abs(y), test = half ? 0x1p-7L : 0.0008L, u = unit();
    switch (f) {
      case op::sin:
      case op::cos: {
        answers result = around(y, angle_off(x));
        if (!half && std::abs(x) > 314.1592653589793L) result.add(-1, 1);
        if (!half) result.low = std::max(result.low, -1.0L), result.high = std::min(result.high, 1.0L);
        return result;
      }
      case op::tan: {
        const number h = share * angle_off(x), s = std::sin(x), c = std::cos(x);
        answers result;
        if (std::abs(c) <= h || (!half && std::abs(x) > 314.1592653589793L)) {
          result.add(-infinite, infinite);
          result.above = result.below = true;
          return result;
        }
        const auto limited = [&](number v) { return half ? v : std::clamp(v, -1.0L, 1.0L); };
        for (const number p : {limited(s - h), limited(s + h)})
          for (const number q : {limited(c - h), limited(c + h)}) result.add(p / q, p / q);
        const number by = share * divided(), more = half ? share * 0x1p-24L : 0;
        result.low -= std::abs(result.low) * by + more;
        result.high += std::abs(result.high) * by + more;
        return result;
      }
      case op::acos:
      case op::asin:
      case op::atan:
        return around(y, test);
      case op::exp:
        return from_0(around(y, y * exp_off(x)));
      case op::log:
        return around(y, log_off(y));
      case op::sqrt:
        return from_0(around(y, root() * y));
      case op::recip:
        return around(y, (half ? 3 * u : 0x1p-21L) * a);
      case op::sinh:
      case op::cosh: {
        const number formula = std::cosh(x) * (exp_off(x) + divided()) + 2 * u * a;
        return around(y, half ? formula : std::max(0.0008L, formula));
      }
      case op::tanh: {
        answers result = around(y, test);
        const number most = 1 + 9 * u;
        if (!half) result.low = std::max(result.low, -most), result.high = std::min(result.high, most);
        return result;
      }
      case op::erf: {
        answers result = around(y, half ? 0x1p-6L : std::abs(x) < 4 ? 0x1p-10L : 0x1p-18L);
        const number most = 1 + 0x1p-18L;
        if (!half) result.low = std::max(result.low, -most), result.high = std::min(result.high, most);
        return result;
      }
      case op::asinh: {
        const number r = std::sqrt(x * x + 1), w = x < 0 ? 1 / (r - x) : x + r;
        const number off = share * ((1.1L * u + root()) * r + 1.01L * u * w);
        return logarithm(w - off, w + off);
      }
      case op::acosh: {
        const number t = (x - 1) * (x + 1), off = t == 0 ? 0 : share * u * (x * x + t);
        const auto s = [&](number square, int sign) {
          return std::sqrt(std::max(square, 0.0L)) * (1 + sign * share * root());
        };
        return logarithm((x + s(t - off, -1)) * (1 - share * u), (x + s(t + off, 1)) * (1 + share * u));
      }
      default:
        return around(y, (log_off(std::log1p(x)) + log_off(std::log1p(-x)) + 3 * u + divided()) / 2 + u * a);
    }
  }

  number value(number x) const { return value_of(f, x); }

  answers of(number x) const {
    const number y = value(x), a = std::abs(x);
    answers result;
    result.add(y);
    const bool zero_is_exact =
        f != op::acos && f != op::asin && f != op::log && f != op::recip && f != op::erf && f < op::asinh;
    if (std::isinf(x)) {
      if (f == op::asinh && x < 0) result.nan = true;
      if (f == op::atan || f == op::tanh) result.add(around(y, half ? 0x1p-7L : 0.0008L));
      if (f == op::tanh && !half)
        result.low = std::max(result.low, -1 - 9 * unit()), result.high = std::min(result.high, 1 + 9 * unit());
      return result;
    }
    if ((f == op::sinh || f == op::cosh) && (a >= (half ? 11.09L : 88.72L) || (!half && x <= -87.33L)))
      (f == op::sinh && x < 0 ? result.below : result.above) = true;
    if ((f == op::asinh || f == op::acosh) && a >= (half ? 256 : 1.84e19L)) result.above = true;
    if (f == op::asinh && half && a >= 256) result.below = true;
    if (f == op::atanh && a >= activated::great_divisor) result.below = true;
    if (f == op::recip && !half && a >= activated::great_divisor) result.add(0);
    if (f == op::recip && half && x != 0 && a < 0x1p-15L) (x < 0 ? result.below : result.above) = true;
    if (f == op::acosh && x < -1) {
      const number t = (x - 1) * (x + 1), s = std::sqrt(t + share * unit() * (x * x + t)) * (1 + share * root());
      if (x + s >= 0) result.add(-infinite, logarithm(0, (x + s) * (1 + share * unit())).high);
    }
    if (!std::isfinite(y) || (x == 0 && zero_is_exact && !half)) return result;
    // Of a subnormal Direct3D has a sine of 0 and a cosine of 1; what keeps it may lose as much.
    if (is_float32 && !half && a < activated::least && (f == op::sin || f == op::cos || f == op::tan)) {
      if (share > 1 && f != op::cos) result.add(x - activated::least, x + activated::least);
      return result;
    }
    const answers numbers = of_number(x);
    result.add(numbers);
    if (half && numbers.high >= 65504) result.above = true;
    if (half && numbers.low <= -65504) result.below = true;
    return result;
  }

  // Of the numbers of an interval, at many of them.
  answers of(number low, number high) const {
    answers result = of(low);
    if (low == high) return result;
    for (int i = 1; i <= 200; ++i) result.add(of(std::lerp(low, high, i / 200.0L)));  // within the ends, however far apart
    for (const number end : {-1.0L, 0.0L, 1.0L})
      if (low < end && end < high) result.add(of(end));
    const bool pole = (f == op::recip && low <= 0 && high >= 0) ||
                      (f == op::tan && std::floor(low / std::numbers::pi_v<number> - 0.5L) !=
                                           std::floor(high / std::numbers::pi_v<number> - 0.5L));
    if (f == op::log && low <= 0 && high > 0) result.add(-infinite, result.high);
    if (f == op::atanh && low <= -1 && high > -1) result.add(-infinite, result.high);
    if (f == op::atanh && low < 1 && high >= 1) result.add(result.low, infinite);
    if (pole) result.add(-infinite, infinite), result.above = result.below = true;
    return result;
  }
};

template <class T>
double stored(number end, bool up) {
  if constexpr (std::is_same_v<T, float>) {
    return static_cast<double>(static_cast<float>(end));
  } else {
    if (std::isinf(end)) return static_cast<double>(end);
    const neighbours near = neighbours_of<T>(exact_number(static_cast<double>(end)));
    const auto nearest = static_cast<double>(judged::value_of<T>(near.nearest));
    const auto cut = static_cast<double>(judged::value_of<T>(near.toward_zero));
    return up ? std::max(nearest, cut) : std::min(nearest, cut);
  }
}

// Of a device's function of x, or of x * Scale + Bias; `inner` is within what is surely allowed, `outer` is not.
template <class T, class Device>
element_rule rule_of(const Device& inner, const Device& outer, bits element, const std::optional<scale_bias>& by,
                     bool flushing, bool half) {
  using activated::least;
  const auto x = static_cast<number>(static_cast<double>(judged::value_of<T>(element)));
  const bool rounds = half && std::is_same_v<T, float>;
  const auto is_great = [&](number v) { return rounds && std::isfinite(v) && std::abs(v) > 65504; };
  number low = x, high = x;
  number golden = x;
  answers specials;
  bool has_numbers = !std::isnan(x);
  number off = 0;
  if (by) {
    const scaled_numbers g = scaled_numbers_of<T>(element, *by, flushing);
    const number product = x * by->scale;
    if (is_great(x) || is_great(by->scale) || is_great(by->bias) || is_great(product) || is_great(product + by->bias))
      return activated::anything<T>();
    golden = static_cast<number>(static_cast<double>(judged::value_of<T>(g.golden)));
    has_numbers = g.number;
    const auto finite = [&](double v) {
      return static_cast<number>(std::clamp(v, -3.4028234663852886e38, 3.4028234663852886e38));
    };
    const bool is_infinite = g.number && std::isinf(g.low) && g.low == g.high;
    if (g.number && !is_infinite) low = finite(g.low), high = finite(g.high);
    if (g.number && is_infinite) low = high = static_cast<number>(g.low);
    if (g.nan || std::isnan(golden)) specials.nan = true;
    for (const bool above : {false, true})
      if (above ? g.above || (g.number && std::isinf(g.high) && g.high > 0)
                : g.below || (g.number && std::isinf(g.low) && g.low < 0))
        specials.add(outer.of(above ? infinite : -infinite));
    if (rounds)
      off = 0x1p-10L * (4 * std::abs(product) + 2 * std::abs(number(by->bias))) +
            0x1p-24L * (4 + std::abs(x) + std::abs(number(by->scale)));
    const auto subnormal = [](number v) { return v != 0 && std::abs(v) < least; };
    if (flushing && (subnormal(x) || subnormal(by->scale))) {
      if (!std::isfinite(x) || !std::isfinite(by->scale))
        specials.nan = true;
      else if (has_numbers && std::isfinite(by->bias))
        low = std::min(low, number(by->bias)), high = std::max(high, number(by->bias));
      else if (std::isinf(by->bias))
        specials.add(outer.of(number(by->bias)));
    }
  } else {
    if (is_great(x)) return activated::anything<T>();
    if (rounds && std::isfinite(x) &&
        static_cast<float>(static_cast<float16>(static_cast<float>(x))) != static_cast<float>(x))
      off = 0x1p-10L * std::abs(x) + 0x1p-24L;
  }
  element_rule rule;
  const number y = inner.value(golden);
  rule.allowed = {y != y ? quiet_nan_of<T>() : bits_of(static_cast<T>(static_cast<float>(y)))};
  float_range range;
  range.type = data_type_of<T>;
  answers sure, all = specials;
  if (has_numbers && std::isinf(low) && low == high)
    sure = inner.of(low), all.add(outer.of(low));
  else if (has_numbers) {
    sure = inner.of(golden);
    all.add(outer.of(low - off, high + off));
    if (flushing)
      for (const number end : {low, high})
        if (end != 0 && std::abs(end) < least) all.add(outer.of(std::copysign(0.0L, end)));
  } else if (std::isnan(golden)) {
    sure = inner.of(golden), all.add(outer.of(golden));
  } else {
    sure.nan = true;
  }
  range.nan = all.nan || sure.nan;
  range.above = all.above;
  range.below = all.below;
  number outer_low = all.low, outer_high = all.high;
  const number slack = std::isfinite(high - low) && (by || off != 0) ? std::abs(high - low) / 30 + off / 30 : 0;
  const number tiny = flushing ? least : 0;
  outer_low -= slack + tiny + std::abs(outer_low) * 0x1p-45L;
  outer_high += slack + tiny + std::abs(outer_high) * 0x1p-45L;
  if (flushing && outer_low > 0 && outer_low < 2 * least) outer_low = 0;
  if (flushing && outer_high < 0 && outer_high > -2 * least) outer_high = 0;
  range.low = 1, range.high = 0;
  if (sure.low <= sure.high) range.low = stored<T>(sure.low, false), range.high = stored<T>(sure.high, true);
  range.outer_low = stored<T>(outer_low, false);
  range.outer_high = stored<T>(outer_high, true);
  const double sure_zero = sure.zero ? 0 : 1;  // or none
  if (all.zero)
    rule.apart.push_back({.type = range.type, .low = sure_zero, .high = 0, .outer_low = 0, .outer_high = 0});
  // NaN alone, where a strict judgement takes no other NaN.
  if (sure.low <= sure.high || all.low <= all.high || range.above || range.below) rule.range = range;
  return rule;
}

}  // namespace elementary

template <element_wise_op Op>
requires(goldml::detail::is_function<Op>) all_rules
    rules_of(const element_wise_desc<Op>& desc, input_refs inputs, output_descs, bool flushing = false) {
  output_rules rules;
  const bool half = desc.accumulation != accumulation::single;
  visit_data_type(type_list<float, float16>{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
    for (const bits x : values_of(inputs[0]))
      rules.push_back(elementary::rule_of<T>(elementary::device{Op, half, 1 - 0x1p-20L, std::is_same_v<T, float>},
                                             elementary::device{Op, half, 1 + 0x1p-9L, std::is_same_v<T, float>}, x,
                                             desc.scale_bias, flushing && std::is_same_v<T, float>, half));
  });
  return {rules};
}

}  // namespace judged
