// The element-wise operators, for all data types and strides.
#pragma once

#include <optional>

#include <goldml/arithmetic/elementary.hpp>
#include <goldml/core/float16.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/element_wise/plan.hpp>
#include <goldml/operators/element_wise.hpp>
#ifndef GOLDML_COMPILED
#include <goldml/cpu/engine/element_wise/call.hpp>
#endif

namespace goldml::detail {

// output[c] = f(inputs[c]...) for all coordinates c. Defined in element_wise/call.hpp. IDENTITY is a copy
// (engine/move.hpp), unless it has a ScaleBias.
template <element_wise_op Op>
void element_wise_call(const cpu_backend& backend, const element_wise_tensors& tensors,
                       const element_wise_desc<Op>& desc);

// The same for an elementary function of x * Scale + Bias, which need not be there. Defined in
// element_wise/elementary.hpp.
template <class T>
void elementary_call(const cpu_backend& backend, const element_wise_tensors& tensors, arithmetic::elementary f,
                     const std::optional<scale_bias>& by);

// x^y of x, or x * Scale + Bias, and an exponent for all elements or that of the second input. Defined in
// element_wise/power.hpp.
template <class T>
void power_call(const cpu_backend& backend, const element_wise_tensors& tensors, const std::optional<float>& exponent,
                const std::optional<scale_bias>& by);

}  // namespace goldml::detail

#ifdef GOLDML_COMPILED
namespace goldml {
// clang-format off
extern template void detail::elementary_call<float>(const cpu_backend&, const detail::element_wise_tensors&, arithmetic::elementary, const std::optional<scale_bias>&);
extern template void detail::elementary_call<float16>(const cpu_backend&, const detail::element_wise_tensors&, arithmetic::elementary, const std::optional<scale_bias>&);
extern template void detail::power_call<float>(const cpu_backend&, const detail::element_wise_tensors&, const std::optional<float>&, const std::optional<scale_bias>&);
extern template void detail::power_call<float16>(const cpu_backend&, const detail::element_wise_tensors&, const std::optional<float>&, const std::optional<scale_bias>&);
extern template void detail::power_call<std::int32_t>(const cpu_backend&, const detail::element_wise_tensors&, const std::optional<float>&, const std::optional<scale_bias>&);
extern template void detail::power_call<std::int16_t>(const cpu_backend&, const detail::element_wise_tensors&, const std::optional<float>&, const std::optional<scale_bias>&);
extern template void detail::power_call<std::int8_t>(const cpu_backend&, const detail::element_wise_tensors&, const std::optional<float>&, const std::optional<scale_bias>&);
extern template void detail::power_call<std::uint32_t>(const cpu_backend&, const detail::element_wise_tensors&, const std::optional<float>&, const std::optional<scale_bias>&);
extern template void detail::power_call<std::uint16_t>(const cpu_backend&, const detail::element_wise_tensors&, const std::optional<float>&, const std::optional<scale_bias>&);
extern template void detail::power_call<std::uint8_t>(const cpu_backend&, const detail::element_wise_tensors&, const std::optional<float>&, const std::optional<scale_bias>&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_identity_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_abs_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_negate_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_sign_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_is_nan_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_is_infinity_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_ceil_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_floor_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_round_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_clip_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_clip1_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_threshold_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_acos_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_asin_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_atan_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_cos_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_exp_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_log_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_recip_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_sin_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_sqrt_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_tan_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_erf_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_sinh_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_cosh_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_tanh_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_asinh_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_acosh_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_atanh_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_constant_pow_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_min_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_max_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_add_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_subtract_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_multiply_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_divide_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_add1_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_mean_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_difference_square_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_modulus_truncate_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_modulus_floor_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_atan_yx_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_pow_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_clip_grad_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_clip_grad1_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const activation_relu_grad_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const activation_parameterized_relu_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_if_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_logical_and_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_logical_or_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_logical_xor_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_logical_not_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_logical_equals_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_logical_greater_than_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_logical_less_than_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_logical_greater_than_or_equal_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_logical_less_than_or_equal_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_bit_and_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_bit_or_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_bit_xor_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_bit_not_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_bit_count_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_bit_shift_left_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_bit_shift_right_desc&);
// clang-format on
}  // namespace goldml
#endif
