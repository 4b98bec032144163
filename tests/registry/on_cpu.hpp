// What on_cpu.cpp.in checks of each operator, and the list of those that it is made for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/cpu/backend.hpp>
#include <goldml/oracle/watched_output.hpp>

#include "strides.hpp"

namespace goldml_test {

// The operators for which a unit has been made.
inline std::set<std::string>& cpu_tests() {
  static std::set<std::string> names;
  return names;
}
inline bool lists_cpu_test(std::string_view operator_name) { return cpu_tests().emplace(operator_name).second; }

// Every policy's last value now and then, and every class of data.
inline void check_against_reference(const goldml::oracle::any_operator& op, run_time_call call, std::uint64_t count) {
  using namespace goldml;
  oracle::generate_options options{.seed = 38, .most_elements = 200};
  options.data = oracle::all_data_classes();
  std::uint64_t refused = 0;
  for (std::uint64_t number = 0; number < count; ++number) {
    auto c = oracle::sample_case(op, options, number);
    if (number % 3 == 0)
      for (const attribute& policy : op.policies())
        if (policy.kind == attribute_kind::enumeration && policy.name != "empty_axes")
          store_enumerator(policy.address(c.desc.get()), policy.names.rows.back().value);
    CAPTURE(to_string(c));
    const auto inputs = oracle::detail::inputs_of(op, c);
    const ending wanted = run_case(op.golden->evaluate, c, inputs);
    const ending got = run_case(call, c, inputs);
    if (!wanted.refused.empty()) ++refused;
    REQUIRE(got.refused == wanted.refused);
    REQUIRE((got == wanted));
  }
  CHECK(refused < count / 2);
}

// Nothing but elements is written: no padding, no gap, no byte before the tensor or behind it.
inline void check_memory_around(const goldml::oracle::any_operator& op, run_time_call call, std::uint64_t count) {
  using namespace goldml;
  for (const auto& c : oracle::cases<any_desc>(op, {.count = count, .seed = 14})) {
    CAPTURE(c.line());
    std::vector<oracle::watched_output> outputs(c.outputs.begin(), c.outputs.end());
    std::vector<tensor_ref> refs;
    for (oracle::watched_output& output : outputs) refs.push_back(output.ref());
    const auto inputs = c.input_refs();
    call(c.text.desc.get(), inputs, refs);
    const auto judged = oracle::compare(c.expected, outputs, {.gaps = oracle::gap_bytes::must_survive});
    REQUIRE_FALSE(judged.result.wrote_outside());
    REQUIRE(judged.result.differing() == 0);
  }
}

}  // namespace goldml_test
