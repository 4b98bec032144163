// A step of ADAM_OPTIMIZER as one formula over a number type N (SPEC-functions 8).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/arithmetic/formula/device_number.hpp>
#include <goldml/core/inline.hpp>

namespace goldml::formula {

template <class N>
struct adam_numbers {
  N parameter, first, second;
};
// What a call has once: `correction` is that of the moments, which start at 0.
template <class N>
struct adam_weights {
  N rate, correction, beta1, beta2, epsilon;
};

// Of the powers of both Betas.
template <class N>
N adam_correction(const N& power1, const N& power2) {
  return sqrt(one_minus(power2)) / one_minus(power1);
}
// beta * old + (1 - beta) * x, or of x^2.
template <class N>
GOLDML_INLINE N moving_average(const N& beta, const N& old, const N& x, bool of_square) {
  return beta * old + one_minus(beta) * (of_square ? x * x : x);
}
template <class N>
GOLDML_INLINE N adam_change(const adam_weights<N>& w, const N& first, const N& divisor) {
  return w.rate * w.correction * first / divisor;
}
template <class N>
GOLDML_INLINE adam_numbers<N> adam_step(const adam_numbers<N>& x, const N& gradient, const adam_weights<N>& w) {
  const N first = moving_average(w.beta1, x.first, gradient, false);
  const N second = moving_average(w.beta2, x.second, gradient, true);
  const N divisor = sqrt(may_store(second)) + w.epsilon;
  return {x.parameter - adam_change(w, may_store(first), divisor), first, second};
}

// beta^n as a device has it, of which `value` is the exact one, by exp2(n * log2(beta)); n may be a FLOAT32.
inline device_number power_within(double beta, std::uint32_t n, double value, const arithmetic_mode& mode) {
  if (!(beta >= 0 && beta <= 1)) return {possible::anything(), mode};
  if (is_zero(value)) return {possible::of(0), mode};
  if (n == 0) return {possible::of(1), mode};
  constexpr double u = single_precision.unit;
  const double count = n, log = std::log2(beta), exponent = count * log;
  const double off =
      count * 0x1p-21 * (std::max)(1.0, std::abs(log)) * (1 + u) + (n > 0x100'0000 ? 2 : 1) * u * std::abs(exponent);
  if (exponent < -900) return {possible{0, std::exp2(exponent + off), 0}, mode};
  return device_number::graded(mode, [&](granted what) {
    const bool all = what == granted::possible;
    return possible{all ? value * std::exp2(-off) * (1 - 0x1p-21) : value * (1 - 4 * u),
                    all ? value * std::exp2(off) * (1 + 0x1p-21) : value * (1 + 4 * u), 0};
  });
}

// Each end off by so much of it.
inline possible off_by(possible x, double relative) {
  if (x.none()) return x;
  if (!is_zero(x.low)) x.low = next_below(x.low - std::abs(x.low) * relative);
  if (!is_zero(x.high)) x.high = next_above(x.high + std::abs(x.high) * relative);
  return x;
}

// What a device may have as the correction; anything where 1 - beta1^T may be 0, or 1 - beta2^T below it.
inline device_number adam_correction(const device_number& power1, const device_number& power2) {
  const arithmetic_mode& mode = power1.mode();
  const auto rest = [&](const device_number& power) {
    return device_number::map(power.like(1) - power,
                              [](const possible& x) { return off_by(x, single_precision.unit); });
  };
  const device_number below = rest(power1), above = rest(power2);
  if (mode.rounds_to_half() || !(below.all().low > 0) || !(above.all().low >= 0)) return {possible::anything(), mode};
  return sqrt(above) / below;
}

// In this form, or as old + (1 - beta) * (x - old).
inline device_number moving_average(const device_number& beta, const device_number& old, const device_number& x,
                                    bool of_square) {
  const arithmetic_mode& mode = beta.mode();
  const double b = beta.sure(), m = old.sure(), g = x.sure(), y = of_square ? g * g : g, c = 1 - b;
  const bool half = mode.rounds_to_half();
  const double rest = std::abs(c) + (half ? 1 : 0);  // 1 - beta loses its digits in FLOAT16
  bound result;
  if (!detail::is_finite_double(b) || !detail::is_finite_double(m) || !detail::is_finite_double(g)) {
    result.value = b * m + c * y;
    result.also = detail::is_finite_double(m) ? std::uint8_t{0} : interval_also::nan;  // m - m
    return {result, mode};
  }
  arithmetic_mode steps = mode;
  if (half) steps.accumulation = accumulation::half;
  sum_terms terms;
  terms.add(m);
  terms.add_product(rest, m);
  terms.add_product(rest, y);
  for (const double part : {m, y})  // 2^lowest divides what beta is multiplied by, too
    if (!is_zero(b) && !is_zero(part))
      terms.widen(3, detail::odd_part(b).exponent + detail::odd_part(part).exponent, true);
  const sum_growth by(3, of_square ? 5 : 4, 0, steps);
  const double fixed = half ? 0x1p-22 * (1 + std::abs(m) + std::abs(g)) : terms.lost(steps);
  result.value = b * m + c * y;
  result.error =
      by.worst * (mode.half_products() ? 2 : 1) * terms.magnitude() + fixed + by.in_double * terms.magnitude();
  if (of_square && mode.float32)  // (1 - beta) * x first, or x^2
    result.error += mode.flushes ? 0x1p-126 * std::abs(g) + (std::abs(g) < 0x1p-62 ? y : 0) : 0x1p-149 * std::abs(g);
  if (may_flush(mode) && std::abs(b) < 0x1p-126) result.error += std::abs(b * m) + std::abs(b * y);
  if (!half && terms.is_exact(steps) && (!of_square || nearest_single(y) == y)) result.error = 0;
  result.usual_error = result.error;
  if (!is_zero(result.error)) {
    const double most = half ? half_precision.greatest : single_precision.greatest, grown = 1 + by.worst;
    const auto see = [&](double part, double factor) {  // which is infinite before it is multiplied by the factor
      if (std::abs(part) * grown < most) return;
      const double sign = part * factor;
      result.add(sign > 0   ? interval_also::positive_infinity
                 : sign < 0 ? interval_also::negative_infinity
                            : interval_also::nan,
                 true);
    };
    see(y, of_square ? c : 1);
    see(y - m, c);
    see(c * (y - m), 1);
    see((std::max)(b * m, 0.0) + (std::max)(c * y, 0.0), 1);
    see((std::min)(b * m, 0.0) + (std::min)(c * y, 0.0), 1);
    result.add(interval_also::nan, (result.also & interval_also::infinities) == interval_also::infinities);
    if (half) result.add(interval_also::specials, (std::max)({std::abs(b), std::abs(m), std::abs(g)}) > most);
  }
  const device_number average(result, mode);
  return b >= 0 && b <= 1 && m >= 0 && y >= 0 ? not_negative(average) : average;
}

// The product and the quotient in any order; anything where the divisor may be 0.
inline device_number adam_change(const adam_weights<device_number>& w, const device_number& first,
                                 const device_number& divisor) {
  const arithmetic_mode& mode = first.mode();
  return device_number::graded(mode, [&](granted what) {
    const possible rate = w.rate.read(what), correction = w.correction.read(what), m = first.read(what),
                   d = divisor.read(what);
    if (d.has_zero() || correction.most() == infinity) return possible::anything();
    const possible product = off_by(product_of(product_of(rate, correction), m), 2 * single_precision.unit);
    possible change = quotient_of(product, d, mode, what);
    // What a partial product or quotient may be at most, and is at least.
    double greatest = 1, least = 1;
    const auto see = [&](double most, double low) {
      greatest *= (std::max)(1.0, most);
      least *= (std::min)(1.0, low);
    };
    for (const possible& each : {rate, correction, m}) see(each.most(), each.has_zero() ? 0 : magnitude_of(each).low);
    see(1 / magnitude_of(d).low, 1 / d.most());
    if (greatest * (1 + 0x1p-20) >= single_precision.greatest && !is_zero(product.most())) {
      change.flag(interval_also::positive_infinity, change.high > 0);
      change.flag(interval_also::negative_infinity, change.low < 0);
    }
    if (least < 0x1p-126 * (1 + 0x1p-20) && may_flush(mode) && !change.none()) change.add(0.0);
    if (least < 0x1p-126 && !is_zero(product.most())) change.widen(0x1p-149 * greatest);
    if (mode.float32 && mode.flushes) change.widen(0x1p-125 * (1 + rate.most() * correction.most()));
    return change;
  });
}

}  // namespace goldml::formula
