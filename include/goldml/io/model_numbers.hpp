// Conversion of a model's numbers for a data type: JSON to elements, elements to text.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include <goldml/core/float16.hpp>
#include <goldml/core/number_text.hpp>
#include <goldml/core/scalar.hpp>
#include <goldml/io/json.hpp>

namespace goldml::io {

namespace detail {

// Parses "nan", "inf" and "infinity" with an optional sign, ignoring case.
inline std::optional<double> special_number(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  const double sign = negative ? -1.0 : 1.0;
  if (lower == "nan") return std::copysign(std::numeric_limits<double>::quiet_NaN(), sign);
  if (lower == "inf" || lower == "infinity") return sign * std::numeric_limits<double>::infinity();
  return std::nullopt;
}

inline double to_double(const json& value, std::string_view name, std::string_view where) {
  if (value.IsNumber()) return value.GetDouble();
  const auto special = value.IsString() ? special_number(text_of(value)) : std::nullopt;
  if (!special) refuse(value, "M2", name, description(value), "a number, \"nan\", \"inf\" or \"-inf\"", where);
  return *special;
}

// Decimal numbers are converted to FLOAT16 via FLOAT32, as in DxDispatch.
template <class T>
T round_to(double number) {
  if constexpr (std::is_same_v<T, float16>)
    return static_cast<float16>(static_cast<float>(number));
  else
    return static_cast<T>(number);
}

template <class T>
bool is_infinite(T x) {
  return goldml::detail::magnitude_bits(x) == goldml::detail::float_bits<T>::infinity;
}

}  // namespace detail

// Reads an element. A number too large for its type is refused, and does not become infinite. Throws error M2 or M4.
template <element T>
T to_element(const json& value, std::string_view name, std::string_view where) {
  if constexpr (!is_floating_type<T>) {
    return to_integer<T>(value, name, where);
  } else {
    const double number = detail::to_double(value, name, where);
    const T result = detail::round_to<T>(number);
    if (detail::is_infinite(result) && !detail::is_infinite(number))
      refuse(value, "M4", name, description(value),
             fmt::format("a number in the range of {}", name_of(data_type_of<T>)), where);
    return result;
  }
}

// Reads an element of a type known at run time to `target`, which must have room for it.
inline void write_element(const json& value, data_type type, std::byte* target, std::string_view name,
                          std::string_view where) {
  visit_data_type(all_types{}, type, [&]<class T>(std::type_identity<T>) {
    const T element = to_element<T>(value, name, where);
    std::memcpy(target, &element, sizeof element);
  });
}

// A data type by name, with or without DML_TENSOR_DATA_TYPE_. Throws error M2 for an unknown name, and M5 for types of
// 4 bits, which tensors have alone: `is_of_tensor`.
inline data_type to_data_type(const json& value, std::string_view name, std::string_view where,
                              bool is_of_tensor = false) {
  constexpr std::string_view prefix = "DML_TENSOR_DATA_TYPE_";
  std::string_view text = to_text(value, name, where);
  if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  const auto type = data_type_from_name(text);
  if (!type)
    refuse(value, "M2", name, in_quotes(text), list_of_names(names_of_data_types()),
           joined_reasons(did_you_mean(text, names_of_data_types()), where));
  if (is_4_bit(*type) && !is_of_tensor)
    refuse(value, "M5", name, text, "a data type of 8 bits or more; for tensors of 4 bits UINT8, two elements a byte",
           where);
  return *type;
}

// Calls print(index, element) for each element of a buffer. A remainder shorter than an element is ignored.
template <class Print>
void for_each_element(std::span<const std::byte> bytes, data_type type, Print&& print) {
  visit_data_type(all_types{}, type, [&]<class T>(std::type_identity<T>) {
    for (std::size_t i = 0; i < bytes.size() / sizeof(T); ++i) {
      T element;
      std::memcpy(&element, bytes.data() + i * sizeof(T), sizeof element);
      print(i, element);
    }
  });
}

}  // namespace goldml::io
