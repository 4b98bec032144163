// ACTIVATION_HARDMAX and ACTIVATION_HARDMAX1 on the CPU: zeros, and then a 1 at the index that ARGMAX gives each slice.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/core/float16.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/arg_reduce.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/cpu/engine/move.hpp>
#include <goldml/operators/hardmax.hpp>

namespace goldml {

template <detail::hardmax_operator Desc>
struct kernel<Desc, cpu_backend> {
  // A template, so that only a unit with a run-time call instantiates the engine.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const Desc& desc) {
    using types = type_list<float, float16>;
    const dimensions& sizes = inputs[0].desc().sizes;
    const dimensions axes = detail::softmax_axes(desc, sizes.size());
    const tensor_desc index{.data_type = data_type::uint64, .sizes = sizes_after_reduction(sizes, axes)};
    std::vector<std::uint64_t> indices(static_cast<std::size_t>(element_count(index.sizes)));
    detail::arg_reduce<detail::extremum::greatest>(
        backend, types{}, inputs[0], tensor_ref(index, indices.data(), indices.size() * sizeof(std::uint64_t)),
        {.axes = axes, .nan_first = desc.nan_policy == nan_policy::propagate});
    visit_data_type(types{}, outputs[0].desc().data_type,
                    [&]<class T>(std::type_identity<T>) { mark<T>(backend, outputs[0], axes, indices); });
  }

 private:
  template <class T>
  static void mark(const cpu_backend& backend, const tensor_ref& to, const dimensions& axes,
                   const std::vector<std::uint64_t>& indices) {
    const detail::host_output output(to);
    detail::fill_elements<sizeof(T)>(backend,
                                     detail::loops_of_copy(output.sizes, output.strides, output.strides, sizeof(T)),
                                     output.data, std::array<std::byte, 8>{});
    const T one = static_cast<T>(1.0F);
    detail::loop_nest<1> slices, elements;
    for (std::size_t i = 0; i < output.sizes.size(); ++i)
      (axes.contains(static_cast<std::uint32_t>(i)) ? elements : slices)
          .add(output.sizes[i], {std::uint64_t{output.strides[i]} * sizeof(T)});
    slices.merge();
    elements.merge();
    detail::parallel_for(backend, indices.size() * (sizeof(T) + sizeof(std::uint64_t)), indices.size(),
                         [&](std::uint64_t begin, std::uint64_t end) {
                           std::uint64_t slice = begin;
                           slices.for_range(begin, end, [&](const auto& offset) {
                             const std::uint64_t index =
                                 detail::offsets_at(elements, indices[static_cast<std::size_t>(slice++)])[0];
                             std::memcpy(output.data + offset[0] + index, &one, sizeof(T));
                           });
                         });
  }
};

}  // namespace goldml
