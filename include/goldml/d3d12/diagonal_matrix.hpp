// DIAGONAL_MATRIX by shaders.
#pragma once

#include <cstdint>
#include <span>

#include <goldml/d3d12/diagonal_fill.hpp>
#include <goldml/d3d12/runtime/host_call.hpp>
#include <goldml/operators/diagonal_matrix.hpp>

namespace goldml::d3d12 {

template <>
struct program<diagonal_matrix_desc> {
  static void record(recorder& work, const diagonal_matrix_desc& desc, std::span<const buffer_tensor>,
                     std::span<const buffer_tensor> outputs) {
    const scalar value = *convert_value(desc.value, outputs[0].desc.data_type, desc.value_conversion);  // DM1 holds
    record_diagonal_fill(work, {.value = value, .begin = desc.offset, .end = std::int64_t{desc.offset} + 1}, outputs[0],
                         {});
  }
};

}  // namespace goldml::d3d12

namespace goldml {

template <>
struct kernel<diagonal_matrix_desc, d3d12::device> : d3d12::host_kernel<diagonal_matrix_desc> {};

}  // namespace goldml
