// CONVOLUTION in DirectML.h.
#pragma once

#include <array>

#include <goldml/directml/structure.hpp>
#include <goldml/operators/convolution.hpp>

namespace goldml::directml {

template <>
struct structure<convolution_desc> {
  using type = DML_CONVOLUTION_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_CONVOLUTION;
  static constexpr std::array operands{member<&type::InputTensor>(), member<&type::FilterTensor>(),
                                       member<&type::BiasTensor>(), member<&type::OutputTensor>()};
  static constexpr std::array attributes{member<&type::Mode>(),
                                         member<&type::Direction>(),
                                         member<&type::Strides, &type::DimensionCount>(),
                                         member<&type::Dilations, &type::DimensionCount>(),
                                         member<&type::StartPadding, &type::DimensionCount>(),
                                         member<&type::EndPadding, &type::DimensionCount>(),
                                         member<&type::OutputPadding, &type::DimensionCount>(),
                                         member<&type::GroupCount>(),
                                         member<&type::FusedActivation>()};
};

}  // namespace goldml::directml
