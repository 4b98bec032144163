// The elementary functions of goldml/arithmetic against MPFR: every FLOAT16, FLOAT32 numbers at random, and those that
// are hard: angles beside multiples of pi/2, arguments beside poles, zeros and the ends of what is defined.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <random>
#include <vector>

#include <goldml/arithmetic/elementary.hpp>
#include <goldml/arithmetic/pairs.hpp>
#include <goldml/core/value_conversion.hpp>

#include "../catch.hpp"
#include "../support/long_run.hpp"
#include "precise.hpp"

namespace {

using namespace goldml;
namespace ar = goldml::arithmetic;
using precise::number;

struct judged_function {
  const char* name;
  int (*judge)(mpfr_t result, const mpfr_t x, mpfr_rnd_t);
};
// In the order of ar::elementary.
const judged_function functions[] = {
    {"acos", mpfr_acos},
    {"asin", mpfr_asin},
    {"atan", mpfr_atan},
    {"cos", mpfr_cos},
    {"exp", mpfr_exp},
    {"log", mpfr_log},
    {"recip", [](mpfr_t y, const mpfr_t x, mpfr_rnd_t r) { return mpfr_ui_div(y, 1, x, r); }},
    {"sin", mpfr_sin},
    {"sqrt", mpfr_sqrt},
    {"tan", mpfr_tan},
    {"erf", mpfr_erf},
    {"sinh", mpfr_sinh},
    {"cosh", mpfr_cosh},
    {"tanh", mpfr_tanh},
    {"asinh", mpfr_asinh},
    {"acosh", mpfr_acosh},
    {"atanh", mpfr_atanh}};

struct figures {
  std::uint64_t count = 0, wrong = 0, wrong_exact = 0, undecided = 0;
  double fast_error = 0, exact_error = 0;
};

// Whether the result, of MPFR with 128 bits, is rounded: by the function, and by its 128 bits alone.
template <class T>
void look_at(std::size_t which, T element, figures& seen) {
  using bits = typename goldml::detail::float_bits<T>::type;
  static number argument, expected;
  static const bool once = [] {
    for (number* each : {&argument, &expected}) mpfr_set_prec(each->value, 128);
    return true;
  }();
  (void)once;
  const auto f = static_cast<ar::elementary>(which);
  const double x = goldml::detail::widened(static_cast<float>(element));
  ++seen.count;
  mpfr_set_d(argument.value, x, MPFR_RNDN);
  functions[which].judge(expected.value, argument.value, MPFR_RNDN);
  const T got = ar::elementary_rounded<T>(f, x), wanted = precise::nearest<T>(expected);
  const bool is_number = mpfr_number_p(expected.value) != 0;
  if (is_nan(wanted) ? !is_nan(got) : std::bit_cast<bits>(got) != std::bit_cast<bits>(wanted)) {
    if (seen.wrong++ < 3)
      UNSCOPED_INFO("of " << x << ": " << static_cast<float>(got) << ", wanted " << static_cast<float>(wanted));
  }
  if (!is_number || mpfr_zero_p(expected.value) != 0 || !std::isfinite(x)) return;
  const ar::approximation y = ar::elementary_value(f, x);
  // How far it is from the result, relatively.
  const auto error_of = [&](auto&& value) {
    number off(value);
    mpfr_sub(off.value, off.value, expected.value, MPFR_RNDN);
    mpfr_div(off.value, off.value, expected.value, MPFR_RNDN);
    return std::abs(mpfr_get_d(off.value, MPFR_RNDN));
  };
  const bool is_tested = seen.count % 16 == 0;
  if (is_tested && std::abs(y.value) < 0x1p900 && std::abs(y.value) > 0x1p-900)
    seen.fast_error = std::max(seen.fast_error, error_of(y.value));
  const bool asked = std::bit_cast<bits>(goldml::rounded<T>(y.value - y.error)) !=
                     std::bit_cast<bits>(goldml::rounded<T>(y.value + y.error));
  if (asked) ++seen.undecided;
  if (!asked && seen.count % 512 != 0) return;
  const ar::wide exact = ar::elementary_exactly(f, ar::wide(x));
  if (!(ar::rounded<T>(exact) == wanted)) ++seen.wrong_exact;
  if (std::abs(y.value) < 0x1p300 && std::abs(y.value) > 0x1p-300)
    seen.exact_error = std::max(seen.exact_error, error_of(exact));
}

void check(std::size_t which, const char* type, const figures& seen) {
  INFO(functions[which].name << " of " << type << ": " << seen.count << " numbers, " << seen.undecided
                             << " undecided by a double; greatest errors 2^" << std::log2(seen.fast_error) << ", 2^"
                             << std::log2(seen.exact_error));
  CHECK(seen.wrong == 0);
  CHECK(seen.wrong_exact == 0);
  CHECK(seen.fast_error < 0x1p-47);  // far below function_error, 2^-42
  CHECK(seen.exact_error < 0x1p-90);
}

}  // namespace

TEST_CASE("elementary functions of every FLOAT16 round as MPFR's do", "[arithmetic]") {
  for (std::size_t which = 0; which < std::size(functions); ++which) {
    figures seen;
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits)
      look_at<float16>(which, std::bit_cast<float16>(static_cast<std::uint16_t>(bits)), seen);
    check(which, "FLOAT16", seen);
  }
}
TEST_CASE("elementary functions of FLOAT32 round as MPFR's do", "[arithmetic]") {
  for (std::size_t which = 0; which < std::size(functions); ++which) DYNAMIC_SECTION(functions[which].name) {
      figures seen;
      std::mt19937 random(static_cast<std::uint32_t>(which));
      const std::uint32_t count = goldml_test::is_long_run() ? 10'000'000 : goldml_test::is_slow ? 6000 : 100'000;
      for (std::uint32_t i = 0; i < count; ++i) {
        const auto any = static_cast<std::uint32_t>(random());
        // Half of them have any exponent, half lie between 2^-12 and 2^8.
        const std::uint32_t exponent = i % 2 == 0 ? any >> 23 & 0xFF : 115 + (any >> 23 & 0xFF) % 20;
        look_at<float>(which, std::bit_cast<float>((any & 0x807F'FFFF) | exponent << 23), seen);
      }
      check(which, "FLOAT32", seen);
    }
}
TEST_CASE("elementary functions of angles beside multiples of pi/2, and beside ends and poles", "[arithmetic]") {
  std::vector<float> hard{16367173 * 0x1p72f, 0x1.6ac5b2p+110f, 1e30f,           315,    0x1.921fb6p+0f,
                          0x1.921fb4p+0f,     0x1p18f,          0x1.fffffep127f, 11.09f, 88.72284f,
                          -87.33655f,         -103.97f,         3.9192059f,      4,      5.9604645e-8f};
  for (const float end : {1.0f, 0.5f, 2.0f, 0.41421357f, 0x1p-149f, 0x1p-126f, 0x1p126f})
    for (const float by : {-1.0f, 1.0f}) hard.insert(hard.end(), {end, std::nextafter(end, by * 9), -end});
  for (int k = 1; k < 400; ++k) hard.push_back(static_cast<float>(k * 1.5707963267948966 * (k % 7 == 0 ? 1e5 : 1)));
  for (std::size_t which = 0; which < std::size(functions); ++which) {
    figures seen;
    for (const float x : hard) {
      look_at<float>(which, x, seen);
      look_at<float>(which, -x, seen);
    }
    check(which, "FLOAT32", seen);
  }
}

TEST_CASE("pairs: angles and squares of FLOAT32 round as MPFR's do", "[arithmetic]") {
  std::mt19937 random(3);
  std::uint64_t wrong = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto any = [&] {
      const auto bits = static_cast<std::uint32_t>(random());
      const std::uint32_t exponent = i % 2 == 0 ? bits >> 23 & 0xFF : 120 + (bits >> 23 & 0xFF) % 14;
      return std::bit_cast<float>((bits & 0x807F'FFFF) | (exponent == 255 ? 0 : exponent) << 23);
    };
    const float a = any(), b = any();
    number p(static_cast<double>(a)), q(static_cast<double>(b)), y;
    mpfr_atan2(y.value, p.value, q.value, MPFR_RNDN);
    if (ar::angle_of(a, b) != precise::nearest<float>(y)) ++wrong;
    mpfr_sub(y.value, p.value, q.value, MPFR_RNDN);
    mpfr_sqr(y.value, y.value, MPFR_RNDN);
    if (ar::difference_square_of(a, b) != precise::nearest<float>(y)) ++wrong;
  }
  CHECK(wrong == 0);
}
