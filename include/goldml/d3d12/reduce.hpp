// REDUCE with ARGMIN and ARGMAX by the shaders of these operators. Other functions are refused.
#pragma once

#include <span>
#include <stdexcept>

#include <goldml/d3d12/argmax.hpp>
#include <goldml/d3d12/argmin.hpp>
#include <goldml/d3d12/runtime/host_call.hpp>
#include <goldml/operators/reduce.hpp>

namespace goldml::d3d12 {

template <>
struct program<reduce_desc> {
  static void record(recorder& work, const reduce_desc& desc, std::span<const buffer_tensor> inputs,
                     std::span<const buffer_tensor> outputs) {
    if (!goldml::detail::gives_index(desc))
      throw std::invalid_argument("goldml: d3d12: REDUCE is computed with ARGMIN and ARGMAX only");
    if (desc.function == reduce_function::argmin)
      program<argmin_desc>::record(work, {.axes = desc.axes, .nan_policy = desc.nan_policy}, inputs, outputs);
    else
      program<argmax_desc>::record(work, {.axes = desc.axes, .nan_policy = desc.nan_policy}, inputs, outputs);
  }
};

}  // namespace goldml::d3d12

namespace goldml {

template <>
struct kernel<reduce_desc, d3d12::device> : d3d12::host_kernel<reduce_desc> {
  static bool computes(const reduce_desc& desc) { return detail::gives_index(desc); }
};

}  // namespace goldml
