// Copies and fills of runs of elements: contiguous or strided, with ordinary or non-temporal stores. Only the size of
// an element matters, so every bit is preserved and four instantiations serve all data types. Strides are in bytes.
// Exactly the bytes of the elements are read and written. No alignment is assumed.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <goldml/cpu/engine/base/simd.hpp>

namespace goldml::detail {

inline constexpr std::size_t line_bytes = 64;  // of a cache line

template <std::size_t Size>
GOLDML_INLINE void move_element(std::byte* to, const std::byte* from) {
  std::memcpy(to, from, Size);
}

// Prefetches the cache lines of `bytes` bytes, at least one, at `from`. Prefetch is simd::prefetch or prefetch_near.
// Inlined, because g++ removes a call of a function that only prefetches.
template <void (*Prefetch)(const void*)>
GOLDML_INLINE void ask_for_lines(const std::byte* from, std::uint64_t bytes) {
  for (std::uint64_t b = 0; b < bytes; b += line_bytes) Prefetch(from + b);
  Prefetch(from + (bytes - 1));
}

// A repeated value.
template <std::size_t Size>
class fill_pattern {
 public:
  explicit fill_pattern(const std::byte* value) {
    for (std::size_t i = 0; i < bytes_.size(); i += Size) move_element<Size>(bytes_.data() + i, value);
  }

  // The next line_bytes bytes of the pattern after the first `written` ones.
  const std::byte* after(std::uint64_t written) const { return bytes_.data() + written % Size; }

 private:
  std::array<std::byte, line_bytes + 8> bytes_;
};

template <std::size_t Size>
void fill_run(std::byte* to, const fill_pattern<Size>& pattern, std::uint64_t bytes) {
  const std::byte* const value = pattern.after(0);
  if (bytes < 16) {
    for (std::uint64_t i = 0; i < bytes; i += Size) move_element<Size>(to + i, value);
    return;
  }
  std::byte* const last = to + (bytes - 16);  // a multiple of Size from `to`
  for (; last - to >= 48; to += 64) std::memcpy(to, value, 64);
  for (; to < last; to += 16) std::memcpy(to, value, 16);
  std::memcpy(last, value, 16);
}

// Writes runs of elements one after the other. When streamed, it collects the pieces of each cache line and writes the
// whole line with non-temporal stores. Lines that are written in part only get ordinary stores.
template <std::size_t Size>
class run_writer {
 public:
  // `stride`: the distance between elements of a run.
  run_writer(std::uint64_t stride, bool streamed) : stride_(stride), streamed_(streamed && stride == Size) {}
  run_writer(const run_writer&) = delete;
  run_writer& operator=(const run_writer&) = delete;
  ~run_writer() {
    if (!streamed_) return;
    put_begun_line();
    simd::streaming_fence();
  }

  bool streamed() const { return streamed_; }

  // The next run begins at `to`.
  void seek(std::byte* to) {
    if (to == to_) return;
    if (streamed_) put_begun_line();
    to_ = to;
    begun_ = place_in_line();
  }
  void skip(std::uint64_t count) { seek(to_ + count * stride_); }

  // Copies `count` contiguous elements.
  void copy(const std::byte* from, std::uint64_t count) {
    const std::uint64_t bytes = count * Size;
    if (streamed_) {
      const std::uint64_t head = finish_line(from, bytes);
      std::byte* to = to_;
      from += head;
      for (std::uint64_t lines = (bytes - head) / line_bytes; lines > 0; --lines, to += line_bytes, from += line_bytes)
        for (std::size_t i = 0; i < line_bytes; i += 16) simd::stream16(to + i, from + i);
      to_ = to;
      begin_line(from, (bytes - head) % line_bytes);
    } else if (stride_ == Size) {
      std::memcpy(to_, from, bytes);
      to_ += bytes;
    } else {
      for (std::uint64_t i = 0; i < count; ++i, to_ += stride_) move_element<Size>(to_, from + i * Size);
    }
  }

  void fill(const fill_pattern<Size>& pattern, std::uint64_t count) {
    const std::uint64_t bytes = count * Size;
    if (streamed_) {
      const std::uint64_t head = finish_line(pattern.after(0), bytes);
      std::byte* to = to_;
      std::array<std::byte, 16> value;  // a copy that no store below can alias, so that it stays in a register
      std::memcpy(value.data(), pattern.after(head), 16);
      for (std::uint64_t lines = (bytes - head) / line_bytes; lines > 0; --lines, to += line_bytes)
        for (std::size_t i = 0; i < line_bytes; i += 16) simd::stream16(to + i, value.data());
      to_ = to;
      begin_line(pattern.after(head), (bytes - head) % line_bytes);
    } else if (stride_ == Size) {
      fill_run<Size>(to_, pattern, bytes);
      to_ += bytes;
    } else {
      for (std::uint64_t i = 0; i < count; ++i, to_ += stride_) move_element<Size>(to_, pattern.after(0));
    }
  }

 private:
  std::size_t place_in_line() const { return reinterpret_cast<std::uintptr_t>(to_) % line_bytes; }

  // Writes those of the `bytes` bytes that belong to the line already begun, and returns their number.
  std::uint64_t finish_line(const std::byte* from, std::uint64_t bytes) {
    const std::size_t place = place_in_line();
    if (place == 0) return 0;
    const std::uint64_t head = (std::min<std::uint64_t>)(line_bytes - place, bytes);
    std::memcpy(line_.data() + place, from, head);
    to_ += head;
    if (place + head < line_bytes) return head;
    std::byte* const to = to_ - line_bytes;
    if (begun_ == 0)
      for (std::size_t i = 0; i < line_bytes; i += 16) simd::stream16(to + i, line_.data() + i);
    else
      std::memcpy(to + begun_, line_.data() + begun_, line_bytes - begun_);
    begun_ = 0;
    return head;
  }

  // Stores the last bytes of a run, fewer than a line. If there are any, to_ is at the start of a line.
  void begin_line(const std::byte* from, std::uint64_t bytes) {
    if (bytes == 0) return;
    begun_ = 0;
    std::memcpy(line_.data(), from, bytes);
    to_ += bytes;
  }

  void put_begun_line() {
    const std::size_t place = place_in_line();
    if (place > begun_) std::memcpy(to_ - place + begun_, line_.data() + begun_, place - begun_);
  }

  std::byte* to_ = nullptr;  // where the next element is written
  std::uint64_t stride_;
  bool streamed_;
  std::size_t begun_ = 0;  // line_ holds the bytes of the current line from this offset on
  alignas(16) std::array<std::byte, line_bytes> line_;
};

// Reads rows of elements: in place if a row is contiguous, otherwise gathered block by block. If the elements of a row
// are farther apart than the rows (a transposed tensor), many rows are gathered at a time, in whole cache lines of each
// column.
template <std::size_t Size>
class row_source {
 public:
  row_source(std::uint64_t row_stride, std::uint64_t column_stride)
      : row_stride_(row_stride), column_stride_(column_stride) {}

  // The most rows and columns of a block.
  static std::uint64_t rows(std::uint64_t row_stride, std::uint64_t column_stride, std::uint64_t columns) {
    if (column_stride == Size) return (std::max)(direct_bytes / (columns * Size), std::uint64_t{1});
    return row_stride < column_stride ? gathered_rows : 1;
  }
  static std::uint64_t columns(std::uint64_t column_stride) {
    return column_stride == Size ? direct_bytes / Size : gathered_columns;
  }

  // Moves to the block that begins at `from`. Reads nothing until row() is called.
  void seek(const std::byte* from, std::uint64_t rows, std::uint64_t columns) {
    from_ = from;
    rows_ = rows;
    columns_ = columns;
    gathered_ = false;
  }

  // Prefetches the first of the `count` elements of row r from `begin` on, if rows are contiguous.
  GOLDML_INLINE void ask_for(std::uint64_t r, std::uint64_t begin, std::uint64_t count) const {
    if (column_stride_ != Size || count == 0) return;
    ask_for_lines<simd::prefetch>(from_ + r * row_stride_ + begin * Size,
                                  (std::min<std::uint64_t>)(count * Size, 128 * line_bytes));
  }

  // The elements of row r of the block, contiguous.
  const std::byte* row(std::uint64_t r) {
    if (column_stride_ == Size) return from_ + r * row_stride_;
    if (!gathered_) gather();
    return elements_.data() + r * gathered_columns * Size;
  }

 private:
  static constexpr std::uint64_t direct_bytes = std::uint64_t{256} << 10;
  static constexpr std::size_t gathered_rows = 2 * line_bytes / Size;
  static constexpr std::size_t gathered_columns = 128;

  void gather() {
    gathered_ = true;
    for (std::uint64_t c = 0; c < columns_; ++c) {
      const std::byte* const column = from_ + c * column_stride_;
      simd::prefetch(column + 8 * column_stride_);
      std::byte* const to = elements_.data() + c * Size;
      if (row_stride_ == Size && rows_ == gathered_rows)  // the most common case, which compilers unroll
        for (std::size_t r = 0; r < gathered_rows; ++r)
          move_element<Size>(to + r * gathered_columns * Size, column + r * Size);
      else
        for (std::uint64_t r = 0; r < rows_; ++r)
          move_element<Size>(to + r * gathered_columns * Size, column + r * row_stride_);
    }
  }

  std::uint64_t row_stride_;
  std::uint64_t column_stride_;
  const std::byte* from_ = nullptr;
  std::uint64_t rows_ = 0;
  std::uint64_t columns_ = 0;
  bool gathered_ = false;
  std::array<std::byte, gathered_rows * gathered_columns * Size> elements_;  // 16 KiB
};

}  // namespace goldml::detail
