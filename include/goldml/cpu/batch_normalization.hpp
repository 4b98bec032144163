// BATCH_NORMALIZATION and BATCH_NORMALIZATION_TRAINING on the CPU.
#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <type_traits>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/normalisation.hpp>
#include <goldml/operators/batch_normalization.hpp>

namespace goldml {

template <>
struct kernel<batch_normalization_desc, cpu_backend> {
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const batch_normalization_desc& desc) {
    visit_data_type(type_list<float, float16>{}, outputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const detail::normalisation_inputs<T> t(detail::batch_places, inputs);
      detail::normalisation_engine<T>(backend, t, outputs[0].as<T>(), std::nullopt,
                                      {.epsilon = detail::widened(desc.epsilon)}, desc.fused_activation)
          .run();
    });
  }
};

template <>
struct kernel<batch_normalization_training_desc, cpu_backend> {
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const batch_normalization_training_desc& desc) {
    visit_data_type(type_list<float, float16>{}, outputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const detail::normalisation_inputs<T> t(detail::batch_training_places, inputs);
      detail::normalisation_engine<T>(backend, t, outputs[0].as<T>(), detail::batch_axes(inputs[1].desc().sizes),
                                      {.epsilon = detail::widened(desc.epsilon)}, desc.fused_activation,
                                      {outputs[1].as<T>(), outputs[2].as<T>()})
          .run();
    });
  }
};

}  // namespace goldml
