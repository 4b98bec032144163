// TILE in DirectML.h.
#pragma once

#include <array>

#include <goldml/directml/structure.hpp>
#include <goldml/operators/tile.hpp>

namespace goldml::directml {

template <>
struct structure<tile_desc> {
  using type = DML_TILE_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_TILE;
  static constexpr std::array operands{member<&type::InputTensor>(), member<&type::OutputTensor>()};
  static constexpr std::array attributes{member<&type::Repeats, &type::RepeatsCount>()};
};

}  // namespace goldml::directml
