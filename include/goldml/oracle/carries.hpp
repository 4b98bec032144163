// How operators carry what is known of their inputs to their outputs: a table.
#pragma once

#include <array>
#include <string_view>

namespace goldml::oracle::detail {

// How an operator carries what is known of its inputs to its outputs, where it is not `moves` alone. But with by_parts,
// all are element-wise or sort. Each output element is monotone in each input element between the points at which the
// call is computed: the ends, and what the flags add.
namespace carries {
inline constexpr unsigned by_ends = 1;
inline constexpr unsigned any_type = 2;          // also integers; without it only floats, as integers wrap
inline constexpr unsigned bounded_integers = 4;  // also integers from 0 to 127, which every type has
inline constexpr unsigned zero = 8;              // also at 0, where the direction may change, or NaN may arise
inline constexpr unsigned divides = 16;          // only if the range of the second input does not have 0
inline constexpr unsigned equals = 32;           // also at a number that the ranges of both inputs have
inline constexpr unsigned integral = 64;         // the results are integers
inline constexpr unsigned sorts = 128;     // by_ends, of the first output; what the other outputs have is not known
inline constexpr unsigned unscaled = 256;  // only without ScaleBias, which would move the 0
// Nothing is carried: elements depend whose element_part has one that is not exact, and the others do not. Not for
// CONVOLUTION, whose verdicts look at all of the tensors.
inline constexpr unsigned by_parts = 512;
}  // namespace carries

struct carry_row {
  std::string_view name;
  unsigned how;
};

inline constexpr auto carry_table = [] {
  using namespace carries;
  return std::to_array<carry_row>({
      {"ELEMENT_WISE_IDENTITY", by_ends | any_type | zero},
      {"ELEMENT_WISE_ABS", by_ends | zero | unscaled},
      {"ELEMENT_WISE_NEGATE", by_ends},
      {"ELEMENT_WISE_SIGN", by_ends | any_type | integral},
      {"ELEMENT_WISE_IS_NAN", by_ends},
      {"ELEMENT_WISE_IS_INFINITY", by_ends},
      {"ELEMENT_WISE_CEIL", by_ends | zero | integral},
      {"ELEMENT_WISE_FLOOR", by_ends | zero | integral},
      {"ELEMENT_WISE_ROUND", by_ends | integral},
      {"ELEMENT_WISE_CLIP", by_ends | any_type | zero},
      {"ELEMENT_WISE_CLIP1", by_ends | any_type | zero},
      {"ELEMENT_WISE_MIN", by_ends | any_type},
      {"ELEMENT_WISE_MAX", by_ends | any_type},
      {"ELEMENT_WISE_ADD", by_ends},
      {"ELEMENT_WISE_ADD1", by_ends},
      {"ELEMENT_WISE_SUBTRACT", by_ends},
      {"ELEMENT_WISE_MULTIPLY", by_ends | zero},
      {"ELEMENT_WISE_DIVIDE", by_ends | zero | divides},
      {"ELEMENT_WISE_CLIP_GRAD", by_parts},  // 0 at both ends of a range may be the gradient between
      {"ELEMENT_WISE_CLIP_GRAD1", by_parts},
      {"ACTIVATION_RELU_GRAD", by_ends | any_type},
      {"ELEMENT_WISE_IF", by_ends | any_type},
      {"ELEMENT_WISE_LOGICAL_AND", by_ends | any_type},
      {"ELEMENT_WISE_LOGICAL_OR", by_ends | any_type},
      {"ELEMENT_WISE_LOGICAL_XOR", by_ends | any_type},
      {"ELEMENT_WISE_LOGICAL_NOT", by_ends | any_type},
      {"ELEMENT_WISE_LOGICAL_EQUALS", by_ends | any_type | equals},
      {"ELEMENT_WISE_LOGICAL_GREATER_THAN", by_ends | any_type},
      {"ELEMENT_WISE_LOGICAL_LESS_THAN", by_ends | any_type},
      {"ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL", by_ends | any_type},
      {"ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL", by_ends | any_type},
      {"CAST", by_ends | bounded_integers},
      {"ACTIVATION_CELU", by_ends | zero},
      {"ACTIVATION_ELU", by_ends | zero},
      {"ACTIVATION_HARD_SIGMOID", by_ends | zero},
      {"ACTIVATION_IDENTITY", by_ends},
      {"ACTIVATION_LEAKY_RELU", by_ends | zero},
      {"ACTIVATION_LINEAR", by_ends | zero},
      {"ACTIVATION_PARAMETRIC_SOFTPLUS", by_ends | zero},
      {"ACTIVATION_RELU", by_ends | zero | any_type},
      {"ACTIVATION_SCALED_ELU", by_ends | zero},
      {"ACTIVATION_SCALED_TANH", by_ends | zero},
      {"ACTIVATION_SIGMOID", by_ends | zero},
      {"ACTIVATION_SOFTPLUS", by_ends | zero},
      {"ACTIVATION_SOFTSIGN", by_ends | zero},
      {"ACTIVATION_TANH", by_ends | zero},
      {"ACTIVATION_THRESHOLDED_RELU", by_parts},  // they jump, or turn
      {"ACTIVATION_SHRINK", by_parts},
      {"ACTIVATION_HARD_SWISH", by_parts},
      {"ACTIVATION_SWISH", by_parts},
      {"ACTIVATION_GELU", by_parts},
      {"ACTIVATION_PARAMETERIZED_RELU", by_ends | zero},
      {"ELEMENT_WISE_THRESHOLD", by_ends | any_type | zero},
      {"ELEMENT_WISE_ACOS", by_parts},
      {"ELEMENT_WISE_ASIN", by_parts},
      {"ELEMENT_WISE_ATAN", by_parts},
      {"ELEMENT_WISE_COS", by_parts},
      {"ELEMENT_WISE_EXP", by_parts},
      {"ELEMENT_WISE_LOG", by_parts},
      {"ELEMENT_WISE_RECIP", by_parts},
      {"ELEMENT_WISE_SIN", by_parts},
      {"ELEMENT_WISE_SQRT", by_parts},
      {"ELEMENT_WISE_TAN", by_parts},
      {"ELEMENT_WISE_ERF", by_parts},
      {"ELEMENT_WISE_SINH", by_parts},
      {"ELEMENT_WISE_COSH", by_parts},
      {"ELEMENT_WISE_TANH", by_parts},
      {"ELEMENT_WISE_ASINH", by_parts},
      {"ELEMENT_WISE_ACOSH", by_parts},
      {"ELEMENT_WISE_ATANH", by_parts},
      {"ELEMENT_WISE_MEAN", by_parts},
      {"ELEMENT_WISE_DIFFERENCE_SQUARE", by_parts},
      {"ELEMENT_WISE_MODULUS_TRUNCATE", by_parts},
      {"ELEMENT_WISE_MODULUS_FLOOR", by_parts},
      {"ELEMENT_WISE_ATAN_YX", by_parts},
      {"ELEMENT_WISE_POW", by_parts},
      {"ELEMENT_WISE_CONSTANT_POW", by_parts},
      {"TOP_K", sorts | any_type},
      {"TOP_K1", sorts | any_type},
      {"ELEMENT_WISE_BIT_AND", by_parts},
      {"ELEMENT_WISE_BIT_OR", by_parts},
      {"ELEMENT_WISE_BIT_XOR", by_parts},
      {"ELEMENT_WISE_BIT_NOT", by_parts},
      {"ELEMENT_WISE_BIT_COUNT", by_parts},
      {"ELEMENT_WISE_BIT_SHIFT_LEFT", by_parts},
      {"ELEMENT_WISE_BIT_SHIFT_RIGHT", by_parts},
      {"ADAM_OPTIMIZER", by_parts},
      {"ACTIVATION_SOFTMAX", by_parts},
      {"ACTIVATION_SOFTMAX1", by_parts},
      {"ACTIVATION_LOG_SOFTMAX", by_parts},
      {"ACTIVATION_LOG_SOFTMAX1", by_parts},
      {"ACTIVATION_HARDMAX", by_parts},
      {"ACTIVATION_HARDMAX1", by_parts},
      {"VALUE_SCALE_2D", by_parts},
      {"ARGMAX", by_parts},
      {"ARGMIN", by_parts},
      {"CUMULATIVE_PRODUCT", by_parts},
      {"CUMULATIVE_SUMMATION", by_parts},
      {"ELEMENT_WISE_QUANTIZE_LINEAR", by_parts},
      {"ELEMENT_WISE_DEQUANTIZE_LINEAR", by_parts},
      {"MATRIX_MULTIPLY_INTEGER", by_parts},
      {"CONVOLUTION_INTEGER", by_parts},
      {"MEAN_VARIANCE_NORMALIZATION", by_parts},
      {"MEAN_VARIANCE_NORMALIZATION1", by_parts},
      {"MEAN_VARIANCE_NORMALIZATION2", by_parts},
      {"BATCH_NORMALIZATION", by_parts},
      {"BATCH_NORMALIZATION_TRAINING", by_parts},
      {"LP_NORMALIZATION", by_parts},
      {"LOCAL_RESPONSE_NORMALIZATION", by_parts},
      {"LOCAL_RESPONSE_NORMALIZATION_GRAD", by_parts},
      {"BATCH_NORMALIZATION_GRAD", by_parts},
      {"BATCH_NORMALIZATION_TRAINING_GRAD", by_parts},
      {"QUANTIZED_LINEAR_MATRIX_MULTIPLY", by_parts},
      {"MATRIX_MULTIPLY_INTEGER_TO_FLOAT", by_parts},
      {"QUANTIZED_LINEAR_CONVOLUTION", by_parts},
      {"ELEMENT_WISE_QUANTIZED_LINEAR_ADD", by_parts},
      {"GEMM", by_parts},
      {"REDUCE", by_parts},
  });
}();

}  // namespace goldml::oracle::detail
