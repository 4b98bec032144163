// DIAGONAL_MATRIX: results, allowed results of a device, and violations.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <goldml/core/verdict.hpp>
#include <goldml/operators/diagonal_matrix.hpp>
#include <goldml/operators/diagonal_matrix1.hpp>
#include <goldml/oracle/verdict.hpp>
#include <goldml/reference/diagonal_matrix.hpp>
#include <goldml/reference/diagonal_matrix1.hpp>

#include "../core/flush_subnormals.hpp"
#include "../support/refusals.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::bits;
using layouts::from_bits;
using layouts::laid_out;
using layouts::strides_of;
using floats = std::vector<float>;

constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

floats ones(const dimensions& sizes, std::int32_t offset) {
  return diagonal_matrix<float>(reference, sizes, {.offset = offset, .value = 1}).elements();
}

// The element of a {1,1} matrix, or nullopt if the value is refused (DM1).
template <class T>
std::optional<T> converted(float value, value_conversion policy = value_conversion::refuse) {
  std::optional<T> result;
  const std::string rule = refusal_of([&] {
    result = diagonal_matrix<T>(reference, {1, 1}, {.value = value, .value_conversion = policy}).elements()[0];
  });
  CHECK(rule == (result ? "none" : "DM1"));
  return result;
}

template <class T>
T saturating(float value) {
  return converted<T>(value, value_conversion::saturate).value();
}

// The bits of the other FLOAT16 that is allowed on the diagonal, or nullopt if there is none. Elsewhere only zero is
// allowed.
std::optional<std::uint64_t> neighbour_of(float value) {
  const std::vector<tensor_desc> outputs{{.data_type = data_type::float16, .sizes = {1, 2}}};
  const auto golden = oracle::expect(diagonal_matrix_desc{.value = value}, {}, outputs);
  REQUIRE(golden.answers.size() == 1);
  const output_verdicts& verdicts = golden.answers[0][0].verdicts;
  CHECK(verdicts[1] == verdict::exact);
  if (verdicts[0] == verdict::exact) return std::nullopt;
  CHECK(verdicts.alternatives_of(0).any_index_below == 0);
  REQUIRE(verdicts.alternatives_of(0).values.size() == 1);
  return bits(verdicts.alternatives_of(0).values[0].as<float16>());
}

std::uint64_t half_bits(float value) { return bits(converted<float16>(value).value()); }

std::string refused(const diagonal_matrix_desc& desc, const tensor_desc& output) {
  return goldml_test::refused(
      512, desc, [&](const auto&... t) { diagonal_matrix(reference, t..., desc); }, output);
}

std::string message(const diagonal_matrix_desc& desc, const tensor_desc& output) {
  return to_string(goldml_test::only_violation(desc, output));
}

void check_conversion_of_subnormals() {
  const auto tiny = from_bits<float>(0x0000'0001);         // 2^-149
  const auto minus_large = from_bits<float>(0x807F'FFFF);  // -(2^23 - 1) * 2^-149
  CHECK(bits(converted<float>(tiny).value()) == 1);
  CHECK(bits(converted<double>(tiny).value()) == 0x36A0'0000'0000'0000);
  CHECK(bits(converted<double>(minus_large).value()) == 0xB80F'FFFF'C000'0000);
  CHECK(half_bits(tiny) == 0);
  CHECK(half_bits(minus_large) == 0x8000);
  CHECK(neighbour_of(tiny) == 0x0001u);
  CHECK(neighbour_of(minus_large) == 0x8001u);
  CHECK(converted<std::int8_t>(minus_large) == std::int8_t{0});
}

}  // namespace

TEST_CASE("DIAGONAL_MATRIX: the value is 0 until it is set", "[diagonal_matrix]") {
  CHECK(diagonal_matrix_desc{}.value == 0);
  CHECK(diagonal_matrix_desc{}.offset == 0);
}

TEST_CASE("DIAGONAL_MATRIX: the page's examples", "[diagonal_matrix]") {
  CHECK(ones({1, 1, 3, 3}, 0) == floats{1, 0, 0, 0, 1, 0, 0, 0, 1});
  CHECK(ones({1, 1, 3, 3}, 1) == floats{0, 1, 0, 0, 0, 1, 0, 0, 0});
  CHECK(ones({1, 1, 3, 2}, -1) == floats{0, 0, 1, 0, 0, 1});
  CHECK(ones({1, 1, 3, 2}, -3) == floats(6, 0));
}

TEST_CASE("DIAGONAL_MATRIX: any offset, and positive zeros beside the diagonal", "[diagonal_matrix]") {
  CHECK(ones({2, 3}, 2) == floats{0, 0, 1, 0, 0, 0});
  CHECK(ones({3, 2}, -2) == floats{0, 0, 0, 0, 1, 0});
  for (const std::int32_t offset : {least, least + 1, -3, 3, most - 1, most})
    CHECK(ones({3, 3}, offset) == floats(9, 0));
  CHECK(is_on_diagonal({0, 0x7FFF'FFFF}, most));  // exists with a width of 2^31
  CHECK_FALSE(is_on_diagonal({1, 0x7FFF'FFFF}, most));
  CHECK(is_on_diagonal({0x8000'0000, 0}, least));
  CHECK(is_on_diagonal({0xFFFF'FFFE, 0x7FFF'FFFE}, least));
  CHECK_FALSE(is_on_diagonal({0x7FFF'FFFF, 0xFFFF'FFFF}, least));  // no overflow
  const auto minus_zero = diagonal_matrix<float>(reference, {2, 2}, {.value = -0.0f}).elements();
  CHECK(bits(minus_zero) == std::vector<std::uint64_t>{0x8000'0000, 0, 0, 0x8000'0000});
}

TEST_CASE("DIAGONAL_MATRIX: same as DIAGONAL_MATRIX1 with one filled diagonal", "[diagonal_matrix]") {
  for (const dimensions& sizes :
       {dimensions{1, 1}, dimensions{4, 5}, dimensions{5, 4}, dimensions{2, 3, 4}, dimensions{3, 2, 1, 6}})
    for (std::int32_t k = -6; k <= 6; ++k)
      CHECK(ones(sizes, k) ==
            diagonal_matrix1<float>(
                reference, sizes,
                diagonal_matrix1_desc{.value = 1.0f, .diagonal_fill_begin = k, .diagonal_fill_end = k + 1})
                .elements());
}

TEST_CASE("DIAGONAL_MATRIX: each matrix of a batch, in all layouts; gaps are unchanged", "[diagonal_matrix]") {
  for (const dimensions& sizes : {dimensions{2, 3}, dimensions{2, 2, 3}, dimensions{3, 2, 2, 3}}) {
    const auto count = static_cast<std::size_t>(element_count(sizes));
    std::vector<std::int16_t> wanted(count, 0);
    for (std::size_t matrix = 0; matrix < count; matrix += 6) wanted[matrix + 1] = wanted[matrix + 5] = -7;
    for (const auto each : all_layouts) {
      laid_out<std::int16_t> y(sizes, strides_of(each, sizes), std::vector<std::int16_t>(count, 1));
      diagonal_matrix(reference, y.view(), {.offset = 1, .value = -7.5f});
      CHECK(y.elements() == wanted);
      CHECK(y.gaps_untouched());
    }
  }
}

TEST_CASE("DIAGONAL_MATRIX L18: integers truncate toward zero", "[diagonal_matrix]") {
  CHECK(diagonal_matrix<std::int32_t>(reference, {2, 2}, {.value = 10.6f}).elements() ==
        std::vector<std::int32_t>{10, 0, 0, 10});
  CHECK(converted<std::int32_t>(-10.6f) == -10);
  CHECK(converted<std::uint8_t>(-0.9f) == std::uint8_t{0});  // checked after truncation
  CHECK(converted<std::uint64_t>(-0.9f) == 0u);
  CHECK(converted<std::int64_t>(16777216.0f) == 16777216);
}

TEST_CASE("DIAGONAL_MATRIX DM1: the ends of every integer type", "[diagonal_matrix]") {
  const auto check = []<class T>(T lowest, float last_legal_below, float first_illegal_below, T highest_reached,
                                 float last_legal, float first_illegal) {
    using limits = std::numeric_limits<T>;
    CHECK(converted<T>(last_legal_below) == lowest);
    CHECK(converted<T>(first_illegal_below) == std::nullopt);
    CHECK(converted<T>(last_legal) == highest_reached);
    CHECK(converted<T>(first_illegal) == std::nullopt);
    CHECK(saturating<T>(first_illegal_below) == limits::lowest());
    CHECK(saturating<T>(first_illegal) == (limits::max)());
    for (const float value : {infinity, -infinity, not_a_number, -not_a_number})
      CHECK(converted<T>(value) == std::nullopt);
    CHECK(saturating<T>(infinity) == (limits::max)());
    CHECK(saturating<T>(-infinity) == limits::lowest());
    CHECK(saturating<T>(not_a_number) == 0);
    CHECK(saturating<T>(last_legal) == highest_reached);
  };
  // The float before 2^31 is 2^31 - 128, before 2^32 2^32 - 256, before 2^63 2^63 - 2^39, before 2^64 2^64 - 2^40; the
  // one below -2^31 is -2^31 - 256, below -2^63 -2^63 - 2^40.
  check(std::int8_t{-128}, -128.99f, -129.0f, std::int8_t{127}, 127.99f, 128.0f);
  check(std::uint8_t{0}, -0.999f, -1.0f, std::uint8_t{255}, 255.99f, 256.0f);
  check(std::int16_t{-32768}, -32768.99f, -32769.0f, std::int16_t{32767}, 32767.99f, 32768.0f);
  check(std::uint16_t{0}, -0.999f, -1.0f, std::uint16_t{65535}, 65535.99f, 65536.0f);
  check(std::int32_t{least}, -0x1p31f, -2147483904.0f, std::int32_t{2147483520}, 2147483520.0f, 0x1p31f);
  check(std::uint32_t{0}, -0.999f, -1.0f, std::uint32_t{4294967040}, 4294967040.0f, 0x1p32f);
  check(std::numeric_limits<std::int64_t>::min(), -0x1p63f, -0x1.000002p63f, std::int64_t{9223371487098961920},
        9223371487098961920.0f, 0x1p63f);
  check(std::uint64_t{0}, -0.999f, -1.0f, std::uint64_t{18446742974197923840u}, 18446742974197923840.0f, 0x1p64f);
}

TEST_CASE("DIAGONAL_MATRIX DM1: the message, also if the diagonal is outside the matrix", "[diagonal_matrix]") {
  const tensor_desc output{.data_type = data_type::uint8, .sizes = {2, 2}};
  CHECK(refused(diagonal_matrix_desc{.offset = 5, .value = -1}, output) == "DM1");
  CHECK(refused(diagonal_matrix_desc{.value = -1, .value_conversion = value_conversion::saturate}, output) == "");
  CHECK(message(diagonal_matrix_desc{.value = -1}, output) ==
        "DIAGONAL_MATRIX DM1: Value is FLOAT32 -1, wanted a number that UINT8 holds, truncated toward zero "
        "(policy value_conversion saturate takes the nearest, and 0 for NaN)");
  std::vector<std::uint8_t> three(3, 9);  // before the rules on memory
  CHECK(refusal_of([&] { diagonal_matrix(reference, tensor_view{three, {2, 2}}, {.value = -1}); }) == "DM1");
  CHECK(refusal_of([&] { diagonal_matrix(reference, tensor_view{three, {2, 2}}, {.value = 1}); }) == "T12");
  CHECK(three == std::vector<std::uint8_t>(3, 9));
  // An output that breaks a T rule is not used.
  CHECK(refused(diagonal_matrix_desc{.value = -1},
                {.data_type = data_type::uint8, .sizes = {2, 2}, .strides = {0, 1}}) == "T9");
  CHECK(refused(diagonal_matrix_desc{.value = -1, .feature_level = feature_level::level_2_0},
                {.data_type = data_type::uint8, .sizes = {1, 1, 2, 2}}) == "T3");
}

TEST_CASE("DIAGONAL_MATRIX L18: floats: the bits, widened, or rounded to nearest even", "[diagonal_matrix]") {
  for (const std::uint64_t pattern : {0x7FC1'2345u, 0xFF80'0000u, 0x8000'0000u, 0x0000'0001u, 0x807F'FFFFu})
    CHECK(bits(converted<float>(from_bits<float>(pattern)).value()) == pattern);
  CHECK(converted<double>(0.1f) == static_cast<double>(0.1f));
  CHECK(converted<double>(-infinity) == -std::numeric_limits<double>::infinity());
  CHECK(std::isnan(converted<double>(not_a_number).value()));
  CHECK(is_nan(converted<float16>(not_a_number).value()));
  CHECK(half_bits(1) == 0x3C00);
  CHECK(half_bits(-0.0f) == 0x8000);
  CHECK(half_bits(2049) == 0x6800);   // between 2048 and 2050: to even
  CHECK(half_bits(2051) == 0x6802);   // between 2050 and 2052
  CHECK(half_bits(65504) == 0x7BFF);  // the greatest
  CHECK(half_bits(65519) == 0x7BFF);
  CHECK(half_bits(65520) == 0x7C00);  // half-way: overflow
  CHECK(half_bits(-1e30f) == 0xFC00);
  CHECK(half_bits(0x1p-24f) == 0x0001);
  CHECK(half_bits(0x1p-25f) == 0x0000);  // half-way to the least subnormal
  CHECK(half_bits(-0x1.8p-25f) == 0x8001);
}

TEST_CASE("DIAGONAL_MATRIX L18: an inexact FLOAT16 may be rounded to either neighbour", "[diagonal_matrix]") {
  for (const float exact : {1.0f, -0.0f, 0.0f, 65504.0f, 0x1p-24f, infinity, -infinity, not_a_number})
    CHECK(neighbour_of(exact) == std::nullopt);
  CHECK(neighbour_of(2049) == 0x6801u);   // golden 2048, also 2050
  CHECK(neighbour_of(2051) == 0x6801u);   // golden 2052, also 2050
  CHECK(neighbour_of(-2049) == 0xE801u);  // the same below zero
  CHECK(neighbour_of(-2051) == 0xE801u);
  CHECK(neighbour_of(65519) == 0x7C00u);  // golden 65504, also infinity
  CHECK(neighbour_of(65520) == 0x7BFFu);  // and vice versa
  CHECK(neighbour_of(1e30f) == 0x7BFFu);
  CHECK(neighbour_of(-1e30f) == 0xFBFFu);
  CHECK(neighbour_of(0x1.8p-25f) == 0x0000u);   // golden the least subnormal
  CHECK(neighbour_of(-0x1.8p-25f) == 0x8000u);  // -0.0
  CHECK(neighbour_of(0x1p-26f) == 0x0001u);     // golden 0
  CHECK(neighbour_of(-0x1p-26f) == 0x8001u);    // golden -0.0
}

TEST_CASE("DIAGONAL_MATRIX L18: FLOAT32 subnormals, also when the processor flushes them", "[diagonal_matrix]") {
  check_conversion_of_subnormals();
  const flush_subnormals flushing;
  check_conversion_of_subnormals();
}
