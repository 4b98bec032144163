// BATCH_NORMALIZATION_GRAD and BATCH_NORMALIZATION_TRAINING_GRAD, following their pages and the ledger (BG-R1).
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include <goldml/arithmetic/normalisation_gradient.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/operators/batch_normalization_grad.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <detail::batch_gradient_operator Desc>
struct kernel<Desc, reference_backend> {
  static void run(const reference_backend&, std::span<const const_tensor_ref> inputs,
                  std::span<const tensor_ref> outputs, const Desc& desc) {
    visit_data_type(type_list<float, float16>{}, outputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const detail::batch_gradient_inputs<T> t(inputs);
      const tensor_view<T> dx = outputs[0].as<T>(), of_scale = outputs[1].as<T>(), of_bias = outputs[2].as<T>();
      for (const coordinate_tuple& first : coordinates_of(of_scale.sizes())) {
        const arithmetic::gradient_slice slice = t.slice_at(desc, first);
        const arithmetic::exact_gradient gradient(slice);
        of_scale[first] = gradient.of_scale<T>();
        of_bias[first] = gradient.of_bias<T>();
        std::size_t i = 0;
        for (const coordinate_tuple& r : coordinates_of(t.box))
          dx[reduction_candidate(first, r)] = gradient.element<T>(i++);
      }
    });
  }
};

}  // namespace goldml
