// Transposes blocks of elements, in registers. Strides are in bytes. No alignment is assumed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <goldml/cpu/engine/base/simd.hpp>
#include <goldml/cpu/engine/move/elements.hpp>

namespace goldml::detail {

// A block of an input, to be written as rows of contiguous elements. In the input the elements of a column are
// contiguous; those of a row are `column_stride` apart.
struct transposed_block {
  const std::byte* from;
  std::uint64_t column_stride;
  std::uint64_t rows;
  std::uint64_t columns;

  template <std::size_t Size>
  bool is_packed() const {
    return column_stride == rows * Size;
  }
};

// Takes the vectors as one sequence of elements and interleaves its halves, `Rounds` times. The most significant bits
// of an element's number become the least significant ones.
template <std::size_t Rounds, class V, std::size_t N>
GOLDML_INLINE void interleave_halves(V (&v)[N]) {
  for (std::size_t round = 0; round < Rounds; ++round) {
    V from[N];
    simd::unrolled<N>([&](std::size_t i) GOLDML_INLINE_LAMBDA { from[i] = v[i]; });
    simd::unrolled<N / 2>([&](std::size_t i) GOLDML_INLINE_LAMBDA {
      simd::interleave(v[2 * i], v[2 * i + 1], from[i], from[i + N / 2]);
    });
  }
}

template <std::size_t Size>
class transposer {
 public:
  static constexpr std::size_t lanes = 16 / Size;

  // The rows of the block from `to` on, one after the other. Bytes after the last one may be written, fewer than 16.
  static void run(const transposed_block& block, std::byte* to) {
    if (block.columns == 2 && block.rows >= lanes)
      interleave_columns<2>(block, to);
    else if (block.columns == 4 && lanes > 4 && block.rows >= lanes)
      interleave_columns<4>(block, to);
    else if (block.rows >= lanes)
      by_squares(block, to);
    else if (block.rows == 2 && block.is_packed<Size>() && block.columns >= lanes)
      separate_rows<2>(block, to);
    else if (block.rows == 4 && block.is_packed<Size>() && block.columns >= lanes)
      separate_rows<4>(block, to);
    else
      by_elements(block, to);
  }

  // The rows of the block with non-temporal stores of whole vectors. Returns false, with nothing written, if the block has
  // a shape for which they do not follow each other, or `to` is not aligned to 16.
  static bool stream(const transposed_block& block, std::byte* to) {
    if (block.rows < lanes || reinterpret_cast<std::uintptr_t>(to) % 16 != 0) return false;
    const std::uint64_t rest = block.rows % lanes, whole = block.rows - rest;
    const transposed_block most{block.from, block.column_stride, whole, block.columns};
    if (block.columns == 2)
      interleave_columns<2, streaming_store>(most, to);
    else if (block.columns == 4 && lanes > 4)
      interleave_columns<4, streaming_store>(most, to);
    else if (block.columns == lanes)
      squares_of_columns<streaming_store>(most, to, 0, lanes);
    else
      return false;
    by_elements({block.from + whole * Size, block.column_stride, rest, block.columns}, to + whole * block.columns * Size);
    return true;
  }

 private:
  using words = simd::vector<simd::bits_of_size<Size>, lanes>;
  struct plain_store {
    GOLDML_INLINE static void put(std::byte* to, const words& v) { simd::store(to, v); }
  };
  struct streaming_store {
    GOLDML_INLINE static void put(std::byte* to, const words& v) { simd::stream16(to, &v); }
  };
  static constexpr std::size_t rounds_of(std::size_t n) { return n <= 1 ? 0 : 1 + rounds_of(n / 2); }

  // K columns in any number of rows: the output is one sequence.
  template <std::size_t K, class Store = plain_store>
  static void interleave_columns(const transposed_block& block, std::byte* to) {
    for (std::uint64_t r = 0; r < block.rows; r += lanes) {
      const std::byte* const from = block.from + (std::min)(r, block.rows - lanes) * Size;
      words v[K];
      simd::unrolled<K>([&](std::size_t i) GOLDML_INLINE_LAMBDA {
        simd::load(v[i], from + i * block.column_stride);
      });
      interleave_halves<rounds_of(K)>(v);
      std::byte* const group = to + (std::min)(r, block.rows - lanes) * K * Size;
      simd::unrolled<K>([&](std::size_t i) GOLDML_INLINE_LAMBDA { Store::put(group + i * sizeof(words), v[i]); });
    }
  }

  // K rows of any number of columns that are contiguous in the input.
  template <std::size_t K>
  static void separate_rows(const transposed_block& block, std::byte* to) {
    for (std::uint64_t c = 0; c < block.columns; c += lanes) {
      const std::uint64_t column = (std::min)(c, block.columns - lanes);
      const std::byte* const from = block.from + column * K * Size;
      words v[K];
      simd::unrolled<K>([&](std::size_t i) GOLDML_INLINE_LAMBDA {
        simd::load(v[i], from + i * sizeof(words));
      });
      interleave_halves<rounds_of(lanes)>(v);
      simd::unrolled<K>([&](std::size_t i) GOLDML_INLINE_LAMBDA {
        simd::store(to + (i * block.columns + column) * Size, v[i]);
      });
    }
  }

  // Squares of lanes x lanes elements. The last columns, if they are fewer than `lanes`, come first: what is written
  // after the end of a row belongs to rows that are written later.
  static void by_squares(const transposed_block& block, std::byte* to) {
    const std::uint64_t rest = block.columns % lanes;
    if (rest != 0) squares_of_columns(block, to, block.columns - rest, rest);
    for (std::uint64_t c = 0; c + lanes <= block.columns; c += lanes) squares_of_columns(block, to, c, lanes);
  }
  template <class Store = plain_store>
  static void squares_of_columns(const transposed_block& block, std::byte* to, std::uint64_t column,
                                 std::uint64_t count) {
    const std::byte* from[lanes];
    for (std::size_t i = 0; i < lanes; ++i)
      from[i] = block.from + (column + (std::min<std::uint64_t>)(i, count - 1)) * block.column_stride;
    for (std::uint64_t r = 0; r < block.rows; r += lanes) {
      const std::uint64_t row = (std::min)(r, block.rows - lanes);
      words v[lanes];
      simd::unrolled<lanes>([&](std::size_t i) GOLDML_INLINE_LAMBDA {
        simd::load(v[i], from[i] + row * Size);
      });
      simd::transpose(v);
      std::byte* const square = to + (row * block.columns + column) * Size;
      simd::unrolled<lanes>([&](std::size_t i) GOLDML_INLINE_LAMBDA {
        Store::put(square + i * block.columns * Size, v[i]);
      });
    }
  }

  static void by_elements(const transposed_block& block, std::byte* to) {
    for (std::uint64_t c = 0; c < block.columns; ++c)
      for (std::uint64_t r = 0; r < block.rows; ++r)
        move_element<Size>(to + (r * block.columns + c) * Size, block.from + c * block.column_stride + r * Size);
  }
};

}  // namespace goldml::detail
