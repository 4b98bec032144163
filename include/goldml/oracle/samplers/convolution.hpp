// Random cases of CONVOLUTION.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include <goldml/operators/convolution.hpp>
#include <goldml/oracle/arithmetic_data.hpp>
#include <goldml/oracle/fused_activation.hpp>
#include <goldml/oracle/sampler.hpp>
#include <goldml/reference/convolution.hpp>

namespace goldml::oracle {

template <>
struct sampler<convolution_desc> {
  using case_type = sampled_case<convolution_desc>;

  static case_type sample(random_source& random, goldml::feature_level level) {
    tensor_desc input = random_tensor(random, operator_traits<convolution_desc>::operands[0].limits, level);
    random.prefer_greatest(input.sizes, 1, 50);
    case_type result;
    convolution_desc& desc = result.desc;
    desc.mode = random.chance(50) ? convolution_mode::convolution : convolution_mode::cross_correlation;
    const bool backward = random.chance(50);
    desc.direction = backward ? convolution_direction::backward : convolution_direction::forward;
    tensor_desc filter{.data_type = input.data_type};
    sample_filter(random, input.sizes, desc, filter.sizes);
    if (random.chance(25)) desc.fused_activation = activations::relu();
    tensor_desc output{.data_type = input.data_type,
                       .sizes = convolution_output_sizes(desc, input.sizes, filter.sizes)};
    for (std::size_t i = 0; i < desc.strides.size() && backward; ++i)
      if (random.chance(20)) output.sizes[2 + i] += static_cast<std::uint32_t>(random.below(desc.strides[i]));
    result.tensors = {input, filter, std::nullopt, output};
    if (random.chance(50)) {
      tensor_desc bias{.data_type = input.data_type, .sizes = dimensions::filled(input.sizes.size(), 1)};
      bias.sizes[1] = output.sizes[1];
      result.tensors[2] = bias;
    }
    return result;
  }

  // The groups, the attributes of the axes and the sizes of the filter, for an input of these sizes and the direction.
  static void sample_filter(random_source& random, const dimensions& input, convolution_desc& desc,
                            dimensions& filter) {
    const bool backward = desc.direction == convolution_direction::backward;
    std::uint64_t room = room_to_grow(random, input);
    const std::uint32_t channels = input[1];
    if (random.chance(40))
      for (std::uint32_t divisor = 2; divisor <= 4; ++divisor)
        if (channels % divisor == 0) desc.group_count = divisor;
    const auto outputs = random.tiles() && random.chance(30)
                             ? random.tile_size(room)
                             : static_cast<std::uint32_t>(1 + random.below((std::min<std::uint64_t>)(room, 3)));
    room = (std::max<std::uint64_t>)(1, room / outputs);
    filter =
        backward ? dimensions{channels, outputs} : dimensions{desc.group_count * outputs, channels / desc.group_count};
    std::uint64_t filter_room = room_to_grow(random, filter);
    for (std::size_t i = 2; i < input.size(); ++i) sample_axis(random, input[i], room, filter_room, desc, filter);
  }

  static void fill(random_source& random, const convolution_desc&, data_class data, std::span<host_tensor> inputs) {
    detail::fill_for_arithmetic(random, data, inputs);
  }

  static std::string_view break_rule(random_source& random, case_type& c) {
    convolution_desc& desc = c.desc;
    const std::size_t axis = random.below(desc.strides.size());
    tensor_desc& output = *c.tensors[3];
    switch (random.below(9)) {
      case 0:
        desc.group_count = c.tensors[0]->sizes[1] + 1;
        return "CV5";
      case 1:
        ++c.tensors[1]->sizes[random.below(2)];
        return "CV6";
      case 2:
        ++output.sizes[0];
        return "CV7";
      case 3:
        return break_window(desc, axis, *c.tensors[0], *c.tensors[1]);
      case 4:
        output.sizes[2 + axis] += desc.strides[axis];
        return "CV9";
      case 5:
        if (!c.tensors[2]) return "";
        ++c.tensors[2]->sizes[random.below(c.tensors[2]->sizes.size())];
        return "CV10";
      case 6:
        desc.output_padding[axis] = (std::max)(desc.strides[axis], desc.dilations[axis]);
        return "CV12";
      case 7:
        desc.fused_activation = activations::softmax();
        return "AR8";
      default:
        return detail::break_fused(random, desc.fused_activation, desc.feature_level);
    }
  }

  static constexpr sampler_options<convolution_desc> options{.fill = &fill};

 private:
  // The attributes of an axis and its size in the filter. The output and the filter grow by `room` and `filter_room` at
  // most.
  static void sample_axis(random_source& random, std::uint32_t input, std::uint64_t& room, std::uint64_t& filter_room,
                          convolution_desc& desc, dimensions& filter) {
    const bool backward = desc.direction == convolution_direction::backward;
    const auto up_to = [&](std::uint64_t most, std::uint64_t or_else = (std::numeric_limits<std::uint64_t>::max)()) {
      return static_cast<std::uint32_t>(random.below((std::min)(most, or_else) + 1));
    };
    std::uint64_t left = (room - 1) * input;  // how much longer the output may be
    const std::uint32_t dilation = 1 + up_to(2);
    std::uint32_t stride = 1 + up_to(3), taps = 1, start = up_to(2), end = up_to(2), output_padding = 0;
    std::uint64_t output = 0;
    if (backward) {
      stride = 1 + up_to(3, input == 1 ? 3 : left / (input - 1));
      left -= std::uint64_t{stride - 1} * (input - 1);
      taps += up_to((std::min<std::uint64_t>)(2, filter_room - 1), left / dilation);
      left -= std::uint64_t{taps - 1} * dilation;
      output = std::uint64_t{stride} * (input - 1) + 1 + std::uint64_t{taps - 1} * dilation;
      if (start + end >= output) start = end = 0;  // nothing would be left
      if (random.chance(25)) output_padding = up_to((std::max)(stride, dilation) - 1, left);
      output += output_padding;
    } else {
      start = up_to(start, left);
      end = up_to(end, left - start);
      output = input + start + end;
      taps += up_to((std::min<std::uint64_t>)(2, filter_room - 1), (output - 1) / dilation);
    }
    desc.strides.push_back(stride);
    desc.dilations.push_back(dilation);
    desc.start_padding.push_back(start);
    desc.end_padding.push_back(end);
    desc.output_padding.push_back(output_padding);
    filter.push_back(taps);
    room = (std::max<std::uint64_t>)(1, room * input / output);
    filter_room = (std::max<std::uint64_t>)(1, filter_room / taps);
  }

  // A filter that is larger than the padded input, or padding that cuts the whole output.
  static std::string_view break_window(convolution_desc& desc, std::size_t axis, const tensor_desc& input,
                                       tensor_desc& filter) {
    const std::uint32_t size = input.sizes[2 + axis];
    if (desc.direction == convolution_direction::backward)
      desc.start_padding[axis] +=
          static_cast<std::uint32_t>(goldml::detail::convolution_output_size(desc, axis, size, filter.sizes[2 + axis]));
    else
      filter.sizes[2 + axis] = size + desc.start_padding[axis] + desc.end_padding[axis] + 1;
    return "CV8";
  }
};

}  // namespace goldml::oracle
