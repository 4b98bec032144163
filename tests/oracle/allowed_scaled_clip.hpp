// The rule of CLIP with a ScaleBias that is fused into ADD1 (ledger AR-R11, L28), derived again: min(Max, max(Min, v))
// with v = Scale * (a + b) + Bias, of which a device has something near.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include <goldml/core/attribute_values.hpp>

#include "allowed_activations.hpp"
#include "allowed_values.hpp"

namespace judged {

namespace softened {

using activated::least;
using activated::number;

template <class T>
class scaled_clip {
 public:
  scaled_clip(const activated::function& f, const scale_bias& by, bits a, bits b, bool flushing)
      : f_(f),
        scale_(by.scale),
        bias_(by.bias),
        x_(static_cast<double>(value_of<T>(a))),
        y_(static_cast<double>(value_of<T>(b))),
        w_(x_ + y_),
        v_(scale_ * w_ + bias_),
        flushing_(flushing && is_float32) {}

  element_rule rule() {
    range_.type = is_float32 ? data_type::float32 : data_type::float16;
    if (std::isfinite(w_))
      add_finite();
    else if (!std::isnan(w_))
      add(w_ > 0 ? 1 : -1);
    if (std::isnan(v_) || f_.a > f_.b) return activated::either_bound<T>(f_, range_.nan || std::isnan(v_));
    if (range_.nan) include_bounds();
    have_.push_back(v_);
    include(v_);
    number low = clipped(v_), high = low;
    for (const number each : have_) {
      low = std::min(low, clipped(each));
      high = std::max(high, clipped(each));
    }
    range_.low = stored(low, false);
    range_.high = stored(high, true);
    range_.outer_low = stored(outer_low_, false);
    range_.outer_high = stored(outer_high_, true);
    element_rule result;
    result.range = range_;
    return result;
  }

 private:
  static constexpr bool is_float32 = std::is_same_v<T, float>;
  static constexpr number infinite = std::numeric_limits<number>::infinity();
  static constexpr number infinite_from = is_float32 ? 0x1.ffffffp127L : 65520.0L;
  static constexpr number unit = is_float32 ? 0x1p-24L : 0x1p-10L;  // FLOAT16 also toward zero

  number clipped(number v) const { return activated::value_of_function(f_, v); }
  double stored(number end, bool up) const { return activated::stored<T>(f_, end, up); }
  void include(number v) {
    outer_low_ = std::min(outer_low_, clipped(v));
    outer_high_ = std::max(outer_high_, clipped(v));
  }
  void include_bounds() {
    include(-infinite);
    include(infinite);
  }
  static constexpr number greatest = 65504;

  bool is_lost(number x) const { return flushing_ && x != 0 && std::abs(x) < least; }

  static number rounded(number x) {
    if (std::abs(x) >= infinite_from) return std::copysign(infinite, x);
    if constexpr (is_float32) return static_cast<float>(x);
    return static_cast<double>(value_of<T>(neighbours_of<T>(exact_number(static_cast<double>(x))).nearest));
  }

  // An infinite sum. To the device Scale may be 0.
  void add(int sign) {
    const number v = static_cast<number>(sign) * infinite * scale_ + bias_;
    if (std::isnan(v) || is_lost(scale_) || (!is_float32 && std::abs(scale_) < 0x1p-24L)) range_.nan = true;
    if (!std::isnan(v)) include(v);
    meet_bias(static_cast<number>(sign) * scale_);
  }
  // An infinite product of this sign. FLOAT16 may have a Bias above 65504 as the other infinity.
  void meet_bias(number product) {
    const bool is_infinite_bias = std::isinf(bias_) || (!is_float32 && std::abs(bias_) > greatest);
    if (is_infinite_bias && product != 0 && std::signbit(product) != std::signbit(bias_)) range_.nan = true;
  }

  void add_finite() {
    number off = 0;  // of the sum
    if (flushing_) off = (std::abs(x_) < least ? std::abs(x_) : 0) + (std::abs(y_) < least ? std::abs(y_) : 0);
    const bool is_exact_sum = w_ - x_ == y_ && w_ - y_ == x_;
    if (!is_exact_sum) off += std::abs(w_) * 0x1p-53L;
    if (is_changed_by_rounding<T>(w_, off)) off += unit * (std::abs(w_) + off) + (is_float32 ? 0 : 0x1p-24L);
    for (const int sign : {1, -1})
      if (static_cast<number>(sign) * w_ + off >= infinite_from) add(sign);
    if (std::isnan(scale_) || std::isnan(bias_)) return;
    const number magnitude = std::abs(w_);
    const bool is_sign_known = magnitude - off > (flushing_ ? least : 0);
    if (std::isinf(scale_)) {
      if (!is_sign_known) range_.nan = true;
      meet_bias(scale_ * w_);
      return;
    }
    const bool is_too_great = !is_float32 && std::abs(scale_) > greatest;
    if (!is_float32) off = std::max(off, magnitude - greatest);
    if (flushing_ && w_ != 0 && magnitude - off < least) off += least;
    const auto of_parameter = [&](number p) {
      if (is_lost(p)) return std::abs(p);
      if (is_float32 || rounded(p) == p) return number{0};
      return std::max(unit * std::abs(p) + 0x1p-24L, std::abs(p) - greatest);
    };
    const number product = scale_ * w_, below = !is_float32 ? 0x1p-24L : flushing_ ? least : 0x1p-150L;
    number by = std::abs(scale_) * off + of_parameter(scale_) * (magnitude + off);
    if (!is_float32) by = std::max(by, std::abs(product) - greatest);
    if (product != 0 || by != 0) by += unit * (std::abs(product) + by) + below;
    if (std::isinf(bias_)) {
      const number against = bias_ > 0 ? -product : product;  // inf - inf
      if (against + by >= infinite_from) range_.nan = true;
      if (is_too_great && (!is_sign_known || against > 0)) range_.nan = true;
      return;
    }
    const bool is_exact = off == 0 && of_parameter(scale_) == 0 && of_parameter(bias_) == 0 && !is_lost(w_) &&
                          rounded(product) == product && !is_lost(product) && rounded(v_) == v_ && !is_lost(v_) &&
                          v_ - product == bias_ && v_ - bias_ == product;
    if (is_exact) return;
    for (const int sign : {1, -1}) {
      if (static_cast<number>(sign) * product + by < infinite_from) continue;
      include(static_cast<number>(sign) * infinite);
      meet_bias(static_cast<number>(sign));
    }
    if (is_too_great) {
      if (is_sign_known) {
        include(std::copysign(infinite, product));
        meet_bias(product);
      } else {
        range_.nan = true;
      }
    }
    if (!is_float32 && std::abs(bias_) > greatest) include(std::copysign(infinite, bias_));
    by += of_parameter(bias_);
    by += unit * (std::abs(v_) + by) + (!is_float32 || flushing_ ? below : 0);
    by = by * (1 + 0x1p-12L) + (std::abs(product) + std::abs(bias_)) * 0x1p-40L;
    if (flushing_ && std::abs(v_) - by < least) by += least;
    include(v_ - by);
    include(v_ + by);
    for (const int sign : {1, -1})
      if (static_cast<number>(sign) * v_ + by >= infinite_from) include(static_cast<number>(sign) * infinite);
    // Legal ways: the sum rounded or not, one rounding or two.
    for (const number sum : {w_, rounded(w_)}) {
      have_.push_back(rounded(scale_ * sum + bias_));
      have_.push_back(rounded(rounded(scale_ * sum) + bias_));
    }
    have_.erase(std::remove_if(have_.begin(), have_.end(), [](number v) { return !std::isfinite(v); }), have_.end());
  }

  activated::function f_;
  number scale_, bias_, x_, y_, w_, v_;
  bool flushing_;
  float_range range_ = {};
  number outer_low_ = infinite, outer_high_ = -infinite;
  std::vector<number> have_ = {};
};

}  // namespace softened

}  // namespace judged
