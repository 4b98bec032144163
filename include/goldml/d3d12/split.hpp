// SPLIT by shaders.
#pragma once

#include <cstdint>
#include <span>

#include <goldml/d3d12/runtime/host_call.hpp>
#include <goldml/d3d12/strided_copy.hpp>
#include <goldml/operators/split.hpp>

namespace goldml::d3d12 {

template <>
struct program<split_desc> {
  static void record(recorder& work, const split_desc& desc, std::span<const buffer_tensor> inputs,
                     std::span<const buffer_tensor> outputs) {
    const std::uint64_t step = effective_strides(inputs[0].desc)[desc.axis];
    std::uint64_t first = 0;
    for (const buffer_tensor& output : outputs) {
      record_copy(work, output, inputs[0], output.desc.sizes, 0, first);
      first += output.desc.sizes[desc.axis] * step;
    }
  }
};

}  // namespace goldml::d3d12

namespace goldml {

template <>
struct kernel<split_desc, d3d12::device> : d3d12::host_kernel<split_desc> {};

}  // namespace goldml
