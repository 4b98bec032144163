// ACTIVATION_SOFTMAX and ACTIVATION_SOFTMAX1 in DirectML.h.
#pragma once

#include <array>

#include <goldml/directml/structure.hpp>
#include <goldml/operators/softmax.hpp>

namespace goldml::directml {

template <>
struct structure<activation_softmax_desc> {
  using type = DML_ACTIVATION_SOFTMAX_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_ACTIVATION_SOFTMAX;
  static constexpr std::array operands{member<&type::InputTensor>(), member<&type::OutputTensor>()};
  static constexpr auto attributes = no_members;
};

template <>
struct structure<activation_softmax1_desc> {
  using type = DML_ACTIVATION_SOFTMAX1_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_ACTIVATION_SOFTMAX1;
  static constexpr std::array operands{member<&type::InputTensor>(), member<&type::OutputTensor>()};
  static constexpr std::array attributes{member<&type::Axes, &type::AxisCount>()};
};

}  // namespace goldml::directml
