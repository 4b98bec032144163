// An arg-reduction over elements of one width: chooses an algorithm (runs.hpp, short.hpp or columns.hpp), orders the
// loops and distributes them over threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <goldml/core/cold.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/arg_reduce/columns.hpp>
#include <goldml/cpu/engine/arg_reduce/keys.hpp>
#include <goldml/cpu/engine/arg_reduce/plan.hpp>
#include <goldml/cpu/engine/arg_reduce/runs.hpp>
#include <goldml/cpu/engine/arg_reduce/short.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>

namespace goldml::detail {

// One call.
template <class Keys>
class arg_reduction {
 public:
  using bits = typename Keys::bits;

  arg_reduction(const cpu_backend& backend, const arg_reduce_plan& plan, const Keys& keys)
      : backend_(backend),
        set_(backend.instruction_set()),
        plan_(plan),
        input_(plan.input),
        output_(plan.output),
        keys_(keys) {}

  void run() const {
    if (plan_.reduced.empty())
      fill();
    else if (is_by_columns())
      run_columns();
    else
      run_slices();
    copy_slices();
  }

 private:
  using candidate = candidate_key<typename Keys::key>;
  // g++ 12 generates more instructions for these bodies with AVX-512 than with AVX2.
  static constexpr goldml::instruction_set highest_for_slices = goldml::instruction_set::avx2;

  std::uint64_t input_bytes() const { return plan_.kept.iterations() * plan_.reduced.iterations() * sizeof(bits); }

  // Each slice is a single element, possibly repeated by a stride of 0.
  GOLDML_COLD void fill() const {
    plan_.kept.for_each([&](const auto& offset) { output_.write(offset[1], plan_.flat_offset); });
  }

  // The loop over a slice with the smallest input stride.
  std::size_t nearest_reduced() const {
    std::size_t nearest = 0;
    for (std::size_t i = 1; i < plan_.reduced.size(); ++i)
      if (plan_.reduced[i].stride[0] < plan_.reduced[nearest].stride[0]) nearest = i;
    return nearest;
  }

  // By columns if neighbouring slices are closer together than the elements of a slice, or if slices are very short.
  bool is_by_columns() const {
    if (plan_.kept.empty()) return false;
    const loop<2>& run = plan_.reduced[nearest_reduced()];
    const loop<2>& columns = plan_.kept.back();
    return columns.stride[0] < run.stride[0] || (run.size * sizeof(bits) < 16 && columns.size >= 4);
  }

  void run_columns() const {
    loop_nest<2> outer_rows = plan_.reduced;  // the loops over a slice but the innermost: strides {input, flat index}
    const loop<2> rows = outer_rows.take_innermost();
    loop_nest<2> outer = plan_.kept;
    const loop<2> columns = outer.take_innermost();

    const std::uint64_t parts = part_count(backend_, input_bytes(), columns.size * outer.iterations());
    const std::uint64_t most = columns.stride[0] == 1 ? most_columns<bits> : most_apart_columns<bits>;
    const std::uint64_t strip = (std::min)(most, (columns.size + parts - 1) / parts);
    const std::uint64_t strips = (columns.size + strip - 1) / strip;
    parallel_for(backend_, input_bytes(), outer.iterations() * strips, [&](std::uint64_t begin, std::uint64_t end) {
      auto position = outer.begin_at(begin / strips);
      for (std::uint64_t item = begin; item < end; ++item) {
        const std::uint64_t first = item % strips * strip;
        const std::uint64_t count = std::min<std::uint64_t>(strip, columns.size - first);
        column_strip<Keys>(set_, keys_, count, columns.stride[0], plan_.last)
            .run(input_ + (position.offset[0] + first * columns.stride[0]), rows, outer_rows, plan_.flat_offset,
                 output_, position.offset[1] + first * columns.stride[1], columns.stride[1]);
        if (item % strips == strips - 1) outer.advance(position);
      }
    });
  }

  void run_slices() const {
    arg_reduce_slices slices{plan_.kept, plan_.reduced[nearest_reduced()], plan_.reduced, plan_.flat_offset, output_};
    slices.outer.remove(nearest_reduced());
    if (slices.outer.empty() && slices.run.stride[0] == 1 && short_slices::are_short(slices.run.size, keys_, set_)) {
      run_short_slices(slices.run);
      return;
    }
    const std::uint64_t iterations = slices.outer.iterations();
    const std::uint64_t count = plan_.kept.iterations();
    const std::uint64_t parts = small_part_count(backend_, input_bytes(), count * iterations * slices.run.size);

    if (count >= parts) {
      parallel_for(backend_, input_bytes(), count, [&](std::uint64_t begin, std::uint64_t end) {
        run_part(slices, {begin, end, 0, iterations, 0, slices.run.size}, true);
      });
      return;
    }
    run_divided(slices, parts);
  }

  // Fewer slices than parts: each slice is divided by the iterations of its outer loops or, if these are too few, by
  // the elements of its runs. Not inlined, and compiled for size: what takes time is in run_part().
  GOLDML_COLD void run_divided(const arg_reduce_slices& slices, std::uint64_t parts) const {
    const std::uint64_t iterations = slices.outer.iterations();
    const std::uint64_t count = plan_.kept.iterations();
    auto slice = plan_.kept.begin_at(0);
    for (std::uint64_t s = 0; s < count; ++s, plan_.kept.advance(slice)) {
      std::vector<candidate> found(static_cast<std::size_t>(parts));
      run_parts(backend_, parts, [&](std::uint64_t part) {
        const bool by_run = iterations < parts;
        const std::uint64_t items = by_run ? slices.run.size : iterations;
        const std::uint64_t begin = part_begin(items, parts, part);
        const std::uint64_t end = part_begin(items, parts, part + 1);
        if (begin == end) return;
        found[static_cast<std::size_t>(part)] =
            run_part(slices,
                     by_run ? arg_reduce_part{s, s + 1, 0, iterations, begin, end}
                            : arg_reduce_part{s, s + 1, begin, end, 0, slices.run.size},
                     false);
      });
      candidate best;
      for (const candidate& other : found) best.take(other, plan_.last);
      output_.write(slice.offset[1], plan_.flat_offset + best.flat);
    }
  }

  void run_short_slices(const loop<2>& run) const {
    loop_nest<2> outer = plan_.kept;
    const loop<2> inner = outer.take_innermost();
    const short_slices slices{outer, inner, run.size, run.stride[1], plan_.flat_offset, output_};
    const bool are_turned = slices.are_turned(keys_, set_);
    parallel_for(backend_, input_bytes(), plan_.kept.iterations(), [&](std::uint64_t begin, std::uint64_t end) {
      if (are_turned)
        simd::dispatch<turned_slices_body<Keys>, highest_for_slices>(set_, slices, input_, begin, end, keys_,
                                                                     plan_.last);
      else
        simd::dispatch<tracked_slices_body<Keys>, highest_for_slices>(set_, slices, input_, begin, end, keys_,
                                                                      plan_.last);
    });
  }

  candidate run_part(const arg_reduce_slices& slices, const arg_reduce_part& part, bool write) const {
    return simd::dispatch<slices_body<Keys>, highest_for_slices>(set_, slices, part, input_, keys_, plan_.last, write);
  }

  // Copies each index to the other slices that are the same slice.
  GOLDML_COLD void copy_slices() const {
    if (plan_.copies.empty()) return;
    plan_.kept.for_each([&](const auto& offset) {
      const std::uint64_t index = output_.read(offset[1]);
      plan_.copies.for_each([&](const auto& copy) { output_.write(offset[1] + copy[0], index); });
    });
  }

  const cpu_backend& backend_;
  const goldml::instruction_set set_;
  const arg_reduce_plan& plan_;
  const simd::bits_pointer<bits> input_;
  const index_output output_;
  const Keys& keys_;
};

template <class Keys>
void arg_reduce(const cpu_backend& backend, const arg_reduce_plan& plan, const Keys& keys) {
  arg_reduction<Keys>(backend, plan, keys).run();
}

}  // namespace goldml::detail
