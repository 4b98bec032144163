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
// argument, a sum in any order, and a division, which counts as 9 roundings, usually as 3 (ledger AR-R8). In half
// precision FLOAT32 elements are rounded first.
class softmax_bounds {
 public:
  softmax_bounds(const softmax_of& softmax, const arithmetic_mode& mode) : softmax_(softmax), mode_(mode) {
    if (softmax_.undefined()) return;
    for (std::size_t i = 0; i < softmax_.size(); ++i) {
      if (softmax_.is_minus_infinity(i)) continue;
      if (!is_negligible(i)) of_sum_ += softmax_.value(i) * term_error(i);
      if (mode_.rounds_to_half() && std::abs(softmax_.element(i)) > half_precision.greatest) may_be_infinite_ = true;
    }
    // A sum that overflows: every quotient is 0. Whatever the errors of the elements, no term is above e^0.
    const double most = (std::min)(softmax_.sum() * (1 + of_sum_), static_cast<double>(softmax_.size()) * (1 + 0x1p-7));
    anything_ = may_be_infinite_ || most >= mode_.of().greatest;
  }

  // Before the result is rounded to the type of the tensor; infinite if the bound says nothing.
  double error(std::size_t i) const {
    return error_of(i, with_product(growth(size() + (mode_.half() ? 3 : 9), mode_.of().unit)));
  }
  double usual_error(std::size_t i) const {
    return error_of(i, with_product(usual_growth(size() + 3, mode_.of().unit)));
  }
  // Without an approximate reciprocal.
  double close_error(std::size_t i) const { return error_of(i, with_product(growth(size() + 3, mode_.of().unit))); }

  // Of the sum before its additions, relatively.
  double error_of_sum() const { return of_sum_; }
  // Whether an element may be read as an infinity.
  bool may_be_infinite() const { return may_be_infinite_; }

  // The answers to element i that are allowed. None but NaN for an undefined slice.
  template <class T>
  graded_interval of(std::size_t i) const {
    if (softmax_.undefined()) return graded_interval_of<T>({.value = softmax_.value(i)});
    const double most = error(i);
    if (!(most < 1)) return share<T>(mode_, anything_);  // or NaN where numbers may be read as infinities
    return graded_interval_of<T>(
        {.value = softmax_.value(i), .error = most, .usual_error = usual_error(i), .close_error = close_error(i)},
        true);
  }

  // A share of the whole, of which nothing else is known. In half precision a number divided by itself may be above 1.
  template <class T>
  static graded_interval share(const arithmetic_mode& mode, bool or_nan) {
    const double half = 0.5 * (1 + (mode.rounds_to_half() ? 3 * half_precision.unit : 0));
    bound b{.value = half, .error = half, .usual_error = half};
    b.add(interval_also::nan, or_nan);
    return graded_interval_of<T>(b, true);
  }

 private:
  double size() const { return static_cast<double>(softmax_.size()); }
  // The quotient is a product with half_products.
  double with_product(double g) const { return mode_.half_products() ? g + (1 + g) * half_cut_unit : g; }

  // e^(x - M) by a device, relatively.
  double term_error(std::size_t i) const {
    const double x = softmax_.element(i);
    const double distance = std::abs(x - softmax_.greatest());
    if (!mode_.half()) {
      const double own = detail::exp_error(distance) + detail::u32 * distance + softmax_.argument_error(i);
      if (!mode_.half_products()) return own;
      // The rounding of the greatest element changes all terms alike, but for their own errors.
      const double moved = mode_.float32 ? half_cut_unit * std::abs(x) + half_cut_least : 0;
      const double of_greatest = mode_.float32 ? 0x1p-21 * half_cut_unit * std::abs(softmax_.greatest()) : 0;
      return (1 + own + of_greatest) * (1 + half_cut_unit) * std::exp(moved) - 1;
    }
    const double unit = half_precision.unit;
    const double given = mode_.float32 ? std::expm1(unit * std::abs(x) + 0x1p-25) : 0;
    const double moved = distance + (mode_.float32 ? unit * (std::abs(x) + std::abs(softmax_.greatest())) : 0);
    return (4 + 2 * moved) * 0x1p-10 + unit * moved + given + softmax_.argument_error(i);
  }

  // Whether a device's e^(x - M) is below e^-199, so that the result is 0, however great its relative error.
  bool is_negligible(std::size_t i) const {
    const double x = softmax_.element(i), greatest = softmax_.greatest();
    const double rounded = mode_.rounds_to_half() ? half_cut_unit * (std::abs(x) + std::abs(greatest)) : 0;
    return (greatest - x) * (1 - 0x1p-8) - rounded - softmax_.given_error(i) - softmax_.greatest_error() > 200;
  }

  double error_of(std::size_t i, double of_additions) const {
    if (anything_) return std::numeric_limits<double>::infinity();
    if (softmax_.undefined() || softmax_.is_minus_infinity(i)) return 0;
    // Of powers and quotients below the normal numbers: flushed, or each rounded by half a unit.
    const double fixed = mode_.half()            ? 0x1p-25 * size()
                         : mode_.half_products() ? half_cut_least * (2 + size() * softmax_.value(i))
                         : !mode_.float32        ? 0
                         : mode_.flushes         ? detail::least_normal
                                                 : 0x1p-149;
    const double of_others = (of_sum_ + of_additions) * detail::slack;
    if (is_negligible(i) && of_others < 0.5) return (mode_.rounds_to_half() || mode_.flushes ? fixed : 0) + 0x1p-250;
    const double relative = term_error(i) * detail::slack + of_others;
    if (!(relative < 1)) return std::numeric_limits<double>::infinity();
    return softmax_.value(i) * relative / (1 - relative) + softmax_.computing_error(i) + fixed;
  }

  const softmax_of& softmax_;
  const arithmetic_mode mode_;
  double of_sum_ = 0;  // the relative error of a device's sum before its additions
  bool may_be_infinite_ = false;
  bool anything_ = false;
};

// What a device may answer that has the sums of a slice to within bounds. It may round them to T first.
template <class T>
class fused_softmax_bounds {
 public:
  fused_softmax_bounds(std::span<const bound> sums, const arithmetic_mode& mode) : mode_(mode) {
    bool same = true;
    for (const bound& w : sums) {
      const double error = detail::argument_error<T>(w.value, w.error, mode);
      elements_.push_back(w.value);
      errors_.push_back(error);
      usual_errors_.push_back(detail::argument_error<T>(w.value, w.usual_error, mode));
      same = same && w.usual_error == w.error;
      const std::uint8_t specials = detail::specials_of<T>(w, error, mode);
      if (specials != 0) open_ = true;
      // No finite number, and not -infinity: the whole slice is NaN.
      if (!goldml::detail::is_finite_double(w.value) && !(w.value < 0) &&
          (specials & interval_also::negative_infinity) == 0)
        undefined_ = true;
    }
    softmax_.emplace(elements_, errors_);
    bounds_.emplace(*softmax_, mode);
    if (same) return;
    usual_softmax_.emplace(elements_, usual_errors_);
    usual_bounds_.emplace(*usual_softmax_, mode);
  }
  fused_softmax_bounds(const fused_softmax_bounds&) = delete;
  fused_softmax_bounds& operator=(const fused_softmax_bounds&) = delete;

  graded_interval of(std::size_t i) const {
    if (undefined_) return graded_interval_of<T>({.value = std::numeric_limits<double>::quiet_NaN()});
    if (open_) return softmax_bounds::share<T>(mode_, true);  // a sum may be infinite or NaN
    graded_interval result = bounds_->template of<T>(i);
    if (!usual_bounds_) return result;
    const interval usual = usual_bounds_->template of<T>(i).allowed;
    for (interval* each : {&result.allowed, &result.close}) {
      each->usual_low = (std::max)(usual.usual_low, each->low);
      each->usual_high = (std::min)(usual.usual_high, each->high);
    }
    return result;
  }

 private:
  std::vector<double> elements_;
  std::vector<double> errors_;
  std::vector<double> usual_errors_;
  std::optional<softmax_of> softmax_, usual_softmax_;
  std::optional<softmax_bounds> bounds_, usual_bounds_;
  arithmetic_mode mode_;
  bool open_ = false;
  bool undefined_ = false;
};

}  // namespace goldml::arithmetic
