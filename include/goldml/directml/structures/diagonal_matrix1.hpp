// DIAGONAL_MATRIX1 in DirectML.h.
#pragma once

#include <array>

#include <goldml/directml/structure.hpp>
#include <goldml/operators/diagonal_matrix1.hpp>

namespace goldml::directml {

template <>
struct structure<diagonal_matrix1_desc> {
  using type = DML_DIAGONAL_MATRIX1_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_DIAGONAL_MATRIX1;
  static constexpr std::array operands{member<&type::InputTensor>(), member<&type::OutputTensor>()};
  static constexpr std::array attributes{member<&type::Value, &type::ValueDataType>(),
                                         member<&type::DiagonalFillBegin>(), member<&type::DiagonalFillEnd>()};
};

}  // namespace goldml::directml
