// Random cases of SLICE_GRAD.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <goldml/operators/slice_grad.hpp>
#include <goldml/oracle/sampler.hpp>
#include <goldml/oracle/samplers/slice_windows.hpp>
#include <goldml/reference/slice_grad.hpp>

namespace goldml::oracle {

template <>
struct sampler<slice_grad_desc> {
  static sampled_case<slice_grad_desc> sample(random_source& random, goldml::feature_level level) {
    sampled_case<slice_grad_desc> result;
    slice_grad_desc& desc = result.desc;
    const tensor_desc input = random_tensor(random, operator_traits<slice_grad_desc>::operands[0].limits, level);
    tensor_desc output = input;
    std::uint64_t room = room_to_grow(random, input.sizes);
    for (std::size_t i = 0; i < input.sizes.size(); ++i) {
      const std::uint64_t size = input.sizes[i];
      const auto magnitude = static_cast<std::int32_t>(1 + random.below((std::min<std::uint64_t>)(room, 3)));
      const bool is_long = size == 1 && random.chance(10);  // longer than every tensor
      const std::int32_t stride = is_long ? 0x7FFF'FFFF : magnitude;
      const std::uint64_t needed = 1 + (size - 1) * static_cast<std::uint64_t>(magnitude);
      const std::uint64_t slack = room * size - needed;  // what may be left free, in all
      const std::uint64_t window = needed + random.below((std::min<std::uint64_t>)(slack, 4) + 1);
      const std::uint64_t offset = random.below((std::min<std::uint64_t>)(slack + needed - window, 3) + 1);
      const std::uint64_t rest = random.below((std::min<std::uint64_t>)(slack + needed - window - offset, 3) + 1);
      desc.input_window_offsets.push_back(offset);
      desc.input_window_sizes.push_back(window);
      desc.input_window_strides.push_back(random.chance(40) ? -stride : stride);
      output.sizes[i] = static_cast<std::uint32_t>(offset + window + rest);
      room = (std::max<std::uint64_t>)(1, room * size / output.sizes[i]);
    }
    result.tensors = {input, output};
    return result;
  }

  static std::string_view break_rule(random_source& random, sampled_case<slice_grad_desc>& c) {
    return detail::break_window(random, c, 1, 0);
  }

  static constexpr sampler_options<slice_grad_desc> options{};
};

}  // namespace goldml::oracle
