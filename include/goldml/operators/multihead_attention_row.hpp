// The golden values of a row of attention, which are rounded once.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <goldml/arithmetic/functions.hpp>
#include <goldml/arithmetic/golden_number.hpp>
#include <goldml/arithmetic/values.hpp>
#include <goldml/arithmetic/wide_functions.hpp>
#include <goldml/core/number.hpp>
#include <goldml/operators/multihead_attention_values.hpp>

namespace goldml::detail {

// The golden values of one row, with exact scores. A weight below e^-110 is 0 (MH-R6).
template <class T>
class attention_row {
 public:
  attention_row(const attention_call<T>& call, const attention_row_place& place)
      : call_(call), place_(place), keys_(call.keys_of(place)) {
    std::optional<std::size_t> top;
    std::vector<extended_sum> scores(keys_);
    bool has_special = false;
    for (std::uint32_t t = 0; t < keys_; ++t) {
      scores[t] = score(t);
      if (!scores[t].is_finite()) {
        // -infinity beside finite scores has no weight.
        has_special = has_special || !(scores[t].special() < 0);
        continue;
      }
      if (!top || !minus(scores[t], scores[*top]).is_negative()) top = t;
    }
    undefined_ = has_special || !top;
    for (std::uint32_t t = 0; !undefined_ && t < keys_; ++t) {
      differences_.emplace_back();
      weights_.push_back(0);
      if (!scores[t].is_finite()) continue;
      const exact_sum difference = minus(scores[t], scores[*top]);
      if (!(difference.value() > -110)) continue;
      differences_.back() = arithmetic::detail::wide_of(difference);
      weights_.back() = arithmetic::exp(difference.value());
    }
  }

  bool undefined() const { return undefined_; }  // NaN for the whole row
  T element(std::uint32_t d) {
    if (undefined_) return rounded<T>(std::numeric_limits<double>::quiet_NaN());
    const std::uint32_t m = call_.group(place_.n);
    std::vector<std::array<double, 2>> v(keys_);
    double sum = 0, magnitude = 0, total = 0, special = 0;
    for (std::uint32_t t = 0; t < keys_; ++t) {
      v[t] = call_.value_at(place_.b, m, t, d);
      const double x = v[t][0] + v[t][1];
      if (!is_finite_double(x)) special += is_zero(weights_[t]) ? std::numeric_limits<double>::quiet_NaN() : x;
      sum += weights_[t] * x;
      magnitude += weights_[t] * std::abs(x);
      total += weights_[t];
    }
    if (!is_zero(special)) return rounded<T>(special);
    const double n = keys_;
    const double error = (0x1p-40 + n * 0x1p-51) * magnitude / total + 0x1p-900;
    return arithmetic::rounded_once<T>(sum / total, error, [&] { return exactly(v); });
  }

 private:
  static exact_sum minus(const extended_sum& a, const extended_sum& b) {
    exact_sum result = a.finite;
    result.subtract(b.finite);
    return result;
  }

  // Exactly; what is not finite as IEEE 754 has it.
  extended_sum score(std::uint32_t t) const {
    extended_sum result;
    const key_state state = call_.state_of(place_, t);
    if (state == key_state::filtered && call_.sets) {
      result.add(call_.filter);
      return result;
    }
    const std::uint32_t m = call_.group(place_.n);
    for (std::uint32_t d = 0; d < call_.z.d; ++d) {
      const auto q = call_.query_at(place_, d), k = call_.key_at(place_.b, m, t, d);
      if (!is_finite_double(q[0] + q[1]) || !is_finite_double(k[0] + k[1])) {
        result.add_product((q[0] + q[1]) * (k[0] + k[1]), call_.scale);
        continue;
      }
      for (const double a : q)
        for (const double b : k)
          if (!is_zero(a * b) || (a == q[0] && b == k[0])) result.add_product(a * b, call_.scale);
    }
    if (call_.position_bias) result.add(call_.position_bias_at(place_, t));
    if (state == key_state::filtered) result.add(call_.filter);
    return result;
  }
  // To 128 bits.
  arithmetic::wide exactly(const std::vector<std::array<double, 2>>& v) {
    using arithmetic::wide;
    if (exact_weights_.empty()) {
      for (const auto& x : differences_) {
        exact_weights_.push_back(x ? arithmetic::exp(*x) : wide());
        exact_total_ = exact_total_ + exact_weights_.back();
      }
    }
    wide sum;
    for (std::size_t t = 0; t < v.size(); ++t)
      if (!exact_weights_[t].is_zero()) sum = sum + exact_weights_[t] * (wide(v[t][0]) + wide(v[t][1]));
    return sum / exact_total_;
  }

  const attention_call<T>& call_;
  attention_row_place place_;
  std::uint32_t keys_;  // that the row sees
  bool undefined_ = false;
  std::vector<std::optional<arithmetic::wide>> differences_;  // to the greatest score; none: no weight
  std::vector<double> weights_;
  std::vector<arithmetic::wide> exact_weights_;
  arithmetic::wide exact_total_;
};

}  // namespace goldml::detail
