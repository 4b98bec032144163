// `goldml check --again`: two runs of a device that differ are a race, not rounding, for every operator (ledger MV-R3).
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "../../tools/check.hpp"
#include "../../tools/model_judge.hpp"
#include "models.hpp"

using namespace models;

namespace {

std::string floats(const std::vector<float>& x) {
  std::string bytes(4 * x.size(), '\0');
  std::memcpy(bytes.data(), x.data(), bytes.size());
  return bytes;
}

// The judgement of two runs; the second may be left out.
tool::model_judgement judged(std::string_view text, const std::string& first, const std::string& second) {
  const temporary_folder folder;
  folder.write("y.bin", first);
  io::model model = read(text, options_in(folder), folder.path()).model;
  std::vector<tool::actual_file> files{{"y", io::place_of(folder / "y.bin")}};
  if (!second.empty()) {
    folder.write("again.bin", second);
    files[0].again = io::place_of(folder / "again.bin");
  }
  return tool::judge_model(model, files, {}, {std::uint64_t{1} << 28, saturated}, "");
}

const std::string normalisation = model_text(
    R"("x": { "initialValuesDataType": "FLOAT32", "initialValues": [1, 2, 3, 4] },
       "y": { "initialValuesDataType": "FLOAT32", "initialValues": [0, 0, 0, 0] })",
    R"("op": { "type": "MEAN_VARIANCE_NORMALIZATION1", "desc": {
        "InputTensor": { "DataType": "FLOAT32", "Sizes": [2, 2] }, "OutputTensor": { "DataType": "FLOAT32", "Sizes": [2, 2] },
        "AxisCount": 2, "Axes": [0, 1], "NormalizeVariance": true, "Epsilon": 0.75 } })",
    R"({ "type": "dispatch", "dispatchable": "op", "bindings": { "InputTensor": "x", "OutputTensor": "y" } })");

}  // namespace

TEST_CASE("Check: two runs that differ are a race, though each is right", "[judge]") {
  const std::string one = floats({-1.06066F, -0.3535533F, 0.3535534F, 1.06066F}),
                    other = floats({-1.06066F, -0.3535533F, 0.35355335F, 1.0606601F});
  const auto alone = judged(normalisation, one, ""), same = judged(normalisation, one, one),
             apart = judged(normalisation, one, other);
  CHECK((alone.racing == 0 && alone.differing == 0 && alone.dispatches.exit_status() == 0));
  CHECK((same.racing == 0 && same.dispatches.exit_status() == 0));
  CHECK((apart.racing == 2 && apart.differing == 0 && apart.dispatches.exit_status() == 1));
  CHECK(apart.report.find("OutputTensor: two runs differ in 2 of 4 elements, first at {1,0}: a race, not rounding "
                          "(ledger MV-R3)\n") != std::string::npos);
  CHECK(judged(normalisation, other, one).racing == 2);
  CHECK(judged(normalisation, one, one.substr(8)).racing == 4);  // of another size
}

TEST_CASE("Check: a race of a wrong answer, and of what an operator leaves undefined", "[judge]") {
  const std::string right = floats({-1.06066F, -0.3535533F, 0.3535534F, 1.06066F}), wrong = floats({7, 7, 7, 7});
  const auto both = judged(normalisation, wrong, right);
  CHECK((both.racing == 4 && both.differing == 4));
  // A constant without Epsilon is not judged, and may differ from run to run.
  std::string constant = normalisation;
  constant.replace(constant.find("[1, 2, 3, 4]"), 12, "[7, 7, 7, 7]");
  constant.replace(constant.find("0.75"), 4, "0");
  CHECK(judged(constant, right, wrong).racing == 0);
}
