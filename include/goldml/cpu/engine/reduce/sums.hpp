// Sums in double of elements or of their squares, and of their magnitudes: along a slice whose elements are adjacent,
// or of many slices at once whose first elements are. In any order: the error that is allowed for (bounds.hpp) covers
// all.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/core/number.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/base/simd.hpp>
#include <goldml/cpu/engine/cumulative/lanes.hpp>
#include <goldml/cpu/engine/element_wise/bits.hpp>

namespace goldml::detail::reduction {

using scan::doubles;
using scan::longs;
using scan::vectors;
inline constexpr std::size_t lanes = scan_width;

// A sum, and that of the magnitudes; of squares they are the same.
struct double_sums {
  double sum = 0;
  double magnitude = 0;

  void add(double x) {
    sum += x;
    magnitude += std::abs(x);
  }
};

enum class summand { number, square };

template <summand S, class T>
GOLDML_INLINE void load_summand(doubles& v, const number_bits_of<T>* from) {
  scan::load_widened<T>(v, from);
  if constexpr (S == summand::square) v = v * v;
}
GOLDML_INLINE void magnitude_of(doubles& result, const doubles& v, const longs& sign) {
  longs bits;
  simd::bits_as(bits, v);
  bits = (bits | sign) ^ sign;
  simd::bits_as(result, bits);
}
inline double summand_of(summand s, double x) { return s == summand::square ? x * x : x; }

// Adds `count` adjacent elements, a multiple of the elements of all vectors.
template <summand S>
struct add_run {
  template <class Set, class T>
  GOLDML_INLINE static void run(Set, const number_bits_of<T>* x, std::uint64_t count, double_sums& result,
                                std::type_identity<T>) {
    longs sign;
    simd::splat(sign, (std::numeric_limits<std::int64_t>::min)());
    doubles sum[vectors], magnitude[vectors];
    for (std::size_t k = 0; k < vectors; ++k) {
      simd::splat(sum[k], 0.0);
      magnitude[k] = sum[k];
    }
    for (std::uint64_t i = 0; i < count; i += vectors * lanes)
      simd::unrolled<vectors>([&](std::size_t k) GOLDML_INLINE_LAMBDA {
        doubles v;
        load_summand<S, T>(v, x + i + k * lanes);
        sum[k] = sum[k] + v;
        if constexpr (S == summand::number) {
          magnitude_of(v, v, sign);
          magnitude[k] = magnitude[k] + v;
        }
      });
    double parts[lanes];
    simd::store(parts, (sum[0] + sum[1]) + (sum[2] + sum[3]));
    for (const double part : parts) result.sum += part;
    if constexpr (S == summand::square) {
      result.magnitude = result.sum;
    } else {
      simd::store(parts, (magnitude[0] + magnitude[1]) + (magnitude[2] + magnitude[3]));
      for (const double part : parts) result.magnitude += part;
    }
  }
};

// Calls f(std::integral_constant) with the number of rows that it takes at once, as often as needed for all.
template <class F>
GOLDML_INLINE void for_rows(std::uint64_t rows, const F& f) {
  constexpr std::size_t at_once = 8;
  for (; rows >= at_once; rows -= at_once) f(std::integral_constant<std::size_t, at_once>{});
  for (; rows > 0; --rows) f(std::integral_constant<std::size_t, 1>{});
}

// Adds `rows` rows of `width` adjacent elements, `pitch` elements apart, to the sums of the columns. `width` is a
// multiple of the elements of a vector.
template <summand S>
struct add_rows {
  template <class Set, class T>
  GOLDML_INLINE static void run(Set, const number_bits_of<T>* x, std::uint64_t pitch, std::uint64_t rows,
                                std::size_t width, double* sums, double* magnitudes, std::type_identity<T>) {
    longs sign;
    simd::splat(sign, (std::numeric_limits<std::int64_t>::min)());
    const auto add = [&]<std::size_t Rows>(std::integral_constant<std::size_t, Rows>) GOLDML_INLINE_LAMBDA {
      for (std::size_t i = 0; i < width; i += lanes) {
        doubles sum, magnitude;
        simd::load(sum, sums + i);
        simd::load(magnitude, magnitudes + i);
        simd::unrolled<Rows>([&](std::size_t k) GOLDML_INLINE_LAMBDA {
          doubles v;
          load_summand<S, T>(v, x + k * pitch + i);
          sum = sum + v;
          if constexpr (S == summand::number) {
            magnitude_of(v, v, sign);
            magnitude = magnitude + v;
          }
        });
        simd::store(sums + i, sum);
        simd::store(magnitudes + i, S == summand::square ? sum : magnitude);
      }
    };
    for_rows(rows, [&](auto count) GOLDML_INLINE_LAMBDA {
      add(count);
      x += count * pitch;
    });
  }
};

// What the double nearest to v + shift loses of v, which is at most a third of the shift, 1.5 * 2^52 units: nothing if
// v is a multiple of the unit.
GOLDML_INLINE void add_lost_bits(longs& lost, const doubles& v, const doubles& shift, const longs& sign) {
  longs bits;
  simd::bits_as(bits, v - ((v + shift) - shift));
  lost = lost | ((bits | sign) ^ sign);
}
// Whether sums may be exact, and are not of zeros alone, whose signs matter.
inline bool may_be_exact(const double_sums& sums) { return sums.magnitude > 0 && is_finite_double(sums.magnitude); }
// The shift for sums of numbers that are exact in double if all are multiples of its unit: the sum of their magnitudes
// is below 2^51 units.
inline double shift_for(double magnitude) {
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude < 2^exponent
  return std::ldexp(1.5, exponent + 1);
}

template <summand S>
struct find_lost_of_run {
  template <class Set, class T>
  GOLDML_INLINE static void run(Set, const number_bits_of<T>* x, std::uint64_t count, double by, bool& lost,
                                std::type_identity<T>) {
    longs sign, all;
    simd::splat(sign, (std::numeric_limits<std::int64_t>::min)());
    simd::splat(all, std::int64_t{0});
    doubles shift;
    simd::splat(shift, by);
    for (std::uint64_t i = 0; i < count; i += lanes) {
      doubles v;
      load_summand<S, T>(v, x + i);
      add_lost_bits(all, v, shift, sign);
    }
    std::int64_t parts[lanes];
    simd::store(parts, all);
    for (const std::int64_t part : parts) lost = lost || part != 0;
  }
};

template <summand S>
struct find_lost_of_rows {
  template <class Set, class T>
  GOLDML_INLINE static void run(Set, const number_bits_of<T>* x, std::uint64_t pitch, std::uint64_t rows,
                                std::size_t width, double by, std::int64_t* lost, std::type_identity<T>) {
    longs sign;
    simd::splat(sign, (std::numeric_limits<std::int64_t>::min)());
    doubles shift;
    simd::splat(shift, by);
    const auto add = [&]<std::size_t Rows>(std::integral_constant<std::size_t, Rows>) GOLDML_INLINE_LAMBDA {
      for (std::size_t i = 0; i < width; i += lanes) {
        longs all;
        simd::load(all, lost + i);
        simd::unrolled<Rows>([&](std::size_t k) GOLDML_INLINE_LAMBDA {
          doubles v;
          load_summand<S, T>(v, x + k * pitch + i);
          add_lost_bits(all, v, shift, sign);
        });
        simd::store(lost + i, all);
      }
    };
    for_rows(rows, [&](auto count) GOLDML_INLINE_LAMBDA {
      add(count);
      x += count * pitch;
    });
  }
};

// The sums of columns, `width` of them at most.
template <class T>
struct column_sums {
  static constexpr std::size_t width = 1024;
  double sums[width], magnitudes[width];

  // Adds rows of `count` adjacent elements.
  template <summand S>
  void add(instruction_set set, const T* x, std::uint64_t pitch, std::uint64_t rows, std::size_t count) {
    const std::size_t whole = count / lanes * lanes;
    const auto* bits = reinterpret_cast<const number_bits_of<T>*>(x);
    simd::dispatch<add_rows<S>, instruction_set::avx2>(set, bits, pitch, rows, whole, &sums[0], &magnitudes[0],
                                                       std::type_identity<T>{});
    for (std::size_t i = whole; i < count; ++i) {
      double_sums column = at(i);
      for (std::uint64_t row = 0; row < rows; ++row) column.add(summand_of(S, exact_double(x[row * pitch + i])));
      sums[i] = column.sum;
      magnitudes[i] = column.magnitude;
    }
  }
  double_sums at(std::size_t i) const { return {sums[i], magnitudes[i]}; }

  // Makes lost[i], which is 0 before, another number if column i has an element that is no multiple of the shift's
  // unit.
  template <summand S>
  static void find_lost(instruction_set set, const T* x, std::uint64_t pitch, std::uint64_t rows, std::size_t count,
                        double shift, std::int64_t* lost) {
    const std::size_t whole = count / lanes * lanes;
    const auto* bits = reinterpret_cast<const number_bits_of<T>*>(x);
    simd::dispatch<find_lost_of_rows<S>, instruction_set::avx2>(set, bits, pitch, rows, whole, shift, lost,
                                                                std::type_identity<T>{});
    for (std::size_t i = whole; i < count; ++i) lost[i] = 1;
  }
};

// Adds elements of any count, `stride` apart.
template <summand S, class T>
void add_elements(instruction_set set, const T* x, std::uint64_t stride, std::uint64_t count, double_sums& result) {
  std::uint64_t i = 0;
  if (stride == 1 && count >= vectors * lanes) {
    i = count / (vectors * lanes) * (vectors * lanes);
    simd::dispatch<add_run<S>, instruction_set::avx2>(set, reinterpret_cast<const number_bits_of<T>*>(x), i, result,
                                                      std::type_identity<T>{});
  }
  for (; i < count; ++i) result.add(summand_of(S, exact_double(x[i * stride])));
}

// Whether all elements, of any count, are multiples of the unit of the shift.
template <summand S, class T>
bool are_multiples(instruction_set set, const T* x, std::uint64_t stride, std::uint64_t count, double shift) {
  bool lost = false;
  std::uint64_t i = 0;
  if (stride == 1) {
    i = count / lanes * lanes;
    const auto* bits = reinterpret_cast<const number_bits_of<T>*>(x);
    simd::dispatch<find_lost_of_run<S>, instruction_set::avx2>(set, bits, i, shift, lost, std::type_identity<T>{});
  }
  for (; i < count && !lost; ++i) {
    const double v = summand_of(S, exact_double(x[i * stride]));
    lost = !is_zero(v - ((v + shift) - shift));
  }
  return !lost;
}

}  // namespace goldml::detail::reduction
