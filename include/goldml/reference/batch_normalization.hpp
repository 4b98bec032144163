// BATCH_NORMALIZATION and BATCH_NORMALIZATION_TRAINING, following their pages and the ledger (NO-R1 to NO-R6).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <goldml/arithmetic/normalisation.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/operators/batch_normalization.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<batch_normalization_desc, reference_backend> {
  template <class T>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<const T>& mean,
                  const tensor_view<const T>& variance, const tensor_view<const T>& scale,
                  const tensor_view<const T>& bias, const tensor_view<T>& output,
                  const batch_normalization_desc& desc) {
    const auto number = [](const tensor_view<const T>& t, const coordinate_tuple& c) {
      return exact_double(T(t[detail::broadcast_coordinate(c, t.sizes())]));
    };
    for (const coordinate_tuple& c : coordinates_of(output.sizes())) {
      const arithmetic::exact_affine step(number(mean, c), number(variance, c), detail::widened(desc.epsilon));
      output[c] = step.rounded<T>(desc.fused_activation, number(input, c), {number(scale, c), number(bias, c)});
    }
  }
};

template <>
struct kernel<batch_normalization_training_desc, reference_backend> {
  static void run(const reference_backend&, std::span<const const_tensor_ref> inputs,
                  std::span<const tensor_ref> outputs, const batch_normalization_training_desc& desc) {
    visit_data_type(type_list<float, float16>{}, outputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const detail::normalisation_inputs<T> t(detail::batch_training_places, inputs);
      const tensor_view<T> output = outputs[0].as<T>(), mean = outputs[1].as<T>(), variance = outputs[2].as<T>();
      const dimensions box = candidate_box(output.sizes(), detail::batch_axes(mean.sizes()));
      for (const coordinate_tuple& first : coordinates_of(mean.sizes())) {
        std::vector<double> slice;
        for (const coordinate_tuple& r : coordinates_of(box))
          slice.push_back(exact_double(T(t.input[reduction_candidate(first, r)])));
        const auto at = [&](std::uint64_t i) { return slice[static_cast<std::size_t>(i)]; };
        const arithmetic::exact_affine step(slice.size(), at, {.epsilon = detail::widened(desc.epsilon)});
        const arithmetic::rounded_moments<T> moments(slice.size(), at);
        mean[first] = moments.mean;
        variance[first] = moments.variance;
        for (const coordinate_tuple& r : coordinates_of(box)) {
          const coordinate_tuple c = reduction_candidate(first, r);
          output[c] = step.rounded<T>(desc.fused_activation, exact_double(T(t.input[c])), t.at(c));
        }
      }
    });
  }
};

}  // namespace goldml
