// The element-wise operators in DirectML.h.
#pragma once

#include <array>

#include <goldml/directml/structure.hpp>
#include <goldml/operators/element_wise.hpp>

namespace goldml::directml {

namespace detail {

template <class Type>
constexpr auto element_wise_operand_members() {
  if constexpr (requires(Type t) { t.ConditionTensor; })
    return std::array{member<&Type::ConditionTensor>(), member<&Type::ATensor>(), member<&Type::BTensor>(),
                      member<&Type::OutputTensor>()};
  else if constexpr (requires(Type t) { t.ATensor; })
    return std::array{member<&Type::ATensor>(), member<&Type::BTensor>(), member<&Type::OutputTensor>()};
  else
    return std::array{member<&Type::InputTensor>(), member<&Type::OutputTensor>()};
}

template <class Type>
constexpr auto element_wise_attribute_members() {
  if constexpr (requires(Type t) { t.MinMaxDataType; })
    return std::array{member<&Type::ScaleBias>(), member<&Type::Min, &Type::MinMaxDataType>(),
                      member<&Type::Max, &Type::MinMaxDataType>()};
  else if constexpr (requires(Type t) { t.Min; })
    return std::array{member<&Type::ScaleBias>(), member<&Type::Min>(), member<&Type::Max>()};
  else if constexpr (requires(Type t) { t.ScaleBias; })
    return std::array{member<&Type::ScaleBias>()};
  else if constexpr (requires(Type t) { t.FusedActivation; })
    return std::array{member<&Type::FusedActivation>()};
  else if constexpr (requires(Type t) { t.InfinityMode; })
    return std::array{member<&Type::InfinityMode>()};
  else if constexpr (requires(Type t) { t.RoundingMode; })
    return std::array{member<&Type::RoundingMode>()};
  else
    return no_members;
}

template <class Type, DML_OPERATOR_TYPE Enumerator>
struct element_wise_structure {
  using type = Type;
  static constexpr DML_OPERATOR_TYPE enumerator = Enumerator;
  static constexpr auto operands = element_wise_operand_members<Type>();
  static constexpr auto attributes = element_wise_attribute_members<Type>();
};

}  // namespace detail

// clang-format off
template <> struct structure<element_wise_identity_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_IDENTITY> {};
template <> struct structure<element_wise_abs_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_ABS_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_ABS> {};
template <> struct structure<element_wise_negate_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_NEGATE_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_NEGATE> {};
template <> struct structure<element_wise_sign_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_SIGN_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_SIGN> {};
template <> struct structure<element_wise_is_nan_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_IS_NAN_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_IS_NAN> {};
template <> struct structure<element_wise_is_infinity_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_IS_INFINITY_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_IS_INFINITY> {};
template <> struct structure<element_wise_ceil_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_CEIL_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_CEIL> {};
template <> struct structure<element_wise_floor_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_FLOOR_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_FLOOR> {};
template <> struct structure<element_wise_round_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_ROUND_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_ROUND> {};
template <> struct structure<element_wise_clip_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_CLIP_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_CLIP> {};
template <> struct structure<element_wise_clip1_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_CLIP1_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_CLIP1> {};
template <> struct structure<element_wise_min_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_MIN_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_MIN> {};
template <> struct structure<element_wise_max_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_MAX_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_MAX> {};
template <> struct structure<element_wise_add_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_ADD_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_ADD> {};
template <> struct structure<element_wise_subtract_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_SUBTRACT_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_SUBTRACT> {};
template <> struct structure<element_wise_multiply_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_MULTIPLY_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_MULTIPLY> {};
template <> struct structure<element_wise_divide_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_DIVIDE_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_DIVIDE> {};
template <> struct structure<element_wise_add1_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_ADD1_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_ADD1> {};
template <> struct structure<element_wise_if_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_IF_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_IF> {};
template <> struct structure<element_wise_logical_and_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_LOGICAL_AND_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_LOGICAL_AND> {};
template <> struct structure<element_wise_logical_or_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_LOGICAL_OR_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_LOGICAL_OR> {};
template <> struct structure<element_wise_logical_xor_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_LOGICAL_XOR_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_LOGICAL_XOR> {};
template <> struct structure<element_wise_logical_not_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_LOGICAL_NOT_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_LOGICAL_NOT> {};
template <> struct structure<element_wise_logical_equals_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_LOGICAL_EQUALS_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_LOGICAL_EQUALS> {};
template <> struct structure<element_wise_logical_greater_than_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_LOGICAL_GREATER_THAN_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_LOGICAL_GREATER_THAN> {};
template <> struct structure<element_wise_logical_less_than_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_LOGICAL_LESS_THAN_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_LOGICAL_LESS_THAN> {};
template <> struct structure<element_wise_logical_greater_than_or_equal_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL> {};
template <> struct structure<element_wise_logical_less_than_or_equal_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL> {};
template <> struct structure<element_wise_bit_and_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_BIT_AND_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_BIT_AND> {};
template <> struct structure<element_wise_bit_or_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_BIT_OR_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_BIT_OR> {};
template <> struct structure<element_wise_bit_xor_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_BIT_XOR_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_BIT_XOR> {};
template <> struct structure<element_wise_bit_not_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_BIT_NOT_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_BIT_NOT> {};
template <> struct structure<element_wise_bit_count_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_BIT_COUNT_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_BIT_COUNT> {};
template <> struct structure<element_wise_bit_shift_left_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_BIT_SHIFT_LEFT_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_BIT_SHIFT_LEFT> {};
template <> struct structure<element_wise_bit_shift_right_desc> : detail::element_wise_structure<DML_ELEMENT_WISE_BIT_SHIFT_RIGHT_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_BIT_SHIFT_RIGHT> {};
// clang-format on

static_assert(detail::structures_agree(element_wise_operators{}));

}  // namespace goldml::directml
