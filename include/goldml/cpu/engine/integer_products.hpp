// Products of matrices of integers of 8 bits less their zero points, tile by tile, as products of doubles: these are
// exact, since the sums are below 2^49.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <Eigen/Core>

#include <goldml/arithmetic/matrix_products.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/operators/quantised_parameters.hpp>

namespace goldml::detail {

// Calls store(batch, at, sums) for each tile of each matrix of the output; sums(i, j) is that of row at.row + i.
template <class A, class B, class Store>
void integer_products(const cpu_backend& backend, const tensor_view<const A>& a, const line_parameters<A>& a_zeros,
                      const tensor_view<const B>& b, const line_parameters<B>& b_zeros, const dimensions& sizes,
                      const Store& store) {
  using matrix = matrix_tile::matrix;
  constexpr std::uint64_t most_terms = matrix_tile::most_lines;
  const std::size_t rank = sizes.size();
  const dimensions batches = sizes.slice(0, rank - 2);
  const std::uint64_t products = saturating_multiply(element_count(sizes), a.sizes()[rank - 1]);
  tile_grid grid{sizes[rank - 2], sizes[rank - 1], matrix_tile::most_lines};
  // Smaller tiles give each thread a share.
  while (grid.side > 64 && element_count(batches) * grid.count() < 4 * std::uint64_t{backend.threads()} &&
         part_count(backend, products, backend.threads()) > 1)
    grid.side /= 2;
  const auto pack = [](const auto& from, const auto& zeros, std::uint64_t line, std::uint64_t first,
                       std::uint64_t count, matrix& to) {
    to.resize(static_cast<Eigen::Index>(from.rows), static_cast<Eigen::Index>(count));
    for (std::uint64_t i = 0; i < from.rows; ++i) {
      const auto* const source = from.data + i * from.row_stride + first * from.column_stride;
      double* const target = to.data() + i * count;
      const int zero = zeros.at(line + i);
      for (std::uint64_t k = 0; k < count; ++k) target[k] = int{source[k * from.column_stride]} - zero;
    }
  };
  parallel_for(backend, products, element_count(batches) * grid.count(), [&](std::uint64_t begin, std::uint64_t end) {
    matrix left, right, sums;
    for (std::uint64_t number = begin; number < end; ++number) {
      const coordinate_tuple batch = coordinate_at(batches, number / grid.count());
      const tile_grid::place at = grid.at(number % grid.count());
      const auto rows = matrix_of<A>(a, batch).rows_from(at.row, at.rows);
      const auto columns = matrix_of<B>(b, batch).transposed().rows_from(at.column, at.columns);
      sums.setZero(static_cast<Eigen::Index>(at.rows), static_cast<Eigen::Index>(at.columns));
      for (std::uint64_t first = 0; first < rows.columns; first += most_terms) {
        const std::uint64_t count = (std::min)(most_terms, rows.columns - first);
        pack(rows, a_zeros, at.row, first, count, left);
        pack(columns, b_zeros, at.column, first, count, right);
        sums.noalias() += left * right.transpose();
      }
      store(batch, at, sums);
    }
  });
}

}  // namespace goldml::detail
