// What a device may have of x / max(N, Epsilon), N a norm of its slice (SPEC-normalisation 3.8; ledger LP-R1, LP-R2).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include <goldml/arithmetic/moments.hpp>
#include <goldml/arithmetic/normalisation.hpp>
#include <goldml/core/element_verdict.hpp>

namespace goldml::arithmetic {

// Of one slice, and one placement of Epsilon.
class norm_bounds {
 public:
  norm_bounds(const slice_moments& slice, const normalisation_form& form, const arithmetic_mode& mode)
      : units_(mode), form_(form), n_(slice.count()), most_(slice.most()), finite_(slice.is_finite()) {
    const bool is_root = form.norm == 2, half = mode.rounds_to_half();
    sum_ = is_root ? slice.squares() * n_ : slice.magnitude();
    norm_ = is_root ? std::sqrt(sum_) : sum_;
    const double e = form.epsilon, inside = is_root ? sum_ : sum_ * sum_;
    const bool adds = is_added(form.placement);
    const double greater = e > (is_inside(form.placement) ? inside : norm_) ? e : 0;
    const double under = is_inside(form.placement) ? (adds ? inside + e : (std::max)(inside, greater)) : 0;
    divisor_ = is_inside(form.placement) ? std::sqrt(under) : adds ? norm_ + e : (std::max)(norm_, e);
    if (is_nan(e) && !adds) divisor_ = norm_;
    exact_ = !is_root && form.placement == lp_epsilon::max && slice.has_exact_sums() && !half && norm_ >= e &&
             norm_ > 0 && std::exp2(std::floor(std::log2(norm_))) == norm_;
    const double least = half ? 0x1p-24 : units_.flushed(1), lost = 2 * n_ * least, more = half ? 3 : 0;
    const bool by_norm = !(norm_ < 0.99 * e);
    for (const granted what : all_norm_grants) {
      const double g = units_.grown((is_root ? n_ : n_ - 1) + more, what);
      const double dv = half ? 6 * units_.element : (what == granted::possible ? 9 : 3) * units_.sum,
                   sq = half ? dv : (what == granted::usual ? 2 : 3) * units_.sum, rsq = half ? dv : 0x1p-21;
      double& error = relative_[static_cast<std::size_t>(what)];
      if (!(g < 0.5)) {
        judged_ = false;
        continue;
      }
      if (is_root) {
        const double root = std::sqrt(1 - g);
        error = (std::max)((1 + rsq) * (1 + units_.grown(1, what)) / root, (1 + dv) / (root * (1 - sq))) - 1;
      } else {
        error = (1 + dv) / (1 - g) - 1;
      }
      if (adds) error += units_.element * (1 + error);
      if (mode.half_products()) error += 3 * half_cut_unit;
      if (half) error += 3 * units_.element;
      if (by_norm && sum_ > 0) error += lost / sum_;
    }
    if (by_norm && sum_ > 0 && lost > 0 && sum_ < lost) judged_ = false;
    if (sum_ > 0 && divisor_ < 2 * least) judged_ = false;
    fixed_ = half ? least * (2 + 1 / divisor_) + 0x1p-24 : (least > 0 ? least * (2 + 1 / divisor_) : 0);
    const double greatest = mode.of().greatest;
    if (mode.float32 || half) {
      overflows_ = !(sum_ * (1 + growth(n_ + 8, units_.sum)) < greatest);
      vanishes_ = is_root && sum_ > 0 && sum_ < n_ * (least > 0 ? 0x1p-125 : 0x1p-149);
      is_great_ = divisor_ >= 0x1p125;
    }
    if (half && mode.float32 && most_ > half_precision.greatest) judged_ = false;
    if (is_nan(e) || e < 0) judged_ = judged_ && !adds && !is_inside(form.placement) && !is_nan(e);
  }

  bool is_judged() const { return judged_ || !finite_ || is_zero(sum_); }

  // The answers to x that are allowed.
  template <class T>
  graded_interval of(double x, T golden) const {
    bound b{.value = static_cast<double>(exact_double(golden))};
    if (!finite_) {  // max may skip a NaN
      const bool skips = is_nan(b.value) && goldml::detail::is_finite_double(x);
      const bool by_zero = skips && form_.epsilon >= 0 && !(form_.epsilon > (units_.flushed(1) > 0 ? 0x1p-126 : 0));
      b.add(interval_also::nan, is_nan(b.value));
      b.add(interval_also::positive_infinity, by_zero && x > 0);
      b.add(interval_also::negative_infinity, by_zero && x < 0);
      graded_interval result = graded_interval_of<T>(b);
      if (skips && form_.epsilon > 0) {
        const interval other = interval_of<T>(x / form_.epsilon, std::abs(x / form_.epsilon) * 0x1p-20, 0);
        goldml::detail::extend(result.allowed, other);
        goldml::detail::extend(result.close, other);
      }
      return result;
    }
    if (is_zero(sum_)) {
      const bool flushed =
          units_.mode.rounds_to_half() ? form_.epsilon < 0x1p-14 : units_.flushed(1) > 0 && form_.epsilon < 0x1p-126;
      b.value = 0;
      b.add(interval_also::nan, !(form_.epsilon > 0) || flushed);
      return graded_interval_of<T>(b);
    }
    b.value = x / divisor_;
    const double size = std::abs(b.value), in_double = size * growth(n_ + 8, 0x1p-52);
    if (!(exact_ && (is_zero(b.value) || std::abs(b.value) >= 0x1p-126))) {
      const auto error = [&](granted what) {
        return size * relative_[static_cast<std::size_t>(what)] + (is_zero(x) ? 0 : fixed_) + in_double;
      };
      b.error = error(granted::possible);
      b.close_error = error(granted::close);
      b.usual_error = error(granted::usual);
    }
    graded_interval result = graded_interval_of<T>(b);
    const auto add = [&](double y) {
      for (interval* each : {&result.allowed, &result.close}) {
        const interval other = interval_of<T>(y, std::abs(y) * 0x1p-20, 0);
        goldml::detail::extend(*each, other);
      }
    };
    if (overflows_ || is_great_) add(0);
    if (form_.norm == 2 && (overflows_ || vanishes_)) {
      if (vanishes_ && form_.epsilon > 0) add(x / form_.epsilon);
      for (interval* each : {&result.allowed, &result.close})
        each->also = static_cast<std::uint8_t>(each->also | interval_also::specials);
    }
    return result;
  }

 private:
  static constexpr std::array<granted, 3> all_norm_grants{granted::possible, granted::close, granted::usual};

  normalisation_units units_;
  normalisation_form form_;
  double n_, most_;
  bool finite_;
  double sum_ = 0, norm_ = 0, divisor_ = 0, fixed_ = 0;
  std::array<double, 3> relative_{};
  bool judged_ = true, exact_ = false, overflows_ = false, vanishes_ = false, is_great_ = false;
};

}  // namespace goldml::arithmetic
