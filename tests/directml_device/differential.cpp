// With the mock, the backend gives the bits of `reference`, does nothing that DirectML forbids, and refuses what
// `reference` refuses. GOLDML_DIRECTML_CASES sets the number of cases per operator.
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <goldml/oracle/generate_illegal.hpp>

#include "catch.hpp"
#include "d3d12/cases.hpp"
#include "d3d12/gpu.hpp"
#include "mock_directml.hpp"
#include "support/every_operator.hpp"

using namespace goldml;
using directml_mock::over_mock;
using directml_mock::settings;
using directml_mock::world;

namespace {

std::uint64_t case_count() {
  const std::string text = gpus::variable("GOLDML_DIRECTML_CASES");
  return text.empty() ? goldml_test::share_of_each(8000) : std::stoull(text);
}

// Sizes of all kinds, including 0.
std::vector<settings> all_settings() {
  settings none, small_sizes, large_sizes, no_descriptors;
  none.initializing = {0, 0, 0};
  small_sizes.initializing = {3, 4, 0};
  small_sizes.executing = {9, 20, 12};
  large_sizes.initializing = {1, 300'000, 0};
  large_sizes.executing = {700, 70'000, 65'540};
  no_descriptors.initializing = {0, 4096, 0};
  no_descriptors.executing = {0, 0, 256};
  return {none, small_sizes, large_sizes, no_descriptors};
}

}  // namespace

TEST_CASE("directml: generated cases give the bits of reference", "[registry]") {
  const d3d12::device gpu = gpus::open();
  oracle::generate_options options{.count = case_count(), .seed = 11};
  options.data = oracle::all_data_classes();
  std::uint64_t calls = 0, dispatches = 0, refusals = 0, without_shaders = 0;
  const std::vector<settings> all = all_settings();
  for (std::size_t s = 0; s < all.size(); ++s) {
    world w(gpu, all[s]);
    const directml::device dml = over_mock(w);
    for (const oracle::any_operator* op : oracle::every_operator())
      for (std::uint64_t number = s; number < options.count; number += all.size()) {
        const auto c = oracle::sample_case(*op, options, number);
        CAPTURE(to_string(c));
        const std::vector<host_tensor> inputs = oracle::detail::inputs_of(*op, c);
        const gpu_cases::outcome wanted = gpu_cases::call(reference, c, inputs);
        const bool runs = wanted.refusal.empty();
        if (runs) w.expect_dispatch(inputs, gpu_cases::tensors_of(c, wanted));
        const std::uint64_t before = w.found.dispatches, copies_before = w.found.copies;
        CHECK(gpu_cases::difference(c, gpu_cases::call(dml, c, inputs), wanted, false) == "");
        CHECK(w.found.dispatches - before == (runs ? 1u : 0u));
        refusals += runs ? 0u : 1u;
        without_shaders += runs && gpu_cases::recorder_of(c.desc) == nullptr ? 1u : 0u;
        std::uint64_t tensors = 0;  // each is copied once, up or down; an output that is read both ways
        for (const auto& tensor : c.tensors) tensors += runs && tensor ? 1u : 0u;
        for (std::size_t i = gpu_cases::input_count(c); i < inputs.size(); ++i)
          tensors += runs && !inputs[i].omitted() ? 1u : 0u;
        CHECK(w.found.copies - copies_before == tensors);
        w.settle();
        REQUIRE(w.found.complaints == std::vector<std::string>{});
      }
    CHECK(w.found.barriers >= 3 * w.found.dispatches);
    calls += w.found.calls;
    dispatches += w.found.dispatches;
  }
  CHECK(dispatches + refusals == options.count * oracle::every_operator().size());
  std::printf(
      "directml mock: %llu calls checked, %llu dispatches, %llu of them without shaders, %llu refused by their "
      "data\n",
      static_cast<unsigned long long>(calls), static_cast<unsigned long long>(dispatches),
      static_cast<unsigned long long>(without_shaders), static_cast<unsigned long long>(refusals));
  std::fflush(stdout);
}

TEST_CASE("directml: illegal cases give the violations of reference, without a call of DirectML", "[registry]") {
  const d3d12::device gpu = gpus::open();
  world w(gpu, {});
  const directml::device dml = over_mock(w);
  const std::uint64_t calls = w.found.calls;
  for (const oracle::any_operator* op : oracle::every_operator())
    for (std::uint64_t number = 0; number < goldml_test::random_count(200); ++number) {
      const auto illegal = oracle::sample_illegal_case(*op, {.seed = 8}, number);
      CAPTURE(to_string(illegal.text));
      const gpu_cases::untouchable_operands operands(illegal.text);
      CHECK(refusal_of([&] { operands.evaluate_by(dml); }) == illegal.rule);
    }
  CHECK(w.found.calls == calls);
}
