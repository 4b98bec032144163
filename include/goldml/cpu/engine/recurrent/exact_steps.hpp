// The exact sums of the steps of a sequence, as golden_sums has them, by products of slices. What these do not reach,
// infinities, NaN and numbers of very different magnitudes, is left to golden_sums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include <goldml/arithmetic/wide.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/recurrent/slices.hpp>
#include <goldml/operators/recurrent_values.hpp>

namespace goldml::detail {

// The product of a matrix and a vector, block by block as its rows are asked for.
class sliced_product {
 public:
  sliced_product(const sliced_matrix& matrix, instruction_set set) : matrix_(matrix), set_(set) {}

  // number(j) is a number of the vector, as a golden_number.
  template <class Number>
  void start(const Number& number) {
    vector_.set(matrix_.columns(), number);
    done_.assign(matrix_.blocks(), false);
    sums_.resize(matrix_.blocks() * block_sums());
  }

  // Adds a row's sum. False if this is not known.
  bool add_row(exact_sum& total, std::size_t i) {
    const sliced_matrix::row& row = matrix_.at(i);
    if (!row.finite || !vector_.finite) return false;
    if (row.count == 0 || vector_.count == 0) return true;
    // What golden_sums loses below 2^-448 is not there.
    if (row.exponent + vector_.exponent < -448) return false;
    for (std::size_t line = row.first; line < row.first + row.count; ++line) {
      const std::size_t block = line / sliced_matrix::block_rows;
      if (!done_[block]) compute(block);
      const std::int64_t* const sum = sums_.data() + block * block_sums() + line % sliced_matrix::block_rows;
      int exponent = row.exponent + vector_.exponent + static_cast<int>(line - row.first) * matrix_slice_bits;
      for (std::size_t s = 0; s < vector_.count; ++s, exponent += vector_.bits) {
        const std::int64_t x = sum[s * sliced_matrix::block_rows];
        if (x != 0) total.add_bits(static_cast<std::uint64_t>(x < 0 ? -x : x), exponent, x < 0);
      }
    }
    return true;
  }

 private:
  std::size_t block_sums() const { return vector_.count * sliced_matrix::block_rows; }
  void compute(std::size_t block) {
    done_[block] = true;
    std::int64_t* const sums = sums_.data() + block * block_sums();
    std::fill_n(sums, block_sums(), 0);
    for (std::size_t first = 0; first < matrix_.columns(); first += most_columns)
      simd::dispatch<slice_products>(set_, matrix_.block(block, first), vector_.slices.data() + first,
                                     matrix_.columns(), (std::min)(most_columns, matrix_.columns() - first),
                                     vector_.count, sums);
  }

  const sliced_matrix& matrix_;
  instruction_set set_;
  sliced_vector vector_;
  std::vector<bool> done_;
  std::vector<std::int64_t> sums_;
};

// The matrices of one direction.
struct sliced_weights {
  sliced_matrix w, r;
};

template <class T, class Golden>
class exact_steps {
 public:
  exact_steps(const recurrent_operands<T>& t, std::uint32_t d, std::uint32_t b, const sliced_weights& weights,
              instruction_set set)
      : plain_{t, d, b, 0, {}}, input_(weights.w, set), state_(weights.r, set), reset_(weights.r, set) {}

  // The sums of the step at time t.
  const exact_steps& of_step(std::uint32_t t, std::span<const Golden> before) {
    plain_.t = t;
    plain_.before = before;
    input_.start([&](std::size_t j) {
      return hidden_number(plain_.operands.input(t, plain_.b, static_cast<std::uint32_t>(j)));
    });
    state_.start([&](std::size_t j) -> const auto& { return before[j].hidden; });
    has_reset_ = false;
    return *this;
  }

  extended_sum of(std::uint32_t row) const {
    extended_sum result;
    // The sign of a zero is that of golden_sums.
    const bool known = add_input(result, row) && add_state(result, row, state_) && !result.finite.is_zero_sum();
    return known ? result : plain_.of(row);
  }
  extended_sum of_reset(std::uint32_t row) const {
    if constexpr (requires(Golden g) { g.reset; })
      if (!has_reset_) {
        reset_.start([&](std::size_t j) -> const auto& { return plain_.before[j].reset; });
        has_reset_ = true;
      }
    extended_sum result;
    const bool known = add_input(result, row) && add_state(result, row, reset_) && !result.finite.is_zero_sum();
    return known ? result : plain_.of_reset(row);
  }
  extended_sum of_input_alone(std::uint32_t row) const {
    extended_sum result;
    return add_input(result, row) ? result : plain_.of_input_alone(row);
  }
  extended_sum of_state_alone(std::uint32_t row) const {
    extended_sum result;
    return add_state(result, row, state_) ? result : plain_.of_state_alone(row);
  }

 private:
  bool add_input(extended_sum& sum, std::uint32_t row) const { return add(sum, row, 0, input_); }
  bool add_state(extended_sum& sum, std::uint32_t row, sliced_product& product) const {
    return add(sum, row, 1, product);
  }
  bool add(extended_sum& sum, std::uint32_t row, std::uint32_t half, sliced_product& product) const {
    if (plain_.operands.bias) sum.add(plain_.operands.bias_of(plain_.d, row, half));
    return product.add_row(sum.finite, row);
  }

  golden_sums<T, Golden> plain_;
  mutable sliced_product input_, state_, reset_;
  mutable bool has_reset_ = false;
};

}  // namespace goldml::detail
