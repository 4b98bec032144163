// ONE_HOT in DirectML.h.
#pragma once

#include <array>

#include <goldml/directml/structure.hpp>
#include <goldml/operators/one_hot.hpp>

namespace goldml::directml {

template <>
struct structure<one_hot_desc> {
  using type = DML_ONE_HOT_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_ONE_HOT;
  static constexpr std::array operands{member<&type::IndicesTensor>(), member<&type::ValuesTensor>(),
                                       member<&type::OutputTensor>()};
  static constexpr std::array attributes{member<&type::Axis>()};
};

}  // namespace goldml::directml
