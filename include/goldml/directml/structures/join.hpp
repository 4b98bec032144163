// JOIN in DirectML.h.
#pragma once

#include <array>

#include <goldml/directml/structure.hpp>
#include <goldml/operators/join.hpp>

namespace goldml::directml {

template <>
struct structure<join_desc> {
  using type = DML_JOIN_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_JOIN;
  static constexpr std::array operands{member<&type::InputTensors, &type::InputCount>(), member<&type::OutputTensor>()};
  static constexpr std::array attributes{member<&type::Axis>()};
};

}  // namespace goldml::directml
