// Random cases of QUANTIZED_LINEAR_AVERAGE_POOLING.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include <goldml/operators/quantized_linear_average_pooling.hpp>
#include <goldml/oracle/samplers/quantised_data.hpp>
#include <goldml/oracle/samplers/windows.hpp>

namespace goldml::oracle {

template <>
struct sampler<quantized_linear_average_pooling_desc> {
  using case_type = sampled_case<quantized_linear_average_pooling_desc>;
  static constexpr auto& operands = operator_traits<quantized_linear_average_pooling_desc>::operands;

  static case_type sample(random_source& random, goldml::feature_level level) {
    const tensor_desc input = random_tensor(random, operands[0].limits, level);
    case_type result;
    const tensor_desc output{.data_type = random.pick(goldml::detail::quantised_bytes),
                             .sizes = detail::sample_windows_of(random, input.sizes, result.desc)};
    result.desc.include_padding = random.chance(50);
    result.tensors[0] = input;
    result.tensors[5] = output;
    for (std::size_t i = 1; i < 5; ++i) {
      const bool is_scale = !operands[i].optional;
      if (!is_scale && random.chance(30)) continue;
      const std::size_t rank = detail::random_rank(random, *limits_at(operands[i], level));
      tensor_desc line{
          .data_type = is_scale ? data_type::float32 : result.tensors[operands[i].same_data_type_as.operand]->data_type,
          .sizes = dimensions::filled(rank, 1)};
      const std::size_t axis = rank == input.sizes.size() ? 1 : random.below(rank);
      if (random.chance(60)) line.sizes[axis] = input.sizes[1];
      result.tensors[i] = line;
    }
    return result;
  }

  static void fill(random_source& random, const quantized_linear_average_pooling_desc&, data_class data,
                   std::span<host_tensor> inputs) {
    detail::fill_quantised(random, data, inputs, 1.0 / 256);
  }

  static std::string_view break_rule(random_source& random, case_type& c) {
    auto& t = c.tensors;
    const std::size_t which = random.below(4);
    if (which == 3) return detail::grow_parameter(random, t[1 + random.below(4)], t[0]->sizes[1]) ? "QP8" : "";
    detail::break_windows(random, static_cast<unsigned>(6 + which), t[0]->sizes, c.desc, t[5]->sizes);
    constexpr std::array<std::string_view, 3> codes{"QP5", "QP6", "QP7"};
    return codes[which];
  }

  static constexpr sampler_options<quantized_linear_average_pooling_desc> options{.fill = &fill};
};

}  // namespace goldml::oracle
