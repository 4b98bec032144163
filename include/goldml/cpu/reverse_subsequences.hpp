// REVERSE_SUBSEQUENCES on the CPU.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/base/index_reader.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/operators/reverse_subsequences.hpp>

namespace goldml {

// Writes the output in the order of its memory, one run of its innermost loop after the other. A run is a whole
// sequence, or elements of different sequences at one position.
template <>
struct kernel<reverse_subsequences_desc, cpu_backend> {
  template <class T, class Length>
  static void run(const cpu_backend& backend, const tensor_view<const T>& input,
                  const tensor_view<const Length>& lengths, const tensor_view<T>& output,
                  const reverse_subsequences_desc& desc) {
    reverse<sizeof(T)>(backend, detail::host_input(input), detail::host_input(lengths), data_type_of<Length>,
                       detail::host_output(output), desc.axis);
  }

  // A template, so that only a unit with a run-time call instantiates the engine for all widths.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const reverse_subsequences_desc& desc) {
    const detail::host_input input(inputs[0]), lengths(inputs[1]);
    const detail::host_output output(outputs[0]);
    detail::visit_width(outputs[0].desc().data_type, [&]<std::size_t Size>(std::integral_constant<std::size_t, Size>) {
      reverse<Size>(backend, input, lengths, inputs[1].desc().data_type, output, desc.axis);
    });
  }

 private:
  template <std::size_t Size>
  static void reverse(const cpu_backend& backend, const detail::host_input& input, const detail::host_input& lengths,
                      data_type length_type, const detail::host_output& output, std::uint32_t axis) {
    const detail::index_reader reader(lengths, length_type);
    detail::loop_nest<4> loops;  // strides {output, input off the axis, lengths} in bytes, and the position on the axis
    for (std::size_t i = 0; i < output.sizes.size(); ++i) {
      const std::uint64_t to_step = std::uint64_t{output.strides[i]} * Size;
      if (i == axis)
        loops.add(output.sizes[i], {to_step, 0, 0, 1});
      else
        loops.add(output.sizes[i], {to_step, std::uint64_t{input.strides[i]} * Size,
                                    std::uint64_t{lengths.strides[i]} * reader.width(), 0});
    }
    loops.sort_by_stride(0);
    loops.merge();
    const detail::loop<4> run = loops.take_innermost();
    const std::uint64_t size = output.sizes[axis];
    const std::uint64_t step = std::uint64_t{input.strides[axis]} * Size;  // of the input, along the axis
    const auto length_at = [&](std::uint64_t offset) {
      return (std::min)(reader.position(offset, size), size);  // unsigned: the element itself
    };
    const std::uint64_t count = loops.iterations();
    detail::parallel_for(backend, count * run.size * Size, count, [&](std::uint64_t begin, std::uint64_t end) {
      loops.for_range(begin, end, [&](const auto& offset) {
        std::byte* const to = output.data + offset[0];
        const std::byte* const from = input.data + offset[1];
        if (run.stride[3] == 1) {
          const std::uint64_t length = length_at(offset[2]);
          for (std::uint64_t i = 0; i < length; ++i)
            std::memcpy(to + i * run.stride[0], from + (length - 1 - i) * step, Size);
          for (std::uint64_t i = length; i < size; ++i) std::memcpy(to + i * run.stride[0], from + i * step, Size);
        } else {
          for (std::uint64_t k = 0; k < run.size; ++k) {
            const std::uint64_t length = length_at(offset[2] + k * run.stride[2]);
            const std::uint64_t position = reversed_position(offset[3], length, size);
            std::memcpy(to + k * run.stride[0], from + k * run.stride[1] + position * step, Size);
          }
        }
      });
    });
  }
};

}  // namespace goldml
