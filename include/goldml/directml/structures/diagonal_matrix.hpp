// DIAGONAL_MATRIX in DirectML.h.
#pragma once

#include <array>

#include <goldml/directml/structure.hpp>
#include <goldml/operators/diagonal_matrix.hpp>

namespace goldml::directml {

template <>
struct structure<diagonal_matrix_desc> {
  using type = DML_DIAGONAL_MATRIX_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_DIAGONAL_MATRIX;
  static constexpr std::array operands{member<&type::OutputTensor>()};
  static constexpr std::array attributes{member<&type::Offset>(), member<&type::Value>()};
};

}  // namespace goldml::directml
