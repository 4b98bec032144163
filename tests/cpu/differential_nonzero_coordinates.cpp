// NONZERO_COORDINATES on `cpu` against `reference`.
#include <goldml/cpu/nonzero_coordinates.hpp>

#include "differential.hpp"

TEST_CASE("cpu NONZERO_COORDINATES: generated cases give the same bytes as reference") {
  goldml_test::compare_with_reference<goldml::nonzero_coordinates_desc>(
      [](goldml::nonzero_coordinates_desc&, std::uint64_t) {});
}
