// Cumulative sums of floats, each the exact sum rounded once. A sum is kept as a double, or as two whose sum it is, such
// that no addition ever rounds: for each block of elements this is known before they are added. Where it is not so, a
// line is finished by exact_sum.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <goldml/arithmetic/values.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/cpu/engine/base/float_mode.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/base/simd.hpp>
#include <goldml/cpu/engine/cumulative/lines.hpp>
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

// The greatest magnitude, as the bits of a float.
struct find_greatest {
  template <class Set, class T, std::size_t Lanes>
  GOLDML_INLINE static void run(Set, const elements<T>& x, std::int32_t& result,
                                std::integral_constant<std::size_t, Lanes>) {
    ints most, sign;
    simd::splat(most, std::int32_t{0});
    simd::splat(sign, (std::numeric_limits<std::int32_t>::min)());
    for (std::size_t s = 0; s < x.steps; ++s)
      for (std::size_t g = 0; g < Lanes; g += scan_width) {
        ints v;
        load_float_bits<T>(v, x.first + s * x.pitch + g);
        v = (v | sign) ^ sign;
        simd::greatest(most, most, v);
      }
    std::int32_t lanes[scan_width];
    simd::store(lanes, most);
    result = *std::max_element(lanes, lanes + scan_width);
  }
};

// The least magnitude but zero, minus 1.
struct find_least {
  template <class Set, class T, std::size_t Lanes>
  GOLDML_INLINE static void run(Set, const elements<T>& x, std::int32_t& result,
                                std::integral_constant<std::size_t, Lanes>) {
    ints least, one, not_sign;
    simd::splat(least, (std::numeric_limits<std::int32_t>::max)());
    simd::splat(one, std::int32_t{1});
    not_sign = least;
    for (std::size_t s = 0; s < x.steps; ++s)
      for (std::size_t g = 0; g < Lanes; g += scan_width) {
        ints v;
        load_float_bits<T>(v, x.first + s * x.pitch + g);
        v = ((v & not_sign) - one) & not_sign;  // of zero the greatest
        simd::least(least, least, v);
      }
    std::int32_t lanes[scan_width];
    simd::store(lanes, least);
    result = *std::min_element(lanes, lanes + scan_width);
  }
};

// Whether all elements are multiples of a unit; and their sum in each lane.
struct add_lanes {
  template <class Set, class T, std::size_t Lanes>
  GOLDML_INLINE static void run(Set, const elements<T>& x, double by, double (&totals)[Lanes], bool& are_multiples) {
    doubles shift;
    simd::splat(shift, by);
    longs lost;
    simd::splat(lost, std::int64_t{0});
    for (std::size_t g = 0; g < Lanes; g += row_lanes) {
      doubles total[vectors];
      for (doubles& each : total) simd::splat(each, -0.0);
      for (std::size_t s = 0; s < x.steps; ++s)
        simd::unrolled<vectors>([&](std::size_t i) GOLDML_INLINE_LAMBDA {
          doubles v;
          load_widened<T>(v, x.first + s * x.pitch + g + i * scan_width);
          const doubles rest = v - ((v + shift) - shift);
          longs bits;
          simd::bits_as(bits, rest);
          lost = lost | bits;
          total[i] = total[i] + v;
        });
      for (std::size_t i = 0; i < vectors; ++i) simd::store(totals + g + i * scan_width, total[i]);
    }
    std::int64_t lanes[scan_width], any = 0;
    simd::store(lanes, lost);
    for (std::size_t i = 0; i < scan_width; ++i) any |= lanes[i];
    are_multiples = any == 0;
  }
};

// Each result is the sum of its lane before the element is added or, unless `exclusive`, after it.
struct add_block {
  template <class Set, class T, std::size_t Lanes>
  GOLDML_INLINE static void run(Set, const elements<T>& x, bool exclusive, sums<Lanes>& all, number_bits_of<T>* to,
                                std::size_t pitch) {
    for (std::size_t g = 0; g < Lanes; g += row_lanes) {
      doubles sum[vectors];
      for (std::size_t i = 0; i < vectors; ++i) simd::load(sum[i], all.high + g + i * scan_width);
      for (std::size_t s = 0; s < x.steps; ++s)
        simd::unrolled<vectors>([&](std::size_t i) GOLDML_INLINE_LAMBDA {
          const std::size_t lane = g + i * scan_width;
          doubles v;
          load_widened<T>(v, x.first + s * x.pitch + lane);
          v = sum[i] + v;
          store_rounded<T>(to + s * pitch + lane, exclusive ? sum[i] : v);
          sum[i] = v;
        });
      for (std::size_t i = 0; i < vectors; ++i) simd::store(all.high + g + i * scan_width, sum[i]);
    }
  }
};

// The sums of each lane in two parts, and of infinities and NaN.
struct add_split_lanes {
  template <class Set, class T, std::size_t Lanes>
  GOLDML_INLINE static void run(Set, const elements<T>& x, double by, sums<Lanes>& totals) {
    const constants c(by);
    for (std::size_t g = 0; g < Lanes; g += scan_width) {
      doubles high, low, special;
      simd::splat(high, -0.0);
      low = special = high;
      for (std::size_t s = 0; s < x.steps; ++s) {
        doubles v, infinite, whole, rest;
        load_widened<T>(v, x.first + s * x.pitch + g);
        part_special(c, v, infinite);
        split(c, v, whole, rest);
        high = high + whole;
        low = low + rest;
        special = special + infinite;
      }
      simd::store(totals.high + g, high);
      simd::store(totals.low + g, low);
      simd::store(totals.special + g, special);
    }
  }
};
// The same without infinities and NaN.
struct add_finite_lanes {
  template <class Set, class T, std::size_t Lanes>
  GOLDML_INLINE static void run(Set, const elements<T>& x, double by, sums<Lanes>& totals) {
    doubles shift;
    simd::splat(shift, by);
    for (std::size_t g = 0; g < Lanes; g += row_lanes) {
      doubles high[vectors], low[vectors];
      for (std::size_t i = 0; i < vectors; ++i) {
        simd::splat(high[i], -0.0);
        low[i] = high[i];
      }
      for (std::size_t s = 0; s < x.steps; ++s)
        simd::unrolled<vectors>([&](std::size_t i) GOLDML_INLINE_LAMBDA {
          doubles v;
          load_widened<T>(v, x.first + s * x.pitch + g + i * scan_width);
          const doubles whole = (v + shift) - shift;
          high[i] = high[i] + whole;
          low[i] = low[i] + (v - whole);
        });
      for (std::size_t i = 0; i < vectors; ++i) {
        simd::store(totals.high + g + i * scan_width, high[i]);
        simd::store(totals.low + g + i * scan_width, low[i]);
      }
    }
  }
};
// Rounds sums of finite elements to doubles and then to floats, which is wrong where the double is in the middle of two
// floats, or below the normal floats. Reports such doubles; the caller then calls add_split_block with the sums before.
struct add_finite_block {
  template <class Set, std::size_t Lanes>
  GOLDML_INLINE static void run(Set, const elements<float>& x, double by, bool exclusive, sums<Lanes>& all,
                                std::uint32_t* to, std::size_t pitch, bool& is_certain) {
    doubles shift;
    longs tail, middle, least_normal, sign, one;
    simd::splat(shift, by);
    simd::splat(tail, (std::int64_t{1} << 29) - 1);
    simd::splat(middle, std::int64_t{1} << 28);
    simd::splat(one, std::int64_t{1});
    simd::splat(least_normal, std::bit_cast<std::int64_t>(0x1p-126));
    simd::splat(sign, (std::numeric_limits<std::int64_t>::min)());
    longs uncertain = sign ^ sign;
    for (std::size_t g = 0; g < Lanes; g += row_lanes / 2) {
      doubles high[vectors / 2], low[vectors / 2];
      for (std::size_t i = 0; i < vectors / 2; ++i) {
        simd::load(high[i], all.high + g + i * scan_width);
        simd::load(low[i], all.low + g + i * scan_width);
      }
      for (std::size_t s = 0; s < x.steps; ++s)
        simd::unrolled<vectors / 2>([&](std::size_t i) GOLDML_INLINE_LAMBDA {
          const std::size_t lane = g + i * scan_width;
          doubles v;
          load_widened<float>(v, x.first + s * x.pitch + lane);
          const doubles whole = (v + shift) - shift;
          const doubles before = high[i] + low[i];
          high[i] = high[i] + whole;
          low[i] = low[i] + (v - whole);
          const doubles result = exclusive ? before : high[i] + low[i];
          longs bits;
          simd::bits_as(bits, result);
          uncertain = uncertain | (((bits & tail) ^ middle) < one) | (((bits | sign) ^ sign) < least_normal);
          store_rounded<float>(to + s * pitch + lane, result);
        });
      for (std::size_t i = 0; i < vectors / 2; ++i) {
        simd::store(all.high + g + i * scan_width, high[i]);
        simd::store(all.low + g + i * scan_width, low[i]);
      }
    }
    std::int64_t lanes[scan_width], any = 0;
    simd::store(lanes, uncertain);
    for (std::size_t i = 0; i < scan_width; ++i) any |= lanes[i];
    is_certain = any == 0;
  }
};
struct add_split_block {
  template <class Set, class T, std::size_t Lanes>
  GOLDML_INLINE static void run(Set, const elements<T>& x, double by, bool exclusive, sums<Lanes>& all,
                                number_bits_of<T>* to, std::size_t pitch) {
    const constants c(by);
    for (std::size_t g = 0; g < Lanes; g += scan_width) {
      doubles high, low, special;
      simd::load(high, all.high + g);
      simd::load(low, all.low + g);
      simd::load(special, all.special + g);
      for (std::size_t s = 0; s < x.steps; ++s) {
        doubles v, infinite, whole, rest, result;
        load_widened<T>(v, x.first + s * x.pitch + g);
        part_special(c, v, infinite);
        split(c, v, whole, rest);
        if (exclusive) add_to_odd(c, result, high + special, low);
        high = high + whole;
        low = low + rest;
        special = special + infinite;
        if (!exclusive) add_to_odd(c, result, high + special, low);
        store_rounded_or_nan<T>(c, to + s * pitch + g, result);
      }
      simd::store(all.high + g, high);
      simd::store(all.low + g, low);
      simd::store(all.special + g, special);
    }
  }
};

}  // namespace scan

// Some lines, one for each lane, or one line whose blocks are divided among the lanes.
template <class T, std::size_t Lanes>
class float_scan {
  using bits = number_bits_of<T>;
  static constexpr bits negative_zero = bits{1} << (8 * sizeof(bits) - 1);

 public:
  float_scan(instruction_set set, const scanned_lines<T>& lines, bool one_line, bool exclusive)
      : set_(set), lines_(lines), one_line_(one_line), exclusive_(exclusive) {
    for (std::size_t i = 0; i < Lanes; ++i) sums_.high[i] = sums_.low[i] = sums_.special[i] = -0.0;
  }

  void run() {
    const std::uint64_t most = one_line_ ? scan_block : scan_block / Lanes;  // elements of a line in a block
    for (std::uint64_t k = 0; k < lines_.length; k += most)
      if (!add(k, static_cast<std::size_t>((std::min)(most, lines_.length - k)))) {
        finish(k);
        break;
      }
    if (!exclusive_) return;
    for (std::uint64_t i = 0; i < lines_.count; ++i)  // the first exclusive sum is +0
      lines_.to[static_cast<std::ptrdiff_t>(i) * lines_.to_line] = std::bit_cast<T>(bits{0});
  }

 private:
  const T* from_at(std::uint64_t k) const { return lines_.from + static_cast<std::ptrdiff_t>(k) * lines_.from_step; }
  T* to_at(std::uint64_t k) const { return lines_.to + static_cast<std::ptrdiff_t>(k) * lines_.to_step; }
  std::size_t count() const { return static_cast<std::size_t>(lines_.count); }
  bool in_steps() const { return !one_line_ && lines_.lines_are_contiguous(); }

  // A block of `length` elements of each line. Returns whether its sums could be added.
  bool add(std::uint64_t k, std::size_t length) {
    if (in_steps()) return add_steps(k, length);
    const std::size_t per_lane = one_line_ ? (length + Lanes - 1) / Lanes : length;
    const std::size_t steps = (per_lane + 3) / 4 * 4;
    // One lane after the other, if possible where they are.
    const bool whole = lines_.from_step == 1 && (one_line_ ? length == scan_block : length == steps && count() == Lanes);
    const auto* from = reinterpret_cast<const bits*>(from_at(k));
    std::size_t pitch = one_line_ ? steps : static_cast<std::size_t>(lines_.from_line);
    if (!whole) {
      copy_lanes(k, length, steps);
      from = raw_;
      pitch = steps;
    }
    simd::dispatch<scan::to_steps>(set_, from, pitch, steps, stepped_, std::type_identity<T>{});
    if (!add_elements({stepped_, Lanes, steps}, results_, Lanes)) return false;
    simd::dispatch<scan::from_steps>(set_, results_, steps, raw_, steps, std::type_identity<T>{});
    for (std::size_t i = 0; i < (one_line_ ? 1 : count()); ++i) {
      T* const to = to_at(k) + static_cast<std::ptrdiff_t>(i) * lines_.to_line;
      store(to, lines_.to_step, raw_ + i * steps, length);
    }
    return true;
  }

  // The lines are neighbours.
  bool add_steps(std::uint64_t k, std::size_t length) {
    const T* const from = from_at(k);
    T* const to = to_at(k);
    const bool whole = count() == Lanes && lines_.from_step > 0 && lines_.to_step > 0;
    if (whole)
      return add_elements({reinterpret_cast<const bits*>(from), static_cast<std::size_t>(lines_.from_step), length},
                          reinterpret_cast<bits*>(to), static_cast<std::size_t>(lines_.to_step));
    for (std::size_t s = 0; s < length; ++s) {
      std::fill_n(raw_ + s * Lanes, Lanes, negative_zero);
      std::memcpy(raw_ + s * Lanes, from + static_cast<std::ptrdiff_t>(s) * lines_.from_step, count() * sizeof(T));
    }
    if (!add_elements({raw_, Lanes, length}, results_, Lanes)) return false;
    for (std::size_t s = 0; s < length; ++s)
      store(to + static_cast<std::ptrdiff_t>(s) * lines_.to_step, 1, results_ + s * Lanes, count());
    return true;
  }

  void copy_lanes(std::uint64_t k, std::size_t length, std::size_t steps) {
    std::fill_n(raw_, steps * Lanes, negative_zero);
    for (std::size_t i = 0; i < (one_line_ ? 1 : count()); ++i) {
      const T* const line = from_at(k) + static_cast<std::ptrdiff_t>(i) * lines_.from_line;
      for (std::size_t s = 0; s < length; ++s)
        raw_[i * steps + s] = std::bit_cast<bits>(line[static_cast<std::ptrdiff_t>(s) * lines_.from_step]);
    }
  }
  static void store(T* to, std::ptrdiff_t step, const bits* from, std::size_t length) {
    if (step == 1)
      std::memcpy(static_cast<void*>(to), from, length * sizeof(T));
    else
      for (std::size_t s = 0; s < length; ++s)
        to[static_cast<std::ptrdiff_t>(s) * step] = std::bit_cast<T>(from[s]);
  }

  // Where all elements are multiples of a unit, and no sum is above 2^51 units, sums are exact in `high` alone.
  // Otherwise `high` has a multiple of a larger unit, and `low` the rest.
  bool add_elements(const scan::elements<T>& x, bits* to, std::size_t pitch) {
    constexpr std::integral_constant<std::size_t, Lanes> lanes;
    std::int32_t greatest = 0;
    simd::dispatch<scan::find_greatest>(set_, x, greatest, lanes);
    const double elements = static_cast<double>(one_line_ ? x.steps * Lanes : x.steps);
    const bool is_finite = greatest < std::int32_t{0x7F80'0000};
    const double most = exact_double(std::bit_cast<float>(is_finite ? greatest : greatest_finite(x)));
    reach_ += elements * most * (1 + 0x1p-40);
    if (!split_) {
      bool are_multiples = is_finite;
      if (reach_ > 0x1p51 * unit_) {  // of a unit that has room for the whole line, if its elements are no greater
        const bool is_first = is_zero(unit_);
        unit_ = power_above((std::max)(reach_, most * static_cast<double>(lines_.length))) * 0x1p-50;
        if (is_first) finest_ = unit_;
        for (const double sum : sums_.high)
          are_multiples = are_multiples && (sum + 0x1.8p52 * unit_) - 0x1.8p52 * unit_ == sum;
      }
      if (are_multiples) simd::dispatch<scan::add_lanes>(set_, x, 0x1.8p52 * unit_, totals_.high, are_multiples);
      if (are_multiples) {
        if (one_line_) chain(totals_.high, sums_.high);
        simd::dispatch<scan::add_block>(set_, x, exclusive_, sums_, to, pitch);
        return true;
      }
      split_ = true;
      unit_ = 0;
    }
    if (!find_unit(x, elements)) return false;
    const double shift = 0x1.8p52 * unit_;
    has_special_ = has_special_ || !is_finite;
    if constexpr (std::is_same_v<T, float>)
      if (!has_special_) {
        const scan::elements<T> kept = keep(x, to);
        const scan::sums<Lanes> before = sums_;
        bool is_certain = false;
        if (one_line_) {
          simd::dispatch<scan::add_finite_lanes>(set_, kept, shift, totals_);
          chain(totals_.high, sums_.high);
          chain(totals_.low, sums_.low);
        }
        simd::dispatch<scan::add_finite_block>(set_, kept, shift, exclusive_, sums_, to, pitch, is_certain);
        if (is_certain) return true;
        sums_ = before;
        add_split(kept, shift, to, pitch);
        return true;
      }
    add_split(x, shift, to, pitch);
    return true;
  }

  // The elements, out of the way of results that may replace them.
  scan::elements<T> keep(const scan::elements<T>& x, const bits* to) {
    if (to == results_) return x;
    for (std::size_t s = 0; s < x.steps; ++s) std::memcpy(raw_ + s * Lanes, x.first + s * x.pitch, Lanes * sizeof(T));
    return {raw_, Lanes, x.steps};
  }

  void add_split(const scan::elements<T>& x, double shift, bits* to, std::size_t pitch) {
    if (one_line_) {
      simd::dispatch<scan::add_split_lanes>(set_, x, shift, totals_);
      chain(totals_.high, sums_.high);
      chain(totals_.low, sums_.low);
      chain(totals_.special, sums_.special);
    }
    simd::dispatch<scan::add_split_block>(set_, x, shift, exclusive_, sums_, to, pitch);
  }

  // Starts each lane with the sum of those before.
  static void chain(const double (&totals)[Lanes], double (&sums)[Lanes]) {
    double before = sums[Lanes - 1];
    for (std::size_t i = 0; i < Lanes; ++i) {
      sums[i] = before;
      before += totals[i];
    }
  }

  // The least power of two above x.
  static double power_above(double x) { return std::ldexp(1.0, std::ilogb(x) + 1); }

  static std::int32_t greatest_finite(const scan::elements<T>& x) {
    std::uint32_t greatest = 0;
    for (std::size_t s = 0; s < x.steps; ++s)
      for (std::size_t i = 0; i < Lanes; ++i) {
        const auto each = magnitude_bits(static_cast<float>(std::bit_cast<T>(x.first[s * x.pitch + i])));
        if (each < float_bits<float>::infinity) greatest = (std::max)(greatest, each);
      }
    return static_cast<std::int32_t>(greatest);
  }

  // The unit of `high`, which grows with the sums, and the finest that `low` needs. Returns whether `low` holds it.
  bool find_unit(const scan::elements<T>& x, double elements) {
    std::int32_t least = 0;
    simd::dispatch<scan::find_least>(set_, x, least, std::integral_constant<std::size_t, Lanes>{});
    // Of FLOAT32 the last bit is 2^-149 or 23 below the exponent, of FLOAT16 13 above that.
    const int exponent = (std::max)(1, static_cast<int>((static_cast<std::uint32_t>(least) + 1) >> 23)) - (std::is_same_v<T, float> ? 150 : 137);
    finest_ = (std::min)(finest_, std::ldexp(1.0, exponent));
    added_ += elements + 2;
    if (is_zero(reach_)) return true;
    const double unit = power_above(reach_) * 0x1p-50;
    if (added_ * unit > 0x1p53 * finest_) return false;
    if (unit == unit_) return true;
    unit_ = unit;
    for (std::size_t i = 0; i < Lanes; ++i) {
      const double sum = sums_.high[i];
      sums_.high[i] = std::copysign((sum + 0x1.8p52 * unit) - 0x1.8p52 * unit, sum);
      sums_.low[i] += -(sums_.high[i] - sum);
    }
    return true;
  }

  // The elements from number k on, one after the other.
  void finish(std::uint64_t k) {
    for (std::size_t i = 0; i < count(); ++i) {
      const std::size_t lane = one_line_ ? Lanes - 1 : i;
      extended_sum sum;
      for (const double each : {sums_.high[lane], sums_.low[lane], sums_.special[lane]}) sum.add(each);
      for (std::uint64_t each = k; each < lines_.length; ++each) {
        const T x = from_at(each)[static_cast<std::ptrdiff_t>(i) * lines_.from_line];
        if (!exclusive_) sum.add(exact_double(x));
        to_at(each)[static_cast<std::ptrdiff_t>(i) * lines_.to_line] = goldml::rounded<T>(sum.value());
        if (exclusive_) sum.add(exact_double(x));
      }
    }
  }

  instruction_set set_;
  scanned_lines<T> lines_;
  bool one_line_;
  bool exclusive_;
  bool split_ = false;
  bool has_special_ = false;  // an infinity or NaN was added
  double reach_ = 0;         // no sum of elements is above it in magnitude
  double unit_ = 0;          // divides all of `high`
  double finest_ = 0x1p900;  // divides all elements
  double added_ = 0;         // no `low` is above this number of units
  scan::sums<Lanes> sums_, totals_;
  bits raw_[scan_block];
  bits stepped_[scan_block];
  bits results_[scan_block];
};

template <class T>
void cumulate_floats(const cpu_backend& backend, const tensor_view<const T>& input, const tensor_view<T>& output,
                     std::uint32_t axis, bool backwards, bool exclusive) {
  constexpr std::size_t few = scan::row_lanes, many = 64;
  const auto set = backend.instruction_set();
  const auto group = [&](const scanned_lines<T>& lines) -> std::uint64_t {
    if (lines.lines_are_contiguous()) return lines.count >= many / 2 ? many : few;
    return lines.length >= 16 * few ? 1 : few;
  };
  for_each_line(backend, input, output, axis, backwards, group, [&](const scanned_lines<T>& lines) {
    const ieee_arithmetic mode;
    if (lines.count > few)
      float_scan<T, many>(set, lines, false, exclusive).run();
    else
      float_scan<T, few>(set, lines, lines.count == 1, exclusive).run();
  });
}

}  // namespace goldml::detail
