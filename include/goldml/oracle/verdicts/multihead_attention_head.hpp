// The keys and values of a head as a device may have them, once for all rows that take them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/arithmetic/precision.hpp>
#include <goldml/core/number.hpp>
#include <goldml/operators/multihead_attention_values.hpp>

namespace goldml::detail {

// In what a device computes; `stores`: what is between is stored as FLOAT16.
struct attention_precision {
  arithmetic_mode mode;
  bool stores;

  static constexpr double u = 0x1p-24;
  bool may_flush() const { return mode.flushes || !mode.float32; }
  double lam() const { return may_flush() ? 0x1p-126 : 0x1p-149; }
  double greatest_score() const { return stores || mode.rounds_to_half() ? 65504 : 0x1p128; }
  double greatest_stored() const { return stores || mode.rounds_to_half() ? 65504 : 0x1p127; }
  double rounding_of(double x) const {
    if (stores && is_half(x)) return 0;
    if (stores || mode.rounds_to_half()) return half_cut_unit * std::abs(x) + half_cut_least;
    if (x != static_cast<double>(static_cast<float>(x))) return u * std::abs(x) + lam();
    return may_flush() && mode.float32 && !is_zero(x) && std::abs(x) < 0x1p-100 ? lam() : 0;
  }
};

// What the products of a query with a key add up to: q and k with their biases, which are rounded by eq and ek.
struct attention_product {
  double sum = 0, magnitude = 0;  // of q k
  double positive = 0;            // of those above 0
  double grown = 0, crossed = 0;  // (|q| + eq) (|k| + ek), and what that has more than |q k|
  double subnormal = 0;           // |q k| with a subnormal factor
  double of_q = 0, of_k = 0;      // of |q|, of |k|
  bool is_zero() const { return goldml::is_zero(magnitude) && goldml::is_zero(crossed); }
};

// A row of numbers with what they are rounded by.
struct attention_numbers {
  std::vector<double> x, error;
  double sum = 0;  // of the magnitudes
  bool has_subnormals = false;

  void add(double value, double rounded_by) {
    x.push_back(value);
    error.push_back(rounded_by);
    sum += std::abs(value);
    has_subnormals = has_subnormals || is_subnormal(value);
  }
  static bool is_subnormal(double value) { return !is_zero(value) && std::abs(value) < 0x1p-126; }
};

template <class T>
class attention_head {
 public:
  static constexpr std::size_t lanes = 4;    // keys whose products are added at once
  static constexpr std::size_t columns = 8;  // of values that are read at once; those after the last are 0

  attention_head(const attention_call<T>& call, const attention_precision& in, std::uint32_t b, std::uint32_t m)
      : width_(static_cast<std::size_t>(call.z.d)),
        value_width_(static_cast<std::size_t>(call.z.dv)),
        value_step_((value_width_ + columns - 1) / columns * columns),
        has_bias_(static_cast<bool>(call.bias)),
        keys_((call.keys() + lanes - 1) / lanes * lanes * width_),
        key_errors_(has_bias_ ? keys_.size() : 0),
        of_keys_(call.keys()),
        greatest_keys_(call.keys()),
        has_subnormals_(call.keys()),
        values_(call.keys() * value_step_),
        value_errors_(has_bias_ ? values_.size() : 0),
        columns_(value_width_) {
    for (std::uint32_t t = 0; t < call.keys_in(b); ++t) {
      const bool biased = call.is_biased(t);
      for (std::uint32_t d = 0; d < width_; ++d) {
        const auto pair = call.key_at(b, m, t, d);
        const double k = pair[0] + pair[1];
        keys_[place(t, d)] = k;
        if (biased) key_errors_[place(t, d)] = in.rounding_of(k);
        of_keys_[t] += std::abs(k);
        greatest_keys_[t] = (std::max)(greatest_keys_[t], std::abs(k));
        has_subnormals_[t] = has_subnormals_[t] || attention_numbers::is_subnormal(k);
      }
      for (std::uint32_t d = 0; d < value_width_; ++d) {
        const auto pair = call.value_at(b, m, t, d);
        const double v = pair[0] + pair[1];
        const bool is_finite = is_finite_double(v);
        values_[t * value_step_ + d] = v;
        if (biased) value_errors_[t * value_step_ + d] = in.rounding_of(v);
        columns_[d].is_finite = columns_[d].is_finite && is_finite;
        columns_[d].overflows = columns_[d].overflows || (biased && is_finite && std::abs(v) >= in.greatest_stored());
      }
    }
  }

  // Of a query with keys t .. t + lanes - 1.
  std::array<attention_product, lanes> products(const attention_numbers& query, std::size_t t) const {
    double sum[lanes] = {}, magnitude[lanes] = {}, positive[lanes] = {};
    const double* const k = keys_.data() + place(t, 0);
    for (std::size_t d = 0; d < width_; ++d)
      for (std::size_t i = 0; i < lanes; ++i) {
        const double product = query.x[d] * k[d * lanes + i];
        sum[i] += product;
        magnitude[i] += std::abs(product);
        positive[i] += product < 0 ? 0 : product;
      }
    std::array<attention_product, lanes> result;
    for (std::size_t i = 0; i < lanes && t + i < of_keys_.size(); ++i) {
      result[i] = {sum[i], magnitude[i], positive[i], magnitude[i], 0, 0, query.sum, of_keys_[t + i]};
      if (has_bias_) add_errors(query, t + i, result[i]);
      for (std::size_t d = 0; (query.has_subnormals || has_subnormals_[t + i]) && d < width_; ++d) {
        const double q = query.x[d], key = keys_[place(t + i, d)];
        if (attention_numbers::is_subnormal(q) || attention_numbers::is_subnormal(key))
          result[i].subnormal += std::abs(q * key);
      }
    }
    return result;
  }

  const double* values(std::size_t t) const { return values_.data() + t * value_step_; }
  double value(std::size_t t, std::size_t d) const { return values(t)[d]; }
  double value_error(std::size_t t, std::size_t d) const { return has_bias_ ? value_errors_[t * value_step_ + d] : 0; }
  double greatest_key(std::size_t t) const { return greatest_keys_[t]; }
  bool has_bias() const { return has_bias_; }
  bool is_finite(std::size_t d) const { return columns_[d].is_finite; }
  bool overflows(std::size_t d) const { return columns_[d].overflows; }  // a value with its bias may

 private:
  struct column {
    bool is_finite = true, overflows = false;
  };
  std::size_t place(std::size_t t, std::size_t d) const { return (t / lanes * width_ + d) * lanes + t % lanes; }

  void add_errors(const attention_numbers& query, std::size_t t, attention_product& result) const {
    result.grown = 0;
    for (std::size_t d = 0; d < width_; ++d) {
      const double q = std::abs(query.x[d]), k = std::abs(keys_[place(t, d)]), eq = query.error[d],
                   ek = key_errors_[place(t, d)];
      result.grown += (q + eq) * (k + ek);
      result.crossed += q * ek + k * eq + eq * ek;
    }
  }

  std::size_t width_, value_width_, value_step_;
  bool has_bias_;
  std::vector<double> keys_, key_errors_;  // element d of key t: see place()
  std::vector<double> of_keys_;            // sums of the magnitudes
  std::vector<double> greatest_keys_;      // magnitudes
  std::vector<bool> has_subnormals_;
  std::vector<double> values_, value_errors_;
  std::vector<column> columns_;
};

}  // namespace goldml::detail
