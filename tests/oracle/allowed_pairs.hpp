// The rules of MEAN, DIFFERENCE_SQUARE, MODULUS_TRUNCATE, MODULUS_FLOOR and ATAN_YX, written from SPEC-functions 4 in
// long double, for single precision.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <type_traits>
#include <utility>
#include <vector>

#include "allowed_elementary.hpp"

namespace judged {

namespace paired {

using elementary::answers;
using elementary::infinite;
using elementary::number;
using elementary::op;
inline constexpr number unit = 0x1p-24L, least = 0x1p-126L, quotient = 9 * unit;

// Sets apart from each other, the golden one first. Errors are multiplied by `share`.
struct device {
  op f;
  number share;
  bool is_float32;
  std::vector<answers> sets = {};
  bool anything = false;

  void add(number low, number high) {
    answers one;
    one.low = low, one.high = high;
    sets.push_back(one);
  }
  void around(number y, number off) {
    if (std::isinf(y))
      (y > 0 ? sets[0].above : sets[0].below) = true;
    else
      add(y - share * off, y + share * off);
  }
  void of(number a, number b) {
    const bool finite = std::isfinite(a) && std::isfinite(b);
    if (f == op::mean) {
      if (!finite && std::isnan(a + b)) return void(sets[0].nan = true);
      around((a + b) / 2, is_float32 && ((a != 0 && std::abs(a) < 2 * least) || (b != 0 && std::abs(b) < 2 * least))
                              ? 0x1p-149L
                              : 0);
      if (finite && std::abs(a + b) >= 0x1.ffffffp127L) (a + b > 0 ? sets[0].above : sets[0].below) = true;
    } else if (f == op::difference_square) {
      if (!finite && std::isnan(a - b)) return void(sets[0].nan = true);
      const number d = a - b, y = d * d;
      const auto is_float = [](number v) { return static_cast<number>(static_cast<float>(v)) == v; };
      const bool exact = !finite || (is_float(d) && d - a == -b && is_float(y));
      around(y, exact ? 0 : y * std::expm1(3 * std::log1p(unit)));
      if (exact && finite) return;
    } else if (f == op::atan_yx) {
      angle(a, b);
    } else {
      modulus(a, b);
    }
  }
  void angle(number y, number x) {
    constexpr number pi = std::numbers::pi_v<number>;
    if (y == 0 && x == 0) return void(anything = true);
    const number e = 0.0008L + 4 * unit;
    around(std::atan2(y, x), e);
    if (y == 0 && std::signbit(y) && x < 0) around(pi, e), around(-pi, e);
    if (std::isinf(y) && std::isinf(x)) sets[0].nan = true;
    if (std::abs(x) < 0x1p126L * (1 - 0x1p-22L) || std::isinf(x)) return;
    if (std::isinf(y)) sets[0].nan = true;
    around(x > 0 ? 0 : std::copysign(pi, y), e);
  }
  void modulus(number a, number b) {
    const bool floors = f == op::modulus_floor;
    if (!std::isfinite(a) || b == 0) return void(sets[0].nan = true);
    const auto whole = [&](number v) { return floors ? std::floor(v) : std::trunc(v); };
    if (std::isinf(b)) {
      sets[0].nan = true;
      around(a, 0);
      if (floors && a != 0 && (a < 0) != (b < 0)) around(b, 0);
      return;
    }
    if (is_float32 && std::abs(b) < least) return void(anything = true);
    number rest = std::fmod(a, b);
    if (floors && rest != 0 && (rest < 0) != (b < 0)) rest += b;
    const number q = a / b, off = share * quotient * std::abs(q);
    int exponent = 0;
    if (std::abs(std::frexp(b, &exponent)) == 0.5L && std::abs(q) < 0x1p127L) {
      add(rest, rest);
    } else {
      if (std::abs(q) >= 0x1p21L) return void(anything = true);
      const number e = share * (quotient + unit) * (std::abs(a) + std::abs(b)), n = std::round((a - rest) / b);
      add(rest - e, rest + e);
      for (number other = whole(q - off); other <= whole(q + off); ++other)
        if (other != n) add(rest + (n - other) * b - e, rest + (n - other) * b + e);
    }
    if (floors && std::abs(a) + std::abs(b) >= 3.4028234663852886e38L) (b > 0 ? sets[0].above : sets[0].below) = true;
    if (is_float32 && std::abs(b) >= activated::great_divisor) add(a, a), add(0, 0);
  }
};

template <op F, class T>
element_rule rule_of(bits first, bits second, bool flushing) {
  const auto a = static_cast<number>(static_cast<double>(judged::value_of<T>(first)));
  const auto b = static_cast<number>(static_cast<double>(judged::value_of<T>(second)));
  element_rule rule;
  if (a != a || b != b) return {true, {quiet_nan_of<T>()}};
  const auto all_of = [&](number share) {
    device d{F, share, std::is_same_v<T, float>, {answers{}}};
    d.of(a, b);
    const auto small = [&](number x) { return x != 0 && std::abs(x) < (F == op::mean ? 2 : 1) * least; };
    if (flushing) {
      const number zero = F == op::atan_yx ? -0.0L : std::copysign(0.0L, a);  // of an angle either sign
      if (small(a)) d.of(zero, b);
      if (small(b)) d.of(a, std::copysign(0.0L, b));
      if (small(a) && small(b)) d.of(zero, std::copysign(0.0L, b));
      if (F == op::difference_square && std::abs(a - b) < least) d.add(0, 0);
      if (F == op::modulus_truncate || F == op::modulus_floor)
        if (std::isfinite(a) && std::isfinite(b) && b != 0 && std::abs(a / b) < least) d.add(a, a);
    }
    return d;
  };
  const device sure = all_of(1 - 0x1p-20L), most = all_of(1 + 0x1p-9L);
  if (most.anything) return activated::anything<T>();
  if (sure.sets.size() == 1 && sure.sets[0].nan && !sure.sets[0].above && !sure.sets[0].below)
    return {true, {quiet_nan_of<T>()}};
  const auto range_of = [&](const answers& inner, const answers& outer) {
    float_range range{.type = data_type_of<T>, .low = 1, .high = 0, .outer_low = 1, .outer_high = 0};
    if (inner.low <= inner.high) {
      range.low = elementary::stored<T>(inner.low, false), range.high = elementary::stored<T>(inner.high, true);
      number low = outer.low - std::abs(outer.low) * 0x1p-50L * (outer.low != inner.low),
             high = outer.high + std::abs(outer.high) * 0x1p-50L * (outer.high != inner.high);
      if (F == op::difference_square) low = std::max(low, 0.0L), range.low = std::max(range.low, 0.0);
      if (flushing && low > 0 && low < least) low = 0;
      if (flushing && high < 0 && high > -least) high = 0;
      range.outer_low = elementary::stored<T>(low, false), range.outer_high = elementary::stored<T>(high, true);
    }
    return range;
  };
  float_range first_range =
      sure.sets.size() > 1 ? range_of(sure.sets[1], most.sets[1]) : range_of(answers{}, answers{});
  first_range.nan = most.sets[0].nan, first_range.above = most.sets[0].above, first_range.below = most.sets[0].below;
  rule.range = first_range;
  for (std::size_t i = 2; i < most.sets.size(); ++i)
    rule.apart.push_back(range_of(i < sure.sets.size() && sure.sets.size() == most.sets.size()
                                      ? sure.sets[i]
                                      : answers{most.sets[i].high, most.sets[i].low},
                                  most.sets[i]));
  // An infinity that another set reaches by its rounding is no overflow.
  for (const float_range& other : rule.apart) {
    if (std::isinf(other.outer_low)) rule.range->below = false;
    if (std::isinf(other.outer_high)) rule.range->above = false;
  }
  return rule;
}

template <op F, class T>
element_rule integer_rule(bits first, bits second) {
  const T a = judged::value_of<T>(first), b = judged::value_of<T>(second);
  constexpr bits mask = ~bits{0} >> (64 - 8 * sizeof(T));
  if constexpr (F == op::mean) {
    const auto sum = static_cast<long double>(a) + static_cast<long double>(b);
    if (sum > static_cast<long double>(std::numeric_limits<T>::max()) ||
        sum < static_cast<long double>(std::numeric_limits<T>::min()))
      return {false};
    return {true, {bits_of(static_cast<T>(std::trunc(sum / 2))), bits_of(static_cast<T>(std::floor(sum / 2)))}};
  } else if constexpr (F == op::difference_square) {
    const bits d = (first - second) & mask;
    return {true, {(d * d) & mask}};
  } else {
    if (b == 0) return {false};
    if (std::is_signed_v<T> && a == std::numeric_limits<T>::min() && b == static_cast<T>(-1)) return {false};
    const T rest = static_cast<T>(a % b);
    const bool moves = F == op::modulus_floor && rest != 0 && (rest < 0) != (b < 0);
    return {true, {bits_of(static_cast<T>(moves ? rest + b : rest))}};
  }
}

}  // namespace paired

template <element_wise_op Op>
requires(goldml::detail::is_pair<Op>) all_rules
    rules_of(const element_wise_desc<Op>&, input_refs inputs, output_descs, bool flushing = false) {
  output_rules rules;
  const values a = values_of(inputs[0]), b = values_of(inputs[1]);
  visit_data_type(a10_types{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
    for (std::size_t i = 0; i < a.size(); ++i)
      if constexpr (std::is_integral_v<T>)
        rules.push_back(paired::integer_rule<Op, T>(a[i], b[i]));
      else
        rules.push_back(paired::rule_of<Op, T>(a[i], b[i], flushing && std::is_same_v<T, float>));
  });
  return {rules};
}

}  // namespace judged
