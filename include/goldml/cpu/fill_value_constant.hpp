// FILL_VALUE_CONSTANT on the CPU.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/move.hpp>
#include <goldml/operators/fill_value_constant.hpp>

namespace goldml {

template <>
struct kernel<fill_value_constant_desc, cpu_backend> {
  template <class T>
  static void run(const cpu_backend& backend, const tensor_view<T>& output, const fill_value_constant_desc& desc) {
    fill<sizeof(T)>(backend, detail::host_output(output), desc);
  }

  // A template, so that only a unit with a run-time call instantiates the engine for all widths.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref>, std::span<const tensor_ref> outputs,
                  const fill_value_constant_desc& desc) {
    const detail::host_output output(outputs[0]);
    detail::visit_width(outputs[0].desc().data_type, [&]<std::size_t Size>(std::integral_constant<std::size_t, Size>) {
      fill<Size>(backend, output, desc);
    });
  }

 private:
  template <std::size_t Size>
  static void fill(const cpu_backend& backend, const detail::host_output& output,
                   const fill_value_constant_desc& desc) {
    detail::fill_elements<Size>(backend, detail::loops_of_copy(output.sizes, output.strides, output.strides, Size),
                                output.data, std::bit_cast<std::array<std::byte, 8>>(desc.value.as<std::uint64_t>()));
  }
};

}  // namespace goldml
