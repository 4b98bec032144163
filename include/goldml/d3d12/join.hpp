// JOIN by shaders.
#pragma once

#include <cstdint>
#include <span>

#include <goldml/d3d12/runtime/host_call.hpp>
#include <goldml/d3d12/strided_copy.hpp>
#include <goldml/operators/join.hpp>

namespace goldml::d3d12 {

template <>
struct program<join_desc> {
  static void record(recorder& work, const join_desc& desc, std::span<const buffer_tensor> inputs,
                     std::span<const buffer_tensor> outputs) {
    const std::uint64_t step = effective_strides(outputs[0].desc)[desc.axis];
    std::uint64_t first = 0;
    for (const buffer_tensor& input : inputs) {
      record_copy(work, outputs[0], input, input.desc.sizes, first);
      first += input.desc.sizes[desc.axis] * step;
    }
  }
};

}  // namespace goldml::d3d12

namespace goldml {

template <>
struct kernel<join_desc, d3d12::device> : d3d12::host_kernel<join_desc> {};

}  // namespace goldml
