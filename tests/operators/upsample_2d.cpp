// UPSAMPLE_2D: results by hand, rules, and what devices may answer.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <goldml/cpu/upsample_2d.hpp>
#include <goldml/operators/upsample_2d.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/verdicts/upsample_2d.hpp>
#include <goldml/reference/upsample_2d.hpp>

#include "../support/judged.hpp"
#include "../support/refusals.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::bits;
using layouts::different_elements;
using layouts::laid_out;
using layouts::strides_of;
using floats = std::vector<float>;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr auto linear = interpolation_mode::linear;
constexpr auto corners = pixel_alignment::corners;

template <class T>
std::vector<T> enlarged(const dimensions& sizes, const std::vector<T>& x, const upsample_2d_desc& desc) {
  const tensor<T> input(sizes, x);
  const std::vector<T> result = upsample_2d(reference, input, desc).elements();
  CHECK(bits(upsample_2d(cpu, input, desc).elements()) == bits(result));
  return result;
}
floats row(const floats& x, std::uint32_t factor, pixel_alignment alignment = pixel_alignment::centers) {
  return enlarged<float>({1, 1, 1, static_cast<std::uint32_t>(x.size())}, x,
                         {.scale_size = {factor, 1}, .interpolation_mode = linear, .pixel_alignment = alignment});
}

// How element `number` may be, with and without flushing.
template <class T>
interval_place judged(const upsample_2d_desc& desc, const tensor<T>& input, std::size_t number, T value) {
  const tensor<T> golden = upsample_2d(reference, input, desc);
  tensor<T> copy = golden;
  const std::vector<const_tensor_ref> inputs{input.view()};
  const std::vector<tensor_ref> outputs{copy.view()};
  interval_place best = interval_place::outside;
  const T wanted = golden.elements()[number];
  if (is_nan(value) ? is_nan(wanted) : !is_nan(wanted) && order_key(value) == order_key(wanted))
    return interval_place::usual;
  for (const bool flushes : {false, true}) {
    std::vector<output_verdicts> result{output_verdicts(golden.elements().size())};
    if (flushes)
      oracle::verdict_traits<upsample_2d_desc>::flushed_verdicts(desc, inputs, outputs, result);
    else
      oracle::verdict_traits<upsample_2d_desc>::verdicts(desc, inputs, outputs, result);
    if (const interval* const allowed = result[0].interval_of(number))
      best = (std::max)(best, place_in(*allowed, value));
  }
  return best;
}
// Of a row.
bool accepted(const floats& x, std::uint32_t factor, std::size_t number, float value,
              accumulation precision = accumulation::single) {
  const upsample_2d_desc desc{.scale_size = {factor, 1}, .interpolation_mode = linear, .accumulation = precision};
  return judged<float>(desc, {{1, 1, 1, static_cast<std::uint32_t>(x.size())}, x}, number, value) !=
         interval_place::outside;
}

// FLOAT32 {1,2,2,3} to {1,2,4,9}. Valid; each test changes it.
struct enlargement {
  upsample_2d_desc desc{.scale_size = {3, 2}};
  tensor_desc input{.data_type = data_type::float32, .sizes = {1, 2, 2, 3}};
  tensor_desc output{.data_type = data_type::float32, .sizes = {1, 2, 4, 9}};

  std::string refused() const {
    return goldml_test::refused(
        512, desc, [&](const auto&... t) { upsample_2d(reference, t..., desc); }, input, output);
  }
  std::string message() const { return to_string(goldml_test::only_violation(desc, input, output)); }
};

}  // namespace

TEST_CASE("UPSAMPLE_2D: LINEAR, by hand", "[upsample_2d]") {
  CHECK(enlarged<float>({1, 1, 2, 2}, {1, 2, 3, 4}, {.scale_size = {2, 2}, .interpolation_mode = linear}) ==
        floats{1, 1.25F, 1.75F, 2, 1.5F, 1.75F, 2.25F, 2.5F, 2.5F, 2.75F, 3.25F, 3.5F, 3, 3.25F, 3.75F, 4});
  CHECK(row({0, 3}, 3) == floats{0, 0, 1, 2, 3, 3});
  CHECK(row({0, 3}, 1) == floats{0, 3});
  CHECK(row({7}, 4) == floats{7, 7, 7, 7});
  // Height and width have their own factors, and only the last two of five dimensions are enlarged.
  CHECK(enlarged<float>({2, 1, 1, 2, 1}, {0, 4, 8, 12}, {.scale_size = {1, 2}, .interpolation_mode = linear}) ==
        floats{0, 1, 3, 4, 8, 9, 11, 12});
  // FLOAT16: 1/3 and 2/3, rounded to nearest even.
  const std::vector<float16> thirds =
      enlarged<float16>({1, 1, 1, 2}, {float16(0.0F), float16(1.0F)},
                        {.scale_size = {3, 1}, .interpolation_mode = linear});
  CHECK(static_cast<float>(thirds[2]) == 0x1.554p-2F);
  CHECK(static_cast<float>(thirds[3]) == 0x1.554p-1F);
}

TEST_CASE("UPSAMPLE_2D UP-R1: LINEAR with the corners aligned, as ONNX Runtime's CPU", "[upsample_2d]") {
  CHECK(enlarged<float>({1, 1, 2, 2}, {1, 2, 3, 4},
                        {.scale_size = {2, 2}, .interpolation_mode = linear, .pixel_alignment = corners}) ==
        floats{1, 1.5F, 2, 2, 2, 2.5F, 3, 3, 3, 3.5F, 4, 4, 3, 3.5F, 4, 4});
  CHECK(row({0, 3}, 3, corners) == floats{0, 1, 2, 3, 3, 3});
}

TEST_CASE("UPSAMPLE_2D: NEAREST_NEIGHBOR", "[upsample_2d]") {
  const upsample_2d_desc desc{.scale_size = {3, 2}};
  // ONNX's test_resize_upsample_scales_nearest.
  CHECK(enlarged<float>({1, 1, 2, 2}, {1, 2, 3, 4}, desc) ==
        floats{1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 3, 3, 3, 4, 4, 4});
  // Bit by bit: NaN payloads, subnormals, -0.
  const auto elements = different_elements<float>(6, 3);
  const std::vector<float> x = upsample_2d(reference, tensor<float>({1, 3, 2, 1}, elements), desc).elements();
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(bits(x[i]) == bits(elements[i / 6]));
}

TEST_CASE("UPSAMPLE_2D: LINEAR is exact and rounded once", "[upsample_2d]") {
  // 1/4 of the first and 3/4 of the second: 2^24 + 3/4 (2^-24) lies above 2^24 by less than half of a unit.
  CHECK(row({0x1p24F, 0x1p24F}, 2) == floats(4, 0x1p24F));
  CHECK(row({0x1p-149F, 0}, 2) == floats{0x1p-149F, 0x1p-149F, 0, 0});  // 3/4 and 1/4 of the least subnormal
  CHECK(row({3e38F, -3e38F}, 2) == floats{3e38F, 1.5e38F, -1.5e38F, -3e38F});
  CHECK(row({1e30F, -1e30F, 1}, 3)[3] == -0x1.0d43b8p98F);  // (1e30 - 2e30) / 3
  const floats zeros = row({-0.0F, -0.0F}, 2);
  CHECK(bits(zeros) == bits(floats(4, -0.0F)));
  CHECK(bits(row({-0.0F, 0}, 2)[0]) == bits(-0.0F));
  CHECK(bits(row({-0.0F, 0}, 2)[1]) == 0);
}

TEST_CASE("UPSAMPLE_2D UP-R2: LINEAR of infinities and NaN", "[upsample_2d]") {
  const floats x = row({1, inf, 2}, 2);
  CHECK(x[0] == 1);
  for (const std::size_t i : {1u, 2u, 3u, 4u}) CHECK((x[i] == inf));
  CHECK(x[5] == 2);
  CHECK(is_nan(row({inf, -inf}, 2)[1]));
  CHECK(is_nan(row({not_a_number, 1}, 2)[1]));
  // At the center the neighbour has the weight 0, and so has everything with the factor 1.
  CHECK(row({1, inf}, 3)[1] == 1);
  CHECK((row({1, inf, not_a_number, 2}, 1)[1] == inf));
  CHECK(row({1, inf, not_a_number, 2}, 1)[3] == 2);
  CHECK(row({1, inf}, 3)[0] == 1);
  for (const float each : {1.0F, 1.000001F, inf, not_a_number}) CHECK(accepted({1, inf}, 3, 1, each));
  for (const float each : {-inf, 2.0F, 0.0F}) CHECK_FALSE(accepted({1, inf}, 3, 1, each));
  for (const float each : {inf, not_a_number}) CHECK(accepted({1, inf}, 3, 2, each));
  for (const float each : {-inf, 1.0F}) CHECK_FALSE(accepted({1, inf}, 3, 2, each));
  CHECK(accepted({inf, 5}, 1, 0, not_a_number));
  CHECK(accepted({1, not_a_number}, 3, 1, 1.0F));
  CHECK_FALSE(accepted({1, not_a_number}, 3, 2, 1.0F));
  CHECK_FALSE(accepted({inf, -inf}, 2, 1, inf));
  // Strictly as well: nothing overflows. The place of the second element is 0, but for rounding.
  const floats wanted{1, 1, inf, inf, inf, inf};
  const tensor<float> input({1, 1, 1, 2}, {1, inf});
  const upsample_2d_desc desc{.scale_size = {3, 1}, .interpolation_mode = linear};
  const std::array inputs{const_tensor_ref(input.view())};
  const tensor_desc output{.data_type = data_type::float32, .sizes = {1, 1, 1, 6}};
  const oracle::golden golden = oracle::expect(desc, std::span<const const_tensor_ref>(inputs), std::array{output});
  for (const std::size_t i : {0u, 1u})
    for (const auto& [value, letters] : {std::pair(1.0F, "aa"), {inf, "aa"}, {not_a_number, "aa"}, {-inf, "rr"}}) {
      floats answer = wanted;
      answer[i] = value;
      const std::array actual{const_tensor_ref(output, answer.data(), answer.size() * sizeof(float))};
      CHECK(goldml_test::judged(golden, actual) == letters);
    }
  // b - a overflows, also where its factor is 0; nothing comes after the last element.
  for (const std::uint32_t factor : {2u, 3u})
    for (const float each : {inf, -inf, not_a_number}) {
      CHECK(accepted({3e38F, -3e38F}, factor, 0, each));
      CHECK(accepted({3e38F, -3e38F}, factor, 1, each));
      CHECK_FALSE(accepted({3e38F, -3e38F}, factor, 2 * factor - 1, each));
      CHECK_FALSE(accepted({3e38F, 1e38F}, factor, 1, each));
    }
}

TEST_CASE("UPSAMPLE_2D UP-R3: what a device may answer to LINEAR", "[upsample_2d]") {
  // Exact weights, small numbers: only the golden value.
  CHECK_FALSE(accepted({1, 2}, 2, 1, 1.2500001F));
  CHECK_FALSE(accepted({1, 2}, 2, 1, 1.2499999F));
  CHECK(accepted({0, 0}, 3, 1, -0.0F));
  CHECK_FALSE(accepted({0, 0}, 3, 2, 0x1p-149F));
  // Thirds are not exact: A = 1, M = 2.5 / 3 + 1/2, E = (6 * A + 13 * (M + 1) * (0 + 3)) * 2^-24 = 97 * 2^-24.
  const floats thirds{0, 3};
  CHECK(accepted(thirds, 3, 2, 1 + 48 * 0x1p-23F));
  CHECK(accepted(thirds, 3, 2, 1 - 96 * 0x1p-24F));
  CHECK_FALSE(accepted(thirds, 3, 2, 1 + 50 * 0x1p-23F));
  CHECK_FALSE(accepted(thirds, 3, 2, 1 - 98 * 0x1p-24F));
  // Below the first element, which counts twice: A = 3, M = 1/6 + 1/2, E = (6 * A + 13 * (M + 1) * (3 + 3)) * 2^-24
  // = 148 * 2^-24. The second may be read, but has no weight.
  CHECK(accepted({3, 1e9F}, 3, 0, 3 + 140 * 0x1p-24F));
  CHECK_FALSE(accepted({3, 1e9F}, 3, 0, 3 + 160 * 0x1p-24F));
  // At a center the place may be on the other side, where there is something else.
  const floats far_off{1e30F, 1, 1};
  CHECK(accepted(far_off, 3, 4, 1e23F));
  CHECK_FALSE(accepted(far_off, 3, 4, 3e24F));
  CHECK_FALSE(accepted(far_off, 3, 5, 2.0F));
  CHECK(accepted({0x1p-127F, 0x1p-127F}, 2, 1, 0.0F));  // flushed
  CHECK_FALSE(accepted({0x1p-120F, 0x1p-120F}, 2, 1, 0.0F));
  // Corners instead of centers.
  CHECK_FALSE(accepted({1, 2}, 2, 1, 1.5F));
  // In half precision.
  CHECK_FALSE(accepted(thirds, 3, 2, 1.002F));
  CHECK(accepted(thirds, 3, 2, 1.002F, accumulation::half));
  CHECK_FALSE(accepted(thirds, 3, 2, 2.0F, accumulation::half));
}

TEST_CASE("A3: UPSAMPLE_2D by a power of two: weights are exact, a + f (b - a) is rounded", "[upsample_2d]") {
  // a = 1, b = -1/3, f = 3/4: -u/8 with u = 2^-24. A = 1/2, |a| + |b| = 4/3, E = 6u A + 4u 4/3 = 8.33u.
  const floats x{1, -0.333333343F};
  const float u = 0x1p-24F, half = 0x1p-11F;
  for (const float right : {8.1F, -8.3F}) CHECK(accepted(x, 2, 2, right * u));
  for (const float wrong : {8.4F, -8.6F}) CHECK_FALSE(accepted(x, 2, 2, wrong * u));
  // In half precision E = 9 A + 2 * 4/3 = 7.17 units.
  for (const float right : {7.1F, -7.1F}) CHECK(accepted(x, 2, 2, right * half, accumulation::half));
  for (const float wrong : {7.4F, -7.4F}) CHECK_FALSE(accepted(x, 2, 2, wrong * half, accumulation::half));
}

TEST_CASE("UPSAMPLE_2D UP-R3: places far along an axis are not exact in half precision", "[upsample_2d]") {
  // The element after those that the place is between.
  const auto accepts_next = [](std::size_t number, accumulation precision) {
    floats x(600, 0);
    x[number / 2 + 1] = 1;
    return accepted(x, 2, number, 0.2F, precision);
  };
  CHECK(accepts_next(1100, accumulation::half));
  CHECK_FALSE(accepts_next(1100, accumulation::single));
  CHECK_FALSE(accepts_next(100, accumulation::half));
}

TEST_CASE("UPSAMPLE_2D UP-R3: devices that compute in float are accepted", "[upsample_2d]") {
  std::mt19937 random(5);
  for (const std::uint32_t size : {2u, 3u, 17u, 300u})
    for (const std::uint32_t factor : {1u, 2u, 3u, 5u, 7u, 8u}) {
      floats x;
      for (std::uint32_t i = 0; i < size; ++i)
        x.push_back(std::ldexp(static_cast<float>(random()) * 0x1p-32F - 0.5F, static_cast<int>(random() % 40)));
      const upsample_2d_desc desc{.scale_size = {factor, 1}, .interpolation_mode = linear};
      const tensor<float> input({1, 1, 1, size}, x);
      tensor<float> golden = upsample_2d(reference, input, desc);
      const std::vector<const_tensor_ref> inputs{input.view()};
      const std::vector<tensor_ref> outputs{golden.view()};
      std::vector<output_verdicts> allowed{output_verdicts(golden.elements().size())};
      oracle::verdict_traits<upsample_2d_desc>::verdicts(desc, inputs, outputs, allowed);
      for (const bool by_reciprocal : {false, true})
        for (const bool as_difference : {false, true})
          for (std::uint32_t q = 0; q < size * factor; ++q) {
            const auto s = static_cast<float>(factor);
            const float t = (by_reciprocal ? (static_cast<float>(q) + 0.5F) * (1 / s)
                                           : (static_cast<float>(q) + 0.5F) / s) - 0.5F;
            const float first = std::floor(t);
            const float f = t - first;
            const auto at = [&](int place) {
              return x[static_cast<std::size_t>((std::clamp)(place, 0, static_cast<int>(size) - 1))];
            };
            const float a = at(static_cast<int>(first)), b = at(static_cast<int>(first) + 1);
            const float value = as_difference ? a + f * (b - a) : (1 - f) * a + f * b;
            const interval* const range = allowed[0].interval_of(q);
            const bool right = value == golden.elements()[q] ||
                               (range != nullptr && place_in(*range, value) != interval_place::outside);
            if (!right) FAIL_CHECK("size " << size << " factor " << factor << " place " << q << ": " << value);
          }
    }
}

TEST_CASE("UPSAMPLE_2D: all layouts; gaps are unchanged; cpu gives the same bits", "[upsample_2d]") {
  const dimensions sizes{2, 3, 2, 3};
  const dimensions larger{2, 3, 4, 9};
  floats elements;
  for (int i = 0; i < 36; ++i) elements.push_back(static_cast<float>(i * i % 23) / 7 - 1);
  for (const auto mode : {interpolation_mode::nearest_neighbor, linear}) {
    const upsample_2d_desc desc{.scale_size = {3, 2}, .interpolation_mode = mode};
    const floats wanted = enlarged<float>(sizes, elements, desc);
    for (const auto of_input : all_layouts)
      for (const auto of_output : all_layouts) {
        laid_out<float> in(sizes, strides_of(of_input, sizes), elements);
        laid_out<float> out(larger, strides_of(of_output, larger), floats(216, 77));
        laid_out<float> fast(larger, strides_of(of_output, larger), floats(216, 77));
        upsample_2d(reference, in.view(), out.view(), desc);
        upsample_2d(cpu, in.view(), fast.view(), desc);
        CHECK(out.elements() == wanted);
        CHECK(bits(fast.elements()) == bits(wanted));
        CHECK((in.gaps_untouched() && out.gaps_untouched() && fast.gaps_untouched()));
      }
  }
}

TEST_CASE("UPSAMPLE_2D: cpu gives the same bits as reference", "[upsample_2d]") {
  std::mt19937 engine(9);
  const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
  for (int round = 0; round < 60; ++round) {
    const std::uint32_t h = 1 + random() % 4, w = 1 + random() % 6;
    const upsample_2d_desc desc{.scale_size = {1 + random() % 6, 1 + random() % 6},
                                .interpolation_mode = linear,
                                .pixel_alignment = random() % 3 == 0 ? corners : pixel_alignment::centers};
    const std::size_t count = std::size_t{2} * h * w;
    floats x;
    std::vector<float16> halves;
    for (std::size_t i = 0; i < count; ++i) {
      x.push_back(round % 2 == 0 ? static_cast<float>(random() % 9) - 4 : std::bit_cast<float>(random()));
      halves.push_back(std::bit_cast<float16>(static_cast<std::uint16_t>(random())));
    }
    enlarged<float>({1, 2, h, w}, x, desc);
    enlarged<float16>({1, 2, h, w}, halves, desc);
  }
}

TEST_CASE("UPSAMPLE_2D: a valid desc violates no rule", "[upsample_2d]") {
  enlargement e;
  CHECK(e.refused() == "");
  e.desc.interpolation_mode = linear;
  CHECK(e.refused() == "");
  e.input.sizes = {1, 1, 2, 2, 3};
  e.output.sizes = {1, 1, 2, 4, 9};
  CHECK(e.refused() == "");
}

TEST_CASE("UPSAMPLE_2D UP1, UP2, UP4: data types, DimensionCounts and sizes", "[upsample_2d]") {
  enlargement e;
  e.output.data_type = data_type::float16;
  CHECK(e.refused() == "UP1");
  CHECK(e.message() == "UPSAMPLE_2D UP1: OutputTensor.DataType is FLOAT16, wanted FLOAT32 (the input's)");
  e.output.sizes = {1, 2, 4, 8};
  CHECK(e.refused() == "UP1");  // sizes are not compared
  e.output = {.data_type = data_type::float32, .sizes = {1, 1, 2, 4, 8}};
  CHECK(e.refused() == "UP2");
  e.output.sizes = {1, 2, 4, 8};
  CHECK(e.refused() == "UP4");
  CHECK(e.message() == "UPSAMPLE_2D UP4: OutputTensor.Sizes[3] is 8, wanted 9 (3 times 3)");
  e.output.sizes = {2, 3, 6, 6};  // width and height exchanged, and more
  CHECK(e.refused() == "UP4 UP4 UP4 UP4");
}

TEST_CASE("UPSAMPLE_2D UP3, UP5: factors and the mode", "[upsample_2d]") {
  enlargement e;
  e.desc.scale_size = {0, 2};
  CHECK(e.refused() == "UP3");
  CHECK(e.message() == "UPSAMPLE_2D UP3: ScaleSize is Width 0, wanted at least 1");
  e.desc.scale_size = {3, 0};
  CHECK(e.refused() == "UP3");
  e.desc.scale_size = {0, 3};
  CHECK(e.refused() == "UP3 UP4");  // of the height
  e.desc.scale_size = {0x5555'5556, 2};
  CHECK(e.refused() == "UP3");
  CHECK(e.message() ==
        "UPSAMPLE_2D UP3: ScaleSize is Width 1431655766, wanted a size of at most 4294967295 (times 3 it is "
        "4294967298)");
  e.desc.scale_size = {0x5555'5555, 2};
  CHECK(e.refused() == "UP4");
  e.desc.scale_size = {3, 2};
  e.desc.interpolation_mode = static_cast<interpolation_mode>(2);
  CHECK(e.refused() == "UP5");
  CHECK(e.message() == "UPSAMPLE_2D UP5: InterpolationMode is 2, wanted 0 or 1");
  e.output.sizes = {1, 2, 4, 8};
  CHECK(e.refused() == "UP4 UP5");
}

TEST_CASE("UPSAMPLE_2D: the call that returns its output refuses before it allocates", "[upsample_2d]") {
  const auto returned = [](const dimensions& sizes, const upsample_2d_desc& desc) {
    return refusal_of([&] { static_cast<void>(upsample_2d(reference, tensor<float>(sizes), desc)); });
  };
  CHECK(returned({1, 1, 1, 2}, {.scale_size = {2, 2}}) == "none");
  CHECK(returned({1, 1, 1, 2}, {.scale_size = {0xFFFF'FFFF, 1}}) == "UP3");
  CHECK(returned({1, 1, 1, 2}, {.scale_size = {0x7FFF'FFFF, 2}}) == "T6");
  CHECK(returned({2}, {}) == "T4");
}
