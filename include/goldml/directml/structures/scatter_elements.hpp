// SCATTER_ELEMENTS in DirectML.h, where it is also called SCATTER.
#pragma once

#include <array>

#include <goldml/directml/structure.hpp>
#include <goldml/operators/scatter_elements.hpp>

namespace goldml::directml {

template <>
struct structure<scatter_elements_desc> {
  using type = DML_SCATTER_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_SCATTER;
  static constexpr std::array operands{member<&type::InputTensor>(), member<&type::IndicesTensor>(),
                                       member<&type::UpdatesTensor>(), member<&type::OutputTensor>()};
  static constexpr std::array attributes{member<&type::Axis>()};
};

}  // namespace goldml::directml
