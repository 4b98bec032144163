// Checks by static_assert that goldml's constants are those of DirectML.h.
#pragma once

#include <cstdint>

#include <goldml/core/attribute_values.hpp>
#include <goldml/core/memory_rules.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/directml/headers.hpp>

namespace goldml::directml::detail {

template <class A, class B>
constexpr bool same_number(A a, B b) {
  return static_cast<std::uint64_t>(a) == static_cast<std::uint64_t>(b);
}

static_assert(same_number(DML_TENSOR_DATA_TYPE_UNKNOWN, data_type::unknown));
static_assert(same_number(DML_TENSOR_DATA_TYPE_FLOAT32, data_type::float32));
static_assert(same_number(DML_TENSOR_DATA_TYPE_FLOAT16, data_type::float16));
static_assert(same_number(DML_TENSOR_DATA_TYPE_UINT32, data_type::uint32));
static_assert(same_number(DML_TENSOR_DATA_TYPE_UINT16, data_type::uint16));
static_assert(same_number(DML_TENSOR_DATA_TYPE_UINT8, data_type::uint8));
static_assert(same_number(DML_TENSOR_DATA_TYPE_INT32, data_type::int32));
static_assert(same_number(DML_TENSOR_DATA_TYPE_INT16, data_type::int16));
static_assert(same_number(DML_TENSOR_DATA_TYPE_INT8, data_type::int8));
static_assert(same_number(DML_TENSOR_DATA_TYPE_FLOAT64, data_type::float64));
static_assert(same_number(DML_TENSOR_DATA_TYPE_UINT64, data_type::uint64));
static_assert(same_number(DML_TENSOR_DATA_TYPE_INT64, data_type::int64));
#if DML_TARGET_VERSION >= 0x6300
static_assert(same_number(DML_TENSOR_DATA_TYPE_UINT4, *data_type_from_name("UINT4")));
static_assert(same_number(DML_TENSOR_DATA_TYPE_INT4, *data_type_from_name("INT4")));
#endif

static_assert(same_number(DML_FEATURE_LEVEL_1_0, feature_level::level_1_0));
static_assert(same_number(DML_FEATURE_LEVEL_2_0, feature_level::level_2_0));
static_assert(same_number(DML_FEATURE_LEVEL_2_1, feature_level::level_2_1));
static_assert(same_number(DML_FEATURE_LEVEL_3_0, feature_level::level_3_0));
static_assert(same_number(DML_FEATURE_LEVEL_3_1, feature_level::level_3_1));
static_assert(same_number(DML_FEATURE_LEVEL_4_0, feature_level::level_4_0));
static_assert(same_number(DML_FEATURE_LEVEL_4_1, feature_level::level_4_1));
static_assert(same_number(DML_FEATURE_LEVEL_5_0, feature_level::level_5_0));
static_assert(same_number(DML_FEATURE_LEVEL_5_1, feature_level::level_5_1));
#if DML_TARGET_VERSION >= 0x6400
static_assert(same_number(DML_FEATURE_LEVEL_5_2, feature_level::level_5_2));
static_assert(same_number(DML_FEATURE_LEVEL_6_0, feature_level::level_6_0));
static_assert(same_number(DML_FEATURE_LEVEL_6_1, feature_level::level_6_1));
static_assert(same_number(DML_FEATURE_LEVEL_6_2, feature_level::level_6_2));
static_assert(same_number(DML_FEATURE_LEVEL_6_3, feature_level::level_6_3));
static_assert(same_number(DML_FEATURE_LEVEL_6_4, feature_level::level_6_4));
static_assert(same_number(DML_FEATURE_LEVEL_6_4, feature_level::latest));
#endif

static_assert(same_number(DML_TENSOR_TYPE_INVALID, tensor_type::invalid));
static_assert(same_number(DML_TENSOR_TYPE_BUFFER, tensor_type::buffer));
static_assert(same_number(DML_TENSOR_FLAG_NONE, tensor_flags::none));
static_assert(same_number(DML_TENSOR_FLAG_OWNED_BY_DML, tensor_flags::owned_by_dml));
static_assert(same_number(DML_AXIS_DIRECTION_INCREASING, axis_direction::increasing));
static_assert(same_number(DML_AXIS_DIRECTION_DECREASING, axis_direction::decreasing));
static_assert(same_number(DML_TENSOR_DIMENSION_COUNT_MAX1, dimensions::capacity));
static_assert(same_number(DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT, minimum_buffer_tensor_alignment));
static_assert(sizeof(DML_SCALAR_UNION) == 8 && sizeof(UINT) == sizeof(std::uint32_t));

// The activations that another operator may fuse. Their structures have two tensors and then FLOATs, that of CLIP a
// pointer to a DML_SCALE_BIAS between them; that of SOFTMAX1 two tensors, a count and axes.
static_assert(same_number(DML_OPERATOR_ELEMENT_WISE_CLIP, find_activation("ELEMENT_WISE_CLIP")->operator_type));
static_assert(same_number(DML_OPERATOR_ACTIVATION_ELU, find_activation("ACTIVATION_ELU")->operator_type));
static_assert(same_number(DML_OPERATOR_ACTIVATION_HARD_SIGMOID,
                          find_activation("ACTIVATION_HARD_SIGMOID")->operator_type));
static_assert(same_number(DML_OPERATOR_ACTIVATION_IDENTITY, find_activation("ACTIVATION_IDENTITY")->operator_type));
static_assert(same_number(DML_OPERATOR_ACTIVATION_LEAKY_RELU, find_activation("ACTIVATION_LEAKY_RELU")->operator_type));
static_assert(same_number(DML_OPERATOR_ACTIVATION_LINEAR, find_activation("ACTIVATION_LINEAR")->operator_type));
static_assert(same_number(DML_OPERATOR_ACTIVATION_PARAMETRIC_SOFTPLUS,
                          find_activation("ACTIVATION_PARAMETRIC_SOFTPLUS")->operator_type));
static_assert(same_number(DML_OPERATOR_ACTIVATION_RELU, find_activation("ACTIVATION_RELU")->operator_type));
static_assert(same_number(DML_OPERATOR_ACTIVATION_SCALED_ELU, find_activation("ACTIVATION_SCALED_ELU")->operator_type));
static_assert(same_number(DML_OPERATOR_ACTIVATION_SCALED_TANH,
                          find_activation("ACTIVATION_SCALED_TANH")->operator_type));
static_assert(same_number(DML_OPERATOR_ACTIVATION_SIGMOID, find_activation("ACTIVATION_SIGMOID")->operator_type));
static_assert(same_number(DML_OPERATOR_ACTIVATION_SOFTMAX, find_activation("ACTIVATION_SOFTMAX")->operator_type));
static_assert(same_number(DML_OPERATOR_ACTIVATION_SOFTMAX1, find_activation("ACTIVATION_SOFTMAX1")->operator_type));
static_assert(same_number(DML_OPERATOR_ACTIVATION_SOFTPLUS, find_activation("ACTIVATION_SOFTPLUS")->operator_type));
static_assert(same_number(DML_OPERATOR_ACTIVATION_SOFTSIGN, find_activation("ACTIVATION_SOFTSIGN")->operator_type));
static_assert(same_number(DML_OPERATOR_ACTIVATION_TANH, find_activation("ACTIVATION_TANH")->operator_type));
static_assert(same_number(DML_OPERATOR_ACTIVATION_THRESHOLDED_RELU,
                          find_activation("ACTIVATION_THRESHOLDED_RELU")->operator_type));
static_assert(same_number(DML_OPERATOR_ACTIVATION_SHRINK, find_activation("ACTIVATION_SHRINK")->operator_type));
static_assert(same_number(DML_OPERATOR_ACTIVATION_CELU, find_activation("ACTIVATION_CELU")->operator_type));

}  // namespace goldml::directml::detail
