// ACTIVATION_LOG_SOFTMAX and LOG_SOFTMAX1: results, what a device may answer, and the rules, by hand from their pages
// and the ledger (SO-R1 to SO-R3).
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

template <class T = float>
std::vector<T> log_softmax(const std::vector<T>& x) {
  return activation_log_softmax(reference, tensor<T>({static_cast<std::uint32_t>(x.size())}, x)).elements();
}
numbers log_softmax1(const numbers& x, const dimensions& sizes, const dimensions& axes) {
  return activation_log_softmax1(reference, tensor<float>(sizes, x), {.axes = axes}).elements();
}
template <class T>
bool all_nan(const std::vector<T>& x) {
  for (const T each : x)
    if (!is_nan(each)) return false;
  return true;
}
std::vector<float16> halves(const numbers& x) {
  std::vector<float16> result;
  for (const float each : x) result.push_back(static_cast<float16>(each));
  return result;
}

// How a device's answer to a row is judged, by default and strictly; or with these options.
template <class T>
std::string judged(const std::vector<T>& x, const std::vector<T>& got, const activation_log_softmax_desc& desc = {},
                   const oracle::compare_options* options = nullptr) {
  return goldml_test::judged_row(desc, x, got, options);
}

constexpr data_type f32 = data_type::float32, f16 = data_type::float16;
tensor_desc of(data_type type, const dimensions& sizes = {2, 3}) { return {.data_type = type, .sizes = sizes}; }

std::string refused(const activation_log_softmax_desc& desc, const tensor_desc& input, const tensor_desc& output) {
  return goldml_test::refused(
      64, desc, [&](const auto&... t) { activation_log_softmax(reference, t..., desc); }, input, output);
}
std::string refused(const activation_log_softmax1_desc& desc, const tensor_desc& input, const tensor_desc& output) {
  return goldml_test::refused(
      64, desc, [&](const auto&... t) { activation_log_softmax1(reference, t..., desc); }, input, output);
}

}  // namespace

TEST_CASE("LOG_SOFTMAX: rows", "[log_softmax]") {
  CHECK(log_softmax<float>({1, 2, 3}) == numbers{-2.407606F, -1.407606F, -0.40760598F});
  CHECK(log_softmax<float>({1000, 1000}) == numbers{-0.6931472F, -0.6931472F});
  CHECK(log_softmax<float>({0, 0, 0, 0}) == numbers(4, -1.38629436F));
  // One element: ln 1, and no negative zero.
  CHECK(log_softmax<float>({7}) == numbers{0});
  CHECK(!std::signbit(log_softmax<float>({7})[0]));
  // -ln(1 + e^-100) is -e^-100, 26.5 units of 2^-149; and e^-800 is too little for any FLOAT32.
  CHECK(log_softmax<float>({0, -100}) == numbers{-27 * 0x1p-149F, -100});
  CHECK(log_softmax<float>({0, -800}) == numbers{0, -800});
  CHECK(!std::signbit(log_softmax<float>({0, -300})[0]));
  CHECK(log_softmax<float>({0x1p127F, 0x1p126F}) == numbers{0, -0x1p126F});
  CHECK(log_softmax<float>({3e38F, -3e38F}) == numbers{0, -infinity});  // -6e38
  // -2049 is the middle of two FLOAT16; the exact result is below it, by e^-2049.
  CHECK(log_softmax(halves({1, -2048})) == halves({0, -2050}));
}

TEST_CASE("LOG_SOFTMAX: infinities and NaN", "[log_softmax]") {
  CHECK(log_softmax<float>({-infinity, 0, 0}) == numbers{-infinity, -0.6931472F, -0.6931472F});
  CHECK(log_softmax<float>({-infinity, 5}) == numbers{-infinity, 0});
  CHECK(all_nan(log_softmax<float>({-infinity, -infinity})));
  CHECK(all_nan(log_softmax<float>({infinity, 0})));
  CHECK(all_nan(log_softmax<float>({not_a_number, 0, 1})));
  const numbers y = log_softmax1({not_a_number, 0, 1, 0}, {2, 2}, {1});  // the other slice is not touched
  CHECK(all_nan(numbers{y[0], y[1]}));
  CHECK(y[2] == -0.313261688F);
  CHECK(y[3] == -1.31326163F);
}

TEST_CASE("LOG_SOFTMAX1: axes", "[log_softmax]") {
  const numbers x{1, 2, 3, 1, 2, 3};
  const numbers of_row{-2.407606F, -1.407606F, -0.40760598F, -2.407606F, -1.407606F, -0.40760598F};
  CHECK(log_softmax1(x, {2, 3}, {1}) == of_row);
  CHECK(log_softmax1(x, {2, 3}, {0}) == numbers(6, -0.6931472F));
  // Jointly, in any order (SO-R1): ln 2 less than of a row.
  const numbers both{-3.10075307F, -2.10075307F, -1.10075319F, -3.10075307F, -2.10075307F, -1.10075319F};
  CHECK(log_softmax1(x, {2, 3}, {0, 1}) == both);
  CHECK(log_softmax1(x, {2, 1, 3}, {2, 0}) == both);
  CHECK(log_softmax1(x, {6, 1}, {1}) == numbers(6, 0.0F));
}

TEST_CASE("LOG_SOFTMAX: what a device may answer", "[log_softmax]") {
  // {1,2,3}: E = 4.76e-6, 3.63e-6, 2.63e-6, without an approximate reciprocal 3.6e-7 less; usual 1.65e-6, 1.54e-6,
  // 1.42e-6.
  const numbers x{1, 2, 3};
  const auto with = [&](std::size_t i, float by) {
    numbers y = log_softmax(x);
    y[i] += by;
    return judged(x, y);
  };
  CHECK(with(0, 0) == "aa");
  CHECK(with(0, 1.4e-6F) == "aa");
  CHECK(with(0, -1.4e-6F) == "aa");
  CHECK(with(0, 2.9e-6F) == "ss");
  CHECK(with(0, 4.5e-6F) == "ss");
  CHECK(with(0, -4.5e-6F) == "ss");
  CHECK(with(0, 5.3e-6F) == "rr");
  CHECK(with(0, -5.3e-6F) == "rr");
  CHECK(with(1, 3.1e-6F) == "ss");
  CHECK(with(1, 4.0e-6F) == "rr");
  CHECK(with(2, 1.3e-6F) == "aa");
  CHECK(with(2, 2.2e-6F) == "ss");
  CHECK(with(2, 2.5e-6F) == "ss");
  CHECK(with(2, 2.8e-6F) == "rr");
  oracle::compare_options options;
  options.reciprocals = oracle::reciprocal_errors::refuse;
  CHECK(judged<float>({7}, {1.5e-6F}, {}, &options) == "s");
  CHECK(judged<float>({7}, {2.5e-6F}, {}, &options) == "r");
  CHECK(judged<float>({7}, {2.5e-6F}) == "ss");
  // {1000,1000}: 1.2e-4, as M + ln S is rounded; NaN of the formula without the greatest (SO-R2).
  CHECK(judged<float>({1000, 1000}, {-0.69326F, -0.69303F}) == "ss");
  CHECK(judged<float>({1000, 1000}, {-0.69328F, -0.69315F}) == "rr");
  CHECK(judged<float>({1000, 1000}, {not_a_number, not_a_number}) == "rr");
  CHECK(judged<float>({1000, 1000}, {-infinity, -infinity}) == "rr");
  // SOFTMAX; a binary logarithm; without the logarithm of the sum.
  CHECK(judged(x, {0.09003057F, 0.24472848F, 0.66524094F}) == "rr");
  CHECK(judged(x, {-3.4734411F, -2.0307461F, -0.5880511F}) == "rr");
  CHECK(judged(x, {-2, -1, 0}) == "rr");
  // Infinities and NaN.
  CHECK(judged<float>({-infinity, 0}, {-infinity, 0}) == "aa");
  CHECK(judged<float>({-infinity, 0}, {-1e30F, 0}) == "rr");
  CHECK(judged<float>({-infinity, 0}, {not_a_number, 0}) == "rr");
  CHECK(judged<float>({infinity, 0}, {not_a_number, not_a_number}) == "aa");
  CHECK(judged<float>({infinity, 0}, {0, -infinity}) == "rr");
  // At most E above 0: ln of a quotient of 1.
  CHECK(judged<float>({7}, {1.5e-6F}) == "ss");
  CHECK(judged<float>({7}, {3e-6F}) == "rr");
}

TEST_CASE("LOG_SOFTMAX: quotients that are flushed", "[log_softmax]") {
  // ln of SOFTMAX: from e^-87.34 on that is below the normal numbers, and 0 if it is flushed.
  CHECK(judged<float>({0, -87}, {0, -87}) == "aa");
  CHECK(judged<float>({0, -87}, {0, -infinity}) == "rr");
  CHECK(judged<float>({0, -88}, {0, -infinity}) == "sr");
  CHECK(judged<float>({0, -88}, {0, -88}) == "aa");
  CHECK(judged<float>({0, -88}, {0, -87.9F}) == "rr");
  CHECK(judged<float>({0, -103}, {0, -102.6F}) == "ss");  // ln of 2 units of 2^-149, and of a unit more
  CHECK(judged<float>({0, -103}, {0, -102}) == "rr");
  CHECK(judged<float>({0, -200}, {0, -infinity}) == "ss");
  CHECK(judged<float>({0, -200}, {0, -200}) == "aa");
  CHECK(judged<float>({0, -200}, {0, -103.27893F}) == "ss");
  CHECK(judged<float>({0, -200}, {0, -103}) == "rr");
  // FLOAT16 tensors are computed in FLOAT32, too.
  CHECK(judged(halves({0, -90}), halves({0, -infinity})) == "ss");
  CHECK(judged(halves({0, -80}), halves({0, -infinity})) == "rr");
  CHECK(judged(halves({65504, -65504}), halves({0, -infinity})) == "aa");
  CHECK(judged(halves({1, 2, 3}), halves({-2.4082F, -1.4072F, -0.40771F})) == "aa");
  CHECK(judged(halves({1, 2, 3}), halves({-2.4063F, -1.4072F, -0.40747F})) == "zz");
  CHECK(judged(halves({1, 2, 3}), halves({-2.4101F, -1.4072F, -0.40771F})) == "rr");
}

TEST_CASE("LOG_SOFTMAX: half precision", "[log_softmax]") {
  const activation_log_softmax_desc half{.accumulation = accumulation::half};
  const numbers x{1, 2, 3}, off{-2.41F, -1.41F, -0.41F}, far_off{-2.6F, -1.41F, -0.41F};
  CHECK(judged(x, off, half) == "aa");
  CHECK(judged(x, off) == "rr");
  CHECK(judged(x, far_off, half) == "rr");
  // A quotient of 4e-6 in FLOAT16, of which 2^-24 is a hundredth, and one that is 0.
  CHECK(judged<float>({0, -18}, {0, -infinity}, half) == "ss");
  CHECK(judged<float>({0, -8}, {0, -infinity}, half) == "rr");
  // 70000 may be an infinity.
  CHECK(judged<float>({70000, 1}, {not_a_number, -infinity}, half) == "aa");
  CHECK(judged<float>({70000, 1}, {0.1F, -69999}, half) == "rr");
  CHECK(judged<float>({70000, 1}, {not_a_number, not_a_number}) == "rr");
  const activation_log_softmax_desc products{.accumulation = accumulation::half_products};
  CHECK(judged(x, {-2.408F, -1.408F, -0.408F}, products) == "aa");
  CHECK(judged(x, far_off, products) == "rr");
}

TEST_CASE("LOG_SOFTMAX: SO1 to SO7", "[log_softmax]") {
  const activation_log_softmax_desc row;
  CHECK(refused(row, of(f32), of(f32)) == "");
  CHECK(refused(row, of(f16), of(f32, {2, 4})) == "SO1 SO3");
  CHECK(refused(row, of(f32), of(f32, {1, 2, 3})) == "SO2");
  CHECK(refused(row, of(data_type::int32), of(data_type::int32)) == "T3 T3");
  CHECK(refused(row, of(f32, {1, 1, 7, 1}), of(f32, {1, 1, 7, 1})) == "");
  CHECK(to_string(goldml_test::only_violation(row, of(f32, {1, 2, 3, 4}), of(f32, {1, 2, 3, 4}))) ==
        "ACTIVATION_LOG_SOFTMAX SO4: InputTensor.Sizes[1] is 2, wanted 1, as in all but the last two dimensions "
        "(Sizes {1,2,3,4}; ACTIVATION_LOG_SOFTMAX1 has axes)");
  const tensor_desc t = of(f32);
  CHECK(refused(activation_log_softmax1_desc{.axes = {1, 0}}, t, t) == "");
  CHECK(refused(activation_log_softmax1_desc{.axes = {9, 9}}, t, t) == "SO5 SO5 SO6");
  CHECK(refused(activation_log_softmax1_desc{.axes = {}}, t, t) == "SO7");
  CHECK(refused(activation_log_softmax1_desc{.axes = dimensions::null()}, t, t) == "SO7");
}

TEST_CASE("LOG_SOFTMAX: levels, and no execution in place", "[log_softmax]") {
  const activation_log_softmax_desc at_1_0{.feature_level = level::level_1_0};
  CHECK(refused(at_1_0, of(f32, {1, 1, 2, 3}), of(f32, {1, 1, 2, 3})) == "");
  CHECK(refused(at_1_0, of(f32, {1, 1, 1, 2, 3}), of(f32, {1, 1, 1, 2, 3})) == "T4 T4");
  const activation_log_softmax_desc at_2_0{.feature_level = level::level_2_0};
  CHECK(refused(at_2_0, of(f32, {1, 1, 1, 2, 3}), of(f32, {1, 1, 1, 2, 3})) == "");
  CHECK(refused(at_2_0, of(f32), of(f32)) == "T4 T4");
  const activation_log_softmax1_desc at_5_0{.axes = {0}, .feature_level = level::level_5_0};
  CHECK(refused(at_5_0, of(f32), of(f32)) == "T11");
  numbers x{1, 2, 3};
  CHECK_THROWS_AS(activation_log_softmax(reference, tensor_view{x, {3}}, tensor_view{x, {3}}), error);
}
