// CAST in DirectML.h.
#pragma once

#include <array>

#include <goldml/directml/structure.hpp>
#include <goldml/operators/cast.hpp>

namespace goldml::directml {

template <>
struct structure<cast_desc> {
  using type = DML_CAST_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_CAST;
  static constexpr std::array operands{member<&type::InputTensor>(), member<&type::OutputTensor>()};
  static constexpr auto& attributes = no_members;
};

}  // namespace goldml::directml
