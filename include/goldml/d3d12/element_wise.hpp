// ELEMENT_WISE_IDENTITY by shaders.
#pragma once

#include <cstdint>
#include <span>

#include <goldml/d3d12/runtime/host_call.hpp>
#include <goldml/d3d12/strided_copy.hpp>
#include <goldml/operators/element_wise.hpp>

namespace goldml::d3d12 {

template <>
struct program<element_wise_identity_desc> {
  static void record(recorder& work, const element_wise_identity_desc&, std::span<const buffer_tensor> inputs,
                     std::span<const buffer_tensor> outputs) {
    if (same_range(inputs[0].range, outputs[0].range)) return;  // in place: both have the same strides
    record_copy(work, outputs[0], inputs[0], outputs[0].desc.sizes);
  }
};

}  // namespace goldml::d3d12

namespace goldml {

template <>
struct kernel<element_wise_identity_desc, d3d12::device> : d3d12::host_kernel<element_wise_identity_desc> {};

}  // namespace goldml
