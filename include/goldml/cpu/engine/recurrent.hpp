// Recurrent layers on the CPU: weights, inputs and states as doubles, and sums of their products with a bound on their
// errors.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/estimate.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/cpu/engine/recurrent/steps.hpp>
#include <goldml/operators/recurrent_values.hpp>

namespace goldml::detail {

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

// The weights of one direction as doubles, row by row, and as slices if they are asked for.
struct recurrent_weights {
  std::vector<double> w, r, magnitude_of_r;
  std::vector<std::array<double, 2>> bias;
  bool finite_recurrence = true;

  template <class T>
  recurrent_weights(const recurrent_operands<T>& t, std::uint32_t d) : bias(t.row_count()) {
    const std::size_t hidden = t.hidden_size(), rows = t.row_count();
    w.reserve(rows * t.input_size());
    r.reserve(rows * hidden);
    magnitude_of_r.reserve(rows * hidden);
    for (std::uint32_t i = 0; i < t.row_count(); ++i) {
      for (std::uint32_t j = 0; j < t.input_size(); ++j) w.push_back(t.weight(d, i, j));
      for (std::uint32_t j = 0; j < t.hidden_size(); ++j) {
        r.push_back(t.recurrence(d, i, j));
        magnitude_of_r.push_back(std::abs(r.back()));
        finite_recurrence = finite_recurrence && is_finite_double(r.back());
      }
      for (std::uint32_t half = 0; t.bias && half < 2; ++half) bias[i][half] = t.bias_of(d, i, half);
    }
  }

  // May be called by several threads.
  const sliced_weights& slices() const {
    std::call_once(once_, [&] {
      const auto sliced = [&](const std::vector<double>& matrix) {
        const std::size_t columns = matrix.size() / bias.size();
        return sliced_matrix(bias.size(), columns,
                             [&](std::size_t i, std::size_t j) { return matrix[i * columns + j]; });
      };
      slices_.emplace(sliced_weights{sliced(w), sliced(r), {}});
      for (const auto& [first, second] : bias) slices_->bias.push_back({integer_part(first), integer_part(second)});
    });
    return *slices_;
  }

 private:
  mutable std::once_flag once_;
  mutable std::optional<sliced_weights> slices_;
};

inline bool is_piecewise_linear(const activation& f) {
  using enum arithmetic::activation_type;
  const auto type = arithmetic::type_of(f);
  return type == identity || type == relu || type == leaky_relu || type == linear || type == hard_sigmoid ||
         type == thresholded_relu || type == shrink;
}

// f of a number known to within an error; of another nothing is known. Between the points where f turns or jumps it is
// monotone.
inline estimate estimate_of_activation(const activation& f, const estimate& w) {
  if (!is_finite_double(w.error)) return {0, infinite_double};
  const arithmetic::approximation y = arithmetic::activation_value(f, w.value);
  if (!is_finite_double(w.value)) return {y.value, 2 * y.error};
  const double low = below(w.value, w.error), high = above(w.value, w.error);
  if (arithmetic::detail::is_broken_between(f, low, high) || !(std::abs(y.value) < 0x1p200))
    return {y.value, infinite_double};
  const auto off = [&](double x) {
    const arithmetic::approximation end = arithmetic::activation_value(f, x);
    return std::abs(end.value - y.value) + 2 * end.error;
  };
  // Below this a function may be 0, but for one of pieces that are linear.
  const double tiny = is_zero(y.error) && is_piecewise_linear(f) ? 0 : 0x1p-900;
  return {y.value, (std::max)(off(low), off(high)) + 2 * y.error + tiny};
}

// The sums of one step, from the inputs and the states before.
class recurrent_sums {
 public:
  // Numbers of state.
  struct numbers {
    std::vector<double> value, error;
    explicit numbers(std::size_t count) : value(count), error(count) {}
    void set(std::size_t i, const estimate& number) { value[i] = number.value, error[i] = number.error; }
  };

  template <class T>
  recurrent_sums(const recurrent_operands<T>& t, const recurrent_weights& weights)
      : x(t.input_size()),
        h(t.hidden_size()),
        reset(t.hidden_size()),
        weights_(weights),
        // Each term meets this many roundings at most, by less than 2^-52, whatever the mode of the processor.
        g_(growth(t.input_size() + t.hidden_size() + 4.0, 0x1p-52)),
        // More than what the sums of the golden states lose below 2^-448, and those here below the doubles.
        underflow_(0x1p-440 * t.hidden_size()) {}

  std::vector<double> x;
  numbers h, reset;  // the states, and what a gate makes of them

  // Of a row of the weights. Of weights or states that are infinite, undefined or not known, nothing is known; those of
  // other operands are decided as they are.
  estimate of(std::size_t row, const numbers& states) const {
    return known(with(of_input(row), of_state(row, states)));
  }
  // W x with its bias, and R times the states with its bias.
  estimate of_input_alone(std::size_t row) const { return known(of_input(row)); }
  estimate of_state_alone(std::size_t row, const numbers& states) const { return known(of_state(row, states)); }

 private:
  struct part {
    double value, magnitude, spread;
  };
  static part with(const part& a, const part& b) {
    return {a.value + b.value, a.magnitude + b.magnitude, a.spread + b.spread};
  }
  part of_input(std::size_t row) const {
    const auto products = products_of(weights_.w.data() + row * x.size(), x.data(), x.size());
    const double bias = weights_.bias[row][0];
    return {products[0] + bias, products[1] + std::abs(bias), 0};
  }
  part of_state(std::size_t row, const numbers& states) const {
    const std::size_t count = states.value.size();
    const auto products = products_of(weights_.r.data() + row * count, states.value.data(), count);
    const double bias = weights_.bias[row][1];
    return {products[0] + bias, products[1] + std::abs(bias),
            products_of(weights_.magnitude_of_r.data() + row * count, states.error.data(), count)[0]};
  }
  estimate known(const part& p) const {
    if (!weights_.finite_recurrence || !is_finite_double(p.spread)) return {0, infinite_double};
    if (!is_finite_double(p.value)) return {p.value, 0};
    return {p.value, g_ * (p.magnitude + p.spread) + p.spread * (1 + 0x1p-30) + underflow_};
  }

  const recurrent_weights& weights_;
  double g_, underflow_;
};

// To a bound and its negative. Of a NaN it is the lower one.
inline estimate clipped(const estimate& w, double bound) {
  if (!is_finite_double(w.error)) return {0, infinite_double};
  if (is_nan(w.value) || above(w.value, w.error) <= -bound) return {-bound, 0};
  if (below(w.value, w.error) >= bound) return {bound, 0};
  return {std::clamp(w.value, -bound, bound), w.error};
}

// One sequence, with states in double and a bound on their errors. From the first element on that this does not decide,
// or if `exactly` is set, it has the golden states instead. Returns whether it has them after half of the steps.
template <class T, class Values>
bool run_sequence_on_cpu(const Values& t, const recurrent_weights& weights, std::uint32_t d, std::uint32_t b,
                         instruction_set set, bool exactly) {
  using state = typename Values::template state<estimate>;
  using golden_state = typename Values::golden;
  const std::uint32_t hidden = t.hidden_size();
  std::uint32_t steps = 0, decided = 0;  // that are done, and those of them in double
  std::optional<sliced_steps<T, golden_state>> exact;
  std::vector<golden_state> golden;
  const auto golden_step = [&](std::uint32_t n) {
    golden = golden_after(
        t, d, std::move(golden), [&](std::span<const golden_state> before) -> const auto& {
          return exact->of_step(n, before);
        });
  };
  const auto start_golden = [&] {
    exact.emplace(t, d, b, weights.slices(), set);
    golden = golden_states(t, d, b);
    for (std::uint32_t n = 0; n < steps; ++n) golden_step(n);
  };
  if (exactly) start_golden();
  recurrent_sums sums(t, weights);
  std::vector<state> states, next(hidden);
  states.reserve(hidden);
  for (std::uint32_t i = 0; i < hidden; ++i)
    states.push_back(t.template initial_state<estimate>(d, b, i, [](double x) { return estimate{x, 0}; }));
  const auto gate = [&](std::uint32_t row, const activation& f, const std::optional<double>& p, const estimate& cell) {
    estimate w = sums.of(row, sums.h);
    if (p) {
      w = w + estimate{*p, 0} * cell;
      w.error += 0x1p-440;  // what the golden sum loses
    }
    if constexpr (requires { t.clip; })
      if (t.clip) w = clipped(w, *t.clip);
    return estimate_of_activation(f, w);
  };
  const auto step = [&](std::uint32_t time) {
    ++steps;
    if (exact) return golden_step(steps - 1);
    decided = steps;
    for (std::uint32_t j = 0; j < sums.x.size(); ++j) sums.x[j] = t.input(time, b, j);
    for (std::uint32_t i = 0; i < hidden; ++i) sums.h.set(i, states[i].hidden);
    if constexpr (requires(state s) { s.reset; }) {
      for (std::uint32_t i = 0; i < hidden; ++i) {
        states[i].reset = t.template reset<estimate>(d, i, states[i].hidden, gate);
        sums.reset.set(i, states[i].reset);
      }
      for (std::uint32_t i = 0; i < hidden; ++i)
        next[i] = t.template next_state<estimate>(d, i, states[i], gate, [&](std::uint32_t row, const activation& f) {
          if (!t.desc.linear_before_reset) return estimate_of_activation(f, sums.of(row, sums.reset));
          const estimate linear = states[i].reset * sums.of_state_alone(row, sums.h);
          return estimate_of_activation(f, sums.of_input_alone(row) + linear);
        });
    } else {
      for (std::uint32_t i = 0; i < hidden; ++i)
        next[i] = t.template next_state<estimate>(d, i, states[i], gate, estimate_of_activation);
    }
    states.swap(next);
  };
  const auto element = [&](std::size_t output, std::uint32_t i) {
    if (exact) return t.element(golden[i], output);
    estimate x = states[i].hidden;
    if constexpr (requires { states[i].cell; })
      if (output == 2) x = states[i].cell;
    if (x.is_nothing()) return t.zero(x.value);
    if (const auto known = certain<T>(x)) return *known;
    start_golden();
    return t.element(golden[i], output);
  };
  run_sequence(t, d, b, step, element);
  return exact && decided <= t.length(b) / 2;
}

template <class Desc>
struct recurrent_on_cpu {
  // A template, so that only a unit with a call instantiates it.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const Desc& desc) {
    visit_data_type(type_list<float, float16>{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const recurrent_values<Desc, T> t(inputs, outputs, desc);
      check_lengths<Desc>(t);
      std::array<std::optional<recurrent_weights>, 2> weights;
      for (std::uint32_t d = 0; d < t.directions(); ++d) weights[d].emplace(t, d);
      const std::uint64_t sequences = std::uint64_t{t.directions()} * t.batch();
      const std::uint64_t products = std::uint64_t{t.row_count()} * (t.hidden_size() + t.input_size());
      parallel_for(backend, saturating_multiply(sequences * t.steps(), products), sequences,
                   [&](std::uint64_t begin, std::uint64_t end) {
                     bool exactly = false;  // what one sequence needs, the next one will
                     for (std::uint64_t i = begin; i < end; ++i) {
                       const auto d = static_cast<std::uint32_t>(i / t.batch());
                       const auto b = static_cast<std::uint32_t>(i % t.batch());
                       exactly = run_sequence_on_cpu<T>(t, *weights[d], d, b, backend.instruction_set(), exactly);
                     }
                   });
    });
  }
};

}  // namespace goldml::detail
