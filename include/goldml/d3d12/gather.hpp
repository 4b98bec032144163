// GATHER, GATHER_ELEMENTS, GATHER_ND and GATHER_ND1 by shaders: the indices are checked (gather_indices.hlsl where they
// are packed and tuples have one, otherwise scatter_nd_places.hlsl), then one pass writes the output (gather_vectors.hlsl
// for packed slices of whole vectors, gather.hlsl for any layout), unless an index is refused.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <goldml/d3d12/index_tuples.hpp>
#include <goldml/d3d12/runtime/host_call.hpp>
#include <goldml/d3d12/shaders/gather.dxbc.hpp>
#include <goldml/operators/gather.hpp>
#include <goldml/operators/gather_elements.hpp>
#include <goldml/operators/gather_nd.hpp>

namespace goldml::d3d12 {

namespace detail {

// Dimensions from the last to the first.
struct gather_rows {
  dimension_rows output;   // steps in indices, input and output
  dimension_rows tuples;   // of indices, in the order in which they are numbered: steps in the indices
  dimension_rows axes;     // for each index of a tuple the axis that it selects from: its step in the input
  std::uint32_t step = 0;  // from one index of a tuple to the next
};

struct gather_strides {
  dimensions input, indices, output;
};

// All tuples have one index.
inline void add_single_indices(gather_rows& rows, const dimensions& sizes, const dimensions& strides) {
  for (std::size_t i = sizes.size(); i-- > 0;) rows.tuples.add({sizes[i], {strides[i], 0, 0}});
}

inline gather_rows rows_of(const gather_desc& desc, const dimensions& input, const dimensions& indices,
                           const dimensions& output, const gather_strides& strides) {
  gather_rows rows;
  add_single_indices(rows, indices, strides.indices);
  rows.axes.add({input[desc.axis], {strides.input[desc.axis], 0, 0}});
  // The input's sizes with those of the indices in the place of the axis. The output lacks the first of them, which are
  // 1, or begins with a 1.
  const std::size_t count = desc.index_dimensions;
  const std::size_t all = input.size() - 1 + count;
  for (std::size_t i = output.size(); i-- > 0;) {
    if (i + all < output.size()) continue;
    const std::size_t full = i + all - output.size();
    dimension_row row{output[i], {0, 0, strides.output[i]}};
    if (full >= desc.axis && full < desc.axis + count)
      row.steps[0] = strides.indices[indices.size() - count + full - desc.axis];
    else
      row.steps[1] = strides.input[full < desc.axis ? full : full + 1 - count];
    rows.output.add(row);
  }
  return rows;
}

inline gather_rows rows_of(const gather_elements_desc& desc, const dimensions& input, const dimensions& indices,
                           const dimensions& output, const gather_strides& strides) {
  gather_rows rows;
  add_single_indices(rows, indices, strides.indices);
  rows.axes.add({input[desc.axis], {strides.input[desc.axis], 0, 0}});
  for (std::size_t i = output.size(); i-- > 0;)
    rows.output.add({output[i], {strides.indices[i], i == desc.axis ? 0 : strides.input[i], strides.output[i]}});
  return rows;
}

template <class Desc>
requires std::is_same_v<Desc, gather_nd_desc> || std::is_same_v<Desc, gather_nd1_desc> gather_rows
rows_of(const Desc& desc, const dimensions& input, const dimensions& indices, const dimensions& output,
        const gather_strides& strides) {
  const gather_nd_shape shape(desc, input, indices);
  const std::size_t d = shape.dimension_count;
  gather_rows rows;
  for (std::size_t i = d - 1; i-- > 0;) rows.tuples.add({indices[i], {strides.indices[i], 0, 0}});
  const std::size_t first_place = d - shape.input_count + shape.batch;
  for (std::size_t j = 0; j < shape.tuple_size; ++j)
    rows.axes.add({shape.places[j], {strides.input[first_place + j], 0, 0}});
  rows.step = strides.indices.back();
  for (std::size_t i = 0; i < shape.slice.size(); ++i)
    rows.output.add({output[d - 1 - i], {0, strides.input[d - 1 - i], strides.output[d - 1 - i]}});
  for (std::size_t i = shape.tuples.size(); i-- > 0;) {
    const std::size_t at = d - shape.slice.size() - shape.tuples.size() + i;
    const std::uint32_t batch = i < shape.batch ? strides.input[d - shape.input_count + i] : 0;
    rows.output.add({output[at], {strides.indices[d - shape.indices_count + i], batch, strides.output[at]}});
  }
  return rows;
}

}  // namespace detail

template <goldml::detail::gather_operator Desc>
struct program<Desc> {
  static void record(recorder& work, const Desc& desc, std::span<const buffer_tensor> inputs,
                     std::span<const buffer_tensor> outputs) {
    const buffer_tensor &input = inputs[0], &indices = inputs[1], &output = outputs[0];
    detail::gather_rows rows = detail::rows_of(
        desc, input.desc.sizes, indices.desc.sizes, output.desc.sizes,
        {effective_strides(input.desc), effective_strides(indices.desc), effective_strides(output.desc)});
    // Without a map; there is nothing that `drop` could drop.
    const bool clamps = desc.range_policy == range_policy::clamp;
    index_tuples tuples;
    tuples.indices = indices;
    tuples.tuples = rows.tuples;
    tuples.axes = rows.axes;
    tuples.step = rows.step;
    tuples.range_policy = clamps ? range_policy::clamp : range_policy::refuse;
    tuples.duplicates = duplicates::last_wins;
    const auto by_vectors = vectors_of(work, rows, input, indices, output);
    const bool by_groups = by_vectors && !clamps && tuples.size() == 1 &&
                           effective_strides(indices.desc) == packed_strides(indices.desc.sizes);
    const buffer_range scratch = work.scratch(4 * most_checked + detail::in_vectors(4 * tuple_status::words));
    const buffer_range map = scratch.part(0, 4 * most_checked);
    const buffer_range status = scratch.part(4 * most_checked, scratch.size - 4 * most_checked);
    std::uint32_t checked = 1;
    if (by_groups) {
      checked = record_check(work, tuples, map);
    } else {
      detail::record_clear(work, scratch);
      if (!clamps) {
        detail::record_tuples(work, tuples, 0, map, 0, 0, status);
        detail::record_tuples(work, tuples, 2, map, 0, 0, status);
      }
    }
    if (!clamps)
      work.check_after(status, refusal{desc, input.desc.sizes, indices.desc, tuples.count(), tuples.size()});
    if (by_vectors) {
      const group_counts groups = grid(divide_up(by_vectors->count, 1024));
      pass p = pass_of<shaders::gather_vectors>(
          groups,
          {.vectors = by_vectors->count,
           .slice_size = by_vectors->slice,
           .slice_log2 = std::has_single_bit(by_vectors->slice)
                             ? static_cast<std::uint32_t>(std::countr_zero(by_vectors->slice))
                             : 32u,
           .dimension_count = static_cast<std::uint32_t>(by_vectors->over.count()),
           .tuple_size = tuples.size(),
           .index_step = tuples.step,
           .index_log2 = size_log2(tuples.type()),
           .is_signed = tuples.is_signed(),
           .checked_count = checked,
           .reports = by_groups ? 1u : 0u,
           .tuples = tuples.count(),
           .groups_x = groups[0]},
          {.dimension = by_vectors->over.constants(), .axis = by_vectors->axes.constants()});
      p.reads = {vectors(input.range), raw(indices.range)};
      p.writes = {vectors(output.range), structured(by_groups ? map : status), structured(by_groups ? status : map)};
      work.dispatch(p);
      return;
    }
    rows.output.merge();
    const std::uint32_t elements = rows.output.elements();
    const group_counts groups = grid(divide_up(elements, 256));
    for (const element_window& to : windows_of(output))
      for (const element_window& index : windows_of(indices, tuples.reach()))
        for (const element_window& from : windows_of(input)) {
          pass p = pass_of<shaders::gather>(groups,
                                            {.elements = elements,
                                             .dimension_count = static_cast<std::uint32_t>(rows.output.count()),
                                             .size_log2 = size_log2(output.desc.data_type),
                                             .tuple_size = tuples.size(),
                                             .index_step = tuples.step,
                                             .index_log2 = size_log2(tuples.type()),
                                             .is_signed = tuples.is_signed(),
                                             .indices_begin = index.begin,
                                             .indices_count = index.count,
                                             .input_begin = from.begin,
                                             .input_count = from.count,
                                             .output_begin = to.begin,
                                             .output_count = to.count,
                                             .groups_x = groups[0]},
                                            {.dimension = rows.output.constants(), .axis = rows.axes.constants()});
          p.reads = {raw(from.range), raw(index.range), raw(status)};
          p.writes = {structured(to.range)};
          dispatch_raw(work, std::move(p));
        }
  }

 private:
  static constexpr std::uint32_t most_checked = 128;  // words that a check writes; gather_vectors.hlsl reads all in each group

  // Checks packed indices of tuples of one. Returns the number of words that it writes.
  static std::uint32_t record_check(recorder& work, const index_tuples& tuples, const buffer_range& checked) {
    const std::uint32_t count = tuples.count();
    const std::uint32_t per_group =
        (std::max)(std::uint32_t{4096}, static_cast<std::uint32_t>(divide_up(count, most_checked)));
    const auto groups = static_cast<std::uint32_t>(divide_up(count, per_group));
    pass p = pass_of<shaders::gather_indices>({groups, 1, 1}, {.count = count,
                                                               .per_group = per_group,
                                                               .index_log2 = size_log2(tuples.type()),
                                                               .is_signed = tuples.is_signed(),
                                                               .size = tuples.axes[0].size});
    p.reads = {raw(tuples.indices.range)};
    p.writes = {structured(checked)};
    work.dispatch(p);
    return groups;
  }

  // Slices of whole vectors, packed in both tensors, and a packed output. Sizes and steps in vectors.
  struct vector_rows {
    dimension_rows over;  // over the slices: steps in the indices and in the input
    dimension_rows axes;  // for each index of a tuple the axis that it selects from
    std::uint32_t slice = 1;
    std::uint32_t count = 0;  // of the output
  };

  // None if there are no such slices.
  static std::optional<vector_rows> vectors_of(const recorder& work, const detail::gather_rows& rows,
                                               const buffer_tensor& input, const buffer_tensor& indices,
                                               const buffer_tensor& output) {
    if (!work.may_use_tables() || !fits(vectors(input.range)) || !fits(vectors(output.range)) ||
        indices.range.size > most_view_elements * 4 ||
        effective_strides(output.desc) != packed_strides(output.desc.sizes))
      return std::nullopt;
    const std::uint32_t vector = 16 / element_size_in_bytes(output.desc.data_type);  // in elements
    // The slice: the last dimensions, along which the indices are the same and the input is packed as the output is.
    vector_rows result;
    std::uint32_t slice = 1;
    bool in_slice = true;
    for (std::size_t i = 0; i < rows.output.count(); ++i) {
      const dimension_row& row = rows.output[i];
      if (row.size == 1) continue;
      in_slice = in_slice && row.steps[0] == 0 && row.steps[1] == slice;
      if (in_slice) {
        slice *= row.size;
      } else {
        if (row.steps[1] % vector != 0) return std::nullopt;
        result.over.add({row.size, {row.steps[0], row.steps[1] / vector, 0}});
      }
    }
    for (std::size_t j = 0; j < rows.axes.count(); ++j) {
      const dimension_row& axis = rows.axes[j];
      if (axis.size > 1 && axis.steps[0] % vector != 0) return std::nullopt;
      result.axes.add({axis.size, {axis.steps[0] / vector, 0, 0}});
    }
    if (slice % vector != 0) return std::nullopt;
    result.over.merge();
    result.slice = slice / vector;
    result.count = result.over.elements() * result.slice;
    return result;
  }

  struct refusal {
    Desc desc;
    dimensions input;
    tensor_desc indices;
    std::uint32_t tuples, tuple_size;

    std::optional<violation> operator()(std::span<const std::uint32_t> words) const {
      using traits = operator_traits<Desc>;
      std::optional<violation> result;
      const tuple_status status(words, tuples);
      if (!status.any_refused()) return result;
      visit_data_type(ix_types{}, indices.data_type, [&]<class Index>(std::type_identity<Index>) {
        for (std::uint32_t j = 0; j < tuple_size && !result; ++j) {
          const auto number = static_cast<std::size_t>(status.number() * tuple_size + j);
          const coordinate_tuple c = coordinate_at(indices.sizes, number);
          const std::uint32_t size = traits::indexed_size(desc, input, c);
          if (const auto v = status.index<Index>(j); !resolve_index(v, size, range_policy::refuse))
            result = goldml::detail::bad_index(traits::name, goldml::detail::gather_row<Desc>::index_range, "clamp", v,
                                               size, c, number);
        }
      });
      if (!result) throw std::logic_error("goldml: d3d12: a tuple was refused that is in range");
      return result;
    }
  };
};

}  // namespace goldml::d3d12

namespace goldml {

template <detail::gather_operator Desc>
struct kernel<Desc, d3d12::device> : d3d12::host_kernel<Desc> {};

}  // namespace goldml
