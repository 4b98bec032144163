// FILL_VALUE_SEQUENCE on the CPU.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/sequence.hpp>
#include <goldml/operators/fill_value_sequence.hpp>

namespace goldml {

// Integers are computed modulo 2^bits, so that only the width of the type matters. Writes the output in the order of
// its memory.
template <>
struct kernel<fill_value_sequence_desc, cpu_backend> {
  template <class T>
  static void run(const cpu_backend& backend, const tensor_view<T>& output, const fill_value_sequence_desc& desc) {
    if constexpr (is_floating_type<T>)
      detail::fill_sequence_of_floats<T>(backend, detail::host_output(output), desc);
    else
      fill<sizeof(T)>(backend, detail::host_output(output), desc);
  }

  // A template, so that only a unit with a run-time call instantiates the engine for all widths.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref>, std::span<const tensor_ref> outputs,
                  const fill_value_sequence_desc& desc) {
    const detail::host_output output(outputs[0]);
    if (outputs[0].desc().data_type == data_type::float32)
      return detail::fill_sequence_of_floats<float>(backend, output, desc);
    if (outputs[0].desc().data_type == data_type::float16)
      return detail::fill_sequence_of_floats<float16>(backend, output, desc);
    detail::visit_width(outputs[0].desc().data_type, [&]<std::size_t Size>(std::integral_constant<std::size_t, Size>) {
      fill<Size>(backend, output, desc);
    });
  }

 private:
  template <std::size_t Size>
  static void fill(const cpu_backend& backend, const detail::host_output& output,
                   const fill_value_sequence_desc& desc) {
    using element = std::conditional_t<
        Size == 1, std::uint8_t,
        std::conditional_t<Size == 2, std::uint16_t, std::conditional_t<Size == 4, std::uint32_t, std::uint64_t>>>;
    const auto start = desc.value_start.as<std::uint64_t>();  // the bytes above the type's are not used
    const auto delta = desc.value_delta.as<std::uint64_t>();
    detail::fill_in_memory_order<Size>(
        backend, output,
        [&](std::byte* to, std::uint64_t first, std::uint64_t weight, std::uint64_t stride, std::uint64_t count) {
          auto value = static_cast<element>(start + first * delta);
          const auto step = static_cast<element>(weight * delta);
          for (std::uint64_t i = 0; i < count; ++i, value = static_cast<element>(value + step))
            std::memcpy(to + i * stride, &value, Size);  // little-endian, as DirectML is
        });
  }
};

}  // namespace goldml
