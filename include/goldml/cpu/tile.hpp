// TILE on the CPU.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/move/grow.hpp>
#include <goldml/operators/tile.hpp>

namespace goldml {

template <>
struct kernel<tile_desc, cpu_backend> {
  // A template, so that only a unit with a run-time call instantiates the engine for all widths.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const tile_desc& desc) {
    const detail::host_input input(inputs[0]);
    const detail::host_output output(outputs[0]);
    const data_type type = outputs[0].desc().data_type;
    if (has_long_runs(desc, input.sizes, element_size_in_bytes(type))) {
      detail::visit_width(type, [&]<std::size_t Size>(std::integral_constant<std::size_t, Size>) {
        detail::loop_nest<2> loops;
        for (std::size_t i = 0; i < input.sizes.size(); ++i) {
          const std::uint64_t stride = std::uint64_t{output.strides[i]} * Size;
          loops.add(desc.repeats[i], {input.sizes[i] * stride, 0});
          loops.add(input.sizes[i], {stride, std::uint64_t{input.strides[i]} * Size});
        }
        detail::copy_elements<Size>(backend, loops, output.data, input.data);
      });
      return;
    }
    detail::growing_tensor<Backend> tensor(backend, input, output, dimensions::filled(input.sizes.size(), 0),
                                           element_size_in_bytes(type));
    for (std::size_t i = input.sizes.size(); i-- > 0;) {
      tensor.repeat_after(i, 0, input.sizes[i]);
      tensor.finish(i);
    }
  }

 private:
  // Whether the input is copied directly: there are not too many loops over its elements and repeats, and what is
  // repeated first is long. Otherwise the output grows by copies of its own elements.
  static bool has_long_runs(const tile_desc& desc, const dimensions& sizes, std::size_t width) {
    std::size_t loops = 0;
    std::uint64_t run = width;
    bool repeated = false;
    for (std::size_t i = sizes.size(); i-- > 0;) {
      loops += (sizes[i] != 1 ? 1U : 0U) + (desc.repeats[i] != 1 ? 1U : 0U);
      if (!repeated) run *= sizes[i];
      repeated = repeated || desc.repeats[i] != 1;
    }
    return loops <= dimensions::capacity && run >= 1024;
  }
};

}  // namespace goldml
