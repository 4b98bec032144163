// DIAGONAL_MATRIX on the CPU.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/move.hpp>
#include <goldml/operators/diagonal_matrix.hpp>

namespace goldml {

template <>
struct kernel<diagonal_matrix_desc, cpu_backend> {
  template <class T>
  static void run(const cpu_backend& backend, const tensor_view<T>& output, const diagonal_matrix_desc& desc) {
    detail::fill_diagonals<sizeof(T)>(backend, plan_of(detail::host_output(output), data_type_of<T>, desc));
  }

  // A template, so that only a unit with a run-time call instantiates the engine for all widths.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref>, std::span<const tensor_ref> outputs,
                  const diagonal_matrix_desc& desc) {
    const detail::host_output output(outputs[0]);
    const data_type type = outputs[0].desc().data_type;
    detail::visit_width(type, [&]<std::size_t Size>(std::integral_constant<std::size_t, Size>) {
      detail::fill_diagonals<Size>(backend, plan_of(output, type, desc));
    });
  }

 private:
  static detail::diagonal_plan plan_of(const detail::host_output& output, data_type type,
                                       const diagonal_matrix_desc& desc) {
    const scalar value = *convert_value(desc.value, type, desc.value_conversion);  // DM1 holds
    return {detail::host_input(const_tensor_ref()),
            output,
            element_size_in_bytes(type),
            std::bit_cast<std::array<std::byte, 8>>(value.as<std::uint64_t>()),
            {desc.offset, std::int64_t{desc.offset} + 1}};
  }
};

}  // namespace goldml
