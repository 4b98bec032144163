// SPLIT on the CPU.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/move.hpp>
#include <goldml/operators/split.hpp>

namespace goldml {

template <>
struct kernel<split_desc, cpu_backend> {
  // A template, so that only a unit with a run-time call instantiates the engine for all widths.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const split_desc& desc) {
    const detail::host_input input(inputs[0]);
    detail::visit_width(inputs[0].desc().data_type, [&]<std::size_t Size>(std::integral_constant<std::size_t, Size>) {
      const std::byte* from = input.data;
      for (const tensor_ref& ref : outputs) {
        const detail::host_output output(ref);
        detail::copy_elements<Size>(backend, detail::loops_of_copy(output.sizes, output.strides, input.strides, Size),
                                    output.data, from);
        from += std::uint64_t{output.sizes[desc.axis]} * input.strides[desc.axis] * Size;
      }
    });
  }
};

}  // namespace goldml
