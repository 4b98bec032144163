// Every operator on `cpu`: generated cases give the same bytes of every output as on `reference`, including gaps and
// rows past the count, or the same violation, in every way of cpu_variants and under every policy.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include <goldml/cpu/cpu.hpp>
#include <goldml/operators/any_call.hpp>

#include "../catch.hpp"
#include "../support/cpu_variants.hpp"
#include "../support/every_operator.hpp"
#include "../support/long_run.hpp"
#include "../support/run_case.hpp"

using namespace goldml;

namespace {

constexpr std::uint64_t usual_cases = goldml_test::is_slow ? 40 : 1'200;

// Every policy takes each of its values in turn, mixed with the values of the others. The policy empty_axes allows
// more or fewer descs, and leaves the results as they are.
void vary_policies(any_desc& desc, std::uint64_t number) {
  for (const attribute& policy : desc.description().policies) {
    if (policy.kind != attribute_kind::enumeration || policy.name == "empty_axes") continue;
    const auto& values = policy.names.rows;
    store_enumerator(policy.address(desc.get()), values[number % values.size()].value);
    number /= values.size();
  }
}

void compare_with_reference(const oracle::any_operator& op, const goldml_test::cpu_variants& variants,
                            std::uint64_t count, std::uint64_t most_elements,
                            const std::vector<std::string>& attributes = {}) {
  const auto call = call_of<cpu_backend>(*op.description);
  if (call == nullptr) return;  // on_cpu.cpp lists these
  oracle::generate_options options{.seed = most_elements, .most_elements = most_elements};
  options.data = oracle::all_data_classes();
  options.attributes = attributes;
  std::uint64_t refused = 0;
  for (std::uint64_t number = 0; number < count; ++number) {
    auto c = oracle::sample_case(op, options, number);
    vary_policies(c.desc, number);
    const auto inputs = oracle::detail::inputs_of(op, c);
    const goldml_test::ending wanted = goldml_test::run_case(op.golden->evaluate, c, inputs);
    if (!wanted.refused.empty()) ++refused;
    for (const auto& variant : variants.list()) {
      const std::string& name = variant.first;
      const cpu_backend& backend = variant.second;
      const auto on_cpu = [&](const void* desc, std::span<const const_tensor_ref> in, std::span<const tensor_ref> out) {
        call(backend, desc, in, out);
      };
      const goldml_test::ending got = goldml_test::run_case(on_cpu, c, inputs);
      if (got == wanted) continue;
      INFO(name << ": " << to_string(c));
      REQUIRE(got.refused == wanted.refused);
      for (std::size_t i = 0; i < wanted.outputs.size(); ++i) {
        INFO("output " << i);
        REQUIRE(got.outputs[i].bytes() == wanted.outputs[i].bytes());
      }
    }
  }
  std::printf(
      "cpu against reference: %s: %llu cases of up to %llu elements agree, %llu of them refused alike, in %zu "
      "ways each\n",
      std::string(op.name()).c_str(), static_cast<unsigned long long>(count),
      static_cast<unsigned long long>(most_elements), static_cast<unsigned long long>(refused), variants.list().size());
  if (!goldml_test::is_slow || count >= 20) REQUIRE(refused < count);
}

}  // namespace

TEST_CASE("registry: every operator on cpu gives the bytes of reference", "[registry][cpu]") {
  const goldml_test::cpu_variants variants;
  goldml_test::for_every_operator([&](const oracle::any_operator& op) {
    const std::uint64_t cases = goldml_test::share_of_family(op, goldml_test::is_long_run() ? 10'000 : usual_cases);
    compare_with_reference(op, variants, cases, 300);
    compare_with_reference(op, variants, (cases + 24) / 25, 20'000);
    const auto policies = op.policies();
    if (std::any_of(policies.begin(), policies.end(), [](const attribute& a) { return a.name == "zero_stride"; }))
      compare_with_reference(op, variants, cases / 4, 300, {"zero_stride=repeat"});
  });
}
