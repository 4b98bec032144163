// NONZERO_COORDINATES by shaders, in two passes: which elements are not zero, as bits (nonzero_mask*.hlsl), and their
// coordinates (nonzero_coordinates*.hlsl). Rows beyond the count stay as they were.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <goldml/d3d12/host_call.hpp>
#include <goldml/d3d12/shaders.hpp>
#include <goldml/d3d12/tensor_layout.hpp>
#include <goldml/operators/nonzero_coordinates.hpp>

namespace goldml::d3d12 {

template <>
struct program<nonzero_coordinates_desc> {
  static constexpr bool partial_outputs = true;

  static void record(recorder& work, const nonzero_coordinates_desc&, std::span<const buffer_tensor> inputs,
                     std::span<const buffer_tensor> outputs) {
    const buffer_tensor& input = inputs[0];
    const auto elements = static_cast<std::uint32_t>(element_count(input.desc.sizes));
    const std::uint64_t blocks = divide_up(elements, block_elements);
    const std::uint64_t per_group = divide_up(blocks, (std::min)(blocks, most_counts));
    const parts p{elements, static_cast<std::uint32_t>(blocks), static_cast<std::uint32_t>(per_group),
                  static_cast<std::uint32_t>(divide_up(blocks, per_group)), work.scratch(blocks * block_elements / 8),
                  work.scratch(most_counts * 4)};
    record_mask(work, input, p);
    record_coordinates(work, input.desc.sizes, outputs[0], outputs[1], p);
  }

 private:
  static constexpr std::uint64_t block_elements = 8192;  // that a group takes at once
  static constexpr std::uint64_t most_counts = 4096;     // each adds up the counts of those before it

  struct parts {
    std::uint32_t elements;
    std::uint32_t blocks;
    std::uint32_t per_group;
    std::uint32_t groups;
    buffer_range mask;    // one bit an element
    buffer_range counts;  // one word a group
  };

  // The bits of a word that make its elements other than zero.
  static std::uint32_t value_mask(data_type type) {
    switch (type) {
      case data_type::float32:
        return 0x7FFF'FFFF;
      case data_type::float16:
        return 0x7FFF'7FFF;
      default:
        return 0xFFFF'FFFF;
    }
  }

  static void record_mask(recorder& work, const buffer_tensor& input, const parts& parts) {
    dimension_rows rows;
    const dimensions strides = effective_strides(input.desc);
    for (std::size_t i = strides.size(); i-- > 0;) rows.add({input.desc.sizes[i], {strides[i], 0, 0}});
    rows.merge();
    const std::uint32_t size = size_log2(input.desc.data_type);
    const bool packed = rows.count() == 1 && (rows[0].steps[0] == 1 || parts.elements == 1);
    pass p;
    p.groups = grid(parts.groups);
    const std::vector<std::uint32_t> constants{parts.elements, parts.blocks, parts.per_group, parts.groups,
                                               p.groups[0]};
    if (work.may_use_tables() && packed && fits(vectors(input.range)) &&
        (work.must_use_tables() || parts.elements >= block_elements)) {
      p.code = &shaders::nonzero_mask_vectors;
      p.constants = constants;
      p.constants.insert(p.constants.end(), {size, value_mask(input.desc.data_type)});
      p.reads = {vectors(input.range)};
      p.writes = {words(parts.mask), words(parts.counts)};
      work.dispatch(p);
      return;
    }
    p.block = block_of({&rows});
    p.writes = {structured(parts.mask), raw(parts.counts)};
    std::uint32_t add = 0;
    for (const element_window& from : windows_of(input)) {
      p.constants = constants;
      p.constants.insert(p.constants.end(), {from.begin, from.count, add, static_cast<std::uint32_t>(rows.count()),
                                             size, value_mask(input.desc.data_type)});
      p.reads = {raw(from.range)};
      dispatch_raw(work, shaders::nonzero_mask, shaders::nonzero_mask_in_table, p);
      add = 1;
    }
  }

  static void record_coordinates(recorder& work, const dimensions& input_sizes, const buffer_tensor& count,
                                 const buffer_tensor& coordinates, const parts& parts) {
    const std::uint32_t columns = coordinates.desc.sizes.back();
    const dimensions strides = effective_strides(coordinates.desc);
    const std::size_t last = strides.size() - 1;
    dimension_rows rows;
    for (std::uint32_t j = 0; j < columns; ++j) rows.add({input_sizes[input_sizes.size() - 1 - j], {}});
    pass p;
    p.groups = grid(parts.groups);
    p.block = block_of({&rows});
    p.reads = {raw(parts.mask), raw(parts.counts)};
    const auto set_window = [&](const view& to, std::uint32_t begin, std::uint32_t size) {
      p.constants = {parts.blocks, parts.per_group,   parts.groups,  p.groups[0], input_sizes.back(),
                     columns,      strides[last - 1], strides[last], begin,       size};
      p.writes = {to, raw(count.range)};
    };
    const bool packed = strides[last] == 1 && strides[last - 1] == columns && (columns == 2 || columns == 4);
    const view_kind kind = columns == 2 ? view_kind::pairs : view_kind::vectors;
    if (work.may_use_tables() && packed && (work.must_use_tables() || parts.elements >= block_elements)) {
      p.code = columns == 2 ? &shaders::nonzero_coordinates_pairs : &shaders::nonzero_coordinates_vectors;
      for (std::uint64_t row = 0; row < parts.elements; row += most_view_elements) {
        const std::uint64_t count_of_rows = (std::min)(parts.elements - row, most_view_elements);
        const std::uint64_t bytes = element_bytes(kind);
        set_window({coordinates.range.part(row * bytes, count_of_rows * bytes), kind}, static_cast<std::uint32_t>(row),
                   static_cast<std::uint32_t>(count_of_rows));
        work.dispatch(p);
      }
      return;
    }
    for (const element_window& to : windows_of(coordinates)) {
      set_window(raw(to.range), to.begin, to.count);
      dispatch_raw(work, shaders::nonzero_coordinates, shaders::nonzero_coordinates_in_table, p);
    }
  }
};

}  // namespace goldml::d3d12

namespace goldml {

template <>
struct kernel<nonzero_coordinates_desc, d3d12::device> {
  static void run(const d3d12::device& gpu, const const_tensor_ref& input, const tensor_ref& count,
                  const tensor_ref& coordinates, const nonzero_coordinates_desc& desc) {
    d3d12::run_on_host_memory<nonzero_coordinates_desc>(gpu, desc, {input}, {count, coordinates});
  }
};

}  // namespace goldml
