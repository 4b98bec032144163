// MAX_UNPOOLING in DirectML.h.
#pragma once

#include <array>

#include <goldml/directml/structure.hpp>
#include <goldml/operators/max_unpooling.hpp>

namespace goldml::directml {

template <>
struct structure<max_unpooling_desc> {
  using type = DML_MAX_UNPOOLING_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_MAX_UNPOOLING;
  static constexpr std::array operands{member<&type::InputTensor>(), member<&type::IndicesTensor>(),
                                       member<&type::OutputTensor>()};
  static constexpr auto& attributes = no_members;
};

}  // namespace goldml::directml
