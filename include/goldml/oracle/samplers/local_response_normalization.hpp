// Random cases of LOCAL_RESPONSE_NORMALIZATION and LOCAL_RESPONSE_NORMALIZATION_GRAD.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <goldml/operators/local_response_normalization.hpp>
#include <goldml/oracle/normalisation_data.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

template <goldml::detail::local_response_operator Desc>
struct sampler<Desc> {
  using case_type = sampled_case<Desc>;

  static case_type sample(random_source& random, goldml::feature_level level) {
    const tensor_desc tensor = random_tensor(random, operator_traits<Desc>::limits, level);
    constexpr std::array<float, 5> alphas{1e-4F, 1, 2, 4, 0.5F}, betas{0.75F, 0.5F, 1, 0, 0.6F};
    constexpr std::array<float, 4> biases{1, 2, 1.5F, 0.25F};
    case_type result;
    result.desc.cross_channel = random.chance(70);
    result.desc.local_size = static_cast<std::uint32_t>(1 + random.below(random.chance(80) ? 4 : 7));
    result.desc.alpha = alphas[random.below(alphas.size())];
    result.desc.beta = betas[random.below(betas.size())];
    result.desc.bias = biases[random.below(biases.size())];
    for (auto& each : result.tensors) each = tensor;
    return result;
  }
  static void fill(random_source& random, const Desc&, data_class data, std::span<host_tensor> inputs) {
    detail::fill_for_arithmetic(random, data, inputs);
  }

  static constexpr sampler_options<Desc> options{.fill = &fill};
};

}  // namespace goldml::oracle
