// The gradients of batch normalisation for one slice, each rounded once (SPEC-normalisation 3.4, 3.5, 2.9; ledger
// BG-R1): with D = V + Epsilon, r = 1 / sqrt(D), s the scale, K the sum of dY (x - c) and n elements,
//   dX = s r dY; or, in training, s r (dY - mean(dY) - (x - c) K / (n D));   dScale = K r;   dBias = the sum of dY.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/arithmetic/quotient_by_root.hpp>
#include <goldml/arithmetic/wide_functions.hpp>
#include <goldml/core/rounding.hpp>

namespace goldml::arithmetic {

// A slice, and what it has once.
struct gradient_slice {
  std::vector<double> x, dy;
  double mean = 0, variance = 0, scale = 1, epsilon = 0;
  bool projects = false;             // in training
  bool takes_mean_of_input = false;  // c of dX is that of x

  double count() const { return static_cast<double>(x.size()); }
  double divisor() const { return variance + epsilon; }
  static bool are_finite(const std::vector<double>& numbers) {
    return std::all_of(numbers.begin(), numbers.end(), goldml::detail::is_finite_double);
  }
  // Whether all terms of the sums are; neither Scale nor D is one.
  bool has_finite_terms() const { return goldml::detail::is_finite_double(mean) && are_finite(x) && are_finite(dy); }
  // In double precision, as IEEE 754 has them.
  double sum_of_gradients() const {
    double sum = 0;
    for (const double each : dy) sum += each;
    return sum;
  }
  double centred_sum(double c) const {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += dy[i] * (x[i] - c);
    return sum;
  }
  double mean_of_input() const {
    double sum = 0;
    for (const double each : x) sum += each;
    return sum / count();
  }
};

// What of it is finite is exact, whatever else the slice has; the rest is as IEEE 754 has it.
class exact_gradient {
 public:
  explicit exact_gradient(const gradient_slice& slice) : slice_(&slice), finite_(slice.has_finite_terms()) {
    using goldml::detail::is_finite_double;
    const auto n = static_cast<std::uint64_t>(slice.x.size());
    exact_sum gradients, products, inputs;
    const bool has_gradients = gradient_slice::are_finite(slice.dy), has_inputs = gradient_slice::are_finite(slice.x);
    for (std::size_t i = 0; i < slice.x.size(); ++i) {
      if (has_gradients) gradients.add(slice.dy[i]);
      if (has_inputs) inputs.add(slice.x[i]);
      if (finite_) products.add(slice.dy[i] * slice.x[i]);
    }
    bias_ = has_gradients ? gradients.value() + 0.0 : slice.sum_of_gradients();
    centre_ = !slice.takes_mean_of_input ? slice.mean
              : has_inputs               ? inputs.value_of_quotient(n)
                                         : slice.mean_of_input();
    if (is_finite_double(slice.divisor())) divisor_ = big_number(slice.variance) + big_number(slice.epsilon);
    if (divisor_.sign() > 0) root_ = sqrt(divisor_.rounded_to_odd());
    if (!finite_) {
      rough_weight_ = slice.centred_sum(centre_);
      return;
    }
    const big_number sum(gradients), of_products(products), mean(slice.mean);
    centred_ = of_products - mean * sum;
    if (!slice.projects) return;
    // (n x - m) L / (n^3 D) with m = n c and L = n K, all multiplied by n^3 D.
    n_ = big_number(slice.count());
    shift_ = slice.takes_mean_of_input ? big_number(inputs) : n_ * mean;
    sum_ = sum;
    weight_ = n_ * of_products - shift_ * sum;
    rough_weight_ = weight_.sign();  // where D is 0
    if (!root_) return;
    all_ = n_ * n_ * n_ * n_ * n_ * n_ * divisor_ * divisor_ * divisor_;
    root_of_all_ = sqrt(all_.rounded_to_odd());
  }

  template <class T>
  T element(std::size_t i) const {
    const gradient_slice& s = *slice_;
    const double dy = s.dy[i], factor = s.scale * (1 / std::sqrt(s.divisor()));
    const bool has_scale = goldml::detail::is_finite_double(s.scale);
    if (!s.projects) {
      if (!root_ || !has_scale || !goldml::detail::is_finite_double(dy)) return goldml::rounded<T>(dy * factor);
      return rounded_quotient_by_root<T>(big_number(s.scale) * big_number(dy), divisor_, *root_, big_number());
    }
    if (!root_ || !finite_)
      return goldml::rounded<T>(
          factor * (dy - bias_ / s.count() - (s.x[i] - centre_) * (rough_weight_ / s.count()) / s.divisor()));
    const big_number p =
        n_ * n_ * divisor_ * (n_ * big_number(dy) - sum_) - (n_ * big_number(s.x[i]) - shift_) * weight_;
    if (!has_scale) return goldml::rounded<T>(s.scale * p.sign());
    return rounded_quotient_by_root<T>(big_number(s.scale) * p, all_, root_of_all_, big_number());
  }
  template <class T>
  T of_scale() const {
    if (root_ && finite_) return rounded_quotient_by_root<T>(centred_, divisor_, *root_, big_number());
    // Of a D that is 0 the sign of the exact sum counts.
    const double sum = finite_ ? centred_.sign() : slice_->centred_sum(slice_->mean);
    return goldml::rounded<T>(sum / std::sqrt(slice_->divisor()));
  }
  template <class T>
  T of_bias() const {
    return goldml::rounded<T>(bias_);
  }

 private:
  const gradient_slice* slice_;
  bool finite_;
  double bias_ = 0;    // rounded to odd
  double centre_ = 0;  // of dX, rounded to odd
  double rough_weight_ = 0;
  big_number divisor_, centred_, n_, shift_, sum_, weight_, all_;
  std::optional<wide> root_;
  wide root_of_all_;
};

}  // namespace goldml::arithmetic
