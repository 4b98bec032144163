// LP_NORMALIZATION on the CPU.
#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <type_traits>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/normalisation.hpp>
#include <goldml/operators/lp_normalization.hpp>

namespace goldml {

template <>
struct kernel<lp_normalization_desc, cpu_backend> {
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const lp_normalization_desc& desc) {
    constexpr detail::normalisation_places none{.scale = detail::normalisation_places::none,
                                                .bias = detail::normalisation_places::none};
    const std::optional<activation> no_activation;
    visit_data_type(type_list<float, float16>{}, outputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const detail::normalisation_inputs<T> t(none, inputs);
      detail::normalisation_engine<T>(backend, t, outputs[0].as<T>(), dimensions{desc.axis},
                                      detail::lp_form(desc, desc.lp_epsilon), no_activation)
          .run();
    });
  }
};

}  // namespace goldml
