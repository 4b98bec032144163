// Random cases of ACTIVATION_SOFTMAX, ACTIVATION_LOG_SOFTMAX and their 1-versions.
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
    tensor_desc tensor = random_tensor(random, operands[0].limits, level);
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
    dimensions& input = c.tensors[0]->sizes;
    if constexpr (!has_axes) {
      if (input.size() < 3) return "";
      input[random.below(input.size() - 2)] = 2;
      c.tensors[1]->sizes = input;
      return "SO4";
    } else {
      dimensions& axes = c.desc.axes;
      switch (random.below(3)) {
        case 0:
          axes[random.below(axes.size())] = static_cast<std::uint32_t>(input.size());
          return "SO5";
        case 1:
          axes = {axes[0], axes[0]};
          return "SO6";
        default:
          axes = {};
          return "SO7";
      }
    }
  }

  static constexpr sampler_options<Desc> options{.suit = has_axes ? &suit : nullptr, .fill = &fill};
};

}  // namespace detail

template <softmax_function F>
struct sampler<softmax_desc<F>> : detail::softmax_sampler<softmax_desc<F>> {};

template <softmax_function F>
struct sampler<softmax1_desc<F>> : detail::softmax_sampler<softmax1_desc<F>> {};

}  // namespace goldml::oracle
