// Limits of `goldml check`: memory for colliding tuples, files of actual outputs, and which writes it judges.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "../../tools/check.hpp"
#include "../../tools/model_judge.hpp"
#include "../../tools/system_memory.hpp"
#include "../allocations.hpp"
#include "models.hpp"

using namespace models;

namespace {

// `tuples` tuples that all point to the only place of an output {1, slice}: update t of element s is t + s, read from
// tuples + slice - 1 integers.
std::string collisions(std::uint64_t tuples, std::uint64_t slice) {
  const auto sequence = [](std::string_view name, std::uint64_t count, int delta) {
    return fmt::format(R"("{}": {{ "initialValuesDataType": "INT32", "initialValues":
        {{ "valueCount": {}, "valueStart": 0, "valueDelta": {} }} }},)",
                       name, count, delta);
  };
  const std::string data = fmt::format(R"({{ "DataType": "INT32", "Sizes": [1, {}] }})", slice);
  return model_text(
      sequence("x", slice, 0) + sequence("i", 1, 0) + sequence("u", tuples + slice - 1, 1) + sequence("y", slice, 0),
      fmt::format(R"("op": {{ "type": "SCATTER_ND", "desc": {{ "InputTensor": {0}, "OutputTensor": {0},
        "IndicesTensor": {{ "DataType": "INT32", "Sizes": [{1}, 1], "Strides": [0, 1] }},
        "UpdatesTensor": {{ "DataType": "INT32", "Sizes": [{1}, {2}], "Strides": [1, 1] }},
        "InputDimensionCount": 2, "IndicesDimensionCount": 2 }} }})",
                  data, tuples, slice),
      R"({ "type": "dispatch", "dispatchable": "op", "bindings":
        { "InputTensor": "x", "IndicesTensor": "i", "UpdatesTensor": "u", "OutputTensor": "y" } })");
}

struct judged {
  tool::model_judgement result;
  std::size_t bytes;  // allocated in total, freed or not

  bool agrees() const { return result.dispatches.exit_status() == 0 && !result.wrote_outside; }
};

judged judge(const temporary_folder& folder, std::string_view text, std::string_view file,
             std::uint64_t max_memory = std::uint64_t{1} << 30, std::uint64_t max_work = saturated) {
  io::model model = read(text, options_in(folder), folder.path()).model;
  const std::vector<tool::actual_file> files{{"y", io::place_of(folder / file)}};
  const std::size_t before = allocated_bytes;
  tool::model_judgement result = tool::judge_model(model, files, {}, {max_memory, max_work}, "");
  return {std::move(result), allocated_bytes - before};
}

std::string integers(std::uint64_t count, std::int32_t first, std::int32_t step) {
  std::string bytes(count * 4, '\0');
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto value = static_cast<std::int32_t>(first + static_cast<std::int32_t>(i) * step);
    std::memcpy(bytes.data() + 4 * i, &value, 4);
  }
  return bytes;
}

}  // namespace

TEST_CASE("Check: memory for colliding tuples is proportional to tuples plus elements, not to their product",
          "[judge]") {
  constexpr std::uint64_t tuples = 2048;
  constexpr std::uint64_t slice = 1024;
  constexpr std::size_t most = 256 * 1024;  // a scalar for each of the two million candidates would take 32 MB
  const temporary_folder folder;
  const std::string text = collisions(tuples, slice);
  // Element s may be s to s + 2047: the first tuple's update everywhere; from each tuple another one; one value that
  // only the elements up to 511 may have; none.
  folder.write("first.bin", integers(slice, 0, 1));
  folder.write("mixed.bin", integers(slice, 2047, -1));
  folder.write("half.bin", integers(slice, 511, 0));
  folder.write("none.bin", integers(slice, -1, 0));
  const auto differing_in = [&](std::string_view file) {
    const judged judgement = judge(folder, text, file);
    CHECK(judgement.result.compared == slice);
    CHECK(judgement.agrees() == (judgement.result.differing == 0));
    CHECK(judgement.bytes < most);
    return judgement.result.differing;
  };
  CHECK(differing_in("first.bin") == 0);
  CHECK(differing_in("mixed.bin") == 0);
  CHECK(differing_in("half.bin") == 512);
  const judged differing = judge(folder, text, "none.bin");
  CHECK(differing.result.differing == slice);
  CHECK(differing.bytes < most);
  CHECK(differing.result.report.size() < 10'000);
}

TEST_CASE("M8: resources, files and golden answers share one budget", "[judge]") {
  // 16 bytes of x, 4 of i, 32 of u and 16 of y; the file; then golden values 16, verdicts 4, the tuples' numbers
  // (1 + 2 + 5) * 4, a copy of the updates 32 and 8 of bits.
  const temporary_folder folder;
  const std::string text = collisions(5, 4);
  folder.write("y.bin", integers(4, 4, 1));
  constexpr std::uint64_t resources = 16 + 4 + 32 + 16;
  constexpr std::uint64_t golden = 16 + 4 + 32 + 32 + 8;
  CHECK(judge(folder, text, "y.bin", resources + 16 + golden).agrees());
  CHECK(message_of([&] { judge(folder, text, "y.bin", resources + 16 + golden - 1); }) ==
        fmt::format("model M8: check is {} bytes for the golden answer, wanted at most {} (what --max-memory leaves; "
                    "command 0)",
                    golden, golden - 1));
  CHECK(message_of([&] { judge(folder, text, "y.bin", resources + 15); }) ==
        "model M8: actual is 16 bytes, wanted at most 15 (what --max-memory leaves; resource 'y')");
  io::write_npy(folder / "y.npy", data_type::int32, std::vector<std::uint64_t>{4}, std::vector<std::byte>(16));
  CHECK(message_of([&] { judge(folder, text, "y.npy", resources + 15); }).substr(0, 8) == "npy M23:");
}

TEST_CASE("Check: a file of another size is reported without being read", "[judge]") {
  const temporary_folder folder;
  const std::string text = collisions(5, 4);
  const std::uint64_t megabyte = std::uint64_t{1} << 20;
  // Too large for the allowed memory, but refused for their shapes alone.
  io::write_npy(folder / "wide.npy", data_type::int32, std::vector<std::uint64_t>{2, megabyte / 8},
                std::vector<std::byte>(megabyte));
  const judged wide = judge(folder, text, "wide.npy", 4096);
  CHECK_FALSE(wide.agrees());
  CHECK(wide.result.report.find("it is INT32 {2,131072}, wanted INT32 {1,4}") != std::string::npos);
  CHECK(wide.bytes < 64 * 1024);
  // A raw file that is longer than the buffer: the buffer's bytes are read, no more.
  folder.write("long.bin", integers(4, 4, 1) + std::string(megabyte, 'x'));
  const judged longer = judge(folder, text, "long.bin", 4096);
  CHECK(longer.agrees());
  CHECK(longer.bytes < 64 * 1024);
  folder.write("short.bin", std::string(15, 'x'));
  CHECK(judge(folder, text, "short.bin").result.report.find("it is UINT8 {15}, wanted INT32 {1,4}") !=
        std::string::npos);
}

TEST_CASE("M11: a model with more work than allowed is not judged", "[judge]") {
  const temporary_folder folder;
  folder.write("y.bin", integers(4, 4, 1));
  const std::uint64_t work = (3 * 5 + 2 * 20 + 4 + 4) * work_rates_of_check.elements + io::work_of_a_command;
  CHECK(judge(folder, collisions(5, 4), "y.bin", 4096, work).agrees());
  check_begins(message_of([&] { judge(folder, collisions(5, 4), "y.bin", 4096, work - 1); }),
               fmt::format("model M11: commands is {} units of work", work));
}

TEST_CASE("Check: the writes that no later command overlaps, against the definition", "[judge]") {
  std::mt19937 random(1);  // the same numbers on every platform
  const auto below = [&](std::uint64_t end) { return random() % end; };
  std::size_t last = 0;
  std::size_t others = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<tool::detail::model_write> writes;
    const std::uint64_t count = below(20);
    for (std::size_t command = 0; writes.size() < count; command += 1 + below(2))
      for (std::uint64_t i = 0; i < 1 + below(2); ++i) {
        const std::uint64_t begin = below(40);
        writes.push_back({command, below(2), begin, begin + 1 + below(12), nullptr});
      }
    const std::vector<bool> found = tool::detail::last_writes(writes);
    REQUIRE(found.size() == writes.size());
    for (std::size_t i = 0; i < writes.size(); ++i) {
      bool overlapped = false;
      for (const auto& later : writes)
        overlapped = overlapped || (later.command > writes[i].command && later.resource == writes[i].resource &&
                                    later.begin < writes[i].end && writes[i].begin < later.end);
      if (found[i] == overlapped) FAIL_CHECK("round " << round << ", write " << i);
      ++(found[i] ? last : others);
    }
  }
  CHECK(last > 5000);
  CHECK(others > 5000);
}

TEST_CASE("Memory: by default the smaller of 8 GiB and half of the machine's", "[judge]") {
  constexpr std::uint64_t gib = std::uint64_t{1} << 30;
  CHECK(tool::default_max_memory(4 * gib) == 2 * gib);
  CHECK(tool::default_max_memory(16 * gib) == 8 * gib);
  CHECK(tool::default_max_memory(64 * gib) == 8 * gib);
  CHECK(tool::default_max_memory(0) == 8 * gib);  // the system does not report its memory
  CHECK(tool::system_memory() >= gib / 4);
}

TEST_CASE("C6: check of a folder keeps as many reports as it is told, whatever the number of models",
          "[judge_limits]") {
  const temporary_folder models, actual;
  for (const char name : {'a', 'b', 'c', 'd'}) {
    models.write(std::string{name} + ".json",
                 model_text(R"("x": { "initialValuesDataType": "INT32", "initialValues": [1, 2, 3] },
                               "y": { "initialValuesDataType": "INT32", "initialValues": [0, 0, 0] })",
                            R"("op": { "type": "ELEMENT_WISE_IDENTITY", "desc": {
                                 "InputTensor": { "DataType": "INT32", "Sizes": [3] },
                                 "OutputTensor": { "DataType": "INT32", "Sizes": [3] } } })",
                            fmt::format(R"({{ "type": "dispatch", "dispatchable": "op",
                                              "bindings": {{ "InputTensor": "x", "OutputTensor": "y" }} }},
                                           {{ "type": "writeFile", "resource": "y", "targetPath": "{}.bin" }})",
                                        name)));
    actual.write(std::string{name} + ".bin", integers(3, name == 'b' ? 1 : 7, 1));  // only b agrees
  }
  for (const std::size_t most : {0U, 2U, 9U}) {
    tool::check_options options;
    options.model.output_folder = actual.path();
    options.unverified = true;
    options.most_reports = most;
    std::size_t printed = 0, kept = 0;
    const auto results = tool::check_corpus(
        models.path(), options, [&](const tool::checked_model& model) { printed += model.report.empty() ? 0U : 1U; },
        [](std::string_view line) { FAIL(line); });
    REQUIRE(results.models.size() == 4);
    for (const tool::checked_model& model : results.models) {
      CHECK(model.again.empty() == model.report.empty());
      kept += model.report.empty() ? 0U : 1U;
      CHECK((model.outcome == tool::model_outcome::agrees) == (model.name == "b.json"));
    }
    CHECK(printed == 3);
    CHECK(kept == (std::min<std::size_t>)(most, 3));
  }
}
