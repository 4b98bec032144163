// io/json.hpp: extensions of the standard, numbers without loss, and M1 with line and column.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/io/json.hpp>

#include "../catch.hpp"

namespace {

using namespace goldml;
using namespace std::string_literals;
using namespace std::string_view_literals;
using io::parse_json;

std::string message_of(std::string_view text) {
  try {
    (void)parse_json(text);
  } catch (const error& refusal) {
    CHECK(refusal.violation().rule == "M1");
    return refusal.what();
  }
  return "taken";
}

// Checks that the text is refused at this position, with a message of one line.
void check_refused_at(std::string_view text, std::size_t line, std::size_t column) {
  const std::string message = message_of(text);
  INFO(message);
  CHECK(message.starts_with(fmt::format("line {}, column {}: model M1: JSON is malformed: ", line, column)));
  CHECK(message.ends_with(", wanted a DxDispatch model"));
  CHECK(message.find('\n') == std::string::npos);
}

template <class Call>
std::string refusal_text(Call&& call) {
  try {
    call();
  } catch (const error& refusal) {
    return refusal.what();
  }
  return "";
}

template <class T>
T integer(std::string_view text) {
  return io::to_integer<T>(parse_json(text), "n", "here");
}

template <class T>
std::string integer_rule(std::string_view text) {
  return refusal_of([&] { integer<T>(text); });
}

// The lowest and the highest value are accepted, one less and one more are not.
template <class T>
void check_integer_range(std::string_view below, std::string_view lowest, std::string_view highest,
                         std::string_view above) {
  INFO(below);
  CHECK(integer<T>(lowest) == std::numeric_limits<T>::lowest());
  CHECK(integer<T>(highest) == (std::numeric_limits<T>::max)());
  CHECK(integer_rule<T>(below) == "M4");
  CHECK(integer_rule<T>(above) == "M4");
}

std::string nested(std::size_t depth, std::string_view open, std::string_view close) {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) text += open;
  for (std::size_t i = 0; i < depth; ++i) text += close;
  return text;
}

}  // namespace

TEST_CASE("JSON: comments, trailing commas and a byte order mark are accepted", "[json]") {
  const auto document = parse_json(
      "\xEF\xBB\xBF// first\r\n{ /* a\nb **/ \"a\" /**/ : [1, 2, /* three */ 3, ], // rest\n \"b\": {\"c\": \"//\",}, "
      "} /**/ // end");
  REQUIRE(document.IsObject());
  CHECK(document.MemberCount() == 2);
  CHECK(document["a"].Size() == 3);
  CHECK(document["b"]["c"] == "//");
}

TEST_CASE("JSON: NaN and infinities are accepted as JavaScript writes them", "[json]") {
  const auto document = parse_json("[NaN, Infinity, -Infinity, Inf, -Inf]");
  CHECK(std::isnan(document[0].GetDouble()));
  for (const unsigned i : {1U, 3U}) CHECK(document[i].GetDouble() == std::numeric_limits<double>::infinity());
  for (const unsigned i : {2U, 4U}) CHECK(document[i].GetDouble() == -std::numeric_limits<double>::infinity());
  for (const std::string_view other : {"nan", "inf", "+Infinity", "Infinit", "NAN"}) {
    INFO(other);
    CHECK(message_of(other) != "taken");
  }
}

TEST_CASE("JSON: 64-bit integers are exact, larger ones are doubles", "[json]") {
  CHECK(parse_json("9223372036854775807").GetInt64() == INT64_MAX);
  CHECK(parse_json("-9223372036854775808").GetInt64() == INT64_MIN);
  CHECK_FALSE(parse_json("9223372036854775808").IsInt64());
  CHECK(parse_json("9223372036854775808").GetUint64() == std::uint64_t{1} << 63);
  CHECK(parse_json("18446744073709551615").GetUint64() == UINT64_MAX);
  CHECK_FALSE(parse_json("18446744073709551616").IsUint64());
  CHECK(parse_json("18446744073709551616").GetDouble() == 18446744073709551616.0);
  CHECK(parse_json("-9223372036854775809").GetDouble() == -9223372036854775808.0);
}

TEST_CASE("JSON: minus zero keeps its sign, with or without a point", "[json]") {
  for (const std::string_view text : {"-0", "-0.0", "-0e0"}) {
    INFO(text);
    const double number = parse_json(text).GetDouble();
    CHECK(number == 0);
    CHECK(std::signbit(number));
  }
  CHECK_FALSE(std::signbit(parse_json("0").GetDouble()));
  CHECK_FALSE(std::signbit(parse_json("0.0").GetDouble()));
}

TEST_CASE("JSON: doubles are rounded correctly", "[json]") {
  CHECK(parse_json("0.1").GetDouble() == 0.1);
  CHECK(parse_json("5e-324").GetDouble() == std::numeric_limits<double>::denorm_min());
  CHECK(parse_json("1.7976931348623157e308").GetDouble() == (std::numeric_limits<double>::max)());
  // Above the midpoint of 1 and the next double only in the 40th digit.
  CHECK(parse_json("1.0000000000000001110223024625156540423631668090820312501").GetDouble() == 1 + 0x1p-52);
  CHECK(parse_json("1.00000000000000011102230246251565404236316680908203125").GetDouble() == 1.0);
}

TEST_CASE("M1: numbers too large for a double", "[json]") {
  for (const std::string_view text : {"1e400", "-1e400", "1e-400", "1e99999999999999999999", "1e-99999999999999999999"})
    check_refused_at(text, 1, 1);
  check_refused_at("1" + std::string(400, '0'), 1, 1);
  check_refused_at("[\n\n  1e999, 2]", 3, 3);
}

TEST_CASE("M1: numbers that are not valid JSON", "[json]") {
  for (const std::string_view text : {"+1", ".5", "1.", "01", "0x10", "1e", "-", "1_000"}) {
    INFO(text);
    CHECK(message_of(fmt::format("[{}]", text)) != "taken");
  }
}

TEST_CASE("M1: line and column, from 1, in bytes", "[json]") {
  check_refused_at("x", 1, 1);
  check_refused_at("[1, x]", 1, 5);
  check_refused_at("[\n  1,\n  x\n]", 3, 3);
  check_refused_at("[\"\xC3\xA9\", x]", 1, 8);              // two bytes are one character
  check_refused_at("// one\n/* two\nthree */ [x]", 3, 11);  // lines in comments count
  check_refused_at("{\"a\": 1,\n{\"a\": 1}", 2, 1);
}

TEST_CASE("M1: line and column with CRLF line ends", "[json]") {
  check_refused_at("[\r\n  1,\r\n  x\r\n]", 3, 3);
  check_refused_at("[1,\r\n2\r\n", 3, 1);
}

TEST_CASE("M1: line and column at the end of the text", "[json]") {
  check_refused_at("", 1, 1);
  check_refused_at(" ", 1, 2);
  check_refused_at("{\"a\": [1, 2", 1, 12);
  check_refused_at("{\n\"a\": [1, 2\n", 3, 1);
  check_refused_at("{\n\"a\": \"b", 2, 8);
  check_refused_at("[1\n/* no end", 2, 10);
}

TEST_CASE("M1: a byte order mark is not counted in columns", "[json]") {
  check_refused_at("\xEF\xBB\xBF[x]", 1, 2);
  check_refused_at("\xEF\xBB\xBF\n[x]", 2, 2);
  check_refused_at("\xEF\xBB\xBF", 1, 1);
  check_refused_at("\xEF\xBB\xBF\xEF\xBB\xBF[]", 1, 1);  // only one is accepted
}

TEST_CASE("M1: a duplicate key in an object", "[json]") {
  check_refused_at("{\"a\": 1, \"a\": 2}", 1, 13);
  check_refused_at("{\"a\": 1,\n \"\\u0061\": 1}", 2, 10);
  check_refused_at("[{}, {\"b\": {\"c\": 1, \"d\": 2, \"c\": 3}}]", 1, 32);  // where the key ends
  CHECK(message_of("{\"a\": 1, \"a\": 1}").find("duplicate key 'a'") != std::string::npos);
  // The same key in another object, and keys that differ after a NUL.
  CHECK(message_of("{\"a\": {\"a\": 1, \"b\": {\"a\": 1}}, \"b\": [{\"a\": 1}, {\"a\": 1}]}") == "taken");
  CHECK(message_of("{\"a\\u0000b\": 1, \"a\\u0000c\": 1, \"a\": 1}") == "taken");
}

TEST_CASE("M1: nesting beyond 64 levels", "[json]") {
  CHECK(message_of(nested(64, "[", "]")) == "taken");
  CHECK(message_of(nested(63, "{\"a\":", "}").insert(63 * 5, "0")) == "taken");
  check_refused_at(nested(65, "[", "]"), 1, 65);
  check_refused_at(nested(100000, "[", "]"), 1, 65);
  check_refused_at(nested(100000, "{\"a\":", "}"), 1, 64 * 5 + 1);
  check_refused_at(std::string(100000, '['), 1, 65);
  check_refused_at(nested(100000, "[{\"a\":", "}]"), 1, 32 * 6 + 1);
  CHECK(message_of(std::string(100000, '[')).find("nesting is too deep") != std::string::npos);
}

TEST_CASE("M1: text that is not UTF-8", "[json]") {
  for (const std::string_view bytes : {"\xFF"sv, "\xC0\x80"sv, "\xE2\x82"sv, "\xED\xA0\x80"sv, "\xF4\x90\x80\x80"sv}) {
    CHECK(message_of("[\"" + std::string(bytes) + "\"]") != "taken");
    CHECK(message_of("{\"" + std::string(bytes) + "\": 1}") != "taken");
  }
  check_refused_at("[\n\"a\xFF\"]", 2, 3);
  CHECK(message_of("[\"\xF0\x9F\x98\x80 \xE2\x82\xAC \xC3\xA9\"]") == "taken");
}

TEST_CASE("M1: an escaped unpaired surrogate", "[json]") {
  for (const std::string_view half : {"\\ud800", "\\udbff", "\\udc00", "\\udfff", "\\ude00\\ud83d"}) {
    INFO(half);
    CHECK(message_of("[\"" + std::string(half) + "\"]") != "taken");
    CHECK(message_of("{\"" + std::string(half) + "\": 1}") != "taken");
  }
  CHECK(io::text_of(parse_json("\"\\ud83d\\ude00\"")) == "\xF0\x9F\x98\x80");
  CHECK(io::text_of(parse_json("\"\\ud7ff\"")) == "\xED\x9F\xBF");  // the last before the surrogates
}

TEST_CASE("JSON: what follows the first value is not read", "[json]") {
  for (const std::string_view rest :
       {" [2]"sv, "}"sv, "\0[2]"sv, "\n\0"sv, "/* no end"sv, "\xFF"sv, " \"\\ud800\""sv}) {
    std::size_t end = 0;
    const std::string text = "[1]" + std::string(rest);
    CHECK(parse_json(text, "", &end).Size() == 1);
    CHECK(end == 3);
  }
  std::size_t end = 0;
  parse_json("\xEF\xBB\xBF {} x", "", &end);
  CHECK(end == 6);
}

TEST_CASE("M1: a NUL in the value", "[json]") {
  CHECK(message_of("[1 \0]"sv) != "taken");
  CHECK(message_of("// a\0\n[1]"sv) != "taken");
}

TEST_CASE("M1: the message contains no control characters", "[json]") {
  for (const std::string_view key : {"\\u001b[31m", "a\\nb", "\\u007f", "\\u009b31m", "\\u0085"}) {
    const std::string message = message_of(fmt::format("{{\"{0}\": 1, \"{0}\": 1}}", key));
    INFO(message);
    CHECK(message.find("duplicate key") != std::string::npos);
    for (const char c : message) CHECK((static_cast<unsigned char>(c) >= 0x20 && c != 0x7F));
    CHECK(message.find("\xC2") == std::string::npos);
  }
}

TEST_CASE("JSON: quoted text is truncated between characters, at 60 bytes", "[json]") {
  CHECK(io::in_quotes(std::string(60, 'a')) == "'" + std::string(60, 'a') + "'");
  CHECK(io::in_quotes(std::string(61, 'a')) == "'" + std::string(60, 'a') + "...'");
  CHECK(io::in_quotes(std::string(59, 'a') + "\xC3\xA9") == "'" + std::string(59, 'a') + "...'");
  CHECK(io::in_quotes("\xC3\xA9") == "'\xC3\xA9'");
}

TEST_CASE("JSON: a member that is null counts as absent", "[json]") {
  const auto object = parse_json("{\"a\": null, \"b\": 0}");
  CHECK(io::find_member(object, "a") == nullptr);
  CHECK(io::find_member(object, "c") == nullptr);
  REQUIRE(io::find_member(object, "b") != nullptr);
  CHECK(refusal_text([&] { io::required_member(object, "a", "place"); }) ==
        "model M2: a is missing, wanted a value (place)");
}

TEST_CASE("M2: a member of another kind is reported with its kind", "[json]") {
  const auto object = parse_json(
      "{\"s\": \"text\", \"n\": -1, \"u\": 18446744073709551615, \"d\": 1.5, \"t\": true, \"f\": false, \"a\": [], "
      "\"o\": {}}");
  const auto text = [&](std::string_view name) {
    return refusal_text([&] { io::required_text(object, name, "place"); });
  };
  CHECK(text("s").empty());
  CHECK(text("n") == "model M2: n is -1, wanted a string (place)");
  CHECK(text("u") == "model M2: u is 18446744073709551615, wanted a string (place)");
  CHECK(text("d") == "model M2: d is 1.5, wanted a string (place)");
  CHECK(text("t") == "model M2: t is true, wanted a string (place)");
  CHECK(text("f") == "model M2: f is false, wanted a string (place)");
  CHECK(text("a") == "model M2: a is an array, wanted a string (place)");
  CHECK(text("o") == "model M2: o is an object, wanted a string (place)");
  CHECK(refusal_text([&] { io::required_object(object, "s", "place"); }) ==
        "model M2: s is 'text', wanted an object (place)");
  CHECK(refusal_text([&] { io::required_array(object, "o", "place"); }) ==
        "model M2: o is an object, wanted an array (place)");
}

TEST_CASE("JSON: a member with nearly the missing name is named", "[json]") {
  const auto instead = [](std::string_view object, std::string_view name) {
    return io::instead_of(parse_json(object), name);
  };
  CHECK(instead(R"({"": 1, "axis": 0, "x": 2})", "Axes") == "'axis' is there: did you mean 'Axes'?");
  CHECK(instead(R"({"": 1, "x": 2})", "Axes") == "");
  // Three edits are another name.
  CHECK(instead(R"({"InputWindowSizes": [1]})", "InputWindowStrides") == "");
  CHECK(instead(R"({"InputWindowStrid": [1]})", "InputWindowStrides") ==
        "'InputWindowStrid' is there: did you mean 'InputWindowStrides'?");
}

TEST_CASE("M4: integers outside their type", "[json]") {
  check_integer_range<std::int8_t>("-129", "-128", "127", "128");
  check_integer_range<std::uint8_t>("-1", "0", "255", "256");
  check_integer_range<std::int16_t>("-32769", "-32768", "32767", "32768");
  check_integer_range<std::uint16_t>("-1", "0", "65535", "65536");
  check_integer_range<std::int32_t>("-2147483649", "-2147483648", "2147483647", "2147483648");
  check_integer_range<std::uint32_t>("-1", "0", "4294967295", "4294967296");
  check_integer_range<std::int64_t>("-9223372036854775809", "-9223372036854775808", "9223372036854775807",
                                    "9223372036854775808");
  check_integer_range<std::uint64_t>("-1", "0", "18446744073709551615", "18446744073709551616");
  CHECK(refusal_text([] { integer<std::uint8_t>("256"); }) ==
        "model M4: n is 256, wanted an integer from 0 to 255 (here)");
}

TEST_CASE("JSON: a whole number with a point or an exponent is an integer", "[json]") {
  CHECK(integer<std::int32_t>("3.0") == 3);
  CHECK(integer<std::int32_t>("-25e1") == -250);
  CHECK(integer<std::uint8_t>("2.55e2") == 255);
  CHECK(integer<std::uint32_t>("-0.0") == 0);
  CHECK(integer<std::uint32_t>("-0") == 0);
  CHECK(integer<std::int64_t>("9007199254740991.0") == 9007199254740991);  // 2^53-1
  for (const std::string_view text : {"1.5", "-0.5", "1e-300", "NaN", "Infinity", "-Infinity", "1e300"})
    CHECK(integer_rule<std::int32_t>(text) == "M4");
  CHECK(integer_rule<std::int64_t>("9007199254740992.0") == "M4");  // 2^53+1 would be parsed as this value
  CHECK(integer_rule<std::uint8_t>("256.0") == "M4");
}

TEST_CASE("M2: a value that is not a number is not an integer", "[json]") {
  for (const std::string_view text : {"\"3\"", "true", "null", "[3]", "{}"})
    CHECK(integer_rule<std::int32_t>(text) == "M2");
  const auto object = parse_json("{\"a\": 7, \"b\": null, \"c\": \"7\"}");
  CHECK(io::integer_or<int>(object, "a", 1, "here") == 7);
  CHECK(io::integer_or<int>(object, "b", 1, "here") == 1);
  CHECK(io::integer_or<int>(object, "z", 1, "here") == 1);
  CHECK(refusal_of([&] { io::integer_or<int>(object, "c", 1, "here"); }) == "M2");
}

TEST_CASE("JSON: unknown members are reported by name", "[json]") {
  std::vector<std::string> warnings;
  const auto warn = [&](std::string_view text) { warnings.emplace_back(text); };
  const auto object = parse_json("{\"a\": 7, \"b\\u001b\": null, \"c\": 1}");
  io::warn_unknown(object, {"a", "z"}, "the place", warn);
  CHECK(warnings == std::vector<std::string>{"unknown member 'b?' of the place is ignored",
                                             "unknown member 'c' of the place is ignored"});
  io::warn_unknown(object, {}, "the place", nullptr);  // without a callback
  // Of many, the first hundred are compared with known names.
  warnings.clear();
  std::string many;
  for (int i = 0; i < 99; ++i) many += fmt::format("\"x{}\": 0, ", i);
  io::warn_unknown(parse_json("{" + many + "\"valuf\": 0, \"valug\": 0}"), {"value"}, "the place", warn);
  REQUIRE(warnings.size() == 101);
  CHECK(warnings[99] == "unknown member 'valuf' of the place is ignored: did you mean 'value'?");
  CHECK(warnings[100] == "unknown member 'valug' of the place is ignored");
}
