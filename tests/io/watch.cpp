// The bytes around outputs are watched while a model is played, and if `goldml check` judges a whole buffer.
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../tools/model_judge.hpp"
#include "models.hpp"

using namespace models;

namespace {

// A backend that also writes bytes at these offsets from the output's first one.
struct stray_backend {
  std::vector<std::int64_t> offsets;
};
struct own_stray_backend : stray_backend {};

}  // namespace

template <>
inline constexpr goldml::backend_options goldml::options_of_backend<own_stray_backend>{.writes_elements_only = true};

template <class Backend>
requires std::derived_from<Backend, stray_backend>
struct goldml::kernel<goldml::diagonal_matrix1_desc, Backend> {
  static void run(const Backend& backend, std::span<const goldml::const_tensor_ref> inputs,
                  std::span<const goldml::tensor_ref> outputs, const goldml::diagonal_matrix1_desc& desc) {
    goldml::evaluate(goldml::reference, desc, inputs, outputs);
    for (const std::int64_t offset : backend.offsets) static_cast<std::byte*>(outputs[0].data())[offset] = std::byte{0};
  }
};

// The stray bytes are those of the second output.
template <class Backend>
requires std::derived_from<Backend, stray_backend>
struct goldml::kernel<goldml::split_desc, Backend> {
  static void run(const Backend& backend, std::span<const goldml::const_tensor_ref> inputs,
                  std::span<const goldml::tensor_ref> outputs, const goldml::split_desc& desc) {
    goldml::evaluate(goldml::reference, desc, inputs, outputs);
    for (const std::int64_t offset : backend.offsets) static_cast<std::byte*>(outputs[1].data())[offset] = std::byte{0};
  }
};

static_assert(goldml::options_of_backend<goldml::reference_backend>.writes_elements_only);
static_assert(goldml::options_of_backend<goldml::cpu_backend>.writes_elements_only);

namespace {

// Copies INT32 {2,2} to an output with strides {4,1} at byte 16 of a resource of 64 bytes that hold 7: elements are the
// bytes 16 to 23 and 32 to 39, the gap 24 to 31.
const std::string copy_model = model_text(
    R"("in": { "initialValuesDataType": "INT32", "initialValues": [1, 2, 3, 4] },
       "out": { "initialValuesDataType": "INT32", "initialValues": { "valueCount": 16, "value": 7 } })",
    R"("op": { "type": "DIAGONAL_MATRIX1", "desc": { "InputTensor": { "DataType": "INT32", "Sizes": [2, 2] },
       "OutputTensor": { "DataType": "INT32", "Sizes": [2, 2], "Strides": [4, 1] }, "ValueDataType": "INT32",
       "Value": 0, "DiagonalFillBegin": 0, "DiagonalFillEnd": 0 } })",
    R"({ "type": "dispatch", "dispatchable": "op", "bindings":
       { "InputTensor": "in", "OutputTensor": { "name": "out", "elementOffset": 4 } } },
       { "type": "print", "resource": "out" })");
constexpr std::string_view right = "Resource 'out': 7, 7, 7, 7, 1, 2, 7, 7, 3, 4, 7, 7, 7, 7, 7, 7\n";

struct outcome {
  std::string printed;
  std::string refused;
  std::vector<std::string> notes;
};

template <class Backend>
outcome play(const Backend& backend, std::string_view text, bool gaps_must_survive = false) {
  const temporary_folder folder;
  io::model model = io::parse_model(text, folder.path(), options_in(folder));
  outcome result;
  std::ostringstream out;
  result.refused = message_of([&] {
    io::play(backend, model, out, io::default_max_work,
             {.gaps_must_survive = gaps_must_survive,
              .note = [&](std::string_view line) { result.notes.emplace_back(line); }});
  });
  result.printed = out.str();
  return result;
}

struct judged {
  bool agrees;
  bool wrote_outside;
  std::string report;
};

judged judge(std::string_view text, const std::vector<std::int32_t>& out, bool keep_gaps = false) {
  const temporary_folder folder;
  folder.write("out.bin", {reinterpret_cast<const char*>(out.data()), out.size() * 4});
  io::model model = io::parse_model(text, folder.path(), options_in(folder));
  const std::vector<tool::actual_file> files{{"out", io::place_of(folder / "out.bin")}};
  oracle::compare_options options;
  if (keep_gaps) options.gaps = oracle::gap_bytes::must_survive;
  const tool::model_judgement result =
      tool::judge_model(model, files, options, {std::uint64_t{1} << 20, saturated}, "");
  return {result.dispatches.all() == oracle::outcome::agrees, result.wrote_outside, result.report};
}

}  // namespace

TEST_CASE("playing a model leaves the bytes around its outputs unchanged", "[io]") {
  CHECK(play(reference, copy_model).printed == right);
  const outcome clean = play(stray_backend{}, copy_model, true);
  CHECK(clean.printed == right);
  CHECK(clean.notes.empty());
}

TEST_CASE("any backend that writes outside its output is refused, with the byte's offset", "[io]") {
  for (const std::int64_t offset : {-16, -1, 24, 47}) {
    const outcome own = play(own_stray_backend{{{offset}}}, copy_model);
    const outcome other = play(stray_backend{{offset}}, copy_model);
    CHECK(own.refused == other.refused);
    CHECK(own.refused.starts_with(
        fmt::format("model M14: dispatch is wrote outside its tensor: byte {} is 0x00, was 0x", offset)));
    CHECK(own.refused.find("(OutputTensor in resource 'out'; command 0)") != std::string::npos);
    CHECK(own.printed.empty());
  }
  CHECK(play(stray_backend{{-2, -1, 24}}, copy_model).refused.find("byte -2 is") != std::string::npos);
  CHECK(play(stray_backend{{-2, -1, 24}}, copy_model).refused.find("; 3 bytes changed") != std::string::npos);
}

TEST_CASE("padding and gaps are a note for a device, and refused for goldml's own backends or by option", "[io]") {
  const outcome device = play(stray_backend{{8, 15}}, copy_model);
  CHECK(device.refused.empty());
  CHECK(device.printed == right);  // the contents of gaps are not printed
  REQUIRE(device.notes.size() == 1);
  CHECK(device.notes[0].starts_with("note: wrote into padding or gaps: byte 8 is 0x00, was 0x"));
  CHECK(device.notes[0].ends_with("; 2 bytes changed (OutputTensor in resource 'out'; command 0)"));
  const temporary_folder folder;
  io::model model = io::parse_model(copy_model, folder.path(), options_in(folder));
  std::ostringstream out;
  io::play(stray_backend{{8, 15}}, model, out);  // to nobody
  CHECK(out.str() == right);
  CHECK(play(stray_backend{{8}}, copy_model, true).refused.find("M14: dispatch is wrote into padding or gaps") !=
        std::string::npos);
  CHECK(play(own_stray_backend{{{8}}}, copy_model).refused.find("M14: dispatch is wrote into padding or gaps") !=
        std::string::npos);
}

TEST_CASE("bytes before and behind a packed output are watched", "[io]") {
  std::string packed = copy_model;
  const std::string_view strides = R"(, "Strides": [4, 1])";
  packed.erase(packed.find(strides), strides.size());
  CHECK(play(stray_backend{}, packed).printed == "Resource 'out': 7, 7, 7, 7, 1, 2, 3, 4, 7, 7, 7, 7, 7, 7, 7, 7\n");
  for (const std::int64_t offset : {-16, -1, 16, 47}) {
    const outcome stray = play(stray_backend{{offset}}, packed);
    CHECK(stray.refused.starts_with(
        fmt::format("model M14: dispatch is wrote outside its tensor: byte {} is 0x00, was 0x", offset)));
    CHECK(stray.printed.empty());
  }
}

TEST_CASE("one of several outputs of an operand is named by its number", "[io]") {
  const std::string text = model_text(
      R"("in": { "initialValuesDataType": "INT32", "initialValues": [1, 2, 3, 4] },
         "a": { "initialValuesDataType": "INT32", "initialValues": [7, 7, 7] },
         "b": { "initialValuesDataType": "INT32", "initialValues": [7, 7, 7] })",
      R"("op": { "type": "SPLIT", "desc": { "InputTensor": { "DataType": "INT32", "Sizes": [4] }, "Axis": 0,
         "OutputTensors": [{ "DataType": "INT32", "Sizes": [2] }, { "DataType": "INT32", "Sizes": [2] }] } })",
      R"({ "type": "dispatch", "dispatchable": "op", "bindings": { "InputTensor": "in", "OutputTensors": ["a", "b"] } },
         { "type": "print", "resource": "a" }, { "type": "print", "resource": "b" })");
  CHECK(play(stray_backend{}, text).printed == "Resource 'a': 1, 2, 7\nResource 'b': 3, 4, 7\n");
  const outcome stray = play(stray_backend{{8}}, text);
  CHECK(stray.refused.starts_with("model M14: dispatch is wrote outside its tensor: byte 8 is 0x00, was 0x"));
  CHECK(stray.refused.find("(OutputTensors[1] in resource 'b'; command 0)") != std::string::npos);
}

TEST_CASE("an output that the desc omits is not watched", "[io]") {
  const auto tensor = [](std::string_view name) {
    return fmt::format(R"("{}": {{ "DataType": "FLOAT32", "Sizes": [1, 1, 1, 1] }})", name);
  };
  // LINEAR with Alpha 1 and Beta 0 of 3 * 2.
  CHECK(play(reference, model_text(R"("x": { "initialValuesDataType": "FLOAT32", "initialValues": [3] },
         "w": { "initialValuesDataType": "FLOAT32", "initialValues": [2] },
         "y": { "initialValuesDataType": "FLOAT32", "initialValues": [7, 7] })",
                                   fmt::format(R"("op": {{ "type": "RNN", "desc": {{ {}, {}, {}, {},
         "ActivationDescCount": 1, "Direction": "FORWARD",
         "ActivationDescs": [{{ "Type": "ACTIVATION_LINEAR", "Alpha": 1, "Beta": 0 }}] }} }})",
                                               tensor("InputTensor"), tensor("WeightTensor"),
                                               tensor("RecurrenceTensor"), tensor("OutputSingleTensor")),
                                   R"({ "type": "dispatch", "dispatchable": "op", "bindings": { "InputTensor": "x",
         "WeightTensor": "w", "RecurrenceTensor": "w", "OutputSingleTensor": "y" } },
         { "type": "print", "resource": "y" })"))
            .printed == "Resource 'y': 6, 7\n");
}

TEST_CASE("a whole buffer is judged including the bytes between elements", "[io]") {
  const std::vector<std::int32_t> buffer{7, 7, 7, 7, 1, 2, 7, 7, 3, 4, 7, 7, 7, 7, 7, 7};
  CHECK(judge(copy_model, buffer, true).agrees);
  CHECK(judge(copy_model, buffer, true).report.find("wrote") == std::string::npos);
  for (std::size_t i = 0; i < buffer.size(); ++i) {
    INFO(i);
    std::vector<std::int32_t> changed = buffer;
    changed[i] = 0x0500'0007;  // the last byte of four
    const bool element = i == 4 || i == 5 || i == 8 || i == 9;
    const bool gap = i == 6 || i == 7;
    const judged lax = judge(copy_model, changed);
    const judged strict = judge(copy_model, changed, true);
    CHECK(lax.agrees == gap);
    CHECK_FALSE(strict.agrees);
    CHECK(lax.wrote_outside == (!element && !gap));
    CHECK(strict.wrote_outside == !element);
    const std::string where = fmt::format("byte {} is 0x05, was 0x00; 1 byte changed\n", 4 * i + 3);
    if (gap) {
      CHECK(lax.report.ends_with("resource 'out': note: wrote into padding or gaps: " + where));
      CHECK(strict.report.ends_with("resource 'out': wrote into padding or gaps: " + where));
    } else if (!element) {
      CHECK(lax.report.ends_with("resource 'out': wrote outside its tensors: " + where));
    }
  }
}

TEST_CASE("a packed tensor, and a part of a buffer, have no bytes to watch", "[io]") {
  CHECK(judge(copy_model, {1, 2, 3, 4}, true).agrees);
  CHECK(judge(copy_model, {9, 9, 9, 9, 1, 2, 9, 9, 3, 4}, true).agrees);
}

TEST_CASE("elements of any dispatch are not watched, and gaps of every dispatch are", "[io]") {
  // A second dispatch at byte 48: rows at 48 and 64, the gap 56 to 63; 72 bytes of 80.
  std::string two = copy_model;
  two.replace(two.find("\"valueCount\": 16"), 16, "\"valueCount\": 20");
  const std::size_t print = two.find("{ \"type\": \"print\"");
  two.insert(print, R"({ "type": "dispatch", "dispatchable": "op", "bindings":
       { "InputTensor": "in", "OutputTensor": { "name": "out", "elementOffset": 12 } } }, )");
  const std::vector<std::int32_t> buffer{7, 7, 7, 7, 1, 2, 7, 7, 3, 4, 7, 7, 1, 2, 7, 7, 3, 4, 7, 7};
  CHECK(judge(two, buffer, true).agrees);
  for (std::size_t i = 0; i < buffer.size(); ++i) {
    std::vector<std::int32_t> changed = buffer;
    changed[i] = 0;
    const bool gap = i == 6 || i == 7 || i == 14 || i == 15;
    CHECK(judge(two, changed).agrees == gap);
    CHECK(judge(two, changed).wrote_outside == (i < 4 || i == 10 || i == 11 || i > 17));
  }
  CHECK(play(reference, two).printed == "Resource 'out': 7, 7, 7, 7, 1, 2, 7, 7, 3, 4, 7, 7, 1, 2, 7, 7, 3, 4, 7, 7\n");
  // The tensor of the other dispatch does not limit the guards of this one.
  CHECK(play(stray_backend{{28}}, two).refused.find("byte 28 is 0x00") != std::string::npos);
}

TEST_CASE("two outputs of a dispatch in one resource are both watched", "[io]") {
  // OutputCountTensor at byte 16 (4 bytes), OutputCoordinatesTensor {3,1} at byte 32 (12 bytes), 64 bytes in all.
  const std::string text = model_text(
      R"("in": { "initialValuesDataType": "INT32", "initialValues": [5, 0, 6] },
         "out": { "initialValuesDataType": "UINT32", "initialValues": { "valueCount": 16, "value": 7 } })",
      R"("op": { "type": "NONZERO_COORDINATES", "desc": { "InputTensor": { "DataType": "INT32", "Sizes": [3] },
         "OutputCountTensor": { "DataType": "UINT32", "Sizes": [1] },
         "OutputCoordinatesTensor": { "DataType": "UINT32", "Sizes": [3, 1] } } })",
      R"({ "type": "dispatch", "dispatchable": "op", "bindings": { "InputTensor": "in",
         "OutputCountTensor": { "name": "out", "elementOffset": 4, "elementCount": 1 },
         "OutputCoordinatesTensor": { "name": "out", "elementOffset": 8, "elementCount": 3 } } },
         { "type": "print", "resource": "out" })");
  CHECK(play(reference, text).printed == "Resource 'out': 7, 7, 7, 7, 2, 7, 7, 7, 0, 2, 7, 7, 7, 7, 7, 7\n");
}

TEST_CASE("a dispatch that is refused while it runs changes no byte", "[io]") {
  const temporary_folder folder;
  const std::string tensor = R"({ "DataType": "INT32", "Sizes": [1, 4] })";
  io::model model = io::parse_model(
      model_text(R"("x": { "initialValuesDataType": "INT32", "initialValues": [1, 2, 3, 4] },
                    "i": { "initialValuesDataType": "INT32", "initialValues": [9] },
                    "y": { "initialValuesDataType": "INT32", "initialValues": { "valueCount": 32, "value": 7 } })",
                 fmt::format(R"("op": {{ "type": "SCATTER_ND", "desc": {{ "InputTensor": {0}, "OutputTensor": {0},
                    "IndicesTensor": {{ "DataType": "INT32", "Sizes": [1, 1] }},
                    "UpdatesTensor": {{ "DataType": "INT32", "Sizes": [1, 1] }},
                    "InputDimensionCount": 1, "IndicesDimensionCount": 2 }} }})",
                             tensor),
                 R"({ "type": "dispatch", "dispatchable": "op", "bindings": { "InputTensor": "x", "IndicesTensor": "i",
                    "UpdatesTensor": "i", "OutputTensor": { "name": "y", "elementOffset": 4 } } })"),
      folder.path(), options_in(folder));
  const std::vector<std::byte> before = model.resources[2].bytes;
  std::ostringstream out;
  CHECK(refusal_of([&] { io::play(reference, model, out); }) == "S10");
  CHECK((model.resources[2].bytes == before));
}

TEST_CASE("watch: a watch gives back what it held when it is finished, and only then") {
  // INT32 {2,2} with strides {4,1} at byte 1040 of 2000: elements are the bytes 1040 to 1047 and 1056 to 1063.
  const tensor_desc desc{.data_type = data_type::int32, .sizes = {2, 2}, .strides = {4, 1}};
  const std::vector<std::byte> before(2000, std::byte{7});
  std::vector<std::byte> buffer = before;
  {
    io::detail::output_watch watch(buffer, desc, 1040, {});
    CHECK(buffer[15] == std::byte{7});  // farther away than 1024 bytes
    CHECK(buffer[1040] == std::byte{7});
    CHECK(buffer[1063] == std::byte{7});
    CHECK(std::equal(buffer.begin() + 16, buffer.begin() + 1040, before.begin()) == false);
    for (const std::size_t element : {1040U, 1047U, 1056U, 1063U}) buffer[element] = std::byte{1};
    buffer[1048] ^= std::byte{0xFF};
    buffer[1999] ^= std::byte{0xFF};
    const memory_changes changes = watch.finish();
    CHECK(changes.gaps == 1);
    CHECK(changes.outside == 1);
    REQUIRE((changes.first_gap && changes.first_outside));
    CHECK(changes.first_gap->offset == 8);
    CHECK(changes.first_outside->offset == 959);
    std::vector<std::byte> wanted = before;
    for (const std::size_t element : {1040U, 1047U, 1056U, 1063U}) wanted[element] = std::byte{1};
    CHECK(buffer == wanted);
    buffer[1048] = std::byte{9};
  }
  CHECK(buffer[1048] == std::byte{9});
}

TEST_CASE("watch: gaps of more than 16 times the elements are not watched, and the bytes around them are") {
  // INT32 {2,1} with strides {10000,1} at byte 1040: elements are the bytes 1040 to 1043 and 41040 to 41043.
  const tensor_desc desc{.data_type = data_type::int32, .sizes = {2, 1}, .strides = {10'000, 1}};
  std::vector<std::byte> buffer(43'000, std::byte{7});
  io::detail::output_watch watch(buffer, desc, 1040, {});
  CHECK(buffer[1044] == std::byte{7});
  CHECK(buffer[41'039] == std::byte{7});
  for (const std::size_t at : {1039U, 1044U, 41'044U}) buffer[at] ^= std::byte{0xFF};
  const memory_changes changes = watch.finish();
  CHECK(changes.gaps == 0);
  CHECK(changes.outside == 2);
  REQUIRE(changes.first_outside);
  CHECK(changes.first_outside->offset == -1);
  CHECK(buffer[1039] == std::byte{7});
  CHECK(buffer[41'044] == std::byte{7});
}
