// The activations but IDENTITY, for all data types and strides.
#pragma once

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/element_wise/plan.hpp>
#include <goldml/operators/activations.hpp>
#ifndef GOLDML_COMPILED
#include <goldml/cpu/engine/activations/call.hpp>
#endif

namespace goldml::detail {

// output[c] = f(input[c]) for all coordinates c. Defined in activations/call.hpp.
template <arithmetic::activation_type F>
void activation_call(const cpu_backend& backend, const element_wise_tensors& tensors, const activation_desc<F>& desc);

}  // namespace goldml::detail

#ifdef GOLDML_COMPILED
namespace goldml {
// clang-format off
extern template void detail::activation_call(const cpu_backend&, const detail::element_wise_tensors&, const activation_elu_desc&);
extern template void detail::activation_call(const cpu_backend&, const detail::element_wise_tensors&, const activation_hard_sigmoid_desc&);
extern template void detail::activation_call(const cpu_backend&, const detail::element_wise_tensors&, const activation_leaky_relu_desc&);
extern template void detail::activation_call(const cpu_backend&, const detail::element_wise_tensors&, const activation_linear_desc&);
extern template void detail::activation_call(const cpu_backend&, const detail::element_wise_tensors&, const activation_parametric_softplus_desc&);
extern template void detail::activation_call(const cpu_backend&, const detail::element_wise_tensors&, const activation_relu_desc&);
extern template void detail::activation_call(const cpu_backend&, const detail::element_wise_tensors&, const activation_scaled_elu_desc&);
extern template void detail::activation_call(const cpu_backend&, const detail::element_wise_tensors&, const activation_scaled_tanh_desc&);
extern template void detail::activation_call(const cpu_backend&, const detail::element_wise_tensors&, const activation_sigmoid_desc&);
extern template void detail::activation_call(const cpu_backend&, const detail::element_wise_tensors&, const activation_softplus_desc&);
extern template void detail::activation_call(const cpu_backend&, const detail::element_wise_tensors&, const activation_softsign_desc&);
extern template void detail::activation_call(const cpu_backend&, const detail::element_wise_tensors&, const activation_tanh_desc&);
extern template void detail::activation_call(const cpu_backend&, const detail::element_wise_tensors&, const activation_celu_desc&);
extern template void detail::activation_call(const cpu_backend&, const detail::element_wise_tensors&, const activation_thresholded_relu_desc&);
extern template void detail::activation_call(const cpu_backend&, const detail::element_wise_tensors&, const activation_shrink_desc&);
extern template void detail::activation_call(const cpu_backend&, const detail::element_wise_tensors&, const activation_gelu_desc&);
extern template void detail::activation_call(const cpu_backend&, const detail::element_wise_tensors&, const activation_swish_desc&);
extern template void detail::activation_call(const cpu_backend&, const detail::element_wise_tensors&, const activation_hard_swish_desc&);
// clang-format on
}  // namespace goldml
#endif
