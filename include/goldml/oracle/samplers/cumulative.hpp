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
    const operand_limits& limits = *limits_at(operator_traits<Desc>::operands[0], level);
    const tensor_desc tensor{.data_type = random.pick(limits.data_types),
                             .sizes = random.sizes(limits.fewest_dimensions, limits.most_dimensions)};
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

  static std::string_view break_rule(random_source& random, sampled_case<Desc>& c) {
    const operand_limits& limits = *limits_at(operator_traits<Desc>::operands[0], c.desc.feature_level);
    tensor_desc& output = *c.tensors[1];
    const auto dimension_count = static_cast<std::uint32_t>(output.sizes.size());
    switch (random.below(5)) {
      case 0: {
        const data_type before = output.data_type;
        output.data_type = random.pick(limits.data_types);
        return output.data_type == before ? "" : "CU1";
      }
      case 1:
        if (limits.most_dimensions < dimensions::capacity) return "";
        output.sizes = dimension_count < 8 ? concatenate({1}, output.sizes) : output.sizes.slice(1, 8);
        return "CU2";
      case 2:
        output.sizes[random.below(dimension_count)] += 1;
        return "CU3";
      case 3:
        c.desc.axis = dimension_count + static_cast<std::uint32_t>(random.below(3));
        return "CU4";
      default:
        c.desc.axis_direction = static_cast<axis_direction>(2 + random.below(9));
        return "CU5";
    }
  }

  static constexpr sampler_options<Desc> options{.fill = &fill};
};

}  // namespace goldml::oracle
