// SCATTER_ND on the CPU.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/core/cold.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/scatter.hpp>
#include <goldml/operators/scatter_nd.hpp>

namespace goldml {

namespace detail {

// Throws the error for indices of which a policy refuses one.
template <class Index>
[[noreturn]] GOLDML_COLD void refuse_indices(const scatter_nd_desc& desc, const host_input& indices,
                                             const dimensions& input_sizes) {
  const tensor_view<const Index> view(reinterpret_cast<const Index*>(indices.data), indices.sizes, indices.strides);
  throw error(check_indices(desc, view, scatter_nd_shape(desc, input_sizes, indices.sizes)).value());
}

}  // namespace detail

template <>
struct kernel<scatter_nd_desc, cpu_backend> {
  template <class T, class Index>
  static void run(const cpu_backend& backend, const tensor_view<const T>& input,
                  const tensor_view<const Index>& indices, const tensor_view<const T>& updates,
                  const tensor_view<T>& output, const scatter_nd_desc& desc) {
    scatter<sizeof(T)>(backend, detail::host_input(input), index_operations::of<Index>(), detail::host_input(indices),
                       detail::host_input(updates), detail::host_output(output), desc);
  }

  // A template, so that only a unit with a run-time call instantiates the engine for all widths.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const scatter_nd_desc& desc) {
    const detail::host_input input(inputs[0]), indices(inputs[1]), updates(inputs[2]);
    const detail::host_output output(outputs[0]);
    index_operations operations{};
    detail::require_found(
        visit_data_type(ix_types{}, inputs[1].desc().data_type,
                        [&]<class Index>(std::type_identity<Index>) { operations = index_operations::of<Index>(); }));
    detail::visit_width(outputs[0].desc().data_type, [&]<std::size_t Size>(std::integral_constant<std::size_t, Size>) {
      scatter<Size>(backend, input, operations, indices, updates, output, desc);
    });
  }

 private:
  // The operations that depend on the type of the indices.
  struct index_operations {
    detail::index_type type;
    void (*refuse)(const scatter_nd_desc&, const detail::host_input&, const dimensions&);

    template <class Index>
    static index_operations of() {
      return {detail::index_type::of<Index>(), detail::refuse_indices<Index>};
    }
  };

  template <std::size_t Size>
  static void scatter(const cpu_backend& backend, const detail::host_input& input, const index_operations& operations,
                      const detail::host_input& indices, const detail::host_input& updates,
                      const detail::host_output& output, const scatter_nd_desc& desc) {
    const detail::index_tuples tuples(
        {desc.input_dimension_count, desc.indices_dimension_count, desc.range_policy, desc.duplicates}, operations.type,
        indices, output.sizes, updates.strides, Size);
    detail::scatter_operands operands(input, updates, output, tuples, desc.input_dimension_count, Size);
    if (!detail::scatter<Size>(backend, tuples, operands)) operations.refuse(desc, indices, input.sizes);
  }
};

}  // namespace goldml


#ifdef GOLDML_COMPILED
namespace goldml {
// clang-format off
extern template void detail::refuse_indices<std::int32_t>(const scatter_nd_desc&, const detail::host_input&, const dimensions&);
extern template void detail::refuse_indices<std::int64_t>(const scatter_nd_desc&, const detail::host_input&, const dimensions&);
extern template void detail::refuse_indices<std::uint32_t>(const scatter_nd_desc&, const detail::host_input&, const dimensions&);
extern template void detail::refuse_indices<std::uint64_t>(const scatter_nd_desc&, const detail::host_input&, const dimensions&);
// clang-format on
}  // namespace goldml
#endif
