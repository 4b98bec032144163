// TOP_K and TOP_K1 in DirectML.h.
#pragma once

#include <array>

#include <goldml/directml/structure.hpp>
#include <goldml/operators/top_k.hpp>

namespace goldml::directml {

template <>
struct structure<top_k_desc> {
  using type = DML_TOP_K_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_TOP_K;
  static constexpr std::array operands{member<&type::InputTensor>(), member<&type::OutputValueTensor>(),
                                       member<&type::OutputIndexTensor>()};
  static constexpr std::array attributes{member<&type::Axis>(), member<&type::K>()};
};

template <>
struct structure<top_k1_desc> {
  using type = DML_TOP_K1_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_TOP_K1;
  static constexpr std::array operands{member<&type::InputTensor>(), member<&type::OutputValueTensor>(),
                                       member<&type::OutputIndexTensor>()};
  static constexpr std::array attributes{member<&type::Axis>(), member<&type::K>(), member<&type::AxisDirection>()};
};

}  // namespace goldml::directml
