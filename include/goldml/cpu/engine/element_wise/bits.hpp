// The bits of elements as numbers, and masks in place of branches.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/core/number.hpp>
#include <goldml/cpu/engine/base/simd.hpp>

namespace goldml::detail {

// All bits set if `condition`, otherwise none. Masks, unlike branches, do not keep compilers from vectorising.
template <class Bits>
GOLDML_INLINE Bits mask_of(bool condition) {
  return static_cast<Bits>(Bits{0} - static_cast<Bits>(condition));
}
template <class Bits>
GOLDML_INLINE Bits select(Bits mask, Bits yes, Bits no) {
  return static_cast<Bits>((yes & mask) | (no & static_cast<Bits>(~mask)));
}

// The bits of elements of type T as numbers.
template <class T>
struct number_bits {
  using bits = simd::bits_of_size<sizeof(T)>;
  using signed_bits = std::make_signed_t<bits>;
  static constexpr bool is_float = is_floating_type<T>;
  static constexpr int width = std::numeric_limits<bits>::digits;
  static constexpr bits sign = static_cast<bits>(bits{1} << (width - 1));

  static constexpr bits infinity() {
    if constexpr (is_float)
      return float_bits<T>::infinity;
    else
      return 0;
  }
  // All bits set if x is below 0, of a float if its sign bit is set.
  GOLDML_INLINE static bits negative_mask(bits x) {
    if constexpr (is_float || std::is_signed_v<T>)
      return static_cast<bits>(static_cast<signed_bits>(x) >> (width - 1));
    else
      return 0;
  }
  GOLDML_INLINE static signed_bits magnitude(bits x) { return static_cast<signed_bits>(x & static_cast<bits>(~sign)); }
  GOLDML_INLINE static bool is_nan(bits x) { return is_float && magnitude(x) > static_cast<signed_bits>(infinity()); }

  // The total keys of the least and the greatest number.
  static constexpr auto greatest_number() {
    if constexpr (is_float)
      return static_cast<signed_bits>(infinity());
    else
      return (std::numeric_limits<T>::max)();
  }
  static constexpr auto least_number() {
    if constexpr (is_float)
      return static_cast<signed_bits>(~infinity());
    else
      return (std::numeric_limits<T>::min)();
  }

  // Integers in the order of the numbers. -0 is below +0 in the first, and equal to it in the second.
  GOLDML_INLINE static auto total_key(bits x) {
    if constexpr (is_float)
      return static_cast<signed_bits>(x ^ static_cast<bits>(negative_mask(x) & static_cast<bits>(~sign)));
    else
      return static_cast<T>(x);
  }
  template <class Key>
  GOLDML_INLINE static bits of_total_key(Key key) {
    const auto x = static_cast<bits>(key);
    if constexpr (is_float)
      return static_cast<bits>(x ^ static_cast<bits>(negative_mask(x) & static_cast<bits>(~sign)));
    else
      return x;
  }
  GOLDML_INLINE static auto key(bits x) {
    if constexpr (is_float) {
      const bits negative = negative_mask(x);
      return static_cast<signed_bits>((static_cast<bits>(magnitude(x)) ^ negative) - negative);
    } else {
      return static_cast<T>(x);
    }
  }
};

template <class T>
using number_bits_of = typename number_bits<T>::bits;

}  // namespace goldml::detail
