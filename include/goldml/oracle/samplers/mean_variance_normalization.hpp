// Random cases of MEAN_VARIANCE_NORMALIZATION, MEAN_VARIANCE_NORMALIZATION1 and MEAN_VARIANCE_NORMALIZATION2.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <goldml/operators/mean_variance_normalization.hpp>
#include <goldml/oracle/normalisation_data.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

template <goldml::detail::mean_variance_operator Desc>
struct sampler<Desc> {
  using case_type = sampled_case<Desc>;
  using traits = operator_traits<Desc>;
  static constexpr bool has_axes = !traits::is_first;

  static case_type sample(random_source& random, goldml::feature_level level) {
    const tensor_desc tensor = random_tensor(random, traits::operands[0].limits, level);
    case_type result;
    if constexpr (has_axes) {
      for (std::size_t i = 0; i < tensor.sizes.size(); ++i)
        if (random.chance(50)) result.desc.axes.push_back(i);
    } else {
      result.desc.cross_channel = random.chance(50);
    }
    if constexpr (traits::is_first || traits::is_second) {
      result.desc.normalize_variance = random.chance(80);
    } else {
      result.desc.use_mean = random.chance(60);
      result.desc.use_variance = random.chance(70);
    }
    result.desc.epsilon = detail::random_epsilon(random);
    result.desc.fused_activation = detail::maybe_fused(random, level);
    result.tensors = {tensor, std::nullopt, std::nullopt, tensor};
    const bool has_scale = random.chance(60);
    const bool has_bias = level < feature_level::level_5_2 ? has_scale : random.chance(60);
    for (std::size_t i = 1; i < 3; ++i) {
      if (!(i == 1 ? has_scale : has_bias)) continue;
      tensor_desc t = detail::random_broadcast(random, tensor);
      if (traits::is_second && level < feature_level::level_4_0 && t.sizes.size() > 1) t.sizes[1] = tensor.sizes[1];
      result.tensors[i] = t;
    }
    return result;
  }

  static void suit(random_source& random, data_class data, case_type& c) {
    if (data != data_class::unsorted_axes) return;
    if constexpr (has_axes)
      for (int i = 0; i < 8 && std::is_sorted(c.desc.axes.begin(), c.desc.axes.end()); ++i) random.shuffle(c.desc.axes);
  }

  static void fill(random_source& random, const Desc&, data_class data, std::span<host_tensor> inputs) {
    detail::fill_for_normalisation(random, data, inputs);
  }

  static std::string_view break_rule(random_source& random, case_type& c) {
    auto& t = c.tensors;
    const std::size_t which = 1 + random.below(2);
    const feature_level level = c.desc.feature_level;
    switch (random.below(has_axes ? 6 : 3)) {
      case 0:
        if (!t[which]) return "";
        detail::break_broadcast(random, t[which]->sizes, t[0]->sizes);
        return "MV4";
      case 1:
        if (level >= feature_level::level_5_2) return "";
        if (!t[1]) t[1] = t[2] = t[0];
        t[which].reset();
        return "MV5";
      case 2:
        return detail::break_fused(random, c.desc.fused_activation, level);
      case 3:
        if constexpr (has_axes) {
          if (traits::is_second && level < feature_level::level_4_0 && t[which] && t[0]->sizes.size() > 1 &&
              t[0]->sizes[1] != 1 && random.chance(60)) {
            t[which]->sizes[1] = 1;
            return "MV6";
          }
          if (c.desc.axes.empty()) c.desc.axes.push_back(0);
          c.desc.axes[random.below(c.desc.axes.size())] = static_cast<std::uint32_t>(t[0]->sizes.size());
        }
        return "MV7";
      case 4:
        if constexpr (has_axes) c.desc.axes = {0, 0};
        return "MV8";
      default:
        if constexpr (has_axes) {
          c.desc.axes = {};
          c.desc.empty_axes = empty_axes::refuse;
        }
        return "MV9";
    }
  }

  static constexpr sampler_options<Desc> options{.suit = has_axes ? &suit : nullptr, .fill = &fill};
};

}  // namespace goldml::oracle
