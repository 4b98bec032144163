// The activations: results and what a device may answer, by numbers written down from their pages and the ledger
// (AR-R1, AR-R4 to AR-R7, AR-R9, AR-R10), and their rules.
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <goldml/operators/activations.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/reference/activations.hpp>

#include "../catch.hpp"
#include "../core/flush_subnormals.hpp"
#include "../support/judged.hpp"
#include "../support/refusals.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using level = goldml::feature_level;

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

float16 half(float x) { return static_cast<float16>(x); }

template <arithmetic::activation_type F, class T>
T result(const activation_desc<F>& desc, T x) {
  return activation_function<F>{}(reference, tensor<T>({1}, {x}), desc).elements().front();
}
template <class Desc>
std::uint32_t bits(const Desc& desc, float x) {
  return std::bit_cast<std::uint32_t>(result(desc, x));
}

// How a device's answer is judged, by default and strictly: r refused, s suspicious, z rounded toward zero, a accepted.
// With options a single letter.
template <class Desc, class T, class... Options>
auto judged(const Desc& desc, T x, T got, const Options&... options) {
  const tensor_desc one{.data_type = data_type_of<T>, .sizes = {1}};
  const std::array inputs{const_tensor_ref(one, &x, sizeof x)};
  const std::array outputs{one};
  const oracle::golden golden = oracle::expect(desc, std::span<const const_tensor_ref>(inputs), outputs);
  const std::array actual{const_tensor_ref(one, &got, sizeof got)};
  return goldml_test::judged(golden, actual, options...);
}

tensor_desc of(data_type type, const dimensions& sizes = {2, 3}) { return {.data_type = type, .sizes = sizes}; }

template <arithmetic::activation_type F, class... Tensors>
std::string refused(const activation_desc<F>& desc, const Tensors&... tensors) {
  return goldml_test::refused(
      64, desc, [&](const auto&... t) { activation_function<F>{}(reference, t..., desc); }, tensors...);
}

const activation_relu_desc relu;
const activation_sigmoid_desc sigmoid;
const activation_tanh_desc hyperbolic;
const activation_identity_desc identity;
const activation_softsign_desc softsign;

}  // namespace

TEST_CASE("activations: values", "[activations]") {
  CHECK(result(relu, -3.0F) == 0);
  CHECK(result(relu, 3.0F) == 3);
  CHECK(result(relu, std::int8_t{-128}) == 0);
  CHECK(result(relu, std::int16_t{7}) == 7);
  CHECK(result(activation_leaky_relu_desc{.alpha = 0.5F}, -3.0F) == -1.5F);
  CHECK(result(activation_leaky_relu_desc{.alpha = 0.5F}, 3.0F) == 3);
  CHECK(result(activation_linear_desc{.alpha = 2, .beta = -0.5F}, 3.0F) == 5.5F);
  CHECK(result(activation_hard_sigmoid_desc{.alpha = 0.5F, .beta = 0.25F}, 1.0F) == 0.75F);
  CHECK(result(activation_hard_sigmoid_desc{.alpha = 0.5F, .beta = 0.25F}, 2.0F) == 1);
  CHECK(result(activation_hard_sigmoid_desc{.alpha = 0.5F, .beta = 0.25F}, -2.0F) == 0);
  CHECK(result(activation_elu_desc{.alpha = 0.5F}, -2.0F) == -0.43233237F);
  CHECK(result(activation_elu_desc{.alpha = 0.5F}, 2.0F) == 2);
  CHECK(result(activation_celu_desc{.alpha = 2}, -2.0F) == -1.2642411F);  // 2 * (1/e - 1)
  CHECK(result(activation_scaled_elu_desc{.alpha = 2, .gamma = 3}, -1.0F) == -3.7927234F);
  CHECK(result(activation_scaled_elu_desc{.alpha = 2, .gamma = 3}, 1.0F) == 3);
  CHECK(result(sigmoid, 0.0F) == 0.5F);
  CHECK(result(sigmoid, 1.0F) == 0.7310586F);
  CHECK(result(hyperbolic, 1.0F) == 0.7615942F);
  CHECK(result(activation_scaled_tanh_desc{.alpha = 2, .beta = 0.5F}, 2.0F) == 1.5231884F);
  CHECK(result(softsign, -3.0F) == -0.75F);
  CHECK(result(activation_softplus_desc{}, 0.0F) == 0.6931472F);
  CHECK(result(activation_softplus_desc{.steepness = 2}, 0.5F) == 0.6566308F);                   // ln(1 + e) / 2
  CHECK(result(activation_parametric_softplus_desc{.alpha = 3, .beta = 2}, 0.5F) == 3.939785F);  // 3 ln(1 + e)
  CHECK(result(hyperbolic, half(1)) == half(0.76171875F));
}

TEST_CASE("activations: LINEAR is rounded once", "[activations]") {
  // (1 + 2^-12)(1 - 2^-12 + 2^-24) = 1 + 2^-36: 1 + 2^-24 + 2^-60 is above the middle of two FLOAT32, and as a double
  // it is the middle.
  const activation_linear_desc above{.alpha = 0x1.001p-24F, .beta = 1};
  CHECK(result(above, 0x1.ffe002p-1F) == 0x1.000002p0F);
  CHECK(result(activation_linear_desc{.alpha = 0x1p-24F, .beta = 1}, 1.0F) == 1);
  CHECK(result(activation_linear_desc{.alpha = 0x1.002p0F, .beta = 0x1p-60F}, half(1)) == half(0x1.004p0F));
  CHECK(result(activation_linear_desc{.alpha = 0x1.002p0F, .beta = -0x1p-60F}, half(1)) == half(1));
}

TEST_CASE("activations: NaN and infinities (AR-R4)", "[activations]") {
  CHECK(bits(relu, not_a_number) == 0);
  CHECK(bits(activation_hard_sigmoid_desc{}, not_a_number) == 0x3F80'0000);
  CHECK(bits(activation_celu_desc{}, not_a_number) == 0);
  for (const std::uint32_t nan :
       {bits(sigmoid, not_a_number), bits(hyperbolic, -not_a_number), bits(activation_leaky_relu_desc{}, not_a_number),
        bits(activation_elu_desc{}, not_a_number), bits(softsign, infinity), bits(softsign, -infinity),
        bits(activation_linear_desc{.alpha = 0}, infinity), bits(activation_leaky_relu_desc{.alpha = 0}, -infinity)})
    CHECK(nan == 0x7FC0'0000);
  CHECK(bits(identity, std::bit_cast<float>(0xFFA1'2345U)) == 0xFFA1'2345);  // bits are moved
  CHECK(result(sigmoid, -infinity) == 0);
  CHECK(result(hyperbolic, -infinity) == -1);
  CHECK(result(activation_elu_desc{.alpha = 3}, -infinity) == -3);
  CHECK(result(activation_softplus_desc{}, infinity) == infinity);
  CHECK(result(activation_softplus_desc{}, -infinity) == 0);
  CHECK(judged(relu, not_a_number, 0.0F) == "aa");
  CHECK(judged(relu, not_a_number, not_a_number) == "aa");
  CHECK(judged(relu, not_a_number, 1.0F) == "rr");
  CHECK(judged(activation_hard_sigmoid_desc{}, not_a_number, 0.0F) == "aa");
  CHECK(judged(activation_hard_sigmoid_desc{}, not_a_number, not_a_number) == "aa");
  CHECK(judged(activation_hard_sigmoid_desc{}, not_a_number, -1.0F) == "rr");
  CHECK(judged(softsign, infinity, 1.0F) == "rr");
  CHECK(judged(softsign, infinity, not_a_number) == "aa");
  CHECK(judged(hyperbolic, not_a_number, 0.0F) == "rr");
  CHECK(judged(identity, 1.0F, not_a_number) == "rr");
}

TEST_CASE("activations: parameters of 0 (AR-R9)", "[activations]") {
  const activation_celu_desc celu{.alpha = 0};  // max(0, x)
  CHECK(result(celu, -2.0F) == 0);
  CHECK(result(celu, 2.0F) == 2);
  CHECK(judged(celu, -2.0F, 0.0F) == "aa");
  CHECK(judged(celu, -2.0F, -1.0F) == "rr");
  const activation_softplus_desc softplus{.steepness = 0};  // ln 2 / 0
  CHECK(result(softplus, 5.0F) == infinity);
  CHECK(bits(softplus, infinity) == 0x7FC0'0000);
  CHECK(result(activation_elu_desc{.alpha = 0}, -2.0F) == 0);
  CHECK(result(activation_parametric_softplus_desc{.alpha = 1, .beta = 0}, 9.0F) == 0.6931472F);
}

TEST_CASE("activations verdicts: intervals", "[activations]") {
  const auto beside = [](float x, int units) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) + static_cast<std::uint32_t>(units));
  };
  // E = 0.5 * e^-2 * (2^-21 + 2^-21) + 2^-22 * 0.4323 = 1.68e-7, 5.6 units in the last place.
  const activation_elu_desc elu{.alpha = 0.5F};
  for (const int units : {-5, 0, 5}) CHECK(judged(elu, -2.0F, beside(-0.43233237F, units)) == "aa");
  for (const int units : {-7, 7}) CHECK(judged(elu, -2.0F, beside(-0.43233237F, units)) == "rr");
  CHECK(judged(elu, 2.0F, beside(2, 1)) == "rr");  // x itself
  CHECK(judged(relu, 2.0F, beside(2, 1)) == "rr");
  CHECK(judged(identity, 2.0F, beside(2, -1)) == "rr");
  // E = 2^-24 * 0.3
  const activation_leaky_relu_desc leaky{.alpha = 0.1F};
  CHECK(judged(leaky, -3.0F, result(leaky, -3.0F)) == "aa");
  CHECK(judged(leaky, -3.0F, beside(result(leaky, -3.0F), 2)) == "rr");
  CHECK(judged(sigmoid, -200.0F, 0.0F) == "aa");
  CHECK(judged(sigmoid, -200.0F, -0x1p-127F) == "rr");
  CHECK(judged(activation_softplus_desc{}, 89.0F, infinity) == "or");  // e^89 overflows
  CHECK(judged(activation_softplus_desc{}, 80.0F, infinity) == "rr");
  CHECK(judged(activation_linear_desc{.alpha = 2, .beta = -3e38F}, 3e38F, infinity) == "or");
  CHECK(judged(activation_linear_desc{.alpha = 1, .beta = -3e38F}, 3e38F, infinity) == "rr");
  // sigmoid(1) = 0.731059 is between 0.730957 and 0.731445.
  CHECK(judged(sigmoid, half(1), half(0.73095703F)) == "aa");
  CHECK(judged(sigmoid, half(1), half(0.73046875F)) == "rr");
  CHECK(judged(sigmoid, half(1), half(0.73144531F)) == "rr");
  CHECK(judged(sigmoid, half(2), half(0.88085938F)) == "aa");  // 0.880797
  CHECK(judged(sigmoid, half(2), half(0.88037109F)) == "zz");
  CHECK(judged(elu, half(1), half(0.99951172F)) == "rr");  // 1 is not rounded
  CHECK(judged(relu, half(0x1p-20F), half(0)) == "rr");
}

TEST_CASE("activations verdicts: subnormals of FLOAT32 may be flushed, zeros have no sign", "[activations]") {
  const activation_leaky_relu_desc leaky{.alpha = 0.01F};
  CHECK(judged(leaky, -1e-37F, -0.0F) == "ar");
  CHECK(judged(leaky, -1e-35F, 0.0F) == "rr");
  CHECK(judged(relu, 0x1p-127F, 0.0F) == "ar");
  CHECK(judged(relu, 0x1p-127F, 0x1p-127F) == "aa");
  CHECK(judged(identity, 0x1p-127F, 0.0F) == "rr");  // moved
  CHECK(judged(relu, -1.0F, -0.0F) == "aa");
  CHECK(judged(activation_linear_desc{.alpha = 0x1p100F}, 0x1p-130F, 0.0F) == "ar");
  CHECK(judged(activation_linear_desc{.alpha = 0x1p100F}, 0x1p-120F, 0.0F) == "rr");
  const flush_subnormals mode;
  CHECK(bits(leaky, -0x1p-140F) == 0x8000'0005);  // 5.12 units
  CHECK(judged(relu, 0x1p-127F, 0x1p-127F) == "aa");
}

// What half precision adds (AR-R1, AR-R10): x is rounded to FLOAT16, with 11 bits, and so are the steps.
TEST_CASE("activations verdicts: half precision", "[activations]") {
  constexpr accumulation in_half = accumulation::half;
  const activation_relu_desc half_relu{.accumulation = in_half};
  CHECK(judged(half_relu, 1.0F, 1.0F) == "aa");
  CHECK(judged(half_relu, 1.0F, 1 + 0x1p-10F) == "rr");  // FLOAT16 holds 1
  CHECK(judged(half_relu, 1 + 0x1p-11F, 1.0F) == "aa");
  CHECK(judged(half_relu, 1 + 0x1p-11F, 1 + 0x1p-10F) == "aa");
  CHECK(judged(half_relu, 1 + 0x1p-11F, 1 + 0x1p-9F) == "rr");
  CHECK(judged(half_relu, 1 + 0x1p-10F - 0x1p-20F, 1.0F) == "aa");  // toward zero
  CHECK(judged(relu, 1 + 0x1p-11F, 1.0F) == "rr");
  CHECK(judged(half_relu, -1.0F, -0x1p-24F) == "rr");
  CHECK(judged(half_relu, 0x1p-26F, 0.0F) == "aa");  // below the least FLOAT16
  CHECK(judged(half_relu, half(1.5F), half(0x1.804p0F)) == "rr");
  CHECK(judged(half_relu, not_a_number, 0.0F) == "aa");
  CHECK(judged(half_relu, 70000.0F, infinity) == "or");  // above 65504
  CHECK(judged(half_relu, 65504.0F, infinity) == "rr");
  CHECK(judged(half_relu, infinity, 65504.0F) == "rr");
  // e^-2 by FLOAT16's exp, whose relative error may be 2^-7 and 2^-8 |x|: E = 0.0677 * 2^-6 + 2^-8 * 0.4323 = 0.00275.
  const activation_elu_desc elu{.alpha = 0.5F, .accumulation = in_half};
  for (const float by : {0.0027F, -0.0027F}) {
    CHECK(judged(elu, -2.0F, -0.43233237F + by) == "aa");
    CHECK(judged(activation_elu_desc{.alpha = 0.5F}, -2.0F, -0.43233237F + by) == "rr");
    CHECK(judged(elu, -2.0F, -0.43233237F + 1.1F * by) == "rr");
  }
  CHECK(judged(elu, 2.0F, 2 + 0x1p-9F) == "rr");  // x itself
  CHECK(judged(elu, half(2), half(2 + 0x1p-9F)) == "rr");
  // LINEAR: 2^-9 (|Alpha x| + |Beta|). 3 * 0.1 + 0.2.
  const activation_linear_desc linear{.alpha = 0.1F, .beta = 0.2F, .accumulation = in_half};
  CHECK(judged(linear, 3.0F, 0.5009F) == "aa");
  CHECK(judged(linear, 3.0F, 0.5011F) == "rr");
  CHECK(judged(activation_linear_desc{.alpha = 0.1F, .beta = 0.2F}, 3.0F, 0.5009F) == "rr");
  // 40000 + 40000 and -3 * 30000 are infinite in FLOAT16.
  CHECK(judged(activation_linear_desc{.alpha = 1, .beta = 40000, .accumulation = in_half}, 40000.0F, infinity) == "or");
  CHECK(judged(activation_linear_desc{.alpha = 1, .beta = 40000}, 40000.0F, infinity) == "rr");
  CHECK(judged(activation_leaky_relu_desc{.alpha = -3, .accumulation = in_half}, -30000.0F, infinity) == "or");
  CHECK(judged(activation_leaky_relu_desc{.alpha = -3, .accumulation = in_half}, -30000.0F, -infinity) == "rr");
  CHECK(judged(activation_leaky_relu_desc{.alpha = -3, .accumulation = in_half}, -10000.0F, infinity) == "rr");
  // The limit at an infinity is a parameter, 0.3, which is 0.30004883 in FLOAT16.
  CHECK(judged(activation_elu_desc{.alpha = -0.3F, .accumulation = in_half}, -infinity, 0.30004883F) == "aa");
  CHECK(judged(activation_elu_desc{.alpha = -0.3F}, -infinity, 0.30004883F) == "rr");
  CHECK(judged(activation_elu_desc{.alpha = -0.3F, .accumulation = in_half}, -infinity, 0.302F) == "rr");
  // SIGMOID: at infinities as at great numbers; e^-x overflows from 11.09 on.
  const activation_sigmoid_desc half_sigmoid{.accumulation = in_half};
  CHECK(judged(half_sigmoid, -infinity, 0.0F) == "aa");
  CHECK(judged(half_sigmoid, infinity, 0.99951172F) == "aa");
  CHECK(judged(half_sigmoid, infinity, 0.99F) == "rr");
  CHECK(judged(half_sigmoid, -11.5F, 0.0F) == "aa");
  CHECK(judged(half_sigmoid, -4.0F, 0.0F) == "rr");
  CHECK(judged(half_sigmoid, -4.0F, 0.0183F) == "aa");  // 0.017986
  CHECK(judged(sigmoid, -4.0F, 0.0183F) == "rr");
  // A Steepness that is no normal FLOAT16 may be 0, and a divisor.
  CHECK(judged(activation_softplus_desc{.steepness = 0x1p-20F, .accumulation = in_half}, 1.0F, infinity) == "aa");
  CHECK(judged(activation_softplus_desc{.steepness = 0x1p-20F}, 1.0F, infinity) == "rr");
  // FLOAT32 subnormals are below FLOAT16's; flushing changes nothing.
  CHECK(judged(half_relu, 0x1p-127F, 0.0F) == "aa");
}

TEST_CASE("activations verdicts: half precision, parameters toward zero, and products that overflow", "[activations]") {
  constexpr accumulation in_half = accumulation::half;
  // 1535 / 1024 * (1 + 2^-10) is below the middle of 1.5 and 1.5 + 2^-10.
  const activation_leaky_relu_desc leaky{.alpha = 1 + 0x1.fd7p-10F, .accumulation = in_half};
  CHECK(judged(leaky, -1535.0F / 1024, -1.5F) == "aa");
  CHECK(judged(leaky, -1535.0F / 1024, -1.499F) == "rr");
  CHECK(judged(leaky, 1.5F, 1.501F) == "rr");  // x itself
  const activation_scaled_elu_desc scaled{.alpha = 1, .gamma = 1 + 0x1.fd7p-10F, .accumulation = in_half};
  CHECK(judged(scaled, 1535.0F / 1024, 1.5F) == "aa");
  CHECK(judged(scaled, 1535.0F / 1024, 1.499F) == "rr");
  // 256.5 * 255.5 is 65536.
  const activation_linear_desc linear{.alpha = 256.3751F, .beta = -1000, .accumulation = in_half};
  CHECK(judged(linear, 255.4376F, infinity) == "or");
  CHECK(judged(linear, 255.4376F, -infinity) == "rr");
  CHECK(judged(linear, 250.0F, infinity) == "rr");
  const activation_scaled_elu_desc great{.alpha = 256.3751F, .gamma = 255.4376F, .accumulation = in_half};
  CHECK(judged(great, -0.5F, -infinity) == "or");
  CHECK(judged(great, -infinity, -infinity) == "or");
  const activation_scaled_elu_desc less{.alpha = 255, .gamma = 255, .accumulation = in_half};
  CHECK(judged(less, -0.5F, -infinity) == "rr");
  CHECK(judged(less, -infinity, -infinity) == "rr");
}

// At an infinity RELU counts as at a great number, and with flushing each row has 2 * 2^-126 more.
TEST_CASE("A10: RELU of -inf is as that of a great negative number", "[activations]") {
  for (const float x : {-infinity, -3e38F}) {
    CHECK(judged(activation_relu_desc{}, x, 0.0F) == "aa");
    CHECK(judged(activation_relu_desc{}, x, 0x1p-125F) == "ar");
    CHECK(judged(activation_relu_desc{}, x, 0x1.000002p-125F) == "rr");
    CHECK(judged(activation_relu_desc{}, x, -0x1p-126F) == "rr");
    CHECK(judged(activation_relu_desc{}, x, not_a_number) == "rr");
  }
}

// The interval, and f of the infinity that FLOAT16 has for the number, which may become any flag. Not of 65504: nothing
// saturates but with half products.
TEST_CASE("A10: activations in half precision beyond 65504", "[activations]") {
  constexpr accumulation in_half = accumulation::half;
  const activation_relu_desc half_relu{.accumulation = in_half};
  CHECK(judged(half_relu, -70000.0F, 0.0F) == "aa");
  for (const float overflow : {infinity, -infinity, not_a_number})
    CHECK(judged(half_relu, -70000.0F, overflow) == "or");
  for (const float wrong : {-5.0F, 12345.0F}) CHECK(judged(half_relu, -70000.0F, wrong) == "rr");
  CHECK(judged(half_relu, 70000.0F, 70000.0F) == "aa");
  CHECK(judged(activation_relu_desc{.accumulation = accumulation::half_products}, 70000.0F, 65504.0F) == "aa");
  CHECK(judged(half_relu, 70000.0F, infinity) == "or");
  for (const float wrong : {0.0F, 65504.0F, 65000.0F, 67000.0F}) CHECK(judged(half_relu, 70000.0F, wrong) == "rr");
  const activation_sigmoid_desc half_sigmoid{.accumulation = in_half};
  CHECK(judged(half_sigmoid, 1e30F, 1.0F) == "aa");
  CHECK(judged(half_sigmoid, 1e30F, 0.9F) == "rr");
  CHECK(judged(half_sigmoid, -1e30F, 0.0F) == "aa");
  CHECK(judged(half_sigmoid, -1e30F, not_a_number) == "or");
  CHECK(judged(half_sigmoid, -1e30F, -0.5F) == "rr");
  const activation_tanh_desc half_tanh{.accumulation = in_half};
  CHECK(judged(half_tanh, -70000.0F, -1.0F) == "aa");
  CHECK(judged(half_tanh, -70000.0F, 1.0F) == "rr");
  const activation_hard_sigmoid_desc hard{.alpha = 1e-5F, .beta = 0.125F, .accumulation = in_half};
  for (const float right : {0.825F, 1.0F}) CHECK(judged(hard, 70000.0F, right) == "aa");
  for (const float wrong : {0.5F, 0.78004F, 0.95F}) CHECK(judged(hard, 70000.0F, wrong) == "rr");
  const activation_leaky_relu_desc leaky{.alpha = 0.01F, .accumulation = in_half};
  CHECK(judged(leaky, -70000.0F, -700.0F) == "aa");
  CHECK(judged(leaky, -70000.0F, -infinity) == "or");
  for (const float wrong : {-600.0F, -655.0F, -680.0F, -800.0F}) CHECK(judged(leaky, -70000.0F, wrong) == "rr");
  CHECK(judged(activation_leaky_relu_desc{.alpha = 0, .accumulation = in_half}, -70000.0F, not_a_number) == "or");
  const activation_elu_desc elu{.alpha = 2, .accumulation = in_half};
  CHECK(judged(elu, -70000.0F, -2.0F) == "aa");
  CHECK(judged(elu, -70000.0F, -2.5F) == "rr");
  CHECK(judged(activation_softsign_desc{.accumulation = in_half}, 70000.0F, not_a_number) == "or");
  CHECK(judged(activation_softsign_desc{.accumulation = in_half}, 70000.0F, 1.0F) == "aa");
  CHECK(judged(activation_softsign_desc{.accumulation = in_half}, 70000.0F, 5.0F) == "rr");
  // So with parameters, unless an infinite one gives a number: then nothing is known.
  CHECK(judged(activation_elu_desc{.alpha = 70000, .accumulation = in_half}, -70000.0F, 1.0F) == "rr");
  CHECK(judged(activation_elu_desc{.alpha = 70000, .accumulation = in_half}, -70000.0F, -infinity) == "or");
  CHECK(judged(activation_scaled_tanh_desc{.alpha = 1, .beta = 70000, .accumulation = in_half}, 1e-5F, 1.0F) == "aa");
}

// Of the operators of SPEC-functions nothing is known there; what cuts has GELU(65504) = 65504.
TEST_CASE("activations verdicts: half precision, elements and parameters of which nothing is known", "[activations]") {
  for (const accumulation mode : {accumulation::half, accumulation::half_products}) {
    for (const float any : {84402.0F, 65504.0F, infinity, not_a_number, -5.0F}) {
      CHECK(judged(activation_gelu_desc{.accumulation = mode}, 84402.0F, any) == "aa");
      CHECK(judged(activation_swish_desc{.accumulation = mode}, 84402.0F, any) == "aa");
      CHECK(judged(activation_hard_swish_desc{.accumulation = mode}, -84402.0F, any) == "aa");
      CHECK(judged(activation_thresholded_relu_desc{.accumulation = mode}, 84402.0F, any) == "aa");
      CHECK(judged(activation_shrink_desc{.accumulation = mode}, 84402.0F, any) == "aa");
      CHECK(judged(activation_shrink_desc{.bias = 84402, .threshold = 0.5F, .accumulation = mode}, 1.0F, any) == "aa");
    }
    CHECK(judged(activation_gelu_desc{.accumulation = mode}, 65504.0F, 60000.0F) == "rr");
    CHECK(judged(activation_gelu_desc{.accumulation = mode}, not_a_number, 65504.0F) == "rr");
  }
  CHECK(judged(activation_gelu_desc{}, 84402.0F, 65504.0F) == "rr");
}

// A parameter below 2^-24, which FLOAT16 may have as 0, times an infinity; elsewhere it does not matter.
TEST_CASE("activations verdicts: half precision, infinities and little parameters", "[activations]") {
  constexpr accumulation in_half = accumulation::half;
  constexpr float tiny = 1e-9F;
  CHECK(judged(activation_linear_desc{.alpha = tiny, .beta = 1, .accumulation = in_half}, infinity, not_a_number) ==
        "aa");
  CHECK(judged(activation_linear_desc{.alpha = 1, .beta = tiny, .accumulation = in_half}, infinity, infinity) == "aa");
  CHECK(judged(activation_linear_desc{.alpha = 1, .beta = tiny, .accumulation = in_half}, infinity, 5.0F) == "rr");
  CHECK(judged(activation_hard_sigmoid_desc{.alpha = 1, .beta = tiny, .accumulation = in_half}, infinity, 0.0F) ==
        "rr");
  const activation_leaky_relu_desc leaky{.alpha = tiny, .accumulation = in_half};
  CHECK(judged(leaky, -infinity, not_a_number) == "aa");
  CHECK(judged(leaky, infinity, not_a_number) == "rr");
  CHECK(judged(activation_elu_desc{.alpha = tiny, .accumulation = in_half}, -infinity, 0.0F) == "aa");
  CHECK(judged(activation_elu_desc{.alpha = tiny, .accumulation = in_half}, -infinity, 5.0F) == "rr");
  const activation_scaled_elu_desc scaled{.alpha = tiny, .gamma = 1, .accumulation = in_half};
  CHECK(judged(scaled, infinity, 5.0F) == "rr");
  CHECK(judged(scaled, -infinity, 0.0F) == "aa");
  CHECK(judged(activation_scaled_elu_desc{.alpha = 1, .gamma = tiny, .accumulation = in_half}, infinity,
               not_a_number) == "aa");
  const activation_scaled_tanh_desc flat{.alpha = 1, .beta = tiny, .accumulation = in_half};
  CHECK(judged(flat, infinity, not_a_number) == "aa");
  CHECK(judged(activation_scaled_tanh_desc{.alpha = tiny, .beta = 1, .accumulation = in_half}, infinity, 5.0F) == "rr");
  for (const activation_parametric_softplus_desc& softplus :
       {activation_parametric_softplus_desc{.alpha = tiny, .beta = 1, .accumulation = in_half},
        activation_parametric_softplus_desc{.alpha = 1, .beta = tiny, .accumulation = in_half}})
    CHECK(judged(softplus, infinity, not_a_number) == "aa");
}

TEST_CASE("A10: ACTIVATION_LINEAR in half precision beyond 65504", "[activations]") {
  constexpr accumulation in_half = accumulation::half;
  const activation_linear_desc linear{.alpha = 2, .beta = 1, .accumulation = in_half};
  for (const float right : {140001.0F, 140100.0F}) CHECK(judged(linear, 70000.0F, right) == "aa");
  for (const float overflow : {infinity, -infinity, not_a_number}) CHECK(judged(linear, 70000.0F, overflow) == "or");
  for (const float wrong : {-5e20F, 0.0F, 100000.0F, 150000.0F}) CHECK(judged(linear, 70000.0F, wrong) == "rr");
  const activation_linear_desc great{.alpha = 70000, .beta = 1, .accumulation = in_half};
  CHECK(judged(great, 0.5F, 35001.0F) == "aa");
  CHECK(judged(great, 0.5F, -5e20F) == "rr");
}

TEST_CASE("A7: HARD_SIGMOID in half precision with an Alpha that FLOAT16 rounds to 0", "[activations]") {
  const activation_hard_sigmoid_desc hard{.alpha = 1e-9F, .beta = 0.25F, .accumulation = accumulation::half};
  // 0 * inf, which a clamp turns into either end.
  for (const float right : {0.0F, 1.0F, not_a_number}) CHECK(judged(hard, infinity, right) == "aa");
  for (const float wrong : {0.5F, 5.0F, -infinity, infinity}) CHECK(judged(hard, infinity, wrong) == "rr");
  CHECK(judged(hard, 100.0F, 0.25F) == "aa");
  CHECK(judged(hard, 100.0F, 0.26F) == "rr");
}

TEST_CASE("A7: CELU with a negative Alpha", "[activations]") {
  // x < 0: -(e^-x - 1). x > 0: min(0, -(e^-x - 1)) is 0.
  const activation_celu_desc celu{.alpha = -1};
  CHECK(result(celu, -2.0F) == -6.389056F);
  CHECK(result(celu, 2.0F) == 2);
  CHECK(result(celu, -infinity) == -infinity);
  // E = e^2 (2^-21 + 2 * 2^-22 + 18 * 2^-24) + 4 * 2^-24 * 6.39 = 1.65e-5; with 6 for 18 1.12e-5.
  CHECK(judged(celu, -2.0F, -6.389056F + 1.0e-5F) == "aa");
  CHECK(judged(celu, -2.0F, -6.389056F + 1.5e-5F) == "ss");
  CHECK(judged(celu, -2.0F, -6.389056F + 1.8e-5F) == "rr");
  CHECK(judged(celu, -89.0F, -infinity) == "aa");  // e^89 overflows
  CHECK(judged(celu, -80.0F, -infinity) == "rr");
  for (const float wrong : {2.0000002F, 1.9999999F, 0.0F}) CHECK(judged(celu, 2.0F, wrong) == "rr");
  CHECK(judged(celu, 89.0F, -infinity) == "rr");
  // e^-1e-9 may be 1 + 2^-21.
  CHECK(judged(celu, 1e-9F, 2e-9F - 0x1p-21F) == "aa");
  CHECK(judged(celu, 1e-9F, 1e-9F - 0x1p-21F) == "rr");
  CHECK(judged(celu, 1e-9F, 1.001e-9F) == "rr");
}

TEST_CASE("A3: quotients inside activations are off by nine roundings, and usually by three (AR-R8)", "[activations]") {
  const oracle::compare_options refuse{.reciprocals = oracle::reciprocal_errors::refuse};
  const auto beside = [](float x, int units) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) + static_cast<std::uint32_t>(units));
  };
  // 0.5: 10 * 2^-24 * 0.5 are 10 units of 2^-25 below 0.5, and 5 of 2^-24 above; 4 * 2^-24 * 0.5 are 4 and 2.
  for (const int units : {-4, 2}) CHECK(judged(softsign, 1.0F, beside(0.5F, units)) == "aa");
  for (const int units : {-10, -5, 3, 5}) {
    CHECK(judged(softsign, 1.0F, beside(0.5F, units)) == "ss");
    CHECK(judged(softsign, 1.0F, beside(0.5F, units), refuse) == 'r');
  }
  for (const int units : {-11, 6}) CHECK(judged(softsign, 1.0F, beside(0.5F, units)) == "rr");
  // SIGMOID of 16: 1 - 1.1e-7 and 11 * 2^-24; SIGMOID of inf is 1, and off as much.
  CHECK(judged(sigmoid, infinity, 1 - 5 * 0x1p-24F) == "aa");
  CHECK(judged(sigmoid, infinity, 1 - 11 * 0x1p-24F) == "ss");
  CHECK(judged(sigmoid, infinity, 1 - 11 * 0x1p-24F, refuse) == 'r');
  CHECK(judged(sigmoid, infinity, 1 - 12 * 0x1p-24F) == "rr");
  // SOFTPLUS: with a Steepness of 1 nothing is divided. 80 is off by 2^-21 * 80 + 2^-22 * 80 (ln), 2^-21 + 80 * 2^-22
  // (e^80), 80 * 2^-24 and 2^-24: 8.2e-5; 40 by half of that and 9 * 2^-24 * 40 = 2.1e-5.
  CHECK(judged(activation_softplus_desc{.steepness = 1}, 80.0F, 80 + 7.4e-5F, refuse) == 'a');
  CHECK(judged(activation_softplus_desc{.steepness = 1}, 80.0F, 80 + 9.2e-5F) == "rr");
  CHECK(judged(activation_softplus_desc{.steepness = 2}, 40.0F, 40 + 5.6e-5F) == "ss");
  CHECK(judged(activation_softplus_desc{.steepness = 2}, 40.0F, 40 + 5.6e-5F, refuse) == 'r');
  CHECK(judged(activation_softplus_desc{.steepness = 2}, 40.0F, 40 + 6.6e-5F) == "rr");
}

TEST_CASE("A3: TANH and SCALED_TANH as conformance tests permit, and as known hardware", "[activations]") {
  const oracle::compare_options close{.functions = oracle::function_errors::close};
  CHECK(result(hyperbolic, 0.5F) == 0.46211717F);
  CHECK(judged(hyperbolic, 0.5F, 0.46212715F) == "aa");  // 1e-5 off, as a GPU through Direct3D
  CHECK(judged(hyperbolic, 0.5F, 0.46212715F, close) == 'a');
  CHECK(judged(hyperbolic, 0.5F, 0.46214F) == "ss");
  CHECK(judged(hyperbolic, 0.5F, 0.46214F, close) == 'r');
  CHECK(judged(hyperbolic, 0.5F, 0.46214F, oracle::compare_options{.reciprocals = oracle::reciprocal_errors::refuse}) ==
        's');
  CHECK(judged(hyperbolic, 0.5F, 0.4629F) == "ss");
  CHECK(judged(hyperbolic, 0.5F, 0.46293F) == "rr");
  CHECK(judged(hyperbolic, 0.5F, 0.46131F) == "rr");
  // Within 1 + 9 * 2^-24.
  CHECK(judged(hyperbolic, 9.0F, 1 + 4 * 0x1p-23F) == "aa");
  CHECK(judged(hyperbolic, 9.0F, 1 + 6 * 0x1p-23F) == "rr");
  CHECK(judged(hyperbolic, 9.0F, 0.9993F) == "ss");
  CHECK(judged(hyperbolic, 9.0F, 0.9991F) == "rr");
  CHECK(judged(hyperbolic, 0.0F, -0.0F) == "aa");  // exact
  CHECK(judged(hyperbolic, 0.0F, 1e-7F) == "rr");
  CHECK(judged(hyperbolic, 0x1p-130F, 0.0F) == "aa");
  CHECK(judged(hyperbolic, half(1), half(0.76171875F)) == "aa");
  CHECK(judged(hyperbolic, half(1), half(0.76220703F)) == "ss");
  CHECK(judged(hyperbolic, half(1), half(0.76269531F)) == "rr");
  const activation_scaled_tanh_desc scaled{.alpha = 2, .beta = 0.5F};
  CHECK(judged(scaled, 1.0F, 0.9242543F) == "aa");  // 2e-5 off
  CHECK(judged(scaled, 1.0F, 0.9243F) == "ss");
  CHECK(judged(scaled, 1.0F, 0.9243F, close) == 'r');
  CHECK(judged(scaled, 1.0F, 0.926F) == "rr");
  CHECK(judged(scaled, 100.0F, 2 + 5 * 0x1p-22F) == "aa");
  CHECK(judged(scaled, 100.0F, 2 + 6 * 0x1p-22F) == "rr");
}

TEST_CASE("A10: activations at infinities as at great numbers", "[activations]") {
  CHECK(judged(hyperbolic, infinity, 0.9999998F) == "aa");
  CHECK(judged(hyperbolic, -infinity, -0.9999998F) == "aa");
  CHECK(judged(hyperbolic, infinity, -1.0F) == "rr");
  CHECK(judged(hyperbolic, infinity, 0.999F) == "rr");
  CHECK(judged(hyperbolic, infinity, not_a_number) == "rr");
  CHECK(judged(activation_scaled_tanh_desc{.alpha = 2, .beta = -1}, infinity, -1.9999996F) == "aa");
  CHECK(judged(sigmoid, infinity, 0.9999998F) == "aa");
  CHECK(judged(sigmoid, infinity, 0.999999F) == "rr");
  CHECK(judged(sigmoid, -infinity, 0x1p-126F) == "aa");
  CHECK(judged(sigmoid, -infinity, 0x1p-120F) == "rr");
  CHECK(judged(activation_elu_desc{.alpha = 3}, -infinity, -2.9999993F) == "aa");
  CHECK(judged(activation_elu_desc{.alpha = 3}, -infinity, -2.999999F) == "rr");
}

TEST_CASE("A10: SOFTSIGN of great numbers", "[activations]") {
  for (const float x : {5e37F, 8e37F}) {  // the reciprocal of x is normal
    CHECK(judged(softsign, x, 1 - 10 * 0x1p-24F) == "ss");
    for (const float wrong : {1.7F, 0.5F, 0.0F, 1 - 11 * 0x1p-24F}) CHECK(judged(softsign, x, wrong) == "rr");
  }
  // It is subnormal, and may be flushed: 3.4e38 * 2^-149 = 2^-21 more.
  constexpr float greatest = (std::numeric_limits<float>::max)();
  CHECK(judged(softsign, greatest, 0.0F) == "ar");
  CHECK(judged(softsign, -greatest, 0.0F) == "ar");
  CHECK(judged(softsign, greatest, 1 - 12 * 0x1p-24F) == "aa");
  CHECK(judged(softsign, greatest, 1 - 18 * 0x1p-24F) == "ss");
  for (const float wrong : {1.7F, 0.5F, 1 - 19 * 0x1p-24F}) CHECK(judged(softsign, greatest, wrong) == "rr");
}

TEST_CASE("A10: of a subnormal x, f of the flushed one, and not what is between", "[activations]") {
  const activation_linear_desc linear{.alpha = 1e38F};
  CHECK(judged(linear, 1e-39F, result(linear, 1e-39F)) == "aa");
  CHECK(judged(linear, 1e-39F, 0.0F) == "ar");
  for (const float wrong : {0.2F, 0.05F, 1e-6F, -0.1F}) CHECK(judged(linear, 1e-39F, wrong) == "rr");
  // A subnormal parameter too.
  const activation_linear_desc small{.alpha = 1e-39F, .beta = 3};
  CHECK(judged(small, 1e38F, 3.1F) == "aa");
  CHECK(judged(small, 1e38F, 3.0F) == "ar");
  for (const float wrong : {3.05F, 3.2F, 0.0F}) CHECK(judged(small, 1e38F, wrong) == "rr");
  CHECK(judged(activation_leaky_relu_desc{.alpha = 1e-39F}, -1e38F, 0.0F) == "ar");
}

TEST_CASE("A10: CELU where 1 is subtracted from e^x loses no more than the error of e^x", "[activations]") {
  // x = 2^-21: e^x (1 - 2^-21) - 1 is below 0 by less than 2^-41, which is 8 units in the last place of x.
  const activation_celu_desc celu;
  const float x = 4.76837158203125e-07F;
  const auto below = [&](std::uint32_t units) { return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) - units); };
  CHECK(judged(celu, x, x) == "aa");
  CHECK(judged(celu, x, below(1)) != "rr");
  for (const std::uint32_t units : {20U, 100U, 4103U}) CHECK(judged(celu, x, below(units)) == "rr");
}

TEST_CASE("A10: signs of zero of activations", "[activations]") {
  CHECK(bits(activation_parametric_softplus_desc{.alpha = -2, .beta = 1}, -infinity) == 0x8000'0000);
  CHECK(bits(activation_parametric_softplus_desc{.alpha = 2, .beta = 1}, -infinity) == 0);
  CHECK(bits(activation_parametric_softplus_desc{.alpha = -2, .beta = 1}, -1000.0F) == 0x8000'0000);
  for (const float alpha : {1.0F, -1.0F, 0.0F}) {
    CHECK(bits(activation_celu_desc{.alpha = alpha}, -0.0F) == 0);
    CHECK(bits(activation_celu_desc{.alpha = alpha}, 0.0F) == 0);
    CHECK(bits(activation_scaled_elu_desc{.alpha = alpha, .gamma = 2}, -0.0F) == 0);
    CHECK(bits(activation_scaled_elu_desc{.alpha = alpha, .gamma = 2}, 0.0F) == 0);
  }
  CHECK(bits(activation_elu_desc{}, -0.0F) == 0x8000'0000);  // x
}

TEST_CASE("activations AR1 AR2 AR3: data types, DimensionCounts, sizes", "[activations]") {
  constexpr data_type f32 = data_type::float32, f16 = data_type::float16, i32 = data_type::int32;
  CHECK(refused(relu, of(f32), of(f32)) == "");
  CHECK(refused(relu, of(f32), of(f16)) == "AR1");
  CHECK(refused(relu, of(i32), of(i32)) == "");
  CHECK(refused(activation_relu_desc{.feature_level = level::level_5_0}, of(i32), of(i32)) == "T3 T3");
  CHECK(refused(sigmoid, of(i32), of(i32)) == "T3 T3");
  CHECK(refused(hyperbolic, of(f32), of(f32, {1, 2, 3})) == "AR2");
  CHECK(refused(softsign, of(f32), of(f32, {2, 4})) == "AR3");
  CHECK(refused(identity, of(f16), of(f16, {3, 2})) == "AR3");
  CHECK(refused(activation_celu_desc{.feature_level = level::level_2_1}, of(f32), of(f32)) == "T11");
  const tensor_desc broadcast{.data_type = f32, .sizes = {2, 3}, .strides = {0, 1}};
  CHECK(refused(sigmoid, broadcast, of(f32)) == "");
}

TEST_CASE("AR9: parameters are finite", "[activations]") {
  const tensor_desc one = of(data_type::float32);
  for (const float odd : {not_a_number, infinity, -infinity}) {
    CHECK(refused(activation_elu_desc{.alpha = odd}, one, one) == "AR9");
    CHECK(refused(activation_celu_desc{.alpha = odd}, one, one) == "AR9");
    CHECK(refused(activation_leaky_relu_desc{.alpha = odd}, one, one) == "AR9");
    CHECK(refused(activation_linear_desc{.beta = odd}, one, one) == "AR9");
    CHECK(refused(activation_hard_sigmoid_desc{.alpha = odd, .beta = odd}, one, one) == "AR9 AR9");
    CHECK(refused(activation_parametric_softplus_desc{.beta = odd}, one, one) == "AR9");
    CHECK(refused(activation_scaled_tanh_desc{.alpha = odd}, one, one) == "AR9");
    CHECK(refused(activation_scaled_elu_desc{.gamma = odd}, one, one) == "AR9");
    CHECK(refused(activation_softplus_desc{.steepness = odd, .feature_level = level::level_3_0}, one, one) == "AR9");
  }
  const auto v = validate(activation_scaled_elu_desc{.gamma = infinity}, one, one);
  REQUIRE(v);
  CHECK(to_string(*v) == "ACTIVATION_SCALED_ELU AR9: Gamma is FLOAT32 inf, wanted a finite number");
}

TEST_CASE("AR10: Steepness below 1 exists from 6_4 on", "[activations]") {
  const tensor_desc one = of(data_type::float32);
  CHECK(refused(activation_softplus_desc{.steepness = 0.5F}, one, one) == "");
  CHECK(refused(activation_softplus_desc{.steepness = 1, .feature_level = level::level_6_3}, one, one) == "");
  CHECK(refused(activation_softplus_desc{.steepness = 0.5F, .feature_level = level::level_6_3}, one, one) == "AR10");
  CHECK(refused(activation_softplus_desc{.steepness = -2, .feature_level = level::level_3_0}, one, one) == "AR10");
  const auto v = validate(activation_softplus_desc{.steepness = 0.5F, .feature_level = level::level_6_3}, one, one);
  REQUIRE(v);
  CHECK(to_string(*v) ==
        "ACTIVATION_SOFTPLUS AR10: Steepness is FLOAT32 0.5, wanted at least 1 (before feature level 6_4)");
}

TEST_CASE("activations: in place, and with strides", "[activations]") {
  std::vector<float> x{-1, 2, -3, 4};
  const auto all = tensor_view{x, {2, 2}};
  activation_relu(reference, all, all);
  CHECK(x == std::vector<float>{0, 2, 0, 4});
  std::vector<float> y(4);
  activation_linear(reference, all, tensor_view{y, {2, 2}, {1, 2}}, {.alpha = 2, .beta = 1});
  CHECK(y == std::vector<float>{1, 1, 5, 9});
}

TEST_CASE("THRESHOLDED_RELU, SHRINK, HARD_SWISH: values", "[activations]") {
  const activation_thresholded_relu_desc above_one;
  CHECK(result(above_one, 1.0F) == 0);
  CHECK(result(above_one, 1.0000001F) == 1.0000001F);
  CHECK(result(activation_thresholded_relu_desc{.alpha = -2}, -1.0F) == -1);
  CHECK(bits(activation_thresholded_relu_desc{.alpha = -2}, -2.0F) == 0);
  CHECK(bits(activation_thresholded_relu_desc{.alpha = -2}, -0.0F) == 0x8000'0000);
  // The float 0.1 is above the FLOAT16 0.1, which is 0x2E66.
  CHECK(result(activation_thresholded_relu_desc{.alpha = 0.1F}, half(0.1F)) == half(0));
  CHECK(result(activation_shrink_desc{}, 0.5F) == 0);
  CHECK(result(activation_shrink_desc{}, -0.6F) == -0.6F);
  const activation_shrink_desc soft{.bias = 1.5F, .threshold = 1.5F};
  CHECK(result(soft, -2.0F) == -0.5F);
  CHECK(result(soft, 1.5F) == 0);
  CHECK(result(soft, 2.0F) == 0.5F);
  CHECK(result(activation_shrink_desc{.bias = 3, .threshold = -1}, 0.5F) == -2.5F);  // above -1, and below 1
  CHECK(result(activation_shrink_desc{.bias = 3, .threshold = -1}, -4.0F) == -1);
  const activation_hard_swish_desc swish;
  CHECK(bits(swish, -3.0F) == 0x8000'0000);  // -3 * 0
  CHECK(result(swish, -1.0F) == -0.3333333F);
  CHECK(result(swish, 0.5F) == 0.29166666F);
  CHECK(result(swish, 1.0F) == 0.6666667F);
  CHECK(result(swish, 3.5F) == 3.5F);
  CHECK(bits(above_one, not_a_number) == 0);
  CHECK(bits(activation_shrink_desc{}, not_a_number) == 0);
  CHECK(bits(swish, not_a_number) == 0x7FC0'0000);
  CHECK(result(swish, infinity) == infinity);
  CHECK(bits(swish, -infinity) == 0x7FC0'0000);  // -inf * 0
  CHECK(result(activation_hard_swish_desc{.alpha = -1}, -infinity) == -infinity);
  CHECK(bits(activation_hard_swish_desc{.alpha = 0}, infinity) == 0x7FC0'0000);  // 0 * inf
}

TEST_CASE("SHRINK of integers: parameters are converted, sums wrap", "[activations]") {
  const auto of = [](const activation_shrink_desc& desc, auto x) { return static_cast<int>(result(desc, x)); };
  const activation_shrink_desc cut{.bias = 2.9F, .threshold = 1.5F};  // 2 and 1
  CHECK(of(cut, std::int8_t{-128}) == -126);
  CHECK(of(cut, std::int8_t{-2}) == 0);
  CHECK(of(cut, std::int8_t{-1}) == 0);
  CHECK(of(cut, std::int16_t{1}) == 0);
  CHECK(of(cut, std::int16_t{300}) == 298);
  CHECK(of(cut, std::int32_t{-7}) == -5);
  const activation_shrink_desc wraps{.bias = -2, .threshold = 1};
  CHECK(of(wraps, std::int8_t{-128}) == 126);
  CHECK(of(wraps, std::int8_t{127}) == -127);
  const activation_shrink_desc least{.bias = 1, .threshold = -1e9F};  // -128, and 0 of unsigned types
  CHECK(of(least, std::int8_t{-127}) == -128);
  CHECK(of(least, std::int8_t{-128}) == -127);  // below 128
  CHECK(of(least, std::uint8_t{0}) == 0);
  CHECK(of(least, std::uint8_t{1}) == 0);
  CHECK(of(activation_shrink_desc{.bias = 2, .threshold = 0}, std::uint8_t{1}) == 255);
  CHECK(of(activation_shrink_desc{.bias = 2, .threshold = 3}, std::uint16_t{2}) == 0);
}

TEST_CASE("THRESHOLDED_RELU, SHRINK, HARD_SWISH: what a device may answer", "[activations]") {
  const activation_thresholded_relu_desc above_one;
  CHECK(judged(above_one, 1.0F, 0.0F) == "aa");
  CHECK(judged(above_one, 1.0F, 1.0F) == "rr");
  CHECK(judged(above_one, 1.5F, 1.5000001F) == "rr");
  CHECK(judged(activation_thresholded_relu_desc{.alpha = 0}, 0x1p-130F, 0.0F) == "ar");
  CHECK(judged(activation_thresholded_relu_desc{.alpha = 0x1p-130F}, 0x1p-131F, 0x1p-131F) == "ar");  // Alpha as 0
  const activation_shrink_desc shrink{.bias = 0.3F, .threshold = 0.7F};
  // 1 - 0.3F = 0.69999999, u of it is 0.7 units: one unit off, not two.
  const float wanted = 1 - 0.3F;
  CHECK(judged(shrink, 1.0F, std::nextafter(wanted, 1.0F)) == "aa");
  CHECK(judged(shrink, 1.0F, std::nextafter(std::nextafter(wanted, 1.0F), 1.0F)) == "rr");
  CHECK(judged(shrink, 0.7F, 0.4F) == "rr");  // not above the threshold
  CHECK(judged(shrink, -0.6F, 0x1p-100F) == "rr");
  for (const float nan_or_zero : {not_a_number, 0.0F}) {
    CHECK(judged(above_one, not_a_number, nan_or_zero) == "aa");
    CHECK(judged(shrink, not_a_number, nan_or_zero) == "aa");
  }
  CHECK(judged(above_one, not_a_number, 1.0F) == "rr");
  // x = 1: Alpha + Beta is off by 4 u 0.6666667, and the product by u more: 1.99e-7, from 3.6 units of 2^-24 below the
  // golden value, which is rounded up, to 3.1 above.
  const activation_hard_swish_desc swish;
  const auto units = [](int n) { return 0.6666667F + static_cast<float>(n) * 0x1p-24F; };
  for (const int right : {-4, -3, 0, 3}) CHECK(judged(swish, 1.0F, units(right)) == "aa");
  for (const int wrong : {-5, 4}) CHECK(judged(swish, 1.0F, units(wrong)) == "rr");
  // Where the clamp certainly gives 1 or 0, the result is exact; x * relu6(x + 3) / 6 rounds there.
  CHECK(judged(swish, 4.1F, std::nextafter(4.1F, 5.0F)) == "rr");
  CHECK(judged(swish, -4.0F, 0.0F) == "aa");
  CHECK(judged(swish, -4.0F, -1e-30F) == "rr");
  CHECK(judged(swish, -infinity, not_a_number) == "aa");
  CHECK(judged(swish, -infinity, 0.0F) == "aa");
  CHECK(judged(swish, -infinity, -infinity) == "rr");
  CHECK(judged(swish, infinity, infinity) == "aa");
  CHECK(judged(swish, infinity, not_a_number) == "rr");
  const activation_hard_swish_desc flat{.alpha = 0};
  CHECK(judged(flat, infinity, not_a_number) == "aa");
  CHECK(judged(flat, infinity, infinity) == "aa");
  CHECK(judged(flat, infinity, 0.0F) == "rr");
  CHECK(judged(activation_hard_swish_desc{.alpha = 1e-40F}, half(infinity), half(not_a_number)) == "aa");  // as 0
  // Half precision: both are 1 as FLOAT16, or x is and Alpha is not.
  const activation_thresholded_relu_desc in_half{.alpha = 1.0001F, .accumulation = accumulation::half};
  for (const float right : {0.0F, 1.0F, 1.0009766F}) CHECK(judged(in_half, 1.0002F, right) == "aa");
  for (const float wrong : {1.01F, 2.0F}) CHECK(judged(in_half, 1.0002F, wrong) == "rr");
  CHECK(judged(in_half, 1.5F, 0.0F) == "rr");
}

TEST_CASE("THRESHOLDED_RELU, SHRINK, HARD_SWISH: rules", "[activations]") {
  const tensor_desc one = of(data_type::float32);
  CHECK(refused(activation_thresholded_relu_desc{.alpha = infinity}, one, one) == "AR9");
  CHECK(refused(activation_shrink_desc{.bias = not_a_number, .threshold = infinity}, one, one) == "AR9 AR9");
  CHECK(refused(activation_hard_swish_desc{.beta = infinity}, one, one) == "AR9");
  CHECK(refused(activation_hard_swish_desc{.feature_level = level::level_6_1}, one, one) == "T11");
  CHECK(refused(activation_shrink_desc{}, of(data_type::uint8), of(data_type::uint8)) == "");
  CHECK(refused(activation_shrink_desc{.feature_level = level::level_5_0}, of(data_type::uint8),
                of(data_type::uint8)) == "T3 T3");
  CHECK(refused(activation_thresholded_relu_desc{}, one, of(data_type::float16)) == "AR1");
}

TEST_CASE("GELU, SWISH: values", "[activations]") {
  const activation_gelu_desc gelu;
  const activation_swish_desc swish;
  const float x[] = {-3, -1, 0.5F, 1, 3};
  const float of_gelu[] = {-0.004049694F, -0.15865526F, 0.34573123F, 0.8413448F, 2.9959502F};
  const float of_swish[] = {-0.14227761F, -0.26894143F, 0.31122968F, 0.7310586F, 2.8577223F};
  for (int i = 0; i < 5; ++i) {
    CHECK(result(gelu, x[i]) == of_gelu[i]);
    CHECK(result(swish, x[i]) == of_swish[i]);
  }
  CHECK(result(gelu, infinity) == infinity);
  CHECK(bits(gelu, -infinity) == 0x7FC0'0000);  // -inf * 0
  CHECK(bits(gelu, -0.0F) == 0x8000'0000);
  CHECK(bits(gelu, 0x1p-149F) == 1);  // a little more than half of it
  CHECK(bits(gelu, -0x1p-149F) == 0x8000'0000);
  CHECK(result(gelu, -13.5F) == -1.05554208e-40F);
  CHECK(bits(swish, -infinity) == 0x7FC0'0000);
  CHECK(result(activation_swish_desc{.sigmoid_input_scale = -1}, -infinity) == -infinity);
  CHECK(bits(activation_swish_desc{.sigmoid_input_scale = 0}, infinity) == 0x7FC0'0000);
  CHECK(result(activation_swish_desc{.sigmoid_input_scale = 0}, 3.0F) == 1.5F);
}

TEST_CASE("GELU, SWISH: what a device may answer", "[activations]") {
  const activation_gelu_desc gelu;
  CHECK(judged(gelu, 1.0F, 0.8413448F) == "aa");
  // x / 2 * 2^-10 more, and a little; by tanh, 1.2e-4 off, suspicious.
  CHECK(judged(gelu, 1.0F, 0.8418F) == "ss");
  CHECK(judged(gelu, 1.0F, 0.84119201F) == "ss");
  CHECK(judged(gelu, 1.0F, 0.8419F) == "rr");
  CHECK(judged(gelu, -infinity, 0.0F) == "aa");
  CHECK(judged(gelu, -infinity, -infinity) == "rr");
  const activation_swish_desc swish;
  CHECK(judged(swish, 1.0F, 0.7310586F) == "aa");
  CHECK(judged(swish, 1.0F, 0.73106F) == "rr");
  CHECK(judged(swish, -infinity, 0.0F) == "aa");
  CHECK(judged(swish, -infinity, not_a_number) == "aa");
  CHECK(judged(activation_swish_desc{.sigmoid_input_scale = 0}, infinity, 0.0F) == "rr");
}

TEST_CASE("GELU, SWISH: rules", "[activations]") {
  const tensor_desc one = of(data_type::float32);
  CHECK(refused(activation_gelu_desc{.feature_level = level::level_5_0}, one, one) == "T11");
  CHECK(refused(activation_swish_desc{.feature_level = level::level_6_1}, one, one) == "T11");
  CHECK(refused(activation_swish_desc{.sigmoid_input_scale = not_a_number}, one, one) == "AR9");
}
