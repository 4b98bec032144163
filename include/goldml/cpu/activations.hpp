// The activations, on the CPU.
#pragma once

#include <concepts>
#include <span>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/element_wise.hpp>
#include <goldml/cpu/engine/activations.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/operators/activations.hpp>

namespace goldml {

template <arithmetic::activation_type F>
struct kernel<activation_desc<F>, cpu_backend> {
  template <class T>
  static void run(const cpu_backend& backend, const tensor_view<const T>& input, const tensor_view<T>& output,
                  const activation_desc<F>& desc) {
    const detail::host_input from = detail::host_input(input);
    const detail::element_wise_tensors tensors{
        detail::host_output(output), {from, from, from}, 1, data_type_of<T>, data_type_of<T>};
    if constexpr (F == arithmetic::activation_type::identity)
      moved::run(backend, input, output, {});
    else
#ifdef GOLDML_COMPILED
      detail::activation_call(backend, tensors, desc);
#else
      detail::activation_of<F, T>(backend, tensors, desc);
#endif
  }

  // A template, so that only a unit with a run-time call instantiates the engine for all types.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const activation_desc<F>& desc) {
    const detail::host_input from = detail::host_input(inputs[0]);
    if constexpr (F == arithmetic::activation_type::identity)
      moved::run(backend, inputs, outputs, {});
    else
      detail::activation_call(backend,
                              {detail::host_output(outputs[0]),
                               {from, from, from},
                               1,
                               inputs[0].desc().data_type,
                               outputs[0].desc().data_type},
                              desc);
  }

 private:
  using moved = kernel<element_wise_identity_desc, cpu_backend>;
};

}  // namespace goldml
