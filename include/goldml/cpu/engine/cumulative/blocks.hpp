// The loops over the blocks of a scan: how great and how fine its elements are, and sums of lanes without any rounding.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/cpu/engine/base/simd.hpp>
#include <goldml/cpu/engine/cumulative/lanes.hpp>
#include <goldml/cpu/engine/element_wise/bits.hpp>

namespace goldml::detail::scan {

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

}  // namespace goldml::detail::scan
