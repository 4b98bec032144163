// Activations of exact sums against MPFR, and what a device may answer that computes them after a sum.
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <stdexcept>
#include <vector>

#include <goldml/arithmetic/fused.hpp>

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
    INFO(find_activation(f.operator_type)->name << " " << f.parameters[0] << " " << f.parameters[1]);
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

// Ties of two FLOAT32, and a sum so near a tie or a parameter that 128 bits do not hold the difference.
TEST_CASE("fused activations of sums beside a tie", "[arithmetic][fused]") {
  const double tie = 0x1.000001p0;
  for (const activation& f : samples()) {
    INFO(find_activation(f.operator_type)->name << " " << f.parameters[0] << " " << f.parameters[1]);
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
  CHECK_THROWS_AS(of(activation{.operator_type = 48}, {1}), std::invalid_argument);
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
}

TEST_CASE("what a device may answer to a fused activation", "[arithmetic][fused]") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto allows = [](const std::optional<activation>& f, const bound& w, auto answer, const arithmetic_mode& mode) {
    return place_in(ar::fused_interval<decltype(answer)>(f, w, mode), answer) != interval_place::outside;
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
  // Between usual and possible.
  const bound wide_bound{.value = 1, .error = 0.1, .usual_error = 0.001};
  CHECK(place_in(ar::fused_interval<float>(make(relu), wide_bound, single), 1.05F) == interval_place::suspicious);
  CHECK(place_in(ar::fused_interval<float>(make(relu), wide_bound, single), 1.0005F) == interval_place::usual);
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
  CHECK(allows(make(leaky_relu, 0.01F), bound{.value = -70000}, static_cast<float16>(-655.0F), float16_mode));  // -65504
  CHECK(allows(make(leaky_relu, 0.01F), bound{.value = -70000}, static_cast<float16>(-infinity), float16_mode));
  CHECK_FALSE(allows(make(leaky_relu, 0.01F), bound{.value = -70000}, static_cast<float16>(-5000), float16_mode));
  // 1 + (2^-10 - 2^-20), stored toward zero, is 1.
  CHECK(allows(make(linear, 1, -1), bound{.value = 1 + 0x1p-10 - 0x1p-20}, static_cast<float16>(0), float16_mode));

  // Partial sums that overflow.
  const bound lost{.value = 0.5,
                   .error = 1e-3,
                   .usual_error = 1e-3,
                   .also = interval_also::specials};
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

  const bound plain{.value = 1, .error = 0.5, .usual_error = 0.5};
  CHECK(allows(std::nullopt, plain, 1.5F, single));
  CHECK_FALSE(allows(std::nullopt, plain, 1.6F, single));
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
