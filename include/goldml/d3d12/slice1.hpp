// SLICE1 by shaders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <goldml/d3d12/runtime/host_call.hpp>
#include <goldml/d3d12/strided_copy.hpp>
#include <goldml/operators/slice1.hpp>

namespace goldml::d3d12 {

template <>
struct program<slice1_desc> {
  static void record(recorder& work, const slice1_desc& desc, std::span<const buffer_tensor> inputs,
                     std::span<const buffer_tensor> outputs) {
    const dimensions from = effective_strides(inputs[0].desc), to = effective_strides(outputs[0].desc);
    copied_box box;
    for (std::size_t i = 0; i < to.size(); ++i) {
      box.input_first += std::int64_t{slice1_position(desc, i, 0)} * from[i];
      box.dimensions.push_back({outputs[0].desc.sizes[i], std::int64_t{desc.input_window_strides[i]} * from[i], to[i]});
    }
    record_copy(work, outputs[0], inputs[0], box);
  }
};

}  // namespace goldml::d3d12

namespace goldml {

template <>
struct kernel<slice1_desc, d3d12::device> : d3d12::host_kernel<slice1_desc> {};

}  // namespace goldml
