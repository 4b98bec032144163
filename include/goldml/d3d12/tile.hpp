// TILE by shaders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <goldml/d3d12/runtime/host_call.hpp>
#include <goldml/d3d12/strided_copy.hpp>
#include <goldml/operators/tile.hpp>

namespace goldml::d3d12 {

template <>
struct program<tile_desc> {
  static void record(recorder& work, const tile_desc& desc, std::span<const buffer_tensor> inputs,
                     std::span<const buffer_tensor> outputs) {
    const dimensions& sizes = inputs[0].desc.sizes;
    const dimensions from = effective_strides(inputs[0].desc), to = effective_strides(outputs[0].desc);
    copied_box box;
    for (std::size_t i = 0; i < to.size(); ++i) {
      box.dimensions.push_back({sizes[i], from[i], to[i]});
      box.dimensions.push_back({desc.repeats[i], 0, std::uint64_t{sizes[i]} * to[i]});
    }
    record_copy(work, outputs[0], inputs[0], box);
  }
};

}  // namespace goldml::d3d12

namespace goldml {

template <>
struct kernel<tile_desc, d3d12::device> : d3d12::host_kernel<tile_desc> {};

}  // namespace goldml
