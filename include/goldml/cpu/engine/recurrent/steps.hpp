// The exact sums of the steps of a sequence, as golden_sums has them, by products of slices. What these do not reach,
// infinities, NaN and numbers of very different magnitudes, is left to golden_sums.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
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
  // What is added is a multiple of 2 to the lowest exponent, and all of it below 2 to the highest.
  void add_range(bit_range& range, std::size_t i, std::size_t v) const {
    if (is_nothing(i, v)) return;
    const sliced_matrix::row& row = matrix_.at(i);
    const sliced_vector& vector = vectors_[v];
    const int lowest = row.exponent + vector.exponent;
    range.add(lowest, lowest + static_cast<int>(row.count - 1) * matrix_slice_bits +
                          static_cast<int>(vector.count - 1) * vector.bits + 64);
  }
  void add_row(slice_sum& total, std::size_t i, std::size_t v) {
    if (is_nothing(i, v)) return;
    const sliced_matrix::row& row = matrix_.at(i);
    const sliced_vector& vector = vectors_[v];
    for (std::size_t line = row.first; line < row.first + row.count; ++line) {
      const std::size_t block = line / sliced_matrix::block_rows;
      if (done_[block] == 0) compute(block);
      const std::int64_t* const sum = sums_.data() + line * slice_count() + vector.first;
      const int exponent = row.exponent + vector.exponent + static_cast<int>(line - row.first) * matrix_slice_bits;
      for (std::size_t s = 0; s < vector.count; ++s) total.add(sum[s], exponent + static_cast<int>(s) * vector.bits);
    }
  }

 private:
  bool is_nothing(std::size_t i, std::size_t v) const { return matrix_.at(i).count == 0 || vectors_[v].count == 0; }
  std::size_t slice_count() const { return matrix_.columns() == 0 ? 0 : slices_.size() / matrix_.columns(); }
  std::size_t block_sums() const { return slice_count() * sliced_matrix::block_rows; }
  void compute(std::size_t block) {
    done_[block] = 1;
    std::int64_t* const sums = sums_.data() + block * block_sums();
    std::fill_n(sums, block_sums(), 0);
    for (std::size_t first = 0; first < matrix_.columns(); first += columns_at_once)
      simd::dispatch<slice_products>(set_, matrix_.block(block, first), slices_.data() + first, matrix_.columns(),
                                     (std::min)(columns_at_once, matrix_.columns() - first), slice_count(), sums);
  }

  const sliced_matrix& matrix_;
  instruction_set set_;
  std::vector<sliced_vector> vectors_;
  std::vector<double> slices_;  // of all vectors
  std::vector<char> done_;
  std::vector<std::int64_t> sums_;
};

// An element as an integer times a power of two.
struct integer_part {
  std::int64_t significand = 0;
  int exponent = 0;
  bool finite = true;
  integer_part() = default;
  explicit integer_part(double x) : finite(is_finite_double(x)) {
    if (!finite || is_zero(x)) return;
    const odd_double part = odd_part(x);
    significand = is_negative_double(x) ? -static_cast<std::int64_t>(part.significand)
                                        : static_cast<std::int64_t>(part.significand);
    exponent = part.exponent;
  }
};

// The matrices and biases of one direction.
struct sliced_weights {
  sliced_matrix w, r;
  std::vector<std::array<integer_part, 2>> bias;  // zeros if there is none
};

template <class T, class Golden>
class sliced_steps {
 public:
  sliced_steps(const recurrent_operands<T>& t, std::uint32_t d, std::uint32_t b, const sliced_weights& weights,
               instruction_set set)
      : plain_{t, d, b, 0, {}},
        bias_(weights.bias),
        input_(weights.w, set),
        state_(weights.r, set),
        reset_(weights.r, set) {}

  // The sums of step n. W X is computed for some steps at once, as each reads all of W.
  const sliced_steps& of_step(std::uint32_t n, std::span<const Golden> before) {
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

  // The sign of a zero is that of golden_sums.
  extended_sum exactly(std::uint32_t row) const {
    extended_sum result;
    const auto sum = sum_of(row, &input_, &state_);
    return sum && sum->add_to(result.finite) ? result : plain_.exactly(row);
  }
  hidden_number number(std::uint32_t row) const {
    const auto sum = sum_of(row, &input_, &state_);
    return sum ? number_of_sum(*sum) : plain_.number(row);
  }
  hidden_number number_of_reset(std::uint32_t row) const {
    if constexpr (requires(Golden g) { g.reset; })
      if (!has_reset_) {
        reset_.start(1, [&](std::size_t) {
          return [&](std::size_t j) -> const auto& { return plain_.before[j].reset; };
        });
        has_reset_ = true;
      }
    const auto sum = sum_of(row, &input_, &reset_);
    return sum ? number_of_sum(*sum) : plain_.number_of_reset(row);
  }
  hidden_number number_of_input(std::uint32_t row) const {
    const auto sum = sum_of(row, &input_, nullptr);
    return sum ? number_of_sum(*sum) : plain_.number_of_input(row);
  }
  hidden_number number_of_state(std::uint32_t row) const {
    const auto sum = sum_of(row, nullptr, &state_);
    return sum ? number_of_sum(*sum) : plain_.number_of_state(row);
  }

 private:
  static constexpr std::uint32_t steps_at_once = 8;

  static hidden_number number_of_sum(const slice_sum& sum) {
    hidden_number result;
    result.finite = sum.number();
    return result;
  }
  // Of the products that are given, and their biases. Nothing if it is not known.
  std::optional<slice_sum> sum_of(std::uint32_t row, sliced_product* input, sliced_product* state) const {
    bit_range range;
    const std::array<sliced_product*, 2> products{input, state};
    for (std::size_t i = 0; i < 2; ++i) {
      if (products[i] == nullptr) continue;
      const integer_part& bias = bias_[row][i];
      if (!bias.finite || !products[i]->knows(row, vector_of(i))) return std::nullopt;
      products[i]->add_range(range, row, vector_of(i));
      if (bias.significand != 0) range.add(bias.exponent, bias.exponent + 64);
    }
    if (range.highest < range.lowest) range.add(0, 0);
    if (range.highest + 3 - range.lowest > slice_sum::most_bits) return std::nullopt;
    std::optional<slice_sum> sum(std::in_place, range.lowest, range.highest + 3);  // the sum of four, and its sign
    for (std::size_t i = 0; i < 2; ++i) {
      if (products[i] == nullptr) continue;
      products[i]->add_row(*sum, row, vector_of(i));
      if (bias_[row][i].significand != 0) sum->add(bias_[row][i].significand, bias_[row][i].exponent);
    }
    return sum;
  }
  std::size_t vector_of(std::size_t product) const { return product == 0 ? step_ : 0; }

  golden_sums<T, Golden> plain_;
  std::span<const std::array<integer_part, 2>> bias_;
  mutable sliced_product input_, state_, reset_;
  std::size_t step_ = 0;
  mutable bool has_reset_ = false;
};

}  // namespace goldml::detail
