// ACTIVATION_SOFTMAX, ACTIVATION_LOG_SOFTMAX and their 1-versions on the CPU.
#pragma once

#include <concepts>
#include <span>
#include <type_traits>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/softmax.hpp>
#include <goldml/operators/softmax.hpp>

namespace goldml {

template <detail::softmax_operator Desc>
struct kernel<Desc, cpu_backend> {
  // A template, so that only a unit with a run-time call instantiates the engine.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const Desc& desc) {
    const dimensions axes = detail::softmax_axes(desc, inputs[0].desc().sizes.size());
    visit_data_type(type_list<float, float16>{}, outputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      detail::softmax_engine<T, Desc::kind>(backend, inputs[0].as<T>(), outputs[0].as<T>(), axes).run();
    });
  }
};

}  // namespace goldml
