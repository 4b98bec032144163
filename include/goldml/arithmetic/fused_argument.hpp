// What a device has of a sum before its activation: the sum, rounded to some type; of CLIP with a ScaleBias
// Scale * sum + Bias (ledger AR-R11, L28).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/arithmetic/activation_interval.hpp>
#include <goldml/arithmetic/bounds.hpp>
#include <goldml/core/attribute_values.hpp>

namespace goldml::arithmetic::detail {

// The type that a sum may be rounded to before its activation: FLOAT16, or else FLOAT32.
template <class T>
bool is_narrow(const arithmetic_mode& mode) {
  return std::is_same_v<T, float16> || mode.rounds_to_half();
}

// x rounded to FLOAT16, or else to FLOAT32.
inline double nearest_argument(double x, bool narrow) {
  return narrow ? goldml::detail::widened(goldml::rounded<float16>(x))
                : goldml::detail::widened(goldml::rounded<float>(x));
}
// The least number that is rounded to infinity.
constexpr double overflow_of(bool narrow) { return narrow ? 65520.0 : 0x1.ffffffp127; }

// The error of a sum that a device may have rounded; 0 if w is not finite. Rounding adds no error where all that the
// device may have is rounded to w. FLOAT16 may also be rounded toward zero: so w must be exact there.
template <class T>
double argument_error(double w, double error, const arithmetic_mode& mode) {
  if (!goldml::detail::is_finite_double(w)) return 0;
  const bool narrow = is_narrow<T>(mode);
  if (narrow ? error == 0 && nearest_argument(w, true) == w
             : nearest_argument(w - error, false) == w && nearest_argument(w + error, false) == w)
    return error;
  return narrow ? fused_error<float16>(w, error) : fused_error<float>(w, error);
}

// Flags of interval_also: what a sum within `error` of w may be besides, or be rounded to.
template <class T>
std::uint8_t specials_of(const bound& w, double error, const arithmetic_mode& mode) {
  const double overflow = overflow_of(is_narrow<T>(mode));
  auto result = static_cast<std::uint8_t>(w.also & interval_also::specials);
  if (!goldml::detail::is_finite_double(w.value)) return result;
  if (w.value + error >= overflow) result |= interval_also::positive_infinity;
  if (w.value - error <= -overflow) result |= interval_also::negative_infinity;
  return result;
}

// What two roundings make of Scale * w + Bias, or one; FLOAT16, and half precision, may also round Scale and Bias.
template <class T>
class scaled_bounds {
 public:
  scaled_bounds(const scale_bias& by, const bound& w, const arithmetic_mode& mode)
      : w_(w),
        scale_(goldml::detail::widened(by.scale)),
        bias_(goldml::detail::widened(by.bias)),
        product_(scale_ * w.value),
        narrow_(is_narrow<T>(mode)),
        flushes_(mode.flushes && std::is_same_v<T, float>),
        off_(argument_error<T>(w.value, w.error, mode)),
        usual_off_(argument_error<T>(w.value, w.usual_error, mode)) {
    result_.value = product_ + bias_;
    add_infinities(specials_of<T>(w, off_, mode));
    if (goldml::detail::is_finite_double(w.value)) add_errors();
  }

  const bound& result() const { return result_; }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  void add(double special) {
    if (is_nan(special)) result_.also |= interval_also::nan;
    if (special == infinity) result_.also |= interval_also::positive_infinity;
    if (special == -infinity) result_.also |= interval_also::negative_infinity;
  }
  bool is_lost(double x) const { return flushes_ && x != 0 && std::abs(x) < least_normal; }

  // Of an infinite product. A Bias above 65504 may be an infinity to the device.
  void add_product(double product) {
    add(product + bias_);
    if (narrow_ && std::abs(bias_) > greatest && (product < 0) != (bias_ < 0)) result_.also |= interval_also::nan;
  }

  // What an infinite w gives, or one that may be infinite. A Scale that the device flushes or rounds to 0 makes it NaN.
  void add_infinities(std::uint8_t specials) {
    if (goldml::detail::is_infinite_double(w_.value))
      specials |= w_.value < 0 ? interval_also::negative_infinity : interval_also::positive_infinity;
    if ((specials & interval_also::positive_infinity) != 0) add_product(infinity * scale_);
    if ((specials & interval_also::negative_infinity) != 0) add_product(-infinity * scale_);
    const bool is_zero_scale = is_lost(scale_) || (narrow_ && std::abs(scale_) < 0x1p-24);
    if ((specials & interval_also::nan) != 0 || ((specials & interval_also::infinities) != 0 && is_zero_scale))
      result_.also |= interval_also::nan;
  }

  // Of a finite w.
  void add_errors() {
    using goldml::detail::is_finite_double;
    if (is_nan(scale_) || is_nan(bias_)) return;
    const bool may_be_zero = std::abs(w_.value) - off_ <= (flushes_ ? least_normal : 0);
    if (!is_finite_double(scale_)) {  // its product depends on the sign of w
      if (may_be_zero) result_.also |= interval_also::specials;
      add_product(product_);
      return;
    }
    if (!is_finite_double(bias_)) {  // inf - inf is NaN, and so is 0 * inf
      const double p = product_error(off_);
      if (bias_ > 0 ? product_ - p <= -overflow() : product_ + p >= overflow()) result_.also |= interval_also::nan;
      if (narrow_ && std::abs(scale_) > greatest && (may_be_zero || (product_ < 0) != (bias_ < 0)))
        result_.also |= interval_also::nan;
      return;
    }
    if (is_exact()) return;
    const double of_product = product_error(off_);
    if (product_ + of_product >= overflow()) add_product(infinity);
    if (product_ - of_product <= -overflow()) add_product(-infinity);
    if (narrow_ && std::abs(scale_) > greatest) {  // may be read as an infinity
      if (may_be_zero)
        result_.also |= interval_also::specials;
      else
        add_product(std::copysign(infinity, product_));
    }
    if (narrow_ && std::abs(bias_) > greatest) add(std::copysign(infinity, bias_));
    result_.error = sum_error(of_product);
    result_.usual_error = sum_error(product_error(usual_off_));
  }

  double overflow() const { return overflow_of(narrow_); }
  double unit() const { return narrow_ ? 0x1p-10 : u32; }
  // What a parameter may be off by; toward zero to the greatest FLOAT16.
  double off(double parameter) const {
    const double magnitude = std::abs(parameter);
    if (is_lost(parameter)) return magnitude;
    return narrow_ && !holds(parameter) ? (std::max)(unit() * magnitude + 0x1p-24, magnitude - greatest) : 0;
  }
  bool holds(double x) const { return nearest_argument(x, narrow_) == x && !is_lost(x); }

  // Neither the product nor the sum is rounded. Where w is a number of the type, the product is exact as a double.
  bool is_exact() const {
    if (off_ != 0 || is_lost(w_.value) || off(scale_) != 0 || off(bias_) != 0) return false;
    const double v = result_.value, part = v - product_;
    const double rest = (product_ - (v - part)) + (bias_ - part);  // what the double lacks
    return rest == 0 && holds(product_) && holds(v);
  }

  double product_error(double error) const {
    const double magnitude = std::abs(w_.value);
    if (narrow_) error = (std::max)(error, magnitude - greatest);  // to the greatest FLOAT16, toward zero
    if (flushes_ && w_.value != 0 && magnitude - error < least_normal) error += least_normal;
    double result = std::abs(scale_) * error + off(scale_) * (magnitude + error);
    if (product_ == 0 && result == 0) return 0;
    if (narrow_) result = (std::max)(result, std::abs(product_) - greatest);
    return result + unit() * (std::abs(product_) + result) + (narrow_ ? 0x1p-24 : flushes_ ? least_normal : 0x1p-150);
  }
  double sum_error(double of_product) const {
    const double result = of_product + off(bias_);
    const double in_double = 0x1p-50 * (std::abs(product_) + std::abs(bias_));
    const double lost = narrow_ ? 0x1p-24 : flushes_ ? least_normal : 0;
    return result + unit() * (std::abs(result_.value) + result) + lost + in_double;
  }

  static constexpr double greatest = half_precision.greatest;

  const bound& w_;
  double scale_, bias_, product_;
  bool narrow_, flushes_;
  double off_, usual_off_;
  bound result_ = {};
};

// What a device has of Scale * w + Bias, where w is what it has of the sum.
template <class T>
bound scaled_argument(const scale_bias& by, const bound& w, const arithmetic_mode& mode) {
  return scaled_bounds<T>(by, w, mode).result();
}

}  // namespace goldml::arithmetic::detail
