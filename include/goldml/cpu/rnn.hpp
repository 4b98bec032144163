// RNN on the CPU: hidden states in double with a bound on their errors. From the first element on that this does not
// decide, a sequence also has the golden states, of which such elements are computed.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/estimate.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/operators/rnn.hpp>

namespace goldml {

namespace detail {

// The golden states of one sequence, as far as they have been asked for.
template <class T>
class golden_states {
 public:
  golden_states(const rnn_operands<T>& t, std::uint32_t direction, std::uint32_t b) : t_(t), d_(direction), b_(b) {}

  // What f is taken of, for element i of step n. No step is asked for after a later one.
  const extended_sum& sum(std::uint32_t n, std::uint32_t i) {
    for (; steps_ <= n; ++steps_) {
      if (steps_ == 0) h_ = t_.initial_state(d_, b_);
      for (std::uint32_t k = 0; k < sums_.size(); ++k) h_[k] = hidden_of(t_.f(d_), sums_[k]);
      sums_.clear();
      const std::uint32_t time = t_.time(d_, t_.length(b_), steps_);
      for (std::uint32_t k = 0; k < t_.hidden_size(); ++k) sums_.push_back(t_.sum(d_, b_, time, k, h_));
    }
    return sums_[i];
  }

 private:
  const rnn_operands<T>& t_;
  std::uint32_t d_, b_;
  std::uint32_t steps_ = 0;
  std::vector<hidden_number> h_;
  std::vector<extended_sum> sums_;
};

// The sums of a * b and of |a * b|. Four sums at a time, because each addition waits for the one before.
inline std::array<double, 2> products_of(const double* a, const double* b, std::size_t count) {
  std::array<double, 4> sum{}, magnitude{};
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (std::size_t k = 0; k < 4; ++k) {
      const double product = a[i + k] * b[i + k];
      sum[k] += product;
      magnitude[k] += std::abs(product);
    }
  for (; i < count; ++i) {
    const double product = a[i] * b[i];
    sum[0] += product;
    magnitude[0] += std::abs(product);
  }
  return {sum[0] + sum[1] + (sum[2] + sum[3]), magnitude[0] + magnitude[1] + (magnitude[2] + magnitude[3])};
}

// The weights of one direction as doubles, row by row.
struct rnn_weights {
  std::vector<double> w, r, magnitude_of_r;
  std::vector<std::array<double, 2>> bias;
  bool finite_recurrence = true;

  template <class T>
  rnn_weights(const rnn_operands<T>& t, std::uint32_t d) : bias(t.hidden_size()) {
    const std::size_t hidden = t.hidden_size();
    w.reserve(hidden * t.input_size());
    r.reserve(hidden * hidden);
    magnitude_of_r.reserve(hidden * hidden);
    for (std::uint32_t i = 0; i < t.hidden_size(); ++i) {
      for (std::uint32_t j = 0; j < t.input_size(); ++j) w.push_back(t.weight(d, i, j));
      for (std::uint32_t j = 0; j < t.hidden_size(); ++j) {
        r.push_back(t.recurrence(d, i, j));
        magnitude_of_r.push_back(std::abs(r.back()));
        finite_recurrence = finite_recurrence && is_finite_double(r.back());
      }
      for (std::uint32_t half = 0; t.bias && half < 2; ++half) bias[i][half] = t.bias_of(d, i, half);
    }
  }
};

// f of a number known to within an error. Between the points where f turns or jumps it is monotone.
inline estimate estimate_of_activation(const activation& f, const estimate& w) {
  const arithmetic::approximation y = arithmetic::activation_value(f, w.value);
  if (!is_finite_double(w.value)) return {y.value, 2 * y.error};
  const double low = below(w.value, w.error), high = above(w.value, w.error);
  if (!is_finite_double(w.error) || arithmetic::detail::is_broken_between(f, low, high) ||
      !(std::abs(y.value) < 0x1p200))
    return {y.value, infinite_double};
  const auto off = [&](double x) {
    const arithmetic::approximation end = arithmetic::activation_value(f, x);
    return std::abs(end.value - y.value) + 2 * end.error;
  };
  const double tiny = is_zero(y.error) ? 0 : 0x1p-900;  // below which a function may be 0
  return {y.value, (std::max)(off(low), off(high)) + 2 * y.error + tiny};
}

template <class T>
void run_rnn_sequence(const rnn_operands<T>& t, const rnn_weights& weights, std::uint32_t d, std::uint32_t b) {
  const std::uint32_t length = t.length(b), hidden = t.hidden_size(), width = t.input_size();
  const activation& f = t.f(d);
  golden_states<T> golden(t, d, b);
  std::vector<double> x(width), h(hidden), error_of_h(hidden), next(hidden), error_of_next(hidden);
  for (std::uint32_t i = 0; i < hidden; ++i) {
    h[i] = t.initial(d, b, i);
    if (t.single) (*t.single)[{0, d, b, i}] = rounded<T>(h[i]);  // what remains if the length is 0
  }
  // Each term meets this many roundings at most, by less than 2^-52, whatever the mode of the processor.
  const double g = growth(width + hidden + 4.0, 0x1p-52);
  // More than what the sums of the golden states lose below 2^-448, and those here below the doubles.
  const double underflow = 0x1p-440 * hidden;
  for (std::uint32_t n = 0; n < length; ++n) {
    const std::uint32_t time = t.time(d, length, n);
    for (std::uint32_t j = 0; j < width; ++j) x[j] = t.input(time, b, j);
    for (std::uint32_t i = 0; i < hidden; ++i) {
      const std::size_t row = std::size_t{i} * hidden;
      const auto of_input = products_of(weights.w.data() + std::size_t{i} * width, x.data(), width);
      const auto of_state = products_of(weights.r.data() + row, h.data(), hidden);
      const double spread = products_of(weights.magnitude_of_r.data() + row, error_of_h.data(), hidden)[0];
      const double magnitude = of_input[1] + of_state[1] + std::abs(weights.bias[i][0]) + std::abs(weights.bias[i][1]);
      const estimate w{of_input[0] + of_state[0] + (weights.bias[i][0] + weights.bias[i][1]),
                       g * (magnitude + spread) + spread * (1 + 0x1p-30) + underflow};
      const bool known = weights.finite_recurrence && is_finite_double(spread);
      const auto exact = [&]() -> const extended_sum& { return golden.sum(n, i); };
      const T element =
          known ? arithmetic::fused_rounded<T>(f, w.value, w.error, exact) : arithmetic::fused_rounded<T>(f, exact());
      if (t.sequence) (*t.sequence)[{time, d, b, i}] = element;
      if (t.single) (*t.single)[{0, d, b, i}] = element;
      const estimate y = estimate_of_activation(f, w);
      next[i] = y.value;
      error_of_next[i] = known ? y.error : infinite_double;
    }
    h.swap(next);
    error_of_h.swap(error_of_next);
  }
  for (std::uint32_t time = length; t.sequence && time < t.steps(); ++time)
    for (std::uint32_t i = 0; i < hidden; ++i) (*t.sequence)[{time, d, b, i}] = T(0.0F);
}

}  // namespace detail

template <>
struct kernel<rnn_desc, cpu_backend> {
  // A template, so that only a unit with a call instantiates it.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const rnn_desc& desc) {
    visit_data_type(type_list<float, float16>{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const auto t = detail::rnn_operands_of<T>(inputs, outputs, desc);
      detail::check_lengths(t);
      std::vector<detail::rnn_weights> weights;
      for (std::uint32_t d = 0; d < t.directions(); ++d) weights.emplace_back(t, d);
      const std::uint64_t sequences = std::uint64_t{t.directions()} * t.batch();
      const std::uint64_t products = std::uint64_t{t.hidden_size()} * (t.hidden_size() + t.input_size());
      detail::parallel_for(backend, saturating_multiply(sequences * t.steps(), products), sequences,
                           [&](std::uint64_t begin, std::uint64_t end) {
                             for (std::uint64_t i = begin; i < end; ++i) {
                               const auto d = static_cast<std::uint32_t>(i / t.batch());
                               const auto b = static_cast<std::uint32_t>(i % t.batch());
                               detail::run_rnn_sequence<T>(t, weights[d], d, b);
                             }
                           });
    });
  }
};

}  // namespace goldml
