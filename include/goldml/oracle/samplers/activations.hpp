// Random cases of the activations.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include <goldml/operators/activations.hpp>
#include <goldml/oracle/arithmetic_data.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

template <arithmetic::activation_type F>
struct sampler<activation_desc<F>> {
  using desc_type = activation_desc<F>;
  using case_type = sampled_case<desc_type>;
  static constexpr auto& operands = operator_traits<desc_type>::operands;
  static constexpr auto& parameters = operator_traits<desc_type>::attributes;

  static case_type sample(random_source& random, goldml::feature_level level) {
    const tensor_desc tensor = random_tensor(random, operands[0].limits, level);
    case_type result{{}, {tensor, tensor}};
    for (const attribute& parameter : parameters) sample_parameter(random, parameter.template get<float>(result.desc));
    return result;
  }

  static void fill(random_source& random, const desc_type&, data_class data, std::span<host_tensor> inputs) {
    detail::fill_for_arithmetic(random, data, inputs);
  }

  static std::string_view break_rule(random_source& random, case_type& c) {
    desc_type& desc = c.desc;
    if constexpr (parameters.size() == 0) {
      return "";
    } else {
      float& value = parameters[random.below(parameters.size())].template get<float>(desc);
      if (F == arithmetic::activation_type::softplus && desc.feature_level < feature_level::level_6_4 &&
          random.chance(50)) {
        value = static_cast<float>(random.between(-8, 3)) / 4;
        return "AR10";
      }
      constexpr float infinity = std::numeric_limits<float>::infinity();
      value = random.chance(50) ? std::numeric_limits<float>::quiet_NaN() : random.chance(50) ? infinity : -infinity;
      return "AR9";
    }
  }

  static constexpr sampler_options<desc_type> options{.fill = &fill};

 private:
  // Quarters from -2 to 2, among them 0, or a number with a full significand. Of SOFTPLUS only what every level takes.
  static void sample_parameter(random_source& random, float& value) {
    value = static_cast<float>(random.between(-8, 8)) / 4;
    if (random.chance(30)) value = detail::full_number<float>(random);
    if (F == arithmetic::activation_type::softplus) value = 1 + (value < 0 ? -value : value);
  }
};

}  // namespace goldml::oracle
