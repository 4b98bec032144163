// ELEMENT_WISE_ADD, SUBTRACT, MULTIPLY and DIVIDE: results and what a device may answer, by tables written down from
// their pages and the ledger (AR-R1, AR-R2, AR-R5 to AR-R7, 7.4), and their rules.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <goldml/operators/element_wise.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/reference/element_wise.hpp>

#include "../catch.hpp"
#include "../core/flush_subnormals.hpp"
#include "../support/judged.hpp"
#include "../support/refusals.hpp"

namespace {

using namespace goldml;

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float largest = (std::numeric_limits<float>::max)();
constexpr float tiny = std::numeric_limits<float>::denorm_min();
constexpr float least_normal = 0x1p-126F;

const element_wise_add_desc add;
const element_wise_subtract_desc subtract;
const element_wise_multiply_desc multiply;
const element_wise_divide_desc divide;

float16 half(float x) { return static_cast<float16>(x); }

template <element_wise_op Op, class T>
T result(const element_wise_desc<Op>& desc, T a, T b) {
  return element_wise_function<Op>{}(reference, tensor<T>({1}, {a}), tensor<T>({1}, {b}), desc).elements().front();
}
template <class Desc, class T>
auto bits(const Desc& desc, T a, T b) {
  return std::bit_cast<typename goldml::detail::float_bits<T>::type>(result(desc, a, b));
}

// How a device's answer is judged, by default and strictly: r refused, s suspicious, z rounded toward zero, a accepted,
// u undefined. With options a single letter.
template <class Desc, class T, class... Options>
auto judged(const Desc& desc, T a, T b, T got, const Options&... options) {
  const tensor_desc one{.data_type = data_type_of<T>, .sizes = {1}};
  const std::array inputs{const_tensor_ref(one, &a, sizeof a), const_tensor_ref(one, &b, sizeof b)};
  const std::array outputs{one};
  const oracle::golden golden = oracle::expect(desc, std::span<const const_tensor_ref>(inputs), outputs);
  const std::array actual{const_tensor_ref(one, &got, sizeof got)};
  return goldml_test::judged(golden, actual, options...);
}

using level = goldml::feature_level;
tensor_desc of(data_type type, const dimensions& sizes = {2, 3}) { return {.data_type = type, .sizes = sizes}; }

template <element_wise_op Op, class... Tensors>
std::string refused(const element_wise_desc<Op>& desc, const Tensors&... tensors) {
  return goldml_test::refused(
      64, desc, [&](const auto&... t) { element_wise_function<Op>{}(reference, t..., desc); }, tensors...);
}

}  // namespace

TEST_CASE("arithmetic: FLOAT32 is rounded once, to nearest even", "[arithmetic]") {
  CHECK(result(add, 16777216.0F, 1.0F) == 16777216.0F);  // a tie
  CHECK(result(add, 16777218.0F, 1.0F) == 16777220.0F);
  CHECK(result(add, 1e30F, 1.0F) == 1e30F);
  CHECK(result(subtract, 1.5F * least_normal, least_normal) == 0x1p-127F);  // subnormals are kept
  CHECK(result(multiply, 16777215.0F, 16777215.0F) == 281474943156224.0F);
  CHECK(result(multiply, 0x1p-75F, 0x1p-75F) == 0.0F);    // 2^-150, a tie with 0
  CHECK(result(multiply, 0x1.8p-75F, 0x1p-75F) == tiny);  // 1.5 * 2^-150
  CHECK(result(divide, 1.0F, 3.0F) == 0x1.555556p-2F);
  CHECK(result(divide, 3 * tiny, 2.0F) == 2 * tiny);  // a tie between 1 and 2 units
  CHECK(result(add, largest, 0x1p103F) == infinity);  // half a unit in the last place of the largest
  CHECK(result(add, largest, 0x1.FFFFFEp102F) == largest);
}

TEST_CASE("arithmetic: zeros, infinities, NaN", "[arithmetic]") {
  CHECK(bits(add, -0.0F, 0.0F) == 0);
  CHECK(bits(add, -0.0F, -0.0F) == 0x8000'0000);
  CHECK(bits(multiply, -1.0F, 0.0F) == 0x8000'0000);
  CHECK(bits(divide, 1.0F, -0.0F) == 0xFF80'0000);
  CHECK(bits(subtract, infinity, infinity) == 0x7FC0'0000);
  CHECK(bits(multiply, infinity, -0.0F) == 0x7FC0'0000);
  CHECK(bits(divide, 0.0F, 0.0F) == 0x7FC0'0000);
  CHECK(bits(divide, -infinity, infinity) == 0x7FC0'0000);
  CHECK(bits(add, std::bit_cast<float>(0xFFC1'2345U), 1.0F) == 0x7FC0'0000);  // the payload is not kept
  CHECK(bits(add, half(infinity), half(-infinity)) == 0x7E00);
}

TEST_CASE("arithmetic: FLOAT16 is rounded once, to nearest even", "[arithmetic]") {
  CHECK(bits(add, half(2048), half(1)) == bits(add, half(2048), half(0)));
  CHECK(result(add, half(2050), half(1)) == half(2052));
  CHECK(result(add, half(65504), half(15)) == half(65504));
  CHECK(result(add, half(65504), half(16)) == half(infinity));
  CHECK(bits(multiply, half(0x1p-12F), half(0x1p-12F)) == 1);  // the least subnormal
  CHECK(bits(multiply, half(0x1p-13F), half(0x1p-12F)) == 0);  // a tie
  CHECK(bits(divide, half(0x1p-24F), half(2)) == 0);
  CHECK(bits(divide, half(1), half(3)) == 0x3555);
}

TEST_CASE("arithmetic: integers wrap; quotients are truncated (AR-R2)", "[arithmetic]") {
  CHECK(result(add, std::int8_t{127}, std::int8_t{1}) == -128);
  CHECK(result(subtract, std::uint16_t{0}, std::uint16_t{1}) == 65535);
  CHECK(result(multiply, std::uint16_t{65535}, std::uint16_t{65535}) == 1);
  CHECK(result(multiply, std::int32_t{1} << 30, 4) == 0);
  CHECK(result(multiply, std::uint64_t{1} << 63, std::uint64_t{3}) == std::uint64_t{1} << 63);
  CHECK(result(divide, -7, 2) == -3);
  CHECK(result(divide, 7, -2) == -3);
  CHECK(result(divide, ~std::uint64_t{0}, std::uint64_t{10}) == 1844674407370955161);
  using limits = std::numeric_limits<std::int32_t>;
  CHECK(result(divide, limits::lowest(), -1) == limits::lowest());
  CHECK(result(divide, 5, 0) == -1);
  CHECK(result(divide, std::uint8_t{5}, std::uint8_t{0}) == 255);
  CHECK(judged(divide, 5, 0, 77) == "uu");
  CHECK(judged(divide, limits::lowest(), -1, 77) == "uu");
  CHECK(judged(divide, limits::lowest(), 1, 77) == "rr");
  CHECK(judged(divide, std::uint32_t{1} << 31, ~std::uint32_t{0}, 77U) == "rr");  // unsigned: 0
  CHECK(judged(add, limits::max(), 1, limits::max()) == "rr");
}

TEST_CASE("arithmetic verdicts: sums and products of FLOAT32 are exact but for flushing and the sign of zero",
          "[arithmetic]") {
  CHECK(judged(add, 16777216.0F, 1.0F, 16777218.0F) == "rr");
  CHECK(judged(add, 1.0F, -1.0F, -0.0F) == "aa");
  CHECK(judged(multiply, -1.0F, 0.0F, 0.0F) == "aa");
  // SPEC's examples: the output is flushed, then an input.
  CHECK(judged(add, 1.5F * least_normal, -least_normal, 0x1p-127F) == "aa");
  CHECK(judged(add, 1.5F * least_normal, -least_normal, 0.0F) == "ar");
  CHECK(judged(add, 1.5F * least_normal, -least_normal, tiny) == "rr");
  CHECK(judged(add, 0x1p-127F, least_normal, least_normal) == "ar");
  CHECK(judged(add, 0x1p-127F, least_normal, 0.0F) == "rr");
  CHECK(judged(add, 0x1p-127F, 1.0F, 1.0F) == "aa");
  CHECK(judged(subtract, 0x1p-127F, 0x1p-127F, -0x1p-127F) == "ar");  // the first is flushed
  CHECK(judged(multiply, 0x1p-127F, infinity, not_a_number) == "ar");
  CHECK(judged(multiply, 0x1p-127F, infinity, infinity) == "aa");
  CHECK(judged(multiply, 0x1p-127F, 0x1p100F, -0.0F) == "ar");
  // The product is below 2^-126 and rounds up to it.
  CHECK(judged(multiply, 0x1.FFFFFEp-1F, 0x1.000002p-126F, 0.0F) == "rr");
  CHECK(judged(multiply, 0x1.FFFFFEp-64F, 0x1p-63F, least_normal) == "aa");
  CHECK(judged(multiply, 0x1.FFFFFEp-64F, 0x1p-63F, 0.0F) == "ar");
}

TEST_CASE("arithmetic verdicts: FLOAT16 keeps subnormals, and may be narrowed toward zero (AR-R7)", "[arithmetic]") {
  CHECK(judged(add, half(2048), half(1.5F), half(2050)) == "aa");
  CHECK(judged(add, half(2048), half(1.5F), half(2048)) == "zz");
  CHECK(judged(add, half(2048), half(1.5F), half(2052)) == "rr");
  CHECK(judged(add, half(2048), half(0.5F), half(2050)) == "rr");
  CHECK(judged(add, half(65504), half(65504), half(65504)) == "zz");
  CHECK(judged(add, half(0x1p-15F), half(0x1p-16F), half(0)) == "rr");
  CHECK(judged(multiply, half(0x1.8p-13F), half(0x1p-12F), half(0)) == "zz");  // 0.75 of the least subnormal
  CHECK(judged(multiply, half(0x1p-13F), half(0x1p-12F), half(0x1p-24F)) == "rr");
}

TEST_CASE("A3: quotients may be off by nine roundings, and usually are by three (AR-R8)", "[arithmetic]") {
  // q = 1/3: the unit in the last place is 2^-25, so 9 * 2^-24 * q are 6 units, and 3 * 2^-24 * q are 2; the golden
  // value is 1/3 unit above q.
  const auto third = [](int units) { return std::bit_cast<float>(0x3EAA'AAABU + static_cast<unsigned>(units)); };
  const oracle::compare_options refuse{.reciprocals = oracle::reciprocal_errors::refuse};
  for (const int units : {0, 1, 2, -1, -2}) {
    CHECK(judged(divide, 1.0F, 3.0F, third(units)) == "aa");
    CHECK(judged(divide, 1.0F, 3.0F, third(units), refuse) == 'a');
  }
  for (const int units : {3, 4, 5, 6, -3, -4, -5, -6}) {
    CHECK(judged(divide, 1.0F, 3.0F, third(units)) == "ss");
    CHECK(judged(divide, 1.0F, 3.0F, third(units), refuse) == 'r');
  }
  for (const int units : {7, -7}) CHECK(judged(divide, 1.0F, 3.0F, third(units)) == "rr");
  // x/x: below 1 the numbers are 2^-24 apart, above it 2^-23, where 1 + 9 * 2^-24 is rounded up, and 1 + 3 * 2^-24 too.
  for (const float x : {1.5F, 3.0F, 15.0F, -7e-20F}) {
    CHECK(judged(divide, x, x, 1 - 3 * 0x1p-24F) == "aa");
    CHECK(judged(divide, x, x, 1 + 2 * 0x1p-23F) == "aa");
    CHECK(judged(divide, x, x, 0.9999995F) == "ss");
    CHECK(judged(divide, x, x, 0.9999995F, refuse) == 'r');
    CHECK(judged(divide, x, x, 1 - 9 * 0x1p-24F) == "ss");
    CHECK(judged(divide, x, x, 1 + 5 * 0x1p-23F) == "ss");
    CHECK(judged(divide, x, x, 1 - 10 * 0x1p-24F) == "rr");
    CHECK(judged(divide, x, x, 1 + 6 * 0x1p-23F) == "rr");
    CHECK(judged(divide, x, x, 0.99999F) == "rr");  // as one issue prints 3/3
  }
  CHECK(judged(divide, third(0), 1.0F, third(1)) == "rr");  // a division by 1 is exact
  // 1538/1025 is 5.3 * 2^-24 of itself below the middle of 1.5 and 1537/1024, 1537/1025 as far above that of 1535/1024
  // and 1.5: an error before the narrowing to FLOAT16 gives the other one.
  CHECK(judged(divide, half(1538), half(1025), half(1537.0F / 1024)) == "ss");
  CHECK(judged(divide, half(1538), half(1025), half(1537.0F / 1024), refuse) == 'r');
  CHECK(judged(divide, half(1538), half(1025), half(1538.0F / 1024)) == "rr");
  CHECK(judged(divide, half(1537), half(1025), half(1535.0F / 1024)) == "aa");  // or toward zero
  CHECK(judged(divide, half(1537), half(1025), half(1535.0F / 1024), refuse) == 'z');
  oracle::compare_options to_nearest = refuse;
  to_nearest.narrow_toward_zero = false;
  CHECK(judged(divide, half(1537), half(1025), half(1535.0F / 1024), to_nearest) == 'r');
  CHECK(judged(divide, half(1), half(3), half(0.33325F)) == "aa");
  CHECK(judged(divide, half(1), half(3), half(0.3335F)) == "rr");
  CHECK(judged(divide, 1.0F, 0.0F, largest) == "rr");
  CHECK(judged(divide, 0.0F, 0.0F, 0.0F) == "rr");
  CHECK(judged(divide, infinity, 2.0F, largest) == "rr");
}

TEST_CASE("A3: devices whose reciprocals are at the limits of their error", "[arithmetic]") {
  std::mt19937_64 random(35);
  const auto number = [&](int least, int count) {
    const auto significand = static_cast<double>(random() >> 40) * 0x1p-24 + 1;
    const auto exponent = static_cast<int>(random() % static_cast<std::uint64_t>(count)) + least;
    return static_cast<float>(std::ldexp((random() & 1) == 0 ? significand : -significand, exponent));
  };
  std::uint64_t refused = 0, usual_refused = 0, suspicious = 0, accepted = 0;
  double greatest = 0;  // share of E
  for (int i = 0; i < 100'000; ++i) {
    const float x = number(-20, 40), y = number(-60, 120);
    if (y == 1) continue;
    const double q = static_cast<double>(x) / static_cast<double>(y);
    const graded_interval allowed = goldml::detail::quotient_interval<float>(x, y);
    const auto answer = [&](double by) { return x * static_cast<float>(1 / static_cast<double>(y) * (1 + by)); };
    for (const double by : {0x1.cp-22, -0x1.cp-22}) {  // 2^-21 after the rounding of the reciprocal
      const interval_place place = place_in(allowed.allowed, answer(by));
      refused += place == interval_place::outside ? 1U : 0U;
      suspicious += place == interval_place::suspicious ? 1U : 0U;
      greatest = std::max(greatest, std::abs(static_cast<double>(answer(by)) / q - 1) / arithmetic::quotient_error);
    }
    usual_refused += place_in(allowed.close, answer(0)) == interval_place::outside ? 1U : 0U;
    for (const double by : {0x1p-20, -0x1p-20}) accepted += place_in(allowed.allowed, answer(by)) != interval_place::outside ? 1U : 0U;
  }
  CHECK(refused == 0);
  CHECK(usual_refused == 0);
  CHECK(accepted == 0);
  CHECK(suspicious > 190'000);
  CHECK(greatest > 0.95);
}

TEST_CASE("arithmetic verdicts: quotients at the edges of the reciprocal", "[arithmetic]") {
  CHECK(judged(divide, 3e38F, 2e38F, 0.0F) == "ar");  // 1/2e38 is subnormal
  CHECK(judged(divide, infinity, 3e38F, not_a_number) == "ar");
  for (const float y : {not_a_number, infinity, tiny}) CHECK(judged(divide, 2.0F, infinity, y) == "rr");  // it is 0
  CHECK(judged(divide, tiny, infinity, 0.0F) == "aa");
  for (const float y : {not_a_number, infinity, tiny}) CHECK(judged(divide, tiny, infinity, y) == "rr");
  // q = 2^-27 * 4/3, E = 9 * 2^-24 * q + 2^100 * 2^-149 = 8 units in the last place of q, and 3 for 9: 4 units.
  CHECK(judged(divide, 0x1p100F, 0x1.8p126F, std::bit_cast<float>(0x322A'AAABU + 3)) == "aa");
  CHECK(judged(divide, 0x1p100F, 0x1.8p126F, std::bit_cast<float>(0x322A'AAABU + 8)) == "ss");
  CHECK(judged(divide, 0x1p100F, 0x1.8p126F, std::bit_cast<float>(0x322A'AAABU + 9)) == "rr");
  // A reciprocal 2^-21 off is subnormal from 2^126 * (1 - 2^-21) on.
  CHECK(judged(divide, 1e38F, 0x1.FFFFFp125F, 0.0F) == "ar");
  CHECK(judged(divide, 1e38F, 0x1.FFFFEEp125F, 0.0F) == "rr");
  CHECK(judged(divide, infinity, 2e37F, not_a_number) == "rr");
  CHECK(judged(divide, 3e37F, 2e37F, 0.0F) == "rr");
  CHECK(judged(divide, 1e-10F, 0x1p-128F, infinity) == "ar");  // y flushed; or 1/y overflows
  CHECK(judged(divide, 1e-10F, 0x1p-128F, -infinity) == "rr");
  CHECK(judged(divide, 1e-10F, -0x1p-128F, -infinity) == "ar");
  CHECK(judged(divide, 1e-10F, 0x1p-125F, infinity) == "rr");
  CHECK(judged(divide, 0.0F, 0x1p-128F, not_a_number) == "ar");  // 0/0 once y is flushed
  CHECK(judged(divide, 0x1p-120F, 128.0F, 0.0F) == "ar");        // the result is subnormal
  CHECK(judged(divide, 0x1p-119F, 128.0F, 0.0F) == "ar");        // 2^-126, but less within the error
  CHECK(judged(divide, 0x1p-118F, 128.0F, 0.0F) == "rr");
}

TEST_CASE("A10: a quotient of FLOAT32 in half precision by little divisors", "[arithmetic]") {
  const element_wise_divide_desc half_divide{.accumulation = accumulation::half};
  // 2^15: 5 * 2^-11 * 2^15 + 2^-24 (1 + 2^15) 2^15 = 80 + 64.
  CHECK(judged(half_divide, 1.0F, 0x1p-15F, 32910.0F) == "aa");
  CHECK(judged(half_divide, 1.0F, 0x1p-15F, 32914.0F) == "rr");
  CHECK(judged(half_divide, 1.0F, 0x1p-15F, infinity) == "rr");
  // 1e8, from a divisor that may be 0 or 2^-24: 5 * 2^-11 * 1e8 + 2^-24 * 1e16 = 5.96e8.
  CHECK(judged(half_divide, 1.0F, 1e-8F, 0x1p24F) == "aa");
  CHECK(judged(half_divide, 1.0F, 1e-8F, 6.9e8F) == "aa");
  CHECK(judged(half_divide, 1.0F, 1e-8F, infinity) == "or");
  CHECK(judged(half_divide, 1.0F, 1e-8F, 7e8F) == "rr");
  CHECK(judged(half_divide, 1.0F, 1e-8F, -5e20F) == "rr");
}

TEST_CASE("arithmetic verdicts: half precision where it is permitted (AR-R1)", "[arithmetic]") {
  const element_wise_add_desc half_add{.accumulation = accumulation::half};
  const element_wise_multiply_desc half_multiply{.accumulation = accumulation::half};
  const element_wise_divide_desc half_divide{.accumulation = accumulation::half};
  // E = g(3, 2^-11) * (1 + 2) + 2^-24 = 0.0043966
  CHECK(judged(half_add, 1.0F, 2.0F, 3.004F) == "aa");
  CHECK(judged(half_add, 1.0F, 2.0F, 3.005F) == "rr");
  CHECK(judged(add, 1.0F, 2.0F, 3.004F) == "rr");
  CHECK(judged(half_multiply, 300.0F, 300.0F, infinity) == "or");
  CHECK(judged(half_multiply, 300.0F, 300.0F, -infinity) == "rr");
  CHECK(judged(multiply, 300.0F, 300.0F, infinity) == "rr");
  CHECK(judged(half_add, 1e6F, -1e6F, not_a_number) == "or");
  // Both operands and the product may be cut toward zero: 6 * 2^-11. With half products as well.
  const element_wise_multiply_desc half_products{.accumulation = accumulation::half_products};
  for (const element_wise_multiply_desc& desc : {half_multiply, half_products}) {
    constexpr float cut = 1 + 0x1p-10F - 0x1p-20F;
    CHECK(judged(desc, cut, cut, 1.0F) == "aa");
    CHECK(judged(desc, cut, cut, 0.9991F) == "aa");
    CHECK(judged(desc, cut, cut, 0.9989F) == "rr");
  }
  // 5 * 2^-11 / 3 + 2^-24 ((1 + 1/3) / 3 + 1) = 0.000814: operands are rounded, too.
  CHECK(judged(half_divide, 1.0F, 3.0F, 0.3341F) == "aa");
  CHECK(judged(half_divide, 1.0F, 3.0F, 0.3342F) == "rr");
  // Of 2^15 / 2^14: 5 * 2^-11 * 2 + 2^-24 + 2^15 * 2^-24 = 0.0068
  CHECK(judged(half_divide, 32768.0F, 16384.0F, 2.006F) == "aa");
  CHECK(judged(half_divide, 32768.0F, 16384.0F, 2.01F) == "rr");
  CHECK(judged(half_add, 0.1F, 0.0F, 0.1001F) == "aa");  // 0.1 is rounded to FLOAT16
  CHECK(judged(half_divide, 1.0F, 0.0F, 5.0F) == "rr");
  // Of 4/3 on FLOAT16: 3 * 2^-11 * 4/3 + 2^15 * 2^-24 = 4/1024, so up to 1369/1024.
  CHECK(judged(half_divide, half(32768), half(24576), half(1368.0F / 1024)) == "aa");
  CHECK(judged(half_divide, half(32768), half(24576), half(1371.0F / 1024)) == "rr");
  const float16 zero = half(0);
  CHECK(judged(half_divide, zero, half(0x1p-16F), half(not_a_number)) == "aa");  // 0 * (1/y), which overflows
  CHECK(judged(half_divide, zero, half(0x1p-15F), half(not_a_number)) == "rr");
  CHECK(judged(half_divide, zero, half(0x1p-16F), half(infinity)) == "rr");
  CHECK(judged(divide, zero, half(0x1p-16F), half(not_a_number)) == "rr");
  CHECK(judged(half_add, half(2048), half(1), half(2050)) == "rr");  // one rounding in any precision
  CHECK(judged(half_divide, 1.0F, 0x1p-16F, not_a_number) == "or");  // 1/y may overflow
  CHECK(judged(half_divide, 1.0F, 0x1p-15F, not_a_number) == "rr");
  // Of two infinities, neither becomes another number.
  CHECK(judged(half_add, infinity, infinity, infinity) == "aa");
  for (const float y : {not_a_number, 0.0F, -infinity}) {
    CHECK(judged(half_add, infinity, infinity, y) == "rr");
    CHECK(judged(half_multiply, infinity, infinity, y) == "rr");
  }
}

TEST_CASE("arithmetic: a program that flushes subnormals changes neither results nor verdicts", "[arithmetic]") {
  const flush_subnormals mode;
  CHECK(bits(subtract, 0x1.8p-126F, least_normal) == 0x0040'0000);
  CHECK(bits(add, tiny, tiny) == 2);
  CHECK(bits(divide, std::bit_cast<float>(3U), 2.0F) == 2);
  CHECK(judged(add, tiny, tiny, std::bit_cast<float>(2U)) == "aa");
  CHECK(judged(add, tiny, tiny, std::bit_cast<float>(3U)) == "rr");
  CHECK(judged(divide, tiny, 4.0F, tiny) == "aa");
  CHECK(judged(divide, std::bit_cast<float>(16U), 4.0F, std::bit_cast<float>(7U)) == "rr");
}

TEST_CASE("AR1 AR2 AR3: data types, DimensionCounts, sizes", "[arithmetic]") {
  constexpr data_type f32 = data_type::float32, f16 = data_type::float16, i32 = data_type::int32;
  CHECK(refused(add, of(f32), of(f32), of(f32)) == "");
  CHECK(refused(add, of(f32), of(f16), of(f32)) == "AR1");
  CHECK(refused(subtract, of(f32), of(f32), of(i32)) == "AR1");
  CHECK(refused(multiply, of(i32), of(f32), of(f32)) == "AR1 AR1");
  CHECK(refused(add, of(f32), of(f32, {1, 2, 3}), of(f32)) == "AR2");
  CHECK(refused(divide, of(f32), of(f32), of(f32, {6})) == "AR2");
  CHECK(refused(multiply, of(f32), of(f32, {1, 3}), of(f32)) == "AR3");
  CHECK(refused(divide, of(f32), of(f32), of(f32, {2, 4})) == "AR3");
  CHECK(refused(add, of(f32), of(f16, {2, 4}), of(f32)) == "AR1 AR3");
  const tensor_desc broadcast{.data_type = f32, .sizes = {2, 3}, .strides = {0, 1}};
  CHECK(refused(add, broadcast, of(f32), of(f32)) == "");
  CHECK(refused(add, of(data_type::float64), of(data_type::float64), of(data_type::float64)) == "T3 T3 T3");
  CHECK(refused(element_wise_divide_desc{.feature_level = level::level_5_1}, of(data_type::int64), of(data_type::int64),
                of(data_type::int64)) == "T3 T3 T3");
}

TEST_CASE("arithmetic: in place, and with broadcast inputs", "[arithmetic]") {
  std::vector<float> x{1, 2, 3, 4};
  const auto all = tensor_view{x, {2, 2}};
  element_wise_multiply(reference, all, all, all);
  CHECK(x == std::vector<float>{1, 4, 9, 16});
  const std::vector<float> row{1, 10};
  element_wise_subtract(reference, all, tensor_view{row, {2, 2}, {0, 1}}, all);
  CHECK(x == std::vector<float>{0, -6, 8, 6});
}
