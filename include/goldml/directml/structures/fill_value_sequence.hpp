// FILL_VALUE_SEQUENCE in DirectML.h.
#pragma once

#include <array>

#include <goldml/directml/structure.hpp>
#include <goldml/operators/fill_value_sequence.hpp>

namespace goldml::directml {

template <>
struct structure<fill_value_sequence_desc> {
  using type = DML_FILL_VALUE_SEQUENCE_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_FILL_VALUE_SEQUENCE;
  static constexpr std::array operands{member<&type::OutputTensor>()};
  static constexpr std::array attributes{member<&type::ValueStart, &type::ValueDataType>(),
                                         member<&type::ValueDelta, &type::ValueDataType>()};
};

}  // namespace goldml::directml
