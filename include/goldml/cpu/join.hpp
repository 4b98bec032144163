// JOIN on the CPU.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/move.hpp>
#include <goldml/operators/join.hpp>

namespace goldml {

template <>
struct kernel<join_desc, cpu_backend> {
  // A template, so that only a unit with a run-time call instantiates the engine for all widths.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const join_desc& desc) {
    const detail::host_output output(outputs[0]);
    detail::visit_width(outputs[0].desc().data_type, [&]<std::size_t Size>(std::integral_constant<std::size_t, Size>) {
      std::byte* to = output.data;
      for (const const_tensor_ref& ref : inputs) {
        const detail::host_input input(ref);
        detail::copy_elements<Size>(backend, detail::loops_of_copy(input.sizes, output.strides, input.strides, Size),
                                    to, input.data);
        to += std::uint64_t{input.sizes[desc.axis]} * output.strides[desc.axis] * Size;
      }
    });
  }
};

}  // namespace goldml
