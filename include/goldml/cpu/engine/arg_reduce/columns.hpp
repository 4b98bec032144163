// Arg-reductions where neighbouring slices are closer together than the elements of a slice. Slices are columns: many
// are processed side by side, row by row, and the least key of each column and its row stay in the cache.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/cpu/engine/arg_reduce/keys.hpp>
#include <goldml/cpu/engine/arg_reduce/pack.hpp>
#include <goldml/cpu/engine/arg_reduce/plan.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>

namespace goldml::detail {

// The most columns of a strip. Their state (keys and row numbers) stays in the first-level cache.
template <class Bits>
inline constexpr std::uint64_t most_columns = sizeof(Bits) <= 2 ? 4096 : 8192 / sizeof(Bits);
// The same for columns that are not contiguous. Fewer, because short slices one after the other are read repeatedly
// from the cache.
template <class Bits>
inline constexpr std::uint64_t most_apart_columns = most_columns<Bits> / 8;

// One strip. If the last of equal elements wins, rows are processed from the last to the first.
template <class Keys>
class column_strip {
 public:
  using bits = typename Keys::bits;
  using key = typename Keys::key;
  using pointer = simd::bits_pointer<bits>;
  static constexpr std::uint64_t strip = most_columns<bits>;
  // The most rows that a row number of type `bits` can count.
  static constexpr std::uint64_t segment = (std::numeric_limits<bits>::max)();
  // Only for 64 bits is AVX-512 faster here than AVX2.
  static constexpr instruction_set highest_set = sizeof(bits) == 8 ? instruction_set::avx512 : instruction_set::avx2;
  static constexpr std::uint64_t apart_rows = 8;  // packed at a time, if columns are not contiguous

  // If column_stride is not 1, `columns` is at most most_apart_columns.
  column_strip(instruction_set set, const Keys& keys, std::uint64_t columns, std::uint64_t column_stride, bool last)
      : set_(set), keys_(keys), columns_(columns), column_stride_(column_stride), last_(last) {}

  // Processes all rows, starting at `first`, and writes the index of each column.
  void run(pointer first, const loop<2>& rows, const loop_nest<2>& outer, std::uint64_t flat_offset,
           const index_output& output, std::uint64_t output_offset, std::uint64_t output_stride) {
    const bool one_segment = outer.empty() && rows.size <= segment;
    auto position = outer.begin_at(0);
    bool nothing_yet = true;
    for (std::uint64_t left = outer.iterations(); left > 0; --left, outer.advance(position))
      for (std::uint64_t row = 0; row < rows.size; row += segment) {
        const std::uint64_t count = (std::min)(segment, rows.size - row);
        simd::dispatch<segment_body, highest_set>(set_, *this, first + (position.offset[0] + row * rows.stride[0]),
                                                  rows.stride[0], count);
        if (one_segment) {
          for (std::uint64_t c = 0; c < columns_; ++c)
            output.write(output_offset + c * output_stride, flat_offset + row_number(c, count) * rows.stride[1]);
          return;
        }
        merge_segment(position.offset[1] + row * rows.stride[1], rows.stride[1], count, nothing_yet);
        nothing_yet = false;
      }
    for (std::uint64_t c = 0; c < columns_; ++c)
      output.write(output_offset + c * output_stride, flat_offset + flat_[c]);
  }

 private:
  struct segment_body {
    template <class Set>
    static GOLDML_INLINE void run(Set, column_strip& all, pointer first, std::uint64_t row_stride,
                                  std::uint64_t count) {
      all.template run_segment<Set::vector_bytes / sizeof(bits)>(first, row_stride, count);
    }
  };

  // Updates columns c .. c + lanes - 1 with the rows first_number .. first_number + Rows - 1, which are `step` bytes
  // apart.
  template <std::size_t Rows, std::size_t lanes>
  GOLDML_INLINE void take_rows(const vector_keys<Keys, lanes>& key_vectors, const unsigned char* row,
                               std::ptrdiff_t step, const simd::vector<bits, lanes>& first_number,
                               const simd::vector<bits, lanes>& one, std::uint64_t c) {
    simd::vector<key, lanes> best, k;
    simd::vector<bits, lanes> best_row, number = first_number, x;
    simd::load(best, key_ + c);
    simd::load(best_row, row_ + c);
    for (std::size_t r = 0; r < Rows; ++r, row += step) {
      simd::load(x, row + c * sizeof(bits));
      simd::prefetch(row + c * sizeof(bits) + static_cast<std::ptrdiff_t>(Rows) * step);
      key_vectors.of(k, x);
      if constexpr (Keys::is_floating) key_vectors.clamp_lowest(k);
      const auto better = k < best;
      simd::select(best_row, better, number, best_row);
      simd::least(best, best, k);
      number = number + one;
    }
    simd::store(key_ + c, best);
    simd::store(row_ + c, best_row);
  }

  // Updates all columns, which are contiguous, with `count` rows from number `first` on, `step` bytes apart.
  template <std::size_t lanes>
  GOLDML_INLINE void take_all_rows(const unsigned char* row, std::ptrdiff_t step, std::uint64_t first,
                                   std::uint64_t count) {
    const vector_keys<Keys, lanes> key_vectors(keys_);
    const std::uint64_t last = columns_ - lanes;  // where the last vector begins
    simd::vector<bits, lanes> one, number;
    simd::splat(one, bits{1});
    const std::uint64_t end = first + count;
    const auto take_groups = [&]<std::size_t Rows>(std::integral_constant<std::size_t, Rows>) GOLDML_INLINE_LAMBDA {
      for (; end - first >= Rows; first += Rows, row += static_cast<std::ptrdiff_t>(Rows) * step) {
        simd::splat(number, static_cast<bits>(first));
        // The last vector of columns may overlap the previous one; this does not change the result.
        for (std::uint64_t c = 0;; c = (std::min)(c + lanes, last)) {
          take_rows<Rows, lanes>(key_vectors, row, step, number, one, c);
          if (c == last) break;
        }
      }
    };
    // Eight rows at a time only if their cache lines do not evict each other.
    const std::ptrdiff_t distance = step < 0 ? -step : step;
    if (distance < 4096) take_groups(std::integral_constant<std::size_t, 8>{});
    take_groups(std::integral_constant<std::size_t, 4>{});
    take_groups(std::integral_constant<std::size_t, 1>{});
  }

  GOLDML_INLINE void take_all_rows_of_few_columns(const unsigned char* row, std::ptrdiff_t step, std::uint64_t count) {
    for (std::uint64_t number = 0; number < count; ++number, row += step)
      for (std::uint64_t c = 0; c < columns_; ++c) {
        const key k = keys_.of(pointer(row)[c * column_stride_]);
        const bool better = k < key_[c];
        key_[c] = better ? k : key_[c];
        row_[c] = better ? static_cast<bits>(number) : row_[c];
      }
  }

  // Finds the least key of each column, and the first row with it in processing order.
  template <std::size_t lanes>
  GOLDML_INLINE void run_segment(pointer first, std::uint64_t row_stride, std::uint64_t count) {
    static_assert(strip % lanes == 0);
    constexpr key most = (std::numeric_limits<key>::max)();
    auto step = static_cast<std::ptrdiff_t>(row_stride * sizeof(bits));
    const unsigned char* row = first.address(last_ ? (count - 1) * row_stride : 0);
    if (last_) step = -step;
    simd::vector<key, lanes> k, highest;
    simd::vector<bits, lanes> number, zero;
    simd::splat(k, most);
    simd::splat(highest, keys_.highest());
    simd::splat(zero, bits{0});
    for (std::uint64_t c = 0; c < columns_; c += lanes) {  // the arrays have room for whole vectors
      simd::store(key_ + c, k);
      simd::store(row_ + c, zero);
    }
    if (columns_ < lanes) {
      take_all_rows_of_few_columns(row, step, count);
    } else {
      const std::uint64_t most_rows = column_stride_ == 1 ? count : apart_rows;
      for (std::uint64_t done = 0; done < count; done += most_rows) {
        const std::uint64_t rows = (std::min)(most_rows, count - done);
        const unsigned char* from = row + static_cast<std::ptrdiff_t>(done) * step;
        std::ptrdiff_t from_step = step;
        if (column_stride_ != 1) {
          for (std::uint64_t r = 0; r < rows; ++r, from += step)
            pack_elements(packed_ + r * columns_, pointer(from), column_stride_, columns_);
          from = reinterpret_cast<const unsigned char*>(packed_);
          from_step = static_cast<std::ptrdiff_t>(columns_ * sizeof(bits));
        }
        take_all_rows<lanes>(from, from_step, done, rows);
      }
    }
    for (std::uint64_t c = 0; c < columns_; c += lanes) {
      simd::load(k, key_ + c);
      simd::load(number, row_ + c);
      const auto tie = highest <= k;  // all elements are NaN, or all are the greatest integer: all are equal
      simd::least(k, k, highest);
      simd::select(number, tie, zero, number);
      simd::store(key_ + c, k);
      simd::store(row_ + c, number);
    }
  }

  std::uint64_t row_number(std::uint64_t c, std::uint64_t count) const { return last_ ? count - 1 - row_[c] : row_[c]; }

  void merge_segment(std::uint64_t flat, std::uint64_t flat_stride, std::uint64_t count, bool nothing_yet) {
    for (std::uint64_t c = 0; c < columns_; ++c) {
      const bool better = nothing_yet || (last_ ? key_[c] <= best_key_[c] : key_[c] < best_key_[c]);
      best_key_[c] = better ? key_[c] : best_key_[c];
      flat_[c] = better ? static_cast<std::uint32_t>(flat + row_number(c, count) * flat_stride) : flat_[c];
    }
  }

  const instruction_set set_;
  const Keys& keys_;
  const std::uint64_t columns_;
  const std::uint64_t column_stride_;
  const bool last_;
  // In the current segment: the least keys and their row numbers, counted from where processing of the segment began.
  key key_[strip];
  bits row_[strip];
  // In the previous segments.
  key best_key_[strip];
  std::uint32_t flat_[strip];
  // A few packed rows, if columns are not contiguous.
  bits packed_[most_apart_columns<bits> * apart_rows];
};

}  // namespace goldml::detail
