// The structures of all operators in DirectML.h, checked against operator_traits.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include <goldml/directml/constants.hpp>
#include <goldml/directml/structure.hpp>
#include <goldml/operators/operators.hpp>

namespace goldml::directml {

// clang-format off
template <> struct structure<argmin_desc> : structure_row<DML_ARGMIN_OPERATOR_DESC, DML_OPERATOR_ARGMIN> {};
template <> struct structure<nonzero_coordinates_desc> : structure_row<DML_NONZERO_COORDINATES_OPERATOR_DESC, DML_OPERATOR_NONZERO_COORDINATES> {};
template <> struct structure<scatter_nd_desc> : structure_row<DML_SCATTER_ND_OPERATOR_DESC, DML_OPERATOR_SCATTER_ND> {};
template <> struct structure<diagonal_matrix1_desc> : structure_row<DML_DIAGONAL_MATRIX1_OPERATOR_DESC, DML_OPERATOR_DIAGONAL_MATRIX1> {};
template <> struct structure<argmax_desc> : structure_row<DML_ARGMAX_OPERATOR_DESC, DML_OPERATOR_ARGMAX> {};
template <> struct structure<diagonal_matrix_desc> : structure_row<DML_DIAGONAL_MATRIX_OPERATOR_DESC, DML_OPERATOR_DIAGONAL_MATRIX> {};
template <> struct structure<fill_value_constant_desc> : structure_row<DML_FILL_VALUE_CONSTANT_OPERATOR_DESC, DML_OPERATOR_FILL_VALUE_CONSTANT> {};
template <> struct structure<slice1_desc> : structure_row<DML_SLICE1_OPERATOR_DESC, DML_OPERATOR_SLICE1> {};
template <> struct structure<slice_desc> : structure_row<DML_SLICE_OPERATOR_DESC, DML_OPERATOR_SLICE> {};
template <> struct structure<slice_grad_desc> : structure_row<DML_SLICE_GRAD_OPERATOR_DESC, DML_OPERATOR_SLICE_GRAD> {};
template <> struct structure<split_desc> : structure_row<DML_SPLIT_OPERATOR_DESC, DML_OPERATOR_SPLIT> {};
template <> struct structure<join_desc> : structure_row<DML_JOIN_OPERATOR_DESC, DML_OPERATOR_JOIN> {};
template <> struct structure<padding_desc> : structure_row<DML_PADDING_OPERATOR_DESC, DML_OPERATOR_PADDING> {};
template <> struct structure<padding1_desc> : structure_row<DML_PADDING1_OPERATOR_DESC, DML_OPERATOR_PADDING1> {};
template <> struct structure<tile_desc> : structure_row<DML_TILE_OPERATOR_DESC, DML_OPERATOR_TILE> {};
template <> struct structure<space_to_depth_desc> : structure_row<DML_SPACE_TO_DEPTH_OPERATOR_DESC, DML_OPERATOR_SPACE_TO_DEPTH> {};
template <> struct structure<space_to_depth1_desc> : structure_row<DML_SPACE_TO_DEPTH1_OPERATOR_DESC, DML_OPERATOR_SPACE_TO_DEPTH1> {};
template <> struct structure<depth_to_space_desc> : structure_row<DML_DEPTH_TO_SPACE_OPERATOR_DESC, DML_OPERATOR_DEPTH_TO_SPACE> {};
template <> struct structure<depth_to_space1_desc> : structure_row<DML_DEPTH_TO_SPACE1_OPERATOR_DESC, DML_OPERATOR_DEPTH_TO_SPACE1> {};
template <> struct structure<cast_desc> : structure_row<DML_CAST_OPERATOR_DESC, DML_OPERATOR_CAST> {};
template <> struct structure<top_k_desc> : structure_row<DML_TOP_K_OPERATOR_DESC, DML_OPERATOR_TOP_K> {};
template <> struct structure<top_k1_desc> : structure_row<DML_TOP_K1_OPERATOR_DESC, DML_OPERATOR_TOP_K1> {};
template <> struct structure<one_hot_desc> : structure_row<DML_ONE_HOT_OPERATOR_DESC, DML_OPERATOR_ONE_HOT> {};
template <> struct structure<gather_desc> : structure_row<DML_GATHER_OPERATOR_DESC, DML_OPERATOR_GATHER> {};
template <> struct structure<gather_elements_desc> : structure_row<DML_GATHER_ELEMENTS_OPERATOR_DESC, DML_OPERATOR_GATHER_ELEMENTS> {};
template <> struct structure<gather_nd_desc> : structure_row<DML_GATHER_ND_OPERATOR_DESC, DML_OPERATOR_GATHER_ND> {};
template <> struct structure<gather_nd1_desc> : structure_row<DML_GATHER_ND1_OPERATOR_DESC, DML_OPERATOR_GATHER_ND1> {};
template <> struct structure<scatter_elements_desc> : structure_row<DML_SCATTER_OPERATOR_DESC, DML_OPERATOR_SCATTER> {};
template <> struct structure<reduce_desc> : structure_row<DML_REDUCE_OPERATOR_DESC, DML_OPERATOR_REDUCE, 1> {};
template <> struct structure<fill_value_sequence_desc> : structure_row<DML_FILL_VALUE_SEQUENCE_OPERATOR_DESC, DML_OPERATOR_FILL_VALUE_SEQUENCE> {};
template <> struct structure<reverse_subsequences_desc> : structure_row<DML_REVERSE_SUBSEQUENCES_OPERATOR_DESC, DML_OPERATOR_REVERSE_SUBSEQUENCES> {};
template <> struct structure<max_unpooling_desc> : structure_row<DML_MAX_UNPOOLING_OPERATOR_DESC, DML_OPERATOR_MAX_UNPOOLING> {};
template <> struct structure<cumulative_summation_desc> : structure_row<DML_CUMULATIVE_SUMMATION_OPERATOR_DESC, DML_OPERATOR_CUMULATIVE_SUMMATION> {};
template <> struct structure<cumulative_product_desc> : structure_row<DML_CUMULATIVE_PRODUCT_OPERATOR_DESC, DML_OPERATOR_CUMULATIVE_PRODUCT> {};
template <> struct structure<activation_softmax_desc> : structure_row<DML_ACTIVATION_SOFTMAX_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_SOFTMAX> {};
template <> struct structure<activation_softmax1_desc> : structure_row<DML_ACTIVATION_SOFTMAX1_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_SOFTMAX1> {};
template <> struct structure<activation_log_softmax_desc> : structure_row<DML_ACTIVATION_LOG_SOFTMAX_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_LOG_SOFTMAX> {};
template <> struct structure<activation_log_softmax1_desc> : structure_row<DML_ACTIVATION_LOG_SOFTMAX1_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_LOG_SOFTMAX1> {};
template <> struct structure<activation_hardmax_desc> : structure_row<DML_ACTIVATION_HARDMAX_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_HARDMAX> {};
template <> struct structure<activation_hardmax1_desc> : structure_row<DML_ACTIVATION_HARDMAX1_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_HARDMAX1> {};
template <> struct structure<convolution_desc> : structure_row<DML_CONVOLUTION_OPERATOR_DESC, DML_OPERATOR_CONVOLUTION> {};
template <> struct structure<upsample_2d_desc> : structure_row<DML_UPSAMPLE_2D_OPERATOR_DESC, DML_OPERATOR_UPSAMPLE_2D> {};
template <> struct structure<resample_desc> : structure_row<DML_RESAMPLE_OPERATOR_DESC, DML_OPERATOR_RESAMPLE> {};
template <> struct structure<resample1_desc> : structure_row<DML_RESAMPLE1_OPERATOR_DESC, DML_OPERATOR_RESAMPLE1> {};
template <> struct structure<resample2_desc> : structure_row<DML_RESAMPLE2_OPERATOR_DESC, DML_OPERATOR_RESAMPLE2> {};
template <> struct structure<resample3_desc> : structure_row<DML_RESAMPLE3_OPERATOR_DESC, DML_OPERATOR_RESAMPLE3> {};
template <> struct structure<resample_grad_desc> : structure_row<DML_RESAMPLE_GRAD_OPERATOR_DESC, DML_OPERATOR_RESAMPLE_GRAD> {};
template <> struct structure<resample_grad1_desc> : structure_row<DML_RESAMPLE_GRAD1_OPERATOR_DESC, DML_OPERATOR_RESAMPLE_GRAD1> {};
template <> struct structure<roi_pooling_desc> : structure_row<DML_ROI_POOLING_OPERATOR_DESC, DML_OPERATOR_ROI_POOLING> {};
template <> struct structure<roi_align_desc> : structure_row<DML_ROI_ALIGN_OPERATOR_DESC, DML_OPERATOR_ROI_ALIGN> {};
template <> struct structure<roi_align1_desc> : structure_row<DML_ROI_ALIGN1_OPERATOR_DESC, DML_OPERATOR_ROI_ALIGN1> {};
template <> struct structure<roi_align_grad_desc> : structure_row<DML_ROI_ALIGN_GRAD_OPERATOR_DESC, DML_OPERATOR_ROI_ALIGN_GRAD> {};
template <> struct structure<value_scale_2d_desc> : structure_row<DML_VALUE_SCALE_2D_OPERATOR_DESC, DML_OPERATOR_VALUE_SCALE_2D> {};
template <> struct structure<rnn_desc> : structure_row<DML_RNN_OPERATOR_DESC, DML_OPERATOR_RNN> {};
template <> struct structure<lstm_desc> : structure_row<DML_LSTM_OPERATOR_DESC, DML_OPERATOR_LSTM> {};
template <> struct structure<average_pooling_desc> : structure_row<DML_AVERAGE_POOLING_OPERATOR_DESC, DML_OPERATOR_AVERAGE_POOLING> {};
template <> struct structure<average_pooling1_desc> : structure_row<DML_AVERAGE_POOLING1_OPERATOR_DESC, DML_OPERATOR_AVERAGE_POOLING1> {};
template <> struct structure<lp_pooling_desc> : structure_row<DML_LP_POOLING_OPERATOR_DESC, DML_OPERATOR_LP_POOLING> {};
template <> struct structure<lp_pooling1_desc> : structure_row<DML_LP_POOLING1_OPERATOR_DESC, DML_OPERATOR_LP_POOLING1> {};
template <> struct structure<max_pooling_desc> : structure_row<DML_MAX_POOLING_OPERATOR_DESC, DML_OPERATOR_MAX_POOLING> {};
template <> struct structure<max_pooling1_desc> : structure_row<DML_MAX_POOLING1_OPERATOR_DESC, DML_OPERATOR_MAX_POOLING1> {};
template <> struct structure<max_pooling2_desc> : structure_row<DML_MAX_POOLING2_OPERATOR_DESC, DML_OPERATOR_MAX_POOLING2> {};
template <> struct structure<average_pooling_grad_desc> : structure_row<DML_AVERAGE_POOLING_GRAD_OPERATOR_DESC, DML_OPERATOR_AVERAGE_POOLING_GRAD> {};
template <> struct structure<max_pooling_grad_desc> : structure_row<DML_MAX_POOLING_GRAD_OPERATOR_DESC, DML_OPERATOR_MAX_POOLING_GRAD> {};
template <> struct structure<fold_desc> : structure_row<DML_FOLD_OPERATOR_DESC, DML_OPERATOR_FOLD> {};
template <> struct structure<unfold_desc> : structure_row<DML_UNFOLD_OPERATOR_DESC, DML_OPERATOR_UNFOLD> {};
template <> struct structure<gru_desc> : structure_row<DML_GRU_OPERATOR_DESC, DML_OPERATOR_GRU> {};
template <> struct structure<multihead_attention_desc> : structure_row<DML_MULTIHEAD_ATTENTION_OPERATOR_DESC, DML_OPERATOR_MULTIHEAD_ATTENTION> {};
template <> struct structure<multihead_attention1_desc> : structure_row<DML_MULTIHEAD_ATTENTION1_OPERATOR_DESC, DML_OPERATOR_MULTIHEAD_ATTENTION1> {};
template <> struct structure<gemm_desc> : structure_row<DML_GEMM_OPERATOR_DESC, DML_OPERATOR_GEMM> {};
template <> struct structure<mean_variance_normalization_desc> : structure_row<DML_MEAN_VARIANCE_NORMALIZATION_OPERATOR_DESC, DML_OPERATOR_MEAN_VARIANCE_NORMALIZATION> {};
template <> struct structure<mean_variance_normalization1_desc> : structure_row<DML_MEAN_VARIANCE_NORMALIZATION1_OPERATOR_DESC, DML_OPERATOR_MEAN_VARIANCE_NORMALIZATION1> {};
template <> struct structure<mean_variance_normalization2_desc> : structure_row<DML_MEAN_VARIANCE_NORMALIZATION2_OPERATOR_DESC, DML_OPERATOR_MEAN_VARIANCE_NORMALIZATION2> {};
template <> struct structure<batch_normalization_desc> : structure_row<DML_BATCH_NORMALIZATION_OPERATOR_DESC, DML_OPERATOR_BATCH_NORMALIZATION> {};
template <> struct structure<batch_normalization_training_desc> : structure_row<DML_BATCH_NORMALIZATION_TRAINING_OPERATOR_DESC, DML_OPERATOR_BATCH_NORMALIZATION_TRAINING> {};
template <> struct structure<lp_normalization_desc> : structure_row<DML_LP_NORMALIZATION_OPERATOR_DESC, DML_OPERATOR_LP_NORMALIZATION> {};
template <> struct structure<local_response_normalization_desc> : structure_row<DML_LOCAL_RESPONSE_NORMALIZATION_OPERATOR_DESC, DML_OPERATOR_LOCAL_RESPONSE_NORMALIZATION> {};
template <> struct structure<local_response_normalization_grad_desc> : structure_row<DML_LOCAL_RESPONSE_NORMALIZATION_GRAD_OPERATOR_DESC, DML_OPERATOR_LOCAL_RESPONSE_NORMALIZATION_GRAD> {};
template <> struct structure<batch_normalization_grad_desc> : structure_row<DML_BATCH_NORMALIZATION_GRAD_OPERATOR_DESC, DML_OPERATOR_BATCH_NORMALIZATION_GRAD> {};
template <> struct structure<batch_normalization_training_grad_desc> : structure_row<DML_BATCH_NORMALIZATION_TRAINING_GRAD_OPERATOR_DESC, DML_OPERATOR_BATCH_NORMALIZATION_TRAINING_GRAD> {};
template <> struct structure<adam_optimizer_desc> : structure_row<DML_ADAM_OPTIMIZER_OPERATOR_DESC, DML_OPERATOR_ADAM_OPTIMIZER> {};
template <> struct structure<element_wise_quantize_linear_desc> : structure_row<DML_ELEMENT_WISE_QUANTIZE_LINEAR_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_QUANTIZE_LINEAR> {};
template <> struct structure<element_wise_dequantize_linear_desc> : structure_row<DML_ELEMENT_WISE_DEQUANTIZE_LINEAR_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_DEQUANTIZE_LINEAR> {};
template <> struct structure<matrix_multiply_integer_desc> : structure_row<DML_MATRIX_MULTIPLY_INTEGER_OPERATOR_DESC, DML_OPERATOR_MATRIX_MULTIPLY_INTEGER> {};
template <> struct structure<convolution_integer_desc> : structure_row<DML_CONVOLUTION_INTEGER_OPERATOR_DESC, DML_OPERATOR_CONVOLUTION_INTEGER> {};
template <> struct structure<quantized_linear_matrix_multiply_desc> : structure_row<DML_QUANTIZED_LINEAR_MATRIX_MULTIPLY_OPERATOR_DESC, DML_OPERATOR_QUANTIZED_LINEAR_MATRIX_MULTIPLY> {};
template <> struct structure<quantized_linear_convolution_desc> : structure_row<DML_QUANTIZED_LINEAR_CONVOLUTION_OPERATOR_DESC, DML_OPERATOR_QUANTIZED_LINEAR_CONVOLUTION> {};
template <> struct structure<element_wise_quantized_linear_add_desc> : structure_row<DML_ELEMENT_WISE_QUANTIZED_LINEAR_ADD_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_QUANTIZED_LINEAR_ADD> {};
template <> struct structure<dynamic_quantize_linear_desc> : structure_row<DML_DYNAMIC_QUANTIZE_LINEAR_OPERATOR_DESC, DML_OPERATOR_DYNAMIC_QUANTIZE_LINEAR> {};
template <> struct structure<matrix_multiply_integer_to_float_desc> : structure_row<DML_MATRIX_MULTIPLY_INTEGER_TO_FLOAT_OPERATOR_DESC, DML_OPERATOR_MATRIX_MULTIPLY_INTEGER_TO_FLOAT> {};
template <> struct structure<quantized_linear_average_pooling_desc> : structure_row<DML_QUANTIZED_LINEAR_AVERAGE_POOLING_OPERATOR_DESC, DML_OPERATOR_QUANTIZED_LINEAR_AVERAGE_POOLING> {};
template <> struct structure<quantize_desc> : structure_row<DML_QUANTIZE_OPERATOR_DESC, DML_OPERATOR_QUANTIZE, 1, 1> {};
template <> struct structure<dequantize_desc> : structure_row<DML_DEQUANTIZE_OPERATOR_DESC, DML_OPERATOR_DEQUANTIZE, 1, 1> {};
template <> struct structure<random_generator_desc> : structure_row<DML_RANDOM_GENERATOR_OPERATOR_DESC, DML_OPERATOR_RANDOM_GENERATOR> {};
template <> struct structure<activation_elu_desc> : structure_row<DML_ACTIVATION_ELU_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_ELU> {};
template <> struct structure<activation_hard_sigmoid_desc> : structure_row<DML_ACTIVATION_HARD_SIGMOID_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_HARD_SIGMOID> {};
template <> struct structure<activation_identity_desc> : structure_row<DML_ACTIVATION_IDENTITY_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_IDENTITY> {};
template <> struct structure<activation_leaky_relu_desc> : structure_row<DML_ACTIVATION_LEAKY_RELU_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_LEAKY_RELU> {};
template <> struct structure<activation_linear_desc> : structure_row<DML_ACTIVATION_LINEAR_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_LINEAR> {};
template <> struct structure<activation_parametric_softplus_desc> : structure_row<DML_ACTIVATION_PARAMETRIC_SOFTPLUS_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_PARAMETRIC_SOFTPLUS> {};
template <> struct structure<activation_relu_desc> : structure_row<DML_ACTIVATION_RELU_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_RELU> {};
template <> struct structure<activation_scaled_elu_desc> : structure_row<DML_ACTIVATION_SCALED_ELU_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_SCALED_ELU> {};
template <> struct structure<activation_scaled_tanh_desc> : structure_row<DML_ACTIVATION_SCALED_TANH_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_SCALED_TANH> {};
template <> struct structure<activation_sigmoid_desc> : structure_row<DML_ACTIVATION_SIGMOID_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_SIGMOID> {};
template <> struct structure<activation_softplus_desc> : structure_row<DML_ACTIVATION_SOFTPLUS_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_SOFTPLUS> {};
template <> struct structure<activation_softsign_desc> : structure_row<DML_ACTIVATION_SOFTSIGN_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_SOFTSIGN> {};
template <> struct structure<activation_tanh_desc> : structure_row<DML_ACTIVATION_TANH_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_TANH> {};
template <> struct structure<activation_celu_desc> : structure_row<DML_ACTIVATION_CELU_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_CELU> {};
template <> struct structure<activation_thresholded_relu_desc> : structure_row<DML_ACTIVATION_THRESHOLDED_RELU_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_THRESHOLDED_RELU> {};
template <> struct structure<activation_shrink_desc> : structure_row<DML_ACTIVATION_SHRINK_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_SHRINK> {};
template <> struct structure<activation_gelu_desc> : structure_row<DML_ACTIVATION_GELU_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_GELU> {};
#if DML_TARGET_VERSION >= 0x6200
template <> struct structure<activation_swish_desc> : structure_row<DML_ACTIVATION_SWISH_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_SWISH> {};
template <> struct structure<activation_hard_swish_desc> : structure_row<DML_ACTIVATION_HARD_SWISH_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_HARD_SWISH> {};
#endif
template <> struct structure<activation_parameterized_relu_desc> : structure_row<DML_ACTIVATION_PARAMETERIZED_RELU_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_PARAMETERIZED_RELU> {};
template <> struct structure<element_wise_threshold_desc> : structure_row<DML_ELEMENT_WISE_THRESHOLD_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_THRESHOLD> {};
template <> struct structure<element_wise_acos_desc> : structure_row<DML_ELEMENT_WISE_ACOS_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_ACOS> {};
template <> struct structure<element_wise_asin_desc> : structure_row<DML_ELEMENT_WISE_ASIN_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_ASIN> {};
template <> struct structure<element_wise_atan_desc> : structure_row<DML_ELEMENT_WISE_ATAN_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_ATAN> {};
template <> struct structure<element_wise_cos_desc> : structure_row<DML_ELEMENT_WISE_COS_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_COS> {};
template <> struct structure<element_wise_exp_desc> : structure_row<DML_ELEMENT_WISE_EXP_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_EXP> {};
template <> struct structure<element_wise_log_desc> : structure_row<DML_ELEMENT_WISE_LOG_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_LOG> {};
template <> struct structure<element_wise_recip_desc> : structure_row<DML_ELEMENT_WISE_RECIP_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_RECIP> {};
template <> struct structure<element_wise_sin_desc> : structure_row<DML_ELEMENT_WISE_SIN_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_SIN> {};
template <> struct structure<element_wise_sqrt_desc> : structure_row<DML_ELEMENT_WISE_SQRT_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_SQRT> {};
template <> struct structure<element_wise_tan_desc> : structure_row<DML_ELEMENT_WISE_TAN_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_TAN> {};
template <> struct structure<element_wise_erf_desc> : structure_row<DML_ELEMENT_WISE_ERF_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_ERF> {};
template <> struct structure<element_wise_sinh_desc> : structure_row<DML_ELEMENT_WISE_SINH_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_SINH> {};
template <> struct structure<element_wise_cosh_desc> : structure_row<DML_ELEMENT_WISE_COSH_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_COSH> {};
template <> struct structure<element_wise_tanh_desc> : structure_row<DML_ELEMENT_WISE_TANH_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_TANH> {};
template <> struct structure<element_wise_asinh_desc> : structure_row<DML_ELEMENT_WISE_ASINH_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_ASINH> {};
template <> struct structure<element_wise_acosh_desc> : structure_row<DML_ELEMENT_WISE_ACOSH_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_ACOSH> {};
template <> struct structure<element_wise_atanh_desc> : structure_row<DML_ELEMENT_WISE_ATANH_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_ATANH> {};
template <> struct structure<element_wise_identity_desc> : structure_row<DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_IDENTITY> {};
template <> struct structure<element_wise_abs_desc> : structure_row<DML_ELEMENT_WISE_ABS_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_ABS> {};
template <> struct structure<element_wise_negate_desc> : structure_row<DML_ELEMENT_WISE_NEGATE_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_NEGATE> {};
template <> struct structure<element_wise_sign_desc> : structure_row<DML_ELEMENT_WISE_SIGN_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_SIGN> {};
template <> struct structure<element_wise_is_nan_desc> : structure_row<DML_ELEMENT_WISE_IS_NAN_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_IS_NAN> {};
template <> struct structure<element_wise_is_infinity_desc> : structure_row<DML_ELEMENT_WISE_IS_INFINITY_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_IS_INFINITY> {};
template <> struct structure<element_wise_ceil_desc> : structure_row<DML_ELEMENT_WISE_CEIL_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_CEIL> {};
template <> struct structure<element_wise_floor_desc> : structure_row<DML_ELEMENT_WISE_FLOOR_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_FLOOR> {};
template <> struct structure<element_wise_round_desc> : structure_row<DML_ELEMENT_WISE_ROUND_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_ROUND> {};
template <> struct structure<element_wise_clip_desc> : structure_row<DML_ELEMENT_WISE_CLIP_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_CLIP> {};
template <> struct structure<element_wise_clip1_desc> : structure_row<DML_ELEMENT_WISE_CLIP1_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_CLIP1> {};
template <> struct structure<element_wise_mean_desc> : structure_row<DML_ELEMENT_WISE_MEAN_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_MEAN> {};
template <> struct structure<element_wise_difference_square_desc> : structure_row<DML_ELEMENT_WISE_DIFFERENCE_SQUARE_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_DIFFERENCE_SQUARE> {};
template <> struct structure<element_wise_modulus_truncate_desc> : structure_row<DML_ELEMENT_WISE_MODULUS_TRUNCATE_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_MODULUS_TRUNCATE> {};
template <> struct structure<element_wise_modulus_floor_desc> : structure_row<DML_ELEMENT_WISE_MODULUS_FLOOR_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_MODULUS_FLOOR> {};
template <> struct structure<element_wise_pow_desc> : structure_row<DML_ELEMENT_WISE_POW_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_POW> {};
template <> struct structure<element_wise_constant_pow_desc> : structure_row<DML_ELEMENT_WISE_CONSTANT_POW_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_CONSTANT_POW> {};
template <> struct structure<element_wise_atan_yx_desc> : structure_row<DML_ELEMENT_WISE_ATAN_YX_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_ATAN_YX> {};
template <> struct structure<element_wise_min_desc> : structure_row<DML_ELEMENT_WISE_MIN_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_MIN> {};
template <> struct structure<element_wise_max_desc> : structure_row<DML_ELEMENT_WISE_MAX_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_MAX> {};
template <> struct structure<element_wise_add_desc> : structure_row<DML_ELEMENT_WISE_ADD_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_ADD> {};
template <> struct structure<element_wise_subtract_desc> : structure_row<DML_ELEMENT_WISE_SUBTRACT_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_SUBTRACT> {};
template <> struct structure<element_wise_multiply_desc> : structure_row<DML_ELEMENT_WISE_MULTIPLY_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_MULTIPLY> {};
template <> struct structure<element_wise_divide_desc> : structure_row<DML_ELEMENT_WISE_DIVIDE_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_DIVIDE> {};
template <> struct structure<element_wise_add1_desc> : structure_row<DML_ELEMENT_WISE_ADD1_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_ADD1> {};
template <> struct structure<element_wise_clip_grad_desc> : structure_row<DML_ELEMENT_WISE_CLIP_GRAD_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_CLIP_GRAD> {};
template <> struct structure<element_wise_clip_grad1_desc> : structure_row<DML_ELEMENT_WISE_CLIP_GRAD1_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_CLIP_GRAD1> {};
template <> struct structure<activation_relu_grad_desc> : structure_row<DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC, DML_OPERATOR_ACTIVATION_RELU_GRAD> {};
template <> struct structure<element_wise_if_desc> : structure_row<DML_ELEMENT_WISE_IF_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_IF> {};
template <> struct structure<element_wise_logical_and_desc> : structure_row<DML_ELEMENT_WISE_LOGICAL_AND_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_LOGICAL_AND> {};
template <> struct structure<element_wise_logical_or_desc> : structure_row<DML_ELEMENT_WISE_LOGICAL_OR_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_LOGICAL_OR> {};
template <> struct structure<element_wise_logical_xor_desc> : structure_row<DML_ELEMENT_WISE_LOGICAL_XOR_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_LOGICAL_XOR> {};
template <> struct structure<element_wise_logical_not_desc> : structure_row<DML_ELEMENT_WISE_LOGICAL_NOT_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_LOGICAL_NOT> {};
template <> struct structure<element_wise_logical_equals_desc> : structure_row<DML_ELEMENT_WISE_LOGICAL_EQUALS_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_LOGICAL_EQUALS> {};
template <> struct structure<element_wise_logical_greater_than_desc> : structure_row<DML_ELEMENT_WISE_LOGICAL_GREATER_THAN_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_LOGICAL_GREATER_THAN> {};
template <> struct structure<element_wise_logical_less_than_desc> : structure_row<DML_ELEMENT_WISE_LOGICAL_LESS_THAN_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_LOGICAL_LESS_THAN> {};
template <> struct structure<element_wise_logical_greater_than_or_equal_desc> : structure_row<DML_ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL> {};
template <> struct structure<element_wise_logical_less_than_or_equal_desc> : structure_row<DML_ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL> {};
template <> struct structure<element_wise_bit_and_desc> : structure_row<DML_ELEMENT_WISE_BIT_AND_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_BIT_AND> {};
template <> struct structure<element_wise_bit_or_desc> : structure_row<DML_ELEMENT_WISE_BIT_OR_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_BIT_OR> {};
template <> struct structure<element_wise_bit_xor_desc> : structure_row<DML_ELEMENT_WISE_BIT_XOR_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_BIT_XOR> {};
template <> struct structure<element_wise_bit_not_desc> : structure_row<DML_ELEMENT_WISE_BIT_NOT_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_BIT_NOT> {};
template <> struct structure<element_wise_bit_count_desc> : structure_row<DML_ELEMENT_WISE_BIT_COUNT_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_BIT_COUNT> {};
template <> struct structure<element_wise_bit_shift_left_desc> : structure_row<DML_ELEMENT_WISE_BIT_SHIFT_LEFT_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_BIT_SHIFT_LEFT> {};
template <> struct structure<element_wise_bit_shift_right_desc> : structure_row<DML_ELEMENT_WISE_BIT_SHIFT_RIGHT_OPERATOR_DESC, DML_OPERATOR_ELEMENT_WISE_BIT_SHIFT_RIGHT> {};
// clang-format on

static_assert(detail::structures_agree(all_operators{}), "goldml: a structure does not agree with its operator_traits");

namespace detail {

template <class Desc>
void add_structure(std::vector<structure_description>& to) {
  if constexpr (has_structure<Desc>) to.push_back(structure_of<Desc>());
}

}  // namespace detail

// All structures, in the order of all_operators; without those that are newer than DML_TARGET_VERSION.
inline std::span<const structure_description> every_structure() {
  static const auto all = []<class... Desc>(type_list<Desc...>) {
    std::vector<structure_description> found;
    (detail::add_structure<Desc>(found), ...);
    return found;
  }(all_operators{});
  return all;
}

// The structure with that DML_OPERATOR_TYPE; nullptr if goldml does not have the operator, or DirectML.h the structure.
inline const structure_description* find_structure(std::uint32_t type) {
  for (const structure_description& structure : every_structure())
    if (structure.op->enumerator == type) return &structure;
  return nullptr;
}

// The structure of an operator. Throws std::invalid_argument if it is not in all_operators.
inline const structure_description& structure_of(const operator_description& op) {
  const structure_description* const found = find_structure(op.enumerator);
  if (found == nullptr || found->op != &op)
    throw std::invalid_argument("goldml: an operator that is not in all_operators");
  return *found;
}

}  // namespace goldml::directml
