// NONZERO_COORDINATES in DirectML.h.
#pragma once

#include <array>

#include <goldml/directml/structure.hpp>
#include <goldml/operators/nonzero_coordinates.hpp>

namespace goldml::directml {

template <>
struct structure<nonzero_coordinates_desc> {
  using type = DML_NONZERO_COORDINATES_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_NONZERO_COORDINATES;
  static constexpr std::array operands{member<&type::InputTensor>(), member<&type::OutputCountTensor>(),
                                       member<&type::OutputCoordinatesTensor>()};
  static constexpr auto& attributes = no_members;
};

}  // namespace goldml::directml
