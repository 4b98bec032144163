// REDUCE on the CPU.
#pragma once

#include <concepts>
#include <span>
#include <type_traits>

#include <goldml/cpu/argmax.hpp>
#include <goldml/cpu/argmin.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/reduce.hpp>
#include <goldml/operators/reduce.hpp>

namespace goldml {

template <>
struct kernel<reduce_desc, cpu_backend> {
  // A template, so that only a unit with a call instantiates the engine for all types.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const reduce_desc& desc) {
    if (operator_traits<reduce_desc>::gives_index(desc))
      return detail::reduce_by_arg_reduce(backend, inputs, outputs, desc);
    visit_data_type(a10_types{}, outputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      detail::reduce_elements<T>(backend, inputs[0].as<T>(), outputs[0].as<T>(), desc);
    });
  }
};

}  // namespace goldml
