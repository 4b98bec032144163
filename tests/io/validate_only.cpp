// Models read with validate_only: buffers are not allocated, so that no memory limit hides a broken rule; the text is
// checked nevertheless.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../allocations.hpp"
#include "models.hpp"

namespace {

using namespace models;

io::model_options validating(const temporary_folder& folder, std::uint64_t max_memory = 1 << 20) {
  io::model_options options = options_in(folder);
  options.max_memory = max_memory;
  options.validate_only = true;
  return options;
}

// "T6 T12 ": the codes that validate_model() names.
std::string codes(std::string_view text, const io::model_options& options, const std::filesystem::path& folder = {}) {
  io::model m = io::parse_model(text, folder, options);
  std::string rules;
  io::validate_model(m, [&](std::string_view, const violation& v) { rules += std::string(v.rule) + " "; });
  return rules;
}

// An ARGMIN over axis 1 of UINT8 {rows,columns} from 'in' to 'out'.
std::string argmin_model(std::uint64_t rows, std::uint64_t columns, std::string_view in, std::string_view out) {
  return model_text(
      fmt::format(R"("in": {{ {} }}, "out": {{ {} }})", in, out),
      fmt::format(R"("op": {{ "type": "ARGMIN", "InputTensor": {{ "DataType": "UINT8", "Sizes": [{0},{1}] }},
                      "OutputTensor": {{ "DataType": "UINT32", "Sizes": [{0},1] }}, "Axes": [1], "AxisDirection": 0 }})",
                  rows, columns),
      R"({ "type": "dispatch", "dispatchable": "op",
                         "bindings": { "InputTensor": "in", "OutputTensor": "out" } })");
}

std::string constant(std::string_view type, std::uint64_t count) {
  return fmt::format(R"("initialValuesDataType": "{}", "initialValues": {{ "valueCount": {}, "value": 0 }})", type,
                     count);
}

// The refusal of a resource with these values when it is only validated.
std::string refused(std::string_view type, std::string_view values, std::uint64_t max_memory = 1 << 20) {
  const temporary_folder folder;
  return message_of([&] {
    io::parse_model(
        model_text(fmt::format(R"("r": {{ "initialValuesDataType": "{}", "initialValues": {} }})", type, values)),
        folder.path(), validating(folder, max_memory));
  });
}

}  // namespace

TEST_CASE("validate_only: no limit on memory hides T6", "[validate_only]") {
  const temporary_folder folder;
  const std::string text = argmin_model(65536, 65536, constant("UINT8", 4), constant("UINT32", 65536));
  io::model_options options = validating(folder, 4096);
  CHECK(codes(text, options) == "T6 ");
  options.validate_only = false;
  CHECK(message_of([&] { io::parse_model(text, folder.path(), options); }).starts_with("model M8: tensors is "));
}

TEST_CASE("validate_only: buffers of any size are bound and validated, and none is allocated", "[validate_only]") {
  const temporary_folder folder;
  const io::model_options options = validating(folder, 4096);
  const std::uint64_t rows = 60'000;
  const std::string legal = argmin_model(rows, 65'536, constant("UINT8", rows * 65'536), constant("UINT32", rows));
  const std::size_t before = allocated_bytes;
  CHECK(codes(legal, options) == "");
  CHECK(allocated_bytes - before < 256 * 1024);
  const std::string short_by_a_row =
      argmin_model(rows, 65'536, constant("UINT8", (rows - 1) * 65'536), constant("UINT32", rows));
  CHECK(codes(short_by_a_row, options) == "T12 ");
  CHECK(
      codes(argmin_model(2, 3, constant("UINT8", 4) + R"(, "sizeInBytes": 1000000000000000000)", constant("UINT32", 2)),
            options) == "");
  // A range at an odd place of a buffer that is not there.
  std::string range = legal;
  range.replace(range.find(R"("InputTensor": "in")"), 19,
                R"("InputTensor": { "name": "in", "elementOffset": 8, "elementSizeInBytes": 1 })");
  CHECK(codes(range, options) == "T12 T12 ");  // the size and the offset
}

TEST_CASE("validate_only: values in the text are checked", "[validate_only]") {
  CHECK(refused("UINT8", "[1, 255, 256]") ==
        "model M4: initialValues is 256, wanted an integer from 0 to 255 (resource 'r')");
  CHECK(refused("UNKNOWN", R"([{ "type": "INT8", "value": -129 }])").starts_with("model M4"));
  CHECK(refused("FLOAT16", R"({ "valueCount": 1000000000000, "value": 70000 })").starts_with("model M4"));
  CHECK(refused("INT32", R"({ "valueCount": 1000000000000, "value": 7 })").empty());
  // Integer sequences of any length, without a step through them.
  CHECK(refused("UINT64", R"({ "valueCount": 1000000000000000000, "valueStart": 5, "valueDelta": 18 })").empty());
  CHECK(refused("UINT64", R"({ "valueCount": 1000000000000000000, "valueStart": 5, "valueDelta": 19 })") ==
        "model M4: valueDelta is 19, wanted a sequence in the range of UINT64 (value 970881267037344822 of it is not; "
        "resource 'r')");
  CHECK(refused("INT8", R"({ "valueCount": 4, "valueStart": 125, "valueDelta": 1 })") ==
        "model M4: valueDelta is 1, wanted a sequence in the range of INT8 (value 3 of it is not; resource 'r')");
  CHECK(refused("INT8", R"({ "valueCount": 3, "valueStart": 125, "valueDelta": 1 })").empty());
  CHECK(refused("INT8", R"({ "valueCount": 1, "valueStart": 127, "valueDelta": 1 })").empty());
  // Sequences of floats: as far as a buffer within the limit goes.
  CHECK(refused("FLOAT32", R"({ "valueCount": 3, "valueStart": 3e38, "valueDelta": 3e37 })").starts_with("model M4"));
  CHECK(refused("FLOAT32", R"({ "valueCount": 3, "valueStart": 3e38, "valueDelta": 3e37 })", 8).empty());
  CHECK(refused("FLOAT16", R"({ "valueCount": 1000000000000, "valueStart": 0, "valueDelta": 1 })").empty());
  CHECK(refused("FLOAT64", R"({ "valueCount": 1000000000000, "valueStart": 0, "valueDelta": 1 })").empty());
}

TEST_CASE("C4: validate_only: the sequences of a model are checked as far as one limit goes for all",
          "[validate_only]") {
  const temporary_folder folder;
  const auto refused_with = [&](std::uint64_t max_memory) {
    constexpr std::string_view sequence =
        R"({ "initialValuesDataType": "FLOAT64", "initialValues": { "valueCount": 3, "valueStart": 1.6e308, "valueDelta": 1e307 } })";
    return message_of([&] {
      io::parse_model(model_text(fmt::format(R"("a": {{ "initialValuesDataType": "FLOAT64", "initialValues":
          {{ "valueCount": 10, "valueStart": 0, "valueDelta": 1 }} }}, "b": {})",
                                             sequence)),
                      folder.path(), validating(folder, max_memory));
    });
  };
  CHECK(refused_with(13 * 8).starts_with("model M4: valueDelta is 1e+307"));
  CHECK(refused_with(12 * 8).empty());
}

TEST_CASE("validate_only: files must exist, but their contents are not read", "[validate_only]") {
  const temporary_folder folder;
  const auto refused_file = [&](std::string_view members) {
    return message_of([&] {
      io::parse_model(model_text(fmt::format(R"("r": {{ {} }})", members)), folder.path(), validating(folder, 4096));
    });
  };
  const auto file = io::format_npy(data_type::float64, std::vector<std::uint64_t>{1000}, std::vector<std::byte>(8000));
  const std::string npy(reinterpret_cast<const char*>(file.data()), file.size());
  folder.write("v.npy", npy);
  folder.write("cut.npy", npy.substr(0, npy.size() - 1));
  folder.write("v.bin", std::string(10'000, 'x'));
  CHECK(refused_file(R"("initialValues": { "sourcePath": "v.npy" })").empty());
  CHECK(refused_file(R"("initialValues": { "sourcePath": "v.npy" }, "sizeInBytes": 7999)").starts_with("model M6"));
  CHECK(refused_file(R"("initialValues": { "sourcePath": "cut.npy" })").starts_with("npy M20"));
  CHECK(refused_file(R"("initialValuesDataType": "INT8", "initialValues": { "sourcePath": "v.bin" })").empty());
  CHECK(refused_file(R"("initialValuesDataType": "FLOAT64", "initialValues": { "sourcePath": "v.bin" })").empty());
  folder.write("odd.bin", std::string(10'001, 'x'));
  CHECK(refused_file(R"("initialValuesDataType": "INT16", "initialValues": { "sourcePath": "odd.bin" })")
            .starts_with("model M4"));
  CHECK(refused_file(R"("initialValues": { "sourcePath": "none.npy" })").starts_with("model M9"));
  CHECK(refused_file(R"("initialValues": { "sourcePath": "../v.npy" })").starts_with("model M7"));
}

TEST_CASE("validate_only: such a model cannot be played", "[validate_only]") {
  const temporary_folder folder;
  io::model m = io::parse_model(argmin_model(2, 2, constant("UINT8", 4), constant("UINT32", 2)), folder.path(),
                                validating(folder));
  std::ostringstream out;
  CHECK_THROWS_AS(io::play(reference, m, out), std::invalid_argument);
}
