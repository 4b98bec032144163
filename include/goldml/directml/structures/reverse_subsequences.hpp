// REVERSE_SUBSEQUENCES in DirectML.h.
#pragma once

#include <array>

#include <goldml/directml/structure.hpp>
#include <goldml/operators/reverse_subsequences.hpp>

namespace goldml::directml {

template <>
struct structure<reverse_subsequences_desc> {
  using type = DML_REVERSE_SUBSEQUENCES_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_REVERSE_SUBSEQUENCES;
  static constexpr std::array operands{member<&type::InputTensor>(), member<&type::SequenceLengthsTensor>(),
                                       member<&type::OutputTensor>()};
  static constexpr std::array attributes{member<&type::Axis>()};
};

}  // namespace goldml::directml
