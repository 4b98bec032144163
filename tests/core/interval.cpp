// Rounding of doubles, and the intervals in which results of arithmetic may lie.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>

#include <goldml/core/float16.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/core/verdict.hpp>

#include "../catch.hpp"

namespace {

using namespace goldml;
using place = interval_place;
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();
constexpr float largest = (std::numeric_limits<float>::max)();

template <class T>
std::uint32_t bits_of(double x, rounding direction = rounding::nearest_even) {
  return std::bit_cast<typename detail::float_bits<T>::type>(rounded<T>(x, direction));
}
std::uint32_t cut(double x) { return bits_of<float16>(x, rounding::toward_zero); }

}  // namespace

TEST_CASE("rounding: FLOAT16 from doubles", "[core]") {
  CHECK(bits_of<float16>(1) == 0x3C00);
  CHECK(bits_of<float16>(-0.0) == 0x8000);
  CHECK(bits_of<float16>(2049) == 0x6800);               // a tie between 2048 and 2050
  CHECK(bits_of<float16>(2051) == 0x6802);               // a tie between 2050 and 2052
  CHECK(bits_of<float16>(2049 + 0x1p-40) == 0x6801);     // just above the tie: a double rounding would give 2048
  CHECK(bits_of<float16>(65519.999) == 0x7BFF);          // 65504
  CHECK(bits_of<float16>(65520) == 0x7C00);              // half a unit past it
  CHECK(bits_of<float16>(-1e300) == 0xFC00);
  CHECK(bits_of<float16>(0x1p-24) == 0x0001);
  CHECK(bits_of<float16>(0x1p-25) == 0);                 // a tie with 0
  CHECK(bits_of<float16>(0x1.0000000000001p-25) == 1);
  CHECK(bits_of<float16>(0x1.8p-24) == 2);               // a tie between 1 and 2 units
  CHECK(bits_of<float16>(0x1.FFFp-15) == 0x0400);        // rounds up to the least normal number
  CHECK(bits_of<float16>(1e-300) == 0);
  CHECK(bits_of<float16>(-5e-324) == 0x8000);
  CHECK(bits_of<float16>(std::numeric_limits<double>::quiet_NaN()) == 0x7E00);
}

TEST_CASE("rounding: FLOAT16 toward zero", "[core]") {
  CHECK(cut(2049.999) == 0x6800);
  CHECK(cut(-2051.999) == 0xE801);  // -2050
  CHECK(cut(1e300) == 0x7BFF);
  CHECK(cut(-65520) == 0xFBFF);
  CHECK(cut(std::numeric_limits<double>::infinity()) == 0x7C00);
  CHECK(cut(0x1.FFFp-25) == 0);
  CHECK(cut(0x1.FFFp-15) == 0x03FF);
}

TEST_CASE("rounding: FLOAT32 is the conversion of the compiler", "[core]") {
  std::mt19937_64 random(7);
  for (int i = 0; i < 200'000; ++i) {
    // Exponents around FLOAT32's, and few set bits, so that ties occur.
    const auto exponent = 1023 - 152 + random() % 284;
    const std::uint64_t mask = i % 2 == 0 ? ~std::uint64_t{0} : 0xFFFF'FFFF'F000'0000;
    const double x = std::bit_cast<double>(((random() << 52) & (std::uint64_t{1} << 63)) | exponent << 52 |
                                           ((random() >> 12) & mask));
    REQUIRE(bits_of<float>(x) == std::bit_cast<std::uint32_t>(static_cast<float>(x)));
  }
  CHECK(bits_of<float>(std::numeric_limits<double>::quiet_NaN()) == 0x7FC0'0000);
  CHECK(bits_of<float>(-std::numeric_limits<double>::infinity()) == 0xFF80'0000);
}

TEST_CASE("interval: places of values", "[core]") {
  interval x;
  CHECK(place_in(x, 0.0F) == place::outside);  // no number
  x = {-1, 8, 0, 2, 0};
  CHECK(place_in(x, 0.0F) == place::usual);
  CHECK(place_in(x, -0.0F) == place::usual);
  CHECK(place_in(x, -1.0F) == place::suspicious);
  CHECK(place_in(x, 8.0F) == place::suspicious);
  CHECK(place_in(x, std::nextafter(8.0F, 9.0F)) == place::outside);
  CHECK(place_in(x, nan_value) == place::outside);
  CHECK(place_in(x, infinity) == place::outside);
  x.also = interval_also::nan | interval_also::negative_infinity;
  CHECK(place_in(x, nan_value) == place::usual);
  CHECK(place_in(x, -infinity) == place::usual);
  CHECK(place_in(x, infinity) == place::outside);
  x.also = interval_also::positive_infinity;
  CHECK(place_in(x, infinity) == place::usual);
  CHECK(place_in(x, -infinity) == place::outside);
  x = {0, infinity, 0, 2, 0};
  CHECK(place_in(x, infinity) == place::suspicious);
  CHECK(place_in(x, largest) == place::suspicious);
  x.also = interval_also::positive_infinity;
  CHECK(place_in(x, infinity) == place::usual);
  CHECK(place_in(x, largest) == place::suspicious);
  x.high = nan_value;
  CHECK(place_in(x, 1.0F) == place::outside);
  x.low = nan_value;
  x.high = infinity;
  CHECK(place_in(x, 1.0F) == place::outside);
}

TEST_CASE("interval: an error below the rounding of the sum still widens it", "[core]") {
  CHECK(detail::below(1, 0x1p-60) < 1);
  CHECK(detail::above(1, 0x1p-60) > 1);
  CHECK(detail::below(1, 0) == 1);
  CHECK(detail::above(1, 0) == 1);
}

TEST_CASE("interval: an exact result allows itself, with either sign of zero", "[core]") {
  CHECK(interval_of<float>(0, 0, 0) == interval{0, 0, 0, 0, 0});
  CHECK(place_in(interval_of<float>(0, 0, 0), -0.0F) == place::usual);
  CHECK(interval_of<float>(largest * 2.0, 0, 0) == interval{infinity, infinity, infinity, infinity, 0});
  const double no_bound = std::numeric_limits<double>::infinity();
  CHECK(place_in(interval_of<float>(no_bound, 1, 1), infinity) == place::usual);
  CHECK(place_in(interval_of<float>(no_bound, 1, 1), largest) == place::outside);
  CHECK(place_in(interval_of<float>(no_bound - no_bound, 1, 1), 1.0F) == place::outside);
  CHECK(place_in(interval_of<float>(1, no_bound, 0), -infinity) == place::suspicious);
  CHECK(interval_of<float>(1, no_bound - no_bound, 0) == interval_of<float>(1, no_bound, 0));
}

TEST_CASE("interval: the sum of 1e8, 1 and -1e8", "[core]") {
  // A = 200000001, E = expm1(2 * log1p(2^-24)) * A = 23.84
  const double error = std::expm1(2 * std::log1p(0x1p-24)) * 200000001;
  const interval sum = interval_of<float>(1, error, error);
  CHECK(sum.low == -22.841858F);
  CHECK(sum.high == 24.841858F);
  CHECK(place_in(sum, 0.0F) == place::usual);
  CHECK(place_in(sum, 8.0F) == place::usual);
  CHECK(place_in(sum, -30.0F) == place::outside);
}

TEST_CASE("interval: 2^25 ones, of which a serial sum stops at 2^24", "[core]") {
  const double n = 0x1p25;
  const double error = std::expm1((n - 1) * std::log1p(0x1p-24)) * n;
  const double usual = 8 * std::sqrt(n - 1) * 0x1p-24 * n;
  const interval sum = interval_of<float>(n, error, usual);
  CHECK(place_in(sum, 33554432.0F) == place::usual);
  CHECK(place_in(sum, 33500000.0F) == place::usual);
  CHECK(place_in(sum, 16777216.0F) == place::suspicious);
  CHECK(place_in(sum, -3e8F) == place::outside);
}

TEST_CASE("interval: FLOAT16 sums may be narrowed toward zero", "[core]") {
  const auto half = [](float x) { return static_cast<float16>(x); };
  const interval up = interval_of<float16>(2049.5, 0, 0);  // between 2048 and 2050, nearer to 2050
  CHECK(place_in(up, half(2050)) == place::usual);
  CHECK(place_in(up, half(2048)) == place::toward_zero);
  CHECK(place_in(up, half(2052)) == place::outside);
  const interval down = interval_of<float16>(-2049.5, 0, 0);
  CHECK(place_in(down, half(-2050)) == place::usual);
  CHECK(place_in(down, half(-2048)) == place::toward_zero);
  CHECK(place_in(down, half(-2046)) == place::outside);
  CHECK(place_in(interval_of<float16>(2048.5, 0, 0), half(2050)) == place::outside);
  CHECK(place_in(interval_of<float16>(1e6, 0, 0), half(65504)) == place::toward_zero);
  CHECK(place_in(interval_of<float16>(1e6, 0, 0), half(infinity)) == place::usual);
  CHECK(place_in(interval_of<float16>(-1e6, 0, 0), half(65504)) == place::outside);
  CHECK(place_in(interval_of<float16>(4096, 0, 0), half(4092)) == place::outside);  // representable
  const interval nearest = interval_of<float16>(2049.5, 0, 0, float16_narrowing::nearest_even);
  CHECK(place_in(nearest, half(2048)) == place::outside);
  CHECK(nearest == interval{2050, 2050, 2050, 2050, 0});
}

TEST_CASE("verdicts: an interval beside alternatives", "[core]") {
  output_verdicts verdicts(3);
  CHECK(verdicts.interval_of(1) == nullptr);
  const interval allowed{1, 2, 1, 2, interval_also::nan};
  verdicts.allow_interval(1, allowed);
  verdicts.make_undefined(2);
  verdicts.allow_interval(2, allowed);
  CHECK(verdicts[0] == verdict::exact);
  CHECK(verdicts[1] == verdict::within);
  CHECK(verdicts[2] == verdict::undefined);
  CHECK(verdicts.interval_of(0) == nullptr);
  CHECK(verdicts.interval_of(2) == nullptr);
  REQUIRE(verdicts.interval_of(1) != nullptr);
  CHECK(*verdicts.interval_of(1) == allowed);
  verdicts.allow(1, scalar(5.0F));
  CHECK(verdicts[1] == verdict::within);
  CHECK(verdicts.any_alternative(1, [](const scalar& value) { return value == scalar(5.0F); }));
  verdicts.make_undefined(1);
  CHECK(verdicts.interval_of(1) == nullptr);
}

TEST_CASE("A3: an option of the comparer narrows an interval", "[core]") {
  output_verdicts verdicts(4);
  const graded_interval both{{0, 3, 1, 2, 0}, {1, 2, 1, 2, 0}};
  verdicts.allow_interval_beside(0, both, interval_refusal::reciprocals, 1.0F);
  verdicts.allow_interval_beside(1, graded_interval{both.allowed, both.allowed}, interval_refusal::reciprocals, 1.0F);
  verdicts.allow_interval_beside(2, graded_interval{{1, 1, 1, 1, 0}, {1, 1, 1, 1, 0}}, interval_refusal::functions, 1.0F);
  CHECK(verdicts[0] == verdict::within);
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    CHECK(*verdicts.interval_of(i) == both.allowed);
    CHECK(*verdicts.interval_of(i, interval_refusal::functions) == both.allowed);
    CHECK(*verdicts.interval_of(i, interval_refusal::reciprocals) == (i == 0 ? both.close : both.allowed));
  }
  CHECK(verdicts[2] == verdict::exact);  // the golden value alone
  CHECK(verdicts.interval_of(2, interval_refusal::functions) == nullptr);
  CHECK_THROWS_AS(verdicts.narrow_interval(1, both.close, interval_refusal::functions), std::invalid_argument);
  verdicts.make_undefined(3);
  verdicts.narrow_interval(3, both.close, interval_refusal::functions);
  CHECK(verdicts[3] == verdict::undefined);
  CHECK(verdicts.interval_of(3, interval_refusal::functions) == nullptr);
}

TEST_CASE("interval: integers alone", "[core]") {
  const interval x{-1, 3, -1, 3, interval_also::integers | interval_also::nan};
  CHECK(place_in(x, 2.0F) == place::usual);
  CHECK(place_in(x, -0.0F) == place::usual);
  CHECK(place_in(x, 0.5F) == place::outside);
  CHECK(place_in(x, 4.0F) == place::outside);
  CHECK(place_in(x, nan_value) == place::usual);
  CHECK(place_in(interval{0, infinity, 0, infinity, interval_also::integers}, infinity) == place::usual);
}

TEST_CASE("verdicts: intervals of FLOAT64", "[core]") {
  output_verdicts verdicts(2);
  verdicts.allow_interval(1, basic_interval<double>{1, 1 + 0x1p-52, 1, 1 + 0x1p-52, 0});
  CHECK(verdicts[1] == verdict::within);
  REQUIRE(verdicts.interval_of<double>(1) != nullptr);
  CHECK(verdicts.interval_of<double>(0) == nullptr);
  CHECK(verdicts.interval_of(1) == nullptr);
  CHECK(place_in(*verdicts.interval_of<double>(1), 1 + 0x1p-52) == place::usual);
  CHECK(place_in(*verdicts.interval_of<double>(1), 1 + 0x1p-51) == place::outside);
}
