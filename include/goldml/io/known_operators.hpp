// The names of all operators of DirectML by number, and what a misspelt one means.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <goldml/io/suggestions.hpp>
#include <goldml/operators/operators.hpp>

namespace goldml::io {

// The enumerators of DML_OPERATOR_TYPE without prefix, in their order from 1 (DirectML.h, DML_TARGET_VERSION 0x6400).
// SCATTER, an alias of SCATTER_ELEMENTS, is not one of them.
// clang-format off
inline constexpr std::array<std::string_view, 177> known_operators{
    "ELEMENT_WISE_IDENTITY", "ELEMENT_WISE_ABS", "ELEMENT_WISE_ACOS", "ELEMENT_WISE_ADD", "ELEMENT_WISE_ASIN",
    "ELEMENT_WISE_ATAN", "ELEMENT_WISE_CEIL", "ELEMENT_WISE_CLIP", "ELEMENT_WISE_COS", "ELEMENT_WISE_DIVIDE",
    "ELEMENT_WISE_EXP", "ELEMENT_WISE_FLOOR", "ELEMENT_WISE_LOG", "ELEMENT_WISE_LOGICAL_AND",
    "ELEMENT_WISE_LOGICAL_EQUALS", "ELEMENT_WISE_LOGICAL_GREATER_THAN", "ELEMENT_WISE_LOGICAL_LESS_THAN",
    "ELEMENT_WISE_LOGICAL_NOT", "ELEMENT_WISE_LOGICAL_OR", "ELEMENT_WISE_LOGICAL_XOR", "ELEMENT_WISE_MAX",
    "ELEMENT_WISE_MEAN", "ELEMENT_WISE_MIN", "ELEMENT_WISE_MULTIPLY", "ELEMENT_WISE_POW", "ELEMENT_WISE_CONSTANT_POW",
    "ELEMENT_WISE_RECIP", "ELEMENT_WISE_SIN", "ELEMENT_WISE_SQRT", "ELEMENT_WISE_SUBTRACT", "ELEMENT_WISE_TAN",
    "ELEMENT_WISE_THRESHOLD", "ELEMENT_WISE_QUANTIZE_LINEAR", "ELEMENT_WISE_DEQUANTIZE_LINEAR", "ACTIVATION_ELU",
    "ACTIVATION_HARDMAX", "ACTIVATION_HARD_SIGMOID", "ACTIVATION_IDENTITY", "ACTIVATION_LEAKY_RELU",
    "ACTIVATION_LINEAR", "ACTIVATION_LOG_SOFTMAX", "ACTIVATION_PARAMETERIZED_RELU", "ACTIVATION_PARAMETRIC_SOFTPLUS",
    "ACTIVATION_RELU", "ACTIVATION_SCALED_ELU", "ACTIVATION_SCALED_TANH", "ACTIVATION_SIGMOID", "ACTIVATION_SOFTMAX",
    "ACTIVATION_SOFTPLUS", "ACTIVATION_SOFTSIGN", "ACTIVATION_TANH", "ACTIVATION_THRESHOLDED_RELU", "CONVOLUTION",
    "GEMM", "REDUCE", "AVERAGE_POOLING", "LP_POOLING", "MAX_POOLING", "ROI_POOLING", "SLICE", "CAST", "SPLIT", "JOIN",
    "PADDING", "VALUE_SCALE_2D", "UPSAMPLE_2D", "GATHER", "SPACE_TO_DEPTH", "DEPTH_TO_SPACE", "TILE", "TOP_K",
    "BATCH_NORMALIZATION", "MEAN_VARIANCE_NORMALIZATION", "LOCAL_RESPONSE_NORMALIZATION", "LP_NORMALIZATION", "RNN",
    "LSTM", "GRU", "ELEMENT_WISE_SIGN", "ELEMENT_WISE_IS_NAN", "ELEMENT_WISE_ERF", "ELEMENT_WISE_SINH",
    "ELEMENT_WISE_COSH", "ELEMENT_WISE_TANH", "ELEMENT_WISE_ASINH", "ELEMENT_WISE_ACOSH", "ELEMENT_WISE_ATANH",
    "ELEMENT_WISE_IF", "ELEMENT_WISE_ADD1", "ACTIVATION_SHRINK", "MAX_POOLING1", "MAX_UNPOOLING", "DIAGONAL_MATRIX",
    "SCATTER_ELEMENTS", "ONE_HOT", "RESAMPLE", "ELEMENT_WISE_BIT_SHIFT_LEFT", "ELEMENT_WISE_BIT_SHIFT_RIGHT",
    "ELEMENT_WISE_ROUND", "ELEMENT_WISE_IS_INFINITY", "ELEMENT_WISE_MODULUS_TRUNCATE", "ELEMENT_WISE_MODULUS_FLOOR",
    "FILL_VALUE_CONSTANT", "FILL_VALUE_SEQUENCE", "CUMULATIVE_SUMMATION", "REVERSE_SUBSEQUENCES", "GATHER_ELEMENTS",
    "GATHER_ND", "SCATTER_ND", "MAX_POOLING2", "SLICE1", "TOP_K1", "DEPTH_TO_SPACE1", "SPACE_TO_DEPTH1",
    "MEAN_VARIANCE_NORMALIZATION1", "RESAMPLE1", "MATRIX_MULTIPLY_INTEGER", "QUANTIZED_LINEAR_MATRIX_MULTIPLY",
    "CONVOLUTION_INTEGER", "QUANTIZED_LINEAR_CONVOLUTION", "ELEMENT_WISE_BIT_AND", "ELEMENT_WISE_BIT_OR",
    "ELEMENT_WISE_BIT_XOR", "ELEMENT_WISE_BIT_NOT", "ELEMENT_WISE_BIT_COUNT",
    "ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL", "ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL", "ACTIVATION_CELU",
    "ACTIVATION_RELU_GRAD", "AVERAGE_POOLING_GRAD", "MAX_POOLING_GRAD", "RANDOM_GENERATOR", "NONZERO_COORDINATES",
    "RESAMPLE_GRAD", "SLICE_GRAD", "ADAM_OPTIMIZER", "ARGMIN", "ARGMAX", "ROI_ALIGN", "GATHER_ND1",
    "ELEMENT_WISE_ATAN_YX", "ELEMENT_WISE_CLIP_GRAD", "ELEMENT_WISE_DIFFERENCE_SQUARE",
    "LOCAL_RESPONSE_NORMALIZATION_GRAD", "CUMULATIVE_PRODUCT", "BATCH_NORMALIZATION_GRAD",
    "ELEMENT_WISE_QUANTIZED_LINEAR_ADD", "DYNAMIC_QUANTIZE_LINEAR", "ROI_ALIGN1", "ROI_ALIGN_GRAD",
    "BATCH_NORMALIZATION_TRAINING", "BATCH_NORMALIZATION_TRAINING_GRAD", "ELEMENT_WISE_CLIP1",
    "ELEMENT_WISE_CLIP_GRAD1", "PADDING1", "ELEMENT_WISE_NEGATE", "ACTIVATION_GELU", "ACTIVATION_SOFTMAX1",
    "ACTIVATION_LOG_SOFTMAX1", "ACTIVATION_HARDMAX1", "RESAMPLE2", "RESAMPLE_GRAD1", "DIAGONAL_MATRIX1",
    "MULTIHEAD_ATTENTION", "LP_POOLING1", "AVERAGE_POOLING1", "ACTIVATION_SWISH", "ACTIVATION_HARD_SWISH",
    "QUANTIZED_LINEAR_AVERAGE_POOLING", "MATRIX_MULTIPLY_INTEGER_TO_FLOAT", "MEAN_VARIANCE_NORMALIZATION2",
    "MULTIHEAD_ATTENTION1", "QUANTIZE", "DEQUANTIZE", "RESAMPLE3", "FOLD", "UNFOLD"};
// clang-format on

// The enumerator of an operator of DirectML, with or without DML_OPERATOR_; 0 if there is none of that name.
inline std::uint32_t known_operator_number(std::string_view name) {
  constexpr std::string_view prefix = "DML_OPERATOR_";
  if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  if (name == "SCATTER") name = "SCATTER_ELEMENTS";
  const auto found = std::find(known_operators.begin(), known_operators.end(), name);
  return found == known_operators.end() ? 0 : static_cast<std::uint32_t>(found - known_operators.begin()) + 1;
}

// The name of that number, without DML_OPERATOR_; "" if there is none.
inline std::string_view known_operator_name(std::uint32_t number) {
  return number == 0 || number > known_operators.size() ? "" : known_operators[number - 1];
}

// The one of the `known` operators that a name without DML_OPERATOR_ probably means: the one that it is without its
// family ("RELU"), or else meant_name(). "" if there is none.
inline std::string_view meant_operator(std::string_view name, std::span<const std::string_view> known) {
  for (const std::string_view family : {"ACTIVATION_", "ELEMENT_WISE_"})
    for (const std::string_view candidate : known)
      if (candidate.starts_with(family) && detail::same_word(candidate.substr(family.size()), name)) return candidate;
  return meant_name(name, known);
}

// The function of REDUCE that a name means as it is spelt elsewhere, such as "LogSumExp" or "REDUCE_SUM". "" if there
// is none.
inline std::string_view meant_reduction(std::string_view name) {
  const auto letters = [](std::string_view text) {
    std::string result;
    for (const char c : text)
      if (c != '_') result += detail::lower_case(c);
    return result;
  };
  std::string wanted = letters(name);
  if (wanted.starts_with("reduce")) wanted.erase(0, 6);
  for (const auto& function : enumeration<reduce_function>::values)
    if (letters(function.name) == wanted) return function.name;
  return "";
}

// Why there is no operator of that name, for messages: it is another name of one, or nearly one. "" if none of these is
// known.
inline std::string why_no_operator(std::string_view name) {
  constexpr std::string_view prefix = "DML_OPERATOR_";
  if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  if (detail::same_word(name, "UPSAMPLE_3D"))
    return "DirectML.h has no such operator; UPSAMPLE_2D enlarges height and width only, RESAMPLE every dimension";
  const std::string_view meant = meant_operator(name, known_operators);
  if (const std::string_view function = meant_reduction(name);
      !function.empty() && (meant.empty() || detail::same_word(meant, "REDUCE")))
    return fmt::format("did you mean 'REDUCE' with Function {}?", function);
  return meant.empty() ? "" : "did you mean " + in_quotes(meant) + "?";
}

}  // namespace goldml::io
