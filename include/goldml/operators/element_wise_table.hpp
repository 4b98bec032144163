// The table of the element-wise operators: a row for each, with its name, its operands, and their data types by feature
// level. operators/element_wise.hpp derives the description of each operator from its row.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <goldml/core/operator_traits.hpp>

namespace goldml {

// In the order of the table.
// clang-format off
enum class element_wise_op : std::uint8_t {
  // ELEMENT_WISE_IF is `condition`: `if` is a keyword.
  identity, abs, negate, sign, is_nan, is_infinity, ceil, floor, round, clip, clip1, threshold, acos, asin,
  atan, cos, exp, log, recip, sin, sqrt, tan, erf, sinh, cosh, tanh, asinh, acosh, atanh, constant_pow, min, max, add,
  subtract, multiply, divide, add1, mean, difference_square, modulus_truncate, modulus_floor, atan_yx, pow, clip_grad,
  clip_grad1, relu_grad, parameterized_relu, condition,
  logical_and, logical_or, logical_xor, logical_not, logical_equals, logical_greater_than, logical_less_than,
  logical_greater_than_or_equal, logical_less_than_or_equal, bit_and, bit_or, bit_xor, bit_not, bit_count,
  bit_shift_left, bit_shift_right,
};
// clang-format on

namespace detail {

// The codes of the rules that all tensors have the same data type, DimensionCount and sizes.
struct element_wise_codes {
  std::string_view data_type;
  std::string_view rank;
  std::string_view sizes;
};

// Properties of an operator, combined with |.
namespace element_wise_flag {
inline constexpr unsigned in_place = 1;     // the page permits that the output is exactly an input
inline constexpr unsigned free_type = 2;    // the output's data type does not depend on the inputs'
inline constexpr unsigned moves = 4;        // copies elements bit by bit
inline constexpr unsigned flushes = 8;      // compares or computes: a device may flush FLOAT32 subnormals (ledger 7.4)
inline constexpr unsigned scale_bias = 16;  // has the attribute ScaleBias
inline constexpr unsigned rounds = 32;      // computes and rounds: the verdicts are those of arithmetic
inline constexpr unsigned gradient = 64;    // of gradients: InputTensor, InputGradientTensor, OutputGradientTensor
inline constexpr unsigned first_in_place = 128;   // the page permits that the output is exactly the first input
inline constexpr unsigned in_place_policy = 256;  // the desc has the policy in_place
inline constexpr unsigned slope = 512;            // InputTensor, SlopeTensor, OutputTensor
inline constexpr unsigned pair = 2048;            // of two numbers, more than one operation (arithmetic/pairs.hpp)
inline constexpr unsigned function = 1024;        // of one number, elementary (arithmetic/elementary.hpp)
inline constexpr unsigned power = 4096;  // x^y (arithmetic/power.hpp): an attribute, or InputTensor, ExponentTensor
}  // namespace element_wise_flag

struct element_wise_row {
  element_wise_op op;
  std::string_view name;
  std::uint32_t enumerator;
  std::size_t input_count;  // 1: InputTensor. 2: ATensor, BTensor, or those of `gradient`, `slope`, `power`. 3:
                            // ConditionTensor and these
  std::span<const operand_limits> inputs;
  std::span<const operand_limits> output;
  element_wise_codes codes;
  unsigned flags;

  constexpr bool is(unsigned flag) const { return (flags & flag) != 0; }
};

namespace element_wise_limits {

using enum data_type;
using enum feature_level;

inline constexpr data_type_set f{float32, float16};
inline constexpr data_type_set f4{float32, float16, int32, uint32};
inline constexpr data_type_set f6{float32, float16, int32, uint32, int64, uint64};
inline constexpr data_type_set s5{float32, float16, int32, int16, int8};
inline constexpr data_type_set s6{float32, float16, int32, int16, int8, int64};
inline constexpr data_type_set u3{uint32, uint16, uint8};
inline constexpr data_type_set u4{uint32, uint16, uint8, uint64};
inline constexpr data_type_set b2{uint32, uint8};
inline constexpr data_type_set u32{uint32};
inline constexpr data_type_set u8{uint8};
inline constexpr data_type_set f16{float16};

template <std::size_t N>
using levels = std::array<operand_limits, N>;

inline constexpr levels<4> identity{{{level_1_0, f, 4, 5},
                                     {level_2_1, data_types_a8, 4, 5},
                                     {level_3_0, data_types_a8, 1, 8},
                                     {level_4_1, data_types_a11, 1, 8}}};
inline constexpr levels<4> abs{
    {{level_1_0, f, 4, 4}, {level_2_1, s5, 4, 4}, {level_3_0, s5, 1, 8}, {level_4_1, s6, 1, 8}}};
inline constexpr levels<1> negate{{{level_5_0, s6, 1, 8}}};
inline constexpr levels<4> sign{{{level_2_0, f, 4, 4},
                                 {level_2_1, data_types_a8, 4, 4},
                                 {level_3_0, data_types_a8, 1, 8},
                                 {level_4_1, data_types_a10, 1, 8}}};
inline constexpr levels<2> is_nan{{{level_2_0, f, 4, 4}, {level_3_0, f, 1, 8}}};
inline constexpr levels<2> is_nan_output{{{level_2_0, b2, 4, 4}, {level_3_0, b2, 1, 8}}};
inline constexpr levels<2> is_infinity{{{level_2_1, f, 4, 4}, {level_3_0, f, 1, 8}}};
inline constexpr levels<2> is_infinity_output{{{level_2_1, u8, 4, 4}, {level_3_0, u8, 1, 8}}};
inline constexpr levels<2> ceil_floor{{{level_1_0, f, 4, 4}, {level_3_0, f, 1, 8}}};
inline constexpr levels<2> round{{{level_2_1, f, 4, 4}, {level_3_0, f, 1, 8}}};
inline constexpr levels<4> min_max_clip{{{level_1_0, f, 4, 4},
                                         {level_2_1, data_types_a8, 4, 4},
                                         {level_3_0, data_types_a8, 1, 8},
                                         {level_5_0, data_types_a10, 1, 8}}};
inline constexpr levels<5> add_multiply{{{level_1_0, f, 4, 5},
                                         {level_2_1, f4, 4, 5},
                                         {level_3_0, f4, 1, 8},
                                         {level_4_1, f6, 1, 8},
                                         {level_5_1, data_types_a10, 1, 8}}};
inline constexpr levels<2> add1{{{level_2_0, f, 4, 5}, {level_3_0, f, 1, 8}}};
inline constexpr levels<5> subtract{{{level_1_0, f, 4, 4},
                                     {level_2_1, f4, 4, 4},
                                     {level_3_0, f4, 1, 8},
                                     {level_4_1, f6, 1, 8},
                                     {level_5_1, data_types_a10, 1, 8}}};
inline constexpr levels<5> divide{{{level_1_0, f, 4, 4},
                                   {level_2_1, f4, 4, 4},
                                   {level_3_0, f4, 1, 8},
                                   {level_5_1, data_types_a8, 1, 8},
                                   {level_6_0, data_types_a10, 1, 8}}};
inline constexpr levels<3> mean{{{level_1_0, f, 4, 4}, {level_2_1, f4, 4, 4}, {level_3_0, f4, 1, 8}}};
inline constexpr levels<1> difference_square{{{level_3_1, f4, 1, 8}}};
inline constexpr levels<1> atan_yx{{{level_3_1, f, 1, 8}}};
inline constexpr levels<3> modulus{
    {{level_2_1, data_types_a8, 4, 4}, {level_3_0, data_types_a8, 1, 8}, {level_6_0, data_types_a10, 1, 8}}};
inline constexpr levels<1> clip1{{{level_5_0, data_types_a10, 1, 8}}};
inline constexpr levels<2> clip_grad{{{level_3_1, data_types_a8, 1, 8}, {level_5_0, data_types_a10, 1, 8}}};
// Ledger FN-R9.
inline constexpr levels<2> relu_grad{{{level_3_0, f, 1, 8}, {level_5_1, s5, 1, 8}}};
inline constexpr levels<4> parameterized_relu{
    {{level_1_0, f, 4, 4}, {level_2_0, f, 4, 5}, {level_3_0, f, 1, 8}, {level_5_1, s5, 1, 8}}};
inline constexpr levels<3> threshold{
    {{level_1_0, f, 4, 4}, {level_2_1, data_types_a8, 4, 4}, {level_3_0, data_types_a8, 1, 8}}};
// Of CONSTANT_POW by ledger FN-R6.
inline constexpr levels<2> power{{{level_1_0, f, 4, 4}, {level_3_0, data_types_a8, 1, 8}}};
inline constexpr levels<4> condition{{{level_2_0, f16, 4, 4},  // as printed (ledger L26)
                                      {level_2_1, data_types_a8, 4, 4},
                                      {level_3_0, data_types_a8, 1, 8},
                                      {level_5_0, data_types_a11, 1, 8}}};
inline constexpr levels<2> condition_tensor{{{level_2_0, u8, 4, 4}, {level_3_0, u8, 1, 8}}};
inline constexpr levels<3> logical{{{level_1_0, u32, 4, 4}, {level_2_0, b2, 4, 4}, {level_3_0, b2, 1, 8}}};
inline constexpr levels<4> comparison{{{level_1_0, f, 4, 4},
                                       {level_2_1, data_types_a8, 4, 4},
                                       {level_3_0, data_types_a8, 1, 8},
                                       {level_4_1, data_types_a10, 1, 8}}};
inline constexpr levels<2> or_equal{{{level_3_0, data_types_a8, 1, 8}, {level_4_1, data_types_a10, 1, 8}}};
inline constexpr levels<1> or_equal_output{{{level_3_0, b2, 1, 8}}};
inline constexpr levels<2> bits{{{level_3_0, u3, 1, 8}, {level_4_1, data_types_a11, 1, 8}}};
inline constexpr levels<1> bit_count_output{{{level_3_0, b2, 1, 8}}};
inline constexpr levels<3> shift{{{level_2_1, u3, 4, 4}, {level_3_0, u3, 1, 8}, {level_4_1, u4, 1, 8}}};

}  // namespace element_wise_limits

inline constexpr auto element_wise_table = [] {
  namespace in = element_wise_limits;
  using namespace element_wise_flag;
  using op = element_wise_op;
  constexpr element_wise_codes id{"ID1", "ID2", "ID3"}, un{"UN1", "UN2", "UN3"}, ro{"RO1", "RO2", "RO3"},
      cl{"CL1", "CL2", "CL3"}, mm{"MM1", "MM2", "MM3"}, iff{"IF1", "IF2", "IF3"}, lo{"LO1", "LO2", "LO3"},
      bi{"BI1", "BI2", "BI3"}, ar{"AR1", "AR2", "AR3"}, cg{"CG1", "CG2", "CG3"}, fn{"FN1", "FN2", "FN3"},
      pw{"PW1", "PW2", "PW3"};
  constexpr unsigned test = free_type | flushes, grad = gradient | moves | flushes,
                     of_number = in_place | flushes | scale_bias | function;
  // clang-format off
  return std::array<element_wise_row, 64>{{
      {op::identity, "ELEMENT_WISE_IDENTITY", 1, 1, in::identity, in::identity, id, in_place | moves | scale_bias},
      {op::abs, "ELEMENT_WISE_ABS", 2, 1, in::abs, in::abs, un, in_place | flushes | scale_bias},
      {op::negate, "ELEMENT_WISE_NEGATE", 156, 1, in::negate, in::negate, un, in_place | flushes},
      {op::sign, "ELEMENT_WISE_SIGN", 79, 1, in::sign, in::sign, un, in_place | flushes},
      {op::is_nan, "ELEMENT_WISE_IS_NAN", 80, 1, in::is_nan, in::is_nan_output, un, free_type},
      {op::is_infinity, "ELEMENT_WISE_IS_INFINITY", 100, 1, in::is_infinity, in::is_infinity_output, un, free_type},
      {op::ceil, "ELEMENT_WISE_CEIL", 7, 1, in::ceil_floor, in::ceil_floor, ro, in_place | flushes | scale_bias},
      {op::floor, "ELEMENT_WISE_FLOOR", 12, 1, in::ceil_floor, in::ceil_floor, ro, in_place | flushes | scale_bias},
      {op::round, "ELEMENT_WISE_ROUND", 99, 1, in::round, in::round, ro, in_place | flushes},
      {op::clip, "ELEMENT_WISE_CLIP", 8, 1, in::min_max_clip, in::min_max_clip, cl, in_place | flushes | scale_bias},
      {op::clip1, "ELEMENT_WISE_CLIP1", 153, 1, in::clip1, in::clip1, cl, in_place | flushes | scale_bias},
      {op::threshold, "ELEMENT_WISE_THRESHOLD", 32, 1, in::threshold, in::threshold, fn, in_place | flushes | scale_bias},
      {op::acos, "ELEMENT_WISE_ACOS", 3, 1, in::ceil_floor, in::ceil_floor, fn, of_number},
      {op::asin, "ELEMENT_WISE_ASIN", 5, 1, in::ceil_floor, in::ceil_floor, fn, of_number},
      {op::atan, "ELEMENT_WISE_ATAN", 6, 1, in::ceil_floor, in::ceil_floor, fn, of_number},
      {op::cos, "ELEMENT_WISE_COS", 9, 1, in::ceil_floor, in::ceil_floor, fn, of_number},
      {op::exp, "ELEMENT_WISE_EXP", 11, 1, in::ceil_floor, in::ceil_floor, fn, of_number},
      {op::log, "ELEMENT_WISE_LOG", 13, 1, in::ceil_floor, in::ceil_floor, fn, of_number},
      {op::recip, "ELEMENT_WISE_RECIP", 27, 1, in::ceil_floor, in::ceil_floor, fn, of_number},
      {op::sin, "ELEMENT_WISE_SIN", 28, 1, in::ceil_floor, in::ceil_floor, fn, of_number},
      {op::sqrt, "ELEMENT_WISE_SQRT", 29, 1, in::ceil_floor, in::ceil_floor, fn, of_number},
      {op::tan, "ELEMENT_WISE_TAN", 31, 1, in::ceil_floor, in::ceil_floor, fn, of_number},
      {op::erf, "ELEMENT_WISE_ERF", 81, 1, in::is_nan, in::is_nan, fn, of_number},
      {op::sinh, "ELEMENT_WISE_SINH", 82, 1, in::is_nan, in::is_nan, fn, of_number},
      {op::cosh, "ELEMENT_WISE_COSH", 83, 1, in::is_nan, in::is_nan, fn, of_number},
      {op::tanh, "ELEMENT_WISE_TANH", 84, 1, in::is_nan, in::is_nan, fn, of_number},
      {op::asinh, "ELEMENT_WISE_ASINH", 85, 1, in::is_nan, in::is_nan, fn, of_number},
      {op::acosh, "ELEMENT_WISE_ACOSH", 86, 1, in::is_nan, in::is_nan, fn, of_number},
      {op::atanh, "ELEMENT_WISE_ATANH", 87, 1, in::is_nan, in::is_nan, fn, of_number},
      {op::constant_pow, "ELEMENT_WISE_CONSTANT_POW", 26, 1, in::power, in::power, pw, in_place | flushes | scale_bias | power},
      {op::min, "ELEMENT_WISE_MIN", 23, 2, in::min_max_clip, in::min_max_clip, mm, in_place | flushes},
      {op::max, "ELEMENT_WISE_MAX", 21, 2, in::min_max_clip, in::min_max_clip, mm, in_place | flushes},
      {op::add, "ELEMENT_WISE_ADD", 4, 2, in::add_multiply, in::add_multiply, ar, in_place | flushes | rounds},
      {op::subtract, "ELEMENT_WISE_SUBTRACT", 30, 2, in::subtract, in::subtract, ar, in_place | flushes | rounds},
      {op::multiply, "ELEMENT_WISE_MULTIPLY", 24, 2, in::add_multiply, in::add_multiply, ar, in_place | flushes | rounds},
      {op::divide, "ELEMENT_WISE_DIVIDE", 10, 2, in::divide, in::divide, ar, in_place | flushes | rounds},
      {op::add1, "ELEMENT_WISE_ADD1", 89, 2, in::add1, in::add1, ar, in_place | flushes | rounds},
      {op::mean, "ELEMENT_WISE_MEAN", 22, 2, in::mean, in::mean, ar, in_place | flushes | pair},
      {op::difference_square, "ELEMENT_WISE_DIFFERENCE_SQUARE", 143, 2, in::difference_square, in::difference_square, ar, in_place | flushes | pair},
      {op::modulus_truncate, "ELEMENT_WISE_MODULUS_TRUNCATE", 101, 2, in::modulus, in::modulus, ar, in_place | flushes | pair},
      {op::modulus_floor, "ELEMENT_WISE_MODULUS_FLOOR", 102, 2, in::modulus, in::modulus, ar, in_place | flushes | pair},
      {op::atan_yx, "ELEMENT_WISE_ATAN_YX", 141, 2, in::atan_yx, in::atan_yx, ar, in_place | flushes | pair},
      {op::pow, "ELEMENT_WISE_POW", 25, 2, in::power, in::power, pw, first_in_place | flushes | scale_bias | power},
      {op::clip_grad, "ELEMENT_WISE_CLIP_GRAD", 142, 2, in::clip_grad, in::clip_grad, cg, first_in_place | grad},
      {op::clip_grad1, "ELEMENT_WISE_CLIP_GRAD1", 154, 2, in::clip1, in::clip1, cg, first_in_place | grad},
      {op::relu_grad, "ACTIVATION_RELU_GRAD", 129, 2, in::relu_grad, in::relu_grad, ar, in_place_policy | grad},
      {op::parameterized_relu, "ACTIVATION_PARAMETERIZED_RELU", 42, 2, in::parameterized_relu, in::parameterized_relu, ar, first_in_place | flushes | rounds | slope},
      {op::condition, "ELEMENT_WISE_IF", 88, 3, in::condition, in::condition, iff, moves},
      {op::logical_and, "ELEMENT_WISE_LOGICAL_AND", 14, 2, in::logical, in::logical, lo, in_place},
      {op::logical_or, "ELEMENT_WISE_LOGICAL_OR", 19, 2, in::logical, in::logical, lo, in_place},
      {op::logical_xor, "ELEMENT_WISE_LOGICAL_XOR", 20, 2, in::logical, in::logical, lo, in_place},
      {op::logical_not, "ELEMENT_WISE_LOGICAL_NOT", 18, 1, in::logical, in::logical, lo, in_place},
      {op::logical_equals, "ELEMENT_WISE_LOGICAL_EQUALS", 15, 2, in::comparison, in::logical, lo, test},
      {op::logical_greater_than, "ELEMENT_WISE_LOGICAL_GREATER_THAN", 16, 2, in::comparison, in::logical, lo, test},
      {op::logical_less_than, "ELEMENT_WISE_LOGICAL_LESS_THAN", 17, 2, in::comparison, in::logical, lo, test},
      {op::logical_greater_than_or_equal, "ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL", 126, 2, in::or_equal, in::or_equal_output, lo, test},
      {op::logical_less_than_or_equal, "ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL", 127, 2, in::or_equal, in::or_equal_output, lo, test},
      {op::bit_and, "ELEMENT_WISE_BIT_AND", 121, 2, in::bits, in::bits, bi, in_place},
      {op::bit_or, "ELEMENT_WISE_BIT_OR", 122, 2, in::bits, in::bits, bi, in_place},
      {op::bit_xor, "ELEMENT_WISE_BIT_XOR", 123, 2, in::bits, in::bits, bi, in_place},
      {op::bit_not, "ELEMENT_WISE_BIT_NOT", 124, 1, in::bits, in::bits, bi, in_place},
      {op::bit_count, "ELEMENT_WISE_BIT_COUNT", 125, 1, in::bits, in::bit_count_output, bi, free_type},
      {op::bit_shift_left, "ELEMENT_WISE_BIT_SHIFT_LEFT", 97, 2, in::shift, in::shift, bi, in_place},
      {op::bit_shift_right, "ELEMENT_WISE_BIT_SHIFT_RIGHT", 98, 2, in::shift, in::shift, bi, in_place},
  }};
  // clang-format on
}();

static_assert([] {
  for (std::size_t i = 0; i < element_wise_table.size(); ++i)
    if (element_wise_table[i].op != static_cast<element_wise_op>(i)) return false;
  return true;
}());

template <element_wise_op Op>
inline constexpr const element_wise_row& element_wise_row_of = element_wise_table[static_cast<std::size_t>(Op)];

// The operands of an operator. Data types are those of A and B in a comparison, or of all tensors except a condition.
// DimensionCounts and sizes are those of the first tensor.
template <element_wise_op Op>
inline constexpr auto element_wise_operands = [] {
  constexpr const element_wise_row& row = element_wise_row_of<Op>;
  constexpr std::array<std::string_view, 3> several{"ConditionTensor", "ATensor", "BTensor"};
  constexpr bool is_gradient = row.is(element_wise_flag::gradient), has_slope = row.is(element_wise_flag::slope),
                 is_power = row.is(element_wise_flag::power);
  std::array<operand_info, row.input_count + 1> operands{};
  constexpr std::size_t first_typed = row.input_count == 3 ? 1 : 0;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    operand_info& operand = operands[i];
    const bool is_output = i == row.input_count;
    operand.role = is_output ? operand_role::output : operand_role::input;
    operand.name = is_output               ? is_gradient ? "OutputGradientTensor" : "OutputTensor"
                   : is_gradient && i == 1 ? "InputGradientTensor"
                   : has_slope && i == 1   ? "SlopeTensor"
                   : is_power && i == 1    ? "ExponentTensor"
                   : is_gradient || has_slope || is_power || row.input_count == 1 ? std::string_view("InputTensor")
                                                                                  : several[i + 3 - row.input_count];
    operand.limits = is_output ? row.output : i < first_typed ? element_wise_limits::condition_tensor : row.inputs;
    operand.in_place = (!is_output && row.is(element_wise_flag::in_place | element_wise_flag::in_place_policy)) ||
                       (i == 0 && row.is(element_wise_flag::first_in_place));
    if (is_power && i == 1 && !is_output)
      operand.same_data_type_below = {{"PW4", 0}, feature_level::level_3_0};
    else if (i > first_typed && !(is_output && row.is(element_wise_flag::free_type)))
      operand.same_data_type_as = {row.codes.data_type, first_typed};
    if (i > 0) {
      operand.same_rank_as = {row.codes.rank, 0};
      operand.same_sizes_as = {row.codes.sizes, 0};
    }
  }
  return operands;
}();

}  // namespace detail

}  // namespace goldml
