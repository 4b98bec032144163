// The engine of MULTIHEAD_ATTENTION: blocks of rows of one key head in double, with a bound on their errors. Where that
// leaves open how an element is rounded, its row is computed with pairs of doubles, and else with exact scores.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <goldml/cpu/engine/attention/pairs.hpp>
#include <goldml/cpu/engine/attention/products.hpp>
#include <goldml/cpu/engine/attention/weights.hpp>
#include <goldml/cpu/engine/base/estimate.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/operators/multihead_attention_row.hpp>
#include <goldml/operators/multihead_attention_values.hpp>

namespace goldml::detail {

template <class T>
class attention_engine {
 public:
  attention_engine(instruction_set set, const attention_call<T>& call)
      : set_(set),
        call_(call),
        has_addends_(call.position_bias || call.mask_type != multihead_attention_mask_type::none),
        keys_(call.keys()),
        width_(static_cast<std::size_t>(call.z.d)),
        value_width_(static_cast<std::size_t>(call.z.dv)),
        value_step_(panels_of(value_width_) * panel_columns),
        blocks_(attention_blocks_of(keys_)),
        step_(blocks_ * attention_lanes),
        most_rows_(std::clamp(most_scores / step_, std::size_t{4}, std::size_t{32})),
        key_panels_(panels_of(keys_) * panel_columns * width_),
        value_panels_(value_step_ * keys_),
        norms_(value_step_),
        greatest_values_(value_step_),
        results_(value_step_),
        open_(value_step_),
        addend_sizes_(keys_) {}

  // Rows first .. last - 1 of the call.
  void run(std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t i = first; i < last; i += rows_.size()) {
      const attention_row_place begin = call_.row(i);
      const std::uint32_t m = call_.group(begin.n);
      const std::array<std::uint32_t, 2> head{begin.b, m};
      rows_.clear();
      while (rows_.size() < most_rows_ && i + rows_.size() < last) {
        const attention_row_place at = call_.row(i + rows_.size());
        if (at.b != begin.b || call_.group(at.n) != m) break;
        rows_.push_back(at);
      }
      if (head_ != head) load(begin.b, m);
      head_ = head;
      run_block();
    }
  }

 private:
  static constexpr std::size_t most_scores = std::size_t{1} << 18;  // of a block, where that is four rows
  static constexpr std::size_t score_chunk = 16, value_chunk = 32, value_part = 128;  // of add_panel_product
  static constexpr std::size_t readable = 8;                                          // after what is multiplied

  // The sum of an element and its bias; `is_exact` becomes false if it is rounded.
  static double sum_of(const std::array<double, 2>& pair, bool& is_exact) {
    const double sum = pair[0] + pair[1];
    is_exact = is_exact && is_zero((sum - pair[0]) - pair[1]) && is_zero((sum - pair[1]) - pair[0]);
    return sum;
  }
  // At least the Euclidean norm of `terms` numbers.
  static double norm_of(double squares, std::size_t terms) {
    return std::sqrt(squares) * (1 + (static_cast<double>(terms) + 8) * 0x1p-52);
  }

  void load(std::uint32_t b, std::uint32_t m) {
    is_exact_ = true;
    double longest = 0;
    bool is_finite = true;
    std::fill(norms_.begin(), norms_.end(), 0.0);
    std::fill(greatest_values_.begin(), greatest_values_.end(), 0.0);
    for (auto* const each : {&key_panels_, &value_panels_})  // what is left of another head
      if (call_.lengths) std::fill(each->begin(), each->end(), 0.0);
    for (std::uint32_t t = 0; t < call_.keys_in(b); ++t) {
      double* const key = key_panels_.data() + t / panel_columns * panel_columns * width_ + t % panel_columns;
      double squares = 0;
      for (std::uint32_t k = 0; k < width_; ++k) {
        const double x = sum_of(call_.key_at(b, m, t, k), is_exact_);
        key[k * panel_columns] = x;
        squares += x * x;
      }
      is_finite = is_finite && is_finite_double(squares);
      longest = (std::max)(longest, squares);
      double* const value = value_panels_.data() + t * panel_columns;
      for (std::uint32_t d = 0; d < value_width_; ++d) {
        const double x = sum_of(call_.value_at(b, m, t, d), is_exact_);
        value[d / panel_columns * panel_columns * keys_ + d % panel_columns] = x;
        norms_[d] += x * x;
        greatest_values_[d] = (std::max)(greatest_values_[d], std::abs(x));
      }
    }
    for (double& each : norms_) {
      is_finite = is_finite && is_finite_double(each);
      each = norm_of(each, keys_);
    }
    longest_key_ = norm_of(longest, width_);
    is_finite_ = is_finite;
  }

  // What a score has besides the product: its bias and the filter; or it is `set`.
  struct addends {
    double bias = 0, filter = 0;
    bool set = false;
    double size() const { return std::abs(bias) + std::abs(filter); }
  };
  addends addends_of(const attention_row_place& at, std::uint32_t t) const {
    const bool filtered = call_.state_of(at, t) == key_state::filtered;
    if (filtered && call_.sets) return {0, call_.filter, true};
    return {call_.position_bias_at(at, t), filtered ? call_.filter : 0, false};
  }
  // The greatest size of the addends of keys that may have a weight, of scores that are off by `unit` of it, besides
  // the products.
  double greatest_addend(const double* scores, double greatest, double unit) const {
    double most = 0;
    for (std::uint32_t t = 0; has_addends_ && t < keys_; ++t)
      if (scores[t] - greatest > least_attention_difference - 2 - unit * addend_sizes_[t])
        most = (std::max)(most, addend_sizes_[t]);
    return most;
  }

  void run_block() {
    queries_.assign(rows_.size() * width_ + readable, 0);
    lengths_.assign(rows_.size(), 0);
    scores_.assign(rows_.size() * step_ + readable, 0);
    sums_.assign(rows_.size() * value_step_, 0);
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      double squares = 0;
      for (std::uint32_t k = 0; k < width_; ++k) {
        const auto [x, bias] = call_.query_at(rows_[r], k);
        const double q = call_.scale * (x + bias);
        queries_[r * width_ + k] = q;
        squares += q * q;
      }
      lengths_[r] = norm_of(squares, width_);
    }
    const panel_product products{
        queries_.data(), rows_.size(),   width_, key_panels_.data(), panels_of(keys_), panel_columns * width_,
        width_,          scores_.data(), step_};
    simd::dispatch<add_panel_product>(set_, products, width_, score_chunk);
    estimates_.clear();
    for (std::size_t r = 0; r < rows_.size(); ++r) estimates_.push_back(weigh(r));
    const panel_product sums{
        scores_.data(),        rows_.size(), step_,        value_panels_.data(), panels_of(value_width_),
        panel_columns * keys_, keys_,        sums_.data(), value_step_};
    simd::dispatch<add_panel_product>(set_, sums, value_part, value_chunk);
    for (std::size_t r = 0; r < rows_.size(); ++r) store(r);
  }

  struct estimate_of_row {
    attention_totals totals;
    attention_errors errors;
  };
  // Scores of a row become weights; nothing if scores are not finite, or off by much, or a weight may be 0 or not. A
  // score is a sum of products, of which each has one rounding, one of the scale and two of biases; with the additions
  // of a chunk and of chunks, of the bias and of the filter. What the greatest is off by is a factor of all weights.
  std::optional<estimate_of_row> weigh(std::size_t r) {
    double* const scores = scores_.data() + r * step_;
    const std::uint32_t seen = call_.keys_of(rows_[r]);
    for (std::uint32_t t = 0; has_addends_ && t < seen; ++t) {
      const addends a = addends_of(rows_[r], t);
      scores[t] = a.set ? a.filter : scores[t] + a.bias + a.filter;
      addend_sizes_[t] = a.size();
      if (!(scores[t] < infinite_double)) return std::nullopt;
    }
    std::fill(scores + seen, scores + step_, -infinite_double);
    const double greatest = simd::dispatch<greatest_attention_score>(set_, scores, blocks_);
    const double unit = (static_cast<double>(width_ / score_chunk + score_chunk) + 8) * 0x1p-53 * (1 + 0x1p-20);
    const double size = lengths_[r] * longest_key_ + greatest_addend(scores, greatest, unit);
    const double error = unit * size + 0x1p-900;
    if (!is_finite_ || !is_finite_double(greatest) || !(error < 0x1p-22)) return std::nullopt;
    estimate_of_row result;
    result.totals = simd::dispatch<attention_weights>(set_, scores, blocks_, greatest, 4 * error + 0x1p-40);
    if (result.totals.is_open) return std::nullopt;
    const double farthest = (std::min)(2 * size + 1, 2 - least_attention_difference);
    const double additions = (static_cast<double>(keys_ / value_chunk + value_chunk) + 8) * 0x1p-53;
    result.errors = {error + (farthest + 8) * 0x1p-53, additions, additions};
    return result;
  }

  void store(std::size_t r) {
    const auto& known = estimates_[r];
    if (known)
      simd::dispatch<attention_results<T>>(set_, sums_.data() + r * value_step_, value_step_ / panel_columns,
                                           known->totals, std::sqrt(known->totals.squares) * (1 + 0x1p-20),
                                           known->errors, norms_.data(), greatest_values_.data(), results_.data(),
                                           open_.data());
    const attention_row_place& at = rows_[r];
    std::optional<bool> has_pairs;
    std::optional<attention_row<T>> exact;
    for (std::uint32_t d = 0; d < value_width_; ++d) {
      T& to = call_.output.at(at.b, at.n, at.i, d);
      if (known && open_[d] == 0) {
        to = std::bit_cast<T>(results_[d]);
        continue;
      }
      if (known && is_zero(greatest_values_[d])) {
        to = T(0.0F);
        continue;
      }
      if (!has_pairs) has_pairs = weigh_pairs(at);
      if (const auto decided = *has_pairs ? element_of_pairs(d) : std::nullopt) {
        to = *decided;
        continue;
      }
      if (!exact) exact.emplace(call_, at);
      to = exact->element(d);
    }
  }

  // The same with pairs, into high_ and low_; false if the row is not known so. What a pair of a score loses is far
  // less than what attention_pair_scores is off by.
  bool weigh_pairs(const attention_row_place& at) {
    bool is_exact = is_exact_;
    std::vector<double> query(2 * width_ + readable);
    double squares = 0;
    for (std::uint32_t k = 0; k < width_; ++k) {
      const double q = sum_of(call_.query_at(at, k), is_exact);
      const double_pair parts = arithmetic::split_pair(q);
      query[2 * k] = parts.high;
      query[2 * k + 1] = parts.low;
      squares += q * q;
    }
    if (!is_finite_ || !is_exact) return false;
    high_.assign(step_, 0);
    low_.assign(step_, 0);
    simd::dispatch<attention_pair_scores>(set_, query.data(), key_panels_.data(), width_, panels_of(keys_), call_.scale,
                                          high_.data(), low_.data());
    double_pair greatest{-infinite_double, 0};
    const std::uint32_t seen = call_.keys_of(at);
    for (std::uint32_t t = 0; t < step_; ++t) {
      double_pair s{t < seen ? high_[t] : -infinite_double, low_[t]};
      if (has_addends_ && t < seen) {
        const addends a = addends_of(at, t);
        if (a.set) s = {0, 0};
        s = sum_with(sum_with(s, a.bias), a.filter);
        addend_sizes_[t] = a.size();
        if (!(s.high < infinite_double)) return false;
      }
      if (s.high == -infinite_double) s.low = 0;
      high_[t] = s.high;
      low_[t] = s.low;
      if (s.high > greatest.high || (s.high == greatest.high && s.low > greatest.low)) greatest = s;
    }
    const double unit = (static_cast<double>(width_) + 16) * 0x1p-74;
    const double size = std::abs(call_.scale) * norm_of(squares, width_) * longest_key_ +
                        greatest_addend(high_.data(), greatest.high, unit);
    const double error = unit * size;
    if (!is_finite_double(greatest.high) || !(error < 0x1p-42)) return false;
    if (!simd::dispatch<attention_pair_weights>(set_, high_.data(), low_.data(), blocks_, greatest,
                                                4 * error + 0x1p-40))
      return false;
    total_ = {};
    for (std::uint32_t t = 0; t < keys_; ++t) total_.add(high_[t], low_[t], 1);
    pair_error_ = error + 0x1p-61 + (static_cast<double>(keys_) + 8) * 0x1p-74;
    return true;
  }
  // By the bound of attention_results; the quotient is off by less than four roundings.
  std::optional<T> element_of_pairs(std::uint32_t d) const {
    const double* const values = value_panels_.data() + d / panel_columns * panel_columns * keys_ + d % panel_columns;
    attention_pair_sum sum;
    for (std::uint32_t t = 0; t < keys_; ++t) sum.add(high_[t], low_[t], values[t * panel_columns]);
    if (is_zero(sum.magnitude)) return T(0.0F);
    const double total = total_.sum + total_.rest, y = (sum.sum + sum.rest) / total;
    const double error = pair_error_ * (sum.magnitude / total + std::abs(y)) + std::abs(y) * 0x1p-51;
    return certain<T>({y, error * (1 + 0x1p-18) + 0x1p-900});
  }

  const instruction_set set_;
  const attention_call<T>& call_;
  const bool has_addends_;
  const std::size_t keys_, width_, value_width_, value_step_, blocks_, step_, most_rows_;
  std::vector<attention_row_place> rows_;
  std::optional<std::array<std::uint32_t, 2>> head_;  // of the following
  bool is_finite_ = false, is_exact_ = false;
  double longest_key_ = 0;
  std::vector<double> key_panels_, value_panels_, norms_, greatest_values_;
  std::vector<double> queries_, lengths_, scores_, sums_;  // of a block of rows
  std::vector<std::optional<estimate_of_row>> estimates_;
  std::vector<number_bits_of<T>> results_, open_;
  std::vector<double> addend_sizes_, high_, low_;  // of a row
  attention_pair_sum total_;
  double pair_error_ = 0;
};

}  // namespace goldml::detail
