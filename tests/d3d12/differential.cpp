// The device gives the bits of `reference` for generated cases, with root descriptors and with descriptor tables, in
// host memory and in buffer resources. GOLDML_D3D12_CASES sets the number of cases per operator.
#include <cstdint>
#include <cstdio>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/d3d12/d3d12.hpp>
#include <goldml/io/dxdispatch.hpp>
#include <goldml/oracle/generate_illegal.hpp>

#include "cases.hpp"
#include "catch.hpp"
#include "gpu.hpp"
#include "support/long_run.hpp"

using namespace goldml;

namespace {

std::uint64_t case_count() {
  const std::string text = gpus::variable("GOLDML_D3D12_CASES");
  return !text.empty() ? std::stoull(text) : goldml_test::is_long_run() ? 2000 : 400;
}

// Runs the cases on both; returns at most ten lines with differing cases and their differences.
std::string differences(const d3d12::device& gpu, const oracle::any_operator& op,
                        const oracle::generate_options& options) {
  std::string all;
  int bad = 0;
  for (std::uint64_t number = 0; number < options.count && bad < 10; ++number) {
    const gpu_cases::any_case c = gpu_cases::sample(op, options, number);
    if (!missing_in<d3d12::device>(c.desc).empty()) continue;
    const std::vector<host_tensor> inputs = oracle::detail::inputs_of(op, c);
    const gpu_cases::outcome wanted = gpu_cases::call(reference, c, inputs);
    std::string what = gpu_cases::difference(c, gpu_cases::call(gpu, c, inputs), wanted, false);
    if (what.empty()) {
      std::vector<std::uint64_t> sizes;
      const auto places = gpu_cases::places_of(c, number, sizes);
      bool spilled = false;
      what = gpu_cases::difference(c, gpu_cases::call_resident(gpu, c, inputs, places, sizes, spilled), wanted, true);
      if (what.empty() && spilled) what = "bytes outside the outputs have changed";
      if (!what.empty()) what = "resident: " + what;
    }
    if (what.empty()) continue;
    ++bad;
    all += to_string(c) + "\n  " + what + "\n";
  }
  return all;
}

std::string name_of(d3d12::bindings bindings) {
  return bindings == d3d12::bindings::root     ? "root descriptors"
         : bindings == d3d12::bindings::tables ? "descriptor tables"
                                               : "automatic bindings";
}

bool has_shaders(const oracle::any_operator& op) { return call_of<d3d12::device>(*op.description) != nullptr; }

}  // namespace

TEST_CASE("d3d12: the operators that have shaders") {
  std::vector<std::string_view> names;
  for (const oracle::any_operator* op : oracle::every_operator())
    if (has_shaders(*op)) names.push_back(op->name());
  CHECK(names == std::vector<std::string_view>{
                     "ARGMIN", "NONZERO_COORDINATES", "SCATTER_ND", "DIAGONAL_MATRIX1", "ARGMAX", "DIAGONAL_MATRIX",
                     "FILL_VALUE_CONSTANT", "SLICE1", "SLICE", "SLICE_GRAD", "SPLIT", "JOIN", "PADDING", "PADDING1",
                     "TILE", "SPACE_TO_DEPTH", "SPACE_TO_DEPTH1", "DEPTH_TO_SPACE", "DEPTH_TO_SPACE1", "GATHER",
                     "GATHER_ELEMENTS", "GATHER_ND", "GATHER_ND1", "SCATTER_ELEMENTS", "REDUCE", "FILL_VALUE_SEQUENCE",
                     "REVERSE_SUBSEQUENCES", "MAX_UNPOOLING", "ELEMENT_WISE_IDENTITY"});
}

TEST_CASE("d3d12: a model that dispatches an operator without shaders is refused by its name", "[registry]") {
  const d3d12::device gpu = gpus::open();
  for (const oracle::any_operator* op : oracle::every_operator()) {
    if (has_shaders(*op)) continue;
    CAPTURE(op->name());
    io::model m;
    m.dispatchables.push_back(
        {"op", any_desc(*op->description), std::vector<std::optional<tensor_desc>>(op->operands().size()), {}});
    std::ostringstream out;
    std::string refusal;
    try {
      io::play(gpu, m, out);
    } catch (const error& e) {
      refusal = e.what();
    }
    CHECK(refusal.starts_with("model M5: type is " + std::string(op->name()) +
                              ", wanted an operator that this backend has"));
  }
}

TEST_CASE("d3d12: REDUCE with a function that gives no index is refused by its name") {
  const d3d12::device gpu = gpus::open();
  const tensor<float> x({1, 1, 2, 2}, {1, 2, 3, 4});
  for (const auto& each : enumeration<reduce_function>::values) {
    CAPTURE(each.name);
    const reduce_desc desc{.function = each.value, .axes = {3}};
    if (each.value == reduce_function::argmin || each.value == reduce_function::argmax) {
      CHECK(missing_in<d3d12::device>(desc) == "");
      continue;
    }
    const std::string lacking =
        "REDUCE with the function " + std::string(each.name) + ", which is not implemented";
    CHECK(missing_in<d3d12::device>(desc) == lacking);
    tensor<float> y({1, 1, 2, 1}, {7, 7});
    std::string refusal;
    try {
      reduce(gpu, x, y, desc);
    } catch (const std::invalid_argument& e) {
      refusal = e.what();
    }
    CHECK(refusal == "goldml: d3d12: " + lacking);
    CHECK(y.elements() == std::vector<float>{7, 7});
    io::model m;
    m.dispatchables.push_back({"op", any_desc(desc), {to_operand(x.view()).desc, to_operand(y.view()).desc}, {}});
    std::ostringstream out;
    try {
      io::play(gpu, m, out);
    } catch (const error& e) {
      refusal = e.what();
    }
    CHECK(refusal.starts_with("model M5: type is " + lacking + ", wanted an operator that this backend has"));
  }
  // A function that REDUCE does not have.
  CHECK(missing_in<d3d12::device>(reduce_desc{.function = static_cast<reduce_function>(12)}) == "");
}

TEST_CASE("d3d12: ELEMENT_WISE_IDENTITY with ScaleBias is refused by its name") {
  const d3d12::device gpu = gpus::open();
  const std::string lacking = "ELEMENT_WISE_IDENTITY with ScaleBias, which is not implemented";
  CHECK(missing_in<d3d12::device>(element_wise_identity_desc{}) == "");
  CHECK(missing_in<d3d12::device>(element_wise_identity_desc{.scale_bias = scale_bias{2, 1}}) == lacking);
  const tensor<float> x({2}, {1, 2});
  tensor<float> y({2}, {7, 7});
  std::string refusal;
  try {
    element_wise_identity(gpu, x, y, {.scale_bias = scale_bias{2, 1}});
  } catch (const std::invalid_argument& e) {
    refusal = e.what();
  }
  CHECK(refusal == "goldml: d3d12: " + lacking);
  CHECK(y.elements() == std::vector<float>{7, 7});
}

TEST_CASE("d3d12: FILL_VALUE_SEQUENCE of floats is refused by its name") {
  const d3d12::device gpu = gpus::open();
  const std::string lacking = "FILL_VALUE_SEQUENCE of floats, which is not implemented";
  CHECK(missing_in<d3d12::device>(fill_value_sequence_desc{.value_start = 1}) == "");
  CHECK(missing_in<d3d12::device>(fill_value_sequence_desc{.value_delta = float16(1.0F)}) == lacking);
  tensor<float> y({2}, {7, 7});
  std::string refusal;
  try {
    fill_value_sequence(gpu, y, {.value_start = 1.0F});
  } catch (const std::invalid_argument& e) {
    refusal = e.what();
  }
  CHECK(refusal == "goldml: d3d12: " + lacking);
  CHECK(y.elements() == std::vector<float>{7, 7});
}

TEST_CASE("d3d12: generated cases give the bits of reference", "[registry]") {
  const std::uint64_t count = case_count(), large = count / 20;
  for (const auto bindings : gpus::all_bindings()) {
    const d3d12::device gpu = gpus::open(bindings);
    std::uint64_t operators = 0;
    for (const oracle::any_operator* op : oracle::every_operator()) {
      if (!has_shaders(*op)) continue;
      ++operators;
      CHECK(differences(gpu, *op, {.count = count, .seed = 5}) == "");
      CHECK(differences(gpu, *op, {.count = large, .seed = 6, .most_elements = 100'000}) == "");
    }
    std::printf("d3d12 differential: %s, %s: %llu cases\n", gpu.adapter().name.c_str(), name_of(bindings).c_str(),
                static_cast<unsigned long long>(operators * (count + large)));
    std::fflush(stdout);
    CHECK(operators > 0);
  }
}

TEST_CASE("d3d12: illegal cases give the violations of reference", "[registry]") {
  const d3d12::device gpu = gpus::open();
  for (const oracle::any_operator* op : oracle::every_operator()) {
    if (!has_shaders(*op)) continue;
    for (std::uint64_t number = 0; number < goldml_test::random_count(300); ++number) {
      const auto illegal = oracle::sample_illegal_case(*op, {.seed = 7}, number);
      CAPTURE(to_string(illegal.text));
      const gpu_cases::untouchable_operands operands(illegal.text);
      const auto refusal_by = [&](const auto& backend) -> std::string {
        try {
          operands.evaluate_by(backend);
        } catch (const error& refusal) {
          return refusal.what();
        }
        return "";
      };
      CHECK(refusal_by(gpu) == refusal_by(reference));
      CHECK(refusal_of([&] { operands.evaluate_by(gpu); }) == illegal.rule);
    }
  }
}
