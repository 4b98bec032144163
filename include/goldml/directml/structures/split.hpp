// SPLIT in DirectML.h.
#pragma once

#include <array>

#include <goldml/directml/structure.hpp>
#include <goldml/operators/split.hpp>

namespace goldml::directml {

template <>
struct structure<split_desc> {
  using type = DML_SPLIT_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_SPLIT;
  static constexpr std::array operands{member<&type::InputTensor>(),
                                       member<&type::OutputTensors, &type::OutputCount>()};
  static constexpr std::array attributes{member<&type::Axis>()};
};

}  // namespace goldml::directml
