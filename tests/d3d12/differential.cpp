// The device gives the bits of `reference` for generated cases, with root descriptors and with descriptor tables, in
// host memory and in buffer resources. GOLDML_D3D12_CASES sets the number of cases per operator.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/d3d12/d3d12.hpp>
#include <goldml/io/dxdispatch.hpp>
#include <goldml/oracle/generate_illegal.hpp>

#include "cases.hpp"
#include "catch.hpp"
#include "gpu.hpp"

using namespace goldml;

namespace {

std::uint64_t case_count() {
  const std::string text = gpus::variable("GOLDML_D3D12_CASES");
  return text.empty() ? 2000 : std::stoull(text);
}

// Runs the cases on both; returns at most ten lines with differing cases and their differences.
template <class Desc>
std::string differences(const d3d12::device& gpu, const oracle::generate_options& options) {
  std::string all;
  int bad = 0;
  for (std::uint64_t number = 0; number < options.count && bad < 10; ++number) {
    const oracle::test_case<Desc> c = gpu_cases::sample<Desc>(options, number);
    const std::vector<host_tensor> inputs = oracle::detail::inputs_of(c);
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

// The operators of all_operators that have no shaders yet. One that is missing here, or has them, fails.
constexpr std::array<std::string_view, 2> operators_without_shaders{"FILL_VALUE_CONSTANT", "SLICE1"};

// A model that dispatches such an operator is refused by its name, before anything runs.
template <class Desc>
void check_gap() {
  const std::string name(operator_traits<Desc>::name);
  INFO(name);
  CHECK(std::find(operators_without_shaders.begin(), operators_without_shaders.end(), name) !=
        operators_without_shaders.end());
  io::model m;
  m.dispatchables.push_back({"op", Desc{}, std::vector<std::optional<tensor_desc>>(operand_info_count<Desc>), {}});
  std::ostringstream out;
  std::string refusal;
  try {
    io::play(gpus::open(), m, out);
  } catch (const error& e) {
    refusal = e.what();
  }
  CHECK(refusal.starts_with("model M5: type is " + name + ", wanted an operator that this backend has"));
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("d3d12: generated cases give the bits of reference", "[registry]", all_operators) {
  if constexpr (!supports<d3d12::device, TestType>) {
    check_gap<TestType>();
  } else {
    CHECK(std::find(operators_without_shaders.begin(), operators_without_shaders.end(),
                    operator_traits<TestType>::name) == operators_without_shaders.end());
    for (const auto bindings : gpus::all_bindings()) {
      const d3d12::device gpu = gpus::open(bindings);
      const std::uint64_t count = case_count(), large = count / 20;
      const std::string usual = differences<TestType>(gpu, {.count = count, .seed = 5});
      CHECK(usual == "");
      const std::string larger = differences<TestType>(gpu, {.count = large, .seed = 6, .most_elements = 100'000});
      CHECK(larger == "");
      std::printf("d3d12 differential: %s, %s, %s: %llu cases\n", std::string(operator_traits<TestType>::name).c_str(),
                  gpu.adapter().name.c_str(), name_of(bindings).c_str(),
                  static_cast<unsigned long long>(count + large));
      std::fflush(stdout);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("d3d12: illegal cases give the violations of reference", "[registry]", all_operators) {
  if constexpr (!supports<d3d12::device, TestType>) {
    check_gap<TestType>();
  } else {
    const d3d12::device gpu = gpus::open();
    for (std::uint64_t number = 0; number < 300; ++number) {
      const auto illegal = oracle::sample_illegal_case<TestType>({.seed = 7}, number);
      CAPTURE(to_string(illegal.text));
      const gpu_cases::untouchable_operands<TestType> operands(illegal.text);
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
