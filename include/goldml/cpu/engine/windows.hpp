// What the engines with windows share: the rows of windows, sums of taps and how these are rounded, and keys.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/number.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/float_mode.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/cpu/engine/base/simd.hpp>
#include <goldml/cpu/engine/element_wise/doubles.hpp>
#include <goldml/operators/windows.hpp>

namespace goldml::detail {

// Calls row(c) for the first element of each row of a tensor of these sizes, with the last coordinate 0; make() gives
// each thread its `row`.
template <class MakeRow>
void for_window_rows(const cpu_backend& backend, std::uint64_t bytes, dimensions sizes, const MakeRow& make) {
  sizes[sizes.size() - 1] = 1;
  parallel_for(backend, bytes, element_count(sizes), [&](std::uint64_t begin, std::uint64_t end) {
    const ieee_arithmetic mode;
    auto row = make();
    for (std::uint64_t i = begin; i < end; ++i) row(coordinate_at(sizes, i));
  });
}

// Calls f(q, at, count, step) for runs of windows q, q + 1, .. that have a tap at the columns at, at + step, ..; or,
// where windows are longer than the row, for single ones with the columns of all of their taps: g(q, at, count, step).
template <class F, class G>
void for_columns(const window_axis& axis, const F& f, const G& g) {
  const window_axis::taps first = axis.taps_of(0);
  const std::uint64_t begin = axis.taps_of(axis.output - 1).first;
  const std::uint64_t end = first.count != 0 ? first.first + first.count : axis.window;
  if (begin < end && end - begin > axis.output) {
    for (std::uint64_t q = 0; q < axis.output; ++q)
      if (const auto taps = axis.taps_of(q); taps.count != 0) g(q, taps.place, taps.count, axis.dilation);
    return;
  }
  for (std::uint64_t j = begin; j < end; ++j) {
    const auto [from, to] = axis.windows_inside(j);
    if (from < to) f(from, from * axis.stride + j * axis.dilation - axis.start, to - from, axis.stride);
  }
}

namespace window_loops {

inline constexpr std::size_t block = 8;  // elements, of which compilers know the number
constexpr std::size_t whole_blocks(std::uint64_t count) {
  return static_cast<std::size_t>((count + block - 1) / block * block);
}

// The sum of a window, that of the magnitudes, and the least magnitude other than 0.
struct term_sum {
  double sum = -0.0, magnitude = 0, least = std::numeric_limits<double>::infinity();

  GOLDML_INLINE void add(double x) {
    const double a = magnitude_of(x), other = choose(a > 0, a, std::numeric_limits<double>::infinity());
    sum += x;
    magnitude += a;
    least = choose(other < least, other, least);
  }
};

// A key by which taps are compared, of the bits of a float: NaN has this one.
template <class Bits>
GOLDML_INLINE std::make_signed_t<Bits> key_of_bits(Bits all, Bits infinity, std::make_signed_t<Bits> of_nan) {
  using key = std::make_signed_t<Bits>;
  const auto magnitude = static_cast<key>(all & static_cast<Bits>((std::numeric_limits<key>::max)()));
  const auto sign = static_cast<key>(static_cast<key>(all) >> (std::numeric_limits<Bits>::digits - 1));
  const auto ordered = static_cast<key>((magnitude ^ sign) - sign);
  return magnitude > static_cast<key>(infinity) ? of_nan : ordered;
}
// What sums of n terms are rounded to, with the bound on their error, n + 8 roundings of the magnitudes: doubt[i] is 0
// where that is certain. A sum is divided by a divisor; or it is the magnitude, the root of that, or of terms that may
// have been rounded. Sums are exact while they are at most `exact` times the least term: terms of 24 bits are multiples
// of 2^-24 of themselves, and of 2^-24 / w of a product of such a number and an integer up to w; 2^28 or 2^28 / w.
enum class finish { quotient, magnitude, root, terms };
template <class T, finish How>
GOLDML_INLINE void round_sum(const term_sum& of, double n, double v, double exact, T& to, std::uint32_t& doubt) {
  using bits = number_bits_of<T>;
  constexpr auto sign = static_cast<bits>(~bits{0} ^ static_cast<bits>(~bits{0}) >> 1);
  double y = 0, error = 0;
  if constexpr (How == finish::root) {
    y = std::sqrt(of.magnitude);
    error = (n + 8) * 0x1p-53 * y;
  } else {
    const double dividend = How == finish::magnitude ? of.magnitude : of.sum;
    y = dividend / v;
    error = (n + 8) * 0x1p-53 * (of.magnitude / v);
    if constexpr (How != finish::terms) {
      // Nor is a quotient rounded whose product is the sum.
      const bool is_exact = (of.magnitude <= of.least * exact) & (v < 0x1p24);
      const double high = std::bit_cast<double>(std::bit_cast<std::uint64_t>(y) >> 27 << 27);
      const bool whole = (high * v - dividend) + (y - high) * v == 0;
      error = choose(is_exact, choose(whole, 0.0, 0x1p-52 * std::abs(y)), error);
    }
  }
  const bits low = rounded_bits<T>(y - error), up = rounded_bits<T>(y + error);
  const auto size = static_cast<bits>(low & static_cast<bits>(~sign));
  const bool same = low == up && size != 0 && size < float_bits<T>::infinity;
  const bool zero = of.magnitude <= 0;  // nothing but zeros was added; -0 if all are
  const bool negative = n > 0 && std::bit_cast<std::uint64_t>(of.sum) >> 63 != 0;
  const bits of_zero = How == finish::quotient && negative ? sign : bits{0};
  const bool known_zero = zero && (How != finish::terms || !negative);
  to = std::bit_cast<T>(zero ? of_zero : low);
  doubt = same || known_zero ? 0 : 1;
}
}  // namespace window_loops

}  // namespace goldml::detail
