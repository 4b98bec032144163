// Random cases of recurrent layers.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <goldml/operators/recurrent_rules.hpp>
#include <goldml/oracle/arithmetic_data.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

// The base of a sampler, which has any_activation(random, which of a direction).
template <class Desc>
struct recurrent_sampler {
  using traits = operator_traits<Desc>;
  using case_type = sampled_case<Desc>;
  static constexpr bool clips = requires(Desc desc) { desc.clip_threshold; };

  // Few steps and few numbers of state: a bound on one step depends on all before it.
  static case_type sample(random_source& random, goldml::feature_level level) {
    const operand_limits& limits = *limits_at(traits::operands[0], level);
    tensor_desc input{.data_type = random.pick(limits.data_types), .sizes = random.sizes(4, 4)};
    dimensions& x = input.sizes;
    x[0] = 1;
    if (std::uint64_t{x[1]} * x[2] > (random.tiles() ? 64 : 64 / traits::gates))
      x[1] = static_cast<std::uint32_t>(1 + random.below(4)), x[2] %= 4, ++x[2];
    auto hidden = static_cast<std::uint32_t>(1 + (random.chance(40) ? 0 : random.below(4)));
    if (random.tiles() && random.chance(50)) {  // W and R have no more elements than the input
      std::uint64_t most = 1;
      while (traits::gates * (most + 1) * (std::max)(most + 1, std::uint64_t{x[3]}) <= random.most_elements()) ++most;
      hidden = random.tile_size(most);
    }
    if (random.chance(8)) x = {1, 1, 1, 1}, hidden = 1;
    case_type result;
    result.desc.direction = static_cast<recurrent_network_direction>(random.below(3));
    for (std::size_t d = 0; d < direction_count(result.desc); ++d)
      for (std::size_t which = 0; which < traits::functions.size(); ++which)
        result.desc.activation_descs.push_back(sampler<Desc>::any_activation(random, which));
    const goldml::detail::recurrent_sizes sizes{x[1], x[2], x[3], hidden, direction_count(result.desc), traits::gates};
    for (std::size_t i = 0; i < traits::operands.size(); ++i) {
      tensor_desc tensor{.data_type = i == traits::lengths ? data_type::uint32 : input.data_type, .sizes = {}};
      for (const char letter : traits::shapes[i]) tensor.sizes.push_back(static_cast<std::uint32_t>(sizes[letter]));
      const bool optional = traits::operands[i].optional && i < traits::sequence;
      if (!optional || random.chance(60)) result.tensors[i] = i == 0 ? input : tensor;
    }
    // One output or more.
    if (random.chance(30)) {
      const std::size_t outputs = traits::operands.size() - traits::sequence;
      if (outputs == 2) {
        result.tensors[random.chance(50) ? traits::sequence : traits::single].reset();
      } else {
        const std::size_t kept = random.below(outputs);
        for (std::size_t i = 0; i < outputs; ++i)
          if (i != kept && random.chance(60)) result.tensors[traits::sequence + i].reset();
      }
    }
    return result;
  }

  // Of class exact: activations that do not round, and so few steps that no state of fill_exactly() needs more bits
  // than its type has.
  static void suit(random_source&, data_class data, case_type& c) {
    if (data != data_class::exact) return;
    activation_list& f = c.desc.activation_descs;
    for (std::size_t i = 0; i < f.size(); ++i) f[i] = sampler<Desc>::exact_activation(i % traits::functions.size());
    if constexpr (clips) c.desc.use_clip_threshold = true, c.desc.clip_threshold = 4;
    tensor_desc& input = *c.tensors[traits::input];
    const std::uint32_t most = sampler<Desc>::exact_steps[input.data_type == data_type::float16 ? 1 : 0];
    input.sizes[1] = (std::min)(input.sizes[1], most);
    if (c.tensors[traits::sequence]) c.tensors[traits::sequence]->sizes[0] = input.sizes[1];
  }

  // Small integers. Where nothing clips the gates, two weights of a row are not 0, and one of R.
  static void fill_exactly(random_source& random, std::span<host_tensor> inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (i == traits::lengths || inputs[i].omitted()) continue;
      const bool is_matrix = i == traits::weight || i == traits::recurrence;
      const bool is_small = i > traits::lengths || i == traits::recurrence || (!clips && i == traits::bias);
      const dimensions& sizes = inputs[i].desc().sizes;
      visit_data_type(type_list<float, float16>{}, inputs[i].desc().data_type, [&]<class T>(std::type_identity<T>) {
        const tensor_view<T> view = inputs[i].ref().template as<T>();
        std::array<std::uint64_t, 2> kept{};
        for (const coordinate_tuple& c : coordinates_of(sizes)) {
          std::int64_t value = is_small ? random.between(-1, 1) : random.between(-2, 2);
          if (is_matrix && !clips) {
            if (c[3] == 0)
              for (std::uint64_t& k : kept) k = random.below(sizes[3]);
            value = c[3] == kept[0] || (i == traits::weight && c[3] == kept[1]) ? (random.chance(50) ? 1 : -1) : 0;
          }
          view[c] = static_cast<T>(static_cast<float>(value));
        }
      });
    }
  }

  // Lengths up to that of the sequence, rarely 0.
  static void fill(random_source& random, const Desc&, data_class data, std::span<host_tensor> inputs) {
    if (data == data_class::exact) fill_exactly(random, inputs);
    detail::fill_for_arithmetic(random, data, inputs.first(traits::lengths));
    if (inputs.size() > traits::lengths + 1)
      detail::fill_for_arithmetic(random, data, inputs.subspan(traits::lengths + 1));
    host_tensor& lengths = inputs[traits::lengths];
    if (lengths.omitted()) return;
    const std::uint64_t steps = inputs[traits::input].desc().sizes[1];
    const auto view = lengths.ref().as<std::uint32_t>();
    for (std::uint32_t b = 0; b < lengths.desc().sizes[3]; ++b)
      view[{0, 0, 0, b}] =
          static_cast<std::uint32_t>(data != data_class::exact && random.chance(10) ? 0 : 1 + random.below(steps));
  }

  static std::string_view break_rule(random_source& random, case_type& c) {
    const std::size_t i = random.below(traits::operands.size());
    if (!c.tensors[i]) return "";
    dimensions& sizes = c.tensors[i]->sizes;
    const std::string_view shape = traits::shapes[i];
    activation_list& f = c.desc.activation_descs;
    switch (random.below(clips ? 9 : 8)) {
      case 0:
        if (i == traits::sequence) return "";
        ++sizes[0];
        return traits::rules.fixed;
      case 1:
        if (shape.find('D') == shape.npos) return "";
        ++sizes[shape.find('D')];
        return traits::rules.directions;
      case 2:
        if (i == traits::weight || i == traits::input) return "";
        ++sizes[3];
        return traits::rules.sizes;
      case 3:
        f.push_back(f[0]);
        return traits::rules.activations;
      case 4:
        f[0].has_tensors = true;
        return "AR7";
      case 5:
        f[0] = activations::softmax();
        return "AR8";
      case 6:
        for (std::size_t k = traits::sequence; k < traits::operands.size(); ++k) c.tensors[k].reset();
        return traits::rules.outputs;
      case 7:
        if (i >= traits::sequence) return "";
        c.tensors[i]->flags = tensor_flags::owned_by_dml;
        return traits::rules.owned;
      default:
        if constexpr (clips) {
          c.desc.use_clip_threshold = true;
          c.desc.clip_threshold = -1;
        }
        return "LS11";
    }
  }

  static constexpr sampler_options<Desc> options{.suit = &suit, .fill = &fill};
};

// The base of a sampler of a layer with gates.
template <class Desc>
struct gated_sampler : recurrent_sampler<Desc> {
  // Mostly SIGMOID for the gates, and TANH elsewhere.
  static activation any_activation(random_source& random, std::size_t which) {
    using enum arithmetic::activation_type;
    constexpr std::array types{identity, relu, arithmetic::activation_type::tanh, softsign};
    const auto usual = which == 0 ? arithmetic::activation_type::sigmoid : arithmetic::activation_type::tanh;
    return {static_cast<std::uint32_t>(random.chance(60) ? usual : types[random.below(types.size())])};
  }
};

}  // namespace goldml::oracle
