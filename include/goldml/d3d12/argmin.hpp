// ARGMIN by shaders: argmin.hlsl for any layout, argmin_runs*.hlsl and argmin_columns.hlsl for the usual ones, and
// argmin_combine.hlsl for the partial results of all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <goldml/d3d12/argmin_plan.hpp>
#include <goldml/d3d12/host_call.hpp>
#include <goldml/d3d12/shaders.hpp>
#include <goldml/operators/argmin.hpp>

namespace goldml::d3d12 {

template <>
struct program<argmin_desc> {
  static void record(recorder& work, const argmin_desc& desc, std::span<const buffer_tensor> inputs,
                     std::span<const buffer_tensor> outputs) {
    recording(work, desc, inputs[0], outputs[0]).record_all();
  }

 private:
  class recording {
   public:
    recording(recorder& work, const argmin_desc& desc, const buffer_tensor& input, const buffer_tensor& output)
        : work_(work),
          input_(input),
          output_(output),
          plan_(work, desc, input, output),
          order_(order_of(input.desc.data_type, desc.nan_policy)),
          flip_(desc.axis_direction == axis_direction::decreasing ? ~0u : 0u) {}

    void record_all() const {
      plan_.for_each_output_box(plan_.whole(), [&](const argmin_box& outputs, const std::vector<argmin_box>& parts,
                                                   std::uint32_t splits) {
        const window to = window_of(output_, outputs.output_first, outputs.kept.reach(1));
        if (plan_.leaves_entries(splits))
          record_parts(outputs, parts, splits, to);
        else
          record_part(parts.front(), to, {});
      });
    }

   private:
    void record_parts(const argmin_box& outputs, const std::vector<argmin_box>& parts, std::uint32_t splits,
                      const window& to) const {
      const std::uint32_t output_count = outputs.kept.elements();
      const std::uint32_t entries = splits * output_count;
      const window entry_window{work_.scratch(std::uint64_t{4} * entries * plan_.entry_words()), 0};
      std::uint32_t first_split = 0;
      for (const argmin_box& part : parts) {
        record_part(part, entry_window, {entries, first_split});
        first_split += plan_.splits_of(part);
      }

      const std::uint32_t lanes = argmin_plan::combining_lanes_log2(output_count, splits);
      pass p;
      p.groups = grid(divide_up(output_count, 1024u >> lanes));
      p.constants = {output_count,
                     splits,
                     lanes,
                     entries,
                     plan_.entry_words() == 3 ? 1u : 0u,
                     to.first,
                     output_words(),
                     flip_,
                     kept_count(outputs),
                     p.groups[0]};
      p.block = block_of({&outputs.kept});
      p.reads = {raw(entry_window.range)};
      p.writes = {raw(to.range)};
      dispatch_raw(work_, shaders::argmin_combine, shaders::argmin_combine_in_table, std::move(p));
    }

    // Where a pass leaves partial results; all 0 when it writes the output.
    struct entry_place {
      std::uint32_t entries = 0;
      std::uint32_t first_split = 0;
    };

    void record_part(const argmin_box& part, const window& to, const entry_place& place) const {
      const window from = window_of(input_, part.input_first, part.kept.reach(0) + part.reduced.reach(0));
      if (plan_.way() == argmin_way::runs)
        record_runs(part, from, to, place);
      else if (plan_.way() == argmin_way::columns)
        record_columns(part, from, to, place);
      else
        record_any(part, from, to, place);
    }

    void record_any(const argmin_box& part, const window& from, const window& to, const entry_place& place) const {
      const std::uint32_t outputs = part.kept.elements();
      const std::uint32_t candidates = part.reduced.elements();
      const std::uint32_t splits = plan_.splits_of(part);
      const argmin_plan::sharing share = argmin_plan::sharing_of(part);
      pass p;
      p.groups = grid(divide_up(outputs, 256u >> share.lanes_log2) * splits);
      p.constants = {outputs,
                     candidates,
                     share.lanes_log2,
                     share.lanes_together ? 1u : 0u,
                     splits,
                     static_cast<std::uint32_t>(divide_up(candidates, splits)),
                     place.entries,
                     place.first_split,
                     from.first,
                     to.first,
                     part.index_first,
                     p.groups[0],
                     kept_count(part),
                     static_cast<std::uint32_t>(part.reduced.count()),
                     output_words()};
      add_order(p);
      p.block = block_of({&part.kept, &part.reduced});
      p.reads = {raw(from.range)};
      p.writes = {raw(to.range)};
      dispatch_raw(work_, shaders::argmin, shaders::argmin_in_table, std::move(p));
    }

    void record_runs(const argmin_box& part, const window& from, const window& to, const entry_place& place) const {
      const std::uint32_t splits = plan_.splits_of(part);
      pass p;
      p.code = plan_.element_log2() == 2 ? &shaders::argmin_runs : &shaders::argmin_runs_narrow;
      p.groups = grid(std::uint64_t{part.kept.elements()} * splits);
      p.constants = {part.kept.elements(),
                     part.reduced.elements(),
                     splits,
                     place.entries,
                     place.first_split,
                     from.first,
                     to.first,
                     part.index_first,
                     p.groups[0],
                     kept_count(part),
                     output_words()};
      add_order(p);
      p.block = block_of({&part.kept});
      p.reads = {vectors(from.range)};
      p.writes = {raw(to.range)};
      work_.dispatch(p);
    }

    void record_columns(const argmin_box& part, const window& from, const window& entries,
                        const entry_place& place) const {
      const std::uint32_t vector = plan_.vector_elements();
      const std::uint32_t splits = plan_.splits_of(part);
      const std::uint32_t rows = part.reduced.elements();
      const std::uint32_t threads = part.kept[0].size / 4;
      const std::uint64_t blocks = divide_up(threads, 256);
      dimension_rows matrices;
      for (std::size_t i = 1; i < part.kept.count(); ++i)
        matrices.add({part.kept[i].size, {part.kept[i].steps[0] / vector, 0, 0}});
      pass p;
      p.code = &shaders::argmin_columns;
      p.groups = grid(blocks * splits * matrices.elements());
      p.constants = {part.kept.elements(),
                     threads,
                     rows,
                     part.reduced[0].steps[0] / vector,
                     splits,
                     static_cast<std::uint32_t>(divide_up(rows, splits)),
                     place.entries,
                     place.first_split,
                     from.first / vector,
                     part.index_first,
                     static_cast<std::uint32_t>(blocks),
                     p.groups[0],
                     static_cast<std::uint32_t>(matrices.count())};
      add_order(p);
      p.block = block_of({&matrices});
      p.reads = {vectors(from.range)};
      p.writes = {vectors(entries.range), words(entries.range)};
      work_.dispatch(p);
    }

    // None for a single output element: the block, memory of the host's, is then not read.
    static std::uint32_t kept_count(const argmin_box& b) {
      return b.kept.elements() == 1 ? 0 : static_cast<std::uint32_t>(b.kept.count());
    }

    std::uint32_t output_words() const { return size_log2(output_.desc.data_type) - 1; }

    // What ends the constants of all but the last pass.
    void add_order(pass& p) const {
      p.constants.insert(p.constants.end(), {plan_.element_log2(), order_.is_float, order_.bias,
                                             order_.least_key, order_.greatest_key, flip_});
    }

    recorder& work_;
    const buffer_tensor& input_;
    const buffer_tensor& output_;
    argmin_plan plan_;
    number_order order_;
    std::uint32_t flip_;
  };
};

}  // namespace goldml::d3d12

namespace goldml {

template <>
struct kernel<argmin_desc, d3d12::device> {
  static void run(const d3d12::device& gpu, const const_tensor_ref& input, const tensor_ref& output,
                  const argmin_desc& desc) {
    d3d12::run_on_host_memory<argmin_desc>(gpu, desc, {input}, {output});
  }
};

}  // namespace goldml
