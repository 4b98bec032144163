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

// Ledger MH-R3: what is done to a score whose key a mask of the KEY_... types excludes.
enum class mask_filter {
  add,  // MaskFilterValue is added
  set,  // it is MaskFilterValue
};
template <>
struct enumeration<mask_filter> : policy_enumeration {
  static constexpr auto values = enumerators<mask_filter>("add", "set");
};

// Ledger MH-R3: rows of attention of which a mask excludes every key.
enum class masked_rows {
  judge,
  any,  // they are undefined
};
template <>
struct enumeration<masked_rows> : policy_enumeration {
  static constexpr auto values = enumerators<masked_rows>("judge", "any");
};

// Ledger MH-R2: attention of a query over past keys and values alone.
enum class past_only {
  allow,
  refuse,  // MH2
};
template <>
struct enumeration<past_only> : policy_enumeration {
  static constexpr auto values = enumerators<past_only>("allow", "refuse");
};

// Ledger MH-R7: whether the presents of attention have the new keys and values with their bias.
enum class present_bias { added, raw };
template <>
struct enumeration<present_bias> : policy_enumeration {
  static constexpr auto values = enumerators<present_bias>("added", "raw");
};

// Ledger MH-R4: how a device may store intermediate results of attention on FLOAT16.
enum class intermediates {
  tensor_type,  // the query, key and value with their bias, scores and probabilities as FLOAT16
  float32,
};
template <>
struct enumeration<intermediates> : policy_enumeration {
  static constexpr auto values = enumerators<intermediates>("tensor_type", "float32");
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

// Ledger RM-R1: the nearest of two elements at the same distance.
enum class nearest_ties { up, down };
template <>
struct enumeration<nearest_ties> : policy_enumeration {
  static constexpr auto values = enumerators<nearest_ties>("up", "down");
};

// Ledger RM-R5: how a number between integers becomes an element of an integer type.
enum class integer_rounding {
  truncate,  // toward zero
  nearest,   // of two the even one
};
template <>
struct enumeration<integer_rounding> : policy_enumeration {
  static constexpr auto values = enumerators<integer_rounding>("truncate", "nearest");
};

// Ledger RD-R1: which tensor the pixel offsets of a gradient belong to.
enum class gradient_offsets {
  tensor,   // each to the tensor that it names
  forward,  // to the forward operator's: InputPixelOffsets to OutputGradientTensor
};
template <>
struct enumeration<gradient_offsets> : policy_enumeration {
  static constexpr auto values = enumerators<gradient_offsets>("tensor", "forward");
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

// Ledger PO-R1: how many windows pooling may have on an axis.
enum class pooling_sizes {
  formula_or_ceil,  // those inside the padded image, and one more that only begins there
  formula,          // those inside
};
template <>
struct enumeration<pooling_sizes> : policy_enumeration {
  static constexpr auto values = enumerators<pooling_sizes>("formula_or_ceil", "formula");
};

// Ledger PO-R2: what AVERAGE_POOLING with IncludePadding divides by where a window ends after the padded image.
enum class pool_overhang {
  window,   // the size of the window
  clipped,  // what of it is inside the padded image
};
template <>
struct enumeration<pool_overhang> : policy_enumeration {
  static constexpr auto values = enumerators<pool_overhang>("window", "clipped");
};

// Ledger PO-R4: whether a device may compute LP_POOLING with P 1 or 2 by a power function. It changes no golden answer,
// but how far a device may be from it.
enum class lp_power { refuse, accept };
template <>
struct enumeration<lp_power> : policy_enumeration {
  static constexpr auto values = enumerators<lp_power>("refuse", "accept");
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
