// FILL_VALUE_CONSTANT by shaders.
#pragma once

#include <cstdint>
#include <span>

#include <goldml/d3d12/runtime/host_call.hpp>
#include <goldml/d3d12/strided_copy.hpp>
#include <goldml/operators/fill_value_constant.hpp>

namespace goldml::d3d12 {

template <>
struct program<fill_value_constant_desc> {
  static void record(recorder& work, const fill_value_constant_desc& desc, std::span<const buffer_tensor>,
                     std::span<const buffer_tensor> outputs) {
    record_fill(work, outputs[0], desc.value);
  }
};

}  // namespace goldml::d3d12

namespace goldml {

template <>
struct kernel<fill_value_constant_desc, d3d12::device> : d3d12::host_kernel<fill_value_constant_desc> {};

}  // namespace goldml
