// SLICE_GRAD on the CPU.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/move.hpp>
#include <goldml/operators/slice_grad.hpp>

namespace goldml {

template <>
struct kernel<slice_grad_desc, cpu_backend> {
  // A template, so that only a unit with a run-time call instantiates the engine for all widths.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const slice_grad_desc& desc) {
    const detail::host_input input(inputs[0]);
    const detail::host_output output(outputs[0]);
    detail::visit_width(outputs[0].desc().data_type, [&]<std::size_t Size>(std::integral_constant<std::size_t, Size>) {
      detail::fill_elements<Size>(backend, detail::loops_of_copy(output.sizes, output.strides, output.strides, Size),
                                  output.data, {});
      // In ascending order of the output: against the input's order where the stride is negative.
      std::byte* to = output.data;
      const std::byte* from = input.data;
      detail::signed_steps steps;
      for (std::size_t i = 0; i < input.sizes.size(); ++i) {
        const bool reversed = desc.input_window_strides[i] < 0;
        const std::uint32_t first = reversed ? input.sizes[i] - 1 : 0;
        to += std::uint64_t{slice1_position(desc, i, first)} * output.strides[i] * Size;
        from += std::uint64_t{first} * input.strides[i] * Size;
        if (input.sizes[i] == 1) continue;  // its window stride is unused and may be larger than any tensor
        const auto stride = static_cast<std::int64_t>(stride_magnitude(desc.input_window_strides[i]));
        const auto step = static_cast<std::int64_t>(std::uint64_t{input.strides[i]} * Size);
        steps.add({input.sizes[i], stride * output.strides[i] * std::int64_t{Size}, reversed ? -step : step});
      }
      detail::copy_with_steps<Size>(backend, steps, to, from);
    });
  }
};

}  // namespace goldml
