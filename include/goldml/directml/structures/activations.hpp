// The activations in DirectML.h.
#pragma once

#include <array>

#include <goldml/directml/structure.hpp>
#include <goldml/operators/activations.hpp>

namespace goldml::directml {

namespace detail {

template <class Type>
constexpr auto activation_members() {
  if constexpr (requires(Type t) { t.Beta; })
    return std::array{member<&Type::Alpha>(), member<&Type::Beta>()};
  else if constexpr (requires(Type t) { t.Gamma; })
    return std::array{member<&Type::Alpha>(), member<&Type::Gamma>()};
  else if constexpr (requires(Type t) { t.Steepness; })
    return std::array{member<&Type::Steepness>()};
  else if constexpr (requires(Type t) { t.Alpha; })
    return std::array{member<&Type::Alpha>()};
  else
    return no_members;
}

template <class Type, DML_OPERATOR_TYPE Enumerator>
struct activation_members_of {
  using type = Type;
  static constexpr DML_OPERATOR_TYPE enumerator = Enumerator;
  static constexpr std::array operands{member<&Type::InputTensor>(), member<&Type::OutputTensor>()};
  static constexpr auto attributes = activation_members<Type>();
};

}  // namespace detail

// clang-format off
template <> struct structure<activation_elu_desc> : detail::activation_members_of<DML_ACTIVATION_ELU_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_ELU> {};
template <> struct structure<activation_hard_sigmoid_desc> : detail::activation_members_of<DML_ACTIVATION_HARD_SIGMOID_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_HARD_SIGMOID> {};
template <> struct structure<activation_identity_desc> : detail::activation_members_of<DML_ACTIVATION_IDENTITY_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_IDENTITY> {};
template <> struct structure<activation_leaky_relu_desc> : detail::activation_members_of<DML_ACTIVATION_LEAKY_RELU_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_LEAKY_RELU> {};
template <> struct structure<activation_linear_desc> : detail::activation_members_of<DML_ACTIVATION_LINEAR_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_LINEAR> {};
template <> struct structure<activation_parametric_softplus_desc> : detail::activation_members_of<DML_ACTIVATION_PARAMETRIC_SOFTPLUS_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_PARAMETRIC_SOFTPLUS> {};
template <> struct structure<activation_relu_desc> : detail::activation_members_of<DML_ACTIVATION_RELU_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_RELU> {};
template <> struct structure<activation_scaled_elu_desc> : detail::activation_members_of<DML_ACTIVATION_SCALED_ELU_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_SCALED_ELU> {};
template <> struct structure<activation_scaled_tanh_desc> : detail::activation_members_of<DML_ACTIVATION_SCALED_TANH_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_SCALED_TANH> {};
template <> struct structure<activation_sigmoid_desc> : detail::activation_members_of<DML_ACTIVATION_SIGMOID_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_SIGMOID> {};
template <> struct structure<activation_softplus_desc> : detail::activation_members_of<DML_ACTIVATION_SOFTPLUS_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_SOFTPLUS> {};
template <> struct structure<activation_softsign_desc> : detail::activation_members_of<DML_ACTIVATION_SOFTSIGN_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_SOFTSIGN> {};
template <> struct structure<activation_tanh_desc> : detail::activation_members_of<DML_ACTIVATION_TANH_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_TANH> {};
template <> struct structure<activation_celu_desc> : detail::activation_members_of<DML_ACTIVATION_CELU_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_CELU> {};
// clang-format on

static_assert(detail::structures_agree(activation_operators{}));

}  // namespace goldml::directml
