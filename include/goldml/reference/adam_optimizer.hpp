// ADAM_OPTIMIZER, following its page and the ledger (FN-R11, FN-R12, AD-R1).
#pragma once

#include <cstdint>

#include <goldml/core/coordinates.hpp>
#include <goldml/operators/adam_values.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<adam_optimizer_desc, reference_backend> {
  template <class T>
  static void run(const reference_backend&, const tensor_view<const T>& parameters, const tensor_view<const T>& first,
                  const tensor_view<const T>& second, const tensor_view<const T>& gradient,
                  const tensor_view<const std::uint32_t>& step, const tensor_view<T>& new_parameters,
                  const tensor_view<T>& new_first, const tensor_view<T>& new_second, const adam_optimizer_desc& desc) {
    const auto weights = detail::golden_adam_weights(desc, detail::training_step(step));
    for (const coordinate_tuple& c : coordinates_of(gradient.sizes())) {
      const auto next = detail::golden_adam_step<T>(weights, parameters[c], first[c], second[c], gradient[c]);
      new_parameters[c] = next.parameter;
      new_first[c] = next.first;
      new_second[c] = next.second;
    }
  }
};

}  // namespace goldml
