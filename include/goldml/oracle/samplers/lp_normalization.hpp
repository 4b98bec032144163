// Random cases of LP_NORMALIZATION.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <goldml/operators/lp_normalization.hpp>
#include <goldml/oracle/normalisation_data.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

template <>
struct sampler<lp_normalization_desc> {
  using case_type = sampled_case<lp_normalization_desc>;

  static case_type sample(random_source& random, goldml::feature_level level) {
    const tensor_desc tensor = random_tensor(random, operator_traits<lp_normalization_desc>::limits, level);
    constexpr std::array<float, 5> epsilons{1e-5F, 1e-30F, 0.25F, 3, 0};
    case_type result;
    result.desc.axis = static_cast<std::uint32_t>(random.below(tensor.sizes.size()));
    result.desc.p = random.chance(50) ? 1 : 2;
    result.desc.epsilon = epsilons[random.below(epsilons.size())];
    result.tensors = {tensor, tensor};
    return result;
  }
  static void fill(random_source& random, const lp_normalization_desc&, data_class data,
                   std::span<host_tensor> inputs) {
    detail::fill_for_arithmetic(random, data, inputs);
  }
  static std::string_view break_rule(random_source& random, case_type& c) {
    c.desc.p = random.chance(50) ? 0 : 3;
    return "LP5";
  }

  static constexpr sampler_options<lp_normalization_desc> options{.fill = &fill};
};

}  // namespace goldml::oracle
