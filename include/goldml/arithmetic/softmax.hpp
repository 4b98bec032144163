// SOFTMAX of a slice: e^(x_i - M) / (the sum of all e^(x_j - M)), M the greatest x, rounded once; and its logarithm.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>

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
      if (i != top_) rest_ += term;
      of_errors_ += term * argument_error(i);
    }
    of_errors_ /= sum();
  }

  // NaN for the whole slice.
  bool undefined() const { return undefined_; }
  std::size_t size() const { return slice_.size(); }
  double element(std::size_t i) const { return slice_[i]; }
  std::size_t top() const { return top_; }
  double greatest() const { return slice_[top_]; }
  double rest() const { return rest_; }     // the sum of e^(x - M) without the greatest, of which that is 1
  double sum() const { return 1 + rest_; }  // of all
  bool is_minus_infinity(std::size_t i) const {
    return goldml::detail::magnitude_bits(slice_[i]) == goldml::detail::float_bits<double>::infinity;
  }

  double value(std::size_t i) const {
    if (undefined_) return std::numeric_limits<double>::quiet_NaN();
    return term_of(i) / sum();
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
  double rest_ = 0;
  double of_errors_ = 0;
  std::optional<wide> exact_sum_;
};

// LOG_SOFTMAX of a slice of FLOAT32 or FLOAT16 numbers: x_i - M - ln S, S the sum of all e^(x_j - M), rounded once. No
// number is added to one of the other sign, so that the relative errors are small. A result of 0 is +0.
class log_softmax_of {
 public:
  explicit log_softmax_of(std::span<const double> slice)
      : softmax_(slice), log_sum_(softmax_.undefined() ? 0 : arithmetic::log1p(softmax_.rest())) {}

  const softmax_of& shares() const { return softmax_; }
  double log_sum() const { return log_sum_; }
  double value(std::size_t i) const {
    if (softmax_.undefined()) return std::numeric_limits<double>::quiet_NaN();
    return (softmax_.element(i) - softmax_.greatest()) - log_sum_;
  }
  // The most that value(i) differs from the result: an exponential, the additions, a logarithm. A sum that is 0 in
  // double precision may be a little more, which decides between two numbers of T.
  double computing_error(std::size_t i) const {
    return std::abs(value(i)) * (3 * function_error + static_cast<double>(softmax_.size()) * 0x1p-51);
  }

  // Where a double does not decide it, with the exact logarithm of the sum, which is kept.
  template <class T>
  T rounded(std::size_t i) {
    const T result = rounded_once<T>(value(i), computing_error(i), [&] {
      const wide greatest(softmax_.greatest());
      if (!exact_log_sum_) {
        wide rest;
        for (std::size_t j = 0; j < softmax_.size(); ++j)
          if (j != softmax_.top() && !softmax_.is_minus_infinity(j))
            rest = rest + arithmetic::exp(wide(softmax_.element(j)) - greatest);
        exact_log_sum_ = arithmetic::log1p(rest);
      }
      return wide(softmax_.element(i)) - greatest - *exact_log_sum_;
    });
    return goldml::order_key(result) == 0 ? static_cast<T>(0.0F) : result;
  }

 private:
  softmax_of softmax_;
  double log_sum_;
  std::optional<wide> exact_log_sum_;
};

}  // namespace goldml::arithmetic
