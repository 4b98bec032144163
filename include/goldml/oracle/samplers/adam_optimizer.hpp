// Random cases of ADAM_OPTIMIZER.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <goldml/operators/adam_optimizer.hpp>
#include <goldml/oracle/arithmetic_data.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

template <>
struct sampler<adam_optimizer_desc> {
  using traits = operator_traits<adam_optimizer_desc>;
  using case_type = sampled_case<adam_optimizer_desc>;

  // Betas of few bits, with which small numbers give exact moments, or the usual ones; and an Epsilon that counts, or
  // the usual one.
  static case_type sample(random_source& random, goldml::feature_level level) {
    const tensor_desc tensor = random_tensor(random, traits::operands[0].limits, level);
    const operand_limits& limits = *limits_at(traits::operands[traits::step], level);
    tensor_desc step{.data_type = data_type::uint32};
    step.sizes = dimensions::filled(
        static_cast<std::size_t>(random.between(limits.fewest_dimensions, limits.most_dimensions)), 1);
    case_type result;
    for (auto& each : result.tensors) each = tensor;
    result.tensors[traits::step] = step;
    constexpr std::array<std::array<float, 2>, 4> betas{{{0.5F, 0.75F}, {0.9F, 0.999F}, {0.8F, 0.99F}, {0.0F, 0.5F}}};
    const auto& beta = betas[random.below(betas.size())];
    constexpr std::array<float, 4> rates{0.001F, 0.5F, 2.0F, -1.0F}, epsilons{1e-8F, 1e-3F, 0.25F, 1.0F};
    result.desc.learning_rate = rates[random.below(rates.size())];
    result.desc.beta1 = beta[0];
    result.desc.beta2 = beta[1];
    result.desc.epsilon = epsilons[random.below(epsilons.size())];
    return result;
  }

  // The second moment is a mean of squares. Small steps; now and then 0, or more than a FLOAT32 holds exactly.
  static void fill(random_source& random, const adam_optimizer_desc&, data_class data, std::span<host_tensor> inputs) {
    detail::fill_for_arithmetic(random, data, inputs.first(4));
    const host_tensor& second = inputs[traits::second];
    if (data == data_class::uniform || data == data_class::dense || data == data_class::ramp)
      visit_data_type(type_list<float, float16>{}, second.desc().data_type, [&]<class T>(std::type_identity<T>) {
        const tensor_view<T> view = inputs[traits::second].ref().as<T>();
        for (const coordinate_tuple& c : coordinates_of(second.desc().sizes))
          if (!is_zero(T(view[c])) && order_key(T(view[c])) < order_key(T(0))) view[c] = -T(view[c]);
      });
    const tensor_view<std::uint32_t> step = inputs[traits::step].ref().as<std::uint32_t>();
    const std::uint64_t kind = random.below(20);
    step[coordinate_tuple::filled(step.sizes().size(), 0)] = kind == 0   ? 0
                                                             : kind == 1 ? 0xFFFF'FFFFU
                                                             : kind == 2
                                                                 ? 0x100'0001U
                                                                 : static_cast<std::uint32_t>(1 + random.below(12));
  }

  static std::string_view break_rule(random_source& random, case_type& c) {
    dimensions& sizes = c.tensors[traits::step]->sizes;
    ++sizes[random.below(sizes.size())];
    return "AD4";
  }

  static constexpr sampler_options<adam_optimizer_desc> options{.fill = &fill};
};

}  // namespace goldml::oracle
