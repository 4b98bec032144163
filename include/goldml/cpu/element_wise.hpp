// The element-wise operators, on the CPU.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/element_wise.hpp>
#include <goldml/cpu/engine/move.hpp>
#include <goldml/operators/element_wise.hpp>

namespace goldml {

template <element_wise_op Op>
struct kernel<element_wise_desc<Op>, cpu_backend> {
  template <class T, class Out>
  static void run(const cpu_backend& backend, const tensor_view<const T>& input, const tensor_view<Out>& output,
                  const element_wise_desc<Op>& desc) {
    typed<T, T, Out>(backend, output, desc, input);
  }
  template <class T, class B, class Out>
  static void run(const cpu_backend& backend, const tensor_view<const T>& a, const tensor_view<const B>& b,
                  const tensor_view<Out>& output, const element_wise_desc<Op>& desc) {
    typed<T, B, Out>(backend, output, desc, a, b);
  }
  template <class T>
  static void run(const cpu_backend& backend, const tensor_view<const std::uint8_t>& condition,
                  const tensor_view<const T>& a, const tensor_view<const T>& b, const tensor_view<T>& output,
                  const element_wise_desc<Op>& desc) {
    typed<T, T, T>(backend, output, desc, condition, a, b);
  }

  // A template, so that only a unit with a run-time call instantiates the engine for all types.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const element_wise_desc<Op>& desc) {
    const auto input = [&](std::size_t k) { return detail::host_input(k < inputs.size() ? inputs[k] : inputs[0]); };
    run_tensors(backend,
                {detail::host_output(outputs[0]),
                 {input(0), input(1), input(2)},
                 inputs.size(),
                 inputs[inputs.size() == 3 ? 1 : 0].desc().data_type,
                 outputs[0].desc().data_type,
                 inputs.back().desc().data_type},
                desc);
  }

 private:
  // Compiled in goldml::compiled for all types, otherwise for those of the call.
  template <class T, class Last, class Out, class... Inputs>
  static void typed(const cpu_backend& backend, const tensor_view<Out>& output, const element_wise_desc<Op>& desc,
                    const Inputs&... inputs) {
    const std::array<detail::host_input, sizeof...(Inputs)> given{detail::host_input(inputs)...};
    const auto input = [&](std::size_t k) { return given[k < given.size() ? k : 0]; };
    const detail::element_wise_tensors tensors{
        detail::host_output(output), {input(0), input(1), input(2)}, given.size(), data_type_of<T>, data_type_of<Out>,
        data_type_of<Last>};
#ifdef GOLDML_COMPILED
    run_tensors(backend, tensors, desc);
#else
    if constexpr (Op == element_wise_op::identity)
      if (!desc.scale_bias) return copy<sizeof(T)>(backend, tensors);
    detail::element_wise_of<Op, T, simd::bits_of_size<sizeof(Out)>>(backend, tensors, desc);
#endif
  }

  static void run_tensors(const cpu_backend& backend, const detail::element_wise_tensors& tensors,
                          const element_wise_desc<Op>& desc) {
    if constexpr (Op == element_wise_op::identity)
      if (!desc.scale_bias)
        return detail::visit_width(tensors.type, [&]<std::size_t Size>(std::integral_constant<std::size_t, Size>) {
          copy<Size>(backend, tensors);
        });
    detail::element_wise_call(backend, tensors, desc);
  }

  template <std::size_t Size>
  static void copy(const cpu_backend& backend, const detail::element_wise_tensors& t) {
    if (t.output.data == t.inputs[0].data) return;  // in place
    detail::copy_elements<Size>(backend,
                                detail::loops_of_copy(t.output.sizes, t.output.strides, t.inputs[0].strides, Size),
                                t.output.data, t.inputs[0].data);
  }
};

}  // namespace goldml
