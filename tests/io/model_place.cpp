// io/model_place.hpp: line, column and path of each value of a JSON text.
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <goldml/io/model_place.hpp>

#include "models.hpp"

namespace {

using namespace goldml;
using namespace std::string_view_literals;

// The places of all values, in the order of the text: "1:2 a[0]".
void append_places(std::string_view text, const io::json& document, const io::json& value,
                   std::vector<std::string>& places) {
  const io::model_place place = io::place_of_value(text, document, value, "");
  places.push_back(fmt::format("{}:{} {}", place.line, place.column, place.path));
  if (value.IsObject())
    for (const auto& member : io::members_of(value)) append_places(text, document, member.value, places);
  if (value.IsArray())
    for (const io::json& entry : value.GetArray()) append_places(text, document, entry, places);
}

std::vector<std::string> places_in(std::string_view text) {
  const auto document = io::parse_json(text);
  std::vector<std::string> places;
  append_places(text, document, document, places);
  return places;
}

using list = std::vector<std::string>;

}  // namespace

TEST_CASE("places: values of every kind", "[model_place]") {
  CHECK(places_in("7") == list{"1:1 "});
  CHECK(places_in("\"x\"") == list{"1:1 "});
  CHECK(places_in("[1, -2.5e3,\"x\",true ,null,[ ],{}]") ==
        list{"1:1 ", "1:2 [0]", "1:5 [1]", "1:12 [2]", "1:16 [3]", "1:22 [4]", "1:27 [5]", "1:31 [6]"});
  CHECK(places_in("{\"a\":{\"b\":[{\"c\":0}]},\n \"d\" : 1}") ==
        list{"1:1 ", "1:6 a", "1:11 a.b", "1:12 a.b[0]", "1:17 a.b[0].c", "2:8 d"});
}

TEST_CASE("places: after the last value the scanner stays at the end", "[model_place]") {
  io::detail::value_scanner scanner("[\"a\", 7] // end");
  for (const std::size_t offset : {0U, 1U, 6U, 15U, 15U}) CHECK(scanner.next() == offset);
}

TEST_CASE("places: a byte order mark, line ends and comments", "[model_place]") {
  CHECK(places_in("\xEF\xBB\xBF[1]") == list{"1:1 ", "1:2 [0]"});
  CHECK(places_in("[\r\n  1,\r\n  2\r\n]") == list{"1:1 ", "2:3 [0]", "3:3 [1]"});
  CHECK(places_in("// [0]\n/* \"x\":\n 1 **/ [ /**/ 1/**/, // 2\n 3,]") == list{"3:8 ", "3:15 [0]", "4:2 [1]"});
  CHECK(places_in("{\"a\" /* : */ : // : {\n NaN, \"b\": -Infinity,}") == list{"1:1 ", "2:2 a", "2:12 b"});
}

TEST_CASE("places: strings with quotes, colons, brackets and comments in them", "[model_place]") {
  CHECK(places_in(R"(["a\"b", "\\", ":", "[{", "//", "/*", "\u0022", 1])") ==
        list{"1:1 ", "1:2 [0]", "1:10 [1]", "1:16 [2]", "1:21 [3]", "1:27 [4]", "1:33 [5]", "1:39 [6]", "1:49 [7]"});
  CHECK(places_in(R"({"a\"b": 1, "c\\":2})") == list{"1:1 ", "1:10 ['a\"b']", "1:19 ['c\\']"});
}

TEST_CASE("places: names that are not identifiers are in quotes, short and safe for terminals", "[model_place]") {
  CHECK(places_in("{\"a b\": {\"\": 1}, \"7\": 2, \"a7_\": 3}") ==
        list{"1:1 ", "1:9 ['a b']", "1:14 ['a b']['']", "1:23 ['7']", "1:33 a7_"});
  CHECK(places_in("{\"\\u001b[31m\\n\\u202e\": 1}").back() ==
        "1:24 ['?[31m?"
        "?']");
  CHECK(places_in("{\"" + std::string(1000, 'x') + "\": 1}").back() == "1:1006 ['" + std::string(60, 'x') + "...']");
}

TEST_CASE("places: in a large text, and in a deep one", "[model_place]") {
  std::string text = "[";
  for (int i = 0; i < 100'000; ++i) text += "\n{\"v\":[1,\"2\"]},";
  text += "\n 5]";
  const auto document = io::parse_json(text);
  const io::model_place place = io::place_of_value(text, document, document[100'000], "m.json");
  CHECK(to_string(place) == "m.json:100002:2: [100000]");
  const std::string deep = std::string(63, '[') + "7" + std::string(63, ']');
  CHECK(places_in(deep).size() == 64);
  CHECK(places_in(deep).back().starts_with("1:64 [0][0]"));
}

TEST_CASE("places: of several values in any order, and of the same twice", "[model_place]") {
  const std::string_view text = "[1,\n2,\n [3, {\"a\": 4}]]";
  const auto document = io::parse_json(text);
  const io::json& inner = document[2];
  const std::vector<const io::json*> values{&inner[1]["a"], &document, &inner, nullptr, &document[0], &inner};
  list places;
  for (const io::model_place& place : io::places_of_values(text, document, values, "m"))
    places.push_back(to_string(place));
  CHECK(places == list{"m:3:12: [2][1].a", "m:1:1", "m:3:2: [2]", "", "m:1:2: [0]", "m:3:2: [2]"});
  CHECK(io::places_of_values(text, document, {}, "m").empty());
}

TEST_CASE("places: a value of another document has none", "[model_place]") {
  const auto document = io::parse_json("[1]");
  const auto other = io::parse_json("[1]");
  CHECK(to_string(io::place_of_value("[1]", document, other[0], "m.json")).empty());
}

TEST_CASE("places: of what validation finds", "[model_place]") {
  const std::string text = models::model_text(
      R"("r": { "initialValuesDataType": "INT8", "initialValues": [1, 2, 3, 4] })",
      R"("a": { "type": "JOIN", "Desc": { "InputTensors": [{ "DataType": "INT8", "DimensionCount": 1, "Sizes": [2] },
  { "DataType": "INT8", "Sizes": [2, 1] }], "OutputTensor": { "Type": "BUFFER",
  "Desc": { "DataType": "INT8", "Sizes": [4] } }, "Axis": 0 } })",
      R"({ "type": "print", "resource": "r" })");
  const io::model m = io::parse_model(text, {}, {});
  io::model_places places(m);
  const auto path = [&](violation v) { return places.of("a", v).path; };
  const auto made = [](std::string_view operand, std::string_view member) {
    violation v{};
    v.operand = operand;
    v.member = member;
    return v;
  };
  CHECK(path(made("OutputTensor", "Sizes")) == "dispatchables.a.Desc.OutputTensor.Desc.Sizes");
  CHECK(path(made("OutputTensor", "Strides")) == "dispatchables.a.Desc.OutputTensor.Desc");
  CHECK(path(made("OutputTensor", "DimensionCount")) == "dispatchables.a.Desc.OutputTensor.Desc.Sizes");
  CHECK(path(made("", "Axis")) == "dispatchables.a.Desc.Axis");
  CHECK(path(made("InputTensors", "Sizes")) == "dispatchables.a.Desc.InputTensors");  // of no element
  violation first = made("InputTensors", "DimensionCount");
  first.element = 0;
  CHECK(path(first) == "dispatchables.a.Desc.InputTensors[0].DimensionCount");
  violation indexed = made("", "Axis");
  indexed.index = 0;
  CHECK(path(indexed) == "dispatchables.a.Desc.Axis");  // which is no list
  CHECK(places.of(std::vector<std::pair<std::string_view, violation>>{}).empty());
  CHECK(path(made("", "type")) == "dispatchables.a.type");
  CHECK(path(made("", "feature level")) == "dispatchables.a.Desc");
  CHECK(path(made("None", "")) == "dispatchables.a.Desc");
  violation second = made("InputTensors", "Sizes");
  second.element = 1;
  second.index = 1;
  CHECK(path(second) == "dispatchables.a.Desc.InputTensors[1].Sizes[1]");
  CHECK(places.of("a", second).line == 2);
  second.index = 9;
  CHECK(path(second) == "dispatchables.a.Desc.InputTensors[1].Sizes");
  CHECK(places.of("b", second).line == 0);
  CHECK(places.of_command(0, "resource").path == "commands[0].resource");
  CHECK(places.of_command(0, "targetPath").path == "commands[0]");
  CHECK(places.of_command(7).path == "commands");
  CHECK(places.of_command(0).path == "commands[0]");
  CHECK(io::model_places(io::model()).of("a", second).line == 0);
  CHECK(io::model_places(io::model()).of_command(0).line == 0);
}
