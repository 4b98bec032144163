// The policies of quantised operators. The first value is the default.
#pragma once

#include <goldml/core/policies.hpp>

namespace goldml {

// Ledger QU-R1: what the middle between two integers is rounded to where elements are quantised.
enum class quantize_ties {
  even,  // to the even one
  away,  // to the one away from zero
};
template <>
struct enumeration<quantize_ties> : policy_enumeration {
  static constexpr auto values = enumerators<quantize_ties>("even", "away");
};

// Ledger QU-R12: integers that are scaled by an integer and a shift, with two roundings.
enum class fixed_point {
  refuse,  // wrong where that changes the result
  accept,
};
template <>
struct enumeration<fixed_point> : policy_enumeration {
  static constexpr auto values = enumerators<fixed_point>("refuse", "accept");
};

// Ledger QU-R16: the scale of DYNAMIC_QUANTIZE_LINEAR of nothing but zeros.
enum class zero_range {
  formula,  // 0
  one,
};
template <>
struct enumeration<zero_range> : policy_enumeration {
  static constexpr auto values = enumerators<zero_range>("formula", "one");
};

// Ledger QU-R10: the types of A and B of MATRIX_MULTIPLY_INTEGER_TO_FLOAT.
enum class integer_operands {
  own,   // each its own
  same,  // QM1
};
template <>
struct enumeration<integer_operands> : policy_enumeration {
  static constexpr auto values = enumerators<integer_operands>("own", "same");
};

// Ledger QU-R13: the zero point of QUANTIZE and DEQUANTIZE where it is absent.
enum class absent_zero_point {
  midpoint,  // the middle of unsigned types: 8 of UINT4, 128 of UINT8; 0 of signed ones
  zero,
};
template <>
struct enumeration<absent_zero_point> : policy_enumeration {
  static constexpr auto values = enumerators<absent_zero_point>("midpoint", "zero");
};

}  // namespace goldml
