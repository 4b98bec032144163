// Exact sums, products and logarithms, and the bounds on what a device may compute. Expected values are by hand; sums
// and products are also compared with schoolbook arithmetic on decimal digits of binary numbers.
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/arithmetic/exact_product.hpp>
#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/arithmetic/long_real.hpp>
#include <goldml/arithmetic/reductions.hpp>
#include <goldml/arithmetic/values.hpp>
#include <goldml/core/rounding.hpp>

#include "../catch.hpp"

namespace {

using namespace goldml;

constexpr float infinity = std::numeric_limits<float>::infinity();

bool near(double x, double y, double relative) { return std::abs(x - y) <= relative * std::abs(y); }

double sum_of(const std::vector<double>& x) {
  exact_sum sum;
  for (const double each : x) sum.add(each);
  return sum.value();
}

sum_terms terms_of(const std::vector<double>& x) {
  sum_terms terms;
  for (const double each : x) terms.add(each);
  return terms;
}

// A signed number as one bit per byte, from 2^-320 on: an independent accumulator.
struct bit_by_bit {
  std::vector<int> digits = std::vector<int>(800);  // any integers; normalised at the end

  void add(double x) {
    int exponent = 0;
    double rest = std::frexp(std::abs(x), &exponent);
    for (int i = 0; i < 53 && rest != 0; ++i) {
      rest *= 2;
      --exponent;
      if (rest >= 1) {
        digits[static_cast<std::size_t>(exponent + 320)] += x < 0 ? -1 : 1;
        rest -= 1;
      }
    }
  }
  // Rounded to nearest, ties to even, with `precision` bits, none below 2^least.
  double rounded(int precision, int least) const {
    std::vector<int> d = digits;
    const auto normalise = [&] {
      int carry = 0;
      for (int& digit : d) {
        const int all = digit + carry;
        digit = ((all % 2) + 2) % 2;
        carry = (all - digit) / 2;
      }
      return carry < 0;
    };
    double sign = 1;
    if (normalise()) {
      d = digits;
      for (int& digit : d) digit = -digit;
      normalise();
      sign = -1;
    }
    int top = 799;
    while (top >= 0 && d[static_cast<std::size_t>(top)] == 0) --top;
    if (top < 0) return 0;
    const int last = (std::max)(top - precision + 1, least + 320);
    double result = 0;
    for (int i = top; i >= last; --i) result = 2 * result + d[static_cast<std::size_t>(i)];
    bool half = last > 0 && d[static_cast<std::size_t>(last - 1)] == 1;
    bool more = false;
    for (int i = 0; i < last - 1; ++i) more = more || d[static_cast<std::size_t>(i)] == 1;
    if (half && (more || std::fmod(result, 2) == 1)) result += 1;
    return sign * std::ldexp(result, last - 320);
  }
};

}  // namespace

TEST_CASE("exact_sum: what doubles lose", "[arithmetic]") {
  CHECK(sum_of({1e30f, 1, -1e30f}) == 1);
  CHECK(sum_of({0x1p127, 0x1p-149, -0x1p127}) == 0x1p-149);
  CHECK(sum_of({-0x1p-298, 0x1p255, -0x1p255}) == -0x1p-298);
  CHECK(sum_of({1, 0x1p-100}) == 1 + 0x1p-52);  // to odd
  CHECK(sum_of({-1, 0x1p-100}) == -1 + 0x1p-53);
  CHECK(sum_of({}) == 0);
  CHECK_FALSE(std::signbit(sum_of({})));
  CHECK(std::signbit(sum_of({-0.0, -0.0})));
  CHECK_FALSE(std::signbit(sum_of({-0.0, 0.0})));
  CHECK_FALSE(std::signbit(sum_of({-1, 1})));
  exact_sum most;
  for (int i = 0; i < 1000; ++i) most.add(-0x1p511);
  CHECK(most.value() == -1000 * 0x1p511);
  exact_sum product;
  product.add_product(3.0 * 0x1.fffffep127 * 0x1p-20, 0x1.fffffep-60f);
  product.add_product(-3.0 * 0x1.fffffep127 * 0x1p-20, 0x1.fffffep-60f);
  product.add_product(0x1p-298, 0x1p-149);
  CHECK(product.value() == 0x1p-447);
}

TEST_CASE("exact_double: subnormals of both types", "[arithmetic]") {
  CHECK(exact_double(0x1p-149f) == 0x1p-149);
  CHECK(exact_double(-0x1.8p-140f) == -0x1.8p-140);
  CHECK(std::signbit(exact_double(-0.0f)));
  CHECK(exact_double(std::bit_cast<float16>(std::uint16_t{1})) == 0x1p-24);
  CHECK(exact_double(std::bit_cast<float16>(std::uint16_t{0x8001})) == -0x1p-24);
}

TEST_CASE("odd_part: normal and subnormal doubles", "[arithmetic]") {
  const auto is = [](double x, std::uint64_t significand, int exponent) {
    const goldml::detail::odd_double part = goldml::detail::odd_part(x);
    return part.significand == significand && part.exponent == exponent;
  };
  CHECK(is(-12, 3, 2));
  CHECK(is(0x1p-1022, 1, -1022));
  CHECK(is(0x1p-1074, 1, -1074));
  CHECK(is(-0x1.8p-1070, 3, -1071));
  CHECK(is(0x1p-1022 - 0x1p-1074, (std::uint64_t{1} << 52) - 1, -1074));
}

TEST_CASE("exact_sum: random sums and products, rounded as by schoolbook arithmetic", "[arithmetic]") {
  std::mt19937 random(1);
  const auto any = [&](int spread) {
    const auto bits = random() % 0x80'0000 + 0x80'0000;
    const int exponent = static_cast<int>(random() % static_cast<unsigned>(spread)) - spread / 2;
    const double x = std::ldexp(static_cast<double>(bits), exponent - 23);
    return random() % 2 == 0 ? x : -x;
  };
  for (int number = 0; number < 400; ++number) {
    const int spread = number % 4 == 0 ? 240 : number % 4 == 1 ? 60 : number % 4 == 2 ? 8 : 2;
    exact_sum sum;
    bit_by_bit other;
    for (auto n = 1 + random() % 12; n-- > 0;) {
      const double p = number % 2 == 0 ? any(spread / 2 + 1) * any(spread / 2 + 1) : any(spread);
      sum.add(p);
      other.add(p);
    }
    if (number % 3 == 0) {  // cancels but for the last bits
      const double most = -static_cast<double>(static_cast<float>(sum.value()));
      sum.add(most);
      other.add(most);
    }
    CHECK(static_cast<double>(rounded<float>(sum.value())) == other.rounded(24, -149));
    const double half = other.rounded(11, -24);
    CHECK(exact_double(rounded<float16>(sum.value())) ==
          (std::abs(half) >= 65520 ? std::copysign(static_cast<double>(infinity), half) : half));
  }
}

TEST_CASE("exact_sum: quotients and roots", "[arithmetic]") {
  const auto quotient = [](double x, std::uint64_t n) {
    exact_sum sum;
    sum.add(x);
    return rounded<float>(sum.value_of_quotient(n));
  };
  CHECK(quotient(1, 3) == 1.0f / 3);
  CHECK(quotient(-10, 4) == -2.5f);
  CHECK(quotient(0x1p-149, 2) == 0);
  CHECK(quotient(0x3p-149, 2) == 0x2p-149f);  // a tie
  CHECK(quotient(0x1p-149, 1) == 0x1p-149f);
  CHECK(quotient(0x1.fffffep127 * 3, 3) == 0x1.fffffep127f);
  const auto root = [](const std::vector<double>& x) {
    exact_sum sum;
    for (const double each : x) sum.add(each);
    return sum.value_of_root();
  };
  CHECK(root({9, 16}) == 5);
  CHECK(root({0x1p-298}) == 0x1p-149);
  CHECK(root({0}) == 0);
  CHECK(rounded<float>(root({2})) == 1.41421356f);
  CHECK(rounded<float>(root({0x1.fffffep127 * 0x1.fffffep127})) == 0x1.fffffep127f);
  // (1 + 2^-24)^2 is the square of the middle of two FLOAT32: the last bit decides.
  const double middle = 1 + 0x1p-23 + 0x1p-48;
  CHECK(rounded<float>(root({middle})) == 1);
  CHECK(rounded<float>(root({middle, 0x1p-298})) == 1 + 0x1p-23f);
  CHECK(rounded<float>(root({middle, -0x1p-298})) == 1);
}

TEST_CASE("exact_product: long products, signs, zeros, extreme exponents", "[arithmetic]") {
  const auto product = [](const std::vector<double>& x) {
    exact_product result;
    for (const double each : x) result.multiply(each);
    return result.value();
  };
  CHECK(product({}) == 1);
  CHECK(near(product({1e30f, 1e30f, 1e-30f, 1e-30f}), 1, 1e-6));
  CHECK(product({3, -5, 7}) == -105);
  CHECK(std::signbit(product({-1, 0})));
  CHECK(rounded<float>(product(std::vector<double>(1000, 0x1p100))) == infinity);
  CHECK(rounded<float>(product(std::vector<double>(1000, -0x1p-100))) == 0);
  CHECK(near(product({16777215, 16777215, 16777215}), 16777215.0 * 16777215.0 * 16777215.0, 0x1p-51));
  // (1 - 2^-24)^(2^18) = e^(-2^-6 (1 + ...)), cut many times
  const double many = product(std::vector<double>(1 << 18, 1 - 0x1p-24));
  CHECK(std::abs(many - std::exp(262144 * std::log1p(-0x1p-24))) < 1e-14);
  CHECK(product({4097, 4095}) == 16777215);
  CHECK(rounded<float>(product({4097, 4097})) == 16785408.0f);  // 16785409 is a tie, to even
  CHECK(rounded<float>(product({4097, 4099})) == 16793604.0f);  // 16793603, the same upwards
}

TEST_CASE("long logarithms and exponentials", "[arithmetic]") {
  const auto logarithm = [](const std::vector<double>& x) {
    exact_sum sum;
    for (const double each : x) sum.add(each);
    exact_sum result;
    add_logarithm(sum, result);
    return result.value();
  };
  CHECK(logarithm({1}) == 0);
  CHECK(std::abs(logarithm({2}) - 0.69314718055994530942) < 1e-16);
  CHECK(std::abs(logarithm({10}) - 2.30258509299404568402) < 5e-16);
  CHECK(std::abs(logarithm({0x1p-149}) + 103.278929903431851) < 1e-13);
  CHECK(std::abs(logarithm({1, 0x1p-149}) / 0x1p-149 - 1) < 1e-15);
  CHECK(std::abs(logarithm({1, -0x1p-24}) - std::log1p(-0x1p-24)) < 1e-22);
  for (const double x : {0.1, 0.7499, 0.75, 1.4999, 1.5, 3.0, 1e10, 1e-10})
    CHECK(std::abs(logarithm({x}) - std::log(x)) <= 4e-16 * (1 + std::abs(std::log(x))));
  CHECK(value_of_log_sum_exp(std::vector<double>{5}) == 5);
  CHECK(std::abs(value_of_log_sum_exp(std::vector<double>{1, 2, 3}) - 3.40760596444438) < 1e-13);
  CHECK(std::abs(value_of_log_sum_exp(std::vector<double>{1000, 1000}) - 1000.6931471805599) < 1e-12);
  CHECK(std::abs(value_of_log_sum_exp(std::vector<double>{-1000, -1001}) + 999.686738312) < 1e-8);
  // ln 2 rounded to FLOAT32, taken away: what is left has 24 good bits all the same.
  const double left = value_of_log_sum_exp(std::vector<double>{-0x1.62e43p-1, -0x1.62e43p-1});
  CHECK(std::abs(left - (0.69314718055994530942 - 0x1.62e43p-1)) < 2e-16);
  CHECK(left != 0);
}

TEST_CASE("values: infinities, NaN and zeros", "[arithmetic]") {
  using numbers = std::vector<double>;
  constexpr double inf = infinity;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(value_of_sum(numbers{inf, 1}) == inf);
  CHECK(is_nan(value_of_sum(numbers{inf, -inf})));
  CHECK(is_nan(value_of_sum(numbers{nan, 1})));
  CHECK(value_of_sum_of_magnitudes(numbers{-inf, 1}) == inf);
  CHECK(value_of_sum_of_magnitudes(numbers{-3, 4}) == 7);
  CHECK(value_of_sum_of_squares(numbers{-3, 4}) == 25);
  CHECK(value_of_average(numbers{-1, 0}) == -0.5);
  CHECK(value_of_average(numbers{-inf, 0}) == -inf);
  CHECK(value_of_norm(numbers{3, -4}) == 5);
  CHECK(value_of_norm(numbers{-inf, 1}) == inf);
  CHECK(is_nan(value_of_log_sum(numbers{3, -4})));
  CHECK(value_of_log_sum(numbers{4, -4}) == -inf);
  CHECK(value_of_log_sum(numbers{inf}) == inf);
  CHECK(is_nan(value_of_log_sum(numbers{-inf})));
  CHECK(near(value_of_log_sum(numbers{0, 5}), 1.609438, 1e-6));
  CHECK(value_of_log_sum_exp(numbers{-inf, -inf}) == -inf);
  CHECK(value_of_log_sum_exp(numbers{inf, 0}) == inf);
  CHECK(value_of_log_sum_exp(numbers{-inf, 0}) == 0);
  CHECK(is_nan(value_of_log_sum_exp(numbers{inf, nan})));
  CHECK(value_of_product(numbers{-inf, 2}) == -inf);
  CHECK(is_nan(value_of_product(numbers{-inf, 0})));
  CHECK(is_nan(value_of_product(numbers{0, nan})));
  CHECK(value_of_product(numbers{3, -4}) == -12);
}

TEST_CASE("bounds: the worked examples of sums", "[arithmetic]") {
  const arithmetic_mode single{};
  const bound cancelling = terms_of({1e8, 1, -1e8}).bound_with(2, single);
  CHECK(cancelling.value == 1);
  CHECK(near(cancelling.error, 23.84, 0.001));
  CHECK(place_in(interval_of<float>(cancelling), 0.0f) == interval_place::usual);
  CHECK(place_in(interval_of<float>(cancelling), 8.0f) == interval_place::usual);
  CHECK(place_in(interval_of<float>(cancelling), -30.0f) == interval_place::outside);

  // 4096 ones: exact in single, and not in half.
  const sum_terms ones = terms_of(std::vector<double>(4096, 1));
  CHECK(ones.bound_with(4095, single).is_exact());
  const arithmetic_mode half{.float32 = false, .accumulation = accumulation::half};
  CHECK(ones.bound_with(4095, half).error > 6 * 4096);
  CHECK(terms_of(std::vector<double>(2048, 1)).bound_with(2047, half).is_exact());

  // Long sums of equal terms are suspicious where a serial kernel sticks.
  sum_terms many;
  for (int i = 0; i < 1 << 25; ++i) many.add(1);
  const interval stuck = interval_of<float>(many.bound_with(many.count() - 1, single));
  CHECK(place_in(stuck, 16777216.0f) == interval_place::suspicious);
  CHECK(place_in(stuck, 33554432.0f) == interval_place::usual);
}

TEST_CASE("bounds: exact sums, and what makes them inexact", "[arithmetic]") {
  const arithmetic_mode single{};
  const arithmetic_mode flushing{.flushes = true};
  CHECK(terms_of({16777215, 1}).is_exact(single));
  CHECK_FALSE(terms_of({16777216, 1}).is_exact(single));
  CHECK(terms_of({16777216, 2}).is_exact(single));
  CHECK(terms_of({0x1p-126, 0x1p-120}).is_exact(flushing));
  CHECK(terms_of({0x1p-127, 0x1p-120}).is_exact(single));
  CHECK_FALSE(terms_of({0x1p-127, 0x1p-120}).is_exact(flushing));
  CHECK_FALSE(terms_of({0x3p-127, 0x1p-120}).is_exact(flushing));  // partial sums may be subnormal
  CHECK(terms_of({0, -0.0, 0}).is_exact(flushing));
  sum_terms products;
  products.add_product(0x3p-149, 0x1p30);
  CHECK_FALSE(products.is_exact(flushing));
  CHECK(products.bound_with(1, flushing).error >= 0x3p-119);
  CHECK(products.bound_with(1, single).is_exact());
}

TEST_CASE("bounds: overflow and infinite terms", "[arithmetic]") {
  namespace also = interval_also;
  const arithmetic_mode single{};
  const auto flags = [&](const std::vector<double>& x) {
    return terms_of(x).bound_with(static_cast<double>(x.size() - 1), single).also;
  };
  CHECK(flags({3e38, 3e38, -3e38}) == also::positive_infinity);
  CHECK(flags({-3e38, -3e38, 3e38}) == also::negative_infinity);
  CHECK(flags({3e38, 3e38, -3e38, -3e38}) == (also::positive_infinity | also::negative_infinity | also::nan));
  CHECK(flags({3e38, -3e38}) == 0);
  CHECK(flags({infinity, -3e38}) == 0);
  CHECK(flags({infinity, -3e38, -3e38}) == also::nan);
  CHECK(flags({-infinity, 3e38, 3e38}) == also::nan);
  CHECK(is_nan(terms_of({infinity, -infinity}).sum()));
  CHECK(terms_of({infinity, 1}).sum() == infinity);
  sum_terms product;
  product.add_product(infinity, 0x1p-140);
  CHECK(product.bound_with(1, {.flushes = true}).also == also::nan);
  CHECK(product.bound_with(1, single).also == 0);
  // 300 * 300 - 300 * 300 in half: 90000 is infinite.
  sum_terms squares;
  squares.add_product(300, 300);
  squares.add_product(300, -300);
  CHECK((squares.bound_with(2, {.float32 = false, .accumulation = accumulation::half}).also & also::nan) != 0);
  CHECK(squares.bound_with(2, {.float32 = false}).is_exact());
  CHECK_FALSE(bound{.value = 1, .usual_error = 1}.is_exact());
  CHECK_FALSE(bound{.value = 1, .also = also::nan}.is_exact());
  CHECK_FALSE(bound{.value = 1, .has_no_lower_end = true}.is_exact());
}

TEST_CASE("bounds: reductions", "[arithmetic]") {
  namespace also = interval_also;
  const arithmetic_mode single{};
  const arithmetic_mode flushing{.flushes = true};
  sum_terms squares;
  for (int i = 0; i < 4; ++i) squares.add_product(1e-30f, 1e-30f);
  const interval root = interval_from_zero<float>(bound_of_root(squares, flushing));
  CHECK(root.low == 0);
  CHECK(near(root.high, 3.1e-19, 0.02));
  sum_terms large;
  large.add_product(1e30f, 1e30f);
  CHECK(bound_of_root(large, single).also == also::positive_infinity);
  CHECK(near(bound_of_root(large, single).value, 1e30, 1e-6));

  const auto average = [](const std::vector<double>& x, const arithmetic_mode& mode) {
    return bound_of_average(terms_of(x), static_cast<double>(x.size()) + 9, mode);
  };
  CHECK(average({1, 2, 3, 4}, single).is_exact());
  CHECK_FALSE(average({1, 2, 4}, single).is_exact());
  CHECK_FALSE(average({0x1p-126, 0}, flushing).is_exact());
  CHECK(average({3e38, 3e38}, single).also == also::positive_infinity);

  const bound any = bound_of_logarithm(terms_of({1e8, -1e8, 1}), single);
  CHECK(any.has_no_lower_end);
  CHECK(any.also == (also::nan | also::negative_infinity));
  CHECK(is_nan(bound_of_logarithm(terms_of({-1, -2}), single).value));
  CHECK(bound_of_logarithm(terms_of({1, -1}), single).is_exact());  // -inf
  CHECK(bound_of_logarithm(terms_of({2, 3}), single).error < 1.2e-6);

  const std::vector<double> three{1, 2, 3};
  CHECK(bound_of_log_sum_exp(three, single).error < 1e-5);
  CHECK(bound_of_log_sum_exp(std::vector<double>{1000, 1000}, single).also == also::positive_infinity);
  CHECK((bound_of_log_sum_exp(std::vector<double>{-1000}, single).also & also::negative_infinity) != 0);

  const auto product = [&](const std::vector<double>& x) { return bound_of_product(x, flushing); };
  CHECK(product({3, 5, 7}).is_exact());
  CHECK(near(product({1.5, 1.5}).error, 2.25 * 0x1p-24, 1e-6));
  const interval orders = interval_of<float>(product({1e30, 1e30, 1e-30, 1e-30}));
  for (const float each : {0.0f, 1.0f, infinity}) CHECK(place_in(orders, each) != interval_place::outside);
  CHECK(product({0, 1e30, 1e30}).also == also::nan);
  CHECK(product({0, 2}).is_exact());
}

TEST_CASE("bounds: reductions in half precision", "[arithmetic]") {
  namespace also = interval_also;
  const arithmetic_mode single{}, half{.accumulation = accumulation::half};
  // e^-100 is 0 in FLOAT16, or the half of its least number: no logarithm above ln(2^-25) + errors is right.
  const std::vector<double> low{-100}, great{70000};
  const bound vanished = bound_of_log_sum_exp(low, half);
  CHECK(vanished.has_no_lower_end);
  CHECK(vanished.also == also::negative_infinity);
  CHECK(vanished.value > -17.4);
  CHECK(vanished.value < -15);
  // 70000 may be an infinity, less which it is NaN.
  CHECK(bound_of_log_sum_exp(great, half).also == (also::positive_infinity | also::nan));
  CHECK(bound_of_log_sum_exp(great, single).also == also::positive_infinity);

  const auto product = [](const std::vector<double>& x, const arithmetic_mode& mode) {
    product_terms terms;
    for (const double each : x) terms.multiply(each);
    return terms.bound_with(mode);
  };
  CHECK(product({70000, 0x1p-10}, half).also == also::specials);
  CHECK(product({70000, 0x1p-10}, single).also == 0);
  CHECK(product({300, 300}, half).also == also::positive_infinity);
  CHECK(product({-300, 300}, half).also == also::negative_infinity);
  CHECK(product({65504}, half).also == 0);  // is not multiplied
  CHECK(product({infinity, 2}, half).also == 0);
  CHECK(product({infinity, 0x1p-20}, half).also == also::nan);
}
