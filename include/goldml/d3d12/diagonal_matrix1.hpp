// DIAGONAL_MATRIX1 by shaders.
#pragma once

#include <span>

#include <goldml/d3d12/diagonal_fill.hpp>
#include <goldml/d3d12/runtime/host_call.hpp>
#include <goldml/operators/diagonal_matrix1.hpp>

namespace goldml::d3d12 {

template <>
struct program<diagonal_matrix1_desc> {
  static void record(recorder& work, const diagonal_matrix1_desc& desc, std::span<const buffer_tensor> inputs,
                     std::span<const buffer_tensor> outputs) {
    record_diagonal_fill(work, {.value = desc.value, .begin = desc.diagonal_fill_begin, .end = desc.diagonal_fill_end},
                         outputs[0], inputs[0]);
  }
};

}  // namespace goldml::d3d12

namespace goldml {

template <>
struct kernel<diagonal_matrix1_desc, d3d12::device> : d3d12::host_kernel<diagonal_matrix1_desc> {};

}  // namespace goldml
