// Enumerations shared by several operators: DirectML's, and goldml's policies. A policy changes the golden answer or
// what is refused. Its first value is the default, the strict ruling.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <goldml/core/attributes.hpp>

namespace goldml {

// DML_AXIS_DIRECTION: which of equal values wins, the first or the last.
enum class axis_direction : std::uint32_t { increasing = 0, decreasing = 1 };
template <>
struct enumeration<axis_direction> {
  static constexpr std::string_view prefix = "DML_AXIS_DIRECTION_";
  static constexpr auto values = enumerators<axis_direction>("INCREASING", "DECREASING");
};
inline constexpr std::string_view axis_directions = "0 (INCREASING) or 1 (DECREASING)";  // in messages

// DML_INTERPOLATION_MODE.
enum class interpolation_mode : std::uint32_t { nearest_neighbor = 0, linear = 1 };
template <>
struct enumeration<interpolation_mode> {
  static constexpr std::string_view prefix = "DML_INTERPOLATION_MODE_";
  static constexpr auto values = enumerators<interpolation_mode>("NEAREST_NEIGHBOR", "LINEAR");
};

// Ledger 7.1. NaNs are equal to each other.
// skip: every number wins over NaN. propagate (as in NumPy and ONNX Runtime): NaN wins over every number.
enum class nan_policy { skip, propagate };
template <>
struct enumeration<nan_policy> : policy_enumeration {
  static constexpr auto values = enumerators<nan_policy>("skip", "propagate");
};

// Ledger L9. allow: AxisCount 0 is valid and reduces nothing. refuse: it is a violation.
enum class empty_axes { allow, refuse };
template <>
struct enumeration<empty_axes> : policy_enumeration {
  static constexpr auto values = enumerators<empty_axes>("allow", "refuse");
};

// Ledger 7.5, L60: an index outside [-size, size), or [0, size) if unsigned.
enum class range_policy {
  refuse,  // a violation of the operator's rule, such as S10
  clamp,   // clamped to the nearest end of the axis
  drop,    // ignored, with its update; the same as refuse if there are no updates
};
template <>
struct enumeration<range_policy> : policy_enumeration {
  static constexpr auto values = enumerators<range_policy>("refuse", "clamp", "drop");
};

// Ledger 7.6: two indices that refer to the same place, after wrapping and clamping.
enum class duplicates {
  refuse,     // a violation of the operator's rule, such as S11
  last_wins,  // the last update in row-major order of the indices is stored
};
template <>
struct enumeration<duplicates> : policy_enumeration {
  static constexpr auto values = enumerators<duplicates>("refuse", "last_wins");
};

// Ledger L61: sizes of indices that need not be the input's on the axis that they select from.
enum class off_axis_sizes {
  equal,    // on every other axis they are the input's
  partial,  // they are at most the input's
};
template <>
struct enumeration<off_axis_sizes> : policy_enumeration {
  static constexpr auto values = enumerators<off_axis_sizes>("equal", "partial");
};

// Ledger L5: an input and an output bound from one resource.
enum class same_resource {
  refuse,    // T12, as the page of IDMLBindingTable::BindInputs asks
  disjoint,  // allowed where their ranges do not meet
};
template <>
struct enumeration<same_resource> : policy_enumeration {
  static constexpr auto values = enumerators<same_resource>("refuse", "disjoint");
};

// Ledger LS-R1: the cell state that the peephole of LSTM's output gate reads.
enum class output_peephole {
  current,   // that of this step
  previous,  // that of the step before
};
template <>
struct enumeration<output_peephole> : policy_enumeration {
  static constexpr auto values = enumerators<output_peephole>("current", "previous");
};

// Ledger FN-R12: the training step 0 of ADAM_OPTIMIZER.
enum class adam_step_zero {
  formula,  // 0 / 0
  plain,    // moments are not corrected
};
template <>
struct enumeration<adam_step_zero> : policy_enumeration {
  static constexpr auto values = enumerators<adam_step_zero>("formula", "plain");
};

// Ledger L19, L34: a stride of 0 of SLICE and SLICE1.
enum class zero_stride {
  refuse,  // SL5
  repeat,  // the element at the offset, as often as the output's size says
};
template <>
struct enumeration<zero_stride> : policy_enumeration {
  static constexpr auto values = enumerators<zero_stride>("refuse", "repeat");
};

// Ledger L18: a FLOAT attribute whose value does not fit the integer type of the tensor that it fills.
enum class value_conversion { refuse, saturate };
template <>
struct enumeration<value_conversion> : policy_enumeration {
  static constexpr auto values = enumerators<value_conversion>("refuse", "saturate");
};

// Ledger L22: a shift by as many bits as the element has, or more.
enum class shift_policy {
  zero,  // 0
  mask,  // the count modulo 32 on 8- to 32-bit types, widened to 32 bits, and modulo 64 on 64-bit types
};
template <>
struct enumeration<shift_policy> : policy_enumeration {
  static constexpr auto values = enumerators<shift_policy>("zero", "mask");
};

// Ledger L24: bounds of a range whose lower one is above the upper one. literal: the page's formula. refuse: a
// violation.
enum class inverted_range { literal, refuse };
template <>
struct enumeration<inverted_range> : policy_enumeration {
  static constexpr auto values = enumerators<inverted_range>("literal", "refuse");
};

// Ledger L33: the conversion of a float that an integer type does not hold after truncation.
enum class cast_overflow {
  saturate,  // the nearest integer that the type holds; 0 for NaN
  wrap,      // the low bits of the truncated integer; 0 for NaN and infinities
};
template <>
struct enumeration<cast_overflow> : policy_enumeration {
  static constexpr auto values = enumerators<cast_overflow>("saturate", "wrap");
};

// Ledger L33: the conversion of an integer to an integer type that does not hold it.
enum class integer_narrowing {
  wrap,   // the low bits
  clamp,  // the nearest integer that the type holds
};
template <>
struct enumeration<integer_narrowing> : policy_enumeration {
  static constexpr auto values = enumerators<integer_narrowing>("wrap", "clamp");
};

// Ledger VS-R1: how many channels VALUE_SCALE_2D takes.
enum class channel_counts {
  page,  // 1 or 3
  any,   // at most 8
};
template <>
struct enumeration<channel_counts> : policy_enumeration {
  static constexpr auto values = enumerators<channel_counts>("page", "any");
};

// Ledger UP-R1: where an element lies in its cell of a grid that is refined S times.
enum class pixel_alignment {
  centers,  // an element lies at the center of its cell, which is divided: t = (q + 0.5) / S - 0.5
  corners,  // at the first corner of its cell, as in ONNX's `asymmetric`: t = q / S
};
template <>
struct enumeration<pixel_alignment> : policy_enumeration {
  static constexpr auto values = enumerators<pixel_alignment>("centers", "corners");
};

// Ledger CV-R1: the last rows and columns of CONVOLUTION's output, as many as OutputPadding says.
enum class padded_rows {
  undefined,  // a device may store anything there
  formula,    // the sums of products that reach them, as in ONNX and WebNN
};
template <>
struct enumeration<padded_rows> : policy_enumeration {
  static constexpr auto values = enumerators<padded_rows>("undefined", "formula");
};

// Ledger CV-R4: whether a device may compute CONVOLUTION by a transform of its operands, Winograd's or FFT. It changes no
// golden answer, but how far a device may be from it.
enum class transform { refuse, accept };
template <>
struct enumeration<transform> : policy_enumeration {
  static constexpr auto values = enumerators<transform>("refuse", "accept");
};

// Ledger QU-R9: a convolution of integers with one spatial axis, hence tensors of three dimensions.
enum class one_dimensional {
  refuse,  // QC3
  accept,
};
template <>
struct enumeration<one_dimensional> : policy_enumeration {
  static constexpr auto values = enumerators<one_dimensional>("refuse", "accept");
};

// Ledger L28: ScaleBias on integers.
enum class integer_scale_bias {
  refuse,  // SB1
  cast,    // x * Scale + Bias without rounding, converted to the integer type as CAST does
};
template <>
struct enumeration<integer_scale_bias> : policy_enumeration {
  static constexpr auto values = enumerators<integer_scale_bias>("refuse", "cast");
};

// Ledger FN-R6: CONSTANT_POW on integers.
enum class constant_pow_integers {
  allow,   // from level 3_0 on, as the level history says
  refuse,  // T3, as the page says
};
template <>
struct enumeration<constant_pow_integers> : policy_enumeration {
  static constexpr auto values = enumerators<constant_pow_integers>("allow", "refuse");
};

// Ledger AR-R1: the precision in which a device may compute.
enum class accumulation {
  single,         // at least that of FLOAT32, with one final rounding to the type of the tensor
  half_products,  // inputs and products may be rounded to FLOAT16; sums are those of single
  half,           // inputs and intermediate results may be rounded to FLOAT16
};
template <>
struct enumeration<accumulation> : policy_enumeration {
  static constexpr auto values = enumerators<accumulation>("single", "half_products", "half");
};

}  // namespace goldml
