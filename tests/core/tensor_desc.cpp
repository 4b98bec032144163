// core/tensor_desc.hpp: the defaults of a desc, and the bytes that its buffer needs.
#include <cstdint>
#include <limits>
#include <optional>

#include <goldml/core/tensor_desc.hpp>

#include "../catch.hpp"

namespace {

using namespace goldml;

std::uint64_t bytes(data_type type, const dimensions& sizes, const dimensions& strides = {}) {
  return buffer_tensor_size_in_bytes({.data_type = type, .sizes = sizes, .strides = strides});
}

constexpr std::uint32_t top = std::numeric_limits<std::uint32_t>::max();

}  // namespace

TEST_CASE("tensor_desc: defaults are DirectML's plain buffer", "[tensor_desc]") {
  const tensor_desc desc;
  CHECK(desc.data_type == data_type::unknown);
  CHECK(desc.sizes.empty());
  CHECK(desc.strides.empty());
  CHECK(desc.total_tensor_size_in_bytes == std::nullopt);
  CHECK(desc.guaranteed_base_offset_alignment == 0);
  CHECK(static_cast<std::uint32_t>(desc.flags) == 0);
  CHECK(static_cast<std::uint32_t>(desc.type) == 1);
  CHECK(static_cast<std::uint32_t>(tensor_flags::owned_by_dml) == 1);
  CHECK(static_cast<std::uint32_t>(tensor_type::invalid) == 0);
}

TEST_CASE("tensor_desc: without strides it is packed", "[tensor_desc]") {
  CHECK(effective_strides({.sizes = {2, 3, 4}}) == dimensions{12, 4, 1});
  CHECK(effective_strides({.sizes = {2, 3}, .strides = {0, 4}}) == dimensions{0, 4});
}

TEST_CASE("buffer size: the worked examples", "[tensor_desc]") {
  CHECK(bytes(data_type::float32, {4, 5}) == 80);
  CHECK(bytes(data_type::float16, {3}) == 8);  // 6, rounded up
  CHECK(bytes(data_type::uint8, {1}) == 4);
  CHECK(bytes(data_type::int8, {2, 3}, {5, 1}) == 8);
  CHECK(bytes(data_type::float32, {2, 3}, {0, 1}) == 12);
  CHECK(bytes(data_type::float32, {2, 3}, {5, 1}) == 32);
  CHECK(bytes(data_type::uint64, {1, 1, 1}) == 8);
}

TEST_CASE("buffer size: rounded up to a multiple of 4, for each remainder", "[tensor_desc]") {
  CHECK(bytes(data_type::int8, {3}) == 4);
  CHECK(bytes(data_type::int8, {4}) == 4);
  CHECK(bytes(data_type::int8, {5}) == 8);
  CHECK(bytes(data_type::int8, {6}) == 8);
  CHECK(bytes(data_type::int8, {7}) == 8);
  CHECK(bytes(data_type::int16, {2}) == 4);
  CHECK(bytes(data_type::float64, {3}) == 24);
}

TEST_CASE("buffer size: strides of dimensions of size 1 are ignored", "[tensor_desc]") {
  CHECK(bytes(data_type::float32, {1, 3}, {top, 1}) == 12);
  CHECK(bytes(data_type::float32, {3, 1}, {1, 0}) == 12);
  CHECK(bytes(data_type::float32, {2, 3}, {1, 2}) == 24);  // permuted
  CHECK(bytes(data_type::float32, {1000, 1000}, {0, 0}) == 4);
}

TEST_CASE("buffer size: beyond 4 GiB without wrapping, packed and strided", "[tensor_desc]") {
  CHECK(bytes(data_type::float32, {65536, 65535}) == 17179607040);                   // 4 * 4294901760
  CHECK(bytes(data_type::float32, {2, 3}, {2147483640, 1}) == 8589934572);           // 4 * (2147483642 + 1)
  CHECK(bytes(data_type::float64, {2, 2}, {4000000000, 200000000}) == 33600000008);  // 8 * (4200000000 + 1)
  CHECK(bytes(data_type::float32, {top}) == 17179869180);                            // 2^34 - 4: "16 GB"
  CHECK(bytes(data_type::uint8, {top}) == 4294967296);                               // 2^32 - 1, rounded up
  CHECK(bytes(data_type::float32, {65536, 65536}) == 17179869184);  // too many elements, but no overflow
  CHECK(bytes(data_type::float32, {65536, 65536}, {65536, 1}) == 17179869184);
}

TEST_CASE("buffer size: saturates at 64 bits", "[tensor_desc]") {
  CHECK(addressed_size_in_bytes(data_type::float32, dimensions::filled(8, top), dimensions::filled(8, top)) ==
        saturated);
  // Rounded down to a multiple of 4 at the most: the sum may not wrap to a small number.
  CHECK(bytes(data_type::float32, dimensions::filled(8, top), dimensions::filled(8, top)) >= saturated - 3);
  CHECK(bytes(data_type::float64, {top, top}, {top, top}) >= saturated - 3);
}

TEST_CASE("buffer size: 0 for no elements and for types without width", "[tensor_desc]") {
  CHECK(bytes(data_type::float32, {3, 0}) == 0);
  CHECK(bytes(data_type::unknown, {3}) == 0);
  CHECK(bytes(static_cast<data_type>(14), {3}) == 0);
}

TEST_CASE("addressed size: not rounded", "[tensor_desc]") {
  CHECK(addressed_size_in_bytes(data_type::float16, {3}, {1}) == 6);
  CHECK(addressed_size_in_bytes(data_type::int8, {2, 3}, {5, 1}) == 8);
  CHECK(addressed_size_in_bytes(data_type::uint8, {3}, {1}) == 3);
}

TEST_CASE("total size: the given value, or the implied minimum", "[tensor_desc]") {
  CHECK(total_tensor_size_in_bytes({.data_type = data_type::float16, .sizes = {3}}) == 8);
  CHECK(total_tensor_size_in_bytes({.data_type = data_type::float16, .sizes = {3}, .total_tensor_size_in_bytes = 7}) ==
        7);
  CHECK(total_tensor_size_in_bytes({.data_type = data_type::float16, .sizes = {3}, .total_tensor_size_in_bytes = 0}) ==
        0);
  CHECK(round_up_to_4(0) == 0);
  CHECK(round_up_to_4(1) == 4);
  CHECK(round_up_to_4(4) == 4);
}

TEST_CASE("tensor_desc: text", "[tensor_desc]") {
  CHECK(to_string(tensor_desc{.data_type = data_type::float32, .sizes = {2, 3}}) == "FLOAT32 {2,3}");
  CHECK(to_string(tensor_desc{.data_type = data_type::int8, .sizes = {2, 3}, .strides = {1, 2}}) ==
        "INT8 {2,3} strides {1,2}");
}
