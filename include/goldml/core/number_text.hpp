// Numbers as text that parses to the same number, and their bits as text.
#pragma once

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>

#include <fmt/format.h>

#include <goldml/core/data_type.hpp>
#include <goldml/core/number.hpp>

namespace goldml {

// The shortest text that parses to the same value. 8-bit integers are printed as numbers, NaN as "nan" or "-nan".
template <element T>
std::string number_text(T value) {
  if constexpr (std::is_same_v<T, float16>) {
    const auto number = static_cast<float>(value);
    for (int digits = 1; digits <= 5; ++digits)  // five always suffice for binary16
      // The nearest decimal, and the next one above: above a power of two values are farther apart (2^-6 is 0.01563).
      for (const float candidate : {number, std::nextafter(number, 2 * number)}) {
        const std::string text = fmt::format("{:.{}e}", candidate, digits - 1);
        float rounded = 0;
        std::from_chars(text.data(), text.data() + text.size(), rounded);  // independent of the locale
        if (std::bit_cast<std::uint16_t>(static_cast<float16>(rounded)) == std::bit_cast<std::uint16_t>(value))
          return fmt::format("{}", rounded);
      }
    return fmt::format("{}", number);
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
