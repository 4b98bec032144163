// Numbers as text that parses to the same number, and their bits as text.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>

#include <fmt/core.h>

#include <goldml/core/cold.hpp>
#include <goldml/core/data_type.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/rounding.hpp>

namespace goldml {

namespace detail {

// The value of a FLOAT16. Takes its bits, so that a program without elements of this type needs no class for it.
GOLDML_COLD inline float float16_value(std::uint16_t bits) {
  const auto sign = static_cast<std::uint32_t>(bits >> 15) << 31;
  const std::uint32_t significand = bits & 0x03FFU;
  const int exponent = bits >> 10 & 0x1F;
  if (exponent == 0x1F) return std::bit_cast<float>(sign | 0x7F80'0000 | significand << 13);  // an infinity or NaN
  const float magnitude =
      std::ldexp(static_cast<float>(exponent == 0 ? significand : significand + 1024), (std::max)(exponent, 1) - 25);
  return sign == 0 ? magnitude : -magnitude;
}

GOLDML_COLD inline std::string float16_text(std::uint16_t bits) {
  float number = float16_value(bits);
  const auto shorten = [&] {
    for (int digits = 1; digits <= 5; ++digits)  // five always suffice for binary16
      // The nearest decimal, and the next one above: above a power of two values are farther apart (2^-6 is 0.01563).
      for (const float candidate : {number, std::nextafter(number, 2 * number)}) {
        std::array<char, 32> text;
        const auto end =
            std::to_chars(text.data(), text.data() + text.size(), candidate, std::chars_format::scientific, digits - 1)
                .ptr;
        float rounded = 0;
        std::from_chars(text.data(), end, rounded);  // independent of the locale
        if (bits_of_rounded<float16>(static_cast<double>(rounded)) == bits) return rounded;
      }
    return number;
  };
  number = shorten();
  return fmt::vformat("{}", fmt::make_format_args(number));  // compiled in fmt's library
}

}  // namespace detail

// The shortest text that parses to the same value. 8-bit integers are printed as numbers, NaN as "nan" or "-nan".
template <element T>
std::string number_text(T value) {
  if constexpr (std::is_same_v<T, float16>) {
    return detail::float16_text(std::bit_cast<std::uint16_t>(value));
  } else if constexpr (sizeof(T) == 1) {
    return fmt::format("{}", static_cast<int>(value));
  } else {
    return fmt::format("{}", value);
  }
}

// The bits of an element in hexadecimal, for example "0x3F800000".
template <element T>
std::string bits_text(T value) {
  if constexpr (is_floating_type<T>)
    return bits_text(std::bit_cast<typename detail::float_bits<T>::type>(value));
  else
    return fmt::format("0x{:0{}X}", static_cast<std::make_unsigned_t<T>>(value), 2 * sizeof(T));
}

}  // namespace goldml
