// CUMULATIVE_SUMMATION and CUMULATIVE_PRODUCT in DirectML.h.
#pragma once

#include <array>

#include <goldml/directml/structure.hpp>
#include <goldml/operators/cumulative.hpp>

namespace goldml::directml {

template <>
struct structure<cumulative_summation_desc> {
  using type = DML_CUMULATIVE_SUMMATION_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_CUMULATIVE_SUMMATION;
  static constexpr std::array operands{member<&type::InputTensor>(), member<&type::OutputTensor>()};
  static constexpr std::array attributes{member<&type::Axis>(), member<&type::AxisDirection>(),
                                         member<&type::HasExclusiveSum>()};
};

template <>
struct structure<cumulative_product_desc> {
  using type = DML_CUMULATIVE_PRODUCT_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_CUMULATIVE_PRODUCT;
  static constexpr std::array operands{member<&type::InputTensor>(), member<&type::OutputTensor>()};
  static constexpr std::array attributes{member<&type::Axis>(), member<&type::AxisDirection>(),
                                         member<&type::HasExclusiveProduct>()};
};

}  // namespace goldml::directml
