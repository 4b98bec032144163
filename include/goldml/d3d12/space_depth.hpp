// SPACE_TO_DEPTH, DEPTH_TO_SPACE and their 1-versions by shaders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <goldml/d3d12/runtime/host_call.hpp>
#include <goldml/d3d12/strided_copy.hpp>
#include <goldml/operators/space_depth.hpp>

namespace goldml::d3d12 {

template <goldml::detail::space_depth_operator Desc>
struct program<Desc> {
  static void record(recorder& work, const Desc& desc, std::span<const buffer_tensor> inputs,
                     std::span<const buffer_tensor> outputs) {
    constexpr bool to_depth = goldml::detail::is_to_depth<Desc>;
    const dimensions& space = to_depth ? inputs[0].desc.sizes : outputs[0].desc.sizes;
    const dimensions from = effective_strides(inputs[0].desc), to = effective_strides(outputs[0].desc);
    const std::uint32_t block = desc.block_size;
    // The steps of a channel and of a block's rows and columns in the channels of the depth form.
    const bool depth_last = goldml::detail::order_of(desc) == depth_space_order::depth_column_row;
    const std::uint64_t channel = depth_last ? 1 : std::uint64_t{block} * block;
    const std::uint64_t row = depth_last ? std::uint64_t{block} * space[1] : block;
    const std::uint64_t column = depth_last ? space[1] : 1;
    copied_box box;
    // Steps along the dimension i of the space form and j of the depth form.
    const auto add = [&](std::uint32_t size, std::size_t i, std::uint64_t space_steps, std::size_t j,
                         std::uint64_t depth_steps) {
      const std::uint64_t input_step = to_depth ? from[i] * space_steps : from[j] * depth_steps;
      const std::uint64_t output_step = to_depth ? to[j] * depth_steps : to[i] * space_steps;
      box.dimensions.push_back({size, static_cast<std::int64_t>(input_step), output_step});
    };
    add(space[0], 0, 1, 0, 1);
    add(space[1], 1, 1, 1, channel);
    add(block, 2, 1, 1, row);
    add(block, 3, 1, 1, column);
    add(space[2] / block, 2, block, 2, 1);
    add(space[3] / block, 3, block, 3, 1);
    record_copy(work, outputs[0], inputs[0], box);
  }
};

}  // namespace goldml::d3d12

namespace goldml {

template <detail::space_depth_operator Desc>
struct kernel<Desc, d3d12::device> : d3d12::host_kernel<Desc> {};

}  // namespace goldml
