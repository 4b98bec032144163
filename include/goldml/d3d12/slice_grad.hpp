// SLICE_GRAD by shaders: zeros, then the elements of the window.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <goldml/d3d12/runtime/host_call.hpp>
#include <goldml/d3d12/strided_copy.hpp>
#include <goldml/operators/slice_grad.hpp>

namespace goldml::d3d12 {

template <>
struct program<slice_grad_desc> {
  static void record(recorder& work, const slice_grad_desc& desc, std::span<const buffer_tensor> inputs,
                     std::span<const buffer_tensor> outputs) {
    record_fill(work, outputs[0], {});
    const dimensions& sizes = inputs[0].desc.sizes;
    const dimensions from = effective_strides(inputs[0].desc), to = effective_strides(outputs[0].desc);
    copied_box box;  // in ascending order of the output: against the input's order where the stride is negative
    for (std::size_t i = 0; i < to.size(); ++i) {
      const bool reversed = desc.input_window_strides[i] < 0;
      const std::uint32_t first = reversed ? sizes[i] - 1 : 0;
      const std::int64_t step = from[i];
      box.input_first += first * step;
      box.output_first += std::uint64_t{slice1_position(desc, i, first)} * to[i];
      box.dimensions.push_back(
          {sizes[i], reversed ? -step : step, stride_magnitude(desc.input_window_strides[i]) * to[i]});
    }
    record_copy(work, outputs[0], inputs[0], box);
  }
};

}  // namespace goldml::d3d12

namespace goldml {

template <>
struct kernel<slice_grad_desc, d3d12::device> : d3d12::host_kernel<slice_grad_desc> {};

}  // namespace goldml
