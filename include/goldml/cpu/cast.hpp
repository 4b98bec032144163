// CAST on the CPU.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/cast.hpp>
#include <goldml/cpu/engine/move.hpp>
#include <goldml/operators/cast.hpp>

namespace goldml {

template <>
struct kernel<cast_desc, cpu_backend> {
  // A template, so that only a unit with a run-time call instantiates the engine.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const cast_desc& desc) {
    const detail::host_input input(inputs[0]);
    const detail::host_output output(outputs[0]);
    const data_type from = inputs[0].desc().data_type;
    const data_type to = outputs[0].desc().data_type;
    if (from != to) return detail::cast_elements(backend, {output, {input, input, input}, 1, from, to}, desc);
    detail::visit_width(to, [&]<std::size_t Size>(std::integral_constant<std::size_t, Size>) {
      detail::copy_elements<Size>(backend, detail::loops_of_copy(output.sizes, output.strides, input.strides, Size),
                                  output.data, input.data);
    });
  }
};

}  // namespace goldml
