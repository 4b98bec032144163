// NONZERO_COORDINATES by shaders, in two passes: a bitmap of the nonzero elements (nonzero_mask*.hlsl), then their
// coordinates (nonzero_coordinates*.hlsl). Rows past the count are unchanged.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include <goldml/d3d12/runtime/host_call.hpp>
#include <goldml/d3d12/runtime/tensor_layout.hpp>
#include <goldml/d3d12/shaders/nonzero_coordinates.dxbc.hpp>
#include <goldml/operators/nonzero_coordinates.hpp>

namespace goldml::d3d12 {

template <>
struct program<nonzero_coordinates_desc> {
  static void record(recorder& work, const nonzero_coordinates_desc&, std::span<const buffer_tensor> inputs,
                     std::span<const buffer_tensor> outputs) {
    const buffer_tensor& input = inputs[0];
    const auto elements = static_cast<std::uint32_t>(element_count(input.desc.sizes));
    const std::uint64_t blocks = divide_up(elements, block_elements);
    const std::uint64_t per_group = divide_up(blocks, (std::min)(blocks, most_counts));
    const parts p{elements,
                  static_cast<std::uint32_t>(blocks),
                  static_cast<std::uint32_t>(per_group),
                  static_cast<std::uint32_t>(divide_up(blocks, per_group)),
                  work.scratch(blocks * block_elements / 8),
                  work.scratch(most_counts * 4)};
    record_mask(work, input, p);
    record_coordinates(work, input.desc.sizes, outputs[0], outputs[1], p);
  }

 private:
  static constexpr std::uint64_t block_elements = 8192;  // elements that a group handles at a time
  static constexpr std::uint64_t most_counts = 4096;     // bounds the counts that each group adds up

  struct parts {
    std::uint32_t elements;
    std::uint32_t blocks;
    std::uint32_t per_group;
    std::uint32_t groups;
    buffer_range mask;    // one bit per element
    buffer_range counts;  // one word per group
  };

  // The bits of a word of elements that make an element nonzero.
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
    const group_counts groups = grid(parts.groups);
    if (work.may_use_tables() && packed && fits(vectors(input.range)) &&
        (work.must_use_tables() || parts.elements >= block_elements)) {
      pass p = pass_of<shaders::nonzero_mask_vectors>(groups, {.count = parts.elements,
                                                               .blocks = parts.blocks,
                                                               .per_group = parts.per_group,
                                                               .groups = parts.groups,
                                                               .groups_x = groups[0],
                                                               .size_log2 = size,
                                                               .value_mask = value_mask(input.desc.data_type)});
      p.reads = {vectors(input.range)};
      p.writes = {words(parts.mask), words(parts.counts)};
      work.dispatch(p);
      return;
    }
    std::uint32_t add = 0;
    for (const element_window& from : windows_of(input)) {
      pass p = pass_of<shaders::nonzero_mask>(groups,
                                              {.count = parts.elements,
                                               .blocks = parts.blocks,
                                               .per_group = parts.per_group,
                                               .groups = parts.groups,
                                               .groups_x = groups[0],
                                               .window_begin = from.begin,
                                               .window_count = from.count,
                                               .add = add,
                                               .dimension_count = static_cast<std::uint32_t>(rows.count()),
                                               .size_log2 = size,
                                               .value_mask = value_mask(input.desc.data_type)},
                                              {.dimension = rows.constants()});
      p.reads = {raw(from.range)};
      p.writes = {structured(parts.mask), raw(parts.counts)};
      dispatch_raw(work, std::move(p));
      add = 1;
    }
  }

  static_assert(std::is_same_v<shaders::nonzero_coordinates::constants, shaders::nonzero_coordinates_pairs::constants>);
  static_assert(
      std::is_same_v<shaders::nonzero_coordinates::constants, shaders::nonzero_coordinates_vectors::constants>);

  static void record_coordinates(recorder& work, const dimensions& input_sizes, const buffer_tensor& count,
                                 const buffer_tensor& coordinates, const parts& parts) {
    const std::uint32_t columns = coordinates.desc.sizes.back();
    const dimensions strides = effective_strides(coordinates.desc);
    const std::size_t last = strides.size() - 1;
    dimension_rows rows;
    for (std::uint32_t j = 0; j < columns; ++j) rows.add({input_sizes[input_sizes.size() - 1 - j], {}});
    const group_counts groups = grid(parts.groups);
    // A pass that writes a part of the coordinates: for any layout, by rows of two, or by rows of four.
    const auto pass_to = [&](const view& to, std::uint32_t begin, std::uint32_t size) {
      pass p = pass_of<shaders::nonzero_coordinates>(groups,
                                                     {.blocks = parts.blocks,
                                                      .per_group = parts.per_group,
                                                      .groups = parts.groups,
                                                      .groups_x = groups[0],
                                                      .last_size = input_sizes.back(),
                                                      .columns = columns,
                                                      .row_stride = strides[last - 1],
                                                      .column_stride = strides[last],
                                                      .window_begin = begin,
                                                      .window_count = size},
                                                     {.dimension = rows.constants()});
      if (to.kind == view_kind::pairs) p.code = &shaders::nonzero_coordinates_pairs::code;
      if (to.kind == view_kind::vectors) p.code = &shaders::nonzero_coordinates_vectors::code;
      p.reads = {raw(parts.mask), raw(parts.counts)};
      p.writes = {to, raw(count.range)};
      return p;
    };
    const bool packed = strides[last] == 1 && strides[last - 1] == columns && (columns == 2 || columns == 4);
    const view_kind kind = columns == 2 ? view_kind::pairs : view_kind::vectors;
    if (work.may_use_tables() && packed && (work.must_use_tables() || parts.elements >= block_elements)) {
      for (std::uint64_t row = 0; row < parts.elements; row += most_view_elements) {
        const std::uint64_t count_of_rows = (std::min)(parts.elements - row, most_view_elements);
        const std::uint64_t bytes = element_bytes(kind);
        work.dispatch(pass_to({coordinates.range.part(row * bytes, count_of_rows * bytes), kind},
                              static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(count_of_rows)));
      }
      return;
    }
    for (const element_window& to : windows_of(coordinates))
      dispatch_raw(work, pass_to(raw(to.range), to.begin, to.count));
  }
};

}  // namespace goldml::d3d12

namespace goldml {

template <>
struct kernel<nonzero_coordinates_desc, d3d12::device>
    : d3d12::host_kernel<nonzero_coordinates_desc, d3d12::written_outputs::partial> {};

}  // namespace goldml
