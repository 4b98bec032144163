// DIAGONAL_MATRIX1 on the CPU.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/move.hpp>
#include <goldml/operators/diagonal_matrix1.hpp>

namespace goldml {

template <>
struct kernel<diagonal_matrix1_desc, cpu_backend> {
  template <class T>
  static void run(const cpu_backend& backend, const std::optional<tensor_view<const T>>& input,
                  const tensor_view<T>& output, const diagonal_matrix1_desc& desc) {
    detail::fill_diagonals<sizeof(T)>(backend,
                                      plan_of(detail::host_input(input), detail::host_output(output), sizeof(T), desc));
  }

  // A template, so that only a unit with a run-time call instantiates the engine for all widths.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const diagonal_matrix1_desc& desc) {
    const detail::host_input input(inputs[0]);
    const detail::host_output output(outputs[0]);
    detail::visit_width(outputs[0].desc().data_type, [&]<std::size_t Size>(std::integral_constant<std::size_t, Size>) {
      detail::fill_diagonals<Size>(backend, plan_of(input, output, Size, desc));
    });
  }

 private:
  static detail::diagonal_plan plan_of(const detail::host_input& input, const detail::host_output& output,
                                       std::size_t width, const diagonal_matrix1_desc& desc) {
    const auto value = std::bit_cast<std::array<std::byte, 8>>(desc.value.as<std::uint64_t>());
    return {input, output, width, value, {desc.diagonal_fill_begin, desc.diagonal_fill_end}};
  }
};

}  // namespace goldml
