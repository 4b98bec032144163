// TILE on the CPU.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>

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
                  const tile_desc&) {
    const detail::host_input input(inputs[0]);
    const detail::host_output output(outputs[0]);
    detail::growing_tensor<Backend> tensor(backend, input, output, dimensions::filled(input.sizes.size(), 0),
                                           element_size_in_bytes(outputs[0].desc().data_type));
    for (std::size_t i = input.sizes.size(); i-- > 0;) {
      tensor.repeat_after(i, 0, input.sizes[i]);
      tensor.finish(i);
    }
  }
};

}  // namespace goldml

#ifdef GOLDML_COMPILED
namespace goldml {
// clang-format off
extern template void evaluate<tile_desc, cpu_backend>(const cpu_backend&, const tile_desc&, std::span<const const_tensor_ref>, std::span<const tensor_ref>);
// clang-format on
}  // namespace goldml
#endif
