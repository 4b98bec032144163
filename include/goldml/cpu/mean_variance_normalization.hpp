// MEAN_VARIANCE_NORMALIZATION, MEAN_VARIANCE_NORMALIZATION1 and MEAN_VARIANCE_NORMALIZATION2 on the CPU.
#pragma once

#include <concepts>
#include <span>
#include <type_traits>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/normalisation.hpp>
#include <goldml/operators/mean_variance_normalization.hpp>

namespace goldml {

template <detail::mean_variance_operator Desc>
struct kernel<Desc, cpu_backend> {
  // A template, so that only a unit with a run-time call instantiates the engine.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const Desc& desc) {
    visit_data_type(type_list<float, float16>{}, outputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const detail::normalisation_inputs<T> t(detail::mean_variance_places, inputs);
      detail::normalisation_engine<T>(backend, t, outputs[0].as<T>(), detail::normalisation_axes(desc),
                                      detail::normalisation_form_of(desc), desc.fused_activation)
          .run();
    });
  }
};

}  // namespace goldml
