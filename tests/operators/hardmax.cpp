// ACTIVATION_HARDMAX and HARDMAX1: results, what a device may answer, and the rules, by hand from their pages and the
// ledger (7.1, FN-R15, SO-R1).
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <goldml/cpu/hardmax.hpp>
#include <goldml/operators/hardmax.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/verdicts/hardmax.hpp>
#include <goldml/reference/hardmax.hpp>

#include "../catch.hpp"
#include "../support/judged_row.hpp"
#include "../support/refusals.hpp"

namespace {

using namespace goldml;
using level = goldml::feature_level;
using numbers = std::vector<float>;

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

template <class T>
std::vector<T> typed(const numbers& x) {
  std::vector<T> result;
  for (const float each : x) result.push_back(static_cast<T>(each));
  return result;
}
// On both backends, as FLOAT32 and as FLOAT16.
numbers hardmax1(const numbers& x, const dimensions& sizes, const activation_hardmax1_desc& desc) {
  const numbers y = activation_hardmax1(reference, tensor<float>(sizes, x), desc).elements();
  CHECK(activation_hardmax1(cpu, tensor<float>(sizes, x), desc).elements() == y);
  CHECK(activation_hardmax1(reference, tensor<float16>(sizes, typed<float16>(x)), desc).elements() ==
        typed<float16>(y));
  CHECK(activation_hardmax1(cpu, tensor<float16>(sizes, typed<float16>(x)), desc).elements() == typed<float16>(y));
  return y;
}
numbers hardmax(const numbers& x, nan_policy policy = nan_policy::skip) {
  const auto n = static_cast<std::uint32_t>(x.size());
  const numbers y = hardmax1(x, {n}, {.axes = {0}, .nan_policy = policy});
  CHECK(activation_hardmax(reference, tensor<float>({1, 1, 1, n}, x), {.nan_policy = policy}).elements() == y);
  CHECK(activation_hardmax(cpu, tensor<float>({n}, x), {.nan_policy = policy}).elements() == y);
  return y;
}

// How a device's answer to a row is judged, by default and strictly.
template <class T = float>
std::string judged(const numbers& given, const numbers& answer, const activation_hardmax_desc& desc = {}) {
  return goldml_test::judged_row(desc, typed<T>(given), typed<T>(answer));
}

constexpr data_type f32 = data_type::float32, f16 = data_type::float16;
tensor_desc of(data_type type, const dimensions& sizes = {2, 3}) { return {.data_type = type, .sizes = sizes}; }

std::string refused(const activation_hardmax_desc& desc, const tensor_desc& input, const tensor_desc& output) {
  return goldml_test::refused(
      64, desc, [&](const auto&... t) { activation_hardmax(reference, t..., desc); }, input, output);
}
std::string refused(const activation_hardmax1_desc& desc, const tensor_desc& input, const tensor_desc& output) {
  return goldml_test::refused(
      64, desc, [&](const auto&... t) { activation_hardmax1(reference, t..., desc); }, input, output);
}

}  // namespace

TEST_CASE("HARDMAX: the first of the greatest", "[hardmax]") {
  CHECK(hardmax({1, 3, 2}) == numbers{0, 1, 0});
  CHECK(hardmax({7}) == numbers{1});
  CHECK(hardmax({2, 5, 5, 1, 5}) == numbers{0, 1, 0, 0, 0});
  CHECK(hardmax({-0.0F, 0.0F}) == numbers{1, 0});
  CHECK(hardmax({-infinity, -infinity}) == numbers{1, 0});
  CHECK(hardmax({-infinity, -60000, infinity, infinity}) == numbers{0, 0, 1, 0});
  const tensor<float> rows({1, 1, 3, 2}, {1, 2, 4, 3, 5, 5});
  CHECK(activation_hardmax(reference, rows).elements() == numbers{0, 1, 1, 0, 1, 0});
}

TEST_CASE("HARDMAX: NaN", "[hardmax]") {
  CHECK(hardmax({not_a_number, 1, 3}) == numbers{0, 0, 1});
  CHECK(hardmax({not_a_number, -infinity, not_a_number}) == numbers{0, 1, 0});
  CHECK(hardmax({not_a_number, not_a_number}) == numbers{1, 0});
  CHECK(hardmax({1, not_a_number, 3, not_a_number}, nan_policy::propagate) == numbers{0, 1, 0, 0});
}

// The examples of the page; {0, 2} with the unlisted axis between.
TEST_CASE("HARDMAX1: axes", "[hardmax]") {
  const numbers x{12, 0, -101, 11, 3, 234, 0, -101};
  const dimensions sizes{2, 2, 2};
  CHECK(hardmax1(x, sizes, {.axes = {1}}) == numbers{1, 0, 0, 1, 1, 1, 0, 0});
  CHECK(hardmax1(x, sizes, {.axes = {0}}) == numbers{1, 0, 0, 1, 0, 1, 1, 0});
  CHECK(hardmax1(x, sizes, {.axes = {0, 2}}) == numbers{0, 0, 0, 1, 0, 1, 0, 0});
  CHECK(hardmax1(x, sizes, {.axes = {2, 0}}) == numbers{0, 0, 0, 1, 0, 1, 0, 0});
  CHECK(hardmax1(x, sizes, {.axes = {0, 1, 2}}) == numbers{0, 0, 0, 0, 0, 1, 0, 0});
  // The first of equals is that in ascending order of dimensions, whatever the order of Axes.
  CHECK(hardmax1({0, 1, 1, 0}, {2, 2}, {.axes = {1, 0}}) == numbers{0, 1, 0, 0});
  CHECK(hardmax1({1, 1, 1, 1, 1, 1}, {2, 3}, {.axes = {0}}) == numbers{1, 1, 1, 0, 0, 0});
}

TEST_CASE("HARDMAX: strides of both tensors", "[hardmax]") {
  // The input is broadcast along its rows, the output is padded and transposed.
  const numbers x{3, 9, 4};
  for (const dimensions& axes : {dimensions{0}, dimensions{1}, dimensions{0, 1}}) {
    numbers wanted(12, 5.0F), got(12, 5.0F);
    activation_hardmax1(reference, tensor_view{x, {2, 3}, {0, 1}}, tensor_view{wanted, {2, 3}, {1, 4}}, {.axes = axes});
    activation_hardmax1(cpu, tensor_view{x, {2, 3}, {0, 1}}, tensor_view{got, {2, 3}, {1, 4}}, {.axes = axes});
    CHECK(got == wanted);
    if (axes == dimensions{1}) CHECK(got == numbers{0, 0, 5, 5, 1, 1, 5, 5, 0, 0, 5, 5});
    if (axes == dimensions{0, 1}) CHECK(got == numbers{0, 0, 5, 5, 1, 0, 5, 5, 0, 0, 5, 5});
  }
}

TEST_CASE("HARDMAX: what a device may answer", "[hardmax]") {
  CHECK(judged({1, 3, 2}, {0, 1, 0}) == "aa");
  CHECK(judged({1, 3, 2}, {-0.0F, 1, 0}) == "rr");
  CHECK(judged({1, 3, 2}, {0, 3, 0}) == "rr");
  CHECK(judged({3, 3}, {0, 1}) == "rr");  // the last of equals
  CHECK(judged({3, 3}, {1, 1}) == "rr");  // all of them
  CHECK(judged({not_a_number, 3}, {1, 0}) == "rr");
  CHECK(judged({not_a_number, 3}, {0, 1}) == "aa");
  // Nothing but NaN: the 1 is anywhere, or nowhere.
  for (const numbers& answer : {numbers{1, 0}, {0, 1}, {0, 0}}) {
    CHECK(judged({not_a_number, not_a_number}, answer) == "aa");
    CHECK(judged<float16>({not_a_number, not_a_number}, answer) == "aa");
  }
  CHECK(judged({not_a_number, not_a_number}, {not_a_number, not_a_number}) == "rr");
  CHECK(judged({not_a_number, not_a_number}, {0.5F, 0}) == "rr");
  CHECK(judged({not_a_number, not_a_number}, {0, 1}, {.nan_policy = nan_policy::propagate}) == "rr");
  // FLOAT32 subnormals may tie, those of FLOAT16 do not.
  CHECK(judged({1e-40F, 2e-40F}, {0, 1}) == "aa");
  CHECK(judged({1e-40F, 2e-40F}, {1, 0}) == "ar");
  CHECK(judged<float16>({0x1p-24F, 0x1p-23F}, {1, 0}) == "rr");
}

TEST_CASE("HARDMAX: SO1 to SO7", "[hardmax]") {
  const activation_hardmax_desc row;
  CHECK(refused(row, of(f32), of(f32)) == "");
  CHECK(refused(row, of(f16), of(f32, {2, 4})) == "SO1 SO3");
  CHECK(refused(row, of(f32), of(f32, {1, 2, 3})) == "SO2");
  CHECK(refused(row, of(data_type::int32), of(data_type::int32)) == "T3 T3");
  CHECK(to_string(goldml_test::only_violation(row, of(f32, {2, 1, 3}), of(f32, {2, 1, 3}))) ==
        "ACTIVATION_HARDMAX SO4: InputTensor.Sizes[0] is 2, wanted 1, as in all but the last two dimensions "
        "(Sizes {2,1,3}; ACTIVATION_HARDMAX1 has axes)");
  const tensor_desc t = of(f32);
  CHECK(refused(activation_hardmax1_desc{.axes = {0}}, t, t) == "");
  CHECK(refused(activation_hardmax1_desc{.axes = {2}}, t, t) == "SO5");
  CHECK(refused(activation_hardmax1_desc{.axes = {1, 1}}, t, t) == "SO6");
  CHECK(refused(activation_hardmax1_desc{.axes = {}}, t, t) == "SO7");
  CHECK(refused(activation_hardmax1_desc{.axes = dimensions::null()}, t, t) == "SO7");
}

TEST_CASE("HARDMAX: levels, and no execution in place", "[hardmax]") {
  const activation_hardmax_desc at_1_0{.feature_level = level::level_1_0};
  CHECK(refused(at_1_0, of(f32, {1, 1, 2, 3}), of(f32, {1, 1, 2, 3})) == "");
  CHECK(refused(at_1_0, of(f32, {1, 1, 1, 2, 3}), of(f32, {1, 1, 1, 2, 3})) == "T4 T4");
  const activation_hardmax_desc at_2_0{.feature_level = level::level_2_0};
  CHECK(refused(at_2_0, of(f32), of(f32)) == "T4 T4");
  const activation_hardmax1_desc at_5_0{.axes = {0}, .feature_level = level::level_5_0};
  CHECK(refused(at_5_0, of(f32), of(f32)) == "T11");
  numbers x{1, 2, 3};
  CHECK_THROWS_AS(activation_hardmax(reference, tensor_view{x, {3}}, tensor_view{x, {3}}), error);
}
