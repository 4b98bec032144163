// SLICE1 in DirectML.h.
#pragma once

#include <array>

#include <goldml/directml/structure.hpp>
#include <goldml/operators/slice1.hpp>

namespace goldml::directml {

template <>
struct structure<slice1_desc> {
  using type = DML_SLICE1_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_SLICE1;
  static constexpr std::array operands{member<&type::InputTensor>(), member<&type::OutputTensor>()};
  static constexpr std::array attributes{member<&type::InputWindowOffsets, &type::DimensionCount>(),
                                         member<&type::InputWindowSizes, &type::DimensionCount>(),
                                         member<&type::InputWindowStrides, &type::DimensionCount>()};
};

}  // namespace goldml::directml
