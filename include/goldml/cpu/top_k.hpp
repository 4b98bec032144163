// TOP_K and TOP_K1 on the CPU.
#pragma once

#include <concepts>
#include <span>
#include <type_traits>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/top_k.hpp>
#include <goldml/operators/top_k.hpp>

namespace goldml {

template <detail::top_k_operator Desc>
struct kernel<Desc, cpu_backend> {
  template <class T, class Index>
  static void run(const cpu_backend& backend, const tensor_view<const T>& input, const tensor_view<T>& values,
                  const tensor_view<Index>& indices, const Desc& desc) {
    select<T>(backend,
              {detail::host_input(input), detail::host_output(values), detail::host_output(indices), sizeof(Index) == 8,
               desc.axis, desc.k},
              desc);
  }

  // A template, so that only a unit with a run-time call instantiates the engine for all types.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const Desc& desc) {
    const detail::host_input input(inputs[0]);
    const detail::host_output values(outputs[0]), indices(outputs[1]);
    const bool indices_are_wide = element_size_in_bytes(outputs[1].desc().data_type) == 8;
    const detail::top_k_plan plan(input, values, indices, indices_are_wide, desc.axis, desc.k);
    detail::require_found(visit_data_type(a10_types{}, inputs[0].desc().data_type,
                                          [&]<class T>(std::type_identity<T>) { select<T>(backend, plan, desc); }));
  }

 private:
  template <class T>
  static void select(const cpu_backend& backend, const detail::top_k_plan& plan, const Desc& desc) {
    const bool greatest = detail::direction_of(desc) == axis_direction::decreasing;
    detail::top_k_of<T>(backend, plan, greatest, greatest && desc.nan_policy == nan_policy::propagate);
  }
};

}  // namespace goldml
