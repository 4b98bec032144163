// SOFTMAX of a slice: e^(x_i - M) / (the sum of all e^(x_j - M)), M the greatest x. Rounded once, and the bound on what
// a device may compute.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>

#include <goldml/arithmetic/activation_bounds.hpp>
#include <goldml/arithmetic/bounds.hpp>
#include <goldml/arithmetic/functions.hpp>
#include <goldml/core/number.hpp>

namespace goldml::arithmetic {

// Refers to the elements of the slice; it has one at least. Without `errors` they are FLOAT32 or FLOAT16 numbers as
// doubles; otherwise numbers known to within an error each, at most 1: sums that an operator has before it fuses
// SOFTMAX.
class softmax_of {
 public:
  explicit softmax_of(std::span<const double> slice, std::span<const double> errors = {})
      : slice_(slice), errors_(errors) {
    for (std::size_t i = 0; i < slice_.size(); ++i) {
      if (goldml::is_nan(slice_[i])) undefined_ = true;
      if (!undefined_ && goldml::order_key(slice_[i]) > goldml::order_key(slice_[top_])) top_ = i;
    }
    // A slice with NaN or +infinity, or of -infinity only: infinity - infinity, or 0 / 0.
    const auto key = goldml::detail::magnitude_bits(slice_[top_]);
    undefined_ = undefined_ || key >= goldml::detail::float_bits<double>::infinity;
    if (undefined_) return;
    for (std::size_t i = 0; i < slice_.size(); ++i) {
      const double term = term_of(i);
      sum_ += term;
      of_errors_ += term * argument_error(i);
    }
    of_errors_ /= sum_;
  }

  // NaN for the whole slice.
  bool undefined() const { return undefined_; }
  std::size_t size() const { return slice_.size(); }
  double element(std::size_t i) const { return slice_[i]; }
  double greatest() const { return slice_[top_]; }
  double sum() const { return sum_; }  // of e^(x - M)
  bool is_minus_infinity(std::size_t i) const {
    return goldml::detail::magnitude_bits(slice_[i]) == goldml::detail::float_bits<double>::infinity;
  }

  double value(std::size_t i) const {
    if (undefined_) return std::numeric_limits<double>::quiet_NaN();
    return term_of(i) / sum_;
  }
  // The most that value(i) differs from the result for these elements: two exponentials, a division, the additions.
  double computing_error(std::size_t i) const {
    return value(i) * (3 * function_error + static_cast<double>(slice_.size()) * 0x1p-51);
  }
  // The same for elements within their errors.
  double value_error(std::size_t i) const {
    return computing_error(i) + value(i) * (argument_error(i) + of_errors_) * 4;
  }
  double given_error(std::size_t i) const { return errors_.empty() ? 0 : errors_[i]; }
  double greatest_error() const { return given_error(top_); }
  // What the errors of the elements change e^x_i and the sum by, relatively.
  double argument_error(std::size_t i) const { return errors_.empty() ? 0 : std::expm1(errors_[i]); }

  // Rounded once. Where a double does not decide it, exact(j) is asked for every element as a wide, unless it is
  // -infinity. Their sum is kept.
  template <class T, class Exact>
  T rounded(std::size_t i, const Exact& exact) {
    if (undefined_) return goldml::rounded<T>(value(i));
    return rounded_once<T>(value(i), value_error(i), [&] {
      const wide greatest = exact(top_);
      const auto term = [&](std::size_t j) {
        return is_minus_infinity(j) ? wide() : arithmetic::exp(exact(j) - greatest);
      };
      if (!exact_sum_) {
        wide sum;
        for (std::size_t j = 0; j < slice_.size(); ++j) sum = sum + term(j);
        exact_sum_ = sum;
      }
      return term(i) / *exact_sum_;
    });
  }
  template <class T>
  T rounded(std::size_t i) {
    return rounded<T>(i, [&](std::size_t j) { return wide(slice_[j]); });
  }

 private:
  double term_of(std::size_t i) const { return is_minus_infinity(i) ? 0 : arithmetic::exp(slice_[i] - greatest()); }

  std::span<const double> slice_;
  std::span<const double> errors_;
  std::size_t top_ = 0;
  bool undefined_ = false;
  double sum_ = 0;
  double of_errors_ = 0;
  std::optional<wide> exact_sum_;
};

// What a device may compute that has the elements to within the errors given: each e^(x - M) after a rounding of its
// argument, a sum in any order, and a division. In half precision FLOAT32 elements are rounded first.
class softmax_bounds {
 public:
  softmax_bounds(const softmax_of& softmax, const arithmetic_mode& mode) : softmax_(softmax), mode_(mode) {
    if (softmax_.undefined()) return;
    for (std::size_t i = 0; i < softmax_.size(); ++i) {
      if (softmax_.is_minus_infinity(i)) continue;
      if (!is_negligible(i)) of_sum_ += softmax_.value(i) * term_error(i);
      if (mode_.half() && std::abs(softmax_.element(i)) > half_precision.greatest) anything_ = true;
    }
    // A sum that overflows: every quotient is 0. Whatever the errors of the elements, no term is above e^0.
    const double most = (std::min)(softmax_.sum() * (1 + of_sum_), static_cast<double>(softmax_.size()) * (1 + 0x1p-7));
    if (most >= mode_.of().greatest) anything_ = true;
  }

  // Before the result is rounded to the type of the tensor; infinite if the bound says nothing.
  double error(std::size_t i) const { return error_of(i, growth(additions(), mode_.of().unit)); }
  double usual_error(std::size_t i) const { return error_of(i, usual_growth(additions(), mode_.of().unit)); }

  // The answers to element i that are allowed. None but NaN for an undefined slice.
  template <class T>
  interval of(std::size_t i) const {
    if (softmax_.undefined()) return interval_of<T>(softmax_.value(i), 0, 0);
    const double most = error(i);
    if (!(most < 1)) {  // a share of the whole, or NaN where numbers may be read as infinities
      interval result = interval_from_zero<T>({.value = 0.5, .error = 0.5, .usual_error = 0.5});
      if (anything_) result.also = static_cast<std::uint8_t>(result.also | interval_also::nan);
      return result;
    }
    return interval_from_zero<T>({.value = softmax_.value(i), .error = most, .usual_error = usual_error(i)});
  }

 private:
  double additions() const { return static_cast<double>(softmax_.size()) + 3; }

  // e^(x - M) by a device, relatively.
  double term_error(std::size_t i) const {
    const double x = softmax_.element(i);
    const double distance = std::abs(x - softmax_.greatest());
    if (!mode_.half()) return detail::exp_error(distance) + detail::u32 * distance + softmax_.argument_error(i);
    const double unit = half_precision.unit;
    const double given = mode_.float32 ? std::expm1(unit * std::abs(x) + 0x1p-25) : 0;
    const double moved = distance + (mode_.float32 ? unit * (std::abs(x) + std::abs(softmax_.greatest())) : 0);
    return (4 + 2 * moved) * 0x1p-10 + unit * moved + given + softmax_.argument_error(i);
  }

  // Whether a device's e^(x - M) is below e^-199, so that the result is 0, however great its relative error.
  bool is_negligible(std::size_t i) const {
    const double x = softmax_.element(i), greatest = softmax_.greatest();
    const double rounded = mode_.half() ? half_precision.unit * (std::abs(x) + std::abs(greatest)) : 0;
    return (greatest - x) * (1 - 0x1p-8) - rounded - softmax_.given_error(i) - softmax_.greatest_error() > 200;
  }

  double error_of(std::size_t i, double of_additions) const {
    if (anything_) return std::numeric_limits<double>::infinity();
    if (softmax_.undefined() || softmax_.is_minus_infinity(i)) return 0;
    // Of powers and quotients below the normal numbers: flushed, or each rounded by half a unit.
    const double fixed = mode_.half()     ? 0x1p-25 * static_cast<double>(softmax_.size())
                         : !mode_.float32 ? 0
                         : mode_.flushes  ? detail::least_normal
                                          : 0x1p-149;
    const double of_others = (of_sum_ + of_additions) * detail::slack;
    if (is_negligible(i) && of_others < 0.5) return (mode_.half() || mode_.flushes ? fixed : 0) + 0x1p-250;
    const double relative = term_error(i) * detail::slack + of_others;
    if (!(relative < 1)) return std::numeric_limits<double>::infinity();
    return softmax_.value(i) * relative / (1 - relative) + softmax_.computing_error(i) + fixed;
  }

  const softmax_of& softmax_;
  const arithmetic_mode mode_;
  double of_sum_ = 0;  // the relative error of a device's sum before its additions
  bool anything_ = false;
};

}  // namespace goldml::arithmetic
