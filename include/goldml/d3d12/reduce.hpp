// REDUCE with ARGMIN and ARGMAX by the shaders of these operators. Its other functions are not implemented.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>

#include <goldml/d3d12/argmax.hpp>
#include <goldml/d3d12/argmin.hpp>
#include <goldml/d3d12/runtime/host_call.hpp>
#include <goldml/operators/reduce.hpp>

namespace goldml::d3d12 {

template <>
struct program<reduce_desc> {
  // The desc has a legal function.
  static std::string missing(const reduce_desc& desc) {
    if (operator_traits<reduce_desc>::gives_index(desc)) return {};
    return "REDUCE with the function " + std::string(enumerator_name(desc.function)) + ", which is not implemented";
  }
  static void record(recorder& work, const reduce_desc& desc, std::span<const buffer_tensor> inputs,
                     std::span<const buffer_tensor> outputs) {
    if (const std::string lacking = missing(desc); !lacking.empty())
      throw std::invalid_argument("goldml: d3d12: " + lacking);
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
  // A function that REDUCE does not have is left to RE1.
  static std::string missing(const reduce_desc& desc) {
    const bool legal = static_cast<std::size_t>(desc.function) < enumeration<reduce_function>::values.size();
    return legal ? d3d12::program<reduce_desc>::missing(desc) : std::string();
  }
};

}  // namespace goldml
