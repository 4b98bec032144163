// GEMM in DirectML.h.
#pragma once

#include <array>

#include <goldml/directml/structure.hpp>
#include <goldml/operators/gemm.hpp>

namespace goldml::directml {

template <>
struct structure<gemm_desc> {
  using type = DML_GEMM_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_GEMM;
  static constexpr std::array operands{member<&type::ATensor>(), member<&type::BTensor>(), member<&type::CTensor>(),
                                       member<&type::OutputTensor>()};
  static constexpr std::array attributes{member<&type::TransA>(), member<&type::TransB>(), member<&type::Alpha>(),
                                         member<&type::Beta>(), member<&type::FusedActivation>()};
};

}  // namespace goldml::directml
