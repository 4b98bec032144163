// The element-wise operators, for all data types and strides.
#pragma once

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

}  // namespace goldml::detail

#ifdef GOLDML_COMPILED
namespace goldml {
// clang-format off
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
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_min_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_max_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_add_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_subtract_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_multiply_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_divide_desc&);
extern template void detail::element_wise_call(const cpu_backend&, const detail::element_wise_tensors&, const element_wise_add1_desc&);
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
