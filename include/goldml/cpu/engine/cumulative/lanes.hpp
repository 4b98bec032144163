// Vectors of the lanes of a scan, and how elements get into them and back.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include <goldml/core/data_type.hpp>
#include <goldml/cpu/engine/base/simd.hpp>
#include <goldml/cpu/engine/element_wise/bits.hpp>
#include <goldml/cpu/engine/element_wise/doubles.hpp>

namespace goldml::detail {

inline constexpr std::size_t scan_width = 4;    // lanes of a vector
inline constexpr std::size_t scan_block = 512;  // elements

namespace scan {

using doubles = simd::vector<double, scan_width>;
using longs = simd::vector<std::int64_t, scan_width>;
using ints = simd::vector<std::int32_t, scan_width>;
using floats = simd::vector<float, scan_width>;

// Several vectors at a time, because each addition waits for the one before.
inline constexpr std::size_t vectors = 4;
inline constexpr std::size_t row_lanes = vectors * scan_width;

// The elements of a block, in steps along the axis: each step has one element of each lane.
template <class T>
struct elements {
  const number_bits_of<T>* first;
  std::size_t pitch;  // from a step to the next
  std::size_t steps;
};

// Set up outside of loops.
struct constants {
  longs sign, infinity, zero, one;
  ints float_sign, float_infinity, float_quiet_nan;
  doubles shift;  // 1.5 * 2^52 units: a double as large as that holds no part of a unit

  GOLDML_INLINE explicit constants(double by) {
    simd::splat(sign, (std::numeric_limits<std::int64_t>::min)());
    simd::splat(infinity, std::int64_t{0x7FF0'0000'0000'0000});
    simd::splat(zero, std::int64_t{0});
    simd::splat(one, std::int64_t{1});
    simd::splat(float_sign, (std::numeric_limits<std::int32_t>::min)());
    simd::splat(float_infinity, std::int32_t{0x7F80'0000});
    simd::splat(float_quiet_nan, std::int32_t{0x7FC0'0000});
    simd::splat(shift, by);
  }
};

template <class T>
GOLDML_INLINE void load_float_bits(ints& v, const number_bits_of<T>* from) {
  if constexpr (std::is_same_v<T, float>) {
    simd::load(v, from);
  } else {
    std::int32_t lanes[scan_width];
    for (std::size_t i = 0; i < scan_width; ++i) lanes[i] = std::bit_cast<std::int32_t>(float16_to_float(from[i]));
    simd::load(v, lanes);
  }
}
template <class T>
GOLDML_INLINE void load_widened(doubles& v, const number_bits_of<T>* from) {
  ints bits;
  load_float_bits<T>(bits, from);
  floats narrow;
  simd::bits_as(narrow, bits);
  simd::convert(v, narrow);
}

// A finite number as a multiple of a unit and the rest. The multiple has the sign of x, and the rest is -0 if there is
// none: sums of -0 stay -0.
GOLDML_INLINE void split(const constants& c, const doubles& x, doubles& whole, doubles& rest) {
  longs bits, sign_of_x;
  const doubles shifted = (x + c.shift) - c.shift;
  simd::bits_as(bits, shifted);
  simd::bits_as(sign_of_x, x);
  bits = ((bits | c.sign) ^ c.sign) | (sign_of_x & c.sign);
  simd::bits_as(whole, bits);
  const doubles lacking = whole - x;
  simd::bits_as(bits, lacking);
  bits = bits ^ c.sign;
  simd::bits_as(rest, bits);
}

// Moves infinities and NaN from x to `special`; each has -0 where the other has the element.
GOLDML_INLINE void part_special(const constants& c, doubles& x, doubles& special) {
  longs bits, chosen;
  simd::bits_as(bits, x);
  const longs is_special = c.infinity <= ((bits | c.sign) ^ c.sign);
  simd::select(chosen, is_special, bits, c.sign);
  simd::bits_as(special, chosen);
  simd::select(chosen, is_special, c.sign, bits);
  simd::bits_as(x, chosen);
}

// a + b cut to 53 bits and the last one set if anything was lost: rounding that rounds the sum.
GOLDML_INLINE void add_to_odd(const constants& c, doubles& result, const doubles& a, const doubles& b) {
  const doubles sum = a + b;
  const doubles part = sum - a;
  const doubles rest = (a - (sum - part)) + (b - part);  // the error of the sum, exactly
  longs bits, rest_bits;
  simd::bits_as(bits, sum);
  simd::bits_as(rest_bits, rest);
  const longs magnitude = (rest_bits | c.sign) ^ c.sign;
  const longs inexact = (c.zero < magnitude) & (magnitude < c.infinity);  // NaN if the sum is not finite
  const longs even = (bits & c.one) - c.one;
  const longs step = ((rest_bits ^ bits) >> 63) | c.one;  // toward the rest: away from zero if the signs agree
  bits = bits + (inexact & even & step);
  simd::bits_as(result, bits);
}

template <class T>
GOLDML_INLINE void store_rounded(number_bits_of<T>* to, const doubles& x) {
  if constexpr (std::is_same_v<T, float>) {
    floats narrow;
    simd::convert(narrow, x);
    simd::store(to, narrow);
  } else {
    double lanes[scan_width];
    simd::store(lanes, x);
    for (std::size_t i = 0; i < scan_width; ++i) to[i] = rounded_bits<T>(lanes[i]);
  }
}
// NaN becomes the quiet one.
template <class T>
GOLDML_INLINE void store_rounded_or_nan(const constants& c, number_bits_of<T>* to, const doubles& x) {
  if constexpr (std::is_same_v<T, float>) {
    floats narrow;
    simd::convert(narrow, x);
    ints bits;
    simd::bits_as(bits, narrow);
    simd::select(bits, c.float_infinity < ((bits | c.float_sign) ^ c.float_sign), c.float_quiet_nan, bits);
    simd::store(to, bits);
  } else {
    store_rounded<T>(to, x);
  }
}

// Sums of `Lanes` lanes: of the finite elements high + low, of the others special, which is -0 if there are none.
template <std::size_t Lanes>
struct sums {
  double high[Lanes], low[Lanes], special[Lanes];
};

// From one lane after the other, `pitch` apart, to steps of row_lanes lanes, and back. Steps are a multiple of 4.
inline constexpr std::size_t transposed_lanes = 8;
using transposed = simd::vector<std::int32_t, transposed_lanes>;
struct to_steps {
  template <class Set, class T>
  GOLDML_INLINE static void run(Set, const number_bits_of<T>* from, std::size_t pitch, std::size_t steps,
                                number_bits_of<T>* to, std::type_identity<T>) {
    for (std::size_t lane = 0; lane < row_lanes; lane += transposed_lanes, from += transposed_lanes * pitch)
      for (std::size_t s = 0; s < steps; s += 4)
        if constexpr (sizeof(T) == 4) {
          transposed v[4];
          simd::unrolled<4>([&](std::size_t i) GOLDML_INLINE_LAMBDA {
            simd::load_halves(v[i], from + i * pitch + s, from + (i + 4) * pitch + s);
          });
          simd::transpose(v);
          simd::unrolled<4>(
              [&](std::size_t i) GOLDML_INLINE_LAMBDA { simd::store(to + (s + i) * row_lanes + lane, v[i]); });
        } else {
          for (std::size_t j = s; j < s + 4; ++j)
            for (std::size_t i = 0; i < transposed_lanes; ++i) to[j * row_lanes + lane + i] = from[i * pitch + j];
        }
  }
};
struct from_steps {
  template <class Set, class T>
  GOLDML_INLINE static void run(Set, const number_bits_of<T>* from, std::size_t steps, number_bits_of<T>* to,
                                std::size_t pitch, std::type_identity<T>) {
    for (std::size_t lane = 0; lane < row_lanes; lane += transposed_lanes, to += transposed_lanes * pitch)
      for (std::size_t s = 0; s < steps; s += 4)
        if constexpr (sizeof(T) == 4) {
          transposed v[4];
          simd::unrolled<4>(
              [&](std::size_t i) GOLDML_INLINE_LAMBDA { simd::load(v[i], from + (s + i) * row_lanes + lane); });
          simd::transpose(v);
          simd::unrolled<4>([&](std::size_t i) GOLDML_INLINE_LAMBDA {
            number_bits_of<T> halves[transposed_lanes];
            simd::store(halves, v[i]);
            std::memcpy(to + i * pitch + s, halves, 4 * sizeof(T));
            std::memcpy(to + (i + 4) * pitch + s, halves + 4, 4 * sizeof(T));
          });
        } else {
          for (std::size_t j = s; j < s + 4; ++j)
            for (std::size_t i = 0; i < transposed_lanes; ++i) to[i * pitch + j] = from[j * row_lanes + lane + i];
        }
  }
};

}  // namespace scan

}  // namespace goldml::detail
