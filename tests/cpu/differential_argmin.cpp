// ARGMIN on `cpu` against `reference`.
#include <goldml/cpu/argmin.hpp>

#include "differential.hpp"

TEST_CASE("cpu ARGMIN: generated cases give the same bytes as reference") {
  goldml_test::compare_with_reference<goldml::argmin_desc>([](goldml::argmin_desc& desc, std::uint64_t number) {
    if (number % 3 == 0) desc.nan_policy = goldml::nan_policy::propagate;
  });
}
