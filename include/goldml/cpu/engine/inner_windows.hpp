// Windows of 2 x 2 or 3 x 3 elements of a packed row of FLOAT32 that are inside of the image with all of their taps: a
// block of them at once, without sums or keys of rows in memory. Those beside an edge are computed one by one.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/tensor_view.hpp>
#include <goldml/cpu/engine/windows.hpp>
#include <goldml/operators/pooling_values.hpp>
#include <goldml/operators/windows.hpp>

namespace goldml::detail {

// Which windows of a row are inside, and the rows of their taps, from the first tap of the first of them on.
template <std::size_t Size>
struct inner_rows {
  std::array<const float*, Size> rows;
  std::uint64_t begin, end;
};

namespace window_loops {

// Calls one(first window) for blocks that cover `count` windows, at least one block; the last one overlaps.
template <class F>
GOLDML_INLINE void for_blocks(std::uint64_t count, const F& one) {
  for (std::uint64_t q = 0; q + block <= count; q += block) one(q);
  if (count % block != 0) one(count - block);
}

// The taps of a block of windows from q on. Of a step of 2, even and odd columns apart: loops over what is next to each
// other vectorise.
template <std::size_t Size, std::size_t Step>
struct block_taps {
  const std::array<const float*, Size>& rows;
  std::uint64_t q;
  float apart[Size][Step][block + Size / 2] = {};

  GOLDML_INLINE block_taps(const std::array<const float*, Size>& of, std::uint64_t first) : rows(of), q(first) {
    if constexpr (Step == 2)
      for (std::size_t r = 0; r < Size; ++r) {
        for (std::size_t i = 0; i < block + (Size - 1) / 2; ++i) apart[r][0][i] = rows[r][(q + i) * 2];
        for (std::size_t i = 0; i < block; ++i) apart[r][1][i] = rows[r][(q + i) * 2 + 1];
      }
  }
  // Calls f(tap) for those of window i, in their order.
  template <class F>
  GOLDML_INLINE void each(std::size_t i, const F& f) const {
    simd::unrolled<Size * Size>([&](std::size_t tap) GOLDML_INLINE_LAMBDA {
      const std::size_t r = tap / Size, c = tap % Size;
      if constexpr (Step == 2)
        f(apart[r][c % 2][i + c / 2]);
      else
        f(rows[r][q + i + c]);
    });
  }
};

// Averages, as round_sums rounds them.
template <std::size_t Size, std::size_t Step>
struct average_inside {
  template <class Set>
  GOLDML_INLINE static void run(Set, const std::array<const float*, Size>& rows, std::uint64_t count, double divisor,
                                float* to, std::uint32_t* doubt) {
    for_blocks(count, [&](std::uint64_t q) GOLDML_INLINE_LAMBDA {
      const block_taps<Size, Step> taps(rows, q);
      float y[block];
      std::uint32_t doubts[block];
      for (std::size_t i = 0; i < block; ++i) {
        term_sum sum;
        taps.each(i, [&](float x) GOLDML_INLINE_LAMBDA { sum.add(static_cast<double>(x)); });
        round_sum<float, finish::quotient>(sum, Size * Size, divisor, 0x1p28, y[i], doubts[i]);
      }
      simd::copy_block<block>(to + q, y);
      simd::copy_block<block>(doubt + q, doubts);
    });
  }
};

// The first of the greatest elements that it has seen.
template <class T>
struct greatest_bits {
  using bits_type = simd::bits_of_size<sizeof(T)>;
  using key_type = std::make_signed_t<bits_type>;
  bits_type bits = std::bit_cast<bits_type>(least_of<T>());
  key_type key = (std::numeric_limits<key_type>::min)();

  GOLDML_INLINE void see(T x, key_type of_nan) {
    const auto each = std::bit_cast<bits_type>(x);
    const key_type other = key_of_bits<bits_type>(each, float_bits<T>::infinity, of_nan);
    const bool greater = other > key;
    bits = greater ? each : bits;
    key = greater ? other : key;
  }
};

// The first of the greatest taps, and its key.
template <std::size_t Size, std::size_t Step>
struct greatest_inside {
  template <class Set>
  GOLDML_INLINE static void run(Set, const std::array<const float*, Size>& rows, std::uint64_t count,
                                std::int32_t of_nan, std::uint32_t* best, std::int32_t* best_keys) {
    for_blocks(count, [&](std::uint64_t q) GOLDML_INLINE_LAMBDA {
      const block_taps<Size, Step> taps(rows, q);
      std::uint32_t most[block];
      std::int32_t keys[block];
      for (std::size_t i = 0; i < block; ++i) {
        greatest_bits<float> greatest;
        taps.each(i, [&](float x) GOLDML_INLINE_LAMBDA { greatest.see(x, of_nan); });
        most[i] = greatest.bits;
        keys[i] = greatest.key;
      }
      simd::copy_block<block>(best + q, most);
      simd::copy_block<block>(best_keys + q, keys);
    });
  }
};

}  // namespace window_loops

// Calls inside.operator()<Size, Step>(rows) for the windows of the row at o that have all of their taps, and
// beside(q, rows) for each other one, with the rows of its taps from column 0 on. Returns false, without a call, if the
// windows are not of this kind, some of their rows are outside, or fewer than a block are inside.
template <class T, class Inside, class Beside>
bool for_inner_windows(const tensor_view<const T>& x, const image_windows& windows, const coordinate_tuple& o,
                       const Inside& inside, const Beside& beside) {
  if constexpr (std::is_same_v<T, float>) {
    if (windows.size() != 2 || x.strides().back() != 1) return false;
    const window_axis &down = windows[0], &along = windows[1];
    const auto run = [&]<std::size_t Size, std::size_t Step>() {
      if (down.window != Size || along.window != Size || along.stride != Step) return false;
      const window_axis::taps taps = down.taps_of(o[2]);
      inner_rows<Size> all{{}, along.windows_inside(0).begin, along.windows_inside(Size - 1).end};
      if (taps.count != Size || all.end < all.begin + window_loops::block) return false;
      coordinate_tuple c = o;
      c[3] = 0;
      for (std::size_t r = 0; r < Size; ++r) {
        c[2] = static_cast<std::uint32_t>(taps.place + r);
        all.rows[r] = x.data() + offset_of(c, x.strides());
      }
      for (std::uint64_t q = 0; q < all.begin; ++q) beside(q, all.rows);
      for (std::uint64_t q = all.end; q < along.output; ++q) beside(q, all.rows);
      for (const float*& row : all.rows) row += all.begin * Step - along.start;
      inside.template operator()<Size, Step>(all);
      return true;
    };
    return down.dilation == 1 && along.dilation == 1 &&
           (run.template operator()<3, 1>() || run.template operator()<3, 2>() || run.template operator()<2, 2>());
  }
  return false;
}

}  // namespace goldml::detail
