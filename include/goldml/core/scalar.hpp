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
    visit_data_type(type_list<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>{}, bits_type(type),
                    [&]<class Bits>(std::type_identity<Bits>) {
                      const auto value = static_cast<Bits>(bits);
                      std::memcpy(result.bytes_.data(), &value, sizeof value);
                    });
    return result;
  }

  // nullopt if the value is omitted.
  constexpr std::optional<data_type> type() const { return type_; }

  // The value. T must be the scalar's type. An omitted scalar is zero of any T.
  template <element T>
  T as() const {
    T value;
    std::memcpy(&value, bytes_.data(), sizeof value);
    return value;
  }

  friend bool operator==(const scalar&, const scalar&) = default;

 private:
  // The unsigned type of the same width as `type`.
  static constexpr data_type bits_type(data_type type) {
    switch (element_size_in_bytes(type)) {
      case 1:
        return data_type::uint8;
      case 2:
        return data_type::uint16;
      case 4:
        return data_type::uint32;
      case 8:
        return data_type::uint64;
      default:
        return data_type::unknown;
    }
  }

  std::optional<data_type> type_;
  std::array<std::byte, 8> bytes_{};
};

// FLOAT32 1.5, or "left out".
template <class Text>
void append_text(Text& text, const scalar& s) {
  if (!s.type()) return text.append("left out");
  text.append(name_of(*s.type()));
  visit_data_type(all_types{}, *s.type(), [&]<class T>(std::type_identity<T>) {
    text.append(" ");
    if constexpr (std::is_integral_v<T>) {
      text.put(s.as<T>());
    } else if constexpr (std::is_same_v<T, float16>) {
      text.append(number_text(s.as<T>()));  // short: no allocation
    } else {
      std::array<char, 32> digits;
      const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), s.as<T>()).ptr;
      text.append({digits.data(), static_cast<std::size_t>(end - digits.data())});
    }
  });
}

inline std::string to_string(const scalar& s) { return std::string(detail::inline_text<64>("{}", s).view()); }

}  // namespace goldml

template <>
struct fmt::formatter<goldml::scalar> : goldml::detail::text_formatter<goldml::scalar> {};
