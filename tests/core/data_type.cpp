// core/data_type.hpp: DirectML's numbers, names and widths, the sets of the tables, and the C++ types.
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/data_type.hpp>

#include "../catch.hpp"

namespace {

using namespace goldml;

struct known_type {
  std::uint32_t value;
  std::string_view name;
  std::uint32_t bytes;
  bool a8;
  bool a10;
  bool a11;
  bool ix;
};

// DML_TENSOR_DATA_TYPE of DirectML.h and the sets of the operators' tables, written down by hand.
constexpr std::array<known_type, 14> known_types{{
    {0, "UNKNOWN", 0, false, false, false, false},
    {1, "FLOAT32", 4, true, true, true, false},
    {2, "FLOAT16", 2, true, true, true, false},
    {3, "UINT32", 4, true, true, true, true},
    {4, "UINT16", 2, true, true, true, false},
    {5, "UINT8", 1, true, true, true, false},
    {6, "INT32", 4, true, true, true, true},
    {7, "INT16", 2, true, true, true, false},
    {8, "INT8", 1, true, true, true, false},
    {9, "FLOAT64", 8, false, false, true, false},
    {10, "UINT64", 8, false, true, true, true},
    {11, "INT64", 8, false, true, true, true},
    {12, "UINT4", 0, false, false, false, false},
    {13, "INT4", 0, false, false, false, false},
}};

}  // namespace

TEST_CASE("data types have DirectML's numbers", "[data_type]") {
  CHECK(static_cast<std::uint32_t>(data_type::unknown) == 0);
  CHECK(static_cast<std::uint32_t>(data_type::float32) == 1);
  CHECK(static_cast<std::uint32_t>(data_type::float16) == 2);
  CHECK(static_cast<std::uint32_t>(data_type::uint32) == 3);
  CHECK(static_cast<std::uint32_t>(data_type::uint16) == 4);
  CHECK(static_cast<std::uint32_t>(data_type::uint8) == 5);
  CHECK(static_cast<std::uint32_t>(data_type::int32) == 6);
  CHECK(static_cast<std::uint32_t>(data_type::int16) == 7);
  CHECK(static_cast<std::uint32_t>(data_type::int8) == 8);
  CHECK(static_cast<std::uint32_t>(data_type::float64) == 9);
  CHECK(static_cast<std::uint32_t>(data_type::uint64) == 10);
  CHECK(static_cast<std::uint32_t>(data_type::int64) == 11);
  CHECK(static_cast<std::uint32_t>(data_type::uint4) == 12);
  CHECK(static_cast<std::uint32_t>(data_type::int4) == 13);
}

TEST_CASE("data types of 4 bits have no size in bytes, and are computed as bytes", "[data_type]") {
  for (const known_type& known : known_types) {
    const auto type = static_cast<data_type>(known.value);
    const bool has_4_bits = known.value >= 12;
    INFO(known.name);
    CHECK(is_4_bit(type) == has_4_bits);
    CHECK(element_size_in_bits(type) == (has_4_bits ? 4 : 8 * known.bytes));
    if (!has_4_bits) CHECK(unpacked_type(type) == type);
  }
  CHECK(unpacked_type(data_type::uint4) == data_type::uint8);
  CHECK(unpacked_type(data_type::int4) == data_type::int8);
  CHECK(element_size_in_bits(static_cast<data_type>(14)) == 0);
}

TEST_CASE("data types: names, widths and sets, by table", "[data_type]") {
  for (const known_type& known : known_types) {
    const auto type = static_cast<data_type>(known.value);
    INFO(known.name);
    CHECK(name_of(type) == known.name);
    CHECK(data_type_from_name(known.name) == type);
    CHECK(element_size_in_bytes(type) == known.bytes);
    CHECK(element_alignment(type) ==
          (is_4_bit(type) ? 1 : known.bytes));  // on every platform that has Direct3D or runs the tests
    CHECK(data_types_a8.contains(type) == known.a8);
    CHECK(data_types_a10.contains(type) == known.a10);
    CHECK(data_types_a11.contains(type) == known.a11);
    CHECK(data_types_ix.contains(type) == known.ix);
  }
}

TEST_CASE("data types: numbers that are not data types have no name, width or set", "[data_type]") {
  for (const std::uint32_t value : {14u, 31u, 32u, 33u, 35u, 64u, 257u, std::numeric_limits<std::uint32_t>::max()}) {
    const auto type = static_cast<data_type>(value);
    INFO(value);
    CHECK(name_of(type) == "not a data type");
    CHECK(element_size_in_bytes(type) == 0);
    CHECK(element_alignment(type) == 0);
    CHECK_FALSE(data_types_a11.contains(type));
    CHECK_FALSE(data_types_ix.contains(type));
    CHECK_FALSE(visit_data_type(all_types{}, type, [](auto) {}));
  }
}

TEST_CASE("data types: names must match exactly", "[data_type]") {
  for (const std::string_view name : {"", "float32", "FLOAT", "FLOAT32 ", "DML_TENSOR_DATA_TYPE_FLOAT32", "FLOAT8"})
    CHECK(data_type_from_name(name) == std::nullopt);
}

TEST_CASE("data types: a set contains the types that it was made from", "[data_type]") {
  constexpr data_type_set none;
  constexpr data_type_set two{data_type::int8, data_type::int64};
  for (const known_type& known : known_types) {
    const auto type = static_cast<data_type>(known.value);
    CHECK_FALSE(none.contains(type));
    CHECK(two.contains(type) == (known.name == "INT8" || known.name == "INT64"));
  }
}

TEST_CASE("B4: the only data type of a set", "[data_type]") {
  for (const known_type& known : known_types)
    if (known.bytes != 0) {
      const auto type = static_cast<data_type>(known.value);
      CHECK(data_type_set{type}.only() == type);
      CHECK(data_type_set{type, data_type::uint8}.only().has_value() == (type == data_type::uint8));
    }
  CHECK_FALSE(data_type_set{}.only());
}

TEST_CASE("data types: the text of a set", "[data_type]") {
  CHECK(fmt::format("{}", data_types_ix) == "UINT32, INT32, UINT64, INT64");
  CHECK(fmt::format("{}", data_type_set{data_type::float16}) == "FLOAT16");
  CHECK(fmt::format("{}", data_type_set{}) == "");
}

TEST_CASE("data types: C++ types", "[data_type]") {
  CHECK(data_type_of<float> == data_type::float32);
  CHECK(data_type_of<float16> == data_type::float16);
  CHECK(data_type_of<double> == data_type::float64);
  CHECK(data_type_of<std::uint8_t> == data_type::uint8);
  CHECK(data_type_of<std::uint16_t> == data_type::uint16);
  CHECK(data_type_of<std::uint32_t> == data_type::uint32);
  CHECK(data_type_of<std::uint64_t> == data_type::uint64);
  CHECK(data_type_of<std::int8_t> == data_type::int8);
  CHECK(data_type_of<std::int16_t> == data_type::int16);
  CHECK(data_type_of<std::int32_t> == data_type::int32);
  CHECK(data_type_of<std::int64_t> == data_type::int64);
  CHECK(data_type_of<const float> == data_type::float32);
  CHECK(data_type_of<const std::int8_t> == data_type::int8);

  CHECK(data_type_of<bool> == data_type::unknown);
  CHECK(data_type_of<char> == data_type::unknown);
  CHECK(data_type_of<long double> == data_type::unknown);
  CHECK(data_type_of<std::byte> == data_type::unknown);
  CHECK(data_type_of<float*> == data_type::unknown);
  CHECK(element<const double>);
  CHECK_FALSE(element<bool>);
  CHECK_FALSE(element<void>);
}

TEST_CASE("data types: a visit finds exactly the type, if the list has it", "[data_type]") {
  for (const known_type& known : known_types) {
    const auto type = static_cast<data_type>(known.value);
    INFO(known.name);
    std::vector<data_type> visited;
    const auto visit = [&]<class T>(std::type_identity<T>) {
      visited.push_back(data_type_of<T>);
      CHECK(sizeof(T) == known.bytes);
    };
    const bool in_all = visit_data_type(all_types{}, type, visit);
    CHECK(in_all == (known.bytes != 0));
    CHECK(visited == (in_all ? std::vector{type} : std::vector<data_type>{}));
    CHECK(visit_data_type(a8_types{}, type, [](auto) {}) == known.a8);
    CHECK(visit_data_type(a10_types{}, type, [](auto) {}) == known.a10);
    CHECK(visit_data_type(ix_types{}, type, [](auto) {}) == known.ix);
  }
}
