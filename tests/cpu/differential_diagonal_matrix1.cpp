// DIAGONAL_MATRIX1 on `cpu` against `reference`.
#include <goldml/cpu/diagonal_matrix1.hpp>

#include "differential.hpp"

TEST_CASE("cpu DIAGONAL_MATRIX1: generated cases give the same bytes as reference") {
  goldml_test::compare_with_reference<goldml::diagonal_matrix1_desc>([](goldml::diagonal_matrix1_desc&, std::uint64_t) {});
}
