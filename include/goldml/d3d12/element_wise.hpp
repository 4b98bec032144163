// ELEMENT_WISE_IDENTITY by shaders.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include <goldml/d3d12/runtime/host_call.hpp>
#include <goldml/d3d12/strided_copy.hpp>
#include <goldml/operators/element_wise.hpp>

namespace goldml::d3d12 {

template <>
struct program<element_wise_identity_desc> {
  // What of a desc has no shader; empty if all of it has.
  static std::string missing(const element_wise_identity_desc& desc) {
    return desc.scale_bias ? "ELEMENT_WISE_IDENTITY with ScaleBias, which is not implemented" : "";
  }

  static void record(recorder& work, const element_wise_identity_desc& desc, std::span<const buffer_tensor> inputs,
                     std::span<const buffer_tensor> outputs) {
    if (const std::string lacking = missing(desc); !lacking.empty())
      throw std::invalid_argument("goldml: d3d12: " + lacking);
    if (same_range(inputs[0].range, outputs[0].range)) return;  // in place: both have the same strides
    record_copy(work, outputs[0], inputs[0], outputs[0].desc.sizes);
  }
};

}  // namespace goldml::d3d12

namespace goldml {

template <>
struct kernel<element_wise_identity_desc, d3d12::device> : d3d12::host_kernel<element_wise_identity_desc> {
  static std::string missing(const element_wise_identity_desc& desc) {
    return d3d12::program<element_wise_identity_desc>::missing(desc);
  }
};

}  // namespace goldml
