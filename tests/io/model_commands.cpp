// io/model_commands.hpp: bindings, and the commands dispatch, print and writeFile.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models.hpp"

namespace {

using namespace models;

// Ten INT32 (40 bytes) as input, twelve more as output; least of {3,3} per row.
constexpr std::string_view resources = R"(
    "in": { "initialValuesDataType": "INT32", "initialValues": [9, 9, 9, 9, 3, 1, 2, 5, 5, 4, 7, 7, 0] },
    "out": { "initialValuesDataType": "UINT32", "initialValues": { "valueCount": 12, "value": 77 } },
    "mixed": { "initialValues": [ { "type": "INT8", "value": 1 } ] })";
constexpr std::string_view op = R"("type": "ARGMIN", "desc": { "InputTensor": { "DataType": "INT32", "Sizes": [3, 3] },
    "OutputTensor": { "DataType": "UINT32", "Sizes": [3, 1] }, "Axes": [1], "AxisDirection": "INCREASING" })";

std::string text_of(std::string_view commands, std::string_view op_bindings = "") {
  return model_text(resources, fmt::format(R"("op": {{ {}{} }})", op, op_bindings), commands);
}

// The bindings of one dispatch with these members, in the order of the operands.
std::vector<std::optional<io::model_binding>> bindings_of(std::string_view bindings,
                                                          std::string_view op_bindings = "") {
  const auto result = read(text_of(
      fmt::format(R"({{ "type": "dispatch", "dispatchable": "op", "bindings": {{ {} }} }})", bindings), op_bindings));
  return std::get<io::dispatch_command>(result.model.commands.at(0)).bindings;
}

void check_binding(std::string_view binding, std::size_t resource, std::uint64_t offset, std::uint64_t size) {
  INFO(binding);
  const auto bindings = bindings_of(fmt::format(R"("InputTensor": {}, "OutputTensor": "out")", binding));
  REQUIRE(bindings.size() == 2);
  REQUIRE(bindings[0]);
  CHECK(bindings[0]->resource == resource);
  CHECK(bindings[0]->offset_in_bytes == offset);
  CHECK(bindings[0]->size_in_bytes == size);
}

std::string refusal(std::string_view commands) {
  return message_of([&] { read(text_of(commands)); });
}

std::string binding_refusal(std::string_view binding) {
  return refusal(fmt::format(
      R"({{ "type": "dispatch", "dispatchable": "op", "bindings": {{ "InputTensor": {}, "OutputTensor": "out" }} }})",
      binding));
}

}  // namespace

TEST_CASE("Bindings: a name is the whole buffer", "[model_commands]") {
  check_binding(R"("in")", 0, 0, 52);
  check_binding(R"(["in"])", 0, 0, 52);
  check_binding(R"({ "name": "in" })", 0, 0, 52);
  check_binding(R"([{ "name": "in" }])", 0, 0, 52);
}

TEST_CASE("Bindings: from an offset in elements to the end", "[model_commands]") {
  check_binding(R"({ "name": "in", "elementCount": 9, "elementSizeInBytes": 4, "elementOffset": 4 })", 0, 16, 36);
  check_binding(R"({ "name": "in", "elementSizeInBytes": 4, "elementOffset": 4 })", 0, 16, 36);  // the rest
  check_binding(R"({ "name": "in", "elementOffset": 4 })", 0, 16, 36);  // elements of the resource's type
  check_binding(R"({ "name": "in", "elementOffset": 4, "elementSizeInBytes": 0 })", 0, 16, 36);  // likewise
  // elementCount is of no effect, too large or not; nor are the members for HLSL and ONNX.
  for (const std::string_view count : {"0", "3", "14", "18446744073709551615"})
    check_binding(fmt::format(R"({{ "name": "in", "elementCount": {} }})", count), 0, 0, 52);
  check_binding(R"({ "name": "in", "elementCount": 3, "elementSizeInBytes": 16, "elementOffset": 1.0 })", 0, 16, 36);
  check_binding(R"({ "name": "in", "format": "R32_FLOAT", "counter": "out", "counterOffsetBytes": 0, "shape": [-1] })",
                0, 0, 52);
  check_binding(R"({ "name": "mixed", "elementSizeInBytes": 1, "elementOffset": 3 })", 2, 3, 1);
}

TEST_CASE("M6: a binding beyond its buffer", "[model_commands]") {
  CHECK(binding_refusal(R"({ "name": "in", "elementOffset": 13 })") ==
        "model M6: bindings is from byte 52 on, wanted a range of the 52 bytes of resource 'in' (command 0)");
  CHECK(binding_refusal(R"({ "name": "in", "elementOffset": 12 })").empty());
  // A product that does not fit 64 bits saturates.
  CHECK(binding_refusal(R"({ "name": "in", "elementOffset": 4611686018427387905, "elementSizeInBytes": 4 })")
            .substr(0, 8) == "model M6");
  CHECK(binding_refusal(R"({ "name": "in", "elementOffset": 18446744073709551615, "elementSizeInBytes": 1 })")
            .substr(0, 8) == "model M6");
}

TEST_CASE("M2, M3, M4: invalid bindings", "[model_commands]") {
  CHECK(binding_refusal(R"("input")") == "model M3: bindings is 'input', wanted the name of a resource (command 0)");
  CHECK(binding_refusal(R"({ "name": "in2" })").substr(0, 8) == "model M3");
  CHECK(binding_refusal("7") == "model M2: bindings is 7, wanted a resource's name, or an object with one (command 0)");
  CHECK(binding_refusal(R"(["in", "in"])").substr(0, 8) == "model M2");  // no operand here is a list
  CHECK(binding_refusal("[]").substr(0, 8) == "model M2");
  CHECK(binding_refusal(R"({ "elementCount": 1 })").substr(0, 8) == "model M2");
  CHECK(binding_refusal(R"({ "name": "in", "elementCount": -1 })").substr(0, 8) == "model M4");
  CHECK(refusal(R"({ "type": "dispatch", "dispatchable": "op", "bindings": { "Input": "in" } })") ==
        "model M3: bindings is without InputTensor, wanted a resource for each tensor of the desc ('Input' is there: "
        "did you mean 'InputTensor'?; command 0)");
  CHECK(refusal(R"({ "type": "dispatch", "dispatchable": "op", "bindings": { "InputTensor": "in" } })") ==
        "model M3: bindings is without OutputTensor, wanted a resource for each tensor of the desc (command 0)");
  CHECK(
      refusal(
          R"({ "type": "dispatch", "dispatchable": "op", "bindings": { "InputTensor": null, "OutputTensor": "out" } })")
          .substr(0, 8) == "model M3");
  CHECK(refusal(R"({ "type": "dispatch", "dispatchable": "op", "bindings": [] })").substr(0, 8) == "model M2");
  CHECK(refusal(R"({ "type": "dispatch", "dispatchable": "op" })").substr(0, 8) == "model M2");
}

TEST_CASE("Bindings: optional operands may be missing, with their tensor", "[model_commands]") {
  const auto text = [](std::string_view input, std::string_view bindings) {
    return model_text(
        R"("a": { "initialValuesDataType": "INT32", "initialValues": [1, 2, 3, 4] },
        "b": { "initialValuesDataType": "INT32", "initialValues": [0, 0, 0, 0] })",
        fmt::format(
            R"("op": {{ "type": "DIAGONAL_MATRIX1", {} "OutputTensor": {{ "DataType": "INT32", "Sizes": [2, 2] }},
        "ValueDataType": "INT32", "Value": 7, "DiagonalFillBegin": 0, "DiagonalFillEnd": 1 }})",
            input),
        fmt::format(
            R"({{ "type": "dispatch", "dispatchable": "op", "bindings": {{ {} }} }}, {{ "type": "print", "resource": "b" }})",
            bindings));
  };
  const std::string_view input = R"("InputTensor": { "DataType": "INT32", "Sizes": [2, 2] },)";
  CHECK(played(text("", R"("OutputTensor": "b")")) == "Resource 'b': 7, 0, 0, 7\n");
  CHECK(played(text(input, R"("InputTensor": "a", "OutputTensor": "b")")) == "Resource 'b': 7, 2, 3, 7\n");
  CHECK(message_of([&] { read(text(input, R"("OutputTensor": "b")")); }).substr(0, 8) == "model M3");
  CHECK(message_of([&] { read(text("", R"("InputTensor": "a", "OutputTensor": "b")")); }) ==
        "model M3: bindings is with InputTensor, wanted no resource for a tensor not in the desc (command 0)");
}

TEST_CASE("Commands: print and its members", "[model_commands]") {
  const auto result =
      read(text_of(R"({ "type": "print", "resource": "out" }, { "type": "print", "resource": "in", "verbose": true },
      { "type": "print", "resource": "in", "verbose": false })"));
  REQUIRE(result.model.commands.size() == 3);
  const auto& print = std::get<io::print_command>(result.model.commands[1]);
  CHECK(print.resource == 0);
  CHECK(print.verbose);
  CHECK_FALSE(std::get<io::print_command>(result.model.commands[0]).verbose);
  CHECK_FALSE(std::get<io::print_command>(result.model.commands[2]).verbose);
  CHECK(refusal(R"({ "type": "print", "resource": "nothing" })") ==
        "model M3: resource is 'nothing', wanted the name of a resource (command 0)");
  CHECK(refusal(R"({ "type": "print" })").substr(0, 8) == "model M2");
  CHECK(refusal(R"({ "type": "print", "resource": 1 })").substr(0, 8) == "model M2");
  CHECK(refusal(R"({ "type": "print", "resource": "in", "verbose": 1 })").substr(0, 8) == "model M2");
  CHECK(refusal(R"({ "type": "print", "resource": "mixed" })").substr(0, 8) == "model M5");
}

TEST_CASE("Commands: writeFile and its members", "[model_commands]") {
  const auto write = [](std::string_view resource, std::string_view members) {
    return fmt::format(R"({{ "type": "writeFile", "resource": "{}", {} }})", resource, members);
  };
  const auto result = read(text_of(write("in", R"("targetPath": "a/b.npy", "dimensions": [1, 13])")));
  const auto& command = std::get<io::write_file_command>(result.model.commands.at(0));
  CHECK(command.resource == 0);
  CHECK(command.target.name.filename() == "b.npy");
  CHECK(command.dimensions == std::vector<std::uint32_t>{1, 13});
  for (const std::string_view name : {"f.npy", "f.dat", "f.bin", "sub/folder/f.bin"})
    CHECK(refusal(write("in", fmt::format(R"("targetPath": "{}")", name))).empty());
  CHECK(refusal(write("mixed", R"("targetPath": "f.bin")")).empty());
  CHECK(refusal(write("mixed", R"("targetPath": "f.npy")")).substr(0, 8) == "model M5");
  CHECK(refusal(write("in", R"("targetPath": "f.txt")")) ==
        "model M5: targetPath is 'f.txt', wanted a .npy, .dat or .bin file (--allow-outside takes others as raw bytes; "
        "command 0)");
  CHECK(refusal(write("in", R"("targetPath": "f")")).substr(0, 8) == "model M5");
  CHECK(refusal(write("nothing", R"("targetPath": "f.bin")")).substr(0, 8) == "model M3");
  CHECK(refusal(write("in", R"("targetPath": 5)")).substr(0, 8) == "model M2");
  CHECK(refusal(write("in", R"("dimensions": [13])")).substr(0, 8) == "model M2");
}

TEST_CASE("M4: dimensions that do not match the buffer", "[model_commands]") {
  const auto refused = [](std::string_view dimensions) {
    return refusal(fmt::format(
        R"({{ "type": "writeFile", "resource": "in", "targetPath": "f.npy", "dimensions": {} }})", dimensions));
  };
  CHECK(refused("[13]").empty());
  CHECK(refused("[1, 13, 1]").empty());
  CHECK(refused("[3, 4]") ==
        "model M4: dimensions is 12 elements, wanted those of the buffer, 52 bytes of INT32 (command 0)");
  CHECK(refused("[]").empty());  // flat
  for (const std::string_view dimensions :
       {"[14]", "[0]", "[13, 0]", "[-13]", "[1.5]", "[4294967295, 4294967295, 4294967295]"})
    CHECK(refused(dimensions).substr(0, 8) == "model M4");
  CHECK(refused("13").substr(0, 8) == "model M2");
  CHECK(refused("[\"13\"]").substr(0, 8) == "model M2");
  std::string many = "[13";
  for (int i = 0; i < 64; ++i) many += ", 1";
  CHECK(refused(many + "]") == "model M4: dimensions is 65 sizes, wanted at most 64 (command 0)");
}

TEST_CASE("M2, M3, M5: invalid commands", "[model_commands]") {
  CHECK(refusal(R"({ "type": "print", "resource": "in" }, { "type": "present" })") ==
        "model M5: type is 'present', wanted dispatch, print or writeFile (command 1)");
  CHECK(refusal(R"({ "resource": "in" })") == "model M2: type is missing, wanted a value (command 0)");
  CHECK(refusal(R"("print")") == "model M2: command is 'print', wanted an object (command 0)");
  CHECK(refusal(R"({ "type": "dispatch", "dispatchable": "op2", "bindings": {} })") ==
        "model M3: dispatchable is 'op2', wanted the name of a dispatchable (did you mean 'op'?; command 0)");
}

TEST_CASE("M2: files without the three parts of a model", "[model_commands]") {
  const auto refused = [](std::string_view text) { return message_of([&] { read(text); }); };
  CHECK(refused("[]") == "model M2: JSON is an array, wanted an object (the whole file)");
  CHECK(refused("5").substr(0, 8) == "model M2");
  CHECK(refused(R"({ "resources": {}, "commands": [] })") ==
        "model M2: dispatchables is missing, wanted a value (the model)");
  CHECK(refused(R"({ "dispatchables": {}, "commands": [] })") ==
        "model M2: resources is missing, wanted a value (the model)");
  CHECK(refused(R"({ "resources": {}, "dispatchables": {} })") ==
        "model M2: commands is missing, wanted a value (the model)");
  CHECK(refused(R"({ "resources": [], "dispatchables": {}, "commands": [] })").substr(0, 8) == "model M2");
  CHECK(refused(R"({ "resources": {}, "dispatchables": [], "commands": [] })").substr(0, 8) == "model M2");
  CHECK(refused(R"({ "resources": {}, "dispatchables": {}, "commands": {} })").substr(0, 8) == "model M2");
  CHECK(refused(R"({ "$schema": "./schema.json", "resources": {}, "dispatchables": {}, "commands": [] })").empty());
}

TEST_CASE("Commands: unknown members are reported and ignored", "[model_commands]") {
  const auto warnings =
      read(
          R"({ "$schema": "s", "author": "a", "resources": { "in": { "initialValuesDataType": "INT8", "initialValues": [1] } },
      "dispatchables": {}, "commands": [ { "type": "print", "resource": "in", "color": 1 },
      { "type": "writeFile", "resource": "in", "targetPath": "f.bin", "mode": 1 } ] })")
          .warnings;
  CHECK(warnings == std::vector<std::string>{"unknown member 'author' of the model is ignored",
                                             "unknown member 'color' of command 0 is ignored",
                                             "unknown member 'mode' of command 1 is ignored"});
  const auto binding =
      read(text_of(R"({ "type": "dispatch", "dispatchable": "op", "threadGroupCount": [1, 1, 1], "repeat": 2,
      "bindings": { "InputTensor": { "name": "in", "usage": "R32" }, "OutputTensor": "out", "Third": 5 } })"))
          .warnings;
  CHECK(binding == std::vector<std::string>{"unknown member 'repeat' of command 0 is ignored",
                                            "unknown member 'Third' of bindings of command 0 is ignored",
                                            "unknown member 'usage' of command 0 is ignored"});
}

TEST_CASE("Messages: hostile names cause no control characters in messages", "[model_commands]") {
  for (const std::string_view name : {"\\u001b[31m", "a\\nb", "\\u009b2J", "\\u0000", "\\u007f"}) {
    for (const std::string& text :
         {refusal(fmt::format(R"({{ "type": "print", "resource": "{}" }})", name)),
          refusal(fmt::format(R"({{ "type": "{}" }})", name)), binding_refusal(fmt::format("\"{}\"", name)),
          refusal(fmt::format(R"({{ "type": "writeFile", "resource": "in", "targetPath": "{}" }})", name)),
          message_of([&] { read(model_text(fmt::format(R"("{}": 1)", name))); }),
          message_of([&] { read(model_text("", fmt::format(R"("{}": 1)", name))); })}) {
      INFO(text);
      CHECK(text.find("model M") == 0);
      for (const char c : text) CHECK((static_cast<unsigned char>(c) >= 0x20 && c != 0x7F));
      CHECK(text.find("\xC2\x9B") == std::string::npos);
    }
  }
}
