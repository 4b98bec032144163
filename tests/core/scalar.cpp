// core/scalar.hpp: a number with its data type, like DML_SCALAR_UNION.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include <goldml/core/scalar.hpp>

#include "../catch.hpp"

namespace {

using namespace goldml;

constexpr std::array<std::byte, 8> eight_bytes{std::byte{0x01}, std::byte{0x3C}, std::byte{0x80}, std::byte{0x3F},
                                               std::byte{0x11}, std::byte{0x22}, std::byte{0x33}, std::byte{0x44}};

}  // namespace

TEMPLATE_TEST_CASE("scalar: keeps a number and its type", "[scalar]", float, double, std::int8_t, std::uint8_t,
                   std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t) {
  for (const TestType value :
       {TestType{0}, TestType{7}, std::numeric_limits<TestType>::lowest(), std::numeric_limits<TestType>::max()}) {
    const scalar s = value;
    CHECK(s.type() == data_type_of<TestType>);
    CHECK(s.as<TestType>() == value);
  }
}

TEST_CASE("scalar: FLOAT16 is stored as its 16 bits", "[scalar]") {
  const scalar s = std::bit_cast<float16>(std::uint16_t{0x3C01});
  CHECK(s.type() == data_type::float16);
  CHECK(std::bit_cast<std::uint16_t>(s.as<float16>()) == 0x3C01);
  CHECK(s == scalar::from_bytes(data_type::float16, eight_bytes));
}

TEST_CASE("scalar: preserves bits, NaN payloads and -0.0", "[scalar]") {
  for (const std::uint32_t bits : {0x7F80'0001u, 0xFFC1'2345u, 0x8000'0000u, 0x0000'0001u})
    CHECK(std::bit_cast<std::uint32_t>(scalar(std::bit_cast<float>(bits)).as<float>()) == bits);
  CHECK(scalar(0.0f) != scalar(-0.0f));
}

TEST_CASE("scalar: an omitted scalar is zero of any type", "[scalar]") {
  const scalar s;
  CHECK(s.type() == std::nullopt);
  CHECK(s.as<double>() == 0);
  CHECK(s.as<std::int64_t>() == 0);
  CHECK(std::bit_cast<std::uint16_t>(s.as<float16>()) == 0);
  CHECK(std::bit_cast<std::uint32_t>(s.as<float>()) == 0);  // positive zero
  CHECK(s != scalar(0.0f));
}

TEST_CASE("scalar: from bytes, little-endian, as many as the type has", "[scalar]") {
  CHECK(scalar::from_bytes(data_type::uint8, eight_bytes).as<std::uint8_t>() == 0x01);
  CHECK(scalar::from_bytes(data_type::uint16, eight_bytes).as<std::uint16_t>() == 0x3C01);
  CHECK(scalar::from_bytes(data_type::uint32, eight_bytes).as<std::uint32_t>() == 0x3F80'3C01);
  CHECK(scalar::from_bytes(data_type::uint64, eight_bytes).as<std::uint64_t>() == 0x4433'2211'3F80'3C01);
  CHECK(scalar::from_bytes(data_type::int64, eight_bytes).type() == data_type::int64);
  // Bytes past the width of the type are ignored.
  auto other = eight_bytes;
  other[2] = std::byte{0xFF};
  CHECK(scalar::from_bytes(data_type::int16, eight_bytes) == scalar::from_bytes(data_type::int16, other));
  CHECK(scalar::from_bytes(data_type::int32, eight_bytes) != scalar::from_bytes(data_type::int32, other));
  CHECK(scalar::from_bytes(data_type::int8, eight_bytes) != scalar::from_bytes(data_type::uint8, eight_bytes));
  // A type without elements is kept, so that the rules can refuse it.
  CHECK(scalar::from_bytes(data_type::unknown, eight_bytes).type() == data_type::unknown);
  CHECK(scalar::from_bytes(static_cast<data_type>(13), eight_bytes).type() == static_cast<data_type>(13));
}

TEST_CASE("scalar: from bits, the low ones", "[scalar]") {
  CHECK(scalar::from_bits(data_type::float32, 0x3F80'0000) == scalar(1.0f));
  CHECK(scalar::from_bits(data_type::float16, 0x3C00) == scalar(float16(1.0f)));
  CHECK(scalar::from_bits(data_type::float64, 0xBFF0'0000'0000'0000) == scalar(-1.0));
  CHECK(scalar::from_bits(data_type::int8, 0x80) == scalar(std::int8_t{-128}));
  CHECK(scalar::from_bits(data_type::uint8, 0x1FF) == scalar(std::uint8_t{255}));  // the other bits are ignored
  CHECK(scalar::from_bits(data_type::int16, 0xFFFF) == scalar(std::int16_t{-1}));
  CHECK(scalar::from_bits(data_type::uint64, ~std::uint64_t{0}) == scalar(~std::uint64_t{0}));
  CHECK(scalar::from_bits(data_type::unknown, 7).type() == data_type::unknown);
}

TEST_CASE("scalar: only data types convert to scalars", "[scalar]") {
  CHECK(std::is_convertible_v<float, scalar>);
  CHECK(std::is_convertible_v<std::int8_t, scalar>);
  CHECK_FALSE(std::is_convertible_v<bool, scalar>);
  CHECK_FALSE(std::is_convertible_v<char, scalar>);
  CHECK_FALSE(std::is_convertible_v<long double, scalar>);
}

TEST_CASE("scalar: text names the type", "[scalar]") {
  CHECK(to_string(scalar()) == "left out");
  CHECK(to_string(scalar(7)) == "INT32 7");
  CHECK(to_string(scalar(std::int8_t{65})) == "INT8 65");  // a number, not a letter
  CHECK(to_string(scalar(std::uint8_t{200})) == "UINT8 200");
  CHECK(to_string(scalar(1.5f)) == "FLOAT32 1.5");
  CHECK(to_string(scalar(std::numeric_limits<std::uint64_t>::max())) == "UINT64 18446744073709551615");
  CHECK(to_string(scalar(std::bit_cast<float16>(std::uint16_t{0x3E00}))) == "FLOAT16 1.5");
  CHECK(to_string(scalar::from_bytes(static_cast<data_type>(12), eight_bytes)) == "UINT4");
}
