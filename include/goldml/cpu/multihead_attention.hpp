// MULTIHEAD_ATTENTION and MULTIHEAD_ATTENTION1 on the CPU: rows in double with a bound on their errors and, where that
// does not decide an element, with exact scores.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/arithmetic/branchless.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/estimate.hpp>
#include <goldml/cpu/engine/base/float_mode.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/cpu/engine/base/simd.hpp>
#include <goldml/cpu/engine/element_wise/bits.hpp>
#include <goldml/operators/multihead_attention_values.hpp>

namespace goldml {

namespace detail {

// The products of one row with `count` rows one after the other: each of eight sums.
struct attention_products {
  template <class Set>
  GOLDML_INLINE static void run(Set, const double* a, const double* rows, std::size_t width, std::size_t count,
                                double* products) {
    using eight = simd::vector<double, 8>;
    for (std::size_t t = 0; t < count; ++t) {
      const double* const b = rows + t * width;
      eight sums, x, y;
      simd::splat(sums, 0.0);
      std::size_t i = 0;
      for (; i + 8 <= width; i += 8) {
        simd::load(x, a + i);
        simd::load(y, b + i);
        sums = sums + x * y;
      }
      double s[8];
      simd::store(s, sums);
      for (; i < width; ++i) s[0] += a[i] * b[i];
      products[t] = ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
    }
  }
};
// Weights e^(score - greatest) of a block, and their relative errors; `open` if one may be 0 or not.
struct attention_weights {
  static constexpr std::size_t block = 32;
  static constexpr double exp_error = 0x1p-50;  // relatively: five roundings, as of softmax/blocks.hpp

  template <class Set>
  GOLDML_INLINE static void run(Set, double greatest, double most, double* weights, double* errors, bool& open) {
    double w[block], error[block];
    std::uint64_t unsure[block];
    std::memcpy(w, weights, sizeof w);
    std::memcpy(error, errors, sizeof error);
    const double unsure_to = 4 * most + 0x1p-40;
    for (std::size_t k = 0; k < block; ++k) {
      const double x = w[k] - greatest;
      unsure[k] = mask_of<std::uint64_t>(magnitude_of(x + 110) <= unsure_to);
      w[k] = choose(x < -110, 0.0, fast_exp(x));
      error[k] = 1.25 * (error[k] - x * 0x1p-52 + exp_error);
    }
    for (const std::uint64_t each : unsure) open = open || each != 0;
    std::memcpy(weights, w, sizeof w);
    std::memcpy(errors, error, sizeof error);
  }
};
// Adds `count` rows, each by its factor, but none by 0.
struct attention_sums {
  template <class Set>
  GOLDML_INLINE static void run(Set, const double* factors, const double* rows, std::size_t width, std::size_t count,
                                double* sums) {
    using eight = simd::vector<double, 8>;
    for (std::size_t d = 0; d < width; d += 8) {
      const std::size_t columns = (std::min)(width - d, std::size_t{8});
      double part[8] = {};
      std::memcpy(part, sums + d, columns * sizeof(double));
      eight sum, factor, row;
      simd::load(sum, part);
      for (std::size_t t = 0; t < count; ++t) {
        if (is_zero(factors[t])) continue;
        if (columns == 8) {
          simd::load(row, rows + t * width + d);
        } else {
          std::memcpy(part, rows + t * width + d, columns * sizeof(double));
          simd::load(row, part);
        }
        simd::splat(factor, factors[t]);
        sum = sum + factor * row;
      }
      simd::store(part, sum);
      std::memcpy(sums + d, part, columns * sizeof(double));
    }
  }
};

// Keys and values of one head as doubles, and what a row is computed with.
template <class T>
class attention_on_cpu {
 public:
  attention_on_cpu(instruction_set set, const attention_call<T>& call)
      : set_(set),
        call_(call),
        width_(static_cast<std::size_t>(call.z.d)),
        value_width_(static_cast<std::size_t>(call.z.dv)),
        keys_(call.keys() * width_),
        values_(call.keys() * value_width_),
        lengths_(call.keys()),
        weights_((call.keys() + std::size_t{block} - 1) / block * block),
        errors_(weights_.size()),
        query_(width_),
        sums_(value_width_),
        part_(value_width_) {}

  void run(const attention_row_place& at) {
    const std::uint32_t m = call_.group(at.n);
    if (!head_ || (*head_)[0] != at.b || (*head_)[1] != m) load(at.b, m);
    std::optional<attention_row<T>> exact;
    const bool estimated = finite_ && estimate_row(at);
    for (std::uint32_t d = 0; d < value_width_; ++d) {
      std::optional<T> known;
      if (estimated) known = element(d);
      if (!known) {
        if (!exact) exact.emplace(call_, at);
        known = exact->element(d);
      }
      call_.output.at(at.b, at.n, at.i, d) = *known;
    }
  }

 private:
  static constexpr std::uint32_t block = attention_weights::block;  // of keys that are summed apart
  static double sum(const std::array<double, 2>& pair) { return pair[0] + pair[1]; }
  double size_of(const double* a) const {
    double square = 0;
    simd::dispatch<attention_products>(set_, a, a, width_, std::size_t{1}, &square);
    return std::sqrt(square) * (1 + 0x1p-40);
  }

  void load(std::uint32_t b, std::uint32_t m) {
    head_ = {b, m};
    finite_ = true;
    greatest_value_ = 0;
    for (std::uint32_t t = 0; t < call_.keys(); ++t) {
      double* const key = keys_.data() + t * width_;
      double* const value = values_.data() + t * value_width_;
      for (std::uint32_t d = 0; d < width_; ++d) key[d] = sum(call_.key_at(b, m, t, d));
      for (std::uint32_t d = 0; d < value_width_; ++d) {
        value[d] = sum(call_.value_at(b, m, t, d));
        finite_ = finite_ && is_finite_double(value[d]);
        greatest_value_ = (std::max)(greatest_value_, std::abs(value[d]));
      }
      lengths_[t] = size_of(key);
      finite_ = finite_ && is_finite_double(lengths_[t]);
    }
  }

  // Weights with their relative errors, and sums of weights times values; false if the scores are not finite, or a
  // weight may be 0 or not. What the greatest score is off by is the same factor of all weights.
  bool estimate_row(const attention_row_place& at) {
    for (std::uint32_t d = 0; d < width_; ++d) query_[d] = sum(call_.query_at(at, d));
    const double of_query = size_of(query_.data());
    simd::dispatch<attention_products>(set_, query_.data(), keys_.data(), width_, std::size_t{call_.keys()},
                                       weights_.data());
    // Of eight sums and their rests, of these, of a product, of biases and of the scale.
    const double roundings = (static_cast<double>(width_ / 8) + 17) * 0x1p-53;
    double greatest = -infinite_double, most = 0;
    for (std::uint32_t t = 0; t < call_.keys(); ++t) {
      const key_state state = call_.state_of(at, t);
      double s = 0, size = 0;
      if (state == key_state::filtered && call_.sets) {
        s = call_.filter;
      } else {
        const double bias = call_.position_bias_at(at, t), filter = state == key_state::filtered ? call_.filter : 0;
        s = call_.scale * weights_[t];
        s += bias;
        s += filter;
        size = std::abs(call_.scale) * of_query * lengths_[t] + std::abs(bias) + std::abs(filter);
      }
      weights_[t] = s;
      errors_[t] = roundings * size + 0x1p-900;
      greatest = (std::max)(greatest, s);
      most = (std::max)(most, errors_[t]);
    }
    if (!(most < 0x1p-22)) return false;                                            // NaN, too
    std::fill(weights_.begin() + call_.keys(), weights_.end(), greatest - 0x1p10);  // the rest of the last block
    total_ = of_weights_ = 0;
    std::fill(sums_.begin(), sums_.end(), 0.0);
    for (std::uint32_t first = 0; first < call_.keys(); first += block) {
      const std::uint32_t last = (std::min)(first + block, call_.keys());
      double total = 0;
      std::fill(part_.begin(), part_.end(), 0.0);
      bool open = false;
      simd::dispatch<attention_weights>(set_, greatest, most, weights_.data() + first, errors_.data() + first, open);
      if (open) return false;
      for (std::uint32_t t = first; t < last; ++t) {
        if (is_zero(weights_[t])) continue;
        total += weights_[t];
        of_weights_ += weights_[t] * errors_[t];
      }
      simd::dispatch<attention_sums>(set_, weights_.data() + first, values_.data() + first * value_width_, value_width_,
                                     std::size_t{last - first}, part_.data());
      total_ += total;
      for (std::size_t d = 0; d < value_width_; ++d) sums_[d] += part_[d];
    }
    of_weights_ = 1.25 * of_weights_ / total_;
    of_sums_ = (call_.keys() / block + block + 8.0) * 0x1p-52;  // of both sums, and of the quotient
    return true;
  }

  // By a bound from the greatest value first, then from those that count.
  std::optional<T> element(std::uint32_t d) const {
    const double y = sums_[d] / total_;
    if (const auto known = certain<T>({y, (2 * of_weights_ + of_sums_) * greatest_value_ + 0x1p-900})) return known;
    double magnitude = 0, spread = 0;
    for (std::uint32_t t = 0; t < call_.keys(); ++t) {
      const double term = weights_[t] * std::abs(values_[t * value_width_ + d]);
      magnitude += term;
      spread += term * errors_[t];
    }
    if (is_zero(magnitude)) return T(0.0F);
    const double all = 1.25 * spread + (of_weights_ + of_sums_) * magnitude;
    return certain<T>({y, all / total_ * (1 + 0x1p-20) + 0x1p-900});
  }

  instruction_set set_;
  const attention_call<T>& call_;
  std::size_t width_, value_width_;
  std::optional<std::array<std::uint32_t, 2>> head_;
  bool finite_ = false;
  double greatest_value_ = 0, total_ = 0, of_weights_ = 0, of_sums_ = 0;
  std::vector<double> keys_, values_, lengths_, weights_, errors_, query_, sums_, part_;
};

}  // namespace detail

template <attention_operator Desc>
struct kernel<Desc, cpu_backend> {
  // A template, so that only a unit with a call instantiates it.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const Desc& desc) {
    visit_data_type(type_list<float, float16>{}, outputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const detail::attention_call<T> call(desc, inputs, outputs);
      const std::uint64_t rows = call.row_count();
      detail::parallel_for(backend, saturating_multiply(rows, call.z.t() * (call.z.d + call.z.dv)), rows,
                           [&](std::uint64_t begin, std::uint64_t end) {
                             const detail::ieee_arithmetic mode;
                             detail::attention_on_cpu<T> head(backend.instruction_set(), call);
                             for (std::uint64_t i = begin; i < end; ++i) head.run(call.row(i));
                           });
      call.store_presents([](double x, double bias) { return rounded<T>(x + bias); });
    });
  }
};

}  // namespace goldml
