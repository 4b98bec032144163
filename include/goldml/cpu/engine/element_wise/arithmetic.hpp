// ADD, SUBTRACT, MULTIPLY, DIVIDE and PARAMETERIZED_RELU on the bits of elements, without branches, so that compilers
// vectorise loops over them. Floats use the processor's arithmetic, in the mode of base/float_mode.hpp.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/cpu/engine/base/simd.hpp>
#include <goldml/cpu/engine/element_wise/bits.hpp>
#include <goldml/operators/element_wise.hpp>

namespace goldml::detail {

// A FLOAT16 as a float. Exact. A signalling NaN may become quiet.
GOLDML_INLINE float float16_to_float(std::uint32_t half) {
  constexpr std::uint32_t infinity = 0x7C00;
  const std::uint32_t magnitude = half & 0x7FFF;
  // The exponent's bias grows by 112. A subnormal is a subnormal float first; the product is exact.
  const auto finite = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude << 13) * 0x1p112F);
  const std::uint32_t special = 0x7F80'0000 | magnitude << 13;
  const std::uint32_t result = select(mask_of<std::uint32_t>(magnitude >= infinity), special, finite);
  return std::bit_cast<float>(result | (half & 0x8000) << 16);
}

// A float rounded to FLOAT16, to nearest even.
GOLDML_INLINE std::uint16_t float_to_float16(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t magnitude = bits & 0x7FFF'FFFF;
  constexpr std::uint32_t least_normal = 113U << 23;  // of FLOAT16
  constexpr std::uint32_t overflow = 0x477F'F000;     // 65520, which rounds up to 2^16
  constexpr std::uint32_t infinity = 0x7F80'0000;
  // The unit in the last place of 0.5 is that of subnormals.
  const std::uint32_t subnormal =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - std::bit_cast<std::uint32_t>(0.5F);
  const std::uint32_t normal = (magnitude - (112U << 23) + 0xFFF + ((magnitude >> 13) & 1)) >> 13;
  std::uint32_t result = select(mask_of<std::uint32_t>(magnitude < least_normal), subnormal, normal);
  result = select(mask_of<std::uint32_t>(magnitude >= overflow), std::uint32_t{0x7C00}, result);
  result |= bits >> 16 & 0x8000;
  return static_cast<std::uint16_t>(select(mask_of<std::uint32_t>(magnitude > infinity), std::uint32_t{0x7E00}, result));
}

template <element_wise_op Op>
GOLDML_INLINE float float_arithmetic(float a, float b) {
  if constexpr (Op == element_wise_op::add || Op == element_wise_op::add1)
    return a + b;
  else if constexpr (Op == element_wise_op::subtract)
    return a - b;
  else if constexpr (Op == element_wise_op::multiply)
    return a * b;
  else if constexpr (Op == element_wise_op::parameterized_relu)
    return std::bit_cast<float>(
        select(mask_of<std::uint32_t>(a < 0), std::bit_cast<std::uint32_t>(a * b), std::bit_cast<std::uint32_t>(a)));
  else
    return a / b;
}

// An integer quotient, truncated; all bits set if b is 0 (ledger AR-R2). Up to 32 bits it is computed with floats, which
// processors divide faster, many at a time: exactly, as a/b is an integer, or farther from the next one, 1/b at least,
// than the rounding, a/b * 2^-24 or 2^-53, goes.
template <class T>
GOLDML_INLINE std::make_unsigned_t<T> integer_quotient(T a, T b) {
  using bits = std::make_unsigned_t<T>;
  using number = std::conditional_t<(sizeof(T) > 2), double, float>;
  const bits by_zero = mask_of<bits>(b == 0);
  if constexpr (sizeof(T) <= 4) {
    // a/0 is computed as a/1. MIN / -1, which T does not hold, is narrowed: MIN.
    using wide = std::conditional_t<(sizeof(T) > 2), std::int64_t, std::int32_t>;
    const T divisor = static_cast<T>(b | static_cast<T>(by_zero & 1));
    return static_cast<bits>(static_cast<bits>(static_cast<wide>(static_cast<number>(a) / static_cast<number>(divisor))) |
                             by_zero);
  } else {
    if (b == 0) return by_zero;
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return bits{0} - static_cast<bits>(a);
    return static_cast<bits>(a / b);
  }
}

template <element_wise_op Op, class T>
GOLDML_INLINE number_bits_of<T> arithmetic(number_bits_of<T> a, number_bits_of<T> b) {
  using bits = number_bits_of<T>;
  if constexpr (std::is_same_v<T, float>) {
    const auto result = std::bit_cast<bits>(float_arithmetic<Op>(std::bit_cast<float>(a), std::bit_cast<float>(b)));
    return select(mask_of<bits>(number_bits<T>::is_nan(result)), bits{0x7FC0'0000}, result);
  } else if constexpr (is_floating_type<T>) {
    // One operation on floats, rounded again, is the exact result rounded once: a float has 2p + 2 of FLOAT16's p bits.
    // For quotients, subnormal ones too, see reference/element_wise.hpp: m*b has less than 23 bits, a float is within
    // 2^-24.
    return float_to_float16(float_arithmetic<Op>(float16_to_float(a), float16_to_float(b)));
  } else {
    // Products of 16 bits would be of int, and overflow.
    using wide = std::conditional_t<(sizeof(T) < 4), std::uint32_t, bits>;
    if constexpr (Op == element_wise_op::add)
      return static_cast<bits>(static_cast<wide>(a) + static_cast<wide>(b));
    else if constexpr (Op == element_wise_op::subtract)
      return static_cast<bits>(static_cast<wide>(a) - static_cast<wide>(b));
    else if constexpr (Op == element_wise_op::multiply)
      return static_cast<bits>(static_cast<wide>(a) * static_cast<wide>(b));
    else if constexpr (Op == element_wise_op::parameterized_relu)
      return select(mask_of<bits>(static_cast<T>(a) < 0), arithmetic<element_wise_op::multiply, T>(a, b), a);
    else
      return integer_quotient<T>(static_cast<T>(a), static_cast<T>(b));
  }
}

}  // namespace goldml::detail
