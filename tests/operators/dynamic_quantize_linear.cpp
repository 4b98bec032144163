// DYNAMIC_QUANTIZE_LINEAR: the examples of SPEC-quantised 4.7, outputs that are judged by the device's own scale and
// zero point, special values, legal and wrong devices (ledger QU-R5, QU-R16).
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/core/tensor.hpp>
#include <goldml/cpu/dynamic_quantize_linear.hpp>
#include <goldml/oracle/judge.hpp>
#include <goldml/reference/dynamic_quantize_linear.hpp>

#include "../catch.hpp"
#include "../support/long_run.hpp"

namespace {

using namespace goldml;
using floats = std::vector<float>;
using numbers = std::vector<int>;
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

template <class Q>
struct answer {
  std::vector<Q> elements;
  float scale;
  Q zero_point;
};
template <class Q>
numbers values_of(const answer<Q>& a) {
  return {a.elements.begin(), a.elements.end()};
}

// Both backends.
template <class Q, class X>
answer<Q> computed(const std::vector<X>& x, const dynamic_quantize_linear_desc& desc = {}) {
  std::vector<Q> y(x.size()), fast(x.size()), zero(1), fast_zero(1);
  floats scale(1), fast_scale(1);
  dynamic_quantize_linear(reference, x, y, scale, zero, desc);
  dynamic_quantize_linear(cpu, x, fast, fast_scale, fast_zero, desc);
  CHECK(y == fast);
  CHECK(std::bit_cast<std::uint32_t>(scale[0]) == std::bit_cast<std::uint32_t>(fast_scale[0]));
  CHECK(zero == fast_zero);
  return {y, scale[0], zero[0]};
}

// The judgement of what a device answered.
template <class Q, class X>
oracle::judged_answer judged(const std::vector<X>& x, const answer<Q>& given,
                             const dynamic_quantize_linear_desc& desc = {},
                             const oracle::compare_options& options = {}) {
  const auto size = static_cast<std::uint32_t>(x.size());
  const tensor<X> input({size}, x);
  const tensor<Q> y({size}, given.elements), zero({1}, {given.zero_point});
  const tensor<float> scale({1}, {given.scale});
  const std::vector<const_tensor_ref> inputs{input.view()};
  const std::vector<tensor_desc> outputs{{.data_type = data_type_of<Q>, .sizes = {size}},
                                         {.data_type = data_type::float32, .sizes = {1}},
                                         {.data_type = data_type_of<Q>, .sizes = {1}}};
  const std::vector<const_tensor_ref> actual{y.view(), scale.view(), zero.view()};
  return oracle::judge(desc, inputs, oracle::expect(desc, inputs, outputs), actual, options);
}

}  // namespace

TEST_CASE("DYNAMIC_QUANTIZE_LINEAR: the examples of ONNX Runtime", "[dynamic_quantize_linear]") {
  const auto first = computed<std::uint8_t>(floats{0, 2, -3, -2.5F, 1.34F, 0.5F});
  CHECK(first.scale == 0.019607844F);
  CHECK(first.zero_point == 153);
  CHECK(values_of(first) == numbers{153, 255, 0, 26, 221, 178});
  const auto adjusted =
      computed<std::uint8_t>(floats{1, 2.1F, 1.3F, 2.5F, 3.34F, 4, 1.5F, 2.6F, 3.9F, 4, 3, 2.345F});  // 0 is included
  CHECK(adjusted.scale == 0.015686275F);
  CHECK(adjusted.zero_point == 0);
  CHECK(values_of(adjusted) == numbers{64, 134, 83, 159, 213, 255, 96, 166, 249, 255, 191, 149});
  const auto negative = computed<std::uint8_t>(floats{-1, -2.1F, -1.3F, -2.5F, -3.34F, -4});
  CHECK(negative.zero_point == 255);
  CHECK(values_of(negative) == numbers{191, 121, 172, 96, 42, 0});
  const auto as_signed = computed<std::int8_t>(floats{0, 2, -3, -2.5F, 1.34F, 0.5F});
  CHECK(as_signed.zero_point == 25);
  CHECK(values_of(as_signed) == numbers{25, 127, -128, -102, 93, 50});
  const auto half =
      computed<std::uint8_t>(std::vector<float16>{static_cast<float16>(255.0F), static_cast<float16>(1.0F)});
  CHECK(half.scale == 1);
  CHECK(values_of(half) == numbers{255, 1});
}

TEST_CASE("DYNAMIC_QUANTIZE_LINEAR: outputs are judged by the device's scale and zero point",
          "[dynamic_quantize_linear]") {
  const floats x{0, 2, -3, -2.5F, 1.34F, 0.5F};
  const auto golden = computed<std::uint8_t>(x);
  CHECK(judged(x, golden));
  // Both neighbours of -2.5 / scale and of 0.5 / scale.
  auto other = golden;
  other.elements[3] = 25;
  other.elements[5] = 179;
  CHECK(judged(x, other));
  other.elements[1] = 254;
  CHECK_FALSE(judged(x, other));
  // Another scale within its bound; one beyond it.
  other = golden;
  other.scale = std::nextafter(golden.scale, 1.0F);
  CHECK(judged(x, other));
  other.scale = golden.scale * 1.001F;
  CHECK_FALSE(judged(x, other));
  // A zero point that is the other neighbour moves all elements: -low / scale is 127.5 nearly.
  const floats near_tie{-1, 1};  // 2 / 255; 1 / (2 / 255) = 127.5
  const auto balanced = computed<std::uint8_t>(near_tie);
  for (const std::uint8_t zero : {std::uint8_t{127}, std::uint8_t{128}}) {
    answer<std::uint8_t> moved{{0, 0}, balanced.scale, zero};
    const auto at = [&](double by) { return static_cast<std::uint8_t>(std::clamp(by + zero, 0.0, 255.0)); };
    moved.elements = {at(-127), at(127)};
    CHECK(judged(near_tie, moved));
    moved.elements = {at(-128), at(128)};
    CHECK(judged(near_tie, moved));
    moved.elements = {at(-125), at(127)};
    const auto wrong = judged(near_tie, moved);
    CHECK_FALSE(wrong);
    INFO(wrong.report);
    CHECK(wrong.report.find("OutputTensor UINT8 {2}: 2 compared, 0 ignored, 1 differs") != std::string::npos);
  }
  // The golden elements are wrong beside another zero point.
  const floats wide{-1, 1, 0.25F};
  answer<std::uint8_t> mixed = computed<std::uint8_t>(wide);
  mixed.zero_point = mixed.zero_point == 127 ? 128 : 127;
  CHECK_FALSE(judged(wide, mixed));
}

TEST_CASE("DYNAMIC_QUANTIZE_LINEAR: special values", "[dynamic_quantize_linear]") {
  // Nothing but zeros: any scale, the least integer.
  const floats zeros{0, -0.0F};
  CHECK(computed<std::int8_t>(zeros).scale == 0);
  CHECK(values_of(computed<std::int8_t>(zeros)) == numbers{-128, -128});
  CHECK(computed<std::int8_t>(zeros, {.zero_range = zero_range::one}).scale == 1);
  CHECK(judged<std::int8_t>(zeros, {{-128, -128}, 1, -128}));
  CHECK(judged<std::int8_t>(zeros, {{-128, -128}, 1 / 255.0F, -128}));
  CHECK_FALSE(judged<std::int8_t>(zeros, {{-128, -127}, 1, -128}));
  CHECK_FALSE(judged<std::int8_t>(zeros, {{-128, -128}, -1, -128}));
  CHECK_FALSE(judged<std::int8_t>(zeros, {{0, 0}, 1, 0}));
  CHECK(judged<std::int8_t>(zeros, {{5, 6}, 0, 7}));
  // Infinities.
  const floats above{infinity, 1};
  CHECK(computed<std::uint8_t>(above).scale == infinity);
  CHECK(judged<std::uint8_t>(above, {{9, 0}, infinity, 0}));
  CHECK_FALSE(judged<std::uint8_t>(above, {{9, 1}, infinity, 0}));
  CHECK_FALSE(judged<std::uint8_t>(above, {{9, 0}, 1, 0}));
  CHECK(judged<std::uint8_t>(floats{-infinity, 1}, {{9, 8}, infinity, 7}));
  // NaN is skipped, or makes the scale NaN.
  const floats with_nan{not_a_number, 255};
  CHECK(computed<std::uint8_t>(with_nan).scale == 1);
  CHECK(judged<std::uint8_t>(with_nan, {{9, 255}, 1, 0}));
  CHECK_FALSE(judged<std::uint8_t>(with_nan, {{9, 254}, 1, 0}));
  CHECK(judged<std::uint8_t>(with_nan, {{9, 8}, not_a_number, 7}));
  CHECK_FALSE(judged<std::uint8_t>(floats{1, 255}, {{9, 8}, not_a_number, 7}));
  // A range that overflows.
  const floats huge{-3e38F, 3e38F};
  CHECK(computed<std::uint8_t>(huge).scale == static_cast<float>(6e38 / 255));
  CHECK(judged<std::uint8_t>(huge, {{9, 8}, infinity, 7}));
  CHECK(judged<std::uint8_t>(huge, {{9, 8}, computed<std::uint8_t>(huge).scale, 7}));
  // Subnormals may be flushed.
  const floats tiny{1e-39F, 1e-37F};
  const auto of_tiny = computed<std::uint8_t>(tiny);
  CHECK(judged(tiny, of_tiny));
  CHECK(judged<std::uint8_t>(tiny, {{3, 4}, 0, 5}));
  CHECK_FALSE(judged<std::uint8_t>(tiny, {{3, 4}, 1e-37F, 5}));
  // Half precision.
  const floats plain{-1, 2};
  auto coarse = computed<std::uint8_t>(plain);
  coarse.scale *= 1.0005F;
  CHECK_FALSE(judged(plain, coarse));
  CHECK(judged(plain, coarse, {.accumulation = accumulation::half}));
}

TEST_CASE("DYNAMIC_QUANTIZE_LINEAR: legal devices are never refused, wrong ones are noticed",
          "[dynamic_quantize_linear]") {
  std::mt19937 random(148);
  const int cases = goldml_test::is_long_run() ? 5'000 : goldml_test::is_slow ? 60 : 600;
  int refused = 0;
  std::map<std::string_view, int> found;
  std::string first_refusal;
  for (int i = 0; i < cases; ++i) {
    floats x(i % 3 == 0 ? 3 : 24);
    const float unit =
        std::ldexp(1 + static_cast<float>(random() >> 8) * 0x1p-24F, static_cast<int>(random() % 20) - 10);
    const int low = i % 4 == 1 ? 50 : -200, high = i % 4 == 2 ? -50 : 200;
    for (float& each : x)
      each = unit * static_cast<float>(low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1)));
    const float most = std::max(0.0F, *std::max_element(x.begin(), x.end()));
    const float least = std::min(0.0F, *std::min_element(x.begin(), x.end()));
    if (most - least == 0) continue;
    const auto round_to = [](float v, float zero) {
      return static_cast<std::uint8_t>(std::clamp(std::nearbyint(v) + zero, 0.0F, 255.0F));
    };
    const float range = most - least;
    const auto rcp = [](float v, double by) { return static_cast<float>((1 + by) / static_cast<double>(v)); };
    const std::array scales{range / 255, range * rcp(255, 0), range * (1 / 255.0F), range * rcp(255, 0.99 * 0x1p-21)};
    for (const float scale : scales)
      for (const int way : {0, 1, 2, 3}) {
        const float inverse = way == 3 ? 255 / range : rcp(scale, way == 2 ? -0.99 * 0x1p-21 : 0);
        const float quotient = way == 0 ? -least / scale : -least * inverse;
        answer<std::uint8_t> given{{}, scale, round_to(quotient, 0)};
        for (const float each : x)
          given.elements.push_back(round_to(way == 0 ? each / scale : each * inverse, given.zero_point));
        const auto verdict = judged(x, given);
        refused += !verdict;
        if (!verdict && first_refusal.empty()) first_refusal = verdict.report;
      }
    const auto wrong = [&](std::string_view name, float low_end, float high_end, float steps, bool truncates) {
      const float scale = (high_end - low_end) / steps;
      if (!(scale > 0)) return;
      answer<std::uint8_t> given{{}, scale, 0};
      const float t = -low_end / scale;
      given.zero_point =
          static_cast<std::uint8_t>(std::clamp(truncates ? std::trunc(t) : std::nearbyint(t), 0.0F, 255.0F));
      for (const float each : x) given.elements.push_back(round_to(each / scale, given.zero_point));
      found[name] += !judged(x, given);
    };
    wrong("range without 0", *std::min_element(x.begin(), x.end()), *std::max_element(x.begin(), x.end()), 255, false);
    wrong("254 steps", least, most, 254, false);
    floats shorter(x.begin(), x.end() - 1);
    wrong("last element missed", std::min(0.0F, *std::min_element(shorter.begin(), shorter.end())),
          std::max(0.0F, *std::max_element(shorter.begin(), shorter.end())), 255, false);
    wrong("zero point truncated", least, most, 255, true);
  }
  INFO(first_refusal);
  CHECK(refused == 0);
  for (const auto& [name, count] : found) UNSCOPED_INFO(name << ": " << count << " of " << cases);
  CHECK(found["range without 0"] > cases * 2 / 5);
  CHECK(found["254 steps"] > cases * 9 / 10);
  CHECK(found["last element missed"] > cases / 10);
  CHECK(found["zero point truncated"] > cases / 5);
}
