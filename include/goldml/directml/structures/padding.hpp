// PADDING and PADDING1 in DirectML.h.
#pragma once

#include <array>

#include <goldml/directml/structure.hpp>
#include <goldml/operators/padding.hpp>

namespace goldml::directml {

template <>
struct structure<padding_desc> {
  using type = DML_PADDING_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_PADDING;
  static constexpr std::array operands{member<&type::InputTensor>(), member<&type::OutputTensor>()};
  static constexpr std::array attributes{member<&type::PaddingMode>(), member<&type::PaddingValue>(),
                                         member<&type::StartPadding, &type::DimensionCount>(),
                                         member<&type::EndPadding, &type::DimensionCount>()};
};

template <>
struct structure<padding1_desc> {
  using type = DML_PADDING1_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_PADDING1;
  static constexpr std::array operands{member<&type::InputTensor>(), member<&type::OutputTensor>()};
  static constexpr std::array attributes{
      member<&type::PaddingMode>(), member<&type::PaddingValue, &type::PaddingValueDataType>(),
      member<&type::StartPadding, &type::DimensionCount>(), member<&type::EndPadding, &type::DimensionCount>()};
};

}  // namespace goldml::directml
