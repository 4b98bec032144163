// Products of matrices of FLOAT32 or FLOAT16, computed in double tile by tile, so that memory stays bounded: the sums
// of a*b, those of |a*b|, and what bounds need to know of the factors. A double holds each product exactly.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <Eigen/Core>

#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/tensor_view.hpp>

namespace goldml {

// A matrix in memory: element (i, j) is data[i * row_stride + j * column_stride].
template <class T>
struct matrix_view {
  const T* data;
  std::uint64_t rows, columns, row_stride, column_stride;

  matrix_view transposed() const { return {data, columns, rows, column_stride, row_stride}; }
  matrix_view rows_from(std::uint64_t first, std::uint64_t count) const {
    return {data + first * row_stride, count, columns, row_stride, column_stride};
  }
  double at(std::uint64_t i, std::uint64_t j) const { return exact_double(data[i * row_stride + j * column_stride]); }
};

// The matrix of the last two dimensions of a tensor at `batch`, the coordinates of the other dimensions.
template <class T>
matrix_view<T> matrix_of(const tensor_view<const T>& t, const coordinate_tuple& batch) {
  const std::size_t last = t.sizes().size() - 1;
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) offset += std::uint64_t{batch[i]} * t.strides()[i];
  return {t.data() + offset, t.sizes()[last - 1], t.sizes()[last], t.strides()[last - 1], t.strides()[last]};
}

// What is known of the numbers of a row of the left matrix, or of a column of the right one.
struct factor_line {
  // Of the finite numbers:
  double sum = 0;        // of the magnitudes
  double squares = 0;    // the sum of the squares
  double greatest = 0;   // the greatest magnitude
  int lowest = 1 << 16;  // 2^lowest divides all
  bool has_subnormals = false;
  bool are_halves = true;  // each is a FLOAT16

  void add(double x) {
    if (is_zero(x) || !detail::is_finite_double(x)) return;
    const double magnitude = std::abs(x);
    sum += magnitude;
    squares += magnitude * magnitude;
    greatest = (std::max)(greatest, magnitude);
    const detail::odd_double part = detail::odd_part(x);
    lowest = (std::min)(lowest, part.exponent);
    has_subnormals = has_subnormals || magnitude < 0x1p-126;
    are_halves = are_halves && part.significand < 2048 && part.exponent >= -24 && magnitude <= 65504;
  }
};

// The sums over k of left(i, k) * right(k, j), and the rows and columns that they are made of.
class matrix_tile {
 public:
  using matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  static constexpr std::uint64_t most_lines = 512;  // of a tile, and at a time
  static constexpr std::uint64_t most_memory = 7 * most_lines * most_lines * sizeof(double);  // in bytes

  matrix sums;
  matrix magnitudes;  // the sums of |left(i, k) * right(k, j)|
  matrix subnormal;   // of those with a factor that is a FLOAT32 subnormal; empty if there is none
  std::vector<factor_line> rows, columns;

  // `right` is given transposed. Infinities and NaN give sums of their class, as the order does not matter to them.
  // The error of a sum is below g(k, 2^-53) of the magnitudes.
  template <class T>
  void multiply(const matrix_view<T>& left, const matrix_view<T>& right, bool with_magnitudes) {
    rows.assign(static_cast<std::size_t>(left.rows), {});
    columns.assign(static_cast<std::size_t>(right.rows), {});
    sums.setZero(index(left.rows), index(right.rows));
    magnitudes.resize(0, 0);
    subnormal.resize(0, 0);
    if (with_magnitudes) magnitudes.setZero(sums.rows(), sums.cols());
    for (std::uint64_t first = 0; first < left.columns; first += most_lines) {
      const std::uint64_t count = (std::min)(most_lines, left.columns - first);
      pack(left, first, count, rows, left_);
      pack(right, first, count, columns, right_);
      sums.noalias() += left_ * right_.transpose();
      if (with_magnitudes) add_magnitudes(left_, right_);
    }
  }

 private:
  static Eigen::Index index(std::uint64_t x) { return static_cast<Eigen::Index>(x); }

  template <class T>
  static void pack(const matrix_view<T>& from, std::uint64_t first, std::uint64_t count,
                   std::vector<factor_line>& lines, matrix& to) {
    to.resize(index(from.rows), index(count));
    for (std::uint64_t i = 0; i < from.rows; ++i) {
      factor_line line = lines[static_cast<std::size_t>(i)];
      const T* const source = from.data + i * from.row_stride + first * from.column_stride;
      double* const target = to.data() + i * count;
      for (std::uint64_t k = 0; k < count; ++k) {
        target[k] = exact_double(source[k * from.column_stride]);
        line.add(target[k]);
      }
      lines[static_cast<std::size_t>(i)] = line;
    }
  }

  // A template, so that a unit that makes no product does not compile Eigen's.
  template <class Matrix>
  void add_magnitudes(Matrix& left, Matrix& right) {
    left = left.cwiseAbs();
    right = right.cwiseAbs();
    magnitudes.noalias() += left * right.transpose();
    const auto add_those = [&](const Matrix& some, const std::vector<factor_line>& lines, const auto& add) {
      if (std::none_of(lines.begin(), lines.end(), [](const factor_line& line) { return line.has_subnormals; })) return;
      if (subnormal.size() == 0) subnormal.setZero(sums.rows(), sums.cols());
      const Matrix few = some.unaryExpr([](double x) { return x < 0x1p-126 ? x : 0.0; });
      add(few);
    };
    add_those(left, rows, [&](const Matrix& few) { subnormal.noalias() += few * right.transpose(); });
    add_those(right, columns, [&](const Matrix& few) { subnormal.noalias() += left * few.transpose(); });
  }

  matrix left_, right_;
};

// A matrix divided into tiles.
struct tile_grid {
  std::uint64_t rows, columns, side;

  struct place {
    std::uint64_t row, rows, column, columns;
  };
  std::uint64_t across() const { return (columns + side - 1) / side; }
  std::uint64_t count() const { return (rows + side - 1) / side * across(); }
  place at(std::uint64_t i) const {
    const std::uint64_t row = i / across() * side, column = i % across() * side;
    return {row, (std::min)(side, rows - row), column, (std::min)(side, columns - column)};
  }
};

}  // namespace goldml
