// REVERSE_SUBSEQUENCES by shaders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <goldml/d3d12/runtime/host_call.hpp>
#include <goldml/d3d12/runtime/tensor_layout.hpp>
#include <goldml/d3d12/shaders/reverse_subsequences.dxbc.hpp>
#include <goldml/operators/reverse_subsequences.hpp>

namespace goldml::d3d12 {

template <>
struct program<reverse_subsequences_desc> {
  static void record(recorder& work, const reverse_subsequences_desc& desc, std::span<const buffer_tensor> inputs,
                     std::span<const buffer_tensor> outputs) {
    const buffer_tensor &input = inputs[0], &lengths = inputs[1], &output = outputs[0];
    const dimensions& sizes = output.desc.sizes;
    const dimensions from = effective_strides(input.desc), to = effective_strides(output.desc);
    const dimensions at = effective_strides(lengths.desc);
    dimension_rows rows;  // not merged: the axis is one of them
    for (std::size_t i = sizes.size(); i-- > 0;) rows.add({sizes[i], {i == desc.axis ? 0 : at[i], from[i], to[i]}});
    const std::uint32_t elements = rows.elements();
    const group_counts groups = grid(divide_up(elements, 256));
    for (const element_window& out : windows_of(output))
      for (const element_window& length : windows_of(lengths))
        for (const element_window& in : windows_of(input)) {
          pass p =
              pass_of<shaders::reverse_subsequences>(groups,
                                                     {.elements = elements,
                                                      .dimension_count = static_cast<std::uint32_t>(rows.count()),
                                                      .size_log2 = size_log2(output.desc.data_type),
                                                      .lengths_log2 = size_log2(lengths.desc.data_type),
                                                      .axis = static_cast<std::uint32_t>(sizes.size() - 1 - desc.axis),
                                                      .lengths_begin = length.begin,
                                                      .lengths_count = length.count,
                                                      .input_begin = in.begin,
                                                      .input_count = in.count,
                                                      .output_begin = out.begin,
                                                      .output_count = out.count,
                                                      .groups_x = groups[0]},
                                                     {.dimension = rows.constants()});
          p.reads = {raw(in.range), raw(length.range)};
          p.writes = {structured(out.range)};
          dispatch_raw(work, std::move(p));
        }
  }
};

}  // namespace goldml::d3d12

namespace goldml {

template <>
struct kernel<reverse_subsequences_desc, d3d12::device> : d3d12::host_kernel<reverse_subsequences_desc> {};

}  // namespace goldml
