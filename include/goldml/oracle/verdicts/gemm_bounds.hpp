// How far a device may be from the sums of GEMM (ledger GM-R1, AR-R1, AR-R5 to AR-R7).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/arithmetic/matrix_products.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/arg_reduce.hpp>
#include <goldml/operators/fused_activation.hpp>
#include <goldml/operators/gemm_desc.hpp>

namespace goldml::detail {

// What an element is made of: the sum of all a*b, and of the finite ones the sums of the magnitudes, of those of the
// positive and of the negative ones, and of those that have a FLOAT32 subnormal.
struct gemm_sums {
  double sum, magnitude, positive, negative, subnormal;
  bool has_infinity_times_tiny = false;  // a factor that the device may take for 0
  bool has_zero = false;                 // a product that is 0, or that the device may take for 0; of an infinite Alpha
  // Of half_products: products beyond FLOAT16, by sign, and what is lost if they are cut to the greatest number.
  bool exceeds = false, exceeds_below = false;
  double cut = 0;
};

// How far a device may be from an element: sums of K products, times Alpha, plus Beta * c.
class gemm_bounds {
 public:
  gemm_bounds(const gemm_desc& desc, std::uint64_t k, bool has_c, const arithmetic_mode& mode)
      : mode_(mode),
        alpha_(exact_double(desc.alpha)),
        beta_(has_c ? exact_double(desc.beta) : 0),
        size_(std::abs(alpha_)),
        has_c_(has_c),
        scales_(size_ != 1),
        scales_c_(has_c && std::abs(beta_) != 1),
        n_(static_cast<double>(k) + (has_c ? 1 : 0)) {
    // With half_products Alpha and Beta are factors of more products.
    const int of_scaling = mode.half_products() && (scales_ || scales_c_) ? 2 : 0;
    const sum_growth by(n_, static_cast<double>(k) + 3, roundings_to_half(true, mode) + of_scaling, mode);
    growth_ = by.worst;
    usual_growth_ = by.usual;
    growth_of_double_ = by.in_double;
    alpha_is_power_ = is_zero(alpha_) || (is_finite_double(alpha_) && is_power_of_two(alpha_));
  }

  // Whether a factor may be rounded or flushed to 0.
  bool may_vanish(double x) const {
    return !is_zero(x) && std::abs(x) < (mode_.rounds_to_half() ? 0x1p-24 : mode_.flushes ? 0x1p-126 : 0);
  }

  // Adds a finite product.
  void see_product(double x, double y, gemm_sums& s) const {
    const double p = x * y;
    (p > 0 ? s.positive : s.negative) += std::abs(p);
    const double least_product = mode_.rounds_to_half() ? 0x1p-24 : mode_.flushes ? 0x1p-126 : 0x1p-149;
    if (std::abs(p) < least_product) s.has_zero = true;
    if (!mode_.half_products()) return;
    const double by = is_infinite_double(alpha_) ? 1 : (std::max)(1.0, size_);
    s.cut += cut_of_product(x, y * by);
    if (may_exceed_half(x, y * by)) ((p < 0) != is_negative_double(alpha_) ? s.exceeds_below : s.exceeds) = true;
  }

  // The sums of the positive and of the negative products of these, unless they are so large that they may overflow.
  // `greatest`: the greatest factor.
  bool set_parts(double greatest, gemm_sums& s) const {
    const double most = mode_.half_products() ? half_precision.greatest : mode_.of().greatest;
    if (mode_.half_products() && greatest > most) return false;
    if (!(4 * (std::max)(1.0, size_) * s.magnitude < most)) return false;
    s.positive = (s.magnitude + s.sum) / 2 + growth_of_double_ * s.magnitude;
    s.negative = (s.magnitude - s.sum) / 2 + growth_of_double_ * s.magnitude;
    return true;
  }

  bound of(const gemm_sums& s, const factor_line& row, const factor_line& column, double c) const {
    bound result;
    // A device may skip a product with a factor of 0, and miss an infinity or a NaN (GM-R1).
    const bool skips_products = is_zero(alpha_) && !is_finite_double(s.sum);
    const bool skips_c = has_c_ && is_zero(beta_) && !is_finite_double(c);
    const double product = skips_products ? 0 : alpha_ * s.sum;
    const double addend = has_c_ && !skips_c ? beta_ * c : 0;
    result.value = has_c_ ? product + addend : product;
    result.add(interval_also::nan, skips_products || skips_c);
    if (is_infinite_double(alpha_)) {
      add_infinite_alpha(s, row, column, c, addend, result);
      return result;
    }
    const double magnitude = (is_zero(alpha_) ? 0 : size_ * s.magnitude) + std::abs(addend);
    const bool exact = is_finite_double(result.value) && is_exact(s, row, column, c, magnitude);
    if (is_finite_double(result.value) && !exact) {
      const double fixed = lost(s, row, column, c) + growth_of_double_ * magnitude;
      result.error = growth_ * magnitude + fixed;
      result.usual_error = usual_growth_ * magnitude + fixed;
    }
    const bool is_one_product = n_ == 1 && !scales_ && !mode_.rounds_to_half();
    add_overflow(s, row, column, c, addend, !exact && !is_one_product, result);
    return result;
  }

 private:
  static bool is_subnormal(double x) { return !is_zero(x) && std::abs(x) < 0x1p-126; }

  double least() const { return mode_.half() ? 0x1p-24 : mode_.flushes ? 0x1p-126 : 0x1p-149; }

  // Whether no arrangement rounds: each partial sum, with and without Alpha, is a multiple of a number q and at most
  // 1 / unit times q.
  bool is_exact(const gemm_sums& s, const factor_line& row, const factor_line& column, double c,
                double magnitude) const {
    if (!mode_.half_products()) return is_exact_in(mode_.of(), s, row, column, c, magnitude);
    if (is_exact_in(half_precision, s, row, column, c, magnitude)) return true;
    if (scales_ || scales_c_) return false;
    const double greatest = row.greatest * column.greatest, of_products = std::ldexp(1.0, row.lowest + column.lowest);
    const bool products_are_halves = greatest * half_precision.unit <= of_products &&
                                     of_products >= half_precision.least && greatest <= half_precision.greatest;
    return products_are_halves && is_exact_in(single_precision, s, row, column, c, magnitude);
  }
  bool is_exact_in(const precision& of, const gemm_sums& s, const factor_line& row, const factor_line& column, double c,
                   double magnitude) const {
    const double least = of.mode == accumulation::half ? 0x1p-24 : mode_.flushes ? 0x1p-126 : 0x1p-149;
    const bool flushes = mode_.flushes && mode_.float32;
    double q = std::numeric_limits<double>::infinity();
    if (has_c_ && !is_zero(beta_) && !is_zero(c)) {
      q = std::ldexp(1.0, odd_part(beta_).exponent + odd_part(c).exponent);
      if (flushes && (is_subnormal(beta_) || is_subnormal(c))) return false;
      if (mode_.rounds_to_half() && !(is_half(beta_) && is_half(c))) return false;
    }
    if (!is_zero(alpha_) && !is_zero(s.magnitude)) {
      const double of_products = std::ldexp(1.0, row.lowest + column.lowest);
      q = (std::min)(q, size_ * of_products);
      if (!alpha_is_power_ || (flushes && (is_subnormal(alpha_) || !is_zero(s.subnormal)))) return false;
      if (mode_.rounds_to_half() && !(row.are_halves && column.are_halves && is_half(alpha_))) return false;
      if (scales_) {
        const double lowest = size_ * std::ldexp(1.0, (std::min)(row.lowest, column.lowest));
        if (lowest < least || size_ * (std::max)(row.greatest, column.greatest) > of.greatest) return false;
        if (s.magnitude * of.unit > of_products || of_products < least || s.magnitude > of.greatest) return false;
      }
    }
    return magnitude * of.unit <= q && q >= least && magnitude <= of.greatest;
  }

  // What flushing or underflow takes at most. Alpha may be applied to a, to b, to each product or to the sum.
  double lost(const gemm_sums& s, const factor_line& row, const factor_line& column, double c) const {
    const double most = (std::max)(1.0, size_);
    const double of_scaled = scales_ ? (std::max)(row.sum, column.sum) : 0;
    if (mode_.rounds_to_half()) {
      double factors = most * (row.sum + column.sum + 2 * n_) + of_scaled + (scales_ ? s.magnitude + 2 : 0);
      if (has_c_) factors += std::abs(c) + std::abs(beta_);
      if (mode_.half()) return (1 + growth_) * 0x1p-25 * factors;
      const double addend = has_c_ ? cut_of_product(beta_, c) : 0;
      const double of_scaled_sum = scales_ ? (std::max)(0.0, most * s.magnitude - half_precision.greatest) : 0;
      return (1 + growth_) * half_cut_least * factors + s.cut + addend + of_scaled_sum;
    }
    if (!mode_.float32) return 0;
    if (!mode_.flushes) return (most * (scales_ ? 2 * n_ : n_) + of_scaled) * 0x1p-150;
    double flushed = size_ * (is_subnormal(alpha_) ? s.magnitude : s.subnormal);
    if (has_c_ && (is_subnormal(beta_) || is_subnormal(c))) flushed += std::abs(beta_ * c);
    return flushed + (most * 2 * n_ + of_scaled) * single_precision.least;
  }

  // `rounds`: whether a finite sum may be rounded on the way, and so become infinite. A NaN stays one.
  void add_overflow(const gemm_sums& s, const factor_line& row, const factor_line& column, double c, double addend,
                    bool rounds, bound& result) const {
    if (is_nan(result.value)) return;
    const double grown = (1 + growth_) * (1 + growth_of_double_);
    const bool rounds_sum = mode_.half_products() && scales_;  // to FLOAT16, as a factor of Alpha
    const double most = rounds_sum ? half_precision.greatest : mode_.of().greatest;
    const double finite = is_finite_double(addend) ? addend : 0;
    const double positive = s.positive * grown, negative = s.negative * grown;
    const double up = is_negative_double(alpha_) ? negative : positive;
    const double down = is_negative_double(alpha_) ? positive : negative;
    bool above = size_ * up + (std::max)(finite, 0.0) * grown >= most;
    bool below = size_ * down + (std::max)(-finite, 0.0) * grown >= most;
    if (is_zero(alpha_) || may_vanish(alpha_)) result.add(interval_also::nan, (std::max)(up, down) >= most);
    if (scales_ && !is_zero(alpha_)) {  // before Alpha
      above = above || up >= most;
      below = below || down >= most;
      // Beside an infinite term the infinity of the other sign makes NaN.
      const std::uint8_t of_factors = is_infinite_double(result.value) ? interval_also::nan : interval_also::specials;
      result.add(of_factors, size_ * (std::max)(row.greatest, column.greatest) * grown >= most);
    }
    if (mode_.half_products()) {
      const bool exceeds = has_c_ && may_exceed_half(beta_, c);
      above = above || s.exceeds || (exceeds && addend > 0);
      below = below || s.exceeds_below || (exceeds && addend < 0);
    }
    if (is_finite_double(result.value)) {
      above = above && rounds;
      below = below && rounds;
      result.add(interval_also::positive_infinity, above);
      result.add(interval_also::negative_infinity, below);
      result.add(interval_also::nan, above && below);
    } else if (is_infinite_double(result.value)) {
      result.add(interval_also::nan, is_negative_double(result.value) ? above : below);
      const bool of_products = !is_finite_double(s.sum) && (s.has_infinity_times_tiny || may_vanish(alpha_));
      const bool of_c = !is_finite_double(addend) && (may_vanish(beta_) || may_vanish(c));
      result.add(interval_also::nan, of_products || of_c);
    }
    add_infinite_factors(row, column, c, result);
  }
  // Half precision may read factors as infinities.
  void add_infinite_factors(const factor_line& row, const factor_line& column, double c, bound& result) const {
    if (mode_.rounds_to_half()) {
      const double greatest = (std::max)({row.greatest, column.greatest, finite_size(alpha_),
                                          has_c_ ? finite_size(c) : 0, has_c_ ? finite_size(beta_) : 0});
      result.add(interval_also::specials, greatest > half_precision.greatest);
    }
  }
  // An infinite Alpha makes an infinity of a sum, or NaN of a sum of 0; applied to the factors or the products, NaN if
  // one of them is 0 or if they differ in sign. A sum that cancels may have the other sign.
  void add_infinite_alpha(const gemm_sums& s, const factor_line& row, const factor_line& column, double c,
                          double addend, bound& result) const {
    if (is_nan(s.sum) || is_nan(addend)) return;
    const bool differ = s.positive > 0 && s.negative > 0;
    bool up = s.sum > 0, down = s.sum < 0;
    bool nan = s.has_zero || s.has_infinity_times_tiny || differ;
    if (is_finite_double(s.sum)) {
      const double q = std::ldexp(1.0, row.lowest + column.lowest);
      const bool halves = row.are_halves && column.are_halves;
      const bool exact = s.magnitude * (mode_.rounds_to_half() ? half_precision.unit : mode_.of().unit) <= q &&
                         q >= least() && (!mode_.rounds_to_half() || halves) && is_zero(s.subnormal);
      const double per_term = mode_.half()            ? 0x1p-25 * (row.sum + column.sum + 2 * n_)
                              : mode_.half_products() ? half_cut_least * (row.sum + column.sum + 2 * n_) + s.cut
                              : mode_.flushes         ? s.subnormal + 2 * n_ * 0x1p-126
                                                      : n_ * 0x1p-150;
      const double off = differ && !exact ? growth_ * s.magnitude + (1 + growth_) * per_term : 0;
      const double most = (mode_.rounds_to_half() ? half_precision : single_precision).greatest;
      up = up || s.sum + off > 0 || s.positive * (1 + growth_) >= most;
      down = down || s.sum - off < 0 || s.negative * (1 + growth_) >= most;
    } else {
      nan = nan || (up ? s.negative : s.positive) > 0;
    }
    if (is_negative_double(alpha_)) std::swap(up, down);
    nan = nan || (up && addend == -infinite) || (down && addend == infinite);
    result.add(interval_also::positive_infinity, up && addend != -infinite);
    result.add(interval_also::negative_infinity, down && addend != infinite);
    result.add(interval_also::nan, nan);
    add_infinite_factors(row, column, c, result);
  }
  static constexpr double infinite = std::numeric_limits<double>::infinity();
  static double finite_size(double x) { return is_finite_double(x) ? std::abs(x) : 0; }

  arithmetic_mode mode_;
  double alpha_, beta_, size_;
  bool has_c_;
  bool scales_, scales_c_;
  double n_;  // the number of terms
  double growth_, usual_growth_, growth_of_double_;
  bool alpha_is_power_;
};

// The least magnitude that is not 0.
template <class T>
double least_magnitude(const tensor_view<const T>& t) {
  double result = std::numeric_limits<double>::infinity();
  for (const coordinate_tuple& c : coordinates_of(t.sizes())) {
    const double x = std::abs(exact_double(T(t[c])));
    if (x > 0 && x < result) result = x;
  }
  return result;
}

// Whether flushing may change a bound by more than the error of a double. It does not if no factor is subnormal and
// each product is so far above the least normal number that a bound is far greater than all that is flushed.
template <class T>
bool flushing_matters(const gemm_desc& desc, const tensor_view<const T>& a, const tensor_view<const T>& b,
                      const std::optional<tensor_view<const T>>& c) {
  if (std::abs(desc.alpha) != 1 || desc.fused_activation) return true;
  const auto matters = [](double x, double y) { return !(x >= 0x1p-126 && y >= 0x1p-126 && x * y >= 0x1p-50); };
  if (matters(least_magnitude(a), least_magnitude(b))) return true;
  return c && matters(least_magnitude(*c), std::abs(exact_double(desc.beta)));
}

// The sums of element (i, j) of a tile, of these factors: rows of A and, transposed, columns of B.
template <class T>
gemm_sums sums_of(const matrix_tile& tile, std::uint64_t i, std::uint64_t j, const matrix_view<T>& rows,
                  const matrix_view<T>& columns, const gemm_bounds& bounds) {
  const auto row = static_cast<Eigen::Index>(i), column = static_cast<Eigen::Index>(j);
  gemm_sums result{tile.sums(row, column), tile.magnitudes(row, column), 0, 0, 0};
  if (tile.subnormal.size() != 0) result.subnormal = tile.subnormal(row, column);
  if (is_nan(result.sum) || (is_finite_double(result.magnitude) &&
                             bounds.set_parts((std::max)(tile.rows[i].greatest, tile.columns[j].greatest), result)))
    return result;
  for (std::uint64_t k = 0; k < rows.columns; ++k) {
    const double x = rows.at(i, k), y = columns.at(j, k);
    if (is_finite_double(x * y))
      bounds.see_product(x, y, result);
    else if (bounds.may_vanish(x) || bounds.may_vanish(y))
      result.has_infinity_times_tiny = true;
  }
  return result;
}

}  // namespace goldml::detail
