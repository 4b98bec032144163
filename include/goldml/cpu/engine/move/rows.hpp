// Copies and fills of whole tensors with any strides: row by row in the order of the output's memory, on all threads.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <goldml/cpu/engine/base/loop_nest.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/cpu/engine/move/blocks.hpp>

namespace goldml::detail {

// The elements of `Size` bytes from `address` back to the start of its cache line.
template <std::size_t Size>
std::uint64_t elements_into_line(const std::byte* address) {
  return reinterpret_cast<std::uintptr_t>(address) % line_bytes / Size;
}

// Divides a dimension into pieces. The first is shorter by `shift`.
struct division {
  std::uint64_t size;
  std::uint64_t piece;
  std::uint64_t shift;

  // With contiguous elements at `first`, the other pieces begin at a cache line.
  template <std::size_t Size>
  static division at_lines(std::uint64_t size, std::uint64_t longest, const loop<2>& along, std::size_t operand,
                           const std::byte* first) {
    const bool can_be = longest < size && along.stride[operand] == Size && longest % (line_bytes / Size) == 0;
    return {size, longest, can_be ? elements_into_line<Size>(first) : 0};
  }

  // Divides `rows` contiguous rows of `width` elements at `first` into pieces of 16 cache lines or one row.
  template <std::size_t Size>
  static division at_lines_of_rows(std::uint64_t rows, std::uint64_t width, const std::byte* first) {
    const std::uint64_t piece = (std::max<std::uint64_t>)(16 * line_bytes / (width * Size), 1);
    const std::uint64_t into = elements_into_line<Size>(first);
    return {rows, piece, into % width == 0 && into / width < piece ? into / width : 0};
  }

  std::uint64_t pieces() const { return (size + shift + piece - 1) / piece; }
  std::uint64_t begin(std::uint64_t i) const { return i == 0 ? 0 : i * piece - shift; }
  std::uint64_t end(std::uint64_t i) const { return (std::min)((i + 1) * piece - shift, size); }
};

// Writes a batch of matrices of rows.size x columns.size elements. Operand 0 of the loops is the output `to`, operand
// 1 the input `from`; strides are in bytes. For each block
//   write(writer, source, later, to, y, x, height, width)
// must write the elements x .. x+width-1 of the rows y .. y+height-1 to `writer`. Element x of row y belongs to `to`.
// The elements of the input are at source.row(0 .. height-1). Without an input, pass the output as `from` and do not
// use `source`. A block begins `overlap` elements before the end of its left neighbour.
template <std::size_t Size, class Write>
void write_blocks(const cpu_backend& backend, const loop_nest<2>& batch, const loop<2>& rows, const loop<2>& columns,
                  std::byte* to, const std::byte* from, std::uint64_t overlap, const Write& write) {
  const auto block = row_source<Size>::block_of(rows.stride[1], columns.stride[1], {rows.size, columns.size});
  const auto down = division::at_lines<Size>(rows.size, block.rows, rows, 1, from);
  auto across = division::at_lines<Size>(columns.size, block.columns, columns, 0, to);
  if (overlap != 0) across.shift = 0;
  // Output, input, number of the piece down and across. Loops in which the input does not move are the inner ones: a
  // block of the input is read once, and written several times.
  loop_nest<4> blocks;
  for (const bool moving : {true, false}) {
    for (std::size_t i = 0; i < batch.size(); ++i)
      if ((batch[i].stride[1] != 0) == moving)
        blocks.add(batch[i].size, {batch[i].stride[0], batch[i].stride[1], 0, 0});
    if ((rows.stride[1] != 0) == moving) blocks.add(down.pieces(), {0, 0, 1, 0});
    if (moving) blocks.add(across.pieces(), {0, 0, 0, 1});
  }

  const std::uint64_t bytes = batch.iterations() * rows.size * columns.size * Size;
  const bool streamed = bytes >= backend.tuning().streaming_from_bytes;
  parallel_for(backend, bytes, blocks.iterations(), [&](std::uint64_t begin, std::uint64_t end) {
    run_writer<Size> writer(columns.stride[0], streamed);
    row_source<Size> source(rows.stride[1], columns.stride[1]);
    const auto column_of = [&](std::uint64_t piece) { return across.begin(piece) - (piece == 0 ? 0 : overlap); };
    const auto input_of = [&](const auto& at) {
      return from + at[1] + down.begin(at[2]) * rows.stride[1] + column_of(at[3]) * columns.stride[1];
    };
    auto place = blocks.begin_at(begin);
    for (std::uint64_t left = end - begin; left > 0; --left) {
      const auto at = place.offset;
      blocks.advance(place);
      const std::uint64_t y = down.begin(at[2]), height = down.end(at[2]) - y;
      const std::uint64_t x = column_of(at[3]), width = across.end(at[3]) - x;
      source.seek(input_of(at), height, width);
      lines_to_read later = source.later(input_of(place.offset));
      write(writer, source, later, to + at[0] + y * rows.stride[0] + x * columns.stride[0], y, x, height, width);
    }
  });
}

// The same row by row: write(writer, source, r, y, x, width) must write the elements x .. x+width-1 of row y to
// `writer`, which is positioned at the first. The elements of the input are at source.row(r).
template <std::size_t Size, class Write>
void write_rows(const cpu_backend& backend, const loop_nest<2>& batch, const loop<2>& rows, const loop<2>& columns,
                std::byte* to, const std::byte* from, const Write& write) {
  write_blocks<Size>(backend, batch, rows, columns, to, from, 0,
                     [&](auto& writer, auto& source, auto&, std::byte* first, std::uint64_t y, std::uint64_t x,
                         std::uint64_t height, std::uint64_t width) {
                       for (std::uint64_t r = 0; r < height; ++r, first += rows.stride[0]) {
                         writer.seek(first);
                         write(writer, source, r, y + r, x, width);
                       }
                     });
}

template <std::size_t Size>
void copy_elements(const cpu_backend& backend, loop_nest<2> nest, std::byte* to, const std::byte* from) {
  nest.sort_by_stride(0);
  nest.merge();
  const loop<2> columns = nest.take_innermost();
  const bool gathered = columns.stride[1] != Size;
  // Rows: the loop with the smallest input stride, unless the columns are already contiguous in the input.
  loop<2> rows{1, {}};
  if (!nest.empty()) {
    std::size_t chosen = nest.size() - 1;
    if (gathered)
      for (std::size_t i = 0; i < nest.size(); ++i)
        if (nest[i].stride[1] != 0 && (nest[chosen].stride[1] == 0 || nest[i].stride[1] < nest[chosen].stride[1]))
          chosen = i;
    rows = nest[chosen];
    nest.remove(chosen);
  }
  // Gathered rows that are contiguous in the output, too, are written as one. Others are cut at the output's cache
  // lines. If these are at other places in each row, blocks overlap by a line.
  const bool joined = gathered && columns.stride[0] == Size && rows.stride[0] == columns.size * Size;
  bool aligned = rows.stride[0] % line_bytes == 0;
  for (std::size_t i = 0; i < nest.size(); ++i) aligned = aligned && nest[i].stride[0] % line_bytes == 0;
  const std::uint64_t overlap =
      rows.stride[1] == Size && gathered && columns.stride[0] == Size && !aligned ? line_bytes / Size : 0;
  const bool in_turns =
      columns.stride[0] == Size &&
      row_source<Size>::reads_in_turns(rows.stride[1], columns.stride[1], {rows.size, columns.size});
  const auto write = [&](run_writer<Size>& writer, row_source<Size>& source, lines_to_read& later, std::byte* first,
                         std::uint64_t, std::uint64_t x, std::uint64_t height, std::uint64_t width) {
    if (joined && width == columns.size) {
      if (!writer.streamed()) {
        writer.seek(first);
        writer.copy(source.row(0), height * width);
        return;
      }
      if (source.stream(first)) return writer.leave();
      writer.seek(first);
      // Pieces of some cache lines each, so that reads and writes alternate.
      const division pieces = division::at_lines_of_rows<Size>(height, width, first);
      for (std::uint64_t i = 0; i < pieces.pieces(); ++i) {
        const std::uint64_t r = pieces.begin(i), count = pieces.end(i) - r;
        writer.copy(source.few_rows(r, count), count * width);
      }
      return;
    }
    if (in_turns && writer.streamed()) {
      writer.copy_rows(first, rows.stride[0], source.row(0), rows.stride[1], height, width);
      return;
    }
    for (std::uint64_t r = 0; r < height; ++r, first += rows.stride[0]) {
      std::uint64_t begin = 0, end = width;
      if (overlap != 0) {
        if (x != 0) begin = overlap - elements_into_line<Size>(first + overlap * Size);
        if (x + width != columns.size) end -= elements_into_line<Size>(first + width * Size);
      }
      writer.seek(first + begin * columns.stride[0]);
      writer.copy(source.row(r) + begin * Size, end - begin, &later);
    }
  };
  write_blocks<Size>(backend, nest, rows, columns, to, from, overlap, write);
}

template <std::size_t Size>
void fill_elements(const cpu_backend& backend, loop_nest<2> nest, std::byte* to,
                   const std::array<std::byte, 8>& value) {
  nest.sort_by_stride(0);
  nest.merge();
  const loop<2> columns = nest.take_innermost();
  const loop<2> rows = nest.take_innermost();
  const fill_pattern<Size> pattern(value.data());
  write_rows<Size>(backend, nest, rows, columns, to, to,
                   [&](auto& writer, auto&, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t count) {
                     writer.fill(pattern, count);
                   });
}

}  // namespace goldml::detail
