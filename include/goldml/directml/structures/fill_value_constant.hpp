// FILL_VALUE_CONSTANT in DirectML.h.
#pragma once

#include <array>

#include <goldml/directml/structure.hpp>
#include <goldml/operators/fill_value_constant.hpp>

namespace goldml::directml {

template <>
struct structure<fill_value_constant_desc> {
  using type = DML_FILL_VALUE_CONSTANT_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_FILL_VALUE_CONSTANT;
  static constexpr std::array operands{member<&type::OutputTensor>()};
  static constexpr std::array attributes{member<&type::Value, &type::ValueDataType>()};
};

}  // namespace goldml::directml
