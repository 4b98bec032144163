// Random cases of RANDOM_GENERATOR.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include <goldml/operators/random_generator.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

template <>
struct sampler<random_generator_desc> {
  static sampled_case<random_generator_desc> sample(random_source& random, goldml::feature_level level) {
    const operand_limits& limits = *limits_at(operator_traits<random_generator_desc>::operands[0], level);
    const tensor_desc output = random_tensor(random, operator_traits<random_generator_desc>::limits, level);
    tensor_desc state{.data_type = data_type::uint32};
    state.sizes = dimensions::filled(
        static_cast<std::size_t>(random.between(limits.fewest_dimensions, limits.most_dimensions)), 1);
    state.sizes[state.sizes.size() - 1] = 6;
    sampled_case<random_generator_desc> result{{}, {state, output, state}};
    if (random.chance(30)) result.tensors[2].reset();
    return result;
  }

  static std::string_view break_rule(random_source& random, sampled_case<random_generator_desc>& c) {
    dimensions& sizes = c.tensors[0]->sizes;
    const std::size_t i = random.below(sizes.size());
    const bool of_output = c.tensors[2] && random.chance(30);
    dimensions& broken = of_output ? c.tensors[2]->sizes : sizes;
    broken[i] = broken[i] == 6 && random.chance(50) ? 5 : broken[i] + 1;
    return of_output ? "PH4" : i + 1 == sizes.size() ? "PH1" : "PH2";
  }

  // Counters that carry: words of ones, or near them. Other words are any.
  static void fill(random_source& random, const random_generator_desc&, data_class, std::span<host_tensor> inputs) {
    const tensor_view<std::uint32_t> state = inputs[0].ref().as<std::uint32_t>();
    const std::uint64_t ones = random.below(6);  // in this many of the lowest words, as far as they are the counter's
    for (std::uint32_t i = 0; i < 6; ++i) {
      const auto word = static_cast<std::uint32_t>(random.bits());
      constexpr std::uint32_t most = (std::numeric_limits<std::uint32_t>::max)();
      goldml::detail::state_word(state, i) = i >= 4 || i >= ones ? word : i == 0 ? most - word % 8 : most;
    }
  }

  static constexpr sampler_options<random_generator_desc> options{.fill = &fill, .main_tensor = 1};
};

}  // namespace goldml::oracle
