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
#include <goldml/cpu/engine/move/elements.hpp>
#include <goldml/cpu/engine/move/transpose.hpp>

namespace goldml::detail {

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
  // Writes what is collected. Call before writing by other means, and seek() afterwards.
  void leave() {
    if (streamed_) put_begun_line();
    to_ = nullptr;
    begun_ = 0;
  }
  void skip(std::uint64_t count) { seek(to_ + count * stride_); }

  // Copies `count` contiguous elements. For each line written, prefetches one of those that are read later.
  void copy(const std::byte* from, std::uint64_t count, lines_to_read* later = nullptr) {
    const std::uint64_t bytes = count * Size;
    if (streamed_) {
      const std::uint64_t head = finish_line(from, bytes);
      std::byte* to = to_;
      from += head;
      lines_to_read asked = later == nullptr ? lines_to_read{} : *later;  // a copy that no store below can alias
      std::uint64_t lines = (bytes - head) / line_bytes;
      for (; lines > 0; --lines, to += line_bytes, from += line_bytes) {
        if (later != nullptr) asked.ask_for_next();
        for (std::size_t i = 0; i < line_bytes; i += 16) simd::stream16(to + i, from + i);
      }
      if (later != nullptr) *later = asked;
      to_ = to;
      begin_line(from, (bytes - head) % line_bytes);
    } else if (stride_ == Size) {
      std::memcpy(to_, from, bytes);
      to_ += bytes;
    } else {
      for (std::uint64_t i = 0; i < count; ++i, to_ += stride_) move_element<Size>(to_, from + i * Size);
    }
  }

  // Copies `rows` rows, at most 8, of `count` contiguous elements; the distances between rows are in bytes. Takes a few
  // cache lines of each row in turn: hardware prefetches the rows side by side, and would begin anew at each of them
  // otherwise. Needs streamed(). Call seek() before the next run.
  void copy_rows(std::byte* to, std::uint64_t to_stride, const std::byte* from, std::uint64_t from_stride,
                 std::uint64_t rows, std::uint64_t count) {
    constexpr std::uint64_t turn = 4 * line_bytes;
    const std::uint64_t bytes = count * Size;
    leave();
    // The whole lines of each row.
    std::array<std::uint64_t, 8> head;
    std::uint64_t longest = 0;
    for (std::uint64_t r = 0; r < rows; ++r) {
      const std::uint64_t into = reinterpret_cast<std::uintptr_t>(to + r * to_stride) % line_bytes;
      head[r] = (std::min)((line_bytes - into) % line_bytes, bytes);
      longest = (std::max)(longest, (bytes - head[r]) / line_bytes * line_bytes);
    }
    for (std::uint64_t at = 0; at < longest; at += turn)
      for (std::uint64_t r = 0; r < rows; ++r) {
        const std::uint64_t lines = (bytes - head[r]) / line_bytes * line_bytes;
        if (at >= lines) continue;
        std::byte* const run_to = to + r * to_stride + head[r] + at;
        const std::byte* const run_from = from + r * from_stride + head[r] + at;
        const std::uint64_t end = (std::min)(turn, lines - at);
        for (std::uint64_t i = 0; i < end; i += 16) simd::stream16(run_to + i, run_from + i);
      }
    // What is before and after them. The end of a row and the start of the next one can share a line.
    for (std::uint64_t r = 0; r < rows; ++r) {
      std::byte* const row_to = to + r * to_stride;
      const std::byte* const row_from = from + r * from_stride;
      std::memcpy(row_to, row_from, head[r]);
      const std::uint64_t rest = (bytes - head[r]) % line_bytes;
      std::memcpy(row_to + bytes - rest, row_from + bytes - rest, rest);
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

// Reads rows of elements: in place if a row is contiguous, otherwise gathered block by block, in registers if columns
// are contiguous (a transposed tensor).
template <std::size_t Size>
class row_source {
 public:
  row_source(std::uint64_t row_stride, std::uint64_t column_stride)
      : row_stride_(row_stride), column_stride_(column_stride) {}

  // The most rows and columns of a block of a matrix of this size.
  struct shape {
    std::uint64_t rows;
    std::uint64_t columns;
  };
  static shape block_of(std::uint64_t row_stride, std::uint64_t column_stride, const shape& matrix) {
    if (column_stride == Size) {
      if (reads_in_turns(row_stride, column_stride, matrix))
        return {rows_in_turn, (std::min)(direct_bytes / rows_in_turn / Size, matrix.columns)};
      const std::uint64_t columns = (std::min)(direct_bytes / Size, matrix.columns);
      return {(std::min)((std::max)(direct_bytes / (columns * Size), std::uint64_t{1}), matrix.rows), columns};
    }
    if (row_stride >= column_stride) return {1, (std::min)(gathered, matrix.columns)};
    const std::uint64_t columns = (std::min)(gathered_columns, matrix.columns);
    std::uint64_t rows = gathered / columns;
    rows = (std::min)(rows / line * line, matrix.rows);  // of at least two lines
    return {rows, (std::min)(gathered / rows, matrix.columns)};
  }

  // Whether rows are better read a few lines of each in turn: long rows that do not follow each other.
  static bool reads_in_turns(std::uint64_t row_stride, std::uint64_t column_stride, const shape& matrix) {
    const std::uint64_t bytes = matrix.columns * Size;
    return column_stride == Size && row_stride > bytes && bytes >= 2048 && matrix.rows >= rows_in_turn;
  }

  // Moves to the block that begins at `from`. Reads nothing until row() is called.
  void seek(const std::byte* from, std::uint64_t rows, std::uint64_t columns) {
    gathered_here_ = gathered_here_ && from == from_ && rows == rows_ && columns == columns_;
    from_ = from;
    rows_ = rows;
    columns_ = columns;
  }

  // Prefetches the first of the `count` elements of row r from `begin` on, if rows are contiguous.
  GOLDML_INLINE void ask_for(std::uint64_t r, std::uint64_t begin, std::uint64_t count) const {
    if (column_stride_ != Size || count == 0) return;
    ask_for_lines<simd::prefetch>(from_ + r * row_stride_ + begin * Size,
                                  (std::min<std::uint64_t>)(count * Size, 128 * line_bytes));
  }

  // What is to be prefetched while the block is written; `next`: where the next block begins.
  lines_to_read later(const std::byte* next) const {
    const bool down = row_stride_ < column_stride_;  // the elements of a column are closer together
    if (column_stride_ == Size) {
      constexpr std::uint64_t ahead = 2048;
      const std::uint64_t bytes = columns_ * Size;
      return {from_ + ahead / bytes * row_stride_, bytes, row_stride_, ahead % bytes};
    }
    if (!down) return {next, columns_ * column_stride_, row_stride_};
    const std::uint64_t bytes = rows_ * row_stride_;
    if (column_stride_ <= bytes + line_bytes) return {next, columns_ * column_stride_, 0};
    return {next, bytes, column_stride_};
  }

  // Writes the rows of the block to `to`, one after the other, with non-temporal stores. Returns false, with nothing
  // written, if there is no faster way than through gathered rows.
  bool stream(std::byte* to) const {
    return row_stride_ == Size && transposer<Size>::stream({from_, column_stride_, rows_, columns_}, to);
  }

  // The elements of `count` rows from row r on, for rows that are gathered: fewer than a block stay in the nearest cache.
  const std::byte* few_rows(std::uint64_t r, std::uint64_t count) {
    gather(from_ + r * row_stride_, count);
    gathered_here_ = false;
    return elements_.data();
  }

  // The elements of row r of the block, contiguous. If rows are gathered, the next row follows.
  const std::byte* row(std::uint64_t r) {
    if (column_stride_ == Size) return from_ + r * row_stride_;
    if (!gathered_here_) gather(from_, rows_);
    gathered_here_ = true;
    return elements_.data() + r * columns_ * Size;
  }

  static constexpr std::uint64_t rows_in_turn = 8;

 private:
  static constexpr std::uint64_t direct_bytes = std::uint64_t{256} << 10;
  static constexpr std::uint64_t line = line_bytes / Size;
  static constexpr std::uint64_t gathered = (std::uint64_t{16} << 10) / Size;
  static constexpr std::uint64_t gathered_columns = Size == 1 ? 128 : 64;

  void gather(const std::byte* first, std::uint64_t rows) {
    std::byte* to = elements_.data();
    if (row_stride_ == Size) return transposer<Size>::run({first, column_stride_, rows, columns_}, to);
    if (column_stride_ == 0) {
      for (std::uint64_t r = 0; r < rows; ++r, to += columns_ * Size)
        fill_run<Size>(to, fill_pattern<Size>(first + r * row_stride_), columns_ * Size);
      return;
    }
    for (std::uint64_t r = 0; r < rows; ++r) {
      const std::byte* from = first + r * row_stride_;
      for (std::uint64_t c = 0; c < columns_; ++c, from += column_stride_, to += Size) move_element<Size>(to, from);
    }
  }

  std::uint64_t row_stride_;
  std::uint64_t column_stride_;
  const std::byte* from_ = nullptr;
  std::uint64_t rows_ = 0;
  std::uint64_t columns_ = 0;
  bool gathered_here_ = false;
  // A block, a cache line more of each row, and what a transposer writes after it.
  std::array<std::byte, gathered * Size + gathered / gathered_columns * line_bytes + 16> elements_;
};

}  // namespace goldml::detail
