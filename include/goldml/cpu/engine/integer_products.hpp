// Products of matrices and convolutions of integers of 8 bits less their zero points, in parallel.
#pragma once

#include <cstddef>
#include <cstdint>

#include <goldml/core/coordinates.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/operators/integer_products.hpp>

namespace goldml::detail {

// Calls store(batch, at, sums) for each tile of each matrix of the output; sums(i, j) is that of row at.row + i.
template <class A, class B, class Store>
void integer_products(const cpu_backend& backend, const tensor_view<const A>& a, const line_parameters<A>& a_zeros,
                      const tensor_view<const B>& b, const line_parameters<B>& b_zeros, const dimensions& sizes,
                      const Store& store) {
  const std::size_t rank = sizes.size();
  const dimensions batches = sizes.slice(0, rank - 2);
  const std::uint64_t products = saturating_multiply(element_count(sizes), a.sizes()[rank - 1]);
  tile_grid grid{sizes[rank - 2], sizes[rank - 1], matrix_tile::most_lines};
  // Smaller tiles give each thread a share.
  while (grid.side > 64 && element_count(batches) * grid.count() < 4 * std::uint64_t{backend.threads()} &&
         part_count(backend, products, backend.threads()) > 1)
    grid.side /= 2;
  parallel_for(backend, products, element_count(batches) * grid.count(), [&](std::uint64_t begin, std::uint64_t end) {
    integer_sums tile;
    for (std::uint64_t number = begin; number < end; ++number) {
      const coordinate_tuple batch = coordinate_at(batches, number / grid.count());
      const tile_grid::place at = grid.at(number % grid.count());
      tile.multiply(matrix_of<A>(a, batch).rows_from(at.row, at.rows), a_zeros, at.row,
                    matrix_of<B>(b, batch).transposed().rows_from(at.column, at.columns), b_zeros, at.column, false);
      store(batch, at, tile.sums);
    }
  });
}

// Calls store(offset, o, sum) for each element of the output: channel o, at this offset in `strides`.
template <class X, class W, class Store>
void integer_convolution(const cpu_backend& backend, const convolution_shape& shape, const tensor_view<const X>& input,
                         int input_zero, const tensor_view<const W>& filter, const line_parameters<W>& filter_zeros,
                         const dimensions& output_strides, const Store& store) {
  const convolution_blocks blocks(shape);
  const convolution_operands<X, W> operands(shape, input, filter);
  const auto strides = convolution_strides(output_strides);
  const std::uint64_t outputs =
      shape.batches * shape.groups * shape.outputs * shape.axes[0].output * shape.axes[1].output * shape.axes[2].output;
  parallel_for(backend, saturating_multiply(outputs, shape.terms()), blocks.units(),
               [&](std::uint64_t begin, std::uint64_t end) {
                 integer_sums part;
                 for (std::uint64_t unit = begin; unit < end; ++unit)
                   blocks.for_each_block(unit, [&](const convolution_block& block) {
                     const std::uint64_t first_channel = block.group * shape.outputs + block.first_channel;
                     part.multiply(operands, block, input_zero, filter_zeros, false);
                     for (std::uint64_t p = 0; p < block.positions; ++p) {
                       const auto at = block.output(p);
                       std::uint64_t offset = block.batch * strides[0];
                       for (std::size_t i = 0; i < at.size(); ++i) offset += at[i] * strides[2 + i];
                       for (std::uint64_t o = 0; o < block.channels; ++o)
                         store(offset + (first_channel + o) * strides[1], first_channel + o,
                               part.sums.data()[o * block.positions + p]);
                     }
                   });
               });
}

}  // namespace goldml::detail
