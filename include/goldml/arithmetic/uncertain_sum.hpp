// What a device may make of a sum of which it may leave out some terms, or add them to another sum: gradients of
// RESAMPLE with NEAREST_NEIGHBOR, and of MAX_POOLING.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/core/verdict.hpp>

namespace goldml::detail {

// A sum of numbers, some of which a device may leave out, or add to another sum.
class uncertain_sum {
 public:
  // `in_golden`: the golden sum has it, as it has all that is certain.
  void add(double x, bool certain, bool in_golden) {
    if (certain || is_finite_double(x)) all_.add(x);
    if (certain) return certain_.add(x);
    ++uncertain_;
    golden_has_last_ = in_golden;
    if (is_finite_double(x))
      (x < 0 ? below_ : above_) += x;
    else
      also_ |= is_nan(x)               ? interval_also::nan
               : is_negative_double(x) ? interval_also::negative_infinity
                                       : interval_also::positive_infinity;
  }

  bool is_empty() const { return is_zero(all_.count()) && is_zero(uncertain_); }
  // Whether the sum is NaN whatever is uncertain.
  bool is_surely_nan() const { return is_nan(certain_.sum()); }

  // The terms meet at most `roundings` each; without that, those of the additions.
  template <class T>
  element_intervals intervals(const arithmetic_mode& mode) const {
    return intervals<T>(mode, (std::max)(all_.count() - 1, 0.0));
  }
  template <class T>
  element_intervals intervals(const arithmetic_mode& mode, double roundings) const {
    if (is_surely_nan()) return {};
    const bool adds = all_.count() > 1 || mode.rounds_to_half();
    const auto bound_of = [&](const sum_terms& terms) {
      return adds ? terms.bound_with(roundings, mode) : bound{.value = terms.sum()};
    };
    const bound of_all = bound_of(all_), of_certain = bound_of(certain_);
    element_intervals result;
    if (also_ == 0 && uncertain_ <= 1 && of_all.is_exact()) {  // one sum, or one of two
      const bool golden_is_all = uncertain_ == 0 || golden_has_last_;
      result.main = graded_interval_of<T>(golden_is_all ? of_all : of_certain);
      if (uncertain_ == 1) result.others.push_back(interval_of<T>(golden_is_all ? of_certain : of_all));
    } else {
      result.main = graded_interval_of<T>(hull(of_all, of_certain.value));
    }
    const double alone = std::abs(of_certain.value);
    if (!adds && mode.flushes && alone > 0 && alone < single_precision.least)
      result.others.push_back(interval_of<T>(bound{}));
    return result;
  }

 private:
  bound hull(bound b, double certain) const {
    unsigned also = b.also | also_;
    if (is_finite_double(certain)) {
      b.value = certain + (below_ + above_) / 2;
      b.error += (above_ - below_) * (0.5 + 0x1p-40);
      b.usual_error += (above_ - below_) * (0.5 + 0x1p-40);
    } else {  // nothing but NaN makes another of it
      also &= ~unsigned{certain > 0 ? interval_also::positive_infinity : interval_also::negative_infinity};
      if (also != 0) also = interval_also::nan;
    }
    if ((also & interval_also::infinities) == interval_also::infinities) also |= interval_also::nan;
    if (also_ != 0) also |= interval_also::of_terms;
    b.also = static_cast<std::uint8_t>(also);
    return b;
  }

  sum_terms certain_, all_;  // all but infinities and NaN that are not certain: without them the rest is rounded
  double below_ = 0, above_ = 0, uncertain_ = 0;
  bool golden_has_last_ = false;  // of those that are not certain
  unsigned also_ = 0;
};

}  // namespace goldml::detail
