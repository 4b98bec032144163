// The mistakes that a model has at first, each with the whole text of its refusal. (check_tool.sh has those of the
// command line.)
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "models.hpp"
#include "npy_files.hpp"

namespace {

using namespace goldml;
using namespace models;
using npy_test::header_of;
using npy_test::npy_file;

constexpr std::string_view good_model = R"({
  "resources": {
    "in": { "initialValuesDataType": "FLOAT32", "initialValues": [3, 1, 2] },
    "out": { "initialValuesDataType": "UINT32", "initialValues": [0] }
  },
  "dispatchables": {
    "least": {
      "type": "DML_OPERATOR_ARGMIN",
      "desc": {
        "InputTensor": { "DataType": "FLOAT32", "Sizes": [1, 3] },
        "OutputTensor": { "DataType": "UINT32", "Sizes": [1, 1] },
        "AxisCount": 1,
        "Axes": [1],
        "AxisDirection": "DML_AXIS_DIRECTION_INCREASING"
      }
    }
  },
  "commands": [
    { "type": "dispatch", "dispatchable": "least", "bindings": { "InputTensor": "in", "OutputTensor": "out" } },
    { "type": "print", "resource": "out" }
  ]
}
)";

// The model with a part of its text replaced.
std::string with(std::string_view from, std::string_view to) {
  std::string text(good_model);
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

// The message of the error when the model is read, and played if it can be read; "" without one.
std::string refusal(const std::string& text, const std::vector<std::string>& policies = {},
                    const std::filesystem::path& folder = {}) {
  try {
    io::model_options options;
    options.policies = policies;
    io::model model = io::parse_model(text, folder, options);
    std::ostringstream out;
    io::play(reference, model, out);
    CHECK(out.str() == "Resource 'out': 1\n");
  } catch (const error& refused) {
    return refused.what();
  }
  return "";
}

// The system's reason why a file cannot be opened.
std::string reason_of(const std::filesystem::path& path) {
  std::error_code failed;
  static_cast<void>(std::filesystem::file_size(path, failed));
  return failed.message();
}

std::string refused(std::string_view from, std::string_view to) { return refusal(with(from, to)); }

}  // namespace

TEST_CASE("mistakes: the model without one", "[mistakes]") { CHECK(refusal(std::string(good_model)).empty()); }

TEST_CASE("mistakes: a misspelt enumerator", "[mistakes]") {
  CHECK(refused("INCREASING", "INCREASNG") ==
        "line 14, column 26: dispatchables.least.desc.AxisDirection: model M2: AxisDirection is "
        "'DML_AXIS_DIRECTION_INCREASNG', wanted INCREASING, DECREASING (did you mean 'INCREASING'?; dispatchable "
        "'least')");
}

TEST_CASE("37: a graph is refused with its reason", "[mistakes]") {
  for (const std::string_view name : {"DML_GRAPH_DESC", "dml_graph_desc"})
    CHECK(refused("DML_OPERATOR_ARGMIN", name) ==
          fmt::format("line 8, column 15: dispatchables.least.type: model M5: type is '{}', wanted an operator that "
                      "'goldml list' names (a graph: models have a dispatchable for each node, and dispatch them in "
                      "order; dispatchable 'least')",
                      name));
}

TEST_CASE("mistakes: Axes is missing", "[mistakes]") {
  CHECK(refused("        \"Axes\": [1],\n", "") ==
        "line 9, column 15: dispatchables.least.desc: model M2: Axes is missing, wanted an array of integers "
        "(dispatchable 'least')");
  CHECK(refused(",\n        \"AxisDirection\": \"DML_AXIS_DIRECTION_INCREASING\"", "") ==
        "line 9, column 15: dispatchables.least.desc: model M2: AxisDirection is missing, wanted a value "
        "(dispatchable 'least')");
}

TEST_CASE("mistakes: Axis for Axes", "[mistakes]") {
  const std::string message =
      "line 9, column 15: dispatchables.least.desc: model M2: Axes is missing, wanted an array of integers ('Axis' is "
      "there: did you mean 'Axes'?; dispatchable 'least')";
  CHECK(refused("\"Axes\"", "\"Axis\"") == message);
  CHECK(refused("\"AxisCount\": 1,\n        \"Axes\"", "\n        \"Axis\"") == message);  // also without its count
  CHECK(refused("\"Axes\"", "\"axes\"").find("('axes' is there: did you mean 'Axes'?;") != std::string::npos);
}

TEST_CASE("mistakes: a string for a list", "[mistakes]") {
  CHECK(refused("[1],", "\"1\",") ==
        "line 13, column 17: dispatchables.least.desc.Axes: model M2: Axes is '1', wanted an array of integers "
        "(dispatchable 'least')");
  CHECK(refused("[1],", "[\"1\"],") ==
        "line 13, column 18: dispatchables.least.desc.Axes[0]: model M2: Axes is '1', wanted an integer (dispatchable "
        "'least')");
}

TEST_CASE("mistakes: FLOAT31", "[mistakes]") {
  CHECK(refused("\"FLOAT32\", \"Sizes\"", "\"FLOAT31\", \"Sizes\"") ==
        "line 10, column 38: dispatchables.least.desc.InputTensor.DataType: model M2: DataType is 'FLOAT31', wanted "
        "UNKNOWN, FLOAT32, FLOAT16, UINT32, UINT16, UINT8, INT32, INT16, INT8, FLOAT64, UINT64, INT64 (did you mean "
        "'FLOAT32'?; InputTensor of dispatchable 'least')");
}

TEST_CASE("mistakes: a misspelt operator, and one that DirectML has not", "[mistakes]") {
  const std::string begin = "line 8, column 15: dispatchables.least.type: model M5: type is ";
  const std::string wanted = ", wanted an operator that 'goldml list' names (";
  CHECK(refused("ARGMIN", "ARGMINN") ==
        begin + "'DML_OPERATOR_ARGMINN'" + wanted + "did you mean 'ARGMIN'?; dispatchable 'least')");
  CHECK(refused("ARGMIN", "ROI_ALIGN_GRAE") == begin + "'DML_OPERATOR_ROI_ALIGN_GRAE'" + wanted +
                                                   "did you mean 'ROI_ALIGN_GRAD'?; dispatchable 'least')");
  CHECK(refused("ARGMIN", "SORT") == begin + "'DML_OPERATOR_SORT'" + wanted + "dispatchable 'least')");
}

TEST_CASE("mistakes: a misspelt operand", "[mistakes]") {
  CHECK(
      refused("\"InputTensor\": \"in\"", "\"InputTenser\": \"in\"") ==
      "line 19, column 64: commands[0].bindings: model M3: bindings is without InputTensor, wanted a resource for each "
      "tensor of the desc ('InputTenser' is there: did you mean 'InputTensor'?; command 0)");
  CHECK(refused("\"InputTensor\": \"in\"", "\"Input\": \"in\"")
            .ends_with("('Input' is there: did you mean 'InputTensor'?; command 0)"));
  // A name that is meant for another operand answers nothing.
  CHECK(refused("\"OutputTensor\": \"out\" }", "\"InputTenser\": \"out\" }")
            .ends_with("bindings is without OutputTensor, wanted a resource for each tensor of the desc (command 0)"));
}

TEST_CASE("mistakes: a misspelt command", "[mistakes]") {
  CHECK(refused("\"print\"", "\"prnt\"") ==
        "line 20, column 15: commands[1].type: model M5: type is 'prnt', wanted dispatch, print or writeFile (did you "
        "mean 'print'?; command 1)");
}

TEST_CASE("mistakes: malformed JSON", "[mistakes]") {
  CHECK(refused("1,\n", "1\n") ==
        "line 13, column 9: model M1: JSON is malformed: Missing a comma or '}' after an object member, wanted a "
        "DxDispatch model");
}

TEST_CASE("mistakes: a wrong rank", "[mistakes]") {
  CHECK(refused("[1, 1]", "[1]") ==
        "line 11, column 58: dispatchables.least.desc.OutputTensor.Sizes: ARGMIN A1: OutputTensor.DimensionCount is 1, "
        "wanted 2 (the input's)");
}

TEST_CASE("mistakes: a model that is missing", "[mistakes]") {
  const temporary_folder folder;
  CHECK(message_of([&] { io::read_model(folder / "none.json", {}); }) ==
        fmt::format("model M9: file is {}, wanted a model that can be read ({})",
                    io::in_quotes(io::path_text(folder / "none.json")), reason_of(folder / "none.json")));
}

TEST_CASE("mistakes: a .npy file that is missing, or of another type", "[mistakes]") {
  const temporary_folder folder;
  const std::string text = with("[3, 1, 2]", "{ \"sourcePath\": \"in.npy\" }");
  CHECK(refusal(text, {}, folder.path()) ==
        fmt::format("line 3, column 82: resources.in.initialValues.sourcePath: model M9: sourcePath is 'in.npy', "
                    "wanted a file below the model's folder ({}; resource 'in')",
                    reason_of(folder / "in.npy")));
  folder.write("in.npy", npy_file(header_of("<i2", "(3,)"), std::string(6, '\0')));
  CHECK(refusal(text, {}, folder.path()) ==
        "line 3, column 38: resources.in.initialValuesDataType: model M4: initialValuesDataType is FLOAT32, wanted "
        "INT16 (the type in the .npy file; resource 'in')");
}

TEST_CASE("mistakes: a policy that does not exist", "[mistakes]") {
  CHECK(refusal(std::string(good_model), {"foo=bar"}) ==
        "model M3: --policy is 'foo=bar', wanted NAME=VALUE, NAME of a policy, as nan_policy ('goldml list OPERATOR' "
        "names those of an operator)");
  CHECK(refusal(std::string(good_model), {"nan_polcy=skip"}) ==
        "model M3: --policy is 'nan_polcy=skip', wanted NAME=VALUE (did you mean 'nan_policy'?)");
  CHECK(refusal(std::string(good_model), {"nan_policy=skp"}) ==
        "model M2: nan_policy is 'skp', wanted skip, propagate (did you mean 'skip'?; --policy)");
}

TEST_CASE("mistakes: misspelt names of the model's own resources and dispatchables", "[mistakes]") {
  CHECK(refused("\"resource\": \"out\"", "\"resource\": \"oot\"") ==
        "line 20, column 36: commands[1].resource: model M3: resource is 'oot', wanted the name of a resource (did you "
        "mean 'out'?; command 1)");
  CHECK(refused("\"dispatchable\": \"least\"", "\"dispatchable\": \"leas\"") ==
        "line 19, column 43: commands[0].dispatchable: model M3: dispatchable is 'leas', wanted the name of a "
        "dispatchable (did you mean 'least'?; command 0)");
}

TEST_CASE("mistakes: a file names its place", "[mistakes]") {
  const temporary_folder folder;
  folder.write("m.json", with("INCREASING", "INCREASNG"));
  const std::string begin = io::path_text(folder / "m.json") + ":14:26: dispatchables.least.desc.AxisDirection: model";
  try {
    io::read_model(folder / "m.json", {});
    FAIL("no refusal");
  } catch (const io::model_error& refused) {
    CHECK(std::string_view(refused.what()).starts_with(begin));
    CHECK(refused.place().file == io::path_text(folder / "m.json"));
    CHECK(refused.place().line == 14);
    CHECK(refused.place().column == 26);
    CHECK(refused.place().path == "dispatchables.least.desc.AxisDirection");
    CHECK(refused.violation().rule == "M2");
  }
  folder.write("m.json", with("1,\n", "1\n"));
  try {
    io::read_model(folder / "m.json", {});
    FAIL("no refusal");
  } catch (const error& refused) {
    CHECK(std::string_view(refused.what()).starts_with(io::path_text(folder / "m.json") + ":13:9: model M1: "));
  }
}
