// What a device may answer to SOFTMAX of a slice, and to SOFTMAX of sums, as GEMM fuses it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include <goldml/arithmetic/activation_bounds.hpp>
#include <goldml/arithmetic/bounds.hpp>
#include <goldml/arithmetic/fused_argument.hpp>
#include <goldml/arithmetic/softmax.hpp>
#include <goldml/core/interval.hpp>

namespace goldml::arithmetic {

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

// What a device may answer that has the sums of a slice to within bounds. It may round them to T first.
template <class T>
class fused_softmax_bounds {
 public:
  fused_softmax_bounds(std::span<const bound> sums, const arithmetic_mode& mode) {
    bool same = true;
    for (const bound& w : sums) {
      const double error = detail::argument_error<T>(w.value, w.error, mode);
      elements_.push_back(w.value);
      errors_.push_back(error);
      usual_errors_.push_back(detail::argument_error<T>(w.value, w.usual_error, mode));
      same = same && w.usual_error == w.error;
      if (detail::specials_of<T>(w, error, mode) != 0) open_ = true;
    }
    softmax_.emplace(elements_, errors_);
    bounds_.emplace(*softmax_, mode);
    if (same) return;
    usual_softmax_.emplace(elements_, usual_errors_);
    usual_bounds_.emplace(*usual_softmax_, mode);
  }
  fused_softmax_bounds(const fused_softmax_bounds&) = delete;
  fused_softmax_bounds& operator=(const fused_softmax_bounds&) = delete;

  interval of(std::size_t i) const {
    if (open_) {  // a sum may be infinite or NaN: a share of the whole, or NaN
      interval result = interval_from_zero<T>({.value = 0.5, .error = 0.5, .usual_error = 0.5});
      result.also = interval_also::nan;
      return result;
    }
    interval result = bounds_->template of<T>(i);
    if (!usual_bounds_) return result;
    const interval usual = usual_bounds_->template of<T>(i);
    result.usual_low = (std::max)(usual.usual_low, result.low);
    result.usual_high = (std::min)(usual.usual_high, result.high);
    return result;
  }

 private:
  std::vector<double> elements_;
  std::vector<double> errors_;
  std::vector<double> usual_errors_;
  std::optional<softmax_of> softmax_, usual_softmax_;
  std::optional<softmax_bounds> bounds_, usual_bounds_;
  bool open_ = false;
};

}  // namespace goldml::arithmetic
