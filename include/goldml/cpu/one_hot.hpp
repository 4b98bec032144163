// ONE_HOT on the CPU.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/base/index_reader.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/cpu/engine/move.hpp>
#include <goldml/operators/one_hot.hpp>

namespace goldml {

// Fills the output with off, then writes on at each index.
template <>
struct kernel<one_hot_desc, cpu_backend> {
  template <class Index, class T>
  static void run(const cpu_backend& backend, const tensor_view<const Index>& indices,
                  const tensor_view<const T>& values, const tensor_view<T>& output, const one_hot_desc& desc) {
    fill<sizeof(T)>(backend, detail::host_input(indices), data_type_of<Index>, detail::host_input(values),
                    detail::host_output(output), desc.axis);
  }

  // A template, so that only a unit with a run-time call instantiates the engine for all widths.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const one_hot_desc& desc) {
    const detail::host_input indices(inputs[0]), values(inputs[1]);
    const detail::host_output output(outputs[0]);
    detail::visit_width(outputs[0].desc().data_type, [&]<std::size_t Size>(std::integral_constant<std::size_t, Size>) {
      fill<Size>(backend, indices, inputs[0].desc().data_type, values, output, desc.axis);
    });
  }

 private:
  template <std::size_t Size>
  static void fill(const cpu_backend& backend, const detail::host_input& indices, data_type index_type,
                   const detail::host_input& values, const detail::host_output& output, std::uint32_t axis) {
    const auto value = [&](std::uint64_t number) {
      std::array<std::byte, 8> bytes{};
      const std::uint64_t offset = offset_of(coordinate_at(values.sizes, number), values.strides);
      std::memcpy(bytes.data(), values.data + offset * Size, Size);
      return bytes;
    };
    detail::fill_elements<Size>(backend, detail::loops_of_copy(output.sizes, output.strides, output.strides, Size),
                                output.data, value(0));

    const detail::index_reader reader(indices, index_type);
    detail::loop_nest<2> sequences;  // strides {output, indices}, in bytes
    for (std::size_t i = 0; i < output.sizes.size(); ++i)
      if (i != axis)
        sequences.add(output.sizes[i],
                      {std::uint64_t{output.strides[i]} * Size, std::uint64_t{indices.strides[i]} * reader.width()});
    sequences.merge();
    const std::uint64_t size = output.sizes[axis];
    const std::uint64_t step = std::uint64_t{output.strides[axis]} * Size;
    const std::array<std::byte, 8> on = value(1);
    const std::uint64_t count = sequences.iterations();
    detail::parallel_for(backend, count * (Size + reader.width()), count, [&](std::uint64_t begin, std::uint64_t end) {
      sequences.for_range(begin, end, [&](const auto& offset) {
        const std::uint64_t position = reader.position(offset[1], size);
        if (position < size) std::memcpy(output.data + offset[0] + position * step, on.data(), Size);
      });
    });
  }
};

}  // namespace goldml
