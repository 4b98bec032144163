// Elements computed as doubles and rounded once, without branches, so that compilers vectorise loops over them.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include <goldml/arithmetic/branchless.hpp>
#include <goldml/core/number.hpp>
#include <goldml/cpu/engine/base/simd.hpp>
#include <goldml/cpu/engine/element_wise/arithmetic.hpp>
#include <goldml/cpu/engine/element_wise/bits.hpp>

namespace goldml::detail {

// An element as a double.
template <class T>
GOLDML_INLINE double double_of_bits(number_bits_of<T> x) {
  if constexpr (std::is_same_v<T, float>)
    return static_cast<double>(std::bit_cast<float>(x));
  else
    return static_cast<double>(float16_to_float(x));
}

// A double rounded to nearest even. NaN becomes the quiet one.
template <class T>
GOLDML_INLINE number_bits_of<T> rounded_bits(double x) {
  if constexpr (std::is_same_v<T, float>) {
    const auto result = std::bit_cast<std::uint32_t>(static_cast<float>(x));
    return select(mask_of<std::uint32_t>(number_bits<float>::is_nan(result)), std::uint32_t{0x7FC0'0000}, result);
  } else {
    // Cut to the 24 bits of a float, the last one set if anything was lost: rounding that rounds x. Below the normal
    // floats everything rounds to zero.
    const auto all = std::bit_cast<std::uint64_t>(x);
    constexpr std::uint64_t last = std::uint64_t{1} << 29;
    const std::uint64_t lost = last & mask_of<std::uint64_t>((all & (last - 1)) != 0);
    return float_to_float16(static_cast<float>(std::bit_cast<double>((all & ~(last - 1)) | lost)));
  }
}

// The sum, cut to 53 bits and the last one set if anything was lost: rounding that to 24 bits or fewer rounds the sum.
GOLDML_INLINE double sum_to_odd(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  const double rest = (a - (sum - part)) + (b - part);  // the error of the sum, exactly
  const auto bits = std::bit_cast<std::uint64_t>(sum);
  const std::uint64_t inexact = mask_of<std::uint64_t>(rest < 0) | mask_of<std::uint64_t>(rest > 0);
  const std::uint64_t even = (bits & 1) - 1;
  // The next number toward the rest: away from zero if the signs agree.
  const std::uint64_t step = mask_of<std::uint64_t>((rest < 0) != (sum < 0)) | 1;  // 1 or -1
  return std::bit_cast<double>(bits + (inexact & even & step));
}

}  // namespace goldml::detail
