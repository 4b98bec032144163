// TOP_K and TOP_K1 on `cpu` against `reference`.
#include <goldml/cpu/top_k.hpp>
#include <goldml/oracle/samplers/top_k.hpp>
#include <goldml/reference/top_k.hpp>

#include "differential.hpp"

TEST_CASE("cpu TOP_K, TOP_K1: generated cases give the same bytes as reference") {
  const auto vary = [](auto& desc, std::uint64_t number) {
    if (number % 3 == 0) desc.nan_policy = goldml::nan_policy::propagate;
    if (number % 5 == 0) desc.k_limit = goldml::k_limit::exclusive;
  };
  const auto compare = [&]<class Desc>(std::type_identity<Desc>) {
    goldml_test::compare_with_reference<Desc>(goldml_test::many_cases / 10, 300, vary);
    goldml_test::compare_with_reference<Desc>(goldml_test::some_cases / 10, 20'000, vary);
  };
  compare(std::type_identity<goldml::top_k_desc>{});
  compare(std::type_identity<goldml::top_k1_desc>{});
}
