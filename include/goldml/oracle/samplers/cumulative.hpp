// Random cases of CUMULATIVE_SUMMATION and CUMULATIVE_PRODUCT.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <goldml/operators/cumulative.hpp>
#include <goldml/oracle/arithmetic_data.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

template <goldml::detail::cumulative_operator Desc>
struct sampler<Desc> {
  static sampled_case<Desc> sample(random_source& random, goldml::feature_level level) {
    const tensor_desc tensor = random_tensor(random, operator_traits<Desc>::operands[0].limits, level);
    sampled_case<Desc> result{{}, {tensor, tensor}};
    result.desc.axis = static_cast<std::uint32_t>(random.below(tensor.sizes.size()));
    if (random.chance(50)) result.desc.axis_direction = axis_direction::decreasing;
    const bool exclusive = random.chance(50);
    if constexpr (goldml::detail::multiplies<Desc>)
      result.desc.has_exclusive_product = exclusive;
    else
      result.desc.has_exclusive_sum = exclusive;
    return result;
  }

  static void fill(random_source& random, const Desc&, data_class data, std::span<host_tensor> inputs) {
    detail::fill_for_arithmetic(random, data, inputs);
  }

  static constexpr sampler_options<Desc> options{.fill = &fill};
};

}  // namespace goldml::oracle
