// Gathers: slices of an input, at the places that tuples of indices point to. Only the width of an element matters, not
// its type.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <goldml/core/dimensions.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/cpu/engine/move.hpp>
#include <goldml/cpu/engine/move/blocks.hpp>
#include <goldml/cpu/engine/scatter.hpp>

namespace goldml::detail {

// The loops of a gather. All strides but those of `axes` are in bytes.
struct gather_plan {
  // An axis that an index of each tuple selects from; the stride is in elements of the input.
  struct axis {
    std::uint32_t size;
    std::uint32_t stride;
  };

  const std::byte* input;
  const std::byte* indices;
  std::byte* output;
  index_type type;
  range_policy policy;
  std::size_t width;         // of an element
  loop_nest<3> tuples = {};  // over the tuples: strides {output, input, indices}
  loop_nest<2> slice = {};   // over what a tuple selects: strides {output, input}
  std::array<axis, dimensions::capacity> axes = {};
  std::size_t tuple_size = 0;
  std::uint64_t index_step = 0;  // between the indices of a tuple

  gather_plan(const host_input& from, const host_input& through, const index_type& index, const host_output& to,
              range_policy range, std::size_t element_size)
      : input(from.data), indices(through.data), output(to.data), type(index), policy(range), width(element_size) {}

  // Adds a loop over tuples; strides in elements, 0 for an operand that the loop does not move in.
  void add_tuples(std::uint32_t size, std::uint64_t to, std::uint64_t from, std::uint64_t index) {
    tuples.add(size, {to * width, from * width, index * type.size});
  }
  void add_slice(std::uint32_t size, std::uint64_t to, std::uint64_t from) {
    slice.add(size, {to * width, from * width});
  }
  void add_axis(std::uint32_t size, std::uint32_t stride) { axes[tuple_size++] = {size, stride}; }
};

// The tuples of a run, in batches: where in the input they point, in elements.
class gather_batch {
 public:
  static constexpr std::size_t capacity = 4096;
  static constexpr std::size_t usual = 256;  // the most, unless stores go past the caches

  explicit gather_batch(const gather_plan& plan) : plan_(plan) {}

  // Reads `count` tuples, the first at `at` and each `stride` bytes after the one before. Returns whether all indices
  // are in range.
  bool read(const std::byte* at, std::uint64_t stride, std::size_t count) {
    std::fill_n(offsets_.begin(), count, std::uint32_t{0});
    bool in_range = true;
    for (std::size_t j = 0; j < plan_.tuple_size; ++j, at += plan_.index_step)
      in_range &= plan_.type.add_positions({at, stride, count, plan_.axes[j].size, plan_.axes[j].stride, plan_.policy},
                                           offsets_.data());
    return in_range;
  }

  const std::uint32_t* offsets() const { return offsets_.data(); }

 private:
  const gather_plan& plan_;
  std::array<std::uint32_t, capacity> offsets_;
};

// Whether all indices are in range.
inline bool indices_in_range(const cpu_backend& backend, const gather_plan& plan) {
  loop_nest<1> nest;  // over the tuples, each of them once
  for (std::size_t i = 0; i < plan.tuples.size(); ++i)
    if (plan.tuples[i].stride[2] != 0) nest.add(plan.tuples[i].size, {plan.tuples[i].stride[2]});
  nest.sort_by_stride(0);
  nest.merge();
  const std::uint64_t bytes = nest.iterations() * plan.tuple_size * plan.type.size;
  const loop<1> run = nest.take_innermost();
  std::atomic<bool> result = true;
  const std::uint64_t batches = (run.size + gather_batch::usual - 1) / gather_batch::usual;
  parallel_for(backend, bytes, nest.iterations() * batches, [&](std::uint64_t begin, std::uint64_t end) {
    gather_batch batch(plan);
    for (std::uint64_t i = begin; i < end && result; ++i) {
      const std::uint64_t first = i % batches * gather_batch::usual;
      const auto count = static_cast<std::size_t>((std::min<std::uint64_t>)(gather_batch::usual, run.size - first));
      const std::uint64_t offset = offsets_at(nest, i / batches)[0] + first * run.stride[0];
      if (!batch.read(plan.indices + offset, run.stride[0], count)) result = false;
    }
  });
  return result;
}

// Copies an element for each of `count` tuples; offsets are in elements. The parameters are values, which no store can
// alias.
template <std::size_t Size>
void copy_single_elements(std::byte* to, std::uint64_t to_stride, const std::byte* from, std::uint64_t from_stride,
                          const std::uint32_t* offsets, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i, to += to_stride, from += from_stride)
    move_element<Size>(to, from + std::uint64_t{offsets[i]} * Size);
}

// Copies a slice of `bytes` bytes for each of `count` tuples with stores past the caches, and prefetches those of the
// next `ahead` tuples: the first `asked` bytes of each. `to`, `to_stride` and `bytes` are multiples of 16; strides are
// in bytes, offsets in elements. The parameters are values, as above.
template <std::size_t Size>
void stream_slices(std::byte* to, std::uint64_t to_stride, const std::byte* from, std::uint64_t from_stride,
                   const std::uint32_t* offsets, std::size_t count, std::uint64_t bytes, std::uint64_t asked,
                   std::size_t ahead) {
  const auto slice_at = [=](std::size_t i) { return from + i * from_stride + std::uint64_t{offsets[i]} * Size; };
  std::size_t next = 0;  // to be prefetched
  for (std::size_t i = 0; i < count; ++i, to += to_stride) {
    for (; next < count && next < i + ahead; ++next) ask_for_lines<simd::prefetch>(slice_at(next), asked);
    const std::byte* const slice = slice_at(i);
    std::uint64_t byte = 0;
    for (; byte + 4 * line_bytes <= bytes; byte += 4 * line_bytes)
      for (std::size_t k = 0; k < 4 * line_bytes; k += 16) simd::stream16(to + byte + k, slice + byte + k);
    for (; byte < bytes; byte += 16) simd::stream16(to + byte, slice + byte);
  }
}

// Copies the slice that a tuple selects. `run` is the innermost loop of the slice, and `rows` are the others.
template <std::size_t Size>
void copy_slice(const loop_nest<2>& rows, const loop<2>& run, std::byte* to, const std::byte* from) {
  const auto copy_row = [&](std::byte* row_to, const std::byte* row_from) {
    if (run.stride == std::array<std::uint64_t, 2>{Size, Size})
      std::memcpy(row_to, row_from, run.size * Size);
    else
      for (std::uint64_t i = 0; i < run.size; ++i)
        move_element<Size>(row_to + i * run.stride[0], row_from + i * run.stride[1]);
  };
  if (rows.empty())
    copy_row(to, from);
  else
    rows.for_each([&](const auto& at) { copy_row(to + at[0], from + at[1]); });
}

// Returns false, with nothing written, if an index is out of range and the policy is not `clamp`. Elements have `Size`
// bytes.
template <std::size_t Size>
bool gather_slices(const cpu_backend& backend, gather_plan& plan) {
  if (plan.policy != range_policy::clamp && !indices_in_range(backend, plan)) return false;
  plan.tuples.sort_by_stride(0);
  plan.tuples.merge();
  plan.slice.sort_by_stride(0);
  plan.slice.merge();
  const std::uint64_t slice_bytes = plan.slice.iterations() * Size;
  const std::uint64_t tuples = plan.tuples.iterations();
  const std::uint64_t bytes = tuples * slice_bytes;
  const loop<3> run = plan.tuples.take_innermost();
  loop_nest<2> rows = plan.slice;
  const loop<2> columns = rows.take_innermost();
  // From here on a slice is copied like a tensor, by blocks and on all threads.
  constexpr std::uint64_t long_bytes = 16384;

  // Coming slices of a batch are prefetched if they are contiguous, of long ones the first lines. If there is much to
  // write, stores go past the caches, and up to 256 cache lines are on their way to the second-level cache.
  const bool prefetched = rows.empty() && columns.stride[1] == Size && slice_bytes > Size && slice_bytes < long_bytes;
  std::uint64_t places = reinterpret_cast<std::uintptr_t>(plan.output) | slice_bytes | run.stride[0];
  for (std::size_t i = 0; i < plan.tuples.size(); ++i) places |= plan.tuples[i].stride[0];
  const bool streamed = prefetched && columns.stride[0] == Size && slice_bytes >= line_bytes && places % 16 == 0 &&
                        bytes >= backend.tuning().streaming_from_bytes;
  const std::uint64_t asked = (std::min<std::uint64_t>)(slice_bytes, 8 * line_bytes);
  const auto ahead = static_cast<std::size_t>((std::max<std::uint64_t>)((streamed ? 256 : 64) * line_bytes / asked, 4));

  // An item is a batch of a run. Batches of long slices are short, so that all threads have work. Slices of the next
  // batch are not prefetched: where stores go past the caches, batches are longer, but at least 64, and four for each
  // thread.
  const std::uint64_t in_short_batch = (std::min<std::uint64_t>)((prefetched ? 4 : 1) * long_bytes / slice_bytes,
                                                                  gather_batch::usual);
  const std::uint64_t in_long_batch =
      streamed ? tuples / (std::max)(std::uint64_t{64}, 4 * std::uint64_t{backend.threads()}) : 0;
  const std::uint64_t most =
      (std::clamp<std::uint64_t>)((std::max)(in_short_batch, in_long_batch), 1, gather_batch::capacity);
  const std::uint64_t batches = (run.size + most - 1) / most;
  parallel_for(backend, bytes, plan.tuples.iterations() * batches, [&](std::uint64_t begin, std::uint64_t end) {
    gather_batch batch(plan);
    for (std::uint64_t item = begin; item < end; ++item) {
      const std::uint64_t first = item % batches * most;
      const auto count = static_cast<std::size_t>((std::min)(most, run.size - first));
      const auto at = offsets_at(plan.tuples, item / batches);
      batch.read(plan.indices + at[2] + first * run.stride[2], run.stride[2], count);
      std::byte* const to = plan.output + at[0] + first * run.stride[0];
      const std::byte* const from = plan.input + at[1] + first * run.stride[1];
      if (slice_bytes == Size) {
        copy_single_elements<Size>(to, run.stride[0], from, run.stride[1], batch.offsets(), count);
      } else if (streamed) {
        stream_slices<Size>(to, run.stride[0], from, run.stride[1], batch.offsets(), count, slice_bytes, asked, ahead);
      } else {
        const auto slice_at = [&](std::size_t i) {
          return from + i * run.stride[1] + std::uint64_t{batch.offsets()[i]} * Size;
        };
        std::size_t next = prefetched ? 0 : count;  // to be prefetched
        for (std::size_t i = 0; i < count; ++i) {
          for (; next < count && next < i + ahead; ++next) ask_for_lines<simd::prefetch_near>(slice_at(next), asked);
          std::byte* const slice_to = to + i * run.stride[0];
          if (slice_bytes >= long_bytes)
            copy_elements<Size>(backend, plan.slice, slice_to, slice_at(i));
          else
            copy_slice<Size>(rows, columns, slice_to, slice_at(i));
        }
      }
    }
    if (streamed) simd::streaming_fence();
  });
  return true;
}

}  // namespace goldml::detail

#ifdef GOLDML_COMPILED
namespace goldml {
// clang-format off
extern template bool detail::gather_slices<1>(const cpu_backend&, detail::gather_plan&);
extern template bool detail::gather_slices<2>(const cpu_backend&, detail::gather_plan&);
extern template bool detail::gather_slices<4>(const cpu_backend&, detail::gather_plan&);
extern template bool detail::gather_slices<8>(const cpu_backend&, detail::gather_plan&);
// clang-format on
}  // namespace goldml
#endif
