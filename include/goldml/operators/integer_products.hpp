// Products of matrices of integers of 8 bits less their zero points, as products of matrices of floats: the sums of 256
// products are exact, as each is at most 255 * 255.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <Eigen/Core>

#include <goldml/arithmetic/matrix_products.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/operators/convolution_blocks.hpp>
#include <goldml/operators/quantised_parameters.hpp>

namespace goldml::detail {

using float_matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// The sums of products of a tile or a block, and on demand the sums of their magnitudes.
class integer_sums {
 public:
  static constexpr std::uint64_t most_terms = 256;  // at a time
  // In bytes, of all matrices of at most these rows, columns and terms, and the copies that a product makes of two.
  static constexpr std::uint64_t memory(std::uint64_t rows, std::uint64_t columns, std::uint64_t terms) {
    terms = (std::min)(terms, most_terms);
    return 2 * sizeof(double) * rows * columns + sizeof(float) * (rows * columns + 4 * terms * (rows + columns));
  }

  double_matrix sums, magnitudes;

  // Row first_row + i of `left` has a zero point of its own, and so has each row of `right`, which is transposed.
  template <class A, class B>
  void multiply(const matrix_view<A>& left, const line_parameters<A>& left_zeros, std::uint64_t first_row,
                const matrix_view<B>& right, const line_parameters<B>& right_zeros, std::uint64_t first_column,
                bool with_magnitudes) {
    const auto pack = [](const auto& from, const auto& zeros, std::uint64_t line, std::uint64_t first,
                         std::uint64_t count, float_matrix& to) {
      to.resize(index(from.rows), index(count));
      for (std::uint64_t i = 0; i < from.rows; ++i) {
        const auto* const source = from.data + i * from.row_stride + first * from.column_stride;
        float* const target = to.data() + i * count;
        const int zero = zeros.at(line + i);
        if (from.column_stride == 1)
          for (std::uint64_t k = 0; k < count; ++k) target[k] = static_cast<float>(int{source[k]} - zero);
        else
          for (std::uint64_t k = 0; k < count; ++k)
            target[k] = static_cast<float>(int{source[k * from.column_stride]} - zero);
      }
    };
    start(left.rows, right.rows, with_magnitudes);
    for (std::uint64_t first = 0; first < left.columns; first += most_terms) {
      const std::uint64_t count = (std::min)(most_terms, left.columns - first);
      pack(left, left_zeros, first_row, first, count, left_);
      pack(right, right_zeros, first_column, first, count, right_);
      add(left_, right_.transpose(), sums);
      if (!with_magnitudes) continue;
      left_ = left_.cwiseAbs();
      right_ = right_.cwiseAbs();
      add(left_, right_.transpose(), magnitudes);
    }
  }

  // The sums of a block of a convolution: rows are channels, columns positions.
  template <class X, class W>
  void multiply(const convolution_operands<X, W>& operands, const convolution_block& block, int input_zero,
                const line_parameters<W>& filter_zeros, bool with_magnitudes) {
    const std::uint64_t first_channel = block.group * operands.shape().outputs + block.first_channel;
    const std::uint64_t terms = operands.shape().inputs * block.taps();
    start(block.channels, block.positions, with_magnitudes);
    for (std::uint64_t first = 0; first < terms; first += most_terms) {
      const std::uint64_t count = (std::min)(most_terms, terms - first);
      left_.resize(index(block.channels), index(count));
      operands.pack_filter(block, first, left_, [](W w) { return static_cast<float>(w); });
      for (Eigen::Index o = 0; o < left_.rows(); ++o)
        left_.row(o).array() -= static_cast<float>(filter_zeros.at(first_channel + static_cast<std::uint64_t>(o)));
      right_.resize(index(count), index(block.positions));
      operands.pack_input(block, first, right_, [&](X x) { return static_cast<float>(int{x} - input_zero); });
      add(left_, right_, sums);
      if (!with_magnitudes) continue;
      left_ = left_.cwiseAbs();
      right_ = right_.cwiseAbs();
      add(left_, right_, magnitudes);
    }
  }

 private:
  static Eigen::Index index(std::uint64_t x) { return static_cast<Eigen::Index>(x); }

  void start(std::uint64_t rows, std::uint64_t columns, bool with_magnitudes) {
    sums.setZero(index(rows), index(columns));
    if (with_magnitudes) magnitudes.setZero(index(rows), index(columns));
  }
  // A template, so that a unit that makes no product does not compile Eigen's.
  template <class Left, class Right>
  void add(const Left& left, const Right& right, double_matrix& to) {
    part_.resize(to.rows(), to.cols());
    part_.noalias() = left * right;
    to += part_.template cast<double>();
  }

  float_matrix left_, right_, part_;
};

}  // namespace goldml::detail
