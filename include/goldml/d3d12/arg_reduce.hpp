// ARGMIN and ARGMAX by shaders: arg_reduce.hlsl for any layout, arg_reduce_runs*.hlsl and arg_reduce_columns.hlsl for
// common layouts, and arg_reduce_combine.hlsl to combine partial results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/core/data_type.hpp>
#include <goldml/core/dimensions.hpp>
#include <goldml/d3d12/arg_reduce_plan.hpp>
#include <goldml/d3d12/runtime/tensor_layout.hpp>
#include <goldml/d3d12/shaders/arg_reduce.dxbc.hpp>
#include <goldml/operators/argmin.hpp>

namespace goldml::d3d12 {

// Which element of each slice to find.
enum class extreme : std::uint8_t { least, greatest };

struct arg_reduction {
  extreme wanted;
  dimensions axes;  // if empty, each slice is one element
  goldml::axis_direction axis_direction;
  goldml::nan_policy nan_policy;
};

namespace detail {

// Constants with which the shaders turn numbers into keys (order.hlsli); the least key wins. For 64-bit integers only
// the bias and the mirror are used.
struct number_order {
  std::uint32_t is_float;
  std::uint32_t bias;
  std::uint32_t least_key;
  std::uint32_t greatest_key;
  std::uint32_t mirror;

  static number_order of(data_type type, const arg_reduction& what) {
    constexpr std::uint32_t all = 0xFFFF'FFFF;
    constexpr std::uint32_t sign = 0x8000'0000;
    const bool mirrored = what.wanted == extreme::greatest;
    switch (type) {
      case data_type::float32:
      case data_type::float16: {
        // The bits of infinity, in the upper bits of a word. Adding infinity gives numbers the keys 0 .. 2 * infinity,
        // and NaNs of either sign wrap to the keys above. For NaN to come first, all keys are increased until those of
        // NaN wrap again.
        const std::uint32_t infinity = type == data_type::float32 ? 0x7F80'0000 : 0x7C00'0000;
        const std::uint32_t above = all - 2 * infinity;
        const std::uint32_t mirror = !mirrored ? 0 : type == data_type::float32 ? sign : 0x8000'8000;
        if (what.nan_policy == nan_policy::skip) return {1, infinity, 0, 2 * infinity + 1, mirror};
        return {1, infinity + above, above - 1, all, mirror};
      }
      case data_type::int8:
      case data_type::int16:
      case data_type::int32:
      case data_type::int64:
        return {0, sign, 0, all, mirrored ? all : 0};
      default:
        return {0, 0, 0, all, mirrored ? all : 0};
    }
  }
};

class arg_reduce_recording {
 public:
  arg_reduce_recording(recorder& work, const arg_reduction& what, const buffer_tensor& input,
                       const buffer_tensor& output)
      : work_(work),
        input_(input),
        output_(output),
        plan_(work, what.axes, input, output),
        order_(number_order::of(input.desc.data_type, what)),
        flip_(what.axis_direction == axis_direction::decreasing ? ~0u : 0u) {}

  void record_all() const {
    plan_.for_each_output_box(plan_.whole(), [&](const reduction_box& outputs, const std::vector<reduction_box>& parts,
                                                 std::uint32_t splits) {
      const window to = window_of(output_, outputs.output_first, outputs.kept.reach(1));
      if (plan_.leaves_entries(splits))
        record_parts(outputs, parts, splits, to);
      else
        record_part(parts.front(), to, {});
    });
  }

 private:
  void record_parts(const reduction_box& outputs, const std::vector<reduction_box>& parts, std::uint32_t splits,
                    const window& to) const {
    const std::uint32_t output_count = outputs.kept.elements();
    const std::uint32_t entries = splits * output_count;
    const window entry_window{work_.scratch(std::uint64_t{4} * entries * plan_.entry_words()), 0};
    std::uint32_t first_split = 0;
    for (const reduction_box& part : parts) {
      record_part(part, entry_window, {entries, first_split});
      first_split += plan_.splits_of(part);
    }

    const std::uint32_t lanes = arg_reduce_plan::combining_lanes_log2(output_count, splits);
    const group_counts groups = grid(divide_up(output_count, 1024u >> lanes));
    pass p = pass_of<shaders::arg_reduce_combine>(groups,
                                                  {.outputs = output_count,
                                                   .splits = splits,
                                                   .lanes_log2 = lanes,
                                                   .entries = entries,
                                                   .has_low_words = plan_.entry_words() == 3 ? 1u : 0u,
                                                   .output_first = to.first,
                                                   .output_words = output_words(),
                                                   .flip = flip_,
                                                   .kept_count = kept_count(outputs),
                                                   .groups_x = groups[0]},
                                                  {.kept = outputs.kept.constants()});
    p.reads = {raw(entry_window.range)};
    p.writes = {raw(to.range)};
    dispatch_raw(work_, std::move(p));
  }

  // Where a pass writes partial results; all 0 when it writes the output.
  struct entry_place {
    std::uint32_t entries = 0;
    std::uint32_t first_split = 0;
  };

  void record_part(const reduction_box& part, const window& to, const entry_place& place) const {
    const window from = window_of(input_, part.input_first, part.kept.reach(0) + part.reduced.reach(0));
    if (plan_.way() == reduction_way::runs)
      record_runs(part, from, to, place);
    else if (plan_.way() == reduction_way::columns)
      record_columns(part, from, to, place);
    else
      record_any(part, from, to, place);
  }

  void record_any(const reduction_box& part, const window& from, const window& to, const entry_place& place) const {
    const std::uint32_t outputs = part.kept.elements();
    const std::uint32_t candidates = part.reduced.elements();
    const std::uint32_t splits = plan_.splits_of(part);
    const arg_reduce_plan::sharing share = arg_reduce_plan::sharing_of(part);
    const group_counts groups = grid(divide_up(outputs, 256u >> share.lanes_log2) * splits);
    pass p = pass_of<shaders::arg_reduce>(groups,
                                          {.outputs = outputs,
                                           .candidates = candidates,
                                           .lanes_log2 = share.lanes_log2,
                                           .lanes_together = share.lanes_together ? 1u : 0u,
                                           .splits = splits,
                                           .per_split = static_cast<std::uint32_t>(divide_up(candidates, splits)),
                                           .entries = place.entries,
                                           .first_split = place.first_split,
                                           .input_first = from.first,
                                           .output_first = to.first,
                                           .index_first = part.index_first,
                                           .groups_x = groups[0],
                                           .kept_count = kept_count(part),
                                           .reduced_count = static_cast<std::uint32_t>(part.reduced.count()),
                                           .output_words = output_words(),
                                           .size_log2 = plan_.element_log2(),
                                           .is_float = order_.is_float,
                                           .bias = order_.bias,
                                           .least_key = order_.least_key,
                                           .greatest_key = order_.greatest_key,
                                           .flip = flip_,
                                           .mirror = order_.mirror},
                                          {.kept = part.kept.constants(), .reduced = part.reduced.constants()});
    p.reads = {raw(from.range)};
    p.writes = {raw(to.range)};
    dispatch_raw(work_, std::move(p));
  }

  void record_runs(const reduction_box& part, const window& from, const window& to, const entry_place& place) const {
    const std::uint32_t splits = plan_.splits_of(part);
    const group_counts groups = grid(std::uint64_t{part.kept.elements()} * splits);
    pass p = pass_of<shaders::arg_reduce_runs>(groups,
                                               {.outputs = part.kept.elements(),
                                                .candidates = part.reduced.elements(),
                                                .splits = splits,
                                                .entries = place.entries,
                                                .first_split = place.first_split,
                                                .input_first = from.first,
                                                .output_first = to.first,
                                                .index_first = part.index_first,
                                                .groups_x = groups[0],
                                                .kept_count = kept_count(part),
                                                .output_words = output_words(),
                                                .size_log2 = plan_.element_log2(),
                                                .is_float = order_.is_float,
                                                .bias = order_.bias,
                                                .least_key = order_.least_key,
                                                .greatest_key = order_.greatest_key,
                                                .flip = flip_,
                                                .mirror = order_.mirror},
                                               {.kept = part.kept.constants()});
    static_assert(std::is_same_v<shaders::arg_reduce_runs::constants, shaders::arg_reduce_runs_narrow::constants>);
    if (plan_.element_log2() < 2) p.code = &shaders::arg_reduce_runs_narrow::code;
    p.reads = {vectors(from.range)};
    p.writes = {raw(to.range)};
    work_.dispatch(p);
  }

  void record_columns(const reduction_box& part, const window& from, const window& entries,
                      const entry_place& place) const {
    const std::uint32_t vector = plan_.vector_elements();
    const std::uint32_t splits = plan_.splits_of(part);
    const std::uint32_t rows = part.reduced.elements();
    const std::uint32_t threads = part.kept[0].size / 4;
    const std::uint64_t blocks = divide_up(threads, 256);
    dimension_rows matrices;
    for (std::size_t i = 1; i < part.kept.count(); ++i)
      matrices.add({part.kept[i].size, {part.kept[i].steps[0] / vector, 0, 0}});
    const group_counts groups = grid(blocks * splits * matrices.elements());
    pass p = pass_of<shaders::arg_reduce_columns>(groups,
                                                  {.outputs = part.kept.elements(),
                                                   .threads = threads,
                                                   .rows = rows,
                                                   .row_stride = part.reduced[0].steps[0] / vector,
                                                   .splits = splits,
                                                   .per_split = static_cast<std::uint32_t>(divide_up(rows, splits)),
                                                   .entries = place.entries,
                                                   .first_split = place.first_split,
                                                   .input_first = from.first / vector,
                                                   .index_first = part.index_first,
                                                   .blocks = static_cast<std::uint32_t>(blocks),
                                                   .groups_x = groups[0],
                                                   .outer_count = static_cast<std::uint32_t>(matrices.count()),
                                                   .size_log2 = plan_.element_log2(),
                                                   .is_float = order_.is_float,
                                                   .bias = order_.bias,
                                                   .least_key = order_.least_key,
                                                   .greatest_key = order_.greatest_key,
                                                   .flip = flip_,
                                                   .mirror = order_.mirror},
                                                  {.outer = matrices.constants()});
    p.reads = {vectors(from.range)};
    p.writes = {vectors(entries.range), words(entries.range)};
    work_.dispatch(p);
  }

  // 0 for a single output element: the shader then does not read the layout, which is in host memory.
  static std::uint32_t kept_count(const reduction_box& b) {
    return b.kept.elements() == 1 ? 0 : static_cast<std::uint32_t>(b.kept.count());
  }

  std::uint32_t output_words() const { return size_log2(output_.desc.data_type) - 1; }

  recorder& work_;
  const buffer_tensor& input_;
  const buffer_tensor& output_;
  arg_reduce_plan plan_;
  number_order order_;
  std::uint32_t flip_;
};

}  // namespace detail

// Records the passes. Each output element becomes the index, row-major over the reduced axes, of the extreme of its
// slice: the first of equal elements, or the last in direction `decreasing`. The operands must satisfy the rules of
// ARGMIN.
inline void record_arg_reduction(recorder& work, const arg_reduction& what, const buffer_tensor& input,
                                 const buffer_tensor& output) {
  detail::arg_reduce_recording(work, what, input, output).record_all();
}

// The base of program<Desc> of ARGMIN and ARGMAX.
template <class Desc, extreme Wanted>
struct arg_reduce_program {
  static void record(recorder& work, const Desc& desc, std::span<const buffer_tensor> inputs,
                     std::span<const buffer_tensor> outputs) {
    record_arg_reduction(work,
                         {.wanted = Wanted,
                          .axes = desc.axes,
                          .axis_direction = desc.axis_direction,
                          .nan_policy = desc.nan_policy},
                         inputs[0], outputs[0]);
  }
};

}  // namespace goldml::d3d12
