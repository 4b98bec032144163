// Activations against MPFR, and their bounds against devices that compute them in FLOAT32, legally and wrongly.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include <goldml/arithmetic/activation_bounds.hpp>
#include <goldml/arithmetic/activation_interval.hpp>
#include <goldml/arithmetic/activations.hpp>
#include <goldml/arithmetic/fused_interval.hpp>
#include <goldml/core/value_conversion.hpp>

#include "../catch.hpp"
#include "judge.hpp"

namespace {

using namespace goldml;
namespace ar = goldml::arithmetic;
using enum ar::activation_type;
using precise::judge;
using precise::make;
using precise::nearest;
using precise::number;
using precise::samples;

// FLOAT32 numbers of both signs from 2^-149 to 2^7 or, for the functions that take them, to 2^127.
std::vector<float> numbers(const activation& f, std::uint32_t steps) {
  std::vector<float> result;
  const bool rational = ar::type_of(f) == linear || ar::type_of(f) == hard_sigmoid || ar::type_of(f) == softsign ||
                        ar::type_of(f) == shrink || ar::type_of(f) == leaky_relu || ar::type_of(f) == identity;
  for (const std::uint32_t sign : {0U, 0x8000'0000U})
    for (std::uint32_t exponent = 0; exponent < (rational ? 255U : 133U); ++exponent)
      for (std::uint32_t i = 0; i < steps; ++i)
        result.push_back(
            std::bit_cast<float>(sign | exponent << 23 | static_cast<std::uint32_t>((std::uint64_t{i} << 23) / steps)));
  return result;
}

// e^x and ln x by the exp and log of Direct3D, whose results, rounded to FLOAT32, are off by at most 2^-21.
float device_exp(float x, double by) {
  const float exponent = x * 1.44269504F;
  if (exponent == 0) return 1;
  return static_cast<float>(std::exp2(static_cast<double>(exponent)) * (1 + by));
}
float device_log(float x, double by) {
  const double v = std::log2(static_cast<double>(x));
  if (std::isinf(v)) return static_cast<float>(v);
  const double error = x >= 0.5F && x <= 2 ? by : std::abs(v) * by;
  return static_cast<float>(v + error) * 0.693147182F;
}
// x / y by Direct3D's `rcp`, whose result, rounded to FLOAT32, is off by at most 2^-21.
float device_quotient(float x, float y, double by) {
  return x * static_cast<float>(1 / static_cast<double>(y) * (1 + by));
}
float device_tanh(float x, double by, double rcp) {
  if (std::abs(x) > 40) return x < 0 ? -1.0F : 1.0F;
  const float e = device_exp(2 * x, by);
  return device_quotient(e - 1, e + 1, rcp);
}

// f in FLOAT32, as a device may compute it.
float device(const activation& f, float x, double by, double rcp) {
  const float a = f.parameters[0], b = f.parameters[1];
  switch (ar::type_of(f)) {
    case identity:
      return x;
    case linear:
      return a * x + b;
    case hard_sigmoid:
      return std::max(0.0F, std::min(a * x + b, 1.0F));
    case hard_swish:
      return x * std::max(0.0F, std::min(a * x + b, 1.0F));
    case swish:
      return x * device_quotient(1, 1 + device_exp(-(a * x), by), rcp);
    case gelu: {  // by the erf of Abramowitz and Stegun 7.1.26
      const float w = x * 0.70710678F, z = std::abs(w), t = device_quotient(1, 1 + 0.3275911F * z, rcp);
      const float y =
          1 - t * (0.254829592F + t * (-0.284496736F + t * (1.421413741F + t * (-1.453152027F + t * 1.061405429F)))) *
                  device_exp(-z * z, by);
      return x * 0.5F * (1 + (w < 0 ? -y : y));
    }
    case relu:
      return std::max(x, 0.0F);
    case leaky_relu:
      return x >= 0 ? x : a * x;
    case elu:
      return x >= 0 ? x : a * (device_exp(x, by) - 1);
    case scaled_elu:
      return x > 0 ? b * x : b * (a * device_exp(x, by) - a);
    case celu:
      return std::max(x, 0.0F) + std::min(0.0F, a * (device_exp(device_quotient(x, a, rcp), by) - 1));
    case sigmoid:
      return device_quotient(1, 1 + device_exp(-x, by), rcp);
    case ar::activation_type::tanh:
      return device_tanh(x, by, rcp);
    case scaled_tanh:
      return a * device_tanh(b * x, by, rcp);
    case softsign:
      return device_quotient(x, 1 + std::abs(x), rcp);
    case softplus: {
      const float ln = device_log(1 + device_exp(a * x, by), by);
      return a == 1 ? ln : device_quotient(ln, a, rcp);
    }
    case parametric_softplus:
      return a * device_log(1 + device_exp(b * x, by), by);
    case thresholded_relu:
      return x > a ? x : 0;
    case clip:
      return std::min<decltype(x)>(b, std::max<decltype(x)>(a, x));
    case shrink:
      return x > b ? x - a : x < -b ? x + a : 0;
  }
  return 0;
}

// f in FLOAT16: every step and every parameter is rounded, and the exp and log of AR-R3 are off by `by` more.
float rounded_to_half(float x) { return static_cast<float>(static_cast<float16>(x)); }
float half_device(const activation& f, float x, float by) {
  const auto h = rounded_to_half;
  const float a = h(f.parameters[0]), b = h(f.parameters[1]);
  const auto exp = [&](float v) { return h(std::exp2(h(v * h(1.44269504F))) * (1 + by)); };
  const auto log = [&](float v) {
    const float power = std::log2(v);
    if (std::isinf(power)) return power;
    return h(h(power + by * std::max(1.0F, std::abs(power)) / 2) * h(0.693147182F));
  };
  const auto tanh_of = [&](float v) {
    if (std::abs(v) > 5) return v < 0 ? -1.0F : 1.0F;
    const float e = exp(h(2 * v));
    return h(h(e - 1) / h(e + 1));
  };
  const auto softplus_of = [&](float v) { return log(h(1 + exp(v))); };
  switch (ar::type_of(f)) {
    case identity:
      return x;
    case linear:
      return h(h(a * x) + b);
    case hard_sigmoid:
      return std::max(0.0F, std::min(h(h(a * x) + b), 1.0F));
    case hard_swish:
      return h(x * std::max(0.0F, std::min(h(h(a * x) + b), 1.0F)));
    case swish:
      return h(x * h(1 / h(1 + exp(h(-(a * x))))));
    case gelu:
      return h(h(x * 0.5F) * h(1 + h(std::erf(h(x * h(0.70710678F))))));
    case relu:
      return std::max(x, 0.0F);
    case leaky_relu:
      return x >= 0 ? x : h(a * x);
    case elu:
      return x >= 0 ? x : h(a * h(exp(x) - 1));
    case scaled_elu:
      return x > 0 ? h(b * x) : h(b * h(h(a * exp(x)) - a));
    case celu:
      return h(std::max(x, 0.0F) + std::min(0.0F, h(a * h(exp(h(x / a)) - 1))));
    case sigmoid:
      return h(1 / h(1 + exp(-x)));
    case ar::activation_type::tanh:
      return tanh_of(x);
    case scaled_tanh:
      return h(a * tanh_of(h(b * x)));
    case softsign:
      return h(x * h(1 / h(1 + std::abs(x))));
    case softplus:
      return h(softplus_of(h(a * x)) * h(1 / a));
    case parametric_softplus:
      return h(a * softplus_of(h(b * x)));
    case thresholded_relu:
      return x > a ? x : 0;
    case clip:
      return std::min<float>(b, std::max<float>(a, x));
    case shrink:
      return x > b ? h(x - a) : x < -b ? h(x + a) : 0;
  }
  return 0;
}

bool is_accepted(const activation& f, float x, float answer, bool flushes = false) {
  const auto allowed =
      ar::own_activation_intervals<float>(f, goldml::detail::widened(x), flushes, accumulation::single);
  return precise::place_in(allowed, answer) != interval_place::outside;
}

// Where the comparer refuses approximate reciprocals, and what only conformance tests permit.
bool is_close(const activation& f, float x, float answer) {
  const auto allowed = ar::own_activation_intervals<float>(f, goldml::detail::widened(x), false, accumulation::single);
  return precise::place_in(allowed, answer, true) != interval_place::outside;
}

template <class T>
std::uint64_t count_wrong(const activation& f, T x) {
  const double argument = goldml::detail::widened(static_cast<float>(x));
  number expected;
  judge(f, number(argument), expected.value);
  const T got = ar::activation_rounded<T>(f, argument);
  const ar::wide exact = ar::detail::activation_of(f, ar::wide(argument));
  const T wanted = nearest<T>(expected);
  return (got == wanted ? 0U : 1U) + (ar::rounded<T>(exact) == wanted ? 0U : 1U);
}

}  // namespace

TEST_CASE("activations of every FLOAT16 round as MPFR's do", "[arithmetic]") {
  for (const activation& f : samples()) {
    INFO(name_of(ar::type_of(f)) << " " << f.parameters[0] << " " << f.parameters[1]);
    std::uint64_t wrong = 0;
    for (std::uint32_t bits = 0; bits < 0x10000; bits += 3) {
      const auto x = std::bit_cast<float16>(static_cast<std::uint16_t>(bits));
      if (std::abs(static_cast<float>(x)) < 200) wrong += count_wrong(f, x);
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("activations of FLOAT32 numbers of every exponent round as MPFR's do", "[arithmetic]") {
  for (const activation& f : samples()) {
    INFO(name_of(ar::type_of(f)) << " " << f.parameters[0] << " " << f.parameters[1]);
    std::uint64_t wrong = 0;
    for (const float x : numbers(f, 23)) wrong += count_wrong(f, x);
    CHECK(wrong == 0);
  }
}

TEST_CASE("the bounds of activations hold for devices, and refuse others", "[arithmetic]") {
  for (const activation& f : samples()) {
    INFO(name_of(ar::type_of(f)) << " " << f.parameters[0] << " " << f.parameters[1]);
    std::uint64_t refused = 0, wrong = 0, count = 0, only_by_rcp = 0;
    const bool is_tanh = ar::type_of(f) == ar::activation_type::tanh || ar::type_of(f) == scaled_tanh;
    for (const float x : numbers(f, 23)) {
      if (x != 0 && std::abs(x) < 0x1p-120F) continue;  // subnormal results: the bounds without flushing
      for (const double by : {0.0, 0x1.cp-22, -0x1.cp-22})
        for (const double rcp : {0.0, 0x1.cp-22, -0x1.cp-22}) {
          const float answer = device(f, x, by, rcp);
          if (!is_accepted(f, x, answer)) ++refused;
          if (rcp == 0 && !is_close(f, x, answer)) ++refused;
          if (!is_close(f, x, answer)) ++only_by_rcp;
        }
      const float y = ar::activation_rounded<float>(f, static_cast<double>(x));
      if (y == 0 || std::abs(x) < (is_tanh ? 0.5F : 0.01F) || std::abs(x) > 3) continue;
      ++count;
      const bool is_gelu = ar::type_of(f) == gelu;  // off by |x| / 2 * 2^-10
      const float off = is_gelu ? 0x1p-10F * std::abs(x) / std::abs(y) : is_tanh ? 0.004F : 0.0001F;
      if (!is_accepted(f, x, y * (1 + off)) && !is_close(f, x, y * 1.0001F)) ++wrong;
      CHECK(is_accepted(f, x, y));
    }
    CHECK(refused == 0);
    CHECK(wrong > count * 9 / 10);
    if (ar::type_of(f) == softsign) CHECK(only_by_rcp > 100);
  }
}

TEST_CASE("A3: tanh at the limits of its error", "[arithmetic]") {
  for (const activation& f : {make(ar::activation_type::tanh), make(scaled_tanh, 1.7159F, 0.66666667F),
                              make(scaled_tanh, -0.3F, -4), make(scaled_tanh, 3, 1e-3F)}) {
    const bool scales = ar::type_of(f) == scaled_tanh;
    const double a = scales ? static_cast<double>(f.parameters[0]) : 1,
                 b = scales ? static_cast<double>(f.parameters[1]) : 1;
    std::uint64_t refused = 0, close_refused = 0, accepted = 0, close_accepted = 0, count = 0;
    for (const float x : numbers(f, 23)) {
      if (std::abs(x) < 0x1p-100F) continue;
      const double t = std::tanh(b * static_cast<double>(x));
      for (const double sign : {1.0, -1.0}) {
        const auto by = [&](double off) { return static_cast<float>(a * std::clamp(t + sign * off, -1.0, 1.0)); };
        refused += is_accepted(f, x, by(0.0007999)) ? 0U : 1U;
        close_refused += is_close(f, x, by(9.9e-6)) ? 0U : 1U;
        if (std::abs(t + sign * 0.00081) > 1) continue;
        ++count;
        accepted += is_accepted(f, x, by(0.00081)) ? 1U : 0U;
        close_accepted += is_close(f, x, by(1.2e-5)) ? 1U : 0U;
      }
    }
    CHECK(refused == 0);
    CHECK(close_refused == 0);
    CHECK(accepted == 0);
    CHECK(close_accepted == 0);
    CHECK(count > 4000);
  }
}

// FLOAT32 and FLOAT16 tensors; of the latter every tenth number, and of the former numbers of every exponent that
// FLOAT16 has, which are rounded to nearest even or toward zero first, and infinities.
TEST_CASE("the bounds of activations in half precision hold for devices that compute in FLOAT16", "[arithmetic]") {
  std::vector<activation> all = samples();
  for (const activation& f :
       {make(elu, 65000), make(linear, 300, 60000), make(linear, -2, 50000), make(linear, 1e-9F, 0.1F),
        make(leaky_relu, -3), make(scaled_tanh, 0.3F, 1e-6F), make(scaled_tanh, 65500, 2), make(scaled_elu, 90, 70),
        make(softplus, 0x1p-13F), make(softplus, 1.001F), make(parametric_softplus, 1e-9F, 20),
        make(parametric_softplus, 3000, 7), make(celu, 0x1.1p-13F), make(celu, 300.3F), make(shrink, 0.3F, 0.29F),
        make(thresholded_relu, 0.10001F), make(hard_sigmoid, 1000, -999.7F), make(hard_sigmoid, 1e-8F, 0.3F)})
    all.push_back(f);
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const activation& f : all) {
    INFO(name_of(ar::type_of(f)) << " " << f.parameters[0] << " " << f.parameters[1]);
    std::uint64_t refused = 0, wrong = 0, count = 0;
    const auto judge_one = [&]<class T>(T x, float as_half) {
      const auto given = static_cast<double>(static_cast<float>(x));
      const element_intervals allowed = ar::own_activation_intervals<T>(f, given, false, accumulation::half);
      for (const float by : {0.0F, 0x1.8p-10F, -0x1.8p-10F}) {
        const float answer = half_device(f, as_half, by);
        if (precise::place_in(allowed, static_cast<T>(answer)) != interval_place::outside) continue;
        if (refused < 3)
          UNSCOPED_INFO(given << " gives " << answer << " of " << allowed.hull().low << " to " << allowed.hull().high);
        ++refused;
      }
      // Half precision is no reason to accept 6 % more.
      const auto y = static_cast<float>(ar::activation_rounded<float>(f, given));
      if (std::abs(given) < 0.25 || std::abs(given) > 2 || std::abs(y) < 0.25F) return;
      ++count;
      wrong += precise::place_in(allowed, static_cast<T>(y * 1.06F)) == interval_place::outside ? 1U : 0U;
    };
    for (std::uint32_t bits = 0; bits < 0x10000; bits += 10) {
      const auto x = std::bit_cast<float16>(static_cast<std::uint16_t>(bits));
      if (!is_nan(x)) judge_one(x, static_cast<float>(x));
    }
    for (const float x : numbers(f, 23))
      if (std::abs(x) <= 65504)
        for (const auto direction : {goldml::rounding::nearest_even, goldml::rounding::toward_zero})
          judge_one(x, static_cast<float>(goldml::rounded<float16>(static_cast<double>(x), direction)));
    for (const float x : {infinity, -infinity}) judge_one(x, x);
    CHECK(refused == 0);
    if (std::abs(f.parameters[0]) <= 5 && std::abs(f.parameters[1]) <= 5) CHECK(wrong >= count * 8 / 10);
  }
}

TEST_CASE("a composed activation's bound covers the interval of its argument", "[arithmetic]") {
  for (const activation& f : samples()) {
    INFO(name_of(ar::type_of(f)) << " " << f.parameters[0] << " " << f.parameters[1]);
    for (const double w : {-3.0, -0.7, -0.1, -1e-11, 0.0, 0.1, 0.39, 0.4, 0.7, 2.5})
      for (const double by : {1e-12, 1e-6, 0.02, 1.0}) {
        const ar::composed_value bound = ar::composed(f, w, by);
        bool covered = true;
        for (int i = -50; i <= 50; ++i) {
          const double x = w + by * i / 50;
          const double far = std::abs(ar::activation_value(f, x).value - bound.value) + ar::activation_error(f, x);
          covered = covered && (far <= bound.error * (1 + 1e-9));
        }
        INFO(w << " to within " << by);
        CHECK(covered);
        CHECK(ar::composed(f, w, 0).error == ar::activation_error(f, w));
      }
  }
}

TEST_CASE("a function that jumps: no device answers on the other side of it", "[arithmetic]") {
  const auto ends = [](const activation& f, double w, double by) {
    const ar::composed_value v = ar::composed(f, w, by);
    return std::pair(v.value - v.error, v.value + v.error);
  };
  // 0, or what is above the threshold of 1: at most 1.25.
  const auto [least, most] = ends(make(thresholded_relu, 1), 1.125, 0.125);
  CHECK((least <= 0 && least > -1e-6 && most >= 1.25 && most < 1.25 + 1e-6));
  // 0, or x + 0.25 for x from -1.125 to -1.
  const auto [low, high] = ends(make(shrink, 0.25F, 1), -1, 0.125);
  CHECK((low <= -0.875 && low > -0.875 - 1e-6 && high >= 0 && high < 1e-6));
  // Nothing is known of the argument, nor of the result.
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const activation& f : {make(thresholded_relu, -5), make(shrink, 1, 1)}) {
    const element_intervals all = ar::fused_interval<float>(f, {.value = 0.5, .error = infinity}, {});
    for (const float y : {-3.0F, 0.0F, 1e30F}) CHECK(precise::place_in(all, y) != interval_place::outside);
  }
  // 2^-140 - 1 or, if it is flushed, 0.
  for (const float y : {-1.0F, 0.0F}) CHECK(is_accepted(make(shrink, 1, 0), 0x1p-140F, y, true));
  for (const float y : {1.0F, -0.5F}) CHECK(!is_accepted(make(shrink, 1, 0), 0x1p-140F, y, true));
  // x, toward zero, and Threshold are -1.07324219 as FLOAT16: neither comparison holds as it does of the exact numbers.
  const activation negative = make(shrink, 0.0079155704F, -1.07352364F);
  const auto in_half = ar::own_activation_intervals<float>(negative, -1.0735238F, false, goldml::accumulation::half);
  CHECK(precise::place_in(in_half, -1.06445312F) != interval_place::outside);
}

// By hand.
TEST_CASE("activations of single numbers", "[arithmetic]") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto of = [](const activation& f, double x) { return ar::activation_rounded<float>(f, x); };
  CHECK(of(make(elu, 0.5F), -2) == -0.43233237F);
  CHECK(ar::activation_error(make(elu, 0.5F), -2) == Approx(1.7e-7).epsilon(0.05));
  CHECK(ar::activation_error(make(elu, 0.5F), 2) < 1e-11);
  // On the other branch a device may be 4.7e-7 off.
  CHECK(ar::composed(make(elu, 1), 1e-11, 7e-10).error == Approx(4.78e-7).epsilon(0.01));
  CHECK(of(make(relu), nan) == 0);
  CHECK(std::isnan(of(make(ar::activation_type::tanh), nan)));
  CHECK(of(make(sigmoid), -infinity) == 0);
  CHECK(of(make(sigmoid), infinity) == 1);
  CHECK(of(make(scaled_tanh, 2, -1), infinity) == -2);
  // 0.75 x is a tie of two FLOAT32; tanh of it is below, by less than 2^-120 of it.
  CHECK(of(make(scaled_tanh, 1, 0.75F), 0x1.000002p-60) == 0x1.800002p-61F);
  CHECK(of(make(scaled_tanh, 1, -0.75F), 0x1.000002p-60) == -0x1.800002p-61F);
  CHECK(of(make(celu, 3), -0x1.000002p-140) == -0x1.00000p-140F);
  CHECK(of(make(elu, 3), -infinity) == -3);
  CHECK(of(make(softplus, 2), infinity) == std::numeric_limits<float>::infinity());
  CHECK(of(make(softplus, 2), -infinity) == 0);
  CHECK(of(make(celu, 2), -infinity) == -2);
  CHECK(std::isnan(of(make(linear, 0, 1), infinity)));
  CHECK(of(make(shrink, 1, 2), 2) == 0);
  CHECK(of(make(shrink, 1, 2), -3) == -2);
  CHECK(of(make(thresholded_relu, 2), 2) == 0);
  CHECK_THROWS_AS(ar::activation_value(activation{}, 1), std::invalid_argument);
}

TEST_CASE("activations: where flushing is lost, it changes no interval", "[arithmetic]") {
  for (const activation& f : samples()) {
    std::uint64_t lost = 0, other = 0;
    std::vector<float> x = numbers(f, 5);
    for (const float limit : {0x1p-126F, 0x1p-20F, 0x1p20F, 0x1p-30F, 1.0F, 0.7517915F})
      for (const float to : {0.0F, limit, 2 * limit})
        for (const float sign : {-1.0F, 1.0F}) x.push_back(sign * std::nextafter(limit, to));
    for (const float each : x) {
      const double number = goldml::detail::widened(each);
      if (!ar::is_flushing_lost(f, each, ar::activation_rounded<float>(f, number))) continue;
      ++lost;
      const auto flushed = ar::own_activation_intervals<float>(f, number, true, accumulation::single);
      if (flushed != ar::own_activation_intervals<float>(f, number, false, accumulation::single)) ++other;
    }
    INFO(ar::name_of(ar::type_of(f)) << ": " << lost << " numbers");
    CHECK((ar::type_of(f) == clip ? lost == 0 : lost > 30));
    CHECK(other == 0);
  }
  // What is read as zero, and divisors whose reciprocal is.
  CHECK(!ar::is_flushing_lost(make(leaky_relu, 0x1p-127F), -1, -0x1p-19F));
  CHECK(!ar::is_flushing_lost(make(softplus, 0x1.8p125F), 1, 1));
  CHECK(!ar::is_flushing_lost(make(relu), 0x1p-127F, 1));
  CHECK(!ar::is_flushing_lost(make(relu), 1, std::numeric_limits<float>::infinity()));
}

// x - Bias and x + Bias in double are rounded once: by at most 2^-53 of the result, and not at all where they are 0.
TEST_CASE("SHRINK: a difference of 0 is exact", "[arithmetic]") {
  const activation f = make(shrink, 1, 0.5F);
  for (const float x : {1.0F, -1.0F}) {
    CHECK(ar::activation_value(f, static_cast<double>(x)).error == 0);
    CHECK(ar::activation_error(f, static_cast<double>(x)) == 0);
    CHECK(is_accepted(f, x, 0));
    for (const float wrong : {0x1p-149F, -0x1p-149F, 0x1p-100F}) CHECK(!is_accepted(f, x, wrong));
    CHECK(is_accepted(f, x, 0x1p-149F, true));  // where subnormals may be flushed
  }
  CHECK(ar::activation_value(f, 0.25).error == 0);  // between the thresholds
  std::uint64_t outside = 0, rounded = 0;
  for (int i = 0; i < 2000; ++i) {
    const double x = std::ldexp(1.5 + i * 0x1.23456789abcdp-13, i % 60 - 30);  // also doubles that are no FLOAT32
    for (const float bias : {1.0F, -0x1.fffffep-20F, 0x1.23456p20F, 0x1p-40F}) {
      const ar::approximation y = ar::activation_value(make(shrink, bias, 0), x);
      const double b = static_cast<double>(bias), part = y.value - x;
      const double rest = (x - (y.value - part)) - (b + part);  // exactly what the double lacks
      outside += std::abs(rest) <= y.error ? 0U : 1U;
      rounded += rest != 0 ? 1U : 0U;
    }
  }
  CHECK(outside == 0);
  CHECK(rounded > 4000);
}

TEST_CASE("intervals of activations: NaN, overflow, flushed numbers", "[arithmetic]") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  CHECK(is_accepted(make(relu), nan, 0));
  CHECK(is_accepted(make(relu), nan, nan));
  CHECK(!is_accepted(make(relu), nan, 1));
  CHECK(is_accepted(make(hard_sigmoid, 1, 0), nan, 0));
  CHECK(is_accepted(make(hard_sigmoid, 1, 0), nan, 1));
  CHECK(is_accepted(make(hard_sigmoid, 1, 0), nan, nan));
  CHECK(!is_accepted(make(hard_sigmoid, 1, 0), nan, 0.5F));
  CHECK(is_accepted(make(hard_sigmoid, 0, 0.5F), infinity, nan));  // 0 * inf
  CHECK(!is_accepted(make(hard_sigmoid, 0, 0.5F), 1, nan));
  // The clamp removes the error of what lies beyond 0 and 1.
  for (const float x : {1000.0F, 1e8F, 1e30F}) {
    CHECK(is_accepted(make(hard_sigmoid, 0.2F, 0.5F), x, 1));
    CHECK(!is_accepted(make(hard_sigmoid, 0.2F, 0.5F), x, 0x1.fffffep-1F));
    CHECK(!is_accepted(make(hard_sigmoid, 0.2F, 0.5F), x, 0x1.000002p0F));
    CHECK(is_accepted(make(hard_sigmoid, 0.2F, 0.5F), -x, 0));
    CHECK(!is_accepted(make(hard_sigmoid, 0.2F, 0.5F), -x, 1e-7F));
  }
  CHECK(is_accepted(make(hard_sigmoid, 1e6F, -1e6F), 1, 0.1F));  // 1e6 - 1e6 is off by 0.24
  CHECK(!is_accepted(make(hard_sigmoid, 1e6F, -1e6F), 1, 0.3F));
  // CELU: e^1e-9 may be 1 - 2^-22, which makes min(0, e^x - 1) -2^-22; no error makes the sum greater.
  CHECK(is_accepted(make(celu, 1), 1e-9F, 1e-9F - 0x1p-24F));
  CHECK(is_accepted(make(celu, 1), 1e-9F, 1e-9F - 0x1p-22F));
  CHECK(is_accepted(make(celu, 1), 0, -0x1p-21F));
  CHECK(!is_accepted(make(celu, 1), 1e-9F, 1e-9F - 0x1p-20F));
  CHECK(!is_accepted(make(celu, 1), 1e-9F, 1.001e-9F));
  CHECK(!is_accepted(make(celu, 1), 0.001F, 0.00099999F));
  CHECK(!is_accepted(make(celu, 1.75F), 3e38F, 0));
  CHECK(is_accepted(make(ar::activation_type::tanh), nan, nan));
  CHECK(!is_accepted(make(ar::activation_type::tanh), nan, 0));
  CHECK(!is_accepted(make(relu), 1, nan));
  // A10: at an infinity as at a great number. ln of 1, which is a sum, is off by 0.7 * 2^-21 + 2^-24.
  CHECK(is_accepted(make(softplus, 2), -infinity, 0x1.a6p-23F));
  CHECK(is_accepted(make(softplus, 2), -infinity, -0x1.a6p-23F));
  CHECK(!is_accepted(make(softplus, 2), -infinity, 0x1.a8p-23F));
  CHECK(is_accepted(make(parametric_softplus, 2, -1), infinity, 0x1.a6p-21F));
  CHECK(!is_accepted(make(parametric_softplus, 2, -1), infinity, 0x1.a8p-21F));
  CHECK(is_accepted(make(sigmoid), -infinity, 0x1p-126F));
  CHECK(!is_accepted(make(sigmoid), -infinity, 0x1.1p-126F));
  CHECK(is_accepted(make(softplus, 1), 89, infinity));  // ln(1 + e^89), literally
  CHECK(!is_accepted(make(softplus, 1), 80, infinity));
  CHECK(is_accepted(make(linear, 2, -3e38F), 3e38F, infinity));
  CHECK(!is_accepted(make(linear, 1, -3e38F), 3e38F, infinity));
  CHECK(is_accepted(make(leaky_relu, 0.01F), -1e-37F, 0, true));  // 1e-39 is flushed
  CHECK(!is_accepted(make(leaky_relu, 0.01F), -1e-37F, 0, false));
  CHECK(is_accepted(make(linear, 1e30F, 0), 0x1p-130F, 0, true));  // 2^-130 is flushed
  CHECK(!is_accepted(make(linear, 1e30F, 0), 0x1p-130F, 0, false));
  CHECK(!is_accepted(make(sigmoid), -200, -1e-38F, true));
  CHECK(!is_accepted(make(identity), 0.5F, 0.50000006F, true));
  const auto fused = ar::fused_error<float16>(1, 0);
  CHECK(fused == 0x1p-10 + 0x1p-24);
  const auto half =
      ar::fused_interval<float16>(make(ar::activation_type::tanh), {.value = 1, .error = 0x1p-40}, {.float32 = false});
  CHECK(precise::place_in(half, static_cast<float16>(0.7617F)) != interval_place::outside);
  CHECK(precise::place_in(half, static_cast<float16>(0.7635F)) == interval_place::outside);
}
