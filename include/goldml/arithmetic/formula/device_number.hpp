// A number of a formula as a legal device may have it. A formula that is written over a number type gives, with this
// one, what a device may answer.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/arithmetic/formula/functions.hpp>
#include <goldml/arithmetic/formula/possible.hpp>
#include <goldml/core/element_verdict.hpp>

namespace goldml::formula {

class device_terms;

// Three sets, one for each of arithmetic::granted; only the first while they are equal. Refers to a mode, which must
// outlive it.
class device_number {
 public:
  using terms = device_terms;

  device_number() = default;
  // An element of a tensor, which arithmetic rounds or flushes when it reads it, and a move does not.
  device_number(double x, const arithmetic_mode& mode) : mode_(&mode), is_element_(true) { sets_[0].add(x); }
  // A number that was computed.
  device_number(const possible& x, const arithmetic_mode& mode) : mode_(&mode) { sets_[0] = x; }
  // What is known by a closed bound.
  device_number(const bound& b, const arithmetic_mode& mode) : mode_(&mode) {
    const auto set = [&](double error) {
      possible result = possible::of(b.value);
      if (b.has_no_lower_end) result.low = -infinity;
      if (!is_zero(error)) result.widen(error * (1 + 0x1p-40));
      result.flag(b.also & interval_also::specials);
      return result;
    };
    const double close = b.close_error.value_or(b.error);
    sets_[0] = set(b.error);
    graded_ = close != b.error || b.usual_error != b.error;
    if (graded_) sets_[1] = set(close), sets_[2] = set(b.usual_error);
  }

  const possible& of(granted what) const { return sets_[graded_ ? static_cast<std::size_t>(what) : 0]; }
  const possible& all() const { return sets_[0]; }
  bool is_graded() const { return graded_; }
  bool is_element() const { return is_element_; }
  // Whether every device has the same number, infinity or NaN.
  bool is_sure() const {
    const possible& x = sets_[0];
    return !graded_ && (x.none() ? std::has_single_bit(x.also) : x.low == x.high && x.also == 0);
  }
  // That number.
  double sure() const {
    const possible& x = sets_[0];
    if (!x.none()) return x.low;
    return x.has(interval_also::nan) ? std::numeric_limits<double>::quiet_NaN()
                                     : (x.has(interval_also::positive_infinity) ? infinity : -infinity);
  }
  const arithmetic_mode& mode() const { return *mode_; }
  device_number like(double x) const { return {x, *mode_}; }

  // As arithmetic reads it.
  possible read(granted what) const { return is_element_ ? read_element(of(what), *mode_) : of(what); }

  friend device_number operator+(const device_number& a, const device_number& b) {
    return step(a, b, [&](const possible& x, const possible& y) { return stepped(sum_of(x, y), *a.mode_); });
  }
  friend device_number operator-(const device_number& a, const device_number& b) {
    return step(a, b, [&](const possible& x, const possible& y) { return stepped(sum_of(x, negated(y)), *a.mode_); });
  }
  friend device_number operator*(const device_number& a, const device_number& b) {
    return step(a, b, [&](const possible& x, const possible& y) { return multiplied(product_of(x, y), *a.mode_); });
  }
  friend device_number operator/(const device_number& a, const device_number& b) {
    const arithmetic_mode& mode = *a.mode_;
    const auto quotient = [&](granted what) {
      const possible q = settled(quotient_of(a.read(what), b.read(what), mode, what), mode);
      return mode.half_products() ? narrowed(q) : q;
    };
    return graded(mode, quotient);
  }
  // a / b, where b is a sum of numbers that are not negative, of which a is one and another about 1.
  friend device_number share(const device_number& a, const device_number& b) {
    const double most = a.mode_->half() ? 1 + 5.01 * half_precision.unit : 1 + 0x1p-20;
    return map(a / b, [&](possible x) {
      x.also = static_cast<std::uint8_t>(x.also & interval_also::nan);
      if (x.none()) return x;
      x.low = (std::max)(x.low, 0.0);
      x.high = (std::min)(x.high, most);
      return x;
    });
  }
  friend device_number exp(const device_number& a) {
    return step(a, [&](const possible& x) {
      const possible y = settled(exp_of(x, *a.mode_), *a.mode_);
      return a.mode_->half_products() ? narrowed(y) : y;
    });
  }
  friend device_number log(const device_number& a) {
    return step(a, [&](const possible& x) { return settled(log_of(x, *a.mode_), *a.mode_); });
  }
  friend device_number sqrt(const device_number& a) { return root(a, false); }
  friend device_number rsqrt(const device_number& a) { return root(a, true); }
  friend device_number abs(const device_number& a) { return moved(map(a, magnitude_of), a, a); }
  friend device_number maximum(const device_number& a, const device_number& b) {
    return moved(map(a, b, greater_of), a, b);
  }
  friend device_number minimum(const device_number& a, const device_number& b) {
    const auto lesser = [](const possible& x, const possible& y) {
      return negated(greater_of(negated(x), negated(y)));
    };
    return moved(map(a, b, lesser), a, b);
  }
  // A device may write this to a tensor and read it again; and whether a tensor has fewer digits than its steps.
  friend device_number may_store(const device_number& a) {
    device_number result = step(a, [&](const possible& x) { return stored(x, *a.mode_); });
    result.is_element_ = true;
    return result;
  }
  // A state that a step follows from: from 2^200 on nothing is known (SPEC-sequences 2.3).
  friend device_number stored_state(const device_number& a) {
    const device_number x = may_store(a);
    return moved(map(x, [](const possible& p) { return p.most() < 0x1p200 ? p : possible::anything(); }), x, x);
  }
  bool narrows() const { return !mode_->float32 && !mode_->half(); }
  // The specification allows either.
  template <class F, class G>
  static device_number either(F f, G g) {
    return map(f(), g(), hull);
  }
  // What is not negative whatever the device does.
  friend device_number not_negative(const device_number& a) {
    return map(a, [](possible x) {
      x.low = x.none() ? x.low : (std::max)(x.low, 0.0);
      return x;
    });
  }

  template <class F>
  static device_number map(const device_number& a, F f) {
    return made(*a.mode_, a.graded_, [&](granted what) { return f(a.of(what)); });
  }
  template <class F>
  static device_number map(const device_number& a, const device_number& b, F f) {
    return made(*a.mode_, a.graded_ || b.graded_, [&](granted what) { return f(a.of(what), b.of(what)); });
  }
  // A step that differs by what is granted.
  template <class F>
  static device_number graded(const arithmetic_mode& mode, F f) {
    return made(mode, true, f);
  }

 private:
  // The same of what arithmetic reads.
  template <class F>
  static device_number step(const device_number& a, F f) {
    return made(*a.mode_, a.graded_, [&](granted what) { return f(a.read(what)); });
  }
  template <class F>
  static device_number step(const device_number& a, const device_number& b, F f) {
    return made(*a.mode_, a.graded_ || b.graded_, [&](granted what) { return f(a.read(what), b.read(what)); });
  }
  template <class F>
  static device_number made(const arithmetic_mode& mode, bool graded, F f) {
    device_number result;
    result.mode_ = &mode;
    result.sets_[0] = f(granted::possible);
    if (!graded) return result;
    result.sets_[1] = f(granted::close);
    result.sets_[2] = f(granted::usual);
    result.graded_ = result.sets_[0] != result.sets_[1] || result.sets_[0] != result.sets_[2];
    return result;
  }
  static possible hull(possible x, const possible& y) {
    x.add(y);
    return x;
  }
  static device_number root(const device_number& a, bool inverse) {
    return graded(*a.mode_,
                  [&](granted what) { return settled(root_of(a.read(what), *a.mode_, what, inverse), *a.mode_); });
  }
  static device_number moved(device_number x, const device_number& a, const device_number& b) {
    x.is_element_ = a.is_element_ || b.is_element_;
    return x;
  }

  std::array<possible, 3> sets_;
  const arithmetic_mode* mode_ = nullptr;
  bool graded_ = false;
  bool is_element_ = false;
};

// What may be stored as an element of the output. An infinity without numbers beside it is a flag; that of the golden
// value, if it is given, both ends.
template <class T>
graded_interval interval_of(const device_number& x, std::optional<T> golden = {}) {
  constexpr bool is_half = std::is_same_v<T, float16>;
  const auto ends = [](const possible& a, float& low, float& high, std::uint8_t& also) {
    if (a.none()) return;
    const auto at = [&](double end, bool up, float& result, std::uint8_t flag) {
      result = static_cast<float>(rounded<T>(end));
      if (!is_half || detail::is_infinite_double(end)) return;
      const auto cut = static_cast<float>(rounded<T>(end, rounding::toward_zero));
      if (up ? order_key(cut) <= order_key(result) : order_key(cut) >= order_key(result)) return;
      result = cut;
      also = static_cast<std::uint8_t>(also | flag);
    };
    at(a.low, false, low, interval_also::low_toward_zero);
    at(a.high, true, high, interval_also::high_toward_zero);
  };
  const auto interval_at = [&](granted what) {
    interval result;
    std::uint8_t ignored = 0;
    const possible set = x.read(what);
    result.also = set.also;
    ends(set, result.low, result.high, result.also);
    ends(x.read(granted::usual), result.usual_low, result.usual_high, ignored);
    if (golden && set.none()) {
      const float value = static_cast<float>(*golden);
      const std::uint8_t flag = value > 0 ? interval_also::positive_infinity : interval_also::negative_infinity;
      if (detail::is_infinite_double(detail::widened(*golden)) && set.has(flag)) {
        result.low = result.high = result.usual_low = result.usual_high = value;
        result.also = static_cast<std::uint8_t>(result.also & ~flag);
      }
      return result;
    }
    result.usual_low = (std::max)(result.usual_low, result.low);
    result.usual_high = (std::min)(result.usual_high, result.high);
    return result;
  };
  graded_interval result{interval_at(granted::possible), {}};
  result.close = x.is_graded() ? interval_at(granted::close) : result.allowed;
  return result;
}

}  // namespace goldml::formula
