// The loops of an element-wise call, without element types: pieces of rows are brought into blocks of consecutive
// elements, which a function computes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include <goldml/core/function_reference.hpp>
#include <goldml/cpu/engine/base/float_mode.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/cpu/engine/base/simd.hpp>
#include <goldml/cpu/engine/base/streaming.hpp>

namespace goldml::detail {

// The number of elements that are computed at a time. A constant, so that compilers vectorise at -O2.
inline constexpr std::size_t element_wise_block = 64;

// Consecutive blocks: `to` and `from` are the first element of each operand, `step` the bytes from one block of an
// input to the next (0: the same block again).
struct element_wise_blocks {
  std::byte* to;
  std::array<const std::byte*, 3> from;
  std::array<std::size_t, 3> step;
  std::size_t count;
  bool streamed = false;  // write past the caches; `to` is aligned to a cache line

  // Prefetches what is read `distance` bytes after block b, where tensors are large: the hardware alone does not read
  // fast enough while results are written past the caches.
  GOLDML_INLINE void prefetch_after(std::size_t b, std::size_t distance = 2048) const {
    if (!streamed) return;
    for (std::size_t k = 0; k < from.size(); ++k)
      for (std::size_t at = 0; at < step[k]; at += simd::cache_line)
        simd::prefetch_near(from[k] + b * step[k] + distance + at);
  }
};
using element_wise_body = function_reference<void(const element_wise_blocks&)>;

// The tensors of a call, with their data types: that of the inputs is A's; the last may have another.
struct element_wise_tensors {
  host_output output;
  std::array<host_input, 3> inputs;
  std::size_t input_count;
  data_type type;
  data_type output_type;
  data_type last_type = data_type::unknown;  // `type`
};

// Strides are in bytes; operand 0 is the output. In the order of the output's memory.
struct element_wise_plan {
  std::byte* to;
  std::array<const std::byte*, 3> from{};
  std::array<std::size_t, 4> width{};
  std::size_t input_count;
  loop_nest<4> rows;
  loop<4> row;

  explicit element_wise_plan(const element_wise_tensors& t) : to(t.output.data), input_count(t.input_count) {
    width[0] = element_size_in_bytes(t.output_type);
    for (std::size_t k = 0; k < input_count; ++k) {
      from[k] = t.inputs[k].data;
      const bool is_other = k + 1 == input_count && t.last_type != data_type::unknown;
      width[k + 1] = input_count == 3 && k == 0 ? 1 : element_size_in_bytes(is_other ? t.last_type : t.type);
    }
    for (std::size_t i = 0; i < t.output.sizes.size(); ++i) {
      loop_nest<4>::offsets stride{std::uint64_t{t.output.strides[i]} * width[0]};
      for (std::size_t k = 0; k < input_count; ++k)
        stride[k + 1] = std::uint64_t{t.inputs[k].strides[i]} * width[k + 1];
      rows.add(t.output.sizes[i], stride);
    }
    rows.sort_by_stride(0);
    rows.merge();
    row = rows.take_innermost();
  }

  std::uint64_t element_count() const { return rows.iterations() * row.size; }
  std::uint64_t bytes_per_element() const { return width[0] + width[1] + width[2] + width[3]; }

  // Whether rows can be computed where they are: consecutive elements, or one element repeated.
  bool is_direct() const {
    bool direct = row.stride[0] == width[0] && row.size >= element_wise_block;
    for (std::size_t k = 1; k <= input_count; ++k) direct = direct && (row.stride[k] == width[k] || row.stride[k] == 0);
    return direct;
  }
};

// Moves `count` elements between memory with a stride and a block.
template <std::size_t Size>
void gather_elements(std::byte* to, const std::byte* from, std::uint64_t stride, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) std::memcpy(to + i * Size, from + i * stride, Size);
}
template <std::size_t Size>
void scatter_elements(std::byte* to, const std::byte* from, std::uint64_t stride, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) std::memcpy(to + i * stride, from + i * Size, Size);
}

// Computes elements begin .. end-1 of a plan, numbered in the order of its loops. When streamed, the whole cache lines
// of direct rows are written past the caches.
class element_wise_worker {
 public:
  element_wise_worker(const element_wise_plan& plan, const element_wise_body& body, bool streamed)
      : plan_(plan), body_(body), streamed_(streamed && plan.is_direct()) {}

  void run(std::uint64_t begin, std::uint64_t end) {
    if (plan_.is_direct())
      run_rows(begin, end);
    else
      run_pieces(begin, end);
  }

 private:
  // A part of a row.
  struct piece {
    loop_nest<4>::offsets offset;
    std::size_t count;
  };

  // Calls f(piece) for the parts of rows that elements begin .. end-1 consist of.
  template <class F>
  void for_pieces(std::uint64_t begin, std::uint64_t end, const F& f) const {
    const loop<4>& row = plan_.row;
    auto p = plan_.rows.begin_at(begin / row.size);
    for (std::uint64_t x = begin % row.size; begin < end; x = 0) {
      const std::uint64_t count = (std::min)(row.size - x, end - begin);
      piece part{p.offset, static_cast<std::size_t>(count)};
      for (std::size_t k = 0; k < 4; ++k) part.offset[k] += x * row.stride[k];
      f(part);
      begin += count;
      plan_.rows.advance(p);
    }
  }

  void run_rows(std::uint64_t begin, std::uint64_t end) {
    for_pieces(begin, end, [&](const piece& part) {
      element_wise_blocks all{plan_.to + part.offset[0], {}, {}, part.count};
      for (std::size_t k = 0; k < plan_.input_count; ++k) {
        const std::byte* const first = plan_.from[k] + part.offset[k + 1];
        const std::size_t width = plan_.width[k + 1];
        if (plan_.row.stride[k + 1] == 0) {
          visit_width(width, [&]<std::size_t Size>(std::integral_constant<std::size_t, Size>) {
            gather_elements<Size>(block_[k].data(), first, 0, element_wise_block);
          });
          all.from[k] = block_[k].data();
        } else {
          all.from[k] = first;
          all.step[k] = element_wise_block * width;
        }
      }
      run_row(all, part.count);
    });
    if (streamed_) simd::streaming_fence();
  }

  // Computes `count` consecutive elements.
  void run_row(element_wise_blocks row, std::size_t count) {
    if (streamed_ && count >= 4 * element_wise_block) {  // the first and the last line of a row cost a block each
      const std::size_t before = simd::bytes_to_next_line(row.to);
      if (before % plan_.width[0] == 0) {  // otherwise elements lie across lines
        row.streamed = true;
        const std::size_t head = (std::min)(count, before / plan_.width[0]);
        run_few(row, head);
        count -= head;
      }
    }
    row.count = count / element_wise_block;
    if (row.count != 0) body_(row);
    skip(row, row.count * element_wise_block);
    run_few(row, count % element_wise_block);
  }

  // Moves `count` elements on.
  void skip(element_wise_blocks& row, std::size_t count) const {
    row.to += count * plan_.width[0];
    for (std::size_t k = 0; k < plan_.input_count; ++k)
      if (row.step[k] != 0) row.from[k] += count * plan_.width[k + 1];
  }

  // Computes fewer elements than a block, and moves on.
  void run_few(element_wise_blocks& row, std::size_t count) {
    if (count == 0) return;
    for (std::size_t k = 0; k < plan_.input_count; ++k)
      if (row.step[k] != 0) std::memcpy(block_[k].data(), row.from[k], count * plan_.width[k + 1]);
    compute_block();
    std::memcpy(row.to, result_.data(), count * plan_.width[0]);
    skip(row, count);
  }

  void run_pieces(std::uint64_t begin, std::uint64_t end) {
    std::array<piece, element_wise_block> pieces;
    while (begin < end) {
      const std::uint64_t next = (std::min)(end, begin + element_wise_block);
      std::size_t count = 0;
      for_pieces(begin, next, [&](const piece& part) { pieces[count++] = part; });
      const std::span<const piece> parts(pieces.data(), count);
      for (std::size_t k = 0; k < plan_.input_count; ++k)
        visit_width(plan_.width[k + 1], [&]<std::size_t Size>(std::integral_constant<std::size_t, Size>) {
          std::byte* to = block_[k].data();
          for (const piece& part : parts) {
            gather_elements<Size>(to, plan_.from[k] + part.offset[k + 1], plan_.row.stride[k + 1], part.count);
            to += part.count * Size;
          }
        });
      compute_block();
      visit_width(plan_.width[0], [&]<std::size_t Size>(std::integral_constant<std::size_t, Size>) {
        const std::byte* from = result_.data();
        for (const piece& part : parts) {
          scatter_elements<Size>(plan_.to + part.offset[0], from, plan_.row.stride[0], part.count);
          from += part.count * Size;
        }
      });
      begin = next;
    }
  }

  // Computes one block. Elements past those that are needed are those of an earlier block, or 0.
  void compute_block() {
    element_wise_blocks one{result_.data(), {}, {}, 1};
    for (std::size_t k = 0; k < plan_.input_count; ++k) one.from[k] = block_[k].data();
    body_(one);
  }

  using block = std::array<std::byte, 8 * element_wise_block>;

  const element_wise_plan& plan_;
  const element_wise_body& body_;
  const bool streamed_;
  std::array<block, 3> block_{};
  block result_{};
};

inline void run_element_wise(const cpu_backend& backend, const element_wise_tensors& tensors,
                             const element_wise_body& body) {
  constexpr std::uint64_t elements_per_item = 64 * element_wise_block;
  const element_wise_plan plan(tensors);
  const std::uint64_t elements = plan.element_count();
  const bool streamed = elements * plan.width[0] >= backend.tuning().streaming_from_bytes;
  parallel_for(backend, elements * plan.bytes_per_element(), (elements + elements_per_item - 1) / elements_per_item,
               [&](std::uint64_t begin, std::uint64_t end) {
                 const ieee_arithmetic mode;
                 element_wise_worker worker(plan, body, streamed);
                 worker.run(begin * elements_per_item, (std::min)(elements, end * elements_per_item));
               });
}

}  // namespace goldml::detail
