// Predicates on numbers: NaN, zero, order. They operate on bits, so that -ffast-math and flushing of subnormals, both
// common in programs that test GPUs, do not change golden values (ledger L7).
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/core/data_type.hpp>

namespace goldml {

namespace detail {

template <class T>
struct float_bits;
template <>
struct float_bits<float16> {
  using type = std::uint16_t;
  static constexpr type infinity = 0x7C00;
};
template <>
struct float_bits<float> {
  using type = std::uint32_t;
  static constexpr type infinity = 0x7F80'0000;
};
template <>
struct float_bits<double> {
  using type = std::uint64_t;
  static constexpr type infinity = 0x7FF0'0000'0000'0000;
};

// The bits without the sign.
template <class T>
constexpr auto magnitude_bits(T x) {
  using bits = typename float_bits<T>::type;
  return static_cast<bits>(std::bit_cast<bits>(x) & (std::numeric_limits<bits>::max)() >> 1);
}

// A FLOAT32 subnormal as the zero of its sign; other numbers as they are (ledger 7.4).
template <class T>
constexpr T flushed(T x) {
  if constexpr (std::is_same_v<T, float>)
    if (magnitude_bits(x) < 0x0080'0000) return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) & 0x8000'0000);
  return x;
}

}  // namespace detail

template <class T>
inline constexpr bool is_floating_type = !std::is_integral_v<T>;

template <element T>
constexpr bool is_nan(T x) {
  if constexpr (is_floating_type<T>)
    return detail::magnitude_bits(x) > detail::float_bits<T>::infinity;
  else
    return false;
}

// -0.0 and +0.0 are zero; NaN, infinities and subnormals are not (ledger 7.2, 7.4).
template <element T>
constexpr bool is_zero(T x) {
  if constexpr (is_floating_type<T>)
    return detail::magnitude_bits(x) == 0;
  else
    return x == 0;
}

// An integer with the order of the numbers: order_key(a) < order_key(b) exactly if a < b, and they are equal exactly if
// a == b, so -0.0 and +0.0 have the same key, 0 (ledger 7.4). x must not be NaN.
template <element T>
constexpr auto order_key(T x) {
  if constexpr (is_floating_type<T>) {
    using bits = typename detail::float_bits<T>::type;
    using key = std::make_signed_t<bits>;
    const auto magnitude = static_cast<key>(detail::magnitude_bits(x));
    const bool negative = std::bit_cast<bits>(x) >> (std::numeric_limits<bits>::digits - 1) != 0;
    return static_cast<key>(negative ? -magnitude : magnitude);
  } else {
    return x;
  }
}

}  // namespace goldml
