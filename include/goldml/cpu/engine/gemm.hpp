// The engine of GEMM: products of tiles in double, with a bound on their error. Where it leaves open how an element is
// rounded, that element is computed exactly.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/arithmetic/fused.hpp>
#include <goldml/arithmetic/fused_softmax.hpp>
#include <goldml/arithmetic/matrix_products.hpp>
#include <goldml/arithmetic/values.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/float_mode.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/operators/arg_reduce.hpp>
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

// Calls visit(i, j, element, w, error) for each element of a tile: its value before the activation is w, to within the
// error if it is finite.
template <class T, class Visit>
void gemm_tile(const gemm_desc& desc, const matrix_view<T>& left, const matrix_view<T>& right,
               const std::optional<matrix_view<T>>& c, const tile_grid::place& at, matrix_tile& tile,
               const Visit& visit) {
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
      visit(i, j, element, w, error);
    }
  }
}

// Calls visit_tile(batch, its number, at) for each tile, which returns what gemm_tile calls.
template <class T, class VisitTile>
void gemm_tiles(const cpu_backend& backend, const tensor_view<const T>& a, const tensor_view<const T>& b,
                const std::optional<tensor_view<const T>>& c, const dimensions& sizes, const gemm_desc& desc,
                const VisitTile& visit_tile) {
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
      gemm_tile<T>(desc, left, right, addends, at, tile, visit_tile(batch, number / grid.count(), at));
    }
  });
}

template <class T>
void gemm_matrices(const cpu_backend& backend, const tensor_view<const T>& a, const tensor_view<const T>& b,
                   const std::optional<tensor_view<const T>>& c, const tensor_view<T>& output, const gemm_desc& desc) {
  gemm_tiles<T>(
      backend, a, b, c, output.sizes(), desc,
      [&](const coordinate_tuple& batch, std::uint64_t, const tile_grid::place& at) {
        const matrix_view<T> target = matrix_of<T>(tensor_view<const T>(output), batch).rows_from(at.row, at.rows);
        T* const first = output.data() + (target.data - output.data()) +
                         static_cast<std::ptrdiff_t>(at.column * target.column_stride);
        const std::uint64_t row_stride = target.row_stride, column_stride = target.column_stride;
        const bool finite_alpha = is_finite_double(exact_double(desc.alpha));
        return [=, &desc](std::uint64_t i, std::uint64_t j, const gemm_element<T>& element, double w, double error) {
          // Not known are the sign of a zero, and that of the sum, on which an infinite Alpha depends.
          first[i * row_stride + j * column_stride] =
              finite_alpha && !is_zero(w)
                  ? arithmetic::fused_rounded<T>(desc.fused_activation, w, error, [&] { return element.exactly(); })
                  : arithmetic::fused_rounded<T>(desc.fused_activation, element.exactly());
        };
      });
}

// The exact element at these coordinates, before the activation.
template <class T>
extended_sum exact_gemm_sum(const tensor_view<const T>& a, const tensor_view<const T>& b,
                            const std::optional<tensor_view<const T>>& c, const coordinate_tuple& o,
                            const gemm_desc& desc) {
  const coordinate_tuple batch = o.slice(0, o.size() - 2);
  const matrix_view<T> row = transformed(matrix_of<T>(a, batch), desc.trans_a).rows_from(o[o.size() - 2], 1);
  const matrix_view<T> column =
      transformed(matrix_of<T>(b, batch), desc.trans_b).transposed().rows_from(o[o.size() - 1], 1);
  gemm_element<T> element{row, column, 0, false, exact_double(desc.alpha), exact_double(desc.beta), {}};
  if (c) element.c = exact_double(T((*c)[o]));
  return element.exactly();
}

// With SOFTMAX: all sums first, in double, and then each slice. Where a double does not decide how a result is rounded,
// the slice is computed exactly.
template <class T>
void gemm_softmax(const cpu_backend& backend, const tensor_view<const T>& a, const tensor_view<const T>& b,
                  const std::optional<tensor_view<const T>>& c, const tensor_view<T>& output, const gemm_desc& desc,
                  const dimensions& axes) {
  constexpr double greatest_error = 0x1p-20;
  const dimensions& sizes = output.sizes();
  const std::size_t rows = sizes[sizes.size() - 2], columns = sizes[sizes.size() - 1];
  std::vector<double> sums(static_cast<std::size_t>(element_count(sizes))), errors(sums.size());
  const bool finite_alpha = is_finite_double(exact_double(desc.alpha));
  gemm_tiles<T>(backend, a, b, c, sizes, desc,
                [&](const coordinate_tuple&, std::uint64_t batch, const tile_grid::place& at) {
                  const std::size_t first = (static_cast<std::size_t>(batch) * rows + at.row) * columns + at.column;
                  return [&, first](std::uint64_t i, std::uint64_t j, const gemm_element<T>&, double w, double error) {
                    const std::size_t element = first + static_cast<std::size_t>(i) * columns + j;
                    sums[element] = w;
                    errors[element] = !finite_alpha ? infinite_double : is_finite_double(w) ? error : 0;
                  };
                });
  const dimensions slices = sizes_after_reduction(sizes, axes), box = candidate_box(sizes, axes);
  const dimensions strides = packed_strides(sizes);
  parallel_for(backend, sums.size() * 32, element_count(slices), [&](std::uint64_t begin, std::uint64_t end) {
    const ieee_arithmetic mode;
    std::vector<coordinate_tuple> places;
    std::vector<double> slice, errors_of_slice;
    for (std::uint64_t number = begin; number < end; ++number) {
      places.clear();
      slice.clear();
      errors_of_slice.clear();
      const coordinate_tuple first = coordinate_at(slices, number);
      for (const coordinate_tuple& r : coordinates_of(box)) {
        places.push_back(reduction_candidate(first, r));
        const auto element = static_cast<std::size_t>(offset_of(places.back(), strides));
        slice.push_back(sums[element]);
        errors_of_slice.push_back(errors[element]);
      }
      std::optional<arithmetic::exact_softmax> exact;
      const auto exactly = [&]() -> arithmetic::exact_softmax& {
        if (!exact) {
          std::vector<extended_sum> exact_sums;
          for (const coordinate_tuple& o : places) exact_sums.push_back(exact_gemm_sum<T>(a, b, c, o, desc));
          // As a span: to find out whether a vector converts to one takes long to compile.
          exact.emplace(std::span<const extended_sum>(exact_sums));
        }
        return *exact;
      };
      const bool known = std::all_of(errors_of_slice.begin(), errors_of_slice.end(),
                                     [](double error) { return error <= greatest_error; });
      arithmetic::softmax_of softmax(slice, errors_of_slice);
      for (std::size_t i = 0; i < places.size(); ++i)
        output[places[i]] = known ? softmax.rounded<T>(i, [&](std::size_t j) { return exactly().difference(j); })
                                  : exactly().template rounded<T>(i);
    }
  });
}

}  // namespace goldml::detail
