// What DxDispatch would refuse in a model that goldml accepts: model_options::portable, M15.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/core/violation.hpp>

#include "models.hpp"

namespace {

using namespace models;

// The findings in a model that goldml accepts, one line each.
std::vector<std::string> findings(std::string_view text) {
  const temporary_folder folder;
  io::model_options options = options_in(folder);
  std::vector<std::string> lines;
  options.portable = [&](const violation& v, const io::model_place&) {
    CHECK(v.rule == "M15");
    lines.push_back(to_string(v));
  };
  io::parse_model(text, folder.path(), options);
  return lines;
}

std::string only(const std::vector<std::string>& lines) {
  std::string all;
  for (const std::string& line : lines) all += (all.empty() ? "" : "\n") + line;
  return all;
}

// The findings for a resource with these members.
std::string of_resource(std::string_view members) {
  return only(findings(model_text(fmt::format(R"("r": {{ {} }})", members))));
}
std::string of_values(std::string_view type, std::string_view values) {
  return of_resource(fmt::format(R"("initialValuesDataType": "{}", "initialValues": {})", type, values));
}

constexpr std::string_view argmin_members = R"("type": "ARGMIN", "desc": {
    "InputTensor": { "DataType": "FLOAT32", "Sizes": [2, 3] }, "OutputTensor": { "DataType": "UINT32", "Sizes": [2, 1] },
    "AxisCount": 1, "Axes": [1], "AxisDirection": "INCREASING" })";

// The findings for an ARGMIN in which `part` is replaced.
std::string of_argmin(std::string_view part, std::string_view other) {
  std::string text(argmin_members);
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  return only(findings(model_text("", "\"op\": { " + text.replace(at, part.size(), other) + " }")));
}

std::string of_diagonal(std::string_view type, std::string_view value) {
  return only(findings(model_text("", fmt::format(R"("op": {{ "type": "DIAGONAL_MATRIX1",
      "OutputTensor": {{ "DataType": "{0}", "Sizes": [2, 2] }}, "ValueDataType": "{0}", "Value": {1},
      "DiagonalFillBegin": 0, "DiagonalFillEnd": 1 }})",
                                                  type, value))));
}

}  // namespace

TEST_CASE("37: portable: ValueDataType for MinMaxDataType", "[portable]") {
  CHECK(only(findings(model_text("", R"("op": { "type": "ELEMENT_WISE_CLIP1", "Min": 0, "Max": 1,
      "ValueDataType": "INT8", "InputTensor": { "DataType": "INT8", "Sizes": [2] },
      "OutputTensor": { "DataType": "INT8", "Sizes": [2] } })"))) ==
        "model M15: MinMaxDataType is missing, wanted a data type (DxDispatch; dispatchable 'op')");
}

TEST_CASE("portable: what both accept has no finding", "[portable]") {
  CHECK(of_argmin("\"AxisCount\": 1", "\"AxisCount\": 1") == "");
  CHECK(of_values("FLOAT32", R"([1, -2.5, 1e3, "nan", "NaN", "inf", "-Inf"])") == "");
  CHECK(of_values("INT8", R"({ "valueCount": 3, "valueStart": 5, "valueDelta": -2 })") == "");
  CHECK(of_values("UINT64", "[18446744073709551615]") == "");
  CHECK(of_resource(R"("initialValues": [{ "name": "a", "type": "FLOAT32", "value": 1 }])") == "");
  CHECK(of_argmin("\"Sizes\": [2, 3]", R"("Sizes": [2, 3], "Strides": [3, 1], "Flags": ["NONE"], "Type": "BUFFER")") ==
        "");
  CHECK(of_argmin("\"type\"", R"("dmlCompileType": "DmlCompileGraph",
      "executionFlags": ["DML_EXECUTION_FLAG_DISABLE_META_COMMANDS", "DESCRIPTORS_VOLATILE"], "type")") == "");
  CHECK(of_diagonal("FLOAT16", R"({ "UInt16": 15360 })") == "");
  CHECK(of_diagonal("FLOAT32", R"({ "Float32": 1.5 })") == "");
  CHECK(of_diagonal("INT32", "-7") == "");
  // The types of commands are not case-sensitive.
  const std::string print = R"({ "type": "PRINT", "resource": "r" }, { "type": "WriteFile", "resource": "r",
      "targetPath": "r.bin", "dimensions": [1] })";
  CHECK(only(findings(model_text(R"("r": { "initialValuesDataType": "INT32", "initialValues": [1] })", "", print))) ==
        "");
}

TEST_CASE("portable: the text", "[portable]") {
  const std::string text = model_text("");
  CHECK(only(findings("\xEF\xBB\xBF" + text)) ==
        "model M15: JSON is a byte order mark, wanted text without one (DxDispatch)");
  CHECK(of_values("FLOAT32", "[NaN]") ==
        "model M15: initialValues is a literal NaN, wanted it in quotes (DxDispatch; resource 'r')");
  CHECK(of_values("FLOAT32", R"({ "valueCount": 2, "value": -Infinity })") ==
        "model M15: value is a literal infinity, wanted it in quotes (DxDispatch; resource 'r')");
}

TEST_CASE("portable: members that are missing, and nulls", "[portable]") {
  CHECK(of_argmin("\"AxisCount\": 1,", "") ==
        "model M15: AxisCount is missing, wanted a number (DxDispatch; dispatchable 'op')");
  CHECK(of_argmin("\"AxisCount\": 1, \"Axes\": [1]", "\"AxisCount\": 0") ==
        "model M15: Axes is missing, wanted an array, which may be empty (DxDispatch; dispatchable 'op')");
  CHECK(of_argmin("\"AxisCount\": 1, \"Axes\": [1]", "\"AxisCount\": 0, \"Axes\": null") ==
        "model M15: Axes is null, wanted a value, or no such member (DxDispatch; dispatchable 'op')");
  CHECK(of_argmin("\"type\"", "\"Type\"") ==
        "model M15: type is missing, wanted the operator's name in it, besides Type (DxDispatch; dispatchable 'op')");
  CHECK(of_argmin("\"AxisCount\": 1", "\"AxisCount\": null") ==
        "model M15: AxisCount is null, wanted a value, or no such member (DxDispatch; dispatchable 'op')");
  CHECK(of_argmin("\"Sizes\": [2, 3]", R"("Sizes": [2, 3], "Strides": null)") ==
        "model M15: Strides is null, wanted a value, or no such member (DxDispatch; InputTensor of dispatchable 'op')");
  CHECK(of_resource(R"("initialValuesDataType": "INT8", "initialValues": [1], "sizeInBytes": null)") ==
        "model M15: sizeInBytes is null, wanted a value, or no such member (DxDispatch; resource 'r')");
}

TEST_CASE("portable: integers", "[portable]") {
  CHECK(of_values("INT32", "[1, 2.0, 3]") ==
        "model M15: initialValues is 2, wanted an integer without point and exponent (DxDispatch; resource 'r')");
  CHECK(of_values("UINT8", R"({ "valueCount": 1e1, "value": 0 })").starts_with("model M15: valueCount is 10, wanted "));
  CHECK(of_values("INT32", "[-0]") == "");
  // A7: of JSON's numbers only -0 without a point is an integer for RapidJSON, and so for DxDispatch.
  for (const std::string_view zero : {"-0.0", "-0e0", "-0.0e5"})
    CHECK(of_values("INT32", fmt::format("[{}]", zero)) ==
          "model M15: initialValues is -0, wanted an integer without point and exponent (DxDispatch; resource 'r')");
  CHECK(of_values("FLOAT32", "[-0.0, -0]") == "");
  CHECK(of_values("INT32", "[0.0]") ==
        "model M15: initialValues is 0, wanted an integer without point and exponent (DxDispatch; resource 'r')");
  CHECK(of_values("UINT8", R"({ "valueCount": 2, "valueStart": 9, "valueDelta": -1 })") ==
        "model M15: valueDelta is -1, wanted an integer from 0 to 255 (DxDispatch; resource 'r')");
  CHECK(of_argmin("\"Sizes\": [2, 3]", "\"Sizes\": [2, 3.0]").starts_with("model M15: Sizes is 3, wanted an integer"));
  CHECK(of_argmin("\"Axes\": [1]", "\"Axes\": [1.0]").starts_with("model M15: Axes is 1, wanted an integer without"));
  CHECK(of_argmin(R"({ "DataType": "FLOAT32", "Sizes": [2, 3] })",
                  R"({ "Type": "BUFFER", "Desc": { "DataType": "FLOAT32", "Sizes": [2, 3.0] } })")
            .starts_with("model M15: Sizes is 3, wanted an integer without"));
  // A count of 2^32 is validated by goldml, but DxDispatch reads a UINT32.
  const temporary_folder folder;
  io::model_options options = options_in(folder);
  options.validate_only = true;
  std::size_t found = 0;
  options.portable = [&](const violation& v, const io::model_place&) { found += v.member == "valueCount" ? 1u : 0u; };
  io::parse_model(model_text(R"("r": { "initialValuesDataType": "UINT8", "initialValues": {
                                      "valueCount": 4294967296, "value": 0 } })"),
                  folder.path(), options);
  CHECK(found == 1);
}

TEST_CASE("portable: the first hundred findings have places, and all come in order", "[portable]") {
  const auto paths = [](std::size_t count) {
    std::string values;
    for (std::size_t i = 0; i < count; ++i) values += i == 0 ? "1.0" : ", 1.0";
    io::model_options options;
    std::vector<std::string> found;
    options.portable = [&](const violation&, const io::model_place& place) { found.push_back(place.path); };
    io::parse_model(
        model_text(fmt::format(R"("r": {{ "initialValuesDataType": "UINT8", "initialValues": [{}] }})", values)), {},
        options);
    return found;
  };
  for (const std::size_t count : {1U, 99U, 100U, 101U, 250U}) {
    const std::vector<std::string> found = paths(count);
    REQUIRE(found.size() == count);
    for (std::size_t i = 0; i < count; ++i)
      CHECK(found[i] == (i < 100 ? fmt::format("resources.r.initialValues[{}]", i) : ""));
  }
}

TEST_CASE("portable: floats and scalars", "[portable]") {
  for (const std::string_view value :
       {"\"infinity\"", "\"+inf\"", "\"-nan\"", "\"-NaN\"", "\"+nan\"", "\"-Infinity\""}) {
    CAPTURE(value);
    CHECK(of_values("FLOAT16", fmt::format("[{}]", value)).starts_with("model M15: initialValues is '"));
  }
  CHECK(of_values("FLOAT32", "[9007199254740993]") ==
        "model M15: initialValues is 9007199254740993, wanted an integer that FLOAT64 holds, or a number with a point "
        "(DxDispatch; resource 'r')");
  CHECK(of_resource(R"("initialValues": [{ "type": "FLOAT16", "value": 1 }])") ==
        "model M15: type is FLOAT16, wanted another data type of a mixed constant (DxDispatch; resource 'r')");
  CHECK(of_diagonal("FLOAT32", "\"nan\"") ==
        "model M15: Value is 'nan', wanted a number: strings are not taken in a DML_SCALAR_UNION (DxDispatch; "
        "dispatchable 'op')");
  CHECK(of_diagonal("INT16", "3.0").starts_with("model M15: Value is 3, wanted an integer without"));
  CHECK(of_diagonal("UINT8", R"({ "UInt8": 3.0 })").starts_with("model M15: Value is 3, wanted an integer without"));
}

TEST_CASE("portable: the numbers of a fused activation", "[portable]") {
  const auto of_clip = [](std::string_view maximum, std::string_view scale) {
    return only(findings(model_text("", fmt::format(R"("op": {{ "type": "GEMM",
      "ATensor": {{ "DataType": "FLOAT32", "Sizes": [1, 1, 2, 3] }}, "BTensor": {{ "DataType": "FLOAT32", "Sizes": [1, 1, 3, 2] }},
      "OutputTensor": {{ "DataType": "FLOAT32", "Sizes": [1, 1, 2, 2] }}, "TransA": "NONE", "TransB": "NONE",
      "Alpha": 1, "Beta": 0, "FusedActivation": {{ "Type": "ELEMENT_WISE_CLIP", "Min": 0, "Max": {},
      "ScaleBias": {{ "Scale": {}, "Bias": 0 }} }} }})",
                                                    maximum, scale))));
  };
  CHECK(of_clip("6", "2") == "");
  CHECK(of_clip("\"+inf\"", "2") ==
        "model M15: Max is '+inf', wanted \"nan\", \"inf\" or \"-inf\" (DxDispatch; dispatchable 'op')");
  CHECK(of_clip("6", "\"infinity\"").starts_with("model M15: Scale is 'infinity', wanted "));
  // The rules of the operator refuse other operators, whose numbers are not read.
  CHECK(only(findings(
            model_text("", R"("op": { "type": "ELEMENT_WISE_ADD1", "ATensor": { "DataType": "FLOAT32", "Sizes": [1] },
      "FusedActivation": { "Type": "ACTIVATION_HARDMAX", "Alpha": "+inf" } })"))) == "");
}

TEST_CASE("portable: enumerators and flags are names", "[portable]") {
  CHECK(of_argmin("\"INCREASING\"", "0") ==
        "model M15: AxisDirection is 0, wanted an enumerator's name (DxDispatch; dispatchable 'op')");
  CHECK(of_argmin("\"Sizes\": [2, 3]", R"("Sizes": [2, 3], "Flags": 0)") ==
        "model M15: Flags is 0, wanted a flag's name, or an array of them (DxDispatch; InputTensor of dispatchable "
        "'op')");
  CHECK(of_argmin("\"Sizes\": [2, 3]", R"("Sizes": [2, 3], "Flags": ["NONE", "NONE"])") == "");
  CHECK(of_argmin("\"Sizes\": [2, 3]", R"("Sizes": [2, 3], "Flags": [0, "NONE"])") ==
        "model M15: Flags is an array, wanted a flag's name, or an array of them (DxDispatch; InputTensor of "
        "dispatchable 'op')");
  CHECK(of_argmin("\"Sizes\": [2, 3]", R"("Sizes": [2, 3], "Type": 1)").starts_with("model M15: Type is 1, wanted "));
  CHECK(of_argmin("\"type\"", R"("dmlCompileType": "op", "type")") ==
        "model M15: dmlCompileType is 'op', wanted DmlCompileOp, DmlCompileGraph (DxDispatch; dispatchable 'op')");
  CHECK(of_argmin("\"type\"", R"("executionFlags": 1, "type")").starts_with("model M15: executionFlags is 1, wanted "));
}

TEST_CASE("portable: bindings", "[portable]") {
  const auto of_dispatch = [](std::string_view beside_type, std::string_view input) {
    return only(findings(model_text(
        R"("x": { "initialValuesDataType": "FLOAT32", "initialValues": { "valueCount": 24, "value": 0 } },
           "y": { "initialValuesDataType": "UINT32", "initialValues": [0, 0] })",
        fmt::format("\"op\": {{ {}, {} }}", beside_type, argmin_members),
        fmt::format(R"({{ "type": "dispatch", "dispatchable": "op", "bindings": {{ {} "OutputTensor": "y" }} }})",
                    input))));
  };
  constexpr std::string_view nothing = R"("dmlCompileType": "DmlCompileOp")";
  CHECK(of_dispatch(nothing, R"("InputTensor": { "name": "x", "elementOffset": 4, "elementSizeInBytes": 4 },)") == "");
  CHECK(of_dispatch(nothing, R"("InputTensor": { "name": "x", "elementOffset": 0 },)") == "");
  CHECK(of_dispatch(nothing, R"("InputTensor": { "name": "x", "elementOffset": 4 },)") == "");
  CHECK(of_dispatch(nothing, R"("InputTensor": { "name": "x", "elementOffset": 4.0, "elementSizeInBytes": 4 },)")
            .starts_with("model M15: elementOffset is 4, wanted an integer without"));
  CHECK(of_dispatch(R"("bindings": { "InputTensor": null })", R"("InputTensor": "x",)") ==
        "model M15: bindings is 'InputTensor' null, wanted no such member (DxDispatch; dispatchable 'op')");
}

TEST_CASE("portable: what neither reads is not checked", "[portable]") {
  CHECK(of_resource(R"("initialValuesDataType": "INT8", "initialValues": [1], "remark": { "a": null })") == "");
  CHECK(of_diagonal("UNKNOWN", "{}") == "");
  const std::string commands = R"({ "type": "print", "resource": "r", "bindings": 5, "dimensions": "x" },
      { "type": "writeFile", "resource": "r", "targetPath": "r.bin", "bindings": [null] })";
  CHECK(only(findings(
            model_text(R"("r": { "initialValuesDataType": "INT32", "initialValues": [1] })", "", commands))) == "");
}

TEST_CASE("portable: the models of the project are portable", "[portable]") {
  std::size_t models_read = 0;
  for (const auto& entry : std::filesystem::directory_iterator(GOLDML_EXAMPLE_MODELS)) {
    if (entry.path().extension() != ".json") continue;
    ++models_read;
    io::model_options options;
    options.validate_only = true;
    options.portable = [&](const violation& v, const io::model_place&) {
      FAIL_CHECK(entry.path().filename() << ": " << to_string(v));
    };
    io::read_model(entry.path(), options);
  }
  CHECK(models_read > 15);
}
