// SOFTMAX of a slice: e^(x_i - M) / (the sum of all e^(x_j - M)), M the greatest x. Rounded once, and the bound on what
// a device may compute.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>

#include <goldml/arithmetic/activation_bounds.hpp>
#include <goldml/arithmetic/functions.hpp>
#include <goldml/core/number.hpp>

namespace goldml::arithmetic {

// Refers to the elements of the slice, FLOAT32 or FLOAT16 numbers as doubles; it has one at least.
class softmax_of {
 public:
  explicit softmax_of(std::span<const double> slice) : slice_(slice), greatest_(slice.front()) {
    for (const double x : slice_) {
      if (goldml::is_nan(x)) undefined_ = true;
      if (!undefined_ && goldml::order_key(x) > goldml::order_key(greatest_)) greatest_ = x;
    }
    // A slice with NaN or +infinity, or of -infinity only: infinity - infinity, or 0 / 0.
    const auto key = goldml::detail::magnitude_bits(greatest_);
    undefined_ = undefined_ || key >= goldml::detail::float_bits<double>::infinity;
    if (undefined_) return;
    for (const double x : slice_) {
      const double term = term_of(x);
      sum_ += term;
      if (term != 0) weighted_ += term * term_error(x);
    }
    weighted_ /= sum_;
  }

  // NaN for the whole slice.
  bool undefined() const { return undefined_; }

  double value(std::size_t i) const {
    if (undefined_) return std::numeric_limits<double>::quiet_NaN();
    return term_of(slice_[i]) / sum_;
  }
  // The most that value(i) differs from the exact result: two exponentials, a division, and the additions.
  double value_error(std::size_t i) const {
    return value(i) * (3 * function_error + static_cast<double>(slice_.size()) * 0x1p-51);
  }

  // Rounded once. The sum of 128 bits is computed when it is needed first.
  template <class T>
  T rounded(std::size_t i) {
    if (undefined_) return goldml::rounded<T>(value(i));
    return rounded_once<T>(value(i), value_error(i), [&] {
      if (!exact_sum_) {
        wide sum;
        for (const double x : slice_) sum = sum + exact_term(x);
        exact_sum_ = sum;
      }
      return exact_term(slice_[i]) / *exact_sum_;
    });
  }

  // The most that a device in FLOAT32 is off before its result is rounded to the type of the tensor. The least normal
  // number, by which a result may be flushed, is included if asked.
  double device_error(std::size_t i, bool flushes) const {
    if (undefined_ || is_minus_infinity(slice_[i])) return 0;
    const double additions = std::expm1((static_cast<double>(slice_.size()) + 3) * std::log1p(detail::u32));
    const double p = value(i);
    return p * (term_error(slice_[i]) + weighted_ + additions) * detail::slack + value_error(i) +
           (flushes ? detail::least_normal : 0);
  }

 private:
  static bool is_minus_infinity(double x) {
    return goldml::detail::magnitude_bits(x) == goldml::detail::float_bits<double>::infinity;
  }
  double term_of(double x) const { return is_minus_infinity(x) ? 0 : arithmetic::exp(x - greatest_); }
  wide exact_term(double x) const { return is_minus_infinity(x) ? wide() : arithmetic::exp(wide(x) - wide(greatest_)); }
  // e^(x - M) by a device, whose difference is rounded: relative.
  double term_error(double x) const {
    if (is_minus_infinity(x)) return 0;
    return detail::exp_error(x - greatest_) + detail::u32 * std::abs(x - greatest_);
  }

  std::span<const double> slice_;
  double greatest_;
  bool undefined_ = false;
  double sum_ = 0;
  double weighted_ = 0;  // the relative error of a device's sum before its additions
  std::optional<wide> exact_sum_;
};

}  // namespace goldml::arithmetic
