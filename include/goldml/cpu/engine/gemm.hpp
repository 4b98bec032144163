// The engine of GEMM: products of tiles in double, with a bound on their error. Where it leaves open how an element is
// rounded, that element is computed exactly.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <goldml/arithmetic/fused.hpp>
#include <goldml/arithmetic/matrix_products.hpp>
#include <goldml/arithmetic/values.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/float_mode.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/operators/gemm.hpp>

namespace goldml::detail {

// One element of a product: the factors, and their sum in double.
template <class T>
struct gemm_element {
  const matrix_view<T>& row;     // one row
  const matrix_view<T>& column;  // one row, transposed
  double sum;
  bool sum_is_exact;
  double alpha, beta;
  std::optional<double> c;

  extended_sum exactly() const {
    extended_sum result;
    const double product = alpha * sum;
    if (sum_is_exact && is_finite_double(product) && !is_zero(product))
      result.add_product(sum, alpha);
    else if (sum_is_exact && is_finite_double(product))
      result.add(has_only_negative_zeros() ? -0.0 : 0.0);
    else
      for (std::uint64_t k = 0; k < row.columns; ++k) result.add_product(row.at(0, k) * column.at(0, k), alpha);
    if (c) result.add_product(*c, beta);
    return result;
  }

 private:
  bool has_only_negative_zeros() const {
    for (std::uint64_t k = 0; k < row.columns; ++k) {
      const double product = alpha * (row.at(0, k) * column.at(0, k));
      if (!is_zero(product) || !is_negative_double(product)) return false;
    }
    return true;
  }
};

template <class T>
void gemm_tile(const gemm_desc& desc, const matrix_view<T>& left, const matrix_view<T>& right,
               const std::optional<matrix_view<T>>& c, const tile_grid::place& at, matrix_tile& tile, T* output,
               std::uint64_t row_stride, std::uint64_t column_stride) {
  tile.multiply(left, right, false);
  const double alpha = exact_double(desc.alpha), beta = exact_double(desc.beta);
  const double growth_of_double = growth(static_cast<double>(left.columns) + 3, 0x1p-53);
  for (std::uint64_t i = 0; i < at.rows; ++i) {
    const factor_line& line = tile.rows[static_cast<std::size_t>(i)];
    const matrix_view<T> row = left.rows_from(i, 1);
    for (std::uint64_t j = 0; j < at.columns; ++j) {
      const factor_line& other = tile.columns[static_cast<std::size_t>(j)];
      const matrix_view<T> column = right.rows_from(j, 1);
      // The sum of the magnitudes of the products is at most the product of the norms.
      const double most = std::sqrt(line.squares * other.squares) * (1 + 0x1p-20);
      const double sum = tile.sums(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      // A multiple of 2^lowest below 2^52 of them, and so are all partial sums.
      const bool sum_is_exact = most <= std::ldexp(1.0, 52 + line.lowest + other.lowest);
      gemm_element<T> element{row, column, sum, sum_is_exact, alpha, beta, {}};
      if (c) element.c = c->at(at.row + i, at.column + j);
      const double addend = element.c ? beta * *element.c : 0;
      const double product = alpha * sum;
      const double w = element.c ? product + addend : product;
      const double error = growth_of_double * (std::abs(alpha) * most + std::abs(addend));
      // Not known are the sign of a zero, and that of the sum, on which an infinite Alpha depends.
      output[i * row_stride + j * column_stride] =
          is_finite_double(alpha) && !is_zero(w)
              ? arithmetic::fused_rounded<T>(desc.fused_activation, w, error, [&] { return element.exactly(); })
              : arithmetic::fused_rounded<T>(desc.fused_activation, element.exactly());
    }
  }
}

template <class T>
void gemm_matrices(const cpu_backend& backend, const tensor_view<const T>& a, const tensor_view<const T>& b,
                   const std::optional<tensor_view<const T>>& c, const tensor_view<T>& output, const gemm_desc& desc) {
  const dimensions& sizes = output.sizes();
  const std::size_t rank = sizes.size();
  const dimensions batches = sizes.slice(0, rank - 2);
  tile_grid grid{sizes[rank - 2], sizes[rank - 1], matrix_tile::most_lines};
  // Smaller tiles give each thread a share.
  const std::uint64_t k = a.sizes()[rank - (desc.trans_a == matrix_transform::transpose ? 2 : 1)];
  const std::uint64_t products = saturating_multiply(element_count(sizes), k);
  while (grid.side > 64 && element_count(batches) * grid.count() < 4 * std::uint64_t{backend.threads()} &&
         part_count(backend, products, backend.threads()) > 1)
    grid.side /= 2;
  parallel_for(backend, products, element_count(batches) * grid.count(), [&](std::uint64_t begin, std::uint64_t end) {
    const ieee_arithmetic arithmetic;
    matrix_tile tile;
    for (std::uint64_t number = begin; number < end; ++number) {
      const coordinate_tuple batch = coordinate_at(batches, number / grid.count());
      const tile_grid::place at = grid.at(number % grid.count());
      const matrix_view<T> left = transformed(matrix_of<T>(a, batch), desc.trans_a).rows_from(at.row, at.rows);
      const matrix_view<T> right =
          transformed(matrix_of<T>(b, batch), desc.trans_b).transposed().rows_from(at.column, at.columns);
      std::optional<matrix_view<T>> addends;
      if (c) addends = matrix_of<T>(*c, batch);
      const matrix_view<T> target = matrix_of<T>(tensor_view<const T>(output), batch).rows_from(at.row, at.rows);
      T* const first =
          output.data() + (target.data - output.data()) + static_cast<std::ptrdiff_t>(at.column * target.column_stride);
      gemm_tile<T>(desc, left, right, addends, at, tile, first, target.row_stride, target.column_stride);
    }
  });
}

}  // namespace goldml::detail
