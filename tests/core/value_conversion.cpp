// The conversion of a FLOAT attribute to a tensor's data type (ledger L18).
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include <goldml/core/value_conversion.hpp>

#include "../catch.hpp"

namespace {

using namespace goldml;
constexpr value_conversion refuse = value_conversion::refuse, saturate = value_conversion::saturate;
constexpr float infinity = std::numeric_limits<float>::infinity();

template <class T>
void check_integer(float lowest, float greatest, float above) {
  using limits = std::numeric_limits<T>;
  constexpr data_type type = data_type_of<T>;
  const auto converted = [](float value, value_conversion policy) { return convert_value(value, type, policy); };
  INFO(name_of(type));
  for (const value_conversion policy : {refuse, saturate}) {
    CHECK(converted(0.0F, policy) == scalar(T{0}));
    CHECK(converted(-0.0F, policy) == scalar(T{0}));
    CHECK(converted(7.99F, policy) == scalar(T{7}));
    CHECK(converted(-0.99F, policy) == scalar(T{0}));
    CHECK(converted(lowest, policy) == scalar(static_cast<T>(lowest)));
    CHECK(converted(greatest, policy) == scalar(static_cast<T>(greatest)));
  }
  for (const float value : {above, infinity}) {
    CHECK_FALSE(converted(value, refuse));
    CHECK(converted(value, saturate) == scalar(limits::max()));
  }
  for (const float value : {lowest * 2 - 1, -infinity}) {
    CHECK_FALSE(converted(value, refuse));
    CHECK(converted(value, saturate) == scalar(limits::lowest()));
  }
  CHECK_FALSE(converted(std::numeric_limits<float>::quiet_NaN(), refuse));
  CHECK(converted(std::numeric_limits<float>::quiet_NaN(), saturate) == scalar(T{0}));
}

}  // namespace

TEST_CASE("value conversion: integers truncate toward zero, and refuse or saturate what does not fit", "[core]") {
  // The least number, the greatest that a float has, and the next one.
  check_integer<std::uint8_t>(0, 255.5F, 256);
  check_integer<std::int8_t>(-128.5F, 127.5F, 128);
  check_integer<std::uint16_t>(0, 65535.5F, 65536);
  check_integer<std::int16_t>(-32768.5F, 32767.5F, 32768);
  check_integer<std::uint32_t>(0, 0x1.FFFFFEp31F, 0x1p32F);
  check_integer<std::int32_t>(-0x1p31F, 0x1.FFFFFEp30F, 0x1p31F);
  check_integer<std::uint64_t>(0, 0x1.FFFFFEp63F, 0x1p64F);
  check_integer<std::int64_t>(-0x1p63F, 0x1.FFFFFEp62F, 0x1p63F);
}

TEST_CASE("value conversion: floats keep their bits, widen exactly or round to nearest even", "[core]") {
  for (const std::uint32_t bits : {0U, 0x80000000U, 1U, 0x807FFFFFU, 0x3F800000U, 0x7F800000U, 0x7FC00001U}) {
    const auto value = std::bit_cast<float>(bits);
    const auto same = convert_value(value, data_type::float32, refuse);
    REQUIRE(same);
    CHECK(std::bit_cast<std::uint32_t>(same->as<float>()) == bits);
  }
  CHECK(convert_value(std::bit_cast<float>(1U), data_type::float64, refuse) == scalar(0x1p-149));
  CHECK(convert_value(std::bit_cast<float>(0x80000003U), data_type::float64, refuse) == scalar(-0x3p-149));
  CHECK(convert_value(-1.5F, data_type::float64, refuse) == scalar(-1.5));
  CHECK(convert_value(-0.0F, data_type::float64, refuse) == scalar(-0.0));
  const auto half = [](float value) {
    return std::bit_cast<std::uint16_t>(convert_value(value, data_type::float16, refuse)->as<float16>());
  };
  CHECK(half(1.0F) == 0x3C00);
  CHECK(half(0x1.002p0F) == 0x3C00);  // halfway, to even
  CHECK(half(0x1.006p0F) == 0x3C02);
  CHECK(half(65519.0F) == 0x7BFF);
  CHECK(half(65520.0F) == 0x7C00);
  CHECK(half(-infinity) == 0xFC00);
  CHECK_FALSE(convert_value(1.0F, data_type::unknown, refuse));
  CHECK_FALSE(convert_value(1.0F, data_type::unknown, saturate));
}
