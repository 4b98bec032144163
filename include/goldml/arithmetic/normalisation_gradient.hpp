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
  bool is_finite() const {
    double sum = mean * 0 + variance * 0 + scale * 0 + epsilon * 0;
    for (const double each : x) sum += each * 0;
    for (const double each : dy) sum += each * 0;
    return !is_nan(sum);
  }
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
  double rough_element(std::size_t i) const {
    const double r = 1 / std::sqrt(divisor());
    if (!projects) return dy[i] * scale * r;
    const double c = takes_mean_of_input ? mean_of_input() : mean;
    const double k = centred_sum(c) / count();
    return scale * r * (dy[i] - sum_of_gradients() / count() - (x[i] - c) * k / divisor());
  }
};

class exact_gradient {
 public:
  explicit exact_gradient(const gradient_slice& slice) : slice_(&slice), finite_(slice.is_finite()) {
    if (!finite_) return;
    exact_sum gradients, products, inputs;
    for (std::size_t i = 0; i < slice.x.size(); ++i) {
      gradients.add(slice.dy[i]);
      products.add(slice.dy[i] * slice.x[i]);
      inputs.add(slice.x[i]);
    }
    bias_to_odd_ = gradients.value();
    const big_number sum(gradients), of_products(products), mean(slice.mean);
    divisor_ = big_number(slice.variance) + big_number(slice.epsilon);
    centred_ = of_products - mean * sum;
    if (divisor_.sign() <= 0) return;
    root_ = sqrt(divisor_.rounded_to_odd());
    if (!slice.projects) return;
    // (n x - m) L / (n^3 D) with m = n c and L = n K, all multiplied by n^3 D.
    n_ = big_number(slice.count());
    shift_ = slice.takes_mean_of_input ? big_number(inputs) : n_ * mean;
    sum_ = sum;
    weight_ = n_ * of_products - shift_ * sum;
    all_ = n_ * n_ * n_ * n_ * n_ * n_ * divisor_ * divisor_ * divisor_;
    root_of_all_ = sqrt(all_.rounded_to_odd());
  }

  template <class T>
  T element(std::size_t i) const {
    const gradient_slice& s = *slice_;
    if (!root_) return goldml::rounded<T>(s.rough_element(i));
    const big_number scale(s.scale), dy(s.dy[i]);
    if (!s.projects) return rounded_quotient_by_root<T>(scale * dy, divisor_, *root_, big_number());
    const big_number p = scale * (n_ * n_ * divisor_ * (n_ * dy - sum_) - (n_ * big_number(s.x[i]) - shift_) * weight_);
    return rounded_quotient_by_root<T>(p, all_, root_of_all_, big_number());
  }
  template <class T>
  T of_scale() const {
    if (root_) return rounded_quotient_by_root<T>(centred_, divisor_, *root_, big_number());
    // Of a D that is 0 the sign of the exact sum counts.
    const double sum = finite_ ? centred_.sign() : slice_->centred_sum(slice_->mean);
    return goldml::rounded<T>(sum / std::sqrt(finite_ ? divisor_.sign() : slice_->divisor()));
  }
  template <class T>
  T of_bias() const {
    return goldml::rounded<T>(finite_ ? bias_to_odd_ + 0.0 : slice_->sum_of_gradients());
  }

 private:
  const gradient_slice* slice_;
  bool finite_;
  double bias_to_odd_ = 0;
  big_number divisor_, centred_, n_, shift_, sum_, weight_, all_;
  std::optional<wide> root_;
  wide root_of_all_;
};

}  // namespace goldml::arithmetic
