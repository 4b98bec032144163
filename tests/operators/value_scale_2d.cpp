// VALUE_SCALE_2D: results, what a device may answer, and the rules, by hand from its page and the ledger (VS-R1, AR-R1,
// AR-R4 to AR-R7).
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <goldml/core/coordinates.hpp>
#include <goldml/cpu/value_scale_2d.hpp>
#include <goldml/operators/value_scale_2d.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/verdicts/value_scale_2d.hpp>
#include <goldml/reference/value_scale_2d.hpp>

#include "../catch.hpp"
#include "../support/judged.hpp"
#include "../support/refusals.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using level = goldml::feature_level;
using numbers = std::vector<float>;
using layouts::bits;

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

template <class T = float>
std::vector<T> typed(const numbers& x) {
  std::vector<T> result;
  for (const float each : x) result.push_back(static_cast<T>(each));
  return result;
}
// On both backends.
template <class T = float>
std::vector<T> scaled(const std::vector<T>& x, const dimensions& sizes, const value_scale_2d_desc& desc) {
  const std::vector<T> y = value_scale_2d(reference, tensor<T>(sizes, x), desc).elements();
  CHECK(bits(value_scale_2d(cpu, tensor<T>(sizes, x), desc).elements()) == bits(y));
  return y;
}

// How a device's answer to a row of one channel is judged, by default and strictly.
template <class T = float>
std::string judged(const numbers& given, const numbers& answer, const value_scale_2d_desc& desc) {
  const std::vector<T> x = typed<T>(given), got = typed<T>(answer);
  const tensor_desc row{.data_type = data_type_of<T>, .sizes = {1, 1, 1, static_cast<std::uint32_t>(x.size())}};
  const std::array inputs{const_tensor_ref(row, x.data(), x.size() * sizeof(T))};
  const std::array outputs{row};
  const oracle::golden golden = oracle::expect(desc, std::span<const const_tensor_ref>(inputs), outputs);
  const std::array actual{const_tensor_ref(row, got.data(), got.size() * sizeof(T))};
  return goldml_test::judged(golden, actual);
}

constexpr data_type f32 = data_type::float32, f16 = data_type::float16;
tensor_desc of(data_type type, const dimensions& sizes = {2, 3, 2, 2}) { return {.data_type = type, .sizes = sizes}; }

std::string refused(const value_scale_2d_desc& desc, const tensor_desc& input, const tensor_desc& output) {
  return goldml_test::refused(
      64, desc, [&](const auto&... t) { value_scale_2d(reference, t..., desc); }, input, output);
}

const float32_list tens{10, 20, 30};

}  // namespace

TEST_CASE("VALUE_SCALE_2D: each channel has its bias", "[value_scale_2d]") {
  const numbers x{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  const numbers wanted{12, 14, 16, 18, 30, 32, 34, 36, 48, 50, 52, 54};
  CHECK(scaled(x, {1, 3, 2, 2}, {.scale = 2, .bias = tens}) == wanted);
  CHECK(scaled(typed<float16>(x), {1, 3, 2, 2}, {.scale = 2, .bias = tens}) == typed<float16>(wanted));
  CHECK(scaled({1, 2, 3, 4}, {2, 1, 1, 2}, {.scale = -0.5F, .bias = {1}}) == numbers{0.5F, 0, -0.5F, -1});
  // Two images.
  CHECK(scaled({1, 2, 3, 4, 5, 6}, {2, 3, 1, 1}, {.scale = 2, .bias = tens}) == numbers{12, 24, 36, 18, 30, 42});
  CHECK(scaled({1, 2}, {1, 2, 1, 1}, {.scale = 2, .bias = {3, 5}, .channel_counts = channel_counts::any}) ==
        numbers{5, 9});
}

TEST_CASE("VALUE_SCALE_2D: rounded once", "[value_scale_2d]") {
  // (1 + 2^-23)^2 - 1 = 2^-22 + 2^-46, of which a rounded product keeps 2^-22.
  CHECK(scaled({1 + 0x1p-23F}, {1, 1, 1, 1}, {.scale = 1 + 0x1p-23F, .bias = {-1}}) == numbers{0x1p-22F + 0x1p-46F});
  // Scale and Bias are FLOAT32 beside FLOAT16, too: as a FLOAT16 this Scale is 1000, and the result were 0.
  CHECK(scaled(typed<float16>({3}), {1, 1, 1, 1}, {.scale = 1000.0625F, .bias = {-3000}}) == typed<float16>({0.1875F}));
  CHECK(scaled({3e38F}, {1, 1, 1, 1}, {.scale = 2, .bias = {-3e38F}}) == numbers{3e38F});
}

TEST_CASE("VALUE_SCALE_2D: infinities and NaN", "[value_scale_2d]") {
  const dimensions one{1, 1, 1, 1};
  CHECK(scaled({infinity}, one, {.scale = -2, .bias = {1}}) == numbers{-infinity});
  CHECK(is_nan(scaled({infinity}, one, {.scale = 0, .bias = {1}})[0]));
  CHECK(is_nan(scaled({not_a_number}, one, {.scale = 0, .bias = {1}})[0]));
  CHECK(is_nan(scaled({infinity}, one, {.scale = 1, .bias = {-infinity}})[0]));
  CHECK(scaled({5}, one, {.scale = infinity, .bias = {1}}) == numbers{infinity});
  CHECK(scaled({5}, one, {.scale = 1, .bias = {-infinity}}) == numbers{-infinity});
  CHECK(is_nan(scaled({5}, one, {.scale = not_a_number, .bias = {1}})[0]));
}

TEST_CASE("VALUE_SCALE_2D: strides and data types on both backends", "[value_scale_2d]") {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> any(-9, 9);
  const auto check = [&]<class T>(std::type_identity<T>) {
    const dimensions sizes{2, 3, 5, 67};
    std::vector<T> x;
    for (int i = 0; i < 2 * 3 * 5 * 67; ++i) x.push_back(static_cast<T>(any(random)));
    const value_scale_2d_desc desc{.scale = any(random), .bias = {any(random), any(random), any(random)}};
    for (const dimensions& to : {packed_strides(sizes), dimensions{3, 1, 6, 30}, dimensions{1200, 400, 70, 1}})
      for (const dimensions& from : {packed_strides(sizes), dimensions{0, 1, 3, 15}, dimensions{0, 0, 0, 1}}) {
        std::vector<T> wanted(2400), got(2400);
        value_scale_2d(reference, tensor_view{x, sizes, from}, tensor_view{wanted, sizes, to}, desc);
        value_scale_2d(cpu, tensor_view{x, sizes, from}, tensor_view{got, sizes, to}, desc);
        CHECK(bits(got) == bits(wanted));
      }
  };
  check(std::type_identity<float>{});
  check(std::type_identity<float16>{});
}

TEST_CASE("VALUE_SCALE_2D: what a device may answer", "[value_scale_2d]") {
  // Small integers are exact. Wrong: (x + Bias) * Scale, no Bias, no Scale.
  const value_scale_2d_desc two{.scale = 2, .bias = {10}};
  CHECK(judged({1, 2}, {12, 14}, two) == "aa");
  CHECK(judged({1, 2}, {12.000001F, 14}, two) == "rr");
  CHECK(judged({1, 2}, {22, 24}, two) == "rr");
  CHECK(judged({1, 2}, {2, 4}, two) == "rr");
  CHECK(judged({1, 2}, {11, 12}, two) == "rr");
  // 3 * 0.7 - 2.1 with 0.7 = 0.699999988, 2.1 = 2.0999999: the product rounded or not; E = 2u (2.1 + 2.1) = 5.0e-7.
  const value_scale_2d_desc cancels{.scale = 0.7F, .bias = {-2.1F}};
  CHECK(judged({3}, {0}, cancels) == "aa");
  CHECK(judged({3}, {5.9604645e-8F}, cancels) == "aa");
  CHECK(judged({3}, {5.3e-7F}, cancels) == "aa");
  CHECK(judged({3}, {6.5e-7F}, cancels) == "rr");
  CHECK(judged({3}, {-6.5e-7F}, cancels) == "rr");
  // FLOAT16: rounded once, or toward zero.
  const value_scale_2d_desc third{.scale = 0.33333334F, .bias = {0}};
  CHECK(judged<float16>({1}, {0.33325195F}, third) == "aa");
  CHECK(judged<float16>({2}, {0.66650391F}, third) == "aa");
  CHECK(judged<float16>({5}, {1.6660156F}, third) == "zz");
  CHECK(judged<float16>({5}, {1.668F}, third) == "rr");
  // A subnormal input, product or result may be flushed.
  CHECK(judged({1e-39F}, {0}, {.scale = 1, .bias = {0}}) == "ar");
  CHECK(judged({1e-39F}, {0}, {.scale = 1e20F, .bias = {0}}) == "ar");
  CHECK(judged({1e-20F}, {0}, {.scale = 1e-19F, .bias = {0}}) == "ar");
  CHECK(judged({1}, {0}, {.scale = 0, .bias = {1e-39F}}) == "ar");
  CHECK(judged({1e-20F}, {0}, {.scale = 1e-17F, .bias = {0}}) == "rr");
  // A product that overflows although the sum does not.
  CHECK(judged({3e38F}, {infinity}, {.scale = 2, .bias = {-3e38F}}) == "or");
  CHECK(judged({3e38F}, {-infinity}, {.scale = 2, .bias = {-3e38F}}) == "rr");
  CHECK(judged({infinity}, {infinity}, two) == "aa");
  CHECK(judged({infinity}, {not_a_number}, two) == "rr");
  CHECK(judged({not_a_number}, {10}, two) == "rr");
  // In half precision Scale and Bias are rounded too.
  const value_scale_2d_desc half{.scale = 0.1F, .bias = {0.3F}, .accumulation = accumulation::half};
  CHECK(judged({1}, {0.39990234F}, half) == "aa");
  CHECK(judged({1}, {0.39990234F}, {.scale = 0.1F, .bias = {0.3F}}) == "rr");
  CHECK(judged({1}, {0.403F}, half) == "rr");
}

// A device in FLOAT32, fused or not; and wrong ones.
TEST_CASE("VALUE_SCALE_2D: right devices are accepted, wrong ones noticed", "[value_scale_2d]") {
  enum class way { two_steps, fused, bias_first, one_bias, bias_of_column, half_product };
  std::mt19937 random(11);
  std::normal_distribution<float> any(0, 3);
  const dimensions sizes{2, 3, 2, 3};
  const auto noticed = [&]<class T>(std::type_identity<T>, way how) {
    int refusals = 0;
    for (int round = 0; round < 200; ++round) {
      const value_scale_2d_desc desc{.scale = any(random), .bias = {any(random), any(random), any(random)}};
      const tensor_desc t{.data_type = data_type_of<T>, .sizes = sizes};
      std::vector<T> x, got;
      for (const coordinate_tuple& c : coordinates_of(sizes)) {
        x.push_back(static_cast<T>(any(random)));
        const float e = static_cast<float>(x.back());
        const float bias = desc.bias[how == way::one_bias ? 0 : c[how == way::bias_of_column ? 3 : 1]];
        float product = e * desc.scale;
        if (how == way::half_product) product = static_cast<float>(static_cast<float16>(product));
        float y = product + bias;
        if (how == way::fused) y = std::fma(e, desc.scale, bias);
        if (how == way::bias_first) y = (e + bias) * desc.scale;
        got.push_back(static_cast<T>(y));
      }
      const std::array inputs{const_tensor_ref(t, x.data(), x.size() * sizeof(T))};
      const std::array outputs{t};
      const oracle::golden golden = oracle::expect(desc, std::span<const const_tensor_ref>(inputs), outputs);
      const std::array actual{const_tensor_ref(t, got.data(), got.size() * sizeof(T))};
      refusals += goldml_test::judged(golden, actual, {}) == 'r';
    }
    return refusals;
  };
  const auto check = [&]<class T>(std::type_identity<T> type) {
    for (const way right : {way::two_steps, way::fused}) CHECK(noticed(type, right) == 0);
    for (const way wrong : {way::bias_first, way::one_bias, way::bias_of_column}) CHECK(noticed(type, wrong) == 200);
  };
  check(std::type_identity<float>{});
  check(std::type_identity<float16>{});
  CHECK(noticed(std::type_identity<float>{}, way::half_product) == 200);
}

TEST_CASE("VS1 VS3: data types and sizes", "[value_scale_2d]") {
  const value_scale_2d_desc desc{.scale = 2, .bias = tens};
  CHECK(refused(desc, of(f32), of(f32)) == "");
  CHECK(refused(desc, of(f16), of(f16)) == "");
  CHECK(refused(desc, of(f32), of(f16)) == "VS1");
  CHECK(refused(desc, of(f32), of(f32, {2, 3, 2, 1})) == "VS3");
  CHECK(refused(desc, of(f32), of(f32, {2, 1, 2, 2})) == "VS3");
  CHECK(refused(desc, of(data_type::int32), of(data_type::int32)) == "T3 T3");
  CHECK(to_string(goldml_test::only_violation(desc, of(f32), of(f32, {2, 3, 2, 1}))) ==
        "VALUE_SCALE_2D VS3: OutputTensor.Sizes is {2,3,2,1}, wanted {2,3,2,2} (InputTensor's)");
}

TEST_CASE("VS4 VS5 VS6: ChannelCount and Bias", "[value_scale_2d]") {
  const auto with = [](const float32_list& bias, std::uint32_t channels, channel_counts counts = channel_counts::page) {
    const tensor_desc t = of(f32, {1, channels, 2, 2});
    return refused({.scale = 2, .bias = bias, .channel_counts = counts}, t, t);
  };
  CHECK(with({1}, 1) == "");
  CHECK(with(tens, 3) == "");
  CHECK(with({}, 1) == "VS4");
  CHECK(with({1, 2}, 2) == "VS4");
  CHECK(with({1, 2}, 3) == "VS4");
  CHECK(with({1, 2, 3, 4}, 4) == "VS4");
  CHECK(with(tens, 1) == "VS5");
  CHECK(with({1}, 3) == "VS5");
  CHECK(with(float32_list::null(), 3) == "VS6");
  CHECK(with({1, 2}, 2, channel_counts::any) == "");
  CHECK(with({1, 2, 3, 4, 5, 6, 7, 8}, 8, channel_counts::any) == "");
  CHECK(with({1, 2, 3, 4, 5, 6, 7, 8, 9}, 9, channel_counts::any) == "VS4");
  CHECK(with({}, 1, channel_counts::any) == "VS5");
  CHECK(with({1, 2}, 3, channel_counts::any) == "VS5");
  // In this order.
  const value_scale_2d_desc desc{.scale = 2, .bias = {1, 2}};
  CHECK(refused(desc, of(f32), of(f16, {2, 3, 2, 1})) == "VS1 VS4 VS3");
  CHECK(to_string(goldml_test::only_violation(desc, of(f32), of(f32))) ==
        "VALUE_SCALE_2D VS4: ChannelCount is 2, wanted 1 or 3");
  CHECK(to_string(goldml_test::only_violation(value_scale_2d_desc{.bias = {1}}, of(f32), of(f32))) ==
        "VALUE_SCALE_2D VS5: ChannelCount is 1, wanted InputTensor.Sizes[1], 3");
}

TEST_CASE("VALUE_SCALE_2D: four dimensions at every level, and no execution in place", "[value_scale_2d]") {
  for (const auto at : {level::level_1_0, level::level_3_0, level::latest}) {
    const value_scale_2d_desc desc{.bias = {1}, .feature_level = at};
    CHECK(refused(desc, of(f32, {1, 1, 2, 2}), of(f32, {1, 1, 2, 2})) == "");
    CHECK(refused(desc, of(f32, {1, 2, 2}), of(f32, {1, 2, 2})) == "T4 T4");
    CHECK(refused(desc, of(f32, {1, 1, 1, 2, 2}), of(f32, {1, 1, 1, 2, 2})) == "T4 T4");
  }
  numbers x{1, 2, 3};
  const dimensions sizes{1, 1, 1, 3};
  CHECK_THROWS_AS(value_scale_2d(reference, tensor_view{x, sizes}, tensor_view{x, sizes}, {.bias = {1}}), error);
}
