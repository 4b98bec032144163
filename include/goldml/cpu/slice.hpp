// SLICE on the CPU.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/move.hpp>
#include <goldml/operators/slice.hpp>

namespace goldml {

template <>
struct kernel<slice_desc, cpu_backend> {
  // A template, so that only a unit with a run-time call instantiates the engine for all widths.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const slice_desc& desc) {
    const detail::host_input input(inputs[0]);
    const detail::host_output output(outputs[0]);
    detail::visit_width(outputs[0].desc().data_type, [&]<std::size_t Size>(std::integral_constant<std::size_t, Size>) {
      const std::byte* from = input.data;
      detail::loop_nest<2> loops;
      for (std::size_t i = 0; i < output.sizes.size(); ++i) {
        from += std::uint64_t{desc.offsets[i]} * input.strides[i] * Size;
        if (output.sizes[i] == 1) continue;  // its stride is unused and may be larger than any tensor
        loops.add(output.sizes[i],
                  {std::uint64_t{output.strides[i]} * Size, std::uint64_t{desc.strides[i]} * input.strides[i] * Size});
      }
      detail::copy_elements<Size>(backend, loops, output.data, from);
    });
  }
};

}  // namespace goldml
