// Forms in which a number occurs twice, whose errors step by step would count twice: they are bounded as a whole.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include <goldml/arithmetic/formula/device_number.hpp>
#include <goldml/arithmetic/formula/device_terms.hpp>
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

// What a slice of elements has as its mean and its variance (SPEC-normalisation 2.1 to 2.3, 2.8). Sums in any order,
// Welford's recurrence, and lanes that are merged.
class moments {
 public:
  explicit moments(std::span<const device_number> x) : mode_(&x[0].mode()), n_(static_cast<double>(x.size())) {
    for (const device_number& each : x) {
      terms_.add(each.sure());
      most_ = (std::max)(most_, is_nan(each.sure()) ? infinity : std::abs(each.sure()));
      squares_ += each.sure() * each.sure();
    }
    squares_ /= n_;
    centre_ = terms_.sum() / n_;
    for (const device_number& each : x) variance_ += (each.sure() - centre_) * (each.sure() - centre_);
    variance_ /= n_;
    const double levels = std::ceil(std::log2(n_)), u = mode_->of().unit;
    const double read = mode_->half()            ? (mode_->float32 ? u * most_ : 0) + 0x1p-25 + 0x1p-24
                        : mode_->half_products() ? 2 * (half_cut_unit * most_ + half_cut_least)
                                                 : 0;
    const auto of_mean = [&](auto grown) {
      if (n_ == 1) return read;
      const double of_levels = grown(8 + 6 * levels, u) * most_ * (1 + grown(n_, u));
      return grown(n_, u) * terms_.magnitude() / n_ + of_levels + lost_to_flushing(n_ + 2) + read;
    };
    mean_error_ = {of_mean(growth), of_mean(growth), of_mean(usual_growth)};
  }

  device_number mean() const {
    const auto error = [&](granted what) { return mean_error_[static_cast<std::size_t>(what)]; };
    return with_overflow(bound_of(centre_, error), terms_.magnitude());
  }
  enum class policy : std::uint8_t { any, centred, one_pass };
  // The population variance. With `any`, E[x^2] - E[x]^2 as long as its error is below 1/32 of variance + epsilon.
  device_number variance(policy allowed, double epsilon) const {
    const double u = mode_->of().unit, c = std::abs(centre_);
    const auto error = [&](granted what) {
      const bool usual = what == granted::usual;
      const auto g = [&](double m) { return usual ? usual_growth(m, u) : growth(m, u); };
      const double dc = mean_error_[static_cast<std::size_t>(what)], divided = what == granted::possible ? 6 : 0;
      if (n_ == 1 && !mode_->rounds_to_half()) return lost_to_flushing(3);
      const double least = mode_->half() ? 0x1p-23 : mode_->half_products() ? half_cut_least : lost_to_flushing(n_ + 2);
      const double squared = mode_->half_products() ? growth(2, half_cut_unit) : 0;  // each square, rounded to FLOAT16
      const double centred =
          (g(n_ + 8 + divided) + squared) * (variance_ + dc * dc) + 3 * std::sqrt(variance_) * dc + dc * dc + least;
      if (usual || allowed == policy::centred) return centred;
      const double one_pass =
          (g(n_ + 5 + divided) + squared) * squares_ + 2 * c * dc + dc * dc + g(3) * (c + dc) * (c + dc) + least;
      if (allowed == policy::one_pass) return (std::max)(centred, one_pass);
      return (std::max)(centred, (std::min)(one_pass, (variance_ + epsilon) / 32));
    };
    device_number result = with_overflow(bound_of(variance_, error), squares_ * n_);
    if (allowed == policy::one_pass) return result;
    // A centred variance is not negative, but for a correction of the sum.
    const double dc = mean_error_[0], below = growth(3 * n_ + 9, u) * dc * dc;
    return device_number::map(result, [&](possible x) {
      x.low = x.none() ? x.low : (std::max)(x.low, -below);
      return x;
    });
  }

 private:
  double lost_to_flushing(double count) const { return may_flush(*mode_) ? count * 0x1p-126 : 0; }
  template <class Error>
  device_number bound_of(double value, Error error) const {
    const double in_double = growth(2 * n_ + 8, 0x1p-53) * (std::abs(value) + squares_ + most_);
    bound b{.value = value};
    b.error = error(granted::possible) + in_double;
    b.close_error = error(granted::close) + in_double;
    b.usual_error = error(granted::usual) + in_double;
    return {b, *mode_};
  }
  // Sums may be infinite; those of infinities may be inf - inf.
  device_number with_overflow(const device_number& x, double most) const {
    if (most * (1 + growth(n_ + 8, mode_->of().unit)) < mode_->of().greatest && most_ < infinity) return x;
    return device_number::map(x, [&](possible y) {
      if (most_ < infinity) return possible::anything();
      y.flag(interval_also::nan);
      return y;
    });
  }

  const arithmetic_mode* mode_;
  double n_;
  sum_terms terms_;
  double centre_ = 0, variance_ = 0, squares_ = 0, most_ = 0;
  std::array<double, 3> mean_error_{};
};

}  // namespace goldml::formula
