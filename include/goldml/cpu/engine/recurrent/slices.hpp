// Exact products of a matrix of elements and a vector of numbers of up to 128 bits. Both are cut into integers of a few
// bits, whose products are summed in double: all of these sums are integers below 2^53, so that nothing is rounded,
// whatever the mode of the processor and the order of the additions (ledger L7).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/arithmetic/golden_number.hpp>
#include <goldml/core/number.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/base/simd.hpp>

namespace goldml::detail {

// The bits of a slice of a matrix, the columns that are summed at a time, and the bits of a slice of a vector: a sum of
// `count` products, at most 2^10 at a time, is below count * 2^21 * 2^(32 - log2(count)) = 2^53.
inline constexpr int matrix_slice_bits = 21;
inline constexpr std::size_t columns_at_once = 1024;
inline int vector_slice_bits(std::size_t count) {
  return 32 - static_cast<int>(std::bit_width((std::min)(count, columns_at_once) - 1));
}

// The least and the greatest exponent of the bits that are set in some numbers.
struct bit_range {
  int lowest = (std::numeric_limits<int>::max)(), highest = (std::numeric_limits<int>::min)();
  void add(int low, int high) {
    lowest = (std::min)(lowest, low);
    highest = (std::max)(highest, high);
  }
  // How many slices have them all.
  int slices(int bits) const { return highest < lowest ? 0 : (highest - lowest) / bits + 1; }
};

// The rows of a matrix. Those of a block are side by side, column by column.
class sliced_matrix {
 public:
  static constexpr std::size_t block_rows = 8;
  // Of one row: where its slices are, and the exponent of the lowest bit of the first one.
  struct row {
    std::size_t first = 0, count = 0;
    int exponent = 0;
    bool finite = true;
  };

  // at(i, j) is an element as a double.
  template <class At>
  sliced_matrix(std::size_t row_count, std::size_t columns, const At& at) : rows_(row_count), columns_(columns) {
    std::size_t lines = 0;
    for (std::size_t i = 0; i < row_count; ++i) {
      row& r = rows_[i];
      bit_range range;
      for (std::size_t j = 0; j < columns; ++j) {
        const double x = at(i, j);
        r.finite = r.finite && is_finite_double(x);
        if (!r.finite || is_zero(x)) continue;
        const odd_double part = odd_part(x);
        range.add(part.exponent, part.exponent + static_cast<int>(std::bit_width(part.significand)) - 1);
      }
      r.first = lines;
      if (!r.finite) continue;
      r.count = static_cast<std::size_t>(range.slices(matrix_slice_bits));
      r.exponent = r.count == 0 ? 0 : range.lowest;
      lines += r.count;
    }
    slices_.resize((lines + block_rows - 1) / block_rows * block_rows * columns);
    for (std::size_t i = 0; i < row_count; ++i)
      for (std::size_t j = 0; j < columns && rows_[i].count > 0; ++j) cut(rows_[i], j, at(i, j));
  }

  const row& at(std::size_t i) const { return rows_[i]; }
  std::size_t columns() const { return columns_; }
  std::size_t blocks() const { return columns_ == 0 ? 0 : slices_.size() / (columns_ * block_rows); }
  // The slices of a block, from a column on.
  const float* block(std::size_t number, std::size_t column) const {
    return slices_.data() + (number * columns_ + column) * block_rows;
  }

 private:
  void cut(const row& r, std::size_t j, double x) {
    if (is_zero(x)) return;
    const odd_double part = odd_part(x);  // at most 24 bits, which are in three slices at most
    const int place = part.exponent - r.exponent;
    auto slice = static_cast<std::size_t>(place / matrix_slice_bits);
    std::uint64_t bits = part.significand << place % matrix_slice_bits;
    for (; bits != 0; bits >>= matrix_slice_bits, ++slice) {
      const std::size_t line = r.first + slice;
      const auto digit = static_cast<float>(bits & ((1U << matrix_slice_bits) - 1));
      slices_[(line / block_rows * columns_ + j) * block_rows + line % block_rows] =
          is_negative_double(x) ? -digit : digit;
    }
  }

  std::vector<row> rows_;
  std::size_t columns_;
  std::vector<float> slices_;
};

// An exact sum of integers times powers of two, between a lowest and a highest exponent: two's complement.
class slice_sum {
 public:
  static constexpr int most_bits = 15 * 64;

  // All that is added is a multiple of 2^lowest and, as every part of the sum, below 2^above in magnitude.
  slice_sum(int lowest, int above) : lowest_(lowest), count_(static_cast<std::size_t>(above - lowest) / 64 + 1) {}

  // Without branches on x, as its sign and what is carried are random.
  void add(std::int64_t x, int exponent) {
    const auto place = static_cast<std::size_t>(exponent - lowest_);
    const auto shift = static_cast<int>(place % 64);
    std::uint64_t* word = words_.data() + place / 64;
    const std::uint64_t* const end = words_.data() + count_;
    std::uint64_t carry = arithmetic::detail::add_to(*word, static_cast<std::uint64_t>(x) << shift);
    auto next = static_cast<std::uint64_t>(x >> 1 >> (63 - shift));
    while (++word < end) {
      const std::uint64_t first = arithmetic::detail::add_to(*word, next);
      carry = first + arithmetic::detail::add_to(*word, carry);
      next = static_cast<std::uint64_t>(x >> 63);
    }
  }

  // The sum rounded to odd after 128 bits.
  arithmetic::wide number() const {
    const sign_and_magnitude sum = absolute();
    std::size_t top = count_ - 1;
    while (top > 0 && sum.magnitude[top] == 0) --top;
    const auto word = [&](std::size_t below) { return below > top ? std::uint64_t{0} : sum.magnitude[top - below]; };
    const int exponent = lowest_ + static_cast<int>(64 * top) + 63;
    arithmetic::wide result = arithmetic::detail::normalized(sum.negative, exponent, word(0), word(1));
    if (result.is_zero()) return result;
    const int zeros = std::countl_zero(word(0));
    if (zeros > 0) result.low |= word(2) >> (64 - zeros);
    bool rest = word(2) << zeros != 0;
    for (std::size_t i = 0; i + 2 < top; ++i) rest = rest || sum.magnitude[i] != 0;
    if (rest) result.low |= 1;
    return result;
  }
  // Adds it to a sum. False if it is 0.
  bool add_to(exact_sum& total) const {
    const sign_and_magnitude sum = absolute();
    bool is_zero = true;
    for (std::size_t i = 0; i < count_; ++i) {
      if (sum.magnitude[i] == 0) continue;
      is_zero = false;
      total.add_bits(sum.magnitude[i], lowest_ + static_cast<int>(64 * i), sum.negative);
    }
    return !is_zero;
  }

 private:
  using words = std::array<std::uint64_t, 16>;  // the lowest first
  struct sign_and_magnitude {
    bool negative;
    words magnitude;
  };
  sign_and_magnitude absolute() const {
    sign_and_magnitude result;
    const std::uint64_t sign = words_[count_ - 1] >> 63;
    result.negative = sign != 0;
    std::uint64_t carry = sign;
    for (std::size_t i = 0; i < count_; ++i) {
      result.magnitude[i] = words_[i] ^ (std::uint64_t{0} - sign);
      carry = arithmetic::detail::add_to(result.magnitude[i], carry);
    }
    return result;
  }

  words words_{};
  int lowest_;
  std::size_t count_;
};

// A vector: where its slices are among those of several, each a row of doubles.
struct sliced_vector {
  int exponent = 0;  // of the lowest bit of the first slice
  int bits = 0;      // of a slice
  std::size_t first = 0, count = 0;
  bool finite = true;
};

// The lower bits of the significand divided by 2^from; above those that a slice has anything may be.
inline std::uint64_t bits_from(const arithmetic::wide& x, int from) {
  if (from >= 128 || from <= -64) return 0;
  if (from >= 64) return x.high >> (from - 64);
  if (from > 0) return x.low >> from | x.high << 1 << (63 - from);
  return x.low << -from;
}

// Appends the slices of a vector; at(j) is a number as a golden_number. Of numbers that are infinite or NaN nothing is
// made, nor more than 16 slices.
template <class At>
sliced_vector slice_vector(std::size_t size, const At& at, std::vector<double>& slices) {
  sliced_vector result;
  bit_range range;
  result.finite = size <= std::size_t{1} << 20;
  for (std::size_t j = 0; j < size; ++j) {
    const golden_number& number = at(j);
    const arithmetic::wide& x = number.finite;
    result.finite = result.finite && number.is_finite();
    if (x.is_zero()) continue;
    const int zeros = x.low != 0 ? std::countr_zero(x.low) : 64 + std::countr_zero(x.high);
    range.add(x.exponent - 127 + zeros, x.exponent);
  }
  result.bits = vector_slice_bits(size);
  result.count = static_cast<std::size_t>(range.slices(result.bits));
  result.finite = result.finite && result.count <= 16;
  if (!result.finite) result.count = 0;
  if (result.count == 0) return result;
  result.exponent = range.lowest;
  result.first = slices.size() / size;
  slices.resize(slices.size() + result.count * size);
  for (std::size_t j = 0; j < size; ++j) {
    const golden_number& number = at(j);
    const arithmetic::wide& x = number.finite;
    if (x.is_zero()) continue;
    for (std::size_t s = 0; s < result.count; ++s) {
      const int from = result.exponent + static_cast<int>(s) * result.bits - (x.exponent - 127);
      const auto digit = static_cast<double>(bits_from(x, from) & ((std::uint64_t{1} << result.bits) - 1));
      slices[(result.first + s) * size + j] = x.negative ? -digit : digit;
    }
  }
  return result;
}

// Adds the sums of the products of a block's slices and those of vectors, of which there are `vectors`: side by side
// for each slice of the block. `count` columns are summed; a slice of a vector has `size` numbers.
struct slice_products {
  template <class Set>
  GOLDML_INLINE static void run(Set, const float* block, const double* slices, std::size_t size, std::size_t count,
                                std::size_t vectors, std::int64_t* sums) {
    std::size_t v = 0;
    for (; v + 3 <= vectors; v += 3) tile<Set, 3>(block, slices + v * size, size, count, vectors, sums + v);
    for (; v < vectors; ++v) tile<Set, 1>(block, slices + v * size, size, count, vectors, sums + v);
  }

 private:
  template <class Set, std::size_t Vectors>
  GOLDML_INLINE static void tile(const float* block, const double* slices, std::size_t size, std::size_t count,
                                 std::size_t vectors, std::int64_t* sums) {
    constexpr std::size_t lanes = Set::vector_bytes / sizeof(double), parts = sliced_matrix::block_rows / lanes;
    using doubles = simd::vector<double, lanes>;
    doubles total[Vectors][parts] = {};
    for (std::size_t k = 0; k < count; ++k) {
      doubles factor[parts];
      GOLDML_UNROLL_4
      for (std::size_t p = 0; p < parts; ++p) {
        simd::vector<float, lanes> slice;
        simd::load(slice, block + k * sliced_matrix::block_rows + p * lanes);
        simd::convert(factor[p], slice);
      }
      GOLDML_UNROLL_4
      for (std::size_t v = 0; v < Vectors; ++v) {
        doubles other;
        for (std::size_t i = 0; i < lanes; ++i) other[i] = slices[v * size + k];
        GOLDML_UNROLL_4
        for (std::size_t p = 0; p < parts; ++p) total[v][p] = total[v][p] + factor[p] * other;
      }
    }
    for (std::size_t p = 0; p < parts; ++p)
      for (std::size_t i = 0; i < lanes; ++i)
        for (std::size_t v = 0; v < Vectors; ++v)
          sums[(p * lanes + i) * vectors + v] += static_cast<std::int64_t>(total[v][p][i]);
  }
};

}  // namespace goldml::detail
