// ARGMIN and ARGMAX on the CPU.
#pragma once

#include <concepts>
#include <span>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/arg_reduce.hpp>
#include <goldml/operators/argmax.hpp>
#include <goldml/operators/argmin.hpp>

namespace goldml {

namespace detail {

template <class Desc, extremum Wanted>
struct cpu_arg_reduce {
  template <class T, class Index>
  static void run(const cpu_backend& backend, const tensor_view<const T>& input, const tensor_view<Index>& output,
                  const Desc& desc) {
    arg_reduce<Wanted>(backend, input, output, options_of(desc));
  }

  // A template, so that only a unit with a run-time call instantiates the engine for all types.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const Desc& desc) {
    arg_reduce<Wanted>(backend, a10_types{}, inputs[0], outputs[0], options_of(desc));
  }

 private:
  static arg_reduce_options options_of(const Desc& desc) {
    return {.axes = desc.axes,
            .last_of_equals = desc.axis_direction == axis_direction::decreasing,
            .nan_first = desc.nan_policy == nan_policy::propagate};
  }
};

}  // namespace detail

template <>
struct kernel<argmin_desc, cpu_backend> : detail::cpu_arg_reduce<argmin_desc, detail::extremum::least> {};

template <>
struct kernel<argmax_desc, cpu_backend> : detail::cpu_arg_reduce<argmax_desc, detail::extremum::greatest> {};

}  // namespace goldml
