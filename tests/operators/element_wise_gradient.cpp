// ELEMENT_WISE_CLIP_GRAD, CLIP_GRAD1, THRESHOLD, ACTIVATION_RELU_GRAD and PARAMETERIZED_RELU: results and what a device
// may answer (ledger FN-R8, FN-R9, L20, L23, 7.4, AR-R1), by tables made by hand.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <goldml/operators/element_wise.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/reference/element_wise.hpp>

#include "../catch.hpp"
#include "../support/refusals.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using clip_grad = element_wise_clip_grad_desc;
using clip_grad1 = element_wise_clip_grad1_desc;
using relu_grad = activation_relu_grad_desc;

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float tiny = std::numeric_limits<float>::denorm_min();

template <class T>
tensor<T> line(const std::vector<T>& elements) {
  return tensor<T>({elements.size()}, elements);
}
std::vector<float> results(const auto& function, const std::vector<float>& x, const std::vector<float>& gradient,
                           const auto& desc) {
  return function(reference, line(x), line(gradient), desc).elements();
}

// For each of the values whether a device may answer it to these elements: "a", "t" (counted as rounded toward zero),
// "f" (accepted of a device that flushes alone), "u" (anything is accepted) or "r".
template <class Desc, class T>
std::string judged_of(const Desc& desc, const std::vector<T>& elements, const std::vector<T>& values) {
  const tensor_desc one{.data_type = data_type_of<T>, .sizes = {1}};
  std::vector<const_tensor_ref> inputs;
  for (const T& x : elements) inputs.emplace_back(one, &x, sizeof x);
  const oracle::golden golden = oracle::expect(desc, std::span<const const_tensor_ref>(inputs), std::array{one});
  std::string result;
  for (const T& value : values) {
    const std::array actual{const_tensor_ref(one, &value, sizeof value)};
    const oracle::judgement by_default = oracle::compare(golden, actual);
    const auto accepts = [&](const oracle::compare_options& options) {
      return oracle::compare(golden, actual, options).tolerated();
    };
    oracle::compare_options nearest;
    nearest.narrow_toward_zero = false;
    oracle::compare_options exact = nearest;
    exact.fp32_flush = false;
    result += by_default.result.ignored() != 0 ? 'u'
              : !by_default.tolerated()        ? 'r'
              : accepts(exact)                 ? 'a'
              : accepts(nearest)               ? 'f'
                                               : 't';
  }
  return result;
}
template <class Desc, class T>
std::string judged(const Desc& desc, T x, T gradient, const std::vector<T>& values) {
  return judged_of<Desc, T>(desc, {x, gradient}, values);
}
float16 half(float x) { return static_cast<float16>(x); }

}  // namespace

TEST_CASE("CLIP_GRAD: the gradient strictly between the bounds, +0 elsewhere", "[element_wise]") {
  const std::vector<float> x{-1, 0, 0.5f, 1, 2}, gradient{5, 6, 7, 8, 9};
  CHECK(results(element_wise_clip_grad, x, gradient, clip_grad{.min = 0, .max = 1}) ==
        std::vector<float>{0, 0, 7, 0, 0});
  CHECK(results(element_wise_clip_grad1, x, gradient, clip_grad1{.min = 0.0f, .max = 1.0f}) ==
        std::vector<float>{0, 0, 7, 0, 0});
  CHECK(results(activation_relu_grad, x, gradient, relu_grad{}) == std::vector<float>{0, 0, 7, 8, 9});
  // Both bounds of -infinity and infinity are ordinary; without bounds only the infinities are at one.
  CHECK(results(element_wise_clip_grad, {-infinity, -3e38f, 3e38f, infinity}, {1, 2, 3, 4}, clip_grad{}) ==
        std::vector<float>{0, 2, 3, 0});
  CHECK(results(activation_relu_grad, {-infinity, infinity, -0.0f, tiny, -tiny}, {1, 2, 3, 4, 5}, relu_grad{}) ==
        std::vector<float>{0, 2, 0, 4, 0});
  // Min at Max and above it: 0 everywhere. The default bounds of CLIP_GRAD1 are both zero.
  for (const float max : {2.0f, 1.0f})
    CHECK(results(element_wise_clip_grad, {1, 1.5f, 2, 3}, {5, 5, 5, 5}, clip_grad{.min = 2, .max = max}) ==
          std::vector<float>{0, 0, 0, 0});
  CHECK(results(element_wise_clip_grad1, {-1, 0, 1}, {5, 5, 5}, clip_grad1{}) == std::vector<float>{0, 0, 0});
}

TEST_CASE("CLIP_GRAD: the gradient is moved, the filler is +0; NaN", "[element_wise]") {
  const std::vector<float> gradient{-0.0f, -5, infinity, std::bit_cast<float>(0x7F80'0001u)};
  const auto bits_of = [&](const auto& function, float x, const auto& desc) {
    return layouts::bits(results(function, std::vector<float>(4, x), gradient, desc));
  };
  const std::vector<std::uint64_t> moved{0x8000'0000, 0xC0A0'0000, 0x7F80'0000, 0x7F80'0001}, none{0, 0, 0, 0};
  CHECK(bits_of(element_wise_clip_grad, 0.5f, clip_grad{.min = 0, .max = 1}) == moved);
  CHECK(bits_of(element_wise_clip_grad, 1, clip_grad{.min = 0, .max = 1}) == none);
  CHECK(bits_of(activation_relu_grad, 1, relu_grad{}) == moved);
  CHECK(bits_of(activation_relu_grad, -1, relu_grad{}) == none);
  // FN-R8: no comparison with NaN is true. So CLIP_GRAD moves, RELU_GRAD does not; a NaN bound does not bound.
  CHECK(bits_of(element_wise_clip_grad, not_a_number, clip_grad{.min = 0, .max = 1}) == moved);
  CHECK(bits_of(element_wise_clip_grad1, not_a_number, clip_grad1{}) == moved);
  CHECK(bits_of(activation_relu_grad, not_a_number, relu_grad{}) == none);
  CHECK(bits_of(element_wise_clip_grad, -9, clip_grad{.min = not_a_number, .max = 1}) == moved);
  CHECK(bits_of(element_wise_clip_grad, 1, clip_grad{.min = not_a_number, .max = 1}) == none);
  CHECK(bits_of(element_wise_clip_grad, 9, clip_grad{.min = 0, .max = not_a_number}) == moved);
}

TEST_CASE("CLIP_GRAD, RELU_GRAD: integers, FLOAT16, strides", "[element_wise]") {
  const auto bytes = [](const std::vector<std::int8_t>& x) { return line(x); };
  const tensor<std::int8_t> x = bytes({-128, -3, -2, 0, 2, 3, 127}), dy = bytes({1, 2, 3, 4, 5, 6, -7});
  // CLIP_GRAD's bounds are truncated and saturated (L23): -2 and 2; -128 and 0.
  CHECK(element_wise_clip_grad(reference, x, dy, {.min = -2.9f, .max = 2.9f}) == bytes({0, 0, 0, 4, 0, 0, 0}));
  CHECK(element_wise_clip_grad(reference, x, dy, {.min = -1e9f, .max = not_a_number}) == bytes({0, 2, 3, 0, 0, 0, 0}));
  CHECK(element_wise_clip_grad1(reference, x, dy, {.min = std::int8_t{-3}, .max = std::int8_t{3}}) ==
        bytes({0, 0, 3, 4, 5, 0, 0}));
  CHECK(activation_relu_grad(reference, x, dy) == bytes({0, 0, 0, 0, 5, 6, -7}));
  const auto longs = [](const std::vector<std::uint64_t>& all) { return line(all); };
  constexpr std::uint64_t top = std::uint64_t{1} << 63;
  CHECK(element_wise_clip_grad1(reference, longs({top, top + 1, top + 2}), longs({7, 8, 9}),
                                {.min = top, .max = top + 2}) == longs({0, 8, 0}));
  // 0.1 is 0x2E66 as a FLOAT16, to which it is compared.
  const auto halves = [](const std::vector<std::uint64_t>& all) {
    std::vector<float16> result;
    for (const std::uint64_t each : all) result.push_back(layouts::from_bits<float16>(each));
    return line(result);
  };
  CHECK(element_wise_clip_grad(reference, halves({0x2E65, 0x2E66, 0x2E67, 0x7C00}), halves({1, 2, 3, 4}),
                               {.min = 0.1f, .max = 65520}) == halves({0, 0, 3, 0}));
  // A column of inputs, broadcast, beside a transposed gradient.
  const std::vector<float> column{-1, 1}, gradient{1, 2, 3, 4, 5, 6};
  std::vector<float> output(6, 9);
  activation_relu_grad(reference, tensor_view{column, {2, 3}, {1, 0}}, tensor_view{gradient, {2, 3}, {1, 2}},
                       tensor_view{output, {2, 3}});
  CHECK(output == std::vector<float>{0, 0, 0, 2, 4, 6});
}

TEST_CASE("FN-R8: of a NaN either branch; a mask that is multiplied is refused", "[element_wise]") {
  const clip_grad between{.min = 0, .max = 1};
  CHECK(judged(between, not_a_number, 5.0f, {5, 0, -0.0f, not_a_number, 1}) == "aarrr");
  CHECK(judged(relu_grad{}, not_a_number, 5.0f, {5, 0, -0.0f, not_a_number, 1}) == "aarrr");
  CHECK(judged(between, 0.5f, 5.0f, {5, 0}) == "ar");
  CHECK(judged(between, 1.0f, 5.0f, {5, 0, -0.0f}) == "rar");
  CHECK(judged(relu_grad{}, 0.0f, -5.0f, {-5, 0, -0.0f}) == "rar");
  CHECK(judged(between, 2.0f, infinity, {0, not_a_number, infinity}) == "arr");  // inf * 0
  CHECK(judged(clip_grad{.min = not_a_number, .max = 1}, -9.0f, 5.0f, {5, 0}) == "ar");
  CHECK(judged(clip_grad1{.min = 0, .max = 1}, 1, 5, {0, 5}) == "ar");
}

TEST_CASE("CLIP_GRAD, RELU_GRAD 7.4: numbers are flushed where they are compared, and so is the gradient",
          "[element_wise]") {
  CHECK(judged(relu_grad{}, tiny, 5.0f, {5, 0, -0.0f}) == "afr");
  CHECK(judged(relu_grad{}, -tiny, 5.0f, {5, 0}) == "ra");
  CHECK(judged(relu_grad{}, 1.0f, -tiny, {-tiny, -0.0f, 0, tiny}) == "afrr");
  CHECK(judged(relu_grad{}, -1.0f, tiny, {0, tiny}) == "ar");
  const clip_grad from_zero{.min = 0, .max = 1};
  CHECK(judged(from_zero, 3 * tiny, 5.0f, {5, 0}) == "af");
  // A bound may be flushed, with or without x.
  const clip_grad above{.min = 2 * tiny, .max = 1};
  CHECK(judged(above, 3 * tiny, 5.0f, {5, 0}) == "af");
  CHECK(judged(above, tiny, 5.0f, {5, 0}) == "fa");
  CHECK(judged(above, 0.0f, 5.0f, {5, 0}) == "ra");
  CHECK(judged(above, -tiny, 5.0f, {5, 0}) == "ra");
  const clip_grad below{.min = -1, .max = -2 * tiny};
  CHECK(judged(below, -tiny, 5.0f, {5, 0}) == "fa");
  CHECK(judged(below, 0x1p-126f, 5.0f, {5, 0}) == "ra");
}

TEST_CASE("CLIP_GRAD L23: bounds rounded toward zero to FLOAT16", "[element_wise]") {
  const clip_grad cut{.min = 0.3f, .max = 65520};  // 0x34CD or 0x34CC, infinity or 65504
  const auto of = [&](unsigned x) { return judged(cut, layouts::from_bits<float16>(x), half(5), {half(5), half(0)}); };
  CHECK(of(0x34CC) == "ra");
  CHECK(of(0x34CD) == "ta");
  CHECK(of(0x34CE) == "ar");
  CHECK(of(0x7BFE) == "ar");
  CHECK(of(0x7BFF) == "at");
  CHECK(of(0x7C00) == "ra");
}

TEST_CASE("CLIP_GRAD, RELU_GRAD AR-R1: half precision", "[element_wise]") {
  for (const auto mode : {accumulation::half, accumulation::half_products}) {
    const relu_grad relu{.accumulation = mode};
    // 1 + 2^-20 lies within 2^-10 (1 + 2^-20) + 2^-24 of what FLOAT16 holds; 1.5 is one of its numbers.
    CHECK(judged(relu, 1.0f, 1 + 0x1p-20f, {1, 1 + 0x1p-10f, 1 + 0x1p-9f, 0}) == "aarr");
    CHECK(judged(relu, 1.0f, 1.5f, {1.5f, 1.5f + 0x1p-10f}) == "ar");
    // A number that FLOAT16 rounds to 0 is positive or not; one that it holds is.
    CHECK(judged(relu, 0x1p-25f, 5.0f, {5, 0}) == "aa");
    CHECK(judged(relu, 0x1p-24f, 5.0f, {5, 0}) == "ar");
    CHECK(judged(relu, -1.0f, 5.0f, {5, 0}) == "ra");
    const clip_grad near_bound{.min = 0.1f, .max = 2, .accumulation = mode};
    CHECK(judged(near_bound, 0.1f, 5.0f, {5, 0}) == "aa");
    CHECK(judged(near_bound, 0.10019f, 5.0f, {5, 0}) == "aa");
    CHECK(judged(near_bound, 0.1004f, 5.0f, {5, 0}) == "ar");
    CHECK(judged(near_bound, 2.0f, 5.0f, {5, 0}) == "ra");
    CHECK(judged(near_bound, 2.002f, 5.0f, {5, 0}) == "ra");
    CHECK(judged(near_bound, 1.9999f, 5.0f, {5, 0}) == "aa");
    // Beyond FLOAT16.
    CHECK(judged(relu, 7e4f, 5.0f, {5, 0, 77}) == "uuu");
    CHECK(judged(relu, 1.0f, 7e4f, {7e4f, 77}) == "uu");
    CHECK(judged(clip_grad{.max = 7e4f, .accumulation = mode}, 1.0f, 5.0f, {0}) == "u");
    CHECK(judged(relu, infinity, 5.0f, {5, 0}) == "ar");
    // FLOAT16 tensors are moved as they are.
    CHECK(judged(relu, half(1), half(1.5f), {half(1.5f), half(0)}) == "ar");
  }
}

TEST_CASE("CLIP_GRAD, RELU_GRAD T12: in place", "[element_wise]") {
  std::vector<float> x{-1, 1, 2}, dy{5, 6, 7};
  const auto rule = [](const auto& call) { return refusal_of(call); };
  CHECK(rule([&] { element_wise_clip_grad(reference, x, dy, dy, {.min = 0, .max = 2}); }) == "T12");
  CHECK(rule([&] { activation_relu_grad(reference, x, dy, x); }) == "T12");
  CHECK(rule([&] { activation_relu_grad(reference, x, dy, dy); }) == "T12");
  element_wise_clip_grad(reference, x, dy, x, {.min = 0, .max = 2});
  CHECK(x == std::vector<float>{0, 6, 0});
  activation_relu_grad(reference, x, dy, dy, {.in_place = true});  // FN-R9
  CHECK(dy == std::vector<float>{0, 6, 0});
  activation_relu_grad(reference, dy, x, dy, {.in_place = true});
  CHECK(dy == std::vector<float>{0, 6, 0});
}

namespace {

// A FLOAT32 as FLOAT16 holds it, written again here: to nearest even, or toward zero.
float cut_to_half(float x, bool nearest) {
  if (!std::isfinite(x) || x == 0) return x;
  const int last = (std::max)(std::ilogb(x), -14) - 10;
  const float units = std::ldexp(x, -last);
  return std::ldexp(nearest ? std::nearbyint(units) : std::trunc(units), last);
}

// How many of these answers are refused.
template <class Desc>
std::uint64_t refused_of(const Desc& desc, const std::vector<float>& x, const std::vector<float>& gradient,
                         const std::vector<float>& answers) {
  const tensor<float> a = line(x), b = line(gradient), y = line(answers);
  const std::array inputs{const_tensor_ref(a.view()), const_tensor_ref(b.view())};
  const std::array outputs{inputs[0].desc()};
  return oracle::compare(oracle::expect(desc, std::span<const const_tensor_ref>(inputs), outputs),
                         std::array{const_tensor_ref(y.view())})
      .result.differing();
}

}  // namespace

TEST_CASE("CLIP_GRAD, PARAMETERIZED_RELU AR-R1: devices that round to FLOAT16 are never refused, wrong ones are",
          "[element_wise]") {
  std::mt19937 random(39);
  const auto number = [&] {
    return std::ldexp(static_cast<float>(static_cast<std::int32_t>(random())) * 0x1p-31f,
                      static_cast<int>(random() % 36) - 22);
  };
  std::uint64_t judged_elements = 0;
  for (int round = 0; round < 20; ++round) {
    const float low = number(), high = low + std::abs(number());
    std::vector<float> x, dy;
    for (int i = 0; i < 100; ++i) {
      // Half of them are near a bound: within two units of FLOAT16.
      const float near = random() % 2 == 0 ? low : high;
      const float by = 1 + static_cast<float>(static_cast<std::int32_t>(random())) * 0x1p-41f;
      x.push_back(random() % 2 == 0 ? number() : near * by);
      dy.push_back(number());
    }
    for (const bool nearest : {true, false})
      for (const bool bounds_too : {true, false})
        for (const auto mode : {accumulation::half, accumulation::half_products}) {
          const auto read = [&](float value) { return cut_to_half(value, nearest); };
          const float from = bounds_too ? read(low) : low, to = bounds_too ? read(high) : high;
          std::vector<float> clipped, passed, slopes, leaking, by_maximum;
          for (std::size_t i = 0; i < x.size(); ++i) {
            const float a = read(x[i]), gradient = read(dy[i]);
            clipped.push_back(a <= from || a >= to ? 0 : gradient);
            passed.push_back(a > 0 ? gradient : 0);
            slopes.push_back(dy[i] * 0x1p-12f);  // no product is beyond FLOAT16
            const float slope = read(slopes.back());
            leaking.push_back(a >= 0 ? a : read(a * slope));
            by_maximum.push_back(read(std::max(a, 0.0f) + read(std::min(a, 0.0f) * slope)));
          }
          CHECK(refused_of(clip_grad{.min = low, .max = high, .accumulation = mode}, x, dy, clipped) == 0);
          CHECK(refused_of(clip_grad1{.min = low, .max = high, .accumulation = mode}, x, dy, clipped) == 0);
          CHECK(refused_of(relu_grad{.accumulation = mode}, x, dy, passed) == 0);
          const activation_parameterized_relu_desc parameterized{.accumulation = mode};
          CHECK(refused_of(parameterized, x, slopes, leaking) == 0);
          CHECK(refused_of(parameterized, x, slopes, by_maximum) == 0);
          judged_elements += 5 * x.size();
        }
  }
  std::cout << judged_elements << " elements of half precision judged\n";
  // Elements that FLOAT16 holds leave nothing open: a bound that is included, bounds exchanged, and the gradient of
  // another element are refused.
  const std::vector<float> x{-1, -0.5f, 0, 0.5f, 1, 2}, dy{1, 2, 3, 4, 5, 6};
  const clip_grad half_clip{.min = -0.5f, .max = 1, .accumulation = accumulation::half};
  CHECK(refused_of(half_clip, x, dy, {0, 0, 3, 4, 0, 0}) == 0);
  CHECK(refused_of(half_clip, x, dy, {0, 2, 3, 4, 0, 0}) == 1);
  CHECK(refused_of(half_clip, x, dy, {0, 0, 3, 4, 5, 0}) == 1);
  CHECK(refused_of(half_clip, x, dy, {1, 0, 0, 0, 0, 6}) == 4);
  CHECK(refused_of(half_clip, x, dy, {0, 0, 4, 3, 0, 0}) == 2);
}

using threshold = element_wise_threshold_desc;
using parameterized = activation_parameterized_relu_desc;

TEST_CASE("THRESHOLD: max(Min, x)", "[element_wise]") {
  const auto of = []<class T>(const threshold& desc, const std::vector<T>& x) {
    return element_wise_threshold(reference, line(x), desc).elements();
  };
  CHECK(of({.min = 0.25f}, std::vector<float>{-1, 0.25f, 0.5f, 2}) == std::vector<float>{0.25f, 0.25f, 0.5f, 2});
  CHECK(of({}, std::vector<float>{-infinity, 3}) == std::vector<float>{-infinity, 3});
  // Of two zeros the positive one is greater; NaN is skipped.
  CHECK(layouts::bits(of({.min = 0}, std::vector<float>{-0.0f})) == std::vector<std::uint64_t>{0});
  CHECK(of({.min = 2}, std::vector<float>{not_a_number}) == std::vector<float>{2});
  CHECK(of({.min = not_a_number}, std::vector<float>{-9}) == std::vector<float>{-9});
  // Min is truncated and saturated (L23).
  CHECK(of({.min = -2.9f}, std::vector<std::int8_t>{-128, -3, -2, 5}) == std::vector<std::int8_t>{-2, -2, -2, 5});
  CHECK(of({.min = 200}, std::vector<std::int8_t>{0}) == std::vector<std::int8_t>{127});
  CHECK(of({.min = -1}, std::vector<std::uint32_t>{0, 9}) == std::vector<std::uint32_t>{0, 9});
  // ScaleBias is before it.
  CHECK(of({.scale_bias = scale_bias{2, -1}, .min = 0}, std::vector<float>{0, 1, 4}) == std::vector<float>{0, 1, 7});
}

TEST_CASE("THRESHOLD: what a device may answer", "[element_wise]") {
  const auto is = []<class T>(const threshold& desc, T x, const std::vector<T>& values) {
    return judged_of<threshold, T>(desc, {x}, values);
  };
  CHECK(is({.min = 2}, 1.0f, {2, 1, 3}) == "arr");
  CHECK(is({.min = 0}, -0.0f, {0, -0.0f}) == "aa");
  CHECK(is({.min = 2}, not_a_number, {2, not_a_number, infinity, 0}) == "aarr");  // not the Max of CLIP
  CHECK(is({.min = not_a_number}, 5.0f, {5, not_a_number, infinity}) == "aar");
  CHECK(is({.min = 2, .nan_policy = nan_policy::propagate}, not_a_number, {not_a_number, 2}) == "ar");
  CHECK(is({.min = 0}, tiny, {tiny, 0, -0.0f}) == "afr");  // flushed to a zero of its sign
  CHECK(is({.min = 2 * tiny}, tiny, {2 * tiny, tiny, 0, 3 * tiny}) == "affr");
  // 0.3 is 0x34CD as a FLOAT16, or 0x34CC toward zero.
  const auto h = [](unsigned bits) { return layouts::from_bits<float16>(bits); };
  CHECK(is({.min = 0.3f}, half(0), {h(0x34CD), h(0x34CC), h(0x34CE)}) == "atr");
  // x * 3 - 1 may be rounded twice: by up to a unit of the product, and one of the sum.
  const threshold scaled{.scale_bias = scale_bias{3, -1}, .min = 0};
  CHECK(is(scaled, 0.1f, {0, 0.2f}) == "ar");
  CHECK(is(scaled, 1.1f, {2.3f, 2.3000002f, 2.5f, 0}) == "aarr");
  CHECK(is(scaled, not_a_number, {0, not_a_number, infinity}) == "aar");
}

TEST_CASE("PARAMETERIZED_RELU: x from 0 on, else slope * x", "[element_wise]") {
  const auto of = [](const std::vector<float>& x, const std::vector<float>& slope) {
    return results(activation_parameterized_relu, x, slope, parameterized{});
  };
  const std::vector<float> quarter(4, 0.25f);
  CHECK(of({-2, -0.5f, 0, 3}, quarter) == std::vector<float>{-0.5f, -0.125f, 0, 3});
  CHECK(layouts::bits(of({-0.0f, 3.0f}, {-2, not_a_number})) == std::vector<std::uint64_t>{0x8000'0000, 0x4040'0000});
  CHECK(layouts::bits(of({-infinity, not_a_number}, {0.0f, 1})) ==
        std::vector<std::uint64_t>{0x7FC0'0000, 0x7FC0'0000});
  const auto bytes = [](const std::vector<std::int8_t>& all) { return line(all); };
  CHECK(activation_parameterized_relu(reference, bytes({-128, -3, 0, 5}), bytes({2, 2, 2, 2})) == bytes({0, -6, 0, 5}));
  // A slope for each of two channels, by strides.
  const std::vector<float> x{-1, -2, -3, 4}, slopes{10, 100};
  std::vector<float> y(4, 9);
  activation_parameterized_relu(reference, tensor_view{x, {1, 2, 2}}, tensor_view{slopes, {1, 2, 2}, {0, 1, 0}},
                                tensor_view{y, {1, 2, 2}});
  CHECK(y == std::vector<float>{-10, -20, -300, 4});
  std::vector<float> in_place{-1, 2}, slope{3, 3};
  CHECK(refusal_of([&] { activation_parameterized_relu(reference, in_place, slope, slope); }) == "T12");
  activation_parameterized_relu(reference, in_place, slope, in_place);
  CHECK(in_place == std::vector<float>{-3, 2});
}

TEST_CASE("PARAMETERIZED_RELU: what a device may answer", "[element_wise]") {
  const parameterized relu;
  const float below = std::nextafter(-0.3f, -1.0f), above = std::nextafter(-0.3f, 0.0f);
  CHECK(judged(relu, -3.0f, 0.1f, {-0.3f, below, above, 0}) == "arrr");  // one product, rounded once
  CHECK(judged(relu, 3.0f, 0.1f, {3, 0.3f, std::nextafter(3.0f, 4.0f)}) == "arr");
  // max(0, x) + slope * min(0, x) is NaN if the slope is not finite.
  for (const float odd : {infinity, -infinity, not_a_number})
    CHECK(judged(relu, 3.0f, odd, {3, not_a_number, infinity}) == "aar");
  CHECK(judged(relu, 3.0f, 1e30f, {3, not_a_number}) == "ar");
  CHECK(judged(relu, not_a_number, 2.0f, {not_a_number, 0}) == "ar");
  CHECK(judged(relu, -0.0f, 2.0f, {0, -0.0f}) == "aa");
  CHECK(judged(relu, tiny, 2.0f, {tiny, 0, -0.0f, 2 * tiny}) == "affr");
  CHECK(judged(relu, -tiny, 2.0f, {-2 * tiny, 0, -0.0f, tiny}) == "affr");
  CHECK(judged(relu, -tiny, infinity, {-infinity, not_a_number, 0, tiny}) == "affr");
  // -9 * 0x2E66 is 1842.75 units of 2^-11.
  CHECK(judged(relu, half(-9), half(0.1f), {half(-1843 * 0x1p-11f), half(-1842 * 0x1p-11f), half(-0.901f)}) == "atr");
  CHECK(judged(relu, -3, 7, {-21, -20}) == "ar");
  for (const auto mode : {accumulation::half, accumulation::half_products}) {
    const parameterized in_half{.accumulation = mode};
    CHECK(judged(in_half, 1 + 0x1p-20f, 9.0f, {1, 1 + 0x1p-10f, 1 + 0x1p-9f, 9}) == "aarr");
    CHECK(judged(in_half, 1.5f, 9.0f, {1.5f, 1.5f + 0x1p-10f}) == "ar");
    CHECK(judged(in_half, -1 - 0x1p-20f, 0.5f, {-0.5f, -0.5f - 0x1p-11f, -0.6f, 0.5f}) == "aarr");
    // Both operands cut to 1, 4 * 2^-11 less; with the product 6 * 2^-11.
    constexpr float cut = 1 + 0x1p-10f - 0x1p-20f;
    CHECK(judged(in_half, -cut, cut, {-1, -0.9991f, -0.9989f}) == "aar");
    // Of what FLOAT16 does not hold nothing is known, but of NaN: 65504 * -0.0365 is what cuts.
    CHECK(judged(in_half, 7e4f, 0.5f, {7e4f, infinity, 65504}) == "aaa");
    CHECK(judged(in_half, -66379.6f, 0.0365f, {-2422.86f, -2388, -infinity}) == "aaa");
    CHECK(judged(in_half, 2.0f, 7e4f, {2, not_a_number}) == "aa");
    CHECK(judged(in_half, -1.0f, -65505.0f, {65504, infinity}) == "aa");
    CHECK(judged(in_half, not_a_number, 7e4f, {not_a_number, 0}) == "ar");
    CHECK(judged(in_half, -65504.0f, 0.5f, {-32752, -infinity, -2388}) == "arr");
    CHECK(judged(in_half, half(1.5f), half(9), {half(1.5f), half(1.501f)}) == "ar");
  }
}
