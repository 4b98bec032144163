// The functions of goldml/arithmetic against MPFR: every FLOAT16, and FLOAT32 numbers of every exponent. The error of
// the double, that of the 128 bits, and the number that both round to.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <random>

#include <goldml/arithmetic/functions.hpp>
#include <goldml/core/value_conversion.hpp>

#include "../catch.hpp"
#include "precise.hpp"

namespace {

using namespace goldml;
namespace ar = goldml::arithmetic;
using precise::nearest;
using number = precise::number;

// |a / b - 1|, as a power of two; b is not 0.
double error_of(const number& a, const number& b) {
  number difference;
  mpfr_div(difference.value, a.value, b.value, MPFR_RNDN);
  mpfr_sub_ui(difference.value, difference.value, 1, MPFR_RNDN);
  return mpfr_zero_p(difference.value) != 0 ? -1000.0 : static_cast<double>(mpfr_get_exp(difference.value));
}

struct function {
  const char* name;
  double (*fast)(double);
  ar::wide (*exact)(const ar::wide&);
  void (*judge)(mpfr_t result, const mpfr_t x);
  double lowest, highest;
};

void judge_sigmoid(mpfr_t y, const mpfr_t x) {
  mpfr_neg(y, x, MPFR_RNDN);
  mpfr_exp(y, y, MPFR_RNDN);
  mpfr_add_ui(y, y, 1, MPFR_RNDN);
  mpfr_ui_div(y, 1, y, MPFR_RNDN);
}
// ln(1 + e^x) is x, to 1100 bits, where e^x is above 2^1000.
void judge_softplus(mpfr_t y, const mpfr_t x) {
  mpfr_set(y, x, MPFR_RNDN);
  if (mpfr_cmp_ui(x, 700) > 0) return;
  mpfr_exp(y, y, MPFR_RNDN);
  mpfr_log1p(y, y, MPFR_RNDN);
}

constexpr double top = 3.5e38;
const std::initializer_list<function> functions{
    {"exp", ar::exp, ar::exp, [](mpfr_t y, const mpfr_t x) { mpfr_exp(y, x, MPFR_RNDN); }, -690, 690},
    {"expm1", ar::expm1, ar::expm1, [](mpfr_t y, const mpfr_t x) { mpfr_expm1(y, x, MPFR_RNDN); }, -top, 690},
    {"log", ar::log, ar::log, [](mpfr_t y, const mpfr_t x) { mpfr_log(y, x, MPFR_RNDN); }, 1e-45, top},
    {"log1p", ar::log1p, ar::log1p, [](mpfr_t y, const mpfr_t x) { mpfr_log1p(y, x, MPFR_RNDN); }, 0, top},
    {"tanh", ar::tanh, ar::tanh, [](mpfr_t y, const mpfr_t x) { mpfr_tanh(y, x, MPFR_RNDN); }, -top, top},
    {"sigmoid", ar::sigmoid, ar::sigmoid, judge_sigmoid, -690, top},
    {"softplus", ar::softplus, ar::softplus, judge_softplus, -690, top},
    {"sqrt", [](double x) { return std::sqrt(x); }, ar::sqrt,
     [](mpfr_t y, const mpfr_t x) { mpfr_sqrt(y, x, MPFR_RNDN); }, 0, top},
};

struct figures {
  std::uint64_t wrong = 0, wrong_exact = 0, undecided = 0, count = 0;
  double fast_error = -1000, exact_error = -1000;
};

template <class T>
void look_at(const function& f, double x, figures& result) {
  if (x < f.lowest || x > f.highest) return;
  ++result.count;
  const number argument(x);
  number expected;
  f.judge(expected.value, argument.value);
  const double fast = f.fast(x);
  bool asked = false;
  const T got = ar::function_rounded<T>(fast, [&] {
    asked = true;
    return f.exact(ar::wide(x));
  });
  if (asked) ++result.undecided;
  const T wanted = nearest<T>(expected);
  if (!(got == wanted)) ++result.wrong;
  if (result.count % 8 != 0 && !asked) return;
  const ar::wide exact = f.exact(ar::wide(x));
  if (!(ar::rounded<T>(exact) == wanted)) ++result.wrong_exact;
  if (mpfr_zero_p(expected.value) != 0) {
    if (!exact.is_zero() || fast != 0) ++result.wrong_exact;
    return;
  }
  result.fast_error = std::max(result.fast_error, error_of(number(fast), expected));
  result.exact_error = std::max(result.exact_error, error_of(number(exact), expected));
}

void check(const function& f, const char* type, const figures& seen) {
  INFO(f.name << " of " << type << ": " << seen.count << " numbers, " << seen.undecided
              << " undecided by a double; greatest errors 2^" << seen.fast_error << ", 2^" << seen.exact_error);
  if (std::getenv("GOLDML_STEPS") != nullptr)
    std::printf("%s of %s: %llu numbers, %llu undecided, errors 2^%g and 2^%g\n", f.name, type,
                static_cast<unsigned long long>(seen.count), static_cast<unsigned long long>(seen.undecided),
                seen.fast_error, seen.exact_error);
  CHECK(seen.count > 1000);
  CHECK(seen.wrong == 0);
  CHECK(seen.wrong_exact == 0);
  CHECK(seen.fast_error < -48);  // far below function_error, 2^-42
  CHECK(seen.exact_error < -100);
}

}  // namespace

TEST_CASE("functions of NaN", "[arithmetic]") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK((std::isnan(ar::exp(nan)) && std::isnan(ar::expm1(nan)) && std::isnan(ar::tanh(nan)) &&
         std::isnan(ar::sigmoid(nan))));
}

TEST_CASE("functions of every FLOAT16 round as MPFR's do", "[arithmetic]") {
  for (const function& f : functions) {
    figures seen;
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
      const auto x = std::bit_cast<float16>(static_cast<std::uint16_t>(bits));
      if (goldml::detail::magnitude_bits(x) < 0x7C00)
        look_at<float16>(f, static_cast<double>(static_cast<float>(x)), seen);
    }
    check(f, "FLOAT16", seen);
  }
}

// Both signs, every exponent, and significands that are spread evenly: GOLDML_STEPS of each, 20 if it is not set.
TEST_CASE("functions of FLOAT32 numbers of every exponent round as MPFR's do", "[arithmetic]") {
  const char* given = std::getenv("GOLDML_STEPS");
  const auto steps = static_cast<std::uint32_t>(given != nullptr ? std::atoi(given) : 20);
  REQUIRE(steps > 0);
  for (const function& f : functions) {
    figures seen;
    for (std::uint32_t top_bits = 0; top_bits < 512; ++top_bits) {
      if (top_bits % 256 == 255) continue;
      for (std::uint32_t i = 0; i < steps; ++i) {
        const auto bits = top_bits << 23 | static_cast<std::uint32_t>((std::uint64_t{i} << 23) / steps);
        look_at<float>(f, goldml::detail::widened(std::bit_cast<float>(bits)), seen);
      }
    }
    check(f, "FLOAT32", seen);
  }
}

TEST_CASE("ties and cancelling sums of 128 bits round once", "[arithmetic]") {
  using ar::wide;
  // Half way between two numbers, and a little more or less: only the last, lost bit decides.
  CHECK(ar::rounded<float>(wide(1) + wide(0x1p-24)) == 1);
  CHECK(ar::rounded<float>(wide(1) + wide(0x1p-24) + wide(0x1p-900)) == 1 + 0x1p-23f);
  CHECK(ar::rounded<float>(wide(1 + 0x1p-23) + wide(0x1p-24)) == 1 + 0x1p-22f);
  CHECK(ar::rounded<float>(wide(1 + 0x1p-23) + wide(0x1p-24) - wide(0x1p-900)) == 1 + 0x1p-23f);
  CHECK((wide(3) - wide(3)).is_zero());
  CHECK(ar::to_double(wide(1e300) * wide(-0.5)) == -5e299);
  CHECK(ar::to_double(wide(-7) / wide(2)) == -3.5);
  CHECK(ar::rounded<float>(wide(0x1p-149) * wide(0.5)) == 0);
  CHECK(ar::rounded<float>(wide(0x1p-149) * wide(0.5) + wide(0x1p-800)) == 0x1p-149f);
  // Beyond what a double is asked for, the last bit says that something was lost.
  CHECK(ar::to_double(ar::times_power_of_two(wide(1), 1100)) == 0x1p1000 * (1 + 0x1p-52));
  CHECK(ar::to_double(ar::times_power_of_two(wide(-1), -1100)) == -0x1p-1000 * (1 + 0x1p-52));
}

namespace {

// a / b, a bit at a time.
ar::wide divided_by_bits(const ar::wide& a, const ar::wide& b) {
  ar::wide result;
  result.negative = a.negative != b.negative;
  result.exponent = a.exponent - b.exponent;
  std::uint64_t high = a.high, low = a.low;
  bool carry = false;
  const auto twice = [&] {
    carry = high >> 63 != 0;
    high = high << 1 | low >> 63;
    low <<= 1;
  };
  if (ar::detail::less(high, low, b.high, b.low)) {
    twice();
    --result.exponent;
  }
  for (int bit = 0; bit < 128; ++bit) {
    result.high = result.high << 1 | result.low >> 63;
    result.low <<= 1;
    if (carry || !ar::detail::less(high, low, b.high, b.low)) {
      result.low |= 1;
      high -= b.high + (low < b.low ? 1 : 0);
      low -= b.low;
    }
    twice();
  }
  if (carry || (high | low) != 0) result.low |= 1;
  return result;
}

}  // namespace

TEST_CASE("quotients of 128 bits, by digits, are those by bits", "[arithmetic]") {
  std::mt19937_64 random(38);
  // Digits of which the first guess is one or two too great, and others.
  constexpr std::array<std::uint64_t, 10> digits{0,           1,           2,           3,           0x5555'5555,
                                                 0x7FFF'FFFF, 0x8000'0000, 0x8000'0001, 0xFFFF'FFFE, 0xFFFF'FFFF};
  const auto digit = [&] { return random() % 4 != 0 ? digits[random() % digits.size()] : random() & 0xFFFF'FFFF; };
  const auto any = [&] {
    ar::wide x(random() % 2 == 0 ? 1.0 : -1.0);
    x.exponent = static_cast<std::int32_t>(random() % 100) - 50;
    x.high = digit() << 32;
    x.high |= digit() | std::uint64_t{1} << 63;
    x.low = digit() << 32;
    x.low |= digit();
    return x;
  };
  int wrong = 0, exact = 0;
  for (int i = 0; i < 60'000; ++i) {
    ar::wide a = any(), b = any();
    if (i % 3 == 0) {  // a quotient that is exact
      a.low = b.low = 0;
      a.high = (a.high >> 32 | 1) << 32;
      b.high = (b.high >> 32 | 1) << 32;
      a = a * b;
    }
    if (i % 7 == 0) {
      a.high = b.high;
      a.low = b.low + random() % 3 - 1;
    }
    const ar::wide found = a / b, wanted = divided_by_bits(a, b);
    if (found.high != wanted.high || found.low != wanted.low || found.exponent != wanted.exponent ||
        found.negative != wanted.negative)
      ++wrong;
    if (wanted.low % 2 == 0) ++exact;
  }
  CHECK(wrong == 0);
  CHECK(exact > 10'000);
}
