// TOP_K, TOP_K1 and ONE_HOT on `cpu` against `reference`.
#include <cstdint>
#include <type_traits>

#include <goldml/cpu/one_hot.hpp>
#include <goldml/cpu/top_k.hpp>
#include <goldml/oracle/samplers/one_hot.hpp>
#include <goldml/oracle/samplers/top_k.hpp>

#include "differential.hpp"

namespace {

template <class... Desc>
void compare_all(goldml::type_list<Desc...>) {
  const auto vary = [](auto& desc, std::uint64_t number) {
    if constexpr (requires { desc.nan_policy; })
      if (number % 3 == 0) desc.nan_policy = goldml::nan_policy::propagate;
    if constexpr (requires { desc.k_limit; })
      if (number % 5 == 0) desc.k_limit = goldml::k_limit::exclusive;
  };
  (goldml_test::compare_with_reference<Desc>(goldml_test::many_cases / 10, 300, vary), ...);
  (goldml_test::compare_with_reference<Desc>(goldml_test::some_cases / 10, 20'000, vary), ...);
}

}  // namespace

TEST_CASE("cpu selections: generated cases give the same bytes as reference") {
  compare_all(goldml::type_list<goldml::top_k_desc, goldml::top_k1_desc, goldml::one_hot_desc>{});
}
