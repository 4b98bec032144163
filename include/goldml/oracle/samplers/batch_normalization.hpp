// Random cases of BATCH_NORMALIZATION and BATCH_NORMALIZATION_TRAINING.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <goldml/operators/batch_normalization.hpp>
#include <goldml/oracle/normalisation_data.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

template <>
struct sampler<batch_normalization_desc> {
  using case_type = sampled_case<batch_normalization_desc>;

  static case_type sample(random_source& random, goldml::feature_level level) {
    const tensor_desc tensor = random_tensor(random, operator_traits<batch_normalization_desc>::limits, level);
    case_type result;
    result.desc.spatial = random.chance(70);
    result.desc.epsilon = detail::random_epsilon(random);
    result.desc.fused_activation = detail::maybe_fused(random, level);
    result.tensors[0] = result.tensors[5] = tensor;
    for (std::size_t i = 1; i < 5; ++i) {
      tensor_desc t = detail::random_broadcast(random, tensor);
      if (level < feature_level::level_4_0)
        for (std::size_t axis = 1; axis < t.sizes.size(); ++axis)
          if (axis == 1 || (i < 3 && !result.desc.spatial)) t.sizes[axis] = tensor.sizes[axis];
      result.tensors[i] = t;
    }
    return result;
  }

  // Mostly variances that are not negative.
  static void fill(random_source& random, const batch_normalization_desc&, data_class data,
                   std::span<host_tensor> inputs) {
    detail::fill_for_normalisation(random, data, inputs);
    if (random.chance(90)) detail::change_elements(inputs[2], [](float x) { return std::abs(x); });
  }

  static std::string_view break_rule(random_source& random, case_type& c) {
    auto& t = c.tensors;
    const dimensions& input = t[0]->sizes;
    const bool is_early = c.desc.feature_level < feature_level::level_4_0;
    switch (random.below(is_early ? 4 : 2)) {
      case 0:
        detail::break_broadcast(random, t[1 + random.below(4)]->sizes, input);
        return "BN4";
      case 1:
        return detail::break_fused(random, c.desc.fused_activation, c.desc.feature_level);
      case 2:
        if (input.size() < 2 || input[1] == 1) return "";
        t[1 + random.below(4)]->sizes[1] = 1;
        return "BN5";
      default: {
        if (input.size() < 3 || input[2] == 1) return "";
        c.desc.spatial = false;
        for (std::size_t i = 1; i < 3; ++i) t[i]->sizes = input;
        t[1 + random.below(2)]->sizes[2] = 1;
        return "BN6";
      }
    }
  }

  static constexpr sampler_options<batch_normalization_desc> options{.fill = &fill};
};

template <>
struct sampler<batch_normalization_training_desc> {
  using case_type = sampled_case<batch_normalization_training_desc>;

  static case_type sample(random_source& random, goldml::feature_level level) {
    const tensor_desc tensor = random_tensor(random, operator_traits<batch_normalization_training_desc>::limits, level);
    const tensor_desc scale = detail::random_broadcast(random, tensor);
    case_type result;
    result.desc.epsilon = detail::random_epsilon(random);
    result.desc.fused_activation = detail::maybe_fused(random, level);
    result.tensors = {tensor, scale, scale, std::nullopt, tensor, scale, scale};
    if (random.chance(50)) result.tensors[3] = tensor;
    return result;
  }
  static void fill(random_source& random, const batch_normalization_training_desc&, data_class data,
                   std::span<host_tensor> inputs) {
    detail::fill_for_normalisation(random, data, inputs);
  }
  static std::string_view break_rule(random_source& random, case_type& c) {
    if (random.chance(50)) return detail::break_fused(random, c.desc.fused_activation, c.desc.feature_level);
    dimensions sizes = c.tensors[1]->sizes;
    detail::break_broadcast(random, sizes, c.tensors[0]->sizes);
    for (const std::size_t i : {1U, 2U, 5U, 6U}) c.tensors[i]->sizes = sizes;
    return "BT5";
  }

  static constexpr sampler_options<batch_normalization_training_desc> options{.fill = &fill};
};

}  // namespace goldml::oracle
