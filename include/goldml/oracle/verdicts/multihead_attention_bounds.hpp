// How far a device may be from a row of attention (ledger MH-R3, MH-R4, MH-R14): any order of sums and of keys, two
// passes or an online softmax in blocks of 16 keys or more, powers of e or of 2, Scale on either side of the product.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/arithmetic/precision.hpp>
#include <goldml/arithmetic/primitives.hpp>
#include <goldml/arithmetic/values.hpp>
#include <goldml/core/element_verdict.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/operators/multihead_attention_values.hpp>
#include <goldml/oracle/verdicts/multihead_attention_columns.hpp>
#include <goldml/oracle/verdicts/multihead_attention_head.hpp>

namespace goldml::detail {

template <class T>
class attention_bounds {
 public:
  // `sets`: a filtered score is MaskFilterValue.
  attention_bounds(const attention_call<T>& call, const attention_row_place& at, bool sets,
                   const attention_precision& in, const attention_head<T>& head)
      : call_(call), at_(at), in_(in), mode_(in.mode), stores_(in.stores), head_(head), keys_(call.keys_of(at)) {
    attention_numbers query;
    for (std::uint32_t d = 0; d < call.z.d; ++d) {
      const auto pair = call.query_at(at, d);
      const double q = pair[0] + pair[1];
      query.add(q, call.bias ? in.rounding_of(q) : 0);
      collapsed_ = collapsed_ || is_beyond_halves(q);
    }
    double greatest = -infinite_double;
    std::array<attention_product, attention_head<T>::lanes> products;
    for (std::uint32_t t = 0; t < keys_.size(); ++t) {
      if (t % products.size() == 0) products = head.products(query, t);
      keys_[t] = score(t, sets, products[t % products.size()]);
      collapsed_ = collapsed_ || is_beyond_halves(head.greatest_key(t));
      if (is_nan(keys_[t].value) || keys_[t].value == infinite_double) undefined_ = true;
      greatest = (std::max)(greatest, keys_[t].value);
      special_ = special_ || !keys_[t].sure;
    }
    nothing_ = !undefined_ && greatest == -infinite_double;
    undefined_ = undefined_ || nothing_;
    if (undefined_ || mode_.rounds_to_half()) return;
    weigh(greatest);
  }

  // Of a golden value that is NaN because of the scores; or as none of them is above -infinity.
  bool undefined() const { return undefined_; }
  bool is_nothing() const { return nothing_; }

  element_intervals of(std::uint32_t d, T golden) {
    if (head_.overflows(d)) return {{any_answer, any_answer}};
    if (mode_.rounds_to_half() || collapsed_ || special_) {
      const interval all = hull(d, false, true);
      return {{all, all}};
    }
    return is_finite(d) ? of_finite(d, golden) : of_others(d, golden);
  }

 private:
  static constexpr double u = attention_precision::u;

  // Whether a number of a query or a key, with its bias or scaled, is stored as FLOAT16 and does not fit.
  bool is_beyond_halves(double x) const {
    return stores_ && is_finite_double(x) && (std::max)(1.0, std::abs(call_.scale)) * std::abs(x) > 65504;
  }
  bool is_finite(std::uint32_t d) const {
    bool all = true;
    for (std::size_t t = 0; !head_.is_finite(d) && t < keys_.size(); ++t)
      all = all && is_finite_double(head_.value(t, d));
    return all;
  }

  attention_score score(std::uint32_t t, bool sets, const attention_product& p) const {
    attention_score s;
    const key_state state = call_.state_of(at_, t);
    if (state == key_state::filtered && sets) {
      s.value = s.rest = call_.filter;
      s.below = call_.filter * 1.45 <= -in_.greatest_score();
      return s;
    }
    const double size = std::abs(call_.scale);
    s.product_is_zero = p.is_zero();
    const double bias = call_.position_bias_at(at_, t), filter = state == key_state::filtered ? call_.filter : 0;
    const double scaled = call_.scale * p.sum;
    s.value = scaled + bias + filter;
    s.rest = bias + filter;
    s.sure = is_finite_double(p.sum) && is_finite_double(call_.scale);
    if (!is_finite_double(s.value)) return s;
    const double all = size * p.grown + std::abs(bias) + std::abs(filter), n = static_cast<double>(call_.z.d) + 8;
    const double least = in_.may_flush() ? 0x1p-126 : 0x1p-149, most = (std::max)(1.0, size);
    const bool scale_is_tiny = !is_zero(size) && size < 0x1p-126;
    double lost = (most * 2 * n + (std::max)(p.of_q, p.of_k)) * least;
    if (in_.may_flush())
      lost += size * (scale_is_tiny ? p.magnitude : p.subnormal) + (std::abs(bias) < 0x1p-126 ? std::abs(bias) : 0);
    if (s.product_is_zero) lost = 0;
    const double stored = stores_ ? half_cut_unit * (2 * size * p.magnitude + std::abs(scaled) +
                                                     (call_.position_bias ? std::abs(scaled + bias) : 0) +
                                                     (state == key_state::filtered ? std::abs(s.value) : 0)) +
                                        half_cut_least * (6 + size)
                                  : 0;
    const double fixed = (size * p.crossed + lost + stored) * (1 + 0x1p-20) + 0x1p-45 * all;
    s.error = growth(n, u) * all + fixed;
    s.usual = usual_growth(n, u) * all + fixed;
    if (s.product_is_zero && is_zero(s.rest)) s.error = s.usual = 0;
    // Positive and negative partial sums, before Scale and after it, with log2 e folded in.
    const double negative = p.magnitude - p.positive, top = in_.greatest_score() / 1.45;
    const double up = call_.scale < 0 ? negative : p.positive, down = call_.scale < 0 ? p.positive : negative;
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
    tiny_ = stores_ ? half_cut_least : in_.may_flush() ? 0x1p-125 : 0x1p-148;
    fixed_ = !mode_.float32 ? 0 : in_.may_flush() ? 3 * n * 0x1p-126 : n * 0x1p-148;
  }

  // Shares of the whole: no result is beyond the values.
  interval hull(const attention_values& r) const {
    const double most = r.low <= r.high ? (std::max)(std::abs(r.low), std::abs(r.high)) : 0;
    double by = grown_ * most + r.off + tiny_ * r.sum + fixed_;
    std::uint8_t also = r.also;
    if (mode_.rounds_to_half() || !(grown_ > 0)) {
      const double n = static_cast<double>(keys_.size());
      by = (2 * growth(n + 8, half_cut_unit)) * most + half_cut_least * (r.sum + n);
      if (most > 65504) also = static_cast<std::uint8_t>(also | interval_also::specials);
    }
    interval result;
    const double middle = r.low + (r.high - r.low) / 2, half = (r.high - r.low) / 2 + by;
    if (r.low <= r.high) result = interval_of<T>(middle, half, half);
    result.also = static_cast<std::uint8_t>(result.also | also);
    return result;
  }
  interval hull(std::uint32_t d, bool of_alive, bool or_nan) const {
    attention_values range;
    range.also = or_nan ? interval_also::nan : std::uint8_t{0};
    for (std::size_t t = 0; t < keys_.size(); ++t) {
      const double v = head_.value(t, d);
      if (of_alive && !keys_[t].alive) continue;
      if (is_finite_double(v))
        range.add(v, head_.value_error(t, d));
      else
        range.also = static_cast<std::uint8_t>(range.also | interval_also::specials);
    }
    return hull(range);
  }

  // Values that are not finite: a weight that may be 0 skips one, or makes NaN of it.
  element_intervals of_others(std::uint32_t d, T golden) const {
    bool has_sure = false, has_maybe = false;
    const double flushed = stores_ ? 0x1p-23 : 4 * 0x1p-126;
    for (std::size_t t = 0; t < keys_.size(); ++t)
      if (!is_finite_double(head_.value(t, d))) {
        const bool sure = keys_[t].alive && keys_[t].weight > flushed && (is_nan(head_.value(t, d)) || sum_ < 0.5);
        (sure ? has_sure : has_maybe) = true;
      }
    if (!has_maybe) return exactly(golden);
    interval all = hull(d, true, true);
    if (has_sure) all = any_answer;
    all.also = static_cast<std::uint8_t>(all.also | interval_also::specials);
    return {{all, all}};
  }

  element_intervals of_finite(std::uint32_t d, T golden) {
    if (alive_ == 1 && is_exact(d)) return exactly(golden);
    const std::size_t i = d % attention_head<T>::columns;
    if (!sums_ || sums_->first != d - i) sums_.emplace(head_, keys_, d - i);
    const auto& c = *sums_;
    const double y = c.y[i], size = c.size[i], given = c.given[i];
    if (is_exact(d)) {
      const interval only = interval_of<T>(y, 0, 0);
      return {{only, only}};
    }
    const interval limits = hull(c.of_alive[i]);
    if (!(sum_ < 0.5)) return {{limits, limits}};
    const auto off = [&](double spreads, double grown, double all) {
      return (spreads + grown * size) / (1 - all) + given * (1 + all) / (1 - all) + tiny_ * c.of_alive[i].sum + fixed_ +
             0x1p-40 * size;
    };
    interval result =
        interval_of<T>(y, off(c.spread[i], grown_, sum_), off(c.usual_spread[i], usual_grown_, usual_sum_));
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
  bool is_exact(std::uint32_t d) const {
    double sum = 0, lowest = infinite_double;
    const attention_score* first = nullptr;
    for (std::size_t t = 0; t < keys_.size(); ++t) {
      if (!keys_[t].alive) continue;
      if (!is_zero(head_.value_error(t, d))) return false;
      if (alive_ > 1 && (!keys_[t].product_is_zero || (first != nullptr && keys_[t].rest != first->rest))) return false;
      first = &keys_[t];
      const double v = head_.value(t, d);
      sum += std::abs(v);
      lowest = (std::min)(lowest, lowest_bit(v));
      if (in_.may_flush() && mode_.float32 && attention_numbers::is_subnormal(v)) return false;
    }
    if (alive_ == 1 || is_zero(sum)) return true;
    const bool is_power = (alive_ & (alive_ - 1)) == 0 && alive_ <= std::size_t{1} << 14;
    return is_power && sum * u <= lowest && lowest / static_cast<double>(alive_) >= 0x1p-126;
  }

  const attention_call<T>& call_;
  attention_row_place at_;
  const attention_precision& in_;
  arithmetic_mode mode_;
  bool stores_;
  const attention_head<T>& head_;
  std::vector<attention_score> keys_;
  std::optional<attention_columns<T>> sums_;
  bool undefined_ = false, nothing_ = false, special_ = false, collapsed_ = false;
  std::size_t alive_ = 0;
  double sum_ = 0, usual_sum_ = 0, grown_ = 0, usual_grown_ = 0, tiny_ = 0, fixed_ = 0;
};

}  // namespace goldml::detail
