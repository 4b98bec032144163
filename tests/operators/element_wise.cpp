// The element-wise operators: results, by tables written down from their pages and the ledger (L20 to L28).
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <goldml/operators/element_wise.hpp>
#include <goldml/reference/element_wise.hpp>

#include "../catch.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using layouts::bits;
using layouts::from_bits;
using patterns = std::vector<std::uint64_t>;

template <class T>
tensor<T> line(const std::vector<T>& elements) {
  return tensor<T>({elements.size()}, elements);
}
template <class T>
std::vector<T> from_patterns(const patterns& all) {
  std::vector<T> result;
  for (const std::uint64_t each : all) result.push_back(from_bits<T>(each));
  return result;
}

// The results as bits, so that -0 and +0, and the bits of NaNs, differ.
template <class T, class F, class... Desc>
patterns unary(const F& f, const std::vector<T>& x, const Desc&... desc) {
  return bits(f(reference, line(x), desc...).elements());
}
template <class T, class F, class... Desc>
patterns binary(const F& f, const std::vector<T>& a, const std::vector<T>& b, const Desc&... desc) {
  return bits(f(reference, line(a), line(b), desc...).elements());
}

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float tiny = std::numeric_limits<float>::denorm_min();
// Bits of FLOAT32.
constexpr std::uint64_t plus_zero = 0, minus_zero = 0x8000'0000, one = 0x3F80'0000, minus_one = 0xBF80'0000,
                        plus_infinity = 0x7F80'0000, minus_infinity = 0xFF80'0000, quiet = 0x7FC0'0000,
                        payload = 0xFFC1'2345, signalling = 0x7F81'2345;

std::vector<float> floats(const patterns& all) { return from_patterns<float>(all); }
std::vector<float16> halves(const std::vector<float>& x) {
  std::vector<float16> result;
  for (const float each : x) result.push_back(static_cast<float16>(each));
  return result;
}

using every_integer = type_list<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                                std::uint32_t, std::uint64_t>;
using every_signed = type_list<std::int8_t, std::int16_t, std::int32_t, std::int64_t>;
using truth_types = type_list<std::uint8_t, std::uint32_t>;
using every_unsigned = type_list<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;

}  // namespace

TEST_CASE("ELEMENT_WISE_IDENTITY copies bits of every type", "[element_wise]") {
  const patterns all{plus_zero, minus_zero, 1, 0x8000'0001, quiet, payload, signalling, plus_infinity, one};
  CHECK(unary(element_wise_identity, floats(all)) == all);
  CHECK(unary(element_wise_identity, from_patterns<float16>({0x7C01, 0xFE12, 0x8000, 1})) ==
        patterns{0x7C01, 0xFE12, 0x8000, 1});
  CHECK(unary(element_wise_identity, from_patterns<double>({0x7FF0'0000'0000'0001, 1})) ==
        patterns{0x7FF0'0000'0000'0001, 1});
  CHECK(unary(element_wise_identity, from_patterns<std::int64_t>({0x8000'0000'0000'0001})) ==
        patterns{0x8000'0000'0000'0001});
}

TEST_CASE("ELEMENT_WISE_ABS and NEGATE of floats change the sign bit only", "[element_wise]") {
  const patterns all{plus_zero, minus_zero, 1, 0x8000'0001, one, minus_one, plus_infinity, minus_infinity, payload};
  CHECK(unary(element_wise_abs, floats(all)) ==
        patterns{0, 0, 1, 1, one, one, plus_infinity, plus_infinity, 0x7FC1'2345});
  CHECK(unary(element_wise_negate, floats(all)) ==
        patterns{minus_zero, 0, 0x8000'0001, 1, minus_one, one, minus_infinity, plus_infinity, 0x7FC1'2345});
  CHECK(unary(element_wise_abs, from_patterns<float16>({0x8000, 0xFC00, 0xFE01})) == patterns{0, 0x7C00, 0x7E01});
  CHECK(unary(element_wise_negate, from_patterns<float16>({0x8000, 0xFC00, 0x3C00})) == patterns{0, 0x7C00, 0xBC00});
}

TEMPLATE_LIST_TEST_CASE("ELEMENT_WISE_ABS and NEGATE of integers wrap", "[element_wise]", every_signed) {
  using limits = std::numeric_limits<TestType>;
  const std::vector<TestType> x{limits::min(), TestType(limits::min() + 1), -1, 0, 1, limits::max()};
  CHECK(element_wise_abs(reference, line(x)).elements() ==
        std::vector<TestType>{limits::min(), limits::max(), 1, 0, 1, limits::max()});
  CHECK(element_wise_negate(reference, line(x)).elements() ==
        std::vector<TestType>{limits::min(), limits::max(), 1, 0, -1, TestType(limits::min() + 1)});
}

TEST_CASE("ELEMENT_WISE_SIGN", "[element_wise]") {
  const std::vector<float> x{0.0f, -0.0f, tiny, -tiny, 2.5f, -2.5f, infinity, -infinity};
  CHECK(unary(element_wise_sign, x) == patterns{0, 0, one, minus_one, one, minus_one, one, minus_one});
  CHECK(unary(element_wise_sign, floats({quiet, payload})) == patterns{0, 0});
  CHECK(unary(element_wise_sign, floats({quiet, payload, minus_one}),
              element_wise_sign_desc{.nan_policy = nan_policy::propagate}) == patterns{quiet, payload, minus_one});
  CHECK(unary(element_wise_sign, halves({-3.0f, 0.0f, 0.25f})) == patterns{0xBC00, 0, 0x3C00});
  CHECK(unary(element_wise_sign, from_patterns<std::uint32_t>({0, 1, 0xFFFF'FFFF})) == patterns{0, 1, 1});
  CHECK(element_wise_sign(reference, line(std::vector<std::int8_t>{-128, -1, 0, 1, 127})).elements() ==
        std::vector<std::int8_t>{-1, -1, 0, 1, 1});
  CHECK(element_wise_sign(reference, line(std::vector<std::int64_t>{std::int64_t{-1} << 40, std::int64_t{1} << 40}))
            .elements() == std::vector<std::int64_t>{-1, 1});
}

TEST_CASE("ELEMENT_WISE_IS_NAN and IS_INFINITY decide on bits", "[element_wise]") {
  const patterns all{quiet, payload, signalling, plus_infinity, minus_infinity, 1, 0, 0x7F7F'FFFF};
  CHECK(unary(element_wise_is_nan, floats(all)) == patterns{1, 1, 1, 0, 0, 0, 0, 0});
  CHECK(unary(element_wise_is_infinity, floats(all)) == patterns{0, 0, 0, 1, 1, 0, 0, 0});
  using desc = element_wise_is_infinity_desc;
  CHECK(unary(element_wise_is_infinity, floats(all), desc{.infinity_mode = is_infinity_mode::positive}) ==
        patterns{0, 0, 0, 1, 0, 0, 0, 0});
  CHECK(unary(element_wise_is_infinity, floats(all), desc{.infinity_mode = is_infinity_mode::negative}) ==
        patterns{0, 0, 0, 0, 1, 0, 0, 0});
  const auto f16 = from_patterns<float16>({0x7C00, 0xFC00, 0x7C01, 0xFFFF, 0x7BFF});
  CHECK(unary(element_wise_is_nan, f16) == patterns{0, 0, 1, 1, 0});
  CHECK(unary(element_wise_is_infinity, f16) == patterns{1, 1, 0, 0, 0});
  tensor<std::uint32_t> wide({2}, {7, 7});  // an output of UINT32
  element_wise_is_nan(reference, line(std::vector<float>{not_a_number, 0}), wide);
  CHECK(wide.elements() == std::vector<std::uint32_t>{1, 0});
}

TEST_CASE("ELEMENT_WISE_CEIL and FLOOR", "[element_wise]") {
  struct row {
    float x, ceil, floor;
  };
  const std::array<row, 19> table{{{0.0f, 0.0f, 0.0f},
                                   {-0.0f, -0.0f, -0.0f},
                                   {tiny, 1, 0.0f},
                                   {-tiny, -0.0f, -1},
                                   {0.5f, 1, 0.0f},
                                   {-0.5f, -0.0f, -1},
                                   {0.99999994f, 1, 0.0f},
                                   {-0.99999994f, -0.0f, -1},
                                   {1, 1, 1},
                                   {-1, -1, -1},
                                   {1.5f, 2, 1},
                                   {-1.5f, -1, -2},
                                   {2.0000002f, 3, 2},
                                   {8388607.5f, 8388608, 8388607},
                                   {-8388607.5f, -8388607, -8388608},
                                   {8388609, 8388609, 8388609},
                                   {3.0e38f, 3.0e38f, 3.0e38f},
                                   {infinity, infinity, infinity},
                                   {-infinity, -infinity, -infinity}}};
  for (const row& r : table) {
    INFO(r.x);
    CHECK(unary(element_wise_ceil, std::vector{r.x}) == patterns{bits(r.ceil)});
    CHECK(unary(element_wise_floor, std::vector{r.x}) == patterns{bits(r.floor)});
  }
  CHECK(unary(element_wise_ceil, floats({payload, signalling})) == patterns{payload, signalling});
  CHECK(unary(element_wise_floor, floats({payload, signalling})) == patterns{payload, signalling});
}

TEST_CASE("ELEMENT_WISE_CEIL, FLOOR and ROUND of FLOAT16", "[element_wise]") {
  // 2^-24, the least subnormal; 0x03FF, the greatest; 0.4998; 0.5; 1023.5; 1024; 65504; infinity; NaN.
  const auto x = from_patterns<float16>({1, 0x03FF, 0x37FF, 0x3800, 0x63FF, 0x6400, 0x7BFF, 0x7C00, 0x7E01});
  const std::uint64_t h1 = 0x3C00;
  CHECK(unary(element_wise_ceil, x) == patterns{h1, h1, h1, h1, 0x6400, 0x6400, 0x7BFF, 0x7C00, 0x7E01});
  CHECK(unary(element_wise_floor, x) == patterns{0, 0, 0, 0, 0x63FE, 0x6400, 0x7BFF, 0x7C00, 0x7E01});
  CHECK(unary(element_wise_round, x) == patterns{0, 0, 0, 0, 0x6400, 0x6400, 0x7BFF, 0x7C00, 0x7E01});
  const element_wise_round_desc away{.rounding_mode = rounding_mode::toward_infinity};
  CHECK(unary(element_wise_round, x, away) == patterns{0, 0, 0, h1, 0x6400, 0x6400, 0x7BFF, 0x7C00, 0x7E01});
}

TEST_CASE("ELEMENT_WISE_ROUND: the table of DML_ROUNDING_MODE", "[element_wise]") {
  const std::vector<float> x{-2.5f, -1.75f, -1.5f, -1.25f, 0, 1.25f, 1.5f, 1.75f, 2.5f};
  const auto rounded = [&](rounding_mode mode) {
    return element_wise_round(reference, line(x), {.rounding_mode = mode}).elements();
  };
  CHECK(rounded(rounding_mode::halves_to_nearest_even) == std::vector<float>{-2, -2, -2, -1, 0, 1, 2, 2, 2});
  CHECK(rounded(rounding_mode::toward_zero) == std::vector<float>{-2, -1, -1, -1, 0, 1, 1, 1, 2});
  CHECK(rounded(rounding_mode::toward_infinity) == std::vector<float>{-3, -2, -2, -1, 0, 1, 2, 2, 3});
}

TEST_CASE("ELEMENT_WISE_ROUND: numbers that a careless formula gets wrong", "[element_wise]") {
  const std::vector<float> x{0.49999997f, -0.49999997f, 8388609, -8388609, 0.5f,  -0.5f,
                             4194304.5f,  4194305.5f,   tiny,    -tiny,    -0.0f, infinity};
  const auto rounded = [&](rounding_mode mode) {
    return unary(element_wise_round, x, element_wise_round_desc{.rounding_mode = mode});
  };
  CHECK(rounded(rounding_mode::halves_to_nearest_even) ==
        bits(std::vector<float>{0, -0.0f, 8388609, -8388609, 0, -0.0f, 4194304, 4194306, 0, -0.0f, -0.0f, infinity}));
  CHECK(rounded(rounding_mode::toward_zero) ==
        bits(std::vector<float>{0, -0.0f, 8388609, -8388609, 0, -0.0f, 4194304, 4194305, 0, -0.0f, -0.0f, infinity}));
  CHECK(rounded(rounding_mode::toward_infinity) ==
        bits(std::vector<float>{0, -0.0f, 8388609, -8388609, 1, -1, 4194305, 4194306, 0, -0.0f, -0.0f, infinity}));
}

TEST_CASE("ELEMENT_WISE_MIN and MAX: NaN, signed zeros, subnormals, infinities", "[element_wise]") {
  struct row {
    std::uint64_t a, b, min, max;  // bits
  };
  const std::array<row, 12> table{{{one, minus_one, minus_one, one},
                                   {minus_zero, plus_zero, minus_zero, plus_zero},
                                   {plus_zero, minus_zero, minus_zero, plus_zero},
                                   {minus_zero, minus_zero, minus_zero, minus_zero},
                                   {1, plus_zero, plus_zero, 1},
                                   {0x8000'0001, minus_zero, 0x8000'0001, minus_zero},
                                   {plus_infinity, minus_infinity, minus_infinity, plus_infinity},
                                   {quiet, one, one, one},
                                   {one, payload, one, one},
                                   {signalling, plus_infinity, plus_infinity, plus_infinity},
                                   {minus_infinity, quiet, minus_infinity, minus_infinity},
                                   {quiet, minus_zero, minus_zero, minus_zero}}};
  for (const row& r : table) {
    INFO(r.a << " " << r.b);
    CHECK(binary(element_wise_min, floats({r.a}), floats({r.b})) == patterns{r.min});
    CHECK(binary(element_wise_max, floats({r.a}), floats({r.b})) == patterns{r.max});
  }
  const auto is_nan_of = [](const patterns& p) { return is_nan(from_bits<float>(p[0])); };
  CHECK(is_nan_of(binary(element_wise_min, floats({quiet}), floats({payload}))));
  CHECK(is_nan_of(binary(element_wise_max, floats({quiet}), floats({payload}))));
  for (const auto& [a, b] : {std::array{quiet, one}, std::array{one, quiet}, std::array{quiet, payload}}) {
    CHECK(is_nan_of(binary(element_wise_min, floats({a}), floats({b}),
                           element_wise_min_desc{.nan_policy = nan_policy::propagate})));
    CHECK(is_nan_of(binary(element_wise_max, floats({a}), floats({b}),
                           element_wise_max_desc{.nan_policy = nan_policy::propagate})));
  }
  CHECK(binary(element_wise_min, halves({1, -0.0f}), halves({-2, 0})) == patterns{0xC000, 0x8000});
}

TEMPLATE_LIST_TEST_CASE("ELEMENT_WISE_MIN and MAX of integers", "[element_wise]", every_integer) {
  using limits = std::numeric_limits<TestType>;
  const auto a = line<TestType>({limits::min(), 1, limits::max(), 7});
  const auto b = line<TestType>({limits::max(), 2, limits::min(), 7});
  CHECK(element_wise_min(reference, a, b).elements() == std::vector<TestType>{limits::min(), 1, limits::min(), 7});
  CHECK(element_wise_max(reference, a, b).elements() == std::vector<TestType>{limits::max(), 2, limits::max(), 7});
}

TEST_CASE("ELEMENT_WISE_CLIP: the example of DxDispatch, in place", "[element_wise]") {
  std::vector<float> x{-4, -3, -2, -1, 0, 1, 2, 3, 4};
  element_wise_clip(reference, x, x, {.min = -2.5f, .max = 2.5f});
  CHECK(x == std::vector<float>{-2.5f, -2.5f, -2, -1, 0, 1, 2, 2.5f, 2.5f});
}

TEST_CASE("ELEMENT_WISE_CLIP and CLIP1: NaN, inverted ranges, zeros", "[element_wise]") {
  struct row {
    float x, min, max, clip, clip1;
  };
  const std::array<row, 17> table{{{5, 1, 3, 3, 3},
                                   {0, 1, 3, 1, 1},
                                   {2, 1, 3, 2, 2},
                                   {2, 3, 3, 3, 3},
                                   {5, 3, 1, 1, 3},  // inverted: Max, Min
                                   {0, 3, 1, 1, 3},
                                   {2, 3, 1, 1, 3},
                                   {not_a_number, 1, 3, 1, 3},
                                   {not_a_number, 3, 1, 1, 3},
                                   {-infinity, not_a_number, 3, -infinity, -infinity},
                                   {5, not_a_number, 3, 3, 3},
                                   {5, 1, not_a_number, 5, 5},
                                   {0, 1, not_a_number, 1, 1},
                                   {-7, not_a_number, not_a_number, -7, -7},
                                   {-0.0f, 0.0f, 1, 0.0f, 0.0f},
                                   {0.0f, -1, -0.0f, -0.0f, -0.0f},
                                   {infinity, -infinity, infinity, infinity, infinity}}};
  for (const row& r : table) {
    INFO(r.x << " in " << r.min << ".." << r.max);
    const element_wise_clip_desc clip{.min = r.min, .max = r.max};
    const element_wise_clip1_desc clip1{.min = r.min, .max = r.max};
    CHECK(unary(element_wise_clip, std::vector{r.x}, clip) == patterns{bits(r.clip)});
    CHECK(unary(element_wise_clip1, std::vector{r.x}, clip1) == patterns{bits(r.clip1)});
  }
  const auto propagated = [](float x, float min, float max) {
    const auto policy = nan_policy::propagate;
    const auto clip =
        element_wise_clip(reference, line(std::vector{x}), {.min = min, .max = max, .nan_policy = policy});
    const auto clip1 =
        element_wise_clip1(reference, line(std::vector{x}), {.min = min, .max = max, .nan_policy = policy});
    return is_nan(clip.elements()[0]) && is_nan(clip1.elements()[0]);
  };
  CHECK(propagated(not_a_number, 1, 3));
  CHECK(propagated(2, not_a_number, 3));
  CHECK(propagated(2, 1, not_a_number));
  CHECK_FALSE(propagated(2, 1, 3));
  CHECK(unary(element_wise_clip, std::vector<float>{-1.0e30f, infinity}) ==
        bits(std::vector<float>{-1.0e30f, infinity}));  // no bounds
}

TEST_CASE("ELEMENT_WISE_CLIP: bounds are converted once to the data type", "[element_wise]") {
  const auto clipped = []<class T>(std::vector<T> x, float min, float max) {
    return element_wise_clip(reference, line(x), {.min = min, .max = max}).elements();
  };
  using i32 = std::vector<std::int32_t>;
  constexpr auto least = std::numeric_limits<std::int32_t>::min(), most = std::numeric_limits<std::int32_t>::max();
  constexpr float greatest = std::numeric_limits<float>::max();
  CHECK(clipped(i32{least, 0, most}, -greatest, greatest) == i32{least, 0, most});
  CHECK(clipped(i32{-9, 9}, -2.9f, 2.9f) == i32{-2, 2});
  CHECK(clipped(i32{-9, 9}, not_a_number, infinity) == i32{0, 9});  // NaN is 0
  CHECK(clipped(std::vector<std::uint8_t>{0, 9, 255}, -5, 1000) == std::vector<std::uint8_t>{0, 9, 255});
  CHECK(clipped(std::vector<std::uint64_t>{0, 9}, 0, 18446744073709551616.0f) == std::vector<std::uint64_t>{0, 9});
  CHECK(clipped(std::vector<std::int64_t>{-9, 9}, -infinity, -1) == std::vector<std::int64_t>{-9, -1});
  CHECK(bits(clipped(halves({5000}), 0, 2049)) == patterns{0x6800});  // 2049 is halfway: 2048
  CHECK(bits(clipped(halves({60000}), 65520, 70000)) == patterns{0x7C00});
}

TEMPLATE_LIST_TEST_CASE("ELEMENT_WISE_CLIP1: bounds are used as they are", "[element_wise]", every_integer) {
  using limits = std::numeric_limits<TestType>;
  const auto x = line<TestType>({limits::min(), 3, 5, limits::max()});
  CHECK(element_wise_clip1(reference, x, {.min = TestType(4), .max = TestType(limits::max() - 1)}).elements() ==
        std::vector<TestType>{4, 4, 5, TestType(limits::max() - 1)});
  CHECK(element_wise_clip1(reference, x).elements() == std::vector<TestType>{0, 0, 0, 0});  // both omitted: zero
}

TEST_CASE("ELEMENT_WISE_IF: any byte that is not 0 is true; bits are copied", "[element_wise]") {
  const tensor<std::uint8_t> condition({2, 2}, {1, 0, 1, 1});
  CHECK(element_wise_if(reference, condition, tensor<float>({2, 2}, {1, 2, 3, 4}),
                        tensor<float>({2, 2}, {9, 8, 7, 6})) == tensor<float>({2, 2}, {1, 8, 3, 4}));
  const tensor<std::uint8_t> bytes({4}, {2, 255, 0, 128});
  const auto a = line(floats({quiet, signalling, payload, minus_zero}));
  const auto b = line(floats({one, one, signalling, one}));
  CHECK(bits(element_wise_if(reference, bytes, a, b).elements()) ==
        patterns{quiet, signalling, signalling, minus_zero});
}

TEMPLATE_LIST_TEST_CASE("ELEMENT_WISE_LOGICAL_AND, OR, XOR, NOT: not bit by bit", "[element_wise]", truth_types) {
  const auto a = line<TestType>({0, 0, 2, 2, 200});
  const auto b = line<TestType>({0, 5, 0, 5, 200});
  using result = std::vector<TestType>;
  CHECK(element_wise_logical_and(reference, a, b).elements() == result{0, 0, 0, 1, 1});
  CHECK(element_wise_logical_or(reference, a, b).elements() == result{0, 1, 1, 1, 1});
  CHECK(element_wise_logical_xor(reference, a, b).elements() == result{0, 1, 1, 0, 0});
  CHECK(element_wise_logical_not(reference, a).elements() == result{1, 1, 0, 0, 0});
}

TEST_CASE("ELEMENT_WISE_LOGICAL comparisons of floats", "[element_wise]") {
  const std::vector<float> a{1, 2, 2, -0.0f, not_a_number, 1, not_a_number, infinity, tiny, -tiny};
  const std::vector<float> b{2, 1, 2, 0.0f, 1, not_a_number, not_a_number, infinity, 0, 0};
  CHECK(binary(element_wise_logical_equals, a, b) == patterns{0, 0, 1, 1, 0, 0, 0, 1, 0, 0});
  CHECK(binary(element_wise_logical_less_than, a, b) == patterns{1, 0, 0, 0, 0, 0, 0, 0, 0, 1});
  CHECK(binary(element_wise_logical_greater_than, a, b) == patterns{0, 1, 0, 0, 0, 0, 0, 0, 1, 0});
  CHECK(binary(element_wise_logical_less_than_or_equal, a, b) == patterns{1, 0, 1, 1, 0, 0, 0, 1, 0, 1});
  CHECK(binary(element_wise_logical_greater_than_or_equal, a, b) == patterns{0, 1, 1, 1, 0, 0, 0, 1, 1, 0});
}

TEMPLATE_LIST_TEST_CASE("ELEMENT_WISE_LOGICAL comparisons of integers, in their own type", "[element_wise]",
                        every_integer) {
  using limits = std::numeric_limits<TestType>;
  const std::vector<TestType> a{limits::min(), limits::max(), limits::max(), 3, TestType(-1)};
  const std::vector<TestType> b{limits::max(), limits::min(), TestType(limits::max() - 1), 3, 1};
  const std::uint64_t below = std::is_signed_v<TestType> ? 1 : 0;  // -1 < 1; as an unsigned number it is the greatest
  CHECK(binary(element_wise_logical_equals, a, b) == patterns{0, 0, 0, 1, 0});
  CHECK(binary(element_wise_logical_less_than, a, b) == patterns{1, 0, 0, 0, below});
  CHECK(binary(element_wise_logical_greater_than, a, b) == patterns{0, 1, 1, 0, 1 - below});
  CHECK(binary(element_wise_logical_less_than_or_equal, a, b) == patterns{1, 0, 0, 1, below});
  CHECK(binary(element_wise_logical_greater_than_or_equal, a, b) == patterns{0, 1, 1, 1, 1 - below});
  tensor<std::uint32_t> wide({5});
  element_wise_logical_equals(reference, line(a), line(b), wide);
  CHECK(wide.elements() == std::vector<std::uint32_t>{0, 0, 0, 1, 0});
}

TEST_CASE("ELEMENT_WISE_LOGICAL_EQUALS: 64-bit integers beyond 2^53", "[element_wise]") {
  const std::vector<std::int64_t> a{9007199254740992}, b{9007199254740993};
  CHECK(binary(element_wise_logical_equals, a, b) == patterns{0});
  CHECK(binary(element_wise_logical_less_than, a, b) == patterns{1});
}

TEST_CASE("ELEMENT_WISE_BIT: the pages' examples", "[element_wise]") {
  CHECK(element_wise_bit_not(reference, tensor<std::uint8_t>({2, 2}, {0, 128, 42, 255})) ==
        tensor<std::uint8_t>({2, 2}, {255, 127, 213, 0}));
  CHECK(element_wise_bit_xor(reference, tensor<std::uint8_t>({2, 2}, {0, 128, 42, 255}),
                             tensor<std::uint8_t>({2, 2}, {255, 255, 255, 255})) ==
        tensor<std::uint8_t>({2, 2}, {255, 127, 213, 0}));
  CHECK(element_wise_bit_count(reference, tensor<std::uint32_t>({2, 2}, {0, 123, 456, 789})) ==
        tensor<std::uint8_t>({2, 2}, {0, 6, 4, 5}));
}

TEST_CASE("ELEMENT_WISE_BIT: floats by their bits", "[element_wise]") {
  CHECK(unary(element_wise_bit_not, floats({plus_zero, signalling})) == patterns{0xFFFF'FFFF, 0x807E'DCBA});
  CHECK(unary(element_wise_bit_count, floats({minus_one})) == patterns{8});
  CHECK(binary(element_wise_bit_and, floats({payload}), floats({signalling})) == patterns{0x7F81'2345});
  CHECK(binary(element_wise_bit_or, floats({plus_infinity}), floats({1})) == patterns{0x7F80'0001});
  CHECK(binary(element_wise_bit_xor, floats({plus_infinity}), floats({quiet})) == patterns{0x0040'0000});
  CHECK(unary(element_wise_bit_not, from_patterns<float16>({0x3C00})) == patterns{0xC3FF});
  CHECK(unary(element_wise_bit_not, from_patterns<double>({0x7FF0'0000'0000'0001})) == patterns{0x800F'FFFF'FFFF'FFFE});
  CHECK(unary(element_wise_bit_count, from_patterns<std::int64_t>({0xFFFF'FFFF'FFFF'FFFF, 0x8000'0000'0000'0001})) ==
        patterns{64, 2});
  tensor<std::uint32_t> wide({1});
  element_wise_bit_count(reference, line(std::vector<std::int8_t>{-1}), wide);
  CHECK(wide.elements() == std::vector<std::uint32_t>{8});
}

TEMPLATE_LIST_TEST_CASE("ELEMENT_WISE_BIT_SHIFT: logical; a count of the width or more gives 0", "[element_wise]",
                        every_unsigned) {
  constexpr TestType width = 8 * sizeof(TestType);
  constexpr TestType most = std::numeric_limits<TestType>::max();
  constexpr TestType top = TestType(TestType(1) << (width - 1));
  const std::vector<TestType> x{1, most, TestType(top | 1), 1, most, most, most};
  const std::vector<TestType> count{0, 1, TestType(width - 1), TestType(width - 1), width, TestType(width + 1), most};
  using result = std::vector<TestType>;
  CHECK(element_wise_bit_shift_left(reference, line(x), line(count)).elements() ==
        result{1, TestType(most - 1), top, top, 0, 0, 0});
  CHECK(element_wise_bit_shift_right(reference, line(x), line(count)).elements() ==
        result{1, TestType(most / 2), 1, 0, 0, 0, 0});
}

TEST_CASE("ELEMENT_WISE_BIT_SHIFT under shift_policy mask", "[element_wise]") {
  const auto shifted = []<class T>(std::vector<T> x, std::vector<T> count) {
    const auto mask = shift_policy::mask;
    patterns both =
        binary(element_wise_bit_shift_left, x, count, element_wise_bit_shift_left_desc{.shift_policy = mask});
    for (const std::uint64_t right :
         binary(element_wise_bit_shift_right, x, count, element_wise_bit_shift_right_desc{.shift_policy = mask}))
      both.push_back(right);
    return both;
  };
  using u8 = std::vector<std::uint8_t>;
  using u16 = std::vector<std::uint16_t>;
  using u32 = std::vector<std::uint32_t>;
  using u64 = std::vector<std::uint64_t>;
  CHECK(shifted(u8{200, 200, 200, 200}, u8{8, 31, 32, 33}) == patterns{0, 0, 200, 144, 0, 0, 200, 100});
  CHECK(shifted(u16{3, 3, 3, 3}, u16{16, 31, 32, 65535}) == patterns{0, 0, 3, 0, 0, 0, 3, 0});
  CHECK(shifted(u32{6, 6, 6}, u32{32, 33, 0xFFFF'FFFF}) == patterns{6, 12, 0, 6, 3, 0});
  CHECK(shifted(u64{6, 6, 6}, u64{32, 64, 65}) == patterns{std::uint64_t{6} << 32, 6, 12, 0, 6, 3});
}

TEST_CASE("ELEMENT_WISE: all layouts; a stride of 0 broadcasts; gaps are unchanged", "[element_wise]") {
  const dimensions sizes{2, 3, 2};
  std::vector<std::int16_t> a(12), sum(12), widest(12);
  for (std::size_t i = 0; i < 12; ++i) {
    a[i] = static_cast<std::int16_t>(3 * i);
    widest[i] = static_cast<std::int16_t>(a[i] > 10 ? a[i] : 10);
    sum[i] = static_cast<std::int16_t>(a[i] | 1);
  }
  const std::int16_t ten = 10, one_bit = 1;
  for (const auto from : layouts::all_layouts)
    for (const auto to : layouts::all_layouts) {
      layouts::laid_out<std::int16_t> x(sizes, layouts::strides_of(from, sizes), a);
      layouts::laid_out<std::int16_t> y(sizes, layouts::strides_of(to, sizes), std::vector<std::int16_t>(12));
      element_wise_max(reference, x.view(), tensor_view{&ten, sizes, {0, 0, 0}}, y.view());
      CHECK(y.elements() == widest);
      CHECK(y.gaps_untouched());
      element_wise_bit_or(reference, tensor_view{&one_bit, sizes, {0, 0, 0}}, x.view(), y.view());
      CHECK(y.elements() == sum);
      CHECK(y.gaps_untouched());
    }
}

TEST_CASE("ELEMENT_WISE: tensors whose data types are known at run time", "[element_wise]") {
  const tensor<double> a({2}, {1, 2});
  tensor<double> y({2});
  element_wise_bit_and(reference, const_tensor_ref(a.view()), const_tensor_ref(a.view()), tensor_ref(y.view()));
  CHECK(y == a);
  tensor<std::uint8_t> truth({2});
  const tensor<float16> h({2}, halves({1, not_a_number}));
  element_wise_is_nan(reference, const_tensor_ref(h.view()), tensor_ref(truth.view()));
  CHECK(truth.elements() == std::vector<std::uint8_t>{0, 1});
}
