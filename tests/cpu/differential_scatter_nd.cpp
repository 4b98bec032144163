// SCATTER_ND on `cpu` against `reference`, under every policy.
#include <goldml/cpu/scatter_nd.hpp>

#include "differential.hpp"

TEST_CASE("cpu SCATTER_ND: generated cases give the same bytes or the same violation as reference") {
  using namespace goldml;
  goldml_test::compare_with_reference<scatter_nd_desc>([](scatter_nd_desc& desc, std::uint64_t number) {
    constexpr range_policy ranges[] = {range_policy::refuse, range_policy::clamp, range_policy::drop};
    desc.range_policy = ranges[number % 3];
    desc.duplicates = number / 3 % 2 == 0 ? duplicates::last_wins : duplicates::refuse;
  });
}
