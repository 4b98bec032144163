// Turns a bitmap into rows of coordinates. Elements are processed in runs of up to 256. The coordinates of an element
// are those of the first element of its run plus a table entry for its position in the run. All runs share the table.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <goldml/core/dimensions.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/compact/places.hpp>

namespace goldml::detail {

// Rows are computed in vectors of Lanes columns, 4 or 8, at least N.
template <std::size_t Lanes>
class nonzero_rows {
 public:
  // The last N of `sizes` belong to the N columns; the sizes before them are 1.
  nonzero_rows(const dimensions& sizes, std::size_t columns, std::uint32_t* to, std::uint64_t row_stride,
               std::uint64_t column_stride, std::uint64_t elements, instruction_set set)
      : columns_(columns),
        output_(to),
        to_(to),
        row_stride_(row_stride),
        column_stride_(column_stride),
        list_(list_places_for(set)) {
    std::copy(sizes.end() - columns, sizes.end(), sizes_.begin());
    packed_ = (columns == 1 || column_stride == 1) && row_stride == columns;
    direct_ = packed_ && columns == direct_lanes && reinterpret_cast<std::uintptr_t>(to) % 16 == 0;
    split(elements < 4096 ? 64 : run_capacity);
    make_tables();
    set_run();
  }

  // The next row is written as row number `place`.
  void move_to(std::uint64_t place) {
    flush(true);
    to_ = output_ + place * row_stride_;
  }

  // Appends the rows of the set bits among the first `count` bits, which stand for the elements from `element` on, and
  // returns their number. The rows may be buffered until finish().
  std::uint64_t add(const std::uint64_t* bits, std::uint64_t element, std::uint64_t count, bool streaming) {
    if (streaming != streaming_) finish();
    streaming_ = streaming;
    if (element != next_) seek(element);
    next_ = element + count;
    std::uint64_t rows = 0;
    for (std::uint64_t bit = 0; bit < count;) rows += sparse_ ? add_few(bits, bit, count) : add_run(bits, bit, count);
    sparse_ = rows * 32 < count;
    return rows;
  }

  void finish() {
    flush(true);
    if (streaming_) simd::streaming_fence();
  }

 private:
  using row = simd::vector<std::uint32_t, Lanes>;
  static constexpr std::array<std::uint32_t, Lanes* Lanes> unit_vectors = [] {
    std::array<std::uint32_t, Lanes * Lanes> ones{};
    for (std::size_t j = 0; j < Lanes; ++j) ones[j * Lanes + j] = 1;
    return ones;
  }();
  static constexpr std::size_t direct_lanes = 4;  // rows of as many columns may need no staging
  static constexpr std::size_t run_capacity = 256;
  static constexpr std::size_t runs_at_once = 16;     // if few bits are set
  static constexpr std::size_t stage_capacity = 256;  // in numbers; small, so that writing overlaps with computing

  // A run covers `split_steps_` steps of column `split_` and all columns to its right. The last run before that column
  // restarts may be shorter.
  void split(std::size_t capacity) {
    split_ = columns_ - 1;
    inside_ = 1;
    while (split_ > 0 && std::uint64_t{inside_} * sizes_[split_] <= capacity) inside_ *= sizes_[split_--];
    split_steps_ = (std::min)(sizes_[split_], static_cast<std::uint32_t>(capacity) / inside_);
  }

  void make_tables() {
    row offset, step, r;
    std::fill_n(places_.data(), Lanes, 0u);
    std::size_t known = 1;
    for (std::size_t j = columns_; j-- > split_;) {
      simd::load(step, &unit_vectors[j * Lanes]);
      simd::load(offset, places_.data());
      const std::size_t all = known * (j == split_ ? split_steps_ : sizes_[j]);
      for (std::size_t done = known; done < all; done += known) {
        offset = offset + step;
        for (std::size_t i = 0; i < known; ++i) {
          simd::load(r, &places_[i * Lanes]);
          simd::store(&places_[(done + i) * Lanes], row(r + offset));
        }
      }
      known = all;
    }
    // When column j advances, the columns to its right return to 0.
    for (std::size_t j = 0; j <= split_; ++j)
      for (std::size_t k = 0; k < Lanes; ++k)
        steps_[j * Lanes + k] = k < j || k > split_ ? 0
                                : k == j            ? (k == split_ ? split_steps_ : 1)
                                : k == split_       ? 0 - (sizes_[k] - 1) / split_steps_ * split_steps_
                                                    : 1 - sizes_[k];
  }

  void seek(std::uint64_t element) {
    place_ = static_cast<std::size_t>(element % inside_);
    element /= inside_;
    for (std::size_t j = split_ + 1; j-- > 0;) {
      at_[j] = static_cast<std::uint32_t>(element % sizes_[j]);
      element /= sizes_[j];
    }
    const std::uint32_t steps = at_[split_] % split_steps_;
    at_[split_] -= steps;
    place_ += std::size_t{steps} * inside_;
    first_ = at_;
    set_run();
  }

  void set_run() { run_ = std::size_t{(std::min)(split_steps_, sizes_[split_] - at_[split_])} * inside_; }

  // Advances by `n` elements of the current run.
  void advance(std::size_t n) {
    place_ += n;
    if (place_ < run_) return;
    place_ = 0;
    std::size_t j = split_;
    at_[j] += split_steps_;
    while (j > 0 && at_[j] >= sizes_[j]) {
      at_[j] = 0;
      ++at_[--j];
    }
    row first, step;
    simd::load(first, first_.data());
    simd::load(step, &steps_[j * Lanes]);
    simd::store(first_.data(), row(first + step));
    set_run();
  }

  // The `n` bits from bit `at` on, aligned to words; the last word is padded with zeros.
  static const std::uint64_t* words_of(const std::uint64_t* bits, std::uint64_t at, std::size_t n,
                                       std::array<std::uint64_t, run_capacity / 64>& space) {
    bits += at / 64;
    const auto shift = static_cast<int>(at % 64);
    if (shift == 0 && n % 64 == 0) return bits;
    for (std::size_t w = 0; w <= (n - 1) / 64; ++w) space[w] = bits[w] >> shift | bits[w + 1] << 1 << (63 - shift);
    if (n % 64 != 0) space[n / 64] &= (std::uint64_t{1} << n % 64) - 1;
    return space.data();
  }

  // Adds the rest of the current run.
  std::size_t add_run(const std::uint64_t* bits, std::uint64_t& bit, std::uint64_t count) {
    std::array<std::uint64_t, run_capacity / 64> space;
    std::array<std::uint8_t, run_capacity + 64> list;
    const auto n = static_cast<std::size_t>((std::min<std::uint64_t>)(run_ - place_, count - bit));
    const std::size_t found = list_(words_of(bits, bit, n, space), (n + 63) / 64, list.data());
    row first;
    simd::load(first, first_.data());
    const std::uint32_t* const table = places_.data() + place_ * Lanes;
    write(found, [&](std::size_t i, row& r) {
      simd::load(r, table + list[i] * Lanes);
      r = r + first;
    });
    bit += n;
    advance(n);
    return found;
  }

  // Adds several runs with few bits each. They share one list, so that the loops are long.
  std::size_t add_few(const std::uint64_t* bits, std::uint64_t& bit, std::uint64_t count) {
    std::array<std::uint64_t, run_capacity / 64> space;
    std::array<std::uint16_t, runs_at_once * run_capacity + 1> list;
    std::array<std::uint32_t, runs_at_once * Lanes> firsts;
    std::uint16_t* end = list.data();
    for (std::size_t run = 0; run < runs_at_once && bit < count; ++run) {
      const auto n = static_cast<std::size_t>((std::min<std::uint64_t>)(run_ - place_, count - bit));
      std::copy(first_.begin(), first_.end(), &firsts[run * Lanes]);
      end = append_few_places(words_of(bits, bit, n, space), (n + 63) / 64, run * run_capacity + place_, end);
      bit += n;
      advance(n);
    }
    const auto found = static_cast<std::size_t>(end - list.data());
    write(found, [&](std::size_t i, row& r) {
      row first;
      simd::load(first, &firsts[list[i] / run_capacity * Lanes]);
      simd::load(r, &places_[list[i] % run_capacity * Lanes]);
      r = r + first;
    });
    return found;
  }

  // get(i, r) sets r to row i of `found`. The loops are unrolled, because the speed of such short loops otherwise
  // depends on their alignment in the code.
  template <class Get>
  GOLDML_INLINE void write(std::size_t found, const Get& get) {
    row r;
    if constexpr (Lanes == direct_lanes) {
      if (direct_) {
        std::uint32_t* to = to_;
        if (streaming_) {
          GOLDML_UNROLL_4
          for (std::size_t i = 0; i < found; ++i, to += Lanes) {
            get(i, r);
            simd::stream16(to, &r);
          }
        } else {
          GOLDML_UNROLL_4
          for (std::size_t i = 0; i < found; ++i, to += Lanes) {
            get(i, r);
            simd::store(to, r);
          }
        }
        to_ = to;
        return;
      }
    }
    // Each row is stored Lanes wide, and overwrites the excess of the previous row.
    for (std::size_t i = 0; i < found;) {
      if (staged_ + columns_ > stage_capacity) flush(false);
      const std::size_t columns = columns_;
      const std::size_t end = (std::min)(found, i + (stage_capacity - staged_) / columns);
      std::uint32_t* to = &stage_[staged_];
      staged_ += (end - i) * columns;
      GOLDML_UNROLL_4
      for (; i < end; ++i, to += columns) {
        get(i, r);
        simd::store(to, r);
      }
    }
  }

  // Writes the staged numbers. When streaming, writes whole cache lines with non-temporal stores, and a remainder only
  // if `all` is set.
  void flush(bool all) {
    std::size_t done = 0;
    if (!packed_) {
      for (; done < staged_; done += columns_, to_ += row_stride_)
        for (std::size_t j = 0; j < columns_; ++j) to_[j * column_stride_] = stage_[done + j];
    } else if (streaming_) {
      for (; done < staged_ && reinterpret_cast<std::uintptr_t>(to_) % 64 != 0; ++done) *to_++ = stage_[done];
      for (; staged_ - done >= 16; done += 16, to_ += 16)
        for (std::size_t i = 0; i < 16; i += 4) simd::stream16(to_ + i, &stage_[done + i]);
    }
    if (all || !streaming_) {
      std::copy(&stage_[done], &stage_[staged_], to_);
      to_ += staged_ - done;
      staged_ = 0;
    } else {
      std::copy(&stage_[done], &stage_[staged_], stage_.data());
      staged_ -= done;
    }
  }

  std::size_t columns_;
  std::uint32_t* output_;
  std::uint32_t* to_;  // where the first staged or next row is written
  std::uint64_t row_stride_;
  std::uint64_t column_stride_;
  bool packed_;
  bool direct_;  // rows are packed and of 16 aligned bytes: they need no staging
  bool streaming_ = false;
  bool sparse_ = false;  // few bits were set in the last call
  list_places list_;
  std::array<std::uint32_t, Lanes> sizes_{};
  std::size_t split_;
  std::uint32_t inside_;  // elements per step of split_
  std::uint32_t split_steps_;

  // The next element, the coordinates of the first element of its run, its position in the run, and the run's length.
  // first_ is a copy of at_ that is read and written only as a whole vector: reading as a vector what was written in
  // parts would stall until all pending stores are done.
  std::uint64_t next_ = 0;
  std::array<std::uint32_t, Lanes> at_{};
  std::array<std::uint32_t, Lanes> first_{};
  std::size_t place_ = 0;
  std::size_t run_ = 0;

  std::size_t staged_ = 0;  // in numbers
  std::array<std::uint32_t, run_capacity * Lanes>
      places_;                                      // coordinates of each position in a run, relative to its first
  std::array<std::uint32_t, Lanes * Lanes> steps_;  // from one run to the next, per column that advances
  std::array<std::uint32_t, stage_capacity + Lanes> stage_;
};

}  // namespace goldml::detail
