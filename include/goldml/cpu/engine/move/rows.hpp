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

// Writes a batch of matrices of rows.size x columns.size elements. Operand 0 of the loops is the output `to`, operand 1
// the input `from`; strides are in bytes. For each piece of a row
//   write(writer, source, r, y, x, count)
// must write the elements x .. x+count-1 of row y to `writer`, which is positioned at the first. The elements of the
// input are at source.row(r). Without an input, pass the output as `from` and do not use `source`.
template <std::size_t Size, class Write>
void write_rows(const cpu_backend& backend, const loop_nest<2>& batch, const loop<2>& rows, const loop<2>& columns,
                std::byte* to, const std::byte* from, const Write& write) {
  using source_type = row_source<Size>;
  const std::uint64_t block_columns = (std::min)(source_type::columns(columns.stride[1]), columns.size);
  const std::uint64_t block_rows =
      (std::min)(source_type::rows(rows.stride[1], columns.stride[1], block_columns), rows.size);
  const auto blocks_of = [](std::uint64_t size, std::uint64_t block) { return (size + block - 1) / block; };
  loop_nest<4> blocks;  // output, input, y, x
  for (std::size_t i = 0; i < batch.size(); ++i)
    blocks.add(batch[i].size, {batch[i].stride[0], batch[i].stride[1], 0, 0});
  blocks.add(blocks_of(rows.size, block_rows),
             {block_rows * rows.stride[0], block_rows * rows.stride[1], block_rows, 0});
  blocks.add(blocks_of(columns.size, block_columns),
             {block_columns * columns.stride[0], block_columns * columns.stride[1], 0, block_columns});

  const std::uint64_t bytes = batch.iterations() * rows.size * columns.size * Size;
  const bool streamed = bytes >= backend.tuning().streaming_from_bytes;
  parallel_for(backend, bytes, blocks.iterations(), [&](std::uint64_t begin, std::uint64_t end) {
    run_writer<Size> writer(columns.stride[0], streamed);
    source_type source(rows.stride[1], columns.stride[1]);
    blocks.for_range(begin, end, [&](const auto& at) {
      const auto& [to_offset, from_offset, y, x] = at;
      const std::uint64_t height = (std::min)(block_rows, rows.size - y);
      const std::uint64_t width = (std::min)(block_columns, columns.size - x);
      source.seek(from + from_offset, height, width);
      for (std::uint64_t r = 0; r < height; ++r) {
        writer.seek(to + to_offset + r * rows.stride[0]);
        write(writer, source, r, y + r, x, width);
      }
    });
  });
}

template <std::size_t Size>
void copy_elements(const cpu_backend& backend, loop_nest<2> nest, std::byte* to, const std::byte* from) {
  nest.sort_by_stride(0);
  nest.merge();
  const loop<2> columns = nest.take_innermost();
  // Rows: the loop with the smallest input stride, unless the columns are already contiguous in the input.
  loop<2> rows{1, {}};
  if (!nest.empty()) {
    std::size_t chosen = nest.size() - 1;
    if (columns.stride[1] != Size)
      for (std::size_t i = 0; i < nest.size(); ++i)
        if (nest[i].stride[1] != 0 && (nest[chosen].stride[1] == 0 || nest[i].stride[1] < nest[chosen].stride[1]))
          chosen = i;
    rows = nest[chosen];
    nest.remove(chosen);
  }
  write_rows<Size>(backend, nest, rows, columns, to, from,
                   [](auto& writer, auto& source, std::uint64_t r, std::uint64_t, std::uint64_t, std::uint64_t count) {
                     writer.copy(source.row(r), count);
                   });
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
