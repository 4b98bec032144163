// SPACE_TO_DEPTH, SPACE_TO_DEPTH1, DEPTH_TO_SPACE and DEPTH_TO_SPACE1 on the CPU.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/move.hpp>
#include <goldml/operators/space_depth.hpp>

namespace goldml {

template <detail::space_depth_operator Desc>
struct kernel<Desc, cpu_backend> {
  // A template, so that only a unit with a run-time call instantiates the engine for all widths.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const Desc& desc) {
    const detail::host_input input(inputs[0]);
    const detail::host_output output(outputs[0]);
    const dimensions& space = detail::is_to_depth<Desc> ? input.sizes : output.sizes;
    const std::uint64_t block = desc.block_size;
    // The steps of a channel and of a block's rows and columns in the channels of the depth form.
    const bool depth_last = detail::order_of(desc) == depth_space_order::depth_column_row;
    const std::uint64_t channel = depth_last ? 1 : block * block;
    const std::uint64_t row = depth_last ? block * space[1] : block;
    const std::uint64_t column = depth_last ? space[1] : 1;
    detail::visit_width(outputs[0].desc().data_type, [&]<std::size_t Size>(std::integral_constant<std::size_t, Size>) {
      detail::loop_nest<2> loops;
      // Strides in elements, of the dimension i of the space form and j of the depth form.
      const auto add = [&](std::uint64_t size, std::size_t i, std::uint64_t space_steps, std::size_t j,
                           std::uint64_t depth_steps) {
        const std::uint64_t to =
            detail::is_to_depth<Desc> ? output.strides[j] * depth_steps : output.strides[i] * space_steps;
        const std::uint64_t from =
            detail::is_to_depth<Desc> ? input.strides[i] * space_steps : input.strides[j] * depth_steps;
        loops.add(size, {to * Size, from * Size});
      };
      add(space[0], 0, 1, 0, 1);
      add(space[1], 1, 1, 1, channel);
      add(block, 2, 1, 1, row);
      add(block, 3, 1, 1, column);
      add(space[2] / block, 2, block, 2, 1);
      add(space[3] / block, 3, block, 3, 1);
      detail::copy_elements<Size>(backend, loops, output.data, input.data);
    });
  }
};

}  // namespace goldml
