// ELEMENT_WISE_CLIP as a fused activation, of sums a + b as GEMM computes them; by hand from
// the page, and the ledger (AR-R11, L20, L24, L28).
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/operators/gemm.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/verdicts/gemm.hpp>
#include <goldml/reference/gemm.hpp>

#include "../catch.hpp"
#include "../support/judged.hpp"

namespace {

using namespace goldml;

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

activation fused(std::string_view name, float first = 0, float second = 0) {
  return {.operator_type = find_activation(name)->operator_type, .parameters = {first, second}};
}

float16 half(float x) { return static_cast<float16>(x); }

// {a, b} times a column of ones.
template <class T>
T result(const std::optional<activation>& f, T a, T b) {
  return gemm(reference, tensor<T>({1, 2}, {a, b}), tensor<T>({2, 1}, {T(1.0F), T(1.0F)}), {.fused_activation = f})
      .elements()
      .front();
}

// How a device's answer is judged, by default and strictly.
template <class T>
std::string judged(const gemm_desc& desc, T a, T b, T got) {
  const tensor<T> row({1, 2}, {a, b}), column({2, 1}, {T(1.0F), T(1.0F)}), answer({1, 1}, {got});
  const std::vector<const_tensor_ref> inputs{row.view(), column.view(), {}};
  const std::vector<tensor_desc> outputs{{.data_type = data_type_of<T>, .sizes = {1, 1}}};
  const oracle::golden golden = oracle::expect(desc, std::span<const const_tensor_ref>(inputs), outputs);
  const std::vector<const_tensor_ref> actual{answer.view()};
  return goldml_test::judged(golden, actual);
}

}  // namespace

// min(Max, max(Min, a + b)), rounded once; NaN is Min, -0 is below +0 (L20, L24).
TEST_CASE("A10: fused CLIP: values", "[gemm][fused]") {
  const activation clip = fused("ELEMENT_WISE_CLIP", -1, 6);
  CHECK(result<float>(clip, 1.5F, 2) == 3.5F);
  CHECK(result<float>(clip, 1.5F, 5) == 6);
  CHECK(result<float>(clip, -1.5F, -5) == -1);
  CHECK(result<float>(clip, 1, 0x1p-24F) == 1);  // a tie, to even
  CHECK(result<float>(clip, 6, 0x1p-100F) == 6);
  CHECK(result<float>(clip, infinity, 1) == 6);
  CHECK(result<float>(clip, -infinity, 1) == -1);
  CHECK(result<float>(clip, infinity, -infinity) == -1);
  CHECK(result<float16>(clip, half(5), half(0.5F)) == half(5.5F));
  // 60000 + 60000 overflows FLOAT16, but is clipped first.
  CHECK(result<float16>(fused("ELEMENT_WISE_CLIP", 0, 100), half(60000), half(60000)) == half(100));
  CHECK(result<float16>(fused("ELEMENT_WISE_CLIP", 0, 0.1F), half(1), half(1)) == half(0.1F));
  // Min above Max: Max, for every sum.
  const activation inverted = fused("ELEMENT_WISE_CLIP", 3, -2);
  for (const float x : {-9.0F, 0.0F, 1.0F, 9.0F, infinity, not_a_number}) CHECK(result<float>(inverted, x, 0) == -2);
  // Infinite bounds.
  CHECK(result<float>(fused("ELEMENT_WISE_CLIP", -infinity, infinity), 3, 4) == 7);
  CHECK(result<float>(fused("ELEMENT_WISE_CLIP", -infinity, -infinity), 3, 4) == -infinity);
  CHECK(result<float>(fused("ELEMENT_WISE_CLIP", -infinity, 2), not_a_number, 4) == -infinity);
  // Zeros.
  CHECK(std::signbit(result<float>(fused("ELEMENT_WISE_CLIP", -1, 1), -0.0F, -0.0F)));
  CHECK_FALSE(std::signbit(result<float>(fused("ELEMENT_WISE_CLIP", 0, 1), -0.0F, -0.0F)));
  CHECK_FALSE(std::signbit(result<float>(fused("ELEMENT_WISE_CLIP", -0.0F, 1), 3, -3)));
  CHECK(std::signbit(result<float>(fused("ELEMENT_WISE_CLIP", -1, -0.0F), 3, -3)));
}

TEST_CASE("A10: fused CLIP: what a device may answer", "[gemm][fused]") {
  const gemm_desc clip{.fused_activation = fused("ELEMENT_WISE_CLIP", -1, 6)};
  CHECK(judged(clip, 1.0F, 2.0F, 3.0F) == "aa");
  CHECK(judged(clip, 1.0F, 2.0F, std::nextafter(3.0F, 4.0F)) == "rr");
  // Inside the bounds, a sum that is rounded; at them, none.
  CHECK(judged(clip, 0x1.8p1F, 0x1p-24F, 3.0F) == "aa");
  CHECK(judged(clip, 6.0F, 1.0F, std::nextafter(6.0F, 5.0F)) == "rr");
  CHECK(judged(clip, 6.0F, 1.0F, std::nextafter(6.0F, 7.0F)) == "rr");
  CHECK(judged(clip, 1.0F, 0x1.8p-24F, 1.0F) == "aa");
  CHECK(judged(clip, 1.0F, 0x1.8p-24F, std::nextafter(1.0F, 2.0F)) == "aa");
  // Five roundings in GEMM and one of the sum: up to 1 + 7.5 * 2^-24, stored as 1 + 4 * 2^-23.
  CHECK(judged(clip, 1.0F, 0x1.8p-24F, 1 + 0x4p-23F) == "aa");
  CHECK(judged(clip, 1.0F, 0x1.8p-24F, 1 + 0x5p-23F) == "rr");
  // NaN: Min, Max or NaN.
  for (const float answer : {-1.0F, 6.0F, not_a_number}) CHECK(judged(clip, not_a_number, 1.0F, answer) == "aa");
  CHECK(judged(clip, not_a_number, 1.0F, 6.5F) == "rr");
  CHECK(judged(clip, infinity, 1.0F, 6.0F) == "aa");
  CHECK(judged(clip, infinity, 1.0F, not_a_number) == "rr");
  // Min above Max: either.
  const gemm_desc inverted{.fused_activation = fused("ELEMENT_WISE_CLIP", 3, -2)};
  for (const float answer : {3.0F, -2.0F}) CHECK(judged(inverted, 1.0F, 0.0F, answer) == "aa");
  CHECK(judged(inverted, 1.0F, 0.0F, 3.5F) == "rr");
  // FLOAT32 subnormals, of sums and of bounds, may be flushed.
  CHECK(judged(clip, 0x1p-130F, 0.0F, 0.0F) == "ar");
  const gemm_desc tiny{.fused_activation = fused("ELEMENT_WISE_CLIP", 0x1p-130F, 6)};
  CHECK(judged(tiny, 0.0F, 0.0F, 0x1p-130F) == "aa");
  CHECK(judged(tiny, 0.0F, 0.0F, 0.0F) == "ar");
  CHECK(judged(tiny, 0.0F, 0.0F, -0x1p-140F) == "rr");
  // FLOAT16: a bound between two FLOAT16, 0.1 = 0x2E66.4, may be rounded toward zero. 0.1F is above 0x2E66.
  const gemm_desc tenth{.fused_activation = fused("ELEMENT_WISE_CLIP", 0, 0.10001F)};
  const auto number = [](std::uint16_t bits) { return std::bit_cast<float16>(bits); };
  CHECK(judged(tenth, half(1), half(1), number(0x2E66)) != "rr");
  CHECK(judged(tenth, half(1), half(1), number(0x2E65)) == "rr");
  CHECK(judged(tenth, half(1), half(1), number(0x2E68)) == "rr");
  // Half precision: the bound may be rounded to FLOAT16, 2^-10 relatively. What is not reached does not matter.
  const gemm_desc in_half{.fused_activation = fused("ELEMENT_WISE_CLIP", -3e38F, 6.001F),
                          .accumulation = accumulation::half};
  CHECK(judged(in_half, 7.0F, 1.0F, 6.0F) == "aa");
  CHECK(judged(in_half, 7.0F, 1.0F, 5.99F) == "rr");
  CHECK(judged(in_half, 1.0F, 1.0F, 2.0F) == "aa");
  CHECK(judged(in_half, 1.0F, 1.0F, 2.01F) == "rr");
  // A bound above 65504 may be read as an infinity.
  const gemm_desc outside{.fused_activation = fused("ELEMENT_WISE_CLIP", 1e6F, 2e6F),
                          .accumulation = accumulation::half};
  CHECK(judged(outside, 7.0F, 1.0F, infinity) == "aa");
  CHECK(judged(outside, 7.0F, 1.0F, -infinity) == "rr");
}

// min(Max, max(Min, Scale * (a + b) + Bias)), rounded once (L28).
TEST_CASE("A10: fused CLIP with a ScaleBias", "[gemm][fused]") {
  const auto clip = [](float scale, float bias, float low = -10, float high = 10) {
    activation f = fused("ELEMENT_WISE_CLIP", low, high);
    f.scale_bias = scale_bias{scale, bias};
    return f;
  };
  CHECK(result<float>(clip(2, 1), 1, 2) == 7);
  CHECK(result<float>(clip(2, 1), 2, 3) == 10);
  CHECK(result<float>(clip(-2, 1), 2, 4) == -10);
  CHECK(result<float16>(clip(2, 1), half(1), half(2)) == half(7));
  CHECK(result<float>(clip(4097, -16785408), 4096, 1) == 1);  // the exact sum
  CHECK(result<float>(clip(0.1F, 0.1F, 0, 1), infinity, 1) == 1);
  CHECK(result<float>(clip(0, 1), infinity, 1) == -10);  // NaN is Min
  CHECK(result<float>(clip(1, not_a_number), 1, 1) == -10);
  CHECK(result<float>(clip(1, infinity), 1, 1) == 10);
  CHECK(std::signbit(result<float>(clip(0, -0.0F), -1, 0)));
  CHECK_FALSE(std::signbit(result<float>(clip(0, -0.0F), 1, 0)));
  const auto with = [&](const activation& f, accumulation in = accumulation::single) {
    return gemm_desc{.fused_activation = f, .accumulation = in};
  };
  // Numbers that FLOAT32 holds are exact.
  CHECK(judged(with(clip(2, 1)), 1.0F, 2.0F, 7.0F) == "aa");
  CHECK(judged(with(clip(2, 1)), 1.0F, 2.0F, std::nextafter(7.0F, 8.0F)) == "rr");
  CHECK(judged(with(clip(2, 1)), 1.0F, 2.0F, 3.0F) == "rr");  // forgotten
  CHECK(judged(with(clip(2, 1)), 3.0F, 4.0F, std::nextafter(10.0F, 9.0F)) == "rr");
  // 4097 * 4097 = 16785409, which two roundings make 16785408, or 16785410.
  CHECK(judged(with(clip(4097, -16785408)), 4096.0F, 1.0F, 1.0F) == "aa");
  CHECK(judged(with(clip(4097, -16785408)), 4096.0F, 1.0F, 0.0F) == "aa");
  CHECK(judged(with(clip(4097, -16785408)), 4096.0F, 1.0F, 2.0F) == "aa");
  CHECK(judged(with(clip(4097, -16785408)), 4096.0F, 1.0F, 3.0F) == "rr");
  CHECK(judged(with(clip(4097, -16785408)), 4096.0F, 1.0F, -1.0F) == "rr");
  CHECK(judged(with(clip(4097, -16785408, 0.75F, 10)), 4096.0F, 1.0F, 0.75F) == "aa");  // 0, clipped
  CHECK(judged(with(clip(4097, -16785408, 0.75F, 10)), 4096.0F, 1.0F, 0.5F) == "rr");
  // 0.1 * 3 + 0.2: two roundings of half a unit.
  const float sum = result<float>(clip(0.1F, 0.2F), 1, 2);
  CHECK(judged(with(clip(0.1F, 0.2F)), 1.0F, 2.0F, std::nextafter(sum, 1.0F)) == "aa");
  CHECK(judged(with(clip(0.1F, 0.2F)), 1.0F, 2.0F, sum + 0x1p-22F) == "rr");
  CHECK(judged(with(clip(0.1F, 0.2F)), 1.0F, 2.0F, sum - 0x1p-22F) == "rr");
  // The product overflows although the result does not: -inf is clipped. So does an infinite Bias: NaN.
  CHECK(judged(with(clip(-3e38F, 3e38F)), 1.0F, 1.0F, -10.0F) == "aa");
  CHECK(judged(with(clip(3e38F, -infinity)), 1.0F, 1.0F, not_a_number) == "aa");
  CHECK(judged(with(clip(1, -infinity)), 1.0F, 1.0F, not_a_number) == "rr");
  CHECK(judged(with(clip(1, -infinity)), 1.0F, 1.0F, -10.0F) == "aa");
  // NaN: Min, Max or NaN.
  for (const float answer : {-10.0F, 10.0F, not_a_number})
    CHECK(judged(with(clip(0, 1)), infinity, 1.0F, answer) == "aa");
  CHECK(judged(with(clip(0, 1)), infinity, 1.0F, 11.0F) == "rr");
  CHECK(judged(with(clip(0, 1)), 1.0F, 1.0F, not_a_number) == "rr");
  // Subnormals: of Scale, of the product, of Bias.
  CHECK(judged(with(clip(0x1p-130F, 0)), 0x1p100F, 0.0F, 0x1p-30F) == "aa");
  CHECK(judged(with(clip(0x1p-130F, 0)), 0x1p100F, 0.0F, 0.0F) == "ar");
  CHECK(judged(with(clip(0x1p-100F, 0)), 0x1p-30F, 0.0F, 0.0F) == "ar");
  CHECK(judged(with(clip(1, 0x1p-130F)), 0.0F, 0.0F, 0.0F) == "ar");
  CHECK(judged(with(clip(0x1p-130F, 0)), infinity, 0.0F, not_a_number) == "ar");
  // FLOAT16: the steps have 11 bits, and Scale and Bias may have. 0.1 * 3 + 0.2 = 0.5 is off by 2^-10 of each step.
  CHECK(judged(with(clip(0.1F, 0.2F)), half(1), half(2), half(0.5F)) == "aa");
  CHECK(judged(with(clip(0.1F, 0.2F)), half(1), half(2), half(0.50098F)) != "rr");
  CHECK(judged(with(clip(0.1F, 0.2F)), half(1), half(2), half(0.504F)) == "rr");
  CHECK(judged(with(clip(2, 1)), half(1), half(2), half(7.004F)) == "rr");
  CHECK(judged(with(clip(30000, -60000)), half(1), half(2), half(10)) == "aa");  // 90000 - 60000
  // Half precision.
  CHECK(judged(with(clip(0.1F, 0.2F), accumulation::half), 1.0F, 2.0F, 0.5009F) == "aa");
  CHECK(judged(with(clip(0.1F, 0.2F)), 1.0F, 2.0F, 0.5009F) == "rr");
  CHECK(judged(with(clip(0.1F, 0.2F), accumulation::half), 1.0F, 2.0F, 0.504F) == "rr");
  CHECK(judged(with(clip(2, 1), accumulation::half), 1.0F, 2.0F, 7.03F) == "rr");
  // Scale and Bias above 65504 may be 65504 or an infinity.
  CHECK(judged(with(clip(1e5F, 1), accumulation::half), 0.0F, 0.0F, not_a_number) == "aa");
  CHECK(judged(with(clip(1e5F, 1), accumulation::half), 0.0F, 0.0F, 11.0F) == "rr");
  CHECK(judged(with(clip(1e5F, 1), accumulation::half), 1e-3F, 0.0F, 10.0F) == "aa");
  CHECK(judged(with(clip(1e5F, 1), accumulation::half), 1e-3F, 0.0F, not_a_number) == "rr");
  CHECK(judged(with(clip(1e5F, 0, 0, 6)), half(1), half(0), half(6)) == "aa");
  for (const float wrong : {3.0F, 0.0F, not_a_number})
    CHECK(judged(with(clip(1e5F, 0, 0, 6)), half(1), half(0), half(wrong)) == "rr");
  // 2^-9 times 1e5, 65504 or an infinity: 195, 128 or 1000.
  for (const float right : {195.25F, 128.0F, 1000.0F})
    CHECK(judged(with(clip(1e5F, 0, 0, 1000)), half(0x1p-9F), half(0), half(right)) == "aa");
  for (const float wrong : {120.0F, not_a_number})
    CHECK(judged(with(clip(1e5F, 0, 0, 1000)), half(0x1p-9F), half(0), half(wrong)) == "rr");
  for (const float right : {-6.0F, 6.0F, 3.0F, not_a_number})  // 1e5 - 1e5, or inf - inf
    CHECK(judged(with(clip(1e5F, -1e5F, -6, 6)), half(1), half(0), half(right)) == "aa");
  CHECK(judged(with(clip(1, 1e5F, 0, 6)), half(-1), half(0), half(6)) == "aa");
  for (const float wrong : {0.0F, not_a_number})
    CHECK(judged(with(clip(1, 1e5F, 0, 6)), half(-1), half(0), half(wrong)) == "rr");
  CHECK(judged(with(clip(2, -1e5F, 0, 6)), half(40000), half(0), half(not_a_number)) == "aa");  // 80000 is infinite
  // An infinite product and a Bias that FLOAT16 has as the other infinity: NaN.
  const float16 nan16 = half(not_a_number);
  for (const float16 answer : {half(-1), half(1), nan16}) {
    CHECK(judged(with(clip(1, -70000, -1, 1)), half(infinity), half(1), answer) == "aa");
    CHECK(judged(with(clip(-1, 70000, -1, 1)), half(infinity), half(1), answer) == "aa");
    CHECK(judged(with(clip(infinity, -70000, -1, 1)), half(1), half(2), answer) == "aa");
  }
  CHECK(judged(with(clip(1, -70000, -1, 1)), half(infinity), half(1), half(2)) == "rr");
  for (const float16 answer : {half(-1), nan16}) {
    CHECK(judged(with(clip(1, 70000, -1, 1)), half(infinity), half(1), answer) == "rr");
    CHECK(judged(with(clip(1, -65000, -1, 1)), half(infinity), half(1), answer) == "rr");
    CHECK(judged(with(clip(infinity, 70000, -1, 1)), half(1), half(2), answer) == "rr");
  }
  CHECK(judged(with(clip(1, -70000, -1, 1)), infinity, 1.0F, not_a_number) == "rr");
  CHECK(judged(with(clip(1, -70000, -1, 1), accumulation::half), infinity, 1.0F, not_a_number) == "aa");
  // An infinite Bias, and a product that overflows: NaN only where their signs differ.
  CHECK(judged(with(clip(1e38F, infinity, 0, 1)), 500.0F, 500.0F, 1.0F) == "aa");
  CHECK(judged(with(clip(-1e38F, infinity, 0, 1)), 500.0F, 500.0F, not_a_number) == "aa");
  for (const float answer : {0.0F, 0.5F, not_a_number})
    CHECK(judged(with(clip(1e38F, infinity, 0, 1)), 500.0F, 500.0F, answer) == "rr");
  CHECK(judged(with(clip(1e5F, infinity)), half(1), half(2), nan16) == "rr");
  CHECK(judged(with(clip(1e5F, infinity)), half(1), half(-1), nan16) == "aa");  // 0 * inf
  CHECK(judged(with(clip(1e5F, infinity)), half(-1), half(-2), nan16) == "aa");
  CHECK(judged(with(clip(1e5F, -infinity)), half(1), half(2), nan16) == "aa");
  // Min above Max.
  for (const float answer : {3.0F, -2.0F}) CHECK(judged(with(clip(2, 1, 3, -2)), 1.0F, 0.0F, answer) == "aa");
  CHECK(judged(with(clip(2, 1, 3, -2)), 1.0F, 0.0F, 3.5F) == "rr");
}
