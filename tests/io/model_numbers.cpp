// io/model_numbers.hpp and core/number_text.hpp: JSON to elements of each type, elements to text and back.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models.hpp"

namespace {

using namespace goldml;
using io::parse_json;

template <class T>
T element_of(std::string_view text) {
  return io::to_element<T>(parse_json(text), "value", "here");
}

template <class T>
std::string rule(std::string_view text) {
  return refusal_of([&] { element_of<T>(text); });
}

template <class T>
auto bits_of(std::string_view text) {
  return std::bit_cast<typename goldml::detail::float_bits<T>::type>(element_of<T>(text));
}

float16 half(std::uint32_t bits) { return std::bit_cast<float16>(static_cast<std::uint16_t>(bits)); }

// The significant digits of a number's text: "-0.0125" has 3, "1.5e-07" has 2, "1200" has 2.
std::size_t digit_count(std::string_view text) {
  std::string digits;
  for (const char c : text.substr(0, text.find('e')))
    if (c >= '0' && c <= '9') digits += c;
  const std::size_t first = digits.find_first_not_of('0');
  if (first == std::string::npos) return 1;
  return digits.find_last_not_of('0') - first + 1;
}

// The doubles that round to the binary16 number `magnitude` (its bits, 0 to 0x7BFF), ties to even: all exact in
// binary64.
struct decimal_range {
  double lowest;
  double highest;
  bool closed;

  explicit decimal_range(std::uint32_t magnitude) : closed(magnitude % 2 == 0) {
    const auto value = [](std::uint32_t m) {
      const int exponent = static_cast<int>(m >> 10);
      const double fraction = m & 0x3FF;
      return exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    };
    highest = (value(magnitude) + (magnitude == 0x7BFF ? 65536.0 : value(magnitude + 1))) / 2;
    lowest = magnitude == 0 ? 0.0 : (value(magnitude - 1) + value(magnitude)) / 2;
  }

  bool contains(double x) const { return closed ? lowest <= x && x <= highest : lowest < x && x < highest; }
};

// Whether some decimal of `digits` digits lies in the decimal_range.
bool holds_decimal(const decimal_range& in, std::size_t digits) {
  if (in.lowest == 0) return true;  // zero itself, or the subnormal's power of ten
  const int exponent = static_cast<int>(std::floor(std::log10(in.highest)));
  for (const int shift : {exponent - 1, exponent}) {  // the decimal_range may cross a power of ten
    const int scale = shift - static_cast<int>(digits) + 1;
    const auto first = static_cast<std::int64_t>(in.lowest / std::pow(10.0, scale)) - 1;
    for (std::int64_t i = std::max<std::int64_t>(first, 1); i <= first + 3; ++i)
      if (in.contains(std::strtod(fmt::format("{}e{}", i, scale).c_str(), nullptr)) &&
          digit_count(std::to_string(i)) <= digits)
        return true;
  }
  return false;
}

}  // namespace

TEST_CASE("M4: elements that do not fit their integer type", "[numbers]") {
  CHECK(element_of<std::uint8_t>("255") == 255);
  CHECK(element_of<std::int8_t>("-128") == -128);
  CHECK(element_of<std::int32_t>("3.0") == 3);
  CHECK(element_of<std::int64_t>("-9223372036854775808") == INT64_MIN);
  CHECK(element_of<std::uint64_t>("18446744073709551615") == UINT64_MAX);
  CHECK(rule<std::uint8_t>("256") == "M4");
  CHECK(rule<std::uint8_t>("-1") == "M4");
  CHECK(rule<std::int8_t>("128") == "M4");
  CHECK(rule<std::int32_t>("1.5") == "M4");
  CHECK(rule<std::uint64_t>("18446744073709551616") == "M4");
  CHECK(rule<std::int64_t>("9223372036854775808") == "M4");
  CHECK(rule<std::int32_t>("NaN") == "M4");
}

TEST_CASE("M2: text instead of an integer, including nan and inf", "[numbers]") {
  for (const std::string_view text : {"\"nan\"", "\"inf\"", "\"1\"", "true", "[1]"})
    CHECK(rule<std::int32_t>(text) == "M2");
}

TEST_CASE("M4: numbers too large for their floating type do not become infinite", "[numbers]") {
  CHECK(element_of<float>("3.4028235e38") == (std::numeric_limits<float>::max)());
  CHECK(rule<float>("3.4028236e38") == "M4");  // nearer to 2^128 than to the largest FLOAT32
  CHECK(rule<float>("1e39") == "M4");
  CHECK(rule<float>("-1e39") == "M4");
  CHECK(rule<float>("18446744073709551615") == "none");
  CHECK(bits_of<float16>("65504") == 0x7BFF);
  CHECK(bits_of<float16>("-65519") == 0xFBFF);
  CHECK(rule<float16>("65520") == "M4");
  CHECK(rule<float16>("-65520") == "M4");
  CHECK(rule<float16>("1e300") == "M4");
  CHECK(element_of<double>("1.7976931348623157e308") == (std::numeric_limits<double>::max)());
  CHECK(models::message_of([] { element_of<float>("1e39"); }) ==
        "model M4: value is 1e+39, wanted a number in the range of FLOAT32 (here)");
}

TEST_CASE("Numbers: rounding to the element's type", "[numbers]") {
  CHECK(element_of<float>("16777217") == 16777216.0F);  // 2^24+1, ties to even
  CHECK(element_of<float>("0.1") == 0.1F);
  CHECK(element_of<float>("1e-50") == 0.0F);
  CHECK(element_of<float>("1e-45") == std::numeric_limits<float>::denorm_min());
  CHECK(bits_of<float16>("0.1") == 0x2E66);
  CHECK(bits_of<float16>("6e-8") == 0x0001);
  // 1 + 2^-11 + 2^-30 via FLOAT32: the last term is lost before the tie is resolved.
  CHECK(bits_of<float16>("1.000488282181322574615478515625") == 0x3C00);
  CHECK(bits_of<float16>("1.0005") == 0x3C01);
}

TEST_CASE("Numbers: nan and inf as strings or literals, and minus zero", "[numbers]") {
  for (const std::string_view text : {"\"nan\"", "\"NaN\"", "NaN"}) {
    CHECK(is_nan(element_of<float>(text)));
    CHECK(is_nan(element_of<float16>(text)));
    CHECK(is_nan(element_of<double>(text)));
  }
  for (const std::string_view text : {"\"inf\"", "\"+inf\"", "\"Inf\"", "\"INFINITY\"", "Infinity"}) {
    CHECK(bits_of<float>(text) == 0x7F800000);
    CHECK(bits_of<float16>(text) == 0x7C00);
    CHECK(bits_of<double>(text) == 0x7FF0'0000'0000'0000);
  }
  for (const std::string_view text : {"\"-inf\"", "\"-Infinity\"", "-Infinity"})
    CHECK(bits_of<float>(text) == 0xFF800000);
  CHECK(bits_of<float>("\"-nan\"") >> 31 == 1);
  CHECK(bits_of<float>("-0") == 0x80000000);
  CHECK(bits_of<float16>("-0.0") == 0x8000);
  CHECK(bits_of<double>("-0.0") == 0x8000'0000'0000'0000);
  for (const std::string_view text : {"\"\"", "\"-\"", "\"1\"", "\"nano\"", "\"infinit\"", "\"--inf\"", "\" nan\""})
    CHECK(rule<float>(text) == "M2");
  CHECK(models::message_of([] { element_of<float>("\"none\""); }) ==
        "model M2: value is 'none', wanted a number, \"nan\", \"inf\" or \"-inf\" (here)");
}

TEST_CASE("Numbers: data types by name, with or without prefix", "[numbers]") {
  const auto type_of = [](std::string_view name) {
    return io::to_data_type(parse_json(fmt::format("\"{}\"", name)), "DataType", "here");
  };
  for (std::uint32_t value = 0; value <= 11; ++value) {
    const data_type type{value};
    CHECK(type_of(name_of(type)) == type);
    CHECK(type_of(fmt::format("DML_TENSOR_DATA_TYPE_{}", name_of(type))) == type);
  }
  CHECK(models::message_of([&] { type_of("UINT4"); }) ==
        "model M5: DataType is UINT4, wanted a data type of 8 bits or more; for tensors of 4 bits UINT8, two elements "
        "a byte "
        "(here)");
  CHECK(refusal_of([&] { type_of("DML_TENSOR_DATA_TYPE_INT4"); }) == "M5");
  CHECK(io::to_data_type(parse_json("\"INT4\""), "DataType", "here", true) == data_type::int4);
  for (const std::string_view name : {"float32", "FLOAT", "", "DML_FLOAT32", "FLOAT32 "})
    CHECK(refusal_of([&] { type_of(name); }) == "M2");
  CHECK(refusal_of([] { io::to_data_type(parse_json("1"), "DataType", "here"); }) == "M2");
}

TEST_CASE("Number text: 8-bit integers are numbers, and integers are exact", "[numbers]") {
  CHECK(number_text(std::uint8_t{65}) == "65");
  CHECK(number_text(std::int8_t{-128}) == "-128");
  CHECK(number_text(std::uint16_t{65535}) == "65535");
  CHECK(number_text(std::numeric_limits<std::int64_t>::lowest()) == "-9223372036854775808");
  CHECK(number_text((std::numeric_limits<std::uint64_t>::max)()) == "18446744073709551615");
}

TEST_CASE("Number text: the shortest that parses to the same value, at the limits of FLOAT32 and FLOAT64",
          "[numbers]") {
  CHECK(number_text(0.1F) == "0.1");
  CHECK(number_text(1.0F) == "1");
  CHECK(number_text(-0.0F) == "-0");
  CHECK(number_text(-5.2F) == "-5.2");
  CHECK(number_text(16777216.0F) == "16777216");
  CHECK(number_text((std::numeric_limits<float>::max)()) == "3.4028235e+38");
  CHECK(number_text(std::numeric_limits<float>::denorm_min()) == "1e-45");
  CHECK(number_text((std::numeric_limits<float>::min)()) == "1.1754944e-38");
  CHECK(number_text(std::numeric_limits<float>::infinity()) == "inf");
  CHECK(number_text(-std::numeric_limits<double>::infinity()) == "-inf");
  CHECK(number_text(std::bit_cast<float>(std::uint32_t{0x7FC00000})) == "nan");
  CHECK(number_text(std::bit_cast<float>(std::uint32_t{0xFFC00000})) == "-nan");
  CHECK(number_text(0.1) == "0.1");
  CHECK(number_text(5e-324) == "5e-324");
  CHECK(number_text((std::numeric_limits<double>::max)()) == "1.7976931348623157e+308");
}

TEST_CASE("Number text: FLOAT32 parses to the same value, and no shorter text does", "[numbers]") {
  std::size_t wrong = 0;
  for (std::uint64_t bits = 0; bits < 0x7F800000; bits += 65521) {  // a prime, so that the bit patterns vary
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    const std::string text = number_text(value);
    if (std::bit_cast<std::uint32_t>(element_of<float>(text)) != bits) ++wrong;
    const auto digits = static_cast<int>(digit_count(text));
    if (digits > 1 && std::strtof(fmt::format("{:.{}e}", value, digits - 2).c_str(), nullptr) == value) ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("Number text: every FLOAT16 parses to the same value", "[numbers]") {
  std::size_t wrong = 0;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float16 value = half(bits);
    const std::string text = number_text(value);
    if (is_nan(value)) {
      wrong += text != (bits < 0x8000 ? "nan" : "-nan");
    } else if ((bits & 0x7FFF) == 0x7C00) {
      wrong += text != (bits < 0x8000 ? "inf" : "-inf");
    } else {
      // With this library's reader, and directly from the exact decimal number.
      wrong += std::bit_cast<std::uint16_t>(element_of<float16>(text)) != bits;
      wrong += !decimal_range(bits & 0x7FFF).contains(std::abs(std::strtod(text.c_str(), nullptr)));
      wrong += text.starts_with('-') != (bits >= 0x8000);
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("Number text: no text shorter than that of a FLOAT16 parses to the same value", "[numbers]") {
  CHECK(number_text(half(0x2E66)) == "0.1");
  CHECK(number_text(half(0x0001)) == "6e-08");
  CHECK(number_text(half(0x7BFF)) == "65500");
  CHECK(number_text(half(0x3555)) == "0.3333");
  CHECK(number_text(half(0x8000)) == "-0");
  std::vector<std::string> longer;
  for (std::uint32_t bits = 1; bits < 0x7C00; ++bits) {
    const std::string text = number_text(half(bits));
    const std::size_t digits = digit_count(text);
    if (digits > 1 && holds_decimal(decimal_range(bits), digits - 1)) longer.push_back(text);
  }
  CHECK(longer == std::vector<std::string>{});
}

TEST_CASE("Bits text: has as many hexadecimal digits as the type", "[numbers]") {
  CHECK(bits_text(1.0F) == "0x3F800000");
  CHECK(bits_text(-0.0) == "0x8000000000000000");
  CHECK(bits_text(half(0x0001)) == "0x0001");
  CHECK(bits_text(half(0xFE01)) == "0xFE01");
  CHECK(bits_text(std::int8_t{-1}) == "0xFF");
  CHECK(bits_text(std::uint8_t{10}) == "0x0A");
  CHECK(bits_text(std::int32_t{-2}) == "0xFFFFFFFE");
  CHECK(bits_text(std::int64_t{-1}) == "0xFFFFFFFFFFFFFFFF");
}

TEST_CASE("Numbers: a remainder shorter than an element is omitted", "[numbers]") {
  const std::vector<std::byte> bytes(11, std::byte{1});
  std::vector<std::string> seen;
  io::for_each_element(bytes, data_type::uint32,
                       [&](std::size_t i, auto element) { seen.push_back(fmt::format("{}:{}", i, element)); });
  CHECK(seen == std::vector<std::string>{"0:16843009", "1:16843009"});
}
