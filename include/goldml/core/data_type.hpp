// DML_TENSOR_DATA_TYPE: the enumeration with DirectML's numbers, their C++ types, sets of them, and the dispatch from a
// run-time data type to a compile-time one.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <type_traits>

#include <goldml/core/inline_text.hpp>

namespace Eigen {
struct half;  // defined in <Eigen/Core>, which goldml/core/float16.hpp includes
}

namespace goldml {

// DML_TENSOR_DATA_TYPE of DirectML.h. The order is not by width: never compare enumerators with <.
// UINT4 and INT4, of feature level 6_3, have two elements a byte, and no C++ type: see core/packed_elements.hpp. Only
// QUANTIZE and DEQUANTIZE take them.
enum class data_type : std::uint32_t {
  unknown = 0,
  float32 = 1,
  float16 = 2,
  uint32 = 3,
  uint16 = 4,
  uint8 = 5,
  int32 = 6,
  int16 = 7,
  int8 = 8,
  float64 = 9,
  uint64 = 10,
  int64 = 11,
  uint4 = 12,
  int4 = 13,
};

// IEEE binary16. Only declared here: a program that has elements of it includes goldml/core/float16.hpp or
// <Eigen/Core>. The others compile faster without. (Declared after the enumeration, because g++ would otherwise warn
// that the enumerator shadows it.)
using float16 = Eigen::half;

template <class... T>
struct type_list {};

// The types of the sets that the specification calls A8 (8 to 32 bits), A10 (with 64-bit integers), A11 (with FLOAT64
// too) and IX (indices).
using a8_types =
    type_list<float, float16, std::uint32_t, std::uint16_t, std::uint8_t, std::int32_t, std::int16_t, std::int8_t>;
using a10_types = type_list<float, float16, std::uint32_t, std::uint16_t, std::uint8_t, std::int32_t, std::int16_t,
                            std::int8_t, std::uint64_t, std::int64_t>;
using a11_types = type_list<float, float16, std::uint32_t, std::uint16_t, std::uint8_t, std::int32_t, std::int16_t,
                            std::int8_t, double, std::uint64_t, std::int64_t>;
using ix_types = type_list<std::int64_t, std::int32_t, std::uint64_t, std::uint32_t>;
using all_types = a11_types;

// The data type whose elements are T, or unknown if there is none.
template <class T>
inline constexpr data_type data_type_of = data_type::unknown;
template <>
inline constexpr data_type data_type_of<float> = data_type::float32;
template <>
inline constexpr data_type data_type_of<float16> = data_type::float16;
template <>
inline constexpr data_type data_type_of<std::uint32_t> = data_type::uint32;
template <>
inline constexpr data_type data_type_of<std::uint16_t> = data_type::uint16;
template <>
inline constexpr data_type data_type_of<std::uint8_t> = data_type::uint8;
template <>
inline constexpr data_type data_type_of<std::int32_t> = data_type::int32;
template <>
inline constexpr data_type data_type_of<std::int16_t> = data_type::int16;
template <>
inline constexpr data_type data_type_of<std::int8_t> = data_type::int8;
template <>
inline constexpr data_type data_type_of<double> = data_type::float64;
template <>
inline constexpr data_type data_type_of<std::uint64_t> = data_type::uint64;
template <>
inline constexpr data_type data_type_of<std::int64_t> = data_type::int64;
template <class T>
inline constexpr data_type data_type_of<const T> = data_type_of<T>;

// The element type of a tensor, const or not.
template <class T>
concept element = data_type_of<T>
!= data_type::unknown;

namespace detail {

struct data_type_entry {
  std::string_view name;  // the enumerator without DML_TENSOR_DATA_TYPE_
  std::uint32_t size_in_bytes;
  std::uint32_t alignment;  // of the C++ type, in bytes
};

template <class T>
constexpr data_type_entry entry_of(std::string_view name) {
  return {name, static_cast<std::uint32_t>(sizeof(T)), static_cast<std::uint32_t>(alignof(T))};
}

// Indexed by the enumerator's value. The 4-bit types have no size in bytes.
inline constexpr std::array<data_type_entry, 14> data_type_table{{
    {"UNKNOWN", 0, 0},
    entry_of<float>("FLOAT32"),
    entry_of<std::uint16_t>("FLOAT16"),  // of the same size: see core/float16.hpp
    entry_of<std::uint32_t>("UINT32"),
    entry_of<std::uint16_t>("UINT16"),
    entry_of<std::uint8_t>("UINT8"),
    entry_of<std::int32_t>("INT32"),
    entry_of<std::int16_t>("INT16"),
    entry_of<std::int8_t>("INT8"),
    entry_of<double>("FLOAT64"),
    entry_of<std::uint64_t>("UINT64"),
    entry_of<std::int64_t>("INT64"),
    {"UINT4", 0, 1},
    {"INT4", 0, 1},
}};

inline constexpr data_type_entry no_data_type{"not a data type", 0, 0};

constexpr const data_type_entry& entry_of(data_type type) {
  const auto value = static_cast<std::uint32_t>(type);
  return value < data_type_table.size() ? data_type_table[value] : no_data_type;
}

}  // namespace detail

// DirectML's name without DML_TENSOR_DATA_TYPE_, such as "FLOAT32".
constexpr std::string_view name_of(data_type type) { return detail::entry_of(type).name; }

// The size of an element in bytes; 0 for types without C++ elements (UNKNOWN, UINT4, INT4, numbers that are not data
// types).
constexpr std::uint32_t element_size_in_bytes(data_type type) { return detail::entry_of(type).size_in_bytes; }

// Whether two elements of the type share a byte.
constexpr bool is_4_bit(data_type type) { return type == data_type::uint4 || type == data_type::int4; }

// The size of an element in bits; 0 for what is no data type.
constexpr std::uint32_t element_size_in_bits(data_type type) {
  return is_4_bit(type) ? 4 : 8 * element_size_in_bytes(type);
}

// The type in which elements are computed and compared: UINT8 and INT8 for those of 4 bits, else the type itself.
constexpr data_type unpacked_type(data_type type) {
  return type == data_type::uint4 ? data_type::uint8 : type == data_type::int4 ? data_type::int8 : type;
}

// The type of files and resources that hold elements: UINT8 for those of 4 bits, two a byte, else the type itself.
constexpr data_type stored_type(data_type type) { return is_4_bit(type) ? data_type::uint8 : type; }

// The alignment of an element in plain memory, in bytes.
constexpr std::uint32_t element_alignment(data_type type) { return detail::entry_of(type).alignment; }

// The data type of that name ("FLOAT32", without prefix), or nullopt.
constexpr std::optional<data_type> data_type_from_name(std::string_view name) {
  for (std::uint32_t value = 0; value < detail::data_type_table.size(); ++value)
    if (detail::data_type_table[value].name == name) return static_cast<data_type>(value);
  return std::nullopt;
}

class data_type_set {
 public:
  constexpr data_type_set() = default;
  constexpr data_type_set(std::initializer_list<data_type> types) {
    for (const data_type type : types) bits_ |= bit(type);
  }

  constexpr bool contains(data_type type) const { return (bits_ & bit(type)) != 0; }
  // The type, if there is just one.
  constexpr std::optional<data_type> only() const {
    if (!std::has_single_bit(bits_)) return std::nullopt;
    return static_cast<data_type>(std::countr_zero(bits_));
  }

 private:
  static constexpr std::uint32_t bit(data_type type) {
    const auto value = static_cast<std::uint32_t>(type);
    return value < 32 ? std::uint32_t{1} << value : 0;
  }

  std::uint32_t bits_ = 0;
};

template <class... T>
constexpr data_type_set set_of(type_list<T...>) {
  return {data_type_of<T>...};
}

inline constexpr data_type_set data_types_f{data_type::float32, data_type::float16};
inline constexpr data_type_set data_types_a6{data_type::float32, data_type::float16, data_type::int32,
                                             data_type::int16,   data_type::uint32,  data_type::uint16};
inline constexpr data_type_set data_types_a8 = set_of(a8_types{});
inline constexpr data_type_set data_types_a10 = set_of(a10_types{});
inline constexpr data_type_set data_types_a11 = set_of(a11_types{});
inline constexpr data_type_set data_types_ix = set_of(ix_types{});

// Calls f(std::type_identity<T>{}) for the T in the list whose data type is `type`. Returns whether there is one.
template <class... T, class F>
constexpr bool visit_data_type(type_list<T...>, data_type type, F&& f) {
  return ((data_type_of<T> == type ? (f(std::type_identity<T>{}), true) : false) || ...);
}

// FLOAT32, FLOAT16
inline void append_text(detail::inline_text& text, const data_type_set& types) {
  bool first = true;
  for (std::uint32_t value = 0; value < detail::data_type_table.size(); ++value) {
    const auto type = static_cast<data_type>(value);
    if (!types.contains(type)) continue;
    if (!first) text.append(", ");
    text.append(name_of(type));
    first = false;
  }
}

}  // namespace goldml

template <>
struct fmt::formatter<goldml::data_type_set> : goldml::detail::text_formatter<goldml::data_type_set> {};
