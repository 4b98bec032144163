// ACTIVATION_SOFTMAX and SOFTMAX1: results, what a device may answer, and the rules, by hand from their pages and the
// ledger (SO-R1, SO-R2, AR-R1, AR-R5 to AR-R7).
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <goldml/operators/softmax.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/reference/softmax.hpp>

#include "../catch.hpp"
#include "../support/judged_row.hpp"
#include "../support/refusals.hpp"

namespace {

using namespace goldml;
using level = goldml::feature_level;
using numbers = std::vector<float>;

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

numbers softmax1(const numbers& x, const dimensions& sizes, const dimensions& axes) {
  numbers y(x.size());
  activation_softmax1(reference, tensor_view{x, sizes}, tensor_view{y, sizes}, {.axes = axes});
  return y;
}
numbers softmax(const numbers& x) {
  return activation_softmax(reference, tensor<float>({static_cast<std::uint32_t>(x.size())}, x)).elements();
}
template <class T>
bool all_nan(const std::vector<T>& x) {
  for (const T each : x)
    if (!is_nan(each)) return false;
  return true;
}

// How a device's answer to a row is judged, by default and strictly: r refused, s suspicious, z rounded toward zero, a
// accepted.
template <class T>
std::string judged(const std::vector<T>& x, const std::vector<T>& got,
                   const activation_softmax_desc& desc = activation_softmax_desc()) {
  return goldml_test::judged_row(desc, x, got);
}
std::vector<float16> halves(const numbers& x) {
  std::vector<float16> result;
  for (const float each : x) result.push_back(static_cast<float16>(each));
  return result;
}

constexpr data_type f32 = data_type::float32, f16 = data_type::float16;
tensor_desc of(data_type type, const dimensions& sizes = {2, 3}) { return {.data_type = type, .sizes = sizes}; }

std::string refused(const activation_softmax_desc& desc, const tensor_desc& input, const tensor_desc& output) {
  return goldml_test::refused(
      64, desc, [&](const auto&... t) { activation_softmax(reference, t..., desc); }, input, output);
}
std::string refused(const activation_softmax1_desc& desc, const tensor_desc& input, const tensor_desc& output) {
  return goldml_test::refused(
      64, desc, [&](const auto&... t) { activation_softmax1(reference, t..., desc); }, input, output);
}

}  // namespace

TEST_CASE("SOFTMAX: rows", "[softmax]") {
  CHECK(softmax({1, 2, 3}) == numbers{0.09003057F, 0.24472848F, 0.66524094F});
  CHECK(softmax({7}) == numbers{1});
  CHECK(softmax({0, 0, 0, 0}) == numbers{0.25F, 0.25F, 0.25F, 0.25F});
  CHECK(softmax({1000, 1000}) == numbers{0.5F, 0.5F});  // SO-R2
  CHECK(softmax({-1000, -1000}) == numbers{0.5F, 0.5F});
  CHECK(softmax({3e38F, -3e38F}) == numbers{1, 0});
  // e^-100 = 3.72e-44: a subnormal, 26.5 units of 2^-149.
  CHECK(softmax({0, -100}) == numbers{1, 27 * 0x1p-149F});
  const tensor<float> two({2, 3}, {1, 2, 3, 3, 2, 1});
  CHECK(activation_softmax(reference, two).elements() ==
        numbers{0.09003057F, 0.24472848F, 0.66524094F, 0.66524094F, 0.24472848F, 0.09003057F});
}

TEST_CASE("SOFTMAX: infinities and NaN", "[softmax]") {
  CHECK(softmax({-infinity, 0, 0}) == numbers{0, 0.5F, 0.5F});
  CHECK(!std::signbit(softmax({-infinity, 0})[0]));
  CHECK(all_nan(softmax({-infinity, -infinity})));
  CHECK(all_nan(softmax({infinity, 0})));
  CHECK(all_nan(softmax({not_a_number, 0, 1})));
  // Other slices are not touched.
  const numbers y = softmax1({not_a_number, 0, 1, 0}, {2, 2}, {1});
  CHECK(all_nan(numbers{y[0], y[1]}));
  CHECK(y[2] == 0.731058578F);
  CHECK(y[3] == 0.268941421F);
}

TEST_CASE("SOFTMAX1: axes", "[softmax]") {
  const numbers x{1, 2, 3, 1, 2, 3};
  CHECK(softmax1(x, {2, 3}, {1}) ==
        numbers{0.09003057F, 0.24472848F, 0.66524094F, 0.09003057F, 0.24472848F, 0.66524094F});
  CHECK(softmax1(x, {2, 3}, {0}) == numbers{0.5F, 0.5F, 0.5F, 0.5F, 0.5F, 0.5F});
  // Jointly, in any order (SO-R1): half of a row's.
  const numbers both{0.0450152867F, 0.122364238F, 0.33262047F, 0.0450152867F, 0.122364238F, 0.33262047F};
  CHECK(softmax1(x, {2, 3}, {0, 1}) == both);
  CHECK(softmax1(x, {2, 3}, {1, 0}) == both);
  CHECK(softmax1(x, {2, 1, 3}, {2, 0}) == both);
  CHECK(softmax1(x, {6, 1}, {1}) == numbers(6, 1.0F));
}

TEST_CASE("SOFTMAX: what a device may answer", "[softmax]") {
  // {1,2,3}: E = 1.8e-7, 4.2e-7, 9.6e-7.
  const numbers x{1, 2, 3};
  const auto with = [&](std::size_t i, float by) {
    numbers y = softmax(x);
    y[i] += by;
    return judged(x, y);
  };
  CHECK(with(0, 0) == "aa");
  CHECK(with(0, 1.7e-7F) == "aa");
  CHECK(with(0, -1.7e-7F) == "aa");
  // With an approximate reciprocal E is 2.2e-7, 5.1e-7, 1.2e-6.
  CHECK(with(0, 2.0e-7F) == "ss");
  CHECK(with(0, 2.4e-7F) == "rr");
  CHECK(with(1, 4.0e-7F) == "aa");
  CHECK(with(1, 4.6e-7F) == "ss");
  CHECK(with(1, 5.6e-7F) == "rr");
  CHECK(with(2, 9.0e-7F) == "aa");
  CHECK(with(2, 1.1e-6F) == "ss");
  CHECK(with(2, 1.3e-6F) == "rr");
  // The last left out; without a division; NaN of the literal formula (SO-R2).
  CHECK(judged(x, {0.268941421F, 0.731058578F, 0.66524094F}) == "rr");
  CHECK(judged(x, {0.135335283F, 0.36787944F, 1}) == "rr");
  CHECK(judged<float>({1000, 1000}, {not_a_number, not_a_number}) == "rr");
  CHECK(judged<float>({1000, 1000}, {0.5F, 0.5F}) == "aa");
  // Never below 0; 0 beside -infinity; NaN where it is undefined.
  CHECK(judged<float>({0, -90}, {1, -1e-40F}) == "rr");
  CHECK(judged<float>({-infinity, 0}, {0, 1}) == "aa");
  CHECK(judged<float>({-infinity, 0}, {-0.0F, 1}) == "aa");
  CHECK(judged<float>({-infinity, 0}, {1e-30F, 1}) == "rr");
  CHECK(judged<float>({-infinity, 0}, {not_a_number, 1}) == "rr");
  CHECK(judged<float>({infinity, 0}, {not_a_number, not_a_number}) == "aa");
  CHECK(judged<float>({infinity, 0}, {1, 0}) == "rr");
  // Far below the greatest: 0 and nothing else.
  CHECK(judged<float>({3e38F, -3e38F}, {1, 0}) == "aa");
  CHECK(judged<float>({3e38F, -3e38F}, {1, 1e-6F}) == "rr");
  // A subnormal result may be flushed.
  CHECK(judged<float>({0, -100}, {1, 0}) == "ar");
  CHECK(judged<float>({0, -87}, {1, 0}) == "rr");  // 1.6e-38
  // FLOAT16: 1/3 is rounded once, or toward zero.
  CHECK(judged(halves({0, 0, 0}), halves({0.33325195F, 0.33325195F, 0.33325195F})) == "aa");
  CHECK(judged(halves({0, 0, 0}), halves({0.33349609F, 0.33325195F, 0.33325195F})) == "rr");
  CHECK(judged(halves({1, 2, 3}), halves({0.090027F, 0.244629F, 0.66504F})) == "zz");
}

TEST_CASE("SOFTMAX: half precision", "[softmax]") {
  const activation_softmax_desc half{.accumulation = accumulation::half};
  const numbers x{1, 2, 3}, off{0.0905F, 0.2447F, 0.6650F}, far_off{0.1F, 0.24F, 0.66F};
  CHECK(judged(x, off, half) == "aa");
  CHECK(judged(x, off) == "rr");
  CHECK(judged(x, far_off, half) == "rr");
  // 70000 may be an infinity.
  CHECK(judged<float>({70000, 1}, {not_a_number, not_a_number}, half) == "aa");
  CHECK(judged<float>({70000, 1}, {not_a_number, not_a_number}) == "rr");
}

TEST_CASE("SO1 SO2 SO3: data types, DimensionCounts, sizes", "[softmax]") {
  const activation_softmax_desc row;
  CHECK(refused(row, of(f32), of(f32)) == "");
  CHECK(refused(row, of(f16), of(f16)) == "");
  CHECK(refused(row, of(f32), of(f16)) == "SO1");
  CHECK(refused(row, of(f32), of(f32, {1, 2, 3})) == "SO2");
  CHECK(refused(row, of(f32), of(f32, {2, 4})) == "SO3");
  CHECK(refused(row, of(f16), of(f32, {2, 4})) == "SO1 SO3");
  CHECK(refused(row, of(data_type::int32), of(data_type::int32)) == "T3 T3");
  const activation_softmax1_desc last{.axes = {1}};
  CHECK(refused(last, of(f32), of(f32)) == "");
  CHECK(refused(last, of(f32), of(f16)) == "SO1");
  CHECK(refused(last, of(f32), of(f32, {1, 2, 3})) == "SO2");
  CHECK(refused(last, of(f32), of(f32, {2, 4})) == "SO3");
}

TEST_CASE("SO4: sizes before the last two are 1", "[softmax]") {
  const activation_softmax_desc row;
  for (const dimensions& sizes :
       {dimensions{5}, {2, 3}, {1, 2, 3}, {1, 1, 1, 1, 1, 1, 2, 3}, {1, 1, 1, 7}, {1, 1, 7, 1}})
    CHECK(refused(row, of(f32, sizes), of(f32, sizes)) == "");
  for (const dimensions& sizes : {dimensions{2, 1, 1}, {2, 3, 4}, {1, 2, 3, 4}, {2, 1, 1, 1, 1, 1, 1, 1}})
    CHECK(refused(row, of(f32, sizes), of(f32, sizes)) == "SO4");
  CHECK(to_string(goldml_test::only_violation(row, of(f32, {1, 2, 3, 4}), of(f32, {1, 2, 3, 4}))) ==
        "ACTIVATION_SOFTMAX SO4: InputTensor.Sizes[1] is 2, wanted 1, as in all but the last two dimensions "
        "(Sizes {1,2,3,4}; ACTIVATION_SOFTMAX1 has axes)");
  const activation_softmax1_desc last{.axes = {3}};
  CHECK(refused(last, of(f32, {1, 2, 3, 4}), of(f32, {1, 2, 3, 4})) == "");
}

TEST_CASE("SO5 SO6 SO7: axes", "[softmax]") {
  const tensor_desc t = of(f32);
  CHECK(refused(activation_softmax1_desc{.axes = {2}}, t, t) == "SO5");
  CHECK(refused(activation_softmax1_desc{.axes = {0, 5}}, t, t) == "SO5");
  CHECK(refused(activation_softmax1_desc{.axes = {1, 1}}, t, t) == "SO6");
  CHECK(refused(activation_softmax1_desc{.axes = {9, 9}}, t, t) == "SO5 SO5 SO6");
  CHECK(refused(activation_softmax1_desc{.axes = {}}, t, t) == "SO7");
  CHECK(refused(activation_softmax1_desc{.axes = dimensions::null()}, t, t) == "SO7");
  CHECK(to_string(goldml_test::only_violation(activation_softmax1_desc{.axes = {0, 2}}, t, t)) ==
        "ACTIVATION_SOFTMAX1 SO5: Axes[1] is 2, wanted below DimensionCount 2 (Axes {0,2})");
}

TEST_CASE("SOFTMAX: levels, and no execution in place", "[softmax]") {
  const activation_softmax_desc at_1_0{.feature_level = level::level_1_0};
  CHECK(refused(at_1_0, of(f32, {1, 1, 2, 3}), of(f32, {1, 1, 2, 3})) == "");
  CHECK(refused(at_1_0, of(f32, {1, 1, 1, 2, 3}), of(f32, {1, 1, 1, 2, 3})) == "T4 T4");
  const activation_softmax_desc at_2_0{.feature_level = level::level_2_0};
  CHECK(refused(at_2_0, of(f32, {1, 1, 1, 2, 3}), of(f32, {1, 1, 1, 2, 3})) == "");
  CHECK(refused(at_2_0, of(f32), of(f32)) == "T4 T4");
  CHECK(refused(activation_softmax1_desc{.axes = {0}, .feature_level = level::level_5_0}, of(f32), of(f32)) == "T11");
  numbers x{1, 2, 3};
  CHECK_THROWS_AS(activation_softmax(reference, tensor_view{x, {3}}, tensor_view{x, {3}}), error);
}
