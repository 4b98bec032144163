// ELEMENT_WISE_POW and CONSTANT_POW: results, what a device may answer (SPEC-functions 3; ledger FN-R6, FN-R7, FN-R20),
// devices that compute them legally and never may be refused, and wrong ones.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <goldml/core/tensor.hpp>
#include <goldml/cpu/element_wise.hpp>
#include <goldml/operators/element_wise.hpp>
#include <goldml/oracle/verdicts/element_wise_power.hpp>
#include <goldml/reference/element_wise.hpp>

#include "../catch.hpp"
#include "../support/refusals.hpp"

namespace {

using namespace goldml;
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
float16 half(float x) { return static_cast<float16>(x); }

template <class T, class E>
std::vector<T> golden(const std::vector<T>& x, const std::vector<E>& y, const element_wise_pow_desc& desc = {}) {
  std::vector<T> z(x.size()), fast(x.size());
  element_wise_pow(reference, x, y, z, desc);
  element_wise_pow(cpu, x, y, fast, desc);
  CHECK(std::equal(z.begin(), z.end(), fast.begin(), [](T p, T q) { return p == q || (p != p && q != q); }));
  return z;
}
template <class T>
std::vector<T> constant(const std::vector<T>& x, const element_wise_constant_pow_desc& desc) {
  std::vector<T> z(x.size()), fast(x.size());
  element_wise_constant_pow(reference, x, z, desc);
  element_wise_constant_pow(cpu, x, fast, desc);
  CHECK(std::equal(z.begin(), z.end(), fast.begin(), [](T p, T q) { return p == q || (p != p && q != q); }));
  return z;
}

struct how {
  bool is_integer = false;  // the exponent's type
  bool flushes = false;
  accumulation precision = accumulation::single;
  std::optional<scale_bias> by = std::nullopt;
};

// r: refused, u: accepted, t: if narrowed toward zero; of each value.
template <class T = float>
std::string judged(std::type_identity_t<T> x, double y, const std::vector<T>& values, const how& given = {}) {
  const arithmetic_mode mode{std::is_same_v<T, float>, given.flushes, given.precision};
  const element_intervals allowed = goldml::detail::power_intervals<T>(x, given.by, y, given.is_integer, mode);
  std::string letters;
  for (const T value : values) {
    interval_place best = place_in(allowed.main.allowed, value);
    for (const interval& other : allowed.others) best = std::max(best, place_in(other, value));
    letters += "rostu"[static_cast<int>(best)];
  }
  return letters;
}
// The same of integers; ? for all where the element is undefined.
template <class T>
std::string judged_integers(T x, double y, bool is_integer, const std::vector<T>& values,
                            accumulation precision = accumulation::single) {
  output_verdicts result(1);
  const T z = arithmetic::power_of<T>(static_cast<double>(x), y, is_integer);
  goldml::detail::add_power_verdict<T>(x, std::nullopt, y, is_integer, precision, z, false, 0, result);
  if (result[0] == verdict::undefined) return "?";
  std::string letters;
  for (const T value : values) {
    const auto* allowed = result.template interval_of<interval_number<T>>(0);
    letters += value == z || (allowed != nullptr && place_in(*allowed, value) == interval_place::usual) ? 'u' : 'r';
  }
  return letters;
}

// The instructions of a device, which err by `by` of what they may, with their rounding.
float log2_of(float x, double by) {
  const double l = std::log2(static_cast<double>(x));
  return static_cast<float>(l + by * 0x1p-21 * (std::max)(1.0, std::abs(l)) * 0.87);
}
float exp2_of(float w, double by) {
  return w == 0 ? 1 : static_cast<float>(std::exp2(static_cast<double>(w)) * (1 + by * 0x1p-21 * 0.99));
}

}  // namespace

TEST_CASE("POW: results", "[element_wise]") {
  using floats = std::vector<float>;
  using words = std::vector<std::int32_t>;
  using bytes = std::vector<std::int8_t>;
  CHECK(golden(floats{2, 1.5f, -2, -2, 10, 1.0000001f}, floats{0.5f, 10.5f, 3, -2, 38, 1e6f}) ==
        floats{1.4142135f, 70.62496f, -8, 0.25f, 1e38f, 1.1266056f});
  CHECK(std::isnan(golden(floats{-2}, floats{0.5f})[0]));
  CHECK(golden(floats{0, -0.0f, -0.0f, 0, infinity, -infinity, -infinity, 1, not_a_number},
               floats{-1, -3, -2, 0, -2, 3, -2, not_a_number, 0}) ==
        floats{infinity, -infinity, infinity, 1, 0, -infinity, 0, 1, 1});
  CHECK(std::isnan(golden(floats{-infinity}, floats{0.5f})[0]));
  CHECK(golden(std::vector<float16>{half(2), half(3), half(-2)}, floats{0.5f, 11, 3}) ==
        std::vector<float16>{half(1.4142f), half(infinity), half(-8)});
  CHECK(golden(words{3, -3, 7}, words{4, 3, 0}) == words{81, -27, 1});
  CHECK(golden(bytes{-2, 2, 3}, std::vector<std::uint32_t>{7, 7, 200}) == bytes{-128, -128, -95});  // modulo 2^8
  CHECK(golden(words{3, 2, -2}, floats{2, 0.5f, 0.5f}) == words{9, 1, 0});
  CHECK(golden(floats{3, -3}, words{4, 16777217}) == floats{81, -infinity});
}

TEST_CASE("POW: the base is scaled, and not the result or the exponent", "[element_wise]") {
  using floats = std::vector<float>;
  CHECK(golden(floats{1, 2}, floats{2, 3}, {.scale_bias = scale_bias{2, 1}}) == floats{9, 125});
  CHECK(constant(floats{1, 2}, {.scale_bias = scale_bias{2, 1}, .exponent = 3}) == floats{27, 125});
  CHECK(constant(std::vector<std::int16_t>{1, 2},
                 {.scale_bias = scale_bias{2, 1}, .exponent = 2, .integer_scale_bias = integer_scale_bias::cast}) ==
        std::vector<std::int16_t>{9, 25});
}

TEST_CASE("CONSTANT_POW: results", "[element_wise]") {
  CHECK(constant(std::vector<float>{1, 2, -3}, {.exponent = 2}) == std::vector<float>{1, 4, 9});
  CHECK(constant(std::vector<float>{4, 2, 0}, {.exponent = -0.5f}) == std::vector<float>{0.5f, 0.70710677f, infinity});
  CHECK(constant(std::vector<std::int32_t>{3, -3, 100000}, {.exponent = 3}) ==
        std::vector<std::int32_t>{27, -27, 2147483647});
  CHECK(constant(std::vector<std::uint8_t>{9, 10}, {.exponent = 0.5f}) == std::vector<std::uint8_t>{3, 3});
  CHECK(constant(std::vector<float16>{half(2)}, {.exponent = 1e-8f}) == std::vector<float16>{half(1)});
}

TEST_CASE("POW: what a device may answer", "[element_wise]") {
  CHECK(judged(-2, 3, {-8, -8.0000124f, -7.9999871f, -8.000014f, -7.999985f, 8}) == "uuurrr");
  CHECK(judged(10, 38, {1e38f, 0.9999526e38f, 1.0000474e38f, 0.99995e38f, 1.00005e38f}) == "uuurr");
  CHECK(judged(1.0000001f, 1e6f, {1.1266056f, 0.80953f, 1.56788f, 0.8095f, 1.568f}) == "uuurr");
  CHECK(judged(2, 10, {1024, 1024.0038f, 1024.1f}) == "uur");  // nothing is exact
  CHECK(judged(7, 1, {7, 7.000001f, 7.0001f}) == "uur");
  CHECK(judged(1, 1000, {1, 1.0003f, 0.9997f, 1.0004f}) == "uuur");
  CHECK(judged(-2, 0.5, {not_a_number, 1.4142135f, 0}) == "urr");
  CHECK(judged(5, 0, {1, 1.0000001f, not_a_number}) == "urr");
  CHECK(judged(2, 128, {infinity, std::numeric_limits<float>::max(), 1e38f}) == "uur");
  CHECK(judged(0x1p-127f, -1, {0x1p127f, infinity, -infinity}) == "uur");  // 1 / x^n, flushed
  CHECK(judged(0x1p-70f, 2, {0x1p-140f, 0}) == "ur");
  CHECK(judged(0x1p-70f, 2, {0x1p-140f, 0}, {.flushes = true}) == "uu");
  CHECK(judged(1e-40f, 0.5, {1e-20f, 0, 5e-21f}, {.flushes = true}) == "uur");
  CHECK(judged(-2, 1e-40f, {not_a_number, 1, -1}, {.flushes = true}) == "uur");
  CHECK(judged<float16>(half(-2), 1e-40f, {half(not_a_number), half(1), half(-1)}) == "uur");
  // An integer loses its last bit where it becomes FLOAT32.
  CHECK(judged(-1, 16777217, {-1, 1, 0}, {.is_integer = true}) == "uur");
  CHECK(judged(-1, 16777215, {-0.5f, 0.5f}, {.is_integer = true}) == "ur");
  CHECK(judged(-1, 16777216, {-1, 1}) == "ru");
}

TEST_CASE("POW: infinities, zeros and NaN, by the table", "[element_wise]") {
  const std::vector<float> answers{1, 0, infinity, -infinity, not_a_number, -1};
  // One of 1, 0 and NaN, and nothing between.
  const std::vector<float> between{1, 0, -0.0f, not_a_number, 0.5f, 0.25f, 1e-30f};
  for (const float zero : {0.0f, -0.0f}) CHECK(judged(zero, 0, between) == "uuuurrr");
  CHECK(judged(-1e-40f, 0, between, {.flushes = true}) == "uuuurrr");
  CHECK(judged(1e-40f, 0, between) == "urrrrrr");
  CHECK(judged(1e-9f, 0, between, {.precision = accumulation::half}) == "uuuurrr");  // below 2^-24
  CHECK(judged(0.1f, 0, between, {.by = scale_bias{3, -0.3f}}) == "uuuurrr");        // 0 is inside
  CHECK(judged(3, 0, between, {.precision = accumulation::half}) == "urrrrrr");
  // Which of these; all: undefined.
  struct row {
    float x, y;
    const char* accepted;
  };
  const row rows[] = {
      {2, infinity, "rrurrr"},
      {-2, infinity, "rrurur"},
      {2, -infinity, "rurrrr"},
      {-2, -infinity, "rurrur"},
      {2, not_a_number, "rrrrur"},
      {1, infinity, "uuuuuu"},
      {-1, -infinity, "uuuuuu"},
      {1, not_a_number, "urrrur"},
      {-1, not_a_number, "rrrrur"},
      {0.5f, infinity, "rurrrr"},
      {-0.5f, infinity, "rurrur"},
      {0.5f, -infinity, "rrurrr"},
      {-0.5f, -infinity, "rrurur"},
      {0, 0, "uurrur"},
      {-0.0f, 0, "uurrur"},
      {0, 2.5f, "rurrrr"},
      {-0.0f, 3, "rurrrr"},
      {0, -2, "rrurrr"},
      {0, -3, "rrurrr"},
      {-0.0f, -3, "rruurr"},
      {-0.0f, -2, "rruurr"},
      {0, infinity, "rurrrr"},
      {0, -infinity, "rrurrr"},
      {0, not_a_number, "rrrrur"},
      {infinity, 0, "urrrur"},
      {infinity, 0.5f, "rrurrr"},
      {infinity, -3, "rurrrr"},
      {infinity, infinity, "rrurrr"},
      {infinity, -infinity, "rurrrr"},
      {infinity, not_a_number, "rrrrur"},
      {-infinity, 0, "urrrur"},
      {-infinity, 3, "rrrurr"},
      {-infinity, 2, "rrurrr"},
      {-infinity, 0.5f, "rrurur"},
      {-infinity, -3, "rurrrr"},
      {-infinity, -0.5f, "rurrur"},
      {-infinity, infinity, "rrurur"},
      {-infinity, -infinity, "rurrur"},
      {-infinity, not_a_number, "rrrrur"},
      {not_a_number, 0, "urrrur"},
      {not_a_number, 2, "rrrrur"},
      {not_a_number, infinity, "rrrrur"},
      {not_a_number, not_a_number, "rrrrur"},
  };
  for (const row& each : rows) {
    INFO(each.x << "^" << each.y);
    CHECK(judged(each.x, static_cast<double>(each.y), answers) == each.accepted);
    const float z = arithmetic::power_of<float>(static_cast<double>(each.x), static_cast<double>(each.y), false);
    CHECK(judged(each.x, static_cast<double>(each.y), {z}) == "u");
  }
}

TEST_CASE("POW: a scaled base is one of several numbers", "[element_wise]") {
  const auto by = [](float scale, float bias) { return how{.by = scale_bias{scale, bias}}; };
  CHECK(judged(3, 2, {12.25f, 12.250001f, 9, 6.5f, 49}, by(1, 0.5f)) == "uurrr");
  CHECK(judged(0.1f, 2, {0, 1e-15f, 1}, by(3, -0.3f)) == "uur");                                       // 0 is inside
  CHECK(judged(0.1f, -1, {infinity, -infinity, 1e9f, -1e9f, not_a_number}, by(3, -0.3f)) == "uuuur");  // a pole
  CHECK(judged(0.1f, 0.5, {0, not_a_number, 1e-4f, 1}, by(3, -0.3f)) == "uuur");
  CHECK(judged(0.1f, infinity, {0, infinity, not_a_number, 5}, by(3, 0.7f)) == "uuuu");
}

TEST_CASE("POW: of a parity that may be lost both signs are right, and nothing between, in many elements",
          "[element_wise]") {
  output_verdicts verdicts(64);
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    const float x = -(1 + static_cast<float>(i + 1) * 0x1p-23f);
    const double y = 16777217;
    const auto golden = arithmetic::power_of<float>(static_cast<double>(x), y, false);
    const arithmetic_mode mode{true, false, accumulation::single};
    verdicts.allow_interval_beside(i, goldml::detail::power_intervals<float>(x, {}, y, true, mode), golden);
    const interval& allowed = *verdicts.interval_of<float>(i);
    INFO("element " << i << ", golden " << golden);
    CHECK(place_in(allowed, golden) != interval_place::outside);
    CHECK(verdicts.place_in_others(i, -golden, 0) != interval_place::outside);
    for (const float value : {0.0f, 1e-9f, -1e-9f}) {
      CHECK(place_in(allowed, value) == interval_place::outside);
      CHECK(verdicts.place_in_others(i, value, 0) == interval_place::outside);
    }
  }
}
TEST_CASE("POW: half precision", "[element_wise]") {
  const how half_mode{.precision = accumulation::half};
  CHECK(judged(3, 2, {9, 9.05f, 8.95f, 9.3f}, half_mode) == "uuur");
  CHECK(judged(0.1f, 2, {0.01f, 0.01005f, 0.0105f}, half_mode) == "uur");
  CHECK(judged(70000, 2, {0, infinity, not_a_number}, half_mode) == "uuu");  // FLOAT16 does not hold it
  CHECK(judged(2, 0.1f, {0, infinity, not_a_number}, half_mode) == "uuu");
  CHECK(judged(200, -2, {2.5e-5f, 0, infinity, -1}, half_mode) == "uuur");  // 1 / x^2, which overflows
  CHECK(judged<float16>(half(300), 2, {half(infinity), half(60000)}, half_mode) == "ur");
}

TEST_CASE("POW: what a device may answer of integers", "[element_wise]") {
  using words = std::vector<std::int32_t>;
  using bytes = std::vector<std::int8_t>;
  CHECK(judged_integers<std::int32_t>(3, 4, true, words{81, 80}) == "ur");
  CHECK(judged_integers<std::int32_t>(2, 31, true, words{0}) == "?");
  CHECK(judged_integers<std::int32_t>(-2, 31, true, words{std::numeric_limits<std::int32_t>::min(), 0}) == "ur");
  CHECK(judged_integers<std::int8_t>(-2, 7, true, bytes{-128, 127}) == "ur");
  CHECK(judged_integers<std::int8_t>(2, 7, true, bytes{0}) == "?");
  CHECK(judged_integers<std::int32_t>(0, 0, true, words{1, 0}) == "ur");
  CHECK(judged_integers<std::int32_t>(0, -1, true, words{0}) == "?");
  CHECK(judged_integers<std::int32_t>(5, -1, true, words{0}) == "?");
  CHECK(judged_integers<std::int32_t>(-1, -3, true, words{-1, 1}) == "ur");
  CHECK(judged_integers<std::int32_t>(1, -3, true, words{1, 0}) == "ur");
  CHECK(judged_integers<std::int32_t>(1, 2147483647, true, words{1, 0}) == "ur");
  CHECK(judged_integers<std::int32_t>(3, 2, false, words{9, 8, 10, 7}) == "uurr");
  CHECK(judged_integers<std::int32_t>(-3, 3, false, words{-27, -26, -28, 27}) == "uurr");
  CHECK(judged_integers<std::int32_t>(2, 0.5, false, words{1, 0, 2}) == "urr");
  CHECK(judged_integers<std::int32_t>(46340, 2, false, words{2147395600, 2147395600 + 20000, 2147395600 + 60000}) ==
        "uur");
  CHECK(judged_integers<std::int32_t>(46341, 2, false, words{0}) == "?");
  CHECK(judged_integers<std::int32_t>(-2, 0.5, false, words{0}) == "?");
  CHECK(judged_integers<std::int32_t>(0, -1, false, words{0}) == "?");
  CHECK(judged_integers<std::int32_t>(0, 0, false, words{0}) == "?");
  CHECK(judged_integers<std::int32_t>(0, 2, false, words{0, 1}) == "ur");
  CHECK(judged_integers<std::int32_t>(30, 2, false, words{900, 890, 850}, accumulation::half) == "uur");
  CHECK(judged_integers<std::int32_t>(300, 2, false, words{0}, accumulation::half) == "?");
}

// exp2(y log2 x) in FLOAT32, where instructions err by `by` of what they may; other legal ways; and wrong ones.
TEST_CASE("POW: legal devices are never refused, wrong ones are", "[element_wise]") {
  std::mt19937 random(17);
  std::uint64_t refused = 0, count = 0, apart = 0;
  std::array<std::uint64_t, 6> unnoticed{};
  const auto bad = [](const std::string& letters) {
    return static_cast<std::uint64_t>(letters.find('r') != std::string::npos);
  };
  for (int i = 0; i < 20000; ++i) {
    const auto bits = [&] { return static_cast<std::uint32_t>(random()); };
    const float x = i % 4 == 0 ? 1 + (static_cast<float>(bits() % 2001) - 1000) * 0x1p-20f
                               : std::bit_cast<float>((bits() & 0x007F'FFFF) | (110 + bits() % 34) << 23);
    float y = std::bit_cast<float>((bits() & 0x807F'FFFF) | (120 + bits() % (i % 4 == 0 ? 24 : 10)) << 23);
    if (i % 3 == 0) y = std::round(y);
    const double exact = std::pow(static_cast<double>(x), static_cast<double>(y));
    if (!(exact > 1e-37 && exact < 3e38)) continue;
    ++count;
    std::vector<float> legal{static_cast<float>(exact), std::pow(x, y)};
    for (const double by : {-1.0, 0.0, 1.0})
      for (const double other : {-1.0, 1.0}) legal.push_back(exp2_of(y * log2_of(x, by), other));
    if (y == std::round(y) && std::abs(y) <= 16) {
      float product = 1, square = x;
      for (auto n = static_cast<unsigned>(std::abs(y)); n != 0; n >>= 1) {
        if ((n & 1) != 0) product *= square;
        square *= square;
      }
      legal.push_back(y < 0 ? static_cast<float>(1 / static_cast<double>(product) * (1 + 0x1p-21)) : product);
    }
    if (y == 0.5f) legal.push_back(std::sqrt(x));
    refused += bad(judged(x, static_cast<double>(y), legal));
    const auto is_odd = [](float n) { return n == std::round(n) && std::fmod(n, 2.0f) != 0; };
    if (y == std::round(y) && std::abs(y) < 100) {
      std::vector<float> negative = legal;
      if (is_odd(y))
        for (float& each : negative) each = -each;
      refused += bad(judged(-x, static_cast<double>(y), negative));
      if (is_odd(y)) unnoticed[0] += 1 - bad(judged(-x, static_cast<double>(y), {-negative[0]}));
    }
    if (std::abs(std::log2(x)) < 0.2f || std::abs(y) < 0.25f) continue;  // little is asked of powers beside 1
    ++apart;
    if (std::abs(x - y) > 0.5f) unnoticed[1] += 1 - bad(judged(x, static_cast<double>(y), {std::pow(y, x)}));
    if (y < 0) unnoticed[2] += 1 - bad(judged(x, static_cast<double>(y), {std::pow(x, -y)}));
    const float rough = static_cast<float>(half(std::log2(x)));
    unnoticed[3] += 1 - bad(judged(x, static_cast<double>(y), {std::exp2(y * rough)}));
    unnoticed[4] += 1 - bad(judged(x, static_cast<double>(y), {std::exp(y * std::log2(x))}));
    unnoticed[5] += 1 - bad(judged(x, std::floor(static_cast<double>(y)) + 0.5, {std::pow(x, std::floor(y))}));
  }
  INFO(count << " pairs, " << apart << " of them apart; unnoticed " << unnoticed[0] << ", " << unnoticed[1] << ", "
             << unnoticed[2] << ", " << unnoticed[3] << ", " << unnoticed[4] << ", " << unnoticed[5]);
  CHECK(count > 5000);
  CHECK(refused == 0);
  CHECK(unnoticed[0] == 0);  // the sign of odd powers
  for (const std::uint64_t each : unnoticed) CHECK(each * 20 < apart);
}

TEST_CASE("POW: legal devices of FLOAT16 and of integers are never refused", "[element_wise]") {
  std::mt19937 random(19);
  std::uint64_t refused = 0;
  const auto bad = [](const std::string& letters) {
    return static_cast<std::uint64_t>(letters.find('r') != std::string::npos);
  };
  for (int i = 0; i < 4000; ++i) {
    const auto bits = [&] { return static_cast<std::uint32_t>(random()); };
    const float x = static_cast<float>(half(static_cast<float>(bits() % 4000 + 1) / 256)),
                y = static_cast<float>(half((static_cast<float>(bits() % 129) - 64) / 8));
    const double exact = std::pow(static_cast<double>(x), static_cast<double>(y));
    std::vector<float16> legal{half(static_cast<float>(exact))};
    std::vector<float16> rough;
    for (const double by : {-1.0, 1.0}) {
      legal.push_back(half(exp2_of(log2_of(x, by) * y, by)));
      // Each step in FLOAT16.
      const float16 log = half(std::log2(x) * static_cast<float>(1 + by * 0x1p-10));
      rough.push_back(half(static_cast<float>(std::exp2(static_cast<double>(half(static_cast<float>(log) * y))))));
    }
    refused += bad(judged<float16>(half(x), static_cast<double>(y), legal));
    rough.insert(rough.end(), legal.begin(), legal.end());
    refused += bad(judged<float16>(half(x), static_cast<double>(y), rough, {.precision = accumulation::half}));

    const auto n = static_cast<std::int32_t>(bits() % 300) - 20;
    const float power = i % 2 == 0 ? static_cast<float>(bits() % 5) : static_cast<float>(bits() % 40) / 8;
    const double whole = std::pow(static_cast<double>(n), static_cast<double>(power));
    if (!(std::abs(whole) < 2e9)) continue;
    std::vector<std::int32_t> integers{static_cast<std::int32_t>(whole)};
    for (const double by : {-1.0, 1.0}) {
      const float float_power = exp2_of(log2_of(static_cast<float>(std::abs(n)), by) * power, by);
      if (n != 0) integers.push_back(static_cast<std::int32_t>(whole < 0 ? -float_power : float_power));
    }
    refused += bad(judged_integers<std::int32_t>(n, static_cast<double>(power), false, integers));
  }
  CHECK(refused == 0);
}

TEST_CASE("PW1 to PW4, T3: data types, dimensions and sizes", "[element_wise]") {
  const auto of = [](data_type type, const dimensions& sizes = {1, 1, 2, 3}) {
    return tensor_desc{.data_type = type, .sizes = sizes};
  };
  constexpr data_type f32 = data_type::float32, f16 = data_type::float16, i8 = data_type::int8;
  const auto refused = [](const auto& desc, const auto&... tensors) {
    return goldml_test::refused(
        64, desc,
        [&](const auto&... t) {
          if constexpr (sizeof...(t) == 3)
            element_wise_pow(reference, t..., desc);
          else
            element_wise_constant_pow(reference, t..., desc);
        },
        tensors...);
  };
  const auto pow = [&](feature_level level, const tensor_desc& x, const tensor_desc& y, const tensor_desc& z) {
    return refused(element_wise_pow_desc{.feature_level = level}, x, y, z);
  };
  using enum feature_level;
  CHECK(pow(latest, of(f32), of(i8), of(f32)) == "");
  CHECK(pow(level_3_0, of(i8), of(f16), of(i8)) == "");
  CHECK(pow(level_2_1, of(f32), of(f16), of(f32)) == "PW4");
  CHECK(pow(level_2_1, of(f32), of(f16), of(f16, {1, 1, 3, 2})) == "PW1 PW4 PW3");
  CHECK(pow(level_2_1, of(f32), of(i8), of(f32)) == "T3");
  CHECK(pow(latest, of(f32), of(i8, {3}), of(f16, {2, 3})) == "PW1 PW2 PW2");
  CHECK(pow(latest, of(f32), of(f32, {1, 1, 2, 1}), of(f32)) == "PW3");
  const auto constant = [&](constant_pow_integers policy, feature_level level, data_type type) {
    return refused(element_wise_constant_pow_desc{.constant_pow_integers = policy, .feature_level = level}, of(type),
                   of(type));
  };
  CHECK(constant(constant_pow_integers::allow, latest, i8) == "");
  CHECK(constant(constant_pow_integers::refuse, latest, i8) == "T3 T3");
  CHECK(constant(constant_pow_integers::refuse, latest, f16) == "");
  CHECK(constant(constant_pow_integers::allow, level_2_1, i8) == "T3 T3");
  CHECK(refused(element_wise_pow_desc{.scale_bias = scale_bias{1, 0}}, of(i8), of(f32), of(i8)) == "SB1");
}

TEST_CASE("POW: where flushing is lost, it changes no interval", "[element_wise]") {
  std::mt19937 random(39);
  const arithmetic_mode plain, flushing{true, true, accumulation::single};
  std::uint64_t lost = 0, other = 0;
  for (int i = 0; i < 20'000; ++i) {
    float x = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (i % 2 == 0) x = std::ldexp(1 + static_cast<float>(random() % 999) / 999, static_cast<int>(random() % 5) - 3);
    const float limits[] = {0x1p12F, 0x1p-126F, 0x1p-127F, -0x1p12F, 3, -0.5F, 60, -60};
    const double y = i % 3 == 0   ? static_cast<double>(limits[random() % 8])
                     : i % 3 == 1 ? std::ldexp(static_cast<double>(random() % 2001) - 1000, -8)
                                  : 60 / std::log2(std::abs(static_cast<double>(x)));
    const bool is_integer = y == std::floor(y);
    const float z = arithmetic::power_of<float>(static_cast<double>(x), y, is_integer);
    if (!goldml::detail::is_flushing_of_power_lost(x, y, z, accumulation::single)) continue;
    ++lost;
    if (goldml::detail::power_intervals(x, {}, y, is_integer, plain) !=
        goldml::detail::power_intervals(x, {}, y, is_integer, flushing))
      ++other;
  }
  CHECK(lost > 3'000);
  CHECK(other == 0);
  for (const auto& [x, y, z] : {std::array{0x1p-127F, 1.0F, 1.0F}, std::array{1.0F, 0x1p-127F, 1.0F},
                                std::array{2.0F, -61.0F, 0x1p-61F}, std::array{2.0F, 61.0F, infinity}})
    CHECK(!goldml::detail::is_flushing_of_power_lost(x, static_cast<double>(y), z, accumulation::single));
  CHECK(!goldml::detail::is_flushing_of_power_lost(2.0F, 1.0, 2.0F, accumulation::half));
}
