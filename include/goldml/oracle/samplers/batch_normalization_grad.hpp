// Random cases of BATCH_NORMALIZATION_GRAD and BATCH_NORMALIZATION_TRAINING_GRAD.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <goldml/operators/batch_normalization_grad.hpp>
#include <goldml/oracle/normalisation_data.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

template <goldml::detail::batch_gradient_operator Desc>
struct sampler<Desc> {
  using case_type = sampled_case<Desc>;

  static case_type sample(random_source& random, goldml::feature_level level) {
    const tensor_desc tensor = random_tensor(random, operator_traits<Desc>::limits, level);
    const tensor_desc mean = detail::random_broadcast(random, tensor);
    case_type result;
    result.desc.epsilon = detail::random_epsilon(random);
    result.tensors = {tensor, tensor, mean, mean, mean, tensor, mean, mean};
    return result;
  }
  // Mostly variances that are not negative.
  static void fill(random_source& random, const Desc&, data_class data, std::span<host_tensor> inputs) {
    detail::fill_for_normalisation(random, data, inputs);
    if (random.chance(90)) detail::change_elements(inputs[3], [](float x) { return std::abs(x); });
  }
  static std::string_view break_rule(random_source& random, case_type& c) {
    dimensions sizes = c.tensors[2]->sizes;
    detail::break_broadcast(random, sizes, c.tensors[0]->sizes);
    for (const std::size_t i : {2U, 3U, 4U, 6U, 7U}) c.tensors[i]->sizes = sizes;
    return "BG4";
  }

  static constexpr sampler_options<Desc> options{.fill = &fill};
};

}  // namespace goldml::oracle
