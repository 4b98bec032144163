// ELEMENT_WISE_ADD1: sums with a fused activation, what a device may answer, and the rules; by hand from its page, the
// pages of the activations and the ledger (AR-R1, AR-R4 to AR-R7, AR-R11).
#include <array>
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

TEST_CASE("A10: an activation is fused only at the levels at which it exists (AR8)", "[add1]") {
  constexpr std::uint32_t shrink_type = 90, celu_type = 128, relu_type = 44;
  const auto is_fused = [](std::uint32_t type, feature_level level) {
    return detail::is_fused_by(type, detail::fusing_operator::element_wise, level);
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
  CHECK(refused({.fused_activation = with(8)}) == "AR8");    // ELEMENT_WISE_CLIP is for CONVOLUTION and GEMM
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
