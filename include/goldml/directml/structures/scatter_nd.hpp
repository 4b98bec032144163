// SCATTER_ND in DirectML.h.
#pragma once

#include <array>

#include <goldml/directml/structure.hpp>
#include <goldml/operators/scatter_nd.hpp>

namespace goldml::directml {

template <>
struct structure<scatter_nd_desc> {
  using type = DML_SCATTER_ND_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_SCATTER_ND;
  static constexpr std::array operands{member<&type::InputTensor>(), member<&type::IndicesTensor>(),
                                       member<&type::UpdatesTensor>(), member<&type::OutputTensor>()};
  static constexpr std::array attributes{member<&type::InputDimensionCount>(), member<&type::IndicesDimensionCount>()};
};

}  // namespace goldml::directml
