// The gathers and SCATTER_ELEMENTS from DirectML's structures.
#include <cstdint>

#include <goldml/directml/from_directml.hpp>
#include <goldml/directml/structures.hpp>

#include "../catch.hpp"

using namespace goldml;

TEST_CASE("from_directml: attributes and policies of the gathers, and their numbers", "[directml]") {
  DML_GATHER_OPERATOR_DESC plain{};
  plain.Axis = 3;
  plain.IndexDimensions = 2;
  const auto from_gather = directml::from_directml<gather_desc>(plain, {.range_policy = range_policy::clamp});
  CHECK(from_gather.axis == 3);
  CHECK(from_gather.index_dimensions == 2);
  CHECK(from_gather.range_policy == range_policy::clamp);

  DML_GATHER_ELEMENTS_OPERATOR_DESC elements{};
  elements.Axis = 5;
  const auto from_elements =
      directml::from_directml<gather_elements_desc>(elements, {.off_axis_sizes = off_axis_sizes::partial});
  CHECK(from_elements.axis == 5);
  CHECK(from_elements.range_policy == range_policy::refuse);
  CHECK(from_elements.off_axis_sizes == off_axis_sizes::partial);

  DML_GATHER_ND_OPERATOR_DESC tuples{};
  tuples.InputDimensionCount = 4;
  tuples.IndicesDimensionCount = 3;
  const auto from_nd = directml::from_directml<gather_nd_desc>(tuples, {.range_policy = range_policy::drop});
  CHECK(from_nd.input_dimension_count == 4);
  CHECK(from_nd.indices_dimension_count == 3);
  CHECK(from_nd.range_policy == range_policy::drop);

  DML_GATHER_ND1_OPERATOR_DESC batched{};
  batched.InputDimensionCount = 5;
  batched.IndicesDimensionCount = 4;
  batched.BatchDimensionCount = 2;
  const auto from_nd1 = directml::from_directml<gather_nd1_desc>(batched);
  CHECK(from_nd1.input_dimension_count == 5);
  CHECK(from_nd1.indices_dimension_count == 4);
  CHECK(from_nd1.batch_dimension_count == 2);

  CHECK(operator_traits<gather_desc>::enumerator == static_cast<std::uint32_t>(DML_OPERATOR_GATHER));
  CHECK(operator_traits<gather_elements_desc>::enumerator == static_cast<std::uint32_t>(DML_OPERATOR_GATHER_ELEMENTS));
  CHECK(operator_traits<gather_nd_desc>::enumerator == static_cast<std::uint32_t>(DML_OPERATOR_GATHER_ND));
  CHECK(operator_traits<gather_nd1_desc>::enumerator == static_cast<std::uint32_t>(DML_OPERATOR_GATHER_ND1));
}

TEST_CASE("from_directml: attributes and policies of SCATTER_ELEMENTS, and its number", "[directml]") {
  DML_SCATTER_OPERATOR_DESC given{};
  given.Axis = 2;
  const auto desc = directml::from_directml<scatter_elements_desc>(given, {.range_policy = range_policy::drop,
                                                                           .duplicates = duplicates::last_wins,
                                                                           .in_place = true,
                                                                           .off_axis_sizes = off_axis_sizes::partial});
  CHECK(desc.axis == 2);
  CHECK(desc.range_policy == range_policy::drop);
  CHECK(desc.duplicates == duplicates::last_wins);
  CHECK(desc.in_place);
  CHECK(desc.off_axis_sizes == off_axis_sizes::partial);
  CHECK(operator_traits<scatter_elements_desc>::enumerator == static_cast<std::uint32_t>(DML_OPERATOR_SCATTER));
  CHECK(operator_traits<scatter_elements_desc>::enumerator ==
        static_cast<std::uint32_t>(DML_OPERATOR_SCATTER_ELEMENTS));
}
