// Conversion of a FLOAT attribute to the data type of the tensor that it fills (ledger L18).
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>

#include <goldml/core/float16.hpp>
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
inline double widened(float16 value) { return static_cast<double>(value); }

// The value as an integer of `bits` bits, truncated toward zero, in the low bits of the result. If it does not fit:
// nullopt or, with `saturate`, the nearest value that fits, and zero for NaN.
inline std::optional<std::uint64_t> to_integer_bits(float value, int bits, bool is_signed, value_conversion policy) {
  if (is_nan(value)) return policy == value_conversion::refuse ? std::nullopt : std::optional<std::uint64_t>(0);
  const double truncated = std::trunc(static_cast<double>(value));
  const double end = std::ldexp(1.0, is_signed ? bits - 1 : bits);  // one more than the greatest value
  const double lowest = is_signed ? -end : 0.0;
  if (truncated >= lowest && truncated < end)
    return truncated < 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(truncated))
                         : static_cast<std::uint64_t>(truncated);
  if (policy == value_conversion::refuse) return std::nullopt;
  const std::uint64_t sign_bit = std::uint64_t{1} << (bits - 1);
  if (truncated < lowest) return is_signed ? sign_bit : 0;
  return is_signed ? sign_bit - 1 : sign_bit - 1 + sign_bit;
}

}  // namespace detail

// The value converted to `type`: FLOAT32 bit for bit, FLOAT64 widened, FLOAT16 rounded to nearest even (overflow to
// infinity), integers truncated toward zero. nullopt if `type` has no elements, or is an integer type that the value
// does not fit and the policy is `refuse`.
inline std::optional<scalar> convert_value(float value, data_type type, value_conversion policy) {
  bool is_signed = true;
  switch (type) {
    case data_type::float32:
      return scalar(value);
    case data_type::float64:
      return scalar(detail::widened(value));
    case data_type::float16:
      return scalar(static_cast<float16>(value));
    case data_type::uint8:
    case data_type::uint16:
    case data_type::uint32:
    case data_type::uint64:
      is_signed = false;
      break;
    case data_type::int8:
    case data_type::int16:
    case data_type::int32:
    case data_type::int64:
      break;
    default:
      return std::nullopt;
  }
  const auto bits =
      detail::to_integer_bits(value, 8 * static_cast<int>(element_size_in_bytes(type)), is_signed, policy);
  return bits ? std::optional(scalar::from_bits(type, *bits)) : std::nullopt;
}

}  // namespace goldml
