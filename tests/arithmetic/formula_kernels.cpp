// Formulas, and their closed primitives, beside kernels that share no code with them: plain loops in FLOAT32, and in
// FLOAT16 with a rounding after each step; several orders, with fma or without.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "../catch.hpp"
#include "formula_data.hpp"

namespace {

using namespace formula_test;
using floats = std::vector<float>;
constexpr float inf = std::numeric_limits<float>::infinity();

// One way to add: forward, backward, in pairs, in four lanes; with fma for products, or without; each step rounded to
// FLOAT16, or not.
struct plain_kernel {
  int order = 0;
  bool fma = false;
  bool half = false;

  float step(float x) const { return half ? static_cast<float>(float16(x)) : x; }
  float dot(const floats& a, const floats& b) const {
    return run(
        a.size(), [&](std::size_t i) { return std::pair(a[i], b[i]); }, true);
  }
  float sum(const floats& a) const {
    return run(
        a.size(), [&](std::size_t i) { return std::pair(a[i], 1.0F); }, false);
  }

 private:
  template <class Term>
  float run(std::size_t n, Term term, bool product) const {
    const auto value = [&](std::size_t i) {
      const auto [a, b] = term(i);
      return product ? step(a * b) : a;
    };
    const auto plus = [&](float s, std::size_t i) {
      const auto [a, b] = term(i);
      return fma && product ? step(std::fma(a, b, s)) : step(s + value(i));
    };
    if (order == 2) {
      floats parts(n);
      for (std::size_t i = 0; i < n; ++i) parts[i] = value(i);
      for (; parts.size() > 1; parts.resize((parts.size() + 1) / 2))
        for (std::size_t i = 0; i < (parts.size() + 1) / 2; ++i)
          parts[i] = 2 * i + 1 < parts.size() ? step(parts[2 * i] + parts[2 * i + 1]) : parts[2 * i];
      return parts[0];
    }
    const std::size_t lanes = order == 3 ? std::min<std::size_t>(4, n) : 1;
    float total = 0;
    for (std::size_t l = 0; l < lanes; ++l) {
      const auto at = [&](std::size_t i) { return order == 1 ? n - 1 - i : i; };
      float s = value(at(l));
      for (std::size_t i = l + lanes; i < n; i += lanes) s = plus(s, at(i));
      total = l == 0 ? s : step(total + s);
    }
    return total;
  }
};

// The functions, with those kernels. Each exponential, quotient and root is the machine's, within the bounds.
floats reduced(int function, const floats& x, const plain_kernel& k) {
  const auto n = static_cast<float>(x.size());
  switch (function) {
    case 0:
      return {k.sum(x)};
    case 1:
      return {k.dot(x, x)};
    case 2:
      return {k.order % 2 == 0 ? k.step(k.sum(x) / n) : k.step(k.sum(x) * k.step(1 / n))};
    case 3:
      return {k.step(std::sqrt(k.dot(x, x)))};
    case 4:
      return {k.step(std::log(k.sum(x)))};
    case 5: {
      const float top = k.fma ? 0 : *std::max_element(x.begin(), x.end());  // literally, or shifted
      floats e;
      for (const float each : x) e.push_back(k.step(std::exp(k.step(each - top))));
      return {k.step(top + k.step(std::log(k.sum(e))))};
    }
    default: {
      const float top = *std::max_element(x.begin(), x.end());
      floats e;
      for (const float each : x) e.push_back(k.step(std::exp(k.step(each - top))));
      const float total = k.sum(e);
      for (float& each : e) each = k.fma ? k.step(each * k.step(1 / total)) : k.step(each / total);
      return e;
    }
  }
}
std::vector<fm::device_number> formula_of(int function, const std::vector<fm::device_number>& x) {
  switch (function) {
    case 0:
      return sum(x);
    case 1:
      return sum_square(x);
    case 2:
      return {fm::average<fm::device_number>(x, {static_cast<std::uint32_t>(x.size())})};
    case 3:
      return l2(x);
    case 4:
      return log_sum(x);
    case 5:
      return log_sum_exp(x);
    default:
      return softmax(x);
  }
}

// The tanh of RNN's kernel by an exponential.
float tanh_of(float x, const plain_kernel& k) {
  if (x == 0) return x;
  const float e = k.step(std::exp(k.step(2 * std::clamp(x, k.half ? -5.0F : -20.0F, k.half ? 5.0F : 20.0F))));
  return k.step(k.step(e - 1) / k.step(e + 1));
}

}  // namespace

TEST_CASE("A3: plain loops are inside the formulas of REDUCE and SOFTMAX", "[formula]") {
  drawn draws(3);
  int outputs = 0;
  for (const arithmetic_mode& mode : modes) {
    if (mode.half_products()) continue;
    for (const data kind : {data::integers, data::normal, data::positive, data::wide})
      for (const std::size_t n : std::initializer_list<std::size_t>{1, 2, 3, 7, 33, 300}) {
        const numbers x = draws.list(n, kind, mode.float32, 1, 8);
        floats read;  // as FLOAT16 where each step is
        for (const double each : x)
          read.push_back(mode.half() ? static_cast<float>(float16(static_cast<float>(each)))
                                     : static_cast<float>(each));
        for (int function = 0; function < 7; ++function) {
          const auto allowed = formula_of(function, device_numbers(x, mode));
          for (int order = 0; order < 4; ++order)
            for (const bool fma : {false, true}) {
              const floats got = reduced(function, read, {order, fma, mode.half()});
              for (std::size_t i = 0; i < got.size(); ++i, ++outputs) {
                const float z = mode.float32 ? got[i] : static_cast<float>(float16(got[i]));
                if (function == 4 && std::isnan(z)) continue;
                const interval a = answer_of(allowed[i]).allowed;
                INFO("function " << function << ", " << name_of(mode) << ", n " << n << ", data "
                                 << static_cast<int>(kind) << ", order " << order << ", fma " << fma << ": " << z
                                 << " in " << a.low << " to " << a.high);
                REQUIRE(is_inside(a, static_cast<double>(z), mode.float32));
              }
            }
        }
      }
  }
  WARN(outputs << " outputs of plain loops inside");
}

TEST_CASE("A3: plain loops of RNN are inside its formula", "[formula]") {
  drawn draws(4);
  layer l;
  int outputs = 0;
  for (const arithmetic_mode& mode : modes) {
    if (mode.half_products()) continue;
    for (int n = 0; n < 40; ++n) {
      const numbers x = draws.list(l.size(), n % 2 == 0 ? data::normal : data::wide, mode.float32, 0.7, 2);
      const auto allowed = l(device_numbers(x, mode));
      for (int order = 0; order < 4; ++order)
        for (const bool fma : {false, true}) {
          const plain_kernel k{order, fma, mode.half()};
          floats v;
          for (const double each : x)
            v.push_back(mode.half() ? static_cast<float>(float16(static_cast<float>(each))) : static_cast<float>(each));
          const float *const in = v.data(), *const w = in + l.steps * l.inputs, *const r = w + l.hidden * l.inputs,
                             *const b = r + l.hidden * l.hidden, *const first = b + 2 * l.hidden;
          floats h(first, first + l.hidden);
          for (std::size_t t = 0; t < l.steps; ++t) {
            floats next;
            for (std::size_t i = 0; i < l.hidden; ++i) {
              floats left(w + i * l.inputs, w + (i + 1) * l.inputs), right(in + t * l.inputs, in + (t + 1) * l.inputs);
              left.insert(left.end(), r + i * l.hidden, r + (i + 1) * l.hidden);
              right.insert(right.end(), h.begin(), h.end());
              float s = k.dot(left, right);
              if (fma && !mode.float32)  // the state is stored, and the biases are added first
                s = k.step(s + k.step(b[i] + b[l.hidden + i]));
              else
                s = k.step(k.step(s + b[i]) + b[l.hidden + i]);
              next.push_back(tanh_of(s, k));
              const double z = static_cast<double>(mode.float32 ? next[i] : static_cast<float>(float16(next[i])));
              const interval a = answer_of(allowed[t * l.hidden + i]).allowed;
              INFO(name_of(mode) << ", step " << t << ", order " << order << ": " << z << " in " << a.low << " to "
                                 << a.high);
              REQUIRE(is_inside(a, z, mode.float32));
              ++outputs;
            }
            for (std::size_t i = 0; i < l.hidden; ++i)
              h[i] = order == 3 && !mode.float32 ? static_cast<float>(float16(next[i])) : next[i];
          }
        }
    }
  }
  WARN(outputs << " states of plain loops inside");
}

TEST_CASE("A3: what a device may answer, by hand", "[formula]") {
  const arithmetic_mode& single = modes[0];
  const auto one = [&](auto f, const numbers& x, const arithmetic_mode& mode) {
    return answer_of(f(device_numbers(x, mode))[0]).allowed;
  };
  // g(2, 2^-24) * 200000001 = 23.84 around 1.
  const interval cancelled = one(sum, {1e8, 1, -1e8}, single);
  CHECK(cancelled.low == Approx(1 - 23.84).epsilon(1e-3));
  CHECK(cancelled.high == Approx(1 + 23.84).epsilon(1e-3));
  // Small integers are exact, as is their root's argument; a root is within 3 * 2^-24.
  CHECK(one(sum_square, {3, 4}, single).low == 25);
  CHECK(one(sum_square, {3, 4}, single).high == 25);
  CHECK(one(l2, {3, 4}, single).low == 5 - 2 * 0x1p-21F);
  CHECK(one(l2, {3, 4}, single).high == 5 + 2 * 0x1p-21F);
  // A partial sum overflows.
  CHECK(one(sum, {3e38, 3e38, -3e38}, single).also == goldml::interval_also::positive_infinity);
  CHECK(one(average, {3e38, 3e38}, single).also == goldml::interval_also::positive_infinity);
  // The sum may be negative, zero or positive: -infinity and NaN beside ln of what it is at most.
  const interval open = one(log_sum, {1e8, 1, -1e8}, single);
  CHECK(open.low == -inf);
  CHECK((open.also & goldml::interval_also::nan) != 0);
  CHECK(open.high == Approx(std::log(24.84)).epsilon(1e-4));
  // Powers of two.
  CHECK(one(average, {1, 2, 3, 6}, single).low == 3);
  CHECK(one(average, {1, 2, 3, 6}, single).high == 3);
  CHECK(one(average, {1, 2, 3}, single).low < 2);
  // Infinity times a reciprocal that may be flushed.
  const auto quotient = [&](double y, const arithmetic_mode& mode) {
    const auto x = device_numbers({std::numeric_limits<double>::infinity(), y}, mode);
    return answer_of(x[0] / x[1]).allowed.also;
  };
  constexpr arithmetic_mode keeping{}, flushing{.flushes = true};
  constexpr std::uint8_t positive = goldml::interval_also::positive_infinity;
  CHECK(quotient(0x1p127, flushing) == (positive | goldml::interval_also::nan));
  CHECK(quotient(0x1p125, flushing) == positive);
  CHECK(quotient(0x1p127, keeping) == positive);
  // e^-inf is 0 beside a number; NaN and +infinity are everywhere.
  const auto shares = softmax(device_numbers({0, -std::numeric_limits<double>::infinity()}, single));
  CHECK(answer_of(shares[1]).allowed.low == 0);
  CHECK(answer_of(shares[1]).allowed.high == 0);
  const auto undefined = softmax(device_numbers({0, std::numeric_limits<double>::infinity()}, single));
  for (const auto& y : undefined) {
    const interval a = answer_of(y).allowed;
    CHECK(a.low > a.high);
    CHECK(a.also == goldml::interval_also::nan);
  }
  // {1, 2, 3}: SPEC-arithmetic 3.9.
  const auto three = softmax(device_numbers({1, 2, 3}, single));
  const interval last = answer_of(three[2]).allowed;
  CHECK(place_in(last, 0.6652410F) == interval_place::usual);
  CHECK(last.high - last.low < 2 * 1.2e-6F);
}
