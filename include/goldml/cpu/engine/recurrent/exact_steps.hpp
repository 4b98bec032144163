// The exact sums of the steps of a sequence, as golden_sums has them, by products of slices. What these do not reach,
// infinities, NaN and numbers of very different magnitudes, is left to golden_sums.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/recurrent/slices.hpp>
#include <goldml/operators/recurrent_values.hpp>

namespace goldml::detail {

// The products of a matrix and some vectors, block by block as its rows are asked for.
class sliced_product {
 public:
  sliced_product(const sliced_matrix& matrix, instruction_set set) : matrix_(matrix), set_(set) {}

  // numbers(v)(j) is a number of vector v, as a golden_number.
  template <class Numbers>
  void start(std::size_t vectors, const Numbers& numbers) {
    vectors_.resize(vectors);
    slices_.clear();
    for (std::size_t v = 0; v < vectors; ++v) vectors_[v] = slice_vector(matrix_.columns(), numbers(v), slices_);
    done_.assign(matrix_.blocks(), 0);
    sums_.resize(matrix_.blocks() * block_sums());
  }

  // Whether the sum of a row and a vector is known: golden_sums loses nothing below 2^-448.
  bool knows(std::size_t i, std::size_t v) const {
    const sliced_matrix::row& row = matrix_.at(i);
    const sliced_vector& vector = vectors_[v];
    return row.finite && vector.finite && (is_nothing(i, v) || row.exponent + vector.exponent >= -448);
  }
  // The magnitude of the sum of a row, and of each part of it, is below 2 to this.
  int exponent_above(std::size_t i, std::size_t v) const {
    return is_nothing(i, v) ? 0 : last_exponent(matrix_.at(i), vectors_[v]) + 64;
  }
  void add_row(exact_sum& total, std::size_t i, std::size_t v) {
    if (is_nothing(i, v)) return;
    const sliced_matrix::row& row = matrix_.at(i);
    const sliced_vector& vector = vectors_[v];
    for (std::size_t line = row.first; line < row.first + row.count; ++line) {
      const std::size_t block = line / sliced_matrix::block_rows;
      if (done_[block] == 0) compute(block);
      const std::int64_t* const sum = sums_.data() + line * slice_count() + vector.first;
      int exponent = row.exponent + vector.exponent + static_cast<int>(line - row.first) * matrix_slice_bits;
      for (std::size_t s = 0; s < vector.count; ++s, exponent += vector.bits) {
        const std::int64_t x = sum[s];
        if (x != 0) total.add_bits(static_cast<std::uint64_t>(x < 0 ? -x : x), exponent, x < 0);
      }
    }
  }

 private:
  bool is_nothing(std::size_t i, std::size_t v) const { return matrix_.at(i).count == 0 || vectors_[v].count == 0; }
  static int last_exponent(const sliced_matrix::row& row, const sliced_vector& vector) {
    return row.exponent + vector.exponent + static_cast<int>(row.count - 1) * matrix_slice_bits +
           static_cast<int>(vector.count - 1) * vector.bits;
  }
  std::size_t slice_count() const { return matrix_.columns() == 0 ? 0 : slices_.size() / matrix_.columns(); }
  std::size_t block_sums() const { return slice_count() * sliced_matrix::block_rows; }
  void compute(std::size_t block) {
    done_[block] = 1;
    std::int64_t* const sums = sums_.data() + block * block_sums();
    std::fill_n(sums, block_sums(), 0);
    for (std::size_t first = 0; first < matrix_.columns(); first += most_columns)
      simd::dispatch<slice_products>(set_, matrix_.block(block, first), slices_.data() + first, matrix_.columns(),
                                     (std::min)(most_columns, matrix_.columns() - first), slice_count(), sums);
  }

  const sliced_matrix& matrix_;
  instruction_set set_;
  std::vector<sliced_vector> vectors_;
  std::vector<double> slices_;  // of all vectors
  std::vector<char> done_;
  std::vector<std::int64_t> sums_;
};

// The matrices and biases of one direction.
struct sliced_weights {
  sliced_matrix w, r;
  std::span<const std::array<double, 2>> bias;  // zeros if there is none
};

template <class T, class Golden>
class exact_steps {
 public:
  exact_steps(const recurrent_operands<T>& t, std::uint32_t d, std::uint32_t b, const sliced_weights& weights,
              instruction_set set)
      : plain_{t, d, b, 0, {}},
        bias_(weights.bias),
        input_(weights.w, set),
        state_(weights.r, set),
        reset_(weights.r, set) {}

  // The sums of step n. W X is computed for some steps at once, as each reads all of W.
  const exact_steps& of_step(std::uint32_t n, std::span<const Golden> before) {
    const auto& t = plain_.operands;
    const std::uint32_t length = t.length(plain_.b);
    step_ = n % steps_at_once;
    if (step_ == 0)
      input_.start((std::min)(steps_at_once, length - n), [&](std::size_t v) {
        const std::uint32_t time = t.time(plain_.d, length, n + static_cast<std::uint32_t>(v));
        return [&t, time, b = plain_.b](std::size_t j) {
          return hidden_number(t.input(time, b, static_cast<std::uint32_t>(j)));
        };
      });
    plain_.t = t.time(plain_.d, length, n);
    plain_.before = before;
    state_.start(1, [&](std::size_t) {
      return [&](std::size_t j) -> const auto& { return before[j].hidden; };
    });
    has_reset_ = false;
    return *this;
  }

  extended_sum of(std::uint32_t row) const {
    extended_sum result;
    // The sign of a zero is that of golden_sums.
    if (add(result, row, state_) && !result.finite.is_zero_sum()) return result;
    return plain_.of(row);
  }
  extended_sum of_reset(std::uint32_t row) const {
    if constexpr (requires(Golden g) { g.reset; })
      if (!has_reset_) {
        reset_.start(1, [&](std::size_t) {
          return [&](std::size_t j) -> const auto& { return plain_.before[j].reset; };
        });
        has_reset_ = true;
      }
    extended_sum result;
    if (add(result, row, reset_) && !result.finite.is_zero_sum()) return result;
    return plain_.of_reset(row);
  }
  extended_sum of_input_alone(std::uint32_t row) const {
    if (!input_.knows(row, step_)) return plain_.of_input_alone(row);
    extended_sum result;
    result.add(bias_[row][0]);
    input_.add_row(result.finite, row, step_);
    return result;
  }
  extended_sum of_state_alone(std::uint32_t row) const {
    if (!state_.knows(row, 0)) return plain_.of_state_alone(row);
    extended_sum result;
    result.add(bias_[row][1]);
    state_.add_row(result.finite, row, 0);
    return result;
  }

 private:
  static constexpr std::uint32_t steps_at_once = 8;

  // False if it is not known. Above the sums stands a bit while they are added: a sum that changes its sign changes all
  // of its words.
  bool add(extended_sum& sum, std::uint32_t row, sliced_product& product) const {
    if (!input_.knows(row, step_) || !product.knows(row, 0)) return false;
    const int top = (std::max)(input_.exponent_above(row, step_), product.exponent_above(row, 0)) + 1;
    sum.add(bias_[row][0]);
    sum.add(bias_[row][1]);
    sum.finite.add_bits(1, top, false);
    input_.add_row(sum.finite, row, step_);
    product.add_row(sum.finite, row, 0);
    sum.finite.add_bits(1, top, true);
    return true;
  }

  golden_sums<T, Golden> plain_;
  std::span<const std::array<double, 2>> bias_;
  mutable sliced_product input_, state_, reset_;
  std::size_t step_ = 0;
  mutable bool has_reset_ = false;
};

}  // namespace goldml::detail
