// s * (x - c) / sqrt(D) + b, the affine step of every normalisation, rounded once: c and D = V + Epsilon are those of a
// slice, or given (SPEC-normalisation 2.1, 2.6, 2.9; ledger NO-R1, NO-R2, NO-R6).
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/arithmetic/fused.hpp>
#include <goldml/arithmetic/quotient_by_root.hpp>
#include <goldml/arithmetic/wide_functions.hpp>
#include <goldml/core/attribute_values.hpp>
#include <goldml/core/normalisation_policies.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/rounding.hpp>

namespace goldml::arithmetic {

// What is done with the statistics of a slice.
struct normalisation_form {
  bool uses_mean = true;      // otherwise 0 is subtracted
  bool uses_variance = true;  // otherwise nothing divides
  bool centred = true;        // the variance is about the mean; otherwise the mean of the squares
  double epsilon = 0;
  // 1 or 2: elements are divided by a norm, and nothing else is done.
  unsigned norm = 0;
  lp_epsilon placement = lp_epsilon::max;
};

// Whether Epsilon is inside the root, and whether it is added.
inline bool is_inside(lp_epsilon placement) {
  return placement == lp_epsilon::add_inside || placement == lp_epsilon::max_inside;
}
inline bool is_added(lp_epsilon placement) {
  return placement == lp_epsilon::add || placement == lp_epsilon::add_inside;
}

// What an element is multiplied by, and what is added; `add` is a fused addend.
struct affine_operands {
  double scale = 1, bias = 0, add = 0;
};

// The sums of a slice without any rounding. All elements are finite.
struct exact_moments {
  template <class At>
  exact_moments(std::uint64_t size, const At& at, bool has_squares) : n(static_cast<double>(size)), count(n) {
    exact_sum s, q;
    for (std::uint64_t i = 0; i < size; ++i) {
      const double x = at(i);
      s.add(x);
      if (has_squares) q.add(x * x);
    }
    sum = big_number(s);
    mean_to_odd = s.value_of_quotient(size);
    squares = big_number(q);
  }
  // n^2 V: of deviations from the mean, or of the elements.
  big_number variance(bool centred) const { return count * squares - (centred ? sum * sum : big_number()); }
  wide rounded_variance() const { return variance(true).rounded_to_odd() / (wide(n) * wide(n)); }

  double n;
  big_number count, sum, squares;
  double mean_to_odd = 0;
};

// The mean and the variance of a slice, each rounded once; as IEEE 754 has them where an element is not finite.
template <class T>
struct rounded_moments {
  template <class At>
  rounded_moments(std::uint64_t size, const At& at) {
    double sum = 0;
    for (std::uint64_t i = 0; i < size; ++i) sum += at(i);
    if (!goldml::detail::is_finite_double(sum)) {
      mean = goldml::rounded<T>(sum);
      variance = goldml::rounded<T>(std::numeric_limits<double>::quiet_NaN());
      return;
    }
    const exact_moments exact(size, at, true);
    mean = goldml::rounded<T>(exact.mean_to_odd);
    variance = arithmetic::rounded<T>(exact.rounded_variance());
  }

  T mean, variance;
};

class exact_affine {
 public:
  // Of a slice; at(i) gives element i as a double.
  template <class At>
  exact_affine(std::uint64_t count, const At& at, const normalisation_form& form) : count_(static_cast<double>(count)) {
    using goldml::detail::is_finite_double;
    if (form.norm != 0) {
      set_norm(count, at, form);
      return;
    }
    if (!form.uses_mean && !form.uses_variance) {  // no other element
      count_ = big_number(1.0);
      set_divisor(count_);
      return;
    }
    double sum = 0, squares = 0;
    for (std::uint64_t i = 0; i < count; ++i) sum += at(i), squares += at(i) * at(i);
    is_finite_ = is_finite_double(squares);
    centre_ = form.uses_mean ? sum / static_cast<double>(count) : 0;
    const bool centred = form.uses_mean || form.centred;
    if (!is_finite_) {
      const double variance = centred ? std::numeric_limits<double>::quiet_NaN() : squares;
      if (form.uses_variance) factor_ = 1 / std::sqrt(variance + form.epsilon);
      return;
    }
    const exact_moments moments(count, at, form.uses_variance);
    if (form.uses_mean) shift_ = moments.sum;
    if (!form.uses_variance)
      set_divisor(count_ * count_);
    else if (is_finite_double(form.epsilon))
      set_divisor(moments.variance(centred) + count_ * count_ * big_number(form.epsilon));
    else
      factor_ = 1 / std::sqrt(form.epsilon);
  }
  // Of a given mean and variance.
  exact_affine(double mean, double variance, double epsilon) : count_(1), centre_(mean) {
    using goldml::detail::is_finite_double;
    is_finite_ = is_finite_double(mean);
    if (is_finite_) shift_ = big_number(mean);
    if (is_finite_double(variance) && is_finite_double(epsilon))
      set_divisor(big_number(variance) + big_number(epsilon));
    else
      factor_ = 1 / std::sqrt(variance + epsilon);
  }

  // Of an element; f is a fused activation.
  template <class T>
  T rounded(const std::optional<activation>& f, double x, const affine_operands& by) const {
    using goldml::detail::is_finite_double;
    const bool finite = is_finite_ && is_finite_double(x);
    big_number product, divisor(1.0);
    wide root(1.0);
    if (finite && root_ && is_finite_double(by.scale)) {
      product = big_number(by.scale) * (count_ * big_number(x) - shift_);
      divisor = divisor_;
      root = *root_;
    } else {  // as IEEE 754 has it
      const double distance = finite ? (count_ * big_number(x) - shift_).sign() : x - centre_;
      const double y = by.scale * (distance * factor_) + by.bias + by.add;
      if (!is_finite_double(y)) return fused_rounded<T>(f, y, 0, [] { return wide(); });
    }
    if (!is_finite_double(by.bias + by.add)) return fused_rounded<T>(f, by.bias + by.add, 0, [] { return wide(); });
    const big_number addend = big_number(by.bias) + big_number(by.add);
    if (!f) return rounded_quotient_by_root<T>(product, divisor, root, addend);
    return fused_rounded<T>(f, quotient_by_root(product, divisor, root, addend));
  }
  // Before the activation, where all numbers are finite and D is above 0.
  wide value(double x, const affine_operands& by) const {
    return quotient_by_root(big_number(by.scale) * (count_ * big_number(x) - shift_), divisor_,
                            root_.value_or(wide(1.0)), big_number(by.bias) + big_number(by.add));
  }

 private:
  template <class At>
  void set_norm(std::uint64_t count, const At& at, const normalisation_form& form) {
    count_ = big_number(1.0);
    exact_sum sum;
    double total = 0;
    for (std::uint64_t i = 0; i < count; ++i) total += std::abs(at(i));
    if (!goldml::detail::is_finite_double(total)) {
      factor_ = 1 / total;
      return;
    }
    double given = form.epsilon;
    if (!goldml::detail::is_finite_double(given)) {
      if (is_added(form.placement) || given > 0) {
        factor_ = 1 / (form.placement == lp_epsilon::add_inside ? std::sqrt(given) : given);
        return;
      }
      given = 0;  // the norm is greater
    }
    for (std::uint64_t i = 0; i < count; ++i) sum.add(form.norm == 1 ? std::abs(at(i)) : at(i) * at(i));
    const big_number n(sum), square = form.norm == 1 ? n * n : n;
    const big_number epsilon(given);
    if (is_inside(form.placement)) {
      set_divisor(is_added(form.placement) ? square + epsilon : (square - epsilon).sign() < 0 ? epsilon : square);
    } else if (!is_added(form.placement)) {
      const bool is_greater = epsilon.sign() > 0 && (square - epsilon * epsilon).sign() < 0;
      set_divisor(is_greater ? epsilon * epsilon : square);
    } else if (form.norm == 1) {
      const big_number all = n + epsilon;
      set_divisor(all * all);
      if (all.sign() < 0) count_ = -count_;
    } else {  // N and Epsilon to 128 bits
      const wide all = arithmetic::sqrt(square.rounded_to_odd()) + wide(given);
      const big_number nearest(to_double(abs(all)));
      set_divisor(nearest * nearest);
      if (root_) root_ = abs(all);
      if (all.negative) count_ = -count_;
    }
  }
  // n^2 D.
  void set_divisor(const big_number& divisor) {
    if (divisor.sign() > 0) {
      divisor_ = divisor;
      root_ = arithmetic::sqrt(divisor.rounded_to_odd());
      factor_ = 1;
    } else {
      factor_ = divisor.sign() < 0 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
    }
  }

  big_number count_, shift_, divisor_;
  std::optional<wide> root_;  // of divisor_, if that is above 0
  bool is_finite_ = true;     // the mean
  double centre_ = 0, factor_ = 1;
};

}  // namespace goldml::arithmetic
