// How far a device's elementary functions may be from their exact values, before the result is rounded to the type of
// the tensor: what Direct3D and its conformance tests permit, or else a literal formula of its primitives; and what
// known algorithms and hardware need (SPEC-functions 2.2 to 2.4, ledger FN-R1 to FN-R4).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <goldml/arithmetic/activation_bounds.hpp>
#include <goldml/arithmetic/elementary.hpp>
#include <goldml/arithmetic/formula/possible.hpp>

namespace goldml::arithmetic {

// The bounds of one function at numbers that a device has exactly.
class elementary_bounds {
 public:
  using possible = formula::possible;

  // `mode` must outlive this.
  elementary_bounds(elementary f, const arithmetic_mode& mode, granted what)
      : f_(f),
        possible_(what == granted::possible),
        half_(mode.rounds_to_half()),
        flushes_(mode.flushes && mode.float32 && !half_),
        steps_{mode.float32, mode.flushes, half_ ? accumulation::half : accumulation::single},
        unit_(half_ ? half_precision.unit : detail::u32),
        quotient_(error_of_quotient(steps_, what)),
        root_(error_of_root(steps_, what)) {}

  // f of an infinity or a NaN, a pole or a number outside of the domain; or of a finite number, to within an error.
  possible at(double x) const { return at(x, elementary_value(f_, x)); }
  possible at(double x, const approximation& golden) const {
    using enum elementary;
    // What is beyond 2^1000 is infinite before it is narrowed; no double tells by how much.
    const bool is_beyond = std::abs(golden.value) > 0x1p1000;
    const double y = is_beyond ? std::copysign(formula::infinity, golden.value) : golden.value;
    possible result = possible::of(y);
    if (!goldml::detail::is_finite_double(x)) {
      if (f_ == asinh && x < 0) result.flag(interval_also::nan);
      if ((f_ == atan || f_ == elementary::tanh) && !result.none())
        widen(half_ ? 0x1p-7 : possible_ ? tests : close_of_limit(), 0, result);
      return in_range(result);
    }
    const possible others = overflows_of(x, y);
    if (f_ == acosh && x < -1 && possible_) add_rounded_root(x, result);
    if (!goldml::detail::is_finite_double(y) || (is_zero(x) && !half_ && is_exact_at_zero())) {
      result.add(others);
      return result;
    }
    if (is_flushed_angle(x)) {
      if (f_ != cos) result.widen(detail::least_normal);
    } else if (f_ == tan) {
      result = tangent(x);
    } else if (f_ == asinh && (possible_ || half_)) {
      result.add(asinh_range(x));
    } else if (f_ == acosh) {
      result.add(acosh_range(x));
    } else {
      widen(error(x, y), golden.error, result);
    }
    result.add(others);
    return in_range(result);
  }

  // f of the numbers from low to high, and of what `also` has.
  possible over(const possible& x) const {
    using enum elementary;
    possible result;
    if (x.has(interval_also::nan)) result.flag(interval_also::nan);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (x.has(interval_also::positive_infinity)) result.add(at(infinity));
    if (x.has(interval_also::negative_infinity)) result.add(at(-infinity));
    if (x.none()) return result;
    result.add(at(x.low));
    if (x.low < x.high || std::signbit(x.low) != std::signbit(x.high)) result.add(at(x.high));
    const auto [least, most] = domain_of(f_);
    for (const double end : {least, most})
      if (x.low < end && end < x.high) result.add(at(end));
    // Beside the pole at an end of the domain results have no bound.
    if (f_ == elementary::log && x.low <= 0 && x.high > 0) result.low = -infinity;
    if (f_ == atanh && x.low <= -1 && x.high > -1) result.low = -infinity;
    if (f_ == atanh && x.low < 1 && x.high >= 1) result.high = infinity;
    if (x.low < x.high) add_between(x, result);
    if (half_) {
      result.flag(interval_also::positive_infinity, result.high >= half_precision.greatest);
      result.flag(interval_also::negative_infinity, result.low <= -half_precision.greatest);
    }
    if (!flushes_) return result;
    for (const double end : {x.low, x.high})
      if (end != 0 && std::abs(end) < detail::least_normal) result.add(at(std::copysign(0.0, end)));
    const bool is_odd = f_ == sin || f_ == sinh || f_ == elementary::tanh || f_ == asinh || f_ == atanh;
    if (is_odd && !(is_zero(x.low) && is_zero(x.high))) result.widen(detail::least_normal);
    return formula::flushed(result, detail::least_normal);
  }

 private:
  static constexpr double tests = 0.0008;  // the tolerance of Direct3D's conformance tests
  static constexpr double greatest_angle = 314.1592653589793;

  bool is_exact_at_zero() const {
    using enum elementary;
    return f_ == sin || f_ == cos || f_ == tan || f_ == atan || f_ == elementary::exp || f_ == elementary::sqrt ||
           f_ == sinh || f_ == cosh || f_ == elementary::tanh;
  }
  // A FLOAT32 subnormal, of which Direct3D has a sine of 0 and a cosine of 1: exact, but for what may be flushed.
  bool is_flushed_angle(double x) const {
    using enum elementary;
    const bool is_subnormal = steps_.float32 && !half_ && std::abs(x) < detail::least_normal;
    return is_subnormal && (f_ == sin || f_ == cos || f_ == tan);
  }
  double close_of_limit() const {
    return f_ == elementary::atan ? 2e-5 : step_errors{.grade = error_grade::close}.tanh(400);
  }
  void widen(double error, double own, possible& result) const {
    result.widen(error + own + (half_ ? half_precision.least : 0));
  }

  // Of a sine or cosine.
  double of_angle(double x) const {
    if (half_) return 0x1p-7 + 0x1p-10 * std::abs(x);
    return possible_ ? tests : 0x1p-15 + 3 * unit_ * std::abs(x);
  }
  bool is_great_angle(double x) const { return possible_ && !half_ && std::abs(x) > greatest_angle; }
  // Where it is more, e^x is beyond FLOAT32 by far.
  double of_exp(double x) const { return (std::min)(error_of_exp(x, steps_), 0.5); }
  double of_log(double v) const { return error_of_log(v, steps_); }

  double error(double x, double y) const {
    using enum elementary;
    const double a = std::abs(y), by_tests = half_ ? 0x1p-7 : tests;
    switch (f_) {
      case sin:
      case cos:
        return is_great_angle(x) ? 2 : of_angle(x);
      case acos:
      case asin:
        return possible_ || half_ ? by_tests : 7e-5 + 8 * unit_;
      case atan:
        return possible_ || half_ ? by_tests : 2e-5;
      case elementary::exp:
        return a * (possible_ || half_ ? of_exp(x) : (std::min)(0x1p-22 + std::abs(x) * 1.25 * 0x1p-24, 0.5)) *
               detail::slack;
      case elementary::log:
        return of_log(y);
      case elementary::sqrt:
        return root_ * a;
      case recip:
        return a * (half_ ? 3 * unit_ : possible_ ? 0x1p-21 : 3 * unit_) * detail::slack;
      case sinh:
      case cosh: {
        const double even = elementary_value(cosh, x).value;
        const double formula = (even * (of_exp(x) + quotient_) + 2 * unit_ * a) * detail::slack;
        return possible_ && !half_ ? (std::max)(tests, formula) : formula;
      }
      case elementary::tanh:
        return half_ ? by_tests : step_errors{.grade = possible_ ? error_grade::possible : error_grade::close}.tanh(x);
      case erf:
        return half_ ? 0x1p-6 : possible_ && std::abs(x) < 4 ? 0x1p-10 : 0x1p-18;
      case asinh: {  // the greater of both distances at |x|
        const possible range = asinh_range(std::abs(x));
        return (std::max)(a - range.low, range.high - a);
      }
      case atanh:
        if (std::abs(x) >= 1) return 0;
        return ((of_log(std::log1p(x)) + of_log(std::log1p(-x)) + 3 * unit_ + quotient_) / 2 + unit_ * a) *
               detail::slack;
      default:
        return 0;
    }
  }

  // The quotient of a sine and a cosine: anything but NaN where the latter may be 0.
  possible tangent(double x) const {
    const double e = of_angle(x);
    const auto around = [&](elementary f) {
      const double y = elementary_value(f, x).value;
      return half_ ? possible{y - e, y + e} : possible{(std::max)(y - e, -1.0), (std::min)(y + e, 1.0)};
    };
    const possible s = around(elementary::sin), c = around(elementary::cos);
    possible result;
    if (is_great_angle(x) || c.has_zero()) return {-formula::infinity, formula::infinity, interval_also::infinities};
    for (const double p : {s.low, s.high})
      for (const double q : {c.low, c.high}) result.add(p / q);
    result.low -= std::abs(result.low) * quotient_ * detail::slack;
    result.high += std::abs(result.high) * quotient_ * detail::slack;
    result.widen(half_ ? half_precision.least : 0);
    return result;
  }

  // ln(x + sqrt(x^2 + 1)).
  possible asinh_range(double x) const {
    const double root = std::sqrt(x * x + 1), w = x < 0 ? 1 / (root - x) : x + root;
    const double of_w = (1.1 * unit_ + root_) * root + 1.01 * unit_ * w;
    return logarithm(w - of_w, w + of_w);
  }
  // ln(x + sqrt((x - 1) (x + 1))), x at least 1.
  possible acosh_range(double x) const {
    const double square = (x - 1) * (x + 1), off = is_zero(square) ? 0 : unit_ * (x * x + square);
    const double low = std::sqrt((std::max)(square - off, 0.0)) * (1 - root_),
                 high = std::sqrt(square + off) * (1 + root_);
    return logarithm((x + low) * (1 - unit_), (x + high) * (1 + unit_));
  }
  possible logarithm(double low, double high) const {
    possible result;
    const auto end = [&](double v, int sign) {
      const double y = std::log(v);
      return y + sign * (of_log(y) + 0x1p-50 * std::abs(y) + (half_ ? half_precision.least : 0));
    };
    if (low > 0)
      result = {end(low, -1), end(high, 1), 0};
    else
      result = {-formula::infinity, end(high, 1), interval_also::nan | interval_also::negative_infinity};
    return result;
  }
  // Below -1, where the root is rounded to -x or more: all from -inf on, which is suspicious, too.
  void add_rounded_root(double x, possible& result) const {
    const double square = (x - 1) * (x + 1), high = std::sqrt(square + unit_ * (x * x + square)) * (1 + root_);
    if (x + high >= 0) result.add(possible{-formula::infinity, logarithm(0, (x + high) * (1 + unit_)).high, 0});
  }

  // Intermediate results that overflow, and reciprocals that are flushed.
  possible overflows_of(double x, double y) const {
    possible result;
    using enum elementary;
    const double a = std::abs(x);
    const auto of_sign = [](double v) {
      return std::signbit(v) ? interval_also::negative_infinity : interval_also::positive_infinity;
    };
    if (f_ == sinh || f_ == cosh) result.flag(of_sign(y), a >= (half_ ? 11.09 : 88.72) || (x <= -87.33 && !half_));
    if (f_ == asinh && a >= (half_ ? 256 : 1.84e19)) result.flag(interval_also::positive_infinity);
    if (f_ == asinh && half_ && a >= 256) result.flag(interval_also::infinities);
    if (f_ == acosh && a >= (half_ ? 256 : 1.84e19)) result.flag(interval_also::positive_infinity);
    if (f_ == atanh && a >= least_divisor_of_subnormal) result.flag(interval_also::negative_infinity);
    if (f_ == recip && half_ && a < 0x1p-15 && !is_zero(x)) result.flag(of_sign(y));
    if (f_ == recip && !half_ && a >= least_divisor_of_subnormal) result.add(std::copysign(0.0, x));
    return result;
  }

  // What is between two different numbers: a pole, the turns of a sine or cosine, or the least cosh.
  void add_between(const possible& x, possible& result) const {
    using enum elementary;
    constexpr double pi = 0x1.921fb54442d18p+1;
    // The k with the first (k + offset) pi from x.low on.
    const auto first = [&](double offset) { return std::ceil(x.low / pi - offset); };
    const auto has = [&](double k, double offset) { return (k + offset) * pi <= x.high; };
    const bool is_great = possible_ && !half_ && x.most() > greatest_angle;
    if ((f_ == recip && x.has_zero()) || (f_ == tan && (is_great || has(first(0.5), 0.5))))
      result.add(possible{-formula::infinity, formula::infinity, interval_also::infinities});
    const double farthest = std::abs(x.low) > std::abs(x.high) ? x.low : x.high;
    if (f_ == cosh && x.has_zero()) result.add(1 - error(farthest, 1));
    if (f_ != sin && f_ != cos) return;
    if (is_great) result.add(possible{-1, 1, 0});
    const double offset = f_ == sin ? 0.5 : 0, k = first(offset), e = of_angle(farthest);
    for (const double turn : {k, k + 1}) {
      const double y = std::fmod(turn, 2) == 0 ? 1 : -1;
      if (has(turn, offset)) result.add(in_range({y - e, y + e, 0}));
    }
  }

  // What no device leaves.
  possible in_range(possible y) const {
    using enum elementary;
    if (y.none()) return y;
    const auto limit = [&](double most) {
      y.low = (std::max)(y.low, -most);
      y.high = (std::min)(y.high, most);
    };
    if (!half_ && (f_ == sin || f_ == cos)) limit(1);
    if (!half_ && f_ == elementary::tanh) limit(1 + quotient_error);
    if (!half_ && f_ == erf) limit(1 + 0x1p-18);
    if (f_ == elementary::exp || f_ == elementary::sqrt) y.low = (std::max)(y.low, 0.0);
    return y;
  }

  elementary f_;
  bool possible_, half_, flushes_;
  arithmetic_mode steps_;
  double unit_, quotient_, root_;
};

}  // namespace goldml::arithmetic
