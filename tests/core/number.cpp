// core/number.hpp: NaN, zero and order; hand-written values for each width, all of binary16, and the same when the
// processor flushes subnormals.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <goldml/core/number.hpp>

#include "../catch.hpp"
#include "flush_subnormals.hpp"

namespace {

using namespace goldml;

template <class T>
T from_bits(typename detail::float_bits<T>::type bits) {
  return std::bit_cast<T>(bits);
}

// For each float type, as hand-written bits: numbers in ascending order, equal ones in one inner list; then NaNs.
template <class T>
struct hand_made;
template <>
struct hand_made<float16> {
  static inline const std::vector<std::vector<std::uint16_t>> ascending{
      {0xFC00},                                                  // -inf
      {0xFBFF},                                                  // -65504, the least finite
      {0xC000},                                                  // -2
      {0xBC00},                                                  // -1
      {0x8400},                                                  // the normal number nearest below 0
      {0x83FF},                                                  // the greatest subnormal, negative
      {0x8001},                                                  // the subnormal nearest below 0
      {0x8000, 0x0000},                                          // -0, +0
      {0x0001},         {0x03FF}, {0x0400}, {0x3C00}, {0x3C01},  // the next after 1
      {0x7BFF},         {0x7C00},                                // +inf
  };
  static inline const std::vector<std::uint16_t> nans{0x7C01, 0x7DFF, 0x7E00, 0x7FFF, 0xFC01, 0xFDFF, 0xFE00, 0xFFFF};
};
template <>
struct hand_made<float> {
  static inline const std::vector<std::vector<std::uint32_t>> ascending{
      {0xFF80'0000}, {0xFF7F'FFFF}, {0xC000'0000}, {0xBF80'0000},
      {0x8080'0000}, {0x807F'FFFF}, {0x8000'0001}, {0x8000'0000, 0x0000'0000},
      {0x0000'0001}, {0x007F'FFFF}, {0x0080'0000}, {0x3F80'0000},
      {0x3F80'0001}, {0x7F7F'FFFF}, {0x7F80'0000},
  };
  static inline const std::vector<std::uint32_t> nans{0x7F80'0001, 0x7FBF'FFFF, 0x7FC0'0000, 0x7FFF'FFFF,
                                                      0xFF80'0001, 0xFFBF'FFFF, 0xFFC0'0000, 0xFFFF'FFFF};
};
template <>
struct hand_made<double> {
  static inline const std::vector<std::vector<std::uint64_t>> ascending{
      {0xFFF0'0000'0000'0000}, {0xFFEF'FFFF'FFFF'FFFF},
      {0xC000'0000'0000'0000}, {0xBFF0'0000'0000'0000},
      {0x8010'0000'0000'0000}, {0x800F'FFFF'FFFF'FFFF},
      {0x8000'0000'0000'0001}, {0x8000'0000'0000'0000, 0x0000'0000'0000'0000},
      {0x0000'0000'0000'0001}, {0x000F'FFFF'FFFF'FFFF},
      {0x0010'0000'0000'0000}, {0x3FF0'0000'0000'0000},
      {0x3FF0'0000'0000'0001}, {0x7FEF'FFFF'FFFF'FFFF},
      {0x7FF0'0000'0000'0000},
  };
  static inline const std::vector<std::uint64_t> nans{
      0x7FF0'0000'0000'0001, 0x7FF7'FFFF'FFFF'FFFF, 0x7FF8'0000'0000'0000, 0x7FFF'FFFF'FFFF'FFFF,
      0xFFF0'0000'0000'0001, 0xFFF7'FFFF'FFFF'FFFF, 0xFFF8'0000'0000'0000, 0xFFFF'FFFF'FFFF'FFFF};
};

template <class T>
void check_hand_made() {
  const auto& ascending = hand_made<T>::ascending;
  for (std::size_t i = 0; i < ascending.size(); ++i)
    for (const auto a_bits : ascending[i]) {
      const T a = from_bits<T>(a_bits);
      INFO("bits " << a_bits << " of " << sizeof(T) << " bytes");
      CHECK_FALSE(is_nan(a));
      CHECK(is_zero(a) == (i == 7));
      for (std::size_t j = 0; j < ascending.size(); ++j)
        for (const auto b_bits : ascending[j]) {
          const T b = from_bits<T>(b_bits);
          INFO("and bits " << b_bits);
          CHECK((order_key(a) < order_key(b)) == (i < j));
          CHECK((order_key(a) == order_key(b)) == (i == j));
        }
    }
  for (const auto bits : hand_made<T>::nans) {
    INFO("bits " << bits);
    CHECK(is_nan(from_bits<T>(bits)));
    CHECK_FALSE(is_zero(from_bits<T>(bits)));
  }
}

// The value of a binary16 by definition, without Eigen. Exact in double.
double binary16_value(std::uint32_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double fraction = bits & 1023;
  double magnitude = 0;
  if (exponent == 31)
    magnitude = (bits & 1023) != 0 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  else
    magnitude = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

}  // namespace

TEMPLATE_TEST_CASE("number: NaN, zero and order of hand-made floats", "[number]", float16, float, double) {
  check_hand_made<TestType>();
}

TEMPLATE_TEST_CASE("number: the same when the processor flushes subnormals", "[number]", float16, float, double) {
  const flush_subnormals flushing;
  check_hand_made<TestType>();
}

TEST_CASE("number: every binary16 is NaN or zero exactly if its value is", "[number]") {
  std::size_t nans = 0;
  std::size_t zeros = 0;
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const float16 x = from_bits<float16>(static_cast<std::uint16_t>(bits));
    const double value = binary16_value(bits);
    if (is_nan(x) != std::isnan(value) || is_zero(x) != (value == 0)) FAIL_CHECK("bits " << bits);
    nans += is_nan(x) ? 1u : 0u;
    zeros += is_zero(x) ? 1u : 0u;
  }
  CHECK(nans == 2 * 1023);
  CHECK(zeros == 2);
}

// Sorted by value. Comparing neighbours suffices, because < and == of values and of keys are transitive.
TEST_CASE("number: all of binary16 is ordered by value", "[number]") {
  std::vector<std::uint16_t> numbers;
  for (std::uint32_t bits = 0; bits < 65536; ++bits)
    if (!std::isnan(binary16_value(bits))) numbers.push_back(static_cast<std::uint16_t>(bits));
  REQUIRE(numbers.size() == 65536 - 2 * 1023);
  std::sort(numbers.begin(), numbers.end(),
            [](std::uint16_t a, std::uint16_t b) { return binary16_value(a) < binary16_value(b); });
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    const bool equal = binary16_value(numbers[i - 1]) == binary16_value(numbers[i]);
    const auto before = order_key(from_bits<float16>(numbers[i - 1]));
    const auto after = order_key(from_bits<float16>(numbers[i]));
    if (equal ? before != after : before >= after) FAIL_CHECK("bits " << numbers[i - 1] << " and " << numbers[i]);
  }
}

TEMPLATE_TEST_CASE("number: integers are never NaN, zero only if 0, and ordered by value", "[number]", std::int8_t,
                   std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t,
                   std::uint64_t) {
  using limits = std::numeric_limits<TestType>;
  const TestType values[] = {(limits::min)(), static_cast<TestType>((limits::min)() + 1),     TestType{0},
                             TestType{1},     static_cast<TestType>((limits::max)() / 2 + 1), (limits::max)()};
  for (const TestType a : values) {
    CHECK_FALSE(is_nan(a));
    CHECK(is_zero(a) == (a == 0));
    for (const TestType b : values) {
      CHECK((order_key(a) < order_key(b)) == (a < b));
      CHECK((order_key(a) == order_key(b)) == (a == b));
    }
  }
}

TEST_CASE("number: works in constant expressions", "[number]") {
  STATIC_REQUIRE(is_nan(std::numeric_limits<float>::quiet_NaN()));
  STATIC_REQUIRE(is_zero(-0.0));
  STATIC_REQUIRE(order_key(-1.0f) < order_key(std::numeric_limits<float>::denorm_min()));
  STATIC_REQUIRE(order_key(-0.0) == order_key(0.0));
}
