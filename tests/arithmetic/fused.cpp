// Activations of exact sums against MPFR, and what a device may answer that computes them after a sum.
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <random>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include <goldml/arithmetic/fused.hpp>
#include <goldml/arithmetic/fused_interval.hpp>

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

goldml::detail::extended_sum sum_of(const std::vector<double>& terms) {
  goldml::detail::extended_sum sum;
  for (const double x : terms) sum.add(x);
  return sum;
}

// Zeros of either sign are equal.
template <class T>
bool same(T a, T b) {
  return (is_nan(a) && is_nan(b)) || order_key(a) == order_key(b);
}

template <class T>
T by_mpfr(const activation& f, const std::vector<double>& terms) {
  number x(0), y;
  for (const double term : terms) mpfr_add_d(x.value, x.value, term, MPFR_RNDN);
  judge(f, x, y.value);
  return nearest<T>(y);
}

// The golden value, and the same from a double with an error.
template <class T>
bool is_right(const activation& f, const std::vector<double>& terms) {
  const T wanted = by_mpfr<T>(f, terms);
  double w = 0, magnitudes = 0;
  for (const double term : terms) {
    w += term;
    magnitudes += std::abs(term);
  }
  const T exact = ar::fused_rounded<T>(f, sum_of(terms));
  const T fast = ar::fused_rounded<T>(f, w, magnitudes * 0x1p-48, [&] { return sum_of(terms); });
  return same(exact, wanted) && std::bit_cast<typename goldml::detail::float_bits<T>::type>(exact) ==
                                    std::bit_cast<typename goldml::detail::float_bits<T>::type>(fast);
}

}  // namespace

TEST_CASE("fused activations of random sums round as MPFR's do", "[arithmetic][fused]") {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<float> any(-4, 4);
  for (const activation& f : samples()) {
    INFO(ar::name_of(ar::type_of(f)) << " " << f.parameters[0] << " " << f.parameters[1]);
    std::uint64_t wrong = 0;
    for (int i = 0; i < 400; ++i) {
      std::vector<double> terms;
      for (int k = 0; k < 3; ++k) terms.push_back(static_cast<double>(any(random)) * static_cast<double>(any(random)));
      if (i % 4 == 0) terms.push_back(-terms[0]);
      if (i % 3 == 0)
        for (double& term : terms) term = std::ldexp(term, -i / 2);
      wrong += is_right<float>(f, terms) ? 0U : 1U;
      wrong += is_right<float16>(f, terms) ? 0U : 1U;
    }
    CHECK(wrong == 0);
  }
}

// min(Max, max(Min, Scale * sum + Bias)) in 1100 bits.
TEST_CASE("fused CLIP with a ScaleBias of random sums rounds as MPFR's", "[arithmetic][fused]") {
  std::mt19937_64 random(8);
  std::uniform_real_distribution<float> any(-4, 4);
  std::uint64_t wrong = 0, inside = 0, asked = 0;
  const auto check = [&]<class T>(std::type_identity<T>, const activation& f, const std::vector<double>& terms) {
    number v(0), y;
    double w = 0, magnitudes = 0;
    for (const double term : terms) {
      mpfr_add_d(v.value, v.value, term, MPFR_RNDN);
      w += term;
      magnitudes += std::abs(term);
    }
    mpfr_mul_d(v.value, v.value, static_cast<double>(f.scale_bias->scale), MPFR_RNDN);
    mpfr_add_d(v.value, v.value, static_cast<double>(f.scale_bias->bias), MPFR_RNDN);
    activation plain = f;
    plain.scale_bias.reset();
    judge(plain, v, y.value);
    const T wanted = nearest<T>(y);
    const T exact = ar::fused_rounded<T>(f, sum_of(terms));
    const T fast = ar::fused_rounded<T>(f, w, magnitudes * 0x1p-48, [&] {
      ++asked;
      return sum_of(terms);
    });
    const ar::approximation near = ar::activation_value(f, w);
    const double off = std::abs(mpfr_get_d(y.value, MPFR_RNDN) - near.value);
    const double scale = std::abs(static_cast<double>(f.scale_bias->scale));
    wrong += same(exact, wanted) && std::memcmp(&exact, &fast, sizeof exact) == 0 ? 0U : 1U;
    wrong += off <= near.error + scale * magnitudes * 0x1p-50 ? 0U : 1U;
    inside += wanted != static_cast<T>(f.parameters[0]) && wanted != static_cast<T>(f.parameters[1]) ? 1U : 0U;
  };
  for (int i = 0; i < 3000; ++i) {
    activation f = make(clip, -8, 8);
    f.scale_bias = scale_bias{any(random), any(random)};
    std::vector<double> terms;
    for (int k = 0; k < 3; ++k) terms.push_back(static_cast<double>(any(random)) * static_cast<double>(any(random)));
    if (i % 4 == 0) terms.push_back(-terms[0]);
    if (i % 3 == 0)
      for (double& term : terms) term = std::ldexp(term, -i / 20);
    if (i % 5 == 0) f.scale_bias->bias = std::ldexp(f.scale_bias->bias, -i / 20);
    if (i % 7 == 0) {  // cancels but for what the last rounding leaves
      terms = {static_cast<double>(any(random))};
      f.scale_bias->bias = -static_cast<float>(terms[0] * static_cast<double>(f.scale_bias->scale));
    }
    check(std::type_identity<float>(), f, terms);
    check(std::type_identity<float16>(), f, terms);
  }
  CHECK(wrong == 0);
  CHECK(inside > 3000);
  CHECK(asked < 500);  // most of those that cancel, one in seven
  // 4097 * 4097 - 16785408 is 1 exactly, and 0 with two roundings; a sum that 128 bits do not hold; ties.
  const auto of = [](const scale_bias& by, const std::vector<double>& terms) {
    activation f = make(clip, -100, 100);
    f.scale_bias = by;
    return ar::fused_rounded<float>(f, sum_of(terms));
  };
  CHECK(of({4097, -16785408}, {4096, 1}) == 1);
  CHECK(of({0x1p120F, -0x1p120F}, {1, 0x1p-298}) == 0x1p-149F * 0x1p-29F);
  CHECK(of({1, 0x1p-24F}, {1}) == 1);
  CHECK(of({1, 0x1p-24F}, {1, 0x1p-298}) == 0x1.000002p0F);
  CHECK(std::signbit(of({-1, -0.0F}, {0})));
  CHECK_FALSE(std::signbit(of({-1, 0}, {0})));
  CHECK_FALSE(std::signbit(of({1, -3}, {3})));
  constexpr float infinity = std::numeric_limits<float>::infinity();
  CHECK(of({infinity, 1}, {0x1p-298}) == 100);
  CHECK(of({infinity, 1}, {-0x1p-298}) == -100);
  CHECK(of({infinity, 1}, {1, -1}) == -100);  // NaN
  CHECK(of({1, -infinity}, {1e300}) == -100);
  CHECK(of({0, 5}, {1e300, -1e299}) == 5);
}

// Devices that round the sum, the product and the result of ScaleBias, each or not, to FLOAT32 or FLOAT16, which may
// also have Scale and Bias; and FLOAT16 toward zero.
TEST_CASE("fused CLIP with a ScaleBias: the interval holds what devices compute", "[arithmetic][fused]") {
  std::mt19937_64 random(9);
  std::uniform_real_distribution<float> any(-4, 4);
  std::uint64_t refused = 0, tried = 0, far = 0, exact = 0;
  const auto as_half = [](double x, goldml::rounding direction) {
    return static_cast<double>(static_cast<float>(goldml::rounded<float16>(x, direction)));
  };
  for (int i = 0; i < 4000; ++i) {
    activation f = make(clip, -9, 9);
    f.scale_bias = scale_bias{any(random), any(random)};
    double w = static_cast<double>(any(random));
    if (i % 3 == 0) f.scale_bias->scale = std::ldexp(f.scale_bias->scale, static_cast<int>(random() % 60) - 30);
    if (i % 4 == 0) f.scale_bias->bias = -static_cast<float>(w * static_cast<double>(f.scale_bias->scale));
    if (i % 5 == 0) {
      f.scale_bias = scale_bias{static_cast<float>(i % 7) / 4, static_cast<float>(i % 11) / 2};
      w = i % 13;
    }
    if (i % 17 == 0) w = static_cast<double>(any(random)) * static_cast<double>(any(random));  // no FLOAT32
    const double scale = f.scale_bias->scale, bias = f.scale_bias->bias;
    const auto try_type = [&]<class T>(std::type_identity<T>, const arithmetic_mode& mode) {
      const bool narrow = std::is_same_v<T, float16> || mode.half();
      const interval allowed = ar::fused_interval<T>(f, bound{.value = w}, mode).main.allowed;
      const auto single = [](double x) { return static_cast<double>(static_cast<float>(x)); };
      for (unsigned way = 0; way < (narrow ? 64U : 8U); ++way) {
        const auto direction = (way & 32) != 0 ? goldml::rounding::toward_zero : goldml::rounding::nearest_even;
        const auto round = [&](unsigned bit, double x) {
          return (way & bit) == 0 ? x : narrow && (way & 16) != 0 ? as_half(x, direction) : single(x);
        };
        const double s = narrow && (way & 8) != 0 ? as_half(scale, direction) : scale;
        const double b = narrow && (way & 8) != 0 ? as_half(bias, direction) : bias;
        const double v = round(4, round(2, round(1, w) * s) + b);  // a double may be rounded twice: below 2^-52
        const double y = std::min(9.0, std::max(-9.0, v));
        const T answer = goldml::rounded<T>(y, std::is_same_v<T, float16> ? direction : goldml::rounding::nearest_even);
        ++tried;
        refused += place_in(allowed, answer) == interval_place::outside ? 1U : 0U;
      }
      exact += allowed.low == allowed.high ? 1U : 0U;
      // It is no wider than what roundings do: 2^-20, or 2^-6, of the numbers that meet.
      const double most =
          (std::abs(scale * w) + std::abs(bias) + (narrow ? std::abs(w) * 0x1p-8 : 0)) * (narrow ? 0x1p-6 : 0x1p-20) +
          (narrow ? 0x1p-20 : 0x1p-120);
      far += static_cast<double>(allowed.high) - static_cast<double>(allowed.low) > most ? 1U : 0U;
    };
    try_type(std::type_identity<float>(), arithmetic_mode{});
    try_type(std::type_identity<float>(), arithmetic_mode{.flushes = true});
    try_type(std::type_identity<float16>(), arithmetic_mode{.float32 = false});
    try_type(std::type_identity<float>(), arithmetic_mode{.accumulation = accumulation::half});
    try_type(std::type_identity<float16>(), arithmetic_mode{.float32 = false, .accumulation = accumulation::half});
  }
  CHECK(refused == 0);
  CHECK(far == 0);
  CHECK(exact > 3000);
  CHECK(tried > 500'000);
}

// Ties of two FLOAT32, and a sum so near a tie or a parameter that 128 bits do not hold the difference.
TEST_CASE("fused activations of sums beside a tie", "[arithmetic][fused]") {
  const double tie = 0x1.000001p0;
  for (const activation& f : samples()) {
    INFO(ar::name_of(ar::type_of(f)) << " " << f.parameters[0] << " " << f.parameters[1]);
    for (const int exponent : {0, -30, -60, -100, -140})
      for (const double sign : {1.0, -1.0})
        for (const double by : {0.0, 0x1p-200, -0x1p-200}) {
          INFO(exponent << " " << sign << " " << by);
          CHECK(is_right<float>(f, {sign * std::ldexp(tie, exponent), by}));
        }
  }
  // 1 + 2^-298 - 1 is 0 in FLOAT32; 128 bits would give 2^-127.
  CHECK(ar::fused_rounded<float>(make(linear, 1, -1), sum_of({1, 0x1p-298})) == 0);
  CHECK(ar::fused_rounded<float>(make(shrink, 1, 0), sum_of({1, 0x1p-140})) == 0x1p-140F);
  CHECK(ar::fused_rounded<float>(make(linear, 0x1p-149F, 0x1.8p127F), sum_of({0x1p-298})) == 0x1.8p127F);
  CHECK(ar::fused_rounded<float>(make(linear, 3, -3), sum_of({0x1p300, -0x1p300, 2})) == 3);
}

TEST_CASE("fused activations of infinities, NaN, zeros, and without one", "[arithmetic][fused]") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto of = [](const std::optional<activation>& f, const std::vector<double>& terms) {
    return ar::fused_rounded<float>(f, sum_of(terms));
  };
  CHECK(of(make(sigmoid), {infinity, -3}) == 1);
  CHECK(of(make(sigmoid), {-infinity}) == 0);
  CHECK(std::isnan(of(make(sigmoid), {infinity, -infinity})));
  CHECK(of(make(relu), {infinity, -infinity}) == 0);
  CHECK(of({}, {1, 2}) == 3);
  CHECK(std::isnan(of({}, {infinity, -infinity})));
  CHECK(std::signbit(of({}, {-0.0, -0.0})));
  CHECK(of(make(softplus, 1), {1, -1}) == 0.693147182F);
  CHECK_THROWS_AS(of(activations::softmax(), {1}), std::invalid_argument);
  bool asked = false;
  const auto exact = [&] {
    asked = true;
    return sum_of({0.5});
  };
  CHECK(ar::fused_rounded<float>(make(relu), 0.5, 0, exact) == 0.5F);
  CHECK(ar::fused_rounded<float>({}, 0.5, 1e-12, exact) == 0.5F);
  CHECK_FALSE(asked);
  CHECK(ar::fused_rounded<float>({}, 0.5, 1e-6, exact) == 0.5F);
  CHECK(asked);
  CHECK(ar::fused_rounded<float>(make(sigmoid), infinity, 0, exact) == 1);
  // SHRINK jumps at either Threshold.
  for (const double sign : {1.0, -1.0})
    for (const double by : {0.0, 0x1p-60}) {
      const auto beside = [&] { return sum_of({sign, sign * by}); };
      const float wanted = by == 0 ? 0.0F : static_cast<float>(sign * 0.75);
      CHECK(ar::fused_rounded<float>(make(shrink, 0.25F, 1), sign, 1e-12, beside) == wanted);
    }
}

TEST_CASE("what a device may answer to a fused activation", "[arithmetic][fused]") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto allows = [](const std::optional<activation>& f, const bound& w, auto answer, const arithmetic_mode& mode) {
    return precise::place_in(ar::fused_interval<decltype(answer)>(f, w, mode), answer) != interval_place::outside;
  };
  const arithmetic_mode single{.flushes = true};
  const arithmetic_mode float16_mode{.float32 = false};
  const arithmetic_mode half{.accumulation = accumulation::half};

  // Small integers stay exact.
  const bound three{.value = 3};
  CHECK(allows(make(relu), three, 3.0F, single));
  CHECK_FALSE(allows(make(relu), three, 3.0000002F, single));
  CHECK_FALSE(allows(make(identity), three, 2.9999998F, single));
  CHECK_FALSE(allows(make(thresholded_relu, 3), three, 3.0F, single));
  CHECK(allows(make(relu), bound{.value = -3}, 0.0F, single));
  CHECK_FALSE(allows(make(relu), bound{.value = -3}, 1e-30F, single));

  // w is 1e-11, which a device has to within 7e-10: ELU's other branch is off by 4.7e-7.
  const bound near_zero{.value = 1e-11, .error = 7e-10, .usual_error = 7e-10};
  CHECK(allows(make(elu, 1), near_zero, -4.6e-7F, single));
  CHECK_FALSE(allows(make(elu, 1), near_zero, -4.9e-7F, single));
  // Only CLIP has a ScaleBias: on another activation it has no effect.
  activation scaled = make(relu);
  scaled.scale_bias = scale_bias{.scale = 2, .bias = 5};
  CHECK(ar::fused_rounded<float>(scaled, sum_of({3})) == 3);
  CHECK(allows(scaled, bound{.value = 3}, 3.0F, single));
  CHECK_FALSE(allows(scaled, bound{.value = 3}, 11.0F, single));
  // Between usual and possible.
  const bound wide_bound{.value = 1, .error = 0.1, .usual_error = 0.001};
  CHECK(precise::place_in(ar::fused_interval<float>(make(relu), wide_bound, single), 1.05F) ==
        interval_place::suspicious);
  CHECK(precise::place_in(ar::fused_interval<float>(make(relu), wide_bound, single), 1.0005F) == interval_place::usual);
  // A jump inside.
  CHECK(allows(make(thresholded_relu, 1), wide_bound, 0.0F, single));
  CHECK(allows(make(thresholded_relu, 1), wide_bound, 1.09F, single));

  // 2049 rounds to FLOAT16 2048 before LINEAR subtracts 2048.
  const bound odd{.value = 2049};
  CHECK(allows(make(linear, 1, -2048), odd, static_cast<float16>(1), float16_mode));
  CHECK(allows(make(linear, 1, -2048), odd, static_cast<float16>(0), float16_mode));
  CHECK_FALSE(allows(make(linear, 1, -2048), odd, static_cast<float16>(4), float16_mode));
  // It becomes infinite in FLOAT16 first; SIGMOID of that is 1, SOFTSIGN NaN.
  const bound great{.value = 70000};
  CHECK(allows(make(softsign), great, static_cast<float16>(1), float16_mode));
  CHECK(allows(make(softsign), great, static_cast<float16>(nan), float16_mode));
  CHECK_FALSE(allows(make(softsign), bound{.value = 60000}, static_cast<float16>(nan), float16_mode));
  CHECK_FALSE(allows(make(softsign), bound{.value = 70000}, nan, single));
  CHECK(allows(make(linear, 1e-4F), great, static_cast<float16>(7), float16_mode));
  CHECK(allows(make(linear, 1e-4F), great, static_cast<float16>(infinity), float16_mode));
  CHECK_FALSE(allows(make(linear, 1e-4F), great, static_cast<float16>(-infinity), float16_mode));

  // An infinity of f is no end of an interval of numbers.
  CHECK(allows(make(leaky_relu, 0.01F), bound{.value = -70000}, static_cast<float16>(-700), float16_mode));
  CHECK(
      allows(make(leaky_relu, 0.01F), bound{.value = -70000}, static_cast<float16>(-655.0F), float16_mode));  // -65504
  CHECK(allows(make(leaky_relu, 0.01F), bound{.value = -70000}, static_cast<float16>(-infinity), float16_mode));
  CHECK_FALSE(allows(make(leaky_relu, 0.01F), bound{.value = -70000}, static_cast<float16>(-5000), float16_mode));
  // 1 + (2^-10 - 2^-20), stored toward zero, is 1.
  CHECK(allows(make(linear, 1, -1), bound{.value = 1 + 0x1p-10 - 0x1p-20}, static_cast<float16>(0), float16_mode));

  // Partial sums that overflow.
  const bound lost{.value = 0.5, .error = 1e-3, .usual_error = 1e-3, .also = interval_also::specials};
  CHECK(allows(make(sigmoid), lost, 1.0F, single));
  CHECK(allows(make(sigmoid), lost, 0.0F, single));
  CHECK(allows(make(sigmoid), lost, nan, single));
  CHECK(allows(make(relu), lost, 0.0F, single));
  CHECK(allows(make(relu), lost, infinity, single));
  CHECK_FALSE(allows(make(relu), lost, -0.1F, single));
  CHECK(allows(make(ar::activation_type::tanh), bound{.value = infinity, .also = interval_also::nan}, nan, single));
  CHECK(allows(make(ar::activation_type::tanh), bound{.value = infinity}, 1.0F, single));
  CHECK_FALSE(allows(make(ar::activation_type::tanh), bound{.value = infinity}, nan, single));

  // Half precision: tanh(1) = 0.7615942 to about 2^-8.
  const bound one{.value = 1};
  CHECK(allows(make(ar::activation_type::tanh), one, 0.7651F, half));
  CHECK_FALSE(allows(make(ar::activation_type::tanh), one, 0.7651F, single));
  CHECK_FALSE(allows(make(ar::activation_type::tanh), one, 0.80F, half));
  CHECK(allows(make(relu), one, 1.0F, half));
  CHECK_FALSE(allows(make(relu), one, 1.001F, half));
  CHECK(allows(make(relu), bound{.value = 1.0001}, 1.0F, half));
  CHECK(allows(make(softplus, 1), bound{.value = 12}, infinity, half));
  CHECK(allows(make(thresholded_relu, 1.0001F), one, 1.0F, half));
  // Parameters toward zero: SHRINK's Bias and Threshold, that of THRESHOLDED_RELU, and the bounds of CLIP.
  CHECK(allows(make(shrink, 1 + 0x1.fap-11F, 0.5F), bound{.value = 1 + 0x1p-10}, 0x1p-10F, half));
  CHECK_FALSE(allows(make(shrink, 1 + 0x1.fap-11F, 0.5F), bound{.value = 1 + 0x1p-10}, 0x1.4p-9F, half));
  CHECK(allows(make(shrink, 0.5F, 1 + 0x1.fap-11F), bound{.value = 1 + 0x1p-20}, 0.5F, half));
  CHECK(allows(make(thresholded_relu, 1 + 0x1.fap-11F), bound{.value = 1 + 0x1p-10}, 1 + 0x1p-10F, half));
  CHECK_FALSE(allows(make(thresholded_relu, 1.01F), bound{.value = 1 + 0x1p-10}, 1 + 0x1p-10F, half));
  CHECK(allows(make(clip, 0, 1 + 0x1.fap-11F), bound{.value = 5}, 1.0F, half));
  CHECK_FALSE(allows(make(clip, 0, 1 + 0x1.fap-11F), bound{.value = 5}, 0.9995F, half));
  CHECK(allows(make(clip, -1 - 0x1.fap-11F, 0), bound{.value = -5}, -1.0F, half));
  CHECK(allows(make(clip, 0, 70000), bound{.value = infinity}, 65504.0F, half));
  CHECK(allows(make(clip, 0, 70000), bound{.value = infinity}, infinity, half));
  CHECK_FALSE(allows(make(clip, 0, 70000), bound{.value = infinity}, 65000.0F, half));
  // Sums beyond 65504.
  CHECK(allows(make(relu), bound{.value = -70000}, 0.0F, half));
  CHECK_FALSE(allows(make(relu), bound{.value = -70000}, 1.0F, half));
  arithmetic_mode half_products = half;
  half_products.accumulation = accumulation::half_products;
  for (const auto type : {relu, identity}) {
    for (const float right : {70000.0F, infinity}) CHECK(allows(make(type), great, right, half));
    CHECK_FALSE(allows(make(type), great, 65504.0F, half));  // half precision does not saturate
    CHECK(allows(make(type), great, 65504.0F, half_products));
  }
  CHECK_FALSE(allows(make(identity), great, 65000.0F, half));
  CHECK_FALSE(allows(make(identity), great, nan, half));

  const bound plain{.value = 1, .error = 0.5, .usual_error = 0.5};
  CHECK(allows(std::nullopt, plain, 1.5F, single));
  CHECK_FALSE(allows(std::nullopt, plain, 1.6F, single));
}

TEST_CASE("A10: fused activations whose ends overflow, or that are apart", "[arithmetic][fused]") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const arithmetic_mode single{.flushes = true};
  const arithmetic_mode float16_mode{.float32 = false};
  const auto place = [](const activation& f, const bound& w, auto answer, const arithmetic_mode& mode,
                        bool refuses = false) {
    return precise::place_in(ar::fused_interval<decltype(answer)>(f, w, mode), answer, refuses);
  };
  const auto allows = [&](const activation& f, const bound& w, auto answer, const arithmetic_mode& mode) {
    return place(f, w, answer, mode) != interval_place::outside;
  };
  // e^w overflows within [w - E, w + E].
  const bound near{.value = 1, .error = 100, .usual_error = 100};
  CHECK(allows(make(softplus, 1), near, infinity, single));
  CHECK(allows(make(parametric_softplus, -2, -1), near, -infinity, single));
  CHECK(allows(make(celu, -1), near, -infinity, single));
  const bound less{.value = 1, .error = 80, .usual_error = 80};
  CHECK_FALSE(allows(make(softplus, 1), less, infinity, single));
  CHECK_FALSE(allows(make(parametric_softplus, -2, -1), less, -infinity, single));
  CHECK_FALSE(allows(make(celu, -1), less, -infinity, single));
  // FLOAT16 beyond 65504: f(w), f(65504) and f(inf), and nothing between.
  const bound great{.value = 200000};
  for (const float right : {20.0F, 6.55F})
    CHECK(allows(make(linear, 1e-4F), great, static_cast<float16>(right), float16_mode));
  for (const float wrong : {7.0F, 10.0F, 19.0F, 30.0F})
    CHECK_FALSE(allows(make(linear, 1e-4F), great, static_cast<float16>(wrong), float16_mode));
  const bound below{.value = -200000};
  for (const float right : {-20.0F, -6.55F, -infinity})
    CHECK(allows(make(leaky_relu, 1e-4F), below, static_cast<float16>(right), float16_mode));
  for (const float wrong : {-10.0F, -1.0F, 0.0F})
    CHECK_FALSE(allows(make(leaky_relu, 1e-4F), below, static_cast<float16>(wrong), float16_mode));
  // A sum that may overflow: f(inf) beside f(w).
  const bound lost{.value = 0.5, .also = interval_also::specials};
  for (const float right : {0.0F, 0.5F, 1.0F}) CHECK(allows(make(hard_sigmoid, 1, 0), lost, right, single));
  for (const float wrong : {0.25F, 0.75F}) CHECK_FALSE(allows(make(hard_sigmoid, 1, 0), lost, wrong, single));
  // A subnormal sum is flushed.
  const bound subnormal{.value = 0x1p-130};
  for (const float right : {0.0F, 0x1p-10F}) CHECK(allows(make(linear, 0x1p120F), subnormal, right, single));
  CHECK_FALSE(allows(make(linear, 0x1p120F), subnormal, 0x1p-11F, single));
  CHECK_FALSE(allows(make(linear, 0x1p120F), subnormal, 0.0F, arithmetic_mode{}));
  // SOFTSIGN's reciprocal.
  CHECK(allows(make(softsign), bound{.value = 3e38}, 0.0F, single));
  CHECK_FALSE(allows(make(softsign), bound{.value = 3e38}, 0.5F, single));
  // In a host tanh is what known hardware gives; a quotient may still be an approximate reciprocal.
  const bound half{.value = 0.5};
  CHECK(place(make(ar::activation_type::tanh), half, 0.46212715F, single) == interval_place::usual);
  CHECK(place(make(ar::activation_type::tanh), half, 0.46214F, single) == interval_place::outside);
  CHECK(place(make(softsign), bound{.value = 1}, 0.5F - 10 * 0x1p-25F, single) == interval_place::suspicious);
  CHECK(place(make(softsign), bound{.value = 1}, 0.5F - 10 * 0x1p-25F, single, true) == interval_place::outside);
  CHECK(place(make(softsign), bound{.value = 1}, 0.5F - 4 * 0x1p-25F, single, true) == interval_place::usual);
}

TEST_CASE("what a device may answer to SHRINK, and to CLIP with a ScaleBias", "[arithmetic][fused]") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const arithmetic_mode single{.flushes = true};
  const auto allows = [&](const activation& f, const bound& w, float answer) {
    return precise::place_in(ar::fused_interval<float>(f, w, single), answer) != interval_place::outside;
  };
  // Around -Threshold: 0, or above -1.1 + 0.25, and the bound has no sign.
  const bound around{.value = -1, .error = 0.1, .usual_error = 0.1};
  for (const float right : {0.0F, -0.84F}) CHECK(allows(make(shrink, 0.25F, 1), around, right));
  for (const float wrong : {-0.86F, 0.86F}) CHECK_FALSE(allows(make(shrink, 0.25F, 1), around, wrong));
  // -1 + 1.5 * 2^-25 is rounded to -1 + 2^-24.
  const bound beside_one{.value = -1, .error = 0x1.8p-25, .usual_error = 0x1.8p-25};
  CHECK(allows(make(identity), beside_one, -1 + 0x1p-24F));
  CHECK_FALSE(allows(make(identity), beside_one, -1 + 0x1p-22F));

  const auto clip_of = [](float scale, float bias) {
    activation f = make(clip, -1, 1);
    f.scale_bias = scale_bias{scale, bias};
    return f;
  };
  // NaN becomes a bound, or stays (AR-R4).
  const bound three{.value = 3};
  for (const activation& f : {clip_of(nan, 0), clip_of(1, nan)}) {
    for (const float right : {-1.0F, 1.0F, nan}) CHECK(allows(f, three, right));
    for (const float wrong : {-1.1F, 1.1F, infinity}) CHECK_FALSE(allows(f, three, wrong));
  }
  // A number that the device flushes.
  const bound subnormal{.value = 0x1p-130};
  for (const float right : {0.0F, 0x1p-10F}) CHECK(allows(clip_of(0x1p120F, 0), subnormal, right));
  CHECK_FALSE(allows(clip_of(0x1p120F, 0), subnormal, 1.0F));
  CHECK_FALSE(allows(clip_of(0x1p120F, 0), bound{.value = 0x1p-125}, 0.0F));
  // 0 times what may be anything.
  const bound any{.value = 1, .error = infinity, .usual_error = infinity, .also = interval_also::specials};
  CHECK(allows(clip_of(0, 0.5F), any, 0.5F));
  CHECK_FALSE(allows(clip_of(0, 0.5F), any, 1.5F));
}

// A sum of -0 keeps its sign, although what is known of it is an interval around 0.
TEST_CASE("fused activations: the sign of a zero is not lost", "[arithmetic][fused]") {
  const auto exact = [] { return sum_of({-0.0, -0.0}); };
  CHECK(std::signbit(ar::fused_rounded<float>(make(relu), exact())));
  for (const double w : {0.0, 0x1p-1000, -0x1p-1000}) {
    CHECK(std::signbit(ar::fused_rounded<float>(make(relu), w, 0x1p-900, exact)));
    CHECK(std::signbit(ar::fused_rounded<float>(make(identity), w, 0x1p-900, exact)));
  }
}
