// A scatter of elements of one width, with one of three algorithms. Large slices are gathered in the order of the
// output. Many single elements are sorted first. Otherwise the input is copied and then overwritten.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/cpu/engine/move.hpp>
#include <goldml/cpu/engine/move/blocks.hpp>
#include <goldml/cpu/engine/scatter/sort.hpp>
#include <goldml/cpu/engine/scatter/tuples.hpp>

namespace goldml::detail {

// For contiguous slices: finds the last tuple that points to each place, then writes the output in one pass.
template <std::size_t Size>
class scatter_gather {
 public:
  scatter_gather(const cpu_backend& backend, const index_tuples& tuples, scatter_operands& t)
      : backend_(backend), tuples_(tuples), t_(t), slice_count_(t.slice.iterations()) {}

  // Whether this is the fastest algorithm.
  bool pays() const {
    constexpr std::uint64_t long_bytes = 32;
    return slice_count_ * Size >= long_bytes && t_.slice.size() == 1 &&
           t_.slice[0].stride == std::array<std::uint64_t, 3>{Size, Size, Size} && !t_.in_place() &&
           tuples_.count() >= tuples_.place_count() / 64;
  }

  // Returns false, with nothing written, if a policy refuses a tuple.
  bool run() {
    std::array<std::uint32_t, 1024> few;
    if (tuples_.place_count() > few.size()) return run(zeros<std::uint32_t>(tuples_.place_count()).data());
    std::fill_n(few.begin(), tuples_.place_count(), std::uint32_t{0});
    return run(few.data());
  }

 private:
  // `last_tuple`: one entry per place, initially 0. It is set to the number of the last tuple that points there,
  // plus 1.
  bool run(std::uint32_t* last_tuple) {
    for (tuple_walk walk(tuples_, tuples_.numbering()); walk.next();) {
      const tuple_batch& batch = walk.batch();
      if (!tuples_.acceptable(batch)) return false;
      std::uint32_t again = 0;
      for (std::size_t i = 0; i < batch.count; ++i) {
        if (batch.sums[i] == dropped_tuple) continue;
        std::uint32_t& last = last_tuple[batch.sums[i]];
        again |= last;
        last = static_cast<std::uint32_t>(batch.first + i + 1);  // below 2^32: T6 of the updates
      }
      if (again != 0 && tuples_.refuses_duplicates()) return false;
    }

    t_.places.sort_by_stride(0);
    t_.places.merge();
    const loop<3> run = t_.places.take_innermost();
    parallel_for(backend_, t_.bytes, tuples_.place_count(), [&](std::uint64_t begin, std::uint64_t end) {
      run_writer<Size> writer(Size, t_.bytes >= backend_.tuning().streaming_from_bytes);
      while (begin < end) {
        const std::uint64_t step = begin % run.size;
        const std::uint64_t count = (std::min)(run.size - step, end - begin);
        loop_nest<3>::offsets at = offsets_at(t_.places, begin / run.size);
        for (std::size_t k = 0; k < at.size(); ++k) at[k] += step * run.stride[k];
        write_places(writer, run, count, t_.output + at[0], t_.input + at[1], last_tuple + at[2]);
        begin += count;
      }
    });
    return true;
  }

  // Writes `count` places of a run; the first is at `to`, `from` and `last_tuple`. Neighbours that are contiguous in
  // the source and in the output are written together.
  void write_places(run_writer<Size>& writer, const loop<3>& run, std::uint64_t count, std::byte* to,
                    const std::byte* from, const std::uint32_t* last_tuple) const {
    const std::uint64_t slice_bytes = slice_count_ * Size;
    const std::uint64_t asked_ahead = (std::max<std::uint64_t>)(256 * line_bytes / slice_bytes, 1);
    const bool output_is_contiguous = run.stride[0] == slice_bytes;
    constexpr std::uint64_t longest_piece =
        4096;  // in bytes; short, so that prefetched data is read before it is evicted
    const std::byte* piece = from;
    std::uint64_t piece_bytes = 0;
    writer.seek(to);
    for (std::uint64_t i = 0; i < count; ++i, to += run.stride[0], from += run.stride[1], last_tuple += run.stride[2]) {
      if (writer.streamed()) {
        // All of the input is prefetched: the hardware does not recognise a sequential read with gaps. Slices of the
        // updates are at arbitrary addresses and are prefetched earlier.
        ask_for(from + 16 * line_bytes);
        const std::uint32_t later = count - i > asked_ahead ? last_tuple[asked_ahead * run.stride[2]] : 0;
        if (later != 0) ask_for(slice_of(later));
      }
      const std::byte* const slice = *last_tuple == 0 ? from : slice_of(*last_tuple);
      if (!output_is_contiguous || slice != piece + piece_bytes || piece_bytes >= longest_piece) {
        writer.copy(piece, piece_bytes / Size);
        writer.seek(to);
        piece = slice;
        piece_bytes = 0;
      }
      piece_bytes += slice_bytes;
    }
    writer.copy(piece, piece_bytes / Size);
  }

  // Prefetches the slice at `from`, or the beginning of a long one; the hardware prefetches the rest.
  GOLDML_INLINE void ask_for(const std::byte* from) const {
    ask_for_lines<simd::prefetch_near>(from, (std::min<std::uint64_t>)(slice_count_ * Size, 8 * line_bytes));
  }

  const std::byte* slice_of(std::uint32_t tuple_plus_1) const {
    return t_.updates + tuples_.updates_offset(tuple_plus_1 - std::uint64_t{1});
  }

  const cpu_backend& backend_;
  const index_tuples& tuples_;
  scatter_operands& t_;
  std::uint64_t slice_count_;  // elements of a slice
};

// Writes the elements of `slice` (strides {output, updates, input}) for each tuple in order. Each thread writes its own
// part of the output. `output` and `updates` are the addresses for place 0 and tuple 0.
template <std::size_t Size>
void overwrite_places(const cpu_backend& backend, const index_tuples& tuples, const scatter_operands& t,
                      loop_nest<3> slice, std::byte* output, const std::byte* updates) {
  const std::uint64_t slice_bytes = slice.iterations() * Size;
  const loop<3> run = slice.take_innermost();
  const bool streamed = t.bytes >= backend.tuning().streaming_from_bytes && run.size * Size >= 2 * line_bytes;
  const std::uint64_t parts = part_count(backend, tuples.count() * slice_bytes, t.span);  // each part reads all tuples
  parallel_for_parts(backend, parts, t.span, [&](std::uint64_t begin, std::uint64_t end) {
    run_writer<Size> writer(run.stride[0], streamed);
    const auto write_run = [&](std::byte* to, const std::byte* from) {
      if (run.stride[1] == Size) {
        writer.seek(to);
        writer.copy(from, run.size);
      } else {
        for (std::uint64_t i = 0; i < run.size; ++i, to += run.stride[0], from += run.stride[1])
          move_element<Size>(to, from);
      }
    };
    for (tuple_walk walk(tuples, t.output_strides); walk.next();) {
      const tuple_batch& batch = walk.batch();
      tuple_batch::numbers chosen;
      const std::size_t count = batch.choose(begin, end, chosen);
      for (std::size_t i = 0; i < count; ++i) {
        std::byte* const to = output + std::uint64_t{batch.sums[chosen[i]]} * Size;
        const std::byte* const from = updates + batch.updates + chosen[i] * batch.updates_stride;
        if (run.size == 1)
          move_element<Size>(to, from);
        else if (slice.empty())
          write_run(to, from);
        else
          slice.for_each([&](const auto& at) { write_run(to + at[0], from + at[1]); });
      }
    }
  });
}

template <std::size_t Size>
void overwrite(const cpu_backend& backend, const index_tuples& tuples, const scatter_operands& t) {
  // If there are many tuples and places are closer together than the elements of a slice, the loop over the elements of
  // a slice is the outer one.
  std::uint64_t closest = saturated;
  for (std::size_t i = 0; i < t.places.size(); ++i) closest = (std::min)(closest, t.places[i].stride[0]);
  if (t.slice.empty() || closest > t.slice.back().stride[0] || tuples.count() < tuple_batch::capacity)
    overwrite_places<Size>(backend, tuples, t, t.slice, t.output, t.updates);
  else
    t.slice.for_each(
        [&](const auto& at) { overwrite_places<Size>(backend, tuples, t, {}, t.output + at[0], t.updates + at[1]); });
}

template <std::size_t Size>
bool scatter(const cpu_backend& backend, const index_tuples& tuples, scatter_operands& t) {
  t.bytes = t.all.iterations() * Size;
  for (std::size_t i = 0; i < t.places.size(); ++i) t.span += (t.places[i].size - 1) * t.places[i].stride[0] / Size;
  t.slice.sort_by_stride(0);
  t.slice.merge();
  if (scatter_gather<Size> gather(backend, tuples, t); gather.pays()) return gather.run();
  if (scatter_sort_pays(backend, tuples, t, Size)) return scatter_sorted<Size>(backend, tuples, t);
  if (!tuples.acceptable(backend)) return false;
  if (!t.in_place()) copy_elements<Size>(backend, t.all, t.output, t.input);
  overwrite<Size>(backend, tuples, t);
  return true;
}

}  // namespace goldml::detail
