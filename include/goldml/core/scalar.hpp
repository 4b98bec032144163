// DML_SCALAR_UNION with its data type: a number whose type is known at run time.
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include <goldml/core/data_type.hpp>
#include <goldml/core/number_text.hpp>

namespace goldml {

// A number and its data type. A default-constructed scalar is omitted ("left out" in text): zero of any type. FLOAT16
// is stored as its 16 bits, because DirectML's union has no member for it.
class scalar {
 public:
  constexpr scalar() = default;

  template <element T>
  scalar(T value) : type_(data_type_of<T>) {  // NOLINT(google-explicit-constructor): .value = 1.0f is how it is written
    std::memcpy(bytes_.data(), &value, sizeof value);
  }

  // Uses as many of the first bytes as `type` has and ignores the others. A type without elements is kept, so that the
  // operator's rules can refuse it.
  static scalar from_bytes(data_type type, const std::array<std::byte, 8>& bytes) {
    scalar result;
    result.type_ = type;
    std::memcpy(result.bytes_.data(), bytes.data(), element_size_in_bytes(type));
    return result;
  }

  // The number of type `type` whose bits are the low bits of `bits`.
  static scalar from_bits(data_type type, std::uint64_t bits) {
    scalar result;
    result.type_ = type;
    const auto one = static_cast<std::uint8_t>(bits);
    const auto two = static_cast<std::uint16_t>(bits);
    const auto four = static_cast<std::uint32_t>(bits);
    const std::uint32_t size = element_size_in_bytes(type);
    const void* value = size == 1   ? static_cast<const void*>(&one)
                        : size == 2 ? static_cast<const void*>(&two)
                        : size == 4 ? static_cast<const void*>(&four)
                                    : &bits;
    std::memcpy(result.bytes_.data(), value, size);
    return result;
  }

  // nullopt if the value is omitted.
  constexpr std::optional<data_type> type() const { return type_; }

  // The value. T must be the scalar's type, or std::uint16_t for the bits of a FLOAT16. An omitted scalar is zero of
  // any T.
  template <element T>
  T as() const {
    T value;
    std::memcpy(&value, bytes_.data(), sizeof value);
    return value;
  }

  friend bool operator==(const scalar&, const scalar&) = default;

 private:
  std::optional<data_type> type_;
  std::array<std::byte, 8> bytes_{};
};

// FLOAT32 1.5, or "left out".
inline void append_text(detail::inline_text& text, const scalar& s) {
  if (!s.type()) return text.append("left out");
  text.append(name_of(*s.type()));
  if (element_size_in_bytes(*s.type()) == 0) return;
  text.append(" ");
  const auto put_float = [&](auto value) {
    std::array<char, 32> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    text.append({digits.data(), static_cast<std::size_t>(end - digits.data())});
  };
  switch (*s.type()) {
    case data_type::float32:
      return put_float(s.as<float>());
    case data_type::float64:
      return put_float(s.as<double>());
    case data_type::float16:
      return text.append(detail::float16_text(s.as<std::uint16_t>()));  // short: no allocation
    case data_type::int8:
      return text.put(s.as<std::int8_t>());
    case data_type::int16:
      return text.put(s.as<std::int16_t>());
    case data_type::int32:
      return text.put(s.as<std::int32_t>());
    case data_type::int64:
      return text.put(s.as<std::int64_t>());
    case data_type::uint8:
      return text.put(s.as<std::uint8_t>());
    case data_type::uint16:
      return text.put(s.as<std::uint16_t>());
    case data_type::uint32:
      return text.put(s.as<std::uint32_t>());
    case data_type::uint64:
      return text.put(s.as<std::uint64_t>());
    case data_type::unknown:  // these have no elements in C++
    case data_type::uint4:
    case data_type::int4:
      return;
  }
}

inline std::string to_string(const scalar& s) { return std::string(detail::inline_text("{}", s).view()); }

}  // namespace goldml

template <>
struct fmt::formatter<goldml::scalar> : goldml::detail::text_formatter<goldml::scalar> {};
