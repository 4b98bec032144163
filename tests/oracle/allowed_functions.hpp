// The functions of the activations, written from their pages, in long double, and how far a device may be from them
// (ledger AR-R10), derived again.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include <goldml/arithmetic/activations.hpp>

#include "allowed_values.hpp"

namespace judged {

namespace activated {

using number = long double;
using type = goldml::arithmetic::activation_type;

inline constexpr number unit = 0x1p-24L;
inline constexpr number least = 0x1p-126L;

struct function {
  type f;
  number a = 0;
  number b = 0;
};

inline number softplus_of(number w) { return std::max(w, 0.0L) + std::log1p(std::exp(-std::abs(w))); }

inline number value_of_function(const function& e, number x) {
  constexpr number infinite = std::numeric_limits<number>::infinity();
  const bool below = x < 0;
  switch (e.f) {
    case type::clip: {
      const number y = x >= e.a ? x : e.a;  // Min of NaN
      return y <= e.b ? y : e.b;
    }
    case type::identity:
      return x;
    case type::linear:
      return e.a * x + e.b;
    case type::relu:
      return x > 0 ? x : 0;  // also of NaN
    case type::leaky_relu:
      return below ? e.a * x : x;
    case type::elu:
      return below ? e.a * std::expm1(x) : x;
    case type::scaled_elu:
      return x > 0 ? e.b * x : e.b * e.a * std::expm1(x);
    case type::celu:
      if (x != x) return 0;
      if (!below) return x;
      return e.a == 0 ? 0 : e.a * std::expm1(x / e.a);
    case type::sigmoid:
      return 1 / (1 + std::exp(-x));
    case type::tanh:
      return std::tanh(x);
    case type::scaled_tanh:
      return e.a * std::tanh(e.b * x);
    case type::hard_sigmoid: {
      const number y = e.a * x + e.b;
      return y < 0 ? 0 : y < 1 ? y : 1;  // 1 of NaN
    }
    case type::softsign:
      return x / (1 + std::abs(x));
    case type::softplus:
      if (e.a == 0) return std::isfinite(x) ? infinite : std::numeric_limits<number>::quiet_NaN();
      return softplus_of(e.a * x) / e.a;
    case type::gelu:
      return x * std::erfc(-x * std::numbers::sqrt2_v<number> / 2) / 2;
    case type::swish:
      return x / (1 + std::exp(-e.a * x));
    case type::hard_swish:
      return x * std::min(std::max(e.a * x + e.b, 0.0L), 1.0L);
    case type::thresholded_relu:
      return x > e.a ? x : 0;  // 0 of NaN
    case type::shrink:
      return x > e.b ? x - e.a : x < -e.b ? x + e.a : 0;
    default:
      return e.a * softplus_of(e.b * x);
  }
}

// What the steps of a device are off by: a rounding; 2^x, relatively; a logarithm, by log max(log_from, |v|) and
// log_more |v|; what it loses below the normal numbers; a quotient, in roundings; and tanh, absolutely: at least, or by
// more than its steps.
struct precision {
  number unit, exp, log, log_from, log_more, least, quotient, tanh_at_least, tanh_more;
};
inline constexpr precision in_single{0x1p-24L, 0x1p-21L, 0x1p-21L, 0.7L, 0x1p-22L, 0x1p-126L, 9, 0.0008L, 0};
inline constexpr precision in_host{0x1p-24L, 0x1p-21L, 0x1p-21L, 0.7L, 0x1p-22L, 0x1p-126L, 9, 0, 1e-5L};  // fused
// In half precision surely (AR-R3), and at most: 2^14 times as much.
inline constexpr precision in_half{0x1p-11L, 0x1p-8L, 0x1p-9L, 1, 0, 0, 3, 0, 0};
inline constexpr precision half_at_most{0x1p-10L, 0x1p-7L, 0x1p-7L, 0.7L, 0x1p-8L, 0x1p-112L, 3, 0x1p-7L, 0};
// Where the reciprocal of a number may be subnormal.
inline constexpr number great_divisor = 0x1p126L * (1 - 0x1p-21L);

// e^x is 2^(x log2 e), and ln x is log2 x times ln 2.
inline number exp_off(number x, const precision& p) { return p.exp + std::abs(x) * p.exp / 2; }
inline number log_off(number v, const precision& p) {
  return p.log * std::max(p.log_from, std::abs(v)) + p.log_more * std::abs(v);
}
inline number tanh_off(number x, const precision& p) {
  const number s = std::tanh(x);
  if (x == 0 && p.unit == unit) return 0;
  const number steps = (1 - s * s) / 2 * exp_off(2 * x, p) + p.exp * std::abs(s) + p.unit;
  return std::max(p.tanh_at_least, steps + p.tanh_more);
}
inline number softplus_off(number w, const precision& p) {
  const number slope = 1 / (1 + std::exp(-w));
  return slope * (exp_off(w, p) + p.unit * std::abs(w)) + p.unit + log_off(softplus_of(w), p) + p.least;
}

// How far a device may be that has x exactly.
inline number off(const function& e, number x, const precision& p = in_single) {
  const number s = std::abs(value_of_function(e, x));
  if (!std::isfinite(s)) return 0;
  const number w = e.b * x;
  switch (e.f) {
    case type::clip:
    case type::identity:
    case type::relu:
    case type::thresholded_relu:
      return 0;
    case type::shrink:
      return p.unit * s;
    case type::gelu: {
      const number v = x * std::numbers::sqrt2_v<number> / 2;
      const number of_erf = p.unit != unit ? 0x1p-6L : std::abs(v) < 4 && p.tanh_at_least != 0 ? 0x1p-10L : 0x1p-18L;
      const number slope = 2 * std::abs(x * v) * std::exp(-v * v) / std::sqrt(std::numbers::pi_v<number>);
      return std::abs(x) / 2 * of_erf + p.unit * (slope + std::abs(x)) + 3 * p.unit * s;
    }
    case type::swish: {
      const number v = e.a * x, share = 1 / (1 + std::exp(-v));
      const number of_share = share * (1 - share) * 1.01L * p.unit * std::abs(v) +
                              share * ((1 - share) * exp_off(v, p) + (2 + p.quotient) * p.unit) + p.least;
      return std::abs(x) * of_share + p.unit * s;
    }
    case type::hard_swish: {
      const auto share = [](number v) { return std::min(std::max(v, 0.0L), 1.0L); };
      const number v = e.a * x + e.b, v_off = 4 * p.unit * (std::abs(e.a * x) + std::abs(e.b));
      const number above = share(v + v_off) - share(v), below = share(v) - share(v - v_off);
      if (above == 0 && below == 0 && (share(v) == 0 || share(v) == 1)) return 0;
      return std::abs(x) * std::max(above, below) + p.unit * s;
    }
    case type::linear:
    case type::hard_sigmoid:
      return 2 * p.unit * (std::abs(e.a * x) + std::abs(e.b));
    case type::leaky_relu:
      return x < 0 ? p.unit * s : 0;
    case type::elu:
      return x < 0 ? std::abs(e.a) * std::exp(x) * exp_off(x, p) + 4 * p.unit * s : 0;
    case type::scaled_elu:
      if (x > 0) return p.unit * s;
      return std::abs(e.a * e.b) * std::exp(x) * (exp_off(x, p) + 2 * p.unit) + 4 * p.unit * s;
    case type::celu: {
      if (e.a == 0) return 0;
      const number v = x / e.a;
      // From 0 on e^v - 1 has the sign that min() drops, but for its error: of a positive v it is too little, of a
      // negative one too much.
      if (!(x < 0)) {
        const number of_exp = std::min(exp_off(v, p), 1.0L);
        const number nearest = v * (1 - std::min(p.quotient * p.unit, 1.0L));
        if (v >= 0) return std::abs(e.a) * std::max(1 - (1 - of_exp) * std::exp(std::min(nearest, 700.0L)), 0.0L);
        return std::abs(e.a) * std::max((1 + of_exp) * std::exp(nearest) - 1, 0.0L);
      }
      const number argument = std::expm1(std::min(p.quotient * unit * std::abs(v), 700.0L)) * (p.unit / unit);
      return std::abs(e.a) * std::exp(v) * (exp_off(v, p) + argument) + 4 * p.unit * s;
    }
    case type::sigmoid:
      return s * ((1 - s) * exp_off(x, p) + (2 + p.quotient) * p.unit) + p.least;
    case type::tanh:
      return tanh_off(x, p);
    case type::scaled_tanh: {
      const number t = std::tanh(w);
      return std::abs(e.a) * (tanh_off(w, p) + (1 - t * t) * p.unit * std::abs(w)) + p.unit * s;
    }
    case type::softsign:
      return (1 + p.quotient) * p.unit * s + (std::abs(x) >= great_divisor ? std::abs(x) * 0x1p-149L : 0);
    case type::softplus:
      return softplus_off(e.a * x, p) / std::abs(e.a) + (e.a == 1 && p.unit == unit ? 0 : p.quotient * p.unit * s);
    default:
      return std::abs(e.a) * softplus_off(w, p) + p.unit * s;
  }
}

// What a device clamps to 0..1, or the value.
inline number before_clamp(const function& e, number x) {
  return e.f == type::hard_sigmoid ? e.a * x + e.b : value_of_function(e, x);
}
// max(0, x) + min(0, y): no error makes it greater.
inline bool is_exact_above(const function& e, number x) { return e.f == type::celu && x >= 0; }

inline bool never_negative(type f) { return f == type::relu || f == type::sigmoid || f == type::hard_sigmoid; }

// Intermediate results that overflow, of an x that a device may be off by so much.
inline void add_overflows(const function& e, number x, number x_off, float_range& range, bool half = false) {
  constexpr number slack = 1 + 0x1p-12L;
  const number greatest = half ? 65504 : static_cast<number>(std::numeric_limits<float>::max());
  const number log_of_greatest = half ? 11 : 88.72L;
  const auto infinite = [&](bool negative) { (negative ? range.below : range.above) = true; };
  const number factor = e.f == type::softplus ? e.a : e.b;
  const bool is_exp_infinite = factor * x * slack + std::abs(factor) * x_off >= log_of_greatest;
  const number product = std::abs(e.a) * (std::abs(x) + x_off) * (half ? 1 + 0x1p-9L : slack);
  if (e.f == type::linear && product >= greatest) infinite((e.a < 0) != (x < 0));
  if (e.f == type::softplus && is_exp_infinite) infinite(e.a < 0);
  if (e.f == type::parametric_softplus && is_exp_infinite) {
    if (e.a == 0 || (half && std::abs(e.a) < 0x1p-24L)) range.nan = true;
    if (e.a != 0) infinite(e.a < 0);
  }
  if (e.f == type::celu && e.a < 0 && x / e.a * slack - x_off / e.a >= log_of_greatest) range.below = true;
}

// What f of an infinity may be off by, if it is a number: as at great numbers, of which e^x is 0; in half precision
// also parameters.
inline number off_at_infinity(const function& e, number limit, const precision& p) {
  const number s = std::abs(limit), log_of_1 = p.unit + log_off(0, p);
  const number parameters = p.unit == unit ? 0 : 0x1p-22L * (1 + std::abs(e.a)) * (1 + std::abs(e.b));
  switch (e.f) {
    case type::softplus:
      return log_of_1 / std::abs(e.a) + p.least + parameters;
    case type::parametric_softplus:
      return log_of_1 * std::abs(e.a) + p.least + parameters;
    case type::elu:
    case type::celu:
    case type::scaled_elu:
      return 4 * p.unit * s + parameters;
    case type::sigmoid:
      return (2 + p.quotient) * p.unit * s + p.least + parameters;
    case type::tanh:
      return std::max(p.tanh_at_least, p.exp + p.unit + p.tanh_more) + parameters;
    case type::scaled_tanh:
      return s * (std::max(p.tanh_at_least, p.exp + p.unit + p.tanh_more) + p.unit) + parameters;
    default:
      return e.f == type::relu ? 0 : parameters;
  }
}

// Half precision: what the numbers below the normal ones add; numbers that FLOAT16 does not hold, or as 0.
inline number steps_off(const function& e, number x) {
  const number a = std::abs(e.a), b = std::abs(e.b), most = std::min(std::abs(x), 65504.0L);
  const number divided = a != 0 && (e.f == type::softplus || e.f == type::celu) ? (1 + std::abs(x)) / a : 0;
  const number factor = e.f == type::hard_swish ? 1 + most : 1;  // of the argument of the clamp
  return 0x1p-22L * ((1 + a) * (1 + b) * (1 + most) * factor + divided);
}
inline bool is_anything(const function& e) {
  const number a = std::abs(e.a), b = std::abs(e.b);
  const bool divides = e.f == type::softplus || e.f == type::celu || e.f == type::swish;
  if (divides && (a > 65504 || (a > 0 && a < 0x1p-14L))) return true;
  if ((e.f == type::hard_sigmoid || e.f == type::hard_swish) && std::max(a, b) > 65504) return true;
  if ((e.f == type::thresholded_relu || e.f == type::shrink) && a > 65504) return true;
  return (e.f == type::scaled_tanh || e.f == type::parametric_softplus || e.f == type::shrink) && b > 65504;
}
// Numbers that FLOAT16 may have as infinities.
inline bool may_be_infinite(const function& e, number x) {
  const number a = std::abs(e.a), b = std::abs(e.b);
  return std::max(a, b) > 65504 || (e.f == type::scaled_elu && a * b > 65504.0L / (1 + 0x1p-9L)) ||
         (std::isfinite(x) && std::abs(x) > 65504);
}
// An infinity times what FLOAT16 may have as 0.
inline bool may_be_nan(const function& e, number x) {
  if (!std::isinf(x)) return false;
  const number a = std::abs(e.a), b = std::abs(e.b);
  // What an infinity is multiplied by.
  const bool by_a = e.f == type::linear || e.f == type::hard_sigmoid || e.f == type::parametric_softplus ||
                    (x < 0 && (e.f == type::leaky_relu || e.f == type::scaled_elu));
  const bool by_b = e.f == type::scaled_elu || e.f == type::scaled_tanh || e.f == type::parametric_softplus;
  return (by_a && a > 0 && a < 0x1p-24L) || (by_b && b > 0 && b < 0x1p-24L);
}

}  // namespace activated

}  // namespace judged
