// GATHER, GATHER_ELEMENTS, GATHER_ND and GATHER_ND1 in DirectML.h.
#pragma once

#include <array>

#include <goldml/directml/structure.hpp>
#include <goldml/operators/gather.hpp>
#include <goldml/operators/gather_elements.hpp>
#include <goldml/operators/gather_nd.hpp>

namespace goldml::directml {

template <>
struct structure<gather_desc> {
  using type = DML_GATHER_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_GATHER;
  static constexpr std::array operands{member<&type::InputTensor>(), member<&type::IndicesTensor>(),
                                       member<&type::OutputTensor>()};
  static constexpr std::array attributes{member<&type::Axis>(), member<&type::IndexDimensions>()};
};

template <>
struct structure<gather_elements_desc> {
  using type = DML_GATHER_ELEMENTS_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_GATHER_ELEMENTS;
  static constexpr std::array operands{member<&type::InputTensor>(), member<&type::IndicesTensor>(),
                                       member<&type::OutputTensor>()};
  static constexpr std::array attributes{member<&type::Axis>()};
};

template <>
struct structure<gather_nd_desc> {
  using type = DML_GATHER_ND_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_GATHER_ND;
  static constexpr std::array operands{member<&type::InputTensor>(), member<&type::IndicesTensor>(),
                                       member<&type::OutputTensor>()};
  static constexpr std::array attributes{member<&type::InputDimensionCount>(), member<&type::IndicesDimensionCount>()};
};

template <>
struct structure<gather_nd1_desc> {
  using type = DML_GATHER_ND1_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_GATHER_ND1;
  static constexpr std::array operands{member<&type::InputTensor>(), member<&type::IndicesTensor>(),
                                       member<&type::OutputTensor>()};
  static constexpr std::array attributes{member<&type::InputDimensionCount>(), member<&type::IndicesDimensionCount>(),
                                         member<&type::BatchDimensionCount>()};
};

}  // namespace goldml::directml
