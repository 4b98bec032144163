// copy_elements: copies each addressed element and no bytes between them, for all strides.
#include "catch.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

#include <goldml/core/coordinates.hpp>
#include <goldml/d3d12/runtime/host_copy.hpp>

using namespace goldml;

namespace {

// Checks the bytes of a copy of the desc's tensor one by one.
void check_copy(const tensor_desc& desc) {
  CAPTURE(to_string(desc));
  const dimensions strides = effective_strides(desc);
  const std::uint64_t element = element_size_in_bytes(desc.data_type);
  std::set<std::uint64_t> addressed;
  for (const coordinate_tuple& c : coordinates_of(desc.sizes))
    for (std::uint64_t i = 0; i < element; ++i)
      addressed.insert(static_cast<std::uint64_t>(offset_of(c, strides)) * element + i);
  const auto size = static_cast<std::size_t>(addressed_size_in_bytes(desc.data_type, desc.sizes, strides));

  std::vector<std::byte> from(size), to(size, std::byte{0xEE});
  for (std::size_t i = 0; i < size; ++i) from[i] = static_cast<std::byte>(i % 200);
  d3d12::copy_elements(desc, from.data(), to.data());
  for (std::size_t i = 0; i < size; ++i)
    CHECK(to[i] == (addressed.count(i) != 0 ? static_cast<std::byte>(i % 200) : std::byte{0xEE}));
}

}  // namespace

TEST_CASE("d3d12: elements are copied and gaps are not") {
  const auto f32 = data_type::float32;
  check_copy({.data_type = f32, .sizes = {1}});
  check_copy({.data_type = f32, .sizes = {7}});
  check_copy({.data_type = f32, .sizes = {3, 4, 5}});
  check_copy({.data_type = f32, .sizes = {3, 4}, .strides = {5, 1}});
  check_copy({.data_type = f32, .sizes = {3, 4}, .strides = {1, 3}});
  check_copy({.data_type = f32, .sizes = {3, 4}, .strides = {2, 9}});
  check_copy({.data_type = f32, .sizes = {3, 4}, .strides = {0, 1}});
  check_copy({.data_type = f32, .sizes = {3, 4}, .strides = {0, 0}});
  check_copy({.data_type = f32, .sizes = {2, 3}, .strides = {3, 2}});  // interleaved
  check_copy({.data_type = f32, .sizes = {4, 4}, .strides = {1, 1}});  // shared
  check_copy({.data_type = f32, .sizes = {1, 4, 1}, .strides = {77, 2, 99}});
  check_copy({.data_type = data_type::uint8, .sizes = {2, 2, 2, 2, 2, 2, 2, 2}});
  check_copy({.data_type = data_type::uint8, .sizes = {2, 3, 2}, .strides = {11, 3, 1}});
  check_copy({.data_type = data_type::float16, .sizes = {5, 3}, .strides = {4, 1}});
  check_copy({.data_type = data_type::int64,
              .sizes = {2, 2, 2, 2, 2, 2, 2, 2},
              .strides = {1, 3, 6, 13, 30, 61, 130, 300}});
}
