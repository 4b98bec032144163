// What a device may answer to the gradients of batch normalisation (SPEC-normalisation 3.4, 3.5, 2.8; ledger NO-R4).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/arithmetic/moments.hpp>
#include <goldml/arithmetic/normalisation_bounds.hpp>
#include <goldml/arithmetic/normalisation_gradient.hpp>

namespace goldml::arithmetic {

class gradient_bounds {
 public:
  // `type_unit`: of the type of the tensors, to which MeanTensor was rounded.
  gradient_bounds(const gradient_slice& slice, double type_unit, const arithmetic_mode& mode)
      : slice_(slice), mode_(mode), units_(mode), finite_(slice.has_finite_terms()), c_(slice.mean) {
    using goldml::detail::is_finite_double;
    const double read = units_.read(std::abs(slice.variance));
    root_ = root_bounds(
        slice.variance, slice.epsilon, -std::numeric_limits<double>::infinity(), [&](granted) { return read; }, units_);
    double most = 0;
    const auto see = [&](double each) {
      if (is_finite_double(each)) most = (std::max)(most, std::abs(each));
    };
    for (const double each : {slice.mean, slice.variance, slice.scale}) see(each);
    if (slice.takes_mean_of_input && finite_) c_ = slice.mean_of_input();
    for (std::size_t i = 0; i < slice.x.size(); ++i) {
      const double dy = slice.dy[i], x = slice.x[i], size = std::abs(dy), reach = std::abs(x) + std::abs(slice.mean);
      gradients_.add(dy);
      see(dy), see(x);
      has_nan_ = has_nan_ || is_nan(dy) || is_nan(x);
      if (!finite_) continue;
      centred_ += dy * (x - slice.mean);
      weight_ += dy * (x - c_);
      reaches_ += size * reach;
      distances_ += size * std::abs(x - slice.mean);
      sum_of_reaches_ += reach;
      if (size < 0x1p-126) lost_ += size * reach;
      greatest_gradient_ = (std::max)(greatest_gradient_, size);
      greatest_reach_ = (std::max)(greatest_reach_, reach_of(i));
    }
    reads_infinity_ = mode.rounds_to_half() && mode.float32 && most > half_precision.greatest;
    if (!finite_) return;
    if (!slice.projects) return;
    const slice_moments moments(
        slice.x.size(), [&](std::uint64_t i) { return slice.x[static_cast<std::size_t>(i)]; }, true, mode);
    const double apart = std::abs(moments.mean() - slice.mean);
    if (apart <= moments.mean_error(granted::possible) + type_unit * std::abs(slice.mean)) apart_ = apart;
  }

  // Otherwise D may be 0, or half precision reads infinities.
  bool is_judged() const { return (root_.is_judged() || has_zero_divisor()) && !reads_infinity_; }

  // The golden values are those of numbers that are not finite.
  bound element(std::size_t i, double golden) const {
    using goldml::detail::is_finite_double;
    const double dy = slice_.dy[i], s = std::abs(slice_.scale), r = root_.inverse();
    const bool is_known = is_finite_double(slice_.scale) && (slice_.projects ? finite_ : is_finite_double(dy));
    if (!is_known || !(root_.divisor() > 0))
      return special(golden, slice_.projects && !is_nan(slice_.scale) && is_open(golden));
    // Partial sums have all elements of a slice.
    const double n = slice_.count(), h = greatest_reach_, by = (std::max)(1.0, r);
    const bool over = slice_.projects
                          ? is_over((1 + s) * by * by * by * (1 + h) * (1 + h) * (1 + greatest_gradient_) * n * 16)
                          : is_over((std::max)(std::abs(dy) * (std::max)(1.0, s) * by, s * r));
    const bool vanishes = !slice_.projects && (is_zero(dy) || is_zero(slice_.scale));
    if (is_zero(r) || (vanishes && !over)) return zero(over);
    bound b;
    b.value = slice_.projects ? projected(i) : dy * slice_.scale * r;
    fill(b, [&](granted what) {
      return slice_.projects ? error_of_projected(i, b.value, what) : error_of_product(dy, b.value, what);
    });
    b.add(interval_also::specials, over);
    return b;
  }
  bound of_scale(double golden) const {
    if (!finite_ || !(root_.divisor() > 0)) return special(golden, is_open(golden));
    const double r = root_.inverse(), n = slice_.count(), by = (std::max)(1.0, r);
    // Also of x - c, of the sum of dY, and of either times r.
    const bool over =
        is_over(by * (std::max)({reaches_, greatest_reach_, gradients_.magnitude()}) * (1 + growth(n + 4, units_.sum)));
    if (is_zero(r)) return zero(over);
    bound b;
    b.value = centred_ * r;
    const double size = std::abs(b.value);
    fill(b, [&](granted what) {
      const bool usual = what == granted::usual;
      const double e1 = root_.error(what), reach = usual ? distances_ : reaches_;
      const double lost = least() * by * (4 * n + 2 * gradients_.magnitude() + 2 * sum_of_reaches_) +
                          (least() > 0 && !mode_.half() ? r * lost_ : 0);
      const double products = mode_.half_products() ? growth(3, half_cut_unit) : 0;
      return r * (grown(n + 4, what) + products) * (1 + e1) * reach + size * e1 + lost +
             growth(n + 4, 0x1p-52) * r * reaches_ + (mode_.float32 ? 0x1p-149 * by * (n + 2) : 0);
    });
    b.add(interval_also::specials, over);
    return b;
  }
  bound of_bias() const { return gradients_.bound_with(slice_.count() - 1, mode_); }

 private:
  bool has_zero_divisor() const { return root_.is_zero_divisor() && is_zero(root_.divisor_error(granted::possible)); }
  bool is_over(double most) const {
    return (mode_.float32 || mode_.rounds_to_half()) && !(most < mode_.of().greatest * (1 - 0x1p-20));
  }
  // Whether a sum that is not finite, or that an infinite factor multiplies, may be of either sign: by rounding, or
  // since mean * (the sum of dY) has no NaN where terms of an infinite mean have.
  bool is_open(double golden) const {
    using goldml::detail::is_infinite_double;
    return !root_.is_undefined() &&
           (finite_ || is_infinite_double(golden) || (is_infinite_double(slice_.mean) && !has_nan_));
  }
  static bound special(double golden, bool is_open) {
    bound b{.value = golden};
    b.add(interval_also::nan, true);
    b.add(interval_also::infinities, is_open);
    return b;
  }
  // 0 times what is finite, or may be infinite on the way.
  static bound zero(bool over) {
    bound b;
    b.add(interval_also::nan, over);
    return b;
  }
  template <class Error>
  static void fill(bound& b, const Error& error) {
    b.error = error(granted::possible);
    b.close_error = error(granted::close);
    b.usual_error = error(granted::usual);
  }
  double least() const { return mode_.rounds_to_half() ? 0x1p-24 : units_.flushed(1); }
  double more() const { return mode_.rounds_to_half() ? 3 : 0; }
  double grown(double m, granted what) const { return units_.grown(m + more(), what); }
  double steps(double m, granted what) const {
    return what == granted::usual ? usual_growth(m + more(), units_.element) : growth(m + more(), units_.element);
  }

  double error_of_product(double dy, double y, granted what) const {
    const double s = std::abs(slice_.scale), r = root_.inverse(), size = std::abs(y), g = std::abs(dy);
    const double lost = least() * (s * r + g * r + g + s + r + 1) + (mode_.float32 ? 0x1p-149 * (1 + r + s + g) : 0);
    const double of_half = mode_.rounds_to_half() ? 3 * units_.element * size + 0x1p-24 : 0;
    return size * ((1 + steps(3, what)) * (1 + root_.error(what)) - 1) + lost + of_half + 0x1p-50 * size;
  }

  double reach_of(std::size_t i) const {
    return std::abs(slice_.x[i]) + (std::max)(std::abs(slice_.mean), std::abs(c_));
  }
  double projected(std::size_t i) const {
    const double n = slice_.count(), k = weight_ / n;
    return slice_.scale * root_.inverse() *
           (slice_.dy[i] - gradients_.sum() / n - (slice_.x[i] - c_) * k / root_.divisor());
  }
  double error_of_projected(std::size_t i, double y, granted what) const {
    const double n = slice_.count(), d = root_.divisor(), r = root_.inverse(), e1 = root_.error(what), h = reach_of(i);
    const double s = std::abs(slice_.scale), mean = std::abs(gradients_.sum()) / n, size = std::abs(slice_.dy[i]);
    const double magnitudes = gradients_.magnitude() / n, a = reaches_ / n, k = std::abs(weight_) / n;
    const double products = mode_.half_products() ? growth(3, half_cut_unit) : 0;
    const double dm = (units_.divided(n + 3 + more(), what) + products) * magnitudes,
                 dk = (units_.divided(n + 6 + more(), what) + products) * a;
    const double e2 = (1 + e1) * (1 + e1) * (1 + units_.divided(4 + more(), what)) - 1;
    const double t = std::abs(slice_.x[i] - c_) * k / d;
    const double inner =
        dm + h * dk / d * (1 + e2) + t * e2 + steps(4, what) * (1 + e2) * (size + mean + dm + h * (k + dk) / d);
    const double lam = least(), r2 = r * r, mean_reach = sum_of_reaches_ / n;
    const double lost = s * r * lam * (4 + h * r2 * (2 * magnitudes + mean_reach + 3) + h + a * (2 * r2 + h)) +
                        lam * ((1 + r) * (size + magnitudes + h * a * r2) + s + r + 1 + h * (1 + a));
    const double apart = s * r * apart_ * (k + (h + apart_) * mean) / d;
    const double in_double = s * r * growth(n + 8, 0x1p-51) * (size + magnitudes + h * a / d);
    const double underflow = mode_.float32 ? 0x1p-148 * (1 + s * r * (1 + h * r2)) : 0;
    const double of_half = mode_.rounds_to_half() ? 3 * units_.element * std::abs(y) + 0x1p-24 : 0;
    return s * r * inner * (1 + steps(3, what)) * (1 + e1) + std::abs(y) * ((1 + steps(3, what)) * (1 + e1) - 1) +
           lost + apart + in_double + underflow + of_half;
  }

  const gradient_slice& slice_;
  const arithmetic_mode& mode_;
  normalisation_units units_;
  bool finite_, has_nan_ = false, reads_infinity_ = false;
  double c_;
  root_bounds root_;
  sum_terms gradients_;
  double centred_ = 0, weight_ = 0, reaches_ = 0, distances_ = 0, sum_of_reaches_ = 0, lost_ = 0,
         greatest_gradient_ = 0, greatest_reach_ = 0, apart_ = 0;
};

}  // namespace goldml::arithmetic
