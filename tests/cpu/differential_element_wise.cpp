// The element-wise operators on `cpu` against `reference`.
#include <goldml/cpu/element_wise.hpp>
#include <goldml/oracle/samplers/element_wise.hpp>
#include <goldml/reference/element_wise.hpp>

#include "differential.hpp"

namespace {

template <class... Desc>
void compare_all(goldml::type_list<Desc...>) {
  const auto vary = [](auto& desc, std::uint64_t number) {
    if constexpr (requires { desc.nan_policy; })
      if (number % 3 == 0) desc.nan_policy = goldml::nan_policy::propagate;
    if constexpr (requires { desc.shift_policy; })
      if (number % 3 == 0) desc.shift_policy = goldml::shift_policy::mask;
    if constexpr (requires { desc.inverted_range; })
      if (number % 5 == 0) desc.inverted_range = goldml::inverted_range::refuse;
  };
  (goldml_test::compare_with_reference<Desc>(goldml_test::many_cases / 20, 300, vary), ...);
  (goldml_test::compare_with_reference<Desc>(goldml_test::some_cases / 20, 20'000, vary), ...);
}

}  // namespace

TEST_CASE("cpu element-wise operators: generated cases give the same bytes as reference") {
  compare_all(goldml::element_wise_operators{});
}
