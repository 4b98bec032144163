// SLICE1 on the CPU.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/move.hpp>
#include <goldml/operators/slice1.hpp>

namespace goldml {

template <>
struct kernel<slice1_desc, cpu_backend> {
  template <class T>
  static void run(const cpu_backend& backend, const tensor_view<const T>& input, const tensor_view<T>& output,
                  const slice1_desc& desc) {
    copy<sizeof(T)>(backend, detail::host_input(input), detail::host_output(output), desc);
  }

  // A template, so that only a unit with a run-time call instantiates the engine for all widths.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const slice1_desc& desc) {
    const detail::host_input input(inputs[0]);
    const detail::host_output output(outputs[0]);
    detail::visit_width(outputs[0].desc().data_type, [&]<std::size_t Size>(std::integral_constant<std::size_t, Size>) {
      copy<Size>(backend, input, output, desc);
    });
  }

 private:
  template <std::size_t Size>
  static void copy(const cpu_backend& backend, const detail::host_input& input, const detail::host_output& output,
                   const slice1_desc& desc) {
    const std::byte* from = input.data;
    detail::signed_steps steps;
    for (std::size_t i = 0; i < output.sizes.size(); ++i) {
      from += std::uint64_t{slice1_position(desc, i, 0)} * input.strides[i] * Size;
      if (output.sizes[i] == 1) continue;  // its window stride is unused and may be larger than any tensor
      steps.add({output.sizes[i], std::int64_t{output.strides[i]} * std::int64_t{Size},
                 std::int64_t{desc.input_window_strides[i]} * input.strides[i] * std::int64_t{Size}});
    }
    detail::copy_with_steps<Size>(backend, steps, output.data, from);
  }
};

}  // namespace goldml
