// ARGMIN, ARGMAX and REDUCE in DirectML.h.
#pragma once

#include <array>

#include <goldml/directml/structure.hpp>
#include <goldml/operators/argmax.hpp>
#include <goldml/operators/argmin.hpp>
#include <goldml/operators/reduce.hpp>

namespace goldml::directml {

template <>
struct structure<argmin_desc> {
  using type = DML_ARGMIN_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_ARGMIN;
  static constexpr std::array operands{member<&type::InputTensor>(), member<&type::OutputTensor>()};
  static constexpr std::array attributes{member<&type::Axes, &type::AxisCount>(), member<&type::AxisDirection>()};
};

template <>
struct structure<argmax_desc> {
  using type = DML_ARGMAX_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_ARGMAX;
  static constexpr std::array operands{member<&type::InputTensor>(), member<&type::OutputTensor>()};
  static constexpr std::array attributes{member<&type::Axes, &type::AxisCount>(), member<&type::AxisDirection>()};
};

template <>
struct structure<reduce_desc> {
  using type = DML_REDUCE_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_REDUCE;
  static constexpr std::array operands{member<&type::InputTensor>(), member<&type::OutputTensor>()};
  static constexpr std::array attributes{member<&type::Function>(), member<&type::Axes, &type::AxisCount>()};
};

}  // namespace goldml::directml
