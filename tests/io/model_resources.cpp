// io/model_resources.hpp: the forms of initial values, the size of a buffer, and what is refused before allocation.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models.hpp"

namespace {

using namespace models;
using namespace std::string_literals;
using namespace std::string_view_literals;
using bytes = std::vector<int>;

// A version 1.0 .npy file of the elements' bytes.
std::string npy_file(data_type type, const std::vector<std::uint64_t>& shape, std::string_view data) {
  const auto file = io::format_npy(type, shape, std::as_bytes(std::span(data)));
  return {reinterpret_cast<const char*>(file.data()), file.size()};
}

std::string refused_in(const temporary_folder& folder, std::string_view members, std::uint64_t max_memory = 1 << 20) {
  io::model_options options = options_in(folder);
  options.max_memory = max_memory;
  return message_of([&] { read(model_text(fmt::format(R"("r": {{ {} }})", members)), options, folder.path()); });
}

std::string refused_over(std::uint64_t max_memory, std::string_view resources) {
  const temporary_folder folder;
  io::model_options options = options_in(folder);
  options.max_memory = max_memory;
  return message_of([&] { read(model_text(resources), options, folder.path()); });
}

}  // namespace

TEST_CASE("Resources: an array of numbers, in every data type", "[resources]") {
  for (const std::string_view type : {"FLOAT32", "FLOAT16", "FLOAT64", "INT8", "INT16", "INT32", "INT64", "UINT8",
                                      "UINT16", "UINT32", "UINT64", "DML_TENSOR_DATA_TYPE_UINT64"}) {
    INFO(type);
    const std::string members =
        fmt::format(R"("initialValuesDataType": "{}", "initialValues": [1, 2.0, 3e0, 127])", type);
    CHECK(printed(members) == "1, 2, 3, 127");
  }
  CHECK(printed(R"("initialValuesDataType": "FLOAT32", "initialValues": [1.5, -0.0, -0, 1e-45])") ==
        "1.5, -0, -0, 1e-45");
  CHECK(bytes_of(R"("initialValuesDataType": "INT16", "initialValues": [258, -2])") == bytes{2, 1, 0xFE, 0xFF});
}

TEST_CASE("Resources: nan and inf as strings in floating types", "[resources]") {
  for (const std::string_view type : {"FLOAT32", "FLOAT16", "FLOAT64"})
    CHECK(printed(fmt::format(
              R"("initialValuesDataType": "{}", "initialValues": ["nan", "inf", "-inf", 1, NaN, -Infinity, 0, 0])",
              type)) == "nan, inf, -inf, 1, nan, -inf, 0, 0");
  CHECK(resource_refusal(R"("initialValuesDataType": "INT32", "initialValues": [1, "nan"])") ==
        "model M2: initialValues is 'nan', wanted an integer (resource 'r')");
}

TEST_CASE("Resources: one value repeated", "[resources]") {
  CHECK(printed(R"("initialValuesDataType": "INT32", "initialValues": { "valueCount": 3, "value": -7 })") ==
        "-7, -7, -7");
  CHECK(printed(R"("initialValuesDataType": "FLOAT16", "initialValues": { "valueCount": 2.0, "value": "inf" })") ==
        "inf, inf");
}

TEST_CASE("Resources: a sequence", "[resources]") {
  CHECK(
      printed(
          R"("initialValuesDataType": "UINT8", "initialValues": { "valueCount": 4, "valueStart": 252, "valueDelta": 1 })") ==
      "252, 253, 254, 255");
  CHECK(
      printed(
          R"("initialValuesDataType": "INT8", "initialValues": { "valueCount": 4, "valueStart": -122, "valueDelta": -2 })") ==
      "-122, -124, -126, -128");
  CHECK(
      printed(
          R"("initialValuesDataType": "UINT64", "initialValues": { "valueCount": 2, "valueStart": 18446744073709551614, "valueDelta": 1 })") ==
      "18446744073709551614, 18446744073709551615");
  CHECK(
      printed(
          R"("initialValuesDataType": "INT64", "initialValues": { "valueCount": 3, "valueStart": -9223372036854775808, "valueDelta": 9223372036854775807 })") ==
      "-9223372036854775808, -1, 9223372036854775806");
  CHECK(
      printed(
          R"("initialValuesDataType": "FLOAT32", "initialValues": { "valueCount": 3, "valueStart": 1, "valueDelta": -0.5 })") ==
      "1, 0.5, 0");
  // Accumulated in the element type.
  CHECK(
      printed(
          R"("initialValuesDataType": "FLOAT32", "initialValues": { "valueCount": 10, "valueStart": 0, "valueDelta": 0.1 })") ==
      "0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.70000005, 0.8000001, 0.9000001");
  const std::string by_0_4 = printed(
      R"("initialValuesDataType": "FLOAT32", "initialValues": { "valueCount": 40, "valueStart": 1, "valueDelta": 0.4 })");
  CHECK(by_0_4.ends_with(", 16.599993"));
  const std::string halves = printed(
      R"("initialValuesDataType": "FLOAT16", "initialValues": { "valueCount": 2052, "valueStart": 0, "valueDelta": 1 })");
  CHECK(halves.ends_with(", 2046, 2047, 2048, 2048, 2048, 2048"));
}

TEST_CASE("M4: a sequence that exceeds its type", "[resources]") {
  const auto refused = [](std::string_view type, std::string_view values) {
    return resource_refusal(fmt::format(R"("initialValuesDataType": "{}", "initialValues": {{ {} }})", type, values));
  };
  CHECK(refused("UINT8", R"("valueCount": 5, "valueStart": 252, "valueDelta": 1)") ==
        "model M4: valueDelta is 1, wanted a sequence in the range of UINT8 (value 4 of it is not; resource 'r')");
  CHECK(refused("UINT8", R"("valueCount": 2, "valueStart": 0, "valueDelta": -1)").substr(0, 8) == "model M4");
  CHECK(refused("INT64", R"("valueCount": 4, "valueStart": 0, "valueDelta": 4611686018427387904)").substr(0, 8) ==
        "model M4");
  // The whole range of a 64-bit type is allowed; a product beyond 64 bits is not mistaken for the largest value.
  CHECK(refused("UINT64", R"("valueCount": 5, "valueStart": 0, "valueDelta": 4611686018427387904)") ==
        "model M4: valueDelta is 4611686018427387904, wanted a sequence in the range of UINT64 (value 4 of it is not; "
        "resource 'r')");
  CHECK(refused("UINT64", R"("valueCount": 4, "valueStart": 0, "valueDelta": 4611686018427387904)").empty());
  CHECK(refused("INT64", R"("valueCount": 4, "valueStart": -9223372036854775808, "valueDelta": 9223372036854775807)") ==
        "model M4: valueDelta is 9223372036854775807, wanted a sequence in the range of INT64 (value 3 of it is not; "
        "resource 'r')");
  CHECK(refused("INT64", R"("valueCount": 3, "valueStart": 9223372036854775807, "valueDelta": -9223372036854775808)") ==
        "model M4: valueDelta is -9223372036854775808, wanted a sequence in the range of INT64 (value 2 of it is not; "
        "resource 'r')");
  CHECK(refused("INT64", R"("valueCount": 2, "valueStart": 9223372036854775807, "valueDelta": -9223372036854775808)")
            .empty());
  CHECK(
      refused("INT32", R"("valueCount": 2, "valueStart": 0, "valueDelta": 0.5)") ==
      "model M4: valueDelta is 0.5, wanted an integer from -9223372036854775808 to 9223372036854775807 (resource 'r')");
  CHECK(
      refused("FLOAT32", R"("valueCount": 3, "valueStart": 3e38, "valueDelta": 3e37)") ==
      "model M4: valueDelta is 3e+37, wanted a sequence in the range of FLOAT32 (value 2 of it is not; resource 'r')");
  CHECK(refused("FLOAT16", R"("valueCount": 3, "valueStart": 65000, "valueDelta": 300)").substr(0, 8) == "model M4");
  CHECK(refused("FLOAT32", R"("valueCount": 1, "valueStart": 0, "valueDelta": 1e39)").substr(0, 8) == "model M4");
  CHECK(refused("FLOAT64", R"("valueCount": 3, "valueStart": 1e308, "valueDelta": 1e308)").substr(0, 8) == "model M4");
  CHECK(refused("FLOAT32", R"("valueCount": 2, "valueStart": 0)") ==
        "model M2: valueDelta is missing, wanted a value (resource 'r')");
  // An explicit infinity is not an overflow.
  CHECK(refused("FLOAT32", R"("valueCount": 3, "valueStart": "inf", "valueDelta": 1)").empty());
  CHECK(
      printed(
          R"("initialValuesDataType": "FLOAT32", "initialValues": { "valueCount": 3, "valueStart": 0, "valueDelta": "-inf" })") ==
      "0, -inf, -inf");
}

TEST_CASE("Resources: mixed constants with type UNKNOWN are contiguous", "[resources]") {
  const std::string constants =
      R"("initialValues": [ { "name": "a", "type": "UINT16", "value": 258 }, { "type": "INT8", "value": -1 },
      { "type": "DML_TENSOR_DATA_TYPE_FLOAT32", "value": 1 }, { "type": "FLOAT16", "value": "-inf" } ])";
  const bytes expected{2, 1, 0xFF, 0, 0, 0x80, 0x3F, 0, 0xFC, 0, 0, 0};
  CHECK(bytes_of(R"("initialValuesDataType": "UNKNOWN", )" + constants) == expected);
  CHECK(bytes_of(constants) == expected);
  const auto refused = [](std::string_view constant) {
    return resource_refusal(fmt::format(R"("initialValuesDataType": "UNKNOWN", "initialValues": [ {} ])", constant));
  };
  CHECK(refused("1") ==
        "model M2: initialValues is 1, wanted objects with type and value, or an initialValuesDataType (resource 'r')");
  CHECK(refused(R"({ "value": 1 })").substr(0, 8) == "model M2");
  CHECK(refused(R"({ "type": "INT8" })").substr(0, 8) == "model M2");
  CHECK(refused(R"({ "type": "UNKNOWN", "value": 1 })").substr(0, 8) == "model M2");
  CHECK(refused(R"({ "type": "UINT4", "value": 1 })").substr(0, 8) == "model M5");
  CHECK(refused(R"({ "type": "INT8", "value": 128 })").substr(0, 8) == "model M4");
}

TEST_CASE("Resources: a .npy file determines the data type", "[resources]") {
  const temporary_folder folder;
  folder.write("v.npy", npy_file(data_type::int16, {2, 1}, "\x02\x01\xFE\xFF"sv));
  CHECK(printed(R"("initialValues": { "sourcePath": "v.npy" })", folder) == "258, -2");
  CHECK(
      printed(
          R"("initialValuesDataType": "INT16", "initialValues": { "sourcePath": "v.npy" }, "initialValuesOffsetInBytes": 2)",
          folder) == "0, 258, -2, 0");
  CHECK(printed(R"("initialValues": { "sourcePath": "./v.npy" }, "sizeInBytes": 12)", folder) == "258, -2, 0, 0, 0, 0");
  CHECK(refused_in(folder, R"("initialValuesDataType": "UINT16", "initialValues": { "sourcePath": "v.npy" })") ==
        "model M4: initialValuesDataType is UINT16, wanted INT16 (the type in the .npy file; resource 'r')");
  folder.write("none.npy", npy_file(data_type::int16, {0}, ""));
  CHECK(refused_in(folder, R"("initialValues": { "sourcePath": "none.npy" })").substr(0, 8) == "model M4");
  folder.write("cut.npy", "\x93NUMPY\x01"sv);
  CHECK(refused_in(folder, R"("initialValues": { "sourcePath": "cut.npy" })").substr(0, 7) == "npy M20");
}

TEST_CASE("Resources: raw bytes of a .dat or .bin file", "[resources]") {
  const temporary_folder folder;
  folder.write("v.bin", "\x02\x01\xFE\xFF\x07\x00"sv);
  folder.write("v.dat", "\x01\x02\x03"sv);
  CHECK(printed(R"("initialValuesDataType": "INT16", "initialValues": { "sourcePath": "v.bin" })", folder) ==
        "258, -2, 7, 0");
  CHECK(printed(R"("initialValuesDataType": "UINT8", "initialValues": { "sourcePath": "v.dat" })", folder) ==
        "1, 2, 3, 0");
  CHECK(
      printed(
          R"("initialValuesDataType": "UINT8", "initialValues": { "sourcePath": "v.dat" }, "initialValuesOffsetInBytes": 1)",
          folder) == "0, 1, 2, 3");
  CHECK(refused_in(folder, R"("initialValuesDataType": "FLOAT32", "initialValues": { "sourcePath": "v.bin" })") ==
        "model M4: sourcePath is 6 bytes, wanted a multiple of 4 (FLOAT32) (resource 'r')");
  CHECK(refused_in(folder, R"("initialValues": { "sourcePath": "v.bin" })") ==
        "model M2: initialValuesDataType is missing or UNKNOWN, wanted the data type of the values (resource 'r')");
  folder.write("none.bin", "");
  CHECK(refused_in(folder, R"("initialValuesDataType": "UINT8", "initialValues": { "sourcePath": "none.bin" })")
            .substr(0, 8) == "model M4");
}

#ifdef __linux__
TEST_CASE("M9: a file that has fewer bytes than it says", "[resources]") {
  const std::string_view shrunk = "/sys/devices/system/cpu/online";  // as a file that is truncated while it is read
  if (!std::filesystem::exists(shrunk)) return;
  const temporary_folder folder;
  io::model_options options = options_in(folder);
  options.allow_outside = true;
  const std::string resource =
      fmt::format(R"("r": {{ "initialValuesDataType": "UINT8", "initialValues": {{ "sourcePath": "{}" }} }})", shrunk);
  CHECK(message_of([&] { read(model_text(resource), options, folder.path()); }) ==
        fmt::format("model M9: sourcePath is 'online', wanted a file of {} bytes that can be read "
                    "(shorter than its size when it was opened; resource 'r')",
                    std::filesystem::file_size(shrunk)));
}
#endif

TEST_CASE("Resources: the buffer is the values rounded up to 4 bytes, or as large as sizeInBytes says", "[resources]") {
  CHECK(bytes_of(R"("initialValuesDataType": "UINT8", "initialValues": [1, 2, 3])") == bytes{1, 2, 3, 0});
  CHECK(bytes_of(R"("initialValuesDataType": "UINT8", "initialValues": [1, 2, 3, 4])") == bytes{1, 2, 3, 4});
  CHECK(bytes_of(R"("initialValuesDataType": "UINT8", "initialValues": [1, 2, 3], "sizeInBytes": 3)") ==
        bytes{1, 2, 3});
  CHECK(bytes_of(R"("initialValuesDataType": "UINT8", "initialValues": [1], "sizeInBytes": 5)") ==
        bytes{1, 0, 0, 0, 0});
  CHECK(bytes_of(R"("initialValuesDataType": "UINT16", "initialValues": [258], "initialValuesOffsetInBytes": 3)") ==
        bytes{0, 0, 0, 2, 1, 0, 0, 0});
  CHECK(
      bytes_of(
          R"("initialValuesDataType": "UINT8", "initialValues": [7], "initialValuesOffsetInBytes": 2, "sizeInBytes": 4)") ==
      bytes{0, 0, 7, 0});
}

TEST_CASE("M6: a buffer smaller than its values", "[resources]") {
  CHECK(resource_refusal(R"("initialValuesDataType": "INT32", "initialValues": [1, 2], "sizeInBytes": 7)") ==
        "model M6: sizeInBytes is 7, wanted at least 8 (8 bytes of values at offset 0; resource 'r')");
  CHECK(
      resource_refusal(
          R"("initialValuesDataType": "UINT8", "initialValues": [1], "initialValuesOffsetInBytes": 4, "sizeInBytes": 4)") ==
      "model M6: sizeInBytes is 4, wanted at least 5 (1 bytes of values at offset 4; resource 'r')");
  CHECK(resource_refusal(R"("initialValuesDataType": "UINT8", "initialValues": [1], "sizeInBytes": 0)").substr(0, 8) ==
        "model M6");
  // The sum of size and offset does not wrap.
  CHECK(
      resource_refusal(
          R"("initialValuesDataType": "UINT8", "initialValues": [1], "initialValuesOffsetInBytes": 18446744073709551615,
                            "sizeInBytes": 8)")
          .substr(0, 8) == "model M6");
}

TEST_CASE("M8: buffers larger than the allowed memory are refused before allocation", "[resources]") {
  const auto refused = [](std::string_view members) {
    return refused_over(1 << 20, fmt::format(R"("r": {{ {} }})", members));
  };
  CHECK(refused(
            R"("initialValuesDataType": "FLOAT32", "initialValues": { "valueCount": 1000000000000000, "value": 0 })") ==
        "model M8: sizeInBytes is 4000000000000000, wanted at most 1048576 (what --max-memory 1048576 leaves; resource "
        "'r')");
  CHECK(
      refused(
          R"("initialValuesDataType": "UINT8", "initialValues": { "valueCount": 1e15, "valueStart": 0, "valueDelta": 0 })")
          .substr(0, 8) == "model M8");
  CHECK(refused(R"("initialValuesDataType": "UINT8", "initialValues": [1], "sizeInBytes": 1000000000000000)")
            .substr(0, 8) == "model M8");
  CHECK(refused(
            R"("initialValuesDataType": "UINT8", "initialValues": [1], "initialValuesOffsetInBytes": 1000000000000000)")
            .substr(0, 8) == "model M8");
  // Sizes that do not fit 64 bits saturate; they are too large for any limit.
  for (const std::uint64_t limit : {std::uint64_t{1} << 20, std::uint64_t{UINT64_MAX}}) {
    const std::string text = refused_over(limit, R"("r": { "initialValuesDataType": "FLOAT64",
        "initialValues": { "valueCount": 18446744073709551615, "value": 0 } })");
    INFO(text);
    CHECK((text.substr(0, 8) == "model M8" || text.substr(0, 8) == "model M6"));
  }
  CHECK(refused_over(UINT64_MAX, R"("r": { "initialValuesDataType": "UINT8",
      "initialValues": { "valueCount": 10000000000000000000, "value": 0 } })")
            .substr(0, 8) == "model M8");
}

TEST_CASE("M8: the limit applies to all buffers together, and is exact", "[resources]") {
  const auto two = [](std::uint64_t first, std::uint64_t second) {
    const auto one = [](std::string_view name, std::uint64_t count) {
      return fmt::format(
          R"("{}": {{ "initialValuesDataType": "UINT8", "initialValues": {{ "valueCount": {}, "value": 1 }} }})", name,
          count);
    };
    return one("a", first) + ", " + one("b", second);
  };
  CHECK(refused_over(1024, two(512, 512)).empty());
  CHECK(refused_over(1024, two(600, 600)) ==
        "model M8: sizeInBytes is 600, wanted at most 424 (what --max-memory 1024 leaves; resource 'b')");
  CHECK(refused_over(1024, two(512, 513)).substr(0, 8) == "model M8");  // rounded up to 516
}

TEST_CASE("M8 and M23: files larger than the allowed memory", "[resources]") {
  const temporary_folder folder;
  folder.write("v.bin", std::string(2000, '\x01'));
  folder.write("v.npy", npy_file(data_type::uint8, {2000}, std::string(2000, '\x01')));
  CHECK(refused_in(folder, R"("initialValuesDataType": "UINT8", "initialValues": { "sourcePath": "v.bin" })", 1999)
            .substr(0, 8) == "model M8");
  CHECK(refused_in(folder, R"("initialValues": { "sourcePath": "v.npy" })", 1999).substr(0, 7) == "npy M23");
  CHECK(refused_in(folder, R"("initialValues": { "sourcePath": "v.npy" }, "sizeInBytes": 4000)", 3999).substr(0, 8) ==
        "model M8");
  CHECK(refused_in(folder, R"("initialValues": { "sourcePath": "v.npy" })", 2000).empty());
}

TEST_CASE("M2: invalid resources", "[resources]") {
  CHECK(resource_refusal(R"("initialValuesDataType": "INT32")") ==
        "model M2: initialValues is missing, wanted a value (resource 'r')");
  CHECK(resource_refusal(R"("initialValuesDataType": "INT32", "initialValues": null)").substr(0, 8) == "model M2");
  CHECK(resource_refusal(R"("initialValuesDataType": "INT32", "initialValues": 5)") ==
        "model M2: initialValues is 5, wanted an array or an object (resource 'r')");
  CHECK(resource_refusal(R"("initialValuesDataType": "INT32", "initialValues": "later")") ==
        "model M2: initialValues is 'later', wanted an array or an object (resource 'r')");
  CHECK(resource_refusal(R"("initialValuesDataType": "INT32", "initialValues": [])").substr(0, 8) == "model M2");
  for (const std::string_view values :
       {R"("valueCount": 1)", R"("valueCount": 1, "value": 1, "valueStart": 1, "valueDelta": 1)",
        R"("valueCount": 1, "value": 1, "sourcePath": "f.npy")"})
    CHECK(resource_refusal(fmt::format(R"("initialValuesDataType": "INT32", "initialValues": {{ {} }})", values)) ==
          "model M2: initialValues is an object, wanted exactly one of value, valueStart and sourcePath in it "
          "(resource 'r')");
  CHECK(resource_refusal(R"("initialValuesDataType": "INT32", "initialValues": { "value": 1 })").substr(0, 8) ==
        "model M2");
  CHECK(resource_refusal(R"("initialValuesDataType": "INT32", "initialValues": [true])").substr(0, 8) == "model M2");
  CHECK(resource_refusal(R"("initialValuesDataType": "REAL", "initialValues": [1])").substr(0, 8) == "model M2");
  CHECK(message_of([] { read(model_text(R"("r": [1, 2])")); }) ==
        "model M2: resource is an array, wanted an object (resource 'r')");
}

TEST_CASE("M4: valueCount 0, and values outside the type", "[resources]") {
  CHECK(resource_refusal(R"("initialValuesDataType": "INT32", "initialValues": { "valueCount": 0, "value": 1 })") ==
        "model M4: valueCount is 0, wanted at least 1 (resource 'r')");
  for (const auto& [type, value] :
       {std::pair{"UINT8", "256"}, {"UINT8", "-1"}, {"INT32", "1.5"}, {"FLOAT32", "1e39"}, {"FLOAT16", "65520"}})
    CHECK(resource_refusal(fmt::format(R"("initialValuesDataType": "{}", "initialValues": [0, {}])", type, value))
              .substr(0, 8) == "model M4");
}

TEST_CASE("M5: features that only DxDispatch has", "[resources]") {
  CHECK(resource_refusal(R"("initialValuesDataType": "INT32", "initialValues": "deferred")") ==
        "model M5: initialValues is 'deferred', wanted values (goldml has no deferred resources) (resource 'r')");
  CHECK(resource_refusal(R"("initialValuesDataType": "UINT4", "initialValues": [1])").substr(0, 8) == "model M5");
  CHECK(
      resource_refusal(
          R"("initialValuesDataType": "FLOAT32", "resampleMode": "nearest", "initialValues": { "sourcePath": "a.png" })") ==
      "model M5: resource is 'resampleMode', wanted values or a file of values (goldml reads no images) (resource "
      "'r')");
  const temporary_folder folder;
  folder.write("a.png", "png");
  CHECK(refused_in(folder, R"("initialValuesDataType": "UINT8", "initialValues": { "sourcePath": "a.png" })") ==
        "model M5: sourcePath is 'a.png', wanted a .npy, .dat or .bin file (goldml has no images; resource 'r')");
}

TEST_CASE("Resources: unknown members are reported and ignored", "[resources]") {
  const auto result = read(model_text(R"(
      "a": { "initialValuesDataType": "INT32", "initialValues": { "valueCount": 1, "value": 9, "step": 2 }, "usage": 1 },
      "b": { "initialValues": [ { "type": "INT8", "value": 1, "note": "" } ] })"));
  CHECK(result.model.resources.size() == 2);
  CHECK(result.warnings == std::vector<std::string>{"unknown member 'usage' of resource 'a' is ignored",
                                                    "unknown member 'step' of resource 'a' is ignored",
                                                    "unknown member 'note' of resource 'b' is ignored"});
}
