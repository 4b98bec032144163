// The descs of the element-wise operators.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include <goldml/core/attributes.hpp>
#include <goldml/core/feature_level.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/operators/element_wise_table.hpp>

namespace goldml {

// DML_ROUNDING_MODE: to which of the two neighbouring integers a number is rounded.
enum class rounding_mode : std::uint32_t {
  halves_to_nearest_even = 0,
  toward_zero = 1,
  toward_infinity = 2,  // the nearest, halves away from zero
};
template <>
struct enumeration<rounding_mode> {
  static constexpr std::string_view prefix = "DML_ROUNDING_MODE_";
  static constexpr auto values = enumerators<rounding_mode>("HALVES_TO_NEAREST_EVEN", "TOWARD_ZERO", "TOWARD_INFINITY");
};

// DML_IS_INFINITY_MODE: which infinities are detected.
enum class is_infinity_mode : std::uint32_t { either = 0, positive = 1, negative = 2 };
template <>
struct enumeration<is_infinity_mode> {
  static constexpr std::string_view prefix = "DML_IS_INFINITY_MODE_";
  static constexpr auto values = enumerators<is_infinity_mode>("EITHER", "POSITIVE", "NEGATIVE");
};

// The desc of an operator without attributes, and of the others below. Their names are below.
template <element_wise_op Op>
struct element_wise_desc {
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

// Where a desc has scale_bias, the operator computes f(x * scale + bias) (ledger L28).
template <element_wise_op Op>
requires(Op == element_wise_op::ceil || Op == element_wise_op::floor) struct element_wise_desc<Op> {
  std::optional<goldml::scale_bias> scale_bias = std::nullopt;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <element_wise_op Op>
requires(Op == element_wise_op::identity || Op == element_wise_op::abs) struct element_wise_desc<Op> {
  std::optional<goldml::scale_bias> scale_bias = std::nullopt;
  goldml::integer_scale_bias integer_scale_bias = goldml::integer_scale_bias::refuse;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <element_wise_op Op>
requires(Op == element_wise_op::min || Op == element_wise_op::max ||
         Op == element_wise_op::sign) struct element_wise_desc<Op> {
  goldml::nan_policy nan_policy = goldml::nan_policy::skip;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <element_wise_op Op>
requires(Op != element_wise_op::add1 &&
         detail::element_wise_row_of<Op>.is(detail::element_wise_flag::rounds |
                                            detail::element_wise_flag::pair)) struct element_wise_desc<Op> {
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <element_wise_op Op>
requires(detail::element_wise_row_of<Op>.is(detail::element_wise_flag::function)) struct element_wise_desc<Op> {
  std::optional<goldml::scale_bias> scale_bias = std::nullopt;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct element_wise_desc<element_wise_op::add1> {
  std::optional<activation> fused_activation = std::nullopt;  // of the sum
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <element_wise_op Op>
requires(Op == element_wise_op::bit_shift_left || Op == element_wise_op::bit_shift_right) struct element_wise_desc<Op> {
  goldml::shift_policy shift_policy = goldml::shift_policy::zero;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct element_wise_desc<element_wise_op::round> {
  goldml::rounding_mode rounding_mode = goldml::rounding_mode::halves_to_nearest_even;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct element_wise_desc<element_wise_op::is_infinity> {
  is_infinity_mode infinity_mode = is_infinity_mode::either;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

// The bounds are converted once to the data type of the tensors (ledger L23).
template <>
struct element_wise_desc<element_wise_op::clip> {
  std::optional<goldml::scale_bias> scale_bias = std::nullopt;
  float min = -std::numeric_limits<float>::infinity();
  float max = std::numeric_limits<float>::infinity();
  goldml::nan_policy nan_policy = goldml::nan_policy::skip;
  goldml::inverted_range inverted_range = goldml::inverted_range::literal;
  goldml::integer_scale_bias integer_scale_bias = goldml::integer_scale_bias::refuse;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct element_wise_desc<element_wise_op::clip1> {
  std::optional<goldml::scale_bias> scale_bias = std::nullopt;
  scalar min = {};  // of the tensors' data type; if omitted, zero
  scalar max = {};
  goldml::nan_policy nan_policy = goldml::nan_policy::skip;
  goldml::inverted_range inverted_range = goldml::inverted_range::literal;
  goldml::integer_scale_bias integer_scale_bias = goldml::integer_scale_bias::refuse;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

// No bound by default, as in CLIP.
template <>
struct element_wise_desc<element_wise_op::threshold> {
  std::optional<goldml::scale_bias> scale_bias = std::nullopt;
  float min = -std::numeric_limits<float>::infinity();  // converted as CLIP's
  goldml::nan_policy nan_policy = goldml::nan_policy::skip;
  goldml::integer_scale_bias integer_scale_bias = goldml::integer_scale_bias::refuse;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

// The base is x * scale + bias.
template <>
struct element_wise_desc<element_wise_op::pow> {
  std::optional<goldml::scale_bias> scale_bias = std::nullopt;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::integer_scale_bias integer_scale_bias = goldml::integer_scale_bias::refuse;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct element_wise_desc<element_wise_op::constant_pow> {
  std::optional<goldml::scale_bias> scale_bias = std::nullopt;
  float exponent = 1;  // not converted to the data type of the tensors
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::constant_pow_integers constant_pow_integers = goldml::constant_pow_integers::allow;
  goldml::integer_scale_bias integer_scale_bias = goldml::integer_scale_bias::refuse;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

// No bounds by default, as in CLIP.
template <>
struct element_wise_desc<element_wise_op::clip_grad> {
  float min = -std::numeric_limits<float>::infinity();
  float max = std::numeric_limits<float>::infinity();
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct element_wise_desc<element_wise_op::clip_grad1> {
  scalar min = {};  // of the tensors' data type; if omitted, zero
  scalar max = {};
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct element_wise_desc<element_wise_op::relu_grad> {
  goldml::accumulation accumulation = goldml::accumulation::single;
  bool in_place = false;  // the output may be exactly an input (T12)
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

// clang-format off
using element_wise_identity_desc = element_wise_desc<element_wise_op::identity>;
using element_wise_abs_desc = element_wise_desc<element_wise_op::abs>;
using element_wise_negate_desc = element_wise_desc<element_wise_op::negate>;
using element_wise_sign_desc = element_wise_desc<element_wise_op::sign>;
using element_wise_is_nan_desc = element_wise_desc<element_wise_op::is_nan>;
using element_wise_is_infinity_desc = element_wise_desc<element_wise_op::is_infinity>;
using element_wise_ceil_desc = element_wise_desc<element_wise_op::ceil>;
using element_wise_floor_desc = element_wise_desc<element_wise_op::floor>;
using element_wise_round_desc = element_wise_desc<element_wise_op::round>;
using element_wise_clip_desc = element_wise_desc<element_wise_op::clip>;
using element_wise_clip1_desc = element_wise_desc<element_wise_op::clip1>;
using element_wise_threshold_desc = element_wise_desc<element_wise_op::threshold>;
using element_wise_acos_desc = element_wise_desc<element_wise_op::acos>;
using element_wise_asin_desc = element_wise_desc<element_wise_op::asin>;
using element_wise_atan_desc = element_wise_desc<element_wise_op::atan>;
using element_wise_cos_desc = element_wise_desc<element_wise_op::cos>;
using element_wise_exp_desc = element_wise_desc<element_wise_op::exp>;
using element_wise_log_desc = element_wise_desc<element_wise_op::log>;
using element_wise_recip_desc = element_wise_desc<element_wise_op::recip>;
using element_wise_sin_desc = element_wise_desc<element_wise_op::sin>;
using element_wise_sqrt_desc = element_wise_desc<element_wise_op::sqrt>;
using element_wise_tan_desc = element_wise_desc<element_wise_op::tan>;
using element_wise_erf_desc = element_wise_desc<element_wise_op::erf>;
using element_wise_sinh_desc = element_wise_desc<element_wise_op::sinh>;
using element_wise_cosh_desc = element_wise_desc<element_wise_op::cosh>;
using element_wise_tanh_desc = element_wise_desc<element_wise_op::tanh>;
using element_wise_asinh_desc = element_wise_desc<element_wise_op::asinh>;
using element_wise_acosh_desc = element_wise_desc<element_wise_op::acosh>;
using element_wise_atanh_desc = element_wise_desc<element_wise_op::atanh>;
using element_wise_constant_pow_desc = element_wise_desc<element_wise_op::constant_pow>;
using element_wise_min_desc = element_wise_desc<element_wise_op::min>;
using element_wise_max_desc = element_wise_desc<element_wise_op::max>;
using element_wise_add_desc = element_wise_desc<element_wise_op::add>;
using element_wise_subtract_desc = element_wise_desc<element_wise_op::subtract>;
using element_wise_multiply_desc = element_wise_desc<element_wise_op::multiply>;
using element_wise_divide_desc = element_wise_desc<element_wise_op::divide>;
using element_wise_add1_desc = element_wise_desc<element_wise_op::add1>;
using element_wise_mean_desc = element_wise_desc<element_wise_op::mean>;
using element_wise_difference_square_desc = element_wise_desc<element_wise_op::difference_square>;
using element_wise_modulus_truncate_desc = element_wise_desc<element_wise_op::modulus_truncate>;
using element_wise_modulus_floor_desc = element_wise_desc<element_wise_op::modulus_floor>;
using element_wise_atan_yx_desc = element_wise_desc<element_wise_op::atan_yx>;
using element_wise_pow_desc = element_wise_desc<element_wise_op::pow>;
using element_wise_clip_grad_desc = element_wise_desc<element_wise_op::clip_grad>;
using element_wise_clip_grad1_desc = element_wise_desc<element_wise_op::clip_grad1>;
using activation_relu_grad_desc = element_wise_desc<element_wise_op::relu_grad>;
using activation_parameterized_relu_desc = element_wise_desc<element_wise_op::parameterized_relu>;
using element_wise_if_desc = element_wise_desc<element_wise_op::condition>;
using element_wise_logical_and_desc = element_wise_desc<element_wise_op::logical_and>;
using element_wise_logical_or_desc = element_wise_desc<element_wise_op::logical_or>;
using element_wise_logical_xor_desc = element_wise_desc<element_wise_op::logical_xor>;
using element_wise_logical_not_desc = element_wise_desc<element_wise_op::logical_not>;
using element_wise_logical_equals_desc = element_wise_desc<element_wise_op::logical_equals>;
using element_wise_logical_greater_than_desc = element_wise_desc<element_wise_op::logical_greater_than>;
using element_wise_logical_less_than_desc = element_wise_desc<element_wise_op::logical_less_than>;
using element_wise_logical_greater_than_or_equal_desc = element_wise_desc<element_wise_op::logical_greater_than_or_equal>;
using element_wise_logical_less_than_or_equal_desc = element_wise_desc<element_wise_op::logical_less_than_or_equal>;
using element_wise_bit_and_desc = element_wise_desc<element_wise_op::bit_and>;
using element_wise_bit_or_desc = element_wise_desc<element_wise_op::bit_or>;
using element_wise_bit_xor_desc = element_wise_desc<element_wise_op::bit_xor>;
using element_wise_bit_not_desc = element_wise_desc<element_wise_op::bit_not>;
using element_wise_bit_count_desc = element_wise_desc<element_wise_op::bit_count>;
using element_wise_bit_shift_left_desc = element_wise_desc<element_wise_op::bit_shift_left>;
using element_wise_bit_shift_right_desc = element_wise_desc<element_wise_op::bit_shift_right>;
// clang-format on

}  // namespace goldml
