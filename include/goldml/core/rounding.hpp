// A double rounded to FLOAT32 or FLOAT16. Operates on bits, so that no mode of the processor changes a result (L7).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/core/data_type.hpp>
#include <goldml/core/number.hpp>

namespace goldml {

enum class rounding : std::uint8_t {
  nearest_even,  // from half a unit past the largest finite number on: infinity
  toward_zero,   // at most the largest finite number, unless the double is infinite
};

namespace detail {

template <class T>
struct float_format;
template <>
struct float_format<float16> {
  static constexpr int precision = 11;      // bits of the significand, the implicit one included
  static constexpr int least_normal = -14;  // the exponent of the least normal number
};
template <>
struct float_format<float> {
  static constexpr int precision = 24;
  static constexpr int least_normal = -126;
};

// The bits of the result: T need not be a complete type.
template <class T>
constexpr typename float_bits<T>::type bits_of_rounded(double x, rounding direction = rounding::nearest_even) {
  using format = float_format<T>;
  using bits = typename float_bits<T>::type;
  constexpr int double_precision = 53;
  constexpr std::uint64_t infinity = float_bits<T>::infinity;
  constexpr int precision = format::precision;
  constexpr int bias = 1 - format::least_normal;
  constexpr auto sign_shift = std::numeric_limits<bits>::digits - 1;

  const std::uint64_t magnitude = magnitude_bits(x);
  const std::uint64_t sign = std::bit_cast<std::uint64_t>(x) >> 63 << sign_shift;
  const auto make = [&](std::uint64_t result) { return static_cast<bits>(result | sign); };
  constexpr std::uint64_t quiet = infinity | infinity >> 1;
  constexpr std::uint64_t double_infinity = float_bits<double>::infinity;
  if (magnitude > double_infinity) return static_cast<bits>(quiet & ~(infinity >> precision));
  if (magnitude == double_infinity) return make(infinity);

  const int exponent = static_cast<int>(magnitude >> (double_precision - 1)) - 1023;  // too small for subnormals: fine
  if (exponent > bias) return make(direction == rounding::nearest_even ? infinity : infinity - 1);
  if (exponent >= format::least_normal) {  // nearly always; and a carry adds one to the exponent
    constexpr int lost = double_precision - precision;
    constexpr std::uint64_t rebias = std::uint64_t{1023 - bias} << (precision - 1);
    const std::uint64_t nearest = (std::uint64_t{1} << (lost - 1)) - 1 + (magnitude >> lost) % 2;
    const std::uint64_t result = ((magnitude + (direction == rounding::nearest_even ? nearest : 0)) >> lost) - rebias;
    return make((std::min)(result, direction == rounding::nearest_even ? infinity : infinity - 1));
  }
  if (exponent < format::least_normal - precision) return make(0);  // below half of the least subnormal
  constexpr std::uint64_t implicit_bit = std::uint64_t{1} << (double_precision - 1);
  const std::uint64_t significand = magnitude % implicit_bit + implicit_bit;
  const int lost = double_precision - precision + format::least_normal - exponent;  // at most 53 bits
  const std::uint64_t kept = significand >> lost;
  const std::uint64_t rest = significand - (kept << lost);
  const std::uint64_t half = std::uint64_t{1} << (lost - 1);
  const bool up = direction == rounding::nearest_even && (rest > half || (rest == half && kept % 2 == 1));
  return make(kept + (up ? 1 : 0));
}

}  // namespace detail

// A NaN gives the quiet NaN whose sign bit and payload are zero.
template <class T>
constexpr T rounded(double x, rounding direction = rounding::nearest_even) {
  return std::bit_cast<T>(detail::bits_of_rounded<T>(x, direction));
}

}  // namespace goldml
