// RNN in DirectML.h.
#pragma once

#include <array>

#include <goldml/directml/structure.hpp>
#include <goldml/operators/rnn.hpp>

namespace goldml::directml {

template <>
struct structure<rnn_desc> {
  using type = DML_RNN_OPERATOR_DESC;
  static constexpr DML_OPERATOR_TYPE enumerator = DML_OPERATOR_RNN;
  static constexpr std::array operands{
      member<&type::InputTensor>(),           member<&type::WeightTensor>(),
      member<&type::RecurrenceTensor>(),      member<&type::BiasTensor>(),
      member<&type::HiddenInitTensor>(),      member<&type::SequenceLengthsTensor>(),
      member<&type::OutputSequenceTensor>(), member<&type::OutputSingleTensor>()};
  static constexpr std::array attributes{member<&type::ActivationDescs, &type::ActivationDescCount>(),
                                         member<&type::Direction>()};
};

}  // namespace goldml::directml
