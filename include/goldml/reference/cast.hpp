// CAST, following the ledger (L33). Computed on bits and integers, so that no mode of the processor (rounding, flushing
// of subnormals) changes a result.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/number.hpp>
#include <goldml/operators/cast.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

namespace detail::reference_cast {

// A finite number: (negative ? -1 : 1) * magnitude * 2^exponent.
struct exact_number {
  bool negative;
  std::uint64_t magnitude;
  int exponent;
};

// The format of a float: the bits of its significand, the implicit one included, and the exponent of the last bit of a
// subnormal, so that the smallest subnormal is 2^least_exponent.
template <class T>
struct format;
template <>
struct format<float16> {
  static constexpr int precision = 11;
  static constexpr int least_exponent = -24;
};
template <>
struct format<float> {
  static constexpr int precision = 24;
  static constexpr int least_exponent = -149;
};
template <>
struct format<double> {
  static constexpr int precision = 53;
  static constexpr int least_exponent = -1074;
};

template <class T>
using bits_of = typename float_bits<T>::type;

template <class T>
constexpr bits_of<T> sign_bit(bool negative) {
  return static_cast<bits_of<T>>(static_cast<bits_of<T>>(negative ? 1 : 0)
                                 << (std::numeric_limits<bits_of<T>>::digits - 1));
}

template <class T>
constexpr bool has_sign(T x) {
  if constexpr (is_floating_type<T>)
    return (std::bit_cast<bits_of<T>>(x) & sign_bit<T>(true)) != 0;
  else
    return x < 0;
}

// The number that an element is. A float must be finite.
template <class T>
constexpr exact_number decode(T x) {
  if constexpr (is_floating_type<T>) {
    constexpr std::uint64_t implicit_bit = std::uint64_t{1} << (format<T>::precision - 1);
    const std::uint64_t magnitude = magnitude_bits(x);
    const int biased = static_cast<int>(magnitude / implicit_bit);  // the exponent as stored
    const std::uint64_t fraction = magnitude % implicit_bit;
    return biased == 0 ? exact_number{has_sign(x), fraction, format<T>::least_exponent}
                       : exact_number{has_sign(x), fraction + implicit_bit, format<T>::least_exponent + biased - 1};
  } else {
    const auto value = static_cast<std::uint64_t>(x);  // sign-extended
    return {has_sign(x), has_sign(x) ? std::uint64_t{0} - value : value, 0};
  }
}

// The position of the highest bit that is set, from 1 on.
constexpr int width_of(std::uint64_t magnitude) { return static_cast<int>(std::bit_width(magnitude)); }

// magnitude / 2^shift, rounded to the nearest integer, ties to even.
constexpr std::uint64_t round_shift(std::uint64_t magnitude, int shift) {
  if (shift > 64) return 0;  // less than a half
  const std::uint64_t kept = shift == 64 ? 0 : magnitude >> shift;
  const std::uint64_t rest = shift == 64 ? magnitude : magnitude & ((std::uint64_t{1} << shift) - 1);
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  return kept + (rest > half || (rest == half && kept % 2 == 1) ? 1 : 0);
}

// The float nearest to a number, ties to even; an infinity from half a unit past the largest float on.
template <class T>
constexpr T encode(const exact_number& x) {
  if (x.magnitude == 0) return std::bit_cast<T>(sign_bit<T>(x.negative));
  // The last bit of the result is 2^(x.exponent + shift): as many bits as the significand has, but none below those of
  // subnormals.
  const int width = width_of(x.magnitude);
  const int shift = (std::max)(width - format<T>::precision, format<T>::least_exponent - x.exponent);
  const std::uint64_t significand = shift > 0 ? round_shift(x.magnitude, shift) : x.magnitude << -shift;
  // A significand of all bits adds its implicit bit, and a carry into it, to the stored exponent.
  const auto steps = static_cast<std::uint64_t>(x.exponent + shift - format<T>::least_exponent);
  const std::uint64_t infinity = float_bits<T>::infinity;
  const std::uint64_t largest_steps = infinity >> (format<T>::precision - 1);
  const std::uint64_t magnitude =
      steps >= largest_steps ? infinity : (std::min)(infinity, (steps << (format<T>::precision - 1)) + significand);
  return std::bit_cast<T>(static_cast<bits_of<T>>(magnitude | sign_bit<T>(x.negative)));
}

// A number truncated toward zero: its magnitude modulo 2^64, and whether that is all of it.
struct truncated {
  std::uint64_t magnitude;
  bool fits;
};
constexpr truncated truncate(const exact_number& x) {
  if (x.exponent <= -64) return {0, true};
  if (x.exponent < 0) return {x.magnitude >> -x.exponent, true};
  if (x.exponent >= 64) return {0, x.magnitude == 0};
  return {x.magnitude << x.exponent, width_of(x.magnitude) + x.exponent <= 64};
}

// Toward zero, then the nearest integer of the type or, under the policy `wrap`, the low bits.
template <class To, class From>
constexpr To float_to_integer(From x, cast_overflow policy) {
  using limits = std::numeric_limits<To>;
  const bool is_infinite = magnitude_bits(x) == float_bits<From>::infinity;
  if (is_nan(x) || (is_infinite && policy == cast_overflow::wrap)) return 0;
  const bool negative = has_sign(x);
  const To end = negative ? (limits::min)() : (limits::max)();
  if (is_infinite) return end;
  const truncated whole = truncate(decode(x));
  const bool in_range = whole.fits && whole.magnitude <= decode(end).magnitude;
  if (!in_range && policy == cast_overflow::saturate) return end;
  return static_cast<To>(negative ? std::uint64_t{0} - whole.magnitude : whole.magnitude);
}

template <class To, class From>
constexpr To integer_to_integer(From x, integer_narrowing policy) {
  using limits = std::numeric_limits<To>;
  if (policy == integer_narrowing::clamp && !std::in_range<To>(x)) return x < 0 ? (limits::min)() : (limits::max)();
  return static_cast<To>(x);
}

template <class To, class From>
constexpr To float_to_float(From x) {
  if (is_nan(x)) {  // quiet, of the same sign
    constexpr bits_of<To> quiet = static_cast<bits_of<To>>(bits_of<To>{1} << (format<To>::precision - 2));
    return std::bit_cast<To>(static_cast<bits_of<To>>(float_bits<To>::infinity | quiet | sign_bit<To>(has_sign(x))));
  }
  if (magnitude_bits(x) == float_bits<From>::infinity)
    return std::bit_cast<To>(static_cast<bits_of<To>>(float_bits<To>::infinity | sign_bit<To>(has_sign(x))));
  return encode<To>(decode(x));
}

template <class To, class From>
constexpr To convert(From x, const cast_desc& desc) {
  if constexpr (std::is_same_v<To, From>)
    return x;
  else if constexpr (is_floating_type<From> && is_floating_type<To>)
    return float_to_float<To>(x);
  else if constexpr (is_floating_type<From>)
    return float_to_integer<To>(x, desc.cast_overflow);
  else if constexpr (is_floating_type<To>)
    return encode<To>(decode(x));
  else
    return integer_to_integer<To>(x, desc.integer_narrowing);
}

}  // namespace detail::reference_cast

template <>
struct kernel<cast_desc, reference_backend> {
  template <class From, class To>
  static void run(const reference_backend&, const tensor_view<const From>& input, const tensor_view<To>& output,
                  const cast_desc& desc) {
    for (const coordinate_tuple& c : coordinates_of(output.sizes()))
      output[c] = detail::reference_cast::convert<To>(static_cast<From>(input[c]), desc);
  }
};

}  // namespace goldml
