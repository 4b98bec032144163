// SCATTER_ELEMENTS on the CPU.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/core/cold.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/scatter_elements.hpp>
#include <goldml/operators/scatter_elements.hpp>

namespace goldml {

template <>
struct kernel<scatter_elements_desc, cpu_backend> {
  template <class T, class Index>
  static void run(const cpu_backend& backend, const tensor_view<const T>& input,
                  const tensor_view<const Index>& indices, const tensor_view<const T>& updates,
                  const tensor_view<T>& output, const scatter_elements_desc& desc) {
    scatter<sizeof(T)>(backend, detail::host_input(input), detail::index_type::of<Index>(), const_tensor_ref(indices),
                       detail::host_input(updates), detail::host_output(output), desc);
  }

  // A template, so that only a unit with a run-time call instantiates the engine for all widths.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const scatter_elements_desc& desc) {
    const detail::host_input input(inputs[0]), updates(inputs[2]);
    const detail::host_output output(outputs[0]);
    detail::index_type type{};
    detail::require_found(
        visit_data_type(ix_types{}, inputs[1].desc().data_type,
                        [&]<class Index>(std::type_identity<Index>) { type = detail::index_type::of<Index>(); }));
    detail::visit_width(outputs[0].desc().data_type, [&]<std::size_t Size>(std::integral_constant<std::size_t, Size>) {
      scatter<Size>(backend, input, type, inputs[1], updates, output, desc);
    });
  }

 private:
  template <std::size_t Size>
  static void scatter(const cpu_backend& backend, const detail::host_input& input, const detail::index_type& type,
                      const const_tensor_ref& indices, const detail::host_input& updates,
                      const detail::host_output& output, const scatter_elements_desc& desc) {
    const detail::sequence_plan plan(detail::host_input(indices), type, updates, output, desc.axis, desc.range_policy,
                                     desc.duplicates, Size);
    if (!detail::scatter_along_axis<Size>(backend, plan,
                                          detail::loops_of_copy(output.sizes, output.strides, input.strides, Size),
                                          input.data, updates.data, output.data))
      refuse(desc, input.sizes, indices);
  }

  // Throws the error for indices of which a policy refuses one.
  [[noreturn]] GOLDML_COLD static void refuse(const scatter_elements_desc& desc, const dimensions& input,
                                              const const_tensor_ref& indices) {
    throw error(operator_traits<scatter_elements_desc>::check_indices(desc, input, indices).value());
  }
};

}  // namespace goldml
