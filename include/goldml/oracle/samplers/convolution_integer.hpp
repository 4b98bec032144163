// Random cases of CONVOLUTION_INTEGER: those of CONVOLUTION, FORWARD.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <goldml/operators/convolution_integer.hpp>
#include <goldml/oracle/samplers/convolution.hpp>
#include <goldml/oracle/samplers/matrix_multiply_integer.hpp>

namespace goldml::oracle {

template <>
struct sampler<convolution_integer_desc> {
  using case_type = sampled_case<convolution_integer_desc>;
  static constexpr auto& operands = operator_traits<convolution_integer_desc>::operands;

  static case_type sample(random_source& random, goldml::feature_level level) {
    tensor_desc input = random_tensor(random, operands[0].limits, level);
    if (input.sizes.size() == 3) input.sizes.push_back(1);  // the policy one_dimensional refuses three dimensions
    convolution_desc forward;
    tensor_desc filter{.data_type = random.pick(goldml::detail::quantised_bytes)};
    sampler<convolution_desc>::sample_filter(random, input.sizes, forward, filter.sizes);
    tensor_desc output{.data_type = data_type::int32,
                       .sizes = convolution_output_sizes(forward, input.sizes, filter.sizes)};
    case_type result{{.strides = forward.strides,
                      .dilations = forward.dilations,
                      .start_padding = forward.start_padding,
                      .end_padding = forward.end_padding,
                      .group_count = forward.group_count},
                     {input, std::nullopt, filter, std::nullopt, output}};
    const operand_limits& zero_limits = *limits_at(operands[1], level);
    const std::size_t rank =
        zero_limits.fewest_dimensions + random.below(zero_limits.most_dimensions - zero_limits.fewest_dimensions + 1);
    const auto zero_point = [&](data_type type) {
      return tensor_desc{.data_type = type, .sizes = dimensions::filled(rank, 1)};
    };
    if (random.chance(70)) result.tensors[1] = zero_point(input.data_type);
    if (random.chance(70)) {
      result.tensors[3] = zero_point(filter.data_type);
      const std::size_t axis = rank == filter.sizes.size() ? 1 : random.below(rank);
      if (random.chance(60)) result.tensors[3]->sizes[axis] = filter.sizes[0];
    }
    return result;
  }

  static void fill(random_source& random, const convolution_integer_desc&, data_class data,
                   std::span<host_tensor> inputs) {
    detail::fill_with_bits(random, data, inputs);
  }

  static std::string_view break_rule(random_source& random, case_type& c) {
    convolution_integer_desc& desc = c.desc;
    auto& t = c.tensors;
    const std::size_t axis = random.below(desc.strides.size());
    switch (random.below(7)) {
      case 0:
        desc.group_count = t[0]->sizes[1] + 1;
        return "QC5";
      case 1:
        ++t[2]->sizes[1];
        return "QC6";
      case 2:
        ++t[4]->sizes[0];
        return "QC7";
      case 3:
        t[2]->sizes[2 + axis] = t[0]->sizes[2 + axis] + desc.start_padding[axis] + desc.end_padding[axis] + 1;
        return "QC8";
      case 4:
        t[4]->sizes[2 + axis] += desc.strides[axis];
        return "QC9";
      case 5:
        if (!t[1]) return "";
        t[1]->sizes[random.below(t[1]->sizes.size())] = 2;
        return "QC11";
      default:
        if (!t[3]) return "";
        t[3]->sizes[random.below(t[3]->sizes.size())] = t[2]->sizes[0] + 1;
        return "QC12";
    }
  }

  static constexpr sampler_options<convolution_integer_desc> options{.fill = &fill};
};

}  // namespace goldml::oracle
