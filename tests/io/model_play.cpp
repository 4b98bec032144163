// io/model_play.hpp: the effects of commands, and that nothing runs if a rule is broken.
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "models.hpp"

namespace {

using namespace models;
using namespace std::string_literals;

constexpr std::string_view print_out = R"({ "type": "print", "resource": "out" })";

std::string dispatch(std::string_view name, std::string_view bindings) {
  return fmt::format(R"({{ "type": "dispatch", "dispatchable": "{}", "bindings": {{ {} }} }})", name, bindings);
}

// SCATTER_ND of one update into four INT32, with its buffers. The output is initially 70, 71, 72, 73.
std::string scatter_resources(int index) {
  return fmt::format(R"("in": {{ "initialValuesDataType": "INT32", "initialValues": [1, 2, 3, 4] }},
      "i": {{ "initialValuesDataType": "INT32", "initialValues": [{}] }},
      "u": {{ "initialValuesDataType": "INT32", "initialValues": [9] }},
      "out": {{ "initialValuesDataType": "INT32", "initialValues": {{ "valueCount": 4, "valueStart": 70, "valueDelta": 1 }} }})",
                     index);
}
constexpr std::string_view scatter = R"("op": { "type": "SCATTER_ND", "desc": {
    "InputTensor": { "DataType": "INT32", "Sizes": [1, 4] }, "IndicesTensor": { "DataType": "INT32", "Sizes": [1, 1] },
    "UpdatesTensor": { "DataType": "INT32", "Sizes": [1, 1] }, "OutputTensor": { "DataType": "INT32", "Sizes": [1, 4] },
    "InputDimensionCount": 1, "IndicesDimensionCount": 2 } })";
const std::string scatter_dispatch =
    dispatch("op", R"("InputTensor": "in", "IndicesTensor": "i", "UpdatesTensor": "u", "OutputTensor": "out")");

// A model with one illegal dispatch: ARGMIN with wrong output sizes (A3).
constexpr std::string_view illegal_argmin = R"("bad": { "type": "ARGMIN", "desc": {
    "InputTensor": { "DataType": "INT32", "Sizes": [2, 2] }, "OutputTensor": { "DataType": "UINT32", "Sizes": [2, 2] },
    "Axes": [1], "AxisDirection": "INCREASING" } })";

// The broken rules of a model, as "dispatchable rule".
std::vector<std::string> broken_rules(std::string_view text) {
  io::model model = read(text).model;
  std::vector<std::string> rules;
  const std::uint64_t count = io::validate_model(model, [&](std::string_view dispatchable, const violation& broken) {
    rules.push_back(fmt::format("{} {}", dispatchable, broken.rule));
  });
  CHECK(count == rules.size());
  return rules;
}

// NONZERO_COORDINATES of {4} INT32 with these bindings, in buffers of 64 bytes "a", "b" and "c".
std::string nonzero_text(std::string_view input, std::string_view count, std::string_view coordinates,
                         std::string_view input_members = "") {
  std::string resources;
  for (const char name : {'a', 'b', 'c'})
    resources += fmt::format(
        R"(" {}": {{ "initialValuesDataType": "UINT32", "initialValues": {{ "valueCount": 16, "value": 1 }} }}, )",
        name);
  return model_text(
      resources,
      fmt::format(R"("op": {{ "type": "NONZERO_COORDINATES", "InputTensor": {{ "DataType": "INT32", "Sizes": [4]{} }},
        "OutputCountTensor": {{ "DataType": "UINT32", "Sizes": [1] }}, "OutputCoordinatesTensor": {{ "DataType": "UINT32", "Sizes": [4, 1] }} }})",
                  input_members),
      dispatch("op", fmt::format(R"("InputTensor": {}, "OutputCountTensor": {}, "OutputCoordinatesTensor": {})", input,
                                 count, coordinates)));
}

// One of these buffers, from an element of 4 bytes to its end.
std::string from(char name, int offset) {
  return fmt::format(R"({{ "name": " {}", "elementSizeInBytes": 4, "elementOffset": {} }})", name, offset);
}

}  // namespace

TEST_CASE("Print: one line, the whole buffer in the resource's type", "[model_play]") {
  CHECK(played(model_text(R"("out": { "initialValuesDataType": "FLOAT32", "initialValues": [6, 15, -0.0] })", "",
                          print_out)) == "Resource 'out': 6, 15, -0\n");
  CHECK(printed(R"("initialValuesDataType": "UINT8", "initialValues": [65, 7, 255])") == "65, 7, 255, 0");
  CHECK(printed(R"("initialValuesDataType": "FLOAT64", "initialValues": [0.1], "sizeInBytes": 12)") == "0.1");
  CHECK(printed(R"("initialValuesDataType": "FLOAT64", "initialValues": [0.1], "sizeInBytes": 16)") == "0.1, 0");
}

TEST_CASE("Progress: the work done before each command, and whether it prints", "[model_play]") {
  const temporary_folder folder;
  io::model model = read(model_text(R"("r": { "initialValuesDataType": "INT8", "initialValues": [1, 2, 3, 4] })", "",
                                    R"({ "type": "print", "resource": "r" },
                         { "type": "writeFile", "resource": "r", "targetPath": "r.bin" })"),
                         options_in(folder), folder.path())
                        .model;
  std::vector<std::string> calls;
  io::watch_options watch;
  watch.progress = [&](std::uint64_t done, std::uint64_t all, bool prints) {
    calls.push_back(fmt::format("{} of {}{}", done, all, prints ? ", prints" : ""));
  };
  std::ostringstream out;
  io::play(reference, model, out, io::default_max_work, watch);
  // print: 4 elements, 250 each; writeFile: 4 bytes; 5000 for each command.
  CHECK(calls == std::vector<std::string>{"0 of 11004, prints", "6000 of 11004"});
}

TEST_CASE("Print: verbose, one line per element, with its bits", "[model_play]") {
  CHECK(played(model_text(R"("out": { "initialValuesDataType": "FLOAT16", "initialValues": [1.5, "-inf"] })", "",
                          R"({ "type": "print", "resource": "out", "verbose": true })")) ==
        "Resource 'out':\n[0] 1.5 (0x3E00)\n[1] -inf (0xFC00)\n");
  CHECK(played(model_text(R"("out": { "initialValuesDataType": "INT8", "initialValues": [-1, 0, 1, 2] })", "",
                          R"({ "type": "print", "resource": "out", "verbose": true })")) ==
        "Resource 'out':\n[0] -1 (0xFF)\n[1] 0 (0x00)\n[2] 1 (0x01)\n[3] 2 (0x02)\n");
}

TEST_CASE("Print: a name in full, without its control characters", "[model_play]") {
  const std::string name(100, 'n');
  CHECK(played(model_text(
            fmt::format(R"("{}\u001b\n": {{ "initialValuesDataType": "INT32", "initialValues": [1] }})", name), "",
            fmt::format(R"({{ "type": "print", "resource": "{}\u001b\n" }})", name))) ==
        "Resource '" + name + "?\?': 1\n");
}

TEST_CASE("Dispatch: a buffer keeps the results of earlier commands", "[model_play]") {
  // out = in with 9 at 2; then in = out with 9 at 2 once more; then in is printed.
  const std::string back =
      dispatch("op", R"("InputTensor": "out", "IndicesTensor": "i", "UpdatesTensor": "u", "OutputTensor": "in")");
  CHECK(played(model_text(scatter_resources(2), scatter,
                          fmt::format("{0}, {1}, {0}, {2}, {0}", print_out, scatter_dispatch, back) +
                              R"(, { "type": "print", "resource": "in" })")) ==
        "Resource 'out': 70, 71, 72, 73\nResource 'out': 1, 2, 9, 4\nResource 'out': 1, 2, 9, 4\nResource 'in': 1, 2, "
        "9, 4\n");
}

TEST_CASE("Dispatch: a buffer may be bound to a tensor of another type", "[model_play]") {
  // 0x01020304 is stored as the bytes 4, 3, 2, 1, and the index takes all eight bytes of the output.
  // 0.
  CHECK(played(model_text(R"("in": { "initialValuesDataType": "UINT32", "initialValues": [16909060] },
          "out": { "initialValuesDataType": "UINT8", "initialValues": { "valueCount": 8, "value": 255 } })",
                          R"("op": { "type": "ARGMIN", "InputTensor": { "DataType": "UINT8", "Sizes": [4] },
          "OutputTensor": { "DataType": "INT64", "Sizes": [1] }, "Axes": [0], "AxisDirection": 0 })",
                          dispatch("op", R"("InputTensor": "in", "OutputTensor": "out")") + ", " +
                              std::string(print_out))) == "Resource 'out': 3, 0, 0, 0, 0, 0, 0, 0\n");
}

TEST_CASE("Play: a hand-written file with comments, trailing commas and a byte order mark", "[model_play]") {
  CHECK(played("\xEF\xBB\xBF// three values\r\n{ \"$schema\": \"https://example.org/schema\",\r\n"
               "\"resources\": { \"out\": { \"initialValuesDataType\": \"INT8\", /* of four */ \"initialValues\": [1, "
               "2, 3,], }, },\r\n"
               "\"dispatchables\": {}, // none\r\n\"commands\": [ { \"type\": \"print\", \"resource\": \"out\", }, ] "
               "}\r\n// end") == "Resource 'out': 1, 2, 3, 0\n");
}

TEST_CASE("writeFile: .npy with dimensions or flat, and the bytes of .bin and .dat", "[model_play]") {
  const temporary_folder folder;
  played(model_text(R"("r": { "initialValuesDataType": "INT16", "initialValues": [258, -2, 3] })", "",
                    R"({ "type": "writeFile", "resource": "r", "targetPath": "shaped.npy", "dimensions": [3, 1] },
          { "type": "writeFile", "resource": "r", "targetPath": "flat.npy" }, { "type": "writeFile", "resource": "r", "targetPath": "r.bin" },
          { "type": "writeFile", "resource": "r", "targetPath": "new/folder/r.dat" })"),
         folder);
  const io::npy_array shaped = io::read_npy(folder / "shaped.npy", 1000);
  CHECK(shaped.type == data_type::int16);
  CHECK(shaped.shape == std::vector<std::uint64_t>{3, 1});
  CHECK(shaped.bytes.size() == 6);  // the values, without the buffer's last two bytes
  CHECK(io::read_npy(folder / "flat.npy", 1000).shape == std::vector<std::uint64_t>{4});
  CHECK(folder.read("r.bin") == "\x02\x01\xFE\xFF\x03\x00\x00\x00"s);
  CHECK(folder.read("new/folder/r.dat") == folder.read("r.bin"));
}

TEST_CASE("writeFile: replaces files, and creates the output folder", "[model_play]") {
  const temporary_folder folder;
  const std::string text = model_text(R"("r": { "initialValuesDataType": "INT8", "initialValues": [1, 2, 3, 4] })", "",
                                      R"({ "type": "writeFile", "resource": "r", "targetPath": "r.bin" })");
  folder.write("r.bin", "longer than the new one");
  played(text, folder);
  CHECK(folder.read("r.bin") == "\x01\x02\x03\x04");
  io::model_options options;
  options.output_folder = folder / "not/yet/";
  io::model model = read(text, options, folder.path()).model;
  CHECK_FALSE(std::filesystem::exists(folder / "not"));  // reading creates no folder
  std::ostringstream out;
  io::play(reference, model, out);
  CHECK(folder.read("not/yet/r.bin") == "\x01\x02\x03\x04");
}

TEST_CASE("M9, M22: a file that cannot be written", "[model_play]") {
  const temporary_folder folder;
  folder.write("file", "in the way of a folder");
  const auto refused = [&](std::string_view target) {
    return message_of([&] {
      played(model_text(R"("r": { "initialValuesDataType": "INT8", "initialValues": [1] })", "",
                        fmt::format(R"({{ "type": "writeFile", "resource": "r", "targetPath": "{}" }})", target)),
             folder);
    });
  };
  check_begins(refused("file/r.bin"), "model M9: targetPath is '");
  check_begins(refused("file/r.npy"), "npy M22: file is not written");
}

TEST_CASE("Play: no command runs if a later dispatch is illegal", "[model_play]") {
  const temporary_folder folder;
  io::model model =
      read(model_text(scatter_resources(2), fmt::format("{}, {}", scatter, illegal_argmin),
                      fmt::format(R"({}, {{ "type": "writeFile", "resource": "in", "targetPath": "f.bin" }}, {}, {})",
                                  print_out, scatter_dispatch,
                                  dispatch("bad", R"("InputTensor": "in", "OutputTensor": "out")"))),
           options_in(folder), folder.path())
          .model;
  const auto before = model.resources[3].bytes;
  std::ostringstream out;
  CHECK(message_of([&] { io::play(reference, model, out); }) ==
        "ARGMIN A3: OutputTensor.Sizes[1] is 2, wanted 1 (Sizes {2,2}, wanted {2,1}: 1 on a reduced axis)");
  CHECK(out.str().empty());
  CHECK(folder.empty());
  CHECK(model.resources[3].bytes == before);
}

TEST_CASE("SCATTER_ND S10: a violation that depends on data is reported at its dispatch", "[model_play]") {
  const temporary_folder folder;
  io::model model =
      read(model_text(scatter_resources(4), scatter,
                      fmt::format(R"({}, {}, {}, {{ "type": "writeFile", "resource": "out", "targetPath": "f.bin" }})",
                                  print_out, scatter_dispatch, print_out)),
           options_in(folder), folder.path())
          .model;
  CHECK(io::validate_model(model, [](std::string_view, const violation&) {}) == 0);
  const auto before = model.resources[3].bytes;
  std::ostringstream out;
  CHECK(refusal_of([&] { io::play(reference, model, out); }) == "S10");
  CHECK(out.str() == "Resource 'out': 70, 71, 72, 73\n");  // the output of earlier commands
  CHECK(folder.empty());
  CHECK(model.resources[3].bytes == before);
}

TEST_CASE("T12: offsets, sizes and overlaps of bound ranges", "[model_play]") {
  const auto rules = [](std::string_view input, std::string_view count, std::string_view coordinates,
                        std::string_view members = "") {
    return broken_rules(nonzero_text(input, count, coordinates, members));
  };
  using list = std::vector<std::string>;
  CHECK(rules(from('a', 0), from('b', 0), from('c', 0)) == list{});
  CHECK(rules(from('a', 4), from('b', 4), from('b', 8)) == list{});          // disjoint outputs in one buffer
  CHECK(rules(from('a', 1), from('b', 0), from('c', 0)) == list{"op T12"});  // offset 4
  CHECK(rules(from('a', 13), from('b', 0), from('c', 0)).size() == 2);       // offset 52, and too small
  CHECK(rules(from('a', 0), from('b', 0), from('c', 15)).size() == 2);       // likewise
  CHECK(rules(from('a', 12), from('b', 12), from('c', 12)) == list{});       // 16 bytes at offset 48
  CHECK(rules(R"({ "name": " a", "elementSizeInBytes": 1, "elementOffset": 17 })", from('b', 0), from('c', 0)) ==
        list{"op T12", "op T12"});  // offset 17, 47 bytes
  CHECK(rules(from('a', 4), from('b', 0), from('c', 0), R"(, "GuaranteedBaseOffsetAlignment": 32)") == list{"op T12"});
  CHECK(rules(from('a', 8), from('b', 0), from('c', 0), R"(, "GuaranteedBaseOffsetAlignment": 32)") == list{});
  CHECK(rules(from('a', 0), from('a', 8), from('c', 0)) ==
        list{"op T12"});  // input and output in one resource, though disjoint
  CHECK(rules(from('a', 0), from('b', 0), from('b', 0)) == list{"op T12"});  // outputs overlap
  CHECK(rules(from('a', 0), from('b', 4), from('b', 0)) == list{});          // beyond the 16 bytes that are written
}

TEST_CASE("Validate: every violation of every dispatchable, dispatched or not", "[model_play]") {
  const std::string text = model_text(
      scatter_resources(2),
      fmt::format(R"({}, {},
      "idle": {{ "type": "ARGMIN", "desc": {{ "InputTensor": {{ "DataType": "FLOAT64", "Sizes": [0] }},
          "OutputTensor": {{ "DataType": "UINT32", "Sizes": [1], "Strides": [1], "TotalTensorSizeInBytes": 3, "Flags": 2 }},
          "Axes": [2, 2], "AxisDirection": 5 }} }})",
                  illegal_argmin, scatter),
      fmt::format("{}, {}", dispatch("bad", R"("InputTensor": "in", "OutputTensor": "out")"), scatter_dispatch));
  CHECK(broken_rules(text) ==
        std::vector<std::string>{"bad A3", "idle T3", "idle T5", "idle T7", "idle T10", "idle A5", "idle A8"});
  io::model model = read(text).model;
  std::ostringstream out;
  CHECK(refusal_of([&] { io::play(reference, model, out); }) == "A3");
}

TEST_CASE("Validate: a model with an illegal dispatchable that is never dispatched is not run", "[model_play]") {
  io::model model =
      read(model_text(scatter_resources(2), fmt::format("{}, {}", scatter, illegal_argmin), scatter_dispatch)).model;
  std::ostringstream out;
  CHECK(refusal_of([&] { io::play(reference, model, out); }) == "A3");
}

TEST_CASE("Validate: an omitted required tensor is T1, a level too low is T11", "[model_play]") {
  CHECK(broken_rules(model_text("", R"("op": { "type": "ARGMIN", "Axes": [0], "AxisDirection": 0 })")) ==
        std::vector<std::string>{"op T1", "op T1"});
  CHECK(broken_rules(model_text(scatter_resources(2), R"("op": { "type": "ARGMIN", "Axes": [0], "AxisDirection": 0,
                                   "OutputTensor": { "DataType": "UINT32", "Sizes": [1] } })",
                                dispatch("op", R"("InputTensor": "in", "OutputTensor": "out")"))) ==
        std::vector<std::string>{"op T1"});  // though it is bound
  io::model_options options;
  options.feature_level = feature_level::level_2_0;
  io::model model = read(model_text("", scatter), options, ".").model;
  std::vector<std::string> broken;
  io::validate_model(model, [&](std::string_view, const violation& v) { broken.emplace_back(v.rule); });
  CHECK(broken == std::vector<std::string>{"T11"});
}

TEST_CASE("M8, M9: model files", "[model_play]") {
  const temporary_folder folder;
  io::model_options options = options_in(folder);
  const auto refused = [&](std::string_view file) {
    return message_of([&] { io::read_model(folder / file, options); });
  };
  check_begins(refused("none.json"), "model M9: file is '");
  std::filesystem::create_directory(folder / "folder.json");
  check_begins(refused("folder.json"), "model M9: file is '");
  folder.write("m.json", "\xEF\xBB\xBF" + model_text(R"("r": { "initialValues": { "sourcePath": "v.npy" } })"));
  folder.write("v.npy", "no such thing");
  check_begins(refused("m.json"), "npy M20: ");  // found beside the model
  folder.write("empty.json", "");
  CHECK(refused("empty.json") == "model M1: JSON is malformed: The document is empty, wanted a DxDispatch model");
  options.max_memory = 3200;
  folder.write("large.json", std::string(101, ' '));
  CHECK(refused("large.json") == "model M8: file is 101 bytes, wanted at most 100 (a 32nd of --max-memory)");
  folder.write("large.json", std::string(100, ' '));
  check_begins(refused("large.json"), "model M1");
#ifdef __linux__
  // A file of Linux that has fewer bytes than it says, as one that is truncated while it is read.
  const std::filesystem::path shrunk = "/sys/devices/system/cpu/online";
  options.max_memory = 1 << 20;
  if (std::filesystem::exists(shrunk))
    CHECK(message_of([&] { io::read_model(shrunk, options); }) ==
          "model M9: file is '/sys/devices/system/cpu/online', wanted a model that can be read "
          "(shorter than its size when it was opened)");
#endif
}
