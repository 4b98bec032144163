// What a device may have of the affine step of a normalisation, before its activation (SPEC-normalisation 2.4 to 2.8;
// ledger NO-R3 to NO-R5, NO-R8).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include <goldml/arithmetic/activation_interval.hpp>
#include <goldml/arithmetic/fused_interval.hpp>
#include <goldml/arithmetic/moments.hpp>
#include <goldml/arithmetic/normalisation.hpp>

namespace goldml::arithmetic {

inline constexpr std::array<granted, 3> all_grants{granted::possible, granted::close, granted::usual};

// 1 / sqrt(D), D = V + Epsilon, of a variance V that a device has to within an error.
class root_bounds {
 public:
  struct grade {
    double divisor_error = 0;  // of D
    double error = 0;          // of the root's inverse, relative
  };

  // `least_variance`: V is not below; `given`: V and Epsilon are read, and no more.
  template <class Error>
  root_bounds(double variance, double epsilon, double least_variance, const Error& variance_error,
              const normalisation_units& units)
      : divisor_(variance + epsilon), inverse_(1 / std::sqrt(divisor_)) {
    const double u = units.element, lost = units.flushed(1);
    if (goldml::detail::is_infinite_double(divisor_)) {  // of infinities alone: nothing is rounded
      is_undefined_ = divisor_ < 0;
      may_be_infinite_ = !is_undefined_;
      return;
    }
    const bool reads = units.mode.rounds_to_half(), sums_nothing = is_zero(variance) && is_zero(epsilon);
    for (const granted what : all_grants) {
      const double of_variance = variance_error(what);
      double error = of_variance + u * (std::abs(divisor_) + of_variance) + lost;
      if (reads) error += u * std::abs(epsilon) + 0x1p-25;
      if (sums_nothing && is_zero(of_variance) && !reads) error = 0;
      const double low = (std::max)(divisor_ - error, least_variance + epsilon - 2 * u * std::abs(epsilon) - lost);
      grade& each = grades_[static_cast<std::size_t>(what)];
      each.divisor_error = error;
      if (what == granted::possible) {
        is_undefined_ = divisor_ + error < 0 || is_nan(divisor_);
        is_judged_ = is_undefined_ || low > 0;
        may_be_infinite_ = !(divisor_ + error < units.mode.of().greatest);
      }
      if (!(low > 0)) continue;
      const double er = units.of_root(what);
      each.error =
          (std::max)((1 + er) * std::sqrt(divisor_ / low) - 1, 1 - (1 - er) * std::sqrt(divisor_ / (divisor_ + error)));
    }
  }
  // Of nothing that divides.
  root_bounds() = default;

  double divisor() const { return divisor_; }
  double inverse() const { return inverse_; }
  double error(granted what) const { return grades_[static_cast<std::size_t>(what)].error; }
  double divisor_error(granted what) const { return grades_[static_cast<std::size_t>(what)].divisor_error; }
  bool is_undefined() const { return is_undefined_; }  // NaN only
  bool is_judged() const { return is_judged_; }        // otherwise D may be 0
  bool is_zero_divisor() const { return is_zero(divisor_); }
  bool may_be_infinite() const { return may_be_infinite_; }

 private:
  double divisor_ = 1, inverse_ = 1;
  std::array<grade, 3> grades_{};
  bool is_undefined_ = false, is_judged_ = true, may_be_infinite_ = false;
};

// Of one slice, or of a given mean and variance.
class normalisation_bounds {
 public:
  normalisation_bounds(const slice_moments& slice, const normalisation_form& form, variance_policy allowed,
                       const arithmetic_mode& mode)
      : units_(mode),
        form_(form),
        centre_(form.uses_mean ? slice.mean() : 0),
        greatest_(slice.is_finite() ? slice.most() : 0),
        is_slice_(true),
        is_finite_(!form.uses_mean || slice.is_finite()) {
    const bool centred = form.uses_mean || form.centred;
    for (const granted what : all_grants)
      if (slice.is_finite())
        mean_error_[static_cast<std::size_t>(what)] =
            form.uses_mean ? slice.mean_error(what) : units_.read(slice.most());
    const bool single = !mode.half() && mode.float32;
    overflows_ = slice.is_finite() && (single || mode.rounds_to_half()) &&
                 ((form.uses_mean && slice.sum_overflows()) || (form.uses_variance && slice.squares_overflow()));
    has_exact_mean_ = !form.uses_mean || (slice.has_exact_sums() && slice.has_power_of_two());
    const double first = slice.most();
    cancels_ = slice.is_constant() && !is_zero(first) && std::exp2(std::floor(std::log2(first))) == first &&
               slice.has_power_of_two() && form.uses_mean && form.epsilon > 0;
    if (!form.uses_variance) return;
    const double variance = slice.variance(), limit = (variance + form.epsilon) / 32;
    const double least = allowed == variance_policy::one_pass && centred ? -std::numeric_limits<double>::infinity()
                         : centred && slice.count() > 1                  ? -slice.below_zero()
                                                                         : 0;
    root_ = root_bounds(
        variance, form.epsilon, least, [&](granted what) { return slice.variance_error(what, allowed, limit); },
        units_);
  }
  normalisation_bounds(double mean, double variance, double epsilon, const arithmetic_mode& mode)
      : units_(mode),
        form_{.epsilon = epsilon},
        centre_(mean),
        greatest_((std::max)({size_of(mean), size_of(variance), size_of(epsilon)})),
        is_finite_(goldml::detail::is_finite_double(mean)) {
    mean_error_.fill(units_.read(size_of(mean)));
    const double read = units_.read(std::abs(variance));
    root_ = root_bounds(
        variance, epsilon, -std::numeric_limits<double>::infinity(), [&](granted) { return read; }, units_);
  }

  // Otherwise nothing is known of any element: D may be 0.
  bool is_judged() const {
    return root_.is_judged() || (!is_slice_ && root_.is_zero_divisor() && root_.divisor_error(granted::possible) == 0);
  }
  const root_bounds& root() const { return root_; }

  // What a device has before the activation.
  bound of(double x, const affine_operands& by) const {
    using goldml::detail::is_finite_double;
    const double s = std::abs(by.scale), r = root_.inverse(), d = x - centre_;
    bound w{.value = by.scale * (d * r) + by.bias + by.add};
    const bool finite = is_finite_ && is_finite_double(x) && is_finite_double(by.scale) && is_finite_double(by.bias) &&
                        is_finite_double(by.add);
    if (!finite || !(r < std::numeric_limits<double>::infinity())) {
      add_specials(x, by, w);
      return w;
    }
    if (may_read_infinity(x, by)) {
      w.error = std::numeric_limits<double>::infinity();
      return w;
    }
    w.error = error(granted::possible, x, by);
    w.close_error = error(granted::close, x, by);
    w.usual_error = error(granted::usual, x, by);
    const double in_double = s * r * 0x1p-45 * std::abs(d) + 0x1p-51 * (std::abs(by.bias) + std::abs(by.add));
    if (is_exact(x, by)) {
      const double sum = by.bias + by.add, part = sum - by.bias;
      const bool rounds = (by.bias - (sum - part)) + (by.add - part) != 0;
      w.error = w.usual_error = rounds ? 0x1p-52 * std::abs(sum) : 0;
      w.close_error = w.error;
      return w;
    }
    w.error += in_double, *w.close_error += in_double, w.usual_error += in_double;
    const bool vanishes = is_zero(r) && !units_.mode.rounds_to_half();  // or is NaN
    if (is_over_range(x, by)) w.add(vanishes ? interval_also::nan : interval_also::specials, true);
    return w;
  }
  // The sum without the slice's part: where D may be infinite to the device.
  std::optional<bound> other(double x, const affine_operands& by) const {
    const bool may_vanish = overflows_ || (units_.mode.rounds_to_half() && root_.may_be_infinite());
    const bool finite = is_finite_ && size_of(x) == std::abs(x) && size_of(by.scale) == std::abs(by.scale) &&
                        size_of(by.bias) == std::abs(by.bias) && size_of(by.add) == std::abs(by.add);
    if (!may_vanish || !form_.uses_variance || !finite) return {};
    bound w{.value = by.bias + by.add};
    w.error = w.usual_error = growth(3, units_.element) * (std::abs(by.bias) + std::abs(by.add)) + units_.flushed(3);
    return w;
  }

 private:
  // The magnitude of a number, 0 of what is none.
  static double size_of(double x) { return goldml::detail::is_finite_double(x) ? std::abs(x) : 0; }
  double mean_error(granted what) const { return mean_error_[static_cast<std::size_t>(what)]; }
  // Of x - c: a slice reads its elements once for all.
  double distance_error(granted what, double x) const {
    return mean_error(what) + (is_slice_ && (form_.uses_mean || mean_error(what) > 0) ? 0 : units_.read(size_of(x)));
  }
  double error(granted what, double x, const affine_operands& by) const {
    const double s = std::abs(by.scale), r = root_.inverse(), e1 = root_.error(what);
    const bool half = units_.mode.rounds_to_half();
    const double dc = distance_error(what, x);
    const auto g = [&](double m) {
      return what == granted::usual ? usual_growth(m, units_.element) : growth(m, units_.element);
    };
    const double c = std::abs(centre_), reach = std::abs(x) + c + dc, more = half ? 2 : 0, last = half ? 4 : 3;
    const double addends = g(last) * (std::abs(by.bias) + std::abs(by.add));
    const double inner = form_.uses_variance ? (std::abs(x - centre_) + dc) * e1 + dc + g(5 + more) * (1 + e1) * reach
                                             : dc + g(4 + more) * reach;
    return is_zero(r) ? addends + fixed(0, 0, 0) : s * r * inner + addends + fixed(x, s, r);
  }
  // What flushing or underflow changes.
  double fixed(double x, double s, double r) const {
    const double size = std::abs(x) + std::abs(centre_), by = (std::max)(1.0, r);
    if (units_.mode.rounds_to_half()) return 0x1p-24 * ((size + s + 1) * by + 2);
    if (!units_.mode.float32) return 0;
    return (units_.mode.flushes ? 0x1p-126 : 0x1p-150) * ((2 * s + size + 1) * by + 4);
  }

  // Whether every device has the sum of Bias and the fused addend, or all steps are exact (2.7).
  bool is_exact(double x, const affine_operands& by) const {
    const arithmetic_mode& mode = units_.mode;
    if (mode.rounds_to_half() || overflows_ || is_over_range(x, by)) return false;
    const double sum = by.bias + by.add;
    for (const double each : {by.bias, by.add, sum})
      if (mode.flushes && mode.float32 && !is_zero(each) && std::abs(each) < 0x1p-126) return false;
    const bool given_zero = is_zero(x) && is_zero(centre_) && (!is_slice_ || !form_.uses_mean);
    const bool has_no_factor = (is_zero(by.scale) && root_.divisor() >= 0x1p-126) || is_zero(root_.inverse());
    if (has_no_factor || given_zero) return true;
    if (form_.uses_variance) return cancels_ && is_zero(by.bias) && is_zero(by.add);
    if (!has_exact_mean_) return false;
    // Every partial sum is a multiple of 2^lowest that 24 bits hold.
    int lowest = 1000;
    double most = 0;
    for (const double each : {by.scale * x, by.scale * centre_, by.bias, by.add}) {
      most += std::abs(each);
      if (!is_zero(each)) lowest = (std::min)(lowest, goldml::detail::odd_part(each).exponent);
    }
    const bool subnormal =
        (!is_zero(x) && std::abs(x) < 0x1p-126) || (!is_zero(by.scale) && std::abs(by.scale) < 0x1p-126);
    return is_zero(most) || (most <= std::ldexp(0x1p24, lowest) && lowest >= -126 && !subnormal);
  }

  // Of what is finite: it may be infinite on the way.
  bool is_over_range(double x, const affine_operands& by) const {
    if (!units_.mode.float32 && !units_.mode.rounds_to_half()) return false;
    const double s = size_of(by.scale), r = size_of(root_.inverse()), e = 1 + root_.error(granted::possible);
    const double most = units_.mode.of().greatest * (1 - 0x1p-20), addends = size_of(by.bias) + size_of(by.add);
    const double reach = size_of(x) + size_of(centre_) + mean_error(granted::possible);
    const double product = reach * (std::max)(1.0, s) * (std::max)(1.0, r * e);
    const bool beyond = product + addends >= most || s * r * e >= most || overflows_;
    if (!units_.mode.rounds_to_half()) return beyond;
    constexpr double half = half_precision.greatest;
    return beyond || product >= half || s * r * e >= half || addends >= half;
  }

  // Half precision reads FLOAT32 beyond FLOAT16.
  bool may_read_infinity(double x, const affine_operands& by) const {
    if (!units_.mode.rounds_to_half() || !units_.mode.float32) return false;
    return (std::max)({std::abs(x), greatest_, std::abs(by.scale), std::abs(by.bias), std::abs(by.add)}) >
           half_precision.greatest;
  }

  // Of what is not finite. A product with an infinity is NaN if a device has 0 beside it, as the folded step may, and
  // of either sign where rounding decides that of x - c. Infinities meet where numbers may be infinite on the way.
  void add_specials(double x, const affine_operands& by, bound& w) const {
    using goldml::detail::is_finite_double;
    if (root_.is_undefined()) return;
    const double s = std::abs(by.scale), r = root_.inverse(), addends = by.bias + by.add;
    const bool infinite_factor = !is_finite_double(by.scale) || !(r < std::numeric_limits<double>::infinity());
    const bool lost = units_.mode.rounds_to_half() || (s < 0x1p-100) || (s * r < 0x1p-100) || r < 0x1p-100;
    const bool infinite_sum = is_slice_ && !is_finite_;  // Welford's mean of an infinity and a number after it
    const bool infinite_distance = !is_finite_ || !is_finite_double(x);
    w.add(interval_also::nan, infinite_factor || infinite_sum || (infinite_distance && lost) ||
                                  units_.mode.rounds_to_half() || is_over_range(x, by));
    if (!infinite_factor || infinite_distance || is_zero(r) || is_nan(by.scale) || is_nan(addends)) return;
    const double off = distance_error(granted::possible, x), most = std::numeric_limits<double>::infinity();
    if (!overflows_ && !(off > 0 && std::abs(x - centre_) <= off)) return;
    w.add(interval_also::positive_infinity, addends > -most);
    w.add(interval_also::negative_infinity, addends < most);
  }

  normalisation_units units_;
  normalisation_form form_;
  double centre_ = 0;
  double greatest_ = 0;  // of what the statistics are made of, or of them
  bool is_slice_ = false, is_finite_ = true, overflows_ = false, has_exact_mean_ = false, cancels_ = false;
  std::array<double, 3> mean_error_{};
  root_bounds root_;
};

// What a device may answer.
template <class T>
element_intervals normalised_interval(const std::optional<activation>& f, const normalisation_bounds& bounds, double x,
                                      const affine_operands& by, const arithmetic_mode& mode) {
  const bound w = bounds.of(x, by);
  element_intervals result;
  if (w.error == std::numeric_limits<double>::infinity())
    result.main = {any_answer, any_answer};
  else if (f)
    result = fused_interval<T>(f, w, mode);
  else
    result.main = graded_interval_of<T>(w), result.by = interval_refusal::reciprocals;
  if (const auto other = bounds.other(x, by)) detail::add_other(fused_interval<T>(f, *other, mode).hull(), result);
  return result;
}

}  // namespace goldml::arithmetic
