// REDUCE with the functions that give no index: the page's examples, results by hand, and what devices may answer:
// legal kernels are accepted, wrong ones are not.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <string_view>
#include <vector>

#include <goldml/operators/reduce.hpp>
#include <goldml/oracle/verdicts/reduce.hpp>
#include <goldml/reference/reduce.hpp>

#include "../catch.hpp"

namespace {

using namespace goldml;
using function = reduce_function;
using floats = std::vector<float>;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

template <class T>
std::vector<T> reduced(function f, const dimensions& sizes, const std::vector<T>& x, const dimensions& axes) {
  return reduce(reference, tensor<T>(sizes, x), {.function = f, .axes = axes}).elements();
}
template <class T>
T reduced(function f, const std::vector<T>& x) {
  return reduced<T>(f, {static_cast<std::uint32_t>(x.size())}, x, {0}).front();
}

// How one element may be, with and without flushing.
template <class T>
interval_place judged(const reduce_desc& desc, const std::vector<T>& x, T value) {
  const tensor<T> input({static_cast<std::uint32_t>(x.size())}, x);
  const tensor<T> golden = reduce(reference, input, desc);
  tensor<T> copy = golden;
  const std::vector<const_tensor_ref> inputs{input.view()};
  const std::vector<tensor_ref> outputs{copy.view()};
  interval_place best = interval_place::outside;
  for (const bool flushes : {false, true}) {
    std::vector<output_verdicts> result{output_verdicts(1)};
    if (flushes)
      oracle::verdict_traits<reduce_desc>::flushed_verdicts(desc, inputs, outputs, result);
    else
      oracle::verdict_traits<reduce_desc>::verdicts(desc, inputs, outputs, result);
    const T wanted = golden.elements().front();
    if (is_nan(value) ? is_nan(wanted) : !is_nan(wanted) && order_key(value) == order_key(wanted))
      return interval_place::usual;
    if (const interval* const allowed = result[0].interval_of(0)) best = (std::max)(best, place_in(*allowed, value));
    result[0].any_alternative(0, [&](const scalar& other) {
      const bool same = is_nan(value) ? is_nan(other.as<T>()) : scalar(value) == other;
      if (same) best = interval_place::usual;
      return same;
    });
  }
  return best;
}
template <class T>
bool accepted(function f, const std::vector<T>& x, T value, accumulation precision = accumulation::single) {
  return judged<T>({.function = f, .axes = {0}, .accumulation = precision}, x, value) != interval_place::outside;
}

}  // namespace

TEST_CASE("REDUCE: the examples of the page", "[reduce]") {
  const dimensions sizes{1, 1, 3, 3};
  const floats x{1, 2, 3, 3, 0, 4, 2, 4, 2};
  CHECK(reduced(function::sum, sizes, x, {2}) == floats{6, 6, 9});
  CHECK(reduced(function::sum, sizes, x, {3}) == floats{6, 7, 8});
  CHECK(reduced(function::sum, sizes, x, {0, 2, 3}) == floats{21});
}

TEST_CASE("REDUCE: every function, by hand", "[reduce]") {
  const dimensions sizes{2, 2};
  const floats x{3, -4, 0, 5};
  CHECK(reduced(function::l1, sizes, x, {1}) == floats{7, 5});
  CHECK(reduced(function::l2, sizes, x, {1}) == floats{5, 5});
  CHECK(reduced(function::average, sizes, x, {1}) == floats{-0.5F, 2.5F});
  CHECK(reduced(function::multiply, sizes, x, {1}) == floats{-12, 0});
  CHECK(reduced(function::sum_square, sizes, x, {1}) == floats{25, 25});
  CHECK(reduced(function::min, sizes, x, {1}) == floats{-4, 0});
  CHECK(reduced(function::max, sizes, x, {1}) == floats{3, 5});
  const floats logarithms = reduced(function::log_sum, sizes, x, {1});
  CHECK(is_nan(logarithms[0]));
  CHECK(logarithms[1] == 1.609438F);
  CHECK(reduced(function::log_sum_exp, floats{1, 2, 3}) == 3.4076059F);
  CHECK(reduced(function::log_sum_exp, floats{1000, 1000}) == 1000.69315F);
}

TEST_CASE("REDUCE: without axes each element is a slice", "[reduce]") {
  const floats x{-3, 2};
  for (const function same : {function::sum, function::average, function::max, function::min, function::multiply,
                              function::log_sum_exp})
    CHECK(reduced(same, {2}, x, {}) == x);
  CHECK(reduced(function::l1, {2}, x, {}) == floats{3, 2});
  CHECK(reduced(function::l2, {2}, x, {}) == floats{3, 2});
  CHECK(reduced(function::sum_square, {2}, x, {}) == floats{9, 4});
  CHECK(is_nan(reduced(function::log_sum, {2}, x, {})[0]));
}

TEST_CASE("REDUCE: results are exact and rounded once", "[reduce]") {
  CHECK(reduced(function::sum, floats{1e8F, 1, -1e8F}) == 1);
  CHECK(reduced(function::sum, floats{1e30F, 0x1p-149F, -1e30F}) == 0x1p-149F);
  CHECK(reduced(function::sum, floats{3e38F, 3e38F, -3e38F}) == 3e38F);
  CHECK(reduced(function::sum, floats{16777216, 1}) == 16777216);  // a tie, to even
  CHECK(reduced(function::sum, floats{16777216, 1, 0x1p-100F}) == 16777218);
  CHECK(reduced(function::average, floats{3e38F, 3e38F}) == 3e38F);
  CHECK(reduced(function::multiply, floats{1e30F, 1e30F, 1e-30F, 1e-30F}) == 1);
  CHECK(reduced(function::l2, floats{1e-30F, 1e-30F, 1e-30F, 1e-30F}) == 2e-30F);
  CHECK(reduced(function::l2, floats{1e30F}) == 1e30F);
  CHECK(reduced(function::log_sum, floats{0x1p60F, 1024, -0x1p60F}) == 6.93147182F);  // ln 1024
  CHECK(reduced(function::sum_square, floats{1e30F}) == inf);
  const std::vector<float16> ones(4096, float16(1.0F));
  CHECK(static_cast<float>(reduced(function::sum, ones)) == 4096);
}

TEST_CASE("REDUCE: integers wrap at their width", "[reduce]") {
  using ints = std::vector<std::int32_t>;
  constexpr std::int32_t least = (std::numeric_limits<std::int32_t>::min)();
  constexpr std::int32_t most = (std::numeric_limits<std::int32_t>::max)();
  CHECK(reduced(function::sum, ints{most, 1}) == least);
  CHECK(reduced(function::l1, ints{least}) == least);
  CHECK(reduced(function::l1, ints{-3, 4}) == 7);
  CHECK(reduced(function::sum_square, ints{-65536, 3}) == 9);
  CHECK(reduced(function::multiply, ints{0x10000, 0x10001}) == 0x10000);
  CHECK(reduced(function::multiply, ints{-3, 5}) == -15);
  CHECK(reduced(function::min, ints{1, least}) == least);
  CHECK(reduced(function::max, std::vector<std::uint32_t>{1, 0x8000'0000}) == 0x8000'0000);
  CHECK(reduced(function::sum, std::vector<std::uint64_t>{~std::uint64_t{0}, 2}) == 1);
  CHECK(reduced(function::max, std::vector<std::int8_t>{-128, -1}) == -1);
}

TEST_CASE("REDUCE: infinities and NaN", "[reduce]") {
  for (const function f : {function::sum, function::average, function::log_sum}) {
    CHECK(reduced(f, floats{inf, 1}) == inf);
    CHECK(is_nan(reduced(f, floats{inf, -inf})));
    CHECK(is_nan(reduced(f, floats{not_a_number, 1})));
  }
  CHECK(reduced(function::l1, floats{-inf, 1}) == inf);
  CHECK(reduced(function::multiply, floats{-inf, 2}) == -inf);
  CHECK(is_nan(reduced(function::multiply, floats{-inf, 0})));
  CHECK(reduced(function::max, floats{not_a_number, -inf}) == -inf);
  CHECK(is_nan(reduced(function::min, floats{not_a_number, not_a_number})));
  const tensor<float> some({2}, {1, not_a_number});
  CHECK(is_nan(reduce(reference, some, {.function = function::max, .axes = {0}, .nan_policy = nan_policy::propagate})
                   .elements()[0]));
  using place = interval_place;
  CHECK(judged<float>({.function = function::max, .axes = {0}}, {1, not_a_number}, not_a_number) == place::usual);
  for (const float x : {0.0F, -0.0F, not_a_number})
    CHECK(judged<float>({.function = function::max, .axes = {0}}, {not_a_number, -0.0F, -1}, x) == place::usual);
  CHECK(judged<float>({.function = function::max, .axes = {0}}, {not_a_number, -0.0F, -1}, -1.0F) == place::outside);
  const reduce_desc propagates{.function = function::max, .axes = {0}, .nan_policy = nan_policy::propagate};
  CHECK(judged<float>(propagates, {0, not_a_number, -0.0F}, not_a_number) == place::usual);
  for (const float x : {0.0F, -0.0F}) CHECK(judged<float>(propagates, {0, not_a_number, -0.0F}, x) == place::outside);
  CHECK(judged<float>(propagates, {0, -0.0F}, -0.0F) == place::usual);
  CHECK(judged<float>(propagates, {0, -0.0F}, not_a_number) == place::outside);
}

TEST_CASE("REDUCE: what a device may answer, by hand", "[reduce]") {
  const floats cancelling{1e8F, 1, -1e8F};
  for (const float each : {1.0F, 0.0F, 8.0F, -8.0F}) CHECK(accepted(function::sum, cancelling, each));
  for (const float each : {-30.0F, 30.0F, inf, not_a_number}) CHECK_FALSE(accepted(function::sum, cancelling, each));
  const floats orders{1e30F, 1e30F, 1e-30F, 1e-30F};
  for (const float each : {1.0F, 0.0F, inf}) CHECK(accepted(function::multiply, orders, each));
  CHECK_FALSE(accepted(function::multiply, floats{2, 3}, 7.0F));
  CHECK(accepted(function::average, floats{3e38F, 3e38F}, inf));
  CHECK_FALSE(accepted(function::average, floats{3e38F, 3e38F}, -inf));
  CHECK(accepted(function::l2, floats{1e-30F, 1e-30F, 1e-30F, 1e-30F}, 0.0F));
  CHECK(accepted(function::l2, floats{1e30F}, inf));
  CHECK_FALSE(accepted(function::l2, floats{3, 4}, 5.00001F));
  CHECK_FALSE(accepted(function::l1, floats{0x1p-149F}, -0x1p-149F));
  CHECK(accepted(function::log_sum, floats{1e8F, 1, -1e8F}, -inf));
  CHECK(accepted(function::log_sum, floats{1e8F, 1, -1e8F}, not_a_number));
  CHECK_FALSE(accepted(function::log_sum, floats{1e8F, 1, -1e8F}, 4.0F));
  CHECK(accepted(function::log_sum_exp, floats{1000, 1000}, inf));
  CHECK_FALSE(accepted(function::log_sum_exp, floats{10, 10}, inf));
  CHECK(accepted(function::log_sum_exp, floats{-100}, -inf));  // e^-100 may be flushed
  CHECK_FALSE(accepted(function::log_sum_exp, floats{-100}, inf));
  CHECK(accepted(function::max, floats{1, not_a_number}, not_a_number));
  CHECK_FALSE(accepted(function::max, floats{1, 2}, not_a_number));
  CHECK(accepted(function::max, floats{0x1p-140F, 0}, 0.0F));  // flushed
  CHECK_FALSE(accepted(function::max, floats{0x1p-120F, 0}, 0.0F));
  CHECK(accepted(function::min, floats{-0.0F, 0.0F}, 0.0F));
}

TEST_CASE("REDUCE: accumulation in FLOAT16 is accepted only if it is allowed", "[reduce]") {
  const std::vector<float16> ones(4096, float16(1.0F));
  CHECK_FALSE(accepted(function::sum, ones, float16(2048.0F)));  // where a serial sum sticks
  CHECK(accepted(function::sum, ones, float16(2048.0F), accumulation::half));
  CHECK(accepted(function::sum, ones, float16(4096.0F), accumulation::half));
  // 2049 lies between two FLOAT16: narrowed to the nearest, or toward zero.
  std::vector<float16> two{float16(2048.0F), float16(3.0F)};
  CHECK(judged<float16>({.function = function::sum, .axes = {0}}, two, float16(2052.0F)) == interval_place::usual);
  CHECK(judged<float16>({.function = function::sum, .axes = {0}}, two, float16(2050.0F)) ==
        interval_place::toward_zero);
  CHECK_FALSE(accepted(function::sum, two, float16(2048.0F)));
}

namespace {

// Sums of `terms` as devices may compute them.
float sum_by(std::string_view how, floats terms, std::mt19937& random) {
  if (how == "backward") std::reverse(terms.begin(), terms.end());
  if (how == "shuffled") std::shuffle(terms.begin(), terms.end(), random);
  if (how == "pairwise") {
    while (terms.size() > 1) {
      const std::size_t half = terms.size() / 2;
      for (std::size_t i = 0; i < half; ++i) terms[i] = terms[2 * i] + terms[2 * i + 1];
      if (terms.size() % 2 == 1) terms[half] = terms.back();
      terms.resize((terms.size() + 1) / 2);
    }
    return terms[0];
  }
  if (how == "blocked") {
    float total = 0;
    for (std::size_t i = 0; i < terms.size(); i += 8) {
      float block = 0;
      for (std::size_t k = i; k < (std::min)(i + 8, terms.size()); ++k) block += terms[k];
      total += block;
    }
    return total;
  }
  float sum = 0;
  float lost = 0;
  for (const float x : terms) {
    if (how != "kahan") {
      sum += x;
      continue;
    }
    const volatile float corrected = x - lost;
    const volatile float next = sum + corrected;
    const volatile float gained = next - sum;
    lost = gained - corrected;
    sum = next;
  }
  return sum;
}

}  // namespace

TEST_CASE("REDUCE: legal kernels are accepted, on any data", "[reduce]") {
  std::mt19937 random(7);
  for (int number = 0; number < 300; ++number) {
    floats x(1 + random() % 70);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const float some = static_cast<float>(random() % 0x100'0000) / 0x80'0000 - 1;
      const int kind = number % 5;
      x[i] = kind == 0   ? some
             : kind == 1 ? (i % 2 == 0 ? 1.0F : -1.0F) * (1000 + some)
             : kind == 2 ? std::ldexp(some, static_cast<int>(random() % 60) - 30)
             : kind == 3 ? some * 0x1p-125F
                         : std::abs(some) + 0.001F;
    }
    const float n = static_cast<float>(x.size());
    floats magnitudes;
    floats squares;
    floats shares;
    for (const float each : x) {
      magnitudes.push_back(std::abs(each));
      squares.push_back(each * each);
      shares.push_back(each / n);
    }
    for (const std::string_view how : {"forward", "backward", "shuffled", "pairwise", "blocked", "kahan"}) {
      INFO("case " << number << ", " << how);
      const float sum = sum_by(how, x, random);
      CHECK(accepted(function::sum, x, sum));
      CHECK(accepted(function::l1, x, sum_by(how, magnitudes, random)));
      CHECK(accepted(function::sum_square, x, sum_by(how, squares, random)));
      CHECK(accepted(function::average, x, sum / n));
      CHECK(accepted(function::average, x, sum * (1 / n)));
      CHECK(accepted(function::average, x, sum_by(how, shares, random)));
      CHECK(accepted(function::l2, x, std::sqrt(sum_by(how, squares, random))));
      CHECK(accepted(function::log_sum, x, std::log(sum)));
    }
    float product = 1;
    float most = x[0];
    for (const float each : x) {
      product *= each;
      most = (std::max)(most, each);
    }
    CHECK(accepted(function::multiply, x, product));
    floats powers;
    floats shifted;
    for (const float each : x) {
      powers.push_back(std::exp(each));
      shifted.push_back(std::exp(each - most));
    }
    CHECK(accepted(function::log_sum_exp, x, std::log(sum_by("forward", powers, random))));
    CHECK(accepted(function::log_sum_exp, x, most + std::log(sum_by("pairwise", shifted, random))));
  }
}

TEST_CASE("REDUCE: legal kernels in half precision are accepted, on FLOAT32 tensors", "[reduce]") {
  std::mt19937 random(9);
  const auto half = [](float x) { return static_cast<float>(float16(x)); };
  for (int number = 0; number < 400; ++number) {
    floats x(1 + random() % 40);
    for (float& each : x) {
      const float some = static_cast<float>(random() % 0x100'0000) / 0x80'0000 - 1;
      const int kind = number % 4;
      each = kind == 0   ? some
             : kind == 1 ? some * 0x1p-22F
             : kind == 2 ? 1 + some * 0x1p-9F
                         : std::abs(some) * 0x1p-13F;
    }
    INFO("case " << number << ", " << x.size() << " elements");
    const float n = static_cast<float>(x.size());
    float sum = half(x[0]);
    float shares = half(half(x[0]) / n);
    float product = half(x[0]);
    float squares = half(half(x[0]) * half(x[0]));
    for (std::size_t i = 1; i < x.size(); ++i) {
      sum = half(sum + half(x[i]));
      shares = half(shares + half(half(x[i]) / n));
      product = half(product * half(x[i]));
      squares = half(squares + half(half(x[i]) * half(x[i])));
    }
    const auto accepted_half = [&](function f, float value) { return accepted(f, x, value, accumulation::half); };
    CHECK(accepted_half(function::sum, sum));
    CHECK(accepted_half(function::average, half(sum / n)));
    CHECK(accepted_half(function::average, half(sum * half(1 / n))));
    CHECK(accepted_half(function::average, shares));
    CHECK(accepted_half(function::multiply, product));
    CHECK(accepted_half(function::sum_square, squares));
    CHECK(accepted_half(function::l2, half(std::sqrt(squares))));
  }
  // By hand: a little more than 2.5 * 2^-24 is rounded to 3 * 2^-24, and its half to 2 * 2^-24. 0.75 * 2^-24 is rounded
  // up.
  CHECK(accepted(function::average, floats{0x1.400002p-23F, 0x1.400002p-23F}, 0x1p-22F, accumulation::half));
  CHECK(accepted(function::multiply, floats{0x1.8p-25F}, 0x1p-24F, accumulation::half));
  CHECK_FALSE(accepted(function::multiply, floats{0x1.8p-25F}, 0x1p-22F, accumulation::half));
}

TEST_CASE("REDUCE: wrong kernels are refused, on small integers", "[reduce]") {
  std::mt19937 random(8);
  for (int number = 0; number < 200; ++number) {
    floats x(2 + random() % 300);
    for (float& each : x) each = static_cast<float>(1 + random() % 8) * (random() % 2 == 0 ? 1.0F : -1.0F);
    x[0] = std::abs(x[0]) + 8;
    const auto sum = [&](const floats& terms) { return sum_by("forward", terms, random); };
    const floats missing(x.begin(), x.end() - 1);
    floats doubled = x;
    doubled.push_back(x[x.size() / 2]);
    floats magnitudes;
    for (const float each : x) magnitudes.push_back(std::abs(each));
    CHECK(accepted(function::sum, x, sum(x)));
    CHECK_FALSE(accepted(function::sum, x, sum(missing)));
    CHECK_FALSE(accepted(function::sum, x, sum(doubled)));
    CHECK_FALSE(accepted(function::l1, x, sum(magnitudes) - std::abs(x.back())));
    if (sum(x) != sum(magnitudes)) CHECK_FALSE(accepted(function::l1, x, sum(x)));  // without abs
    const float n = static_cast<float>(x.size());
    CHECK_FALSE(accepted(function::average, magnitudes, sum(magnitudes) / (n + 1)));  // by a wrong count
    CHECK_FALSE(accepted(function::average, magnitudes, sum(magnitudes) / (n - 1)));
  }
}
