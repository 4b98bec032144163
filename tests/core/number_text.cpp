// core/number_text.hpp: numbers as text that parses to the same number, and as bits.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>

#include <goldml/core/number_text.hpp>

#include "../catch.hpp"

namespace {

using namespace goldml;

float16 half(std::uint16_t bits) { return std::bit_cast<float16>(bits); }

}  // namespace

TEST_CASE("number_text: the shortest text", "[number_text]") {
  CHECK(number_text(0.1f) == "0.1");
  CHECK(number_text(0.1) == "0.1");
  CHECK(number_text(1.5f) == "1.5");
  CHECK(number_text(half(0x3E00)) == "1.5");
  CHECK(number_text(half(0x2E66)) == "0.1");                                   // 0.0999755859375
  CHECK(std::strtof(number_text(half(0x7BFF)).c_str(), nullptr) == 65500.0f);  // 65504
  CHECK(number_text(half(0x0001)) == "6e-08");                                 // 2^-24
}

TEST_CASE("number_text: integers, 8-bit ones as numbers", "[number_text]") {
  CHECK(number_text(std::int8_t{-128}) == "-128");
  CHECK(number_text(std::uint8_t{65}) == "65");
  CHECK(number_text(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
  CHECK(number_text(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
}

TEST_CASE("number_text: zeros, infinities and NaN", "[number_text]") {
  CHECK(std::signbit(std::strtof(number_text(-0.0f).c_str(), nullptr)));
  CHECK(std::signbit(std::strtof(number_text(half(0x8000)).c_str(), nullptr)));
  CHECK(number_text(-std::numeric_limits<float>::infinity()) == "-inf");
  CHECK(number_text(half(0x7C00)) == "inf");
  CHECK(number_text(std::bit_cast<float>(std::uint32_t{0x7FC0'0000})) == "nan");
  CHECK(number_text(std::bit_cast<float>(std::uint32_t{0xFFC0'0000})) == "-nan");
}

TEST_CASE("number_text: the text of each binary16 parses to the same value", "[number_text]") {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const float16 x = half(static_cast<std::uint16_t>(bits));
    if (is_nan(x)) continue;
    const float16 back(std::strtof(number_text(x).c_str(), nullptr));
    if (std::bit_cast<std::uint16_t>(back) != bits) FAIL_CHECK("bits " << bits << ": " << number_text(x));
  }
}

TEST_CASE("number_text: the text of floats at the ends of their range parses to the same value", "[number_text]") {
  for (const std::uint32_t bits : {0x0000'0001u, 0x007F'FFFFu, 0x0080'0000u, 0x7F7F'FFFFu, 0x8000'0001u, 0x3DCC'CCCDu})
    CHECK(std::bit_cast<std::uint32_t>(std::strtof(number_text(std::bit_cast<float>(bits)).c_str(), nullptr)) == bits);
  for (const std::uint64_t bits :
       {std::uint64_t{1}, std::uint64_t{0x7FEF'FFFF'FFFF'FFFF}, std::uint64_t{0x3FB9'9999'9999'999A}})
    CHECK(std::bit_cast<std::uint64_t>(std::strtod(number_text(std::bit_cast<double>(bits)).c_str(), nullptr)) == bits);
}

TEST_CASE("bits_text: has as many digits as the type", "[number_text]") {
  CHECK(bits_text(1.0f) == "0x3F800000");
  CHECK(bits_text(-0.0) == "0x8000000000000000");
  CHECK(bits_text(half(0x00FF)) == "0x00FF");
  CHECK(bits_text(std::int8_t{-1}) == "0xFF");
  CHECK(bits_text(std::int32_t{-2}) == "0xFFFFFFFE");
  CHECK(bits_text(std::uint64_t{10}) == "0x000000000000000A");
}
