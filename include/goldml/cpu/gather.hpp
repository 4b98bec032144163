// GATHER, GATHER_ELEMENTS, GATHER_ND and GATHER_ND1 on the CPU.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/core/cold.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/gather.hpp>
#include <goldml/operators/gather.hpp>
#include <goldml/operators/gather_elements.hpp>
#include <goldml/operators/gather_nd.hpp>

namespace goldml {

namespace detail {

// The loops of each operator.

inline void add_gather_loops(const gather_desc& desc, const host_input& input, const host_input& indices,
                             const host_output& output, gather_plan& plan) {
  const std::size_t rank = output.sizes.size();
  const std::size_t count = desc.index_dimensions;
  // Dimension i of the shape that the output has without cut or added dimensions is dimension i + 1 - count of the
  // output. Those that it has not are 1.
  const auto output_of = [&](std::size_t i) { return i + 1 - count; };
  for (std::size_t i = 0; i < desc.axis; ++i)
    if (i + 1 >= count) plan.add_tuples(input.sizes[i], output.strides[output_of(i)], input.strides[i], 0);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t of_indices = rank - count + i;
    plan.add_tuples(indices.sizes[of_indices], output.strides[output_of(desc.axis + i)], 0,
                    indices.strides[of_indices]);
  }
  for (std::size_t i = desc.axis + 1; i < rank; ++i)
    plan.add_slice(input.sizes[i], output.strides[i], input.strides[i]);
  plan.add_axis(input.sizes[desc.axis], input.strides[desc.axis]);
}

inline void add_gather_loops(const gather_elements_desc& desc, const host_input& input, const host_input& indices,
                             const host_output& output, gather_plan& plan) {
  for (std::size_t i = 0; i < output.sizes.size(); ++i)
    plan.add_tuples(output.sizes[i], output.strides[i], i == desc.axis ? 0 : input.strides[i], indices.strides[i]);
  plan.add_axis(input.sizes[desc.axis], input.strides[desc.axis]);
}

template <class Desc>
requires std::same_as<Desc, gather_nd_desc> || std::same_as<Desc, gather_nd1_desc>
void add_gather_loops(const Desc& desc, const host_input& input, const host_input& indices, const host_output& output,
                      gather_plan& plan) {
  const gather_nd_shape shape(desc, input.sizes, indices.sizes);
  const std::size_t rank = shape.dimension_count;
  const std::size_t in_input = rank - shape.input_count;  // the first meaningful dimension
  const std::size_t in_indices = rank - shape.indices_count;
  const std::size_t in_output = rank - shape.slice.size() - shape.tuples.size();
  for (std::size_t i = 0; i < shape.tuples.size(); ++i)
    plan.add_tuples(shape.tuples[i], output.strides[in_output + i], i < shape.batch ? input.strides[in_input + i] : 0,
                    indices.strides[in_indices + i]);
  for (std::size_t i = rank - shape.slice.size(); i < rank; ++i)
    plan.add_slice(output.sizes[i], output.strides[i], input.strides[i]);
  for (std::size_t j = 0; j < shape.tuple_size; ++j)
    plan.add_axis(shape.places[j], input.strides[in_input + shape.batch + j]);
  plan.index_step = std::uint64_t{indices.strides.back()} * plan.type.size;
}

// Throws the error for indices of which the policy refuses one.
template <class Desc>
[[noreturn]] GOLDML_COLD void refuse_gather_indices(const Desc& desc, const dimensions& input,
                                                    const const_tensor_ref& indices) {
  throw error(operator_traits<Desc>::check_indices(desc, input, indices).value());
}

}  // namespace detail

template <detail::gather_operator Desc>
struct kernel<Desc, cpu_backend> {
  template <class T, class Index>
  static void run(const cpu_backend& backend, const tensor_view<const T>& input,
                  const tensor_view<const Index>& indices, const tensor_view<T>& output, const Desc& desc) {
    gather<sizeof(T)>(backend, detail::host_input(input), detail::index_type::of<Index>(), const_tensor_ref(indices),
                      detail::host_output(output), desc);
  }

  // A template, so that only a unit with a run-time call instantiates the engine for all widths.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const Desc& desc) {
    const detail::host_input input(inputs[0]);
    const detail::host_output output(outputs[0]);
    detail::index_type type{};
    detail::require_found(
        visit_data_type(ix_types{}, inputs[1].desc().data_type,
                        [&]<class Index>(std::type_identity<Index>) { type = detail::index_type::of<Index>(); }));
    detail::visit_width(outputs[0].desc().data_type, [&]<std::size_t Size>(std::integral_constant<std::size_t, Size>) {
      gather<Size>(backend, input, type, inputs[1], output, desc);
    });
  }

 private:
  template <std::size_t Size>
  static void gather(const cpu_backend& backend, const detail::host_input& input, const detail::index_type& type,
                     const const_tensor_ref& indices, const detail::host_output& output, const Desc& desc) {
    const detail::host_input through(indices);
    detail::gather_plan plan(input, through, type, output, desc.range_policy, Size);
    detail::add_gather_loops(desc, input, through, output, plan);
    if (!detail::gather_slices<Size>(backend, plan)) detail::refuse_gather_indices(desc, input.sizes, indices);
  }
};

}  // namespace goldml
