// Results of ARGMIN: the worked examples, several axes, every data and index type, dimension counts, NaN, equal
// elements, infinities, subnormals. Strides and memory: argmin_layouts.cpp. Refusals: argmin_rules.cpp.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <goldml/operators/argmin.hpp>
#include <goldml/reference/argmin.hpp>

#include "../catch.hpp"
#include "../core/flush_subnormals.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using indices = std::vector<std::uint32_t>;

constexpr auto first = axis_direction::increasing;
constexpr auto last = axis_direction::decreasing;
constexpr auto skip = nan_policy::skip;
constexpr auto propagate = nan_policy::propagate;

// The index in a list.
template <class T>
std::uint32_t index_in(const std::vector<T>& list, axis_direction direction, nan_policy policy = skip) {
  std::vector<std::uint32_t> output(1, 77);
  argmin(reference, list, output, argmin_desc{.axes = {0}, .axis_direction = direction, .nan_policy = policy});
  return output[0];
}

// {first, last}: both directions.
template <class T>
indices both(const std::vector<T>& list, nan_policy policy = skip) {
  return {index_in(list, first, policy), index_in(list, last, policy)};
}

template <class T>
T value(float x) {
  return static_cast<T>(x);
}

// The same number, infinity, NaN .. in either type.
template <class T>
struct special;
template <>
struct special<float> {
  static float of(std::uint32_t bits) { return std::bit_cast<float>(bits); }
  static inline const float infinity = of(0x7F80'0000);
  static inline const float greatest = of(0x7F7F'FFFF);
  static inline const float subnormal = of(0x0000'0001);
  static inline const float large_subnormal = of(0x007F'FFFF);
  static inline const float minus_subnormal = of(0x8000'0001);
  static inline const float minus_zero = of(0x8000'0000);
  static inline const std::array<float, 4> nans{of(0x7FC0'0000), of(0xFFC0'0000), of(0x7F80'0001), of(0xFFFF'FFFF)};
};
template <>
struct special<float16> {
  static float16 of(std::uint16_t bits) { return std::bit_cast<float16>(bits); }
  static inline const float16 infinity = of(0x7C00);
  static inline const float16 greatest = of(0x7BFF);
  static inline const float16 subnormal = of(0x0001);
  static inline const float16 large_subnormal = of(0x03FF);
  static inline const float16 minus_subnormal = of(0x8001);
  static inline const float16 minus_zero = of(0x8000);
  static inline const std::array<float16, 4> nans{of(0x7E00), of(0xFE00), of(0x7C01), of(0xFFFF)};
};

template <class T>
void check_subnormals() {
  using s = special<T>;
  const T zero = value<T>(0);
  CHECK(both<T>({s::subnormal, zero, s::subnormal}) == indices{1, 1});
  CHECK(both<T>({zero, s::minus_subnormal, zero}) == indices{1, 1});
  CHECK(both<T>({s::large_subnormal, s::subnormal, s::large_subnormal}) == indices{1, 1});
  CHECK(both<T>({s::minus_zero, s::minus_subnormal, s::subnormal}) == indices{1, 1});
  CHECK(both<T>({s::subnormal, s::subnormal}) == indices{0, 1});
}

}  // namespace

TEST_CASE("ARGMIN: the page's examples", "[argmin]") {
  const tensor<float> x({3, 3}, {1, 2, 3, 3, 0, 4, 2, 5, 2});
  CHECK(argmin(reference, x, {.axes = {0}}) == tensor<std::uint32_t>({1, 3}, {0, 1, 2}));
  CHECK(argmin(reference, x, {.axes = {1}}) == tensor<std::uint32_t>({3, 1}, {0, 1, 0}));
  CHECK(argmin(reference, x, {.axes = {1}, .axis_direction = last}) == tensor<std::uint32_t>({3, 1}, {0, 1, 2}));
  CHECK(argmin(reference, x, {.axes = {0, 1}}) == tensor<std::uint32_t>({1, 1}, {4}));
  CHECK(both<float>({1, 2, 3, 2, 1}) == indices{0, 4});
}

TEST_CASE("ARGMIN: several axes are flattened row-major", "[argmin]") {
  const tensor<float> x({2, 3, 2}, {5, 4, 9, 1, 7, 3, 8, 1, 0, 6, 2, 2});
  CHECK(argmin(reference, x, {.axes = {0, 2}}) == tensor<std::uint32_t>({1, 3, 1}, {3, 2, 2}));
  CHECK(argmin(reference, x, {.axes = {0, 2}, .axis_direction = last}) == tensor<std::uint32_t>({1, 3, 1}, {3, 2, 3}));
  CHECK(argmin(reference, x, {.axes = {0, 1, 2}}) == tensor<std::uint32_t>({1, 1, 1}, {8}));
}

TEST_CASE("ARGMIN: axes {1,3} of {2,3,4,5} number row-major over [_,3,_,5]", "[argmin]") {
  for (std::uint32_t b = 0; b < 3; ++b)
    for (std::uint32_t d = 0; d < 5; ++d) {
      tensor<std::int16_t> x({2, 3, 4, 5}, std::vector<std::int16_t>(120, 9));
      x[{1, b, 2, d}] = -4;
      tensor<std::uint32_t> wanted({2, 1, 4, 1});  // elsewhere all are equal
      wanted[{1, 0, 2, 0}] = b * 5 + d;
      CHECK(argmin(reference, x, {.axes = {1, 3}}) == wanted);
    }
}

TEST_CASE("ARGMIN L9: without axes nothing is reduced, and every index is 0", "[argmin]") {
  const float nan = special<float>::nans[0];
  const tensor<float> x({2, 3}, {5, nan, 9, -special<float>::infinity, 7, 3});
  for (const auto policy : {skip, propagate})
    for (const auto direction : {first, last})
      CHECK(argmin(reference, x, {.axes = {}, .axis_direction = direction, .nan_policy = policy}) ==
            tensor<std::uint32_t>({2, 3}));
  CHECK(argmin<std::int64_t>(reference, x, {}) == tensor<std::int64_t>({2, 3}));
}

TEST_CASE("ARGMIN: the order of the axes in the list is ignored", "[argmin]") {
  tensor<std::int32_t> x({2, 3, 2, 3});
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<std::int32_t>(i * 7 % 11);
  const auto check = [&](std::vector<int> axes) {
    const auto sorted = argmin(reference, x, {.axes = dimensions(axes)});
    while (std::next_permutation(axes.begin(), axes.end()))
      CHECK(argmin(reference, x, {.axes = dimensions(axes)}) == sorted);
  };
  check({0, 3});
  check({0, 1, 3});
  check({0, 1, 2, 3});
}

TEMPLATE_TEST_CASE("ARGMIN: the least and greatest numbers of every data type", "[argmin]", float, std::uint32_t,
                   std::uint16_t, std::uint8_t, std::int32_t, std::int16_t, std::int8_t, std::uint64_t, std::int64_t) {
  using limits = std::numeric_limits<TestType>;
  const TestType low = limits::lowest();
  const TestType high = limits::max();
  CHECK(both<TestType>({high, 1, low, high, low, 1}) == indices{2, 4});
  CHECK(both<TestType>({high, high, high}) == indices{0, 2});
  CHECK(both<TestType>({low, low}) == indices{0, 1});
  CHECK(both<TestType>({1, high, 0, high}) == indices{2, 2});
}

TEST_CASE("ARGMIN: unsigned numbers are compared as unsigned, signed as signed", "[argmin]") {
  CHECK(both<std::uint32_t>({0xFFFF'FFFF, 1, 0x8000'0000}) == indices{1, 1});
  CHECK(both<std::uint8_t>({0xFF, 0x80, 0x7F}) == indices{2, 2});
  CHECK(both<std::int8_t>({1, -1, 0}) == indices{1, 1});
  CHECK(both<std::int32_t>({0, 1, -2147483647 - 1, 7}) == indices{2, 2});
  // Numbers that a double cannot distinguish.
  CHECK(both<std::int64_t>({4611686018427387905, 4611686018427387904, 4611686018427387906}) == indices{1, 1});
  CHECK(both<std::uint64_t>({9223372036854775809u, 9223372036854775808u, 18446744073709551615u}) == indices{1, 1});
  CHECK(both<float16>({special<float16>::of(0x3C01), special<float16>::of(0x3C00)}) == indices{1, 1});
}

TEMPLATE_TEST_CASE("ARGMIN: every index type is written in full", "[argmin]", std::uint32_t, std::int32_t,
                   std::uint64_t, std::int64_t) {
  const std::vector<std::int8_t> x{5, 3, 3, 4, 1, 0, 2, 0, 9, 0};
  std::vector<TestType> y(2, static_cast<TestType>(-1));  // all bits set
  argmin(reference, tensor_view{x, {2, 5}}, tensor_view{y, {2, 1}}, argmin_desc{.axes = {1}, .axis_direction = last});
  CHECK(y == std::vector<TestType>{4, 4});
  CHECK(argmin<TestType>(reference, tensor<std::int8_t>({2, 5}, x), {.axes = {1}}).elements() ==
        std::vector<TestType>{4, 0});
}

TEST_CASE("ARGMIN: one to eight dimensions, over each of them", "[argmin]") {
  for (std::uint32_t rank = 1; rank <= 8; ++rank)
    for (std::uint32_t axis = 0; axis < rank; ++axis) {
      dimensions sizes = dimensions::filled(rank, 2);
      sizes[axis] = 3;
      tensor<float> x(sizes);
      tensor<std::uint32_t> wanted(sizes_after_reduction(sizes, {axis}));
      std::uint32_t number = 0;
      for (const coordinate_tuple& o : coordinates_of(wanted.sizes())) {
        wanted[o] = number++ % 3;
        for (std::uint32_t i = 0; i < 3; ++i) {
          coordinate_tuple c = o;
          c[axis] = i;
          x[c] = i == wanted[o] ? -1.0f : 1.0f;
        }
      }
      INFO("rank " << rank << " axis " << axis);
      CHECK(argmin(reference, x, {.axes = {axis}}) == wanted);
    }
}

TEST_CASE("ARGMIN: axes of size 1", "[argmin]") {
  const tensor<float> x({1, 3, 1}, {5, 2, 9});
  CHECK(argmin(reference, x, {.axes = {0}}) == tensor<std::uint32_t>({1, 3, 1}));
  CHECK(argmin(reference, x, {.axes = {0, 2}, .axis_direction = last}) == tensor<std::uint32_t>({1, 3, 1}));
  CHECK(argmin(reference, x, {.axes = {0, 1, 2}}) == tensor<std::uint32_t>({1, 1, 1}, {1}));
}

TEMPLATE_TEST_CASE("ARGMIN 7.1: NaN is never the minimum if there is a number", "[argmin]", float, float16) {
  const auto v = [](float x) { return value<TestType>(x); };
  for (const TestType nan : special<TestType>::nans) {
    CHECK(both<TestType>({nan, v(4), v(2), v(2)}) == indices{2, 3});
    CHECK(both<TestType>({v(4), v(2), nan, v(2), v(6)}) == indices{1, 3});
    CHECK(both<TestType>({v(4), v(2), v(6), nan}) == indices{1, 1});
    CHECK(both<TestType>({nan, nan, v(6), nan}) == indices{2, 2});
    CHECK(both<TestType>({nan, special<TestType>::infinity, nan}) == indices{1, 1});
    CHECK(both<TestType>({nan, nan, nan}) == indices{0, 2});  // all are equal
    CHECK(both<TestType>({nan}) == indices{0, 0});
  }
  const auto& nans = special<TestType>::nans;
  CHECK(both<TestType>({nans[1], nans[0], nans[3], nans[2]}) == indices{0, 3});  // for all bits
}

TEMPLATE_TEST_CASE("ARGMIN 7.1: with propagate NaN is less than every number", "[argmin]", float, float16) {
  const auto v = [](float x) { return value<TestType>(x); };
  const TestType minus_infinity = -special<TestType>::infinity;
  for (const TestType nan : special<TestType>::nans) {
    CHECK(both<TestType>({nan, v(4), v(2), v(2)}, propagate) == indices{0, 0});
    CHECK(both<TestType>({v(4), v(2), nan, v(2), v(6)}, propagate) == indices{2, 2});
    CHECK(both<TestType>({v(4), v(2), v(6), nan}, propagate) == indices{3, 3});
    CHECK(both<TestType>({v(8), nan, v(3), nan, v(5)}, propagate) == indices{1, 3});
    CHECK(both<TestType>({minus_infinity, nan, minus_infinity}, propagate) == indices{1, 1});
    CHECK(both<TestType>({nan, nan, nan}, propagate) == indices{0, 2});
  }
  const auto& nans = special<TestType>::nans;
  CHECK(both<TestType>({v(1), nans[2], nans[1], v(0)}, propagate) == indices{1, 2});
  CHECK(both<TestType>({v(1), v(0), v(0)}, propagate) == indices{1, 2});  // no effect without NaN
}

TEST_CASE("ARGMIN 7.1: each slice is independent", "[argmin]") {
  const float nan = special<float>::nans[0];
  const tensor<float> x({3, 3}, {nan, 2, 1, nan, nan, nan, 3, nan, 3});
  CHECK(argmin(reference, x, {.axes = {1}}).elements() == indices{2, 0, 0});
  CHECK(argmin(reference, x, {.axes = {1}, .axis_direction = last}).elements() == indices{2, 2, 2});
  CHECK(argmin(reference, x, {.axes = {1}, .nan_policy = propagate}).elements() == indices{0, 0, 1});
  CHECK(argmin(reference, x, {.axes = {1}, .axis_direction = last, .nan_policy = propagate}).elements() ==
        indices{0, 2, 1});
}

TEMPLATE_TEST_CASE("ARGMIN: infinities are numbers", "[argmin]", float, float16) {
  using s = special<TestType>;
  CHECK(both<TestType>({s::infinity, s::infinity, s::infinity}) == indices{0, 2});
  CHECK(both<TestType>({-s::infinity, -s::infinity}) == indices{0, 1});
  CHECK(both<TestType>({s::infinity, s::greatest, s::infinity}) == indices{1, 1});
  CHECK(both<TestType>({-s::greatest, -s::infinity, -s::greatest}) == indices{1, 1});
}

TEMPLATE_TEST_CASE("ARGMIN 7.4: -0.0 and +0.0 are equal", "[argmin]", float, float16) {
  const TestType minus = special<TestType>::minus_zero;
  const TestType plus = value<TestType>(0);
  CHECK(both<TestType>({plus, minus}) == indices{0, 1});
  CHECK(both<TestType>({minus, plus}) == indices{0, 1});
  CHECK(both<TestType>({value<TestType>(1), plus, minus, plus, value<TestType>(1)}) == indices{1, 3});
}

TEMPLATE_TEST_CASE("ARGMIN 7.4: subnormals are ordered", "[argmin]", float, float16) { check_subnormals<TestType>(); }

TEMPLATE_TEST_CASE("ARGMIN 7.4: subnormals are ordered when the processor flushes them", "[argmin]", float, float16) {
#if GOLDML_TESTS_FLUSH_SUBNORMALS
  volatile float subnormal = std::bit_cast<float>(std::uint32_t{1});
  {
    const flush_subnormals flushing;
    CHECK(subnormal == 0.0f);  // flushed
  }
  CHECK(subnormal != 0.0f);  // no longer flushed
#endif
  const flush_subnormals flushing;
  check_subnormals<TestType>();
}

TEST_CASE("ARGMIN: at its first level, and 64-bit integers from theirs", "[argmin]") {
  const tensor<float> x({4}, {3, 1, 2, 1});
  CHECK(argmin(reference, x, {.axes = {0}, .feature_level = feature_level::level_3_0})[{0}] == 1);
  const tensor<std::int64_t> wide({4}, {3, 1, 2, 1});
  CHECK(argmin(reference, wide, {.axes = {0}, .feature_level = feature_level::level_4_1})[{0}] == 1);
}
