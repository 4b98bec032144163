// Every operator on `cpu`: strides do not change its result, and it writes only elements. Also the list of operators
// without a kernel on `cpu`: the test fails for an unlisted operator without a kernel, and for a listed operator with a
// kernel. differential.cpp compares `cpu` with `reference`.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/cpu/cpu.hpp>
#include <goldml/operators/any_call.hpp>
#include <goldml/oracle/watched_output.hpp>

#include "../catch.hpp"
#include "../support/every_operator.hpp"
#include "strides.hpp"

using namespace goldml;

namespace {

constexpr std::array<std::string_view, 0> operators_without_cpu_kernel{};

// test(op, call) for each operator that has a kernel on `cpu`.
template <class Test>
void for_every_operator_on_cpu(const Test& test) {
  goldml_test::for_every_operator([&](const oracle::any_operator& op) {
    const auto call = call_of<cpu_backend>(*op.description);
    if (call == nullptr) return;
    test(op, [&](const void* desc, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs) {
      call(cpu, desc, inputs, outputs);
    });
  });
}

// Only elements are written: no padding, no gap, no byte before or after the tensor.
void check_memory_around(const oracle::any_operator& op, goldml_test::run_time_call call, std::uint64_t count) {
  for (const auto& c : oracle::cases<any_desc>(op, {.count = count, .seed = 14})) {
    CAPTURE(c.line());
    std::vector<oracle::watched_output> outputs;
    const auto initial = c.initial_refs();
    for (const tensor_desc& output : c.outputs)
      outputs.emplace_back(output, 1, initial.empty() ? const_tensor_ref() : initial[outputs.size()]);
    std::vector<tensor_ref> refs;
    for (oracle::watched_output& output : outputs) refs.push_back(output.ref());
    const auto inputs = c.input_refs();
    call(c.text.desc.get(), inputs, refs);
    const auto judged = oracle::compare(c.expected, outputs, {.gaps = oracle::gap_bytes::must_survive});
    REQUIRE_FALSE(judged.result.wrote_outside());
    REQUIRE(judged.result.differing() == 0);
  }
}

}  // namespace

TEST_CASE("registry: every operator runs on reference and, except for the known gaps, on cpu", "[registry]") {
  for (const operator_description* op : operator_descriptions()) {
    INFO(op->name);
    CHECK(call_of<reference_backend>(*op) != nullptr);
    const bool gap = std::find(operators_without_cpu_kernel.begin(), operators_without_cpu_kernel.end(), op->name) !=
                     operators_without_cpu_kernel.end();
    CHECK((call_of<cpu_backend>(*op) == nullptr) == gap);
  }
  for (const std::string_view name : operators_without_cpu_kernel) CHECK(find_operator(name) != nullptr);
}

TEST_CASE("registry: on cpu, strides do not change the result", "[registry][cpu]") {
  for_every_operator_on_cpu([](const oracle::any_operator& op, goldml_test::run_time_call call) {
    goldml_test::check_strides(op, op.golden->evaluate, call, 300);
  });
}

TEST_CASE("registry: every operator on cpu writes only elements", "[registry][cpu]") {
  for_every_operator_on_cpu(
      [](const oracle::any_operator& op, goldml_test::run_time_call call) { check_memory_around(op, call, 300); });
}
