// The rules of POW and CONSTANT_POW, written from SPEC-functions 3, 2.3 and 2.4 in long double.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "allowed_elementary.hpp"

namespace judged {

namespace powered {

using elementary::answers;
using elementary::infinite;
using elementary::number;
inline constexpr number nan_number = std::numeric_limits<number>::quiet_NaN();

// x^y of a device, one y. Errors are multiplied by `share`, which is above 1 for what is surely refused beyond it.
struct device {
  number y;
  bool is_integer, half, flushes_y;
  number share;

  bool has_parity() const { return !(is_integer && std::abs(y) > 16777216); }
  bool is_whole() const { return std::floor(y) == y; }
  bool is_odd() const { return is_whole() && std::abs(y) < 0x1p60L && static_cast<std::int64_t>(y) % 2 != 0; }

  number value(number x) const {
    if (std::isinf(x) && x < 0 && std::isfinite(y) && !is_whole()) return nan_number;
    return std::pow(x, y);
  }

  static answers anything() {
    answers all;
    all.add(-infinite, infinite);
    all.nan = all.above = all.below = true;
    return all;
  }
  // One row of the table for each kind of y, one case for each kind of x.
  answers of(number x) const {
    answers all = at(x);
    if (flushes_y && share > 1) all.add(device{0, is_integer, half, false, share}.at(x));
    return all;
  }
  answers at(number x) const {
    answers result;
    const number a = std::abs(x);
    if (y == 0) {
      result.add(1);
      result.zero = x == 0;
      result.nan = x == 0 || !std::isfinite(x);
      return result;
    }
    if (x != x || y != y) {
      if (x == 1) result.add(1);
      result.nan = true;
      return result;
    }
    const bool negative = std::signbit(x);
    if (std::isinf(y)) {
      if (a != 0 && std::abs(std::log2(a)) <= (half ? 0x1p-9L : 0x1p-21L)) return anything();
      result.add((a > 1) == (y > 0) ? infinite : 0);
      result.nan = negative && a != 0;
      return result;
    }
    if (a == 0) {
      result.add(y > 0 ? 0 : negative && is_odd() ? -infinite : infinite);
      if (y < 0 && negative && share > 1) result.above = result.below = true;
      return result;
    }
    if (negative && !is_whole()) {
      result.nan = true;
      if (std::isinf(a)) result.add(y > 0 ? infinite : 0);
      return result;
    }
    const auto with_sign = [&](bool minus) {
      answers one = positive(a);
      if (!minus) return one;
      std::swap(one.low, one.high);
      one.low = -one.low, one.high = -one.high;
      std::swap(one.above, one.below);
      return one;
    };
    result = with_sign(negative && is_odd());
    if (negative && !has_parity() && share > 1) result.add(with_sign(!is_odd()));
    return result;
  }
  answers positive(number a) const {
    answers result;
    if (std::isinf(a)) {
      result.add(y > 0 ? infinite : 0);
      return result;
    }
    const number l = std::log2(a), w = y * l, u = 0x1p-24L;
    number delta = std::abs(y) * 0x1p-21L * std::max(1.0L, std::abs(l)) * (1 + u) + u * std::abs(w), last = 0x1p-21L;
    if (is_integer && std::abs(y) > 16777216) delta += u * std::abs(w);
    if (half) delta = std::abs(y) * 0x1p-9L * std::max(1.0L, std::abs(l)) + 0x1p-10L * std::abs(w), last = 0x1p-8L;
    const number more = half ? share * 0x1p-24L : 0;
    // Below 2^-128 of y < 0 a^-y may be infinite, whose reciprocal is 0.
    const bool is_lost = y < 0 && w - share * delta <= -128;
    const number low = is_lost ? 0 : std::exp2(w - share * delta) * (1 - share * last),
                 high = std::exp2(w + share * delta) * (1 + share * last);
    result.add(std::max(low - more, 0.0L), high + more);
    if (high >= (half ? 65504 : 3.4028234663852886e38L) || (y < 0 && !half && high >= activated::great_divisor))
      result.above = true;
    const bool may_lose = half && y < 0 && (w >= 14 || w <= -15);
    if (may_lose && share > 1) result.add(0, infinite);
    if (may_lose) result.above = true;
    return result;
  }
  // Of the numbers of an interval, at many of them.
  answers of(number low, number high) const {
    answers result = of(low);
    if (low == high) return result;
    for (int i = 1; i <= 200; ++i) result.add(of(low + (high - low) * i / 200));
    for (const number end : {-1.0L, -0.0L, 0.0L, 1.0L})
      if (low <= end && end <= high) result.add(of(end));
    if (std::isinf(y) && std::max(std::abs(low), std::abs(high)) >= 1 &&
        ((low <= 0 && high >= 0) || std::min(std::abs(low), std::abs(high)) <= 1))
      return anything();
    if (y < 0 && std::isfinite(y) && low <= 0 && high >= 0) {
      result.add(0, infinite);
      result.above = true;
      if (low < 0 && is_odd()) result.add(-infinite, 0), result.below = true;
    }
    return result;
  }
};

// Whether FLOAT16 holds an exponent.
inline bool is_held(number y) {
  const auto nearest = [](number x) {
    return static_cast<double>(value_of<float16>(neighbours_of<float16>(exact_number(static_cast<double>(x))).nearest));
  };
  return !std::isfinite(y) || nearest(y) == static_cast<double>(y);
}

template <class T>
element_rule rule_of(bits element, number y, bool is_integer, const std::optional<scale_bias>& by, bool flushing,
                     bool half) {
  if (half && !is_held(y)) return activated::anything<T>();
  const bool flushes_y = y != 0 && std::abs(y) < activated::least && (flushing || !std::is_same_v<T, float>);
  const device inner{y, is_integer, half, flushes_y, 1 - 0x1p-20L}, outer{y, is_integer, half, flushes_y, 1 + 0x1p-9L};
  return elementary::rule_of<T>(inner, outer, element, by, flushing, half);
}

// A float converted to an integer type.
template <class T>
element_rule truncated_rule(T x, number y, bool half) {
  if (half && !is_held(y)) return {false};
  const device inner{y, false, half, y != 0 && std::abs(y) < activated::least, 1 - 0x1p-20L};
  device outer = inner;
  outer.share = 1 + 0x1p-9L;
  const auto base = static_cast<number>(x);
  number off = std::abs(base) > 16777216 ? 0x1p-24L * std::abs(base) : 0;
  if (half && static_cast<number>(static_cast<float>(static_cast<float16>(static_cast<float>(base)))) != base)
    off += 0x1p-10L * std::abs(base) + 0x1p-24L;
  const answers sure = inner.of(base), all = outer.of(base - off, base + off);
  const auto ends_of = [&](const answers& a, double& low, double& high) {
    if (a.nan || a.above || a.below || !(a.low <= a.high)) return false;
    low = std::trunc(static_cast<double>(static_cast<float>(a.low)));
    high = std::trunc(static_cast<double>(static_cast<float>(a.high)));
    return low >= static_cast<double>(std::numeric_limits<T>::min()) &&
           high <= static_cast<double>(std::numeric_limits<T>::max());
  };
  float_range range{.type = data_type_of<T>, .low = 1, .high = 0, .outer_low = 1, .outer_high = 0, .integers = true};
  element_rule rule;
  const bool is_sure = ends_of(sure, range.low, range.high);
  if (!is_sure || (half && std::abs(base) > 65504)) return {false};
  if (!ends_of(all, range.outer_low, range.outer_high)) range.open = true, range.low = 1, range.high = 0;
  rule.range = range;
  return rule;
}

template <class T>
element_rule whole_rule(T x, std::int64_t y) {
  const auto base = static_cast<number>(x);
  number power = 1;
  if (y < 0) {
    if (base != 1 && base != -1) return {false};
    power = base == 1 || y % 2 == 0 ? 1 : -1;
  } else if (std::abs(base) < 2) {
    power = y == 0 ? 1 : base == -1 && y % 2 == 0 ? 1 : base;
  } else {
    for (std::int64_t i = 0; i < y && std::abs(power) < 0x1p40L; ++i) power *= base;
  }
  if (power > static_cast<number>(std::numeric_limits<T>::max()) ||
      power < static_cast<number>(std::numeric_limits<T>::min()))
    return {false};
  return {true, {bits_of(static_cast<T>(power))}};
}

}  // namespace powered

template <element_wise_op Op>
requires(goldml::detail::is_power<Op>) all_rules
    rules_of(const element_wise_desc<Op>& desc, input_refs inputs, output_descs, bool flushing = false) {
  output_rules rules;
  const bool half = desc.accumulation != accumulation::single;
  const values bases = values_of(inputs[0]);
  std::vector<powered::number> exponents(bases.size());
  bool are_integers = false;
  if constexpr (Op == element_wise_op::pow) {
    const values given = values_of(inputs[1]);
    visit_data_type(a8_types{}, inputs[1].desc().data_type, [&]<class E>(std::type_identity<E>) {
      are_integers = std::is_integral_v<E>;
      for (std::size_t i = 0; i < given.size(); ++i)
        exponents[i] = static_cast<powered::number>(static_cast<double>(judged::value_of<E>(given[i])));
    });
  } else {
    std::fill(exponents.begin(), exponents.end(), static_cast<powered::number>(desc.exponent));
  }
  visit_data_type(a8_types{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
    for (std::size_t i = 0; i < bases.size(); ++i)
      if constexpr (!std::is_integral_v<T>)
        rules.push_back(powered::rule_of<T>(bases[i], exponents[i], are_integers, desc.scale_bias,
                                            flushing && std::is_same_v<T, float>, half));
      else if (are_integers)
        rules.push_back(powered::whole_rule(judged::value_of<T>(bases[i]), static_cast<std::int64_t>(exponents[i])));
      else
        rules.push_back(powered::truncated_rule(judged::value_of<T>(bases[i]), exponents[i], half));
  });
  return {rules};
}

}  // namespace judged
