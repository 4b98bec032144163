// Conversion of a FLOAT attribute to the data type of the tensor that it fills (ledger L18).
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

#include <goldml/core/data_type.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/scalar.hpp>

namespace goldml {

namespace detail {

// The value as a double. Preserves subnormals in every mode of the processor (ledger L7).
inline double widened(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7F80'0000) != 0) return static_cast<double>(value);
  const double magnitude = std::ldexp(static_cast<double>(bits & 0x007F'FFFF), -149);
  return bits >> 31 != 0 ? -magnitude : magnitude;
}

// The value as an integer of type T, truncated toward zero. If it does not fit: nullopt or, with `saturate`, the
// nearest value of T, and zero for NaN.
template <class T>
std::optional<T> to_integer_value(float value, value_conversion policy) {
  if (is_nan(value)) return policy == value_conversion::refuse ? std::nullopt : std::optional(T{0});
  const double truncated = std::trunc(static_cast<double>(value));
  constexpr double lowest = static_cast<double>((std::numeric_limits<T>::lowest)());
  const double end = std::ldexp(1.0, std::numeric_limits<T>::digits);  // one more than the greatest value of T
  if (truncated >= lowest && truncated < end) return static_cast<T>(truncated);
  if (policy == value_conversion::refuse) return std::nullopt;
  return truncated < lowest ? (std::numeric_limits<T>::lowest)() : (std::numeric_limits<T>::max)();
}

}  // namespace detail

// The value converted to `type`: FLOAT32 bit for bit, FLOAT64 widened, FLOAT16 rounded to nearest even (overflow to
// infinity), integers truncated toward zero. nullopt if `type` has no elements, or is an integer type that the value
// does not fit and the policy is `refuse`.
inline std::optional<scalar> convert_value(float value, data_type type, value_conversion policy) {
  std::optional<scalar> result;
  visit_data_type(all_types{}, type, [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_integral_v<T>) {
      if (const auto integer = detail::to_integer_value<T>(value, policy)) result = scalar(*integer);
    } else if constexpr (std::is_same_v<T, double>) {
      result = scalar(detail::widened(value));
    } else {
      result = scalar(static_cast<T>(value));
    }
  });
  return result;
}

}  // namespace goldml
