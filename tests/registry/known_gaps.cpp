// The operators of all_operators without a kernel on `cpu`. The test fails for an operator that has no kernel and is
// not listed, and for one that is listed and has a kernel.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <type_traits>

#include <goldml/operators/operators.hpp>
#include <goldml/reference/reference.hpp>

#include "../catch.hpp"
#include "on_cpu.hpp"

namespace {

constexpr std::array<std::string_view, 0> operators_without_cpu_kernel{};

}  // namespace

TEST_CASE("registry: every operator runs on reference and, except for the known gaps, on cpu", "[registry]") {
  using namespace goldml;
  std::size_t count = 0;
  for_each_operator(all_operators{}, [&]<class Desc>(std::type_identity<Desc>) {
    const std::string name(operator_traits<Desc>::name);
    INFO(name);
    CHECK(supports<reference_backend, Desc>);
    const bool gap = std::find(operators_without_cpu_kernel.begin(), operators_without_cpu_kernel.end(), name) !=
                     operators_without_cpu_kernel.end();
    CHECK(goldml_test::cpu_tests().count(name) == (gap ? 0 : 1));
    ++count;
  });
  CHECK(goldml_test::cpu_tests().size() + operators_without_cpu_kernel.size() == count);
}
