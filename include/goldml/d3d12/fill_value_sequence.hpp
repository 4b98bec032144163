// FILL_VALUE_SEQUENCE of integers by shaders. Those of floats are not implemented.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include <goldml/d3d12/runtime/host_call.hpp>
#include <goldml/d3d12/runtime/tensor_layout.hpp>
#include <goldml/d3d12/shaders/fill_value_sequence.dxbc.hpp>
#include <goldml/operators/fill_value_sequence.hpp>

namespace goldml::d3d12 {

template <>
struct program<fill_value_sequence_desc> {
  static std::string missing(const fill_value_sequence_desc& desc) {
    for (const scalar& value : {desc.value_start, desc.value_delta})
      if (value.type() == data_type::float32 || value.type() == data_type::float16)
        return "FILL_VALUE_SEQUENCE of floats, which is not implemented";
    return {};
  }
  static void record(recorder& work, const fill_value_sequence_desc& desc, std::span<const buffer_tensor>,
                     std::span<const buffer_tensor> outputs) {
    if (const std::string lacking = missing(desc); !lacking.empty())
      throw std::invalid_argument("goldml: d3d12: " + lacking);
    const buffer_tensor& output = outputs[0];
    const dimensions to = effective_strides(output.desc);
    dimension_rows rows;  // in row-major order, in which elements are numbered
    for (std::size_t i = to.size(); i-- > 0;) rows.add({output.desc.sizes[i], {to[i], 0, 0}});
    rows.merge();
    const auto start = desc.value_start.as<std::uint64_t>(), delta = desc.value_delta.as<std::uint64_t>();
    const std::uint32_t elements = rows.elements();
    const group_counts groups = grid(divide_up(elements, 256));
    for (const element_window& window : windows_of(output)) {
      pass p = pass_of<shaders::fill_value_sequence>(groups,
                                                     {.elements = elements,
                                                      .dimension_count = static_cast<std::uint32_t>(rows.count()),
                                                      .size_log2 = size_log2(output.desc.data_type),
                                                      .start_low = static_cast<std::uint32_t>(start),
                                                      .start_high = static_cast<std::uint32_t>(start >> 32),
                                                      .delta_low = static_cast<std::uint32_t>(delta),
                                                      .delta_high = static_cast<std::uint32_t>(delta >> 32),
                                                      .output_begin = window.begin,
                                                      .output_count = window.count,
                                                      .groups_x = groups[0]},
                                                     {.dimension = rows.constants()});
      p.writes = {structured(window.range)};
      dispatch_raw(work, std::move(p));
    }
  }
};

}  // namespace goldml::d3d12

namespace goldml {

template <>
struct kernel<fill_value_sequence_desc, d3d12::device> : d3d12::host_kernel<fill_value_sequence_desc> {
  static std::string missing(const fill_value_sequence_desc& desc) {
    return d3d12::program<fill_value_sequence_desc>::missing(desc);
  }
};

}  // namespace goldml
