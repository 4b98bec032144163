// The rules of GEMM, written from its page and the ledger's GM-R1 and AR-R1 to AR-R7: sums in long double, element by
// element, and the bound derived again. Of the fused activations only RELU and SOFTMAX, which cases have. A policy of
// half precision is not among the rules.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/operators/gemm.hpp>

#include "allowed_convolution.hpp"
#include "allowed_reduce.hpp"
#include "allowed_softmax.hpp"
#include "allowed_values.hpp"

namespace judged {

namespace multiplied {

struct factors {
  std::vector<real> a, b;  // of one element
  real alpha = 1, beta = 1, c = 0;
  bool has_c = false;
};

inline bool is_tiny(real x) { return x != 0 && std::abs(x) < least_normal; }
inline bool is_power_of_two(real x) {
  int e = 0;
  return x != 0 && std::isfinite(x) && std::frexp(std::abs(x), &e) == 0.5L;
}

// A list of numbers: the greatest, their sum, and the lowest bit of any.
struct line {
  real greatest = 0, sum = 0;
  int lowest = 10000;
  explicit line(const std::vector<real>& numbers) {
    for (const real x : numbers)
      if (std::isfinite(x) && x != 0) {
        greatest = std::max(greatest, std::abs(x));
        sum += std::abs(x);
        lowest = std::min(lowest, lowest_bit(x));
      }
  }
};

// An infinite Alpha: of the sum the sign matters, of the products, if Alpha comes first, which signs and zeros there
// are.
inline approximate with_infinite_alpha(const factors& f, approximate r, real addend, bool flushes) {
  real sum = 0, of_tiny = 0;
  bool plus = false, minus = false, nothing = false, lost = false;
  real magnitude = 0;
  for (std::size_t k = 0; k < f.a.size(); ++k) {
    const real p = f.a[k] * f.b[k];
    const bool tiny = is_tiny(f.a[k]) || is_tiny(f.b[k]);
    sum += p;
    if (std::isinf(p)) lost = lost || (flushes && tiny);
    if (!std::isfinite(p)) continue;
    plus = plus || p > 0;
    minus = minus || p < 0;
    nothing = nothing || std::abs(p) < (flushes ? least_normal : 0x1p-149L);
    magnitude += std::abs(p);
    if (tiny) of_tiny += std::abs(p);
  }
  if (std::isnan(sum) || std::isnan(addend)) return r;
  const line row(f.a), column(f.b);
  const real unit = std::ldexp(1.0L, row.lowest + column.lowest), n = static_cast<real>(f.a.size() + (f.has_c ? 1 : 0));
  const real g = grown(static_cast<real>(f.a.size()) + 3);
  const bool sure = magnitude <= 0x1p24L * unit && unit >= (flushes ? least_normal : 0x1p-149L) && of_tiny == 0;
  bool up = sum > 0, down = sum < 0;
  bool nan = nothing || lost || (plus && minus);
  if (std::isinf(sum)) {
    nan = nan || (sum > 0 ? minus : plus);
  } else if (plus && minus) {
    real positive = 0, negative = 0;
    for (std::size_t k = 0; k < f.a.size(); ++k) {
      const real p = f.a[k] * f.b[k];
      (p > 0 ? positive : negative) += std::abs(p);
    }
    const real flushed = flushes ? of_tiny + 2 * n * least_normal : n * 0x1p-150L;
    const real off = sure ? 0 : g * magnitude + (1 + g) * flushed;
    up = up || sum + off > 0 || positive * (1 + g) >= greatest_float;
    down = down || sum - off < 0 || negative * (1 + g) >= greatest_float;
  }
  if (f.alpha < 0) std::swap(up, down);
  const bool above = addend > 0 && std::isinf(addend), below = addend < 0 && std::isinf(addend);
  r.nan = r.nan || nan || (up && below) || (down && above);
  r.above = up && !below;
  r.below = down && !above;
  return r;
}

inline approximate element_of(const factors& f, bool is_float32, bool flushing) {
  constexpr real infinite = std::numeric_limits<real>::infinity();
  const bool flushes = is_float32 && flushing;
  real sum = 0, rising = 0, falling = 0, with_tiny = 0;
  bool infinity_times_tiny = false;
  for (std::size_t k = 0; k < f.a.size(); ++k) {
    const real p = f.a[k] * f.b[k];
    const bool tiny = is_tiny(f.a[k]) || is_tiny(f.b[k]);
    sum += p;
    if (!std::isfinite(p)) {
      infinity_times_tiny = infinity_times_tiny || tiny;
      continue;
    }
    (p > 0 ? rising : falling) += std::abs(p);
    if (tiny) with_tiny += std::abs(p);
  }
  const real products = rising + falling;
  const real size = std::abs(f.alpha);
  // A factor of 0 may be skipped.
  const bool skips_sum = f.alpha == 0 && !std::isfinite(sum);
  const bool skips_c = f.has_c && f.beta == 0 && !std::isfinite(f.c);
  const real scaled = skips_sum ? 0 : f.alpha * sum;
  const real addend = f.has_c && !skips_c ? f.beta * f.c : 0;

  approximate r;
  r.value = f.has_c ? scaled + addend : scaled;
  r.nan = skips_sum || skips_c;
  if (std::isinf(f.alpha)) return with_infinite_alpha(f, r, addend, flushes);
  const line row(f.a), column(f.b);
  const real k = static_cast<real>(f.a.size());
  const real terms = k + (f.has_c ? 1 : 0);
  const real g = grown(k + 3);
  const bool has_factor = size != 1;

  bool exact = std::isfinite(r.value);
  if (exact) {
    const real magnitude = (f.alpha == 0 ? 0 : size * products) + std::abs(addend);
    const real least = flushes ? least_normal : 0x1p-149L;
    real q = infinite;
    if (addend != 0) {
      q = std::ldexp(1.0L, lowest_bit(f.beta) + lowest_bit(f.c));
      if (flushes && (is_tiny(f.beta) || is_tiny(f.c))) exact = false;
    }
    if (f.alpha != 0 && products != 0) {
      const real unscaled = std::ldexp(1.0L, row.lowest + column.lowest);
      q = std::min(q, size * unscaled);
      if (!is_power_of_two(f.alpha) || (flushes && (is_tiny(f.alpha) || with_tiny != 0))) exact = false;
      if (has_factor) {
        if (products > 0x1p24L * unscaled || unscaled < least || products > greatest_float) exact = false;
        for (const line& each : {row, column})
          if (size * std::ldexp(1.0L, each.lowest) < least || size * each.greatest > greatest_float) exact = false;
      }
    }
    if (magnitude > 0x1p24L * q || q < least || magnitude > greatest_float) exact = false;
    if (!exact) {
      real lost = 0;
      const real most = std::max(1.0L, size), other = has_factor ? std::max(row.sum, column.sum) : 0;
      if (flushes) {
        lost = size * (is_tiny(f.alpha) ? products : with_tiny) + (2 * terms * most + other) * least_normal;
        if (is_tiny(f.beta) || is_tiny(f.c)) lost += std::abs(addend);
      } else if (is_float32) {
        lost = ((has_factor ? 2 : 1) * terms * most + other) * 0x1p-150L;
      }
      // The library computes in double.
      r.error = g * magnitude + lost + std::expm1((terms + 3) * std::log1p(0x1p-53L)) * magnitude;
    }
  }

  const bool negative = std::signbit(f.alpha);
  const real up = (negative ? falling : rising) * (1 + g), down = (negative ? rising : falling) * (1 + g);
  const real finite = std::isfinite(addend) ? addend : 0;
  bool above = size * up + std::max(finite, 0.0L) * (1 + g) >= greatest_float;
  bool below = size * down + std::max(-finite, 0.0L) * (1 + g) >= greatest_float;
  if (has_factor && f.alpha != 0) {
    above = above || up >= greatest_float;
    below = below || down >= greatest_float;
    if (size * std::max(row.greatest, column.greatest) * (1 + g) >= greatest_float && !std::isnan(r.value))
      r.nan = r.above = r.below = true;
  }
  if ((f.alpha == 0 || (flushes && is_tiny(f.alpha))) && std::max(up, down) >= greatest_float) r.nan = true;
  if (std::isfinite(r.value)) {
    if (exact || (terms == 1 && !has_factor)) above = below = false;  // no step overflows
    r.above = r.above || above;
    r.below = r.below || below;
    r.nan = r.nan || (above && below);
  } else if (std::isinf(r.value)) {
    r.above = r.below = false;  // the other infinity beside that of a term is NaN
    r.nan = r.nan || (r.value < 0 ? above : below);
    if (flushes && !std::isfinite(sum) && (infinity_times_tiny || is_tiny(f.alpha))) r.nan = true;
    if (flushes && !std::isfinite(addend) && (is_tiny(f.beta) || is_tiny(f.c))) r.nan = true;
  }
  return r;
}

// The elements of a tensor as numbers, in row-major order.
template <class T>
std::vector<real> numbers_of(const const_tensor_ref& t) {
  std::vector<real> result;
  for (const bits b : values_of(t)) result.push_back(static_cast<real>(static_cast<double>(value_of<T>(b))));
  return result;
}

}  // namespace multiplied

// SOFTMAX of the sums.
template <class T>
output_rules softmax_rules(const activation& f, const std::vector<approximate>& sums, const dimensions& sizes,
                           bool flushes) {
  const dimensions axes = f.operator_type == 158 ? f.axes : dimensions{static_cast<std::uint32_t>(sizes.size() - 1)};
  output_rules rules(sums.size());
  for (const std::vector<std::size_t>& elements : softened::slices_of(sizes, axes)) {
    std::vector<softened::element> slice;
    bool open = false, surely_nan = false;
    for (const std::size_t each : elements) {
      const approximate& w = sums[each];
      surely_nan = surely_nan || (!std::isfinite(w.value) && !(w.value < 0) && !w.below);
      const convolved::argument given = convolved::argument_of<T>(sums[each]);
      open = open || given.rises || given.falls || sums[each].nan;
      slice.push_back({sums[each].value, given.error});
    }
    const std::vector<element_rule> found = softened::rules_of_slice<T>(slice, flushes, open);
    for (std::size_t i = 0; i < elements.size(); ++i)
      rules[elements[i]] = surely_nan ? element_rule{true, {quiet_nan_of<T>()}} : found[i];
  }
  return rules;
}

inline all_rules rules_of(const gemm_desc& desc, input_refs inputs, output_descs outputs, bool flushing = false) {
  output_rules rules;
  visit_data_type(type_list<float, float16>{}, outputs[0].data_type, [&]<class T>(std::type_identity<T>) {
    const dimensions& sizes = outputs[0].sizes;
    const dimensions &a_sizes = inputs[0].desc().sizes, &b_sizes = inputs[1].desc().sizes;
    const std::vector<real> a = multiplied::numbers_of<T>(inputs[0]), b = multiplied::numbers_of<T>(inputs[1]);
    multiplied::factors f;
    f.alpha = desc.alpha;
    f.beta = desc.beta;
    f.has_c = inputs[2].present();
    const std::vector<real> c = f.has_c ? multiplied::numbers_of<T>(inputs[2]) : std::vector<real>{};
    const std::size_t row = sizes.size() - 2, column = sizes.size() - 1;
    const bool a_turned = desc.trans_a != matrix_transform::none, b_turned = desc.trans_b != matrix_transform::none;
    const bool softmax = desc.fused_activation && desc.fused_activation->operator_type != 44;
    std::vector<approximate> sums;
    std::size_t element = 0;
    for (const coordinate_tuple& o : coordinates_of(sizes)) {
      f.a.clear();
      f.b.clear();
      for (std::uint32_t k = 0; k < a_sizes[a_turned ? row : column]; ++k) {
        coordinate_tuple left = o, right = o;
        left[a_turned ? column : row] = o[row];
        left[a_turned ? row : column] = k;
        right[b_turned ? column : row] = k;
        right[b_turned ? row : column] = o[column];
        f.a.push_back(a[number_of(left, a_sizes)]);
        f.b.push_back(b[number_of(right, b_sizes)]);
      }
      if (f.has_c) f.c = c[element];
      const approximate w = multiplied::element_of(f, std::is_same_v<T, float>, flushing);
      const bool flushes = flushing && std::is_same_v<T, float>;
      sums.push_back(w);
      element_rule rule = desc.fused_activation ? convolved::rectified<T>(w, flushes) : rule_of_number<T>(w, false);
      const bool only_nan = std::isnan(w.value) && !w.above && !w.below && !desc.fused_activation;
      if (only_nan) rule.range.reset();
      rules.push_back(std::move(rule));
      ++element;
    }
    if (softmax) rules = softmax_rules<T>(*desc.fused_activation, sums, sizes, flushing);
  });
  return {rules};
}

}  // namespace judged
