// ELEMENT_WISE_ADD1: sums with a fused activation, what a device may answer, and the rules; by hand from its page, the
// pages of the activations and the ledger (AR-R1, AR-R4 to AR-R7, AR-R11).
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <goldml/operators/element_wise.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/reference/element_wise.hpp>

#include "../catch.hpp"
#include "../support/judged.hpp"
#include "../support/refusals.hpp"

namespace {

using namespace goldml;
using level = goldml::feature_level;

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

activation fused(std::string_view name, float first = 0, float second = 0) {
  return {.operator_type = find_activation(name)->operator_type, .parameters = {first, second}};
}
const activation relu = fused("ACTIVATION_RELU"), sigmoid = fused("ACTIVATION_SIGMOID"),
                 tanh_ = fused("ACTIVATION_TANH"), elu = fused("ACTIVATION_ELU", 0.5F),
                 linear = fused("ACTIVATION_LINEAR", 2, -1);

float16 half(float x) { return static_cast<float16>(x); }

template <class T>
T result(const std::optional<activation>& f, T a, T b) {
  return element_wise_add1(reference, tensor<T>({1}, {a}), tensor<T>({1}, {b}), {.fused_activation = f})
      .elements()
      .front();
}

// How a device's answer is judged, by default and strictly: r refused, s suspicious, z rounded toward zero, a accepted.
template <class T>
std::string judged(const element_wise_add1_desc& desc, T a, T b, T got) {
  const tensor_desc one{.data_type = data_type_of<T>, .sizes = {1}};
  const std::array inputs{const_tensor_ref(one, &a, sizeof a), const_tensor_ref(one, &b, sizeof b)};
  const std::array outputs{one};
  const oracle::golden golden = oracle::expect(desc, std::span<const const_tensor_ref>(inputs), outputs);
  const std::array actual{const_tensor_ref(one, &got, sizeof got)};
  return goldml_test::judged(golden, actual);
}
template <class T>
std::string judged(const std::optional<activation>& f, T a, T b, T got) {
  return judged(element_wise_add1_desc{.fused_activation = f}, a, b, got);
}

tensor_desc of(data_type type, const dimensions& sizes = {2, 3}) { return {.data_type = type, .sizes = sizes}; }
constexpr data_type f32 = data_type::float32, f16 = data_type::float16;

std::string refused(const element_wise_add1_desc& desc, const tensor_desc& a = of(f32), const tensor_desc& b = of(f32),
                    const tensor_desc& output = of(f32)) {
  return goldml_test::refused(
      64, desc, [&](const auto&... t) { element_wise_add1(reference, t..., desc); }, a, b, output);
}

}  // namespace

TEST_CASE("ADD1: without an activation it is ADD", "[add1]") {
  CHECK(result<float>({}, 16777216.0F, 1.0F) == 16777216.0F);
  CHECK(result<float>({}, 16777218.0F, 1.0F) == 16777220.0F);
  CHECK(std::signbit(result<float>({}, -0.0F, -0.0F)));
  CHECK(!std::signbit(result<float>({}, 1.0F, -1.0F)));
  CHECK(result<float>({}, infinity, 1.0F) == infinity);
  CHECK(std::isnan(result<float>({}, infinity, -infinity)));
  CHECK(static_cast<float>(result<float16>({}, half(2048), half(1))) == 2048);
  CHECK(judged<float>(std::nullopt, 1.0F, 2.0F, 3.0F) == "aa");
  CHECK(judged<float>(std::nullopt, 1.0F, 2.0F, 3.0000002F) == "rr");
  // 1.5 * 2^-126 - 2^-126 may be flushed.
  CHECK(judged<float>(std::nullopt, 0x1.8p-126F, -0x1p-126F, 0.0F) == "ar");
}

TEST_CASE("ADD1: the activation of the exact sum, rounded once", "[add1]") {
  CHECK(result(std::optional(relu), -3.0F, 1.0F) == 0);
  CHECK(result(std::optional(relu), 3.0F, 1.0F) == 4);
  CHECK(result(std::optional(elu), -1.5F, -0.5F) == -0.43233237F);
  CHECK(result(std::optional(sigmoid), 2.0F, -2.0F) == 0.5F);
  CHECK(result(std::optional(tanh_), 0.25F, 0.75F) == 0.7615942F);
  CHECK(result(std::optional(linear), 1.0F, 2.0F) == 5);
  // The sum is 2^24 + 1, which FLOAT32 does not hold; less 2^24 it is 1.
  CHECK(result(std::optional(fused("ACTIVATION_LINEAR", 1, -16777216)), 16777216.0F, 1.0F) == 1);
  CHECK(static_cast<float>(result(std::optional(fused("ACTIVATION_LINEAR", 1, -2048)), half(2048), half(1))) == 1);
  CHECK(result(std::optional(fused("ACTIVATION_THRESHOLDED_RELU", 16777216)), 16777216.0F, 0x1p-149F) == 16777216);
  CHECK(result(std::optional(fused("ACTIVATION_SHRINK", 1, 2)), 1.0F, 1.0F) == 0);
  CHECK(result(std::optional(fused("ACTIVATION_SHRINK", 1, 2)), 2.0F, 1.0F) == 2);
  CHECK(result(std::optional(sigmoid), infinity, 1.0F) == 1);
  CHECK(result(std::optional(relu), infinity, -infinity) == 0);
  CHECK(std::isnan(result(std::optional(sigmoid), not_a_number, 1.0F)));
  CHECK(result(std::optional(fused("ACTIVATION_HARD_SIGMOID", 0.5F, 0.25F)), 3e38F, 3e38F) == 1);
}

TEST_CASE("ADD1: what a device may answer", "[add1]") {
  // Sums that FLOAT32 holds, and functions that do not round them.
  CHECK(judged(std::optional(relu), 1.0F, 2.0F, 3.0F) == "aa");
  CHECK(judged(std::optional(relu), 1.0F, 2.0F, 3.0000002F) == "rr");
  CHECK(judged(std::optional(relu), -1.0F, -2.0F, -3.0F) == "rr");  // forgotten
  CHECK(judged(std::optional(relu), -1.0F, -2.0F, 0.0F) == "aa");
  // ELU(0.5) at -2: E = 1.7e-7, 5.6 units in the last place.
  CHECK(judged(std::optional(elu), -1.5F, -0.5F, -0.43233237F + 5 * 0x1p-25F) == "aa");
  CHECK(judged(std::optional(elu), -1.5F, -0.5F, -0.43233237F + 7 * 0x1p-25F) == "rr");
  // The sum may be rounded first: 2^24 + 1 - 2^24 may be 0.
  const std::optional<activation> shifted = fused("ACTIVATION_LINEAR", 1, -16777216);
  CHECK(judged(shifted, 16777216.0F, 1.0F, 0.0F) == "aa");
  CHECK(judged(shifted, 16777216.0F, 1.0F, 1.0F) == "aa");
  CHECK(judged(shifted, 16777216.0F, 1.0F, 8.0F) == "rr");
  const std::optional<activation> shifted_half = fused("ACTIVATION_LINEAR", 1, -2048);
  CHECK(judged(shifted_half, half(2048), half(1), half(0)) == "aa");
  CHECK(judged(shifted_half, half(2048), half(1), half(4)) == "rr");
  // An infinite sum: 3e38 + 3e38 overflows, and SOFTSIGN of infinity is NaN.
  const std::optional<activation> softsign = fused("ACTIVATION_SOFTSIGN");
  CHECK(judged(softsign, 3e38F, 3e38F, not_a_number) == "aa");
  CHECK(judged(softsign, 3e38F, 3e38F, 1.0F) == "aa");
  CHECK(judged(softsign, 1e37F, 1e37F, not_a_number) == "rr");
  // NaN: RELU may keep it.
  CHECK(judged(std::optional(relu), infinity, -infinity, not_a_number) == "aa");
  CHECK(judged(std::optional(relu), infinity, -infinity, 0.0F) == "aa");
  CHECK(judged(std::optional(relu), infinity, -infinity, 1.0F) == "rr");
  // Subnormals: 2^-127 + 2^-127 is 2^-126, or 0 if they are flushed.
  CHECK(judged(std::optional(relu), 0x1p-127F, 0x1p-127F, 0.0F) == "ar");
  CHECK(judged(std::optional(relu), 0x1p-127F, 0x1p-127F, 0x1p-126F) == "aa");
  const std::optional<activation> scaled = fused("ACTIVATION_LINEAR", 0x1p100F, 0);
  CHECK(judged(scaled, 0x1p-127F, 0x1p-127F, 0.0F) == "ar");
  // SHRINK of 1 with Bias 1 is exactly 0.
  const std::optional<activation> shrunk = fused("ACTIVATION_SHRINK", 1, 0.5F);
  CHECK(judged(shrunk, 0.25F, 0.75F, 0.0F) == "aa");
  CHECK(judged(shrunk, 0.25F, 0.75F, 0x1p-149F) == "ar");
  CHECK(judged(shrunk, -0.25F, -0.75F, -0x1p-149F) == "ar");
  CHECK(judged(shrunk, 0.25F, 0.75F, 0x1p-124F) == "rr");
  CHECK(judged(shrunk, half(0.25F), half(0.75F), half(0x1p-24F)) == "rr");
  // 1 + 7 * 2^-57 - 1 is 7 * 2^-57, and 2^-54 with one digit more than a double's.
  CHECK(judged(shrunk, 1.0F, 0x1.cp-55F, 0x1.cp-55F) == "aa");
  CHECK(judged(shrunk, 1.0F, 0x1.cp-55F, 0x1p-54F) == "aa");
  CHECK(judged(shrunk, 1.0F, 0x1.cp-55F, 0x1p-40F) == "rr");
  // Half precision.
  const element_wise_add1_desc in_half{.fused_activation = tanh_, .accumulation = accumulation::half};
  CHECK(judged(in_half, 0.25F, 0.75F, 0.7641F) == "aa");
  CHECK(judged(std::optional(tanh_), 0.25F, 0.75F, 0.7641F) == "rr");
  CHECK(judged(in_half, 0.25F, 0.75F, 0.80F) == "rr");
  CHECK(judged(in_half, 70000.0F, 0.75F, 1.0F) == "aa");  // 70000 may be read as an infinity
  CHECK(judged(in_half, 70000.0F, 0.75F, 0.5F) == "rr");
}

// min(Max, max(Min, a + b)), rounded once; NaN is Min, -0 is below +0 (L20, L24).
TEST_CASE("ADD1 with CLIP: values", "[add1]") {
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

TEST_CASE("ADD1 with CLIP: what a device may answer", "[add1]") {
  const element_wise_add1_desc clip{.fused_activation = fused("ELEMENT_WISE_CLIP", -1, 6)};
  CHECK(judged(clip, 1.0F, 2.0F, 3.0F) == "aa");
  CHECK(judged(clip, 1.0F, 2.0F, std::nextafter(3.0F, 4.0F)) == "rr");
  // Inside the bounds, a sum that is rounded; at them, none.
  CHECK(judged(clip, 0x1.8p1F, 0x1p-24F, 3.0F) == "aa");
  CHECK(judged(clip, 6.0F, 1.0F, std::nextafter(6.0F, 5.0F)) == "rr");
  CHECK(judged(clip, 6.0F, 1.0F, std::nextafter(6.0F, 7.0F)) == "rr");
  // 1 + 2^-24 is rounded to 1 or, beside it, twice.
  CHECK(judged(clip, 1.0F, 0x1.8p-24F, 1.0F) == "aa");
  CHECK(judged(clip, 1.0F, 0x1.8p-24F, std::nextafter(1.0F, 2.0F)) == "aa");
  CHECK(judged(clip, 1.0F, 0x1.8p-24F, 1.0000004F) == "rr");
  // NaN: Min, Max or NaN.
  for (const float answer : {-1.0F, 6.0F, not_a_number}) CHECK(judged(clip, not_a_number, 1.0F, answer) == "aa");
  CHECK(judged(clip, not_a_number, 1.0F, 6.5F) == "rr");
  CHECK(judged(clip, infinity, 1.0F, 6.0F) == "aa");
  CHECK(judged(clip, infinity, 1.0F, not_a_number) == "rr");
  // Min above Max: either.
  const element_wise_add1_desc inverted{.fused_activation = fused("ELEMENT_WISE_CLIP", 3, -2)};
  for (const float answer : {3.0F, -2.0F}) CHECK(judged(inverted, 1.0F, 0.0F, answer) == "aa");
  CHECK(judged(inverted, 1.0F, 0.0F, 3.5F) == "rr");
  // FLOAT32 subnormals, of sums and of bounds, may be flushed.
  CHECK(judged(clip, 0x1p-130F, 0.0F, 0.0F) == "ar");
  const element_wise_add1_desc tiny{.fused_activation = fused("ELEMENT_WISE_CLIP", 0x1p-130F, 6)};
  CHECK(judged(tiny, 0.0F, 0.0F, 0x1p-130F) == "aa");
  CHECK(judged(tiny, 0.0F, 0.0F, 0.0F) == "ar");
  CHECK(judged(tiny, 0.0F, 0.0F, -0x1p-140F) == "rr");
  // FLOAT16: a bound between two FLOAT16, 0.1 = 0x2E66.4, may be rounded toward zero. 0.1F is above 0x2E66.
  const element_wise_add1_desc tenth{.fused_activation = fused("ELEMENT_WISE_CLIP", 0, 0.10001F)};
  const auto number = [](std::uint16_t bits) { return std::bit_cast<float16>(bits); };
  CHECK(judged(tenth, half(1), half(1), number(0x2E66)) != "rr");
  CHECK(judged(tenth, half(1), half(1), number(0x2E65)) == "rr");
  CHECK(judged(tenth, half(1), half(1), number(0x2E68)) == "rr");
  // Half precision: the bound may be rounded to FLOAT16, 2^-10 relatively. What is not reached does not matter.
  const element_wise_add1_desc in_half{.fused_activation = fused("ELEMENT_WISE_CLIP", -3e38F, 6.001F),
                                       .accumulation = accumulation::half};
  CHECK(judged(in_half, 7.0F, 1.0F, 6.0F) == "aa");
  CHECK(judged(in_half, 7.0F, 1.0F, 5.99F) == "rr");
  CHECK(judged(in_half, 1.0F, 1.0F, 2.0F) == "aa");
  CHECK(judged(in_half, 1.0F, 1.0F, 2.01F) == "rr");
  // A bound above 65504 may be read as an infinity.
  const element_wise_add1_desc outside{.fused_activation = fused("ELEMENT_WISE_CLIP", 1e6F, 2e6F),
                                       .accumulation = accumulation::half};
  CHECK(judged(outside, 7.0F, 1.0F, infinity) == "aa");
  CHECK(judged(outside, 7.0F, 1.0F, -infinity) == "rr");
}

// min(Max, max(Min, Scale * (a + b) + Bias)), rounded once (L28).
TEST_CASE("ADD1 with CLIP and a ScaleBias", "[add1]") {
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
    return element_wise_add1_desc{.fused_activation = f, .accumulation = in};
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

TEST_CASE("A10: an activation is fused only at the levels at which it exists (AR8)", "[add1]") {
  constexpr std::uint32_t shrink_type = 90, celu_type = 128, relu_type = 44;
  const auto is_fused = [](std::uint32_t type, feature_level level) {
    return detail::is_fused_by(type, detail::fusing_operator::any, level);
  };
  CHECK_FALSE(is_fused(celu_type, feature_level::level_2_1));
  CHECK(is_fused(celu_type, feature_level::level_3_0));
  CHECK_FALSE(is_fused(shrink_type, feature_level::level_1_0));
  CHECK(is_fused(shrink_type, feature_level::level_2_0));
  CHECK(is_fused(relu_type, feature_level::level_1_0));
}

TEST_CASE("ADD1 AR1 AR2 AR3 AR7 AR8 AR9 AR10", "[add1]") {
  CHECK(refused({}) == "");
  CHECK(refused({.fused_activation = relu}) == "");
  CHECK(refused({}, of(f32), of(f16)) == "AR1");
  CHECK(refused({}, of(f32), of(f32, {1, 2, 3})) == "AR2");
  CHECK(refused({}, of(f32), of(f32), of(f32, {2, 4})) == "AR3");
  const auto with = [](std::uint32_t type, float parameter = 1) {
    return std::optional(activation{.operator_type = type, .parameters = {parameter, 1}});
  };
  std::optional<activation> bound = relu;
  bound->has_tensors = true;
  CHECK(refused({.fused_activation = bound}) == "AR7");
  CHECK(refused({.fused_activation = with(36)}) == "AR8");   // HARDMAX
  CHECK(refused({.fused_activation = with(48)}) == "AR8");   // SOFTMAX is for GEMM
  CHECK(refused({.fused_activation = with(158)}) == "AR8");  // SOFTMAX1
  CHECK(refused({.fused_activation = with(8)}) == "");       // ELEMENT_WISE_CLIP
  std::optional<activation> adjusted = with(8);
  adjusted->scale_bias = scale_bias{infinity, not_a_number};
  CHECK(refused({.fused_activation = adjusted}) == "");
  const tensor_desc four = of(f32, {1, 1, 2, 3});
  CHECK(refused({.fused_activation = with(8), .feature_level = level::level_2_0}, four, four, four) == "AR8");
  CHECK(refused({.fused_activation = with(35, infinity)}) == "AR9");
  CHECK(refused({.fused_activation = with(49, 0.5F)}) == "");
  CHECK(refused({.fused_activation = with(49, 0.5F), .feature_level = level::level_6_3}) == "AR10");
  // An integer type is T3 already (AR6).
  const tensor_desc integers = of(data_type::int32);
  CHECK(refused({.fused_activation = relu}, integers, integers, integers) == "T3 T3 T3");
  CHECK(to_string(goldml_test::only_violation(element_wise_add1_desc{.fused_activation = with(48)}, of(f32), of(f32),
                                              of(f32))) ==
        "ELEMENT_WISE_ADD1 AR8: FusedActivation is ACTIVATION_SOFTMAX, wanted an activation that this operator fuses "
        "(at feature level 6_4)");
}
