// What a device may answer to LOCAL_RESPONSE_NORMALIZATION and its gradient (SPEC-normalisation 3.6, 3.7; ledger
// LR-R2).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include <goldml/arithmetic/local_response.hpp>
#include <goldml/arithmetic/moments.hpp>
#include <goldml/arithmetic/primitives.hpp>

namespace goldml::arithmetic {

// D of an element, and its powers.
class response_bounds {
 public:
  // Of a window of `count` elements with this sum of squares, in double precision.
  response_bounds(const local_response_form& form, double squares, double count, const arithmetic_mode& mode)
      : units_(mode), form_(form) {
    const double alpha = std::abs(form.alpha), terms = std::abs(form.bias) + alpha / form.divisor * squares;
    const bool half = mode.rounds_to_half();
    divisor_ = form.bias + form.alpha / form.divisor * squares;
    const double least = half ? 0x1p-24 : units_.flushed(1);
    const double squared = mode.half_products() ? growth(3, half_cut_unit) : 0;
    for (const granted what : grants)
      off_[static_cast<std::size_t>(what)] = (units_.divided(count + 6 + (half ? 3 : 0), what) + squared) * terms +
                                             least * (3 + alpha * (count + 1) + squares) +
                                             (half ? 0x1p-25 * (count + 3) : 0) + 0x1p-50 * terms;
    overflows_ = (mode.float32 || half) &&
                 !((std::max)(1.0, alpha) * squares * (1 + growth(count + 6, units_.sum)) < mode.of().greatest);
  }

  double divisor() const { return divisor_; }
  double off(granted what) const { return off_[static_cast<std::size_t>(what)]; }
  bool is_undefined() const { return divisor_ + off(granted::possible) < 0 || is_nan(divisor_); }
  bool is_judged() const { return divisor_ - off(granted::possible) > 0; }
  bool overflows() const { return overflows_; }

  double power(double exponent) const { return std::pow(divisor_, -exponent); }
  // By how much the power may be off by D, and what its own computation adds, relatively.
  struct errors {
    double by_divisor, own;
  };
  errors errors_of(double exponent, granted what) const {
    const double p = power(exponent), low = divisor_ - off(what), high = divisor_ + off(what);
    if (!(low > 0)) return {std::numeric_limits<double>::infinity(), 0};
    const double q = (std::max)(std::abs(std::pow(low, -exponent) - p), std::abs(std::pow(high, -exponent) - p));
    return {q, (std::max)(of_power(exponent, std::log(low)), of_power(exponent, std::log(high)))};
  }
  // Of the product with a power, or the quotient by one.
  double of_step(granted what) const {
    if (units_.mode.rounds_to_half()) return 7 * units_.element;
    return (what == granted::possible ? 10 : 4) * units_.sum;
  }
  double least() const { return units_.mode.rounds_to_half() ? 0x1p-24 : units_.flushed(1); }
  bool is_extreme(double exponent) const {
    const errors e = errors_of(exponent, granted::possible);
    const double p = power(exponent);
    const double most = units_.mode.half() ? 0x1p14 : 0x1p124, lowest = units_.mode.half() ? 0x1p-14 : 0x1p-124;
    return !(p + e.by_divisor < most) || !(p - e.by_divisor > lowest);
  }

  // tau of the digest: of a factor with a power of D.
  double relative(double exponent, granted what) const {
    const errors e = errors_of(exponent, what);
    return (1 + e.by_divisor / power(exponent)) * (1 + e.own) * (1 + of_step(what)) - 1;
  }
  double relative_by_division(granted what) const {
    return (1 + relative(form_.beta, what)) * (1 + off(what) / (divisor_ - off(what))) * (1 + of_step(what)) - 1;
  }

  static constexpr std::array<granted, 3> grants{granted::possible, granted::close, granted::usual};

 private:
  double of_power(double exponent, double log) const {
    const double b = std::abs(exponent), e = b * std::abs(log);
    if (!units_.mode.rounds_to_half())
      return std::expm1(b * (0x1p-21 * (std::max)(0.7, std::abs(log)) + 0x1p-22 * std::abs(log)) + 0x1p-21);
    const double of_log = 0x1p-9 * (std::max)(1.0, std::abs(log));
    return std::expm1(b * of_log + units_.element * e) + (4 + 2 * (e + b * of_log)) * 0x1p-10;
  }

  normalisation_units units_;
  local_response_form form_;
  double divisor_ = 0;
  std::array<double, 3> off_{};
  bool overflows_ = false;
};

// An answer; no number if nothing is known.
struct response_bound {
  bound number;
  bool is_judged = true;
};

// x * D^-Beta.
inline response_bound normalised_response(const local_response_form& form, const response_bounds& d, double x,
                                          const arithmetic_mode& mode) {
  response_bound result;
  bound& b = result.number;
  const double beta = form.beta;
  const bool is_half = mode.rounds_to_half() && mode.float32;
  using goldml::detail::is_finite_double;
  // Beta 0: the power is 1, or NaN.
  const bool is_open = beta == 0 && (!d.is_judged() || !is_finite_double(d.divisor()));
  if (!is_finite_double(x) || (beta != 0 && !is_finite_double(d.divisor())) || !is_finite_double(beta)) {
    b.value = beta == 0 ? x : x * (d.divisor() < 0 ? std::numeric_limits<double>::quiet_NaN() : d.power(beta));
    b.add(interval_also::nan, beta == 0 || is_half);
    return result;
  }
  if (is_half && std::abs(x) > half_precision.greatest) return {{}, false};
  if (beta != 0 && d.is_undefined()) {
    b.value = std::numeric_limits<double>::quiet_NaN();
    if (beta == std::floor(beta)) {  // the real power is accepted, too
      b.value = x * std::pow(d.divisor(), -beta);
      b.error = b.usual_error = std::abs(b.value) * 0x1p-8;
      b.add(interval_also::specials, true);
    }
    return result;
  }
  if (!d.is_judged() && beta != 0) return {{}, false};
  const double p = beta == 0 ? 1 : d.power(beta), size = std::abs(x);
  b.value = x * p;
  if (is_zero(x) && !is_open && !d.is_extreme(beta) && !d.overflows()) return result;
  const auto error = [&](granted what) {
    if (is_open) return (mode.rounds_to_half() ? 0x1.1p-7 : 0x1p-20) * size + (is_zero(x) ? 0 : d.least() * (size + 2));
    const auto e = d.errors_of(beta, what);
    const double step = d.of_step(what);
    return size * (e.by_divisor * (1 + e.own) + p * e.own) * (1 + step) + step * size * p + d.least() * (size + p + 1) +
           0x1p-40 * size * p + (mode.float32 ? 0x1p-150 * (size + 1) : 0);
  };
  b.error = error(granted::possible);
  b.close_error = error(granted::close);
  b.usual_error = error(granted::usual);
  if (beta == 0) {
    b.add(interval_also::nan, is_open || d.overflows() || !(std::abs(d.divisor()) < mode.of().greatest));
    return result;
  }
  if (d.overflows() || d.is_extreme(beta)) {  // also 0, and what an infinity makes of x
    b.error = (std::max)(b.error, size * p);
    b.close_error = b.error;
    b.add(interval_also::specials, true);
  }
  return result;
}

}  // namespace goldml::arithmetic
