// ELEMENT_WISE_QUANTIZE_LINEAR and ELEMENT_WISE_DEQUANTIZE_LINEAR: the examples of SPEC-quantised 4.1, what a device
// may answer (2.3, 2.4; ledger QU-R1 to QU-R4), devices that compute them legally and never may be refused, and wrong
// ones.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <goldml/core/tensor.hpp>
#include <goldml/cpu/quantize_linear.hpp>
#include <goldml/operators/quantize_linear.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/matches.hpp>
#include <goldml/oracle/verdict.hpp>
#include <goldml/oracle/verdicts/quantize_linear.hpp>
#include <goldml/reference/quantize_linear.hpp>

#include "../catch.hpp"
#include "../support/long_run.hpp"

namespace {

using namespace goldml;
using floats = std::vector<float>;
using bytes = std::vector<std::uint8_t>;
using signed_bytes = std::vector<std::int8_t>;
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

std::vector<float16> halves(const floats& numbers) {
  std::vector<float16> result;
  for (const float x : numbers) result.push_back(static_cast<float16>(x));
  return result;
}

// Both backends; one scale and one zero point for all.
template <class Q, class X, class S>
std::vector<Q> quantised(const std::vector<X>& x, S s, Q z, const element_wise_quantize_linear_desc& desc = {}) {
  const std::vector<S> scales(x.size(), s);
  const std::vector<Q> zeros(x.size(), z);
  std::vector<Q> y(x.size()), fast(x.size());
  element_wise_quantize_linear(reference, x, scales, zeros, y, desc);
  element_wise_quantize_linear(cpu, x, scales, zeros, fast, desc);
  CHECK(y == fast);
  if (z == 0) {
    element_wise_quantize_linear(reference, x, scales, fast, desc);
    CHECK(y == fast);
    element_wise_quantize_linear(cpu, x, scales, fast, desc);
    CHECK(y == fast);
  }
  return y;
}
template <class Q, class S>
std::vector<S> dequantised(const std::vector<Q>& a, S s, Q z) {
  const std::vector<S> scales(a.size(), s);
  const std::vector<Q> zeros(a.size(), z);
  std::vector<S> y(a.size()), fast(a.size());
  element_wise_dequantize_linear(reference, a, scales, zeros, y);
  element_wise_dequantize_linear(cpu, a, scales, zeros, fast);
  const auto same = [](S p, S q) { return p == q || (p != p && q != q); };
  CHECK(std::equal(y.begin(), y.end(), fast.begin(), same));
  if (z == 0) {
    element_wise_dequantize_linear(cpu, a, scales, fast);
    CHECK(std::equal(y.begin(), y.end(), fast.begin(), same));
    element_wise_dequantize_linear(reference, a, scales, fast);
    CHECK(std::equal(y.begin(), y.end(), fast.begin(), same));
  }
  return y;
}

// How the comparer takes each value: r refused, s suspicious, t rounded toward zero, u usual, ? not defined.
template <class T>
std::string letters(const output_verdicts& verdicts, const output_verdicts* flushed, T golden,
                    const std::vector<T>& values, const oracle::compare_options& options) {
  oracle::golden_output output{host_tensor(tensor_desc{.data_type = data_type_of<T>, .sizes = {1}}), verdicts};
  if (flushed != nullptr) output.flushed_verdicts = std::make_shared<const output_verdicts>(*flushed);
  std::string result;
  for (const T value : values)
    result += verdicts[0] == verdict::undefined
                  ? '?'
                  : "rostu"[static_cast<int>(oracle::place_of<T>(output, 0, golden, value, options))];
  return result;
}

struct judging {
  accumulation precision = accumulation::single;
  bool flushes = false;
  bool refuses_reciprocals = false;
  quantize_ties ties = quantize_ties::even;

  oracle::compare_options options() const {
    oracle::compare_options result;
    result.fp32_flush = flushes;
    if (refuses_reciprocals) result.reciprocals = oracle::reciprocal_errors::refuse;
    return result;
  }
};

template <class Q, class X, class S>
std::string judged(X x, S s, Q z, const std::vector<Q>& values, const judging& how = {}) {
  const std::vector<X> xs{x};
  const std::vector<S> scales{s};
  const std::vector<Q> zeros{z};
  std::vector<Q> golden{0};
  const element_wise_quantize_linear_desc desc{.accumulation = how.precision, .quantize_ties = how.ties};
  element_wise_quantize_linear(reference, xs, scales, zeros, golden, desc);
  const std::array<const_tensor_ref, 3> inputs{detail::as_input(xs), detail::as_input(scales), detail::as_input(zeros)};
  const std::array<tensor_ref, 1> outputs{detail::as_output(golden)};
  std::vector<output_verdicts> verdicts{output_verdicts(1)}, flushed{output_verdicts(1)};
  using traits = oracle::verdict_traits<element_wise_quantize_linear_desc>;
  traits::verdicts(desc, inputs, outputs, verdicts);
  if (how.flushes) traits::flushed_verdicts(desc, inputs, outputs, flushed);
  return letters<Q>(verdicts[0], how.flushes ? &flushed[0] : nullptr, golden[0], values, how.options());
}
template <class Q, class S>
std::string judged_back(Q a, S s, Q z, const std::vector<S>& values, const judging& how = {}) {
  const std::vector<Q> as{a}, zeros{z};
  const std::vector<S> scales{s};
  std::vector<S> golden{S(0)};
  const element_wise_dequantize_linear_desc desc{.accumulation = how.precision};
  element_wise_dequantize_linear(reference, as, scales, zeros, golden, desc);
  const std::array<const_tensor_ref, 3> inputs{detail::as_input(as), detail::as_input(scales), detail::as_input(zeros)};
  const std::array<tensor_ref, 1> outputs{detail::as_output(golden)};
  std::vector<output_verdicts> verdicts{output_verdicts(1)}, flushed{output_verdicts(1)};
  using traits = oracle::verdict_traits<element_wise_dequantize_linear_desc>;
  traits::verdicts(desc, inputs, outputs, verdicts);
  if (how.flushes) traits::flushed_verdicts(desc, inputs, outputs, flushed);
  return letters<S>(verdicts[0], how.flushes ? &flushed[0] : nullptr, golden[0], values, how.options());
}

}  // namespace

TEST_CASE("QUANTIZE_LINEAR: results", "[quantize_linear]") {
  CHECK(quantised<std::uint8_t>(floats{0, 2, 3, 1000, -254, -1000}, 2.0f, std::uint8_t{128}) ==
        bytes{128, 129, 130, 255, 1, 0});
  const floats ties{0.5f, 1.5f, 2.5f, -0.5f, -1.5f, -2.5f, 300, -300, 0.75f};
  CHECK(quantised<std::int8_t>(ties, 1.0f, std::int8_t{3}) == signed_bytes{3, 5, 5, 3, 1, 1, 127, -128, 4});
  CHECK(quantised<std::int8_t>(ties, 1.0f, std::int8_t{3}, {.quantize_ties = quantize_ties::away}) ==
        signed_bytes{4, 5, 6, 2, 1, 0, 127, -128, 4});
  CHECK(quantised<std::int8_t>(floats{0, 2, 3, 5, -2, -5}, 0.039215686f, std::int8_t{0}) ==
        signed_bytes{0, 51, 76, 127, -51, -127});
  const floats four{-2.549168f, -4.794858f, 8.413617f, 6.108624f};
  const floats scales{9.343092f, 0.28006873f, 4.617085f, 1.1202748f};
  bytes y(4);
  element_wise_quantize_linear(cpu, four, scales, bytes{128, 128, 128, 128}, y);
  CHECK(y == bytes{128, 111, 130, 133});
  element_wise_quantize_linear(reference, four, floats{scales[0], scales[1], -scales[2], scales[3]},
                               bytes{128, 128, 128, 128}, y);
  CHECK(y == bytes{128, 111, 126, 133});
  const float16 half_scale = static_cast<float16>(0.4f);
  CHECK(quantised<std::uint8_t>(halves({25}), half_scale, std::uint8_t{0}) == bytes{63});
  // The zero point is added after the rounding, and before the limits of the type.
  CHECK(quantised<std::uint8_t>(floats{0.500001f}, 1.0f, std::uint8_t{128}) == bytes{129});
  CHECK(quantised<std::uint8_t>(floats{0.5f, 1.5f}, 1.0f, std::uint8_t{1}) == bytes{1, 3});
  CHECK(quantised<std::int8_t>(floats{200}, 1.0f, std::int8_t{-100}) == signed_bytes{100});
  CHECK(quantised<std::uint8_t>(floats{3e9f, infinity, -infinity, not_a_number, 1e-40f}, 1.0f, std::uint8_t{1}) ==
        bytes{255, 255, 0, 0, 1});
  CHECK(quantised<std::uint8_t>(floats{5, -5}, infinity, std::uint8_t{9}) == bytes{9, 9});
  CHECK(quantised<std::uint8_t>(floats{5, -5, 0}, 0.0f, std::uint8_t{9}) == bytes{255, 0, 0});
  CHECK(quantised<std::int8_t>(std::vector<std::int32_t>{16777217, -7, 2147483647}, 0x1p18f, std::int8_t{0}) ==
        signed_bytes{64, 0, 127});
}

TEST_CASE("DEQUANTIZE_LINEAR: results", "[quantize_linear]") {
  CHECK(dequantised(bytes{0, 3, 128, 255}, 2.0f, std::uint8_t{128}) == floats{-256, -250, 0, 254});
  CHECK(dequantised(signed_bytes{-30, -3, 100, 127}, 2.0f, std::int8_t{-10}) == floats{-40, 14, 220, 274});
  CHECK(dequantised(std::vector<std::int32_t>{16777217}, 1.0f, 0) == floats{16777216});
  CHECK(dequantised(bytes{200}, 0.1f, std::uint8_t{128}) == floats{7.2000003f});
  CHECK(dequantised(bytes{237}, static_cast<float16>(0.1f), std::uint8_t{128}) == halves({10.8984375f}));
  CHECK(dequantised(std::vector<std::uint16_t>{0, 65535}, 1.0f, std::uint16_t{65535}) == floats{-65535, 0});
  CHECK(dequantised(std::vector<std::uint32_t>{0, 4294967295}, 1.0f, 4294967295U) == floats{-4294967296.0f, 0});
  // 2^31 + 1 is the middle between two floats, and the scale decides: the product has 56 bits.
  CHECK(dequantised(std::vector<std::int32_t>{2147483647, -2147483647 - 1}, 0x1.000002p0f, 0) ==
        floats{0x1.000002p31f, -0x1.000002p31f});
  CHECK(dequantised(std::vector<std::int32_t>{1073741888}, 0x1.000002p0f, 0) == floats{0x1.000004p30f});
  const floats special = dequantised(signed_bytes{2, -2, 0}, infinity, std::int8_t{0});
  CHECK((special[0] == infinity && special[1] == -infinity && std::isnan(special[2])));
  CHECK(dequantised(signed_bytes{127}, 3e38f, std::int8_t{0}) == floats{infinity});
  CHECK(dequantised(signed_bytes{3}, 1e-45f, std::int8_t{0}) == floats{4.2e-45f});
}

TEST_CASE("QUANTIZE_LINEAR: what a device may answer", "[quantize_linear]") {
  const auto near_tie = [](std::vector<std::int8_t> values, const judging& how = {}) {
    return judged<std::int8_t>(3.0f, 0.039215686f, std::int8_t{0}, values, how);
  };
  CHECK(near_tie({76, 77, 75, 78}) == "uurr");
  CHECK(judged<std::int8_t>(-5.0f, 0.039215686f, std::int8_t{0}, {-127, -128, -126}) == "uur");
  CHECK(judged<std::int8_t>(5.0f, 0.039215686f, std::int8_t{0}, {127, 126}) == "ur");
  CHECK(judged<std::uint8_t>(1.5f, 1.0f, std::uint8_t{0}, {2, 1, 3}) == "urr");  // powers of two divide exactly
  CHECK(judged<std::uint8_t>(2.5f, 1.0f, std::uint8_t{0}, {2, 3}) == "ur");
  CHECK(judged<std::uint8_t>(2.5f, 1.0f, std::uint8_t{0}, {2, 3}, {.ties = quantize_ties::away}) == "ru");
  CHECK(judged<std::uint8_t>(7.5f, 3.0f, std::uint8_t{0}, {2, 3, 1}) == "uur");  // a tie that a reciprocal may miss
  // Beyond what a division of two steps gives: only the instruction rcp explains it.
  const float scale = 3, x = std::nextafter(std::nextafter(std::nextafter(300 * scale - 1.5f, 0.0f), 0.0f), 0.0f);
  CHECK(judged<std::uint8_t>(200.49994f, 1.0000001f, std::uint8_t{0}, {200, 201}) == "us");
  CHECK(judged<std::uint8_t>(200.49994f, 1.0000001f, std::uint8_t{0}, {200, 201}, {.refuses_reciprocals = true}) ==
        "ur");
  CHECK(judged<std::uint8_t>(200.49f, 1.0000001f, std::uint8_t{0}, {200, 201}) == "ur");
  CHECK(judged<std::uint8_t>(x, scale, std::uint8_t{0}, {255, 254}) == "ur");
  // Not defined: scale 0, subnormal or NaN, NaN, infinities of both.
  for (const float s : {0.0f, -0.0f, 1e-39f, not_a_number})
    CHECK(judged<std::uint8_t>(1.0f, s, std::uint8_t{5}, {7}) == "?");
  CHECK(judged<std::uint8_t>(not_a_number, 1.0f, std::uint8_t{5}, {7}) == "?");
  CHECK(judged<std::uint8_t>(infinity, infinity, std::uint8_t{5}, {7}) == "?");
  CHECK(judged<std::uint8_t>(infinity, 3.0f, std::uint8_t{5}, {255, 5}) == "ur");
  CHECK(judged<std::uint8_t>(infinity, 3e38f, std::uint8_t{5}, {5}) == "?");
  CHECK(judged<std::uint8_t>(7.0f, infinity, std::uint8_t{5}, {5, 6}) == "ur");
  // A subnormal quotient's operand may be flushed; a great scale has a subnormal reciprocal.
  const float most_subnormal = 0x1.fffffcp-127f;
  CHECK(judged<std::uint8_t>(most_subnormal, 0x1p-126f, std::uint8_t{5}, {6, 5}) == "ur");
  CHECK(judged<std::uint8_t>(most_subnormal, 0x1p-126f, std::uint8_t{5}, {6, 5, 4}, {.flushes = true}) == "uur");
  CHECK(judged<std::uint8_t>(3e38f, 1.5e38f, std::uint8_t{5}, {7, 5, 6}) == "uur");
  CHECK(judged<std::uint8_t>(0x1p127f, 0x1p126f, std::uint8_t{5}, {7, 5}) == "ur");
  // INT32 that FLOAT32 does not hold may be truncated.
  CHECK(judged<std::uint8_t>(std::int32_t{100663302}, 0x1.8p18f, std::uint8_t{0}, {255, 254}) == "ur");
  CHECK(judged<std::uint8_t>(std::int32_t{33685505}, 262144.0f, std::uint8_t{0}, {128, 129}) == "uu");
  CHECK(judged<std::uint8_t>(std::int32_t{33685504}, 262144.0f, std::uint8_t{0}, {128, 129}) == "ur");
  // FLOAT16.
  const float16 h = static_cast<float16>(25.0f), s = static_cast<float16>(0.4f);
  CHECK(judged<std::uint8_t>(h, s, std::uint8_t{0}, {63, 62, 64}) == "urr");
  CHECK(judged<std::uint8_t>(h, s, std::uint8_t{0}, {63, 62, 64}, {.precision = accumulation::half}) == "uur");
  CHECK(judged<std::uint8_t>(1.0f, 1e-5f, std::uint8_t{0}, {63}, {.precision = accumulation::half}) == "?");
}

TEST_CASE("QUANTIZE_LINEAR: an answer has what a device may give that flushes its input", "[quantize_linear]") {
  const tensor<float> x({1}, {0x1.fffffcp-127f}), s({1}, {0x1p-126f});
  const tensor<std::uint8_t> z({1}, {5});
  const std::array<const_tensor_ref, 3> inputs{x.view(), s.view(), z.view()};
  const std::array<tensor_desc, 1> outputs{{{.data_type = data_type::uint8, .sizes = {1}}}};
  const oracle::golden golden = oracle::expect(element_wise_quantize_linear_desc{}, inputs, outputs);
  const auto agrees = [&](std::uint8_t y, const oracle::compare_options& options) {
    const tensor<std::uint8_t> got({1}, {y});
    const std::array<const_tensor_ref, 1> actual{got.view()};
    return oracle::compare(golden, actual, options).tolerated();
  };
  for (const std::uint8_t y : std::array<std::uint8_t, 4>{4, 5, 6, 7}) {
    CHECK(agrees(y, {}) == (y == 5 || y == 6));
    CHECK(agrees(y, oracle::compare_options::strict()) == (y == 6));
  }
}

TEST_CASE("DEQUANTIZE_LINEAR: what a device may answer", "[quantize_linear]") {
  CHECK(judged_back<std::uint8_t>(200, 0.1f, 128, {7.2000003f, 7.2f, 7.200001f}) == "urr");
  CHECK(judged_back<std::uint8_t>(237, static_cast<float16>(0.1f), 128, halves({10.8984375f, 10.890625f, 10.90625f})) ==
        "utr");
  CHECK(judged_back<std::int32_t>(16777217, 1.0f, 0,
                                  {16777216.0f, 16777213.0f, 16777214.0f, 16777218.0f, 16777220.0f, 16777222.0f}) ==
        "uruuur");
  CHECK(judged_back<std::int16_t>(-32768, 0.1f, 32767, {-6553.5f, -6553.5005f}) == "ur");
  CHECK(judged_back<std::uint8_t>(9, 0.0f, 8, {0, 7}) == "??");
  CHECK(judged_back<std::uint8_t>(9, infinity, 9, {not_a_number, 0}) == "ur");
  CHECK(judged_back<std::uint8_t>(9, infinity, 8, {infinity, 0}) == "ur");
  CHECK(judged_back<std::uint8_t>(9, 1e-39f, 8, {1e-39f, 0}) == "ur");
  CHECK(judged_back<std::uint8_t>(9, 1e-39f, 8, {1e-39f, 0}, {.flushes = true}) == "uu");
  CHECK(judged_back<std::uint8_t>(9, 1e-37f, 8, {1e-37f, 0}, {.flushes = true}) == "ur");
  // A difference of 32 bits that wraps.
  CHECK(judged_back<std::int32_t>(2147483647, 1.0f, -1, {2147483648.0f, -2147483648.0f, 0}) == "uur");
  CHECK(judged_back<std::uint32_t>(0, 1.0f, 2, {-2.0f, 4294967296.0f, 4294967040.0f, 2.0f}) == "uuur");
  CHECK(judged_back<std::uint8_t>(0, 1.0f, 2, {-2.0f, 254.0f, 4294967296.0f}) == "urr");
  CHECK(judged_back<std::uint16_t>(0, 1.0f, 2, {-2.0f, 65534.0f}) == "ur");
  const judging in_half{.precision = accumulation::half};
  CHECK(judged_back<std::uint8_t>(200, 0.1f, 128, {7.2000003f, 7.19f, 7.0f}, in_half) == "uur");
  CHECK(judged_back<std::int32_t>(70000, 1.0f, 0, {1.0f}, in_half) == "u");
}

TEST_CASE("DEQUANTIZE_LINEAR: infinite scales, and those that half precision does not hold", "[quantize_linear]") {
  // 16777217 is 16777216 in FLOAT32, so that a device that converts and subtracts multiplies 0 by infinity.
  const floats all{infinity, not_a_number, -infinity, 1};
  CHECK(judged_back<std::int32_t>(16777217, infinity, 16777216, all) == "uurr");
  CHECK(judged_back<std::int32_t>(16777217, -infinity, 16777216, all) == "ruur");
  CHECK(judged_back<std::uint32_t>(4000000001, infinity, 4000000000, all) == "uurr");
  CHECK(judged_back<std::int32_t>(16777217, static_cast<float16>(infinity), 16777216, halves(all)) == "uurr");
  // Both are FLOAT32, or too far apart; of 16 bits all are.
  CHECK(judged_back<std::int32_t>(16777218, infinity, 16777216, all) == "urrr");
  CHECK(judged_back<std::int32_t>(16777217, infinity, 16777212, all) == "urrr");
  CHECK(judged_back<std::int32_t>(16777216, infinity, 16777216, all) == "rurr");
  CHECK(judged_back<std::uint16_t>(65535, infinity, 65534, all) == "urrr");
  // Of one number converted to 16777220 and to 16777218, as elements and zero points may be.
  CHECK(judged_back<std::int32_t>(16777219, infinity, 16777219, all) == "uuur");
  CHECK(judged_back<std::int32_t>(2147483647, infinity, -1, all) == "urur");  // modulo 2^32
  CHECK(judged_back<std::uint32_t>(4000000000, infinity, 4000000001, all) == "uuur");
  // In half precision 1e-6 is 17 * 2^-24, so that 200e-6 is 2.0266e-4; 70000 is infinite, and times 0 NaN.
  const judging in_half{.precision = accumulation::half};
  for (const float s : {1e-6f, -1e-6f, 3.3e-7f, 6.1e-5f, 65504.0f, 70000.0f, infinity})
    CHECK(judged_back<std::uint8_t>(200, s, 0, {2.0266e-4f, not_a_number}, in_half) == "??");
  CHECK(judged_back<std::uint8_t>(5, 70000.0f, 5, {not_a_number}, in_half) == "?");
  CHECK(judged_back<std::uint8_t>(200, 0x1p-14f, 0, {200 * 0x1p-14f, 0.0122f, 0.0124f}, in_half) == "uur");
  CHECK(judged_back<std::uint8_t>(200, 1e-6f, 0, {2e-4f, 2.0266e-4f}) == "ur");
  CHECK(judged_back<std::uint8_t>(5, not_a_number, 5, {not_a_number, 0}, in_half) == "ur");
  // FLOAT16 holds its own scales.
  CHECK(judged_back<std::uint8_t>(200, static_cast<float16>(0x1p-20f), 0, halves({200 * 0x1p-20f, 0, 201 * 0x1p-20f}),
                                  in_half) == "urr");
  CHECK(judged_back<std::int16_t>(2049, static_cast<float16>(infinity), 2048, halves(all), in_half) == "uurr");
  CHECK(judged_back<std::int16_t>(2050, static_cast<float16>(infinity), 2048, halves(all), in_half) == "urrr");
}

TEST_CASE("QUANTIZE_LINEAR: legal devices are never refused", "[quantize_linear]") {
  std::mt19937 random(33);
  const int cases = goldml_test::is_long_run() ? 1'000'000 : goldml_test::is_slow ? 3'000 : 100'000;
  std::uint64_t refused = 0, suspicious = 0;
  const auto any = [&](int low, int high) {
    const auto bits = static_cast<std::uint32_t>(random());
    return std::ldexp(std::bit_cast<float>((bits & 0x807F'FFFF) | 127U << 23),
                      low + static_cast<int>(random() % static_cast<unsigned>(high - low)));
  };
  const auto rounded_of = [](float q, std::uint8_t z) {
    const double k = q != q ? 0 : std::nearbyint(std::clamp(static_cast<double>(q), -1e6, 1e6)) + z;
    return static_cast<std::uint8_t>(std::clamp(k, 0.0, 255.0));
  };
  for (int i = 0; i < cases; ++i) {
    const float s = i % 4 == 0 ? std::ldexp(1.0f, static_cast<int>(random() % 20) - 10) : any(-8, 8);
    // Half of them near the middle between two integers.
    const float middle = static_cast<float>((static_cast<double>(random() % 300) - 20.5) * static_cast<double>(s));
    const float x = i % 2 == 0 ? any(-8, 12) : std::nextafter(middle, random() % 2 == 0 ? infinity : -infinity);
    const auto z = static_cast<std::uint8_t>(random());
    const float by_division = x / s;
    const auto nearest = static_cast<float>(1 / static_cast<double>(s));
    std::vector<std::uint8_t> answers{rounded_of(by_division, z), rounded_of(x * nearest, z)};
    const bool exact = s == 0 || std::abs(std::frexp(s, std::array<int, 1>{}.data())) == 0.5f;
    if (!exact)
      for (const float reciprocal : {std::nextafter(nearest, infinity), std::nextafter(nearest, -infinity)})
        answers.push_back(rounded_of(x * reciprocal, z));
    std::string letters_of = judged<std::uint8_t>(x, s, z, answers, {.flushes = true});
    suspicious += static_cast<std::uint64_t>(std::count(letters_of.begin(), letters_of.end(), 's'));
    if (!exact)
      for (const double by : {-0x1p-21, 0x1p-21, 0x1p-22})
        letters_of += judged<std::uint8_t>(
            x, s, z, {rounded_of(x * static_cast<float>(1 / static_cast<double>(s) * (1 + by * 0.99)), z)});
    refused += static_cast<std::uint64_t>(std::count(letters_of.begin(), letters_of.end(), 'r'));
    // FLOAT16 in FLOAT32 and in FLOAT16.
    const auto hx = static_cast<float16>(x), hs = static_cast<float16>(s);
    const float wide_x = static_cast<float>(hx), wide_s = static_cast<float>(hs);
    if (wide_s == 0) continue;
    refused += judged<std::uint8_t>(hx, hs, z, {rounded_of(wide_x / wide_s, z)}) == "r";
    const auto half_q = static_cast<float16>(wide_x / wide_s);
    const auto half_r = static_cast<float16>(wide_x * static_cast<float>(static_cast<float16>(1 / wide_s)));
    for (const float16 q : {half_q, half_r})
      refused += judged<std::uint8_t>(hx, hs, z, {rounded_of(static_cast<float>(q), z)},
                                      {.precision = accumulation::half}) == "r";
    // INT32.
    const auto whole = static_cast<std::int32_t>(std::clamp(static_cast<double>(x) * 1e5, -2e9, 2e9));
    float up = static_cast<float>(whole), toward_zero = up;
    if (std::abs(static_cast<double>(up)) > std::abs(static_cast<double>(whole)))
      toward_zero = std::nextafter(up, 0.0f);
    const float scale = s * 1e5f;
    for (const float each : {up, toward_zero})
      refused += judged<std::uint8_t>(whole, scale, z, {rounded_of(each / scale, z)}) == "r";
  }
  CHECK(refused == 0);
  CHECK(suspicious == 0);
}

TEST_CASE("DEQUANTIZE_LINEAR: legal devices are never refused", "[quantize_linear]") {
  std::mt19937 random(34);
  const int cases = goldml_test::is_long_run() ? 1'000'000 : goldml_test::is_slow ? 3'000 : 100'000;
  std::uint64_t refused = 0;
  const auto converted = [](double whole, bool truncates) {
    const auto nearest = static_cast<float>(whole);
    return truncates && std::abs(static_cast<double>(nearest)) > std::abs(whole) ? std::nextafter(nearest, 0.0f)
                                                                                 : nearest;
  };
  for (int i = 0; i < cases; ++i) {
    const float s = std::ldexp(1 + static_cast<float>(random() >> 8) * 0x1p-24f, static_cast<int>(random() % 20) - 10);
    const auto a = static_cast<std::int32_t>(static_cast<std::uint32_t>(random()) >> (random() % 16));
    const auto z = static_cast<std::int32_t>(static_cast<std::uint32_t>(random()) >> (random() % 16));
    floats answers;
    for (const bool truncates : {false, true}) {
      answers.push_back(converted(static_cast<double>(a) - z, truncates) * s);
      answers.push_back((converted(a, truncates) - converted(z, truncates)) * s);
      const auto wrapped = static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(z);
      answers.push_back(converted(static_cast<std::int32_t>(wrapped), truncates) * s);
    }
    std::string found = judged_back<std::int32_t>(a, s, z, answers);
    const auto low = static_cast<std::uint8_t>(a), low_z = static_cast<std::uint8_t>(z);
    found += judged_back<std::uint8_t>(low, s, low_z, {static_cast<float>(int{low} - int{low_z}) * s});
    const auto words = static_cast<std::uint16_t>(a), words_z = static_cast<std::uint16_t>(z);
    const float by_float = (static_cast<float>(words) - static_cast<float>(words_z)) * s;
    found += judged_back<std::uint16_t>(words, s, words_z, {by_float});
    const auto hs = static_cast<float16>(s);
    found += judged_back<std::uint8_t>(
        low, hs, low_z, {static_cast<float16>(static_cast<float>(int{low} - int{low_z}) * static_cast<float>(hs))});
    refused += static_cast<std::uint64_t>(std::count(found.begin(), found.end(), 'r'));
  }
  CHECK(refused == 0);
}

TEST_CASE("QUANTIZE_LINEAR: wrong devices are noticed at the rates of the digest", "[quantize_linear]") {
  std::mt19937 random(7);
  const int cases = goldml_test::is_slow ? 4'000 : 20'000;
  std::map<std::string_view, int> found;  // per mille
  const auto limited = [](double k) { return static_cast<std::int8_t>(std::clamp(k, -128.0, 127.0)); };
  for (int i = 0; i < cases; ++i) {
    const float s = 0.01f + static_cast<float>(random() % 100'000) * 1e-5f;
    const float x = s * (static_cast<float>(random() % 400'000) * 1e-3f - 200);
    const auto z = static_cast<std::int8_t>(static_cast<int>(random() % 256) - 128);
    const double q = static_cast<double>(x) / static_cast<double>(s);
    const auto wrong = [&](std::string_view name, float element, float scale, std::int8_t answer) {
      found[name] += judged<std::int8_t>(element, scale, z, {answer}) == "r";
    };
    wrong("truncation", x, s, limited(std::trunc(q) + z));
    wrong("zero point forgotten", x, s, limited(std::nearbyint(q)));
    wrong("clamped first", x, s, limited(std::clamp(std::nearbyint(q), -128.0, 127.0) + z));
    wrong("INT8 from -127", x, s, static_cast<std::int8_t>(std::max<int>(-127, limited(std::nearbyint(q) + z))));
    wrong("wraps", x, s, static_cast<std::int8_t>(static_cast<std::int64_t>(std::nearbyint(q)) + z));
    const float half = static_cast<float>(static_cast<float16>(static_cast<float>(static_cast<float16>(x)) /
                                                               static_cast<float>(static_cast<float16>(s))));
    wrong("FLOAT16 division", x, s, limited(std::nearbyint(half) + z));
    // Ties.
    const float power = std::ldexp(1.0f, static_cast<int>(random() % 8) - 4);
    const double k = static_cast<double>(static_cast<int>(random() % 400) - 200) / 2;
    const auto tie = static_cast<float>(k * static_cast<double>(power));
    wrong("away", tie, power, limited(std::round(k) + z));
    wrong("floor(q + 0.5)", tie, power, limited(std::floor(k + 0.5) + z));
    const auto odd = static_cast<std::int8_t>(z | 1);
    found["zero point added first"] += judged<std::int8_t>(tie, power, odd, {limited(std::nearbyint(k + odd))}) == "r";
  }
  const auto rate = [&](std::string_view name) { return 100.0 * found[name] / cases; };
  INFO("away " << rate("away") << ", floor " << rate("floor(q + 0.5)") << ", zero first "
               << rate("zero point added first") << ", truncation " << rate("truncation") << ", half "
               << rate("FLOAT16 division") << ", forgotten " << rate("zero point forgotten") << ", clamped "
               << rate("clamped first") << ", -127 " << rate("INT8 from -127") << ", wraps " << rate("wraps"));
  // Of all; a share of the elements lies beyond the ends of the range, where most answers are alike.
  CHECK(rate("truncation") > 25);
  CHECK(rate("zero point forgotten") > 75);
  CHECK(rate("clamped first") > 15);
  CHECK(rate("INT8 from -127") > 10);
  CHECK(rate("wraps") > 15);
  CHECK(rate("FLOAT16 division") > 1);
  CHECK(rate("away") > 15);
  CHECK(rate("floor(q + 0.5)") > 15);
  CHECK(rate("zero point added first") > 30);
  CHECK(judged<std::uint8_t>(0.5f, 1.0f, std::uint8_t{1}, {2}) == "r");
}

TEST_CASE("DEQUANTIZE_LINEAR: wrong devices are noticed at the rates of the digest", "[quantize_linear]") {
  std::mt19937 random(8);
  const int cases = goldml_test::is_slow ? 4'000 : 20'000;
  int folded = 0, fused = 0, signs = 0, wraps = 0;
  for (int i = 0; i < cases; ++i) {
    const float s = 0.001f + static_cast<float>(random() >> 8) * 0x1p-24f;
    const auto a = static_cast<std::uint8_t>(random()), z = static_cast<std::uint8_t>(random());
    const auto wrong = [&](float answer) { return judged_back<std::uint8_t>(a, s, z, {answer}) == "r"; };
    folded += wrong(static_cast<float>(a) * s - static_cast<float>(z) * s);
    fused += wrong(std::fma(static_cast<float>(a), s, -(static_cast<float>(z) * s)));
    signs += wrong(static_cast<float>(static_cast<std::int8_t>(a) - static_cast<std::int8_t>(z)) * s);
    wraps += wrong(static_cast<float>(static_cast<std::uint8_t>(a - z)) * s);
  }
  CHECK(folded > cases / 2);
  CHECK(fused > cases * 2 / 5);
  CHECK(signs > cases * 2 / 5);
  CHECK(wraps > cases * 2 / 5);
}

namespace {

// What `cpu` computes in blocks, by one scale and zero point, with each instruction set.
template <class Y, class X, class Q, class Call>
void check_by_one_scale(const Call& call, const std::vector<X>& x, float s, Q z) {
  const auto count = static_cast<std::uint32_t>(x.size());
  const std::array<float, 1> scale{s};
  const std::array<Q, 1> zero{z};
  const auto results = [&](const auto& backend) {
    std::vector<Y> y(x.size());
    call(backend, x, tensor_view<const float>(scale.data(), {count}, {0}),
         tensor_view<const Q>(zero.data(), {count}, {0}), y);
    return y;
  };
  const std::vector<Y> expected = results(reference);
  for (const instruction_set set : all_instruction_sets) {
    if (!is_supported(set)) continue;
    const std::vector<Y> y = results(cpu.with(set));
    INFO(name_of(set) << ", scale " << s << ", zero point " << int{z});
    CHECK(std::memcmp(y.data(), expected.data(), y.size() * sizeof(Y)) == 0);
  }
}

}  // namespace

TEST_CASE("QUANTIZE_LINEAR on cpu: quotients next to ties, special and great numbers by one scale", "[cpu][quantize]") {
  for (const float s : {1.0F, 0x1p-7F, 0.1F, -0.3F, 3.0F, 1e-20F, 0x1p-120F, 1e38F, infinity, 0.0F, not_a_number}) {
    floats x{infinity, -infinity, not_a_number, -0.0F, 1e-45F, -1e-40F, 3e38F, -3e38F};
    for (int half = -1100; half <= 1100; ++half) {
      const float tie = static_cast<float>(half) * 0.5F * s;
      for (const float each : {tie, std::nextafter(tie, -infinity), std::nextafter(tie, infinity)}) x.push_back(each);
    }
    for (const quantize_ties ties : {quantize_ties::even, quantize_ties::away}) {
      const auto call = [&](const auto& backend, const auto& i, const auto& t, const auto& u, auto& y) {
        element_wise_quantize_linear(backend, i, t, u, y, {.quantize_ties = ties});
      };
      for (const int z : {0, 128, 255}) check_by_one_scale<std::uint8_t>(call, x, s, static_cast<std::uint8_t>(z));
      for (const int z : {-128, 0, 127}) check_by_one_scale<std::int8_t>(call, x, s, static_cast<std::int8_t>(z));
    }
    std::vector<std::uint8_t> all(256);
    std::vector<std::int16_t> words;
    for (int i = 0; i < 256; ++i) all[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(i);
    for (int i = -32768; i < 32768; i += 37) words.push_back(static_cast<std::int16_t>(i));
    const auto back = [](const auto& backend, const auto& i, const auto& t, const auto& u, auto& y) {
      element_wise_dequantize_linear(backend, i, t, u, y);
    };
    check_by_one_scale<float>(back, all, s, std::uint8_t{128});
    check_by_one_scale<float>(back, words, s, std::int16_t{-32768});
  }
}
