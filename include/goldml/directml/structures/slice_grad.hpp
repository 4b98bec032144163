// SLICE_GRAD in DirectML.h.
#pragma once

#include <array>

#include <goldml/directml/structure.hpp>
#include <goldml/operators/slice_grad.hpp>

namespace goldml::directml {

template <>
struct structure<slice_grad_desc> {
  using type = DML_SLICE_GRAD_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_SLICE_GRAD;
  static constexpr std::array operands{member<&type::InputGradientTensor>(), member<&type::OutputGradientTensor>()};
  static constexpr std::array attributes{member<&type::InputWindowOffsets, &type::DimensionCount>(),
                                         member<&type::InputWindowSizes, &type::DimensionCount>(),
                                         member<&type::InputWindowStrides, &type::DimensionCount>()};
};

}  // namespace goldml::directml
