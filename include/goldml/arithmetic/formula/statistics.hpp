// Forms in which a number occurs twice, whose errors step by step would count twice: they are bounded as a whole.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include <goldml/arithmetic/formula/device_number.hpp>
#include <goldml/arithmetic/formula/device_terms.hpp>
#include <goldml/arithmetic/moments.hpp>
#include <goldml/arithmetic/reductions.hpp>

namespace goldml::formula {

// A form that is linear in each of its numbers has its extremes at the corners of their box. Each product meets
// `roundings` at most. Narrows what the steps give.
template <class Form, class Magnitude, class... X>
device_number at_corners(const device_number& steps, double roundings, Form form, Magnitude magnitude, const X&... x) {
  const arithmetic_mode& mode = steps.mode();
  const auto narrowed_at = [&](granted what) {
    possible result = steps.of(what);
    const std::array<possible, sizeof...(X)> box{x.read(what)...};
    for (const possible& each : box)
      if (each.none() || each.also != 0 || !(each.most() < infinity)) return result;
    std::array<double, sizeof...(X)> v{};
    possible range;
    for (unsigned corner = 0; corner < 1U << sizeof...(X); ++corner) {
      for (std::size_t i = 0; i < v.size(); ++i) v[i] = (corner >> i & 1U) != 0 ? box[i].high : box[i].low;
      range.add(form(v));
    }
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = box[i].most();
    const double most = magnitude(v), least = may_flush(mode) ? 0x1p-126 : least_of(mode);
    if (mode.rounds_to_half() && most > half_precision.greatest / 2) return result;  // a product may be cut to that
    const double to_half = mode.half_products() ? growth(2, half_cut_unit) : 0;
    range.widen((growth(roundings, mode.of().unit) * (1 + to_half) + to_half + 0x1p-50) * most +
                4 * (mode.half_products() ? half_cut_least : least) * (1 + most));
    if (result.none()) return result;
    result.low = (std::max)(result.low, range.low);
    result.high = (std::min)(result.high, range.high);
    return result;
  };
  return device_number::graded(mode, narrowed_at);
}

// a * (x - c) + b, or folded: a * x + (b - a * c) (SPEC-normalisation 2.5).
inline device_number affine(const device_number& a, const device_number& x, const device_number& c,
                            const device_number& b) {
  const device_number steps =
      device_number::either([&] { return a * (x - c) + b; }, [&] { return a * x + (b - a * c); });
  return at_corners(
      steps, 4, [](const auto& v) { return v[0] * (v[1] - v[2]) + v[3]; },
      [](const auto& v) { return v[0] * (v[1] + v[2]) + v[3]; }, a, x, c, b);
}

// (1 - z) * a + z * b, or a + z * (b - a) (SPEC-sequences 3.3).
inline device_number mix(const device_number& z, const device_number& a, const device_number& b) {
  const device_number steps =
      device_number::either([&] { return (z.like(1) - z) * a + z * b; }, [&] { return a + z * (b - a); });
  return at_corners(
      steps, 3, [](const auto& v) { return v[1] + v[0] * (v[2] - v[1]); },
      [](const auto& v) { return (1 + v[0]) * v[1] + v[0] * v[2]; }, z, a, b);
}

// The product of elements, in any order.
inline device_number product(std::span<const device_number> x) {
  product_terms terms;
  for (const device_number& each : x) terms.multiply(each.sure());
  return {terms.bound_with(x[0].mode()), x[0].mode()};
}

// What a slice of elements has as its mean and its variance, as numbers of a formula.
class moments {
 public:
  explicit moments(std::span<const device_number> x)
      : mode_(&x[0].mode()),
        slice_(
            x.size(), [&](std::uint64_t i) { return x[static_cast<std::size_t>(i)].sure(); }, true, *mode_) {}

  device_number mean() const {
    return with_overflow(bound_of(slice_.mean(), [&](granted what) { return slice_.mean_error(what); }),
                         slice_.sum_overflows());
  }
  // The population variance.
  device_number variance(variance_policy allowed, double epsilon) const {
    const double limit = (slice_.variance() + epsilon) / 32;
    const device_number result = with_overflow(
        bound_of(slice_.variance(), [&](granted what) { return slice_.variance_error(what, allowed, limit); }),
        slice_.squares_overflow());
    if (allowed == variance_policy::one_pass) return result;
    return device_number::map(result, [&](possible x) {
      x.low = x.none() ? x.low : (std::max)(x.low, -slice_.below_zero());
      return x;
    });
  }

 private:
  template <class Error>
  device_number bound_of(double value, Error error) const {
    bound b{.value = value};
    b.error = error(granted::possible);
    b.close_error = error(granted::close);
    b.usual_error = error(granted::usual);
    return {b, *mode_};
  }
  // Sums may be infinite; those of infinities may be inf - inf.
  device_number with_overflow(const device_number& x, bool overflows) const {
    if (!overflows) return x;
    return device_number::map(x, [&](possible y) {
      if (slice_.is_finite()) return possible::anything();
      y.flag(interval_also::nan);
      return y;
    });
  }

  const arithmetic_mode* mode_;
  arithmetic::slice_moments slice_;
};

}  // namespace goldml::formula
