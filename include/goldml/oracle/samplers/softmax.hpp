// Random cases of ACTIVATION_SOFTMAX and ACTIVATION_SOFTMAX1.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <goldml/operators/softmax.hpp>
#include <goldml/oracle/arithmetic_data.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

namespace detail {

template <class Desc>
struct softmax_sampler {
  using case_type = sampled_case<Desc>;
  static constexpr bool has_axes = requires(Desc desc) { desc.axes; };
  static constexpr auto& operands = operator_traits<Desc>::operands;

  static case_type sample(random_source& random, goldml::feature_level level) {
    const operand_limits& limits = *limits_at(operands[0], level);
    tensor_desc tensor{.data_type = random.pick(limits.data_types),
                       .sizes = random.sizes(limits.fewest_dimensions, limits.most_dimensions)};
    case_type result;
    if constexpr (has_axes) {
      for (std::size_t i = 0; i < tensor.sizes.size(); ++i)
        if (random.chance(40)) result.desc.axes.push_back(i);
      if (result.desc.axes.empty()) result.desc.axes.push_back(random.below(tensor.sizes.size()));
    } else {
      for (std::size_t i = 0; i + 2 < tensor.sizes.size(); ++i) tensor.sizes[i] = 1;
    }
    result.tensors = {tensor, tensor};
    return result;
  }

  static void suit(random_source& random, data_class data, case_type& c) {
    if (data != data_class::unsorted_axes) return;
    if constexpr (has_axes)
      for (int i = 0; i < 8 && std::is_sorted(c.desc.axes.begin(), c.desc.axes.end()); ++i) random.shuffle(c.desc.axes);
  }

  static void fill(random_source& random, const Desc&, data_class data, std::span<host_tensor> inputs) {
    fill_for_arithmetic(random, data, inputs);
  }

  static std::string_view break_rule(random_source& random, case_type& c) {
    tensor_desc& input = *c.tensors[0];
    tensor_desc& output = *c.tensors[1];
    const operand_limits& limits = *limits_at(operands[1], c.desc.feature_level);
    switch (random.below(has_axes ? 6 : 4)) {
      case 0:
        output.data_type = output.data_type == data_type::float32 ? data_type::float16 : data_type::float32;
        return "SO1";
      case 1:
        if (limits.fewest_dimensions == limits.most_dimensions) return "";
        output.sizes = output.sizes.size() < limits.most_dimensions ? concatenate({1}, output.sizes)
                                                                    : output.sizes.slice(1, output.sizes.size());
        return "SO2";
      case 2:
        ++output.sizes[random.below(output.sizes.size())];
        return "SO3";
      case 3:
        if constexpr (has_axes) {
          c.desc.axes[random.below(c.desc.axes.size())] = static_cast<std::uint32_t>(input.sizes.size());
          return "SO5";
        } else {
          if (input.sizes.size() < 3) return "";
          input.sizes[random.below(input.sizes.size() - 2)] = 2;
          output.sizes = input.sizes;
          return "SO4";
        }
      case 4:
        if constexpr (has_axes) c.desc.axes = {c.desc.axes[0], c.desc.axes[0]};
        return "SO6";
      default:
        if constexpr (has_axes) c.desc.axes = {};
        return "SO7";
    }
  }

  static constexpr sampler_options<Desc> options{.suit = has_axes ? &suit : nullptr, .fill = &fill};
};

}  // namespace detail

template <>
struct sampler<activation_softmax_desc> : detail::softmax_sampler<activation_softmax_desc> {};

template <>
struct sampler<activation_softmax1_desc> : detail::softmax_sampler<activation_softmax1_desc> {};

}  // namespace goldml::oracle
