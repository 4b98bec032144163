// What the tests of formulas share: modes, drawn elements, and formulas of flat lists of numbers.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <goldml/arithmetic/formula/activation.hpp>
#include <goldml/arithmetic/formula/device_terms.hpp>
#include <goldml/arithmetic/formula/gru.hpp>
#include <goldml/arithmetic/formula/lstm.hpp>
#include <goldml/arithmetic/formula/recurrent.hpp>
#include <goldml/arithmetic/formula/reduce.hpp>
#include <goldml/arithmetic/formula/softmax.hpp>
#include <goldml/arithmetic/formula/statistics.hpp>
#include <goldml/core/float16.hpp>

#include "random_device.hpp"

namespace formula_test {

namespace fm = goldml::formula;
using goldml::accumulation;
using goldml::arithmetic_mode;
using goldml::dimensions;
using goldml::float16;
using goldml::graded_interval;
using goldml::interval;
using goldml::interval_place;
using numbers = std::vector<double>;
template <class N>
using element_of = std::decay_t<decltype(std::declval<N>()[0])>;

inline constexpr arithmetic_mode modes[] = {
    {true, false, accumulation::single},        {true, true, accumulation::single},
    {false, true, accumulation::single},        {true, false, accumulation::half},
    {false, false, accumulation::half},         {true, true, accumulation::half_products},
    {false, false, accumulation::half_products}};
inline std::string name_of(const arithmetic_mode& mode) {
  return std::string(mode.float32 ? "FLOAT32" : "FLOAT16") + (mode.flushes && mode.float32 ? ", flushing" : "") +
         (mode.half()            ? ", half"
          : mode.half_products() ? ", half products"
                                 : "");
}

enum class data { integers, normal, positive, wide, tiny, extreme, special };
inline constexpr data all_data[] = {data::integers, data::normal,  data::positive, data::wide,
                                    data::tiny,     data::extreme, data::special};

// Elements of a type, of one class of data; integers up to `range`, other numbers of about the size of `scale`.
class drawn {
 public:
  explicit drawn(std::uint64_t seed) : bits(seed) {}
  std::mt19937_64 bits;
  double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(bits); }
  double element(data kind, bool float32, double scale, int range) {
    const double sign = bits() % 2 != 0 ? 1 : -1;
    double x = 0;
    switch (kind) {
      case data::integers:
        x = static_cast<double>(static_cast<int>(bits() % (2U * static_cast<unsigned>(range) + 1)) - range);
        break;
      case data::positive:
        x = uniform(0.1, 1) * scale;
        break;
      case data::wide:
        x = sign * std::exp2(float32 ? uniform(-30, 6) : uniform(-14, 4)) * scale;
        break;
      case data::tiny:
        x = sign * std::exp2(float32 ? uniform(-149, -118) : uniform(-24, -12));
        break;
      case data::extreme:
        x = sign * std::exp2(float32 ? uniform(118, 128) : uniform(11, 16));
        break;
      default:
        x = std::normal_distribution<double>(0, scale)(bits);
    }
    if (kind == data::special && bits() % 8 == 0)
      return bits() % 3 == 0 ? std::numeric_limits<double>::quiet_NaN()
                             : sign * std::numeric_limits<double>::infinity();
    const double most = float32 ? 0x1.fffffep127 : 65504;
    const double y = float32 ? static_cast<double>(static_cast<float>(x)) : fm::nearest_half(x);
    return std::isinf(y) ? std::copysign(most, x) : y;
  }
  numbers list(std::size_t count, data kind, bool float32, double scale, int range) {
    numbers x(count);
    for (double& each : x) each = element(kind, float32, scale, range);
    return x;
  }
};

inline std::vector<fm::device_number> device_numbers(const numbers& x, const arithmetic_mode& mode) {
  std::vector<fm::device_number> result;
  for (const double each : x) result.emplace_back(each, mode);
  return result;
}
inline std::vector<simulated::number> numbers_of(const numbers& x, simulated::device& device) {
  std::vector<simulated::number> result;
  for (const double each : x) result.emplace_back(each, device);
  return result;
}
inline std::vector<simulated::exact_number> exact_numbers(const numbers& x) {
  std::vector<simulated::exact_number> result;
  for (const double each : x) result.push_back({static_cast<long double>(each)});
  return result;
}

inline graded_interval answer_of(const fm::device_number& y) {
  return y.mode().float32 ? fm::interval_of<float>(y) : fm::interval_of<float16>(y);
}
inline interval_place place_of(const interval& allowed, double z, bool float32) {
  return float32 ? place_in(allowed, static_cast<float>(z)) : place_in(allowed, float16(static_cast<float>(z)));
}
inline bool is_inside(const interval& allowed, double z, bool float32) {
  return place_of(allowed, z, float32) != interval_place::outside;
}
inline double rounded_exactly(long double v, bool float32) {
  return static_cast<double>(float32 ? static_cast<long double>(static_cast<float>(v))
                                     : simulated::device::round(v, true));
}

// ---- Formulas of a list, which return a list

inline constexpr auto sum = [](const auto& x) { return std::vector{fm::sum<element_of<decltype(x)>>(x)}; };
inline constexpr auto l1 = [](const auto& x) { return std::vector{fm::sum_of_magnitudes<element_of<decltype(x)>>(x)}; };
inline constexpr auto sum_square = [](const auto& x) {
  return std::vector{fm::sum_of_squares<element_of<decltype(x)>>(x)};
};
inline constexpr auto l2 = [](const auto& x) { return std::vector{fm::norm<element_of<decltype(x)>>(x)}; };
inline constexpr auto log_sum = [](const auto& x) { return std::vector{fm::log_sum<element_of<decltype(x)>>(x)}; };
inline constexpr auto log_sum_exp = [](const auto& x) {
  return std::vector{fm::log_sum_exp<element_of<decltype(x)>>(x)};
};
inline constexpr auto softmax = [](const auto& x) { return fm::softmax<element_of<decltype(x)>>(x); };
// A slice with more axes than one where its size has a divisor.
inline dimensions box_of(std::size_t size) {
  for (std::uint32_t d = 2; d < 8; ++d)
    if (size % d == 0 && size > d) return {d, static_cast<std::uint32_t>(size) / d};
  return {static_cast<std::uint32_t>(size)};
}
inline constexpr auto average = [](const auto& x) {
  return std::vector{fm::average<element_of<decltype(x)>>(x, box_of(x.size()))};
};

// The states of RNN of a flat list: the inputs of all steps, W, R, the two biases and the initial state.
struct layer {
  std::size_t steps = 5, inputs = 3, hidden = 4;
  goldml::activation f{51};
  bool has_bias = true;
  enum { right, no_bias, transposed, stale, missing } fault = right;

  std::size_t size() const { return steps * inputs + hidden * (inputs + hidden + 3); }
  template <class N>
  std::vector<N> operator()(const std::vector<N>& x) const {
    std::size_t at = 0;
    const auto take = [&](std::size_t n) {
      at += n;
      return std::vector<N>(x.begin() + static_cast<std::ptrdiff_t>(at - n),
                            x.begin() + static_cast<std::ptrdiff_t>(at));
    };
    const std::vector<N> in = take(steps * inputs);
    std::vector<N> w = take(hidden * inputs), r = take(hidden * hidden);
    const std::vector<N> b = take(2 * hidden), first = take(hidden);
    for (std::size_t i = 0; i < hidden; ++i) {
      if (fault == missing) w[i * inputs + inputs - 1] = x[0].like(0);
      for (std::size_t j = 0; fault == transposed && j < i; ++j) std::swap(r[i * hidden + j], r[j * hidden + i]);
    }
    using row = fm::row<N>;
    std::vector<N> h = first, out;
    for (std::size_t t = 0; t < steps; ++t) {
      std::vector<N> next;
      for (std::size_t i = 0; i < hidden; ++i) {
        std::vector<N> bias;
        if (has_bias && fault != no_bias) bias = {b[i], b[hidden + i]};
        next.push_back(fm::rnn_step<N>(row(w).subspan(i * inputs, inputs), row(in).subspan(t * inputs, inputs),
                                       row(r).subspan(i * hidden, hidden), row(fault == stale ? first : h), row(bias),
                                       f));
      }
      out.insert(out.end(), next.begin(), next.end());
      for (std::size_t i = 0; i < hidden; ++i) h[i] = may_store(next[i]);
    }
    return out;
  }
};

// The states of LSTM of a flat list: inputs, W, R, both biases, P, the initial states H and C.
struct lstm_layer {
  std::size_t steps = 3, inputs = 2, hidden = 2;
  bool couple_input_forget = false;
  goldml::output_peephole output_peephole = goldml::output_peephole::current;
  double clip = 0;  // 0: none
  goldml::activation f{47}, g{51}, h{51};
  enum { right, no_peephole, swapped_gates, no_forgetting, stale } fault = right;

  std::size_t size() const { return steps * inputs + hidden * (4 * (inputs + hidden + 2) + 5); }
  template <class N>
  std::vector<N> operator()(const std::vector<N>& x) const {
    const fm::row<N> all(x);
    const std::size_t w = steps * inputs, r = w + 4 * hidden * inputs, b = r + 4 * hidden * hidden, p = b + 8 * hidden,
                      first = p + 3 * hidden;
    std::vector<N> before(x.begin() + static_cast<std::ptrdiff_t>(first),
                          x.begin() + static_cast<std::ptrdiff_t>(first + hidden));
    std::vector<N> cells(x.begin() + static_cast<std::ptrdiff_t>(first + hidden), x.end()), out;
    const std::vector<N> initial = before;
    for (std::size_t t = 0; t < steps; ++t) {
      std::vector<N> next;
      for (std::size_t i = 0; i < hidden; ++i) {
        const auto gate = [&](fm::lstm_gate k, const N& cell) {
          auto which = static_cast<std::size_t>(k);
          if (fault == swapped_gates && which < 3) which = (which + 2) % 3;
          const std::size_t row = which * hidden + i;
          const std::vector<N> bias{x[b + row], x[b + 4 * hidden + row]};
          const bool has_peephole = k != fm::lstm_gate::cell && fault != no_peephole;
          const N total = may_store(
              fm::gate_sum<N>(all.subspan(w + row * inputs, inputs), all.subspan(t * inputs, inputs),
                              all.subspan(r + row * hidden, hidden), fm::row<N>(fault == stale ? initial : before),
                              fm::row<N>(bias), has_peephole ? &x[p + row] : nullptr, &cell));
          if (fault == no_forgetting && k == fm::lstm_gate::forget) return x[0].like(1);
          return apply(k == fm::lstm_gate::cell ? g : f, clip > 0 ? fm::clipped(total, clip) : total);
        };
        const auto state = fm::lstm_step(cells[i], *this, gate, [&](const N& c) { return apply(h, c); });
        out.push_back(state.hidden);
        out.push_back(state.cell);
        next.push_back(may_store(state.hidden));
        cells[i] = may_store(state.cell);
      }
      before = next;
    }
    return out;
  }
};

// The states of GRU of a flat list: inputs, W, R, both biases, the initial state.
struct gru_layer {
  std::size_t steps = 3, inputs = 2, hidden = 2;
  bool linear_before_reset = false;
  goldml::activation f{47}, g{51};
  enum { right, swapped_gates, other_mix, no_reset, stale } fault = right;

  std::size_t size() const { return steps * inputs + hidden * (3 * (inputs + hidden + 2) + 1); }
  template <class N>
  std::vector<N> operator()(const std::vector<N>& x) const {
    const fm::row<N> all(x);
    const std::size_t w = steps * inputs, r = w + 3 * hidden * inputs, b = r + 3 * hidden * hidden,
                      first = b + 6 * hidden;
    std::vector<N> before(x.begin() + static_cast<std::ptrdiff_t>(first), x.end()), out;
    const std::vector<N> initial = before;
    for (std::size_t t = 0; t < steps; ++t) {
      const std::vector<N>& h = fault == stale ? initial : before;
      const auto with_row = [&](std::size_t gate, std::size_t i, const auto& use) {
        const std::size_t row = gate * hidden + i;
        const std::vector<N> bias{x[b + row], x[b + 3 * hidden + row]};
        return use(all.subspan(w + row * inputs, inputs), all.subspan(t * inputs, inputs),
                   all.subspan(r + row * hidden, hidden), fm::row<N>(bias));
      };
      const auto gate = [&](std::size_t which, std::size_t i, const std::vector<N>& states) {
        return apply(which == 2 ? g : f, may_store(with_row(which, i, [&](auto a, auto c, auto d, auto bias) {
                       return fm::gate_sum<N>(a, c, d, fm::row<N>(states), bias);
                     })));
      };
      std::vector<N> reset, next;
      const std::size_t z = fault == swapped_gates ? 1 : 0;
      for (std::size_t i = 0; i < hidden; ++i)
        reset.push_back(
            fault == no_reset && !linear_before_reset
                ? h[i]
                : fm::reset_state(fault == no_reset ? x[0].like(1) : gate(1 - z, i, h), h[i], linear_before_reset));
      for (std::size_t i = 0; i < hidden; ++i) {
        const N candidate =
            linear_before_reset
                ? apply(g, may_store(with_row(2, i,
                                              [&](auto a, auto c, auto d, auto bias) {
                                                return fm::linear_sum<N>(a, c, d, fm::row<N>(h), bias, reset[i]);
                                              })))
                : gate(2, i, reset);
        const N update = gate(z, i, h);
        out.push_back(fault == other_mix ? fm::gru_step(update, h[i], candidate)
                                         : fm::gru_step(update, candidate, h[i]));
        next.push_back(may_store(out.back()));
      }
      before = next;
    }
    return out;
  }
};

}  // namespace formula_test
