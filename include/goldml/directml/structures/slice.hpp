// SLICE in DirectML.h.
#pragma once

#include <array>

#include <goldml/directml/structure.hpp>
#include <goldml/operators/slice.hpp>

namespace goldml::directml {

template <>
struct structure<slice_desc> {
  using type = DML_SLICE_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_SLICE;
  static constexpr std::array operands{member<&type::InputTensor>(), member<&type::OutputTensor>()};
  static constexpr std::array attributes{member<&type::Offsets, &type::DimensionCount>(),
                                         member<&type::Sizes, &type::DimensionCount>(),
                                         member<&type::Strides, &type::DimensionCount>()};
};

}  // namespace goldml::directml
