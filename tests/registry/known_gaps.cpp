// Which operators of all_operators have no kernel on `cpu` yet. The list must be empty where all have one: an operator
// that has none and is not listed fails, and so does one that is listed and has one.
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

TEST_CASE("registry: every operator runs on reference, and on cpu but for the known gaps", "[registry]") {
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
