// x^y of goldml/arithmetic against MPFR: every FLOAT16 to many powers, FLOAT32 numbers at random, those whose powers
// are exact or lie between two numbers, those at the ends of the range, and integers.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include <goldml/arithmetic/power.hpp>
#include <goldml/core/value_conversion.hpp>

#include "../catch.hpp"
#include "../support/long_run.hpp"
#include "precise.hpp"

namespace {

using namespace goldml;
namespace ar = goldml::arithmetic;
using precise::number;
constexpr double infinity = std::numeric_limits<double>::infinity();

struct figures {
  std::uint64_t count = 0, undecided = 0, exact = 0, wrong = 0, wrong_exact = 0;
  double fast_error = 0, exact_error = 0;
};

// Whether the result is MPFR's, rounded: by the function, and by its 128 bits alone.
template <class T>
void look_at(double x, double y, figures& seen) {
  using bits = typename goldml::detail::float_bits<T>::type;
  static number base, exponent, expected;
  static const bool once = [] {
    for (number* each : {&base, &exponent, &expected}) mpfr_set_prec(each->value, 200);
    return true;
  }();
  (void)once;
  ++seen.count;
  mpfr_set_d(base.value, x, MPFR_RNDN);
  mpfr_set_d(exponent.value, y, MPFR_RNDN);
  const bool is_exact = mpfr_pow(expected.value, base.value, exponent.value, MPFR_RNDN) == 0;
  const bool is_ours = std::isinf(x) && x < 0 && std::trunc(y) != y;  // NaN: the only difference from C
  const T got = ar::power_of<T>(x, y, false), wanted = precise::nearest<T>(expected);
  if (is_ours || is_nan(wanted)
          ? !is_nan(got)
          : std::bit_cast<bits>(got) != std::bit_cast<bits>(wanted) && !(is_zero(x) && is_zero(got) && is_zero(wanted)))
    if (seen.wrong++ < 5)
      UNSCOPED_INFO(x << "^" << y << ": " << static_cast<float>(got) << ", wanted " << static_cast<float>(wanted));
  if (ar::is_special_power(x, y) || mpfr_nan_p(expected.value) != 0) return;
  const double a = std::abs(x);
  const ar::approximation s = ar::power_value(a, y);
  mpfr_abs(expected.value, expected.value, MPFR_RNDN);
  const auto error_of = [&](auto&& value) {
    number off(value);
    mpfr_sub(off.value, off.value, expected.value, MPFR_RNDN);
    mpfr_div(off.value, off.value, expected.value, MPFR_RNDN);
    return std::abs(mpfr_get_d(off.value, MPFR_RNDN));
  };
  const bool is_clamped = std::abs(y * std::log(a)) > 199;
  if (!is_clamped) seen.fast_error = std::max(seen.fast_error, error_of(s.value) * s.value / s.error);
  const bool asked = std::bit_cast<bits>(goldml::rounded<T>(s.value - s.error)) !=
                     std::bit_cast<bits>(goldml::rounded<T>(s.value + s.error));
  if (asked) ++seen.undecided;
  if (asked && is_exact) ++seen.exact;
  if (is_clamped || (!asked && seen.count % 64 != 0)) return;
  const ar::wide exact = ar::power_exactly(a, y);
  if (!(ar::rounded<T>(exact) == precise::nearest<T>(expected))) ++seen.wrong_exact;
  seen.exact_error = std::max(seen.exact_error, error_of(exact));
}

void check(const figures& seen) {
  INFO(seen.count << " pairs, " << seen.undecided << " undecided by a double, " << seen.exact
                  << " of them binary fractions; greatest errors " << seen.fast_error << " of the bound, 2^"
                  << std::log2(seen.exact_error));
  CHECK(seen.wrong == 0);
  CHECK(seen.wrong_exact == 0);
  CHECK(seen.fast_error < 1.0 / 16);
  CHECK(seen.exact_error < 0x1p-105);
}

}  // namespace

TEST_CASE("powers of FLOAT16 round as MPFR's do", "[arithmetic]") {
  const std::vector<double> powers{0,
                                   0.5,
                                   1,
                                   1.5,
                                   2,
                                   2.5,
                                   3,
                                   4,
                                   5,
                                   7,
                                   8,
                                   0.25,
                                   0.125,
                                   0.75,
                                   1e-3,
                                   0x1p-9,
                                   10.5,
                                   0.3333,
                                   0x1p-24,
                                   1024,
                                   65504,
                                   -1,
                                   -0.5,
                                   -2,
                                   -3,
                                   -0.25,
                                   -2.25,
                                   -7,
                                   -1e-4,
                                   -0x1p-24,
                                   3.75,
                                   0.625,
                                   11,
                                   -65504,
                                   infinity,
                                   -infinity,
                                   std::numeric_limits<double>::quiet_NaN()};
  figures seen;
  const std::uint32_t step = goldml_test::is_long_run() ? 1 : 3;
  for (const double y : powers)
    for (std::uint32_t bits = 0; bits < 0x10000; bits += step)
      look_at<float16>(goldml::detail::widened(std::bit_cast<float16>(static_cast<std::uint16_t>(bits))), y, seen);
  check(seen);
}

TEST_CASE("powers of FLOAT32 round as MPFR's do", "[arithmetic]") {
  std::mt19937 random(5);
  figures seen;
  const int count = goldml_test::is_long_run() ? 3'000'000 : 20'000;
  for (int i = 0; i < count; ++i) {
    const auto any = [&](std::uint32_t least, std::uint32_t exponents) {
      const auto bits = static_cast<std::uint32_t>(random());
      return double{std::bit_cast<float>((bits & 0x807F'FFFF) | (least + (bits >> 23 & 0xFF) % exponents) << 23)};
    };
    double x = any(i % 3 == 0 ? 0 : 117, i % 3 == 0 ? 255 : 20);
    const double y = any(i % 2 == 0 ? 100 : 120, i % 2 == 0 ? 50 : 12);
    if (i % 8 != 0) x = std::abs(x);
    look_at<float>(x, y, seen);
    // One beside 1 to a great power, one to a power with a result at an end of the range, and integral powers.
    const float near_one = static_cast<float>(1 + y * 0x1p-20);
    look_at<float>(near_one, x * 1e4, seen);
    const double ends[] = {128, 127.99999, -126, -149, -150, -149.5};
    if (x > 0 && x != 1) look_at<float>(x, static_cast<double>(static_cast<float>(ends[i % 6] / std::log2(x))), seen);
    look_at<float>(x, std::trunc(y), seen);
  }
  check(seen);
}

TEST_CASE("powers of FLOAT32 that are exact, or in the middle of two numbers", "[arithmetic]") {
  using goldml::arithmetic::power_of;
  CHECK(power_of<float>(4097, 2, true) == 16785408);  // 16785409 is between two numbers
  CHECK(power_of<float>(4, 0.5, false) == 2);
  CHECK(power_of<float>(16785409.0 / 16384 / 1024, 0.5, false) == 4097.0f / 4096);
  CHECK(power_of<float>(2, -149, true) == 0x1p-149f);
  CHECK(power_of<float>(2, -150, true) == 0);               // in the middle of 0 and 2^-149
  CHECK(power_of<float>(0x1.8p-50, 3, true) == 0x1p-148f);  // 1.6875 * 2^-149
  figures seen;
  for (double m = 3; m < 600; m += 2)  // roots, and their powers of 25 bits and less
    for (int k = 0; k <= 4; ++k)
      for (int n = 1; n < 40; n += k == 0 ? 1 : 2)
        for (const int e : {0, 1, -3, -20, 12}) {
          const double x = std::ldexp(std::pow(m, 1 << k), e * (1 << k)), y = std::ldexp(n, -k);
          if (n * std::log2(m) < 26 && double{static_cast<float>(x)} == x) look_at<float>(x, y, seen);
        }
  for (double m = 4097; m < 8192; m += 2)  // squares with a 1 behind the last bit, and beside these
    for (const int e : {0, -75, -80, -70, 50}) {
      look_at<float>(std::ldexp(m, e), 2, seen);
      look_at<float>(std::ldexp(m + 0x1p-11, e), 2, seen);
    }
  for (int e = -149; e < 128; ++e)  // powers of 2 to powers that are integers, or not
    for (int k = 0; k < 8; ++k)
      for (const int n : {1, 2, 3, 7, 149, 150, 255, -1, -2, -3, -149, -150, -298})
        if (e != 0) look_at<float>(std::ldexp(1, e), std::ldexp(n, -k), seen);
  CHECK(seen.exact > 1000);
  check(seen);
}

TEST_CASE("powers of infinities, zeros, NaN and 1 are C's", "[arithmetic]") {
  const std::vector<double> all{0.0,       -0.0,     1,         -1,   2,
                                -2,        3,        0.5,       -0.5, infinity,
                                -infinity, 16777216, -16777217, 0.75, std::numeric_limits<double>::quiet_NaN()};
  for (const double x : all)
    for (const double y : all) {
      const float got = ar::power_of<float>(x, y, false), wanted = static_cast<float>(std::pow(x, y));
      const bool is_ours = std::isinf(x) && x < 0 && std::trunc(y) != y;
      INFO(x << "^" << y << " is " << got);
      CHECK((is_ours || wanted != wanted ? got != got : got == wanted));
    }
}

TEST_CASE("powers of integers: modulo 2^bits, and those of floats truncated", "[arithmetic]") {
  CHECK(ar::power_of<std::int32_t>(3, 4, true) == 81);
  CHECK(ar::power_of<std::int32_t>(-3, 3, true) == -27);
  CHECK(ar::power_of<std::int32_t>(7, 0, true) == 1);
  CHECK(ar::power_of<std::int32_t>(2, 31, true) == std::numeric_limits<std::int32_t>::min());
  CHECK(ar::power_of<std::uint32_t>(3, 4294967295.0, true) == 2863311531u);  // 1/3 modulo 2^32
  CHECK(ar::power_of<std::int8_t>(-2, 7, true) == -128);
  CHECK(ar::power_of<std::uint8_t>(0, 0, true) == 1);
  CHECK(ar::power_of<std::int16_t>(0, -1, true) == -1);
  CHECK(ar::power_of<std::uint16_t>(0, -1, true) == 65535);
  CHECK(ar::power_of<std::int8_t>(-1, -3, true) == -1);
  CHECK(ar::power_of<std::uint8_t>(255, -3, true) == 0);
  CHECK(ar::power_of<std::int32_t>(3, 2, false) == 9);
  CHECK(ar::power_of<std::int32_t>(2, 0.5, false) == 1);
  CHECK(ar::power_of<std::int32_t>(-2, 31, false) == std::numeric_limits<std::int32_t>::min());
  CHECK(ar::power_of<std::int32_t>(2, 31, false) == std::numeric_limits<std::int32_t>::max());
  CHECK(ar::power_of<std::uint32_t>(65535, 2, false) == 4294836225u);
  CHECK(ar::power_of<std::int8_t>(-2, 0.5, false) == 0);
  CHECK(ar::power_of<std::uint8_t>(0, -1, false) == 255);
  CHECK(ar::power_of<std::int8_t>(-5, 3, false) == -125);
  std::mt19937 random(7);
  std::uint64_t wrong = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto n = static_cast<std::int32_t>(random() % 3000) + 2;
    const double y = i % 2 == 0 ? static_cast<double>(random() % 24) / 8 : static_cast<float>(random()) * 0x1p-31;
    number power(n), exponent(y);
    mpfr_pow(power.value, power.value, exponent.value, MPFR_RNDZ);
    const double wanted = std::min(2147483647.0, mpfr_get_d(power.value, MPFR_RNDZ));
    if (ar::power_of<std::int32_t>(n, y, false) != static_cast<std::int32_t>(wanted)) ++wrong;
  }
  CHECK(wrong == 0);
}
