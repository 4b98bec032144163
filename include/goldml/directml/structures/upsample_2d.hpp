// UPSAMPLE_2D in DirectML.h.
#pragma once

#include <array>

#include <goldml/directml/structure.hpp>
#include <goldml/operators/upsample_2d.hpp>

namespace goldml::directml {

template <>
struct structure<upsample_2d_desc> {
  using type = DML_UPSAMPLE_2D_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_UPSAMPLE_2D;
  static constexpr std::array operands{member<&type::InputTensor>(), member<&type::OutputTensor>()};
  static constexpr std::array attributes{member<&type::ScaleSize>(), member<&type::InterpolationMode>()};
};

}  // namespace goldml::directml
