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
#include <iterator>
#include <numeric>
#include <type_traits>

#include <goldml/arithmetic/values.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/cpu/engine/base/float_mode.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/base/simd.hpp>
#include <goldml/cpu/engine/cumulative/blocks.hpp>
#include <goldml/cpu/engine/cumulative/lines.hpp>
#include <goldml/cpu/engine/element_wise/doubles.hpp>

namespace goldml::detail {

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
    const bool whole = count() == Lanes && lines_.from_step > 0;  // as to_step is then
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
    std::exclusive_scan(std::begin(totals), std::end(totals), sums, sums[Lanes - 1]);
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
