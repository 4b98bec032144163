// TOP_K, TOP_K1 and ONE_HOT from DirectML's structures.
#include <cstdint>

#include <goldml/directml/from_directml.hpp>
#include <goldml/directml/structures/one_hot.hpp>
#include <goldml/directml/structures/top_k.hpp>

#include "../catch.hpp"

using namespace goldml;

TEST_CASE("from_directml: attributes and policies of TOP_K and TOP_K1, and their numbers", "[directml]") {
  DML_TOP_K_OPERATOR_DESC greatest{};
  greatest.Axis = 2;
  greatest.K = 5;
  const auto from_top_k = directml::from_directml<top_k_desc>(greatest, {.nan_policy = nan_policy::propagate});
  CHECK(from_top_k.axis == 2);
  CHECK(from_top_k.k == 5);
  CHECK(from_top_k.nan_policy == nan_policy::propagate);
  CHECK(from_top_k.k_limit == k_limit::inclusive);
  DML_TOP_K1_OPERATOR_DESC directed{};
  directed.Axis = 1;
  directed.K = 3;
  directed.AxisDirection = DML_AXIS_DIRECTION_DECREASING;
  const auto from_top_k1 = directml::from_directml<top_k1_desc>(directed, {.k_limit = k_limit::exclusive});
  CHECK(from_top_k1.axis == 1);
  CHECK(from_top_k1.k == 3);
  CHECK(from_top_k1.axis_direction == axis_direction::decreasing);
  CHECK(from_top_k1.k_limit == k_limit::exclusive);
  CHECK(operator_traits<top_k_desc>::enumerator == static_cast<std::uint32_t>(DML_OPERATOR_TOP_K));
  CHECK(operator_traits<top_k1_desc>::enumerator == static_cast<std::uint32_t>(DML_OPERATOR_TOP_K1));
}

TEST_CASE("from_directml: ONE_HOT", "[directml]") {
  DML_ONE_HOT_OPERATOR_DESC given{};
  given.Axis = 3;
  CHECK(directml::from_directml<one_hot_desc>(given).axis == 3);
  CHECK(operator_traits<one_hot_desc>::enumerator == static_cast<std::uint32_t>(DML_OPERATOR_ONE_HOT));
}
