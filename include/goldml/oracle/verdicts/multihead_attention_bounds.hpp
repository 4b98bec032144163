// How far a device may be from a row of attention (ledger MH-R3, MH-R4, MH-R14): any order of sums and of keys, two
// passes or an online softmax in blocks of 16 keys or more, powers of e or of 2, Scale on either side of the product.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/arithmetic/precision.hpp>
#include <goldml/arithmetic/primitives.hpp>
#include <goldml/core/element_verdict.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/operators/multihead_attention_values.hpp>

namespace goldml::detail {

// A score as a device may have it, and what becomes of it.
struct attention_score {
  double value = 0, error = 0, usual = 0, rest = 0;  // `rest`: what is added to the product
  double weight = 0;                                 // its share of the row
  bool alive = false;                                // a device may give it a weight
  bool above = false, below = false;                 // it may overflow
  bool product_is_zero = true, sure = true;
};

template <class T>
class attention_bounds {
 public:
  // `sets`: a filtered score is MaskFilterValue.
  attention_bounds(const attention_call<T>& call, const attention_row_place& at, bool sets, const arithmetic_mode& mode,
                   bool stores)
      : call_(call), at_(at), mode_(mode), stores_(stores && !mode.float32), keys_(call.keys()) {
    double greatest = -infinite_double;
    for (std::uint32_t t = 0; t < call.keys(); ++t) {
      keys_[t] = score(t, sets);
      if (is_nan(keys_[t].value) || keys_[t].value == infinite_double) undefined_ = true;
      greatest = (std::max)(greatest, keys_[t].value);
      special_ = special_ || !keys_[t].sure;
    }
    nothing_ = !undefined_ && greatest == -infinite_double;
    undefined_ = undefined_ || nothing_;
    if (undefined_ || mode.rounds_to_half()) return;
    weigh(greatest);
  }

  // Of a golden value that is NaN because of the scores; or as none of them is above -infinity.
  bool undefined() const { return undefined_; }
  bool is_nothing() const { return nothing_; }

  element_intervals of(std::uint32_t d, T golden) const {
    const std::uint32_t m = call_.group(at_.n);
    std::vector<double> v(keys_.size()), e(keys_.size());
    bool overflows = false;
    for (std::uint32_t t = 0; t < keys_.size(); ++t) {
      const auto pair = call_.value_at(at_.b, m, t, d);
      v[t] = pair[0] + pair[1];
      e[t] = call_.is_biased(t) ? rounding_of(v[t]) : 0;
      overflows = overflows || (std::abs(v[t]) >= greatest_stored() && is_finite_double(v[t]) && call_.is_biased(t));
    }
    if (overflows) return {{any_answer, any_answer}};
    if (mode_.rounds_to_half() || collapsed_ || special_) {
      const interval all = hull(v, e, false, true);
      return {{all, all}};
    }
    return of_finite(v, e, golden);
  }

 private:
  static constexpr double u = 0x1p-24;

  double lam() const { return may_flush() ? 0x1p-126 : 0x1p-149; }
  bool may_flush() const { return mode_.flushes || !mode_.float32; }
  double greatest_score() const { return stores_ || mode_.rounds_to_half() ? 65504 : 0x1p128; }
  double greatest_stored() const { return stores_ || mode_.rounds_to_half() ? 65504 : 0x1p127; }
  double rounding_of(double x) const {
    if (stores_ && is_half(x)) return 0;
    if (stores_ || mode_.rounds_to_half()) return half_cut_unit * std::abs(x) + half_cut_least;
    if (x != static_cast<double>(static_cast<float>(x))) return u * std::abs(x) + lam();
    return may_flush() && mode_.float32 && !is_zero(x) && std::abs(x) < 0x1p-100 ? lam() : 0;
  }

  attention_score score(std::uint32_t t, bool sets) const {
    attention_score s;
    const key_state state = call_.state_of(at_, t);
    if (state == key_state::filtered && sets) {
      s.value = s.rest = call_.filter;
      s.below = call_.filter * 1.45 <= -greatest_score();
      return s;
    }
    const std::uint32_t m = call_.group(at_.n);
    const double size = std::abs(call_.scale);
    double sum = 0, magnitude = 0, grown = 0, crossed = 0, positive = 0, of_q = 0, of_k = 0, subnormal = 0;
    for (std::uint32_t d = 0; d < call_.z.d; ++d) {
      const auto qs = call_.query_at(at_, d), ks = call_.key_at(at_.b, m, t, d);
      const double q = qs[0] + qs[1], k = ks[0] + ks[1];
      const double eq = call_.bias ? rounding_of(q) : 0, ek = call_.is_biased(t) ? rounding_of(k) : 0;
      sum += q * k;
      magnitude += std::abs(q * k);
      positive += (std::max)(q * k, 0.0);
      grown += (std::abs(q) + eq) * (std::abs(k) + ek);
      crossed += std::abs(q) * ek + std::abs(k) * eq + eq * ek;
      of_q += std::abs(q), of_k += std::abs(k);
      const auto is_subnormal = [](double x) { return !is_zero(x) && std::abs(x) < 0x1p-126; };
      if (is_subnormal(q) || is_subnormal(k)) subnormal += std::abs(q * k);
      if (!is_zero(q * k) || !is_zero(eq * (std::abs(k) + ek)) || !is_zero(ek * std::abs(q))) s.product_is_zero = false;
    }
    const double bias = call_.position_bias_at(at_, t), filter = state == key_state::filtered ? call_.filter : 0;
    const double scaled = call_.scale * sum;
    s.value = scaled + bias + filter;
    s.rest = bias + filter;
    s.sure = is_finite_double(sum) && is_finite_double(call_.scale);
    if (!is_finite_double(s.value)) return s;
    const double all = size * grown + std::abs(bias) + std::abs(filter), n = static_cast<double>(call_.z.d) + 8;
    const double least = may_flush() ? 0x1p-126 : 0x1p-149, most = (std::max)(1.0, size);
    const bool scale_is_tiny = !is_zero(size) && size < 0x1p-126;
    double lost = (most * 2 * n + (std::max)(of_q, of_k)) * least;
    if (may_flush())
      lost += size * (scale_is_tiny ? magnitude : subnormal) + (std::abs(bias) < 0x1p-126 ? std::abs(bias) : 0);
    if (s.product_is_zero) lost = 0;
    const double stored = stores_ ? half_cut_unit * (2 * size * magnitude + std::abs(scaled) +
                                                     (call_.position_bias ? std::abs(scaled + bias) : 0) +
                                                     (state == key_state::filtered ? std::abs(s.value) : 0)) +
                                        half_cut_least * (6 + size)
                                  : 0;
    const double fixed = (size * crossed + lost + stored) * (1 + 0x1p-20) + 0x1p-45 * all;
    s.error = growth(n, u) * all + fixed;
    s.usual = usual_growth(n, u) * all + fixed;
    if (s.product_is_zero && is_zero(s.rest)) s.error = s.usual = 0;
    // Positive and negative partial sums, before Scale and after it, with log2 e folded in.
    const double negative = magnitude - positive, top = greatest_score() / 1.45;
    const double up = call_.scale < 0 ? negative : positive, down = call_.scale < 0 ? positive : negative;
    const auto over = [&](double part, double other) {
      return (std::max)(part, size * part) + (std::max)(other, 0.0) > top;
    };
    s.above = over(up, bias) || (std::max)(bias, 0.0) + (std::max)(filter, 0.0) + size * up > top;
    s.below = over(down, -bias) || (std::max)(-bias, 0.0) + (std::max)(-filter, 0.0) + size * down > top;
    return s;
  }
  void weigh(double greatest) {
    double total = 0, top_error = 0, top_usual = 0;
    for (const attention_score& s : keys_)
      if (s.value == greatest) top_error = (std::max)(top_error, s.error), top_usual = (std::max)(top_usual, s.usual);
    for (const attention_score& s : keys_) total += std::exp(s.value - greatest);
    const double blocks = std::ceil(static_cast<double>(keys_.size()) / 16);
    bool all_below = true;
    for (attention_score& s : keys_) {
      const double x = s.value - greatest, both = s.error + top_error;
      s.weight = std::exp(x) / total;
      s.alive = is_finite_double(s.value) && x + both >= -110;
      collapsed_ = collapsed_ || s.above;
      if (!s.alive) continue;
      ++alive_;
      all_below = all_below && s.below;
      const auto off = [&](double own, double of_top, double rescalings) {
        const double distance = std::abs(x) + own + of_top;
        return std::expm1(own +
                          1.001 * (arithmetic::detail::exp_error(distance) + u * distance + rescalings * 0x1p-21));
      };
      s.error = off(s.error, top_error, blocks);
      s.usual = off(s.usual, top_usual, 1);
    }
    collapsed_ = collapsed_ || all_below;
    for (const attention_score& s : keys_)
      if (s.alive) sum_ += s.weight * s.error, usual_sum_ += s.weight * s.usual;
    const double n = static_cast<double>(keys_.size());
    const double more = stores_ ? half_cut_unit : 0;
    grown_ = 2 * growth(n + 2 * blocks + 2, u) + 9 * u + more;
    usual_grown_ = 2 * usual_growth(n + 4, u) + 3 * u + more;
    tiny_ = stores_ ? half_cut_least : may_flush() ? 0x1p-125 : 0x1p-148;
    fixed_ = !mode_.float32 ? 0 : may_flush() ? 3 * n * 0x1p-126 : n * 0x1p-148;
  }

  // Shares of the whole: no result is beyond the values.
  interval hull(const std::vector<double>& v, const std::vector<double>& e, bool of_alive, bool or_nan) const {
    double low = infinite_double, high = -infinite_double, most = 0, off = 0, sum = 0;
    std::uint8_t also = or_nan ? interval_also::nan : std::uint8_t{0};
    for (std::size_t t = 0; t < v.size(); ++t) {
      if (of_alive && !keys_[t].alive) continue;
      if (!is_finite_double(v[t])) {
        also = static_cast<std::uint8_t>(also | interval_also::specials);
        continue;
      }
      low = (std::min)(low, v[t]);
      high = (std::max)(high, v[t]);
      most = (std::max)(most, std::abs(v[t]));
      off = (std::max)(off, e[t]);
      sum += std::abs(v[t]);
    }
    double by = grown_ * most + off + tiny_ * sum + fixed_;
    if (mode_.rounds_to_half() || !(grown_ > 0)) {
      const double n = static_cast<double>(v.size());
      by = (2 * growth(n + 8, half_cut_unit)) * most + half_cut_least * (sum + n);
      if (most > 65504) also = static_cast<std::uint8_t>(also | interval_also::specials);
    }
    interval result;
    const double middle = low + (high - low) / 2, half = (high - low) / 2 + by;
    if (low <= high) result = interval_of<T>(middle, half, half);
    result.also = static_cast<std::uint8_t>(result.also | also);
    return result;
  }

  element_intervals of_finite(const std::vector<double>& v, const std::vector<double>& e, T golden) const {
    // Values that are not finite: a weight that may be 0 skips one, or makes NaN of it.
    bool has_sure = false, has_maybe = false;
    const double flushed = stores_ ? 0x1p-23 : 4 * 0x1p-126;
    for (std::size_t t = 0; t < v.size(); ++t)
      if (!is_finite_double(v[t])) {
        const bool sure = keys_[t].alive && keys_[t].weight > flushed && (is_nan(v[t]) || sum_ < 0.5);
        (sure ? has_sure : has_maybe) = true;
      }
    if (has_sure && !has_maybe) return exactly(golden);
    if (has_sure || has_maybe) {
      interval all = hull(v, e, true, true);
      if (has_sure) all = any_answer;
      all.also = static_cast<std::uint8_t>(all.also | interval_also::specials);
      return {{all, all}};
    }
    if (alive_ == 1 && is_exact(v, e)) return exactly(golden);
    double y = 0, size = 0, spread = 0, usual_spread = 0, given = 0, sum = 0;
    for (std::size_t t = 0; t < v.size(); ++t) y += keys_[t].weight * v[t];
    for (std::size_t t = 0; t < v.size(); ++t) {
      const attention_score& s = keys_[t];
      size += s.weight * std::abs(v[t]);
      if (!s.alive) continue;
      spread += s.weight * s.error * std::abs(v[t] - y);
      usual_spread += s.weight * s.usual * std::abs(v[t] - y);
      given += s.weight * e[t];
      sum += std::abs(v[t]);
    }
    if (is_exact(v, e)) {
      const interval only = interval_of<T>(y, 0, 0);
      return {{only, only}};
    }
    const interval limits = hull(v, e, true, false);
    if (!(sum_ < 0.5)) return {{limits, limits}};
    const auto off = [&](double spreads, double grown, double all) {
      return (spreads + grown * size) / (1 - all) + given * (1 + all) / (1 - all) + tiny_ * sum + fixed_ +
             0x1p-40 * size;
    };
    interval result = interval_of<T>(y, off(spread, grown_, sum_), off(usual_spread, usual_grown_, usual_sum_));
    const auto take_flag = [&](std::uint8_t flag) {
      result.also = static_cast<std::uint8_t>((result.also & ~flag) | (limits.also & flag));
    };
    if (order_key(limits.low) > order_key(result.low)) {
      result.low = limits.low;
      take_flag(interval_also::low_toward_zero);
    }
    if (order_key(limits.high) < order_key(result.high)) {
      result.high = limits.high;
      take_flag(interval_also::high_toward_zero);
    }
    result.usual_low = (std::max)(result.usual_low, result.low);
    result.usual_high = (std::min)(result.usual_high, result.high);
    return {{result, result}};
  }
  element_intervals exactly(T golden) const {
    interval result;
    if (is_nan(golden)) {
      result.also = interval_also::nan;
      return {{result, result}};
    }
    const float x = static_cast<float>(golden);
    result.low = result.high = result.usual_low = result.usual_high = x;
    return {{result, result}};
  }

  // One key; or 2^k keys whose scores every device has alike, as their products are 0.
  bool is_exact(const std::vector<double>& v, const std::vector<double>& e) const {
    double sum = 0, lowest = infinite_double;
    const attention_score* first = nullptr;
    for (std::size_t t = 0; t < v.size(); ++t) {
      if (!keys_[t].alive) continue;
      if (!is_zero(e[t])) return false;
      if (alive_ > 1 && (!keys_[t].product_is_zero || (first != nullptr && keys_[t].rest != first->rest))) return false;
      first = &keys_[t];
      sum += std::abs(v[t]);
      lowest = (std::min)(lowest, lowest_bit(v[t]));
      if (may_flush() && mode_.float32 && !is_zero(v[t]) && std::abs(v[t]) < 0x1p-126) return false;
    }
    if (alive_ == 1 || is_zero(sum)) return true;
    const bool is_power = (alive_ & (alive_ - 1)) == 0 && alive_ <= std::size_t{1} << 14;
    return is_power && sum * u <= lowest && lowest / static_cast<double>(alive_) >= 0x1p-126;
  }

  const attention_call<T>& call_;
  attention_row_place at_;
  arithmetic_mode mode_;
  bool stores_;
  std::vector<attention_score> keys_;
  bool undefined_ = false, nothing_ = false, special_ = false, collapsed_ = false;
  std::size_t alive_ = 0;
  double sum_ = 0, usual_sum_ = 0, grown_ = 0, usual_grown_ = 0, tiny_ = 0, fixed_ = 0;
};

}  // namespace goldml::detail
