// Random cases of RNN.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include <goldml/operators/rnn.hpp>
#include <goldml/oracle/arithmetic_data.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

template <>
struct sampler<rnn_desc> {
  using traits = operator_traits<rnn_desc>;
  using case_type = sampled_case<rnn_desc>;

  // Few steps and few numbers of state: a bound on one step depends on all before it.
  static case_type sample(random_source& random, goldml::feature_level level) {
    const operand_limits& limits = *limits_at(traits::operands[0], level);
    tensor_desc input{.data_type = random.pick(limits.data_types), .sizes = random.sizes(4, 4)};
    dimensions& x = input.sizes;
    x[0] = 1;
    if (std::uint64_t{x[1]} * x[2] > 64) x[1] = static_cast<std::uint32_t>(1 + random.below(4)), x[2] %= 4, ++x[2];
    auto hidden = static_cast<std::uint32_t>(1 + (random.chance(40) ? 0 : random.below(4)));
    if (random.tiles() && random.chance(50)) {  // W and R have no more elements than the input
      std::uint64_t most = 1;
      while ((most + 1) * (std::max)(most + 1, std::uint64_t{x[3]}) <= random.most_elements()) ++most;
      hidden = random.tile_size(most);
    }
    if (random.chance(8)) x = {1, 1, 1, 1}, hidden = 1;
    case_type result;
    result.desc.direction = static_cast<recurrent_network_direction>(random.below(3));
    const auto d = static_cast<std::uint32_t>(direction_count(result.desc));
    for (std::uint32_t i = 0; i < d; ++i) result.desc.activation_descs.push_back(any_activation(random));
    const auto tensor = [&](const dimensions& sizes) {
      return std::optional(tensor_desc{.data_type = input.data_type, .sizes = sizes});
    };
    const auto maybe = [&](std::optional<tensor_desc> t) { return random.chance(60) ? t : std::nullopt; };
    const std::uint32_t steps = x[1], batch = x[2], width = x[3];
    result.tensors = {input,
                      tensor({1, d, hidden, width}),
                      tensor({1, d, hidden, hidden}),
                      maybe(tensor({1, 1, d, 2 * hidden})),
                      maybe(tensor({1, d, batch, hidden})),
                      maybe(tensor_desc{.data_type = data_type::uint32, .sizes = {1, 1, 1, batch}}),
                      tensor({steps, d, batch, hidden}),
                      tensor({1, d, batch, hidden})};
    if (random.chance(30)) result.tensors[random.chance(50) ? traits::sequence : traits::single].reset();
    return result;
  }

  // Lengths up to that of the sequence, rarely 0.
  static void fill(random_source& random, const rnn_desc&, data_class data, std::span<host_tensor> inputs) {
    std::span<host_tensor> numbers = inputs.first(traits::lengths);
    detail::fill_for_arithmetic(random, data, numbers);
    host_tensor& lengths = inputs[traits::lengths];
    if (lengths.omitted()) return;
    const std::uint64_t steps = inputs[traits::input].desc().sizes[1];
    const auto view = lengths.ref().as<std::uint32_t>();
    for (std::uint32_t b = 0; b < lengths.desc().sizes[3]; ++b)
      view[{0, 0, 0, b}] = static_cast<std::uint32_t>(random.chance(10) ? 0 : 1 + random.below(steps));
  }

  static std::string_view break_rule(random_source& random, case_type& c) {
    const std::size_t i = random.below(traits::operands.size());
    if (!c.tensors[i]) return "";
    dimensions& sizes = c.tensors[i]->sizes;
    activation_list& f = c.desc.activation_descs;
    switch (random.below(8)) {
      case 0:
        if (i == traits::sequence) return "";
        ++sizes[0];
        return "RN2";
      case 1:
        if (i == traits::input || i == traits::lengths) return "";
        ++sizes[i == traits::bias ? 2 : 1];
        return "RN3";
      case 2:
        if (i == traits::weight || i == traits::input) return "";
        ++sizes[3];
        return "RN4";
      case 3:
        f.push_back(f[0]);
        return "RN5";
      case 4:
        f[0].has_tensors = true;
        return "AR7";
      case 5:
        f[0] = activations::softmax();
        return "AR8";
      case 6:
        c.tensors[traits::sequence].reset();
        c.tensors[traits::single].reset();
        return "RN7";
      default:
        if (i >= traits::sequence) return "";
        c.tensors[i]->flags = tensor_flags::owned_by_dml;
        return "RN9";
    }
  }

  static constexpr sampler_options<rnn_desc> options{.fill = &fill};

 private:
  static activation any_activation(random_source& random) {
    using enum arithmetic::activation_type;
    constexpr std::array types{identity, relu, arithmetic::activation_type::tanh};
    return {static_cast<std::uint32_t>(types[random.below(types.size())])};
  }
};

}  // namespace goldml::oracle
