// ScaleBias of the element-wise operators (ledger L28): values, and what a device may answer, by hand.
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include <goldml/cpu/element_wise.hpp>
#include <goldml/cpu/engine/element_wise/scale_bias.hpp>
#include <goldml/operators/element_wise.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/reference/element_wise.hpp>

#include "../catch.hpp"

namespace {

using namespace goldml;

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float tiny = std::numeric_limits<float>::denorm_min();
constexpr float largest = std::numeric_limits<float>::max();

// f(x) on both backends, which have the same bits.
template <class Desc, class T>
T computed(const Desc& desc, T x) {
  const element_wise_function<operator_traits<Desc>::table_row.op> f;
  const tensor<T> input({3}, {x, x, x});
  const tensor<T> expected = f(reference, input, desc);
  const tensor<T> fast = f(cpu, input, desc);
  CHECK(std::memcmp(expected.elements().data(), fast.elements().data(), 3 * sizeof(T)) == 0);
  return expected.elements()[1];
}
template <class T>
T identity(T x, float scale, float bias) {
  return computed(element_wise_identity_desc{.scale_bias = scale_bias{scale, bias}}, x);
}
template <class T>
bool is_negative_zero(T x) {
  return is_zero(x) && std::signbit(static_cast<double>(x));
}
float16 half(double x) { return static_cast<float16>(static_cast<float>(x)); }
float16 half_bits(std::uint16_t bits) { return std::bit_cast<float16>(bits); }

// Whether a device may answer `got` to f(x), by default and in strict comparison.
struct allowed {
  bool by_default;
  bool strictly;
  friend bool operator==(const allowed&, const allowed&) = default;
};
constexpr allowed always{true, true}, by_default{true, false}, never{false, false};

template <class Desc, class T>
oracle::golden expected_of(const Desc& desc, T x) {
  const std::array<const_tensor_ref, 1> inputs{
      const_tensor_ref({.data_type = data_type_of<T>, .sizes = {1}}, &x, sizeof x)};
  const std::array outputs{tensor_desc{.data_type = data_type_of<T>, .sizes = {1}}};
  return oracle::expect(desc, std::span<const const_tensor_ref>(inputs), outputs);
}
template <class Desc, class T>
oracle::judgement judged(const Desc& desc, T got, T x, const oracle::compare_options& options = {}) {
  const std::array actual{const_tensor_ref({.data_type = data_type_of<T>, .sizes = {1}}, &got, sizeof got)};
  return oracle::compare(expected_of(desc, x), actual, options);
}
template <class Desc, class T>
allowed may_be(const Desc& desc, T got, T x) {
  return {judged(desc, got, x).tolerated(), judged(desc, got, x, oracle::compare_options::strict()).tolerated()};
}
template <class T>
allowed identity_may_be(T got, T x, float scale, float bias) {
  return may_be(element_wise_identity_desc{.scale_bias = scale_bias{scale, bias}}, got, x);
}

template <class T>
T from_random_bits(std::uint64_t bits) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(bits);
  else
    return std::bit_cast<T>(static_cast<typename goldml::detail::float_bits<T>::type>(bits));
}
// Any bits, numbers near 1, small multiples of 1/8.
float random_float(std::mt19937_64& random, int kind) {
  const auto bits = static_cast<std::uint32_t>(random());
  if (kind == 0) return std::bit_cast<float>(bits);
  if (kind == 1) return std::bit_cast<float>((bits & 0x807F'FFFFu) | static_cast<std::uint32_t>(117 + bits % 20) << 23);
  return static_cast<float>(static_cast<int>(random() % 2001) - 1000) / 8;
}

// Calls f(desc, elements) for random elements, many of which Bias cancels.
template <class T, class F>
void for_random_calls(int calls, const F& f) {
  std::mt19937_64 random(2026);
  for (int call = 0; call < calls; ++call) {
    const scale_bias by{random_float(random, call % 3), random_float(random, call / 3 % 3)};
    std::vector<T> elements(131);
    for (T& x : elements) {
      const int kind = call % 4;
      if (kind == 0)
        x = from_random_bits<T>(random());
      else if (kind == 3 && !std::is_integral_v<T>)
        x = static_cast<T>(static_cast<float>(-static_cast<double>(by.bias) / static_cast<double>(by.scale)));
      else if (std::is_integral_v<T>)
        x = static_cast<T>(static_cast<std::int64_t>(random() % 256));
      else
        x = static_cast<T>(random_float(random, kind));
    }
    f(by, tensor<T>({131}, elements));
  }
}

template <class Desc, class T>
void check_same(const Desc& desc, const tensor<T>& x) {
  const element_wise_function<operator_traits<Desc>::table_row.op> f;
  const tensor<T> expected = f(reference, x, desc);
  for (const instruction_set set : all_instruction_sets) {
    if (!is_supported(set)) continue;
    const tensor<T> fast = f(cpu.with(set), x, desc);
    const bool same = std::memcmp(expected.elements().data(), fast.elements().data(), 131 * sizeof(T)) == 0;
    if (!same) CHECK(same);
  }
}

}  // namespace

TEST_CASE("ScaleBias: x * Scale + Bias rounded once", "[scale_bias]") {
  CHECK(identity(1.0F, 2, 10) == 12);
  CHECK(identity(2.0F, 2, 10) == 14);
  CHECK(identity(3.0F, 2, 10) == 16);
  CHECK(identity(4097.0F, 4097, -16785408) == 1);  // in two steps: 0
  CHECK(identity(4097.0, 4097, -16785408) == 1);
  CHECK(identity(half(3), 2, 10) == half(16));
  CHECK(identity(half(2048), 1, 1.0009765625F) == half(2050));  // above the middle of 2048 and 2050
  CHECK(identity(half(2048), 1, 1) == half(2048));
  // Scale and Bias are not rounded to FLOAT16.
  CHECK(identity(half(2), 1.00048828125F, 0) == half(2));
  CHECK(identity(half(1024), 1.00048828125F, 0.25F) == half(1025));
  CHECK(identity(0x1p-149F, 0.5F, 0x1p-149F) == 0x1p-148F);  // 1.5 units to even
  CHECK(identity(largest, 2, -largest) == largest);
  CHECK(identity(largest, 1, 0x1p103F) == infinity);  // half a unit past the greatest number
  CHECK(identity(largest, 1, 0x1.fffffep102F) == largest);
  CHECK(identity(half(65504), 2, -65504) == half(65504));
  // FLOAT64: a product of 77 bits; results that overflow, and subnormal ones.
  CHECK(identity(0x1.0000000000001p0, 0x1.000002p0F, -1) == 0x1.0000000800001p-23);
  CHECK(identity(std::numeric_limits<double>::max(), 2, 0) == std::numeric_limits<double>::infinity());
  CHECK(identity(0x1p-1074, 0.5F, 0) == 0);
  CHECK(identity(0x3p-1074, 0.5F, 0) == 0x2p-1074);  // 1.5 to even
  CHECK(identity(0x1p-1022, 0.75F, 0) == 0x3p-1024);
  CHECK(identity(0x1p-1000, 0x1p-100F, 0) == 0);
  CHECK(is_negative_zero(identity(0x1p-1000, -0x1p-100F, 0)));
}

TEST_CASE("ScaleBias: zeros, infinities, NaN", "[scale_bias]") {
  for (const float bias : {0.0F, -0.0F}) {
    CHECK(is_negative_zero(identity(-0.0F, 1, bias)) == std::signbit(bias));
    CHECK(is_negative_zero(identity(0.0F, -2, bias)) == std::signbit(bias));
    CHECK_FALSE(is_negative_zero(identity(0.0F, 1, bias)));
    CHECK(is_negative_zero(identity(half(-0.0), 1, bias)) == std::signbit(bias));
    CHECK(is_negative_zero(identity(-0.0, 1, bias)) == std::signbit(bias));
  }
  CHECK_FALSE(is_negative_zero(identity(-1.0F, 2, 2)));  // 0, but not of zeros
  CHECK(is_negative_zero(identity(-tiny, 0.25F, 0)));    // rounded to 0
  CHECK(identity(infinity, 2, 5) == infinity);
  CHECK(identity(infinity, -2, 5) == -infinity);
  CHECK(std::isnan(identity(infinity, 0, 5)));
  CHECK(std::isnan(identity(infinity, 1, -infinity)));
  CHECK(std::isnan(identity(0.0F, infinity, 1)));
  CHECK(std::isnan(identity(not_a_number, 1, 1)));
  CHECK(std::isnan(identity(1.0F, 1, not_a_number)));
  CHECK(identity(2.0F, 1, infinity) == infinity);
  CHECK(identity(1e300, 3e38F, -infinity) == -std::numeric_limits<double>::infinity());
  CHECK(identity(half(-2), infinity, 5) == half(-static_cast<double>(infinity)));
}

TEST_CASE("ScaleBias: then the operator", "[scale_bias]") {
  const scale_bias by{-2, 0.5F};
  CHECK(computed(element_wise_abs_desc{.scale_bias = by}, 3.0F) == 5.5F);
  CHECK(computed(element_wise_ceil_desc{.scale_bias = by}, 3.0F) == -5);
  CHECK(computed(element_wise_floor_desc{.scale_bias = by}, 3.0F) == -6);
  CHECK(computed(element_wise_floor_desc{.scale_bias = by}, half(0.1)) == half(0));
  CHECK(computed(element_wise_clip_desc{.scale_bias = by, .min = -4, .max = 4}, 3.0F) == -4);
  CHECK(computed(element_wise_clip_desc{.scale_bias = by, .min = -4, .max = 4}, 1.0F) == -1.5F);
  CHECK(computed(element_wise_clip_desc{.scale_bias = by, .min = -4, .max = 4}, not_a_number) == -4);
  CHECK(computed(element_wise_clip1_desc{.scale_bias = by, .min = -4.0F, .max = 4.0F}, -3.0F) == 4);
  CHECK(computed(element_wise_clip1_desc{.scale_bias = by, .min = -4.0F, .max = 4.0F}, not_a_number) == 4);
  CHECK(std::isnan(computed(element_wise_ceil_desc{.scale_bias = by}, not_a_number)));
}

TEST_CASE("ScaleBias: in place, and between strides", "[scale_bias]") {
  std::vector<float> x{1, -9, 2, -9, 3};
  const tensor_view<float> view(x.data(), {3}, {2});
  const element_wise_identity_desc desc{.scale_bias = scale_bias{2, 10}};
  element_wise_identity(cpu, tensor_view<const float>(x.data(), {3}, {2}), view, desc);
  CHECK(x == std::vector<float>{12, -9, 14, -9, 16});
  element_wise_identity(reference, tensor_view<const float>(x.data(), {3}, {2}), view, desc);
  CHECK(x == std::vector<float>{34, -9, 38, -9, 42});
}

TEST_CASE("ScaleBias: integers with the policy", "[scale_bias]") {
  const auto scaled = [](auto x, float scale, float bias) {
    return computed(element_wise_identity_desc{.scale_bias = scale_bias{scale, bias},
                                               .integer_scale_bias = integer_scale_bias::cast},
                    x);
  };
  CHECK(scaled(7, -1, 0) == -7);
  CHECK(scaled(7, 0.5F, 0) == 3);
  CHECK(scaled(-7, 0.5F, 0) == -3);  // truncated
  CHECK(scaled(8, -5.5F, 1e-30F) == -43);
  CHECK(scaled(std::int8_t{100}, 2, 0) == 127);
  CHECK(scaled(std::int8_t{-100}, 2, 0) == -128);
  CHECK(scaled(std::uint8_t{3}, -1, 0) == 0);
  CHECK(scaled(std::uint8_t{1}, -0.9F, 0) == 0);
  CHECK(scaled(std::int16_t{5}, not_a_number, 0) == 0);
  CHECK(scaled(std::int16_t{5}, -infinity, 0) == -32768);
  CHECK(scaled(std::int16_t{5}, infinity, 0) == 32767);
  CHECK(scaled(std::int16_t{0}, infinity, 9) == 0);  // NaN
  CHECK(scaled((std::int64_t{1} << 53) + 1, 3, 1) == 3 * (std::int64_t{1} << 53) + 4);
  CHECK(scaled(~std::uint64_t{0}, 1, -1) == ~std::uint64_t{0} - 1);
  CHECK(scaled(~std::uint64_t{0}, 1, 1) == ~std::uint64_t{0});
  CHECK(scaled(std::numeric_limits<std::int64_t>::min(), -1, -1) == std::numeric_limits<std::int64_t>::max());
  const element_wise_abs_desc abs{.scale_bias = scale_bias{-1, 0}, .integer_scale_bias = integer_scale_bias::cast};
  CHECK(computed(abs, 5) == 5);
  CHECK(may_be(abs, 5, 5) == always);
  CHECK(may_be(abs, 6, 5) == never);
  const element_wise_identity_desc twice{.scale_bias = scale_bias{2, 0},
                                         .integer_scale_bias = integer_scale_bias::cast};
  CHECK(may_be(twice, std::int8_t{127}, std::int8_t{63}) == never);  // 126
  CHECK(judged(twice, std::int8_t{-56}, std::int8_t{100}).outcome() == oracle::outcome::nothing_defined);
  CHECK(judged(twice, std::int8_t{56}, std::int8_t{-100}).outcome() == oracle::outcome::nothing_defined);
  CHECK(may_be(twice, std::int8_t{-128}, std::int8_t{-64}) == always);
  CHECK(may_be(twice, std::int8_t{-127}, std::int8_t{-64}) == never);
  // An infinity is no integer.
  element_wise_identity_desc unbounded = twice;
  unbounded.scale_bias->scale = infinity;
  CHECK(judged(unbounded, std::int8_t{127}, std::int8_t{1}).outcome() == oracle::outcome::nothing_defined);
  const element_wise_abs_desc least{.scale_bias = scale_bias{1, -1}, .integer_scale_bias = integer_scale_bias::cast};
  CHECK(may_be(least, std::int8_t{-128}, std::int8_t{-127}) == always);  // |-128| wraps or is clamped (L21)
  CHECK(may_be(least, std::int8_t{127}, std::int8_t{-127}) == always);
  CHECK(may_be(least, std::int8_t{126}, std::int8_t{-127}) == never);
}

TEST_CASE("ScaleBias: cpu and reference have the same bits, and those of a fused operation", "[scale_bias]") {
  const auto check = []<class T>(std::type_identity<T>) {
    for_random_calls<T>(300, [](const scale_bias& by, const tensor<T>& x) {
      check_same(element_wise_identity_desc{.scale_bias = by, .integer_scale_bias = integer_scale_bias::cast}, x);
      if constexpr (goldml::detail::fma_rounds_once && (std::is_same_v<T, float> || std::is_same_v<T, double>)) {
        const tensor<T> y = element_wise_identity(reference, x, {.scale_bias = by});
        for (std::size_t i = 0; i < 131; ++i) {
          const T fused = std::fma(x.elements()[i], static_cast<T>(by.scale), static_cast<T>(by.bias));
          const bool same = (std::isnan(fused) && std::isnan(y.elements()[i])) ||
                            std::memcmp(&fused, &y.elements()[i], sizeof(T)) == 0;
          if (!same) CHECK(same);
        }
      }
      if constexpr (std::is_same_v<T, float> || std::is_same_v<T, float16>) {
        check_same(element_wise_ceil_desc{.scale_bias = by}, x);
        check_same(element_wise_abs_desc{.scale_bias = by}, x);
        check_same(element_wise_clip_desc{.scale_bias = by, .min = -0.5F, .max = 1000}, x);
      }
    });
  };
  check(std::type_identity<float>{});
  check(std::type_identity<float16>{});
  check(std::type_identity<double>{});
  check(std::type_identity<std::int8_t>{});
  check(std::type_identity<std::uint16_t>{});
  check(std::type_identity<std::int32_t>{});
  check(std::type_identity<std::uint32_t>{});
  check(std::type_identity<std::int64_t>{});
  check(std::type_identity<std::uint64_t>{});
}

TEST_CASE("ScaleBias: numbers near the result", "[scale_bias]") {
  // 4097 * 4097 = 16785409 has 25 bits. In two steps the result is 0; a unit of the product is 2.
  CHECK(identity_may_be(1.0F, 4097.0F, 4097, -16785408) == always);
  CHECK(identity_may_be(0.0F, 4097.0F, 4097, -16785408) == always);
  CHECK(identity_may_be(3.0F, 4097.0F, 4097, -16785408) == always);
  CHECK(identity_may_be(3.25F, 4097.0F, 4097, -16785408) == never);
  CHECK(identity_may_be(-1.25F, 4097.0F, 4097, -16785408) == never);
  // Nothing is rounded.
  CHECK(identity_may_be(12.0F, 1.0F, 2, 10) == always);
  CHECK(identity_may_be(std::nextafter(12.0F, 13.0F), 1.0F, 2, 10) == never);
  CHECK(identity_may_be(0.0F, 1.0F, 1, -1) == always);
  CHECK(identity_may_be(-0.0F, 1.0F, 1, -1) == always);
  CHECK(identity_may_be(tiny, 1.0F, 1, -1) == never);
  // FLOAT64, where x has 53 bits.
  const double x = 0x1.0000000000001p0;
  const double exact = identity(x, 0x1.000002p0F, -1);
  CHECK(identity_may_be(exact, x, 0x1.000002p0F, -1) == always);
  CHECK(identity_may_be(exact + 0x1p-52, x, 0x1.000002p0F, -1) == always);
  CHECK(identity_may_be(exact + 0x1p-51, x, 0x1.000002p0F, -1) == never);
  CHECK(identity_may_be(exact - 0x1p-51, x, 0x1.000002p0F, -1) == never);
}

TEST_CASE("ScaleBias: products that overflow", "[scale_bias]") {
  CHECK(identity_may_be(largest, largest, 2, -largest) == always);
  CHECK(identity_may_be(infinity, largest, 2, -largest) == always);  // the product is rounded
  CHECK(identity_may_be(-infinity, largest, 2, -largest) == never);
  CHECK(identity_may_be(not_a_number, largest, 2, -largest) == never);
  CHECK(identity_may_be(-infinity, largest, 2, -infinity) == always);
  CHECK(identity_may_be(not_a_number, largest, 2, -infinity) == always);
  CHECK(identity_may_be(not_a_number, largest, -2, -infinity) == never);
  CHECK(identity_may_be(not_a_number, 1.0F, 2, -infinity) == never);
  CHECK(identity_may_be(half(10000), half(35000), 2, -60000) == always);
  CHECK(identity_may_be(half(static_cast<double>(infinity)), half(35000), 2, -60000) == by_default);  // on the way
  const element_wise_abs_desc abs{.scale_bias = scale_bias{-2, largest}};
  CHECK(may_be(abs, infinity, largest) == always);
  CHECK(may_be(abs, -infinity, largest) == never);
  const element_wise_clip_desc clip{.scale_bias = scale_bias{2, -infinity}, .min = -4, .max = 4};
  CHECK(may_be(clip, -4.0F, largest) == always);  // of -infinity
  CHECK(may_be(clip, 4.0F, largest) == always);   // of NaN
  CHECK(may_be(clip, not_a_number, largest) == always);
  CHECK(may_be(clip, 1.0F, largest) == never);
  element_wise_clip_desc propagates = clip;
  propagates.nan_policy = nan_policy::propagate;
  CHECK(may_be(propagates, -4.0F, largest) == always);
  CHECK(may_be(propagates, not_a_number, largest) == always);
  CHECK(may_be(propagates, 4.0F, largest) == never);
  const element_wise_clip_desc above{.scale_bias = scale_bias{2, -largest}, .min = -4, .max = infinity};
  CHECK(may_be(above, infinity, largest) == always);
  CHECK(may_be(above, -4.0F, largest) == never);
}

TEST_CASE("ScaleBias: FLOAT16 with rounded attributes, and narrowed toward zero", "[scale_bias]") {
  // 1 + 2^-11 rounds to 1, and 1e-8 to 0.
  CHECK(identity_may_be(half(1025), half(1024), 1.00048828125F, 0.25F) == always);
  CHECK(identity_may_be(half(1024), half(1024), 1.00048828125F, 0.25F) == always);
  CHECK(identity_may_be(half_bits(39), half(250), 1e-8F, 0) == never);  // 2.5e-6 is 41.9 units
  CHECK(identity_may_be(half_bits(40), half(250), 1e-8F, 0) == always);
  CHECK(identity_may_be(half_bits(42), half(250), 1e-8F, 0) == always);
  CHECK(identity_may_be(half_bits(0), half(250), 1e-8F, 0) == always);
  CHECK(identity_may_be(half_bits(20), half(250), 1e-8F, 0) == never);
  CHECK(identity_may_be(half(static_cast<double>(infinity)), half(0.5), 100000, 0) == always);  // infinite Scale
  CHECK(identity_may_be(half(50000), half(0.5), 100000, 0) == always);
  // One or the other for the whole tensor.
  const std::array<float16, 2> x{half(250), half(500)};
  const std::array<const_tensor_ref, 1> inputs{
      const_tensor_ref({.data_type = data_type::float16, .sizes = {2}}, &x, 4)};
  const std::array outputs{tensor_desc{.data_type = data_type::float16, .sizes = {2}}};
  const oracle::golden golden = oracle::expect(element_wise_identity_desc{.scale_bias = scale_bias{1e-8F, 0}},
                                               std::span<const const_tensor_ref>(inputs), outputs);
  const auto agrees = [&](std::uint16_t a, std::uint16_t b) {
    const std::array<std::uint16_t, 2> got{a, b};
    const std::array actual{const_tensor_ref({.data_type = data_type::float16, .sizes = {2}}, &got, 4)};
    return oracle::compare(golden, actual).tolerated();
  };
  CHECK(agrees(42, 84));
  CHECK(agrees(0, 0));
  CHECK_FALSE(agrees(42, 0));
  // -65520 is rounded to an infinity, and may be stored as -65504.
  CHECK(identity_may_be(half(-static_cast<double>(infinity)), half(-65504), 1, -16) == always);
  CHECK(identity_may_be(half(-65504), half(-65504), 1, -16) == always);
  CHECK(identity_may_be(half(-65408), half(-65504), 1, -16) == never);
  const oracle::judgement cut =
      judged(element_wise_identity_desc{.scale_bias = scale_bias{2, 1}}, half(65504), half(60000));
  CHECK(cut.tolerated());
  CHECK(cut.result.toward_zero() == 1);
}

TEST_CASE("ScaleBias: CLIP of a product that overflows gives a bound", "[scale_bias]") {
  // Less Bias, largest * (1 + 2^-10) is 2^118; rounded before, an infinity.
  const element_wise_clip_desc above{.scale_bias = scale_bias{0x1.004p0F, -largest}, .min = 0, .max = 0x1p120F};
  CHECK(may_be(above, 0x1.fffffep117F, largest) == always);
  CHECK(may_be(above, 0x1p120F, largest) == always);
  for (const float y : {0x1p119F, 0.0F, infinity, not_a_number}) CHECK(may_be(above, y, largest) == never);
  const element_wise_clip_desc below{.scale_bias = scale_bias{-0x1.004p0F, largest}, .min = -0x1p120F, .max = 0};
  CHECK(may_be(below, -0x1.fffffep117F, largest) == always);
  CHECK(may_be(below, -0x1p120F, largest) == always);
  for (const float y : {-0x1p119F, 0.0F, -infinity, not_a_number}) CHECK(may_be(below, y, largest) == never);
}

TEST_CASE("ScaleBias: CLIP leaves the greatest FLOAT16 to rounding toward zero", "[scale_bias]") {
  // 120001, which toward zero is 65504.
  const element_wise_clip_desc above{.scale_bias = scale_bias{2, 1}, .min = 0, .max = infinity};
  CHECK(judged(above, half(static_cast<double>(infinity)), half(60000)).result.toward_zero() == 0);
  CHECK(judged(above, half(65504), half(60000)).tolerated());
  CHECK(judged(above, half(65504), half(60000)).result.toward_zero() == 1);
  CHECK_FALSE(judged(above, half(65472), half(60000)).tolerated());
  const element_wise_clip_desc below{.scale_bias = scale_bias{-2, -1}, .min = -infinity, .max = 0};
  CHECK(judged(below, half(-static_cast<double>(infinity)), half(60000)).result.toward_zero() == 0);
  CHECK(judged(below, half(-65504), half(60000)).tolerated());
  CHECK(judged(below, half(-65504), half(60000)).result.toward_zero() == 1);
  CHECK_FALSE(judged(below, half(-65472), half(60000)).tolerated());
}

TEST_CASE("ScaleBias: CEIL and FLOOR give integers", "[scale_bias]") {
  const element_wise_ceil_desc ceil{.scale_bias = scale_bias{4097, -16785408}};  // from -1 to 3
  CHECK(may_be(ceil, -1.0F, 4097.0F) == always);
  CHECK(may_be(ceil, 2.0F, 4097.0F) == always);
  CHECK(may_be(ceil, 3.0F, 4097.0F) == always);
  CHECK(may_be(ceil, 0.5F, 4097.0F) == never);
  CHECK(may_be(ceil, 4.0F, 4097.0F) == never);
  const element_wise_floor_desc floor{.scale_bias = scale_bias{0.5F, 0}};
  CHECK(may_be(floor, 1.0F, 3.0F) == always);
  CHECK(may_be(floor, 2.0F, 3.0F) == never);
  const element_wise_floor_desc third{.scale_bias = scale_bias{1.0F / 3, 0}};
  CHECK(may_be(third, 1.0F, 3.0F) == always);
  CHECK(may_be(third, 0.0F, 3.0F) == always);
  CHECK(may_be(third, 2.0F, 3.0F) == never);
}

TEST_CASE("ScaleBias: ABS and CLIP of what is near the result", "[scale_bias]") {
  const element_wise_abs_desc abs{.scale_bias = scale_bias{4097, -16785408}};
  CHECK(may_be(abs, 0.0F, 4097.0F) == always);
  CHECK(may_be(abs, 0.5F, 4097.0F) == always);
  CHECK(may_be(abs, 3.0F, 4097.0F) == always);
  CHECK(may_be(abs, -1.0F, 4097.0F) == never);
  CHECK(may_be(abs, 3.5F, 4097.0F) == never);
  element_wise_clip_desc clip{.scale_bias = scale_bias{4097, -16785408}, .min = 0.5F, .max = 2};
  for (const float y : {0.5F, 1.0F, 1.75F, 2.0F}) CHECK(may_be(clip, y, 4097.0F) == always);
  for (const float y : {0.25F, 3.0F, not_a_number}) CHECK(may_be(clip, y, 4097.0F) == never);
  clip.min = 9;  // above Max
  CHECK(may_be(clip, 2.0F, 4097.0F) == always);
  CHECK(may_be(clip, 9.0F, 4097.0F) == always);
  CHECK(may_be(clip, 5.0F, 4097.0F) == never);
  element_wise_clip_desc nan_bound{.scale_bias = scale_bias{2, 1}, .min = not_a_number, .max = 4};
  CHECK(may_be(nan_bound, -5.0F, -3.0F) == always);
  CHECK(may_be(nan_bound, not_a_number, -3.0F) == always);
  CHECK(may_be(nan_bound, 4.0F, -3.0F) == never);
  nan_bound.nan_policy = nan_policy::propagate;
  CHECK(may_be(nan_bound, not_a_number, -3.0F) == always);
  CHECK(may_be(nan_bound, -5.0F, -3.0F) == never);
  nan_bound = {.scale_bias = scale_bias{2, 1}, .min = -4, .max = not_a_number, .nan_policy = nan_policy::propagate};
  CHECK(may_be(nan_bound, not_a_number, -3.0F) == always);
  CHECK(may_be(nan_bound, -4.0F, -3.0F) == never);
  // Both bounds are 2048, or toward zero 2048 and 2047, which are inverted.
  const element_wise_clip_desc cut{.scale_bias = scale_bias{1, 0}, .min = 2048.25F, .max = 2047.75F};
  for (const double y : {2048, 2047}) CHECK(may_be(cut, half(y), half(5)) == always);
  for (const double y : {2046, 2050, 5}) CHECK(may_be(cut, half(y), half(5)) == never);
  // In units of 2^-10 above 1: the product is 2.75, a device may have 1 to 4 of it. Min, 1.75, is 2, or toward zero 1.
  const element_wise_clip_desc cut_below{
      .scale_bias = scale_bias{1 + 2.75F * 0x1p-10F, 0}, .min = 1 + 1.75F * 0x1p-10F, .max = 4};
  for (const std::uint16_t y : std::vector<std::uint16_t>{0x3C01, 0x3C02, 0x3C03, 0x3C04})
    CHECK(may_be(cut_below, half_bits(y), half(1)) == always);
  for (const std::uint16_t y : std::vector<std::uint16_t>{0x3C00, 0x3C05})
    CHECK(may_be(cut_below, half_bits(y), half(1)) == never);
}

TEST_CASE("ScaleBias: flushed subnormals", "[scale_bias]") {
  CHECK(identity_may_be(0.0F, tiny, 1, 0) == by_default);
  CHECK(identity_may_be(-0.0F, tiny, 1, 0) == by_default);
  CHECK(identity_may_be(tiny, tiny, 1, 0) == always);
  CHECK(identity_may_be(3.0F, 0x1p-127F, 0x1p127F, 3) == by_default);  // x is a zero: without it, 4
  CHECK(identity_may_be(4.0F, 0x1p-127F, 0x1p127F, 3) == always);
  CHECK(identity_may_be(3.5F, 0x1p-127F, 0x1p127F, 3) == never);
  CHECK(identity_may_be(3.0F, 0x1p127F, 0x1p-127F, 3) == by_default);  // Scale is
  CHECK(identity_may_be(not_a_number, tiny, infinity, 3) == by_default);
  CHECK(identity_may_be(infinity, tiny, infinity, 3) == always);
  CHECK(identity_may_be(0.0F, 0x1p-80F, 0x1p-60F, 0) == by_default);       // the product is
  CHECK(identity_may_be(0.0F, 0x1.8p-126F, 1, -0x1p-126F) == by_default);  // only the result is
  CHECK(identity_may_be(0x1p-127F, 0x1.8p-126F, 1, -0x1p-126F) == always);
  CHECK(identity_may_be(0x1p-123F, 0x1.8p-126F, 1, -0x1p-126F) == never);
  const element_wise_ceil_desc ceil{.scale_bias = scale_bias{1, 0}};
  CHECK(may_be(ceil, 1.0F, tiny) == always);
  CHECK(may_be(ceil, 0.0F, tiny) == by_default);
  CHECK(may_be(element_wise_abs_desc{.scale_bias = scale_bias{1, 0}}, 0.0F, -tiny) == by_default);
  const element_wise_clip_desc clip{.scale_bias = scale_bias{1, 0}, .min = tiny, .max = 1};
  CHECK(may_be(clip, tiny, -5.0F) == always);
  CHECK(may_be(clip, 0.0F, -5.0F) == by_default);
  CHECK(may_be(clip, -5.0F, -5.0F) == never);
  CHECK(identity_may_be(not_a_number, infinity, tiny, 3) == by_default);  // Scale is a zero
  CHECK(identity_may_be(4.0F, infinity, tiny, 3) == never);
  CHECK(identity_may_be(3.0F, infinity, tiny, 3) == never);  // 0 * inf is not 0
  CHECK(identity_may_be(3.0F, not_a_number, tiny, 3) == never);
  CHECK(identity_may_be(3.0F, tiny, infinity, 3) == never);
  // CLIP of that NaN: either bound, or NaN.
  element_wise_clip_desc of_nan{.scale_bias = scale_bias{infinity, 3}, .min = -4, .max = 4};
  CHECK(may_be(of_nan, 4.0F, tiny) == always);
  for (const float y : {-4.0F, not_a_number}) CHECK(may_be(of_nan, y, tiny) == by_default);
  CHECK(may_be(of_nan, 1.0F, tiny) == never);
  of_nan.nan_policy = nan_policy::propagate;
  CHECK(may_be(of_nan, not_a_number, tiny) == by_default);
  CHECK(may_be(of_nan, -4.0F, tiny) == never);
  // A bound that is NaN.
  element_wise_clip_desc unbounded{.scale_bias = scale_bias{1, 0}, .min = not_a_number, .max = 1};
  for (const float y : {tiny, not_a_number}) CHECK(may_be(unbounded, y, tiny) == always);
  CHECK(may_be(unbounded, 0.0F, tiny) == by_default);
  CHECK(may_be(unbounded, 1.0F, tiny) == never);
  unbounded.nan_policy = nan_policy::propagate;
  CHECK(may_be(unbounded, not_a_number, tiny) == always);
  CHECK(may_be(unbounded, 0.0F, tiny) == never);
  unbounded = {.scale_bias = scale_bias{1, 0}, .min = -1, .max = not_a_number};
  CHECK(may_be(unbounded, 0.0F, tiny) == by_default);
  CHECK(may_be(unbounded, -1.0F, tiny) == never);
  // FLOAT16 subnormals are kept.
  CHECK(identity_may_be(half(0), half_bits(1), 1, 0) == never);
}
